"""The page: what models can do, the news, plots, a table of each paper, and what is behind each claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

from ccsim.claims.claim import Claim, Paper
from ccsim.claims.lines import Line, lines_of, parts_of, reason_of, statement_of, tally
from ccsim.claims.report.document import document, download, formula_markup, made_by, table
from ccsim.claims.report.figures import growth_plot, plot_figure, story_table
from ccsim.claims.verdict import NEWS, Verdict, Word
from ccsim.plots.lines import Plot
from ccsim.plots.svg import Picture, element

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

    Args:
        verdicts: in the order in which they are shown; a paper's together, a claim's together.
        claims, papers: by name; those that are missing are shown with less.
        plots: above the tables.
        notes: shown at the end.
    """
    groups: Groups = [(name, list(rows)) for name, rows in groupby(verdicts, key=lambda row: row.paper)]
    titles = {name: papers[name].citation if name in papers else name for name, _ in groups}
    body = (
        element("a", "Skip to the verdicts", href="#verdicts", class_="skip")
        + element("header", element("h1", "Claims, measured") + _lead(verdicts, claims))
        + _navigation(groups, titles, bool(plots))
        + element("main", _news(verdicts) + _plots(plots) + _papers(groups, titles, claims), id="verdicts")
        + element("footer", "".join(element("p", note, text=True) for note in notes) + made_by())
    )
    return document("Claims, measured by ccsim", body, script=True)


def _lead(verdicts: Sequence[Verdict], claims: Mapping[str, Claim]) -> str:
    shown = {row.claim for row in verdicts}
    text = f"{tally(verdicts)}: what each source says, beside what was measured."
    targets = {name: f"#{anchor(name)}" for name in shown}
    story = story_table([claim for name, claim in claims.items() if name in shown], verdicts, targets)
    return element("p", text) + story + _counts(verdicts) + FILTER


FILTER = (
    '<p id="filter" hidden><label>Show lines that contain <input type="search" placeholder="dyck"></label> '
    '<output aria-live="polite"></output></p>'
)


