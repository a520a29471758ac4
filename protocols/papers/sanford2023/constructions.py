"""What attention can do: units and layers built weight by weight, and run."""

from __future__ import annotations

from typing import Any

from ccsim.claims import Claim, Constant, Direction, Parameter
from protocols.papers.sanford2023.findings import averages, exact_numbers, matching, triples
from protocols.papers.sanford2023.paper import ONE_NUMBER, WORD, claim

__all__ = ["CLAIMS"]

BUILT = Direction.CONSTRUCTION
AVERAGES: dict[str, Any] = {"unit": "numbers", "tags": ("q-sparse-averaging", "attention", "construction")}
PAIRS: dict[str, Any] = {"tags": ("match2", "attention", "construction")}
TRIPLES: dict[str, Any] = {"unit": "numbers", "tags": ("match3", "attention", "construction")}
LARGER = ({"length": 3, "modulus": 11}, {"length": 4, "modulus": 7}, {"length": 5, "modulus": 5})

ALL_OF_IT = "width counts the numbers in a row: query, key and value side by side"
QUERIES_AND_KEYS = (
    "width counts the numbers in a query, a key or a value; the rows that they are cut from may have more"
)
BLANK = "a blank row at the end"
SOME_SETS = "up to 130 sets of q rows all are looked at, of more the ends and some that are drawn"
SIGNS = "ours: the width is d' + 6 q ceiling(log2 N), and ceiling(log2 N) <= 4/3 log2 N from N = 4 on"
WINDOWS = (
    "ours: the width is (2K + 1) (ceiling(log2 M) + 6 ceiling(log2 N)), where 2K + 1 <= 3K, M <= N^2, and "
    "ceiling(log2 N) <= 4/3 log2 N from N = 4 on"
)
DIGITS = "the digits of a row cannot be misread, whatever the others are: by the weights, exactly; some words are run"

