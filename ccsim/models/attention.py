"""Attention softmax(Q(X) K(X)^T) V(X) in exact finite precision: weights, units, heads, and tensors.

The unit of Sanford, Hsu and Telgarsky 2023, with the arithmetic of Bhattamishra, Hahn, Blunsom and Kanade 2024
(appendix B.2). Its pieces are public, because a protocol computes them one by one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np

from ccsim.arithmetic import Precision, as_precision, exact_matmul, exponential, floor_divide, largest_magnitude
from ccsim.errors import Array, InputError
from ccsim.models.affine import FLOAT_BOUND, Affine, RowMap, apply_declared, random_matrix

WORD_BOUND = 1 << 63


class Weighting(ABC):
    """From logits to weights (mantissas, at most 1 in sum): shares of a sum that several parties can add up."""

    precision: Precision

    @abstractmethod
    def exponentials(self, differences: Array) -> Array:
        """For logits less their row's maximum (at most 0): mantissas from 0 to the scale, the scale for 0."""

    def weights(self, exponentials: Array, normalisers: Array) -> Array:
        """floor(e * scale / Z) for exponentials e and their sum Z over the whole row; the axes broadcast."""
        return shares(exponentials, normalisers, self.precision.scale)

    def row(self, logits: Array, allowed: Array | None = None) -> Array:
        """The weights of rows; only ``allowed`` places (all, if None), at least one in each row, get any."""
        if allowed is None:
            exponentials = self.exponentials(logits - logits.max(axis=-1, keepdims=True))
        else:
            most = np.where(allowed, logits, self.precision.low).max(axis=-1, keepdims=True)
            exponentials = self.exponentials(np.minimum(logits - most, 0)) * allowed
        return self.weights(exponentials, exponentials.sum(axis=-1, keepdims=True))


def shares(exponentials: Array, normalisers: Array, scale: int) -> Array:
    exponentials, normalisers = np.asarray(exponentials), np.asarray(normalisers)
    if normalisers.size and int(normalisers.min()) < 1:
        raise InputError("normalisers", int(normalisers.min()), "positive integers")
    largest = int(exponentials.max()) * scale if exponentials.size else 0
    if largest + (int(normalisers.max()) if normalisers.size else 0) < FLOAT_BOUND:
        # The quotient of whole numbers a / b with a + b < 2^53 rounds to an integer only if it is one.
        return np.floor(exponentials * np.float64(scale) / normalisers).astype(np.int64)
    wide = exponentials if largest < WORD_BOUND else exponentials.astype(object)
    return np.asarray(floor_divide(wide * scale, normalisers).astype(np.int64))


@dataclass(frozen=True)
class Softmax(Weighting):
    """exp(A_i - max A), rounded down, over the exact sum of them all, rounded down.

    With s steps to 1: e_i = floor(s exp((A_i - max A) / s)), Z = sum e_i, weight_i = floor(s e_i / Z). Z is exact and
    so does not depend on the order (Bhattamishra, Hahn, Blunsom and Kanade 2024, appendix B.2).

    Args:
        precision: of its arithmetic, a :class:`~ccsim.arithmetic.Precision`.

    >>> rule = Softmax(Precision.of(8))  # steps of 1/32
    >>> rule.row(np.array([[0, -32, 0]])).tolist()  # exponentials 32, 11, 32
    [[13, 4, 13]]
    """

    precision: Precision

    def exponentials(self, differences: Array) -> Array:
        return exponential(self.precision)(differences)


