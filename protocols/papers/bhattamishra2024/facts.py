"""The facts from communication complexity that the proofs use (appendix B.1 and E)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccsim.claims import Claim, Direction, Finding
from protocols.papers.bhattamishra2024.paper import claim
from protocols.papers.measuring import one_way_bits

if TYPE_CHECKING:
    from ccsim.problems import TwoPartyFunction

__all__ = ["CLAIMS"]


def _function(name: str, n: int) -> TwoPartyFunction:
    from ccsim import problems

    found: TwoPartyFunction = getattr(problems, name)(n)
    return found


def _intersection(length: int) -> Finding:
    from ccsim.bounds import deterministic

    return Finding.of_bracket(deterministic(_function("intersection", length)))


def _randomised_intersection(length: int) -> Finding:
    from ccsim.bounds import measure
    from ccsim.bounds.measures import main_bracket

    return Finding.of_bracket(main_bracket("randomised", measure(_function("intersection", length), "randomised")))


def _equality(length: int) -> Finding:
    from ccsim.bounds import deterministic

    return Finding.of_bracket(deterministic(_function("equality", length)))


def _index(length: int) -> Finding:
    return Finding.of_bracket(one_way_bits(_function("index", length)))


def _fooling(length: int) -> Finding:
    """2^depth leaves are no fewer than the cells of a fooling set: the set of EQ beside its exact cost."""
    from ccsim.bounds import deterministic, measure

    function = _function("equality", length)
    cells = measure(function, "fooling", seconds=10)[1].lower
    bracket = deterministic(function)
    told = () if 1 << int(bracket.lower) >= cells else (f"{cells} cells, but {bracket.lower} bits",)
    return Finding.of_bracket(bracket, violations=told, facts={"fooling set": cells})


CLAIMS: tuple[Claim, ...] = (
    claim(
        "Fact 1",
        "Whether two subsets of N elements meet costs at least N bits.",
        Direction.LOWER,
        formula="N",
        ours="N + 1",
        lengths=(2, 4),
        measure=_intersection,
        tags=("intersection", "disjointness"),
    ),
    claim(
        "Fact 1: randomised",
        "With error at most 1/3 it still costs Omega(N) bits.",
        Direction.LOWER,
        formula="c*N",
        lengths=(1, 2, 3),
        measure=_randomised_intersection,
        tags=("intersection", "disjointness"),
    ),
    claim(
        "Fact 2",
        "Equality of N-bit strings costs at least N bits.",
        Direction.LOWER,
        formula="N",
        ours="N + 1",
        lengths=(2, 4),
        measure=_equality,
        tags=("equality",),
    ),
    claim(
        "Fact 3",
        "One message from Alice, who holds N bits, must have N bits for Bob to learn the bit at his position.",
        Direction.LOWER,
        formula="N",
        lengths=(4, 8),
        measure=_index,
        tags=("index",),
    ),
    claim(
        "Fact 4",
        "A fooling set of s cells costs at least log2 s bits: N bits for equality.",
        Direction.LOWER,
        formula="N",
        ours="N + 1",
        lengths=(3,),
        measure=_fooling,
        tags=("fooling", "equality"),
    ),
)
