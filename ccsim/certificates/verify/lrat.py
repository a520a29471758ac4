"""Covers and partitions by refutations of clauses: lrat."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from .claims import Claim, proves
from .data import MOST_CELLS, Table, integer, need
from .fooling import fooling
from .matrices import Matrix


@proves("lrat", "lower cover", "lower partition")
def check_lrat(claim: Claim, budget: Any, apart: Any, proof: Any) -> int:
    """No cover (partition) has ``budget`` rectangles, or fewer: shown by clauses that follow from what holds in one.

    Variables say that a rectangle has a row, has a column, covers a cell. Clauses: a cell with the code is covered by
    some rectangle; what covers a cell has its row and its column; no rectangle has a row and a column at whose crossing
    another code stands. In a partition no two rectangles cover one cell, and what has its row and its column covers it.
    Cells ``apart`` are a fooling set: no two in one rectangle, so that the first is in the first one, and so on, once
    these are numbered so. A step of the proof is a clause and which earlier ones it follows from: if all of its
    literals are false, one after the other has no literal left but one, which so is true, and in the end there is a
    contradiction. The last clause is empty. This is LRAT (Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp 2017),
    with clauses of two literals left unsaid.
    """
    clauses = CoverClauses(claim, integer(budget, 0, MOST_CELLS))
    fixed = fooling(claim.matrix, "both", apart)
    need(len(fixed) <= clauses.size, "more cells apart than rectangles")
    for number, (row, column) in enumerate(fixed):
        need(claim.matrix.table[row][column] == claim.code, "a cell of another answer")
        for line in (row, claim.matrix.height + column):
            clauses.start |= clauses.falsified(clauses.literal(line, number))
    clauses.refute(proof)
    return clauses.size + 1


BASE_64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
SIX_BITS = {digit: value for value, digit in enumerate(BASE_64)}


def steps_of(matrix: Matrix, text: Any, given: int) -> Iterator[tuple[list[int], list[int]]]:
    """The steps of a proof, as clauses and numbers of clauses: those that are given, then those of the proof.

    A step is a clause, 0, what it follows from, 0. A literal is 2 * variable, and 1 more if it is denied; from one to
    the next, which is larger, the difference is written. A clause is its number and 1 if it is a given one, and else
    how many are given and how many steps ago it was.
    """
    step: tuple[list[int], list[int]] = [], []
    side = place = 0
    for number in written_numbers(matrix, text):
        if number:
            step[side].append(number)
        elif side:
            literals = [-(one >> 1) if one & 1 else one >> 1 for one in accumulate(step[0])]
            yield literals, [one - 1 if one <= given else 2 * given + place - one for one in step[1]]
            step, place = ([], []), place + 1
        side ^= not number
    need(not side and not step[0], "a step that is not ended")


def written_numbers(matrix: Matrix, text: Any) -> Iterator[int]:
    """Numbers from a text: five bits to a digit, the least first, and 32 more if there is another one."""
    need(isinstance(text, str), "expected a text")
    matrix.spend(20 * len(text))
    value = shift = 0
    for digit in text:
        bits = SIX_BITS[digit]
        value |= (bits & 31) << shift
        shift += 5
        if bits < 32:
            yield value
            value = shift = 0
        need(shift < 60, "a number of at most 60 bits")
    need(not shift, "a number that is not ended")


class Clauses:
    """Clauses that hold, those that are given with their numbers, and those that have been proved from them."""

    def __init__(self, matrix: Matrix, given: int) -> None:
        self.matrix, self.given = matrix, given
        self.start: set[int] = set()  # literals that are false from the first
        self.lemmas: list[frozenset[int]] = []
        self.known: dict[int, frozenset[int]] = {}

    def falsified(self, literal: int) -> frozenset[int]:
        """The literals that are false once this one is true, by the clauses of two literals."""
        raise NotImplementedError

    def first(self, number: int) -> frozenset[int]:
        """A clause that is given."""
        raise NotImplementedError

    def clause(self, number: int) -> frozenset[int]:
        """A clause by its number: one that is given, or one that has been proved."""
        need(number >= 0, "a clause of the proof")
        return self.lemmas[number - self.given] if number >= self.given else self.first(number)

    def refute(self, proof: Any) -> None:
        """Refuse unless a proof shows that not all of the clauses hold."""
        lemma = [0]
        for lemma, hints in steps_of(self.matrix, proof, self.given):
            self.follow(lemma, hints)
        need(not lemma, "a proof ends with the empty clause")

    def follow(self, lemma: list[int], hints: list[int]) -> list[int]:
        """Take one more clause, if it follows; which of the hints that took."""
        false: set[int] = set()  # beside those of the start
        used, refuted, steps, start = [], False, 100 + 10 * len(lemma), self.start
        for literal in lemma:
            more = self.falsified(-literal)
            steps += 20 + 5 * len(more)
            false |= more
        for hint in hints:
            clause = self.clause(hint)
            left = clause - false - start
            steps += 25 + 4 * len(clause)
            need(len(left) < 2, "a clause with two literals left")
            refuted = not left
            if refuted:
                used.append(hint)
                break
            (true,) = left
            if -true not in false and -true not in start:
                used.append(hint)
                more = self.falsified(true)
                steps += 20 + 5 * len(more)
                false |= more
        self.matrix.spend(steps + 5 * len(false) * (not refuted), 300 + 100 * len(lemma))
        refuted = refuted or any(-literal in false or -literal in start for literal in false)
        need(refuted, "a clause that does not follow")
        self.lemmas.append(frozenset(lemma))
        return used


class CoverClauses(Clauses):
    """The clauses of :func:`check_lrat`. A place is a row, or the height and a column, or all lines and the number of a
    cell with the code, row by row; a literal is place * size + rectangle + 1, or less than zero if that is not so.
    Given by number are a clause for each cell, and in partitions one for each cell and rectangle with both its lines.
    """

    def __init__(self, claim: Claim, size: int) -> None:
        super().__init__(claim.matrix, 0)
        self.size, matrix = size, claim.matrix
        self.once: bool = claim.measure == "partition"
        self.lines, every = matrix.height + matrix.width, (1 << matrix.width) - 1
        self.inside: Table = [[] for _ in range(self.lines)]  # of each line, the places of its cells
        self.foreign: Table = [[] for _ in range(self.lines)]  # and the lines that cross it at another code
        self.cells: list[tuple[int, int]] = []
        matrix.spend(40 * matrix.height * matrix.width, 120 * matrix.height * matrix.width + 300 * self.lines)
        pairs = zip(matrix.masks(claim.code), matrix.allowed(claim.code), strict=True)
        for row, (own, allowed) in enumerate(pairs):
            for column in matrix.places(own):
                for line in (row, matrix.height + column):
                    self.inside[line].append(self.lines + len(self.cells))
                self.cells.append((row, matrix.height + column))
            for column in matrix.places(every & ~allowed):
                self.foreign[row].append(matrix.height + column)
                self.foreign[matrix.height + column].append(row)
        self.given = len(self.cells) * (1 + size * self.once)
        self.most = (self.lines + len(self.cells)) * size
        self.covered: dict[int, frozenset[int]] = {}  # given clauses

    def literal(self, place: int, number: int) -> int:
        """That a rectangle of this number has this line, or covers this cell."""
        return place * self.size + number + 1

    def falsified(self, literal: int) -> frozenset[int]:
        """The literals that are false once this one is true, by the clauses of two literals."""
        if literal not in self.known:
            place, number = divmod(integer(abs(literal), 1, self.most) - 1, self.size)
            named = (place,) if place < self.lines else self.cells[place - self.lines]
            true = named if literal > 0 else ()
            lines = {line for one in true for line in self.foreign[one]}
            lines.update([place] if literal < 0 and place < self.lines else [])
            self.matrix.spend(200 + sum([len(self.foreign[line]) for line in true]) * 5)
            steps = sum([len(self.inside[line]) for line in lines])
            self.matrix.spend(12 * (len(lines) + steps), 400 + 150 * (len(lines) + min(steps, len(self.cells))))
            false = lines.union(*(self.inside[line] for line in lines))
            own = {-literal, *(-self.literal(line, number) for line in true)}
            if self.once and literal > 0 and place >= self.lines:
                self.matrix.spend(8 * self.size, 100 * self.size)
                own.update(self.literal(place, other) for other in range(self.size) if other != number)
            self.known[literal] = frozenset(own.union(self.literal(one, number) for one in false))
        return self.known[literal]

    def first(self, number: int) -> frozenset[int]:
        """A clause that is given."""
        if number not in self.covered:
            self.matrix.spend(6 * self.size, 300 + 100 * self.size)
            first = self.literal(self.lines + number, 0)
            named = range(first, first + self.size) if number < len(self.cells) else self.all_of(number)
            self.covered[number] = frozenset(named)
        return self.covered[number]

    def all_of(self, number: int) -> list[int]:
        """The clause by this number that a rectangle with both lines of a cell covers it."""
        cell, rectangle = divmod(number - len(self.cells), self.size)
        lines = [-self.literal(line, rectangle) for line in self.cells[cell]]
        return [*lines, self.literal(self.lines + cell, rectangle)]
