"""The papers whose claims are measured, and the places of claims in the picture of what kinds of models can do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ccsim.claims import Claim, Direction, Paper, Place, Role, Source
from ccsim.claims.claim import Measure

COMMUNICATION = Source(Paper("communication", "Communication problems"))
BHATTAMISHRA_2024 = Source(Paper("bhattamishra2024", "Bhattamishra, Hahn, Blunsom and Kanade 2024"))
SANFORD_2023 = Source(Paper("sanford2023", "Sanford, Hsu and Telgarsky 2023"))
PENG_2024 = Source(Paper("peng2024", "Peng, Narayanan and Papadimitriou 2024"))
SVETE_2024 = Source(Paper("svete2024", "Svete and Cotterell 2024"))
NOWAK_2024 = Source(Paper("nowak2024", "Nowak and others 2024"))
STROBL_2024 = Source(Paper("strobl2024", "Strobl and others 2024"))
SANFORD_2024 = Source(Paper("sanford2024", "Sanford, Hsu and Telgarsky 2024"))
CHEN_2024 = Source(Paper("chen2024", "Chen, Peng and Wu 2024"))
KOZACHINSKIY_2024 = Source(Paper("kozachinskiy2024", "Kozachinskiy 2024"))
OURS = Source(Paper("ccsim", "This project"), Role.RESULT)
"""What this project proves and builds itself, each with the statement of a source that it sharpens."""


def built_here(place: str, *, formula: str, **rest: Any) -> Callable[[Measure], Measure]:
    """A construction of ours: its formula is our own account of it too."""
    return OURS.claim(place, direction=Direction.CONSTRUCTION, formula=formula, ours=formula, **rest)


SOURCES = tuple(each for each in list(vars().values()) if isinstance(each, Source))
"""In the order above."""

SLIDES = "as printed in the slides of Mallick and Paul 2025"


def lengths(*values: int) -> tuple[dict[str, int], ...]:
    return tuple({"length": value} for value in values)


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
"""The places of claims in the picture, by their names."""


def placed(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims, each with its place in the picture if it has one."""
    return tuple(replace(claim, places=PLACES[claim.name]) if claim.name in PLACES else claim for claim in claims)
