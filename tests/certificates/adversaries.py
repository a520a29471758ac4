"""Certificates of at most 4 MB that are as hard to check as can be: for each kind of witness what costs most."""

from __future__ import annotations

import json
import random

from ccsim.bounds.lrat import Lemma, written

MOST = 4 << 20
UNITS = {"rank": "", "fooling-set": "cells", "cover": "rectangles", "partition": "rectangles",
         "one-way-messages": "messages", "vc-dimension": "", "discrepancy": "", "least-discrepancy": "",
         "rectangle-bound": "", "partition-bound": "rectangles", "gamma_2": "", "public-coin success": "",
         "leaves": "leaves", "nonnegative-rank": "", "sign-rank": "", "approximate-rank": ""}  # fmt: skip
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
    unit = UNITS.get(measure)
    proofs = [{"side": side, "value": value, "witness": witness}]
    return {"format": "ccsim-certificate", "version": 1, "matrix": matrix, "measure": measure,
            "unit": "bits" if unit is None else unit, "parameters": parameters, "proofs": proofs}  # fmt: skip


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
NOTHING = [[], [], ""]


@case
def splits_that_nobody_may_begin():
    node = [5, [0, -1], HALF, HALF, "splits", NOTHING, NOTHING]
    return filled(lambda nodes: refutation(named("equality", 11), nodes, rounds=1), node)


@case
def splits_of_many_rows():
    node = [5, [0, -1], "f" * 32768, "3", "splits", NOTHING, NOTHING]
    return filled(lambda nodes: refutation(named("index", 17), nodes, rounds=1), node)


@case
def splits_of_long_rows():
    rows = ["01" * 900_000, "10" * 900_000]
    node = [5, [0, -1], "3", [1_799_999, 0], "splits", NOTHING, NOTHING]
    return filled(lambda nodes: refutation(listed(rows), nodes, rounds=1), node)


@case
def splits_of_many_answers():
    rows = [[(row + column) % 200 for column in range(4)] for row in range(70_000)]
    node = [5, [0, -1], "f" * 17500, "f", "splits", NOTHING, NOTHING]
    return filled(lambda nodes: refutation(listed(rows, 200), nodes, rounds=1), node)


@case
def ranks_over_large_fields():
    node = [0, None, [0, 1], [0, 1], "rank", [2147483647, 2147483647]]
    return filled(lambda nodes: refutation(named("equality", 11), nodes), node)


@case
def ranks_of_long_rows():
    rows = ["01" * 500_000, "10" * 500_000]
    node = [0, None, "3", [999_999, 0], "rank", [2, 3]]
    return filled(lambda nodes: refutation(listed(rows), nodes), node)


@case
def ranks_of_long_rows_over_three():
    node = [0, None, "3", "f" * 250_000, "rank", [3, 3]]
    return filled(lambda nodes: refutation(listed(["01" * 500_000, "10" * 500_000]), nodes), node)


@case
def a_split_of_long_rows():
    rows = noise(7, 300_000)
    node = [4, None, "7f", "f" * 75_000, "splits", [[3, 2], [], ""], [[3], [], ""]]
    return refutation(listed(rows), [node])


@case
def ranks_of_many_rows():
    node = [0, None, "f" * 32768, "3", "rank", [3, 2]]
    return filled(lambda nodes: refutation(named("index", 17), nodes), node)


@case
def a_split_of_high_rank():
    node = [11, None, HALF, HALF, "splits", [[2, 3], [], ""], NOTHING]
    return refutation(named("inner-product", 11), [node])


@case
def a_split_of_low_rank():
    node = [5, None, "f" * 16, "f" * 16, "splits", [[2, 3], [], ""], NOTHING]
    return refutation(listed(noise(64, 64)), [node])


@case
def a_split_over_two():
    node = [6, None, "f" * 16, "f" * 16, "splits", [[2], [], ""], NOTHING]
    return refutation(listed(noise(64, 64)), [node])


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
def all_splits_of_four_bits():
    rows = noise(40, 40, seed=3)
    node = [4, None, "f" * 10, "f" * 10, "four"]
    return filled(lambda nodes: refutation(listed(rows), nodes), node)


@case
def all_splits_of_long_rows():
    node = [4, None, "7f", "f" * 125_000, "four"]
    return filled(lambda nodes: refutation(listed(noise(7, 500_000, seed=5)), nodes), node)


@case
def splits_of_few_lines_far_down():
    """Sets of lines are no longer than what is split, though the matrix has many lines."""
    rng, lines = random.Random(1), list(range(599_880, 600_000))
    cores = [[0, None, sorted(rng.sample(lines, 60)), "3", "rank", [2, 2]] for _ in range(170)]
    node = [1, None, lines, "3", "splits", [[], list(range(170)), ""], NOTHING]
    return refutation(listed(["01", "10"] * 300_000), [*cores, node])


@case
def cores_of_the_same_rectangle():
    node = [1, None, "f" * 16, "f" * 16, "rank", [2, 2]]
    numbers = [0] * 1_900_000
    return refutation(
        listed(noise(64, 64)), [node, [1, None, "f" * 16, "f" * 16, "splits", [[], numbers, ""], NOTHING]]
    )


