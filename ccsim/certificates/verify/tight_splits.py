"""All ways to split a rectangle in which hardly a leaf may be lost, by the ranks of both sides."""

from __future__ import annotations

from typing import Any

from .claims import Claim
from .data import integer, items, need
from .few_bits import Node, cores_of
from .matrices import Matrix
from .ranks import extended, indicator

LANE = 80  # bits of an entry in a vector of extended()


Side = Any  # the mask of its lines, and a basis for each answer of their span, and of that of their entries


def every_tight_split(
    claim: Claim, proved: list[Node], node: Node, party: int, prime: int, given: Any, refuted: list[tuple[int, int]]
) -> None:
    """Whoever speaks first splits its lines in two, and one half has no protocol of depth - 1: for each split of this
    party's lines, one half contains all lines of a core, or the ranks do not fit, or some lines make it ``refuted``
    with at least some rank. Put line after line on a side, in the order that is given; the first one is on the left.
    """
    (depth, limit, masks), matrix = node, claim.matrix
    order, numbers = given
    lines = matrix.places(masks[party])
    need(claim.answer == "both" and limit is None, "ranks of both sides are for answers that both know, without rounds")
    need(sorted(integer(line, 0, 1 << 22) for line in items(order)) == lines, "an order has all lines")
    cores = {core[party] for core in cores_of(claim, proved, node, party, numbers, "")}
    long = matrix.long[1 - party]  # of sets of this party's lines
    matrix.spend(len(cores) * len(lines) * (4 + long))
    caught = [[core for core in cores if core >> line & 1] for line in order]
    matroids = [coordinates(matrix, rows, prime) for rows in rows_of(claim, masks, party, order)]
    own, dual = ([[pair[kind][at] for pair in matroids] for at in range(len(order))] for kind in (0, 1))
    ranks = Ranks(matrix, own, prime), Ranks(matrix, dual, prime)

    def put(side: Side, at: int) -> Side:
        """A side with one more line; None if it contains a core."""
        wider = side[0] | 1 << order[at]
        matrix.spend(220 + 2 * long + len(caught[at]) * (4 + long))
        if any(core & ~wider == 0 for core in caught[at]):
            return None
        return wider, grown(matrix, side[1], own[at], prime), grown(matrix, side[2], dual[at], prime)

    empty: Side = (0, [()] * len(matroids), [()] * len(matroids))
    stack = [(0, empty, empty)]
    while stack:
        at, left, right = stack.pop()
        need(at < len(order) or not right[0], "a split that nothing forbids")
        for one, other in ((put(left, at), right), (left, put(right, at) if at else None)) if at < len(order) else ():
            if one is not None and other is not None and fit(ranks, 1 << depth - 1, at, (one, other)):
                matrix.spend(2 * len(refuted) * (20 + long))
                if not any(has_rank(ranks, 1 << depth - 1, pair, refuted) for pair in ((one, other), (other, one))):
                    stack.append((at + 1, one, other))


class Ranks:
    """For lines in an order, how many answers there are, and the sums over them of the ranks of the lines up to each.

    Each line is given by a vector for each answer.
    """

    def __init__(self, matrix: Matrix, vectors: list[list[list[int]]], prime: int) -> None:
        self.answers = len(vectors[0])
        bases: list[Any] = [()] * self.answers
        self.up_to = []
        for line in vectors:
            bases = grown(matrix, bases, line, prime)
            self.up_to.append(sum(map(len, bases)))


