"""n-grams by fewer heads and layers, by soft attention, and in floating point."""

from __future__ import annotations

from functools import partial

from ccsim.claims import Claim, Constant, Direction, Parameter
from protocols.papers.ngram_models import fewer_heads, fewer_layers, first_lost
from protocols.papers.ours.findings.sparse_scores import soft_strength, sparse_strength
from protocols.papers.ours.paper import construction, result
from protocols.papers.svete2024 import HYPOTHESES, NGRAMS

__all__ = ["CLAIMS"]

ngrams = partial(
    construction,
    instances="the model of one text",
    hypotheses=HYPOTHESES,
    parameters=NGRAMS,
    sizes=({"order": 3}, {"order": 4, "length": 4}, {"order": 5, "length": 4}),
    tags=("n-grams", "construction"),
)

CLAIMS: tuple[Claim, ...] = (
    ngrams(
        "ngrams-by-layers",
        "For n-grams n - 2 layers of one head are enough: a position knows its own symbol without being told.",
        sharpens="svete2024-theorem-3-2",
        proof="protocols/constructions/ngrams/by_layers.py",
        formula="Max(1, n - 2)",
        unit="layers",
        measure=fewer_layers,
    ),
    ngrams(
        "ngrams-by-heads",
        "For n-grams n - 2 heads in one layer are enough, if a position keeps its own symbol beside what they fetch.",
        sharpens="svete2024-theorem-3-1",
        proof="protocols/constructions/ngrams/by_heads.py",
        formula="Max(1, n - 2)",
        unit="heads",
        measure=fewer_heads,
    ),
    result(
        "ngrams-by-sparse-attention",
        "With queries times O(N^3) sparse attention gives a weight of one to the position that hard attention finds, "
        "so that n-gram models have the same probabilities by it.",
        direction=Direction.UPPER,
        sharpens="svete2024-theorem-3-1",
        proof="docs/proofs/sparse_attention.md",
        formula="c*N**3",
        constant=Constant("12", "1/(1 - cos d) for neighbouring angles, d >= 1/(2 (t + 1) sqrt(t))"),
        unit="times",
        hypotheses=(
            "scores as in Theorem 3.1, real numbers, by intervals of 512 bits",
            "sparse attention projects scores onto probabilities (Martins and Astudillo 2016)",
        ),
        parameters=(Parameter("length", "N", 512, "positions", low=6),),
        measure=sparse_strength,
        tags=("n-grams",),
    ),
    result(
        "ngrams-by-soft-attention",
        "With queries times O(N^3 log N) soft attention gives a weight of one to the position that hard attention "
        "finds, with exponentials of O(log N) bits that are rounded down, so that n-gram models have the same "
        "probabilities.",
        direction=Direction.UPPER,
        sharpens="svete2024-theorem-3-1",
        proof="docs/proofs/sparse_attention.md",
        formula="c*N**3*log(N, 2)",
        constant=Constant("11", "12 ln s of the sparse strength, with s below 2N: 12 ln 2 (log N + 1) or less"),
        unit="times",
        hypotheses=(
            "scores as in Theorem 3.1, real numbers, by intervals of 512 bits",
            "exponentials are rounded down to steps of 1/s, s the least power of two from N on; all else as by hard "
            "attention, whose probabilities are compared string by string",
        ),
        parameters=(Parameter("length", "N", 512, "positions", low=6),),
        measure=soft_strength,
        tags=("n-grams",),
    ),
    result(
        "ngrams-in-floating-point",
        "In floating point the score of a position is no longer larger than every other one, from this position on.",
        direction=Direction.EXACT,
        sharpens="svete2024-theorem-3-1",
        proof="protocols/constructions/ngrams/lost_maximum.py",
        unit="th position",
        hypotheses=(
            "scores as in Theorem 3.1, each operation rounded to nearest",
            "so that theorem needs exact numbers",
        ),
        parameters=(Parameter("kind", "kind", "float16", "floating-point type", choices=("float16", "float32")),),
        sizes=({}, {"kind": "float32"}),
        measure=first_lost,
        tags=("n-grams",),
    ),
)
"""Results of this project."""