@case
def cores_by_the_closed_form():
    text = f"{HALF}:{HALF} " * 3900
    return refutation(named("greater-than", 11), [[4, None, HALF, HALF, "splits", [[], [], text.strip()], NOTHING]])


@case
def closed_forms():
    node = [3, None, HALF, HALF, "three"]
    return filled(lambda nodes: refutation(named("greater-than", 11), nodes), node)


@case
def closed_forms_of_long_rows():
    rows = noise(6, 500_000, seed=2)
    node = [3, None, "3f", "f" * 125_000, "three"]
    return filled(lambda nodes: refutation(listed(rows), nodes), node)


@case
def fooling_sets_of_nodes():
    node = [0, None, HALF, HALF, "fooling", [[place, place] for place in range(2048)]]
    return filled(lambda nodes: refutation(named("equality", 11), nodes), node)


@case
def rectangles_of_few_letters():
    node = [0, None, [131071], [0, 16], "rank", [2, 2]]
    return filled(lambda nodes: refutation(named("index", 17), nodes), node)


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
def a_tree_of_which_alice_knows_all():
    leaf = {"answers": [[place, 0] for place in range(131072)]}
    tree = {"speaker": "bob", "ones": [0], "zero": leaf, "one": {"answer": 0}}
    parameters = {**BOTH, "answer": "alice"}
    return claim(named("index", 17), "deterministic", "upper", parameters, {"kind": "protocol-tree", "tree": tree})


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


@case
def a_distribution_hard_for_messages():
    cells = [[row, column, "1/32768"] for row in range(16) for column in range(2048)]
    return claim(named("equality", 11), "one-way success", "upper", {**ALICE, "bits": 3},
                 {"kind": "hard-for-messages", "bits": 3, "cells": cells}, "1/1")  # fmt: skip


@case
def a_distribution_hard_for_messages_of_many_answers():
    cells = [[row, column, "1/256"] for row in range(16) for column in range(16)]
    rows = [[row * 16 + column for column in range(16)] for row in range(16)]
    return claim(listed(rows, 256), "one-way success", "upper", {**ALICE, "bits": 3},
                 {"kind": "hard-for-messages", "bits": 3, "cells": cells}, "1/1")  # fmt: skip


@case
def a_distribution_hard_for_messages_of_long_shares():
    long = (1 << 1000) - 1
    cells = [
        [row, column, f"{1 + (row == column == 0) * (long - 256)}/{long}"] for row in range(16) for column in range(16)
    ]
    return claim(named("equality", 4), "one-way success", "upper", {**ALICE, "bits": 3},
                 {"kind": "hard-for-messages", "bits": 3, "cells": cells}, "1/1")  # fmt: skip


@case
def a_mixture_of_many_messages():
    entries = [{"weight": "1/300", "messages": [0] * 2048, "answers": [[0] * 2048]} for _ in range(300)]
    return claim(named("equality", 11), "one-way success", "lower", {**ALICE, "bits": 3},
                 {"kind": "message-mixture", "protocols": entries}, "0/1")  # fmt: skip


@case
def a_hard_distribution_of_few_bits():
    cells = [[place, place, "1/11"] for place in range(11)]
    return claim(named("equality", 4), "public-coin success", "upper", {**BITS, "bits": 1},
                 {"kind": "hard-distribution", "bits": 1, "cells": cells}, "1/1")  # fmt: skip


@case
def a_hard_distribution_of_many_bits():
    cells = [[row, column, "1/81"] for row in range(9) for column in range(9)]
    return claim(named("equality", 4), "public-coin success", "upper", {**BITS, "bits": 9},
                 {"kind": "hard-distribution", "bits": 9, "cells": cells}, "1/1")  # fmt: skip


@case
def a_hard_distribution_of_many_answers():
    cells = [[row, column, "1/100"] for row in range(10) for column in range(10)]
    rows = [[row * 10 + column for column in range(10)] for row in range(10)]
    return claim(listed(rows, 100), "public-coin success", "upper", {**BITS, "bits": 1},
                 {"kind": "hard-distribution", "bits": 1, "cells": cells}, "1/1")  # fmt: skip


@case
def a_hard_distribution_of_two_bits_and_many_answers():
    cells = [[row, column, "1/256"] for row in range(16) for column in range(16)]
    rows = [[row * 16 + column for column in range(16)] for row in range(16)]
    return claim(listed(rows, 256), "public-coin success", "upper", {**BITS, "bits": 2},
                 {"kind": "hard-distribution", "bits": 2, "cells": cells}, "1/1")  # fmt: skip


@case
def a_hard_distribution_on_one_column():
    cells = [[row, 0, "1/16"] for row in range(16)]
    return claim(listed([[row] for row in range(16)], 16), "public-coin success", "upper", {**BITS, "bits": 2},
                 {"kind": "hard-distribution", "bits": 2, "cells": cells}, "1/1")  # fmt: skip


