"""Attention of third order: a row attends to pairs of rows, by products of three vectors."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ccsim.arithmetic import IntArray, Precision, exact_matmul, floor_divide, largest_magnitude
from ccsim.errors import InputError
from ccsim.models.affine import RowMap
from ccsim.models.attention import mapped, positive_rational, require_rows, row_map
from ccsim.models.weighting import Softmax

BLOCK_LOGITS = 1 << 20  # how many logits are held at once
WORD_BOUND = 1 << 63


@dataclass(frozen=True, eq=False)
class TensorAttention:
    """Row i is the sum over pairs (j, k) of softmax(A_i)_jk times the products of the values of j and k.

    The logit is A_ijk = factor * sum over r of Q(x_i)_r K(x_j)_r L(x_k)_r, with keys K for the first of a pair and L
    for the second, and coordinate r of the value is V(x_j)_r W(x_k)_r (Sanford, Hsu and Telgarsky 2023: third-order
    tensor attention). Sums of products of mantissas are exact; the difference to the largest logit of the row is
    rounded down to the precision once, exponentials, weights and the output each once more, as in
    :class:`~ccsim.models.AttentionUnit`.

    Attributes:
        precision: of everything.
        query, first_key, second_key, first_value, second_value: an affine map or a function of int64 mantissas.
        input_map: what is done to each raw row first, or None.
        logit_factor: a factor of the logits, exact.

    >>> unit = TensorAttention(Precision.of(8), *[np.array([[1]])] * 5)
    >>> unit(np.array([[[32], [0]]])).tolist()  # weights 15, 5, 5, 5 of the pairs in row 1, and 8 each in row 2
    [[[15], [8]]]
    """

    precision: Precision
    query: RowMap
    first_key: RowMap
    second_key: RowMap
    first_value: RowMap
    second_value: RowMap
    input_map: RowMap | None = None
    logit_factor: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        for argument in ("query", "first_key", "second_key", "first_value", "second_value"):
            object.__setattr__(self, argument, row_map(self.precision, argument, getattr(self, argument)))
        object.__setattr__(self, "logit_factor", positive_rational("logit_factor", self.logit_factor))

    @cached_property
    def weighting(self) -> Softmax:
        """From differences of logits to weights."""
        return Softmax(self.precision)

    def embed(self, rows: IntArray) -> IntArray:
        """Raw rows (..., raw width) as vectors of mantissas (..., row width)."""
        rows = np.asarray(rows)
        return self.precision.require(rows if self.input_map is None else self.input_map(rows), "rows")

    def queries(self, rows: IntArray) -> IntArray:
        """The query of each row."""
        return self._map(self.query, rows)

    def pair_keys(self, rows: IntArray) -> IntArray:
        """The products of first and second keys (..., N * N, key width), exact, over scale^2; pairs row by row."""
        return self._pairs(self._map(self.first_key, rows), self._map(self.second_key, rows))

    def pair_values(self, rows: IntArray) -> IntArray:
        """The products of first and second values (..., N * N, value width), exact, over scale^2."""
        return self._pairs(self._map(self.first_value, rows), self._map(self.second_value, rows))

    def exact_logits(self, queries: IntArray, pair_keys: IntArray) -> IntArray:
        """The logits (..., R, N * N) without their factor, exact, over scale^3."""
        return exact_matmul(queries, np.swapaxes(pair_keys, -1, -2))

    def differences(self, logits: IntArray, largest: IntArray) -> IntArray:
        """Logits less the largest of their row, times the factor, rounded down to mantissas of at most 0."""
        factor, below = self.logit_factor.numerator, self.logit_factor.denominator * self.precision.scale**2
        gaps = logits - largest
        if largest_magnitude(gaps) * factor >= WORD_BOUND or below >= WORD_BOUND:
            gaps = gaps.astype(object)
        # What saturates has the exponential 0 in any case.
        return np.maximum(floor_divide(gaps * factor, below), -(1 << 62)).astype(np.int64)

    def attend(self, queries: IntArray, pair_keys: IntArray, pair_values: IntArray) -> IntArray:
        """The outputs (..., R, value width) of given queries, pair keys and pair values."""
        logits = self.exact_logits(queries, pair_keys)
        exponentials = self.weighting.exponentials(self.differences(logits, logits.max(axis=-1, keepdims=True)))
        weights = self.weighting.weights(exponentials, exponentials.sum(axis=-1, keepdims=True))
        return self.precision.round_down(exact_matmul(weights, pair_values), self.precision.scale**2)

    def output_row(self, inputs: IntArray, row: int) -> IntArray:
        """Row ``row``, counted from 1, of the outputs: shape (..., value width) for inputs (..., N, width)."""
        return np.asarray(self._rows(require_rows(inputs, row), slice(row - 1, row))[..., 0, :])

    def __call__(self, inputs: IntArray) -> IntArray:
        """All rows of the outputs, shape (..., N, value width), for inputs of shape (..., N, width)."""
        return self._rows(require_rows(inputs), slice(None))

    def _rows(self, inputs: IntArray, asked: slice) -> IntArray:
        batch = inputs.reshape(-1, *inputs.shape[-2:])
        count = len(range(batch.shape[-2])[asked])
        size = max(1, BLOCK_LOGITS // (count * batch.shape[-2] ** 2))
        blocks = []
        for start in range(0, max(1, len(batch)), size):
            part = batch[start : start + size]
            blocks.append(self.attend(self.queries(part[:, asked]), self.pair_keys(part), self.pair_values(part)))
        outputs = np.concatenate(blocks)
        return outputs.reshape(*inputs.shape[:-2], *outputs.shape[-2:])

    def _map(self, function: RowMap, rows: IntArray) -> IntArray:
        return mapped(self.precision, function, self.embed(rows))

    def _pairs(self, first: IntArray, second: IntArray) -> IntArray:
        if first.shape[-1] != second.shape[-1]:
            expected = f"as many numbers as the first of the pair has, {first.shape[-1]}"
            raise InputError("second_key, second_value", second.shape[-1], expected)
        if largest_magnitude(first) * largest_magnitude(second) >= WORD_BOUND:
            first = first.astype(object)
        products = first[..., :, None, :] * second[..., None, :, :]
        return products.reshape(*first.shape[:-2], first.shape[-2] ** 2, first.shape[-1])
