"""Certificates that prove nothing. But for what their name says, each is well made, and something like it is true."""

import re

import pytest

from ccsim.certificates.verify import Refused, verify
from tests.certificates.adversaries import claim, listed

EQUAL, ONES, TWICE = ["10", "01"], ["11", "11"], ["01", "01"]
PLAIN = {"answer": "both", "rounds": None, "first": None}
ALICE, ONE = {"direction": "alice-to-bob"}, {"code": 1}
COINS = {"answer": "both", "coins": "public", "bits": 1}
NOTHING = [[], [], ""]
TREE = {
    "speaker": "alice",
    "ones": [0],
    "zero": {"speaker": "bob", "ones": [0], "zero": {"answer": 1}, "one": {"answer": 0}},
    "one": {"speaker": "bob", "ones": [0], "zero": {"answer": 0}, "one": {"answer": 1}},
}
FLIPPED = {**TREE, "one": {**TREE["one"], "zero": {"answer": 1}}}
ALICE_ALONE = {**TREE, "zero": {"answers": [[0, 0], [1, 1]]}, "one": {"answers": [[0, 1], [1, 0]]}}
LEAF = [0, None, "1", "3", "rank", [2, 2]]
ALONE = [1, None, "1", "3", "splits", [[], [0], ""], NOTHING]
BOB = [[0, None, "3", "1", "rank", [2, 2]], [1, None, "3", "1", "splits", NOTHING, [[], [0], ""]]]
DEEP = [2, None, "1", "3", "splits", [[], [0], ""], [[], [0], ""]]
PLACES = {"kind": "shattered", "places": [0, 1, 2]}
DIMENSION = {"kind": "bits-of", "measure": "vc-dimension", "given": {}, "of": PLACES}
CONSTANT = {"kind": "protocol-mixture", "trees": [{"weight": "1/1", "tree": {"answer": 0}}]}
HEAVY = {"kind": "cover-weights", "at_most": 1, "weights": [[0, 0, 1], [1, 1, 1]]}


def refutation(rows, value, *nodes, **changes):
    witness = {"kind": "refutation", "nodes": list(nodes)}
    return claim(listed(rows), "deterministic", "lower", {**PLAIN, **changes}, witness, value)


def tree(value, tree, **changes):
    witness = {"kind": "protocol-tree", "tree": tree}
    return claim(listed(EQUAL), "deterministic", "upper", {**PLAIN, **changes}, witness, value)


def fooling(rows, code, answer, *cells):
    witness = {"kind": "fooling-set", "cells": list(cells)}
    return claim(listed(rows), "fooling-set", "lower", {"code": code, "answer": answer}, witness, len(cells))


def orbits(rows, symmetry, *cells):
    witness = {"kind": "fooling-orbits", "at_most": 1, "cells": list(cells), "symmetries": [[symmetry], [[[], []]]]}
    return claim(listed(rows), "fooling-set", "upper", {"code": 1, "answer": "both"}, witness, 1)


def messages(rows, measure, side, value, **witness):
    return claim(listed(rows), measure, side, ALICE, witness, value)


def cover(rows, measure, *rectangles):
    witness = {"kind": "rectangles", "rectangles": list(rectangles)}
    return claim(listed(rows), measure, "upper", ONE, witness, len(rectangles))


def lrat(rows, budget, apart, proof):
    witness = {"kind": "lrat", "budget": budget, "apart": apart, "proof": proof}
    return claim(listed(rows), "cover", "lower", ONE, witness, budget + 1)


