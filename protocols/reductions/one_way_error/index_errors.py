"""INDEX with fewer bits than it has: the least error of one message, beside what entropy and counting allow."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from ccsim.arguments import require_integer
from ccsim.bounds.one_message.index_bound import keeps_entropy_bound
from ccsim.problems import index
from protocols.reductions.one_way_error.least import least_one_way_error

__all__ = ["entropy_error", "error_of_balls", "index_errors"]

LONGEST = 6  # words of so many bits have exact errors for every message, in a second
PARTS = 1 << 10


def index_errors(n: int) -> list[dict[str, Any]]:
    """For each number of bits up to ``n``: the exact least error, and how much counting and entropy leave at least.

    The exact one is the least average over uniform inputs. As flipping bits of Alice's word, and naming its places
    anew, carry each input to each other one, it is the least worst-case error with public coins, too.

    >>> for row in index_errors(3):
    ...     print(row["bits"], row["least"], row["balls"], float(row["entropy"]))
    0 1/2 1/2 0.5
    1 1/4 1/4 0.173828125
    2 1/6 1/6 0.060546875
    3 0 0 0.0
    """
    n = require_integer("n", n, low=1, high=LONGEST)
    rows = []
    for bits in range(n + 1):
        found = least_one_way_error(index(n), bits)
        least = found.upper if found.exact else (found.lower, found.upper)
        balls = error_of_balls(n, 1 << bits)
        rows.append({"bits": bits, "least": least, "balls": balls, "entropy": entropy_error(n, bits)})
    return rows


def error_of_balls(n: int, messages: int) -> Fraction:
    """No so many messages err less on INDEX of n bits: around a word only so many words stand at each distance.

    Bob answers as some word says, place by place. A message that stands for t words errs least on them if they are
    the t nearest to that word; the sum of the t least distances is convex in t, so that equal shares are best.

    >>> error_of_balls(7, 1 << 4), error_of_balls(23, 1 << 12)
    (Fraction(1, 8), Fraction(127, 1024))
    """
    n = require_integer("n", n, low=1)
    share, larger = divmod(1 << n, require_integer("messages", messages, low=1))
    wrong = (messages - larger) * _nearest(n, share) + larger * _nearest(n, share + 1)
    return Fraction(wrong, n << n)


def _nearest(n: int, count: int) -> int:
    """The sum of the least ``count`` distances of words from one."""
    total = 0
    for distance in range(n + 1):
        here = min(count, comb(n, distance))
        total, count = total + distance * here, count - here
    return total


def entropy_error(n: int, bits: int) -> Fraction:
    """The error that b >= (1 - H(e)) n allows at least, rounded down to a multiple of 1/1024.

    >>> entropy_error(100, 50) < Fraction(11, 100) < entropy_error(100, 49)
    True
    """
    low, high = 0, PARTS // 2
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if keeps_entropy_bound(Fraction(middle, PARTS), n, bits) else (middle + 1, high)
    return Fraction(max(0, low - 1), PARTS) if low < PARTS // 2 else Fraction(1, 2)