@dataclass(frozen=True)
class HardMaximum(Weighting):
    """All weight to the largest logit: shared by equal ones and rounded down, or to the first or last of them.

    Args:
        precision: of its arithmetic, a :class:`~ccsim.arithmetic.Precision`.
        ties: ``average``, ``first`` or ``last``, where logits are equal.

    >>> logits = np.array([[5, 7, 7]])
    >>> [HardMaximum(Precision.of(8), ties).row(logits).tolist() for ties in ("average", "first", "last")]
    [[[0, 16, 16]], [[0, 32, 0]], [[0, 0, 32]]]
    """

    precision: Precision
    ties: Literal["average", "first", "last"] = "average"

    def __post_init__(self) -> None:
        if self.ties not in ("average", "first", "last"):
            raise InputError("ties", self.ties, "'average', 'first' or 'last'")

    def exponentials(self, differences: Array) -> Array:
        """The scale where the difference is 0, else 0; only for averaged ties, which do not depend on places."""
        if self.ties != "average":
            raise InputError("ties", self.ties, "'average', where a row is summed up from several parts")
        return np.asarray((np.asarray(differences) == 0) * self.precision.scale)

    def row(self, logits: Array, allowed: Array | None = None) -> Array:
        if self.ties == "average":
            return super().row(logits, allowed)
        masked = logits if allowed is None else np.where(allowed, logits, self.precision.low - 1)
        size = masked.shape[-1]
        place = masked.argmax(axis=-1) if self.ties == "first" else size - 1 - masked[..., ::-1].argmax(axis=-1)
        return np.asarray((np.arange(size) == place[..., None]) * self.precision.scale)


BLOCK_LOGITS = 1 << 20  # how many logits are held at once


def row_map(precision: Precision, argument: str, given: Any) -> RowMap:
    """A matrix of real numbers as an affine map; an affine map of this precision, or any other callable, as it is."""
    if isinstance(given, Affine):
        if given.precision != precision:
            raise InputError(argument, given.precision, f"the precision of the rest, {precision}")
        return given
    if callable(given):
        return given  # type: ignore[no-any-return]
    return Affine.from_arrays(precision, given, argument=argument)


def mapped(precision: Precision, function: RowMap, vectors: Array) -> Array:
    return function(vectors) if isinstance(function, Affine) else apply_declared(precision, function, vectors)


def require_rows(inputs: Array, row: int = 1) -> Array:
    inputs = np.asarray(inputs)
    if inputs.ndim < 2 or inputs.shape[-2] < 1:
        raise InputError("inputs", inputs.shape, "an array of shape (..., N, width) with N at least 1")
    if not 1 <= row <= inputs.shape[-2]:
        raise InputError("row", row, f"a row of inputs of shape {inputs.shape}, counted from 1")
    return inputs


class _OnRows:
    precision: Precision
    query: RowMap
    input_map: RowMap | None

    def embed(self, rows: Array) -> Array:
        """Raw rows (..., raw width) as vectors of mantissas (..., row width)."""
        rows = np.asarray(rows)
        return self.precision.require(rows if self.input_map is None else self.input_map(rows), "rows")

    def queries(self, rows: Array) -> Array:
        """The query of each row."""
        return self._map(self.query, rows)

    def _map(self, function: RowMap, rows: Array) -> Array:
        return mapped(self.precision, function, self.embed(rows))


