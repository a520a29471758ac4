"""Results of this project on one attention layer: cheaper protocols, exact costs, and what is refused."""

from __future__ import annotations

from functools import partial

from ccsim.claims import Claim, Direction, Parameter
from protocols.papers.bhattamishra2024.findings import dyck, softmax, two_layers
from protocols.papers.bhattamishra2024.transformers import LAYER, ONE_SIDED, SEED, SYMBOLS
from protocols.papers.ours.paper import result

__all__ = ["CLAIMS"]

BOTH_KNOW = "both parties know the output"

COMPACT = (
    "L(S) + ceiling(H*log(ceiling(N/2)*S, 2)) + ceiling(H*log(floor(N/2)*S, 2))"
    " + ceiling(H*log(ceiling(N/2)*2**(p - 2) + 1, 2)) + ceiling(H*log(floor(N/2)*2**(p - 2) + 1, 2))"
    " + ceiling(H*m*log(2**(p - 2)*(2**p - 1) + 1, 2)) + 1"
)

LENGTH = Parameter("length", "N", 4, "length of the input", low=2)

softmax_layer = partial(
    result,
    direction=Direction.UPPER,
    sharpens="bhattamishra2024-theorem-4",
    proof="docs/proofs/softmax_protocol.md",
    tags=("transformer", "max-logit-softmax"),
)

CLAIMS: tuple[Claim, ...] = (
    softmax_layer(
        "softmax-one-sided",
        "With weighted sums sent one way and the answer back, a layer costs mp + H(2p + 2(p + L(N)) + 2mp) + 1 bits.",
        formula=ONE_SIDED,
        ours=ONE_SIDED,
        instances="layers drawn",
        hypotheses=(BOTH_KNOW, "d = m"),
        parameters=(LENGTH, *LAYER, SEED),
        sizes=({"width": 8}, {"width": 3, "precision": 9, "heads": 3}, {"length": 64, "width": 8, "precision": 16}),
        measure=softmax.one_sided,
    ),
    softmax_layer(
        "softmax-compact",
        "If each field numbers only what can be meant there, a layer costs about 2mp bits, whatever its weights.",
        formula=COMPACT,
        hypotheses=(BOTH_KNOW, "odd positions against even ones", "steps of 2^(2-p) or more"),
        parameters=(LENGTH, *LAYER, SYMBOLS),
        sizes=(
            {"length": 6, "width": 1, "precision": 7, "symbols": 5},
            {"length": 8, "width": 2, "precision": 10, "heads": 2},
            {"length": 200, "width": 3},
        ),
        measure=softmax.compact,
        proved="one_layer_exchange_suffices",
    ),
    result(
        "dyck-odd-even",
        "Dyck-(k,2), odd positions against even ones, costs ceiling(log2((2k)^(N/2) + 1)) bits: N + 1 for two kinds.",
        direction=Direction.EXACT,
        sharpens="bhattamishra2024-lemma-1",
        proof="docs/proofs/dyck_odd_even.md",
        formula="L((2*k)**(N/2) + 1)",
        hypotheses=("both parties know the answer",),
        parameters=(
            Parameter("length", "N", 4, "length of the input", low=2, step=2),
            Parameter("kinds", "k", 2, "kinds of brackets"),
        ),
        sizes=({"length": 6}, {"length": 8, "kinds": 1}, {"length": 4, "kinds": 3}),
        measure=dyck.cost,
        tags=("dyck",),
        proved="dyck_odd_even_costs",
    ),
    result(
        "two-layers-refused",
        "The reduction of one layer refuses a transformer with two, because no such protocol is cheap for all of them.",
        direction=Direction.REFUSAL,
        sharpens="bhattamishra2024-corollary-13-1",
        proof="protocols.reductions.max_logit_softmax",
        parameters=(LENGTH,),
        measure=two_layers.refused,
        tags=("transformer", "two-layers"),
    ),
)
