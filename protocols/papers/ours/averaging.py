"""Results of this project on averages and matches."""

from __future__ import annotations

from ccsim.claims import Claim, Direction, Parameter
from protocols.papers.ours.paper import construction, result
from protocols.papers.sanford2023.findings import kernels, matching, reductions
from protocols.papers.sanford2023.paper import VALUES, modulus, numbers, rows, subset

__all__ = ["CLAIMS"]

CLAIMS: tuple[Claim, ...] = (
    result(
        "sparse-averaging-recurrent-state",
        "What a recurrent model has to know of N - 1 rows before the last one, for averages of one row, is (N - 1) d' "
        "bits: so many are needed, and for values of signs so many are enough.",
        direction=Direction.EXACT,
        sharpens="sanford2023-sparse-averaging-recurrent",
        proof="docs/proofs/recurrent_averages.md",
        formula="(N - 1)*d",
        hypotheses=(
            "q = 1",
            "all words with values of d' signs, over the root of d': each prefix against each last row",
        ),
        parameters=(rows(4), VALUES),
        sizes=({"length": 3}, {"length": 4}, {"length": 3, "values": 2}, {"length": 2, "values": 3}),
        measure=reductions.state_of_the_task,
        tags=("q-sparse-averaging", "recurrent"),
    ),
    result(
        "sparse-averaging-feedforward-width",
        "A feed-forward network that comes within 1/(2q) of the averages has a first layer of width N d' or more.",
        direction=Direction.LOWER,
        sharpens="sanford2023-sparse-averaging-feedforward",
        proof="docs/proofs/feedforward_kernel.md",
        formula="N*d",
        ours="N*d",
        unit="units",
        instances="first layers blind to one direction of small whole entries",
        hypotheses=(
            "N of at least 2q",
            "executed: for each direction with whole entries from -1 to the largest, N d' - 1 units that see all else",
        ),
        parameters=(
            rows(4),
            subset(2),
            Parameter("largest", "largest", 2, "the largest entry of a direction", low=0),
            VALUES,
        ),
        sizes=({}, {"length": 5, "largest": 1}, {"values": 2, "largest": 0}),
        measure=kernels.every_direction,
        tags=("q-sparse-averaging", "feedforward"),
    ),
    construction(
        "match2-precision",
        "Match2 with c taken off all logits is right on every word in 2 log2 M + 2 log2 ln N bits and a few more: no "
        "logit but those near the largest has to be held, so the integer part takes log2 ln N bits and not log2 c.",
        sharpens="sanford2023-match2-precision",
        proof="docs/proofs/match2.md",
        formula="1 + Max(1, L(ceiling(log(18*N)))) + Max(L(8*ceiling(M**2*log(6*N))), L(16*N))",
        hypotheses=("c = M^2 ln(6N), as printed, rounded up", "a blank row at the end"),
        parameters=(numbers(4, 2), modulus(16, 3)),
        sizes=({"modulus": 16}, {"modulus": 64}, {"modulus": 256}),
        measure=matching.bits_with_the_shift,
        tags=("match2", "attention", "construction"),
    ),
)
