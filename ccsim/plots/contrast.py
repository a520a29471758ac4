"""The separation chart: for each task, what each way of computing it costs, on one logarithmic axis."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from math import ceil, floor, inf, log2

from ccsim.bounds.model_size import REQUIREMENTS
from ccsim.errors import InputError
from ccsim.formulas import exact_value
from ccsim.plots.svg import INK, PALETTE, SOFT, Picture, shortened, words

LEFT, RIGHT, ROW, TOP = 250, 40, 34, 40
AXIS = 420
MARKS = ("M-6 -6h12v12h-12z", "M0 -7a7 7 0 1 0 .01 0z", "M0 -7l7 12h-14z", "M0 -8l8 8l-8 8l-8 -8z")


def contrast_picture(title: str, rows: Mapping[str, Mapping[str, float]], unit: str = "bits") -> Picture:
    """A line for each task, a mark of its own shape for each way; the marks of a task are joined.

    ``rows`` goes from tasks to ways to positive numbers. Raises :class:`~ccsim.errors.InputError` if there are none.

    >>> contrast_picture("at N = 64", {"dyck": {"one-way": 3, "two-way": 65}}).told
    'at N = 64, in bits: dyck: one-way 3, two-way 65'
    """
    values = [value for row in rows.values() for value in row.values()]
    if not values or not all(0 < value < inf for value in values):
        raise InputError("rows", rows, "a positive number for each task")
    least, most = floor(log2(min(values))), max(ceil(log2(max(values))), floor(log2(min(values))) + 1)
    ways = list(dict.fromkeys(way for row in rows.values() for way in row))

    def across(value: float) -> float:
        return LEFT + (log2(value) - least) / (most - least) * AXIS

    bottom = TOP + ROW * len(rows)
    parts = [words(12, 22, title, size=15, anchor="start", more='font-weight="bold"')]
    step = max(1, ceil((most - least) / 8))
    for power in range(least, most + 1, step):
        x = across(2.0**power)
        parts.append(f'<path d="M{x:g} {TOP - 6}V{bottom}" stroke="#d0d0d0"/>')
        parts.append(words(x, bottom + 18, f"{2.0**power:g}" if power < 15 else f"2^{power}", size=12))
    parts.append(words(LEFT + AXIS / 2, bottom + 38, unit, size=13))
    for place, (task, row) in enumerate(rows.items()):
        parts.append(_row(task, row, ways, TOP + ROW * (place + 0.5), across))
    down = bottom + 62
    for place, way in enumerate(ways):
        parts.append(_mark(place, 24, down - 4) + words(40, down, way, anchor="start"))
        down += 22
    told = "; ".join(
        f"{task}: {', '.join(f'{way} {value:g}' for way, value in row.items())}" for task, row in rows.items()
    )
    return Picture("".join(parts), LEFT + AXIS + RIGHT, down, f"{title}, in {unit}: {told}")


def _row(task: str, row: Mapping[str, float], ways: list[str], y: float, across: Callable[[float], float]) -> str:
    places = {way: across(value) for way, value in row.items()}
    joined = f'<path d="M{min(places.values()):g} {y:g}H{max(places.values()):g}" stroke="{SOFT}" stroke-width="2"/>'
    near = any(abs(one - other) < 14 for one, other in combinations(places.values(), 2))
    lift = 7.0 if near else 0.0  # marks that would hide each other stand one above the other
    middle = (len(places) - 1) / 2
    marks = "".join(_mark(ways.index(way), x, y + lift * (k - middle)) for k, (way, x) in enumerate(places.items()))
    return words(LEFT - 14, y + 4, shortened(task, 34), anchor="end") + joined + marks


def _mark(place: int, x: float, y: float) -> str:
    fill = ("#ffffff", PALETTE[0], PALETTE[1], PALETTE[2])[place % 4]
    shape = MARKS[place % len(MARKS)]
    return f'<path d="{shape}" transform="translate({x:g} {y:g})" fill="{fill}" stroke="{INK}" stroke-width="1.5"/>'


def separations(length: int) -> dict[str, dict[str, int]]:
    """For each task with a requirement: the least bits left to right, and between two parties in the worst partition.

    Both are lower bounds on what a model must carry, at this length, from
    :data:`ccsim.bounds.model_size.REQUIREMENTS`; a task that is easy for two parties has the first only. Raises
    :class:`~ccsim.errors.InputError` unless the length is even, as words of these tasks are.

    >>> separations(64)["dyck"]
    {'left to right, one message': 3, 'two parties, worst partition': 65}
    """
    if length < 2 or length % 2:
        raise InputError("length", length, "an even number from 2 on")
    found = {}
    for task, requirement in REQUIREMENTS.items():
        both = (
            ("left to right, one message", requirement.one_way),
            ("two parties, worst partition", requirement.two_way),
        )
        found[task] = {way: int(exact_value(text, {"N": length})) for way, text in both if text is not None}
    return found
