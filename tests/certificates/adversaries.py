"""Certificates of at most 4 MB that are as hard to check as can be: for each kind of witness what costs most."""

from __future__ import annotations

import json
import random

from ccsim.bounds.solvers import Lemma
from ccsim.certificates.verify import claims
from tests.certificates.proofs import written

MOST = 4 << 20
BOTH = {"answer": "both", "rounds": None, "first": None}
FOOLING = {"code": 1, "answer": "both"}
BITS = {"answer": "both", "coins": "public", "bits": 64}
ALICE, BOB = {"direction": "alice-to-bob"}, {"direction": "bob-to-alice"}
LONG = "9" * 1999
CASES = {}


def named(name, n):
    return {"function": name, "n": n}


def listed(rows, labels=2):
    return {"labels": list(range(labels)), "rows": rows}


def case(function):
    CASES[function.__name__] = function
    return function


def claim(matrix, measure, side, parameters, witness, value=0):
    proofs = [{"side": side, "value": value, "witness": witness}]
    return {"format": "ccsim-certificate", "version": 1, "matrix": matrix, "measure": measure,
            "unit": claims.MEASURES[measure][0][0], "parameters": parameters, "proofs": proofs}  # fmt: skip


USUAL = {"code": 1, "answer": "both", "field": "rational", "direction": "alice-to-bob", "label": 1, "error": "1/3",
         "coins": "public", "bits": 64, "smooth": False, "alpha": "2/1", "values": [0, 1]}  # fmt: skip


def hard(kind, matrix, value=0, about=None, parameters=None, **fields):
    """A witness of a kind for a claim that it proves, about the first such measure or another, in a usual case."""
    proved = ((measure, side) for (measure, side), kinds in claims.PROVES.items() if kind in kinds)
    measure, side = next(found for found in proved if about in (None, found[0]))
    usual = {name: USUAL.get(name) for name in claims.PARAMETERS[measure]}
    return claim(matrix, measure, side, usual | (parameters or {}), {"kind": kind, **fields}, value)


def diagonal(size, *more):
    return [[place, place, *more] for place in range(size)]


def spread(rows, columns, *more):
    return [[row, column, *more] for row in range(rows) for column in range(columns)]


def refutation(matrix, nodes, **parameters):
    return claim(matrix, "deterministic", "lower", {**BOTH, **parameters}, {"kind": "refutation", "nodes": nodes})


