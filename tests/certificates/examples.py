"""A certificate of every kind of witness, on matrices so small that the truth is known by brute force."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

import numpy as np

from ccsim.bounds import (
    approximate_rank,
    cover_number,
    discrepancy,
    gamma2,
    gamma2_bits,
    leaf_rank_bracket,
    least_discrepancy,
    least_leaves,
    maximal_rectangles,
    nondeterministic,
    nonnegative_rank,
    one_way,
    one_way_messages,
    one_way_public_coins,
    one_way_randomised,
    one_way_success,
    partition_number,
    public_coin_complexity,
    public_coin_success,
    quantum_bits,
    randomised_by_corruption,
    randomised_by_discrepancy,
    rectangle_bound,
    sign_rank,
    vc_dimension,
)
from ccsim.bounds.covers import CoverBounds
from ccsim.bounds.measures import brackets_of, deterministic
from ccsim.bounds.rectangle_bounds import partition_bits, partition_bound, smooth_rectangle_bits, smooth_rectangle_bound
from ccsim.bounds.sat_covers import CoverSearch
from ccsim.bounds.scheduler import Clock
from ccsim.certificates import Certificate, Proof
from ccsim.certificates.verify import check
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import index

THIRD = Fraction(1, 3)
PLAIN = {"answer": "both", "rounds": None, "first": None}


def matrix_of(rows):
    labels = max(2, 1 + max(cell for row in rows for cell in row))
    return CommunicationMatrix(np.array(rows), tuple(range(labels)))


XOR = matrix_of([[0, 1], [1, 0]])
THREE = matrix_of([[1, 0, 0], [1, 1, 0], [1, 1, 1]])
CROWN = matrix_of([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
CROWN_OF_FOUR = matrix_of([[int(row != column) for column in range(4)] for row in range(4)])
REPEATED = matrix_of([[1, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 1]])
PARTIAL = matrix_of([[1, 0, -1], [-1, 1, 0], [0, -1, 1]])
MANY = matrix_of([[0, 1, 2], [2, 0, 1]])


def crafted(matrix, name, side, parameters, witness, unit=""):
    """A certificate of one side, of what the witness proves."""
    value = check(matrix.codes.tolist(), name, side, parameters, witness)
    return Certificate(matrix, name, unit, parameters, (Proof(side, value, witness),))


REFUTED = (("splits", 394, 2, "bob"), ("splits", 567, 2, "alice"), ("splits", 638, 2, "bob"),
           ("three", 144, None, None),)  # fmt: skip
"""Random matrices whose refutations need this: by their seed, with a limit on rounds and who begins."""


def refutations():
    """Refutations that need splits, limits on rounds, and the closed form for three bits."""
    for kind, seed, rounds, first in REFUTED:
        rng = random.Random(seed)
        size = rng.randint(3, 4) if rounds else 6
        rows = [[int(rng.random() < 0.5) for _ in range(size)] for _ in range(size)]
        found = deterministic(matrix_of(rows), rounds=rounds, first=first)
        assert kind in [node[4] for node in found.lower_witness["nodes"]]
        yield found.certificate


def colouring():
    rows = matrix_of([[0, 0, -1], [1, -1, 0], [-1, 1, 1]])
    witness = {"kind": "branching", "budget": 2, "proof": [0, 1, 2]}
    parameters = {"direction": "alice-to-bob"}
    yield crafted(rows, "one-way-messages", "lower", parameters, witness, "messages")
    inside = {"kind": "bits-of", "measure": "one-way-messages", "given": {}, "of": witness}
    yield crafted(rows, "one-way", "lower", parameters, inside, "bits")


def handmade():
    """What the searches do not give on matrices so small."""
    fooling = {"kind": "fooling-set", "cells": [[0, 0], [1, 1], [2, 2]]}
    refutation = {"kind": "refutation", "nodes": [[1, None, "7", "7", "fooling", fooling["cells"]]]}
    for answer in ("both", "alice"):
        yield crafted(CROWN, "deterministic", "lower", {**PLAIN, "answer": answer}, refutation, "bits")
    everything = {"kind": "all-rectangles", "rows": "7", "columns": "7"}
    for answer in ("both", "alice", "bob"):
        for matrix in (CROWN, THREE, PARTIAL):
            yield crafted(matrix, "leaves", "lower", {"answer": answer}, everything, "leaves")
            yield crafted(matrix, "deterministic", "lower", {**PLAIN, "answer": answer}, everything, "bits")
    corners = {"kind": "khrapchenko", "cells": [[0, 0], [0, 1], [1, 0], [1, 1]]}
    yield crafted(XOR, "leaves", "lower", {"answer": "both"}, corners, "leaves")
    yield crafted(PARTIAL, "leaves", "lower", {"answer": "both"}, {**corners, "cells": [[0, 0], [1, 1]]}, "leaves")
    bits = {"kind": "bits-of", "measure": "leaves", "given": {}, "of": everything}
    yield crafted(CROWN, "deterministic", "lower", {**PLAIN, "rounds": 2}, bits, "bits")
    for answer, primes in (("both", [2, 3]), ("alice", [3, 2])):
        yield crafted(CROWN, "leaves", "lower", {"answer": answer}, {"kind": "leaf-rank", "primes": primes}, "leaves")
    one, every = {"code": 1, "answer": "both"}, {"code": None, "answer": "both"}
    search = {"kind": "fooling-search", "cells": [[row, column] for row in range(3) for column in range(row + 1)]}
    yield crafted(THREE, "fooling-set", "lower", one, fooling, "cells")
    yield crafted(THREE, "fooling-set", "upper", one, {**search, "at_most": 3}, "cells")
    by_rows = {"kind": "fooling-rows", "rows": [2, 0, 1]}
    yield crafted(THREE, "fooling-set", "upper", one, {**by_rows, "at_most": 3}, "cells")
    yield crafted(PARTIAL, "fooling-set", "upper", one, {**by_rows, "at_most": 3}, "cells")
    orbits = {**search, "kind": "fooling-orbits", "at_most": 3}
    yield crafted(THREE, "fooling-set", "upper", one, {**orbits, "symmetries": None}, "cells")
    found = brackets_of(CommunicationMatrix.from_array(1 - np.eye(4, dtype=int)), "fooling")[1]
    yield crafted(found.matrix, "fooling-set", "upper", one, found.upper_witness, "cells")
    yield crafted(REPEATED, "fooling-set", "upper", one, {"kind": "lines"}, "cells")
    parts = {"kind": "parts", "parts": [{"kind": "lines"}, {"kind": "lines"}]}
    for claim in (every, {**every, "answer": "bob"}):
        yield crafted(XOR, "fooling-set", "upper", claim, parts, "cells")
    everywhere = {"kind": "pivots", "prime": 3, "rows": [0, 1, 2], "columns": "7"}
    ones = {"kind": "fooling-set", "cells": [[0, 0], [1, 1], [2, 2]]}
    corner = {"kind": "submatrix", "rows": [1, 2], "columns": [2, 0], "of": {"kind": "fooling-set", "cells": [[0, 0]]}}
    crown = {"kind": "fooling-set", "cells": [[0, 1], [1, 2], [2, 0]]}
    for matrix, own in ((CROWN, [everywhere, crown]), (THREE, [everywhere, ones]), (PARTIAL, [corner, ones])):
        added = {"kind": "parts", "parts": own}
        yield crafted(matrix, "leaves", "lower", {"answer": "both"}, added, "leaves")
        yield crafted(matrix, "deterministic", "lower", {**PLAIN, "rounds": 3}, {**bits, "of": added}, "bits")
    rational = {"code": 1, "field": "rational"}
    yield crafted(REPEATED, "rank", "upper", rational, {"kind": "elimination", "primes": [2, 3]})
    yield crafted(CROWN, "rank", "upper", rational, {"kind": "elimination", "primes": [2147483629]})
    for prime in (2, 3):
        field = {"code": 1, "field": f"GF({prime})"}
        yield crafted(CROWN, "rank", "upper", field, {"kind": "elimination", "primes": [prime]})
    uniform = {"weights": [[1, 1], [1, 1]]}
    weights = {"most": ["11/5", *["11/10"] * 4], "least": ["41/20", "9/5", "7/10", "9/5", "7/10"]}
    yield crafted(matrix_of([[0, 0], [0, 1]]), "discrepancy", "upper", uniform, {"kind": "diagonals", **weights})
    crown = {"kind": "crown", "cells": [[0, 0], [1, 1], [2, 2]]}
    for name in ("cover", "partition"):
        yield crafted(CROWN, name, "lower", {"code": 1}, crown, "rectangles")
        cases = [[[3, 4, 5]], [[0, 7, 10]], [9, [0, 5, 0, 0, 0, 0, 0, 0, 5, 5, 0, 0, 2, 2]]]
        cuts = {"kind": "branch-and-cut", "budget": 3, "cases": cases}
        yield crafted(CROWN_OF_FOUR, name, "lower", {"code": 1}, cuts, "rectangles")
        cases = [[12], [10, [5, 0, 0, 0, 0, 0, 5, 0, 5, 5, 0, 5, 10]], [9, [3, 0, 6, 0, 6, 3, 6, 0, 0, 0, 3, 3]]]
        yield crafted(CROWN_OF_FOUR, name, "lower", {"code": 1}, {**cuts, "cases": cases}, "rectangles")
        for apart in ([], [(0, 1)], [(0, 1), (1, 2)]):
            sent = []
            CoverSearch(CROWN.codes.tolist(), 1, apart, 2, 3, name)(sent.append)
            yield crafted(CROWN, name, "lower", {"code": 1}, sent[-1], "rectangles")
    bits = {"kind": "bits-of", "measure": "cover", "given": {}, "of": crown}
    yield crafted(CROWN, "nondeterministic", "lower", {"code": 1}, bits, "bits")
    part = {"kind": "submatrix", "rows": [2, 0], "columns": [1, 0, 3]}
    for name in ("cover", "partition"):
        fooling = {"kind": "fooling-set", "cells": [[0, 0], [1, 1]]}
        yield crafted(REPEATED, name, "lower", {"code": 1}, {**part, "of": fooling}, "rectangles")
    bounds = CoverBounds(CROWN, 1, "cover", Clock())
    bounds.fractional(maximal_rectangles(CROWN, 1)[0])
    for name in ("cover", "partition"):
        yield crafted(CROWN, name, "lower", {"code": 1}, bounds.lower_witness, "rectangles")
    once = {"kind": "rectangles", "rectangles": [["7", "1"], ["6", "2"], ["4", "4"]]}
    yield crafted(THREE, "cover", "upper", {"code": 1}, once, "rectangles")
    patterns, alice = Proof("lower", 2, {"kind": "all-patterns"}), {"direction": "alice-to-bob"}
    yield Certificate(index(2).matrix, "vc-dimension", "", alice, (patterns,), ("index", 2))
    cycle = matrix_of([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]])
    yield crafted(cycle, "partition", "lower", {"code": 1}, {"kind": "rank-search"}, "rectangles")
    gf = {"kind": "pivots", "prime": 3, "rows": [0, 1, 2], "columns": "7"}
    yield crafted(THREE, "partition", "lower", {"code": 1}, gf, "rectangles")


def vectors(*lines):
    return [[f"{entry}/1" for entry in line] for line in lines]


def ranks():
    """Nonnegative, sign and approximate rank: each kind of witness by hand."""
    plain, numbers = {"values": [0, 1]}, {"values": [0, 2, 1]}
    every = {"rows": [0, 1, 2], "columns": [0, 1, 2]}
    yield crafted(CROWN, "nonnegative-rank", "lower", plain, {"kind": "minor", "prime": 3, **every})
    cells = {"kind": "crown", "cells": [[0, 0], [1, 1], [2, 2]]}
    yield crafted(CROWN, "nonnegative-rank", "lower", plain, {"kind": "support", "of": cells})
    lines = {"kind": "lines"}
    yield crafted(REPEATED, "nonnegative-rank", "upper", plain, lines)
    pair = {"rows": vectors([1, 0], [0, 1]), "columns": vectors([0, 1], [2, 0], [1, 2])}
    yield crafted(MANY, "nonnegative-rank", "upper", numbers, {"kind": "factors", **pair})
    label, near = {"label": 1}, {"label": 1, "error": "1/3"}
    twos = {"rows": [0, 1], "columns": [0, 1]}
    for doublings in (0, 1):
        yield crafted(XOR, "sign-rank", "lower", label, {"kind": "forster", "doublings": doublings, **twos})
        yield crafted(matrix_of([[0, 0], [0, 1]]), "sign-rank", "lower", label,
                      {"kind": "forster", "doublings": doublings, **twos})  # fmt: skip
    shattered = {"kind": "shattered", "places": "3"}
    patterns = matrix_of([[0, 0], [0, 1], [1, 0], [1, 1]])
    vc = {"kind": "vc", "direction": "alice-to-bob", "of": shattered}
    yield crafted(patterns, "sign-rank", "lower", label, vc)
    yield crafted(patterns, "approximate-rank", "lower", near, {"kind": "signs", "of": vc})
    halves = [["1/2", "1/2"], ["1/2", "-1/2"]]
    minor = {"kind": "regular-minor", "rows": [3, 1], "columns": [1, 0], "inverse": halves}
    yield crafted(patterns, "approximate-rank", "lower", near, minor)
    part = {"kind": "submatrix", "rows": [1, 0], "columns": [2, 0, 1], "of": {"kind": "plane"}}
    for matrix in (THREE, CROWN, PARTIAL):
        yield crafted(matrix, "sign-rank", "lower", label, part)
    yield crafted(PARTIAL, "sign-rank", "lower", label, {"kind": "plane"})
    for matrix in (XOR, THREE, CROWN, REPEATED, MANY):
        yield crafted(matrix, "sign-rank", "lower", label, {"kind": "plane"})
        yield crafted(matrix, "approximate-rank", "lower", near, {"kind": "signs", "of": {"kind": "plane"}})
        yield crafted(matrix, "sign-rank", "upper", label, lines)
        yield crafted(matrix, "approximate-rank", "upper", near, lines)

    certain = deterministic(XOR).upper_witness
    yield crafted(XOR, "quantum", "upper", {"error": "1/10"}, certain, "qubits")
    constant = [{"weight": "1/2", "tree": {"answer": code}} for code in (0, 1)]
    mixed = {"kind": "protocol-mixture", "trees": constant}
    yield crafted(CROWN, "quantum", "upper", {"error": "1/2"}, mixed, "qubits")


def searches(matrix):
    """Brackets of every measure of a matrix."""
    yield deterministic(matrix)
    yield from (least_leaves(matrix, answer=answer) for answer in ("both", "alice", "bob"))
    yield deterministic(matrix, answer="bob", rounds=2, first="alice")
    yield from (cover_number(matrix, 1), cover_number(matrix), partition_number(matrix, 0), partition_number(matrix))
    yield nondeterministic(matrix, 0)
    for direction in ("alice-to-bob", "bob-to-alice"):
        yield from (one_way(matrix, direction), one_way_messages(matrix, direction))
    for answer in ("both", "alice", "bob"):
        yield from brackets_of(matrix, "fooling", answer=answer)
    if matrix.is_total:
        yield nonnegative_rank(matrix)
        yield from (*brackets_of(matrix, "rank"), leaf_rank_bracket(matrix), leaf_rank_bracket(matrix, "alice"))
    if matrix in (XOR, THREE, PARTIAL):
        yield from (vc_dimension(matrix), one_way_randomised(matrix, "bob-to-alice", Fraction(1, 10)))
        for direction in ("alice-to-bob", "bob-to-alice"):
            yield from (one_way_success(matrix, 1, direction), one_way_public_coins(matrix, "1/10", direction))
        yield from (discrepancy(matrix), least_discrepancy(matrix), randomised_by_discrepancy(matrix, Fraction(1, 8)))
        for smooth in (False, True):
            yield rectangle_bound(matrix, label=1, error=Fraction(1, 8), smooth=smooth)
            yield randomised_by_corruption(matrix, label=1, error=Fraction(1, 8), smooth=smooth)
        yield from (public_coin_success(matrix, 1), public_coin_complexity(matrix, THIRD))
        yield from (partition_bound(matrix, THIRD), partition_bits(matrix, 0))
        yield from (smooth_rectangle_bound(matrix, label=1, error=THIRD), smooth_rectangle_bits(matrix, 0))
        yield from (gamma2(matrix, "3/2"), gamma2_bits(matrix, Fraction(1, 10)), quantum_bits(matrix, Fraction(1, 10)))
        yield from (sign_rank(matrix), approximate_rank(matrix, "1/4"), approximate_rank(matrix, 0))


@cache
def certificates():
    """All of them, as plain data, one side each."""
    found = [*handmade(), *ranks(), *colouring(), *refutations()]
    for matrix in (XOR, THREE, CROWN, REPEATED, PARTIAL, MANY):
        for bracket in searches(matrix):
            if bracket.lower_witness is not None or bracket.upper_witness is not None:
                found.append(Certificate.from_bracket(bracket, matrix))
    every = [certificate.to_json() for certificate in found]
    return [{**data, "proofs": [proof]} for data in every for proof in data["proofs"]]
