"""The facts from communication complexity that the proofs use (appendix B.1 and E)."""

from __future__ import annotations

from ccsim.claims import Claim, Constant, Direction
from protocols.papers.bhattamishra2024.findings import facts as findings
from protocols.papers.bhattamishra2024.paper import claim

__all__ = ["CLAIMS"]

ONE_KNOWS = ("one of the two knows the answer at the end, as in the protocol of theorem 2; whichever it is",)
ONE_MESSAGE = ("one message from Alice, after which Bob knows the answer",)

CLAIMS: tuple[Claim, ...] = (
    claim(
        "Fact 1",
        "Whether two subsets of N elements meet costs at least N bits.",
        Direction.LOWER,
        formula="N",
        lengths=(2, 4),
        hypotheses=ONE_KNOWS,
        measure=findings.intersection,
        tags=("intersection", "disjointness"),
    ),
    claim(
        "Fact 2",
        "Equality of N-bit strings costs at least N bits.",
        Direction.LOWER,
        formula="N",
        lengths=(2, 4),
        hypotheses=ONE_KNOWS,
        measure=findings.equality,
        tags=("equality",),
    ),
    claim(
        "Fact 3",
        "One message from Alice, who holds N bits, must have N bits for Bob to learn the bit at his position.",
        Direction.LOWER,
        formula="N",
        lengths=(4, 8),
        hypotheses=ONE_MESSAGE,
        measure=findings.index,
        proved="index_costs_one_message",
        tags=("index",),
    ),
    claim(
        "Fact 3: randomised",
        "With error at most 1/3 that message still has Omega(N) bits.",
        Direction.LOWER,
        formula="c*N",
        constant=Constant(
            "1 - (log(3, 2) - Rational(2, 3))",
            "1 - H(1/3) for each of N bits (Kremer, Nisan and Ron 1999; docs/proofs/index_with_coins.md)",
        ),
        ours="ceiling((1 - (log(3, 2) - Rational(2, 3)))*N)",
        lengths=(4096,),
        hypotheses=(*ONE_MESSAGE, "public coins", "error at most 1/3"),
        measure=findings.randomised_index,
        tags=("index",),
    ),
    claim(
        "Fact 3: both speak",
        "If Bob may speak as well, log N bits are enough for the bit at his position (appendix F).",
        Direction.UPPER,
        formula="L(N)",
        lengths=(4, 8),
        hypotheses=("Alice knows the answer at the end",),
        measure=findings.index_for_both,
        tags=("index",),
    ),
    claim(
        "Fact 4",
        "A protocol of C bits has 2^C no less than the cells of any fooling set.",
        Direction.LOWER,
        formula="1",
        unit="leaves for each cell",
        lengths=(3,),
        low=2,
        meaning="most rows and columns of the tables that are gone through, which is all of them",
        hypotheses=("Boolean functions", "both, or either one, know the answer at the end"),
        measure=findings.fooling,
        tags=("fooling",),
    ),
)
