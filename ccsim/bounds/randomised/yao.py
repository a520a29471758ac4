"""The best deterministic protocols of k bits under weights on the cells, exactly, by dynamic programming.

This is one side's best answer in Yao's game (Yao 1977). Let V_k(R, C) be the most weight of the rectangle R x C on
which a protocol of k bits, whose answer both parties know, can be right. After the last bit one of two answers is
given: so V_1(R, C) is, for the best two answers, the sum over the lines of whoever speaks of the larger of their
weights. V_k(R, C) is the best of V_(k-1)(S, C) + V_(k-1)(R - S, C) over Alice's splits, and of the same over
Bob's. V_(k-1) is only asked for where the first bit has split all rows, or all columns. Weights are integers, so
nothing is rounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.errors import InputError

Array = npt.NDArray[Any]

MOST_WORK = 500_000_000
"""How many additions one call may take."""

MOST_LINES = 16

MOST_ROOM = 1 << 24
"""How many rectangles a table may have."""

MOST_WEIGHT = 1 << 62
PARTIES = ("alice", "bob")


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
Valued = tuple[int, Tree]


def work(shape: tuple[int, int], bits: int) -> int:
    """About how many additions :func:`best_protocols` makes per pair of answers.

    >>> work((3, 3), 1) < work((3, 3), 3)
    True
    """
    rows, columns = shape
    lines = (columns << rows) + (rows << columns)
    if bits < 3:
        return lines
    full = 3**rows * 2**columns + 2**rows * 3**columns
    return int(lines + (bits - 3) * full + 3**rows + 3**columns + (4 << (rows + columns)))


def best_protocols(weights: Array, codes: Array, bits: int, count: int = 1) -> tuple[int, list[Tree]]:
    """The most weight on which a deterministic protocol of ``bits`` bits is right; such a protocol, and good others.

    Args:
        weights: non-negative integers, one per cell, with a sum below 2^62; 0 off the promise.
        codes: the answer code of each cell, -1 off the promise.
        bits: worst-case bits; both parties know the answer at the end.
        count: how many protocols are wanted: the best for each of so many best first bits.

    >>> best_protocols(np.ones((2, 2), dtype=np.int64), np.array([[0, 0], [0, 1]]), 1)[0]
    3
    """
    shape = (int(weights.shape[0]), int(weights.shape[1]))
    fits = bits < 3 or 1 << sum(shape) <= MOST_ROOM
    if not 0 < min(shape) <= max(shape) <= MOST_LINES or not fits or work(shape, bits) > MOST_WORK:
        expected = f"from 1 to {MOST_LINES} rows and columns, and at most {MOST_WORK} additions"
        raise InputError("matrix, bits", (shape, bits), expected)
    if int(weights.sum(dtype=object)) >= MOST_WEIGHT:
        raise InputError("weights", int(weights.sum(dtype=object)), "a sum below 2^62")
    found = _Program(weights.astype(np.int64), codes, bits).solve(count)
    return found[0][0], [tree for _, tree in found]


class _Program:
    """The tables V_1, ..., V_(k-2) for all rectangles, and V_(k-1) for those that the first bit can make."""

    def __init__(self, weights: Array, codes: Array, bits: int) -> None:
        self.codes, self.bits = codes, bits
        self.every = ((1 << weights.shape[0]) - 1, (1 << weights.shape[1]) - 1)
        labels = range(max(0, int(codes.max())) + 1)
        self.tables = [np.where(codes == label, weights, 0) for label in labels]
        self.pairs = list(combinations(labels, 2)) or [(0, 0)]
        self.layers = [self._last_bit()] if bits > 2 else []
        while len(self.layers) < bits - 2:
            self.layers.append(self._one_bit_more(self.layers[-1]))

    def _last_bit(self) -> Array:
        """V_1 of every rectangle."""
        best: Array = np.zeros((self.every[0] + 1, self.every[1] + 1), dtype=np.int64)
        for pair in self.pairs:
            for axis in (0, 1):
                across = (subset_sums(self.tables[label] if axis else self.tables[label].T) for label in pair)
                sums = subset_sums(np.maximum(*across).T)
                np.maximum(best, sums.T if axis else sums, out=best)
        return best

    def _one_bit_more(self, values: Array) -> Array:
        rows = np.stack([_best_split(values, mask) for mask in range(self.every[0] + 1)])
        flipped = np.ascontiguousarray(values.T)
        columns = np.stack([_best_split(flipped, mask) for mask in range(self.every[1] + 1)])
        return np.asarray(np.maximum(rows, columns.T))

    def solve(self, count: int) -> list[Valued]:
        """The best protocol with its value, and good others."""
        rows, columns = self.every
        if self.bits < 2:
            return [self._tree(rows, columns, self.bits)]
        found = []
        for axis, mask in enumerate(self.every):
            line = self._line(axis, rows, columns, self.bits - 1)
            half = 1 << mask.bit_length() - 1  # a split and its complement are one
            sums = (line + line[::-1])[:half]
            chosen = np.argpartition(-sums, min(count, half) - 1)[:count]
            found += [(int(sums[ones]), axis, int(ones)) for ones in chosen]
        found.sort(reverse=True)
        return [(value, self._split(axis, ones, *self.every, self.bits)) for value, axis, ones in found[:count]]

    def _line(self, axis: int, rows: int, columns: int, bits: int) -> Array:
        """V_bits for every set of rows (axis 0) with these columns, or of columns with these rows."""
        if not self.layers:
            return self._last_bit_of_all(axis)
        values = self.layers[min(bits, len(self.layers)) - 1]
        along = values[:, columns] if axis == 0 else values[rows, :]
        if bits <= len(self.layers):
            return along
        # one layer above the tables: make what is asked for
        parts, other = _parts(columns if axis == 0 else rows), columns if axis == 0 else rows
        best = every_split(np.ascontiguousarray(along))
        if len(parts):
            both = (parts, other ^ parts)
            one, two = (values[:, part] if axis == 0 else values[part].T for part in both)
            np.maximum(best, (one + two).max(axis=1), out=best)
        return best

    def _last_bit_of_all(self, axis: int) -> Array:
        """V_1 for every set of lines of one party, with all lines of the other."""
        best = np.zeros(self.every[axis] + 1, dtype=np.int64)
        for pair in self.pairs:
            one, two = (self.tables[label].T if axis else self.tables[label] for label in pair)
            np.maximum(best, np.maximum(subset_sums(one), subset_sums(two)).sum(axis=1), out=best)
            own = np.maximum(one.sum(axis=1), two.sum(axis=1))
            np.maximum(best, subset_sums(own[:, None])[:, 0], out=best)
        return best

    def _tree(self, rows: int, columns: int, bits: int) -> Valued:
        cells = np.ix_(_places(rows), _places(columns))
        inside = [table[cells] for table in self.tables]
        sums = [int(table.sum()) for table in inside]
        leaf = max(sums), Leaf(sums.index(max(sums)))
        if bits == 0 or leaf[0] == sum(sums):
            return leaf
        if bits == 1:
            return max((self._answers(inside, rows, columns), leaf), key=lambda found: found[0])
        best, speaker, ones = leaf[0], -1, 0
        for axis, mask in enumerate((rows, columns)):
            line = self._line(axis, rows, columns, bits - 1)
            parts = _parts(mask)
            if len(parts):
                sums = line[parts] + line[mask ^ parts]
                place = int(np.argmax(sums))
                if int(sums[place]) > best:
                    best, speaker, ones = int(sums[place]), axis, int(mask ^ parts[place])
        return (best, self._split(speaker, ones, rows, columns, bits)) if speaker >= 0 else leaf

    def _split(self, axis: int, ones: int, rows: int, columns: int, bits: int) -> Tree:
        if axis == 0:
            parts = ((rows & ~ones, columns), (rows & ones, columns))
        else:
            parts = ((rows, columns & ~ones), (rows, columns & ones))
        zero, one = (self._tree(*part, bits - 1)[1] for part in parts)
        return Split(PARTIES[axis], ones, zero, one)

    def _answers(self, inside: list[Array], rows: int, columns: int) -> Valued:
        """The last bit says which of two answers is likelier, on the lines of whoever speaks."""
        best: Valued = -1, Leaf(0)
        for pair in self.pairs:
            for axis, mask in enumerate((rows, columns)):
                zero, one = (inside[label].sum(axis=1 - axis) for label in pair)
                value = int(np.maximum(zero, one).sum())
                if value > best[0]:
                    ones = sum(1 << place for place, more in zip(_places(mask), one > zero, strict=True) if more)
                    best = value, Split(PARTIES[axis], ones, *map(Leaf, pair))
        return best


def subset_sums(lines: Array) -> Array:
    """The sum of every set of lines: one entry per mask."""
    sums = np.zeros((1 << len(lines), lines.shape[1]), dtype=lines.dtype)
    for place, line in enumerate(lines):
        np.add(sums[: 1 << place], line, out=sums[1 << place : 2 << place])
    return sums


def _best_split(values: Array, mask: int) -> Array:
    """The best sum of two parts of the mask, or the whole with nobody speaking, for each other index."""
    parts = _parts(mask)
    if not len(parts):
        return np.asarray(values[mask])
    return np.asarray(np.maximum(values[mask], (values[parts] + values[mask ^ parts]).max(axis=0)))


def every_split(values: Array) -> Array:
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