def fit(ranks: tuple[Ranks, Ranks], half: int, at: int, sides: tuple[Side, Side]) -> bool:
    """Whether both halves may still have so many leaves at most, with all lines up to a place on one side.

    For a set X of lines let r(X) be the sum, over the answers, of the ranks of its 0/1 rows. Halves S and T of all
    lines E have r(S), r(T) <= h, so r(S) + r(T) - r(E) <= s = 2h - r(E). The left side only grows with S and T: if A of
    S and B of T are placed, r(A), r(B) <= h and r(A) + r(B) - r(A + B) <= s. The sum, over the answers, of the
    dimensions of dependencies within X is d(X) = k |X| - r(X) for k answers. Those that do not need B have dimension
    d(E) - q(B), where q(B) is the rank of B's entries in a basis of them all. So, S having no more than these,
    k |S| = r(S) + d(S) <= h + d(E) - q(B), likewise k |T|. And q(S) + q(T) - q(E) = d(E) - d(T) - d(S), which is
    r(S) + r(T) - r(E), of which the left side, too, only grows.
    """
    needed, ended = ranks
    own, ends = ([sum(map(len, side[kind])) for side in sides] for kind in (1, 2))
    spare = 2 * half - needed.up_to[-1]
    room = [(half + ended.up_to[-1] - other) // needed.answers for other in (ends[1], ends[0])]
    return (
        max(own) <= half
        and sum(own) - needed.up_to[at] <= spare
        and sum(ends) - ended.up_to[at] <= spare
        and sum(room) >= len(needed.up_to)
        and all(side[0].bit_count() <= most for side, most in zip(sides, room, strict=True))
    )


def has_rank(ranks: tuple[Ranks, Ranks], half: int, sides: tuple[Side, Side], refuted: list[tuple[int, int]]) -> bool:
    """Whether a side has the lines of one of some pairs, and at least the rank that goes with them when all are placed.

    With S, T and A, B as in fit(), r(S) is at least r(A). And as |T| is at most what there is room for, and d(S) is at
    most d(E) - q(B), r(S) = k |S| - d(S) is at least k times the number of other lines, less this.
    """
    needed, ended = ranks
    (lines, basis, ends), (_, _, others) = sides
    room = (half + ended.up_to[-1] - sum(map(len, ends))) // needed.answers
    fewest = needed.answers * (len(needed.up_to) - room) - ended.up_to[-1] + sum(map(len, others))
    least = max(sum(map(len, basis)), fewest)
    return any(rank <= least and own & ~lines == 0 for own, rank in refuted)


def rows_of(claim: Claim, masks: tuple[int, int], party: int, order: list[int]) -> list[list[int]]:
    """For each answer, the 0/1 rows of a party's lines in a rectangle that has no free cells, in order."""
    indicator(claim.matrix, 0, *masks)  # refuses free cells
    across = masks[1 - party]
    return [[claim.matrix.masks(code, party)[line] & across for line in order] for code in claim.matrix.codes]


def coordinates(matrix: Matrix, rows: list[int], prime: int) -> tuple[list[list[int]], list[list[int]]]:
    """For each 0/1 row a vector, such that the same linear dependencies hold; and its entries in a basis of these.

    A row is eliminated together with a 1 in a place of its own: if it depends on others, what is left says how.
    """
    size, every = max(matrix.height, matrix.width), 0
    for row in rows:
        every |= row
    spots, basis, independent = matrix.places(every), (), list[int]()
    columns, found = spots + [size + at for at in range(len(rows))], dict[int, list[int]]()
    for at, row in enumerate(rows):
        longer = extended(matrix, basis, row | 1 << size + at, columns, prime)
        place, vector = longer[-1]
        if place < LANE * len(spots):
            basis = longer
            independent.append(at)
            continue
        tail = vector >> LANE * len(spots)
        matrix.spend(20 * len(rows))
        inverse, data = pow(tail >> LANE * at, -1, prime), tail.to_bytes(LANE // 8 * len(rows), "little")
        entries = [int.from_bytes(data[k : k + LANE // 8], "little") for k in range(0, len(data), LANE // 8)]
        found[at] = [entry * inverse % prime for entry in entries]
    matrix.spend(10 * len(rows) ** 2)
    own = [
        [found[at][k] for k in independent] if at in found else [int(k == at) for k in independent]
        for at in range(len(rows))
    ]
    return own, [[entries[at] for entries in found.values()] for at in range(len(rows))]


def grown(matrix: Matrix, bases: list[Any], vectors: list[list[int]], prime: int) -> list[Any]:
    """Echelon forms, each with one more vector; a form that the vector depends on stays itself."""
    result = []
    for basis, vector in zip(bases, vectors, strict=True):
        matrix.spend(60 + (3 + 5 * len(vector)) * (2 + len(basis)))
        for place, pivot in basis:
            if head := vector[place]:
                vector = [(entry - head * other) % prime for entry, other in zip(vector, pivot, strict=True)]
        place = next((place for place, entry in enumerate(vector) if entry), -1)
        if place >= 0:
            inverse = pow(vector[place], -1, prime)
            basis = (*basis, (place, [entry * inverse % prime for entry in vector]))
        result.append(basis)
    return result