@case
def a_hard_distribution_of_two_bits_on_many_lines():
    cells = [[row, column, "1/256"] for row in range(16) for column in range(16)]
    rows = [[(row * column + row) % 5 for column in range(16)] for row in range(16)]
    return claim(listed(rows, 5), "public-coin success", "upper", {**BITS, "bits": 2},
                 {"kind": "hard-distribution", "bits": 2, "cells": cells}, "1/1")  # fmt: skip


@case
def a_hard_distribution_of_three_bits():
    cells = [[row, column, "1/110"] for row in range(10) for column in range(11)]
    rows = [[(row * column + row) % 7 for column in range(11)] for row in range(10)]
    return claim(listed(rows, 7), "public-coin success", "upper", {**BITS, "bits": 3},
                 {"kind": "hard-distribution", "bits": 3, "cells": cells}, "1/1")  # fmt: skip


@case
def a_hard_distribution_of_unlike_sides():
    cells = [[row, column, "1/96"] for row in range(16) for column in range(6)]
    return claim(named("equality", 4), "public-coin success", "upper", {**BITS, "bits": 1},
                 {"kind": "hard-distribution", "bits": 3, "cells": cells}, "1/1")  # fmt: skip


@case
def pivots():
    witness = {"kind": "pivots", "prime": 2147483647, "rows": HALF, "columns": HALF}
    return claim(named("greater-than", 11), "rank", "lower", {"code": 1, "field": "rational"}, witness)


@case
def pivots_of_few_columns():
    witness = {"kind": "pivots", "prime": 3, "rows": "f" * 32768, "columns": "1ffff"}
    return claim(named("index", 17), "rank", "lower", {"code": 1, "field": "rational"}, witness)


@case
def pivots_over_two():
    witness = {"kind": "pivots", "prime": 2, "rows": "f" * 1000, "columns": "f" * 250}
    return claim(listed(noise(4000, 1000)), "rank", "lower", {"code": 1, "field": "GF(2)"}, witness)


@case
def pivots_of_half_the_rank():
    witness = {"kind": "pivots", "prime": 3, "rows": "f" * 100, "columns": "f" * 100}
    return claim(listed(noise(400, 400)), "rank", "lower", {"code": 1, "field": "GF(3)"}, witness)


def some_primes(count, above=2147480000):
    found, number = [], above
    while len(found) < count:
        number -= 1
        if all(number % divisor for divisor in range(2, 100)) and pow(2, number - 1, number) == 1:
            found.append(number)
    return found


@case
def elimination_over_many_fields():
    witness = {"kind": "elimination", "primes": some_primes(30_000)}
    return claim(listed(["10", "01"]), "rank", "upper", {"code": 1, "field": "rational"}, witness, 2)


@case
def elimination_over_small_numbers():
    witness = {"kind": "elimination", "primes": [2] * 1_900_000}
    return claim(listed(["10", "01"]), "rank", "upper", {"code": 1, "field": "rational"}, witness, 2)


@case
def equal_lines():
    return claim(named("greater-than", 11), "rank", "upper", {"code": 1, "field": "GF(2147483647)"}, {"kind": "lines"},
                 2048)  # fmt: skip


