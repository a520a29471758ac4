"""Curves and marks over one axis, for the series of claims; and a chart of what kinds of models cost, task by task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, floor, inf, isfinite, log2, log10
from pathlib import Path
from textwrap import wrap
from typing import Any

from ccsim.bounds.growth_table import BESIDE, GrowthTable
from ccsim.bounds.model_size import REQUIREMENTS
from ccsim.errors import InputError
from ccsim.formulas import exact_value
from ccsim.plots.picture import Picture, gathered
from ccsim.plots.scene import (
    GRID,
    INK,
    PALETTE,
    PAPER,
    SOFT,
    Circle,
    Point,
    Shape,
    Stroke,
    Text,
    moved,
    shortened,
)

Number = int | float


@dataclass(frozen=True)
class Line:
    """One line of a plot, by its (x, y) in order of x: marks if they were ``measured``, else a line of a formula.

    Attributes:
        name: for the legend.
        points, measured: at least one point, and how they are drawn.
    """

    name: str
    points: tuple[tuple[Number, Number], ...]
    measured: bool = False


@dataclass(frozen=True)
class Plot:
    """Lines over one axis; both axes may be logarithmic, where points are positive. ``note`` states how to read it.

    ``x`` and ``y`` name what the axes count, with units.

    Attributes:
        title, lines: what stands above it, and what is drawn.
        x, y, logarithmic: of the axes.
        note: a sentence below it.
    """

    title: str
    x: str
    y: str
    lines: tuple[Line, ...]
    logarithmic: bool = False
    note: str = ""

    def save(self, path: str | Path) -> Path:
        """Write its picture as :meth:`Picture.save` does."""
        return plot_picture(self).save(path)


WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 92, 32, 14, 64
DASHES = ((), (7, 4), (2, 3), (9, 3, 2, 3), (4, 4), (1, 4), (12, 4))
SPARE = "spare"  # what a style sheet may hide on a small screen; so it may what is "upward"
MARKS: tuple[Sequence[Point], ...] = (
    *((), ((-4.5, -4.5), (4.5, -4.5), (4.5, 4.5), (-4.5, 4.5)), ((0, -5.5), (5.5, 4), (-5.5, 4))),
    *(((0, -6), (6, 0), (0, 6), (-6, 0)), ((0, 5.5), (5.5, -4), (-5.5, -4))),
    ((-5.5, -2), (-2, -2), (-2, -5.5), (2, -5.5), (2, -2), (5.5, -2), (5.5, 2), (2, 2), (2, 5.5), (-2, 5.5), (-2, 2),
     (-5.5, 2)),
)  # fmt: skip

Scale = Callable[[float], float]


def bits_plot(
    title: str,
    *,
    claimed: Mapping[int, Number] | None = None,
    measured: Mapping[int, Number] | None = None,
    lower: Mapping[int, Number] | None = None,
    x: str = "N",
    y: str = "bits",
    logarithmic: bool = False,
) -> Plot:
    """Bits against the length: the claimed formula and the proved lower bound as lines, what was measured as marks.

    Each mapping goes from the length to bits, or to what ``y`` names. Raises :class:`~ccsim.errors.InputError` if there
    is no point at all,
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
    return Plot(title, x, y, lines, logarithmic)


