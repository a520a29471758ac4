"""The deterministic communication complexity of a matrix, exactly, with a witness for each side.

Above, an optimal protocol tree, read off what the search decided. Below, a proof that no protocol has a bit less: an
acyclic graph of small refuted rectangles, ``[depth, limit, rows, columns, reason, ...]``, the last of which is the
whole claim (masks as hexadecimal text; ``limit`` None or [rounds that may still begin, who spoke last]). Reasons:

* ``"rank", [p, ...]``: the leaf-rank bound over GF(p), one field per answer code, exceeds 2^depth;
* ``"fooling", [[row, column], ...]``: more than 2^depth cells of which no leaf contains two;
* ``"three"``, ``"four"``: closed form of three bits, or all splits of four; total, Boolean, both know;
* ``"splits", [fields, [node, ...], cores], [the same]``: for the rows and for the columns, earlier nodes, or cores that
  the closed form refutes (``"rows:columns ..."``), one of which every split leaves whole on one side; or, with fields
  2 or 3, the leaf-rank bound of one side exceeds 2^(depth-1) over one of them. A party that may not speak needs none.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, count
from typing import Any

import numpy as np

from ccsim.bounds.bit_matrix import (
    ALICE,
    BOB,
    Cells,
    Turns,
    after,
    bits_of,
    direct_speaker,
    input_weights,
    leaf_reason,
    normal,
    reduced,
)
from ccsim.bounds.bracket import SPEAKERS, UNKNOWN, Bracket, Open, Side, Tree, depth_of
from ccsim.bounds.field_ranks import leaf_rank
from ccsim.bounds.largest_fooling_sets import maximum_fooling_set
from ccsim.bounds.one_message import DIRECTIONS, one_way
from ccsim.bounds.scheduler import Clock, OutOfTimeError
from ccsim.bounds.small_depths import three_bits_suffice
from ccsim.bounds.split_search import FOUR, SplitSearch, Task
from ccsim.certificates.verify import Refused, check
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix

SURE = 2.0  # seconds of a search whose refutation the checker surely goes through
SLICE = 0.3  # seconds that each depth has at first
COLOURING = 2.0  # seconds for each party's messages
SMALL = 64  # different inputs up to which a first fooling set takes no time
MOST_CELLS = 1 << 20  # of which one is looked for


class DeterministicSearch:
    """Better and better brackets on the least depth of a protocol tree for a matrix; None above if there is none."""

    def __init__(
        self,
        matrix: CommunicationMatrix,
        *,
        answer: str = "both",
        rounds: int | None = None,
        first: str | None = None,
        clock: Clock,
        progress: Callable[[str], None] | None = None,
        trees: Callable[[CommunicationMatrix, Clock], Iterator[Tree | None]] | None = None,
    ) -> None:
        if rounds is not None and rounds < 1:
            raise InputError("rounds", rounds, "at least 1, or None")
        if first is not None and (first not in SPEAKERS or rounds is None):
            raise InputError("first", first, "alice or bob, together with a number of rounds")
        self.start = time.monotonic()
        self.matrix, self.merged = matrix, matrix.merge()
        self.small = self.merged.matrix
        self._inputs = [_inputs_of(self.merged.row_class.tolist()), _inputs_of(self.merged.column_class.tolist())]
        self.answer = answer
        self.parameters: dict[str, Any] = {"answer": answer, "rounds": rounds, "first": first}
        self.turns: Turns | None = None
        if rounds is not None:
            self.turns = Turns(rounds, -1) if first is None else Turns(rounds - 1, SPEAKERS.index(first))
        self.reason: Open | None = None
        self.cells = Cells(self.small, answer)
        self.clock = clock
        self.search = SplitSearch(self.cells, progress=progress)
        self._trees = None if rounds or trees is None else trees(self.small, self.search.clock)
        self.lower = 0
        self.upper: int | None = None
        self.method = "leaf-rank"
        self.nodes: list[list[Any]] | None = None
        self._unchecked: set[int] = set()  # depths whose refutations take the checker too much work
        self._tree: Tree | None = None
        self._tree_of: int | None = None

    def stages(self) -> Iterator[Bracket]:
        self.upper, lower = self._direct_upper(), self._elementary_lower()
        if max(self.small.shape) > SMALL and not self.small.is_total:  # messages take longer than a fooling set
            next(lower)
            yield self._bracket()
        self._join_inputs(0.0)
        yield self._bracket()
        for _ in lower:
            yield self._bracket()
        if self.upper != self.lower:
            self._join_inputs(self.clock.left(8 * COLOURING) / 8)
            yield self._bracket()
        for _ in self._close_the_gap():
            yield self._bracket()

    def _bracket(self) -> Bracket:
        if self.upper is not None and self.upper != self._tree_of:
            self.search.clock.end = None  # what is left takes no search worth stopping
            tree = build_tree(self.search, *self.cells.everything, self.upper, self.turns)
            self._tree = _expanded(tree, self._inputs, self.answer)
            self._tree_of = self.upper
        nodes = self._in_full(self.nodes) if self.nodes is not None else None
        below = Side(self.lower, self.method, {"kind": "refutation", "nodes": nodes} if nodes else None)
        tree = {"kind": "protocol-tree", "tree": self._tree}
        above = Side(self.upper, "protocol tree", tree) if self._tree else UNKNOWN
        return Bracket("deterministic", below, above, self.parameters, open=self.reason)

    def _close_the_gap(self) -> Iterator[None]:
        """Decide depths from both ends in turn, each for a slice of time that grows, until the sides meet."""
        slice_seconds = SLICE
        while self.upper is not None and self.lower < self.upper:
            if self.reason is Open.TIME and self.clock.over:  # else there is more time now
                return
            self.method, self.reason = "search", None
            alone = self.upper - self.lower == 1 and self._trees is None
            depths = [depth for depth in dict.fromkeys((self.lower, self.upper - 1)) if depth not in self._unchecked]
            if not depths:
                self.reason = Open.REACH  # of certificates that the checker goes through
                yield
                return
            for depth in depths:
                self.search.clock.end = self.clock.end if alone else Clock.within(self.clock.left(slice_seconds)).end
                if self._decide(depth):
                    yield
                    break
            else:
                self.search.clock.end = Clock.within(self.clock.left(slice_seconds * len(depths))).end
                yield from self._try_trees()
            if self.upper is not None and self.lower < self.upper and self.clock.over:
                self.reason = Open.TIME
                yield
            slice_seconds *= 2

    def _try_trees(self) -> Iterator[None]:
        """Protocols that are found otherwise, until it is the other search's turn again."""
        for tree in self._trees or ():
            if tree is None:
                return
            if self.upper is not None and depth_of(tree) < self.upper:
                self.upper = self._tree_of = depth_of(tree)
                self._tree = _expanded(tree, self._inputs, self.answer)
                yield
                if self.lower == self.upper:
                    return
        self._trees = None

    def _decide(self, depth: int) -> bool:
        try:
            if self.search.feasible(*self.cells.everything, depth, self.turns):
                self.upper = depth
            else:
                nodes = refute(self.search, depth, self.turns)
                if time.monotonic() - self.start > SURE:  # nothing is called exact that the checker does not accept
                    witness = {"kind": "refutation", "nodes": self._in_full(nodes)}
                    check(self.matrix.codes.tolist(), "deterministic", "lower", self.parameters, witness)
                self.nodes, self.lower = nodes, depth + 1
        except Refused:
            self._unchecked.add(depth)
        except OutOfTimeError:
            return False
        return True

    def _in_full(self, nodes: list[list[Any]]) -> list[list[Any]]:
        rows, columns = self.merged.rows.tolist(), self.merged.columns.tolist()
        return [_renumber(node, rows, columns) for node in nodes]

    def _direct_upper(self) -> int | None:
        """The depth if one party, the better one, names its input; None if no protocol is possible."""
        rows, columns = reduced(self.cells.axes, *self.cells.everything)[0]
        if self.cells.is_leaf(rows, columns):
            return 0
        sides = ((ALICE, rows, columns), (BOB, columns, rows))
        weights = [input_weights(self.cells, *side, self.turns) for side in sides]
        return min(((sum(own) - 1).bit_length() for own in weights if own is not None), default=None)

    def _join_inputs(self, seconds: float) -> None:
        """Join inputs of a party that never disagree in a partial matrix, and name what is joined."""
        for party, way in enumerate(() if self.matrix.is_total else DIRECTIONS):
            witness = one_way(self.matrix, way, seconds=seconds).upper_witness or {}
            inputs = [[[place] for place in range(count)] for count in self.matrix.shape]
            inputs[party] = _inputs_of(witness["of"]["classes"])
            rows = self.matrix.codes.T if party else self.matrix.codes
            joined = np.array([rows[places].max(axis=0) for places in inputs[party]])
            coarse = CommunicationMatrix(joined.T if party else joined, self.matrix.labels)
            inner = DeterministicSearch(coarse, clock=self.clock, **self.parameters)
            inner.upper = inner._direct_upper()
            if inner.upper is not None and self.upper is not None and inner.upper < self.upper:
                self.upper = self._tree_of = inner.upper
                self._tree = _expanded((inner._bracket().upper_witness or {})["tree"], inputs, self.answer)

    def _elementary_lower(self) -> Iterator[None]:
        everything = [format(mask, "x") for mask in self.cells.everything]
        for primes in ((2,), ()) if self.small.is_total and self.lower != self.upper else ():
            bound = leaf_rank(self.small, self.answer, primes, only_bits=True)
            if bound.bits > self.lower:
                self.lower, self.method = bound.bits, "leaf-rank"
                self.nodes = [[bound.bits - 1, None, *everything, "rank", list(bound.primes)]]
            yield
            if self.lower == self.upper:
                return
        if self.small.codes.size <= MOST_CELLS and self.lower != self.upper:
            seconds = self.clock.left(SURE) / 4 if max(self.small.shape) > SMALL else 0.0
            cells = maximum_fooling_set(self.small, answer=self.answer, seconds=seconds).cells
            bits = max(len(cells) - 1, 0).bit_length()
            if bits > self.lower:
                self.lower, self.method = bits, "fooling set"
                self.nodes = [[bits - 1, None, *everything, "fooling", [list(cell) for cell in cells]]]
        yield


