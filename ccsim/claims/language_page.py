"""A page of one regular language: its automaton, its monoid, its class, and its bounds at every length."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ccsim.claims.html import document, download, made_by, table
from ccsim.claims.report import plot_figure
from ccsim.families import Language
from ccsim.families.monoid import Monoid
from ccsim.models.regular_expressions import alphabet_text
from ccsim.plain_data import counted
from ccsim.plots.automata import automaton_picture
from ccsim.plots.curves import Line, Plot
from ccsim.plots.formats import element

FARTHEST = 96  # positions to which bounds are drawn
MOST_ELEMENTS = 200  # of a monoid that is shown
Exact = Sequence[tuple[int, int, int]]


def language_page(language: Language, exact: Exact, *, width: int = 8, heads: int = 1, precision: int = 16) -> str:
    """A page that needs nothing else: no network and no script.

    Args:
        language: what :func:`ccsim.families.language` found.
        exact: (length, at least, at most) under the best partition, as :meth:`ccsim.families.Language.exact` gives it.
        width, heads, precision: the size of one-layer transformers that is asked about.

    >>> from ccsim.families import language, read_language
    >>> "Theta(log n)" in language_page(language(read_language("a*b*"), name="a*b*", longest=2), [(2, 2, 2)])
    True
    """
    searches = "; ".join(f"{low if low == high else f'{low} to {high}'} at N = {at}" for at, low, high in exact)
    none = "No length is small enough for an exact search."
    exactly = element("p", f"Exact searches under that partition: {searches}." if exact else none)
    ranks = table(
        ("N", "by ranks", "certified"),
        [[str(at), str(leaves), str(language.best.leaves(at))] for at, leaves in language.ranks()],
        "Leaves, at least: by the ranks of both answers, and by the certificate for every N",
        "plain",
    )
    at = language.excluded(width=width, heads=heads, precision=precision)
    size = f"{heads} head{'s' * (heads > 1)} of width {width} and {precision} bits of precision"
    recurrent = f"Recurrent models: {counted(language.recurrent_bits, 'bit of state')} suffice at every length."
    excluded = f"One-layer transformers with {size}: {at.description}. Assumed: {at.hypotheses}."
    parts = {
        "The minimal automaton": automaton_picture(language.automaton).svg,
        "The syntactic monoid": _monoid(language.monoid),
        "The class": _class(language),
        "Other models": _others(language),
        "Every length": _bounds(language) + plot_figure(_plot(language, exact)) + exactly + ranks,
        "Models": element("p", recurrent) + element("p", excluded),
    }
    body = (
        element("header", element("h1", language.name, text=True) + _lead(language))
        + element("main", "".join(element("section", element("h2", name) + part) for name, part in parts.items()))
        + element("footer", made_by())
    )
    return document(f"{language.name}, by ccsim", body)


def _lead(language: Language) -> str:
    blank = " Bounds under partitions are those of the language as given, without blanks."
    if language.blank is not None:
        blank = f" A blank, {language.blank}, may occur anywhere in words under a partition."
    letters, cost = alphabet_text(language.automaton.alphabet), language.classification.deterministic
    bits = f"With blanks, under the partition of letters in turn, it takes {cost} bits for words of n letters."
    return element("p", f"A regular language over {letters}. {bits}{blank}", text=True)


def _monoid(monoid: Monoid | None) -> str:
    """The egg-box picture: a table for each D-class, R-classes as rows, L-classes as columns."""
    if monoid is None:
        return element("p", "Its elements are too many to be listed.")
    lead = element("p", f"{monoid.size} elements; a star marks an idempotent, whose cell is a group.")
    if monoid.size > MOST_ELEMENTS:
        return lead + element("p", "They are too many for a picture here.")
    boxes = []
    for cells in monoid.egg_box_cells:
        rows = "".join(element("tr", "".join(element("td", cell, text=True) for cell in row)) for row in cells)
        boxes.append(element("table", element("tbody", rows), class_="egg-box"))
    return lead + element("div", "".join(boxes), class_="scroll", tabindex="0")


def _class(language: Language) -> str:
    kind = language.classification
    varieties = ", ".join(kind.properties) or "none of those looked at"
    text = f"{kind.deterministic}: {kind.reason}. Properties of the monoid: {varieties}."
    upper = certificate = ""
    if language.proof is not None:
        line = f"Certificate for every length, accepted by the checker: {language.proof.verify()}."
        certificate = download("class.json", language.proof.to_json(), line, "ccsim language --save")
    if language.landmarks is not None:
        how = "by a protocol that a finite search proves right, without a certificate"
        landmarks = f"From above, by landmarks from both ends: {language.landmarks.formula()} bits, {how}."
        upper = element("p", landmarks, text=True)
    return element("p", text, text=True) + upper + certificate


def _others(language: Language) -> str:
    rows = [[escape(part) for part in (one.model, one.complexity, one.reason)] for one in language.others]
    made = table(("model", "complexity", "because"), rows, "With blanks, as far as it is proved", "plain")
    counted = ""
    for speaker, one in zip(("Alice", "Bob"), language.message_counts or (), strict=False):
        line = f"One message of {speaker}, exactly, accepted by the checker: {one.verify()}."
        counted += download(f"messages_of_{speaker.lower()}.json", one.to_json(), line, "ccsim language")
    return element("div", made, class_="scroll", tabindex="0") + counted


def _bounds(language: Language) -> str:
    rows = []
    for one in language.partitions:
        sides = one.certificate.statements()
        landmarks = "" if language.landmarks is None else f"{language.landmarks.formula(one.partition)} bits"
        rows.append([escape(text) for text in (one.partition, sides["lower"], sides["upper"], landmarks)])
    head = ("partition", "at least", "at most", "at most, by landmarks")
    width = 4 if language.landmarks is not None else 3
    caption = "Repeated n times; the best partition that was found comes first"
    made = table(head[:width], (row[:width] for row in rows), caption, "plain")
    best = language.best
    line = f"Certificate of {best.partition}, accepted by the checker: {best.certificate.verify()}."
    return element("div", made, class_="scroll", tabindex="0") + download(
        "bounds.json", best.certificate.to_json(), line, "ccsim language --save"
    )


def _plot(language: Language, exact: Exact) -> Plot:
    best, period = language.best, len(language.best.partition)
    lengths = range(period, FARTHEST + 1, period)
    lines = [
        Line("proved from below", tuple((at, best.lower(at)) for at in lengths)),
        Line("proved from above", tuple((at, best.upper(at)) for at in lengths)),
    ]
    if language.landmarks is not None:
        points = tuple((at, language.landmarks.bits(at // period, best.partition)) for at in lengths)
        lines.append(Line("from above, by landmarks", points))
    known = tuple((at, low) for at, low, high in exact if low == high)
    if known:
        lines.append(Line("exact", known, measured=True))
    return Plot(
        f"Bits under {best.partition}", "N, positions", "bits", tuple(lines), note="Both parties know the answer."
    )
