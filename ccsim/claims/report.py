"""The page of verdicts: what models can do, discrepancies, plots, a table of each paper, the evidence for each
claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from html import escape
from itertools import groupby
from typing import Any

from ccsim.claims.claim import Claim, Paper, Place
from ccsim.claims.growth import curve
from ccsim.claims.html import document, download, formula_markup, made_by, table
from ccsim.claims.running import Workers
from ccsim.claims.summary import SummaryRow, parts_of, reason_of, statement_of, summarise, tally
from ccsim.claims.verdict import DISCREPANCIES, TITLE, Verdict, Word
from ccsim.plots.curves import HEIGHT, WIDTH, Line, Plot, description, drawn_plot, legend_sign, number_text
from ccsim.plots.formats import element, elements

FOLDED = 60  # lines from which on a paper's table is folded at first

Groups = list[tuple[str, list[Verdict]]]


def render(
    verdicts: Sequence[Verdict],
    claims: Mapping[str, Claim],
    papers: Mapping[str, Paper],
    plots: Sequence[Plot] = (),
    notes: Sequence[str] = (),
) -> str:
    """A page that needs nothing else: no network, and no script, though a small one adds filtering and sorting.

    Verdicts are shown in their order, plots above and notes below them; a paper's must be together, and a claim's.
    What is missing in ``claims`` and ``papers``, by name, is shown with less.
    """
    groups: Groups = [(name, list(rows)) for name, rows in groupby(verdicts, key=lambda row: row.paper)]
    titles = {name: papers[name].citation if name in papers else name for name, _ in groups}
    shown = {row.claim for row in verdicts}
    story = story_table(
        [claim for name, claim in claims.items() if name in shown], verdicts, {name: f"#claim-{name}" for name in shown}
    )
    lead = element("p", f"{tally(verdicts)}: what each source states, beside what was measured.")
    figures = element("div", "".join(map(plot_figure, plots)), class_="plots")
    drawn = element("section", element("h2", "Plots") + figures, id="plots") if plots else ""
    tables = "".join(_paper(name, titles[name], rows, claims) for name, rows in groups)
    body = (
        element("a", "Skip to the verdicts", href="#verdicts", class_="skip")
        + element("header", element("h1", "Claims, measured") + lead + story + _counts(verdicts) + FILTER)
        + _navigation(groups, titles, bool(plots))
        + element("main", _discrepancies(verdicts) + drawn + tables, id="verdicts")
        + element("footer", "".join(element("p", note, text=True) for note in notes) + made_by())
    )
    return document("Claims, measured by ccsim", body, script=True)


FILTER = (
    '<p id="filter" hidden><label>Show lines that contain <input type="search" placeholder="dyck"></label> '
    '<output aria-live="polite"></output></p>'
)


def _counts(verdicts: Sequence[Verdict]) -> str:
    counts = Counter(row.word for row in verdicts)
    listed = "".join(
        element(
            "li",
            f"<strong>{counts[word]}</strong> <b>{escape(word.value)}</b> "
            + element("span", word.meaning, text=True, class_="meaning"),
            class_=_class(word),
            data_word=word.value,
        )
        for word in Word
        if counts[word] or word is Word.BROKEN
    )
    return element("h2", "What the verdicts mean") + element("ul", listed, class_="counts")


def _navigation(groups: Groups, titles: Mapping[str, str], plots: bool) -> str:
    links = [("#discrepancies", TITLE)] + ([("#plots", "Plots")] if plots else [])
    links += [(f"#paper-{name}", titles[name]) for name, _ in groups]
    items = "".join(element("li", element("a", title, text=True, href=target)) for target, title in links)
    return element("nav", element("ul", items), aria_label="Papers")


def _discrepancies(verdicts: Sequence[Verdict]) -> str:
    rows = [row for word in DISCREPANCIES for row in verdicts if row.word is word]
    cells = [
        [_word(line), _link(line.name), escape(line.figures), escape(line.covered), escape(line.note)]
        for line in summarise(rows, everything=False, note=reason_of)
    ]
    columns = ("verdict", "claim", "what came out", "rests on", "why")
    listed = table(columns, cells, "Verdicts that need a reason", class_="discrepancies")
    inside = listed if rows else element("p", "There is none.")
    return element("section", element("h2", TITLE) + inside, id="discrepancies")


def _paper(name: str, title: str, rows: list[Verdict], claims: Mapping[str, Claim]) -> str:
    verdicts = "".join(
        element("h3", part.capitalize(), text=True) + _table(own, title, part) for _, part, own in parts_of(rows)
    )
    by_claim = [(claim, list(own)) for claim, own in groupby(rows, key=lambda row: row.claim)]
    drilled = "".join(claim_details(claims.get(claim), own) for claim, own in by_claim)
    inside = verdicts + element("h3", "Behind each claim") + drilled
    if len(by_claim) >= FOLDED:
        inside = element("details", element("summary", f"All {len(by_claim)} claims") + inside)
    return element("section", element("h2", title, text=True) + inside, id=f"paper-{name}")


def _table(rows: Sequence[Verdict], paper: str, part: str) -> str:
    about = {(row.claim, row.word): row for row in reversed(rows)}
    cells, words = [], []
    for line in summarise(rows, everything=False, note=statement_of):
        row = about[line.name, line.word]
        source = element("small", row.source.removeprefix(f"{paper}, "), text=True)
        formula = formula_markup(row.formula) if row.formula else ""
        text, figures = f"{escape(line.note)} {source}", escape(line.figures)
        cells.append([_word(line), _link(line.name), text, formula, figures, escape(line.covered)])
        words.append(line.word.value)
    heads = ("verdict", "claim", "statement", "formula", "what came out", "rests on")
    return table(heads, cells, f"{paper}: {part}", "verdicts", words)


def _link(claim: str) -> str:
    return element("a", claim, text=True, href=f"#claim-{claim}")


def _word(line: SummaryRow) -> str:
    text = line.scoped or line.word.value
    return element("span", text, text=True, class_=f"word {_class(line.word)}", title=line.word.meaning)


def _class(word: Word) -> str:
    return word.name.lower().replace("_", "-")


def claim_details(claim: Claim | None, verdicts: Sequence[Verdict]) -> str:
    first = verdicts[0]
    words = ", ".join(dict.fromkeys(row.description for row in verdicts))
    summary = element("summary", f"{element('code', first.claim, text=True)} {escape(words)}")
    listed = "".join(element("dt", name, text=True) + element("dd", text) for name, text in _about(claim, first))
    inside = element("dl", listed) + "".join(_setting(claim, row) for row in verdicts)
    return element(
        "details", summary + element("div", inside, id=f"claim-{first.claim}", class_="behind"), class_="claim"
    )


def _about(claim: Claim | None, first: Verdict) -> list[tuple[str, str]]:
    def formula(text: str) -> str:
        return element("span", f"{formula_markup(text)} {escape(first.unit)}", class_="formula")

    texts = {"statement": first.statement, "role": first.role, "source": first.source, "direction": first.direction}
    rows = [(name, escape(text)) for name, text in texts.items()]
    if first.formula:
        rows.append(("formula", formula(first.formula)))
    if claim is None:
        return rows
    if claim.ours:
        rows.append(("our own account", formula(claim.ours)))
    if claim.constant:
        value = formula_markup(claim.constant.value)
        rows.append(("constant", f"<i>c</i> = {value}: {escape(claim.constant.why)}"))
    named = [
        ", ".join(filter(None, (f"{parameter.symbol} = {parameter.name}", parameter.meaning)))
        for parameter in claim.parameters
    ]
    texts = {"sharpens": claim.sharpens, "parameters": "; ".join(named), "hypotheses": "; ".join(claim.hypotheses)}
    return rows + [(name, escape(text)) for name, text in texts.items() if text]


def _setting(claim: Claim | None, row: Verdict) -> str:
    drawn = () if row.of not in (None, row.checked) else ("samples", "seed")  # where all cases were gone through
    setting = ", ".join(f"{name} = {value}" for name, value in row.parameters.items() if name not in drawn)
    parts = [element("h4", setting or "as it is", text=True)]
    sides = f"{row.bound} claimed, {row.value} measured: "
    cases = escape(row.covered or row.coverage.value)
    parts.append(
        element("p", f"{escape(sides)}{element('strong', row.description, text=True)} ({cases}, {row.seconds:.2f} s).")
    )
    if row.reason:
        parts.append(element("p", row.reason, text=True, class_="reason"))
    if row.series and claim is not None and claim.constant is not None:
        parts.append(plot_figure(growth_plot(claim, row)))
    elif row.series:
        series = ", ".join(f"{value} at {size}" for size, value in row.series)
        parts.append(element("p", f"Measured: {series}.", text=True, class_="series"))
    if row.facts:
        figures = "; ".join(f"{name.replace('_', ' ')}: {value}" for name, value in row.facts.items())
        parts.append(element("p", figures, text=True, class_="facts"))
    attached = row.attachments
    always = "Certificate for every length at once, accepted by the checker; the line above is its own."
    for kind, text, suffix in (
        ("certificate", f"Certificate, accepted by the checker: {row.certificate}.", ""),
        ("every_length", always, "-every-length"),
    ):
        if kind in attached:
            values = (f"{name}-{value}" for name, value in row.parameters.items())
            name = "-".join([row.claim, *values]) + suffix + ".json"
            command = f"ccsim certify {row.claim} --save-certificates DIR"
            parts.append(download(name, attached[kind], text, command))
    shown = [_picture(**attached["picture"])] if "picture" in attached else []
    shown += [_transcript(attached["transcript"])] if "transcript" in attached else []
    if shown:
        parts.append(element("div", "".join(shown), class_="shown"))
    return element("section", "".join(parts), aria_label=f"{row.claim} {row.setting}")


def _picture(body: str, width: float, height: float, alt: str) -> str:
    box = f"0 0 {width:g} {height:g}"
    svg = element("svg", body, viewBox=box, width=f"{width:g}", role="img", aria_label=alt)
    return element("figure", svg + element("figcaption", "Rows are inputs of Alice, columns of Bob."))


def _transcript(transcript: Mapping[str, Any]) -> str:
    rows = [
        (
            str(row["number"]),
            escape(f"{row['sender']} → {', '.join(row['receivers'])}"),
            str(row["bits"]),
            str(row["total"]),
            element("code", bits if len(bits := row["message"]) <= 48 else f"{bits[:45]}...", text=True),
            escape(row["meaning"]),
        )
        for row in transcript["messages"]
    ]
    holds = ", ".join(map(" holds ".join, zip(transcript["parties"], transcript["inputs"], strict=True)))
    head = ("#", "channel", "bits", "total", "message", "meaning")
    made = table(head, rows, f"One run: {holds}", class_="transcript")
    answer = f"Answer {transcript['answer']}, expected {transcript['expected']}."
    return element("div", element("div", made, class_="scroll", tabindex="0") + element("p", answer, text=True))


def plots_of(claims: Sequence[Claim], workers: Workers) -> tuple[list[Plot], list[str]]:
    """What the claims offer, computed by the processes; and for each that failed, why."""
    waiting = [claim for claim in claims if claim.plots is not None]
    drawn: dict[str, list[Plot]] = {}
    failed: list[str] = []
    try:
        while waiting or not workers.idle:
            while waiting and workers.free:
                claim = waiting.pop(0)
                workers.submit(claim.name, partial(_plain, claim))
            outcome = workers.next(1.0)
            if outcome is None:
                continue
            if outcome.failure:
                failed.append(f"{outcome.key}: {outcome.failure}")
            else:
                drawn[outcome.key] = [_plot(data) for data in outcome.data]
    finally:
        workers.close()
    return [plot for claim in claims for plot in drawn.get(claim.name, ())], failed


def _plain(claim: Claim) -> list[Any]:
    assert claim.plots is not None
    return [{**vars(plot), "lines": [vars(line) for line in plot.lines]} for plot in claim.plots()]


def _plot(data: dict[str, Any]) -> Plot:
    lines = tuple(Line(**{**line, "points": tuple((x, y) for x, y in line["points"])}) for line in data["lines"])
    return Plot(**{**data, "lines": lines})


def growth_plot(claim: Claim, verdict: Verdict) -> Plot:
    """The values of a verdict and the curve that is claimed, over the sizes."""
    constant = claim.constant
    assert constant is not None
    setting = dict(verdict.parameters)
    points = tuple((size, value) for size, value in verdict.series if size is not None and value is not None)
    claimed = tuple((size, float(curve(claim, setting, int(size)))) for size, _ in points)
    where = ", ".join(f"{name} = {value}" for name, value in setting.items() if name != constant.along)
    symbol = next(each.symbol for each in claim.parameters if each.name == constant.along)
    return Plot(
        title=f"{claim.name}{f' ({where})' if where else ''}",
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
        elements(drawn_plot(plot)),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=description(plot),
        class_="plot",
    )
    caption = element("figcaption", element("strong", plot.title, text=True) + f" {escape(plot.note)}")
    upward = element("p", f"Upward: {plot.y}", text=True, class_="upward-name")
    return element("figure", caption + upward + svg + _legend(plot) + _numbers(plot), class_="plot-figure")


def _legend(plot: Plot) -> str:
    keys = []
    for place, line in enumerate(plot.lines):
        sign = elements([legend_sign(plot, place)])
        svg = element("svg", sign, viewBox="0 0 28 12", width="28", height="12", aria_hidden="true")
        keys.append(element("span", f"{svg} {escape(line.name)}", class_="key"))
    return element("p", " ".join(keys), class_="legend")


def _numbers(plot: Plot) -> str:
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
MODELS = ("recurrent model", "one layer of attention", "two layers")  # these first

Field = tuple[Claim, Place]
Rows = dict[str, dict[str, Field]]


def places_by_task(claims: Iterable[Claim]) -> tuple[Rows, list[str]]:
    rows: Rows = {}
    for claim in claims:
        for place in claim.places:
            rows.setdefault(place.task, {})[place.model] = (claim, place)
    models = dict.fromkeys(model for row in rows.values() for model in row)
    return rows, sorted(models, key=lambda model: MODELS.index(model) if model in MODELS else len(MODELS))


def story_table(claims: Iterable[Claim], verdicts: Sequence[Verdict], targets: Mapping[str, str]) -> str:
    """The table, each cell with a link from ``targets`` by the name of its claim; nothing if no claim has a place."""
    rows, models = places_by_task(claims)
    if not rows:
        return ""
    heads = element("th", "task", text=True, scope="col")
    heads += "".join(element("th", model, text=True, scope="col") for model in models)
    body = ""
    for task, row in rows.items():
        cells = "".join(_cell(model, row.get(model), verdicts, targets) for model in models)
        body += element("tr", element("th", task, text=True, scope="row") + cells)
    caption = (
        "What small models can and cannot do, for words of N symbols. Each field is a claim, with its verdict here."
    )
    inside = element("caption", caption, text=True) + element("thead", element("tr", heads)) + element("tbody", body)
    return element("div", element("table", inside, class_="story"), class_="scroll", tabindex="0")


def _cell(model: str, field: Field | None, verdicts: Sequence[Verdict], targets: Mapping[str, str]) -> str:
    if field is None:
        return element("td")
    claim, place = field
    able = place.able
    reached = ", ".join(dict.fromkeys(row.scoped for row in verdicts if row.claim == claim.name))
    sign = element("span", SIGNS[able], text=True, class_="sign", aria_hidden="true")
    link = element("a", place.size, text=True, href=targets[claim.name], title=claim.statement)
    hidden = element("span", f"{CAN[able]}: ", text=True, class_="hidden")
    return element(
        "td", f"{sign}{hidden}{link} {element('small', reached, text=True)}", class_=KINDS[able], data_label=model
    )