def _expanded(tree: Tree, inputs: Sequence[list[list[int]]], answer: str) -> Tree:
    """A tree for classes of rows and of columns, with the inputs of each class."""
    if "speaker" not in tree:
        if "answers" not in tree:
            return tree
        own = inputs[SPEAKERS.index(answer)]
        return {"answers": sorted([place, code] for number, code in tree["answers"] for place in own[number])}
    own = inputs[SPEAKERS.index(tree["speaker"])]
    ones = sorted(chain.from_iterable(map(own.__getitem__, tree["ones"])))
    halves = {half: _expanded(tree[half], inputs, answer) for half in ("zero", "one")}
    return {"speaker": tree["speaker"], "ones": ones, **halves}


def _inputs_of(classes: list[int]) -> list[list[int]]:
    inputs: list[list[int]] = [[] for _ in range(max(classes, default=-1) + 1)]
    for place, own in enumerate(classes):
        inputs[own].append(place)
    return inputs


def _renumber(node: list[Any], rows: list[int], columns: list[int]) -> list[Any]:
    depth, limit, row_mask, column_mask, kind, *data = node
    masks = [_moved(row_mask, rows), _moved(column_mask, columns)]
    if kind == "fooling":
        data = [[[rows[row], columns[column]] for row, column in data[0]]]
    return [depth, limit, *masks, kind, *data]


