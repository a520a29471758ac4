"""Protocols of few leaves, of functions and relations: all rectangles of a small table, a search in larger ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ccsim import lazy
from ccsim.bounds.bit_matrix import ALICE, BOB, Axes, Axis, Leaders, bits_of, proper_parts, reduced
from ccsim.bounds.bracket import (
    SPEAKERS,
    UNKNOWN,
    Bracket,
    Finding,
    Side,
    Tree,
    Witness,
    depth_of,
    improved,
    last_of,
    leaves_of,
    logarithm_of,
    timed,
)
from ccsim.bounds.field_ranks import leaf_rank, pack_rows
from ccsim.bounds.largest_fooling_sets import maximum_fooling_set
from ccsim.bounds.scheduler import Clock, OutOfTimeError
from ccsim.bounds.tree_search import DeterministicSearch
from ccsim.certificates.verify.claims import MOST_WORK
from ccsim.certificates.verify.trees import work_of_all
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix, Relation
from ccsim.problems.function import Subject, matrix_of
from ccsim.tables import DONT_CARE

scipy = lazy.load("scipy")

Rectangle = tuple[int, int]
"""Rows and columns, as masks."""


class Game(NamedTuple):
    """A table of allowed answers: per party, answer code and input, the inputs across where the answer is right."""

    shape: tuple[int, int]
    allowed: tuple[Sequence[Sequence[int]], Sequence[Sequence[int]]]
    answer: str
    axes: Axes

    @property
    def everything(self) -> tuple[int, int]:
        return (1 << self.shape[0]) - 1, (1 << self.shape[1]) - 1

    @property
    def knower(self) -> int:
        """The party by whose inputs a leaf is written: the one that must know, or Alice."""
        return BOB if self.answer == "bob" else ALICE

    def leaf(self, rows: int, columns: int) -> Tree | None:
        """The rectangle as a leaf of a protocol tree; None if who must know the answer does not know it yet."""
        own, across = (columns, rows) if self.knower == BOB else (rows, columns)
        inputs = bits_of(own)
        if self.answer == "both":
            for code, allowed in enumerate(self.allowed[ALICE]):
                if all(across & ~allowed[place] == 0 for place in inputs):
                    return {"answer": code}
            return None
        answers = []
        for place in inputs:
            right = [code for code, allowed in enumerate(self.allowed[self.knower]) if across & ~allowed[place] == 0]
            if not right:
                return None
            answers.append([place, right[0]])
        return {"answers": answers} if len({code for _, code in answers}) != 1 else {"answer": answers[0][1]}


def game_of(subject: CommunicationMatrix | Relation, answer: str) -> Game:
    """A function or a relation as a game; an undefined entry allows every answer."""
    if isinstance(subject, Relation):
        tables = [subject.right(code) for code in range(len(subject.labels))]
    else:
        codes = subject.codes
        tables = [(codes == code) | (codes == DONT_CARE) for code in range(max(1, len(subject.labels)))]
    by_row, by_column = [pack_rows(table) for table in tables], [pack_rows(table.T) for table in tables]
    wrong = [pack_rows(~table) for table in tables], [pack_rows(~table.T) for table in tables]
    shapes = subject.shape, subject.shape[::-1]
    axes = Axis(wrong[ALICE], *shapes[ALICE], total=False), Axis(wrong[BOB], *shapes[BOB], total=False)
    return Game(subject.shape, (by_row, by_column), answer, axes)


def followed(tree: Tree, leaders: Leaders, game: Game, rows: int, columns: int) -> Tree:
    """A tree for the inputs that others follow, as one for all inputs of a rectangle."""
    if "speaker" not in tree:
        leaf = game.leaf(rows, columns)
        return tree if leaf is None else leaf
    party = SPEAKERS.index(tree["speaker"])
    wanted = sum(1 << place for place in tree["ones"])
    own = (rows, columns)[party]
    ones = sum(1 << place for place in bits_of(own) if wanted >> leaders[party][place] & 1)
    after_zero, after_one = halves((rows, columns), (party, ones))
    zero = followed(tree["zero"], leaders, game, *after_zero)
    one = followed(tree["one"], leaders, game, *after_one)
    return {"speaker": tree["speaker"], "ones": list(bits_of(ones)), "zero": zero, "one": one}


Array = npt.NDArray[np.uint16]
Flags = npt.NDArray[np.bool_]

REMEMBERED = (1 << 12) - 1  # the largest mask whose parts are remembered
_parts = cache(proper_parts)
FAR = 1 << 14  # more than any rectangle here takes, and twice that still fits
HALVES = {"leaves": np.add, "bits": np.maximum}


def work_of(rows: int, columns: int) -> int:
    """About how many splits of rectangles a table of this size has."""
    return int(3**rows * 2**columns + 2**rows * 3**columns)


class Program:
    """The least leaves, or bits, of each rectangle in one: sets of rows by their size, then sets of columns."""

    def __init__(self, game: Game, rows: int, columns: int, counted: str) -> None:
        self.game, self.counted = game, counted
        self.inputs = (bits_of(rows), bits_of(columns))
        self._join: Callable[..., Any] = HALVES[counted]
        self._more = int(counted == "bits")
        self.values = self._filled()

    @property
    def value(self) -> int:
        return int(self.values[-1, -1])

    def _filled(self) -> Array:
        m, n = map(len, self.inputs)
        values = np.full((1 << m, 1 << n), FAR, dtype=np.uint16)
        values[self._leaves()] = 1 - self._more
        sizes = np.array([mask.bit_count() for mask in range(1 << m)])
        for size in range(1, m + 1):
            group = np.flatnonzero(sizes == size)
            for mask in group.tolist() if size > 1 else []:
                values[mask] = np.minimum(values[mask], self._split(values, mask))
            block = values[group].T.copy()
            for mask in range(1, 1 << n):
                if mask & mask - 1:
                    block[mask] = np.minimum(block[mask], self._split(block, mask))
            values[group] = block.T
        return values

    def _split(self, values: Array, mask: int) -> Array:
        parts = proper_parts(mask) if mask > REMEMBERED else _parts(mask)
        best: Array = self._join(values[parts], values[mask ^ parts]).min(axis=0) + self._more
        return best

    def _leaves(self) -> Flags:
        party = self.game.knower
        own, across = self.inputs[party], self.inputs[1 - party]
        sets = np.arange(1 << len(across))
        right = [
            [
                sets & sum(1 << at for at, other in enumerate(across) if not allowed[place] >> other & 1) == 0
                for place in own
            ]
            for allowed in self.game.allowed[party]
        ]
        if self.game.answer != "both":
            right = [[np.logical_or.reduce(options) for options in zip(*right, strict=True)]]
        leaves = np.zeros((1 << len(own), 1 << len(across)), dtype=bool)
        for options in right:
            every = np.ones((1, 1 << len(across)), dtype=bool)
            for option in options:
                every = np.concatenate([every, every & option])
            leaves |= every
        leaves[0, :] = leaves[:, 0] = False
        return leaves.T if party == BOB else leaves

    def tree(self) -> Tree:
        return self._tree(len(self.values) - 1, self.values.shape[1] - 1)

    def _tree(self, rows: int, columns: int) -> Tree:
        leaf = self.game.leaf(self._inputs(ALICE, rows), self._inputs(BOB, columns))
        if leaf is not None:
            return leaf
        for party, mask in ((ALICE, rows), (BOB, columns)):
            values = self.values[:, columns] if party == ALICE else self.values[rows]
            parts = proper_parts(mask)
            costs = self._join(values[parts], values[mask ^ parts]) + self._more
            if len(parts) and costs.min() == self.values[rows, columns]:
                one = int(parts[np.argmin(costs)])
                break
        zero, other = (self._tree(*half) for half in halves((rows, columns), (party, one)))
        ones = list(bits_of(self._inputs(party, one)))
        return {"speaker": SPEAKERS[party], "ones": ones, "zero": zero, "one": other}

    def _inputs(self, party: int, mask: int) -> int:
        return sum(1 << self.inputs[party][place] for place in bits_of(mask))


FEW = 12  # splits of a party, up to which those by two of them are considered as well
SMALL = 4_000_000  # splits of a rectangle that is solved by going through all of its own

Split = tuple[int, int]
"""A party, and its inputs that send 1."""


class LeafSearch:
    """Few leaves (or bits): of splits by whether an answer is right at one input across, the best-looking are tried."""

    def __init__(self, game: Game, counted: str, width: int, clock: Clock) -> None:
        self.game, self.counted, self.width, self.clock = game, counted, width, clock
        self._known: dict[Rectangle, tuple[int, Split | None]] = {}

    def value(self, rows: int, columns: int) -> int:
        few, _ = reduced(self.game.axes, rows, columns)
        return self._best(few)[0]

    def _best(self, few: Rectangle) -> tuple[int, Split | None]:
        if few not in self._known:
            self._known[few] = self._tried(few)
        return self._known[few]

    def _tried(self, few: Rectangle) -> tuple[int, Split | None]:
        if self.clock.over:
            raise OutOfTimeError
        if self.game.leaf(*few) is not None:
            return (1 if self.counted == "leaves" else 0), None
        if work_of(few[0].bit_count(), few[1].bit_count()) <= SMALL:
            return Program(self.game, *few, self.counted).value, None
        looks = sorted(self._splits(few), key=lambda split: self._looks(few, split))
        best = (self._joined(*(self.value(*half) for half in halves(few, split))) for split in looks[: self.width])
        return min(zip(best, looks, strict=False))

    def _joined(self, one: int, other: int) -> int:
        return one + other if self.counted == "leaves" else 1 + max(one, other)

    def _looks(self, few: Rectangle, split: Split) -> tuple[int, int]:
        costs = [self._naming(reduced(self.game.axes, *half)[0]) for half in halves(few, split)]
        return self._joined(*costs), max(costs)

    def _naming(self, few: Rectangle) -> int:
        if self.game.leaf(*few) is not None:
            return 1 if self.counted == "leaves" else 0
        best = []
        for party in (ALICE, BOB):
            replies = [self._replies(party, place, few[1 - party]) for place in bits_of(few[party])]
            if self.counted == "leaves":
                best.append(sum(replies))
            else:
                best.append((len(replies) - 1).bit_length() + (max(replies) - 1).bit_length())
        return min(best)

    def _replies(self, party: int, place: int, across: int) -> int:
        if self.game.answer == SPEAKERS[1 - party]:
            return 1
        count = 0
        while across:
            across &= ~max((right[place] & across for right in self.game.allowed[party]), key=int.bit_count)
            count += 1
        return count

    def _splits(self, few: Rectangle) -> Iterator[Split]:
        for party in (ALICE, BOB):
            own, across = few[party], few[1 - party]
            inputs = bits_of(own)
            half = sum(1 << place for place in inputs[: len(inputs) // 2])
            sets = {half} | {right[place] & own for right in self.game.allowed[1 - party] for place in bits_of(across)}
            if len(sets) <= FEW:  # parities of two bits, say
                sets |= {one ^ other for one in sets for other in sets}
            first = own & -own
            for ones in {one ^ own if one & first else one for one in sets} - {0}:
                yield party, ones

    def tree(self, rows: int, columns: int) -> Tree:
        few, leaders = reduced(self.game.axes, rows, columns)
        _, split = self._best(few)
        if split is None:
            tree = self.game.leaf(*few) or Program(self.game, *few, self.counted).tree()
        else:
            zero, one = (self.tree(*half) for half in halves(few, split))
            tree = {"speaker": SPEAKERS[split[0]], "ones": list(bits_of(split[1])), "zero": zero, "one": one}
        return followed(tree, leaders, self.game, rows, columns)


def halves(rectangle: Rectangle, split: Split) -> tuple[Rectangle, Rectangle]:
    (rows, columns), (party, ones) = rectangle, split
    if party == ALICE:
        return (rows & ~ones, columns), (rows & ones, columns)
    return (rows, columns & ~ones), (rows, columns & ones)


WIDTHS = 3  # splits that the search tries, at most, if its time is not limited
MOST_WIDTH = 100
WIDER = 1, 3, 9  # splits, of which the last may find one bit less
SPLITS_IN_A_SECOND = 1e8  # of rectangles, at least


def everything_checked(game: Game, rows: int, columns: int, counted: str) -> bool:
    m, n = rows.bit_count(), columns.bit_count()
    own, across = (n, m) if game.answer == "bob" else (m, n)
    return max(m, n) <= 16 and work_of_all(own, across, counted == "leaves") < MOST_WORK


def solve(game: Game, counted: str, clock: Clock) -> Iterator[Finding]:
    """All rectangles if they are not too many, else good protocols, by trying more and more splits."""
    few, leaders = reduced(game.axes, *game.everything)
    if everything_checked(game, *few, counted):
        if work_of(*(mask.bit_count() for mask in few)) < SPLITS_IN_A_SECOND * clock.left(60.0):
            program = Program(game, *few, counted)
            yield "lower", program.value, "all rectangles", all_rectangles(*few)
            yield tree_finding(followed(program.tree(), leaders, game, *game.everything), counted)
        return
    for tree in found_trees(game, clock, counted, range(1, (WIDTHS if clock.end is None else MOST_WIDTH) + 1)):
        if tree is None:
            return
        yield tree_finding(tree, counted)


def found_trees(
    game: Game, clock: Clock, counted: str = "bits", widths: Iterable[int] = WIDER
) -> Iterator[Tree | None]:
    """Trees by trying more and more splits; None whenever the clock is over, which may then be moved."""
    for width in widths:
        search, tree = LeafSearch(game, counted, width, clock), None
        while tree is None:
            with suppress(OutOfTimeError):
                search.value(*game.everything)
                tree = search.tree(*game.everything)
            yield tree


def tree_finding(tree: Tree, counted: str) -> Finding:
    value = leaves_of(tree) if counted == "leaves" else depth_of(tree)
    return "upper", value, "protocol tree", {"kind": "protocol-tree", "tree": tree}


def all_rectangles(rows: int, columns: int) -> Witness:
    return {"kind": "all-rectangles", "rows": f"{rows:x}", "columns": f"{columns:x}"}


MOST_DIFFERENT = 48  # rows or columns, up to which fooling sets are grown and protocols searched for


@timed
def least_leaves(matrix: Subject, *, answer: str = "both", seconds: float | None = 60.0) -> Bracket:
    """The fewest leaves of a protocol tree that computes a function: its protocol partition number.

    A protocol divides the matrix into its leaves, by splits of rectangles in two. So the number is at least the
    partition number, and D at least its logarithm. It is exact here up to about 11 different rows and columns.

    Args:
        matrix: total or partial.
        answer: who must know the answer at a leaf: ``both``, ``alice`` or ``bob``.
        seconds: a limit on the search; after that the bracket so far.

    Returns:
        A bracket in leaves. Below: ranks of the answers, a fooling set, or all rectangles of the matrix gone through;
        above: a protocol tree.

    >>> print(least_leaves(CommunicationMatrix.from_array([[0, 1, 1], [1, 0, 1], [1, 1, 0]])))
    leaves = 6 leaves (leaf-rank | protocol tree)
    """
    matrix = matrix_of(matrix)
    if answer not in ("both", "alice", "bob"):
        raise InputError("answer", answer, "'both', 'alice' or 'bob'")
    if 0 in matrix.shape:
        raise InputError("matrix", matrix, "at least one row and one column")
    unknown = Bracket("leaves", UNKNOWN, UNKNOWN, {"answer": answer}, "leaves", matrix=matrix)
    return last_of(improved(unknown, leaf_findings(matrix, answer, Clock.within(seconds))))


def leaf_findings(matrix: CommunicationMatrix, answer: str, clock: Clock) -> Iterator[Finding | None]:
    small = matrix.merge().matrix
    for primes in ((2,), ()) if matrix.is_total else ():
        rank = leaf_rank(small, answer, primes)
        yield "lower", rank.leaves, "leaf-rank", {"kind": "leaf-rank", "primes": list(rank.primes)}
    certain = next(DeterministicSearch(matrix, answer=answer, clock=clock).stages())
    yield tree_finding((certain.upper_witness or {})["tree"], "leaves")
    cells = maximum_fooling_set(matrix, answer=answer, seconds=0.0).cells
    yield "lower", len(cells), "fooling set", {"kind": "fooling-set", "cells": [list(cell) for cell in cells]}
    yield None
    if max(small.shape) > MOST_DIFFERENT:
        return
    yield from solve(game_of(matrix, answer), "leaves", clock)


Cell = tuple[int, int]
TRIVIAL = "trivial protocol"  # a party sends its input


def trivial_relation(relation: Relation, answer: str, counted: str) -> Bracket:
    inputs, answers = min(relation.shape), len(relation.labels)
    upper = inputs * answers if counted == "leaves" else (inputs - 1).bit_length() + (answers - 1).bit_length()
    measure = "leaves" if counted == "leaves" else "deterministic"
    sides = Side(int(counted == "leaves"), "trivial"), Side(upper, TRIVIAL)
    rounds = {} if counted == "leaves" else {"rounds": None, "first": None}
    return Bracket(measure, *sides, {"answer": answer, **rounds}, counted)


def relation_findings(relation: Relation, answer: str, counted: str, clock: Clock) -> Iterator[Finding | None]:
    game = game_of(relation, answer)
    search = LeafSearch(game, counted, 1, Clock())
    search.value(*game.everything)
    yield tree_finding(search.tree(*game.everything), counted)
    yield None
    few, _ = reduced(game.axes, *game.everything)
    cells, value = khrapchenko(relation) if answer == "both" else ([], 0)
    if cells:
        witness: Witness | None = {"kind": "khrapchenko", "cells": [list(cell) for cell in cells]}
        if counted == "bits":
            value, witness = (value - 1).bit_length(), logarithm_of("leaves", witness)
        yield "lower", value, "Khrapchenko", witness
    if not everything_checked(game, *few, counted):
        masks = [sum(1 << place for place in {cell[party] for cell in cells}) for party in (ALICE, BOB)]
        part, _ = reduced(game.axes, masks[ALICE], masks[BOB])
        if cells and everything_checked(game, *part, counted):
            yield "lower", Program(game, *part, counted).value, "all rectangles of a part", all_rectangles(*part)
        yield from _fewer_answers(relation, answer, counted)
    yield from solve(game, counted, clock)


def _fewer_answers(relation: Relation, answer: str, counted: str) -> Iterator[Finding]:
    """A protocol that gives each answer only in the largest connected part where it is right (the monotone game)."""
    kept = np.zeros_like(relation.allowed)
    for code in range(len(relation.labels)):
        kept |= _largest_part(relation.right(code)).astype(np.int64) << code
    if not kept.all():
        return
    game = game_of(Relation(kept, relation.labels), answer)
    few, leaders = reduced(game.axes, *game.everything)
    if everything_checked(game, *few, counted):
        tree = Program(game, *few, counted).tree()
        yield tree_finding(followed(tree, leaders, game, *game.everything), counted)


def _largest_part(cells: Flags) -> Flags:
    graph = scipy.sparse.bmat([[None, cells], [cells.T, None]])
    parts = scipy.sparse.csgraph.connected_components(graph)[1][: len(cells), None]
    sizes = np.bincount(parts[:, 0], weights=cells.sum(axis=1))
    return np.asarray(cells & (parts == sizes.argmax()))


def khrapchenko(relation: Relation) -> tuple[list[Cell], int]:
    """Cells, no two in a row or column with a common right answer, and the leaves they prove (Khrapchenko 1971)."""
    taken: set[tuple[int, int, int]] = set()
    marked = np.zeros(relation.shape, dtype=np.int64)
    for row, column in np.argwhere((relation.allowed & (relation.allowed - 1)) == 0).tolist():
        mask = int(relation.allowed[row, column])
        places = {(ALICE, row, mask), (BOB, column, mask)}
        if not places & taken:
            taken |= places
            marked[row, column] = 1
    best: tuple[int, list[Cell]] = (1, [])
    rows, columns = np.flatnonzero(marked.any(axis=1)), np.flatnonzero(marked.any(axis=0))
    while len(rows) and len(columns):
        part = marked[np.ix_(rows, columns)]
        count = int(part.sum())
        value = -(-(count**2) // (len(rows) * len(columns)))
        if value > best[0]:
            best = (value, [(int(rows[i]), int(columns[j])) for i, j in np.argwhere(part)])
        by_row, by_column = part.sum(axis=1), part.sum(axis=0)
        if by_row.min() / len(columns) <= by_column.min() / len(rows):
            rows = np.delete(rows, by_row.argmin())
        else:
            columns = np.delete(columns, by_column.argmin())
    return best[1], best[0]
