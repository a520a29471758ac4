"""Sparse averages: one attention unit is enough; how it is built, line by line."""

from __future__ import annotations

from functools import partial

from ccsim.claims import Claim, Constant, Direction, Parameter, Role
from protocols.papers.sanford2023.findings import averages
from protocols.papers.sanford2023.paper import VALUES, claim, rows, subset

__all__ = ["ALL_OF_IT", "CLAIMS"]

ALL_OF_IT = "width counts the numbers in a row: query, key and value side by side"
SOME_SETS = "up to 130 sets of q rows all are looked at, of more the ends and some that are drawn"
SIGNS = "ours: the width is d' + 6 q ceiling(log2 N), and ceiling(log2 N) <= 4/3 log2 N from N = 4 on"

average = partial(
    claim,
    place="the positive result for sparse averaging",
    direction=Direction.CONSTRUCTION,
    unit="numbers",
    tags=("q-sparse-averaging", "attention", "construction"),
)
line = partial(claim, role=Role.STEP, direction=Direction.UPPER, tags=("q-sparse-averaging", "attention"))

CLAIMS: tuple[Claim, ...] = (
    average(
        "sparse-averaging-construction",
        "One attention unit of width O(d' + q log N) comes within e of the averages of any q of N rows.",
        formula="c*(d + q*log(N, 2))",
        ours="d + 6*q*L(N)",
        constant=Constant("8", SIGNS),
        hypotheses=("e = 1/(2q)", ALL_OF_IT, SOME_SETS),
        parameters=(rows(256, 8), subset(2), VALUES),
        sizes=({}, {"q": 3, "values": 3}),
        measure=averages.width_over_length,
    ),
    average(
        "sparse-averaging-construction-over-q",
        "One attention unit of width O(d' + q log N) comes within e of the averages, for larger and larger sets.",
        formula="c*(d + q*log(N, 2))",
        ours="d + 6*q*L(N)",
        constant=Constant("8", SIGNS, along="q"),
        hypotheses=("e = 1/(2q)", ALL_OF_IT, SOME_SETS),
        parameters=(subset(64, 2), rows(64, 4), VALUES),
        sizes=({"values": 3},),
        measure=averages.width_over_q,
    ),
    average(
        "sparse-averaging-precision",
        "Numbers of O(log((q/e) log N)) bits are enough for it.",
        formula="c*log(q*e*log(N, 2), 2)",
        ours="6 + L(ceiling(2*log(4*N*e)) + 2) + L(3*q*e*L(N))",
        unit="bits",
        constant=Constant("5", "ours, where (q/e) log2 N is at least 16: docs/proofs/sparse_averaging.md"),
        hypotheses=(
            SOME_SETS,
            "numbers have a fixed point, and everything is rounded down",
            "d' is at most (3 q ceiling(log2 N))^2: outputs of more numbers lose more, in the 2-norm, by rounding",
        ),
        parameters=(
            rows(256, 8),
            subset(2),
            Parameter("inverse", "e", 4, "one over the error that is allowed", low=2),
            VALUES,
        ),
        sizes=({}, {"inverse": 100}, {"values": 3}),
        measure=averages.precision_over_length,
    ),
    line(
        "sparse-averaging-dual-vectors",
        "Each set of q keys of signs has a vector w with products 1 on the set, at most 1/2 off it, and |w|^2 <= 4q.",
        place="how to choose Q and K, the dual vectors",
        formula="4*q",
        unit="",
        hypotheses=(
            "keys of 3 q ceiling(log2 N) signs",
            "products off the set are bounded from above, as on this slide",
        ),
        parameters=(rows(8), subset(2)),
        sizes=({"length": 8}, {"length": 12, "q": 3}, {"length": 32}),
        measure=averages.dual_vectors,
    ),
    line(
        "sparse-averaging-weights",
        "Softmax gives rows of the set (1 +- e/2)/q of the weight, and e/(2N) or less to each other row.",
        place="how to choose Q and K, the weights",
        direction=Direction.EXACT,
        formula="N*binomial(N, q)",
        unit="weights",
        hypotheses=("e = 1/(2q), in the precision of the unit", "counted: all rows under all sets of q rows"),
        parameters=(rows(8), subset(2)),
        sizes=({"length": 8}, {"length": 12, "q": 3}),
        measure=averages.weights,
    ),
)
