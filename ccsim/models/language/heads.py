"""Heads that choose positions by exact scores and average what stands there."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ccsim.arithmetic import IntArray, exact_matmul
from ccsim.errors import InputError
from ccsim.models.language.scores import Score


def product(rows: IntArray, matrix: IntArray) -> IntArray:
    """rows (..., a) times an integer matrix (a, b), exact: int64, or an object array of integers or Fractions."""
    if rows.dtype != object:
        return exact_matmul(rows, matrix)
    result = np.zeros((*rows.shape[:-1], matrix.shape[1]), dtype=object)
    for row, column in zip(*np.nonzero(matrix), strict=True):
        weight = int(matrix[row, column])
        result[..., column] += rows[..., row] if weight == 1 else weight * rows[..., row]
    return result


@dataclass(frozen=True, eq=False)
class PositionalHead:
    """Hard attention in which queries and keys are made from the encoding of positions, values from the content.

    Position t sees positions 1..t and averages the values of all whose score is the largest.

    Attributes:
        query: integers, shape (numbers of the encoding, key width).
        key: the same shape.
        value: integers, shape (content width, content width).
        score: what orders the keys.
    """

    query: IntArray
    key: IntArray
    value: IntArray
    score: Score

    def chosen(self, encoding: IntArray) -> IntArray:
        """For each position (row) those that it averages, bool of shape (T, T), from the encodings (T, numbers)."""
        queries, keys = product(encoding, self.query), product(encoding, self.key)
        positions = np.arange(len(encoding))
        chosen = np.zeros((len(encoding), len(encoding)), dtype=bool)
        chosen[:, 0] = True
        best = np.zeros(len(encoding), dtype=np.int64)
        for place in range(1, len(encoding)):
            order = self.score.order(queries[place:], keys[place], keys[best[place:]])
            better = positions[place:][order > 0]
            chosen[better] = False
            chosen[place:, place] = order >= 0
            best[better] = place
        return chosen

    def attend(self, content: IntArray, chosen: IntArray) -> IntArray:
        """The averages (batch, T, content width) of the values of chosen positions, exact."""
        values, counts = product(content, self.value), chosen.sum(axis=1)
        if (counts == 1).all():
            return np.asarray(values[:, chosen.argmax(axis=1)])
        averages = np.empty(values.shape, dtype=object)
        for position, row in enumerate(chosen):
            total = values[:, row].astype(object).sum(axis=1)
            averages[:, position] = total * Fraction(1, int(counts[position]))
        return averages


@dataclass(frozen=True, eq=False)
class HardAttentionLayer:
    """Heads whose averages are added up, and added to the content or put in its place.

    Attributes:
        heads: one or more.
        residual: whether the content stays.
    """

    heads: tuple[PositionalHead, ...]
    residual: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "heads", tuple(self.heads))
        if not self.heads:
            raise InputError("heads", self.heads, "one or more heads")

    def chosen(self, encoding: IntArray) -> list[IntArray]:
        """For each head, see :meth:`PositionalHead.chosen`."""
        return [head.chosen(encoding) for head in self.heads]

    def __call__(self, content: IntArray, chosen: list[IntArray]) -> IntArray:
        """The next content (batch, T, content width)."""
        averages = [head.attend(content, places) for head, places in zip(self.heads, chosen, strict=True)]
        total = sum(averages[1:], start=averages[0])
        return content + total if self.residual else total
