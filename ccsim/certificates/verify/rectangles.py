"""Covers and partitions, by rectangles, weights on cells, cases, and refutations of clauses.

A rectangle *of a code* is monochromatic: all its cells have that code or are undefined. For branch-and-cut the weights
of many rectangles are one long integer, with a lane of 32 bits for each.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate, product
from math import comb

from .claims import MOST_CELLS, Any, Matrix, MatrixClaim, Refused, Table, integer, items, mask_of, need, proves
from .fooling import fooling
from .ranks import indicator, rank


def none_heavier(claim: MatrixClaim, weights: Table, at_most: int) -> None:
    """Refuse unless every rectangle of this code weighs at most so much, by a search.

    Branch on a row: inside the rectangle (its columns shrink) or outside. A branch ends when all rows that are left,
    each with all its columns that are left, weigh no more than the bound. Weights are kept as bit planes.
    """
    matrix, allowed = claim.matrix, claim.matrix.allowed(claim.code)
    planes = [bit_planes(matrix, row) for row in weights]
    stack = [(list(range(matrix.height)), (1 << matrix.width) - 1)]
    while stack:
        rows, columns = stack.pop()
        bits = sum([len(planes[row]) for row in rows])
        matrix.spend(30 + len(rows) * (60 + matrix.long[0]) + bits * (12 + matrix.long[0]))
        gains = [(sum((columns & plane).bit_count() << b for b, plane in enumerate(planes[r])), -r) for r in rows]
        gains = [gain for gain in gains if gain[0]]
        if sum(gain for gain, _ in gains) <= at_most:
            continue
        rows, heavy = [-place for _, place in gains], 0
        for place in rows:
            for plane in planes[place]:
                heavy |= plane
        columns &= heavy
        undecided = [gain for gain in gains if columns & ~allowed[-gain[1]]]
        need(bool(undecided), "a heavier rectangle exists")
        chosen = -max(undecided)[1]
        stack += [([place for place in rows if place != chosen], columns), (rows, columns & allowed[chosen])]


def bit_planes(matrix: Matrix, weights: list[int]) -> list[int]:
    """The weights of a row in binary: for each bit, the columns whose weight has it."""
    top = max(weights).bit_length()
    matrix.spend(5 * matrix.width + top * (90 + matrix.width // 30), 8 * top * (5 + matrix.width // 60))
    heavy = [(column, weight) for column, weight in enumerate(weights) if weight]
    matrix.spend(top * 4 * len(heavy))
    return [mask_of((column for column, weight in heavy if weight >> bit & 1), matrix.width) for bit in range(top)]


@proves("rectangles", "upper cover", "upper partition")
def check_rectangles(claim: MatrixClaim, rectangles: Any) -> int:
    """Rectangles of the code that together contain each of its cells; for a partition exactly once (undefined
    entries any number of times)."""
    own = claim.matrix.masks(claim.code)
    left = list(own)
    for entry in items(rectangles):
        rows, columns = claim.matrix.rectangle(*items(entry, 2))
        for row in claim.matrix.places(rows):
            claim.matrix.spend(8 + 4 * claim.matrix.long[0])
            need(claim.matrix.fits(claim.code, row, columns), "a rectangle with another answer in it")
            need(claim.measure == "cover" or columns & own[row] & ~left[row] == 0, "a cell in two rectangles")
            left[row] &= ~columns
    need(not any(left), "a cell that no rectangle contains")
    return len(rectangles)


@proves("cover-weights", "lower cover", "lower partition")
def check_cover_weights(claim: MatrixClaim, at_most: Any, weights: Any) -> int:
    """Weights on cells of the code (dual of the fractional cover): a rectangle weighs at most ``at_most``, all cells
    together ``total``, so that at least total / at_most rectangles are needed, rounded up."""
    table, cells = [[0] * claim.matrix.width for _ in range(claim.matrix.height)], claim.matrix.cells(weights, 1)
    for row, column, weight in cells:
        need(claim.matrix.table[row][column] == claim.code, "weight on a cell of another answer")
        table[row][column] = integer(weight, 0, 1 << 64)
    none_heavier(claim, table, integer(at_most, 1, 1 << 64))
    return -(-sum(map(sum, table)) // int(at_most))


@proves("crown", "lower cover", "lower partition")
def check_crown(claim: MatrixClaim, cells: Any) -> int:
    """Rows r_1..r_m and columns c_1..c_m with the code at every (r_i, c_j), i != j, and another at each (r_i, c_i).

    In a cover by k rectangles let S_i be those with r_i among their rows, T_j those with c_j among their columns:
    S_i and T_j meet iff i != j. By Bollobás's inequality (1965) m <= C(k, floor(k/2)). The least such k is proved.
    """
    code, listed, table = claim.code, claim.matrix.cells(cells), claim.matrix.table
    claim.matrix.spend(3 * len(listed) ** 2)
    for place, (row, column) in enumerate(listed):
        need(table[row][column] not in (code, -1), "the diagonal of a crown has other answers")
        good = all(table[row][c] == code == table[r][column] for r, c in listed[:place])
        need(good, "not a crown")
    return next(k for k in range(len(listed) + 1) if len(listed) < 2 or comb(k, k // 2) >= len(listed))


LANE = 32  # bits for what a rectangle weighs
MOST_MAXIMAL = 20_000


class Inequality:
    """The coefficients of the rectangles of a cover sum to at least so much: each in its lane, none above ``top``."""

    __slots__ = ("coefficients", "least", "top")

    def __init__(self, coefficients: int, least: int, top: int) -> None:
        self.coefficients, self.least, self.top = coefficients, least, top


@proves("branch-and-cut", "lower cover", "lower partition")
def check_branch_and_cut(claim: MatrixClaim, budget: Any, cases: Any) -> int:
    """No cover has ``budget`` rectangles, or fewer: shown by cases, at the end of each of them by weights.

    Branch and cut (Padberg and Rinaldi 1991) with cuts of half sums (Gomory 1958; Caprara and Fischetti 1996). The
    rectangles of a cover may be taken to be maximal; they are numbered in order of their columns. Inequalities hold
    for those of the cover: first, for each cell with the code, row by row, at least one contains it. Then

    - [[places]], a cut: the sum of these inequalities, where what is odd is rounded up, is one more inequality.
      Larger coefficients make the sum no smaller; if all are even it is even, too, and so more than an odd least;
    - [number] of a rectangle divides a case in two. Either it is in the cover, so that its coefficient alone is at
      least 1, which is one more inequality; this is looked at first. Or it is not allowed;
    - [at_most, weights of its inequalities] ends a case: the coefficients of a rectangle that is allowed weigh at most
      so much together, and all that they must reach weighs more than ``budget`` times that.
    """
    size, rectangles = integer(budget, 0, MOST_CELLS), MaximalRectangles(claim)
    stack = [(rectangles.cells, rectangles.every, len(rectangles.cells))]  # and how many of them others have, too
    for case in map(items, items(cases)):
        need(bool(stack), "more cases than there are")
        inequalities, allowed, shared = stack.pop()
        if len(case) == 2:
            rectangles.weigh(inequalities, allowed, size, *case)
            own = len(inequalities) - shared  # give back the room of those that no other case has
            rectangles.matrix.spend(0, -8 * shared - rectangles.each * own)
        elif isinstance(items(case, 1)[0], list):
            inequalities.append(rectangles.rounded(inequalities, case[0]))
            stack.append((inequalities, allowed, shared))
        else:
            alone = rectangles.alone(inequalities, case[0])
            within = [*inequalities, Inequality(alone, 1, 1)]
            stack += [(inequalities, allowed & ~alone, shared), (within, allowed, len(inequalities))]
    need(not stack, "a case without an end")
    return size + 1


class MaximalRectangles:
    """The maximal rectangles of a code, numbered; a set of them has the first bit of the lane of each."""

    def __init__(self, claim: MatrixClaim) -> None:
        self.matrix = matrix = claim.matrix
        allowed, sets = matrix.allowed(claim.code), {(1 << matrix.width) - 1}
        for mask in set(allowed):
            matrix.spend(4 * len(sets) * (2 + matrix.long[0]), len(sets) * (100 + matrix.width // 7))
            sets |= {one & mask for one in sets}
            need(len(sets) <= MOST_MAXIMAL, "too many maximal rectangles")
        columns, self.count = sorted(sets), len(sets)
        self.step, self.room = 6 + (self.count >> 4), 60 + LANE * self.count // 7
        self.each = 300 + 3 * self.room  # for an inequality of a case, and the rectangles that it allows
        both = matrix.height + matrix.width
        matrix.spend(both * (self.count * (8 + matrix.long[0]) + self.step), both * self.room)
        self.every = self._set(range(self.count))
        rows = [self._set(place for place, one in enumerate(columns) if not one & ~mask) for mask in allowed]
        self.cells: list[Inequality] = []
        across = [self._set(place for place, one in enumerate(columns) if one >> column & 1)
                  for column in range(matrix.width)]  # fmt: skip
        for row, own in zip(rows, matrix.masks(claim.code), strict=True):
            for column in matrix.places(own):
                matrix.spend(self.step, 100 + self.room)
                self.cells.append(Inequality(row & across[column], 1, 1))

    def _set(self, places: Any) -> int:
        return mask_of((LANE * place for place in places), LANE * self.count)

    def alone(self, inequalities: list[Inequality], number: Any) -> int:
        self.matrix.spend(100 + len(inequalities) // 4 + 4 * self.step, 8 * len(inequalities) + self.each)
        return 1 << LANE * integer(number, 0, self.count - 1)

    def rounded(self, inequalities: list[Inequality], places: Any) -> Inequality:
        """The sum of some inequalities, where what is odd is rounded up."""
        self.matrix.spend(100 + 4 * self.step, self.each)
        sums = least = top = 0
        for place in items(places):
            self.matrix.spend(20 + 2 * self.step)
            one = inequalities[integer(place, 0, len(inequalities) - 1)]
            sums, least, top = sums + one.coefficients, least + one.least, top + one.top
            need(top < 1 << LANE - 1, "coefficients that are too large")
        return Inequality(sums + (sums & self.every), least + (least & 1), top + 1)

    def weigh(self, inequalities: list[Inequality], allowed: int, budget: int, at_most: Any, weights: Any) -> None:
        """Refuse unless all must reach more than the budget times what a rectangle that is allowed weighs."""
        self.matrix.spend(100 + 4 * self.step + 20 * len(inequalities))
        most = integer(at_most, 0, (1 << LANE - 1) - 1)
        sums = total = top = 0
        for one, weight in zip(inequalities, items(weights, len(inequalities)), strict=True):
            if integer(weight, 0, 1 << LANE):
                self.matrix.spend(2 * self.step)
                sums, total, top = sums + weight * one.coefficients, total + weight * one.least, top + weight * one.top
        need(top < 1 << LANE - 1, "weights that are too large")
        need(total > budget * most, "weights that are too small")
        over = sums + ((1 << LANE - 1) - 1 - most) * self.every
        need(not over >> LANE - 1 & allowed, "a rectangle that weighs more")


FIELD = (1 << 31) - 1  # a prime above all 0/1 minors of at most 22 rows


@proves("rank-search", "lower partition")
def check_rank_search(claim: MatrixClaim) -> int:
    """One more than the rank r of the 0/1 matrix M of the code, over GF(2^31 - 1), as no r rectangles partition it.

    They would be M = A B: columns of A have the rows of a rectangle, rows of B its columns. As M has rank r, columns of
    A are in its column space, A = M X, and rows of B in its row space; and B X = 1, as A = A B X has independent
    columns. Listed are the 0/1 vectors a = M x and b of both spaces, and the rectangles a b of the code with b x = 1.
    """
    matrix, count = claim.matrix, rank(claim.matrix, indicator(claim.matrix, claim.code), FIELD)
    rows, columns = matrix.masks(claim.code), matrix.masks(claim.code, 1)
    yours = [(own, matrix.places(own)) for own, _ in spanned(matrix, rows, columns)]
    rectangles: list[tuple[Cells, list[int]]] = []
    for own, x in spanned(matrix, columns, rows):
        within, mine = (1 << matrix.width) - 1, matrix.places(own)
        for row in mine:
            within &= rows[row]
        matrix.spend(40 + 5 * matrix.height + (8 + matrix.long[0]) * len(yours))
        for across in [across for other, across in yours if not other & ~within]:
            matrix.spend(30 + 9 * len(mine) * len(across), 100 + 100 * len(mine) * len(across))
            if sum([x[column] for column in across]) % FIELD == 1:
                rectangles.append((frozenset(product(mine, across)), x))
    cells = frozenset((row, column) for row, own in enumerate(rows) for column in matrix.places(own))
    need(not partitioned(matrix, cells, rectangles), "a partition into as many rectangles as the rank")
    return count + 1


Cells = frozenset[tuple[int, int]]


def partitioned(matrix: Matrix, cells: Cells, rectangles: list[tuple[Cells, list[int]]]) -> bool:
    """Whether some of the rectangles b, each with x, partition these cells, with b x = 0 for x of any chosen later."""
    matrix.spend(60 + 5 * len(cells) + sum([10 * len(own) for own, _ in rectangles]))
    counts = Counter(cell for own, _ in rectangles for cell in own)
    hard = min(cells, key=counts.__getitem__, default=None)
    for own, _ in rectangles:
        if hard in own:
            matrix.spend(sum([30 + 3 * (len(own) + len(other)) for other, _ in rectangles]))
            apart = [(other, y) for other, y in rectangles if own.isdisjoint(other)]
            apart = [(other, y) for other, y in apart if sum([y[column] for _, column in own]) % FIELD == 0]
            if partitioned(matrix, cells - own, apart):
                return True
    return not cells


def spanned(matrix: Matrix, lines: list[int], across: list[int]) -> list[tuple[int, list[int]]]:
    """The 0/1 vectors that 0/1 lines span over GF(2^31 - 1), each with coefficients of the lines that give it; but for
    those on places that no line has all of. After elimination each pivot has 1 in a place, and other lines have 0."""
    wide, high, pivots = len(across), len(lines), dict[int, list[int]]()
    matrix.spend(high * (wide + high), 40 * high * (wide + high))
    table = [[line >> place & 1 for place in range(wide)] + [0] * high for line in lines]
    for own, line in enumerate(table):
        line[wide + own] = 1
    left = list(table)
    for place in range(wide):
        pivot = next((line for line in left if line[place]), None)
        if pivot is not None:
            matrix.spend(10 * high * (wide + high))
            left.remove(pivot)
            pivots[place], inverse = pivot, pow(pivot[place], -1, FIELD)
            pivot[:] = [inverse * entry % FIELD for entry in pivot]
            for line in table:
                if line is not pivot:
                    line[:] = [(entry - line[place] * top) % FIELD for entry, top in zip(line, pivot, strict=True)]
    sums = [([0] * (wide + high), -1)]
    for place, pivot in pivots.items():
        matrix.spend(4 * len(sums) * (wide + high), 40 * len(sums) * (wide + high))
        more = [(one, common & across[place]) for one, common in sums if common & across[place]]
        sums += [([(a + b) % FIELD for a, b in zip(one, pivot, strict=True)], common) for one, common in more]
    found = [one for one, _ in sums[1:] if max(one[:wide]) == 1]
    return [(mask_of((p for p in range(wide) if one[p]), wide), one[wide:]) for one in found]


@proves("lrat", "lower cover", "lower partition")
def check_lrat(claim: MatrixClaim, budget: Any, apart: Any, proof: Any) -> int:
    """No cover (partition) has ``budget`` rectangles, or fewer: shown by clauses that follow from what holds in one.

    Variables state that a rectangle has a row, has a column, covers a cell. Clauses: a cell with the code is covered by
    some rectangle; what covers a cell has its row and its column; no rectangle has a row and a column at whose crossing
    another code is. In a partition no two rectangles cover one cell, and what has its row and its column covers it.
    Cells ``apart`` are a fooling set: no two in one rectangle, so that the first is in the first one, and so on, once
    these are numbered so; all others are in the order of their first rows, so that what has a row comes after one that
    has it or a row before it. A step of the proof is a clause and which earlier ones it follows from: if all of its
    literals are false, one after the other has no literal left but one, which so is true, and in the end there is a
    contradiction. The last clause is empty. This is LRAT (Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp 2017),
    with clauses of two literals left unsaid.
    """
    size, fixed = integer(budget, 0, MOST_CELLS), fooling(claim.matrix, "both", apart)
    need(len(fixed) <= size, "more cells apart than rectangles")
    clauses = CoverClauses(claim, size, len(fixed))
    for number, (row, column) in enumerate(fixed):
        need(claim.matrix.table[row][column] == claim.code, "a cell of another answer")
        for place in (row, claim.matrix.height + column):
            clauses.start &= clauses.kept[2 * clauses.variable(place, number)]
    lemma = [0]
    for lemma, hints in steps_of(claim.matrix, proof, clauses.given):
        clauses.follow(lemma, hints)
    need(not lemma, "a proof ends with the empty clause")
    return clauses.size + 1


BASE_64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
NUMBER = re.compile("[g-z0-9_-]{0,11}[A-Za-f]")


def steps_of(matrix: Matrix, text: Any, given: int) -> Iterator[tuple[list[int], list[int]]]:
    """The steps of a proof, as clauses and numbers of clauses: those that are given, then those of the proof.

    A step is a clause, 0, what it follows from, 0. A literal is 2 * variable, and 1 more if it is denied; from one to
    the next, which is larger, the difference is written. A clause is its number and 1 if it is a given one, and else
    how many are given and how many steps ago it was.
    """
    numbers = [*written_numbers(matrix, text), 0, 0]
    start, known = 0, 2 * given
    while start < len(numbers) - 2:
        middle = numbers.index(0, start)
        end = numbers.index(0, middle + 1)
        need(end < len(numbers) - 2, "a step that is not ended")
        hints = [one - 1 if one <= given else known - one for one in numbers[middle + 1 : end]]
        yield list(accumulate(numbers[start:middle])), hints
        start, known = end + 1, known + 1


def written_numbers(matrix: Matrix, text: Any) -> Iterator[int]:
    """Numbers from a text: five bits to a digit, the least first, and 32 more if there is another one."""
    need(isinstance(text, str), "expected a text")
    matrix.spend(20 * len(text), 50 * len(text))
    numbers = NUMBER.findall(text)
    need(sum(map(len, numbers)) == len(text), "numbers of at most 60 bits, each ended")
    values = {
        number: sum((BASE_64.index(digit) & 31) << 5 * place for place, digit in enumerate(number))
        for number in set(numbers)
    }
    return map(values.__getitem__, numbers)


class Masks(dict[int, int]):
    """Masks by number, each made when it is asked for first."""

    def __init__(self, made: Callable[[int], int]) -> None:
        super().__init__()
        self.made = made

    def __missing__(self, number: int) -> int:
        self[number] = mask = self.made(number)
        return mask


class CoverClauses:
    """The clauses of :func:`check_lrat`: some of two literals, those that are given with their numbers, and those that
    are proved from them. A literal is 2 * variable, with variables from 1 on, or 1 more if that is denied.

    A place is a row, or the height and a column, or height and width and the number of a cell with the code, row by
    row; a variable is place * size + rectangle + 1. Given by number are a clause for each cell, in partitions one for
    each cell and rectangle with its row and its column, and, where only the first ``named`` rectangles are told apart,
    one for each other that comes after another, and row.
    """

    def __init__(self, claim: MatrixClaim, size: int, named: int | None = None) -> None:
        self.matrix = matrix = claim.matrix
        self.kept = Masks(self._kept)  # of each literal, those that are not false once it is true
        self.clauses, self.proved = Masks(self._clause), 0
        self.size, self.alike = size, Masks(self._alike)
        self.ordered = range(size if named is None else named, size - 1)  # each before the next one
        self.once: bool = claim.measure == "partition"
        self.both, every = matrix.height + matrix.width, (1 << matrix.width) - 1
        self.inside: Table = [[] for _ in range(self.both)]  # of each row and column, the places of its cells
        self.foreign: Table = [[] for _ in range(self.both)]  # and the columns or rows that cross it at another code
        self.cells: list[tuple[int, int]] = []
        matrix.spend(40 * matrix.size, 120 * matrix.size + 300 * self.both)
        pairs = zip(matrix.masks(claim.code), matrix.allowed(claim.code), strict=True)
        for row, (own, allowed) in enumerate(pairs):
            for column in matrix.places(own):
                for place in (row, matrix.height + column):
                    self.inside[place].append(self.both + len(self.cells))
                self.cells.append((row, matrix.height + column))
            for column in matrix.places(every & ~allowed):
                self.foreign[row].append(matrix.height + column)
                self.foreign[matrix.height + column].append(row)
        self.unordered = len(self.cells) * (1 + size * self.once)
        self.given = self.unordered + len(self.ordered) * matrix.height  # clauses that have numbers
        self.most = most = (self.both + len(self.cells)) * size  # variables
        matrix.spend(most, 4 * most)
        self.every = (1 << 2 * most + 2) - 4
        self.variables = self.every // 3  # of each, the literal that it is true
        self.start = self.every  # but for literals that are false from the first
        self.step, self.room = 4 + (most >> 10), 100 + most // 3  # of an operation on masks

    def variable(self, place: int, number: int) -> int:
        return place * self.size + number + 1

    def falsified(self, true: int) -> int:
        """Those of the same rectangle, as they are for the first one; and that others cover the cell, in partitions."""
        place, number = divmod((true >> 1) - 1, self.size)
        if true & 1 and place >= self.both:
            return 1 << (true ^ 1)
        self.matrix.spend(30 + 4 * self.step)
        false = self.alike[true - 2 * number] << 2 * number
        if self.once and place >= self.both:
            self.matrix.spend(20 * self.size, 50 * self.size)
            others = [2 * self.variable(place, other) for other in range(self.size) if other != number]
            false |= self.mask(others)
        return false

    def _alike(self, true: int) -> int:
        """The literals of the first rectangle that are false once this one is true, which is of it, too."""
        place = ((true >> 1) - 1) // self.size
        named = () if true & 1 else (place,) if place < self.both else self.cells[place - self.both]
        crossing = {other for one in named for other in self.foreign[one]}
        crossing.update([place] if true & 1 and place < self.both else [])
        steps = sum([len(self.foreign[one]) for one in named]) + sum([len(self.inside[other]) for other in crossing])
        room = 400 + 100 * steps
        self.matrix.spend(200 + 20 * (len(crossing) + steps) + 2 * self.step, room)
        places = crossing.union(*(self.inside[other] for other in crossing))
        false = [true ^ 1, *(2 * self.variable(one, 0) + 1 for one in named)]
        false += [2 * self.variable(one, 0) for one in places]
        self.matrix.spend(0, self.room - room)  # the mask alone is kept
        return self.mask(false)

    def first(self, number: int) -> list[int]:
        """A clause that is given: some rectangle covers a cell, or one that has its row and its column does, or the one
        before a rectangle with this row has a row up to it."""
        if number >= self.unordered:
            after, row = divmod(number - self.unordered, self.matrix.height)
            self.matrix.spend(20 * row, 50 * row)
            before = [2 * self.variable(other, self.ordered[after]) for other in range(row + 1)]
            return [2 * self.variable(row, self.ordered[after] + 1) + 1, *before]
        self.matrix.spend(20 * self.size, 50 * self.size)
        if number < len(self.cells):
            return [2 * self.variable(self.both + number, rectangle) for rectangle in range(self.size)]
        cell, rectangle = divmod(number - len(self.cells), self.size)
        without = [2 * self.variable(place, rectangle) + 1 for place in self.cells[cell]]
        return [*without, 2 * self.variable(self.both + cell, rectangle)]

    def _kept(self, true: int) -> int:
        integer(true, 2, 2 * self.most + 1)
        self.matrix.spend(4 * self.step, self.room)
        return self.every & ~self.falsified(true)

    def _clause(self, number: int) -> int:
        need(0 <= number < self.given, "a clause of the proof")
        self.matrix.spend(2 * self.step, self.room)
        return self.mask(self.first(number))

    def mask(self, literals: Iterable[int]) -> int:
        return mask_of(literals, 2 * self.most + 2)

    def follow(self, lemma: list[int], hints: list[int]) -> None:
        """Take one more clause, if it follows."""
        self.matrix.spend(50 + (5 + 5 * len(lemma) + 6 * len(hints)) * self.step, self.room)
        left, clause, refuted, kept, clauses = self.start, 0, False, self.kept, self.clauses
        for literal in lemma:
            left &= kept[literal ^ 1]
            clause |= 1 << literal
        for hint in hints:
            open_ = left & clauses[hint]
            if not open_:
                refuted = True
                break
            true = open_.bit_length() - 1
            if open_ != 1 << true:
                raise Refused("a clause with two literals left")
            left &= kept[true]
        refuted = refuted or (left | left >> 1) & self.variables != self.variables
        need(refuted, "a clause that does not follow")
        clauses[self.given + self.proved] = clause
        self.proved += 1
