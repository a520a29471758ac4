"""What is made wrong under each claim on sparse averages."""

from fractions import Fraction

import numpy as np

from tests.claims.spoilings import averaged as ways
from tests.claims.spoilings.averaged import AVERAGING, DUALS, HALF, MEASURES, ORACLES, QUERY, REDUCTIONS, UNIT, UP, at
from tests.claims.spoilings.spoiling import Spoiling, answers, instead

AVERAGE = f"{AVERAGING}:SparseAveraging"
CURVE = "protocols.constructions.moment_curve"
KERNELS = "protocols.reductions.feedforward_kernel"
VECTORS = "protocols.constructions.vectors"
S = "sanford2023-sparse-averaging"
EIGHT = {"length": 8}
SETS = {"q": 2, "length": 8}
KEYS = {"keys": 10}
VECTORS_OF_THREE = {"length": 8, "values": 3}

NARROW = (
    Spoiling("verify says True", f"{KERNELS}:KernelCollision", "verify", instead(True)),
    Spoiling("verify says False", f"{KERNELS}:KernelCollision", "verify", instead(False)),
    Spoiling("rows whose values cancel", KERNELS, "_subset", ways.first_rows),
    Spoiling(
        "too much, whatever it is", f"{KERNELS}:KernelCollision", "is_too_much", lambda _: property(lambda _: True)
    ),
    Spoiling(
        "half of the error", f"{KERNELS}:KernelCollision", "squared_error", lambda _: property(lambda _: Fraction(1, 4))
    ),
    Spoiling("vectors out of the ball", KERNELS, "_into_ball", answers(lambda vector: [2 * entry for entry in vector])),
)