CYCLE = ["1100", "0110", "0011", "1001"]
RANK_SEARCH = {"kind": "rank-search"}
FORGERIES = {
    "a tree with one leaf for two answers": tree(0, {"answer": 0}),
    "a leaf with the other answer": tree(2, FLIPPED),
    "a tree of two rounds for one": tree(2, TREE, rounds=1),
    "a leaf at which only Bob knows": tree(1, ALICE_ALONE),
    "as many fooling cells as leaves": refutation(
        EQUAL, 3, [2, None, "3", "3", "fooling", [[0, 0], [0, 1], [1, 0], [1, 1]]]
    ),
    "ranks of as many leaves as there are": refutation(EQUAL, 3, [2, None, "3", "3", "rank", [2, 2]]),
    "no split is refuted": refutation(EQUAL, 3, [2, None, "3", "3", "splits", NOTHING, NOTHING]),
    "Alice's splits alone": refutation(["01"], 2, LEAF, ALONE),
    "Bob's splits alone": refutation(["0", "1"], 2, *BOB),
    "a core that is refuted at less depth": refutation(["01"], 3, LEAF, DEEP),
    "another number of rounds than is claimed": refutation(EQUAL, 1, [0, [3, -1], "3", "3", "rank", [2, 2]], rounds=1),
    "a fooling set of one rectangle": fooling(ONES, 1, "both", [0, 0], [1, 1]),
    "fooling cells of two answers": fooling(EQUAL, 1, "both", [0, 0], [0, 1]),
    "cells of one column, of which Alice knows all": fooling(["00", "00"], 0, "alice", [0, 0], [1, 0]),
    "cells of one row, of which Bob knows all": fooling(["00", "00"], 0, "bob", [0, 0], [0, 1]),
    "a symmetry that changes the matrix": orbits(["01", "11"], [[1, 0], [0, 1]], [0, 1], [1, 0], [1, 1]),
    "a symmetry that is none": orbits(EQUAL, [[0, 0], [0, 0]], [0, 0], [1, 1]),
    "an orbit through which there is a larger set": orbits(EQUAL, [[1, 0], [1, 0]], [0, 0], [1, 1]),
    "one message for different rows": messages(
        EQUAL, "one-way-messages", "upper", 1, kind="message-classes", classes=[0, 0]
    ),
    "rows that do not differ": messages(TWICE, "one-way-messages", "lower", 2, kind="distinct-lines", lines=[0, 1]),
    "a dimension of 2 called 1": messages(
        ["00", "01", "10", "11"], "vc-dimension", "upper", 1, kind="vc-listing", at_most=1
    ),
    "a dimension of 3, in the last columns of four, called 2": messages(
        [f"{place & 1}{place:03b}" for place in range(8)], "vc-dimension", "upper", 2, kind="vc-listing", at_most=2
    ),
    "places that are not shattered": messages(TWICE, "vc-dimension", "lower", 1, kind="shattered", places=[0]),
    "all patterns of another function": claim(
        {"function": "equality", "n": 3}, "vc-dimension", "lower", ALICE, {"kind": "all-patterns"}, 3
    ),
    "3 bits with error 1/3 where 1 is proved": claim(
        {"function": "index", "n": 3}, "one-way-randomised", "lower", {**ALICE, "error": "1/3"}, DIMENSION, 3
    ),
    "a constant that is always right": claim(listed(EQUAL), "public-coin success", "lower", COINS, CONSTANT, 1),
    "a cell on which one bit is wrong": claim(
        listed(EQUAL), "public-coin success", "upper", COINS,
        {"kind": "hard-distribution", "bits": 1, "cells": [[0, 0, "1/1"]]}, "1/2",
    ),
    "a cell left out": cover(EQUAL, "cover", ["1", "1"]),
    "a rectangle of two answers": cover(EQUAL, "cover", ["3", "3"]),
    "parts that overlap": cover(ONES, "partition", ["3", "1"], ["1", "3"], ["2", "2"]),
    "a clause that does not follow": lrat(EQUAL, 2, [], "DAAFAAABA"),
    "an empty clause from nothing": lrat(EQUAL, 2, [], "AA"),
    "a clause that follows from itself": lrat(EQUAL, 2, [], "ADA"),
    "a clause that is no clause": lrat(EQUAL, 2, [], "AIA"),
    "no empty clause in the end": lrat(EQUAL, 1, [], "CABA"),
    "cells apart that one rectangle contains": lrat(ONES, 1, [[0, 0], [1, 1]], "ABA"),
    "more cells apart than rectangles": lrat(EQUAL, 1, [[0, 0], [1, 1]], "ABCA"),
    "a cell apart with another answer": lrat(EQUAL, 1, [[0, 1]], "ABCA"),
    "a rectangle heavier than is said": claim(listed(ONES), "cover", "lower", ONE, HEAVY, 2),
    "one more than the rank of a partition": claim(listed(EQUAL), "partition", "lower", ONE, RANK_SEARCH, 3),
    "one more than the rank of repeated rows": claim(listed(TWICE), "partition", "lower", ONE, RANK_SEARCH, 2),
    "two more than the rank": claim(listed(CYCLE), "partition", "lower", ONE, RANK_SEARCH, 5),
    "one more than the rank of the other label": claim(
        listed(["110", "011", "101"]), "partition", "lower", {"code": 0}, RANK_SEARCH, 4
    ),
    "one more than no rank": claim(listed(["00", "00"]), "partition", "lower", ONE, RANK_SEARCH, 1),
    "the rank of undefined entries": claim(listed(["11*0", *CYCLE[1:]]), "partition", "lower", ONE, RANK_SEARCH, 4),
    "more than the rank for a cover": claim(listed(CYCLE), "cover", "lower", ONE, RANK_SEARCH, 4),
    "pivots of equal rows": claim(
        listed(ONES), "partition", "lower", ONE, {"kind": "pivots", "prime": 2, "rows": [0, 1], "columns": [0, 1]}, 2
    ),
}  # fmt: skip


def test_what_proves_nothing_is_refused():
    for name, forgery in FORGERIES.items():
        with pytest.raises(Refused) as refused:
            verify(forgery)
        assert not re.search("fields|unit", str(refused.value)), name
