"""Composed functions: what a message of a layer costs that is exact, how often it errs, and chains of thought."""

from __future__ import annotations

from functools import partial

from ccsim.claims import Claim, Constant, Direction, Parameter
from protocols.papers.composing import errors_by_balls
from protocols.papers.conversing import chain_exact, chain_summed_in_order, exact_message, steps
from protocols.papers.ngram_models import fewer_heads, fewer_layers, first_lost
from protocols.papers.ours.findings.chasing import composing_chain
from protocols.papers.ours.findings.sparse_scores import soft_strength, sparse_strength
from protocols.papers.ours.paper import construction, result
from protocols.papers.peng2024 import CHAIN, CHASED, ELEMENTS, LAYER, LEAST_STEPS, SEED
from protocols.papers.svete2024 import HYPOTHESES, NGRAMS

__all__ = ["CLAIMS"]

PROOF = "docs/proofs/chain_of_thought.md"
STEPS = Parameter("steps", "k", 2, "steps of the chain")

chain = partial(result, sharpens="peng2024-theorem-2", tags=("pointer-chasing", "transformer"))
ngrams = partial(
    construction,
    instances="the model of one text",
    hypotheses=HYPOTHESES,
    parameters=NGRAMS,
    sizes=({"order": 3}, {"order": 4, "length": 4}, {"order": 5, "length": 4}),
    tags=("n-grams", "construction"),
)

CLAIMS: tuple[Claim, ...] = (
    result(
        "composition-error",
        "Told about g, a message of b bits errs on g(f(x)) with probability at least R/(2 n log n), for every b from 2 "
        "on; counted for each n by itself.",
        direction=Direction.LOWER,
        sharpens="peng2024-theorem-1",
        proof="docs/proofs/composed_functions.md",
        unit="",
        hypotheses=("uniform functions and argument", "counted at this n; that it is so for all n is not proved"),
        instances="this n alone",
        parameters=(Parameter("length", "n", 4, "elements of the domain", low=4),),
        sizes=tuple({"length": n} for n in (4, 8, 16, 24, 48)),
        measure=errors_by_balls,
        tags=("function-composition",),
    ),
    result(
        "composition-message-exact",
        "A layer that takes a common maximum off and adds up exactly: the query, maxima, sums both ways, wider sums.",
        direction=Direction.UPPER,
        sharpens="peng2024-theorem-1-message",
        proof="protocols/reductions/composition.py",
        formula="L(n) + H*(2*p + 2*(p + L(2*n + 1)) + 2*d*p)",
        instances="five layers drawn",
        hypotheses=(
            "the layer's own answer, bit for bit, in the arithmetic of appendix B.2 of Bhattamishra et al. 2024",
        ),
        parameters=(ELEMENTS, *LAYER, SEED),
        sizes=({}, {"heads": 2, "width": 1}),
        measure=exact_message,
        tags=("function-composition", "transformer"),
    ),
    chain(
        "chain-of-thought",
        "A chain of k steps of a layer that adds up in order is a conversation: sums, and the next token, each time.",
        direction=Direction.UPPER,
        proof="protocols/reductions/sums_in_order.py",
        formula="k*(H*(d + 1)*p + L(n))",
        instances="five chains of layers drawn",
        hypotheses=("2k rounds; both know the last token",),
        parameters=(ELEMENTS, STEPS, *LAYER, SEED),
        sizes=({}, {"length": 3, "steps": 3, "width": 1}),
        measure=chain_summed_in_order,
    ),
    chain(
        "chain-of-thought-exact",
        "A chain of k steps of a layer with a common maximum and exact sums is a conversation of 3k + 1 rounds.",
        direction=Direction.UPPER,
        proof="protocols/reductions/composition.py",
        parameters=(ELEMENTS, STEPS, *LAYER[:2], SEED),
        instances="five chains of layers drawn",
        sizes=({}, {"steps": 5}),
        measure=chain_exact,
    ),
    chain(
        "chain-of-thought-steps",
        "A chain of thought that is never wrong has not only sqrt(n/(Hdp)) but n/(Hdp) steps, up to a constant.",
        direction=Direction.LOWER,
        proof=PROOF,
        formula="c*n/(H*d*p)",
        ours=LEAST_STEPS,
        constant=Constant("1/56", f"ours: {PROOF}"),
        unit="steps",
        hypotheses=(CHASED,),
        parameters=CHAIN,
        measure=steps,
    ),
    result(
        "chain-that-composes",
        "One layer of one head and width O(log n), the same at every step, follows k pointers in a chain of k steps.",
        direction=Direction.CONSTRUCTION,
        sharpens="peng2024-theorem-2",
        proof="protocols/constructions/chasing.py",
        formula="c*log(n, 2)",
        constant=Constant(
            "72", "two codes, and two addresses of 4/3 of k < 36 ln n signs with products within a third"
        ),
        unit="numbers",
        hypotheses=("tables of f and g and the token 0 as a prompt; the values of f and g in turn, at most n steps",),
        parameters=(
            Parameter("length", "n", 128, "elements of the domain", low=2),
            Parameter("steps", "k", 3, "steps"),
        ),
        measure=composing_chain,
        tags=("pointer-chasing", "transformer", "construction"),
    ),
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
