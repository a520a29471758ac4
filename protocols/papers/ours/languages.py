"""Formal languages: how many heads parity takes in one layer, what soft attention's margin is, how long a chain is."""

from __future__ import annotations

from ccsim.claims import Claim, Direction, Parameter
from protocols.papers.ours.paper import result
from protocols.papers.recognising import heads_for_parity, parity_margin

__all__ = ["CLAIMS"]

CLAIMS: tuple[Claim, ...] = (
    result(
        "parity-heads",
        "One layer of hard attention takes exactly N heads for the parity of N bits, read at a mark: one for each bit.",
        direction=Direction.EXACT,
        sharpens="strobl2024-parity-left-hard",
        proof="docs/proofs/parity_by_attention.md",
        formula="N",
        unit="heads",
        hypotheses=("every order of pairs (position, bit) for each head, and every set of heads",),
        parameters=(Parameter("length", "N", 3, "bits"),),
        sizes=({"length": 1}, {"length": 2}, {"length": 3}),
        measure=heads_for_parity,
        tags=("formal-languages",),
    ),
    result(
        "parity-margin",
        "Parity by two layers of soft attention is decided by a number that is 1/(N + 1)^2 away from 0, for odd N.",
        direction=Direction.EXACT,
        sharpens="strobl2024-parity-soft",
        proof="docs/proofs/parity_by_attention.md",
        formula="1/(N + 1)**2",
        unit="",
        hypotheses=("scores of ln(3)/2 either way",),
        parameters=(Parameter("length", "N", 5, "bits", step=2),),
        sizes=({"length": 3}, {"length": 5}, {"length": 7}, {"length": 9}),
        measure=parity_margin,
        tags=("formal-languages",),
    ),
)
