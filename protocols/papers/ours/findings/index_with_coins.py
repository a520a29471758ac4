"""What is measured about one message for INDEX with public coins: exact errors, beside entropy and counting."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import numpy as np

from ccsim import problems
from ccsim.claims import Finding
from protocols import reductions
from protocols.papers.plain.intervals import interval, whole_part, within
from protocols.reductions import one_way_error
from protocols.reductions.one_way_error import syndrome

__all__ = ["hamming", "least_errors"]

MILLION = 10**6
EXPLORED_UP_TO = 3  # checks, of a word of 7 bits; longer words are gone through by arrays
MOST_SETS = 5000  # up to so many sets of guesses, all are tried


def least_errors(length: int) -> Finding:
    """The bits of a message for each bit that entropy asks for at its least error: the least over fewer than N bits."""
    ratios, wrong, facts, sets = [], list[str](), dict[str, str](), 0
    for bits in range(length + 1):
        found = one_way_error.least_one_way_error(problems.index(length), bits)
        balls = one_way_error.error_of_balls(length, 1 << bits)
        tried = comb((1 << length) + (1 << bits) - 1, 1 << bits)
        if not found.exact:
            wrong.append(f"the least error of {bits} bits is not known")
        if not balls <= found.lower or _error_of(length, found.messages) != found.upper:
            wrong.append(f"{found.upper} with {bits} bits, {balls} by counting")
        if tried <= MOST_SETS:
            sets += tried
            wrong += [] if _by_all_sets(length, bits) == found.upper else [f"another error of {bits} bits by all sets"]
        facts[f"{bits} bits"] = f"error {found.upper}, at least {balls} by counting"
        if 0 < bits < length:
            ratios.append(within(lambda error=found.upper, bits=bits: _ratio(length, error, bits)))
    if length <= 2:
        games = [reductions.one_way_error.least_worst_error(problems.index(length), bits) for bits in range(length + 1)]
        least = [one_way_error.least_one_way_error(problems.index(length), bits).upper for bits in range(length + 1)]
        wrong += [] if [each.error for each in games] == least else ["uniform inputs are not the hardest"]
    return Finding(
        measured=min(ratios), checked=length + 1, of=length + 1, violations=tuple(wrong), facts={**facts, "sets": sets}
    )


def _ratio(length: int, error: Fraction, bits: int) -> Fraction:
    """b / (N (1 - H(e))), in millionths, rounded down."""
    entropy = sum((-interval(p) * interval(p).log() for p in (error, 1 - error) if p), interval(0)) / interval(2).log()
    return (
        Fraction(whole_part(interval(bits * MILLION) / (length * (1 - entropy))), MILLION)
        if error
        else Fraction(bits, length)
    )


def _error_of(length: int, messages: Sequence[int]) -> Fraction:
    """How often Bob is wrong who says, at each place, what most words with his message have there."""
    words, right = list(product((0, 1), repeat=length)), 0
    for message in set(messages):
        sending = [word for word, sent in zip(words, messages, strict=True) if sent == message]
        right += sum(max(column.count(0), column.count(1)) for column in zip(*sending, strict=True))
    return 1 - Fraction(right, length * len(words))


def _by_all_sets(length: int, bits: int) -> Fraction:
    """The least average distance to 2^b words, over N, by going through all sets of words."""
    words = np.arange(1 << length)
    distances = np.bitwise_count(words[:, None] ^ words[None, :]).astype(np.int64)
    best = distances.sum()
    stack: list[tuple[int, int, Any]] = [(0, 0, np.full(1 << length, length))]
    while stack:
        taken, first, nearest = stack.pop()
        if taken == 1 << bits:
            best = min(best, int(nearest.sum()))
        elif first < len(words):
            stack.append((taken, first + 1, nearest))
            stack.append((taken + 1, first, np.minimum(nearest, distances[first])))
    return Fraction(int(best), length << length)


def hamming(checks: int) -> Finding:
    """The largest error of the message that names the nearest word of a Hamming code, over all inputs."""
    n = (1 << checks) - 1
    if checks <= EXPLORED_UP_TO:
        run = reductions.one_way_error.syndrome_index(checks).measure_error()
        worst, bits, cases = run.worst_error, run.worst_bits, n << n + checks
    else:
        worst, bits, cases = _by_arrays(checks), n - checks, n << n + checks
    least = one_way_error.error_of_balls(n, 1 << (n - checks))
    wrong = [] if bits == n - checks else [f"{bits} bits"]
    wrong += [] if least == _counted(n) else [f"{least} by counting"]
    wrong += [] if worst == least else [f"an error of {worst}, where counting allows {least}"]
    facts = {"bits": f"{bits} of {n}", "by counting at least": least}
    return Finding(measured=worst, checked=cases, of=cases, violations=tuple(wrong), facts=facts)


def _counted(n: int) -> Fraction:
    """The average distance to the nearest of N + 1 words, one at distance 0 and N at distance 1, over N."""
    return Fraction(n, n + 1) / n


def _by_arrays(checks: int) -> Fraction:
    """The same by all words at once, for each outcome of the coins."""
    n, words = (1 << checks) - 1, np.arange(1 << (1 << checks) - 1)
    wrong = np.zeros((len(words), n), dtype=np.int64)
    for place in range(n + 1):
        said = syndrome.nearest_words(syndrome.flipped(words, place, n), checks)
        differ = syndrome.flipped(syndrome.restored_words(said, checks), place, n) ^ words
        wrong += differ[:, None] >> np.arange(n) & 1
    return Fraction(int(wrong.max()), n + 1)
