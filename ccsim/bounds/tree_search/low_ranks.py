"""Protocols whose first split leaves two sides of low rank, found by a walk.

A side with a protocol of d bits has ranks whose sum over the answers is 2^d at most. Nearly all splits are far from
that; and the lower the ranks of a side, the more leaves may be lost on it. So lines are exchanged between two sides,
such that the ranks of the larger one hardly ever grow, and every split that fits on the way is decided. Most are within
milliseconds, and a few take as long as the whole: the steps for each are drawn, twice as many half as often. Ranks
are over GF(2) here, where they take a few operations. Nothing is refuted by this.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

from ccsim.bounds.clock import Clock
from ccsim.bounds.rank.over_fields import independent_gf2
from ccsim.bounds.tree_search.beside import Work
from ccsim.bounds.tree_search.cells import ALICE, BOB, Cells, bits_of
from ccsim.bounds.tree_search.search import OutOfTimeError, Search
from ccsim.bounds.tree_search.tree import SPEAKERS, Tree, build_tree

__all__ = ["decided", "low_ranks"]

EXCHANGES = 400  # of two lines before a new start
IDLE = 20  # new starts of all walks without a new split, after which this is given up
UPHILL = 0.02  # how often an exchange is kept that makes the ranks grow
STEPS, WEIGHTS = (200, 400, 800, 1600, 3200), (16, 8, 4, 2, 1)  # of the search, for a split


def low_ranks(search: Search, depth: int, clock: Clock) -> Work:
    """A tree that begins with such a split, both sides of which have protocols of a bit less; None if none was found.

    Args:
        search: of a total Boolean matrix of different lines.
        depth: the bits of the protocol, at least 2.
        clock: when to stop.
    """
    source, half, seen = random.Random(0), 1 << depth - 1, set[tuple[int, int]]()
    walks = [
        _walk(search.cells, party, size, half, source)
        for party, count in enumerate(search.cells.shape)
        for size in range((count + 1) // 2, count - half // 2 + 1)
    ]
    idle = 0 if _ranks(search.cells, 0, list(range(search.cells.shape[0]))) <= 2 * half else IDLE
    while walks and idle < IDLE:
        idle += 1
        for party, lines in map(next, walks):
            yield
            if lines and (party, lines) not in seen:
                seen.add((party, lines))
                idle = 0
                tree = decided(search, depth, party, lines, source.choices(STEPS, WEIGHTS)[0], clock)
                if tree is not None:
                    return tree
    return None


def decided(search: Search, depth: int, party: int, lines: int, steps: int, clock: Clock) -> Tree | None:
    """A tree of this depth that begins with this split, if the search finds one for each side in so many steps."""
    rest = search.cells.everything[party] & ~lines
    sides = [
        tuple(half if own == party else search.cells.everything[own] for own in (ALICE, BOB)) for half in (lines, rest)
    ]
    search.most_steps, search.deadline = search.steps + steps, clock.end
    try:
        if not all(search.feasible(rows, columns, depth - 1) for rows, columns in sides):
            return None
    except OutOfTimeError:
        return None
    finally:
        search.most_steps, search.deadline = math.inf, None
    one, zero = (build_tree(search, rows, columns, depth - 1, None) for rows, columns in sides)
    return {"speaker": SPEAKERS[party], "ones": list(bits_of(lines)), "zero": zero, "one": one}


def _walk(cells: Cells, party: int, size: int, half: int, source: random.Random) -> Iterator[tuple[int, int]]:
    """The party, and a side of so many lines where both sides have so small ranks; now and then 0, for no side."""
    count = cells.shape[party]
    while True:
        order = source.sample(range(count), count)
        rank = _ranks(cells, party, order[:size])
        for _ in range(EXCHANGES):
            one, other = source.randrange(size), source.randrange(size, count)
            order[one], order[other] = order[other], order[one]
            new = _ranks(cells, party, order[:size])
            if new > rank and source.random() > UPHILL:
                order[one], order[other] = order[other], order[one]
                continue
            rank = new
            if rank <= half and (2 * (count - size) <= half or _ranks(cells, party, order[size:]) <= half):
                yield party, sum(1 << line for line in order[:size])
        yield party, 0


def _ranks(cells: Cells, party: int, lines: list[int]) -> int:
    across = cells.everything[1 - party]
    return sum(len(independent_gf2([block[line] & across for line in lines])) for block in cells.axes[party].blocks)
