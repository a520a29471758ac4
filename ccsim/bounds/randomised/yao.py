"""The best deterministic protocol of k bits under weights on the cells, exactly, by dynamic programming.

This is one side's best answer in Yao's game (Yao 1977). Let V_0(R, C) be the largest weight of one answer in
the rectangle R x C, and let V_k(R, C) be the best of V_(k-1)(R, C), of V_(k-1)(S, C) + V_(k-1)(R - S, C) over
Alice's splits, and of the same over Bob's. Then V_k of the whole matrix is the most weight on which a protocol
of k bits, whose answer both parties know, can be right. Weights are integers, so nothing is rounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.errors import InputError

__all__ = ["MOST_LINES", "MOST_WORK", "Leaf", "Split", "Tree", "best_protocol", "right_cells", "tree_json", "work"]

Array = npt.NDArray[Any]

MOST_WORK = 500_000_000
"""How many additions one call may take."""

MOST_LINES = 13

MOST_WEIGHT = 1 << 62


@dataclass(frozen=True)
class Leaf:
    """Everybody gives the answer of this code."""

    answer: int


@dataclass(frozen=True)
class Split:
    """``speaker`` sends 1 on the lines of the mask ``ones`` (bit i = line i), else 0."""

    speaker: str
    ones: int
    zero: Tree
    one: Tree


Tree = Leaf | Split


def work(shape: tuple[int, int], bits: int) -> int:
    """About how many additions :func:`best_protocol` makes per answer.

    >>> work((3, 3), 1) < work((3, 3), 3)
    True
    """
    rows, columns = shape
    full = 3**rows * 2**columns + 2**rows * 3**columns
    edges = 3**rows + 3**columns
    return int(max(0, bits - 2) * full + edges + (1 << (rows + columns)))


def best_protocol(weights: Array, codes: Array, bits: int) -> tuple[int, Tree]:
    """The most weight on which a deterministic protocol of ``bits`` bits is right, and such a protocol.

    Args:
        weights: non-negative integers, one per cell, with a sum below 2^62; 0 off the promise.
        codes: the answer code of each cell, -1 off the promise.
        bits: worst-case bits; both parties know the answer at the end.

    >>> best_protocol(np.ones((2, 2), dtype=np.int64), np.array([[0, 0], [0, 1]]), 1)[0]
    3
    """
    shape = (int(weights.shape[0]), int(weights.shape[1]))
    if not 0 < min(shape) <= max(shape) <= MOST_LINES or work(shape, bits) > MOST_WORK:
        expected = f"from 1 to {MOST_LINES} rows and columns, and at most {MOST_WORK} additions"
        raise InputError("matrix, bits", (shape, bits), expected)
    if int(weights.sum(dtype=object)) >= MOST_WEIGHT:
        raise InputError("weights", int(weights.sum(dtype=object)), "a sum below 2^62")
    if bits == 2 and int(codes.max()) < 2:
        return _two_bits(weights.astype(np.int64), codes)
    return _Program(weights.astype(np.int64), codes, bits).solve()


def _two_bits(weights: Array, codes: Array) -> tuple[int, Tree]:
    """The same for two bits and two answers, without a table of all rectangles: whoever speaks last says the answer."""
    best: tuple[int, Tree] = (-1, Leaf(0))
    every = tuple((1 << size) - 1 for size in codes.shape)
    for axis, speaker in enumerate(("alice", "bob")):
        tables = [np.where(codes == label, weights, 0) for label in range(2)]
        zero, one = (table if axis == 0 else table.T for table in tables)
        replies = np.maximum(_subset_sums(zero), _subset_sums(one)).sum(axis=1)  # the other party's, line by line
        again = _subset_sums(np.maximum(zero.sum(axis=1), one.sum(axis=1))[:, None])[:, 0]
        values = np.maximum(replies, again)
        sums = values + values[::-1]
        ones = int(np.argmax(sums))
        if int(sums[ones]) > best[0]:
            halves = [
                _last_bit((zero, one), part, axis if again[part] > replies[part] else 1 - axis, axis)
                for part in (every[axis] ^ ones, ones)
            ]
            best = int(sums[ones]), Split(speaker, ones, halves[0], halves[1])
    return best


def _last_bit(tables: tuple[Array, Array], part: int, last: int, axis: int) -> Tree:
    """The speaker of the last bit says the likelier answer, on a part of the other axis or of its own."""
    lines = _places(part)
    zero, one = (table[lines].sum(axis=0) if last != axis else table.sum(axis=1) for table in tables)
    ones = sum(1 << int(place) for place in np.flatnonzero(one > zero) if last != axis or part >> int(place) & 1)
    return Split(("alice", "bob")[last], ones, Leaf(0), Leaf(1))


class _Program:
    """The tables V_0, ..., V_(k-2) for all rectangles, and V_(k-1) for those that the first bit can make."""

    def __init__(self, weights: Array, codes: Array, bits: int) -> None:
        self.weights, self.codes, self.bits = weights, codes, bits
        self.every = ((1 << weights.shape[0]) - 1, (1 << weights.shape[1]) - 1)
        self.labels = range(max(0, int(codes.max())) + 1)
        layers = [self._answers()]
        while len(layers) < bits - 1:
            layers.append(self._one_bit_more(layers[-1]))
        self.layers = layers

    def _answers(self) -> Array:
        best: Array = np.zeros((self.every[0] + 1, self.every[1] + 1), dtype=np.int64)
        for label in self.labels:
            sums = _subset_sums(_subset_sums(np.where(self.codes == label, self.weights, 0)).T).T
            np.maximum(best, sums, out=best)
        return best

    def _one_bit_more(self, values: Array) -> Array:
        rows = np.stack([_best_split(values, mask) for mask in range(self.every[0] + 1)])
        flipped = np.ascontiguousarray(values.T)
        columns = np.stack([_best_split(flipped, mask) for mask in range(self.every[1] + 1)])
        return np.asarray(np.maximum(rows, columns.T))

    def solve(self) -> tuple[int, Tree]:
        """The value and a tree for the whole matrix."""
        if self.bits == 0:
            return int(self.layers[0][self.every]), self._leaf(*self.every)
        return self._tree(*self.every, self.bits)

    def _line(self, axis: int, rows: int, columns: int, bits: int) -> Array:
        """V_bits for every set of rows (axis 0) with these columns, or of columns with these rows."""
        values = self.layers[min(bits, len(self.layers) - 1)]
        along = values[:, columns] if axis == 0 else values[rows, :]
        if bits < len(self.layers):
            return along
        # one layer above the tables: make what is asked for
        parts, other = _parts(columns if axis == 0 else rows), columns if axis == 0 else rows
        best = _every_split(np.ascontiguousarray(along))
        if len(parts):
            both = (parts, other ^ parts)
            one, two = (values[:, part] if axis == 0 else values[part].T for part in both)
            np.maximum(best, (one + two).max(axis=1), out=best)
        return best

    def _tree(self, rows: int, columns: int, bits: int) -> tuple[int, Tree]:
        leaf = int(self.layers[0][rows, columns])
        if bits == 0 or leaf == int(self.weights[np.ix_(_places(rows), _places(columns))].sum()):
            return leaf, self._leaf(rows, columns)
        best, speaker, ones = leaf, -1, 0
        for axis, mask in enumerate((rows, columns)):
            line = self._line(axis, rows, columns, bits - 1)
            parts = _parts(mask)
            if len(parts):
                sums = line[parts] + line[mask ^ parts]
                place = int(np.argmax(sums))
                if int(sums[place]) > best:
                    best, speaker, ones = int(sums[place]), axis, int(mask ^ parts[place])
        if speaker < 0:
            return leaf, self._leaf(rows, columns)
        if speaker == 0:
            zero, one = (self._tree(part, columns, bits - 1) for part in (rows ^ ones, ones))
            return zero[0] + one[0], Split("alice", ones, zero[1], one[1])
        zero, one = (self._tree(rows, part, bits - 1) for part in (columns ^ ones, ones))
        return zero[0] + one[0], Split("bob", ones, zero[1], one[1])

    def _leaf(self, rows: int, columns: int) -> Leaf:
        cells = np.ix_(_places(rows), _places(columns))
        codes, weights = self.codes[cells], self.weights[cells]
        return Leaf(max(self.labels, key=lambda label: int(weights[codes == label].sum())))


def _subset_sums(lines: Array) -> Array:
    """The sum of every set of lines: one entry per mask."""
    sums = np.zeros((1 << len(lines), lines.shape[1]), dtype=np.int64)
    for place, line in enumerate(lines):
        np.add(sums[: 1 << place], line, out=sums[1 << place : 2 << place])
    return sums


def _best_split(values: Array, mask: int) -> Array:
    """The best sum of two parts of the mask, or the whole with nobody speaking, for each other index."""
    parts = _parts(mask)
    if not len(parts):
        return np.asarray(values[mask])
    return np.asarray(np.maximum(values[mask], (values[parts] + values[mask ^ parts]).max(axis=0)))


def _every_split(values: Array) -> Array:
    """For every mask, the best sum of two parts of it, or the whole with nobody speaking."""
    parts, others, starts = _all_parts(len(values))
    best = values.copy()
    if len(parts):
        some = values[parts] + values[others]
        masks = np.flatnonzero(np.diff(starts))
        np.maximum.at(best, masks, np.maximum.reduceat(some, starts[masks]))
    return best


@cache
def _all_parts(count: int) -> tuple[Array, Array, Array]:
    """The parts of every mask below ``count``, what is left of it, and where those of each mask begin."""
    parts = [_parts(mask) for mask in range(count)]
    starts = np.cumsum([0, *map(len, parts)])
    others = [mask ^ part for mask, part in enumerate(parts)]
    return np.concatenate(parts), np.concatenate(others), starts


@cache
def _parts(mask: int) -> Array:
    """All proper parts of a mask that hold its lowest bit: one of each split."""
    parts = np.array([mask & -mask], dtype=np.int64)
    for place in _places(mask)[1:]:
        parts = np.concatenate([parts, parts | (1 << place)])
    return parts[:-1]


def _places(mask: int) -> list[int]:
    return [place for place in range(mask.bit_length()) if mask >> place & 1]


def right_cells(tree: Tree, codes: Array) -> Array:
    """Which promised cells a protocol tree answers right."""
    said = np.full(codes.shape, -2, dtype=np.int64)
    stack = [(tree, (1 << codes.shape[0]) - 1, (1 << codes.shape[1]) - 1)]
    while stack:
        node, rows, columns = stack.pop()
        if isinstance(node, Leaf):
            said[np.ix_(_places(rows), _places(columns))] = node.answer
        elif node.speaker == "alice":
            stack += [(node.zero, rows & ~node.ones, columns), (node.one, rows & node.ones, columns)]
        else:
            stack += [(node.zero, rows, columns & ~node.ones), (node.one, rows, columns & node.ones)]
    return np.asarray(said == codes)


def tree_json(tree: Tree, row_class: Array, column_class: Array) -> dict[str, Any]:
    """A tree of a merged matrix as plain data for the matrix that it came from; masks are hexadecimal."""
    if isinstance(tree, Leaf):
        return {"answer": tree.answer}
    classes = row_class if tree.speaker == "alice" else column_class
    ones = sum(1 << line for line, own in enumerate(classes.tolist()) if tree.ones >> own & 1)
    zero, one = (tree_json(child, row_class, column_class) for child in (tree.zero, tree.one))
    return {"speaker": tree.speaker, "ones": f"{ones:x}", "zero": zero, "one": one}
