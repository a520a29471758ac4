"""Which measure is at least which other one, and brackets that keep to it.

What is found of one measure bounds others: a cover is a partition that may overlap, private coins can be thrown in
public. Where a witness of one is a witness of the other, too, what was found is carried over; nothing is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ccsim.bounds.bracket import Bracket, Value, Witness
from ccsim.bounds.findings import best_of
from ccsim.certificates.verify.data import bits_for

__all__ = ["AT_LEAST", "AtLeast", "consistent"]

MOST_CELLS = 1 << 10  # that get a vector each

Carried = tuple[Value | None, Witness | None]
"""A value, and what proves it; None: nothing is."""


def _nothing(_: Bracket) -> Carried:
    return None, None


@dataclass(frozen=True)
class AtLeast:
    """One measure is at least another one, or the bits that name one of as many things.

    Attributes:
        greater, lesser: two measures.
        where: parameters that must have these values, for both or for those that have them.
        same: parameters that both must share.
        count: what the lesser one's value says in the units of the greater one.
        below: what a lower bound on the lesser one, and its witness, prove of the greater one; None: nothing so.
        above: what an upper bound on the greater one proves of the lesser one.
    """

    greater: str
    lesser: str
    same: tuple[str, ...] = ()
    where: tuple[tuple[str, Any], ...] = ()
    count: Callable[[Value], Value] = lambda value: value
    below: Callable[[Bracket], Carried] = _nothing
    above: Callable[[Bracket], Carried] = _nothing

    def holds_of(self, greater: Bracket, lesser: Bracket) -> bool:
        """Whether it is about these two."""
        first, second = greater.parameters, lesser.parameters
        if (greater.measure, lesser.measure) != (self.greater, self.lesser):
            return False
        wanted = all(given.get(name, value) == value for name, value in self.where for given in (first, second))
        return wanted and all(first.get(name) == second.get(name) for name in self.same)


def _below_as_it_is(found: Bracket) -> Carried:
    return found.lower, found.lower_witness


def _above_as_it_is(found: Bracket) -> Carried:
    return found.upper, found.upper_witness


def _of_any_rectangles(cover: Bracket) -> Carried:
    """What says nothing of whether rectangles overlap."""
    overlapping = (cover.lower_witness or {}).get("kind") in ("branching", "lrat", "parts", "submatrix")
    return (0, None) if overlapping else (cover.lower, cover.lower_witness)


def _one_tree(certain: Bracket) -> Carried:
    """A deterministic protocol as a mixture."""
    trees = [{"weight": "1/1", "tree": (certain.upper_witness or {}).get("tree")}]
    return certain.upper, {"kind": "protocol-mixture", "trees": trees}


def _in_public(coins: Bracket) -> Carried:
    return coins.lower, {"kind": "public-coins", "of": coins.lower_witness}


def _leaves_of_answers(partition: Bracket) -> Carried:
    """A partition of every answer has a part for each, or is bounded by a fooling set: so are leaves."""
    known = (partition.lower_witness or {}).get("kind") in ("parts", "fooling-set")
    return _below_as_it_is(partition) if known else (None, None)


def _bits_of_leaves(leaves: Bracket) -> Carried:
    return bits_for(leaves.lower), {"kind": "bits-of", "measure": "leaves", "given": {}, "of": leaves.lower_witness}


def _bits_of_answers(partition: Bracket) -> Carried:
    return _bits_of_leaves(partition) if _leaves_of_answers(partition)[1] else (None, None)


def _in_the_support(cover: Bracket) -> Carried:
    return cover.lower, {"kind": "support", "of": cover.lower_witness}


def _leaves_of_the_tree(certain: Bracket) -> Carried:
    witness = certain.upper_witness or {}
    if witness.get("kind") != "protocol-tree":
        return None, None
    nodes, count = [witness["tree"]], 0
    while nodes:
        node = nodes.pop()
        nodes += [node["zero"], node["one"]] if "speaker" in node else []
        count += "speaker" not in node
    return count, witness


def _under_one_distribution(uniform: Bracket) -> Carried:
    weights = uniform.parameters.get("weights")
    return uniform.upper, {"kind": "distribution", "weights": weights, "of": uniform.upper_witness}


def _corners(cover: Bracket) -> Carried:
    """Each cell has the corner of a simplex that belongs to a rectangle with it: cells that exclude each other have two
    different ones, and a theta number is the number of the corners."""
    code, rectangles = cover.parameters["code"], (cover.upper_witness or {}).get("rectangles", [])
    cells = [] if cover.matrix is None else np.argwhere(cover.matrix.codes == code).tolist()
    if not len(rectangles) > 1 or not 0 < len(cells) <= MOST_CELLS:
        return None, None
    masks = [(int(rows, 16), int(columns, 16)) for rows, columns in rectangles]
    corners = [[len(masks) * (place == own) - 1 for place in range(len(masks))] for own in range(len(masks))]
    holding = (next(p for p, (rows, columns) in enumerate(masks) if rows >> r & columns >> c & 1) for r, c in cells)
    return cover.upper, {"kind": "theta", "vectors": [corners[place] for place in holding]}


BOTH = (("answer", "both"), ("rounds", None), ("first", None))

AT_LEAST: tuple[AtLeast, ...] = (
    AtLeast("cover", "fooling-set", ("code",), BOTH, below=_below_as_it_is, above=_corners),
    AtLeast("partition", "rank", ("code",), below=_below_as_it_is),
    AtLeast("partition", "cover", ("code",), below=_of_any_rectangles, above=_above_as_it_is),
    AtLeast("leaves", "fooling-set", ("answer",), (("code", None),), below=_below_as_it_is),
    AtLeast("leaves", "partition", (), (("code", None), *BOTH), below=_leaves_of_answers),
    AtLeast("deterministic", "leaves", ("answer",), (), bits_for, _bits_of_leaves, _leaves_of_the_tree),
    AtLeast("deterministic", "partition", (), (("code", None), *BOTH), bits_for, _bits_of_answers),
    AtLeast("deterministic", "private-coins", (), BOTH, above=_above_as_it_is),
    AtLeast("deterministic", "randomised", (), BOTH, above=_one_tree),
    AtLeast("private-coins", "randomised", ("error",), below=_in_public),
    AtLeast("randomised", "quantum", ("error",), above=_above_as_it_is),
    AtLeast("deterministic", "quantum", (), BOTH, above=_above_as_it_is),
    AtLeast("one-way-private", "one-way-randomised", ("direction", "error"), below=_in_public),
    AtLeast("one-way", "one-way-private", ("direction",), above=_above_as_it_is),
    AtLeast("one-way", "one-way-randomised", ("direction",), above=_above_as_it_is),
    AtLeast("nonnegative-rank", "cover", ("label",), below=_in_the_support),
    AtLeast("discrepancy", "least-discrepancy", above=_under_one_distribution),
)
"""Each measure comes as the greater one before it comes as the lesser one.