@dataclass(frozen=True, eq=False)
class AttentionUnit(_OnRows):
    """One head: row i of f(X) is the sum over j of softmax(<Q(x_i), K(x_j)>)_j V(x_j), rounded down once.

    Rows are vectors of mantissas. Queries, keys and values are rounded by their maps; a logit is
    floor(<q, k> * logit_scale / scale), saturated.

    Attributes:
        precision: of everything.
        query, key, value: an affine map of a row, or any function of int64 mantissas (..., row width) that treats each
            row alone.
        input_map: what is done to each raw row alone first, or None; a place that it is to know is part of the row.
        logit_scale: a factor of the logits, exact.
        weighting: how logits become weights; softmax if None is given.

    >>> unit = AttentionUnit.from_arrays(precision=8, query=[[0]], key=[[0]], value=[[1]])
    >>> unit(np.array([[[32], [0], [-32]]])).tolist()  # uniform weights of floor(32 / 3) = 10
    [[[0], [0], [0]]]
    """

    precision: Precision
    query: RowMap
    key: RowMap
    value: RowMap
    input_map: RowMap | None = None
    logit_scale: Fraction = Fraction(1)
    weighting: Weighting = field(default=None)  # type: ignore[assignment]

    def __post_init__(self) -> None:
        object.__setattr__(self, "weighting", self.weighting or Softmax(self.precision))
        if getattr(self.weighting, "precision", None) != self.precision:
            raise InputError("weighting", self.weighting, f"a rule of {self.precision}")
        for argument in ("query", "key", "value"):
            object.__setattr__(self, argument, row_map(self.precision, argument, getattr(self, argument)))
        object.__setattr__(self, "logit_scale", positive_rational("logit_scale", self.logit_scale))
        if isinstance(self.query, Affine) and isinstance(self.key, Affine) and self.query.outputs != self.key.outputs:
            raise InputError("key", self.key.outputs, f"the width of the queries, {self.query.outputs}")

    @classmethod
    def from_arrays(
        cls,
        *,
        precision: int | Precision,
        query: Any,
        key: Any,
        value: Any,
        input_map: RowMap | None = None,
        logit_scale: Fraction | int = 1,
        weighting: Weighting | None = None,
    ) -> AttentionUnit:
        """From matrices of real numbers, shape (row width, key or value width), rounded down; or from functions."""
        return cls(as_precision(precision), query, key, value, input_map, logit_scale, weighting)  # type: ignore[arg-type]

    @classmethod
    def random(
        cls, *, inputs: int, key_width: int, value_width: int, precision: int | Precision, seed: int | str
    ) -> AttentionUnit:
        """Matrices drawn from a seed, the same on every machine."""
        precision = as_precision(precision)

        def linear(name: str, width: int) -> Affine:
            return Affine.linear(precision, random_matrix(precision, (inputs, width), inputs, seed, name))

        return cls(precision, linear("query", key_width), linear("key", key_width), linear("value", value_width))

    def keys(self, rows: Array) -> Array:
        """The key of each row."""
        return self._map(self.key, rows)

    def values_from(self, rows: Array) -> Array:
        """The value of each row."""
        return self._map(self.value, rows)

    def logits(self, queries: Array, keys: Array) -> Array:
        """The logits (..., R, N) of queries (..., R, key width) against keys (..., N, key width)."""
        products = exact_matmul(queries, np.swapaxes(keys, -1, -2))
        factor = self.logit_scale.numerator
        if largest_magnitude(products) * factor >= WORD_BOUND:
            products = products.astype(object)
        numerators = products * factor if factor != 1 else products
        return self.precision.saturate(floor_divide(numerators, self.precision.scale * self.logit_scale.denominator))

    def logits_from(self, query_row: Array, rows: Array) -> Array:
        """The logits (..., N) that raw rows (..., N, width) have under the query of one raw row (..., width)."""
        queries = self.queries(np.asarray(query_row)[..., None, :])
        return np.asarray(self.logits(queries, self.keys(rows))[..., 0, :])

    def row_logits(self, inputs: Array, row: int) -> Array:
        """All logits (..., N) of one row, counted from 1, of whole inputs (..., N, width)."""
        inputs = require_rows(inputs, row)
        return self.logits_from(inputs[..., row - 1, :], inputs)

    def exponentials(self, differences: Array) -> Array:
        """For logits less the maximum of their whole row: mantissas from 0 to the scale."""
        return self.weighting.exponentials(differences)

    def weights(self, exponentials: Array, normalisers: Array) -> Array:
        """floor(e * scale / Z), for exponentials e and their sum Z over the whole row; the axes broadcast."""
        return self.weighting.weights(exponentials, normalisers)

    def head_sums(self, weights: Array, values: Array) -> Array:
        """The exact sums (..., value width) of weights (..., N) times values (..., N, value width), over scale^2."""
        return np.asarray(exact_matmul(weights[..., None, :], values)[..., 0, :])

    def finish(self, head_sum: Array) -> Array:
        """The output row: the whole sum of weights times values, over scale^2, rounded down to the precision."""
        return self.precision.round_down(head_sum)

    def output_row(self, inputs: Array, row: int) -> Array:
        """Row ``row``, from 1, of the outputs: shape (..., value width) for inputs (..., N, width)."""
        weights = self.weighting.row(self.row_logits(inputs, row))
        return self.finish(self.head_sums(weights, self.values_from(inputs)))

    def attend(self, queries: Array, keys: Array, values: Array, allowed: Array | None = None) -> Array:
        """The outputs (words, R, value width) of queries of R positions, and of all keys and values (words, N, width).

        ``allowed`` is a mask (R, N) or None. Weights that are the same for all words are worked out once.
        """
        count, length, width = values.shape
        if count > 1 and not (queries != queries[:1]).any() and not (keys != keys[:1]).any():
            weights = self.weighting.row(self.logits(queries[0], keys[0]), allowed)
            sums = exact_matmul(weights, np.moveaxis(values, 0, 1).reshape(length, count * width))
            return self.finish(np.moveaxis(sums.reshape(-1, count, width), 1, 0))
        size, outputs = max(1, BLOCK_LOGITS // (queries.shape[1] * length)), []
        for start in range(0, max(1, count), size):
            part = slice(start, start + size)
            weights = self.weighting.row(self.logits(queries[part], keys[part]), allowed)
            outputs.append(self.finish(exact_matmul(weights, values[part])))
        return np.concatenate(outputs)

    def __call__(self, inputs: Array) -> Array:
        """All rows (..., N, value width) of the outputs for inputs (..., N, width)."""
        inputs = require_rows(inputs)
        rows = inputs.reshape(-1, *inputs.shape[-2:])
        outputs = self.attend(self.queries(rows), self.keys(rows), self.values_from(rows))
        return outputs.reshape(*inputs.shape[:-1], outputs.shape[-1])


@dataclass(frozen=True, eq=False)
class MultiHeadAttention:
    """Several units on the same rows: their outputs side by side, then an output map.

    Attributes:
        units: one or more heads of one precision.
        output: what is done to each combined row, or None: an affine map or a function.
    """

    units: tuple[AttentionUnit, ...]
    output: RowMap | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "units", tuple(self.units))
        if not self.units:
            raise InputError("units", self.units, "one or more attention units")
        for unit in self.units:
            if unit.precision != self.precision:
                raise InputError("units", unit.precision, f"one precision for all heads, {self.precision}")
        if isinstance(self.output, Affine) and self.output.precision != self.precision:
            raise InputError("output", self.output.precision, f"the precision of the heads, {self.precision}")

    @property
    def precision(self) -> Precision:
        """The precision of every head."""
        return self.units[0].precision

    @property
    def heads(self) -> int:
        """How many units there are."""
        return len(self.units)

    def finish(self, outputs: list[Array]) -> Array:
        """The combined rows, after the output map, from the output rows (..., value width) of each head."""
        combined = np.concatenate(outputs, axis=-1)
        return combined if self.output is None else mapped(self.precision, self.output, combined)

    def output_row(self, inputs: Array, row: int) -> Array:
        """Row ``row``, counted from 1, of the outputs, for inputs (..., N, width)."""
        return self.finish([unit.output_row(inputs, row) for unit in self.units])

    def __call__(self, inputs: Array) -> Array:
        return self.finish([unit(inputs) for unit in self.units])


