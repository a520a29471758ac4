"""INDEX with fewer bits than it has: the error that counting leaves at least."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from ccsim.arguments import require_integer


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