def plot_picture(plot: Plot) -> Picture:
    """A plot with its title and legend, on its own.

    >>> plot_picture(bits_plot("equality", measured={2: 3, 4: 5})).alt
    'equality: bits against N, for measured'
    """
    above = wrap(plot.title, (WIDTH - 40) // 8) or [""]  # characters of a bold line
    lower, right = 26 + 20.0 * (len(above) - 1), 20.0
    down = HEIGHT + lower + 20
    shapes: list[Shape] = [
        Text(20, 20.0 * row, line, 15, "start", bold=True) for row, line in enumerate(above, start=1)
    ]
    shapes += moved(drawn_plot(plot), 0, lower)
    for place, line in enumerate(plot.lines):
        room = 50 + 8 * len(line.name)
        if right + room > WIDTH and right > 20:
            down, right = down + 22, 20.0
        shapes += [legend_sign(plot, place).moved(right, down - 10), Text(right + 36, down, line.name, anchor="start")]
        right += room
    if plot.note:
        down += 22
        shapes.append(Text(20, down, shortened(plot.note, 100), 12, "start", fill=SOFT))
    return Picture(tuple(shapes), WIDTH, down + 14, description(plot))


def growth_picture(table: GrowthTable) -> Picture:
    """The brackets of a table of growth, a plot for each unit, or measure without one; bits beside n, log n and sqrt n.

    Exact values are marks; of a measure with an open bracket both sides are lines.

    >>> from ccsim.bounds import growth
    >>> growth_picture(growth("equality", [1, 2], measures=["deterministic"])).alt
    'equality: bits against n, for deterministic, n, log2 n, sqrt n'
    """
    by_unit: dict[str, list[Line]] = {}
    for measure, own in table.by_measure().items():
        lower = tuple((n, float(bracket.lower)) for n, bracket in own.items())
        upper = tuple((n, float(bracket.upper)) for n, bracket in own.items() if bracket.upper is not None)
        lines = by_unit.setdefault(next(iter(own.values())).unit or measure, [])
        if all(bracket.exact for bracket in own.values()):
            lines.append(Line(measure, lower, measured=True))
        else:
            sides = {f"{measure}, at least": lower, f"{measure}, at most": upper}
            lines += [Line(name, points) for name, points in sides.items() if points]
    if not by_unit:
        raise InputError("table", table.name, "a bracket at one size at least")
    curves = [Line(name, tuple((n, value(n)) for n in sorted(table.summaries))) for name, value in BESIDE.items()]
    plots = [
        Plot(table.name, "n", unit, (*lines, *(curves if unit == "bits" else ()))) for unit, lines in by_unit.items()
    ]
    pictures = [plot_picture(plot) for plot in plots]
    return gathered(pictures, 1 if len(plots) < 3 else 2, "; ".join(map(description, plots)))


def description(plot: Plot) -> str:
    return f"{plot.title}: {plot.y} against {plot.x}, for {', '.join(line.name for line in plot.lines)}"


def drawn_plot(plot: Plot) -> list[Shape]:
    """Axes, lines and marks, within ``WIDTH`` x ``HEIGHT``."""
    points = [point for line in plot.lines for point in line.points]
    across = _scale([x for x, _ in points], plot.logarithmic, LEFT, WIDTH - RIGHT)
    up = _scale([y for _, y in points], plot.logarithmic, HEIGHT - BOTTOM, TOP)
    order = sorted(range(len(plot.lines)), key=lambda place: plot.lines[place].measured)  # marks lie on top
    parts = _axes(plot, points, across, up)
    for place in order:
        places = [(across(x), up(y)) for x, y in plot.lines[place].points]
        if plot.lines[place].measured:
            parts += [_mark(plot, place, x, y) for x, y in places]
        else:
            parts.append(_stroke(place, places))
    return parts


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
    step = max(step, 1.0) if all(float(value).is_integer() for value in values) else step
    return [step * k for k in range(ceil(min(0.0, least) / step), floor(most / step) + 1)]


def _axes(plot: Plot, points: list[Any], across: Scale, up: Scale) -> list[Shape]:
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    parts: list[Shape] = []
    for axis, scale in enumerate((across, up)):
        ticks = _ticks([point[axis] for point in points], plot.logarithmic)
        between = [plot.logarithmic and not log10(tick).is_integer() for tick in ticks]  # two powers of ten
        for tick, spare in zip(ticks, between, strict=True):
            at, name = scale(tick), SPARE if spare and between.count(False) > 1 else ""
            parts.append(Stroke(([(LEFT, at), (right, at)] if axis else [(at, TOP), (at, bottom)],), stroke=GRID))
            x, y, anchor = (LEFT - 8.0, at + 4, "end") if axis else (at, bottom + 22.0, "middle")
            parts.append(Text(x, y, number_text(tick), 14, anchor, name=name))
    parts.append(Stroke(([(LEFT, TOP), (LEFT, bottom), (right, bottom)],), stroke=INK, thick=1.5))
    parts.append(Text((LEFT + right) / 2, HEIGHT - 8, plot.x, 14))
    return [*parts, Text(16, (TOP + bottom) / 2, plot.y, 14, turned=True, name="upward")]


def _stroke(place: int, line: Sequence[Point]) -> Shape:
    dash = DASHES[(place + place // len(PALETTE)) % len(DASHES)]  # no two of 49 lines look the same
    return Stroke((line,), stroke=PALETTE[place % len(PALETTE)], thick=2.5, dash=dash, name="line")


def _mark(plot: Plot, place: int, x: float, y: float) -> Shape:
    """Discs for the first line of marks, then squares, triangles, diamonds, triangles on their heads, and crosses."""
    shape = MARKS[sum(line.measured for line in plot.lines[:place]) % len(MARKS)]
    look: Any = {"fill": PALETTE[place % len(PALETTE)], "stroke": PAPER, "name": "mark"}
    return Stroke((shape,), closed=True, **look).moved(x, y) if shape else Circle(x, y, 4.5, **look)


def legend_sign(plot: Plot, place: int) -> Shape:
    return _mark(plot, place, 14, 6) if plot.lines[place].measured else _stroke(place, [(0, 6), (28, 6)])


def number_text(value: float) -> str:
    if float(value).is_integer() and abs(value) < 10**7:
        return f"{int(value):,}".replace(",", " ")
    return f"{value:.3g}"


MARGIN, END, ROW, HEAD = 250, 40, 34, 40
AXIS = 420


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
    parts: list[Shape] = [Text(12, 22, title, 15, "start", bold=True)]
    step = max(1, ceil((most - least) / 8))
    for power in range(least, most + 1, step):
        x = across(2.0**power)
        parts.append(Stroke(([(x, HEAD - 6), (x, bottom)],), stroke=GRID))
        parts.append(Text(x, bottom + 18, f"{2.0**power:g}" if power < 15 else f"2^{power}", 12))
    parts.append(Text(MARGIN + AXIS / 2, bottom + 38, unit))
    for place, (task, row) in enumerate(rows.items()):
        parts += _row(task, row, ways, HEAD + ROW * (place + 0.5), across)
    down = bottom + 62
    for place, way in enumerate(ways):
        parts += [_sign(place, 24, down - 4), Text(40, down, way, anchor="start")]
        down += 22
    alt = "; ".join(
        f"{task}: {', '.join(f'{way} {value:g}' for way, value in row.items())}" for task, row in rows.items()
    )
    return Picture(tuple(parts), MARGIN + AXIS + END, down, f"{title}, in {unit}: {alt}")


def _row(
    task: str, row: Mapping[str, float], ways: list[str], y: float, across: Callable[[float], float]
) -> list[Shape]:
    places = {way: across(value) for way, value in row.items()}
    joined = Stroke(([(min(places.values()), y), (max(places.values()), y)],), stroke=SOFT, thick=2)
    near = any(abs(one - other) < 14 for one, other in combinations(places.values(), 2))
    lift = 11.0 if near else 0.0  # marks that would hide each other are one above the other
    middle = (len(places) - 1) / 2
    marks = [_sign(ways.index(way), x, y + lift * (k - middle)) for k, (way, x) in enumerate(places.items())]
    return [Text(MARGIN - 14, y + 4, shortened(task, 34), anchor="end"), joined, *marks]


def _sign(place: int, x: float, y: float) -> Shape:
    look: Any = {"fill": (PAPER, *PALETTE[:3])[place % 4], "stroke": INK, "thick": 1.5, "name": "mark"}
    shape = MARKS[place % 4]
    return Stroke((shape,), closed=True, **look).moved(x, y) if shape else Circle(x, y, 5.5, **look)


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
