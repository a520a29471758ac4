"""Affine maps in exact finite precision, one rounding for each entry, networks of them, and random weights."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ccsim.arithmetic import (
    FUNCTIONS,
    Precision,
    elementary,
    enclosed,
    exact_matmul,
    float_product,
    floor_divide,
)
from ccsim.errors import Array, InputError, require_memory, require_shape


def random_mantissas(shape: tuple[int, ...], low: int, high: int, seed: int | str, name: str) -> Array:
    """low + word mod (high - low + 1) for little-endian 64-bit words of SHAKE-256 of ``seed/name``, row by row."""
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        raise InputError("seed", seed, "an integer or a text")
    size = math.prod(shape)
    require_memory(24 * size, f"{size} random numbers")
    words = np.frombuffer(hashlib.shake_256(f"{seed}/{name}".encode()).digest(8 * size), dtype="<u8")
    return low + (words % np.uint64(high - low + 1)).astype(np.int64).reshape(shape)


def random_matrix(precision: Precision, shape: tuple[int, ...], fan_in: int, seed: int | str, name: str) -> Array:
    """Uniform mantissas from -b to b, b / scale = sqrt(3 / fan_in): of variance about 1 / fan_in."""
    end = max(1, math.isqrt(3 * precision.scale**2 // fan_in))
    return random_mantissas(shape, max(-end, precision.low), min(end, precision.high), seed, name)


RowMap = Callable[[Array], Array]
"""A function of mantissas that treats every vector along the last axis alone."""

FLOAT_BOUND = 1 << 53  # every integer below this is a float64
WORD_BOUND = 1 << 62


def saturate(precision: Precision, values: Array) -> Array:
    if values.dtype == np.float64:
        return np.asarray(np.clip(values, float(precision.low), float(precision.high)))
    return precision.saturate(values)


def mantissa_array(precision: Precision, argument: str, values: Any, shape: tuple[int | None, ...]) -> Array:
    """Mantissas, read-only, of this shape (None: any size of at least 1); errors name the argument."""
    array = np.asarray(values)
    require_shape(argument, array, shape)
    mantissas = precision.require(array, argument).copy()
    mantissas.setflags(write=False)
    return mantissas


def quantised(precision: Precision, argument: str, values: Any, shape: tuple[int | None, ...]) -> Array:
    return mantissa_array(precision, argument, precision.quantise(values, argument), shape)


def apply_declared(precision: Precision, function: RowMap, values: Array, width: int | None = None) -> Array:
    """A user's function on int64 mantissas; what it returns is checked and comes in the type of ``values``."""
    whole = values.astype(np.int64) if values.dtype == np.float64 else values
    result = np.asarray(function(whole))
    expected = (*values.shape[:-1], result.shape[-1] if width is None and result.ndim else width)
    if result.shape != expected:
        raise InputError("function", result.shape, f"an array of shape {expected} for {values.shape}")
    return precision.require(result, "function").astype(values.dtype, copy=False)


