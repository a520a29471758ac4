"""Plots as inline SVG: lines of formulas, marks of what was measured, and the numbers behind them as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from math import floor, log10
from typing import Any

from ccsim.claims.claim import Claim
from ccsim.claims.report.markup import element, table
from ccsim.claims.running import Hands
from ccsim.claims.series import Line, Plot

__all__ = ["plot_figure", "plots_of"]

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 92, 20, 14, 64
DASHES = ("", "7 4", "2 3", "9 3 2 3", "4 4", "1 4")
COLOURS = 6  # classes c0 .. c5 of the style sheet


def plots_of(claims: Sequence[Claim], hands: Hands) -> tuple[list[Plot], list[str]]:
    """What the claims offer, computed by the processes; and for each that failed, why."""
    waiting = [claim for claim in claims if claim.plots is not None]
    order = {claim.name: place for place, claim in enumerate(waiting)}
    found: list[tuple[int, Plot]] = []
    failed: list[str] = []
    try:
        while waiting or not hands.idle:
            while waiting and hands.free:
                claim = waiting.pop(0)
                hands.submit(claim.name, partial(_plain, claim))
            outcome = hands.next(1.0)
            if outcome is None:
                continue
            if outcome.failure:
                failed.append(f"{outcome.key}: {outcome.failure}")
            else:
                found += [(order[outcome.key], _plot(data)) for data in outcome.data]
    finally:
        hands.close()
    return [plot for _, plot in sorted(found, key=lambda pair: pair[0])], failed


def _plain(claim: Claim) -> list[Any]:
    assert claim.plots is not None
    return [
        {**vars(plot), "lines": [[line.name, line.points, line.measured] for line in plot.lines]}
        for plot in claim.plots()
    ]


def _plot(data: dict[str, Any]) -> Plot:
    lines = tuple(Line(name, tuple((x, y) for x, y in points), measured) for name, points, measured in data["lines"])
    return Plot(**{**data, "lines": lines})


def plot_figure(plot: Plot) -> str:
    """A plot with its legend and its numbers."""
    points = [point for line in plot.lines for point in line.points]
    across = _scale([x for x, _ in points], plot.logarithmic, LEFT, WIDTH - RIGHT)
    up = _scale([y for _, y in points], plot.logarithmic, HEIGHT - BOTTOM, TOP)
    drawn = "".join(_line(line, place, across, up) for place, line in enumerate(plot.lines))
    told = f"{plot.title}: {plot.y} against {plot.x}, for {', '.join(line.name for line in plot.lines)}"
    svg = element(
        "svg",
        _axes(plot, points, across, up) + drawn,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=told,
        class_="plot",
    )
    caption = element("strong", plot.title, text=True) + f" {escape(plot.note)}"
    return element(
        "figure", element("figcaption", caption) + svg + _legend(plot) + _numbers(plot), class_="plot-figure"
    )


def _scale(values: list[float], logarithmic: bool, low: float, high: float) -> Callable[[float], float]:
    """Where a value lies on an axis; a linear one begins at 0, a logarithmic one a little below the least value."""
    change: Callable[[float], float] = log10 if logarithmic else float
    most = change(max(values))
    least = change(min(values)) if logarithmic else min(0.0, float(min(values)))
    least -= 0.04 * (most - least) if logarithmic else 0.0
    most = max(most, least + 1e-9)
    return lambda value: low + (change(value) - least) / (most - least) * (high - low)


def _ticks(values: list[float], logarithmic: bool) -> list[float]:
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


def _axes(plot: Plot, points: list[Any], across: Callable[[float], float], up: Callable[[float], float]) -> str:
    bottom, parts = HEIGHT - BOTTOM, []
    for tick in _ticks([x for x, _ in points], plot.logarithmic):
        x = across(tick)
        parts.append(f'<path class="grid" d="M{x:.1f} {TOP}V{bottom}"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 22}" text-anchor="middle">{_number(tick)}</text>')
    for tick in _ticks([y for _, y in points], plot.logarithmic):
        y = up(tick)
        parts.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{_number(tick)}</text>')
    middle = (TOP + bottom) / 2
    parts.append(f'<path class="axis" d="M{LEFT} {TOP}V{bottom}H{WIDTH - RIGHT}"/>')
    parts.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{escape(plot.x)}</text>'
    )
    parts.append(
        f'<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">{escape(plot.y)}</text>'
    )
    return "".join(parts)


def _line(line: Line, place: int, across: Callable[[float], float], up: Callable[[float], float]) -> str:
    colour = f"c{place % COLOURS}"
    places = [(across(x), up(y)) for x, y in line.points]
    if line.measured:
        return "".join(f'<circle class="mark {colour}" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>' for x, y in places)
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    return f'<path class="line {colour}" stroke-dasharray="{DASHES[place % len(DASHES)]}" d="{path}"/>'


def _legend(plot: Plot) -> str:
    keys = []
    for place, line in enumerate(plot.lines):
        colour = f"c{place % COLOURS}"
        sign = (
            f'<circle class="mark {colour}" cx="14" cy="6" r="4.5"/>'
            if line.measured
            else f'<path class="line {colour}" stroke-dasharray="{DASHES[place % len(DASHES)]}" d="M0 6H28"/>'
        )
        svg = f'<svg viewBox="0 0 28 12" width="28" height="12" aria-hidden="true">{sign}</svg>'
        keys.append(element("span", f"{svg} {escape(line.name)}", class_="key"))
    return element("p", " ".join(keys), class_="legend")


def _numbers(plot: Plot) -> str:
    """Every point, for those who cannot see the lines or want the figures."""
    places = sorted({x for line in plot.lines for x, _ in line.points})
    rows = [
        [_number(x), *(_number(dict(line.points)[x]) if x in dict(line.points) else "" for line in plot.lines)]
        for x in places
    ]
    made = table([plot.x, *(line.name for line in plot.lines)], rows, f"{plot.title}: {plot.y}", class_="numbers")
    return element("details", element("summary", "The numbers") + element("div", made, class_="scroll", tabindex="0"))


def _number(value: float) -> str:
    if float(value).is_integer() and abs(value) < 10**7:
        return f"{int(value):,}".replace(",", " ")
    return f"{value:.3g}"