Leaves divide the matrix into rectangles of one answer each; every rectangle has rank 1, and at most one cell of a
fooling set. Coins that nobody throws, or that all see, are no harm, nor are qubits that are used as bits. The least
discrepancy is that under the hardest distribution.
"""


def consistent(brackets: Iterable[Bracket]) -> tuple[Bracket, ...]:
    """The brackets, each with what the others prove of it: from below in the order of the table, from above backwards.

    Of several of one measure, by several methods, it is the first; others keep to what their methods say.

    >>> cells = {"kind": "fooling-set", "cells": [[0, 0], [1, 1]]}
    >>> small = Bracket("fooling-set", 2, 2, "search", cells, None, {"code": 1, "answer": "both"}, "cells")
    >>> consistent([small, Bracket("cover", 1, 2, "trivial | lines, out of time", parameters={"code": 1})])[1].method
    'search | lines'
    """
    found = list(brackets)
    keys = [(one.measure, tuple(map(str, one.parameters.items()))) for one in found]
    main = [place for place, key in enumerate(keys) if keys.index(key) == place]
    for rule in AT_LEAST:
        for place in main:
            greater = found[place]
            for lesser in found:
                if rule.holds_of(greater, lesser) and lesser.lower_witness and rule.count(lesser.lower) > greater.lower:
                    greater = found[place] = _raised(greater, lesser, *rule.below(lesser))
    for rule in reversed(AT_LEAST):
        for place in main:
            lesser = found[place]
            for greater in found:
                if rule.holds_of(greater, lesser) and greater.upper_witness and _less(greater.upper, lesser.upper):
                    lesser = found[place] = _lowered(lesser, greater, *rule.above(greater))
    return tuple(found)


def _less(value: Value | None, other: Value | None) -> bool:
    return value is not None and (other is None or value < other)


def _raised(bracket: Bracket, by: Bracket, value: Value | None, witness: Witness | None) -> Bracket:
    if value is None or witness is None:
        return bracket
    method = by.method.partition(", out of ")[0].partition(" | ")[0]
    return best_of(replace(bracket, lower=value, lower_witness=witness, upper=None, method=method), bracket)


def _lowered(bracket: Bracket, by: Bracket, value: Value | None, witness: Witness | None) -> Bracket:
    if value is None or witness is None:
        return bracket
    method = by.method.partition(", out of ")[0].rpartition(" | ")[2]
    return best_of(replace(bracket, lower=0, upper=value, upper_witness=witness, method=f" | {method}"), bracket)
