"""Sides of a split of which only some lines are known, refuted whatever the others are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, compress
from typing import Any

from .claims import Claim
from .data import TooLarge, integer, items, need
from .few_bits import Node, cores_of
from .matrices import Matrix
from .ranks import rank_over
from .tight_splits import LANE, Ranks, coordinates, grown, rows_of

MOST_LINES = 1 << 10

Lines = tuple[int, int]  # a mask of those that a side has, and one of those that it may have
Kernel = tuple[list[int], list[int]]  # the line that each vector asks for, or 0, and their entries at each place


def every_side_with(claim: Claim, proved: list[Node], node: Node, party: int, prime: int, given: Any) -> Lines:
    """Some lines A of a party, and a number: refuse unless each set S of its lines that contains A, and has a rank r(S)
    of at least this number, has no protocol of depth - 1 with all the lines across, C. Returned are A and the number.

    Here r is the sum, over the answers, of ranks over GF(prime). S and C are no leaf, as A and C are none: so somebody
    goes on, and both halves have at most h = 2^(depth - 2) leaves. At most s = 2h - r(S) leaves are lost.

    If the same party goes on, it puts the lines of A on two sides B and D. As r is submodular, r(B) + r(D) - r(A) <= s.
    If the other party does, it divides C. See Answer.
    """
    text, least, numbers = items(given, 3)
    (depth, _, masks), matrix = node, claim.matrix
    need(depth > 1, "sides of at least one bit")
    own, half = matrix.lines(text, (matrix.height, matrix.width)[party]), 1 << depth - 2
    spare = 2 * half - integer(least, 0, 2 * half)
    cores = cores_of(claim, proved, (depth - 1, None, masks), party, numbers, "")
    need(max(matrix.height, matrix.width) <= MOST_LINES, "given lines are for small matrices", TooLarge)
    need(own > 0 and own & ~masks[party] == 0, "given lines are lines of the rectangle")
    need(spare < len(matrix.codes), "too many leaves to spare")
    lines = matrix.places(own)
    rows = rows_of(claim, masks, party, lines)
    need(sum(any(answer) for answer in rows) > 1, "a leaf needs no bits")
    not_divided(matrix, prime, (lines, rows), (half, spare), {core[party] for core in cores})
    dependencies = len(rows) * len(lines) - sum(rank_over(matrix, answer, prime) for answer in rows)
    fewest = -(-(least + dependencies) // len(rows))
    for kept in combinations(matrix.codes, len(rows) - spare):
        Answer(matrix, party, prime, masks, kept, (own, fewest, half, cores)).refuse_unless_refuted()
    return own, least


def not_divided(matrix: Matrix, prime: int, given: Any, leaves: tuple[int, int], cores: set[int]) -> None:
    """Refuse if some lines can be put on two sides, one of which may have none, such that no rank is above half the
    leaves, their sum is not above the rank of all by more than can be spared, and no side has a core's lines."""
    (lines, rows), (half, spare) = given, leaves
    matroids = [coordinates(matrix, answer, prime)[0] for answer in rows]
    vectors = [[matroid[at] for matroid in matroids] for at in range(len(lines))]
    needed, empty = Ranks(matrix, vectors, prime).up_to, (0, [()] * len(rows))
    stack = [(0, empty, empty)]
    while stack:
        at, *sides = stack.pop()
        need(at < len(lines), "given lines that can be divided")
        for side in (0, 1) if at else (0,):
            wider: list[Any] = list(sides)
            wider[side] = (sides[side][0] | 1 << lines[at], grown(matrix, sides[side][1], vectors[at], prime))
            ranks = [sum(map(len, bases)) for _, bases in wider]
            matrix.spend(200 + len(cores) * (4 + matrix.long[0] + matrix.long[1]))
            caught = any(core & ~wider[side][0] == 0 for core in cores)
            if not caught and max(ranks) <= half and sum(ranks) - needed[at] <= spare:
                stack.append((at + 1, *wider))