def _counts(verdicts: Sequence[Verdict]) -> str:
    """How many there are of each word, and what it means."""
    counts = Counter(row.word for row in verdicts)
    told = "".join(
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
    return element("h2", "What the verdicts mean") + element("ul", told, class_="counts")


def _navigation(groups: Groups, titles: Mapping[str, str], plots: bool) -> str:
    links = [("#news", "News")] + ([("#plots", "Plots")] if plots else [])
    links += [(f"#paper-{name}", titles[name]) for name, _ in groups]
    items = "".join(element("li", element("a", title, text=True, href=target)) for target, title in links)
    return element("nav", element("ul", items), aria_label="Papers")


def _news(verdicts: Sequence[Verdict]) -> str:
    rows = [row for word in NEWS for row in verdicts if row.word is word]
    cells = [
        [_word(line), _link(line.name), escape(line.figures), escape(line.covered), escape(line.note)]
        for line in lines_of(rows, everything=False, note=reason_of)
    ]
    told = table(
        ("verdict", "claim", "what came out", "rests on", "why"), cells, "What is not as it was said", class_="news"
    )
    inside = told if rows else element("p", "Everything is as it was said.")
    return element("section", element("h2", "News") + inside, id="news")


def _plots(plots: Sequence[Plot]) -> str:
    if not plots:
        return ""
    figures = element("div", "".join(map(plot_figure, plots)), class_="plots")
    return element("section", element("h2", "Plots") + figures, id="plots")


def _papers(groups: Groups, titles: Mapping[str, str], claims: Mapping[str, Claim]) -> str:
    return "".join(_paper(name, titles[name], rows, claims) for name, rows in groups)


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
    """A line for each claim and word: what is said, and what came out at all settings."""
    about = {(row.claim, row.word): row for row in reversed(rows)}
    cells, words = [], []
    for line in lines_of(rows, everything=False, note=statement_of):
        row = about[line.name, line.word]
        source = element("small", row.source.removeprefix(f"{paper}, "), text=True)
        formula = formula_markup(row.formula) if row.formula else ""
        said, figures = f"{escape(line.note)} {source}", escape(line.figures)
        cells.append([_word(line), _link(line.name), said, formula, figures, escape(line.covered)])
        words.append(line.word.value)
    heads = ("verdict", "claim", "statement", "formula", "what came out", "rests on")
    return table(heads, cells, f"{paper}: {part}", "verdicts", words)


def _link(claim: str) -> str:
    return element("a", claim, text=True, href=f"#{anchor(claim)}")


def _word(line: Line) -> str:
    told = line.scoped or line.word.value
    return element("span", told, text=True, class_=f"word {_class(line.word)}", title=line.word.meaning)


def _class(word: Word) -> str:
    return word.name.lower().replace("_", "-")


def anchor(claim: str) -> str:
    """The identifier of a claim's part of the page."""
    return f"claim-{claim}"


def claim_details(claim: Claim | None, verdicts: Sequence[Verdict]) -> str:
    """A claim with all its verdicts, folded; browsers unfold it where a link jumps to what is in it."""
    first = verdicts[0]
    words = ", ".join(dict.fromkeys(row.told for row in verdicts))
    summary = element("summary", f"{element('code', first.claim, text=True)} {escape(words)}")
    listed = "".join(element("dt", name, text=True) + element("dd", told) for name, told in _about(claim, first))
    inside = element("dl", listed) + "".join(_setting(claim, row) for row in verdicts)
    return element("details", summary + element("div", inside, id=anchor(first.claim), class_="behind"), class_="claim")


def _about(claim: Claim | None, first: Verdict) -> list[tuple[str, str]]:
    """What is said, by whom, and what it assumes: names and markup."""
    about = [("statement", first.statement), ("said as", first.role), ("source", first.source)]
    about.append(("direction", first.direction))
    told = [(name, escape(text)) for name, text in about]
    if first.formula:
        told.append(("formula", _formula(first.formula, first.unit)))
    if claim is None:
        return told
    if claim.ours:
        told.append(("our own account", _formula(claim.ours, first.unit)))
    if claim.constant:
        value = formula_markup(claim.constant.value)
        told.append(("constant", f"<i>c</i> = {value}: {escape(claim.constant.why)}"))
    further = {
        "sharpens": claim.sharpens,
        "parameters": "; ".join(_parameter(parameter) for parameter in claim.parameters),
        "hypotheses": "; ".join(claim.hypotheses),
    }
    return told + [(name, escape(text)) for name, text in further.items() if text]


def _formula(formula: str, unit: str) -> str:
    return element("span", f"{formula_markup(formula)} {escape(unit)}", class_="formula")


def _parameter(parameter: Any) -> str:
    return f"{parameter.symbol} = {parameter.name}" + (f", {parameter.meaning}" if parameter.meaning else "")


def _setting(claim: Claim | None, row: Verdict) -> str:
    parts = [element("h4", row.told_setting or "as it is", text=True)]
    sides = f"{row.bound} claimed, {row.value} measured: "
    cases = escape(row.covered or row.coverage.value)
    parts.append(
        element("p", f"{escape(sides)}{element('strong', row.told, text=True)} ({cases}, {row.seconds:.2f} s).")
    )
    if row.reason:
        parts.append(element("p", row.reason, text=True, class_="reason"))
    if row.series and claim is not None and claim.constant is not None:
        parts.append(plot_figure(growth_plot(claim, row)))
    elif row.series:
        values = ", ".join(f"{value} at {size}" for size, value in row.series)
        parts.append(element("p", f"Measured: {values}.", text=True, class_="series"))
    if row.facts:
        figures = "; ".join(f"{name.replace('_', ' ')}: {value}" for name, value in row.facts.items())
        parts.append(element("p", figures, text=True, class_="facts"))
    attached = row.attachments
    if "certificate" in attached:
        told = f"Certificate, accepted by the checker: {row.certificate}."
        parts.append(_certificate(row, attached["certificate"], told, ""))
    if "every_length" in attached:
        told = "Certificate for every length at once, accepted by the checker; the line above is its own."
        parts.append(_certificate(row, attached["every_length"], told, "-every-length"))
    shown = [_picture(Picture(**attached["picture"]))] if "picture" in attached else []
    shown += [_transcript(attached["transcript"])] if "transcript" in attached else []
    if shown:
        parts.append(element("div", "".join(shown), class_="shown"))
    return element("section", "".join(parts), aria_label=f"{row.claim} {row.setting}")


def _certificate(row: Verdict, certificate: Mapping[str, Any], told: str, suffix: str) -> str:
    setting = (f"{name}-{value}" for name, value in row.parameters.items())
    name = "-".join([row.claim, *setting]) + suffix + ".json"
    return download(name, certificate, told, f"ccsim certify {row.claim} --save-certificates DIR")


def _picture(picture: Picture) -> str:
    size = {"viewBox": f"0 0 {picture.width:g} {picture.height:g}", "width": f"{picture.width:g}"}
    svg = element("svg", picture.body, text=False, role="img", aria_label=picture.told, class_="matrix", **size)
    return element("figure", svg + element("figcaption", "Rows are inputs of Alice, columns of Bob."))


def _transcript(transcript: Mapping[str, Any]) -> str:
    head = ("#", "channel", "bits", "total", "message", "meaning")
    rows = [
        (
            str(row["number"]),
            escape(f"{row['sender']} → {', '.join(row['receivers'])}"),
            str(row["bits"]),
            str(row["total"]),
            element("code", _short(row["message"]), text=True),
            escape(row["meaning"]),
        )
        for row in transcript["messages"]
    ]
    parties = transcript.get("parties") or ["Alice", "Bob", "Carol"][: len(transcript["inputs"])]
    holds = ", ".join(f"{name} holds {held}" for name, held in zip(parties, transcript["inputs"], strict=False))
    caption = f"One run: {holds}"
    made = table(head, rows, caption, class_="transcript")
    answer = f"Answer {transcript['answer']}, expected {transcript['expected']}."
    return element("div", element("div", made, class_="scroll", tabindex="0") + element("p", answer, text=True))


def _short(bits: str) -> str:
    return bits if len(bits) <= 48 else f"{bits[:45]}..."