@case
def a_large_fooling_set():
    cells = [[place % 2048, place // 2048] for place in range(400_000)]
    return claim(named("greater-than", 11), "fooling-set", "lower", FOOLING | {"code": None, "answer": "alice"},
                 {"kind": "fooling-set", "cells": cells})  # fmt: skip


@case
def a_fooling_set_of_one_cell():
    return claim(
        named("greater-than", 11), "fooling-set", "lower", FOOLING, {"kind": "fooling-set", "cells": [[1, 0]] * 600_000}
    )


@case
def a_fooling_set_of_many_rows():
    cells = [[place, place % 17] for place in range(131072)]
    return claim(named("index", 17), "fooling-set", "lower", {"code": None, "answer": "alice"},
                 {"kind": "fooling-set", "cells": cells})  # fmt: skip


@case
def a_fooling_set_of_long_rows():
    rows = ["01" * 900_000, "10" * 900_000]
    cells = [[0, place] for place in range(1, 100_000, 2)]
    return claim(listed(rows), "fooling-set", "lower", {"code": 1, "answer": "bob"},
                 {"kind": "fooling-set", "cells": cells})  # fmt: skip


@case
def a_fooling_search():
    rows = noise(48, 48)
    cells = [[r, c] for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == "1"]
    return claim(listed(rows), "fooling-set", "upper", FOOLING,
                 {"kind": "fooling-search", "at_most": 14, "cells": cells}, 14)  # fmt: skip


@case
def a_fooling_search_over_many_cells():
    rows = noise(600, 600)
    cells = [[r, c] for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == "1"]
    return claim(listed(rows), "fooling-set", "upper", FOOLING,
                 {"kind": "fooling-search", "at_most": 200, "cells": cells}, 200)  # fmt: skip


@case
def a_fooling_search_of_one_class_after_the_other():
    cells = [[place, place] for place in range(2048)]
    return claim(named("equality", 11), "fooling-set", "upper", FOOLING,
                 {"kind": "fooling-search", "at_most": 2047, "cells": cells}, 2047)  # fmt: skip


@case
def a_fooling_search_by_rows():
    return claim(listed(noise(48, 48)), "fooling-set", "upper", FOOLING,
                 {"kind": "fooling-rows", "at_most": 14, "rows": list(range(48))}, 14)  # fmt: skip


@case
def a_fooling_search_by_short_rows():
    return claim(listed(noise(150, 24)), "fooling-set", "upper", FOOLING,
                 {"kind": "fooling-rows", "at_most": 20, "rows": list(range(150))}, 20)  # fmt: skip


@case
def a_fooling_search_by_long_rows():
    return claim(listed(noise(24, 150)), "fooling-set", "upper", FOOLING,
                 {"kind": "fooling-rows", "at_most": 20, "rows": list(range(24))}, 20)  # fmt: skip


@case
def a_fooling_search_by_rows_of_one_class_after_the_other():
    return claim(named("equality", 11), "fooling-set", "upper", FOOLING,
                 {"kind": "fooling-rows", "at_most": 2047, "rows": list(range(2048))}, 2047)  # fmt: skip


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
def orbits_of_a_large_matrix():
    cells = [[place, place] for place in range(2048)]
    same = [list(range(2048))] * 2
    witness = {"kind": "fooling-orbits", "at_most": 0, "cells": cells, "symmetries": [[same] * 200, [None]]}
    return claim(named("equality", 11), "fooling-set", "upper", FOOLING, witness)


@case
def orbits_that_are_plain():
    cells = [[place, place] for place in range(2048)]
    return claim(named("equality", 11), "fooling-set", "upper", FOOLING,
                 {"kind": "fooling-orbits", "at_most": 2047, "cells": cells, "symmetries": None}, 2047)  # fmt: skip


@case
def rectangles_of_long_rows():
    rows = ["1" * 1_900_000, "0" * 100_000 + "1" * 1_800_000]

    def make(entries):
        return claim(listed(rows), "cover", "upper", {"code": 1}, {"kind": "rectangles", "rectangles": entries}, 10**9)

    return make([[[0, 1], [1_899_999]]] * 20_000)


@case
def rectangles_of_many_rows():
    rows = ["1"] * 900_000
    entries = [[[899_999, 0], [0]]] * 20_000
    return claim(listed(rows), "cover", "upper", {"code": 1}, {"kind": "rectangles", "rectangles": entries}, 10**9)


@case
def large_rectangles():
    entries = [["f" * 512, "f" * 512]] * 3500
    return claim(listed(["1" * 2048] * 100), "cover", "upper", {"code": 1}, {"kind": "rectangles", "rectangles":
                 [["f" * 25, "f" * 512]] * 6000}, len(entries) * 2)  # fmt: skip


@case
def all_rectangles_of_a_named_matrix():
    """The complement of equality has large ones."""
    entries = [["5" * 512, "a" * 512]] * 4000
    return claim(named("equality", 11), "cover", "upper", {"code": 0}, {"kind": "rectangles", "rectangles": entries},
                 10**9)  # fmt: skip


def lrat(matrix, budget, *steps):
    def make(proof):
        parts = [written([Lemma(*step)], 0) for step in proof[: len(steps)]]
        text = "".join(parts) * (MOST // max(1, len("".join(parts)))) if parts else ""
        return claim(matrix, "cover", "lower", {"code": 1},
                     {"kind": "lrat", "budget": budget, "apart": [], "proof": text[: MOST - 20_000]})  # fmt: skip

    return make(steps)


@case
def clauses_of_a_large_matrix():
    return lrat(named("greater-than", 11), 300, ([1, -1], []))


@case
def clauses_of_many_rectangles():
    return lrat(listed(noise(60, 60)), 60_000, ([1, -1], [-1]), ([5, -5], [-1]))


@case
def clauses_that_say_much():
    return lrat(listed(noise(60, 60)), 30, *[([1 + place, -1 - place], []) for place in range(3600)])


@case
def clauses_of_partitions_into_many():
    """A cell in one rectangle is in no other: each literal says as much of all the others."""
    proof = written([Lemma([1 + 7000 * (120 + place), -1 - 7000 * (120 + place)], []) for place in range(900)], 0)
    return claim(listed(noise(60, 60)), "partition", "lower", {"code": 1},
                 {"kind": "lrat", "budget": 7000, "apart": [], "proof": proof * (MOST // len(proof) - 1)})  # fmt: skip


@case
def clauses_that_are_long():
    return lrat(listed(noise(60, 60)), 30, ([one for place in range(1, 2000) for one in (place, -place)], [-1, -2, -3]))


@case
def clauses_of_one_digit():
    return lrat(listed(noise(60, 60)), 0, ([], [-1]))


@case
def a_number_that_does_not_end():
    return claim(listed(["1"]), "cover", "lower", {"code": 1},
                 {"kind": "lrat", "budget": 1, "apart": [], "proof": "-" * (MOST - 500)})  # fmt: skip


@case
def cover_weights_that_are_long():
    weights = [[place, place, 1 << 63] for place in range(2048)]
    return claim(named("equality", 11), "cover", "lower", {"code": 1},
                 {"kind": "cover-weights", "at_most": 1 << 63, "weights": weights}, 1)  # fmt: skip


@case
def cover_weights_of_many_rows():
    weights = [[place, 16, (1 << 64) - 1] for place in range(1, 131072, 2)]
    return claim(named("index", 17), "cover", "lower", {"code": 1},
                 {"kind": "cover-weights", "at_most": 1 << 64, "weights": weights}, 1)  # fmt: skip


@case
def a_crown():
    cells = [[place, place] for place in range(2048)]
    return claim(named("equality", 11), "cover", "lower", {"code": 0}, {"kind": "crown", "cells": cells}, 1)


def branch_and_cut(rows, budget, *cases):
    witness = {"kind": "branch-and-cut", "budget": budget, "cases": list(cases)}
    return claim(listed(rows), "cover", "lower", {"code": 1}, witness, budget + 1)


@case
def branch_and_cut_of_many_cases():
    return branch_and_cut(noise(24, 24), 1, *[[0]] * 900_000)


@case
def branch_and_cut_of_many_cuts():
    return branch_and_cut(noise(24, 24), 1, *[[[0]]] * 600_000)


@case
def branch_and_cut_of_long_cuts():
    return branch_and_cut(noise(24, 24), 1, *[[list(range(200)) * 5]] * 1000)


@case
def branch_and_cut_of_many_weights():
    rows = noise(18, 18)
    own = sum(row.count("1") for row in rows)
    within = [[0], [1 << 20, [1] * (own + 1)]]
    return branch_and_cut(rows, 0, *within * (MOST // (12 * own)), [1 << 20, [1] * own])


@case
def branch_and_cut_of_cuts_and_cases():
    """Each division copies all cuts that came before it."""
    return branch_and_cut(noise(18, 18), 1, *[[[0]]] * 100_000, *[[0]] * 300_000)


@case
def branch_and_cut_of_many_rectangles():
    return branch_and_cut(noise(44, 44), 1, [1, [1] * 968])


@case
def branch_and_cut_of_long_rows():
    return branch_and_cut(noise(6, 600_000), 1, [1, []])


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


@case
def distinct_partial_lines():
    rows = ["".join("1" if place == row else "0" for place in range(1999)) + "*" for row in range(1999)]
    return claim(listed(rows), "one-way-messages", "lower", ALICE,
                 {"kind": "distinct-lines", "lines": list(range(1999))})  # fmt: skip


@case
def distinct_lines_of_many_answers():
    rows = [[row % 999, row // 999, -1] for row in range(150_000)]
    return claim(listed(rows, 1000), "one-way-messages", "lower", ALICE,
                 {"kind": "distinct-lines", "lines": list(range(150_000))})  # fmt: skip


@case
def one_line_again_and_again():
    return claim(listed(["01" * 500_000]), "one-way-messages", "lower", ALICE,
                 {"kind": "distinct-lines", "lines": [0] * 1_000_000})  # fmt: skip


@case
def messages_of_many_answers():
    rows = [[row % 200] for row in range(340_000)]
    return claim(listed(rows, 200), "one-way-messages", "upper", ALICE,
                 {"kind": "message-classes", "classes": [0] * 340_000}, 1)  # fmt: skip


@case
def messages_of_short_lines():
    rows = [[row % 2000] for row in range(340_000)]
    return claim(listed(rows, 2000), "one-way-messages", "upper", ALICE,
                 {"kind": "message-classes", "classes": [row % 2000 for row in range(340_000)]}, 2000)  # fmt: skip


@case
def branching_over_messages():
    rows = [f"{place:011b}" for place in range(2048)]
    return claim(listed(rows), "one-way-messages", "lower", ALICE,
                 {"kind": "branching", "budget": 2047, "proof": list(range(2048))})  # fmt: skip


@case
def branching_over_lines_in_no_conflict():
    rows = ["*" * 1000] * 1000
    return claim(listed(rows), "one-way-messages", "lower", ALICE,
                 {"kind": "branching", "budget": 1000, "proof": list(range(1000)) * 500})  # fmt: skip


@case
def branching_over_many_rows():
    rows = ["*"] * 900_000
    return claim(listed(rows), "one-way-messages", "lower", ALICE,
                 {"kind": "branching", "budget": 1000, "proof": [899_999] * 50_000})  # fmt: skip


@case
def a_listing_of_shattered_sets():
    return claim(named("index", 14), "vc-dimension", "upper", ALICE, {"kind": "vc-listing", "at_most": 13}, 13)


@case
def a_listing_over_long_lines():
    return claim(listed(["01" * 400_000, "10" * 400_000, "0011" * 200_000]), "vc-dimension", "upper", ALICE,
                 {"kind": "vc-listing", "at_most": 0})  # fmt: skip


@case
def a_listing_over_pairs():
    return claim(listed(noise(16, 250_000)), "vc-dimension", "upper", ALICE,
                 {"kind": "vc-listing", "at_most": 3}, 3)  # fmt: skip


@case
def shattered_places():
    return claim(named("index", 17), "vc-dimension", "lower", ALICE, {"kind": "shattered", "places": "1ffff"}, 17)


@case
def all_sets_of_many_lines():
    weights = [[10**23 + row * column for column in range(4500)] for row in range(16)]
    return claim(listed(noise(16, 4500)), "discrepancy", "upper", {"weights": weights}, {"kind": "all-sets"}, "1/1")


@case
def all_sets_of_24_lines():
    weights = [[1 + (row * column) % 7 for column in range(24)] for row in range(24)]
    return claim(listed(noise(24, 24)), "discrepancy", "upper", {"weights": weights}, {"kind": "all-sets"}, "1/1")


@case
def a_biased_rectangle():
    weights = [[1] * 1000 for _ in range(1000)]
    return claim(listed(noise(1000, 1000)), "discrepancy", "lower", {"weights": weights},
                 {"kind": "biased-rectangle", "rectangle": ["f" * 250, "f" * 250]}, "0/1")  # fmt: skip


@case
def a_distribution():
    size = 340
    weights = [[10**22 + row * column for column in range(size)] for row in range(size)]
    return claim(listed(noise(size, size)), "least-discrepancy", "upper", {},
                 {"kind": "distribution", "weights": weights,
                  "of": {"kind": "diagonals", "most": ["1/1"] * 681, "least": ["1/1"] * 681}}, "1/1")  # fmt: skip


PARTITION = {"answer": "both", "coins": "public", "error": "1/3"}


@case
def weighted_rectangles_with_long_weights():
    rows = [[HALF, HALF, 0, f"{LONG}/{2**6000}"], [HALF, HALF, 1, f"1/{2**6000}"]]
    return claim(named("equality", 11), "partition-bound", "upper", PARTITION,
                 {"kind": "weighted-rectangles", "rectangles": rows}, 1)  # fmt: skip


@case
def many_weighted_rectangles():
    return claim(named("equality", 11), "rectangle-bound", "upper", {"code": 1, "error": "1/3", "smooth": False},
                 {"kind": "weighted-rectangles", "rectangles": [[HALF, HALF, 1, "1/1"]] * 3000}, 1)  # fmt: skip


@case
def small_weighted_rectangles():
    size = [[[2047], [0], 1, f"1/{2**12 * 3**5}"]] * 100_000
    return claim(named("equality", 11), "rectangle-bound", "upper", {"code": 1, "error": "1/3", "smooth": False},
                 {"kind": "weighted-rectangles", "rectangles": size}, 1)  # fmt: skip


@case
def weighted_rectangles_of_many_denominators():
    rng = random.Random(1)
    rows = [[[0], [0], 1, f"{rng.randrange(10**9)}/{2 ** rng.randrange(6000)}"] for _ in range(2500)]
    rows += [[[0], [0], 1, f"1/{3**2000}"]] * 1000 + [[[0], [0], 1, "1/5"]] * 49000
    return claim(named("equality", 11), "rectangle-bound", "upper", {"code": 1, "error": "1/3", "smooth": False},
                 {"kind": "weighted-rectangles", "rectangles": rows}, 1)  # fmt: skip


@case
def cell_weights_for_many_answers():
    rows = [[row * 500 + column for column in range(500)] for row in range(500)]
    return claim(listed(rows, 250_000), "partition-bound", "lower", PARTITION,
                 {"kind": "cell-weights", "cells": [[0, 0, "1/1", "0/1"]]})  # fmt: skip


@case
def cell_weights_of_many_lines():
    cells = [
        [row, column, f"{10**30 + row}/1", f"-{column + 1}/{2**4000}"] for row in range(18) for column in range(18)
    ]
    return claim(listed(noise(18, 18)), "partition-bound", "lower", PARTITION,
                 {"kind": "cell-weights", "cells": cells})  # fmt: skip


@case
def cell_weights_of_24_lines():
    cells = [[row, column, "1/1", "-1/7"] for row in range(24) for column in range(24)]
    return claim(listed(noise(24, 24)), "partition-bound", "lower", PARTITION,
                 {"kind": "cell-weights", "cells": cells})  # fmt: skip


def triangle(size, digits):
    rng = random.Random(1)
    rows = [[f"{rng.randrange(10**digits)}/1" for _ in range(row)] for row in range(size)]
    return [[*row, f"{10 ** (digits + 4)}/1"] for row in rows]


@case
def a_gram_matrix():
    witness = {"kind": "gamma2-gram", "gram": triangle(80, 57), "rows": [0] * 2048, "columns": [1] * 2048}
    return claim(named("equality", 11), "gamma_2", "upper", {"label": 1, "alpha": "2/1"}, witness, "1/1")


@case
def a_large_gram_matrix():
    witness = {"kind": "gamma2-gram", "gram": triangle(520, 22), "rows": [0] * 2048, "columns": [1] * 2048}
    return claim(named("equality", 11), "gamma_2", "upper", {"label": 1, "alpha": "2/1"}, witness, "1/1")


@case
def a_large_dual_gram_matrix():
    gram = [[*["0/1"] * row, f"{10**60}/1"] for row in range(520)]
    witness = {"kind": "gamma2-dual", "gram": gram, "rows": list(range(260)), "columns": list(range(260))}
    return claim(named("equality", 11), "gamma_2", "lower", {"label": 1, "alpha": "2/1"}, witness, "1/1")


@case
def weights_of_many_lines():
    weights = [[(row * column * 7 + row) % (1 << 40) for column in range(259)] for row in range(260)]
    heavy = [f"{10**30 + place}/1" for place in range(520)]
    return claim(listed(noise(260, 259)), "discrepancy", "upper", {"weights": weights},
                 {"kind": "diagonals", "most": heavy, "least": heavy}, f"{10**18}/1")  # fmt: skip


@case
def a_small_gram_matrix_of_long_numbers():
    witness = {"kind": "gamma2-gram", "gram": triangle(24, 200), "rows": [0] * 2048, "columns": [1] * 2048}
    return claim(named("equality", 11), "gamma_2", "upper", {"label": 1, "alpha": "2/1"}, witness, "1/1")


@case
def a_dual_gram_matrix():
    witness = {"kind": "gamma2-dual", "gram": triangle(80, 57), "rows": list(range(40)), "columns": list(range(40))}
    return claim(named("equality", 11), "gamma_2", "lower", {"label": 1, "alpha": "2/1"}, witness, "1/1")


@case
def bits_of_a_long_error():
    inside = {"kind": "gamma2-gram", "gram": [["1/1"]], "rows": [0], "columns": [0]}
    witness = {"kind": "bits-of", "measure": "gamma_2", "given": {"label": 0}, "of": inside}
    return claim(named("equality", 11), "randomised", "lower", {**PARTITION, "error": f"1/{LONG}"}, witness, 1)


@case
def bits_of_a_dimension():
    witness = {
        "kind": "bits-of",
        "measure": "vc-dimension",
        "given": {},
        "of": {"kind": "shattered", "places": "1ffff"},
    }
    return claim(named("index", 17), "one-way-randomised", "lower", {**ALICE, "error": "499/1000"}, witness)


@case
def patterns_of_a_long_word():
    witness = {"kind": "bits-of", "measure": "vc-dimension", "given": {}, "of": {"kind": "all-patterns"}}
    return claim(named("index", 1 << 20), "one-way-randomised", "lower", {**ALICE, "error": "1/3"}, witness, 1)


@case
def patterns_of_an_error_of_many_digits():
    witness = {"kind": "bits-of", "measure": "vc-dimension", "given": {}, "of": {"kind": "all-patterns"}}
    return claim(named("index", 2500), "one-way-randomised", "lower", {**ALICE, "error": "333/1000"}, witness, 1)


@case
def a_large_field():
    return claim(listed(["10", "01"]), "rank", "upper", {"code": 1, "field": "GF(2147483647)"}, {"kind": "lines"}, 2)


@case
def masks_of_many_answers():
    rows = [[row % 200] for row in range(600_000)]
    return claim(listed(rows, 200), "cover", "upper", {"code": None},
                 {"kind": "parts", "parts": [{"kind": "rectangles", "rectangles": []}] * 200})  # fmt: skip


@case
def nothing_but_brackets():
    return refutation(named("equality", 1), [[]] * 1_300_000)


@case
def many_labels():
    return claim({"labels": [f"{place:x}" for place in range(250_000)], "rows": [[0, 1]] * 170_000}, "cover", "upper",
                 {"code": 0}, {"kind": "rectangles", "rectangles": []})  # fmt: skip


@case
def all_rectangles_of_a_square():
    everything = {"kind": "all-rectangles", "rows": "7ff", "columns": "7ff"}
    return claim(listed(noise(11, 11, 3), 3), "deterministic", "lower", BOTH, everything)


@case
def all_rectangles_of_twelve_columns():
    everything = {"kind": "all-rectangles", "rows": "7ff", "columns": "fff"}
    return claim(listed(noise(11, 12, 36, free=0.5), 36), "leaves", "lower", {"answer": "bob"}, everything)


@case
def all_rectangles_of_one_row():
    everything = {"kind": "all-rectangles", "rows": "1", "columns": "7fff"}
    return claim(listed(noise(1, 15)), "deterministic", "lower", {**BOTH, "answer": "bob"}, everything)


@case
def all_rectangles_of_many_answers():
    rows = [[16 * row + column for column in range(16)] for row in range(16)]
    everything = {"kind": "all-rectangles", "rows": "ffff", "columns": "f"}
    return claim(listed(rows, 256), "leaves", "lower", {"answer": "alice"}, everything)


@case
def leaves_by_ranks():
    ranks = {"kind": "leaf-rank", "primes": [3, 3]}
    return claim(listed(noise(1400, 1400)), "leaves", "lower", {"answer": "both"}, ranks)


@case
def many_cells_of_a_relation():
    data = claim({}, "leaves", "lower", {"answer": "both"}, {"kind": "khrapchenko", "cells": []})
    allowed = [[1 << (row + column) % 120 for column in range(120)] for row in range(120)]
    cells = [[row, column] for row in range(120) for column in range(120)]
    witness = {"kind": "khrapchenko", "cells": cells}
    matrix = {"labels": list(range(120)), "allowed": allowed}
    return {**data, "matrix": matrix, "proofs": [{"side": "lower", "value": 0, "witness": witness}]}


@case
def all_rectangles_of_a_relation():
    allowed = [[(1 << 127) + row * 12 + column + 1 for column in range(16)] for row in range(2000)]
    matrix = {"labels": list(range(128)), "allowed": allowed}
    everything = {"kind": "all-rectangles", "rows": "7ff", "columns": "7ff"}
    return claim(matrix, "deterministic", "lower", BOTH, everything)


PLAIN, LABEL = {"values": [0, 1]}, {"label": 1}


@case
def factors_of_long_numbers():
    entry = f"{2**1000 - 1}/{2**1000 - 3}"
    lines = [[entry] * 3 for _ in range(1000)]
    return claim(named("equality", 10), "sign-rank", "upper", LABEL,
                 {"kind": "factors", "rows": [*lines, *lines[:24]], "columns": [["1/1"] * 3] * 1024}, 3)  # fmt: skip


@case
def values_of_many_labels():
    labels = 150_000
    matrix = {"labels": list(range(labels)), "rows": [[labels - 1] * labels]}
    return claim(matrix, "nonnegative-rank", "upper", {"values": [1] * labels}, {"kind": "lines"}, 1)


@case
def factors_of_many_dimensions():
    lines = [["1/1"] * 170] * 2048
    return claim(named("greater-than", 11), "nonnegative-rank", "upper", PLAIN,
                 {"kind": "factors", "rows": lines, "columns": lines}, 170)  # fmt: skip


@case
def factors_of_all_signs():
    lines = [[f"{2 * place - 2047}/1", "1/1"] for place in range(2048)]
    columns = [["1/1", f"{2046 - 2 * place}/1"] for place in range(2048)]
    return claim(named("greater-than", 11), "sign-rank", "upper", LABEL,
                 {"kind": "factors", "rows": lines, "columns": columns}, 2)  # fmt: skip


@case
def a_large_minor():
    every = list(range(1500))
    return claim(listed(noise(1500, 1500)), "nonnegative-rank", "lower", PLAIN,
                 {"kind": "minor", "prime": 2147483647, "rows": every, "columns": every})  # fmt: skip


@case
def a_minor_of_some_size():
    every = list(range(700))
    return claim(listed(noise(700, 700)), "nonnegative-rank", "lower", PLAIN,
                 {"kind": "minor", "prime": 2147483647, "rows": every, "columns": every})  # fmt: skip


@case
def the_support_of_a_large_matrix():
    cells = [[place, place] for place in range(2048)]
    return claim(named("equality", 11), "nonnegative-rank", "lower", PLAIN,
                 {"kind": "support", "of": {"kind": "fooling-set", "cells": cells}})  # fmt: skip


@case
def a_spectral_norm_of_signs():
    every = list(range(200))
    return claim(listed(noise(200, 200)), "sign-rank", "lower", LABEL,
                 {"kind": "forster", "doublings": 3, "rows": every, "columns": every})  # fmt: skip


@case
def a_spectral_norm_of_many_signs():
    every = list(range(1024))
    return claim(named("inner-product", 10), "sign-rank", "lower", LABEL,
                 {"kind": "forster", "doublings": 0, "rows": every, "columns": every})  # fmt: skip


@case
def signs_in_a_plane():
    return claim(listed(noise(2000, 2000)), "sign-rank", "lower", LABEL, {"kind": "plane"})


@case
def signs_of_long_rows_in_a_plane():
    return claim(listed(noise(9, 400_000)), "sign-rank", "lower", LABEL, {"kind": "plane"})


@case
def different_signs():
    return claim(named("greater-than", 11), "sign-rank", "upper", LABEL, {"kind": "lines"}, 2048)


@case
def patterns_of_signs():
    of = {"kind": "shattered", "places": "1ffff"}
    return claim(named("index", 17), "approximate-rank", "lower", {**LABEL, "error": "1/3"},
                 {"kind": "signs", "of": {"kind": "vc", "direction": "alice-to-bob", "of": of}})  # fmt: skip


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
def counts_of_many_states():
    return of_every_length(equality_of_letters(60), diagonal_words(64, 60, 31))


@case
def counts_in_nested_substitutions():
    of = diagonal_words(60, 30, 30)
    letters = [[x] for x in range(30)]
    for _ in range(60):
        of = {"kind": "substitution", "prefix": [[0, 0]], "alice": letters, "bob": letters, "suffixes": [[]], "of": of}
    return of_every_length(equality_of_letters(30), of)
