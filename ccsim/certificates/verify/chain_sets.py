"""Covers, by clauses on which sets of rectangles are those of lines: chain-clauses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import factorial, prod
from typing import Any

from .chains import crossing_lines
from .claims import Claim, proves
from .data import integer, items, need
from .lrat import Clauses, coded
from .matrices import Matrix

MOST_RECTANGLES = 10
Line = tuple[int, int]
"""A set of rectangles, after 0 if it is that of a row, 1 if it is that of a column."""


@proves("chain-clauses", "lower cover", "lower partition")
def check_chain_clauses(claim: Claim, budget: Any, rows: Any, columns: Any, proofs: Any) -> int:
    """No cover has ``budget`` rectangles, or fewer: clauses on the sets that rows and columns have are refuted.

    Sets S(r) and B(c) of k rectangles, and chains of them, are those of :func:`check_chains`. Here each row that is
    listed has another code at d > 1 of the columns, and each column at e > 1 of the rows. So S(r) is part of just d of
    the B(c), and B(c) has just e of the S(r) as parts; none is equal to another. The chains with an S or a B are a sum
    over the crossings of these: see :class:`ChainCosts`. By how much that is more than the least that it can be, and
    the chains with neither, are together no more than what the least leaves of k!. Of the pairs of sizes that some
    crossing has, take the first in a certain order, and number the rectangles by that crossing; then the clauses
    of :class:`ChainClauses` hold. For each pair, these are refuted as covers are (lrat).
    """
    costs = costs_of(claim, integer(budget, 2, MOST_RECTANGLES), rows, columns)
    for number, proof in enumerate(items(proofs, len(costs.pairs))):
        room = claim.matrix.left[1]
        ChainClauses(claim.matrix, costs, number).refute(proof)
        claim.matrix.spend(0, claim.matrix.left[1] - room)
    return costs.size + 1


def costs_of(claim: Claim, size: int, rows: Any, columns: Any) -> ChainCosts:
    """What crossings of these lines cost, each of which crosses as many as the others of its side do."""
    lists, crossing = crossing_lines(claim, rows, columns)
    claim.matrix.spend(10 * len(lists[0]) * len(lists[1]) + sum(len(found) ** 2 for found in crossing))
    degrees = [sum(row in found for found in crossing) for row in lists[0]]
    d, e = degrees[0], len(crossing[0])
    need(min(d, e) > 1 and {d} == set(degrees) and {e} == set(map(len, crossing)), "lines that cross as many others")
    return ChainCosts(size, d, e, d * len(degrees))


class ChainCosts:
    """What a crossing of sets S and B with s and b of k rectangles costs, in chains times d * e.

    So many chains have S, and so many B, shared by the crossings of each, less those with both:
    s! (k - s)! / d + b! (k - b)! / e - s! (b - s)! (k - b)!, for s < b. Pairs of sizes where this is least are the
    ``usual`` ones. What others cost more, S or B has to answer for: S if only it is smaller than usual, each for a half
    if B is larger, too, and else B. So many chains are ``left`` if all are usual. A size is one of the ``sizes`` of S
    (of B) if it can be afforded at each of its crossings. All ``pairs`` of them are in order, first those that cost
    most.
    """

    def __init__(self, size: int, d: int, e: int, crossings: int) -> None:
        self.size, self.degrees, parts = size, (d, e), [factorial(s) * factorial(size - s) for s in range(size + 1)]
        cost = {
            (s, b): e * parts[s] + d * parts[b] - d * e * factorial(s) * factorial(b - s) * factorial(size - b)
            for s, b in combinations(range(1, size), 2)
        }
        least = min(cost.values(), default=0)
        self.left = d * e * factorial(size) - crossings * least
        need(self.left >= 0 < least, "chains alone are a proof")
        more = {pair: cost[pair] - least for pair in cost}
        self.usual = [pair for pair in more if not more[pair]]
        small, large = self.usual[0]
        mine = {(s, b): 0 if s >= small else more[s, b] >> (b > large) for s, b in more}
        self.more = mine, {pair: more[pair] - mine[pair] for pair in more}
        self.sizes = [{pair[side] for pair in more if self.degrees[side] * more[pair] <= self.left} for side in (0, 1)]
        known = [pair for pair in more if pair[0] in self.sizes[0] and pair[1] in self.sizes[1]]
        self.pairs = sorted([pair for pair in known if more[pair] <= self.left], key=lambda pair: -more[pair])

    def unit(self, level: int) -> int:
        """What chains cost that go through a set of this size and another with a rectangle more."""
        return prod(self.degrees) * factorial(level) * factorial(self.size - 1 - level)

    def of(self, line: Line, other: Line) -> int:
        """What a line answers for in all, if each of its crossings costs as much as that with the other."""
        return self.degrees[line[0]] * self.more[line[0]][sizes_of(line, other)]


class ChainClauses(Clauses):
    """The clauses of :func:`check_chain_clauses` if the first pair of sizes is the one with this number. Variables say
    that a set is that of a row, for each that can be, in order; that it is that of a column; then that chains are lost,
    in units; and then how many. All clauses are numbered but those of two sets that are not both those of lines:
    one is part of the other, and they are not S inside B of a crossing that can be."""

    def __init__(self, matrix: Matrix, costs: ChainCosts, number: int) -> None:
        super().__init__(matrix)
        self.costs, self.size, self.pairs = costs, costs.size, costs.pairs[number:]
        self.level = next(pair[0] for pair in self.pairs if pair in costs.usual)
        self.unit = costs.unit(self.level)
        matrix.spend(50 << self.size)
        sets = [(one.bit_count(), one) for one in range(1 << self.size)]
        self.sets = [(side, one) for side in (0, 1) for size, one in sets if size in costs.sizes[side]]
        self.name = {line: place + 1 for place, line in enumerate(self.sets)}
        self.names = len(self.sets)
        matrix.spend(60 * self.names**2, 8 * self.names**2)
        self.near = [[other for other in self.sets if self.crosses(line, other)] for line in self.sets]
        self.given_clauses: list[list[int]] = []
        for clauses in (self._crossings(), self._numbered(), self._few(list(self._lost()))):
            for clause in clauses:
                self._add(clause)
        self.begin(len(self.given_clauses), self.names)

    def crosses(self, line: Line, other: Line) -> bool:
        """Whether these may be S and B of a crossing, or B and S."""
        row, column = (other[1], line[1]) if line[0] else (line[1], other[1])
        return line[0] != other[0] and row & ~column == 0 and sizes_of(line, other) in self.pairs

    def apart(self, place: int) -> list[int]:
        """The names of the sets that are not those of lines if this one is."""
        line, crossed = self.sets[place], {*self.near[place], self.sets[place]}
        return [name for name, other in enumerate(self.sets, 1) if nested(line[1], other[1]) and other not in crossed]

    def _add(self, clause: list[int]) -> None:
        self.matrix.spend(20 + 10 * len(clause), 120 + 40 * len(clause))
        self.given_clauses.append(clause)

    def _new(self) -> int:
        self.names += 1
        return self.names

    def _crossings(self) -> Iterator[list[int]]:
        """S is part of so many B, no fewer, and of each usual size no more; and likewise of B."""
        for name, ((side, _), near) in enumerate(zip(self.sets, self.near, strict=True), 1):
            degree, found = self.costs.degrees[side], [self.name[line] for line in near]
            for some in combinations(found, min(degree - 1, len(found))):
                self.matrix.spend(degree * len(found))
                yield [-name, *(other for other in found if other not in some)]
            for size in sorted({pair[1 - side] for pair in self.costs.usual}):
                alike = [self.name[line] for line in near if line[1].bit_count() == size]
                yield from ([-name, *(-other for other in some)] for some in combinations(alike, degree + 1))

    def _numbered(self) -> Iterator[list[int]]:
        """The first rectangles are S, and the first ones B, of a crossing with the first pair of sizes. Those in S, and
        those outside of B, are alike so far: that B is S and one more, and that S is B less one, is then said
        first of the first of them, which so is no longer like the others; and again of these two."""
        small, large = self.pairs[0]
        row, column = (0, (1 << small) - 1), (1, (1 << large) - 1)
        yield from ([self.name[line]] for line in (row, column))
        for inside, outside in zip(range(small), range(large, self.size), strict=False):
            for line, first, last in ((row, outside, self.size), (column, inside, small)):
                one, *others = [self.name.get((1 - line[0], line[1] ^ 1 << place)) for place in range(first, last)]
                yield from ([-other, one] for other in others if one and other)
            row, column = (0, column[1] ^ 1 << inside), (1, row[1] ^ 1 << outside)

    def _lost(self) -> Iterator[int]:
        """Units of chains that are lost: those through two sets, where one has a rectangle more, if no set that is part
        of both or has both as parts is that of a line; and what a line answers for, if each of its crossings does."""
        for one, place in product(range(1 << self.size), range(self.size)):
            if one.bit_count() == self.level and not one >> place & 1:
                whole, lost = one | 1 << place, self._new()
                self.matrix.spend(10 * len(self.sets))
                around = [name for (_, other), name in self.name.items() if other & ~one == 0 or whole & ~other == 0]
                self._add([lost, *around])
                yield lost
        for line, near in zip(self.sets, self.near, strict=True):
            costs = {self.name[other]: self.costs.of(line, other) for other in near}
            self.matrix.spend(50 * len(near))
            for units in range(1, min(max(costs.values(), default=0), self.costs.left) // self.unit + 1):
                self.matrix.spend(5 * len(near))
                less, lost = [name for name, cost in costs.items() if cost < units * self.unit], self._new()
                self._add([lost, -self.name[line], *less])
                yield lost

    def _few(self, lost: list[int]) -> Iterator[list[int]]:
        """No more units are lost than are left: so many of two, so many of four, and so on, up to one more than may."""
        most = self.costs.left // self.unit
        layers = [[name] for name in lost]
        while len(layers) > 1:
            pairs, layers = list(zip(layers[::2], layers[1::2], strict=False)), layers[len(layers) & ~1 :]
            for left, right in pairs:
                both = [self._new() for _ in range(min(len(left) + len(right), most + 1))]
                layers.append(both)
                for a, b in product(range(len(left) + 1), range(len(right) + 1)):
                    if a + b:
                        known = [-name for name in left[a - 1 : a] + right[b - 1 : b]]
                        yield [*known, both[min(a + b, most + 1) - 1]]
        yield from ([-name] for name in layers[0][most:])

    def first(self, number: int) -> list[int]:
        """A clause that is given."""
        return [coded(literal) for literal in self.given_clauses[number]]

    def falsified(self, true: int) -> int:
        """The literals that are false once this one is true, by the clauses of two sets."""
        place = (true >> 1) - 1
        self.matrix.spend(100 + 40 * len(self.sets), 100 * len(self.sets))
        others = self.apart(place) if place < len(self.sets) and not true & 1 else []
        return self.mask([true ^ 1, *(2 * other for other in others)])


def sizes_of(line: Line, other: Line) -> tuple[int, int]:
    """How many rectangles the set of a row has, and that of a column, which are given in any order."""
    row, column = (other, line) if line[0] else (line, other)
    return row[1].bit_count(), column[1].bit_count()


def nested(one: int, other: int) -> bool:
    """Whether one set is part of the other."""
    return one & ~other == 0 or other & ~one == 0
