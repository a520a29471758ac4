"""Models on lists of words, beside their tasks."""

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


def answered(model: Any, words: Sequence[Word], task: Any) -> list[str]:
    """On which words a model has another answer than its task."""
    rank = {symbol: place for place, symbol in enumerate(model.alphabet)}
    ranks = np.array([[rank[symbol] for symbol in word] for word in words])
    given, wanted = np.asarray(model.codes(ranks)).tolist(), np.asarray(task.evaluate(ranks)).tolist()
    pairs = [(word, model.answers[one], task.answers[other])
             for word, one, other in zip(words, given, wanted, strict=True)]  # fmt: skip
    return [f"{one} on {word}, not {other}" for word, one, other in pairs if one != other]


def layer_widths(model: Any) -> list[int]:
    """The most numbers in a query, a key or a value of each layer, from the weights."""
    names = ("query", "key", "value", "first_key", "second_key", "first_value", "second_value")
    return [
        max(int(getattr(layer.attention, name).weights.shape[1]) for name in names if hasattr(layer.attention, name))
        for layer in model.layers
    ]
