"""One-way communication: a single message, after which the receiver answers. The sender's inputs are rows here.

Two rows conflict if they have different answers at a place within the promise; the least number of messages is the
chromatic number of the conflict graph. A message that lets Bob know each of n independent bits with error e has at
least (1 - H(e)) n bits (Kremer, Nisan and Ron 1999). With public coins the best success on the worst promised cell is
the value of a game (Yao 1977), whose best message is found by dynamic programming over sets of rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, count
from typing import Any, ClassVar

import numpy as np

from ccsim.bounds.bracket import UNKNOWN, Bracket, Open, Side, Witness, as_text, in_bits, logarithm_of, timed
from ccsim.bounds.cliques import maximum_clique
from ccsim.bounds.field_ranks import pack_rows
from ccsim.bounds.scheduler import Clock, OutOfTimeError
from ccsim.bounds.solvers import matrix_game, normalised
from ccsim.bounds.yao import ANSWERS, MOST_ROOM, NEAR, YaoGame, every_split, exact_strategy, subset_sums
from ccsim.certificates.verify import Refused, check
from ccsim.certificates.verify.claims import MatrixClaim, Unwritten
from ccsim.certificates.verify.one_message import shattered_columns
from ccsim.errors import Array, InputError, require_fraction, require_integer
from ccsim.matrices import DONT_CARE, CommunicationMatrix
from ccsim.problems import Partition, SequenceTask
from ccsim.problems.function import Subject, matrix_of

DIRECTIONS = ("alice-to-bob", "bob-to-alice")
NODES = 5_000
MOST_SHATTERED = 22  # places of patterns that the checker counts
SURE = 1 << 16  # cells beyond which the checker does not compare equal rows again


def sender_rows(matrix: CommunicationMatrix, direction: str) -> Array:
    if direction not in DIRECTIONS:
        raise InputError("direction", direction, f"one of {DIRECTIONS}")
    return matrix.codes if direction == DIRECTIONS[0] else np.ascontiguousarray(matrix.codes.T)


def _different(matrix: CommunicationMatrix, direction: str) -> tuple[Array, Array]:
    """The first of each class of equal rows of the sender, and the class of each row."""
    merged = matrix.merge()
    return (merged.rows, merged.row_class) if direction == DIRECTIONS[0] else (merged.columns, merged.column_class)


@timed
def one_way(matrix: Subject, direction: str = "alice-to-bob", *, seconds: float | None = 30.0) -> Bracket:
    """Deterministic one-way complexity in bits; only the receiver learns the answer.

    Args:
        matrix: total or partial.
        direction: ``"alice-to-bob"`` (Alice speaks) or ``"bob-to-alice"``.
        seconds: a limit on the search (only partial functions may need it).

    >>> print(one_way([[0, 0], [0, 1], [1, 0], [1, 1], [1, 1]]))
    one-way = 2 bits (distinct-lines | message-classes)
    """
    return in_bits(one_way_messages(matrix, direction, seconds=seconds, only_bits=True), "one-way")


@timed
def one_way_messages(
    matrix: Subject,
    direction: str = "alice-to-bob",
    *,
    seconds: float | None = 30.0,
    only_bits: bool = False,
) -> Bracket:
    """The least number of different messages, with the arguments of :func:`one_way`.

    With ``only_bits`` it stops as soon as both sides need equally many bits. Below: rows that differ pairwise, or a
    branching proof of the colouring; above: the message of each row.
    """
    matrix = matrix_of(matrix)
    rows = sender_rows(matrix, direction)
    first, classes = _different(matrix, direction)
    parameters = {"direction": direction}
    if matrix.is_total:
        lower: Witness = {"kind": "distinct-lines", "lines": sorted(first.tolist())}
        upper: Witness = {"kind": "message-classes", "classes": classes.tolist()}
    else:
        lower, upper = _colour(rows, first, classes, Clock.within(seconds), only_bits)
    if matrix.is_total and matrix.codes.size > SURE:
        low = high = len(first)
    else:
        table = matrix.codes.tolist()
        low = int(check(table, "one-way-messages", "lower", parameters, lower))
        high = int(check(table, "one-way-messages", "upper", parameters, upper))
    sides = Side(low, lower["kind"], lower), Side(high, upper["kind"], upper)
    return Bracket("one-way-messages", *sides, parameters, "messages")


def _colour(rows: Array, first: Array, classes: Array, clock: Clock, only_bits: bool) -> tuple[Witness, Witness]:
    """Both sides for a partial function: clique and greedy colouring, then one branching after the other."""
    small = rows[first]
    conflict = _conflicts(small)
    try:
        clique, _ = maximum_clique(pack_rows(conflict), [], Clock.within(clock.left(5.0)))
    except OutOfTimeError as stopped:
        clique, _ = stopped.args
    lower: Witness = {"kind": "distinct-lines", "lines": [int(first[vertex]) for vertex in clique]}
    search = _Colouring(conflict, clique, clock)
    colours, low = search.greedy(), max(len(clique), 1)
    while low < max(colours) + 1:
        if only_bits:
            if (low - 1).bit_length() == max(colours).bit_length():
                break
            low = 1 << (low - 1).bit_length()  # only whether so many suffice matters
        if low >= max(colours) + 1:
            break
        try:
            search.nodes = NODES
            tree, coloured = search.node({}, low)
            proof = [int(first[vertex]) for vertex in tree]
        except (OutOfTimeError, RecursionError):  # too deep a tree is no proof that anybody would read
            break
        if coloured is not None:
            colours = coloured
            continue
        lower = {"kind": "branching", "budget": low, "proof": proof}
        low += 1
    return lower, {"kind": "message-classes", "classes": [colours[int(place)] for place in classes]}


def _conflicts(rows: Array) -> Array:
    """Which rows conflict: places at which both have an answer, less those at which they have the same."""
    shown = [np.equal(rows, code).astype(np.float32) for code in range(int(rows.max(initial=0)) + 1)]
    promised = np.not_equal(rows, DONT_CARE).astype(np.float32)
    return np.asarray(promised @ promised.T > sum(own @ own.T for own in shown))


class _Colouring:
    """Colour with the fewest choices first (Brélaz 1979: DSATUR), keeping the tree as a proof if it fails."""

    def __init__(self, conflict: Array, clique: list[int], clock: Clock) -> None:
        self.conflict, self.graph = conflict, pack_rows(conflict)
        self.clique, self.clock, self.nodes = clique, clock, 0

    def greedy(self) -> list[int]:
        count, degrees = len(self.graph), self.conflict.sum(axis=1)
        seen, given = np.zeros((count, count), dtype=bool), np.full(count, -1)  # the colours of neighbours
        urgent = degrees.astype(np.int64)
        urgent[self.clique] += count**3
        for _ in range(count):
            vertex = int(urgent.argmax())
            given[vertex] = colour = int(seen[vertex].argmin())  # the lowest that no neighbour has
            urgent += (count + 1) * (self.conflict[vertex] & ~seen[:, colour])
            urgent[vertex] = -(count**4)
            seen[self.conflict[vertex], colour] = True
        return [int(colour) for colour in given]

    def node(self, given: dict[int, int], colours: int) -> tuple[list[int], list[int] | None]:
        self.nodes -= 1
        if self.nodes < 0 or self.clock.over:
            raise OutOfTimeError
        if len(given) == len(self.graph):
            return [], [given[vertex] for vertex in range(len(self.graph))]
        vertex, taken = self._next(given)
        tree = [vertex]
        for colour in range(min(max(given.values(), default=-1) + 2, colours)):
            if not taken >> colour & 1:
                below, coloured = self.node({**given, vertex: colour}, colours)
                if coloured is not None:
                    return [], coloured
                tree += below
        return tree, None

    def _next(self, given: dict[int, int]) -> tuple[int, int]:
        best = (-1, -1, 0, 0)
        for vertex, around in enumerate(self.graph):
            if vertex not in given:
                taken = 0
                for other, colour in given.items():
                    if around >> other & 1:
                        taken |= 1 << colour
                key = (len(self.graph) if vertex in self.clique else taken.bit_count(), around.bit_count())
                best = max(best, (*key, -vertex, taken))
        return -best[2], best[3]


@timed
def vc_dimension(matrix: Subject, direction: str = "alice-to-bob", *, seconds: float | None = 30.0) -> Bracket:
    """The size of a largest set of the receiver's inputs on which the sender's show all 0/1 patterns.

    Args:
        matrix: of at most two labels. Where it is partial, a pattern counts only if a row has it within the promise.
        direction: the concepts are the inputs of the speaker.
        seconds: a limit on the search.

    Returns:
        A pure number. Below, the shattered set; above, the checker lists all shattered sets, or there are too few
        different rows.

    >>> vc_dimension([[0, 0], [0, 1], [1, 0], [1, 1]]).lower
    2
    """
    matrix = matrix_of(matrix)
    if len(matrix.labels) > 2:
        raise InputError("matrix", matrix, "at most two labels")
    clock, parameters, table = Clock.within(seconds), {"direction": direction}, matrix.codes.tolist()
    rows = sender_rows(matrix, direction)[_different(matrix, direction)[0]]
    zeros, ones = (pack_rows(np.equal(rows.T, code)) for code in (0, 1))  # at each place, the rows with each answer
    trivial = min(len(rows).bit_length() - 1, rows.shape[1], MOST_SHATTERED)
    best = _one_by_one(rows)
    with suppress(OutOfTimeError):
        while len(best) < trivial:
            found = shattered_columns(zeros, ones, (1 << len(rows)) - 1, len(best) + 1, clock.step)
            if found is None:
                trivial = len(best)
            else:
                best = found
    below: Witness = {"kind": "shattered", "places": best}
    above: Witness = {"kind": "vc-listing", "at_most": trivial}
    try:
        upper = check(table, "vc-dimension", "upper", parameters, above)
    except Refused:  # too many sets for the checker: what is known without listing
        above = {"kind": "vc-listing", "at_most": len(rows).bit_length() - 1}
        upper = check(table, "vc-dimension", "upper", parameters, above)
    lower = check(table, "vc-dimension", "lower", parameters, below)
    sides = Side(lower, "shattered", below), Side(upper, "vc-listing", above)
    return Bracket("vc-dimension", *sides, parameters, "")


@timed
def one_way_randomised(
    matrix: Subject,
    direction: str = "alice-to-bob",
    error: Fraction | str = Fraction(1, 3),
    *,
    seconds: float | None = 30.0,
    messages: Bracket | None = None,
) -> Bracket:
    """One-way communication with public coins and error at most ``error`` on every input, in bits.

    Below: (1 - H(error)) times the VC dimension (Kremer, Nisan, Ron 1999), rounded up to whole bits, exactly;
    above: the deterministic one-way complexity (``messages``, if it is known), or a mixture of fewer messages.

    >>> found = one_way_randomised([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> found.lower, found.upper
    (1, 1)
    """
    matrix, allowed, clock = matrix_of(matrix), _entropy_error(error), Clock.within(seconds)
    messages = messages or one_way(matrix, direction, seconds=seconds)
    certain = messages.above._replace(by="deterministic")
    above = _mixed(matrix, allowed, direction, certain, clock)
    dimension = vc_dimension(matrix, direction, seconds=clock.share(1))
    parameters = {"direction": direction, "error": as_text(allowed)}
    witness = logarithm_of("vc-dimension", dimension.lower_witness)
    lower = check(matrix.codes.tolist(), "one-way-randomised", "lower", parameters, witness or {})
    return Bracket("one-way-randomised", Side(lower, "VC dimension", witness), above, parameters)


def _mixed(matrix: CommunicationMatrix, error: Fraction, direction: str, known: Side, clock: Clock) -> Side:
    """The known side, or that of a mixture found in half of the time."""
    first_half = Clock.within(clock.left(USUAL) / 2)
    for found in message_mixtures(matrix, error, direction, known, first_half):
        known = found.above
        if first_half.over:
            break
    return known


def _entropy_error(error: Fraction | str) -> Fraction:
    allowed = require_fraction("error", error)
    if not 0 <= allowed <= Fraction(1, 2) or allowed.denominator > 1000:
        raise InputError("error", error, "from 0 to 1/2, of denominator at most 1000")
    return allowed


SAMPLED_ROWS, SAMPLED_PLACES = 2048, 512


def shattered_bound(matrix: CommunicationMatrix, direction: str, error: Fraction) -> Bracket | None:
    """A lower bound from a set of places that show all patterns: all of them, those whose numbers are powers of 2, or
    some that are taken one by one; no other set is tried."""
    rows, best = sender_rows(matrix, direction), list[int]()
    few = range(rows.shape[1]) if rows.shape[1] <= MOST_SHATTERED else ()
    powers = [1 << bit for bit in range(MOST_SHATTERED) if 1 << bit < rows.shape[1]]
    for places in ([*few], powers, _one_by_one(rows)):
        picked = rows[:, places]
        shown = picked[((picked == 0) | (picked == 1)).all(axis=1)].astype(np.int64)
        if len(places) > len(best) and len(np.unique(shown @ (1 << np.arange(len(places))))) == 1 << len(places):
            best = places
    if not best:
        return None
    bits = next(bits for bits in count() if keeps_entropy_bound(error, len(best), bits))
    witness = logarithm_of("vc-dimension", {"kind": "shattered", "places": best})
    parameters = {"direction": direction, "error": as_text(error)}
    return Bracket("one-way-randomised", Side(bits, "VC dimension", witness), parameters=parameters)


def _one_by_one(rows: Array) -> list[int]:
    """Places such that the least class of rows with the same answers at them stays as large as can be."""
    steps = [-(-size // most) for size, most in zip(rows.shape, (SAMPLED_ROWS, SAMPLED_PLACES), strict=True)]
    sample, places = rows[:: steps[0], :: steps[1]], list[int]()
    classes = [np.arange(len(sample))]
    while len(places) < MOST_SHATTERED:
        least = np.min([(sample[own] == code).sum(axis=0) for own in classes for code in (0, 1)], axis=0)
        place = int(least.argmax())
        if not least[place]:
            break
        places.append(place * steps[1])
        classes = [own[sample[own, place] == code] for own in classes for code in (0, 1)]
    return places


MOST_POSITIONS = 12


@dataclass(frozen=True)
class SplittingDimension:
    """The largest VC dimension over all partitions, with one that attains it; a lower bound unless ``exact``."""

    value: int
    partition: Partition
    bracket: Bracket
    exact: bool
    partitions: int


def splitting_vc_dimension(task: SequenceTask, *, seconds: float | None = 30.0) -> SplittingDimension:
    """The largest VC dimension of the matrix of a task, over all partitions of its positions between two parties.

    A transformer of one layer, whatever its precision, has a class of functions of small VC dimension once the symbols
    of one party are fixed as its parameters; so a task of large splitting VC dimension needs many heads, a large width
    or a large output network (Kozachinskiy 2024; Kozachinskiy and others 2025). The answers must be 0 and 1.

    Args:
        task: with at most 12 positions.
        seconds: a limit on the search, for each partition.

    >>> from ccsim.problems import disjointness_of_halves, equality_of_halves
    >>> splitting_vc_dimension(disjointness_of_halves(4)).value, splitting_vc_dimension(equality_of_halves(4)).value
    (2, 1)
    """
    length = len(task.positions)
    if not 2 <= length <= MOST_POSITIONS:
        raise InputError("task", task.name, f"from 2 to {MOST_POSITIONS} positions, not {length}")
    if task.answers != (0, 1):
        raise InputError("task", task.name, "the answers 0 and 1")
    best: tuple[Bracket, Partition] | None = None
    most, seen = 0, 0
    for size in range(1, length):
        for alice in combinations(range(1, length + 1), size):
            partition = Partition.of(length, alice=list(alice))
            matrix = task.split(partition).matrix
            bracket = replace(vc_dimension(matrix, seconds=seconds), matrix=matrix)
            seen, most = seen + 1, max(most, int(bracket.upper or 0))
            if best is None or bracket.lower > best[0].lower:
                best = bracket, partition
    assert best is not None
    return SplittingDimension(int(best[0].lower), best[1], best[0], most == best[0].lower, seen)


LONGEST_INDEX = 1 << 20
"""The longest INDEX that the checker reads."""


def index_randomised(n: int, error: Fraction | str = Fraction(1, 3)) -> Bracket:
    """The bits of one message for INDEX of ``n`` bits with public coins and this error, between entropy and all n bits.

    Args:
        n: bits that Alice holds, at most 2^20. No table of 2^n rows is written out.
        error: a rational of at most 1/2 and denominator at most 1000.

    >>> index_randomised(1000).certificate.verify()
    'one-way-randomised >= 82 bits (direction alice-to-bob, error 1/3) of index, n = 1000
    (2^1000 x 1000, sha256 9d070cadf500): lower by bits-of'
    """
    n, allowed = require_integer("n", n, low=1, high=LONGEST_INDEX), _entropy_error(error)
    parameters = {"direction": "alice-to-bob", "error": as_text(allowed)}
    witness = logarithm_of("vc-dimension", {"kind": "all-patterns"}) or {}
    proved = MatrixClaim(Unwritten("index", n), "one-way-randomised", "lower", parameters).proved(witness)
    sides = Side(proved, "entropy", witness), Side(n, "all bits")
    return Bracket("one-way-randomised", *sides, parameters, function=("index", n))


def keeps_entropy_bound(error: Fraction, n: int, bits: int) -> bool:
    """Whether b >= (1 - H(e)) n, in integers: with e = r / s, 2^(bs) s^(ns) >= 2^(ns) r^(nr) (s - r)^(n(s - r))."""
    r, s = error.numerator, error.denominator
    allowed, needed = s ** (n * s) << bits * s, r ** (n * r) * (s - r) ** (n * (s - r)) << n * s
    return bool(allowed >= needed)


MOST_ROWS = 13  # of the sender
MOST_COLUMNS = 64  # of the receiver
MOST_BITS = 1000  # of the common denominator of a distribution


USUAL = 60.0  # seconds where nobody sets a limit
MOST_LESSONS = 1 << 12
SECONDS = 1.5e-7  # to state a program, for each protocol and each row of its own
FIRST = 50  # lessons for each number of bits


@dataclass(frozen=True)
class OneWayStrategy:
    messages: tuple[int, ...]
    answers: tuple[tuple[int, ...], ...]


class OneWayGame(YaoGame):
    most_weight: ClassVar[int] = 1 << MOST_BITS

    def _constants(self) -> list[Any]:
        height, width = self.codes.shape
        return [OneWayStrategy((0,) * height, ((label,) * width,)) for label in range(len(self.matrix.labels))]

    def _right(self, tree: OneWayStrategy) -> Array:
        return np.asarray(np.array(tree.answers)[list(tree.messages)] == self.codes)

    def _best(self, weights: Array, count: int) -> tuple[int, list[Any]]:
        tables = [np.where(self.codes == code, weights, 0) for code in range(len(self.matrix.labels))]
        sums = np.stack([subset_sums(table) for table in tables])
        layers = [sums.max(axis=0).sum(axis=1)]
        for _ in range(min(self.bits, (len(weights) - 1).bit_length()) - 1):  # more are of no use
            layers.append(every_split(layers[-1][:, None])[:, 0])
        every = len(layers[0]) - 1
        if not self.bits:
            return int(layers[0][every]), [self._message([every], sums)]
        halves = (layers[-1] + layers[-1][::-1])[: (every + 1) // 2]
        chosen = np.argsort(-halves, kind="stable")[:count].tolist()
        return int(halves[chosen[0]]), [
            self._message(_divided(layers, part) + _divided(layers, every ^ part), sums) for part in chosen
        ]

    def _message(self, classes: list[int], sums: Array) -> OneWayStrategy:
        answers = [tuple(int(code) for code in sums[:, rows].argmax(axis=0)) for rows in classes]
        sent = [next(at for at, rows in enumerate(classes) if rows >> row & 1) for row in range(len(self.codes))]
        return OneWayStrategy(tuple(sent), tuple(answers))

    def mixture_witness(self) -> Witness:
        rows, places = self.merged.row_class.tolist(), self.merged.column_class.tolist()
        protocols = []
        for place, weight in self.mixture.items():
            chosen = self.trees[place]
            answers = [[answers[column] for column in places] for answers in chosen.answers]
            messages = [chosen.messages[row] for row in rows]
            protocols.append({"weight": as_text(weight), "messages": messages, "answers": answers})
        return {"kind": "message-mixture", "protocols": protocols}

    def success_witnesses(self, turned: bool) -> tuple[Witness, Witness]:
        cells = [[*cell[:2][:: -1 if turned else 1], cell[2]] for cell in self.shares_of_cells()]
        hard = {"kind": "hard-for-messages", "bits": self.bits, "cells": cells}
        return self.mixture_witness(), hard


def _divided(layers: list[Array], rows: int) -> list[int]:
    if not rows:
        return []
    depth = next(depth for depth, layer in enumerate(layers) if layer[rows] == layers[-1][rows])
    if depth == 0:
        return [rows]
    below, part = layers[depth - 1], (rows - 1) & rows
    while below[part] + below[rows ^ part] != layers[depth][rows]:
        part = (part - 1) & rows
    return _divided(layers[:depth], part) + _divided(layers[:depth], rows ^ part)


class LargeGame(OneWayGame):
    """The game for more rows: a message and the answers to it are improved in turn, and none is proved to be best."""

    def play(self, most: int = MOST_LESSONS) -> None:
        """Learn until the target is reached or seems to be out of reach, it is late, or after ``most`` lessons."""
        taught, target = self.lessons, float(self.target or 1)
        if not self.trees:
            self.draw = np.random.default_rng(self.bits)
            self._add_parities()
        while not (self.reached or self.clock.over or taught.count >= most):
            place = self._add(self._improved(taught.shares())[0])
            taught.hear(place, self.right[place])
            if taught.right.min() >= target * taught.count:
                self._take_mixture(taught.mixture(len(self.trees)))
            elif taught.count & (taught.count - 1) == 0 and taught.count > FIRST:
                hard, value = self._mix()
                best = [max(self._improved(one)[1] for _ in range(ANSWERS)) for one in (hard, taught.average())]
                if best[0] < value + NEAR or min(best) < target:
                    return

    @property
    def reached(self) -> bool:
        return self.target is not None and self.lower >= self.target

    def _add_parities(self) -> None:
        """Constants and, if one bit is sent, parities of input bits, with answers for equal weights of all labels."""
        labels, counts = np.unique(self.codes[tuple(self.cells.T)], return_counts=True)
        even = sum(np.equal(self.codes, label) / count for label, count in zip(labels, counts, strict=True))
        rows, most = self.merged.rows.tolist(), MOST_ROOM // self.codes.size if self.bits == 1 else 0
        for constant in self._constants():
            self._add(constant)
        for mask in sorted(range(1, max(rows) + 1), key=int.bit_count)[:most]:
            if not self.clock.over:
                self._add(self._replies(even, np.array([(mask & row).bit_count() & 1 for row in rows]))[0])
        if not self.clock.over:
            self._mix()

    def _improved(self, shares: Array) -> tuple[OneWayStrategy, float]:
        """From messages drawn at random: the best answers, the best messages for these, and so on."""
        weights = np.zeros(self.codes.shape)
        weights[tuple(self.cells.T)] = shares
        sent, most = self.draw.integers(1 << self.bits, size=len(self.codes)), -1.0
        strategy, scores = self._replies(weights, sent)
        while scores.max(axis=1).sum() > most + NEAR:
            sent, most = scores.argmax(axis=1), float(scores.max(axis=1).sum())
            strategy, scores = self._replies(weights, sent)
        return strategy, most

    def _replies(self, weights: Array, sent: Array) -> tuple[OneWayStrategy, Array]:
        """The best answers to messages; for each row and each message, the weight on which they are right."""
        shown = np.equal.outer(np.arange(1 << self.bits), sent).astype(float)
        tables = [np.where(self.codes == code, weights, 0) for code in range(len(self.matrix.labels))]
        answers = np.argmax([shown @ table for table in tables], axis=0)
        scores = sum(table @ np.equal(answers, code).T for code, table in enumerate(tables))
        return OneWayStrategy(tuple(sent.tolist()), tuple(map(tuple, answers.tolist()))), np.asarray(scores)

    def _mix(self) -> tuple[Array, float]:
        """What is hard for the best mixture, and its success; cells where the same protocols are right are one row."""
        right = np.array(self.right)
        packed = np.packbits(right.astype(np.uint8), axis=0)
        _, first, which, counts = np.unique(packed, True, True, True, axis=1)
        shown, left = right[:, first], self.clock.left()
        game = matrix_game(shown.astype(np.float64), seconds=left) if shown.size * SECONDS < left else None
        if game is None:
            return self.lessons.shares(), 0.0
        value, hard, weights = game
        self._take_mixture(normalised(weights))
        if self.target is not None and not self.reached and self.target < value + NEAR:
            self._take_mixture(exact_strategy(shown.T, weights, value) or normalised(weights))
        return (hard / counts)[which.ravel()], value


def message_mixtures(
    matrix: CommunicationMatrix, error: Fraction, direction: str, known: Side, clock: Clock
) -> Iterator[Bracket]:
    """Upper sides that are better than what is known; the last one again if the clock is over, which may be moved."""
    sent = CommunicationMatrix(sender_rows(matrix, direction), matrix.labels)
    best = Bracket("one-way-randomised", UNKNOWN, known, {"direction": direction, "error": as_text(error)})
    low, high, games = 1, int(known.value or 0), dict[int, LargeGame]()
    while low < high:  # first one bit, then halving
        bits = (low + high) // 2 if games else 1
        game = games[bits] = LargeGame(sent, bits, clock, 1 - error)
        game.play(FIRST)
        low, high = (low, bits) if game.reached else (bits + 1, high)
        if game.reached:
            best = replace(best, above=Side(bits, "mixture of messages", game.mixture_witness()))
        if game.reached or clock.over:
            yield best
    for bits in range(high - 1, 0, -1):
        game = games[bits] if bits in games else LargeGame(sent, bits, clock, 1 - error)
        game.play()
        while clock.over and not game.reached:
            yield best
            game.play()
        if not game.reached:
            return
        best = replace(best, above=Side(bits, "mixture of messages", game.mixture_witness()))
        yield best


@timed
def one_way_success(matrix: Subject, bits: int, direction: str = DIRECTIONS[0], *, seconds: float = 60.0) -> Bracket:
    """The largest p such that one message of ``bits`` bits with public coins is right with probability p everywhere.

    Its least error is 1 - p. Only the receiver knows the answer; "everywhere" is on every promised cell.

    Args:
        matrix: Boolean, multi-valued or partial, with a promised cell; at most 13 different rows of the sender and 64
            of the receiver, or an :class:`~ccsim.errors.InputError`.
        bits: the length of the message, at least 0.
        direction: who speaks.
        seconds: after so long, the bracket may be left open.

    >>> index = [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1]]
    >>> [str(one_way_success(index, bits).lower) for bits in range(4)]
    ['1/2', '3/4', '5/6', '1']
    """
    game = _game(matrix_of(matrix), bits, direction, Clock.within(seconds))
    game.play()
    below, above = game.success_witnesses(direction == DIRECTIONS[1])
    sides = Side(game.lower, "mixture of messages", below), Side(game.upper, "hard distribution", above)
    return Bracket("one-way success", *sides, {"direction": direction, "bits": bits}, "", open=Open.TIME)


@timed
def one_way_public_coins(
    matrix: Subject, error: Fraction | str, direction: str = DIRECTIONS[0], *, seconds: float = 60.0
) -> Bracket:
    """The fewest bits of one message with public coins that errs on no promised cell more often than this.

    The error is a rational (or text such as ``"1/3"``) of at least 0 and below 1; the rest as for
    :func:`one_way_success`. Of a larger matrix the bracket is that of :func:`one_way_randomised`.

    >>> print(one_way_public_coins([[0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 1]], "1/3"))
    one-way-randomised = 1 bit (hard distribution | mixture of messages)
    """
    allowed, clock = require_fraction("error", error), Clock.within(seconds)
    if not 0 <= allowed < 1:
        raise InputError("error", error, "at least 0 and below 1")
    matrix, turned = matrix_of(matrix), direction == DIRECTIONS[1]
    parameters = {"direction": direction, "error": as_text(allowed)}
    try:
        _game(matrix, 0, direction, clock)
    except InputError:  # too large for a game over all messages
        if len(matrix.labels) <= 2 and allowed <= Fraction(1, 2) and allowed.denominator <= 1000:
            return one_way_randomised(matrix, direction, allowed, seconds=seconds)
        certain = one_way(matrix, direction, seconds=seconds).above._replace(by="deterministic")
        above = _mixed(matrix, allowed, direction, certain, clock)
        return Bracket("one-way-randomised", Side(0, "trivial"), above, parameters)
    below, above = Side(0, "hard distribution"), UNKNOWN
    for bits in range(MOST_ROWS):
        game = _game(matrix, bits, direction, clock, 1 - allowed)
        game.play()
        mixture, hard = game.success_witnesses(turned)
        if game.upper < 1 - allowed and below.value == bits:
            below = Side(bits + 1, "hard distribution", hard)
        if game.lower >= 1 - allowed:
            above = Side(bits, "mixture of messages", mixture)
            break
    return Bracket("one-way-randomised", below, above, parameters, open=Open.TIME)


def _game(
    matrix: CommunicationMatrix, bits: int, direction: str, clock: Clock, target: Fraction | None = None
) -> OneWayGame:
    if not isinstance(bits, int) or isinstance(bits, bool) or not 0 <= bits <= 64:
        raise InputError("bits", bits, "an integer from 0 to 64")
    sent = CommunicationMatrix(sender_rows(matrix, direction), matrix.labels)
    rows, places = sent.merge().matrix.shape
    if rows > MOST_ROWS or places > MOST_COLUMNS:
        expected = f"at most {MOST_ROWS} different rows of the sender and {MOST_COLUMNS} of the receiver"
        raise InputError("matrix", (rows, places), expected)
    return OneWayGame(sent, bits, clock, target)
