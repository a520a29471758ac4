"""A graph of ONNX as a model of words of one length, in fixed or floating point, operation by operation."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ccsim.arrays import Array
from ccsim.models.files.arithmetics import FloatArithmetic
from ccsim.models.files.graph_parts import GraphParts, fresh_run
from ccsim.models.files.graph_values import Given
from ccsim.models.model import SequenceModel, largest_score, require_words
from ccsim.models.operations import FixedPoint

__all__ = ["GraphModel"]


@dataclass(frozen=True, eq=False)
class GraphModel(SequenceModel):
    """Operations one by one, as the graph has them, each rounded.

    Attributes:
        name: what it is called.
        alphabet: the symbols.
        answers: every possible answer; the first largest score wins, and where one is NaN there is none.
        parts: the graph.
        operations: the arithmetic.
        saturate: whether weights out of range become the nearest in range.
        length: N.
    """

    name: str
    alphabet: tuple[Hashable, ...]
    answers: tuple[Hashable, ...]
    parts: GraphParts = field(repr=False)
    operations: FixedPoint | FloatArithmetic = field(repr=False)
    saturate: bool = False
    length: int | None = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", self.parts.length)
        _ = self._constants

    @property
    def arithmetic(self) -> str:
        """How it computes, in words."""
        if isinstance(self.operations, FloatArithmetic):
            return f"{self.operations}, operation by operation as the graph has them"
        return f"fixed point of {self.operations.precision}, rounded down after every operation of the graph"

    @property
    def size_bits(self) -> int:
        """The bits of all weights."""
        bits = self.operations.bits if isinstance(self.operations, FloatArithmetic) else self.operations.precision.bits
        return bits * sum(array.size for array in self.parts.graph.arrays.values() if array.dtype.kind == "f")

    @cached_property
    def _constants(self) -> dict[str, Given]:
        return self.parts.constants(fresh_run(self.operations, self.saturate)())

    def outputs(self, words: Array) -> Array:
        """The scores (batch, answers) of words (batch, N) of ranks, as the arithmetic keeps numbers."""
        words = require_words(words, len(self.alphabet), self.length)
        return self.parts.scores(words, fresh_run(self.operations, self.saturate), self._constants)

    def codes(self, words: Array) -> Array:
        """The answer codes (...) of words (..., N) of ranks."""
        words = np.asarray(words)
        found = self.outputs(words.reshape(-1, words.shape[-1]))
        return largest_score(found).reshape(words.shape[:-1])
