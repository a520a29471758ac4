"""Inequalities whose sum, with what is odd rounded up, cuts a fractional cover off: zero-half cuts.

The slack of a sum is what its inequalities and its odd coefficients have beyond what they must; a sum that must reach
an odd number is violated by a fractional cover as soon as this is less than 1 (Caprara and Fischetti 1996). Such sums
are sought by adding two inequalities again and again to one, those that take most of the slack away.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from ccsim.arithmetic.integers import one_thread
from ccsim.arrays import Array

NEARLY = 0.5  # slack of an inequality that is looked at
MOST_LINES, MOST_PAIRS = 200, 1000  # inequalities, and pairs of them, of least slack
ROUNDS = 3  # pairs that are added
VIOLATED = 0.02
USED = 1e-7  # least share of a rectangle that counts


def half_cuts(coefficients: Array, shares: Array, most: int) -> list[list[int]]:
    """Places of inequalities, in order, for each of some cuts, those first that are violated most.

    Args:
        coefficients: 0 or 1, of inequalities that ask for at least 1, each a row.
        shares: of the columns, which satisfy all of them.
        most: how many cuts.

    Half of each vertex covers the edges of a triangle, each a row; but whole ones must be two.

    >>> half_cuts(np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1]]), np.full(3, 0.5), 8)
    [[0, 1, 2]]
    """
    with one_thread():
        return _half_cuts(coefficients, shares, most)


def _half_cuts(coefficients: Array, shares: Array, most: int) -> list[list[int]]:
    used = np.flatnonzero(shares > USED)
    slack = coefficients[:, used] @ shares[used] - 1
    lines = np.argsort(slack, kind="stable")[:MOST_LINES]
    lines = np.sort(lines[slack[lines] < NEARLY])
    if len(lines) < 3:
        return []
    share, slack = shares[used].astype(np.float32), slack[lines].astype(np.float32)
    odd = coefficients[np.ix_(lines, used)] > 0
    first, second = np.triu_indices(len(lines), 1)
    both = _both(odd, odd, share)
    own = np.diag(both)
    apart = own[first] + own[second] - 2 * both[first, second] + slack[first] + slack[second]
    least = np.argsort(apart, kind="stable")[:MOST_PAIRS]
    first, second = first[least], second[least]
    pairs, beyond = odd[first] ^ odd[second], slack[first] + slack[second]
    sums, weights, sets = odd.copy(), slack.copy(), np.eye(len(lines), dtype=bool)
    total = weights + own
    for _ in range(ROUNDS):
        after = (pairs @ share + beyond)[None, :] - 2 * _both(sums, pairs, share) + (sums @ share + weights)[:, None]
        best = after.argmin(axis=1)
        better = np.flatnonzero(after[np.arange(len(lines)), best] < total - 1e-5)
        pair = best[better]
        sums[better] ^= pairs[pair]
        weights[better] += beyond[pair]
        sets[better, first[pair]] ^= True
        sets[better, second[pair]] ^= True
        total = weights + sums @ share
    found = [number for number in np.argsort(total, kind="stable").tolist() if total[number] < 1 - VIOLATED]
    cuts = Counter(tuple(lines[sets[number]].tolist()) for number in found)
    return [list(cut) for cut in list(cuts)[:most]]


def _both(first: Array, second: Array, share: Array) -> Array:
    """What the columns weigh that are in a set of the first and in one of the second, for all of them."""
    together: Array = (first * share) @ second.T.astype(np.float32)
    return together
