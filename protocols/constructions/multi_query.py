"""Models that answer at several positions of one word."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from ccsim.arithmetic import Precision
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models import SequenceModel, Transformer

__all__ = ["MultiQueryTransformer"]

MOST_ANSWERS = 1 << 20


@dataclass(frozen=True, eq=False)
class MultiQueryTransformer(SequenceModel):
    """A transformer that is read out at each of the last positions; the answer is the tuple of what it says there.

    Attributes:
        transformer: whose answers are those to single queries.
        queries: at how many positions it is read out.
    """

    transformer: Transformer
    queries: int
    name: str = field(init=False)
    alphabet: tuple[Hashable, ...] = field(init=False)
    answers: tuple[Hashable, ...] = field(init=False)
    length: int | None = field(init=False)

    def __post_init__(self) -> None:
        inner = self.transformer
        object.__setattr__(self, "name", f"{inner.name}, {self.queries} queries")
        object.__setattr__(self, "alphabet", inner.alphabet)
        few = len(inner.answers) ** self.queries <= MOST_ANSWERS
        object.__setattr__(self, "answers", tuple(product(inner.answers, repeat=self.queries)) if few else ())
        object.__setattr__(self, "length", inner.length)

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

    def values(self, words: Array) -> Array:
        """The code of the answer to each query, int64 of shape (..., queries), on words (..., N)."""
        length = np.asarray(words).shape[-1]
        return np.asarray(self.transformer.outputs_at(words, np.arange(length - self.queries, length)).argmax(axis=-1))

    def codes(self, words: Array) -> Array:
        """The codes of the tuples of answers, int64; only for up to 2^20 tuples, see :meth:`values` for more."""
        if not self.answers:
            raise InputError(
                "queries", self.queries, f"at most {MOST_ANSWERS} tuples of answers; values() has no limit"
            )
        codes = np.zeros(np.asarray(words).shape[:-1], dtype=np.int64)
        for values in np.moveaxis(self.values(words), -1, 0):
            codes = codes * len(self.transformer.answers) + values
        return codes
