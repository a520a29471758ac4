"""The proof of each side of a bracket in words: the argument and its source, by the kind of its witness.

The proofs themselves are in ``docs/theory.md``, under the name of each kind.
"""

from __future__ import annotations

from typing import Any

from ccsim.bounds.bracket import Bracket, Side, Witness

RANKS, MINIMAX = "Mehlhorn and Schmidt 1982", "Yao 1977"

ARGUMENTS = {
    "all-patterns": ("shattered set", ""),
    "all-rectangles": ("program over all rectangles", ""),
    "all-sets": ("all row or column sets", ""),
    "biased-rectangle": ("one rectangle", ""),
    "branch-and-cut": ("branch and cut", "Gomory 1958"),
    "branching": ("all branches of a search", ""),
    "cell-weights": ("weights of entries", ""),
    "cover-weights": ("weights of entries", ""),
    "crown": ("crown and Sperner's theorem", "Bollobás 1965"),
    "diagonals": ("semidefinite matrix", ""),
    "distinct-lines": ("different inputs", ""),
    "elimination": ("elimination", ""),
    "factors": ("factorisation", ""),
    "fooling-orbits": ("symmetric search", ""),
    "fooling-rows": ("all branches of a search", ""),
    "fooling-search": ("all branches of a search", ""),
    "fooling-set": ("fooling set", ""),
    "forster": ("spectral norm", "Forster 2002"),
    "gamma2-dual": ("dual matrix", ""),
    "gamma2-gram": ("Gram matrix", ""),
    "hard-distribution": ("hard distribution", MINIMAX),
    "hard-for-messages": ("hard distribution", MINIMAX),
    "khrapchenko": ("Khrapchenko's theorem", "Khrapchenko 1971"),
    "leaf-rank": ("rank of the leaves", RANKS),
    "lines": ("distinct rows or columns", ""),
    "lrat": ("refutation by SAT", ""),
    "message-classes": ("message classes", ""),
    "minor": ("rank", ""),
    "pivots": ("rank mod p", ""),
    "plane": ("small dimensions excluded", ""),
    "protocol-tree": ("protocol tree", ""),
    "rectangles": ("list of rectangles", ""),
    "shattered": ("shattered set", ""),
    "vc": ("shattered set", "Paturi and Simon 1986"),
    "vc-listing": ("all shattered sets", ""),
    "weighted-rectangles": ("weights of rectangles", ""),
}
"""Of each kind of witness the argument, and who gave it where it is not folklore."""

OF_MEASURES = {
    "discrepancy": ("discrepancy", MINIMAX),
    "gamma_2": ("gamma_2 norm", "Linial and Shraibman 2009"),
    "least-discrepancy": ("discrepancy under hard weights", MINIMAX),
    "partition-bound": ("partition bound", "Jain and Klauck 2010"),
    "rectangle-bound": ("corruption of rectangles", "Yao 1983"),
    "vc-dimension": ("VC dimension", "Kremer, Nisan and Ron 1999"),
}
"""Likewise of the measures whose logarithm is a bound."""

REASONS = {
    "fooling": ARGUMENTS["fooling-set"],
    "rank": ARGUMENTS["leaf-rank"],
    "splits": ("search of all protocols", ""),
    "three": ("theorem of three bits", ""),
    "four": ("theorem of three bits", ""),
}
"""Why a rectangle has no protocol of so few bits."""

WITHOUT_WITNESS = {
    "": ("nothing known", ""),
    "lines": ARGUMENTS["lines"],
    "naming a line": ("one party sends its input", ""),
    "trivial": ("trivial", ""),
}


FOR = {
    "distribution": ("for one distribution", ""),
    "signs": ("for the signs", ""),
    "support": ("for the support", "Yannakakis 1991"),
}
"""What an argument is about, where that is not the matrix."""


def arguments_of(side: Side, measure: str) -> list[tuple[str, str]]:
    """What proves a side, and its source or nothing; several where each answer has a proof of its own."""
    if side.witness is None or side.value == 0:
        return [WITHOUT_WITNESS.get(side.by if side.value else "trivial" * (side.value == 0), (side.by, ""))]
    return list(dict.fromkeys(_arguments(side.witness, side, measure)))


def _arguments(witness: Witness, side: Side, measure: str) -> list[tuple[str, str]]:
    kind, inner = witness["kind"], witness.get("of")
    found = _arguments(inner, side, measure) if isinstance(inner, dict) else []
    if kind == "parts":
        return [each for part in witness["parts"] if part for each in _arguments(part, side, measure)]
    if kind == "bits-of" and witness["measure"] in OF_MEASURES:
        return [OF_MEASURES[witness["measure"]]]
    if kind == "refutation":
        return [REASONS.get(witness["nodes"][-1][4], (side.by, ""))]
    if kind in ("protocol-mixture", "message-mixture"):
        return [(_mixture(witness), "")]
    if kind in FOR:
        words, source = FOR[kind]
        return [(f"{each} {words}", source) for each, _ in found]
    if kind == "pivots" and measure != "rank":
        return [("rank", RANKS)]
    return found or [ARGUMENTS.get(kind, (side.by, ""))]


def _mixture(witness: dict[str, Any]) -> str:
    several = witness.get("trees") or witness["protocols"]
    return "deterministic tree" if len(several) == 1 else f"{len(several)} protocols mixed"


def side_in_words(side: Side, measure: str, sources: bool = True) -> str:
    """The arguments of a side, with their sources in brackets.

    >>> side_in_words(Side(2, "hard distribution", {"kind": "hard-distribution"}), "randomised")
    'hard distribution (Yao 1977)'
    """
    return " and ".join(
        f"{words} ({source})" if source and sources else words for words, source in arguments_of(side, measure)
    )


def proof_in_words(bracket: Bracket, sources: bool = True, reason: bool = True) -> str:
    """The proofs of both sides: first why it is not less, then why it is not more; and the reason why it is open.

    >>> from ccsim.bounds.measures import deterministic
    >>> proof_in_words(deterministic([[0, 1], [1, 0]]), sources=False)
    'rank of the leaves; protocol tree'
    """
    below = bracket.below if bracket.below.by else Side(bracket.lower, "trivial")
    sides = [side_in_words(side, bracket.measure, sources) for side in (below, bracket.above)]
    why = f"; {bracket.open.value}" if reason and bracket.open and not bracket.exact else ""
    return "; ".join(dict.fromkeys(sides)) + why