@dataclass(frozen=True, eq=False)
class Affine:
    """x -> floor(x W) + b on mantissas, saturating: one rounding for each entry, of the exact product.

    It takes integers, or float64 arrays of whole numbers where :attr:`exact_in_floats` holds, and answers in kind.

    Attributes:
        precision: of the inputs, weights, biases and outputs.
        weights, bias: mantissas, shape (inputs, outputs) and (outputs,).

    >>> precision = Precision.of(8)  # steps of 1/32
    >>> half = Affine.from_arrays(precision, [[0.5]], [1])
    >>> half(np.array([[3], [-3]])).tolist()  # floor(1.5) + 32, floor(-1.5) + 32
    [[33], [30]]
    """

    precision: Precision
    weights: Array
    bias: Array

    def __post_init__(self) -> None:
        weights = mantissa_array(self.precision, "weights", self.weights, (None, None))
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "bias", mantissa_array(self.precision, "bias", self.bias, (weights.shape[1],)))

    @classmethod
    def from_arrays(cls, precision: Precision, weights: Any, bias: Any = None, argument: str = "weights") -> Affine:
        """From real numbers (floats, integers, Fractions), each rounded down to the precision; no bias means 0.

        Raises :class:`~ccsim.errors.InputError` for shapes that do not fit, NaN, infinity, and numbers out of range.
        """
        matrix = quantised(precision, argument, weights, (None, None))
        bias = np.zeros(matrix.shape[1]) if bias is None else bias
        return cls(precision, matrix, quantised(precision, f"{argument} bias", bias, matrix.shape[1:]))

    @classmethod
    def linear(cls, precision: Precision, weights: Array) -> Affine:
        """From a matrix of mantissas, with no bias."""
        return cls(precision, weights, np.zeros(np.shape(weights)[-1], dtype=np.int64))

    @property
    def inputs(self) -> int:
        """How many numbers go in."""
        return int(self.weights.shape[0])

    @property
    def outputs(self) -> int:
        """How many numbers come out."""
        return int(self.weights.shape[1])

    @property
    def parameters(self) -> int:
        """How many weights and biases there are."""
        return self.weights.size + self.bias.size

    @cached_property
    def bound(self) -> int:
        """No numerator, and no partial sum of one, is larger in magnitude on any input."""
        largest = max(abs(self.precision.low), abs(self.precision.high))
        column_sums = np.abs(self.weights.astype(object)).sum(axis=0)
        return int(max(column_sums)) * largest + int(np.abs(self.bias).max()) * self.precision.scale

    @property
    def exact_in_floats(self) -> bool:
        """Whether float64 holds every number on the way exactly, the quotient's floor included."""
        return self.bound + self.precision.scale < FLOAT_BOUND

    def __call__(self, values: Array) -> Array:
        if enclosed(values) is not None:
            return self._on_integers(values)
        values = np.asarray(values)
        if values.ndim == 0 or values.shape[-1] != self.inputs:
            raise InputError("values", values.shape, f"an array of shape (..., {self.inputs})")
        if values.ndim == 3 and len(values) > 1 and values.dtype != np.float64 and self.bound < WORD_BOUND:
            return self._on_words(values)
        rows = values.reshape(-1, self.inputs)
        result = self._on_floats(rows) if values.dtype == np.float64 else self._on_integers(rows)
        return result.reshape(*values.shape[:-1], self.outputs)

    def _on_words(self, rows: Array) -> Array:
        """Of rows (words, N, inputs): columns that are alike in all words are multiplied once."""
        used = np.flatnonzero(self.weights.any(axis=1))
        rows, weights = rows[..., used], self.weights[used]
        differ = (rows != rows[:1]).any(axis=(0, 1))
        alike = exact_matmul(np.where(differ, 0, rows[0]), weights)
        result = np.broadcast_to(self._rounded(alike), (*rows.shape[:-1], self.outputs))
        moved = np.flatnonzero(weights[differ].any(axis=0))
        if moved.size:
            products = exact_matmul(rows[..., differ].reshape(-1, int(differ.sum())), weights[differ][:, moved])
            result = result.copy()
            result[..., moved] = self._rounded(products.reshape(*rows.shape[:-1], -1) + alike[:, moved], moved)
        return result

    def _on_integers(self, rows: Array) -> Array:
        return self._rounded(exact_matmul(rows, self.weights))

    def _rounded(self, numerators: Array, columns: Any = slice(None)) -> Array:
        quotients = floor_divide(numerators, self.precision.scale)
        if enclosed(quotients) is None and self.bound >= WORD_BOUND:
            quotients = quotients.astype(object)
        return self.precision.saturate(quotients + self.bias[columns])

    def _on_floats(self, rows: Array) -> Array:
        """A quotient a / s of whole numbers with a + s < 2^53 rounds to an integer only if it is one: floors agree."""
        assert self.exact_in_floats
        weights, bias, divisor = self._float_parameters
        result = float_product(rows, weights)
        result += bias
        if divisor != 1:
            result /= divisor
        np.floor(result, out=result)
        return np.asarray(np.clip(result, float(self.precision.low), float(self.precision.high), out=result))

    @cached_property
    def _float_parameters(self) -> tuple[Array, Array, float]:
        """Weights, bias, divisor as floats; a scale that is a power of two goes into the weights, which is exact."""
        scale = self.precision.scale
        weights, bias = self.weights.astype(np.float64), self.bias.astype(np.float64)
        if scale & (scale - 1) == 0:
            return weights / scale, bias, 1.0
        return weights, bias * scale, float(scale)


