"""Lines and marks over one axis: what is claimed, measured and proved against the length."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import floor, isfinite, log10
from textwrap import wrap
from typing import Any

from ccsim.errors import InputError
from ccsim.plots.series import Line, Number, Plot
from ccsim.plots.svg import INK, PALETTE, SOFT, Picture, shortened, words

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

    >>> plot_picture(bits_plot("equality", measured={2: 3, 4: 5})).told
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
    return Picture(body, WIDTH, down + lower + 14, told(plot))


def told(plot: Plot) -> str:
    """A plot in words."""
    return f"{plot.title}: {plot.y} against {plot.x}, for {', '.join(line.name for line in plot.lines)}"


def drawn_plot(plot: Plot) -> str:
    """Axes, lines and marks, within ``WIDTH`` x ``HEIGHT``; classes let a style sheet change their colours."""
    points = [point for line in plot.lines for point in line.points]
    across = _scale([x for x, _ in points], plot.logarithmic, LEFT, WIDTH - RIGHT)
    up = _scale([y for _, y in points], plot.logarithmic, HEIGHT - BOTTOM, TOP)
    order = sorted(range(len(plot.lines)), key=lambda place: plot.lines[place].measured)  # marks lie on top
    return _axes(plot, points, across, up) + "".join(_line(plot, place, across, up) for place in order)


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


def _spare(ticks: list[float], logarithmic: bool) -> list[bool]:
    """Which labels a small screen may leave out: those between powers of ten, if there are two powers or more."""
    between = [logarithmic and not log10(tick).is_integer() for tick in ticks]
    return between if between.count(False) > 1 else [False] * len(ticks)


def _axes(plot: Plot, points: list[Any], across: Scale, up: Scale) -> str:
    bottom, parts = HEIGHT - BOTTOM, []
    along, upward = (_ticks([point[axis] for point in points], plot.logarithmic) for axis in (0, 1))
    for tick, spare in zip(along, _spare(along, plot.logarithmic), strict=True):
        x = across(tick)
        parts.append(f'<path class="grid" stroke="#d0d0d0" d="M{x:.1f} {TOP}V{bottom}"/>')
        parts.append(words(x, bottom + 22, number_text(tick), size=14, more=SPARE if spare else ""))
    for tick, spare in zip(upward, _spare(upward, plot.logarithmic), strict=True):
        y = up(tick)
        parts.append(f'<path class="grid" stroke="#d0d0d0" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
        parts.append(words(LEFT - 8, y + 4, number_text(tick), size=14, anchor="end", more=SPARE if spare else ""))
    middle = (TOP + bottom) / 2
    parts.append(
        f'<path class="axis" fill="none" stroke="{INK}" stroke-width="1.5" d="M{LEFT} {TOP}V{bottom}H{WIDTH - RIGHT}"/>'
    )
    parts.append(words((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, plot.x, size=14))
    parts.append(words(16, middle, plot.y, size=14, more=f'class="upward" transform="rotate(-90 16 {middle})"'))
    return "".join(parts)


def _line(plot: Plot, place: int, across: Scale, up: Scale) -> str:
    places = [(across(x), up(y)) for x, y in plot.lines[place].points]
    if plot.lines[place].measured:
        return "".join(_mark(plot, place, x, y) for x, y in places)
    return _stroke(place, "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places))


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
    """What stands for a line in a legend: 28 x 12 pixels."""
    return _mark(plot, place, 14, 6) if plot.lines[place].measured else _stroke(place, "M0 6H28")


def number_text(value: float) -> str:
    """A number as short as it can be told.

    >>> number_text(4096.0), number_text(0.125)
    ('4 096', '0.125')
    """
    if float(value).is_integer() and abs(value) < 10**7:
        return f"{int(value):,}".replace(",", " ")
    return f"{value:.3g}"
