"""Certificates that prove nothing: a checker that accepts one of them is none, and no verdict may rest on it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from ccsim.certificates import verify

Data = dict[str, Any]

EQUAL, ONE_ROW, ONES, TWICE = ["10", "01"], ["01"], ["11", "11"], ["01", "01"]
BITS = ["00", "01", "10", "11"]
INDEX = ["000", "001", "010", "011", "100", "101", "110", "111"]
BOTH = {"answer": "both", "rounds": None, "first": None}
ALICE = {"direction": "alice-to-bob"}
COINS = {"answer": "both", "coins": "public"}
NOTHING: list[Any] = [[], [], ""]
TREE = {
    "speaker": "alice",
    "ones": [0],
    "zero": {"speaker": "bob", "ones": [0], "zero": {"answer": 1}, "one": {"answer": 0}},
    "one": {"speaker": "bob", "ones": [0], "zero": {"answer": 0}, "one": {"answer": 1}},
}
"""Two strings of one bit, compared: the only tree here that is right, in two rounds."""

FLIPPED = {**TREE, "one": {"speaker": "bob", "ones": [0], "zero": {"answer": 1}, "one": {"answer": 1}}}
LEAF: list[Any] = [0, None, "1", "3", "rank", [2, 2]]
"""One row with two answers has no protocol of no bits."""


def _refutation(rows: list[str], value: int, *nodes: list[Any], **parameters: Any) -> Data:
    witness = {"kind": "refutation", "nodes": list(nodes)}
    return _claim(rows, "deterministic", "bits", {**BOTH, **parameters}, "lower", value, witness)


def _upper(rows: list[str], value: int, tree: Data, **parameters: Any) -> Data:
    witness = {"kind": "protocol-tree", "tree": tree}
    return _claim(rows, "deterministic", "bits", {**BOTH, **parameters}, "upper", value, witness)


def _fooling(rows: list[str], code: int, answer: str, *cells: list[int]) -> Data:
    witness = {"kind": "fooling-set", "cells": list(cells)}
    parameters = {"code": code, "answer": answer}
    return _claim(rows, "fooling-set", "cells", parameters, "lower", len(cells), witness)


def _orbits(rows: list[str], at_most: int, symmetry: list[list[int]], cells: list[list[int]]) -> Data:
    tree: list[Any] = [[symmetry], [[[], []]]]
    witness = {"kind": "fooling-orbits", "at_most": at_most, "cells": cells, "symmetries": tree}
    parameters = {"code": 1, "answer": "both"}
    return _claim(rows, "fooling-set", "cells", parameters, "upper", at_most, witness)


def _messages(rows: list[str], side: str, value: int, **witness: Any) -> Data:
    return _claim(rows, "one-way-messages", "messages", ALICE, side, value, witness)


def _dimension(rows: list[str], side: str, value: int, **witness: Any) -> Data:
    return _claim(rows, "vc-dimension", "", ALICE, side, value, witness)


def _cover(rows: list[str], measure: str, value: int, rectangles: list[list[str]]) -> Data:
    witness = {"kind": "rectangles", "rectangles": rectangles}
    return _claim(rows, measure, "rectangles", {"code": 1}, "upper", value, witness)


def _lrat(rows: list[str], budget: int, apart: list[list[int]], proof: str) -> Data:
    witness = {"kind": "lrat", "budget": budget, "apart": apart, "proof": proof}
    return _claim(rows, "cover", "rectangles", {"code": 1}, "lower", budget + 1, witness)


def _claim(rows: list[str], measure: str, unit: str, parameters: Data, side: str, value: Any, witness: Data) -> Data:
    return {
        "format": verify.certificates.FORMAT,
        "version": verify.certificates.VERSION,
        "matrix": {"labels": [0, 1], "rows": rows},
        "measure": measure,
        "unit": unit,
        "parameters": parameters,
        "proofs": [{"side": side, "value": value, "witness": witness}],
    }


def forgeries() -> Iterator[tuple[str, Data]]:
    """Each with what is wrong with it. But for that it is well made, and something like it is true."""
    for family in (_trees, _refutations, _fooling_sets, _one_message, _coins, _rectangles):
        yield from family().items()


def _trees() -> dict[str, Data]:
    alice = {**TREE, "zero": {"answers": [[0, 0], [1, 1]]}, "one": {"answers": [[0, 1], [1, 0]]}}
    return {
        "a tree with one leaf for two answers": _upper(EQUAL, 0, {"answer": 0}),
        "a leaf with the other answer": _upper(EQUAL, 2, FLIPPED),
        "a tree of two rounds for one": _upper(EQUAL, 2, TREE, rounds=1),
        "a leaf at which only Bob knows": _upper(EQUAL, 1, alice),
    }


def _refutations() -> dict[str, Data]:
    bob: list[Any] = [[0, None, "3", "1", "rank", [2, 2]], [1, None, "3", "1", "splits", NOTHING, [[], [0], ""]]]
    deep = [2, None, "1", "3", "splits", [[], [0], ""], [[], [0], ""]]
    alone = [1, None, "1", "3", "splits", [[], [0], ""], NOTHING]
    return {
        "as many fooling cells as leaves": _refutation(EQUAL, 3, [2, None, "3", "3", "fooling", _cells(4)]),
        "ranks of as many leaves as there are": _refutation(EQUAL, 3, [2, None, "3", "3", "rank", [2, 2]]),
        "no split is refuted": _refutation(EQUAL, 3, [2, None, "3", "3", "splits", NOTHING, NOTHING]),
        "Alice's splits alone": _refutation(ONE_ROW, 2, LEAF, alone),
        "Bob's splits alone": _refutation(["0", "1"], 2, *bob),
        "a core that is refuted at less depth": _refutation(ONE_ROW, 3, LEAF, deep),
        "another number of rounds than is claimed": _refutation(
            EQUAL, 1, [0, [3, -1], "3", "3", "rank", [2, 2]], rounds=1
        ),
    }


def _fooling_sets() -> dict[str, Data]:
    return {
        "a fooling set of one rectangle": _fooling(ONES, 1, "both", [0, 0], [1, 1]),
        "fooling cells of two answers": _fooling(EQUAL, 1, "both", [0, 0], [0, 1]),
        "cells of one column, of which Alice knows all": _fooling(["00", "00"], 0, "alice", [0, 0], [1, 0]),
        "a symmetry that changes the matrix": _orbits(["01", "11"], 1, [[1, 0], [0, 1]], [[0, 1], [1, 0], [1, 1]]),
        "a symmetry that is none": _orbits(EQUAL, 1, [[0, 0], [0, 0]], [[0, 0], [1, 1]]),
        "an orbit through which there is a larger set": _orbits(EQUAL, 1, [[1, 0], [1, 0]], [[0, 0], [1, 1]]),
        "cells of one row, of which Bob knows all": _fooling(["00", "00"], 0, "bob", [0, 0], [0, 1]),
    }


def _one_message() -> dict[str, Data]:
    places = {"kind": "shattered", "places": [0, 1, 2]}
    dimension = {"kind": "bits-of", "measure": "vc-dimension", "given": {}, "of": places}
    third = {**ALICE, "error": "1/3"}
    patterns = _dimension(BITS, "lower", 3, kind="all-patterns")
    return {
        "one message for different rows": _messages(EQUAL, "upper", 1, kind="message-classes", classes=[0, 0]),
        "rows that do not differ": _messages(TWICE, "lower", 2, kind="distinct-lines", lines=[0, 1]),
        "a dimension of 2 called 1": _dimension(BITS, "upper", 1, kind="vc-listing", at_most=1),
        "places that are not shattered": _dimension(TWICE, "lower", 1, kind="shattered", places=[0]),
        "all patterns of another function": {**patterns, "matrix": {"function": "equality", "n": 3}},
        "3 bits with error 1/3 where 1 is proved": _claim(
            INDEX, "one-way-randomised", "bits", third, "lower", 3, dimension
        ),
    }


def _coins() -> dict[str, Data]:
    constant = {"kind": "protocol-mixture", "trees": [{"weight": "1/1", "tree": {"answer": 0}}]}
    one_cell = {"kind": "hard-distribution", "bits": 1, "cells": [[0, 0, "1/1"]]}
    parameters = {**COINS, "bits": 1}
    return {
        "a constant that is always right": _claim(EQUAL, "public-coin success", "", parameters, "lower", 1, constant),
        "a cell on which one bit is wrong": _claim(
            EQUAL, "public-coin success", "", parameters, "upper", "1/2", one_cell
        ),
    }


def _rectangles() -> dict[str, Data]:
    heavy = {"kind": "cover-weights", "at_most": 1, "weights": [[0, 0, 1], [1, 1, 1]]}
    pivots = {"kind": "pivots", "prime": 2, "rows": [0, 1], "columns": [0, 1]}
    overlapping = [["3", "1"], ["1", "3"], ["2", "2"]]
    return {
        "a cell left out": _cover(EQUAL, "cover", 1, [["1", "1"]]),
        "a rectangle of two answers": _cover(EQUAL, "cover", 1, [["3", "3"]]),
        "parts that overlap": _cover(ONES, "partition", 3, overlapping),
        "a clause that does not follow": _lrat(EQUAL, 2, [], "DAAFAAABA"),
        "a clause that follows from itself": _lrat(EQUAL, 2, [], "ADA"),
        "a clause that is no clause": _lrat(EQUAL, 2, [], "AIA"),
        "no empty clause in the end": _lrat(EQUAL, 1, [], "CABA"),
        "cells apart that one rectangle contains": _lrat(ONES, 1, [[0, 0], [1, 1]], "ABA"),
        "more cells apart than rectangles": _lrat(EQUAL, 1, [[0, 0], [1, 1]], "ABCA"),
        "a cell apart with another answer": _lrat(EQUAL, 1, [[0, 1]], "ABCA"),
        "a rectangle heavier than is said": _claim(ONES, "cover", "rectangles", {"code": 1}, "lower", 2, heavy),
        "pivots of equal rows": _claim(ONES, "partition", "rectangles", {"code": 1}, "lower", 2, pivots),
    }


def _cells(count: int) -> list[list[int]]:
    return [[place // 2, place % 2] for place in range(count)]


@cache
def accepted_forgeries() -> tuple[str, ...]:
    """What is wrong with each of the :func:`forgeries` that the checker accepts: none, if it is a checker."""
    found = []
    for what, data in forgeries():
        try:
            verify.verify(data)
        except verify.Refused:
            continue
        found.append(what)
    return tuple(found)