def _moved(mask: str, inputs: list[int]) -> str:
    return format(sum(1 << inputs[place] for place in bits_of(int(mask, 16))), "x")


def build_tree(search: SplitSearch, rows: int, columns: int, depth: int, turns: Turns | None) -> Tree:
    cells = search.cells
    (few_rows, few_columns), leaders = reduced(cells.axes, rows, columns)
    if not rows or not columns or cells.is_leaf(few_rows, few_columns):
        return _leaf(cells, rows, columns)
    turns = normal(turns, depth)
    speaker = direct_speaker(cells, few_rows, few_columns, depth, turns)
    if speaker is not None:
        return _name_the_input(cells, (rows, columns), (few_rows, few_columns), leaders, speaker, turns)
    task: Task = (few_rows, few_columns, depth, turns)
    party, side = search.split_of(task)
    ones = sum(1 << place for place, leader in leaders[party].items() if side >> leader & 1)
    limit = after(turns, party) or None

    def half(mask: int) -> Tree:
        rectangle = (mask, columns) if party == ALICE else (rows, mask)
        return build_tree(search, *rectangle, depth - 1, limit)

    return _node(party, ones, half((rows, columns)[party] & ~ones), half(ones))


def _node(party: int, ones: int, zero: Tree, one: Tree) -> Tree:
    return {"speaker": SPEAKERS[party], "ones": list(bits_of(ones)), "zero": zero, "one": one}


