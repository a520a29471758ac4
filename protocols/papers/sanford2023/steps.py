"""Lines of the proofs and constructions, as the slides print them."""

from __future__ import annotations

from typing import Any

from ccsim.claims import Claim, Constant, Direction, Parameter, Role
from protocols.papers.sanford2023.findings import averages, isometry, printed_match2, query, reductions
from protocols.papers.sanford2023.paper import ONE_NUMBER, SETS, claim

__all__ = ["CLAIMS"]

BOB_KNOWS = "Bob knows the answer at the end, as in the protocol that the proof makes of a unit"
AVERAGES: dict[str, Any] = {"role": Role.STEP, "tags": ("q-sparse-averaging", "attention")}
PAIRS: dict[str, Any] = {"role": Role.STEP, "tags": ("match2", "attention")}

CLAIMS: tuple[Claim, ...] = (
    claim(
        "sparse-averaging-isometry",
        "how to choose Q and K, the first lemma of Candes and Tao 2005",
        "Some N vectors of C q (log N) / d^2 signs have the restricted isometry and orthogonality property (q, d).",
        Direction.UPPER,
        formula="16*c*log(N)",
        unit="signs",
        constant=Constant(
            "8",
            "ours, for q = 1: two products of m signs that are at most d m / sqrt(2) are enough, which fails for N "
            "random vectors with a probability below N^2 exp(-m d^2 / 4) (Hoeffding, and a union of all pairs)",
        ),
        hypotheses=("q = 1 and d = 1/4", "the two sets of vectors have none in common", "log is the natural one"),
        parameters=(Parameter("length", "N", 256, "vectors", low=8),),
        measure=isometry.signs_needed,
        **AVERAGES,
    ),
    claim(
        "sparse-averaging-dual-lemma",
        "how to choose Q and K, the second lemma of Candes and Tao 2005",
        "With the property (q, 1/4), products of the dual vector of q keys or fewer with all others are at most 1/2.",
        Direction.UPPER,
        formula="1/2",
        unit="",
        hypotheses=("q = 2", "the property is checked for all sets, in integers", "in magnitude"),
        parameters=(
            Parameter("length", "N", 8, "keys", low=6),
            Parameter("signs", "m", 192, "signs of a key", low=8),
        ),
        measure=isometry.dual_lemma,
        **AVERAGES,
    ),
    claim(
        "sparse-averaging-dual-vectors",
        "how to choose Q and K, the dual vectors",
        "Each set of q keys of signs has a vector w with products 1 on the set, at most 1/2 off it, and |w|^2 <= 4q.",
        Direction.UPPER,
        formula="4*q",
        unit="",
        hypotheses=(
            "keys of 3 q ceiling(log2 N) signs",
            "products off the set are bounded from above, as on this slide",
        ),
        parameters=(Parameter("length", "N", 8, "rows", low=2), Parameter("q", "q", 2, "size of a set")),
        sizes=({"length": 8}, {"length": 12, "q": 3}, {"length": 32}),
        measure=averages.dual_vectors,
        **AVERAGES,
    ),
    claim(
        "sparse-averaging-weights",
        "how to choose Q and K, the weights",
        "Softmax gives rows of the set (1 +- e/2)/q of the weight, and e/(2N) or less to each other row.",
        Direction.EXACT,
        formula="N*binomial(N, q)",
        unit="weights",
        hypotheses=("e = 1/(2q), in the precision of the unit", "counted: all rows under all sets of q rows"),
        parameters=(Parameter("length", "N", 8, "rows", low=2), Parameter("q", "q", 2, "size of a set")),
        sizes=({"length": 8}, {"length": 12, "q": 3}),
        measure=averages.weights,
        **AVERAGES,
    ),
    claim(
        "sparse-averaging-from-below",
        "the negative result for sparse averaging, the proof outline",
        "Whoever comes within 1/(2q) of the average of q rows tells whether two sets of q meet, which takes q bits.",
        Direction.LOWER,
        formula="q",
        ours="q",
        hypotheses=(ONE_NUMBER, BOB_KNOWS, "the encoding of the longer slides"),
        parameters=(SETS, Parameter("extra", "r", 0, "rows beyond 2q + 1", low=0)),
        sizes=({"length": 2}, {"length": 3, "extra": 2}, {"length": 4}),
        measure=reductions.averaging,
        **AVERAGES,
    ),
    claim(
        "sparse-averaging-encoding",
        "the negative result for sparse averaging, the proof on the shorter slides",
        "With y = {2i + a_i - 1} and z_(2i-1) = 2a_i - 1, z_2i = -1, the average is -1 iff the sets do not meet.",
        Direction.EXACT,
        formula="4**q",
        ours="3**q",
        unit="inputs",
        repair="Talk of 2023, slide 'The negative result: proof': Bob does not have a. Read z_(2i) = 2b_i - 1 and "
        "z_(2i-1) = -1, as in the lecture of 2025 with two rows changed round: right on all inputs. (With b_i for a_i "
        "alone it is DISJ of b and the complement of a, which is as hard.)",
        hypotheses=(
            "a sign that the text of the slides has lost is read as a minus",
            "counted: inputs on which it is so",
        ),
        parameters=(SETS,),
        sizes=({"length": 3},),
        measure=reductions.encoding,
        **AVERAGES,
    ),
    claim(
        "sparse-averaging-test",
        "the negative result for sparse averaging, the last line of the protocol",
        "Bob is right to say that the sets do not meet iff the output of the unit is -1.",
        Direction.EXACT,
        formula="64",
        ours="37",
        unit="inputs",
        repair="Both decks, last line of the protocol: so it is for exact averages, but a unit that only comes within "
        "1/(2q) need not give -1. Read 'within 1/(2q) of -1', that is, below the middle of -1 and -1 + 2/q: right on "
        "all inputs.",
        hypotheses=("q = 3, all 64 pairs of sets", "the unit that is built here, whose error is above 0 and below 1/6"),
        measure=query.printed_test,
        **AVERAGES,
    ),
    claim(
        "sparse-averaging-message",
        "the negative result for sparse averaging, the protocol",
        "A unit of width m is a protocol for disjointness in which Alice sends O(m p) bits, and Bob then knows.",
        Direction.UPPER,
        formula="c*m*p",
        ours="(m + 2)*p",
        constant=Constant(
            "3",
            "ours: the query, and with it the logit and the value of Alice's own row, are m + 2 <= 3m numbers; the "
            "slides name the query alone, which is m of them, and say O(m p)",
            along="keys",
        ),
        hypotheses=(ONE_NUMBER, BOB_KNOWS, "all pairs of sets, at each width"),
        parameters=(
            SETS,
            Parameter("keys", "m", 320, "width of queries and keys", low=10),
            Parameter("precision", "p", 16, "bits of a number", low=10),
        ),
        measure=query.message,
        **AVERAGES,
    ),
    claim(
        "match2-matrices",
        "Match2, how to choose Q and K",
        "An embedding in R^3 and 3 x 3 matrices give queries c (cos, sin, 1) and 0, keys (cos, -sin, 0) and e_3.",
        Direction.EXACT,
        formula="3",
        ours="4",
        unit="numbers",
        repair="Lecture of 2025, first slide 'How to choose Q, K?' on Match2: the queries of three symbols span R^3: "
        "Q is invertible, the blank row is embedded as 0, and its key is 0 and not e_3. Read the keys (cos, -sin, -1) "
        "and 0: all logits are lower by c, which changes no weight, and (cos, sin, 1) and 0 with Q = c I and "
        "K = diag(1, -1, -1) do it. (Or embed in R^4.) The theorem's m = 3 stands.",
        hypotheses=("counted: the least k for which R^k will do", "M of at least 3"),
        parameters=(Parameter("modulus", "M", 5, "the modulus", low=3),),
        sizes=({"modulus": 3}, {"modulus": 4}, {"modulus": 7}),
        measure=printed_match2.coordinates,
        **PAIRS,
    ),
    claim(
        "match2-weights",
        "Match2, how to choose Q and K",
        "Symbols get 1/(6N) of the weight or less if x_i + x_j is not 0 (mod N), else 1/(b + 1) +- 1/(6N).",
        Direction.EXACT,
        formula="N",
        ours="M",
        unit="",
        repair="Lecture of 2025, last slide on Match2, in four lines: read 'mod M', as in the definition of Match2 and "
        "on the slides before; with it, and no other modulus, all weights and outputs are where the slide has them.",
        hypotheses=("c = M^2 ln(6N)", "measured: the modulus with which the line is right in all rows of all words"),
        parameters=(
            Parameter("length", "N", 3, "numbers in the word", low=2),
            Parameter("modulus", "M", 5, "the modulus", low=2),
        ),
        measure=printed_match2.modulus_of_the_weights,
        **PAIRS,
    ),
    claim(
        "match3",
        "the negative result for Match3, the proof idea",
        "Match3 at one row of N numbers tells whether two sets of (N - 1)/2 meet, which takes as many bits.",
        Direction.LOWER,
        formula="(N - 1)/2",
        ours="(N - 1)/2",
        hypotheses=(
            "any M of at least N + 1",
            "one of the two knows the answer at the end; both know the first number",
            "the numbers are ours, one encoding for M = N + 1 and N + 2 and one from N + 3 on: the slides only say "
            "which triples are to add up to 0",
        ),
        parameters=(
            Parameter("length", "N", 5, "numbers in the word", low=5, step=2),
            Parameter("modulus", "M", 8, "the modulus", low=6),
            Parameter("encoding", "encoding", "wide", "how sets become numbers", choices=("wide", "tight")),
        ),
        sizes=(
            {"modulus": 6, "encoding": "tight"},
            {"modulus": 7, "encoding": "tight"},
            {"modulus": 8, "encoding": "wide"},
            {"length": 9, "modulus": 12, "encoding": "wide"},
        ),
        measure=reductions.triples,
        role=Role.STEP,
        tags=("match3", "intersection"),
    ),
)