def filled(make, *entries, room=MOST):
    """A certificate with as many entries, in turn, as there is room for."""
    one = len(json.dumps(entries, separators=(",", ":"))) - 1
    empty = len(json.dumps(make([]), separators=(",", ":")))
    return make([*entries] * max(1, (room - empty - 10) // one))


def noise(height, width, labels=2, seed=1, free=0.0):
    rng = random.Random(seed)
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"[:labels]
    return ["".join("*" if rng.random() < free else rng.choice(digits) for _ in range(width)) for _ in range(height)]


HALF = "f" * 512  # all of 2048 lines
EQUAL, ABOVE, INDEX = named("equality", 11), named("greater-than", 11), named("index", 17)


def refuted(matrix, *nodes, **parameters):
    """As many of these nodes as there is room for."""
    return filled(lambda nodes: refutation(matrix, nodes, **parameters), *nodes)


NOTHING = [[], [], ""]


@case
def a_split_with_one_core():
    nodes = [[4, None, "f" * 16, "3", "fooling", []], [5, None, "f" * 16, "f" * 16, "splits", [[], [], ""], NOTHING]]
    return refutation(listed(noise(64, 64)), nodes[1:])


@case
def a_split_with_many_cores():
    rng = random.Random(1)
    cores = [[3, None, [*sorted(rng.sample(range(40), 7))], "f" * 10, "three"] for _ in range(20000)]
    node = [4, None, "f" * 10, "f" * 10, "splits", [[], list(range(20000)), ""], NOTHING]
    return refutation(listed(noise(40, 40)), [*cores, node])


@case
def splits_of_few_lines_far_down():
    """Sets of lines are no longer than what is split, though the matrix has many lines."""
    rng, lines = random.Random(1), list(range(599_880, 600_000))
    cores = [[0, None, sorted(rng.sample(lines, 60)), "3", "rank", [2, 2]] for _ in range(170)]
    node = [1, None, lines, "3", "splits", [[], list(range(170)), ""], NOTHING]
    return refutation(listed(["01", "10"] * 300_000), [*cores, node])


def balanced(speaker, ones, levels, leaf):
    if not levels:
        return leaf
    return {"speaker": speaker, "ones": ones, "zero": leaf, "one": balanced(speaker, ones, levels - 1, leaf)}


@case
def a_tree_of_many_nodes():
    leaf = {"answer": 0}
    part = balanced("alice", [131071], 60, leaf)
    tree = part
    for _ in range(280):
        tree = {"speaker": "bob", "ones": [0], "zero": part, "one": tree}
    return claim(named("index", 17), "deterministic", "upper", BOTH, {"kind": "protocol-tree", "tree": tree})


@case
def a_tree_on_free_cells():
    rows, leaf = ["*" * 2000] * 2000, {"answer": 0}
    part = balanced("bob", [1999], 60, leaf)
    tree = part
    for _ in range(20):
        tree = {"speaker": "bob", "ones": [0], "zero": part, "one": tree}
    return claim(listed(rows), "deterministic", "upper", BOTH, {"kind": "protocol-tree", "tree": tree})


@case
def a_tree_whose_leaves_are_the_matrix():
    """Empty leaves, and everything again at the end of each path."""
    leaf = {"answer": 0}
    tree = leaf
    for _ in range(190):
        tree = {"speaker": "alice", "ones": [], "zero": tree, "one": leaf}
    rows = ["*" * 1000] * 4000
    return claim(listed(rows), "deterministic", "upper", BOTH, {"kind": "protocol-tree", "tree": tree})


@case
def a_mixture_of_constants():
    def make(trees):
        weights = [f"1/{len(trees) or 1}"] * len(trees)
        entries = [{"weight": weight, "tree": {"answer": 0}} for weight in weights]
        return claim(named("equality", 11), "public-coin success", "lower", BITS,
                     {"kind": "protocol-mixture", "trees": entries})  # fmt: skip

    return make([0] * 60_000)


@case
def a_mixture_of_long_weights():
    tree = {"answer": 0}
    for _ in range(390):
        tree = {"speaker": "bob", "ones": [], "zero": tree, "one": {"answer": 0}}
    below = 1 << 13_000
    entries = [{"weight": f"{below // 2}/{below}"[:4001], "tree": tree}]
    weights = [f"1/{2**6000}", f"{2**6000 - 1}/{2**6000}"]
    entries = [{"weight": weight, "tree": tree} for weight in weights]
    return claim(named("equality", 11), "public-coin success", "lower", BITS,
                 {"kind": "protocol-mixture", "trees": entries})  # fmt: skip


@case
def a_mixture_of_many_leaves():
    part = balanced("alice", [0], 60, {"answer": 0})
    tree = part
    for _ in range(330):
        tree = {"speaker": "alice", "ones": [1], "zero": part, "one": tree}
    entries = [{"weight": "1/1", "tree": tree}]
    return claim(named("index", 17), "public-coin success", "lower", BITS,
                 {"kind": "protocol-mixture", "trees": entries})  # fmt: skip


def some_primes(count, above=2147480000):
    found, number = [], above
    while len(found) < count:
        number -= 1
        if all(number % divisor for divisor in range(2, 100)) and pow(2, number - 1, number) == 1:
            found.append(number)
    return found


@case
def a_fooling_search_over_many_cells():
    rows = noise(600, 600)
    cells = [[r, c] for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == "1"]
    return claim(listed(rows), "fooling-set", "upper", FOOLING,
                 {"kind": "fooling-search", "at_most": 200, "cells": cells}, 200)  # fmt: skip


@case
def orbits_of_many_symmetries():
    turned = [[(row + 1) % 60 for row in range(60)]] * 2
    cells = [[row, column] for row in range(60) for column in range(60) if row != column]
    rows = ["".join("01"[row != column] for column in range(60)) for row in range(60)]

    def make(moves):
        witness = {"kind": "fooling-orbits", "at_most": 2, "cells": cells, "symmetries": [moves, [None]]}
        return claim(listed(rows), "fooling-set", "upper", FOOLING, witness, 2)

    return filled(make, turned)


@case
def rectangles_of_long_rows():
    rows = ["1" * 1_900_000, "0" * 100_000 + "1" * 1_800_000]

    def make(entries):
        return claim(listed(rows), "cover", "upper", {"code": 1}, {"kind": "rectangles", "rectangles": entries}, 10**9)

    return make([[[0, 1], [1_899_999]]] * 20_000)


def lrat(matrix, budget, *steps):
    def make(proof):
        parts = [written([Lemma(*step)], 0) for step in proof[: len(steps)]]
        text = "".join(parts) * (MOST // max(1, len("".join(parts)))) if parts else ""
        return claim(matrix, "cover", "lower", {"code": 1},
                     {"kind": "lrat", "budget": budget, "apart": [], "proof": text[: MOST - 20_000]})  # fmt: skip

    return make(steps)


@case
def clauses_of_partitions_into_many():
    """A cell in one rectangle is in no other: each literal says as much of all the others."""
    proof = written([Lemma([1 + 7000 * (120 + place), -1 - 7000 * (120 + place)], []) for place in range(900)], 0)
    return claim(listed(noise(60, 60)), "partition", "lower", {"code": 1},
                 {"kind": "lrat", "budget": 7000, "apart": [], "proof": proof * (MOST // len(proof) - 1)})  # fmt: skip


def branch_and_cut(rows, budget, *cases):
    witness = {"kind": "branch-and-cut", "budget": budget, "cases": list(cases)}
    return claim(listed(rows), "cover", "lower", {"code": 1}, witness, budget + 1)


@case
def branch_and_cut_of_many_weights():
    rows = noise(18, 18)
    own = sum(row.count("1") for row in rows)
    within = [[0], [1 << 20, [1] * (own + 1)]]
    return branch_and_cut(rows, 0, *within * (MOST // (12 * own)), [1 << 20, [1] * own])


@case
def submatrices_of_submatrices():
    witness = {"kind": "fooling-set", "cells": []}
    lines = list(range(2048))
    for _ in range(180):
        witness = {"kind": "submatrix", "rows": lines, "columns": lines, "of": witness}
    return claim(named("equality", 11), "cover", "lower", {"code": 1}, witness)


def partial(height, width):
    rows = [["0"] * width for _ in range(height)]
    rng = random.Random(1)
    for row in rows:
        row[rng.randrange(width)] = "*"
    return ["".join(row) for row in rows]


PARTITION = {"answer": "both", "coins": "public", "error": "1/3"}


@case
def weighted_rectangles_of_many_denominators():
    rng = random.Random(1)
    rows = [[[0], [0], 1, f"{rng.randrange(10**9)}/{2 ** rng.randrange(6000)}"] for _ in range(2500)]
    rows += [[[0], [0], 1, f"1/{3**2000}"]] * 1000 + [[[0], [0], 1, "1/5"]] * 49000
    return claim(named("equality", 11), "rectangle-bound", "upper", {"code": 1, "error": "1/3", "smooth": False},
                 {"kind": "weighted-rectangles", "rectangles": rows}, 1)  # fmt: skip


def triangle(size, digits):
    rng = random.Random(1)
    rows = [[f"{rng.randrange(10**digits)}/1" for _ in range(row)] for row in range(size)]
    return [[*row, f"{10 ** (digits + 4)}/1"] for row in rows]


@case
def bits_of_a_long_error():
    inside = {"kind": "gamma2-gram", "gram": [["1/1"]], "rows": [0], "columns": [0]}
    witness = {"kind": "bits-of", "measure": "gamma_2", "given": {"label": 0}, "of": inside}
    return claim(named("equality", 11), "randomised", "lower", {**PARTITION, "error": f"1/{LONG}"}, witness, 1)


@case
def many_cells_of_a_relation():
    data = claim({}, "leaves", "lower", {"answer": "both"}, {"kind": "khrapchenko", "cells": []})
    allowed = [[1 << (row + column) % 120 for column in range(120)] for row in range(120)]
    cells = [[row, column] for row in range(120) for column in range(120)]
    witness = {"kind": "khrapchenko", "cells": cells}
    matrix = {"labels": list(range(120)), "allowed": allowed}
    return {**data, "matrix": matrix, "proofs": [{"side": "lower", "value": 0, "witness": witness}]}


def of_every_length(family, witness, measure="deterministic", **parameters):
    proofs = [{"side": "lower", "value": [[1], [1]], "witness": witness}]
    return {"format": "ccsim-certificate-for-every-length", "version": 1, "family": family, "measure": measure,
            "unit": "bits", "parameters": parameters or {"answer": "both"}, "proofs": proofs}  # fmt: skip


def equality_of_letters(letters):
    same = [[int(x != y) for y in range(letters)] for x in range(letters)]
    table = [same, [[1] * letters for _ in range(letters)]]
    return {"table": table, "outputs": [1, 0], "first": 0, "labels": [0, 1]}


def diagonal_words(size, letters, steps, seed=0):
    rng = random.Random(seed)
    listed = [[[x, x, rng.randrange(size)] for x in rng.sample(range(letters), steps)] for _ in range(size)]
    return {"kind": "regular-fooling-set", "words": {"steps": listed, "accepting": [0], "first": 0}}


@case
def counts_in_nested_substitutions():
    of = diagonal_words(60, 30, 30)
    letters = [[x] for x in range(30)]
    for _ in range(60):
        of = {"kind": "substitution", "prefix": [[0, 0]], "alice": letters, "bob": letters, "suffixes": [[]], "of": of}
    return of_every_length(equality_of_letters(30), of)


CASES |= {
    "splits_that_nobody_may_begin": lambda: refuted(EQUAL, [5, [0, -1], HALF, HALF, "splits", NOTHING, NOTHING],
        rounds=1),
    "splits_of_many_answers": lambda:
        refuted(listed([[(row + column) % 200 for column in range(4)] for row in range(70000)], 200),
        [5, [0, -1], "f" * 17500, "f", "splits", NOTHING, NOTHING], rounds=1),
    "ranks_over_large_fields": lambda: refuted(EQUAL, [0, None, [0, 1], [0, 1], "rank", [2147483647, 2147483647]]),
    "ranks_of_long_rows": lambda: refuted(listed(["01" * 500_000, "10" * 500_000]),
        [0, None, "3", [999_999, 0], "rank", [2, 3]]),
    "a_split_of_long_rows": lambda: refutation(listed(noise(7, 300_000)),
        [[4, None, "7f", "f" * 75000, "splits", [[3, 2], [], ""], [[3], [], ""]]]),
    "ranks_of_many_rows": lambda: refuted(INDEX, [0, None, "f" * 32768, "3", "rank", [3, 2]]),
    "a_split_of_high_rank": lambda: refutation(named("inner-product", 11),
        [[11, None, HALF, HALF, "splits", [[2, 3], [], ""], NOTHING]]),
    "a_split_over_two": lambda: refutation(listed(noise(64, 64)),
        [[6, None, "f" * 16, "f" * 16, "splits", [[2], [], ""], NOTHING]]),
    "all_splits_of_four_bits": lambda: refuted(listed(noise(40, 40, seed=3)), [4, None, "f" * 10, "f" * 10, "four"]),
    "all_splits_of_long_rows": lambda: refuted(listed(noise(7, 500_000, seed=5)),
        [4, None, "7f", "f" * 125_000, "four"]),
    "cores_of_the_same_rectangle": lambda: refutation(listed(noise(64, 64)),
        [[1, None, "f" * 16, "f" * 16, "rank", [2, 2]],
        [1, None, "f" * 16, "f" * 16, "splits", [[], [0] * 1_900_000, ""], NOTHING]]),
    "cores_by_the_closed_form": lambda: refutation(ABOVE,
        [[4, None, HALF, HALF, "splits", [[], [], (f"{HALF}:{HALF} " * 3900).strip()], NOTHING]]),
    "closed_forms": lambda: refuted(ABOVE, [3, None, HALF, HALF, "three"]),
    "fooling_sets_of_nodes": lambda: refuted(EQUAL, [0, None, HALF, HALF, "fooling", diagonal(2048)]),
    "rectangles_of_few_letters": lambda: refuted(INDEX, [0, None, [131_071], [0, 16], "rank", [2, 2]]),
    "a_tree_of_which_alice_knows_all": lambda: hard("protocol-tree", INDEX, parameters={"answer": "alice"},
        tree={"speaker": "bob", "ones": [0], "zero": {"answers": [[place, 0] for place in range(131_072)]},
        "one": {"answer": 0}}),
    "a_distribution_hard_for_messages": lambda: hard("hard-for-messages", EQUAL, "1/1", about="one-way success",
        parameters={"bits": 3}, bits=3, cells=spread(16, 2048, "1/32768")),
    "a_mixture_of_many_messages": lambda: hard("message-mixture", EQUAL, "0/1", about="one-way success",
        parameters={"bits": 3},
        protocols=[{"weight": "1/300", "messages": [0] * 2048, "answers": [[0] * 2048]} for _ in range(300)]),
    "a_hard_distribution_of_many_bits": lambda: hard("hard-distribution", named("equality", 4), "1/1",
        about="public-coin success", parameters={"bits": 9}, bits=9, cells=spread(9, 9, "1/81")),
    "a_hard_distribution_of_many_answers": lambda: hard("hard-distribution",
        listed([[row * 10 + column for column in range(10)] for row in range(10)], 100), "1/1",
        about="public-coin success", parameters={"bits": 1}, bits=1, cells=spread(10, 10, "1/100")),
    "a_hard_distribution_of_two_bits_and_many_answers": lambda: hard("hard-distribution",
        listed([[row * 16 + column for column in range(16)] for row in range(16)], 256), "1/1",
        about="public-coin success", parameters={"bits": 2}, bits=2, cells=spread(16, 16, "1/256")),
    "a_hard_distribution_of_three_bits": lambda: hard("hard-distribution",
        listed([[(row * column + row) % 7 for column in range(11)] for row in range(10)], 7), "1/1",
        about="public-coin success", parameters={"bits": 3}, bits=3, cells=spread(10, 11, "1/110")),
    "a_hard_distribution_of_unlike_sides": lambda: hard("hard-distribution", named("equality", 4), "1/1",
        about="public-coin success", parameters={"bits": 1}, bits=3, cells=spread(16, 6, "1/96")),
    "pivots": lambda: hard("pivots", ABOVE, about="rank", prime=2147483647, rows=HALF, columns=HALF),
    "pivots_over_two": lambda: hard("pivots", listed(noise(4000, 1000)), about="rank", parameters={"field": "GF(2)"},
        prime=2, rows="f" * 1000, columns="f" * 250),
    "elimination_over_many_fields": lambda: hard("elimination", listed(["10", "01"]), 2, primes=some_primes(30000)),
    "elimination_over_small_numbers": lambda: hard("elimination", listed(["10", "01"]), 2, primes=[2] * 1_900_000),
    "equal_lines": lambda: hard("lines", ABOVE, 2048, about="rank", parameters={"field": "GF(2147483647)"}),
    "a_large_fooling_set": lambda: hard("fooling-set", ABOVE, about="fooling-set",
        parameters={"code": None, "answer": "alice"},
        cells=[[place % 2048, place // 2048] for place in range(400_000)]),
    "a_fooling_set_of_one_cell": lambda: hard("fooling-set", ABOVE, about="fooling-set", cells=[[1, 0]] * 600_000),
    "a_fooling_set_of_many_rows": lambda: hard("fooling-set", INDEX, about="fooling-set",
        parameters={"code": None, "answer": "alice"}, cells=[[place, place % 17] for place in range(131_072)]),
    "a_fooling_set_of_long_rows": lambda: hard("fooling-set", listed(["01" * 900_000, "10" * 900_000]),
        about="fooling-set", parameters={"answer": "bob"}, cells=[[0, place] for place in range(1, 100_000, 2)]),
    "a_fooling_search": lambda: hard("fooling-search", listed(noise(48, 48)), 14, at_most=14,
        cells=[[r, c] for r, row in enumerate(noise(48, 48)) for c, cell in enumerate(row) if cell == "1"]),
    "a_fooling_search_of_one_class_after_the_other": lambda: hard("fooling-search", EQUAL, 2047, at_most=2047,
        cells=diagonal(2048)),
    "a_fooling_search_by_rows": lambda: hard("fooling-rows", listed(noise(48, 48)), 14, at_most=14,
        rows=list(range(48))),
    "a_fooling_search_by_rows_of_one_class_after_the_other": lambda: hard("fooling-rows", EQUAL, 2047, at_most=2047,
        rows=list(range(2048))),
    "orbits_of_a_large_matrix": lambda: hard("fooling-orbits", EQUAL, at_most=0, cells=diagonal(2048),
        symmetries=[[[list(range(2048))] * 2] * 200, [None]]),
    "rectangles_of_many_rows": lambda: hard("rectangles", listed(["1"] * 900_000), 10**9,
        rectangles=[[[899_999, 0], [0]]] * 20000),
    # The complement of equality has large ones.
    "all_rectangles_of_a_named_matrix": lambda: hard("rectangles", EQUAL, 10**9, parameters={"code": 0},
        rectangles=[["5" * 512, "a" * 512]] * 4000),
    "clauses_of_a_large_matrix": lambda: lrat(ABOVE, 300, ([1, -1], [])),
    "clauses_of_many_rectangles": lambda: lrat(listed(noise(60, 60)), 60000, ([1, -1], [-1]), ([5, -5], [-1])),
    "clauses_that_say_much": lambda: lrat(listed(noise(60, 60)), 30,
        *[([1 + place, -1 - place], []) for place in range(3600)]),
    "clauses_that_are_long": lambda: lrat(listed(noise(60, 60)), 30,
        ([one for place in range(1, 2000) for one in (place, -place)], [-1, -2, -3])),
    "clauses_of_one_digit": lambda: lrat(listed(noise(60, 60)), 0, ([], [-1])),
    "a_number_that_does_not_end": lambda: hard("lrat", listed(["1"]), budget=1, apart=[], proof="-" * (MOST - 500)),
    "cover_weights_of_many_rows": lambda: hard("cover-weights", INDEX, 1, at_most=1 << 64,
        weights=[[place, 16, (1 << 64) - 1] for place in range(1, 131_072, 2)]),
    "a_crown": lambda: hard("crown", EQUAL, 1, parameters={"code": 0}, cells=diagonal(2048)),
    "branch_and_cut_of_many_cases": lambda: branch_and_cut(noise(24, 24), 1, *[[0]] * 900_000),
    "branch_and_cut_of_many_cuts": lambda: branch_and_cut(noise(24, 24), 1, *[[[0]]] * 600_000),
    "branch_and_cut_of_long_cuts": lambda: branch_and_cut(noise(24, 24), 1, *[[list(range(200)) * 5]] * 1000),
    # Each division copies all cuts that came before it.
    "branch_and_cut_of_cuts_and_cases": lambda: branch_and_cut(noise(18, 18), 1, *[[[0]]] * 100_000, *[[0]] * 300_000),
    "branch_and_cut_of_many_rectangles": lambda: branch_and_cut(noise(44, 44), 1, [1, [1] * 968]),
    "branch_and_cut_of_long_rows": lambda: branch_and_cut(noise(6, 600_000), 1, [1, []]),
    "distinct_partial_lines": lambda: hard("distinct-lines",
        listed(["".join("1" if place == row else "0" for place in range(1999)) + "*" for row in range(1999)]),
        lines=list(range(1999))),
    "rectangles_of_many_vectors": lambda: hard("rank-search", listed(
        [[int(row > column) for column in range(16)] for row in range(16)])),
    "as_many_rectangles_as_the_rank": lambda: hard("rank-search", listed(
        [[int(row > column or row == column == 0) for column in range(13)] for row in range(13)])),
    "a_span_of_two_rows": lambda: hard("rank-search", listed(noise(2, 20_000))),
    "a_span_of_many_rows": lambda: hard("rank-search", listed([[row >> bit & 1 for bit in range(11)] * 9
        for row in range(1, 1 << 11)])),
    "messages_of_many_answers": lambda: hard("message-classes", listed([[row % 200] for row in range(340_000)], 200),
        1, classes=[0] * 340_000),
    "branching_over_messages": lambda: hard("branching", listed([f"{place:011b}" for place in range(2048)]),
        budget=2047, proof=list(range(2048))),
    "branching_over_lines_in_no_conflict": lambda: hard("branching", listed(["*" * 1000] * 1000), budget=1000,
        proof=list(range(1000)) * 500),
    "branching_over_many_rows": lambda: hard("branching", listed(["*"] * 900_000), budget=1000,
        proof=[899_999] * 50000),
    "a_listing_of_shattered_sets": lambda: hard("vc-listing", named("index", 14), 13, at_most=13),
    "a_listing_over_long_lines": lambda: hard("vc-listing",
        listed(["01" * 400_000, "10" * 400_000, "0011" * 200_000]), at_most=0),
    "shattered_places": lambda: hard("shattered", INDEX, 17, places="1ffff"),
    "a_distribution": lambda: hard("distribution", listed(noise(340, 340)), "1/1",
        weights=[[10**22 + row * column for column in range(340)] for row in range(340)],
        of={"kind": "diagonals", "most": ["1/1"] * 681, "least": ["1/1"] * 681}),
    "weighted_rectangles_with_long_weights": lambda: hard("weighted-rectangles", EQUAL, 1, about="partition-bound",
        rectangles=[[HALF, HALF, 0, f"{LONG}/{2**6000}"], [HALF, HALF, 1, f"1/{2**6000}"]]),
    "small_weighted_rectangles": lambda: hard("weighted-rectangles", EQUAL, 1,
        rectangles=[[[2047], [0], 1, f"1/{2**12 * 3**5}"]] * 100_000),
    "cell_weights_for_many_answers": lambda: hard("cell-weights",
        listed([[row * 500 + column for column in range(500)] for row in range(500)], 250_000),
        about="partition-bound", cells=[[0, 0, "1/1", "0/1"]]),
    "cell_weights_of_many_lines": lambda: hard("cell-weights", listed(noise(18, 18)), about="partition-bound",
        cells=[[row, column, f"{10**30 + row}/1",
        f"-{column + 1}/{2**4000}"] for row in range(18) for column in range(18)]),
    "cell_weights_of_24_lines": lambda: hard("cell-weights", listed(noise(24, 24)), about="partition-bound",
        cells=[[row, column, "1/1", "-1/7"] for row in range(24) for column in range(24)]),
    "a_gram_matrix": lambda: hard("gamma2-gram", EQUAL, "1/1", gram=triangle(80, 57), rows=[0] * 2048,
        columns=[1] * 2048),
    "a_large_gram_matrix": lambda: hard("gamma2-gram", EQUAL, "1/1", gram=triangle(520, 22), rows=[0] * 2048,
        columns=[1] * 2048),
    "a_large_dual_gram_matrix": lambda: hard("gamma2-dual", EQUAL, "1/1",
        gram=[[*["0/1"] * row, f"{10**60}/1"] for row in range(520)], rows=list(range(260)), columns=list(range(260))),
    "a_small_gram_matrix_of_long_numbers": lambda: hard("gamma2-gram", EQUAL, "1/1", gram=triangle(24, 200),
        rows=[0] * 2048, columns=[1] * 2048),
    "bits_of_a_dimension": lambda: hard("bits-of", INDEX, about="one-way-randomised",
        parameters={"error": "499/1000"}, measure="vc-dimension", given={},
        of={"kind": "shattered", "places": "1ffff"}),
    "patterns_of_a_long_word": lambda: hard("bits-of", named("index", 1 << 20), 1, about="one-way-randomised",
        measure="vc-dimension", given={}, of={"kind": "all-patterns"}),
    "patterns_of_an_error_of_many_digits": lambda: hard("bits-of", named("index", 2500), 1,
        about="one-way-randomised", parameters={"error": "333/1000"}, measure="vc-dimension", given={},
        of={"kind": "all-patterns"}),
    "a_large_field": lambda: hard("lines", listed(["10", "01"]), 2, about="rank",
        parameters={"field": "GF(2147483647)"}),
    "masks_of_many_answers": lambda: claim(listed([[row % 200] for row in range(600_000)], 200), "cover", "upper",
        {"code": None}, {"kind": "parts", "parts": [{"kind": "rectangles", "rectangles": []}] * 200}),
    "nothing_but_brackets": lambda: refutation(named("equality", 1), [[]] * 1_300_000),
    "many_labels": lambda: hard("rectangles",
        {"labels": [f"{place:x}" for place in range(250_000)], "rows": [[0, 1]] * 170_000}, parameters={"code": 0},
        rectangles=[]),
    "all_rectangles_of_a_square": lambda: hard("all-rectangles", listed(noise(11, 11, 3), 3), about="deterministic",
        rows="7ff", columns="7ff"),
    "all_rectangles_of_many_answers": lambda: hard("all-rectangles",
        listed([[16 * row + column for column in range(16)] for row in range(16)], 256),
        parameters={"answer": "alice"}, rows="ffff", columns="f"),
    "leaves_by_ranks": lambda: hard("leaf-rank", listed(noise(1400, 1400)), primes=[3, 3]),
    "all_rectangles_of_a_relation": lambda: hard("all-rectangles", {"labels": list(range(128)),
        "allowed": [[(1 << 127) + row * 12 + column + 1 for column in range(16)] for row in range(2000)]},
        about="deterministic", rows="7ff", columns="7ff"),
    "factors_of_all_signs": lambda: hard("factors", ABOVE, 2, about="sign-rank",
        rows=[[f"{2 * place - 2047}/1", "1/1"] for place in range(2048)],
        columns=[["1/1", f"{2046 - 2 * place}/1"] for place in range(2048)]),
    "the_support_of_a_large_matrix": lambda: hard("support", EQUAL,
        of={"kind": "fooling-set", "cells": diagonal(2048)}),
    "signs_in_a_line": lambda: hard("plane", listed(["*" * row + "10" + "*" * (1998 - row) for row in range(1999)])),
    "a_regular_minor": lambda: hard("regular-minor", listed(
        [[int(row > column) for column in range(14)] for row in range(14)]), 14, parameters={"error": "1/100"},
        **{key: list(range(14)) for key in ("rows", "columns")}, inverse=[[
        f"{(column == row + 1) - (column == row) - (row == 13 and column == 0)}/2" for column in range(14)]
        for row in range(14)]),
    "signs_in_a_plane": lambda: hard("plane", listed(noise(2000, 2000))),
    "patterns_of_signs": lambda: hard("signs", INDEX,
        of={"kind": "vc", "direction": "alice-to-bob", "of": {"kind": "shattered", "places": "1ffff"}}),
    "all_sets_of_many_lines": lambda: hard("all-sets", listed(noise(16, 4500)), "1/1",
        parameters={"weights": [[10**23 + row * column for column in range(4500)] for row in range(16)]}),
    "all_sets_of_24_lines": lambda: hard("all-sets", listed(noise(24, 24)), "1/1",
        parameters={"weights": [[1 + (row * column) % 7 for column in range(24)] for row in range(24)]}),
    "all_sets_of_34_lines": lambda: hard("all-sets", listed(noise(34, 34)), "1/1",
        parameters={"weights": [[1] * 34] * 34}),
    "all_sets_with_long_sums": lambda: hard("all-sets", listed(noise(34, 67)), "1/1",
        parameters={"weights": [[10**18 + row * column for column in range(67)] for row in range(34)]}),
    "all_sets_with_sums_that_fit": lambda: hard("all-sets", listed(noise(32, 67)), "1/1",
        parameters={"weights": [[10**18 + row * column for column in range(67)] for row in range(32)]}),
    "all_sets_of_many_orthogonal_lines": lambda: hard("all-sets",
        listed(["".join(str((row & column).bit_count() & 1) for column in range(32)) for row in range(28)]), "1/1",
        parameters={"weights": [[1] * 32] * 28}),
    "a_biased_rectangle": lambda: hard("biased-rectangle", listed(noise(1000, 1000)), "0/1",
        parameters={"weights": [[1] * 1000] * 1000}, rectangle=["f" * 250, "f" * 250]),
    "weights_of_many_lines": lambda: hard("diagonals", listed(noise(260, 259)), f"{10**18}/1",
        parameters={"weights": [[(row * column * 7 + row) % (1 << 40) for column in range(259)] for row in range(260)]},
        **{key: [f"{10 ** 30 + place}/1" for place in range(520)] for key in ("most", "least")}),
    "a_distribution_hard_for_messages_of_long_shares": lambda: hard("hard-for-messages", named("equality", 4), "1/1",
        about="one-way success", parameters={"bits": 3}, bits=3,
        cells=[[row, column, f"{1 + (row == column == 0) * ((1 << 1000) - 257)}/{(1 << 1000) - 1}"]
        for row in range(16) for column in range(16)]),
    "values_of_many_labels": lambda: hard("lines",
        {"labels": list(range(150_000)), "rows": [[149_999] * 150_000]}, 1, about="nonnegative-rank",
        parameters={"values": [1] * 150_000}),
    "factors_of_many_dimensions": lambda: hard("factors", named("greater-than", 11), 170,
        **dict.fromkeys(("rows", "columns"), [["1/1"] * 170] * 2048)),
    "a_spectral_norm_of_signs": lambda: hard("forster", listed(noise(200, 200)), doublings=3,
        **{key: list(range(200)) for key in ("rows", "columns")}),
    "a_large_minor": lambda: hard("minor", listed(noise(1500, 1500)), prime=2147483647,
        **{key: list(range(1500)) for key in ("rows", "columns")}),
    "counts_of_many_states": lambda: of_every_length(equality_of_letters(60), diagonal_words(64, 60, 31)),
}  # fmt: skip
