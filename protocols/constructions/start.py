"""Models that put a symbol of their own before the word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from protocols.constructions.asking import AskingModel

START = "[BOS]"


@dataclass(frozen=True, eq=False)
class StartedTransformer(AskingModel):
    """A transformer that reads [BOS] and then the word.

    Attributes:
        transformer: reads the words with [BOS] in front; its last symbol is [BOS], which its parameters include.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.alphabet[-1] != START:
            raise InputError("transformer", self.alphabet, f"one whose last symbol is {START}")
        object.__setattr__(self, "alphabet", self.alphabet[:-1])
        object.__setattr__(self, "length", None if self.length is None else self.length - 1)

    def codes(self, words: Array) -> Array:
        """The answer codes (...), int64, of words (..., N)."""
        words = np.asarray(words)
        if words.ndim and words.size and int(words.max()) >= len(self.alphabet):
            raise InputError("words", int(words.max()), f"ranks from 0 to {len(self.alphabet) - 1}")
        start = np.full((*words.shape[:-1], 1), len(self.alphabet), dtype=np.int64)
        return self.transformer.codes(np.concatenate([start, words], axis=-1))
