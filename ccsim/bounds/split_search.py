"""Does a rectangle have a protocol of a given depth? Search for splits that learns from every failure.

A half without one is shrunk to a small *core* that has none either. The core's rows can never again be all on one side
of Alice's splits, its columns of Bob's: clauses for a SAT solver that proposes splits. A core holds wherever it is
contained, so it is kept for the whole search. When neither party has a split left, the cores are the proof.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import cached_property, reduce
from operator import or_

from ccsim.bounds.bit_matrix import (
    ALICE,
    BOB,
    Cells,
    Turns,
    after,
    bits_of,
    direct_speaker,
    leaf_core,
    leaf_reason,
    normal,
    reduced,
)
from ccsim.bounds.scheduler import Clock
from ccsim.bounds.small_depths import four_bit_split, three_bits_suffice, two_bits_suffice
from ccsim.bounds.solvers import SatSolver
from ccsim.bounds.symmetries import Symmetry, symmetries
from ccsim.plain_data import counted


class SplitSpace:
    """Splits of inputs in two, the first input on the sending side: models of clauses, one for each core."""

    def __init__(self, inputs: int) -> None:
        self.inputs = inputs
        places = bits_of(inputs)
        self.exhausted = len(places) < 2
        self._solver = SatSolver("glucose4")
        if places:
            self._solver.add_clause([places[0] + 1])
            for place in places:
                self._solver.add_clause([place + 1, -place - 1])
            self._solver.add_clause([-place - 1 for place in places])

    def forbid(self, core: int) -> None:
        literals = [place + 1 for place in bits_of(core)]
        self._solver.add_clause(literals)
        self._solver.add_clause([-literal for literal in literals])

    def propose(self) -> tuple[int, int] | None:
        """Some split that is not forbidden, the larger side first; None, for good, if there is none."""
        if self.exhausted or not self._solver.solve():
            self.exhausted = True
            return None
        side = sum(1 << (literal - 1) for literal in self._solver.get_model() if literal > 0) & self.inputs
        other = self.inputs & ~side
        return (side, other) if side.bit_count() >= other.bit_count() else (other, side)

    def close(self) -> None:
        self._solver.delete()


MANY = 3000  # cores, of which a subset that is enough takes long to compute


def enough_cores(inputs: int, cores: list[int], rounds: int = 3) -> list[int]:
    """The places of some cores that forbid every split, by the solver's own unsatisfiable core."""
    kept = list(range(len(cores)))
    if len(cores) > MANY:
        return kept
    first = bits_of(inputs)[0] + 1
    for _ in range(rounds):
        with SatSolver("glucose4") as solver:
            base = inputs.bit_length() + 1
            solver.add_clause([first])
            solver.add_clause([-place - 1 for place in bits_of(inputs)])
            for place in kept:
                literals = [bit + 1 for bit in bits_of(cores[place])]
                solver.add_clause([*literals, -base - place])
                solver.add_clause([*(-literal for literal in literals), -base - place])
            if solver.solve(assumptions=[base + place for place in kept]):
                raise AssertionError("the cores do not forbid every split")
            fewer = sorted(literal - base for literal in (solver.get_core() or []))
        if len(fewer) == len(kept):
            break
        kept = fewer
    return kept


Rectangle = tuple[int, int]
Task = tuple[int, int, int, Turns | None]
"""Rows, columns, depth, and the limit on rounds."""


class SplitNode:
    def __init__(
        self,
        cells: Cells,
        task: Task,
        cores: dict[tuple[int, Turns | None], list[Rectangle]],
    ) -> None:
        rows, columns, depth, turns = task
        self.task = task
        self.spaces = [SplitSpace(rows), SplitSpace(columns)]
        self.limits: list[Turns | None] = []
        for party in (ALICE, BOB):
            later = after(turns, party)
            self.spaces[party].exhausted |= later is False
            self.limits.append(normal(later or None, depth - 1))
        self._pools = [cores.setdefault((depth - 1, limit), []) for limit in self.limits]
        fresh = depth <= cells.closed + 1
        self._seen = [len(pool) if fresh else 0 for pool in self._pools]
        self._used: tuple[list[Rectangle], list[Rectangle]] = ([], [])

    def take_new_cores(self) -> None:
        for party in (ALICE, BOB):
            if self.spaces[party].exhausted:
                continue
            pool = self._pools[party]
            while self._seen[party] < len(pool):
                core = pool[self._seen[party]]
                self._seen[party] += 1
                if self.task[0] & core[0] == core[0] and self.task[1] & core[1] == core[1]:
                    self._used[party].append(core)
                    self.spaces[party].forbid(core[party])

    def proof(self) -> tuple[list[Rectangle], list[Rectangle]]:
        sides: list[list[Rectangle]] = []
        for party, inputs in enumerate(self.task[:2]):
            used, possible = self._used[party], inputs.bit_count() > 1 and after(self.task[3], party) is not False
            places = enough_cores(inputs, [core[party] for core in used]) if possible else []
            sides.append([used[place] for place in places])
        return sides[ALICE], sides[BOB]