def _leaf(cells: Cells, rows: int, columns: int) -> Tree:
    if cells.answer == "both":
        seen = {code for row in bits_of(rows) for code in cells.answers(ALICE, row, columns)}
        return {"answer": min(seen, default=0)}
    party = SPEAKERS.index(cells.answer)
    inputs, across = (rows, columns) if party == ALICE else (columns, rows)
    answers = [[place, min(cells.answers(party, place, across), default=0)] for place in bits_of(inputs)]
    if len({code for _, code in answers}) <= 1:
        return {"answer": answers[0][1] if answers else 0}
    return {"answers": answers}


def _name_the_input(
    cells: Cells,
    whole: tuple[int, int],
    few: tuple[int, int],
    leaders: tuple[dict[int, int], ...],
    party: int,
    turns: Turns | None,
) -> Tree:
    """The speaker names its input by a code of the right lengths; the other party names the answer there."""
    weights = input_weights(cells, party, few[party], few[1 - party], turns) or []
    followers = dict.fromkeys(bits_of(few[party]), 0)
    for other, leader in leaders[party].items():
        followers[leader] |= 1 << other
    groups = list(zip(weights, followers.values(), strict=True))

    def reply(inputs: int) -> Tree:
        rectangle = (inputs, whole[BOB]) if party == ALICE else (whole[ALICE], inputs)
        return _name_the_answer(cells, rectangle, 1 - party)

    return _huffman(party, groups, reply)


def _name_the_answer(cells: Cells, rectangle: tuple[int, int], party: int) -> Tree:
    if cells.is_leaf(*rectangle):
        return _leaf(cells, *rectangle)
    own, across = rectangle[party], rectangle[1 - party]
    sets: dict[int, int] = {}
    if across & (across - 1):
        for place in bits_of(own):
            code = min(cells.answers(party, place, across), default=-1)
            sets[code] = sets.get(code, 0) | 1 << place
        undefined = sets.pop(-1, 0)
    else:  # a single input across
        place = across.bit_length() - 1
        shown = {code: block[place] & own for code, block in enumerate(cells.axes[1 - party].blocks)}
        sets = {code: shown[code] for code in sorted(shown, key=lambda code: shown[code] & -shown[code]) if shown[code]}
        undefined = own & ~sum(sets.values())
    sets[next(iter(sets))] |= undefined

    def finish(inputs: int) -> Tree:
        return _leaf(cells, *((inputs, across) if party == ALICE else (across, inputs)))

    return _huffman(party, [(1, inputs) for inputs in sets.values()], finish)


