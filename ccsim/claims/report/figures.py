"""Figures of a page: matrices with their rectangles, plots with their numbers, and what kinds of models can do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from html import escape
from textwrap import wrap
from typing import Any

from ccsim.claims.claim import Claim, Place
from ccsim.claims.growth import curve
from ccsim.claims.report.document import table
from ccsim.claims.running import Hands
from ccsim.claims.verdict import Verdict, Word
from ccsim.plots.lines import HEIGHT, WIDTH, Line, Plot, drawn_plot, legend_sign, number_text, told
from ccsim.plots.svg import SOFT, Picture, element, words


def plots_of(claims: Sequence[Claim], hands: Hands) -> tuple[list[Plot], list[str]]:
    """What the claims offer, computed by the processes; and for each that failed, why."""
    waiting = [claim for claim in claims if claim.plots is not None]
    found: dict[str, list[Plot]] = {}
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
                found[outcome.key] = [_plot(data) for data in outcome.data]
    finally:
        hands.close()
    return [plot for claim in claims for plot in found.get(claim.name, ())], failed


def _plain(claim: Claim) -> list[Any]:
    assert claim.plots is not None
    return [{**vars(plot), "lines": [vars(line) for line in plot.lines]} for plot in claim.plots()]


def _plot(data: dict[str, Any]) -> Plot:
    lines = tuple(Line(**{**line, "points": tuple((x, y) for x, y in line["points"])}) for line in data["lines"])
    return Plot(**{**data, "lines": lines})


def growth_plot(claim: Claim, verdict: Verdict) -> Plot:
    """The values of a verdict beside the curve that is claimed, over the sizes."""
    constant = claim.constant
    assert constant is not None
    setting = dict(verdict.parameters)
    points = tuple((size, value) for size, value in verdict.series if size is not None and value is not None)
    claimed = tuple((size, float(curve(claim, setting, int(size)))) for size, _ in points)
    told = ", ".join(f"{name} = {value}" for name, value in setting.items() if name != constant.along)
    symbol = next(each.symbol for each in claim.parameters if each.name == constant.along)
    return Plot(
        title=f"{claim.name}{f' ({told})' if told else ''}",
        x=symbol,
        y=claim.unit or "size",
        lines=(
            Line(f"claimed, with c = {constant.value}", claimed),
            Line("measured", points, measured=True),
        ),
        logarithmic=all(value > 0 for line in (points, claimed) for _, value in line),
        note=f"{claim.statement} The constant: {constant.why}",
    )


def plot_figure(plot: Plot) -> str:
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


SIGNS = {True: "✓", False: "✗", None: "?"}
CAN = {True: "a small one can", False: "only a large one can", None: "open"}
KINDS = {True: "able", False: "unable", None: "unknown"}
FILLS = {True: ("#d5efe4", "#00573f"), False: ("#fadfcd", "#8a3300"), None: ("#e8e8e8", "#3b3b3b")}
MODELS = ("recurrent model", "one layer of attention", "two layers")  # these first
LEFT, COLUMN, ROW, TOP, SIZE = 204, 240, 88, 64, 23  # readable where the picture is 400 pixels wide

Field = tuple[Claim, Place]
Rows = dict[str, dict[str, Field]]


def _rows(claims: Iterable[Claim]) -> tuple[Rows, list[str]]:
    """From tasks to kinds of models to claims, and the kinds."""
    rows: Rows = {}
    for claim in claims:
        for place in claim.places:
            rows.setdefault(place.task, {})[place.model] = (claim, place)
    models = dict.fromkeys(model for row in rows.values() for model in row)
    return rows, sorted(models, key=lambda model: MODELS.index(model) if model in MODELS else len(MODELS))


def story_table(claims: Iterable[Claim], verdicts: Sequence[Verdict], targets: Mapping[str, str]) -> str:
    """The table, each cell with a link to its claim and its verdicts; nothing if no claim has a place.

    Args:
        claims: in the order of the tasks.
        verdicts: what came out.
        targets: where the links go, by the names of claims.
    """
    rows, models = _rows(claims)
    if not rows:
        return ""
    heads = element("th", "task", text=True, scope="col")
    heads += "".join(element("th", model, text=True, scope="col") for model in models)
    body = ""
    for task, row in rows.items():
        cells = "".join(_cell(model, row.get(model), verdicts, targets) for model in models)
        body += element("tr", element("th", task, text=True, scope="row") + cells)
    told = "What small models can and cannot do, for words of N symbols. Each field is a claim, with its verdict here."
    inside = element("caption", told, text=True) + element("thead", element("tr", heads)) + element("tbody", body)
    return element("div", element("table", inside, class_="story"), class_="scroll", tabindex="0")


def _cell(model: str, field: Field | None, verdicts: Sequence[Verdict], targets: Mapping[str, str]) -> str:
    if field is None:
        return element("td")
    claim, place = field
    able = place.able
    found = ", ".join(dict.fromkeys(row.scoped for row in verdicts if row.claim == claim.name))
    sign = element("span", SIGNS[able], text=True, class_="sign", aria_hidden="true")
    link = element("a", place.says, text=True, href=targets[claim.name], title=claim.statement)
    hidden = element("span", f"{CAN[able]}: ", text=True, class_="hidden")
    return element(
        "td", f"{sign}{hidden}{link} {element('small', found, text=True)}", class_=KINDS[able], data_label=model
    )


def story_picture(claims: Iterable[Claim], found: Mapping[str, Sequence[str]]) -> Picture:
    """The same as a picture: who can, who cannot, how large a model has to be, and the verdict on each claim.

    Args:
        claims: in the order of the tasks.
        found: by the name of a claim, the words of its verdicts.

    >>> story_picture([], {}).told
    'what small models can and cannot do'
    """
    rows, models = _rows(claims)
    parts = []
    for place, model in enumerate(models):
        middle = LEFT + COLUMN * (place + 0.5)
        parts += _lines(wrap(model, 16), middle, TOP / 2, size=SIZE, more='font-weight="bold"')
    for number, (task, row) in enumerate(rows.items()):
        down = TOP + ROW * number
        parts += _lines(wrap(task, 15), LEFT - 12, down + ROW / 2, size=SIZE, anchor="end")
        for place, model in enumerate(models):
            parts.append(_field(row.get(model), found, LEFT + COLUMN * place, down))
    bottom = TOP + ROW * len(rows)
    legend = (
        "for words of N symbols: ✓ a small model can, ✗ only a large one can, ? open",
        "below: the verdict; “calculated” and “vacuous” were not executed",
    )
    parts += _lines(legend, 12, bottom + 34, size=SIZE - 2, anchor="start", colour=SOFT)
    told = "; ".join(
        f"{task}: {', '.join(_told(model, field, found) for model, field in row.items())}" for task, row in rows.items()
    )
    title = "what small models can and cannot do"
    return Picture("".join(parts), LEFT + COLUMN * len(models) + 8, bottom + 68, f"{title}: {told}" if told else title)


def _words(claim: Claim, found: Mapping[str, Sequence[str]]) -> str:
    met = found.get(claim.name, [Word.NOT_MEASURED])
    return ", ".join(word.value for word in Word if word in met)


def _told(model: str, field: Field, found: Mapping[str, Sequence[str]]) -> str:
    claim, place = field
    return f"{model} {CAN[place.able]} ({place.says}; {_words(claim, found)})"


def _field(field: Field | None, found: Mapping[str, Sequence[str]], right: float, down: float) -> str:
    frame = f'x="{right + 3}" y="{down + 3}" width="{COLUMN - 6}" height="{ROW - 6}" rx="6"'
    if field is None:
        return f'<rect {frame} fill="#f7f7f5"/>'
    claim, place = field
    fill, ink = FILLS[place.able]
    sign = words(right + 22, down + ROW / 2 + 10, SIGNS[place.able], size=28, colour=ink)
    said = wrap(place.says, 17)
    text = "".join(_lines(said, right + 42, down + ROW / 2 - 12, size=SIZE, anchor="start", colour=ink))
    below = down + ROW / 2 + 10 + 12 * len(said)
    text += words(right + 42, below, _words(claim, found), size=SIZE - 3, anchor="start", more='font-style="italic"')
    return f'<rect {frame} fill="{fill}"/>{sign}{text}'


def _lines(lines: Sequence[str], x: float, middle: float, *, size: float, **look: str) -> list[str]:
    """Lines of text around a height."""
    first = middle + size / 3 - (size + 1) / 2 * (len(lines) - 1)
    return [words(x, first + (size + 1) * place, line, size=size, **look) for place, line in enumerate(lines)]