class Answer:
    """The other party divides its lines C, after a side S that has the given lines; of some answers no leaf is lost.

    Of k answers and s < k lost leaves there are k - s such answers. Let V be the span of the 0/1 rows S of one of them,
    and x a half of C. Restricted to x and to the rest, V has dimensions whose sum is that of V: so it contains each
    of its vectors restricted to x, with 0 for the rest. Hence a vector u over C that is orthogonal to S is orthogonal
    to each line of S so restricted. For the lines of A, and all u that are orthogonal to E, these are linear equations
    for x, which is a 0/1 vector. Sides have no names: the first place across is not in x.

    For a solution x, let S contain the lines L (at first A) and be contained in W (at first E). Lines of W that violate
    the equations, with the u orthogonal to W, are none of S. If some u is orthogonal to W but for one line e, and a
    line of L, restricted to x, is not orthogonal to u, then S has e: else u were orthogonal to S. S is refuted if L is
    not within W, if W has too few lines (with d as in fit(), k |S| = r(S) + d(S), and d(S) >= d(A)), or if one of the
    two halves is, by the ranks of L or a core. If it is not, S has a certain line of W, or has not.
    """

    def __init__(self, matrix: Matrix, party: int, prime: int, masks: Lines, kept: Any, given: Any) -> None:
        self.matrix, self.party, self.prime, self.kept = matrix, party, prime, kept
        self.every, self.across, self.places = masks[party], masks[1 - party], matrix.places(masks[1 - party])
        self.own, self.fewest, self.half, self.cores = given
        self.found: dict[Any, Kernel] = {}
        self.bits: dict[int, dict[int, list[int]]] = {}

    def refuse_unless_refuted(self) -> None:
        """Go through all x."""
        for half in self.solutions():
            stack = [(self.own, self.every)]
            while stack:
                lines, within = self.narrowed(half, *stack.pop())
                if within.bit_count() < self.fewest or lines & ~within or self.refuted(half, lines):
                    continue
                need(lines != within, "a side that nothing forbids")
                line = within & ~lines & -(within & ~lines)
                stack += [(lines | line, within), (lines, within & ~line)]

    def solutions(self) -> Iterator[int]:
        """All sets x of lines across, neither empty nor with the first of all, that fulfil the equations."""
        count, ends = len(self.places), dict[int, list[int]]()
        for place, vector in self.equations():
            ends[count - 1 - place] = vector[::-1]
        stack = [(0, 0, 0)]
        while stack:
            at, bits, half = stack.pop()
            self.matrix.spend(40 + 3 * at)
            if at == count:
                if half:
                    yield half
                continue
            values = [0, 1] if at else [0]
            if at in ends:
                value = -sum([entry for place, entry in enumerate(ends[at][:at]) if bits >> place & 1]) % self.prime
                values = [value] if value < 2 else []
            stack += [(at + 1, bits | value << at, half | value << self.places[at]) for value in values]

    def equations(self) -> Any:
        """An echelon form of the equations for x, with places counted from the last one."""
        basis: Any = ()
        for code in self.kept:
            entries = self.dependencies(code, self.every, 0)
            for line in self.matrix.places(self.own):
                shown = self.shown(code)[line]
                for number in range(len(entries[0])):
                    self.matrix.spend(10 * len(shown))
                    vector = [entry[number] * bit for entry, bit in zip(entries, shown, strict=False)][::-1]
                    (basis,) = grown(self.matrix, [basis], [vector], self.prime)
        return basis

    def dependencies(self, code: int, within: int, single: int) -> list[list[int]]:
        """A basis of the vectors u that are orthogonal to all lines within but for some single ones: for each place
        across its entries in them, and for each single line what is left of them (times -1)."""
        columns = [self.matrix.masks(code, 1 - self.party)[place] & within for place in self.places]
        units = [1 << line for line in self.matrix.places(single)]
        return coordinates(self.matrix, columns + units, self.prime)[1]

    def kernel(self, code: int, lines: int, within: int) -> Kernel:
        """Vectors that are orthogonal to all lines within, and then those that are but for one that S need not have."""
        if (code, lines, within) not in self.found:
            single = self.matrix.places(within & ~lines)
            entries = self.dependencies(code, within, within & ~lines)
            across, units = entries[: len(self.places)], entries[len(self.places) :]
            size = len(entries) * len(entries[0])
            self.matrix.spend(25 * size, 1000 + 20 * size)
            left = [
                [1 << line for line, unit in zip(single, units, strict=True) if unit[number]]
                for number in range(len(entries[0]))
            ]
            order = [number for few in (0, 1) for number, asked in enumerate(left) if len(asked) == few]
            packed = [sum([vector[number] << LANE * place for place, number in enumerate(order)]) for vector in across]
            self.found[code, lines, within] = [sum(left[number]) for number in order], packed
        return self.found[code, lines, within]

    def narrowed(self, half: int, lines: int, within: int) -> Lines:
        """The lines that a side must have, and those that it can have; not among these if there is no such side."""
        while True:
            must, can = lines, within
            for code in self.kept:
                asked, packed = self.kernel(code, lines, within)
                vectors = [vector * (half >> place & 1) for place, vector in zip(self.places, packed, strict=True)]
                plain, shown = asked.count(0), self.shown(code)
                for line in self.matrix.places(within):
                    count = len(asked) if lines >> line & 1 else plain
                    self.matrix.spend(30 + len(vectors) * (2 + len(asked) // 16) + count * (9 + len(asked) // 16))
                    total = sum(compress(vectors, shown[line]))
                    for number in range(count):
                        if (total >> LANE * number & (1 << LANE) - 1) % self.prime:
                            must |= asked[number]
                            can &= ~(0 if asked[number] else 1 << line)
            if (must, can) == (lines, within) or must & ~can:
                return must, can
            lines, within = must, can

    def shown(self, code: int) -> dict[int, list[int]]:
        """Where across each line shows an answer, as a list of zeros and ones."""
        if code not in self.bits:
            lines, rows = self.matrix.places(self.every), self.matrix.masks(code, self.party)
            self.matrix.spend(5 * len(lines) * len(self.places), 9 * len(lines) * len(self.places))
            self.bits[code] = {line: [rows[line] >> place & 1 for place in self.places] for line in lines}
        return self.bits[code]

    def refuted(self, half: int, lines: int) -> bool:
        """Whether one of the two halves is, of a side with these lines."""
        matrix, party = self.matrix, self.party
        for part in (half, self.across & ~half):
            matrix.spend(50 + len(self.cores) * (10 + sum(matrix.long)))
            if any(core[party] & ~lines == 0 == core[1 - party] & ~part for core in self.cores):
                return True
            rows = [[matrix.masks(code, party)[line] & part for line in matrix.places(lines)] for code in matrix.codes]
            if sum(rank_over(matrix, answer, self.prime) for answer in rows) > self.half:
                return True
        return False