def _huffman(party: int, groups: list[tuple[int, int]], leaf: Callable[[int], Tree]) -> Tree:
    """Join the two lightest again and again: powers of two, of which a pair weighs twice the heavier."""
    ticket = count()
    heap = [(weight, next(ticket), inputs, leaf(inputs)) for weight, inputs in groups]
    heapq.heapify(heap)
    while len(heap) > 1:
        _, _, ones, one = heapq.heappop(heap)
        weight, _, zeros, zero = heapq.heappop(heap)
        if zeros.bit_count() < ones.bit_count():  # a witness lists the ones
            ones, zeros, one, zero = zeros, ones, zero, one
        heapq.heappush(heap, (2 * weight, next(ticket), ones | zeros, _node(party, ones, zero, one)))
    return heap[0][3]


def refute(search: SplitSearch, depth: int, turns: Turns | None) -> list[list[Any]]:
    """The nodes of a proof that the whole matrix has no protocol of this depth, once the search has found it."""
    writer = _Writer(search)
    writer.prove(*search.cells.everything, depth, turns)
    return writer.nodes


class _Writer:
    def __init__(self, search: SplitSearch) -> None:
        self.search, self.cells = search, search.cells
        self.nodes: list[list[Any]] = []
        self._number: dict[tuple[int, int, int, Turns | None], int] = {}

    def prove(self, rows: int, columns: int, depth: int, turns: Turns | None) -> int:
        turns = normal(turns, depth)
        key = (rows, columns, depth, turns)
        if key in self._number:
            return self._number[key]
        reason = self._elementary(rows, columns, depth, turns)
        if reason is None:
            rows, columns = reduced(self.cells.axes, rows, columns)[0]
            core = self.search.hard_core(rows, columns, depth, turns)
            if core is not None and core != (rows, columns):
                number = self._number[key] = self.prove(*core, depth, turns)
                return number
            reason = self._splits(rows, columns, depth, turns)
        self._number[key] = len(self.nodes)
        limit = None if turns is None else [turns.left, turns.last]
        self.nodes.append([depth, limit, format(rows, "x"), format(columns, "x"), *reason])
        return self._number[key]

    def _elementary(self, rows: int, columns: int, depth: int, turns: Turns | None) -> list[Any] | None:
        if depth == 0:
            return ["fooling", _two_cells(self.cells, rows, columns)]
        primes = leaf_reason(self.cells, rows, columns, depth)
        if primes is not None:
            return ["rank", list(primes)]
        boolean = self.cells.boolean and depth == 3 and turns is None
        if boolean and not three_bits_suffice(self.cells, rows, columns):
            return ["three"]
        return None

    def _splits(self, rows: int, columns: int, depth: int, turns: Turns | None) -> list[Any]:
        if depth == FOUR and turns is None and self.cells.boolean:
            return ["four"]
        sides: list[Any] = []
        proof = self.search.refutation_of((rows, columns, depth, turns))
        for party, cores in enumerate(proof):
            limit = normal(after(turns, party) or None, depth - 1)
            sides.append([[], sorted({self.prove(*core, depth - 1, limit) for core in cores}), ""])
        return ["splits", *sides]


def _two_cells(cells: Cells, rows: int, columns: int) -> list[list[int]]:
    if cells.answer == "both":
        first: dict[int, list[int]] = {}
        for row in bits_of(rows):
            for code, block in enumerate(cells.axes[ALICE].blocks):
                if block[row] & columns:
                    first.setdefault(code, [row, bits_of(block[row] & columns)[0]])
        return list(first.values())[:2]
    party = ALICE if cells.answer == "alice" else BOB
    inputs, across = (rows, columns) if party == ALICE else (columns, rows)
    for place in bits_of(inputs):
        shown = [block[place] & across for block in cells.axes[party].blocks]
        seen = [bits_of(mask)[0] for mask in shown if mask]
        if len(seen) > 1:
            return [[place, other] if party == ALICE else [other, place] for other in seen[:2]]
    raise AssertionError("a leaf has no two such cells")
