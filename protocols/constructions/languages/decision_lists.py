"""What a head of leftmost hard attention can know of a word of bits: the first pair of a list that the word has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ccsim.arrays import Array


def choices_of_heads(length: int) -> list[Array]:
    """All ways in which one head that reads a word of bits at a mark behind it can choose a position.

    The mark's query is fixed, so scores put the pairs (position, bit) into an order, ties broken by position, and the
    head chooses the first pair that the word has: no more can reach the mark. Each way is an array of 2^N numbers, for
    word number w the pair 2 i + b that is chosen (bit i of w is b). A pair is never chosen behind the pair of the same
    position with the other bit, so a list ends there.

    >>> [len(choices_of_heads(length)) for length in (1, 2, 3)]
    [2, 20, 198]
    """
    words = np.arange(1 << length)
    has = [(words >> place & 1) == bit for place in range(length) for bit in (0, 1)]
    return [_first(has, pairs) for pairs in _lists(2 * length, ())]


def _lists(pairs: int, begun: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if begun and begun[-1] ^ 1 in begun[:-1]:
        yield begun
        return
    for pair in range(pairs):
        if pair not in begun:
            yield from _lists(pairs, (*begun, pair))


def _first(has: Sequence[Array], pairs: tuple[int, ...]) -> Array:
    """For each word the first of these pairs that it has."""
    chosen = np.full(len(has[0]), -1)
    for pair in pairs:
        chosen[has[pair] & (chosen < 0)] = pair
    return chosen


def settles_parity(length: int, heads: Sequence[Array]) -> bool:
    """Whether words of bits on which these heads choose the same pairs always have the same parity.

    >>> settles_parity(2, [np.array([0, 1, 0, 1]), np.array([2, 2, 3, 3])])
    True
    """
    parity = np.bitwise_count(np.arange(1 << length)).astype(np.int64) & 1
    known = np.zeros(1 << length, dtype=np.int64)
    for head in heads:
        known = known * (2 * length) + head
    return len(np.unique(known)) == len(np.unique(2 * known + parity))
