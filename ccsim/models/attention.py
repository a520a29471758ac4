"""Attention units in exact finite precision: softmax(Q(X) K(X)^T) V(X), for every row of X.

The unit of Sanford, Hsu and Telgarsky 2023, with the arithmetic of Bhattamishra, Hahn, Blunsom and Kanade 2024
(appendix B.2): the maximum is taken off, exponentials and weights are rounded down, sums are exact. Its pieces are
public, because a protocol computes them apart: logits, exponentials, their sum, weights, the sum of the values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from ccsim.arithmetic import IntArray, Precision, as_precision, exact_matmul, floor_divide, largest_magnitude
from ccsim.errors import InputError
from ccsim.models.affine import Affine, RowMap, apply_declared
from ccsim.models.random_weights import random_matrix
from ccsim.models.weighting import Softmax, Weighting

BLOCK_LOGITS = 1 << 20  # how many logits are held at once
WORD_BOUND = 1 << 63


def row_map(precision: Precision, argument: str, given: Any) -> RowMap:
    """A matrix of real numbers as an affine map; an affine map of this precision, or any other callable, as it is."""
    if isinstance(given, Affine):
        if given.precision != precision:
            raise InputError(argument, given.precision, f"the precision of the rest, {precision}")
        return given
    if callable(given):
        return given  # type: ignore[no-any-return]
    return Affine.from_arrays(precision, given, argument=argument)


def mapped(precision: Precision, function: RowMap, vectors: IntArray) -> IntArray:
    """What an affine map, or a declared function, makes of each vector."""
    return function(vectors) if isinstance(function, Affine) else apply_declared(precision, function, vectors)


def require_rows(inputs: IntArray, row: int = 1) -> IntArray:
    """Inputs (..., N, width) that have this row, counted from 1."""
    inputs = np.asarray(inputs)
    if inputs.ndim < 2 or inputs.shape[-2] < 1:
        raise InputError("inputs", inputs.shape, "an array of shape (..., N, width) with N at least 1")
    if not 1 <= row <= inputs.shape[-2]:
        raise InputError("row", row, f"a row of inputs of shape {inputs.shape}, counted from 1")
    return inputs


@dataclass(frozen=True, eq=False)
class AttentionUnit:
    """One head: row i of f(X) is the sum over j of softmax(<Q(x_i), K(x_j)>)_j V(x_j), rounded down once.

    Rows are vectors of mantissas. Queries, keys and values are rounded by their maps; a logit is
    floor(<q, k> * logit_scale / scale), saturated.

    Attributes:
        precision: of everything.
        query, key, value: what turns a row into its query, key, value: an affine map, or any function of int64
            mantissas that treats every vector along the last axis alone.
        input_map: what is done to each raw row first, or None; it sees one row alone, so if it is to know the row's
            place, the place has to be part of the row.
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
            if not callable(getattr(self, argument)):
                raise InputError(argument, getattr(self, argument), "an affine map or a function")
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
        precision = as_precision(precision)
        return cls(
            precision,
            query=row_map(precision, "query", query),
            key=row_map(precision, "key", key),
            value=row_map(precision, "value", value),
            input_map=input_map,
            logit_scale=positive_rational("logit_scale", logit_scale),
            weighting=weighting or Softmax(precision),
        )

    @classmethod
    def random(
        cls, *, inputs: int, key_width: int, value_width: int, precision: int | Precision, seed: int | str
    ) -> AttentionUnit:
        """Matrices drawn from a seed, the same on every machine."""
        precision = as_precision(precision)

        def linear(name: str, width: int) -> Affine:
            return Affine.linear(precision, random_matrix(precision, (inputs, width), inputs, seed, name))

        return cls(precision, linear("query", key_width), linear("key", key_width), linear("value", value_width))

    # The pieces. Each acts on the last axes and broadcasts over those before.

    def embed(self, rows: IntArray) -> IntArray:
        """Raw rows (..., raw width) as vectors of mantissas (..., row width)."""
        rows = np.asarray(rows)
        if self.input_map is None:
            return self.precision.require(rows, "rows")
        return self.precision.require(self.input_map(rows), "input_map(rows)")

    def queries(self, rows: IntArray) -> IntArray:
        """The query of each row."""
        return mapped(self.precision, self.query, self.embed(rows))

    def keys(self, rows: IntArray) -> IntArray:
        """The key of each row."""
        return mapped(self.precision, self.key, self.embed(rows))

    def values_from(self, rows: IntArray) -> IntArray:
        """The value of each row."""
        return mapped(self.precision, self.value, self.embed(rows))

    def logits(self, queries: IntArray, keys: IntArray) -> IntArray:
        """The logits (..., R, N) of queries (..., R, key width) against keys (..., N, key width)."""
        products = exact_matmul(queries, np.swapaxes(keys, -1, -2))
        factor = self.logit_scale.numerator
        if largest_magnitude(products) * factor >= WORD_BOUND:
            products = products.astype(object)
        numerators = products * factor if factor != 1 else products
        return self.precision.saturate(floor_divide(numerators, self.precision.scale * self.logit_scale.denominator))

    def logits_from(self, query_row: IntArray, rows: IntArray) -> IntArray:
        """The logits (..., N) that raw rows (..., N, width) have under the query of one raw row (..., width)."""
        queries = self.queries(np.asarray(query_row)[..., None, :])
        return np.asarray(self.logits(queries, self.keys(rows))[..., 0, :])

    def row_logits(self, inputs: IntArray, row: int) -> IntArray:
        """All logits (..., N) of one row, counted from 1, of whole inputs (..., N, width)."""
        inputs = require_rows(inputs, row)
        return self.logits_from(inputs[..., row - 1, :], inputs)

    def exponentials(self, differences: IntArray) -> IntArray:
        """Mantissas from 0 to the scale, for logits less the maximum of their whole row."""
        return self.weighting.exponentials(differences)

    def weights(self, exponentials: IntArray, normalisers: IntArray) -> IntArray:
        """floor(e * scale / Z), for exponentials e and their sum Z over the whole row; the axes broadcast."""
        return self.weighting.weights(exponentials, normalisers)

    def head_sums(self, weights: IntArray, values: IntArray) -> IntArray:
        """The exact sums (..., value width) of weights (..., N) times values (..., N, value width), over scale^2."""
        return np.asarray(exact_matmul(weights[..., None, :], values)[..., 0, :])

    def finish(self, head_sum: IntArray) -> IntArray:
        """The output row: the whole sum of weights times values, over scale^2, rounded down to the precision."""
        return self.precision.round_down(head_sum)

    # The whole.

    def output_row(self, inputs: IntArray, row: int) -> IntArray:
        """Row ``row``, counted from 1, of the outputs: shape (..., value width) for inputs (..., N, width)."""
        weights = self.weighting.row(self.row_logits(inputs, row))
        return self.finish(self.head_sums(weights, self.values_from(inputs)))

    def attend(self, queries: IntArray, keys: IntArray, values: IntArray, allowed: IntArray | None = None) -> IntArray:
        """The outputs (..., R, value width) of queries of the last R positions, and of all keys and values.

        ``allowed`` is a mask (R, N) or None.
        """
        weights = self.weighting.row(self.logits(queries, keys), allowed)
        return self.finish(exact_matmul(weights, values))

    def __call__(self, inputs: IntArray) -> IntArray:
        """All rows of the outputs, shape (..., N, value width), for inputs of shape (..., N, width)."""
        inputs = require_rows(inputs)
        batch = inputs.reshape(-1, *inputs.shape[-2:])
        size = max(1, BLOCK_LOGITS // batch.shape[-2] ** 2)
        blocks = [self._block(batch[start : start + size]) for start in range(0, max(1, len(batch)), size)]
        outputs = np.concatenate(blocks)
        return outputs.reshape(*inputs.shape[:-1], outputs.shape[-1])

    def _block(self, inputs: IntArray) -> IntArray:
        return self.attend(self.queries(inputs), self.keys(inputs), self.values_from(inputs))


@dataclass(frozen=True, eq=False)
class MultiHeadAttention:
    """Several units on the same rows: their outputs side by side or added up, then an output map.

    Attributes:
        units: one or more heads of one precision.
        output: what is done to each combined row, or None: an affine map or a function.
        combine: "concatenate" the outputs of the heads, or "sum" them up, saturating.
    """

    units: tuple[AttentionUnit, ...]
    output: RowMap | None = None
    combine: Literal["concatenate", "sum"] = "concatenate"

    def __post_init__(self) -> None:
        object.__setattr__(self, "units", tuple(self.units))
        if not self.units:
            raise InputError("units", self.units, "one or more attention units")
        for unit in self.units:
            if unit.precision != self.precision:
                raise InputError("units", unit.precision, f"one precision for all heads, {self.precision}")
        if self.combine not in ("concatenate", "sum"):
            raise InputError("combine", self.combine, "'concatenate' or 'sum'")
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

    def finish(self, outputs: list[IntArray]) -> IntArray:
        """The combined rows, after the output map, from the output rows (..., value width) of each head."""
        if self.combine == "sum":
            combined = self.precision.saturate(np.sum(outputs, axis=0))
        else:
            combined = np.concatenate(outputs, axis=-1)
        return combined if self.output is None else mapped(self.precision, self.output, combined)

    def output_row(self, inputs: IntArray, row: int) -> IntArray:
        """Row ``row``, counted from 1, of the outputs, for inputs (..., N, width)."""
        return self.finish([unit.output_row(inputs, row) for unit in self.units])

    def __call__(self, inputs: IntArray) -> IntArray:
        """All rows of the outputs, for inputs of shape (..., N, width)."""
        return self.finish([unit(inputs) for unit in self.units])


def positive_rational(argument: str, value: Any) -> Fraction:
    """An exact number above 0, or an :class:`~ccsim.errors.InputError`."""
    try:
        number = Fraction(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(argument, value, "a positive rational number") from error
    if number <= 0:
        raise InputError(argument, value, "a positive rational number")
    return number
