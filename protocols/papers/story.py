"""What kinds of models can and cannot do, task by task: which claims say so, and what they say in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ccsim.claims import Claim, Place

__all__ = ["PLACES", "placed"]

HALVES, AVERAGES = "are two halves equal?", "averages of q rows"
RECURRENT, ONE, TWO = "recurrent model", "one layer of attention", "two layers"
DYCK, BRACKETS = "bhattamishra2024-section-4-1-dyck-by", "bounded brackets: Dyck-(2,2)"

PLACES: dict[str, tuple[Place, ...]] = {
    "bhattamishra2024-theorem-3": (Place("index lookup", RECURRENT, "N bits of state", able=False),),
    "bhattamishra2024-theorem-1": (Place("index lookup", ONE, "width O(log N)", able=True),),
    "bhattamishra2024-proposition-9": (Place("associative recall", RECURRENT, "N bits of state", able=False),),
    "bhattamishra2024-theorem-8": (Place("nearest neighbour", RECURRENT, "N/2 bits of state", able=False),),
    "bhattamishra2024-theorem-7": tuple(
        Place(task, TWO, "width O(log N)", able=True) for task in ("associative recall", "nearest neighbour")
    ),
    f"{DYCK}-a-recurrent-model": (Place(BRACKETS, RECURRENT, "3 bits of state", able=True),),
    "bhattamishra2024-theorem-5": (Place(BRACKETS, ONE, "width·bits·heads Ω(N)", able=False),),
    f"{DYCK}-two-layers": (Place(BRACKETS, TWO, "constant width", able=True),),
    "bhattamishra2024-theorem-11": (Place(HALVES, RECURRENT, "N/2 bits of state", able=False),),
    "bhattamishra2024-theorem-12": (Place(HALVES, ONE, "width·bits·heads Ω(N)", able=False),),
    "bhattamishra2024-theorem-6": (Place(HALVES, TWO, "width O(log N)", able=True),),
    "sanford2023-sparse-averaging-recurrent": (Place(AVERAGES, RECURRENT, "Ω(N) bits of state", able=False),),
    "sanford2023-sparse-averaging-construction": (Place(AVERAGES, ONE, "width O(d + q log N)", able=True),),
    "sanford2023-match2": (Place("Match2: two with sum 0", ONE, "width 3", able=True),),
    "sanford2023-match3": (Place("Match3: three with sum 0", ONE, "(N − 1)/2 bits, by reduction", able=False),),
    "sanford2023-conjecture": (Place("Match3: three with sum 0", TWO, "nobody knows", able=None),),
    "peng2024-theorem-1": (Place("a function of a function", ONE, "width·bits·heads Ω(n)", able=False),),
    "sanford2024-induction-head-width": (Place("induction head", ONE, "width·bits·heads Ω(n)", able=False),),
}
"""Where claims stand in the picture, by their names."""


def placed(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims, each with its place in the picture if it has one."""
    return tuple(replace(claim, places=PLACES[claim.name]) if claim.name in PLACES else claim for claim in claims)
