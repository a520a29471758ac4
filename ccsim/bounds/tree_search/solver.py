"""The deterministic communication complexity of a matrix, exactly, with a witness for each side."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ccsim.bounds.bracket import UNKNOWN, Bracket, Open, Side, timed
from ccsim.bounds.clock import Clock
from ccsim.bounds.fooling_sets import grow_fooling_set
from ccsim.bounds.rank import LeafRank, leaf_rank
from ccsim.bounds.tree_search.cells import ALICE, BOB, Cells, bits_of
from ccsim.bounds.tree_search.elementary import line_weights
from ccsim.bounds.tree_search.node import Turns
from ccsim.bounds.tree_search.refutation import refute
from ccsim.bounds.tree_search.search import OutOfTimeError, Search
from ccsim.bounds.tree_search.tree import SPEAKERS, Tree, build_tree
from ccsim.certificates.verify import Refused, check
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix

ANSWERS = ("both", "alice", "bob")
SURE = 2.0  # seconds of a search whose refutation the checker surely goes through
SMALL = 64  # up to so many different lines fooling sets are grown for a first lower bound


@timed
def solve_deterministic(matrix: CommunicationMatrix, *, time_limit: float | None = None, **options: Any) -> Bracket:
    """The last bracket of :func:`stages_of_deterministic` in time.

    >>> xor = CommunicationMatrix.from_array([[0, 1], [1, 0]])
    >>> found = solve_deterministic(xor)
    >>> found.lower, found.upper, found.method
    (2, 2, 'leaf-rank | protocol tree')
    """
    *_, best = stages_of_deterministic(matrix, clock=Clock.within(time_limit), **options)
    return best


def stages_of_deterministic(
    matrix: CommunicationMatrix,
    *,
    answer: str = "both",
    rounds: int | None = None,
    first: str | None = None,
    clock: Clock,
    progress: Callable[[str], None] | None = None,
) -> Iterator[Bracket]:
    """The least depth of a protocol tree for a matrix (bits in the worst case), and whenever more is known, a bracket.

    Args:
        matrix: Boolean or multi-valued, total or with don't-care cells, at least one row and one column.
        answer: ``"both"`` (every leaf is a rectangle of one answer), ``"alice"`` (every row of a leaf is
            constant) or ``"bob"`` (every column is).
        rounds: at most so many maximal stretches of one speaker on every path.
        first: with ``rounds``, who owns the first round; either by default.
        clock: when to stop; it is asked before each search.
        progress: called about once a second with a line of text.

    Brackets are in bits; above None if no protocol within the rounds exists. Below, the proof of
    :mod:`ccsim.bounds.tree_search.refutation`, above the tree of :mod:`ccsim.bounds.tree_search.tree`.
    """
    if answer not in ANSWERS:
        raise InputError("answer", answer, f"one of {ANSWERS}")
    if rounds is not None and rounds < 1:
        raise InputError("rounds", rounds, "at least 1, or None")
    if first is not None and (first not in SPEAKERS or rounds is None):
        raise InputError("first", first, "alice or bob, together with a number of rounds")
    if min(matrix.shape) < 1:
        raise InputError("matrix", matrix, "at least one row and one column")
    return _Solver(matrix, answer, rounds, first, clock, progress).stages()


class _Solver:
    def __init__(
        self,
        matrix: CommunicationMatrix,
        answer: str,
        rounds: int | None,
        first: str | None,
        clock: Clock,
        progress: Callable[[str], None] | None,
    ) -> None:
        self.start = time.monotonic()
        self.matrix, self.merged = matrix, matrix.merge()
        self.small = self.merged.matrix
        self.answer, self.parameters = answer, {"answer": answer, "rounds": rounds, "first": first}
        self.turns: Turns | None = None
        if rounds is not None:
            self.turns = Turns(rounds, -1) if first is None else Turns(rounds - 1, SPEAKERS.index(first))
        self.reason: Open | None = None
        self.cells = Cells(self.small, answer)
        self.clock = clock
        self.search = Search(self.cells, progress=progress)
        self.lower = 0
        self.upper: int | None = None
        self.method = "leaf-rank"
        self.nodes: list[list[Any]] | None = None
        self._unchecked: set[int] = set()  # depths whose refutations take the checker too much work
        self._tree: Tree | None = None
        self._tree_of: int | None = None

    @property
    def deadline(self) -> float:
        return math.inf if self.clock.end is None else self.clock.end

    def stages(self) -> Iterator[Bracket]:
        self.upper = self._direct_upper()
        yield self._so_far()
        self.lower = self._elementary_lower()
        yield self._so_far()
        for _ in self._close_the_gap():
            yield self._so_far()

    def _so_far(self) -> Bracket:
        if self.upper is not None and self.upper != self._tree_of:
            self.search.deadline = None  # what is left takes no search worth stopping
            self._tree = self._expand(build_tree(self.search, *self.cells.everything, self.upper, self.turns))
            self._tree_of = self.upper
        nodes = self._in_full(self.nodes) if self.nodes is not None else None
        below = Side(self.lower, self.method, {"kind": "refutation", "nodes": nodes} if nodes else None)
        above = (
            Side(self.upper, "protocol tree", {"kind": "protocol-tree", "tree": self._tree}) if self._tree else UNKNOWN
        )
        return Bracket("deterministic", below, above, self.parameters, open=self.reason)

    def _close_the_gap(self) -> Iterator[None]:
        """Decide depths from both ends in turn, each for a slice of time that grows, until the sides meet."""
        slice_seconds = 1.0
        while self.upper is not None and self.lower < self.upper:
            self.method = "search"
            last = self.upper - self.lower == 1
            depths = [depth for depth in dict.fromkeys((self.lower, self.upper - 1)) if depth not in self._unchecked]
            if not depths:
                self.reason = Open.REACH  # of certificates that the checker goes through
                yield
                return
            for depth in depths:
                self.search.deadline = self.deadline if last else min(self.deadline, time.monotonic() + slice_seconds)
                if self._decide(depth):
                    yield
                    break
            if self.upper is not None and self.lower < self.upper and time.monotonic() > self.deadline:
                self.reason = Open.TIME
                yield
                if time.monotonic() > self.deadline:  # else there is more time now
                    return
                self.reason = None
            slice_seconds *= 2

    def _decide(self, depth: int) -> bool:
        try:
            if self.search.feasible(*self.cells.everything, depth, self.turns):
                self.upper = depth
            else:
                nodes = refute(self.search, depth, self.turns)
                if time.monotonic() - self.start > SURE and not self._checked(nodes):
                    self._unchecked.add(depth)
                else:
                    self.nodes, self.lower = nodes, depth + 1
        except OutOfTimeError:
            return False
        return True

    def _checked(self, nodes: list[list[Any]]) -> bool:
        """Whether the checker accepts a refutation: nothing is called exact otherwise."""
        witness = {"kind": "refutation", "nodes": self._in_full(nodes)}
        try:
            check(self.matrix.codes.tolist(), "deterministic", "lower", self.parameters, witness)
        except Refused:
            return False
        return True

    def _in_full(self, nodes: list[list[Any]]) -> list[list[Any]]:
        rows, columns = self.merged.rows.tolist(), self.merged.columns.tolist()
        return [_renumber(node, rows, columns) for node in nodes]

    def _direct_upper(self) -> int | None:
        """The depth that naming one's line takes, the better party; None if no protocol is possible."""
        rows, columns = self.cells.reduce(*self.cells.everything)
        if self.cells.is_leaf(rows, columns):
            return 0
        best = None
        for party, lines, across in ((ALICE, rows, columns), (BOB, columns, rows)):
            weights = line_weights(self.cells, party, lines, across, self.turns)
            if weights is not None:
                bits = (sum(weights) - 1).bit_length()
                best = bits if best is None else min(best, bits)
        return best

    def _elementary_lower(self) -> int:
        lower = 0
        everything = [format(mask, "x") for mask in self.cells.everything]
        if self.small.is_total:
            bound: LeafRank = leaf_rank(self.small, self.answer)
            lower = bound.bits
            self.method = "leaf-rank"
            if lower:
                self.nodes = [[lower - 1, None, *everything, "rank", list(bound.primes)]]
        if max(self.small.shape) <= SMALL:
            cells = grow_fooling_set(self.small, answer=self.answer, seed=0)
            bits = max(len(cells) - 1, 0).bit_length()
            if bits > lower:
                lower, self.method = bits, "fooling set"
                self.nodes = [[bits - 1, None, *everything, "fooling", [list(cell) for cell in cells]]]
        return lower

    def _expand(self, tree: Tree) -> Tree:
        classes = (self.merged.row_class, self.merged.column_class)
        if "speaker" not in tree:
            if "answers" not in tree:
                return tree
            known = dict(tree["answers"])
            own = classes[SPEAKERS.index(self.answer)].tolist()
            return {"answers": [[line, known[k]] for line, k in enumerate(own) if k in known]}
        own = classes[SPEAKERS.index(tree["speaker"])]
        ones = np.flatnonzero(np.isin(own, tree["ones"])).tolist()
        return {
            "speaker": tree["speaker"],
            "ones": ones,
            "zero": self._expand(tree["zero"]),
            "one": self._expand(tree["one"]),
        }


def _renumber(node: list[Any], rows: list[int], columns: list[int]) -> list[Any]:
    depth, limit, row_mask, column_mask, kind, *data = node
    masks = [_moved(row_mask, rows), _moved(column_mask, columns)]
    if kind == "fooling":
        data = [[[rows[row], columns[column]] for row, column in data[0]]]
    if kind == "splits":
        data = [[fields, numbers, _moved_pairs(pairs, rows, columns)] for fields, numbers, pairs in data]
    return [depth, limit, *masks, kind, *data]


def _moved_pairs(pairs: str, rows: list[int], columns: list[int]) -> str:
    cores = [pair.split(":") for pair in pairs.split()]
    above, across = (
        {mask: _moved(mask, lines) for mask in {core[side] for core in cores}}
        for side, lines in ((0, rows), (1, columns))
    )
    return " ".join(f"{above[core[0]]}:{across[core[1]]}" for core in cores)


def _moved(mask: str, lines: list[int]) -> str:
    return format(sum(1 << lines[place] for place in bits_of(int(mask, 16))), "x")