SPOILINGS = {
    f"{S}-construction": (
        Spoiling(
            "signs like N q", AVERAGING, "sparse_averaging_unit", ways.with_dimension(lambda n, q: 3 * n * q), EIGHT
        ),
        Spoiling("one sign more", AVERAGING, "sparse_averaging_unit", ways.with_dimension(lambda n, q: 19), EIGHT),
        Spoiling("worst errors of 0", AVERAGE, "worst_errors", ways.no_errors, EIGHT),
        Spoiling("worst errors of some sets", AVERAGE, "worst_errors", answers(lambda errors: errors[:-1]), EIGHT),
        Spoiling("alpha one less", AVERAGING, "least_integer_above", answers(lambda found: found - 1), EIGHT),
        Spoiling("dual vectors off by a step", DUALS, "scaled", answers(lambda found: found + 1), EIGHT),
        Spoiling("outputs rounded up", UNIT, "finish", answers(lambda output: output + 1), EIGHT),
        Spoiling("the first number of each value alone", UNIT, "finish", answers(ways.first_number), VECTORS_OF_THREE),
        at(HALF, **EIGHT),
        at(UP, **EIGHT),
    ),
    f"{S}-construction-over-q": (
        Spoiling(
            "signs like q^2", AVERAGING, "sparse_averaging_unit", ways.with_dimension(lambda n, q: 12 * q * q), SETS
        ),
        Spoiling("numbers in other places", AVERAGE, "vectors", answers(lambda rows: np.roll(rows, 1, -1)), SETS),
        Spoiling("worst errors of 0", AVERAGE, "worst_errors", ways.no_errors, SETS),
    ),
    f"{S}-precision": (
        Spoiling("20 bits more", AVERAGING, "_bits", answers(lambda bits: bits + 20), EIGHT),
        Spoiling("bits like N", AVERAGING, "_bits", lambda _: lambda number: int(number) // 4, EIGHT),
        Spoiling("10 bits fewer", AVERAGING, "_bits", answers(lambda bits: bits - 10), EIGHT),
        at(UP, **EIGHT),
    ),
    f"{S}-infinite-precision": (
        Spoiling("keys without a power", f"{CURVE}:MomentCurve", "key", answers(lambda key: (*key[:-1], 0)), SETS),
        Spoiling("distances that are not squared", f"{CURVE}:MomentCurve", "query", ways.squared_only_once, SETS),
        Spoiling("a small alpha", CURVE, "least_integer_above", instead(1), SETS),
        Spoiling(
            "rows with fewer numbers",
            f"{CURVE}:MomentCurve",
            "row",
            answers(lambda row: row[:-1]),
            {"values": 3, **SETS},
        ),
        Spoiling("rows with more numbers", f"{CURVE}:MomentCurve", "row", answers(lambda row: (*row, 0)), SETS),
    ),
    f"{S}-isometry": (
        Spoiling(
            "products that are not looked at", f"{VECTORS}:SignVectors", "_first_outside", instead(None), {"length": 17}
        ),
        Spoiling(
            "ten times as many signs",
            VECTORS,
            "smallest_sign_vectors",
            answers(ways.changed(dimension=lambda size: 10 * size)),
            {"length": 64},
        ),
        Spoiling(
            "a vector that comes twice",
            f"{VECTORS}:SignVectors",
            "rows",
            answers(lambda rows: np.concatenate([rows[:1], rows[:-1]])),
            {"length": 16},
            afterwards=True,
        ),
    ),
    f"{S}-dual-lemma": (
        Spoiling("vectors that are longer", DUALS, "of", answers(ways.changed(denominator=lambda d: d // 2))),
        Spoiling("the vector of another set", DUALS, "of", lambda original: lambda self, _: original(self, (1, 2))),
    ),
    f"{S}-dual-vectors": (
        Spoiling("a length of 1", DUALS, "of", answers(ways.changed(norm=lambda _: Fraction(1)))),
        Spoiling("other combinations", DUALS, "of", answers(ways.changed(numerators=lambda n: (n[0] + 1, *n[1:])))),
        Spoiling(
            "vectors that are not pushed down", DUALS, "_search", lambda _: lambda self, subset: subset, {"length": 32}
        ),
        Spoiling("too few signs", AVERAGING, "sparse_averaging_unit", ways.with_dimension(lambda n, q: 4)),
    ),
    f"{S}-weights": (
        UP,
        HALF,
        Spoiling("half of alpha", AVERAGING, "least_integer_above", answers(lambda found: found // 2)),
    ),
    f"{S}-width": (
        Spoiling("a width of 1", f"{MEASURES}.query", "least_width", instead(1)),
        Spoiling("another width", f"{MEASURES}.query", "least_width", answers(lambda width: width + 1)),
        Spoiling("a bit more", "ccsim.bounds", "deterministic", answers(ways.one_bit_more)),
        Spoiling("a number that is not sent", QUERY, "steps", ways.without_the_value),
        Spoiling("a number that is sent twice", QUERY, "steps", ways.with_a_copy_of_the_value),
        HALF,
    ),
    f"{S}-from-below": (
        Spoiling("signs turned round", REDUCTIONS, "intersection_to_sparse_averaging", ways.swapped_signs),
        Spoiling("the bits of another function", "ccsim.bounds", "deterministic", ways.about_equality),
        Spoiling("both parties know", "ccsim.bounds", "deterministic", ways.both_know),
        Spoiling("a bit more", "ccsim.bounds", "deterministic", answers(ways.one_bit_more)),
        Spoiling(
            "another average",
            "ccsim.problems.sequence.task:SequenceTask",
            "__call__",
            answers(lambda average: average / 2),
        ),
    ),
    f"{S}-encoding": (
        Spoiling("three times the average", ORACLES, "average", answers(lambda average: average * 3)),
        Spoiling("sets that meet where they do not", ORACLES, "meet", ways.turned_round),
        Spoiling("a bit less", f"{MEASURES}.reductions", "inputs", lambda original: lambda bits: original(bits - 1)),
    ),
    f"{S}-message": (
        Spoiling("a number that is not sent", QUERY, "steps", ways.without_the_value, KEYS),
        Spoiling("a number that is sent twice", QUERY, "steps", ways.with_a_copy_of_the_value, KEYS),
        Spoiling("Bob says the opposite", QUERY, "answer", ways.turned_round, KEYS),
        Spoiling(
            "half of the bits",
            "ccsim.engine:Protocol",
            "explore",
            answers(ways.changed(worst_bits=lambda b: b // 2)),
            KEYS,
        ),
        at(HALF, **KEYS),
        at(UP, **KEYS),
    ),
    f"{S}-test": (
        Spoiling("outputs rounded up", UNIT, "finish", answers(lambda output: output + 1)),
        Spoiling("values of the other sign", AVERAGE, "row", answers(lambda row: (*row[:-1], -row[-1]))),
        HALF,
    ),
    f"{S}-recurrent": (
        Spoiling("a bit more", "protocols.papers.checks", "one_way_bits", answers(ways.one_bit_more)),
        Spoiling("the bits of another function", "protocols.papers.checks", "one_way_bits", ways.about_the_opposite),
        Spoiling(
            "signs that do not depend on the bits",
            REDUCTIONS,
            "index_to_sparse_averaging",
            answers(ways.changed(encode_alice=lambda encode: lambda bits: tuple(((1,), 1) for _ in encode(bits)))),
        ),
        Spoiling(
            "another answer",
            REDUCTIONS,
            "index_to_sparse_averaging",
            answers(ways.changed(decode=lambda decode: lambda average: 1 - decode(average))),
        ),
    ),
    f"{S}-feedforward": (
        *NARROW,
        Spoiling(
            "no layer is gone through",
            f"{MEASURES}.kernels",
            "leading",
            instead(-1),
        ),
        Spoiling(
            "as many units as rows",
            f"{MEASURES}.kernels",
            "combinations_with_replacement",
            lambda _: lambda units, size: [[[int(row == place) for row in range(4)] for place in range(4)]],
        ),
    ),
    "ccsim-sparse-averaging-recurrent-state": (
        Spoiling("a bit more", "protocols.papers.checks", "one_way_bits", answers(ways.one_bit_more)),
        Spoiling(
            "averages over the row itself", ORACLES, "average", lambda original: lambda rows, held: original([1], held)
        ),
        Spoiling(
            "a split one row earlier",
            "ccsim.problems:Partition",
            "prefix",
            lambda original: lambda length, size: original(length, size - 1),
        ),
    ),
    "ccsim-sparse-averaging-feedforward-width": (
        *NARROW,
        Spoiling(
            "one direction alone",
            f"{MEASURES}.kernels",
            "blind_to",
            instead([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]),
        ),
    ),
}