CLAIMS: tuple[Claim, ...] = (
    claim(
        "sparse-averaging-construction",
        "the positive result for sparse averaging",
        "One attention unit of width O(d' + q log N) comes within e of the averages of any q of N rows.",
        BUILT,
        formula="c*(d + q*log(N, 2))",
        ours="d + 6*q*L(N)",
        constant=Constant("8", SIGNS),
        hypotheses=("e = 1/(2q)", ALL_OF_IT, SOME_SETS),
        parameters=(
            Parameter("length", "N", 256, "rows", low=8),
            Parameter("q", "q", 2, "size of a set"),
            Parameter("values", "d", 1, "d', numbers in a value"),
        ),
        sizes=({}, {"q": 3, "values": 3}),
        measure=averages.width_over_length,
        **AVERAGES,
    ),
    claim(
        "sparse-averaging-construction-over-q",
        "the positive result for sparse averaging",
        "One attention unit of width O(d' + q log N) comes within e of the averages, for larger and larger sets.",
        BUILT,
        formula="c*(1 + q*log(N, 2))",
        ours="1 + 6*q*L(N)",
        constant=Constant("8", SIGNS, along="q"),
        hypotheses=("e = 1/(2q)", ONE_NUMBER, ALL_OF_IT, SOME_SETS),
        parameters=(Parameter("q", "q", 64, "size of a set", low=2), Parameter("length", "N", 64, "rows", low=4)),
        measure=averages.width_over_q,
        **AVERAGES,
    ),
    claim(
        "sparse-averaging-precision",
        "the positive result for sparse averaging",
        "Numbers of O(log((q/e) log N)) bits are enough for it.",
        BUILT,
        formula="c*log(q*e*log(N, 2), 2)",
        ours="6 + L(ceiling(2*log(4*N*e)) + 2) + L(3*q*e*L(N))",
        constant=Constant("5", "ours, where (q/e) log2 N is at least 16: docs/proofs/sparse_averaging.md"),
        hypotheses=(ONE_NUMBER, SOME_SETS, "numbers have a fixed point, and everything is rounded down"),
        parameters=(
            Parameter("length", "N", 256, "rows", low=8),
            Parameter("q", "q", 2, "size of a set"),
            Parameter("inverse", "e", 4, "one over the error that is allowed", low=2),
        ),
        sizes=({}, {"inverse": 100}),
        measure=averages.precision_over_length,
        **{**AVERAGES, "unit": "bits"},
    ),
    claim(
        "sparse-averaging-infinite-precision",
        "the positive result for sparse averaging, the remark on infinite precision",
        "In exact numbers a unit of width O(d' + q) comes within e of the averages of q rows, however many there are.",
        BUILT,
        formula="c*(1 + q)",
        ours="4*q + 3",
        constant=Constant("4", "ours: a query and a key have 2q + 1 numbers, and a value has one", along="q"),
        hypotheses=(
            "e = 1/(2q)",
            ONE_NUMBER,
            ALL_OF_IT,
            "the slides do not say how: here keys are powers of a row's number, queries coefficients of a polynomial",
            "some sets of q rows are looked at",
        ),
        parameters=(Parameter("q", "q", 64, "size of a set", low=2), Parameter("length", "N", 64, "rows", low=2)),
        measure=exact_numbers.width_without_rounding,
        **AVERAGES,
    ),
    claim(
        "match2",
        "the positive result for Match2",
        "One attention unit of width 3 computes Match2.",
        BUILT,
        formula="3",
        ours="3",
        hypotheses=(
            "width counts the numbers in a row, a query, a key or a value",
            BLANK,
            "c is taken off all logits, which changes no weight: see the step on its matrices",
        ),
        parameters=WORD,
        sizes=LARGER,
        measure=matching.every_word_of_match2,
        **{**PAIRS, "unit": "numbers"},
    ),
    claim(
        "match2-precision",
        "the positive result for Match2",
        "Numbers of O(log M) bits are enough for it.",
        BUILT,
        formula="c*log(M, 2)",
        ours="1 + Max(1, L(ceiling(log(18*N)))) + Max(L(8*ceiling(M**2*log(6*N))), L(16*N))",
        ours_exact=False,
        constant=Constant("8", "ours, for N <= M and M >= 4: docs/proofs/match2.md", along="modulus"),
        hypotheses=(
            "the fewest bits for which the proof of margins goes through, for all words",
            "words are run from each class: the symbol in the row that is asked, and how many match it",
        ),
        parameters=(WORD[0], Parameter("modulus", "M", 256, "the modulus", low=8)),
        measure=matching.bits_over_modulus,
        **{**PAIRS, "unit": "bits"},
    ),
    claim(
        "match3-bigram",
        "Match3Bigram",
        "Two layers of width 3 compute Match3 for neighbours.",
        BUILT,
        formula="3",
        ours="3",
        hypotheses=(
            QUERIES_AND_KEYS,
            BLANK,
            "each row knows its position; how to come by the sum of neighbours is ours, by fetching the next number",
        ),
        parameters=WORD,
        sizes=LARGER,
        measure=triples.bigram,
        **TRIPLES,
    ),
    claim(
        "match3-local",
        "Match3Local",
        "One layer of width O(K log N) computes Match3 for positions at most K away.",
        BUILT,
        formula="c*K*log(N, 2)",
        ours="Min(2*K + 1, N)*(L(M) + 6*L(N))",
        constant=Constant("32", WINDOWS),
        hypotheses=(ALL_OF_IT, "M <= N^2", DIGITS, "the construction is ours: sparse averages of binary digits"),
        parameters=(
            Parameter("length", "N", 256, "numbers in the word", low=8),
            WORD[1],
            Parameter("window", "K", 1, "how far away", low=1),
        ),
        measure=triples.local_over_length,
        **TRIPLES,
    ),
    claim(
        "match3-local-over-window",
        "Match3Local",
        "One layer of width O(K log N) computes Match3 for positions at most K away, for wider and wider windows.",
        BUILT,
        formula="c*K*log(N, 2)",
        ours="Min(2*K + 1, N)*(L(M) + 6*L(N))",
        constant=Constant(
            "32", WINDOWS, along="window", short="windows of 64 take minutes: five sizes over a factor of 16"
        ),
        hypotheses=(ALL_OF_IT, "M <= N^2", DIGITS, "the construction is ours: sparse averages of binary digits"),
        parameters=(
            Parameter("window", "K", 16, "how far away", low=2),
            Parameter("length", "N", 33, "numbers in the word", low=4),
            WORD[1],
        ),
        measure=triples.local_over_window,
        **TRIPLES,
    ),
    claim(
        "match3-third-order",
        "third-order tensor attention",
        "One unit of third-order attention of a width that does not grow computes Match3.",
        BUILT,
        formula="c",
        ours="5",
        constant=Constant(
            "5", "ours: four products for the cosine of a sum of three angles, and one for the blank row"
        ),
        hypotheses=(
            "the slides say 'efficient' and give no size",
            QUERIES_AND_KEYS,
            BLANK,
            "all words are run up to N = 4",
        ),
        parameters=(
            Parameter("length", "N", 64, "numbers in the word", low=2),
            Parameter("modulus", "M", 5, "the modulus", low=2),
        ),
        measure=triples.third_order,
        **TRIPLES,
    ),
    claim(
        "match3-assisted",
        "assisted Match3",
        "A transformer of two layers of a width that does not grow computes Match3 with assistance.",
        BUILT,
        formula="c",
        ours="3",
        constant=Constant("3", "ours: points of a circle and a constant, in both layers"),
        hypotheses=(
            "the slides do not say what the assistance is: each number comes with the position of a partner here",
            "and give no size",
            QUERIES_AND_KEYS,
            BLANK,
            "all words are run up to N = 2, with whatever hints; of longer words some",
        ),
        parameters=(
            Parameter("length", "N", 64, "numbers in the word", low=2),
            Parameter("modulus", "M", 5, "the modulus", low=2),
        ),
        measure=triples.assisted,
        **TRIPLES,
    ),
)
