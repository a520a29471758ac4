"""Protocols whose first split leaves two sides of low rank, found by a walk.

A side with a protocol of d bits has ranks whose sum over the answers is 2^d at most. Nearly all splits are far from
that; and the lower the ranks of a side, the more leaves may be lost on it. So lines are exchanged between two sides,
such that the ranks of the larger one hardly ever grow, and every split that fits on the way is decided. Most are within
milliseconds, and a few take as long as the whole: the time for each is drawn, twice as much half as often. Ranks
are over GF(2) here, where they take a few operations. Nothing is refuted by this.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from ccsim.bounds.clock import Clock
from ccsim.bounds.rank.over_fields import independent_gf2
from ccsim.bounds.tree_search.cells import Cells
from ccsim.bounds.tree_search.search import Search

__all__ = ["find_low_ranks"]

STEPS = 400  # exchanges of two lines before a new start
IDLE = 20  # new starts of all walks without a new split, after which this is given up
UPHILL = 0.02  # how often an exchange is kept that makes the ranks grow
SECONDS, WEIGHTS = (0.1, 0.2, 0.4, 0.8, 1.6), (16, 8, 4, 2, 1)  # for a split


def find_low_ranks(search: Search, depth: int, clock: Clock) -> bool:
    """Whether a first split was found, both sides of which have protocols of a bit less; the search keeps it.

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
            if clock.over:
                return False
            if lines and (party, lines) not in seen:
                seen.add((party, lines))
                idle = 0
                if search.divides(depth, party, lines, clock.left(source.choices(SECONDS, WEIGHTS)[0])):
                    return True
    return False


def _walk(cells: Cells, party: int, size: int, half: int, source: random.Random) -> Iterator[tuple[int, int]]:
    """The party, and a side of so many lines where both sides have so small ranks; now and then 0, for no side."""
    count = cells.shape[party]
    while True:
        order = source.sample(range(count), count)
        rank = _ranks(cells, party, order[:size])
        for _ in range(STEPS):
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
