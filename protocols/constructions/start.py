"""Models that put a symbol of their own before the word."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np

from ccsim.arithmetic import Precision
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models import SequenceModel, Transformer

__all__ = ["START", "StartedTransformer"]

START = "[BOS]"


@dataclass(frozen=True, eq=False)
class StartedTransformer(SequenceModel):
    """A transformer that reads [BOS] and then the word.

    Attributes:
        transformer: reads the words with [BOS] in front; its last symbol is [BOS].
    """

    transformer: Transformer
    name: str = field(init=False)
    alphabet: tuple[Hashable, ...] = field(init=False)
    answers: tuple[Hashable, ...] = field(init=False)
    length: int | None = field(init=False)

    def __post_init__(self) -> None:
        inner = self.transformer
        if inner.alphabet[-1] != START:
            raise InputError("transformer", inner.alphabet, f"one whose last symbol is {START}")
        object.__setattr__(self, "name", inner.name)
        object.__setattr__(self, "alphabet", inner.alphabet[:-1])
        object.__setattr__(self, "answers", inner.answers)
        object.__setattr__(self, "length", None if inner.length is None else inner.length - 1)

    @property
    def precision(self) -> Precision:
        """Of everything."""
        return self.transformer.precision

    @property
    def width(self) -> int:
        """How many numbers the stream has at each position."""
        return self.transformer.width

    @property
    def layers(self) -> int:
        """How many attention layers there are."""
        return self.transformer.layers

    @property
    def heads(self) -> int:
        """How many heads there are, in the layer that has the most."""
        return self.transformer.heads

    @property
    def parameters(self) -> int:
        """How many numbers describe the model, [BOS] included."""
        return self.transformer.parameters

    def codes(self, words: Array) -> Array:
        """The answer codes (...), int64, of words (..., N)."""
        words = np.asarray(words)
        if words.ndim and words.size and int(words.max()) >= len(self.alphabet):
            raise InputError("words", int(words.max()), f"ranks from 0 to {len(self.alphabet) - 1}")
        start = np.full((*words.shape[:-1], 1), len(self.alphabet), dtype=np.int64)
        return self.transformer.codes(np.concatenate([start, words], axis=-1))
