"""The size of an intersection: one party sends its whole set."""

from __future__ import annotations

from dataclasses import replace

from ccsim.engine import Cost, Protocol
from ccsim.problems import set_intersection_size
from protocols.classical.trivial import trivial

__all__ = ["intersection_size"]


def intersection_size(n: int) -> Protocol:
    """|x ∩ y| for two subsets of n positions: Alice sends x, Bob replies with the size.

    This is the trivial protocol, and it is optimal up to at most one bit (Tamm 1995). Both know the answer.
    Cost: exactly n + L(n+1) bits in two rounds. Deterministic.

    >>> intersection_size(4).run("1101", "0111").answer, intersection_size(4).explore().worst_bits
    (2, 7)
    """
    return replace(
        trivial(set_intersection_size(n)),
        name=f"intersection_size({n})",
        cost=Cost("n + L(n + 1)", {"n": n}),
        source="Tamm 1995",
    )
