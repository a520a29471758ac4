"""Plots as inline SVG: lines of formulas, marks of what was measured, and the numbers behind them as a table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from html import escape
from typing import Any

from ccsim.claims.claim import Claim
from ccsim.claims.report.markup import element, table
from ccsim.claims.running import Hands
from ccsim.plots.lines import HEIGHT, WIDTH, drawn_plot, legend_sign, number_text, told
from ccsim.plots.series import Line, Plot

__all__ = ["plot_figure", "plots_of"]


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
    return [{**vars(plot), "lines": [vars(line) for line in plot.lines]} for plot in claim.plots()]


def _plot(data: dict[str, Any]) -> Plot:
    lines = tuple(Line(**{**line, "points": tuple((x, y) for x, y in line["points"])}) for line in data["lines"])
    return Plot(**{**data, "lines": lines})


def plot_figure(plot: Plot) -> str:
    """A plot with its legend and its numbers."""
    svg = element(
        "svg",
        drawn_plot(plot),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=told(plot),
        class_="plot",
    )
    caption = element("figcaption", element("strong", plot.title, text=True) + f" {escape(plot.note)}")
    upward = element("p", f"Upward: {plot.y}", text=True, class_="upward-name")
    return element("figure", caption + upward + svg + _legend(plot) + _numbers(plot), class_="plot-figure")


def _legend(plot: Plot) -> str:
    keys = []
    for place, line in enumerate(plot.lines):
        svg = f'<svg viewBox="0 0 28 12" width="28" height="12" aria-hidden="true">{legend_sign(plot, place)}</svg>'
        keys.append(element("span", f"{svg} {escape(line.name)}", class_="key"))
    return element("p", " ".join(keys), class_="legend")


def _numbers(plot: Plot) -> str:
    """Every point, for those who cannot see the lines or want the figures."""
    places = sorted({x for line in plot.lines for x, _ in line.points})
    rows = [
        [number_text(x), *(number_text(dict(line.points)[x]) if x in dict(line.points) else "" for line in plot.lines)]
        for x in places
    ]
    made = table([plot.x, *(line.name for line in plot.lines)], rows, f"{plot.title}: {plot.y}", class_="numbers")
    return element("details", element("summary", "The numbers") + element("div", made, class_="scroll", tabindex="0"))
