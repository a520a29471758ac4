"""How few leaves a tree has that is right: leaf-rank, khrapchenko, all-rectangles.

A table of numbers below 2^15 is one long integer, with a lane of 16 bits for each.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

from .claims import Claim, proves
from .data import need
from .refutations import leaves_by_rank

LANE, FAR = 16, 1 << 13


@proves("leaf-rank", "lower leaves")
def check_leaf_rank(claim: Claim, primes: Any) -> int:
    """As many leaves as the ranks of all answers, see :func:`leaves_by_rank`."""
    need(not any(claim.matrix.masks(-1)), "free cells have no rank")
    return leaves_by_rank(claim.matrix, claim.answer, (-1, -1), primes)


@proves("khrapchenko", "lower leaves")
def check_khrapchenko(claim: Claim, cells: Any) -> int:
    """Cells of which no two in a line share a right answer, if both must know it (Khrapchenko 1971, for formulas).

    In a leaf of a rows and b columns those inside, k of them, share one: they are in different rows and in different
    columns, and k^2 <= ab. On the rows R and the columns C of all these cells the leaves' parts have areas with sum
    |R||C|. By Cauchy and Schwarz, (sum of k)^2 <= (sum of k^2 / ab) (sum of ab) <= L |R||C|.
    """
    matrix, listed = claim.matrix, claim.matrix.cells(cells)
    need(claim.answer == "both" and bool(matrix.codes), "an answer that both know")
    need(0 < len(set(listed)) == len(listed), "different cells")
    for code in matrix.codes:
        allowed = matrix.allowed(code)
        matrix.spend(30 * len(listed))
        shared = [(row, column) for row, column in listed if allowed[row] >> column & 1]
        for party in (0, 1):
            need(
                len({cell[party] for cell in shared}) == len(shared),
                "two cells in a line with a right answer in common",
            )
    area = len({row for row, _ in listed}) * len({column for _, column in listed})
    return -(-(len(listed) ** 2) // area)


@proves("all-rectangles", "lower leaves", "lower deterministic")
def check_all_rectangles(claim: Claim, rows: Any, columns: Any) -> int:
    """What a protocol for some rows and columns takes, and so at least one for all: by dynamic programming over all
    rectangles in them. One that is no leaf is first split, by either party, in two: it has the leaves of both halves,
    and one bit more than the worse one. (More than FAR is not counted, which changes no claim but to a weaker one.)
    """
    matrix, party = claim.matrix, int(claim.answer == "bob")
    pair = [matrix.places(mask) for mask in matrix.rectangle(rows, columns)]
    own, across = pair[party], pair[1 - party]
    m, n = len(own), len(across)
    need(0 < m <= 16 and 0 < n <= 16, "from 1 to 16 rows and columns")
    return least_of_all(claim, own, across)[-1] >> LANE * ((1 << n) - 1)


def least_of_all(claim: Claim, own: list[int], across: list[int]) -> list[int]:
    """What each set of own lines takes with each set across, lane by lane.

    Sets of lines are numbers. Those of the party by which a leaf is told are done by size, with a lane for each set
    across; then, with a lane for each set of that size, the sets across.
    """
    m, n, counted = len(own), len(across), claim.measure == "leaves"
    claim.matrix.spend(work_of_all(m, n, counted), 8 << m + n)
    least = b"\1\0" if counted else b"\0\0"
    known = []
    for sets in leaf_sets(claim, own, across):
        text = f"{sets:0{1 << n}b}"[::-1].encode()
        known.append(int.from_bytes(text.replace(b"0", FAR.to_bytes(2, "little")).replace(b"1", least), "little"))
    for size in range(1, m + 1):
        group = [one for one in range(1 << m) if one.bit_count() == size]
        for one in group:
            known[one] = best_split(known, one, 1 << n, counted)
        turned = lanes_turned([known[one] for one in group], 1 << n)
        for other in range(1, 1 << n):
            turned[other] = best_split(turned, other, len(group), counted)
        for one, values in zip(group, lanes_turned(turned, len(group)), strict=True):
            known[one] = values
    return known


def work_of_all(own: int, across: int, counted: bool) -> int:
    """What it takes to go through all rectangles of so many lines, for leaves or for bits."""
    return int(24 * (3**own + own * 3**across) + (3**own * 2**across + 2**own * 3**across) // (4 if counted else 2))


def leaf_sets(claim: Claim, own: list[int], across: list[int]) -> list[int]:
    """For each set of own lines, the sets across that are a leaf with it, a bit for each: one answer is right on all
    cells, or, for a party that alone must know it, one on each of its lines."""
    matrix, count, right = claim.matrix, len(across), []
    for code in matrix.codes or [-1]:
        matrix.spend((20 + (1 << count) // 256) << len(own))
        allowed, options = matrix.allowed(code, int(claim.answer == "bob")), []
        for line in own:
            sets = 1
            for place in [place for place, other in enumerate(across) if allowed[line] >> other & 1]:
                sets |= sets << (1 << place)
            options.append(sets)
        right.append(options)
    if claim.answer != "both":
        right = [[reduce(or_, options) for options in zip(*right, strict=True)]]
    found = [0] * (1 << len(own))
    for options in right:
        shared = [(1 << (1 << count)) - 1]
        for sets in options:
            shared += [old & sets for old in shared]
        found = list(map(or_, found, shared))
    return found


def best_split(known: list[int], lines: int, count: int, counted: bool) -> int:
    """What a set of lines takes, lane by lane, once it may be split in two in any way: leaves, or else bits."""
    ones = int.from_bytes(b"\1\0" * count, "little")
    guard, best, part = ones << LANE - 1, known[lines], (lines - 1) & lines
    while part > lines ^ part:
        one, other = known[part], known[lines ^ part]
        both = one + other
        if not counted:
            both += ones - lower_lanes(one, other, guard)  # the higher, and one
        best = lower_lanes(best, both, guard)
        part = (part - 1) & lines
    return best


def lower_lanes(one: int, other: int, guard: int) -> int:
    """In each lane the lower of two numbers; ``guard`` has the highest bit of each lane."""
    above = ((one | guard) - other) & guard
    return one ^ ((one ^ other) & (above - (above >> LANE - 1)))


def lanes_turned(lines: list[int], count: int) -> list[int]:
    """A table of lanes by columns instead of rows, of which each has so many."""
    cells = memoryview(b"".join([line.to_bytes(2 * count, "little") for line in lines])).cast("H")
    return [int.from_bytes(cells[place::count].tobytes(), "little") for place in range(count)]
