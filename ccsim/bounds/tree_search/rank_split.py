"""The 2-partitions whose halves the leaf-rank bound does not refute, listed depth first.

Where rank refutes most splits, it does so by counting, and no small number of cores says the same. So the
lines are put on a side one after the other, with the echelon forms of both sides at hand, and a branch ends
as soon as the ranks of a side are too large. A checker can repeat this without learning anything else.
"""

from __future__ import annotations

from collections.abc import Callable

from ccsim.bounds.tree_search.cells import Cells

__all__ = ["FIELDS", "RankedSpace"]

FIELDS = (2, 3)

Vector = tuple[int, int, int]
Basis = tuple[Vector, ...]


def extended(basis: Basis, row: int, prime: int) -> Basis:
    """An echelon form over GF(2) or GF(3) with one more 0/1 row; itself if the row depends on it."""
    plus, minus = row, 0
    if prime == 2:
        for one, _, lowest in basis:
            if plus & lowest:
                plus ^= one
    else:
        for one, two, lowest in basis:
            if plus & lowest:
                one, two = two, one
            elif not minus & lowest:
                continue
            keep, bare = ~(one | two), ~(plus | minus)
            plus, minus = plus & keep | one & bare | minus & two, minus & keep | two & bare | plus & one
    support = plus | minus
    if not support:
        return basis
    lowest = support & -support
    return (*basis, (minus, plus, lowest) if minus & lowest else (plus, minus, lowest))


class _Side:
    """The lines on one side, and an echelon form per field and answer."""

    __slots__ = ("bases", "lines")

    def __init__(self, lines: int, bases: tuple[tuple[Basis, ...], ...]) -> None:
        self.lines, self.bases = lines, bases


class RankedSpace:
    """Like :class:`~ccsim.bounds.tree_search.split.SplitSpace`, with the leaf-rank bound built in.

    Args:
        cells: a total matrix.
        party, lines, across: whose lines are split, which, and the other party's inputs.
        depth: the bits that a half may still take.
        tick: called now and then; may raise to stop.
    """

    def __init__(self, cells: Cells, party: int, lines: int, across: int, depth: int, tick: Callable[[], None]) -> None:
        self.exhausted = False
        self._both, self._most, self._tick = cells.answer == "both", 1 << depth, tick
        self._lines = lines
        self._blocks = {
            line: [block[line] & across for block in cells.axes[party].blocks] for line in cells.places(lines)
        }
        self._order = self._independent_first(cells.labels)
        self._place = {line: place for place, line in enumerate(self._order)}
        self._ending: list[list[int]] = [[] for _ in self._order]
        none: tuple[tuple[Basis, ...], ...] = (((),) * cells.labels,) * len(FIELDS)
        start = self._with(_Side(0, none), self._order[0])
        self._stack: list[tuple[int, _Side, _Side]] = [] if start is None else [(1, start, _Side(0, none))]

    def _independent_first(self, labels: int) -> list[int]:
        basis: Basis = ()
        first: list[int] = []
        later: list[int] = []
        for line, blocks in self._blocks.items():
            longer = extended(basis, blocks[labels - 1], 3)
            (later if longer is basis else first).append(line)
            basis = longer
        return first + later

    def _with(self, side: _Side, line: int) -> _Side | None:
        """The side with one more line, or None if the ranks or a core rule it out."""
        lines = side.lines | 1 << line
        for core in self._ending[self._place[line]]:
            if core & lines == core:
                return None
        bases = []
        for prime, old in zip(FIELDS, side.bases, strict=True):
            new = tuple([extended(basis, row, prime) for basis, row in zip(old, self._blocks[line], strict=True)])
            ranks = [len(basis) for basis in new]
            if (sum(ranks) if self._both else max(ranks)) > self._most:
                return None
            bases.append(new)
        return _Side(lines, tuple(bases))

    def forbid(self, core: int) -> None:
        """Never again all these lines on one side."""
        last = max(self._place[line] for line in self._place if core >> line & 1)
        self._ending[last].append(core)
        self._stack = [
            entry for entry in self._stack if core & entry[1].lines != core and core & entry[2].lines != core
        ]

    def propose(self) -> tuple[int, int] | None:
        """Some split that is not ruled out, the larger side first; None, for good, if there is none."""
        count = 0
        while self._stack:
            count += 1
            if count % 256 == 0:
                self._tick()
            place, left, right = self._stack.pop()
            if place == len(self._order):
                if right.lines:
                    sides = sorted((left.lines, right.lines), key=int.bit_count)
                    return sides[1], sides[0]
                continue
            line = self._order[place]
            options = [(self._with(left, line), right), (left, self._with(right, line))]
            if left.lines.bit_count() < right.lines.bit_count():
                options.reverse()  # the smaller side is tried first
            for one, other in options:
                if one is not None and other is not None:
                    self._stack.append((place + 1, one, other))
        self.exhausted = True
        return None

    def close(self) -> None:
        """Nothing to free."""