FOUR = 4  # bits: the depth that is decided by going through the splits
ALL_SPLITS_FROM = 4  # below this depth cores are made minimal by deciding every smaller rectangle


class SplitSearch:
    def __init__(self, cells: Cells, *, progress: Callable[[str], None] | None = None) -> None:
        self.cells, self.clock = cells, Clock()
        # per depth and limit on rounds, small rectangles without a protocol
        self.cores: dict[tuple[int, Turns | None], list[Rectangle]] = {}
        # why no split of the rows, and none of the columns, will do
        self.refuted_by: dict[Task, tuple[list[Rectangle], list[Rectangle]]] = {}
        self.split: dict[Task, tuple[int, int]] = {}  # the party and its sending side
        self.nodes = 0  # rectangles that were searched
        self._smaller: dict[Task, Rectangle] = {}
        self._hard: dict[tuple[int, Turns | None], list[Rectangle]] = {}
        self._known: dict[Task, bool] = {}
        self._proving = False
        self._met = ([0] * cells.shape[0], [0] * cells.shape[1])  # in how many cores each row and column is
        self._progress = progress
        self._random = random.Random(0)
        self._spoken = time.monotonic()

    def feasible(self, rows: int, columns: int, depth: int, turns: Turns | None = None) -> bool:
        rows, columns = reduced(self.cells.axes, rows, columns)[0]
        turns = normal(turns, depth)
        task = (rows, columns, depth, turns)
        known = self._known.get(task)
        if known is None:
            known = self._quick(rows, columns, depth, turns)
            if known is None:
                known = self._search(task)
            self._known[task] = known
        return known

    def _quick(self, rows: int, columns: int, depth: int, turns: Turns | None) -> bool | None:
        if not rows or not columns or direct_speaker(self.cells, rows, columns, depth, turns) is not None:
            return True
        if depth == 0:
            return self.cells.is_leaf(rows, columns)
        if self.cells.boolean and depth == 3 and turns is None:
            return three_bits_suffice(self.cells, rows, columns)
        if self.cells.closed == 2 and depth <= 2 and turns is None:
            return two_bits_suffice(self.cells, rows, columns, depth)
        if leaf_reason(self.cells, rows, columns, depth):
            return False
        if self.cells.is_leaf(rows, columns):
            return True
        return False if self._hard_core(rows, columns, depth, turns) else None

    def _search(self, task: Task) -> bool:
        self.nodes += 1
        rows, columns, depth, turns = task
        if self._by_all_splits(depth, turns):
            split = four_bit_split(self.cells, rows, columns, self.check_the_clock)
            if split is not None:
                self.split[task] = split
            return split is not None
        node = SplitNode(self.cells, task, self.cores)
        try:
            return self._try_splits(node)
        finally:
            for space in node.spaces:
                space.close()

    def _try_splits(self, node: SplitNode) -> bool:
        party = BOB
        while True:
            node.take_new_cores()
            party = 1 - party if not node.spaces[1 - party].exhausted else party
            proposal = node.spaces[party].propose()
            if proposal is None:
                if all(space.exhausted for space in node.spaces):
                    if self._proving or node.task[2] > self.cells.closed + 1:  # others are proved when it is asked for
                        self._record(node)
                    return False
                continue
            if self._both_feasible(node.task, party, proposal, node.limits[party]):
                self.split[node.task] = (party, proposal[0])
                return True

    def _record(self, node: SplitNode) -> None:
        rows, columns, depth, turns = node.task
        proof = self.refuted_by[node.task] = node.proof()
        cores = [core for side in proof for core in side]
        part = (reduce(or_, (core[ALICE] for core in cores), 0), reduce(or_, (core[BOB] for core in cores), 0))
        if cores and part != (rows, columns):
            self.refuted_by[(*part, depth, turns)] = proof
            self._smaller[node.task] = part

    def _both_feasible(self, task: Task, party: int, halves: tuple[int, int], limit: Turns | None) -> bool:
        self.check_the_clock()
        rows, columns, depth, _ = task
        for half in halves:
            rectangle = (half, columns) if party == ALICE else (rows, half)
            if not self._half_feasible(*rectangle, depth - 1, limit):
                self.learn(rectangle, depth - 1, limit, party)
                return False
        return True

    def _half_feasible(self, rows: int, columns: int, depth: int, limit: Turns | None) -> bool:
        if depth == 3 and limit is None and self.cells.boolean:  # by far the most frequent case
            return three_bits_suffice(self.cells, rows, columns)
        return self.feasible(rows, columns, depth, limit)

    def learn(self, rectangle: Rectangle, depth: int, limit: Turns | None, party: int) -> Rectangle:
        """Keep, and return, a small core of a rectangle that has no protocol of this depth."""
        rows, columns = reduced(self.cells.axes, *rectangle)[0]
        by_leaves = depth >= ALL_SPLITS_FROM and leaf_reason(self.cells, rows, columns, depth)
        if by_leaves:
            orders = (self._favoured(ALICE, rows), self._favoured(BOB, columns))
            core = leaf_core(self.cells, rows, columns, depth, orders)
        elif depth < ALL_SPLITS_FROM or self._by_all_splits(depth, limit):
            core = self._minimal(rows, columns, depth, limit, party)
        else:
            core = self._smaller.get((rows, columns, depth, limit), (rows, columns))
        if depth >= ALL_SPLITS_FROM:
            if not by_leaves:
                self._hard.setdefault((depth, limit), []).append(core)
            self._meet(core)
        self.cores.setdefault((depth, limit), []).append(core)
        return core

    def _by_all_splits(self, depth: int, turns: Turns | None) -> bool:
        return depth == FOUR and turns is None and self.cells.boolean

    def _meet(self, core: Rectangle) -> None:
        for party in (ALICE, BOB):
            for place in bits_of(core[party]):
                for images in (range(len(self._met[party])), *(symmetry[party] for symmetry in self.symmetries)):
                    self._met[party][images[place]] += 1

    def _favoured(self, party: int, mask: int) -> list[int]:
        inputs = list(bits_of(mask))
        self._random.shuffle(inputs)
        return sorted(inputs, key=lambda place: -self._met[party][place])

    def _minimal(self, rows: int, columns: int, depth: int, limit: Turns | None, first: int) -> Rectangle:
        """Leave out inputs, those of the party that split first, some at a time, while there is no protocol."""
        masks = [rows, columns]
        for party in (first, 1 - first):
            inputs = self._favoured(party, masks[party])[::-1]
            some = max(1, len(inputs) // 4)  # at a time; fewer once that was too much
            while inputs:
                fewer = list(masks)
                fewer[party] &= ~sum(1 << place for place in inputs[:some])
                if not self._half_feasible(fewer[0], fewer[1], depth, limit):
                    masks, inputs = fewer, inputs[some:]
                elif some > 1:
                    some //= 2
                else:
                    inputs.pop(0)
        return masks[0], masks[1]

    @cached_property
    def symmetries(self) -> list[Symmetry]:
        return symmetries(self.cells.codes.astype(int))

    def check_the_clock(self) -> None:
        self.clock.step()
        if self._progress is not None and time.monotonic() > self._spoken + 1:
            self._spoken = time.monotonic()
            learnt = sum(map(len, self.cores.values()))
            self._progress(f"{counted(self.nodes, 'rectangle')} searched, {counted(learnt, 'core')} learnt")

    def split_of(self, task: Task) -> tuple[int, int]:
        """The party and its sending side at the root of a protocol for a feasible (reduced) task."""
        if task not in self.split and not self._search(task):
            raise AssertionError("no split for a task decided positively")
        return self.split[task]

    def refutation_of(self, task: Task) -> tuple[list[Rectangle], list[Rectangle]]:
        """What forbids every split of a refuted (reduced) task, for Alice and for Bob."""
        if task not in self.refuted_by:
            self._proving = True
            feasible = self._search(task)
            self._proving = False
            if feasible:
                raise AssertionError("a split for a task that was refuted")
        return self.refuted_by[task]

    def hard_core(self, rows: int, columns: int, depth: int, turns: Turns | None) -> Rectangle | None:
        """The core by which a rectangle was refuted without a search of its own, if it was."""
        known = (rows, columns, depth, turns) in self.refuted_by
        return None if known else self._hard_core(rows, columns, depth, turns)

    def _hard_core(self, rows: int, columns: int, depth: int, turns: Turns | None) -> Rectangle | None:
        for core in self._hard.get((depth, turns), ()):
            if rows & core[0] == core[0] and columns & core[1] == core[1]:
                return core
        return None
