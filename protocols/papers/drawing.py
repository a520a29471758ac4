"""Words on which models are looked at: all of a task, or some, with neighbours whose answers differ."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import numpy as np

from ccsim import problems

__all__ = ["drawn_recall", "drawn_words", "every_word", "recall_words"]

DRAWN = 64


def every_word(task: problems.SequenceTask) -> Any:
    """All words of a task, as ranks in its alphabet: every choice of a symbol at every position."""
    rank = {symbol: place for place, symbol in enumerate(task.alphabet)}
    sizes = [len(symbols) for symbols in task.positions]
    chosen = np.indices(sizes, dtype=np.int32).reshape(len(sizes), -1)
    ranks = [np.array([rank[symbol] for symbol in symbols]) for symbols in task.positions]
    return np.stack([own[choices] for own, choices in zip(ranks, chosen, strict=True)], axis=1)


def drawn_words(task: problems.SequenceTask, count: int = DRAWN) -> Any:
    """Words of ranks, always the same ones: half of them at random, half in pairs that differ in one symbol only.

    Of the random ones every other repeats its first half, if it can; the last two are the first and the last word of
    the task. Between two words with different answers there are two neighbours with different answers: they make the
    pairs, so that what decides is one symbol somewhere.
    """
    generator, positions = np.random.default_rng(0), task.positions
    rank = {symbol: place for place, symbol in enumerate(task.alphabet)}
    choices = [np.array([rank[symbol] for symbol in symbols]) for symbols in positions]
    words = np.stack([ranks[generator.integers(len(ranks), size=count)] for ranks in choices], axis=1)
    half = len(positions) // 2
    if positions[:half] == positions[half : 2 * half]:
        words[::2, half : 2 * half] = words[::2, :half]
    words[-2:] = [[ranks[0] for ranks in choices], [ranks[-1] for ranks in choices]]
    codes = np.asarray(task.evaluate(words))
    first, other = np.flatnonzero(codes == codes[0]), np.flatnonzero(codes != codes[0])
    if not len(other):
        return words
    quarter = np.arange(max(1, count // 4))
    ends = (words[place[quarter % len(place)]] for place in (first, other))
    return np.concatenate([words[: count // 2 - 2], words[-2:], *_neighbours(task, *ends)])


def _neighbours(task: problems.SequenceTask, start: Any, end: Any) -> tuple[Any, Any]:
    """Pairs of words, one symbol apart, with different answers, on paths between words with different answers."""
    generator = np.random.default_rng(1)
    order = generator.permuted(np.tile(np.arange(start.shape[1]), (len(start), 1)), axis=1)
    turn = np.argsort(order, axis=1)  # at which step a position takes the symbol of the end
    low, high = np.zeros(len(start), dtype=np.int64), np.full(len(start), start.shape[1])

    def word(steps: Any) -> Any:
        return np.where(turn < steps[:, None], end, start)

    answer = np.asarray(task.evaluate(start))
    while (high - low > 1).any():
        middle = (low + high) // 2
        same = np.asarray(task.evaluate(word(middle))) == answer
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    assert (word(low) != word(high)).sum(axis=1).max() == 1
    return word(low), word(high)


def drawn_recall(task: problems.SequenceTask, count: int = DRAWN) -> Any:
    """Words of ranks for associative recall: the keys in orders of their own, values and a query at random.

    Every other word is the one before it with only the value of the key that is asked for changed.
    """
    generator, positions = np.random.default_rng(0), task.positions
    rank, pairs, rows = {symbol: place for place, symbol in enumerate(task.alphabet)}, len(positions) // 2, range(count)
    keys, values = (np.array([rank[symbol] for symbol in positions[place]]) for place in (-1, 1))
    held = generator.permuted(np.tile(keys, (count, 1)), axis=1)[:, :pairs]
    if len(positions[0]) == 1:  # each key has its own place
        held = np.tile([rank[name] for (name,) in positions[0:-1:2]], (count, 1))
    drawn, place = generator.integers(len(values), size=(count, pairs)), generator.integers(pairs, size=count)
    drawn[1::2], held[1::2], place[1::2] = (given[0 : count // 2 * 2 : 2] for given in (drawn, held, place))
    drawn[rows[1::2], place[1::2]] = (drawn[rows[1::2], place[1::2]] + 1) % len(values)
    words = np.empty((count, 2 * pairs + 1), dtype=np.int64)
    words[:, 0:-1:2], words[:, 1::2], words[:, -1] = held, values[drawn], held[rows, place]
    return words


def recall_words(task: problems.SequenceTask, queries: int = 1, in_order: bool = False) -> Any:
    """All promised words of recall with as many keys as pairs, as ranks: keys in any order, or in that of the task."""
    rank, keys = {symbol: place for place, symbol in enumerate(task.alphabet)}, task.positions[0]
    words = [
        [rank[symbol] for symbol in (*(each for pair in zip(order, values, strict=True) for each in pair), *asked)]
        for order in ([keys] if in_order else permutations(keys))
        for values in product(task.positions[1], repeat=len(keys))
        for asked in permutations(keys, queries)
    ]
    return np.array(words)
