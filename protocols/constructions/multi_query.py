"""Models that answer at several positions of one word."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from protocols.constructions.asking import AskingModel

MOST_ANSWERS = 1 << 20


@dataclass(frozen=True, eq=False)
class MultiQueryTransformer(AskingModel):
    """A transformer that is read out at each of the last positions; the answer is the tuple of what it says there.

    Attributes:
        transformer: whose answers are those to single queries.
        queries: at how many positions it is read out.
    """

    queries: int

    def __post_init__(self) -> None:
        super().__post_init__()
        single = self.answers
        object.__setattr__(self, "name", f"{self.name}, {self.queries} queries")
        few = len(single) ** self.queries <= MOST_ANSWERS
        object.__setattr__(self, "answers", tuple(product(single, repeat=self.queries)) if few else ())

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
