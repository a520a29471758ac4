"""The page: a summary, a table of each paper, plots, and the drill-down of each claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from importlib.metadata import version
from importlib.resources import files
from itertools import groupby

from ccsim.claims.claim import Claim, Paper
from ccsim.claims.parts import parts_of
from ccsim.claims.report.drill_down import anchor, claim_details
from ccsim.claims.report.markup import element, table
from ccsim.claims.report.plots import plot_figure
from ccsim.claims.verdict import Verdict, Word
from ccsim.plots.series import Plot

__all__ = ["render"]

FOLDED = 120  # rows from which on a paper's table is folded at first

Groups = list[tuple[str, list[Verdict]]]


def render(
    verdicts: Sequence[Verdict],
    claims: Mapping[str, Claim],
    papers: Mapping[str, Paper],
    plots: Sequence[Plot] = (),
    notes: Sequence[str] = (),
) -> str:
    """A page that needs nothing else: no network, no script.

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
        + element("header", element("h1", "Claims, measured") + _lead(verdicts))
        + _navigation(groups, titles, bool(plots))
        + element("main", _plots(plots) + _papers(groups, titles, claims), id="verdicts")
        + element("footer", "".join(element("p", note, text=True) for note in notes) + _made())
    )
    style = (files("ccsim.claims.report") / "style.css").read_text(encoding="utf-8")
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        "<title>Claims, measured by ccsim</title>" + element("style", style)
    )
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def _lead(verdicts: Sequence[Verdict]) -> str:
    counts = Counter(row.word for row in verdicts)
    told = "".join(
        element("li", f"<strong>{counts[word]}</strong> {escape(word.value)}", class_=_class(word))
        for word in Word
        if counts[word] or word is Word.BROKEN
    )
    claims = len({row.claim for row in verdicts})
    text = f"{len(verdicts)} verdicts on {claims} claims: what each source says, beside what was measured."
    words = "".join(
        element("dt", word.value, text=True, class_=f"word {_class(word)}") + element("dd", word.meaning, text=True)
        for word in Word
        if counts[word]
    )
    legend = element("details", element("summary", "What the verdicts mean") + element("dl", words, class_="legend"))
    return element("p", text) + element("ul", told, class_="counts", aria_label="How many of each verdict") + legend


def _navigation(groups: Groups, titles: Mapping[str, str], plots: bool) -> str:
    links = [("#plots", "Plots")] if plots else []
    links += [(f"#paper-{name}", titles[name]) for name, _ in groups]
    items = "".join(element("li", element("a", title, text=True, href=target)) for target, title in links)
    return element("nav", element("ul", items), aria_label="Papers")


def _plots(plots: Sequence[Plot]) -> str:
    if not plots:
        return ""
    figures = "".join(map(plot_figure, plots))
    return element("section", element("h2", "Plots") + figures, id="plots")


def _papers(groups: Groups, titles: Mapping[str, str], claims: Mapping[str, Claim]) -> str:
    return "".join(_paper(name, titles[name], rows, claims) for name, rows in groups)


def _paper(name: str, title: str, rows: list[Verdict], claims: Mapping[str, Claim]) -> str:
    head = ("claim", "statement", "claimed", "measured", "exact", "verdict")
    verdicts = "".join(
        element("h3", part.capitalize(), text=True)
        + table(head, [_cells(row) for row in own], f"{title}: {part}", class_="verdicts")
        for _, part, own in parts_of(rows)
    )
    by_claim = [(claim, list(own)) for claim, own in groupby(rows, key=lambda row: row.claim)]
    drilled = "".join(claim_details(claims.get(claim), own) for claim, own in by_claim)
    inside = verdicts + element("h3", "Behind each claim") + drilled
    if len(rows) >= FOLDED:
        inside = element("details", element("summary", f"All {len(rows)} verdicts") + inside)
    return element("section", element("h2", title, text=True) + inside, id=f"paper-{name}")


def _cells(row: Verdict) -> list[str]:
    link = element("a", row.claim, text=True, href=f"#{anchor(row.claim)}")
    setting = element("span", row.setting, text=True, class_="setting")
    sampled = row.of not in (None, row.checked)
    cases = "-" if row.measured is None else "yes" if row.exact else f"{row.checked} sampled" if sampled else "no"
    return [
        f"{link} {setting}",
        escape(row.statement),
        escape(row.bound),
        escape(row.value),
        cases,
        element("span", row.told, text=True, class_=f"word {_class(row.word)}"),
    ]


def _class(word: Word) -> str:
    return word.name.lower().replace("_", "-")


def _made() -> str:
    return element("p", f"Made by ccsim {version('ccsim')}. Every certificate is checked by ccsim verify alone.")