@dataclass(frozen=True, eq=False)
class Dense:
    """An affine map, then an activation of each number.

    Attributes:
        affine: the map.
        activation: the name of a function of :data:`ccsim.arithmetic.FUNCTIONS`, rounded down exactly, or a function
            of arrays of int64 mantissas that keeps their shape.
    """

    affine: Affine
    activation: str | RowMap = "identity"

    def __post_init__(self) -> None:
        known = self.activation in FUNCTIONS if isinstance(self.activation, str) else callable(self.activation)
        if not known:
            raise InputError("activation", self.activation, f"one of {', '.join(FUNCTIONS)}, or a function")

    @property
    def precision(self) -> Precision:
        """Of inputs and outputs."""
        return self.affine.precision

    @property
    def inputs(self) -> int:
        """How many numbers go in."""
        return self.affine.inputs

    @property
    def outputs(self) -> int:
        """How many numbers come out."""
        return self.affine.outputs

    @property
    def parameters(self) -> int:
        """How many weights and biases there are."""
        return self.affine.parameters

    @property
    def exact_in_floats(self) -> bool:
        """Whether float64 holds every number on the way exactly."""
        return self.affine.exact_in_floats

    def __call__(self, values: Array) -> Array:
        return self.activate(self.affine(values))

    def activate(self, result: Array) -> Array:
        """What is done after the affine map; unless the activation is the user's own, to each number alone."""
        if self.activation == "identity":
            return result
        if self.activation == "relu":
            return np.asarray(np.maximum(result, 0))
        if isinstance(self.activation, str):
            function = elementary(self.activation, self.precision, self.precision)
            return function(result.astype(np.int64)).astype(result.dtype, copy=False)
        return apply_declared(self.precision, self.activation, result, result.shape[-1])


def require_chain(layers: Sequence[Any], precision: Precision, inputs: int) -> int:
    """How many numbers the last of some layers puts out; an error unless each fits the one before."""
    for place, layer in enumerate(layers, start=1):
        if layer.precision != precision:
            raise InputError("layers", str(layer.precision), f"layer {place} in the precision {precision}")
        if layer.inputs != inputs:
            raise InputError("layers", layer.inputs, f"{inputs} inputs of layer {place}")
        inputs = layer.outputs
    return inputs


@dataclass(frozen=True, eq=False)
class Tokenwise:
    """An exact function of one position's vector.

    Attributes:
        precision: of inputs and outputs.
        width: how many numbers go in and come out.
        layers: layers, one after the other; none if there is a function.
        function: any function of int64 mantissas (..., width) that treats each vector alone, as its user declares.
    """

    precision: Precision
    width: int
    layers: tuple[Dense, ...] = ()
    function: RowMap | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "layers", tuple(self.layers))
        if bool(self.layers) == (self.function is not None):
            raise InputError("layers", self.layers, "either layers or a function")
        if self.function is not None and not callable(self.function):
            raise InputError("function", self.function, "a function")
        outputs = require_chain(self.layers, self.precision, self.width)
        if outputs != self.width:
            raise InputError("layers", outputs, f"{self.width} outputs of the last layer")

    @classmethod
    def from_arrays(cls, precision: Precision, width: int, given: Any) -> Tokenwise | None:
        """From None, a function, or layers: (weights, bias, activation), the last two optional, or made already."""
        if given is None or isinstance(given, Tokenwise):
            return given
        if callable(given):
            return cls(precision, width, function=given)
        if not isinstance(given, Iterable) or isinstance(given, str | dict | np.ndarray):
            raise InputError("tokenwise", given, "None, a function, or layers (weights, bias, activation)")
        layers = [_dense(precision, number, layer) for number, layer in enumerate(given, start=1)]
        return cls(precision, width, tuple(layers)) if layers else None

    @classmethod
    def random(
        cls, precision: Precision, width: int, hidden: int, seed: int | str, activation: str = "relu", name: str = ""
    ) -> Tokenwise:
        """One hidden layer, with weights and biases drawn from a seed."""

        def affine(place: int, inputs: int, outputs: int) -> Affine:
            weights = random_matrix(precision, (inputs, outputs), inputs, seed, f"{name}tokenwise/{place}/weights")
            bias = random_matrix(precision, (outputs,), inputs, seed, f"{name}tokenwise/{place}/bias")
            return Affine(precision, weights, bias)

        layers = Dense(affine(0, width, hidden), activation), Dense(affine(1, hidden, width))
        return cls(precision, width, layers)

    @property
    def parameters(self) -> int:
        """How many weights and biases the layers have; a declared function counts none."""
        return sum(layer.parameters for layer in self.layers)

    @property
    def exact_in_floats(self) -> bool:
        """Whether float64 holds every number on the way exactly."""
        return all(layer.exact_in_floats for layer in self.layers)

    def __call__(self, values: Array) -> Array:
        if self.function is not None:
            return apply_declared(self.precision, self.function, values, self.width)
        for layer in self.layers:
            values = layer(values)
        return values


def _dense(precision: Precision, number: int, layer: Any) -> Dense:
    if isinstance(layer, Dense):
        return layer
    if not isinstance(layer, Sequence) or isinstance(layer, str) or not 1 <= len(layer) <= 3:
        raise InputError("tokenwise", layer, f"layer {number} as (weights, bias, activation)")
    given: list[Any] = [*layer, *(None, None, "identity")[len(layer) :]]
    weights, bias, activation = given
    return Dense(Affine.from_arrays(precision, weights, bias, f"tokenwise layer {number} weights"), activation)
