"""Curves and marks over one axis, for the series of claims; and a chart of what kinds of models cost, task by task."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import ceil, floor, inf, isfinite, log2, log10
from textwrap import wrap
from typing import Any

from ccsim.bounds.model_size import REQUIREMENTS
from ccsim.errors import InputError
from ccsim.formulas import exact_value
from ccsim.plots.svg import INK, PALETTE, SOFT, Picture, shortened, words

Number = int | float


@dataclass(frozen=True)
class Line:
    """One line of a plot, by its (x, y) in order of x: marks if they were ``measured``, else a line of a formula."""

    name: str
    points: tuple[tuple[Number, Number], ...]
    measured: bool = False


@dataclass(frozen=True)
class Plot:
    """Lines over one axis; both axes may be logarithmic, where points are positive. ``note`` says how to read it.

    ``x`` and ``y`` say what the axes count, with units.
    """

    title: str
    x: str
    y: str
    lines: tuple[Line, ...]
    logarithmic: bool = False
    note: str = ""


WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 92, 32, 14, 64
DASHES = ("", "7 4", "2 3", "9 3 2 3", "4 4", "1 4", "12 4")
SPARE = 'class="spare"'  # what a style sheet may hide on a small screen; so it may what stands "upward"
COLOURS = 7  # classes c0 .. c6, which a style sheet may colour
INKS = (PALETTE[0], PALETTE[1], PALETTE[2], PALETTE[3], PALETTE[6], PALETTE[4], SOFT)
MARKS = (
    *("", "M-4.5 -4.5h9v9h-9z", "M0 -5.5l5.5 9.5h-11z", "M0 -6l6 6l-6 6l-6 -6z", "M0 5.5l5.5 -9.5h-11z"),
    "M-5.5 -2h3.5v-3.5h4v3.5h3.5v4h-3.5v3.5h-4v-3.5h-3.5z",
)

Scale = Callable[[float], float]


def bits_plot(
    title: str,
    *,
    claimed: Mapping[int, Number] | None = None,
    measured: Mapping[int, Number] | None = None,
    lower: Mapping[int, Number] | None = None,
    x: str = "N",
    logarithmic: bool = False,
) -> Plot:
    """Bits against the length: the claimed formula and the proved lower bound as lines, what was measured as marks.

    Each mapping goes from the length to bits. Raises :class:`~ccsim.errors.InputError` if there is no point at all,
    or one that has no place on the axes.

    >>> bits_plot("equality", claimed={2: 3, 4: 5}, measured={2: 3, 4: 5}).lines[1].measured
    True
    """
    given = (("claimed", claimed, False), ("measured", measured, True), ("lower bound, proved", lower, False))
    lines = tuple(Line(name, tuple(sorted(points.items())), marks) for name, points, marks in given if points)
    if not lines:
        raise InputError("measured", measured, "bits at one length or more")
    numbers = [number for line in lines for point in line.points for number in point]
    if not all(isfinite(number) and (number > 0 or not logarithmic) for number in numbers):
        raise InputError("measured", numbers, "finite numbers, above 0 on logarithmic axes")
    return Plot(title, x, "bits", lines, logarithmic)


def plot_picture(plot: Plot) -> Picture:
    """A plot with its title and legend, on its own.

    >>> plot_picture(bits_plot("equality", measured={2: 3, 4: 5})).alt
    'equality: bits against N, for measured'
    """
    lines, row, down, right = [], "", HEIGHT + 46.0, 20.0
    for place, line in enumerate(plot.lines):
        room = 46 + 7.2 * len(line.name)
        if right + room > WIDTH and right > 20:
            down, right = down + 22, 20.0
        row = f'<g transform="translate({right:g} {down - 10:g})">{legend_sign(plot, place)}</g>'
        lines.append(row + words(right + 36, down, line.name, anchor="start"))
        right += room
    above = wrap(plot.title, (WIDTH - 40) // 8) or [""]  # characters of a bold line
    title = "".join(
        words(20, 20 * (place + 1), line, size=15, anchor="start", more='font-weight="bold"')
        for place, line in enumerate(above)
    )
    lower = 20.0 * (len(above) - 1)
    below = f'<g transform="translate(0 26)">{drawn_plot(plot)}</g>{"".join(lines)}'
    if plot.note:
        down += 22
        below += words(20, down, shortened(plot.note, 100), size=12, anchor="start", colour=SOFT)
    body = f'{title}<g transform="translate(0 {lower:g})">{below}</g>'
    return Picture(body, WIDTH, down + lower + 14, description(plot))


def description(plot: Plot) -> str:
    return f"{plot.title}: {plot.y} against {plot.x}, for {', '.join(line.name for line in plot.lines)}"


def drawn_plot(plot: Plot) -> str:
    """Axes, lines and marks, within ``WIDTH`` x ``HEIGHT``; classes let a style sheet change their colours."""
    points = [point for line in plot.lines for point in line.points]
    across = _scale([x for x, _ in points], plot.logarithmic, LEFT, WIDTH - RIGHT)
    up = _scale([y for _, y in points], plot.logarithmic, HEIGHT - BOTTOM, TOP)
    order = sorted(range(len(plot.lines)), key=lambda place: plot.lines[place].measured)  # marks lie on top
    parts = [_axes(plot, points, across, up)]
    for place in order:
        places = [(across(x), up(y)) for x, y in plot.lines[place].points]
        if plot.lines[place].measured:
            parts += [_mark(plot, place, x, y) for x, y in places]
        else:
            parts.append(_stroke(place, "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)))
    return "".join(parts)


def _scale(values: list[Any], logarithmic: bool, low: float, high: float) -> Scale:
    """Where a value lies on an axis; a linear one begins at 0, a logarithmic one a little below the least value."""
    change: Scale = log10 if logarithmic else float
    most = change(max(values))
    least = change(min(values)) if logarithmic else min(0.0, float(min(values)))
    least -= 0.04 * (most - least) if logarithmic else 0.0
    most = max(most, least + 1e-9)
    return lambda value: low + (change(value) - least) / (most - least) * (high - low)


def _ticks(values: list[Any], logarithmic: bool) -> list[float]:
    least, most = min(values), max(values)
    if logarithmic:
        powers = [10.0**power for power in range(floor(log10(least)), floor(log10(most)) + 2)]
        within = [tick for tick in powers if least <= tick <= most]
        finer = [power * digit for power in powers for digit in (1, 2, 5) if least <= power * digit <= most]
        return within if len(within) > 3 else finer or [least]
    rough = max(most - min(0.0, least), 1e-9) / 5
    power = 10.0 ** floor(log10(rough))
    step = next(base * power for base in (1, 2, 5, 10) if base * power >= rough)
    return [step * k for k in range(floor(min(0.0, least) / step), floor(most / step) + 1)]


def _axes(plot: Plot, points: list[Any], across: Scale, up: Scale) -> str:
    bottom, parts = HEIGHT - BOTTOM, []
    for axis, scale in enumerate((across, up)):
        ticks = _ticks([point[axis] for point in points], plot.logarithmic)
        between = [plot.logarithmic and not log10(tick).is_integer() for tick in ticks]  # two powers of ten
        for tick, spare in zip(ticks, between, strict=True):
            at, more = scale(tick), SPARE if spare and between.count(False) > 1 else ""
            line = f"M{LEFT} {at:.1f}H{WIDTH - RIGHT}" if axis else f"M{at:.1f} {TOP}V{bottom}"
            parts.append(f'<path class="grid" stroke="#d0d0d0" d="{line}"/>')
            x, y, anchor = (LEFT - 8, at + 4, "end") if axis else (at, bottom + 22, "middle")
            parts.append(words(x, y, number_text(tick), size=14, anchor=anchor, more=more))
    middle = (TOP + bottom) / 2
    parts.append(
        f'<path class="axis" fill="none" stroke="{INK}" stroke-width="1.5" d="M{LEFT} {TOP}V{bottom}H{WIDTH - RIGHT}"/>'
    )
    parts.append(words((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, plot.x, size=14))
    parts.append(words(16, middle, plot.y, size=14, more=f'class="upward" transform="rotate(-90 16 {middle})"'))
    return "".join(parts)


def _stroke(place: int, data: str) -> str:
    return (
        f'<path class="line c{place % COLOURS}" stroke="{INKS[place % COLOURS]}" fill="none" stroke-width="2.5" '
        f'stroke-dasharray="{DASHES[place % len(DASHES)]}" d="{data}"/>'
    )


def _mark(plot: Plot, place: int, x: float, y: float) -> str:
    """Discs for the first line of marks, then squares, triangles, diamonds, triangles on their heads, and crosses."""
    shape = MARKS[sum(line.measured for line in plot.lines[:place]) % len(MARKS)]
    look = f'class="mark c{place % COLOURS}" fill="{INKS[place % COLOURS]}" stroke="#ffffff"'
    if not shape:
        return f'<circle {look} cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>'
    return f'<path {look} transform="translate({x:.1f} {y:.1f})" d="{shape}"/>'


def legend_sign(plot: Plot, place: int) -> str:
    return _mark(plot, place, 14, 6) if plot.lines[place].measured else _stroke(place, "M0 6H28")


def number_text(value: float) -> str:
    if float(value).is_integer() and abs(value) < 10**7:
        return f"{int(value):,}".replace(",", " ")
    return f"{value:.3g}"


MARGIN, END, ROW, HEAD = 250, 40, 34, 40
AXIS = 420
SHAPES = ("M-6 -6h12v12h-12z", "M0 -7a7 7 0 1 0 .01 0z", "M0 -7l7 12h-14z", "M0 -8l8 8l-8 8l-8 -8z")


def contrast_picture(title: str, rows: Mapping[str, Mapping[str, float]], unit: str = "bits") -> Picture:
    """A line for each task, a mark of its own shape for each way; the marks of a task are joined.

    ``rows`` goes from tasks to ways to positive numbers. Raises :class:`~ccsim.errors.InputError` if there are none.

    >>> contrast_picture("at N = 64", {"dyck": {"one-way": 3, "two-way": 65}}).alt
    'at N = 64, in bits: dyck: one-way 3, two-way 65'
    """
    values = [value for row in rows.values() for value in row.values()]
    if not values or not all(0 < value < inf for value in values):
        raise InputError("rows", rows, "a positive number for each task")
    least, most = floor(log2(min(values))), max(ceil(log2(max(values))), floor(log2(min(values))) + 1)
    ways = list(dict.fromkeys(way for row in rows.values() for way in row))

    def across(value: float) -> float:
        return MARGIN + (log2(value) - least) / (most - least) * AXIS

    bottom = HEAD + ROW * len(rows)
    parts = [words(12, 22, title, size=15, anchor="start", more='font-weight="bold"')]
    step = max(1, ceil((most - least) / 8))
    for power in range(least, most + 1, step):
        x = across(2.0**power)
        parts.append(f'<path d="M{x:g} {HEAD - 6}V{bottom}" stroke="#d0d0d0"/>')
        parts.append(words(x, bottom + 18, f"{2.0**power:g}" if power < 15 else f"2^{power}", size=12))
    parts.append(words(MARGIN + AXIS / 2, bottom + 38, unit, size=13))
    for place, (task, row) in enumerate(rows.items()):
        parts.append(_row(task, row, ways, HEAD + ROW * (place + 0.5), across))
    down = bottom + 62
    for place, way in enumerate(ways):
        parts.append(_sign(place, 24, down - 4) + words(40, down, way, anchor="start"))
        down += 22
    alt = "; ".join(
        f"{task}: {', '.join(f'{way} {value:g}' for way, value in row.items())}" for task, row in rows.items()
    )
    return Picture("".join(parts), MARGIN + AXIS + END, down, f"{title}, in {unit}: {alt}")


def _row(task: str, row: Mapping[str, float], ways: list[str], y: float, across: Callable[[float], float]) -> str:
    places = {way: across(value) for way, value in row.items()}
    joined = f'<path d="M{min(places.values()):g} {y:g}H{max(places.values()):g}" stroke="{SOFT}" stroke-width="2"/>'
    near = any(abs(one - other) < 14 for one, other in combinations(places.values(), 2))
    lift = 7.0 if near else 0.0  # marks that would hide each other stand one above the other
    middle = (len(places) - 1) / 2
    marks = "".join(_sign(ways.index(way), x, y + lift * (k - middle)) for k, (way, x) in enumerate(places.items()))
    return words(MARGIN - 14, y + 4, shortened(task, 34), anchor="end") + joined + marks


def _sign(place: int, x: float, y: float) -> str:
    fill = ("#ffffff", PALETTE[0], PALETTE[1], PALETTE[2])[place % 4]
    shape = SHAPES[place % len(SHAPES)]
    return f'<path d="{shape}" transform="translate({x:g} {y:g})" fill="{fill}" stroke="{INK}" stroke-width="1.5"/>'


def separations(length: int) -> dict[str, dict[str, int]]:
    """For each task with a requirement: the least bits left to right, and between two parties in the worst partition.

    Both are lower bounds on what a model must carry at this length, an even one, from
    :data:`ccsim.bounds.model_size.REQUIREMENTS`; a task that is easy for two parties has the first only.

    >>> separations(64)["dyck"]
    {'left to right, one message': 3, 'two parties, worst partition': 65}
    """
    if length < 2 or length % 2:
        raise InputError("length", length, "an even number from 2 on")
    bits = {}
    for task, need in REQUIREMENTS.items():
        both = {"left to right, one message": need.one_way, "two parties, worst partition": need.two_way}
        bits[task] = {way: int(exact_value(text, {"N": length})) for way, text in both.items() if text is not None}
    return bits