def positive_rational(argument: str, value: Any) -> Fraction:
    try:
        number = Fraction(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(argument, value, "a positive rational number") from error
    if number <= 0:
        raise InputError(argument, value, "a positive rational number")
    return number


@dataclass(frozen=True, eq=False)
class TensorAttention(_OnRows):
    """Row i is the sum over pairs (j, k) of softmax(A_i)_jk times the products of the values of j and k.

    The logit is A_ijk = factor * sum over r of Q(x_i)_r K(x_j)_r L(x_k)_r, and coordinate r of the value is
    V(x_j)_r W(x_k)_r (third-order tensor attention of Sanford, Hsu and Telgarsky 2023). Sums of products are exact; the
    difference to the largest logit, exponentials, weights and the output are each rounded down once.

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

    def pair_keys(self, rows: Array) -> Array:
        """The products of first and second keys (..., N * N, key width), exact, over scale^2; pairs row by row."""
        return self._pairs(self._map(self.first_key, rows), self._map(self.second_key, rows))

    def pair_values(self, rows: Array) -> Array:
        """The products of first and second values (..., N * N, value width), exact, over scale^2."""
        return self._pairs(self._map(self.first_value, rows), self._map(self.second_value, rows))

    def exact_logits(self, queries: Array, pair_keys: Array) -> Array:
        """The logits (..., R, N * N) without their factor, exact, over scale^3."""
        return exact_matmul(queries, np.swapaxes(pair_keys, -1, -2))

    def differences(self, logits: Array, largest: Array) -> Array:
        """Logits less the largest of their row, times the factor, rounded down to mantissas of at most 0."""
        factor, below = self.logit_factor.numerator, self.logit_factor.denominator * self.precision.scale**2
        gaps = logits - largest
        if largest_magnitude(gaps) * factor >= WORD_BOUND or below >= WORD_BOUND:
            gaps = gaps.astype(object)
        # What saturates has the exponential 0 in any case.
        return np.maximum(floor_divide(gaps * factor, below), -(1 << 62)).astype(np.int64)

    def attend(self, queries: Array, pair_keys: Array, pair_values: Array) -> Array:
        """The outputs (..., R, value width) of given queries, pair keys and pair values."""
        logits = self.exact_logits(queries, pair_keys)
        exponentials = self.weighting.exponentials(self.differences(logits, logits.max(axis=-1, keepdims=True)))
        weights = self.weighting.weights(exponentials, exponentials.sum(axis=-1, keepdims=True))
        return self.precision.round_down(exact_matmul(weights, pair_values), self.precision.scale**2)

    def output_row(self, inputs: Array, row: int) -> Array:
        """Row ``row``, counted from 1, of the outputs: shape (..., value width) for inputs (..., N, width)."""
        return np.asarray(self._rows(require_rows(inputs, row), slice(row - 1, row))[..., 0, :])

    def __call__(self, inputs: Array) -> Array:
        """All rows (..., N, value width) of the outputs for inputs (..., N, width)."""
        return self._rows(require_rows(inputs), slice(None))

    def _rows(self, inputs: Array, asked: slice) -> Array:
        batch = inputs.reshape(-1, *inputs.shape[-2:])
        count = len(range(batch.shape[-2])[asked])
        size = max(1, BLOCK_LOGITS // (count * batch.shape[-2] ** 2))
        blocks = []
        for start in range(0, max(1, len(batch)), size):
            part = batch[start : start + size]
            blocks.append(self.attend(self.queries(part[:, asked]), self.pair_keys(part), self.pair_values(part)))
        outputs = np.concatenate(blocks)
        return outputs.reshape(*inputs.shape[:-2], *outputs.shape[-2:])

    def _pairs(self, first: Array, second: Array) -> Array:
        if first.shape[-1] != second.shape[-1]:
            expected = f"as many numbers as the first of the pair has, {first.shape[-1]}"
            raise InputError("second_key, second_value", second.shape[-1], expected)
        if largest_magnitude(first) * largest_magnitude(second) >= WORD_BOUND:
            first = first.astype(object)
        products = first[..., :, None, :] * second[..., None, :, :]
        return products.reshape(*first.shape[:-2], first.shape[-2] ** 2, first.shape[-1])
