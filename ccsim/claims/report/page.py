"""The page: what models can do, the news, plots, a table of each paper, and what is behind each claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby

from ccsim.claims.claim import Claim, Paper
from ccsim.claims.lines import Line, lines_of, reason_of, statement_of, tally
from ccsim.claims.parts import parts_of
from ccsim.claims.report.document import document, made_by
from ccsim.claims.report.drill_down import anchor, claim_details
from ccsim.claims.report.formulas import formula_markup
from ccsim.claims.report.markup import element, table
from ccsim.claims.report.plots import plot_figure
from ccsim.claims.report.story import story_table
from ccsim.claims.verdict import NEWS, Verdict, Word
from ccsim.plots.series import Plot

__all__ = ["render"]

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
