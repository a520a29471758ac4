"""What is measured about one message for INDEX with public coins: exact errors, beside entropy and counting."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ccsim import problems
from ccsim.claims import Finding
from protocols import reductions
from protocols.papers.intervals import interval, whole_part, within
from protocols.reductions import one_way_error
from protocols.reductions.one_way_error import syndrome

__all__ = ["hamming", "least_errors"]

MILLION = 10**6
EXPLORED_UP_TO = 3  # checks, of a word of 7 bits; longer words are gone through by arrays


def least_errors(length: int) -> Finding:
    """The bits of a message for each bit that entropy asks for at its least error: the least over fewer than N bits."""
    found = {bits: one_way_error.least_one_way_error(problems.index(length), bits) for bits in range(length + 1)}
    ratios = [
        within(lambda error=each.upper, bits=bits: _ratio(length, error, bits))
        for bits, each in found.items()
        if 0 < bits < length
    ]
    facts = {
        f"{bits} bits": f"error {each.upper}, at least {one_way_error.error_of_balls(length, 1 << bits)} by counting"
        for bits, each in found.items()
    }
    exact = all(each.exact for each in found.values())
    return Finding(measured=min(ratios), exact=exact, checked=len(found), of=len(found), facts=facts)


def _ratio(length: int, error: Fraction, bits: int) -> Fraction:
    """b / (N (1 - H(e))), in millionths, rounded down."""
    entropy = sum((-interval(p) * interval(p).log() for p in (error, 1 - error) if p), interval(0)) / interval(2).log()
    return (
        Fraction(whole_part(interval(bits * MILLION) / (length * (1 - entropy))), MILLION)
        if error
        else Fraction(bits, length)
    )


def hamming(checks: int) -> Finding:
    """The largest error of the message that names the nearest word of a Hamming code, over all inputs."""
    n = (1 << checks) - 1
    if checks <= EXPLORED_UP_TO:
        run = reductions.one_way_error.syndrome_index(checks).measure_error()
        worst, bits, cases = run.worst_error, run.worst_bits, n << n + checks
    else:
        worst, bits, cases = _by_arrays(checks), n - checks, n << n + checks
    least = one_way_error.error_of_balls(n, 1 << (n - checks))
    wrong = [] if worst == least else [f"an error of {worst}, where counting allows {least}"]
    facts = {"bits": f"{bits} of {n}", "by counting at least": least}
    return Finding(measured=worst, checked=cases, of=cases, violations=tuple(wrong), facts=facts)


def _by_arrays(checks: int) -> Fraction:
    """The same by all words at once, for each outcome of the coins."""
    n, words = (1 << checks) - 1, np.arange(1 << (1 << checks) - 1)
    wrong = np.zeros((len(words), n), dtype=np.int64)
    for place in range(n + 1):
        said = syndrome.nearest_words(syndrome.flipped(words, place, n), checks)
        differ = syndrome.flipped(syndrome.restored_words(said, checks), place, n) ^ words
        wrong += differ[:, None] >> np.arange(n) & 1
    return Fraction(int(wrong.max()), n + 1)
