"""Models on lists of words, beside answers that were found without them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import product
from typing import Any

import numpy as np

__all__ = ["answered", "drawn_words", "every_word", "layer_widths"]

Word = tuple[Any, ...]


def every_word(alphabet: Iterable[Hashable], length: int) -> list[Word]:
    """All words of this length, in order."""
    return list(product(tuple(alphabet), repeat=length))


def drawn_words(alphabet: Sequence[Hashable], length: int, count: int) -> list[Word]:
    """Words drawn at random, always the same ones."""
    drawn = np.random.default_rng(length).integers(len(alphabet), size=(count, length))
    return [tuple(alphabet[place] for place in word) for word in drawn.tolist()]


def answered(model: Any, words: Sequence[Word], wanted: Sequence[Hashable], task: Any = None) -> list[str]:
    """On which words a model, or the task that it is for, has another answer than is wanted.

    A mistake that is planted in the last word has to be found.
    """
    rank = {symbol: place for place, symbol in enumerate(model.alphabet)}
    ranks = np.array([[rank[symbol] for symbol in word] for word in words])
    given = model.codes(ranks)
    if len(given) != len(words) or len(wanted) != len(words):
        return [f"{len(given)} answers to {len(words)} words"]
    wrong = _different(model.answers, given, words, wanted)
    if task is not None:
        wrong += [f"the task has {each}" for each in _different(task.answers, task.evaluate(ranks), words, wanted)]
    planted = given.copy()
    planted[-1] = (planted[-1] + 1) % len(model.answers)
    if _different(model.answers, planted, words, wanted)[-1:] == wrong[-1:]:
        wrong.append("a planted mistake was not found")
    return wrong


def _different(answers: Sequence[Hashable], given: Any, words: Sequence[Word], wanted: Sequence[Hashable]) -> list[str]:
    pairs = zip(words, given.tolist(), wanted, strict=True)
    return [f"{answers[code]} on {word}, not {right}" for word, code, right in pairs if answers[code] != right]


def layer_widths(model: Any) -> list[int]:
    """The most numbers in a query, a key or a value of each layer, from the weights."""
    names = ("query", "key", "value", "first_key", "second_key", "first_value", "second_value")
    return [
        max(int(getattr(layer.attention, name).weights.shape[1]) for name in names if hasattr(layer.attention, name))
        for layer in model.layers
    ]
