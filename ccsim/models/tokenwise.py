"""What a model does to each position alone: layers of an affine map and an activation, or any declared function."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ccsim.arithmetic import FUNCTIONS, IntArray, Precision, elementary, sum_of_products
from ccsim.errors import InputError
from ccsim.models.affine import Affine, RowMap, apply_declared
from ccsim.models.random_weights import random_matrix

FLOAT_BOUND = 1 << 53


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

    def __call__(self, values: IntArray) -> IntArray:
        """The outputs (..., outputs), in the type of the inputs (..., inputs)."""
        return self.activate(self.affine(values))

    def activate(self, result: IntArray) -> IntArray:
        """What is done after the affine map; unless the activation is the user's own, to each number alone."""
        if self.activation == "identity":
            return result
        if self.activation == "relu":
            return np.asarray(np.maximum(result, 0))
        if isinstance(self.activation, str):
            function = elementary(self.activation, self.precision, self.precision)
            return function(result.astype(np.int64)).astype(result.dtype, copy=False)
        return apply_declared(self.precision, self.activation, result, result.shape[-1])


@dataclass(frozen=True, eq=False)
class Gated:
    """A gated layer: floor(activation(x G) * (x U)), entry by entry, saturated (Shazeer 2020).

    With ``silu`` it is the first layer of SwiGLU (LLaMA, Mistral), with ``gelu_tanh`` that of GeGLU (Gemma).

    Attributes:
        gate: the dense layer whose outputs are the gates.
        up: the affine map of what they let through, of as many outputs.

    >>> precision = Precision.of(8)  # 1 is 32
    >>> gate, up = Affine.from_arrays(precision, [[1], [0]]), Affine.from_arrays(precision, [[0], [1]])
    >>> Gated(Dense(gate, "relu"), up)(np.array([[48, 64], [-48, 64]])).tolist()  # 1.5 * 2 and 0 * 2
    [[96], [0]]
    """

    gate: Dense
    up: Affine

    def __post_init__(self) -> None:
        if self.up.precision != self.precision:
            raise InputError("up", self.up.precision, f"the precision of the gates, {self.precision}")
        if (self.up.inputs, self.up.outputs) != (self.inputs, self.outputs):
            found, expected = (self.up.inputs, self.up.outputs), (self.inputs, self.outputs)
            raise InputError("up", found, f"inputs and outputs as the gates have, {expected}")

    @property
    def precision(self) -> Precision:
        """Of inputs and outputs."""
        return self.gate.precision

    @property
    def inputs(self) -> int:
        """How many numbers go in."""
        return self.gate.inputs

    @property
    def outputs(self) -> int:
        """How many numbers come out."""
        return self.gate.outputs

    @property
    def parameters(self) -> int:
        """How many weights and biases there are."""
        return self.gate.parameters + self.up.parameters

    @property
    def exact_in_floats(self) -> bool:
        """Whether float64 holds every number on the way exactly, the products included."""
        largest = max(-self.precision.low, self.precision.high)
        return self.gate.exact_in_floats and self.up.exact_in_floats and largest**2 + self.precision.scale < FLOAT_BOUND

    def __call__(self, values: IntArray) -> IntArray:
        """The outputs (..., outputs), in the type of the inputs (..., inputs)."""
        gates, numbers = self.gate(values), self.up(values)
        if gates.dtype == np.float64:
            products = np.floor(gates * numbers / self.precision.scale)
            return np.asarray(np.clip(products, float(self.precision.low), float(self.precision.high)))
        return self.precision.round_down(sum_of_products((gates, numbers)))


@dataclass(frozen=True, eq=False)
class Tokenwise:
    """An exact function of one position's vector.

    Attributes:
        precision: of inputs and outputs.
        width: how many numbers go in and come out.
        layers: dense or gated layers, one after the other; none if there is a function.
        function: any function of int64 mantissas (..., width) that treats each vector alone, as its user declares.
    """

    precision: Precision
    width: int
    layers: tuple[Dense | Gated, ...] = ()
    function: RowMap | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "layers", tuple(self.layers))
        if bool(self.layers) == (self.function is not None):
            raise InputError("layers", self.layers, "either layers or a function")
        if self.function is not None and not callable(self.function):
            raise InputError("function", self.function, "a function")
        widths = [self.width, *(layer.outputs for layer in self.layers)]
        for number, (layer, inputs) in enumerate(zip(self.layers, widths, strict=False), start=1):
            if layer.precision != self.precision:
                raise InputError("layers", layer.precision, f"layer {number} in the precision {self.precision}")
            if layer.inputs != inputs:
                raise InputError("layers", layer.inputs, f"{inputs} inputs of layer {number}")
        if self.layers and widths[-1] != self.width:
            raise InputError("layers", widths[-1], f"{self.width} outputs of the last layer")

    @classmethod
    def from_arrays(cls, precision: Precision, width: int, given: Any) -> Tokenwise | None:
        """From None (nothing is done), a function, or layers (weights, bias, activation), the last two optional.

        A layer may also be a :class:`Dense` or a :class:`Gated` that is made already.
        """
        if given is None or isinstance(given, Tokenwise):
            return given
        if callable(given):
            return cls(precision, width, function=given)
        layers = [_dense(precision, number, layer) for number, layer in enumerate(_layers(given), start=1)]
        return cls(precision, width, tuple(layers)) if layers else None

    @classmethod
    def random(
        cls,
        precision: Precision,
        width: int,
        hidden: int,
        seed: int | str,
        activation: str = "relu",
        name: str = "",
        gated: bool = False,
    ) -> Tokenwise:
        """One hidden layer, gated or dense, with weights and biases drawn from a seed."""

        def affine(place: int | str, inputs: int, outputs: int) -> Affine:
            weights = random_matrix(precision, (inputs, outputs), inputs, seed, f"{name}tokenwise/{place}/weights")
            bias = random_matrix(precision, (outputs,), inputs, seed, f"{name}tokenwise/{place}/bias")
            return Affine(precision, weights, bias)

        dense = Dense(affine(0, width, hidden), activation)
        first = Gated(dense, affine("up", width, hidden)) if gated else dense
        return cls(precision, width, (first, Dense(affine(1, hidden, width))))

    @property
    def parameters(self) -> int:
        """How many weights and biases the layers have; a declared function counts none."""
        return sum(layer.parameters for layer in self.layers)

    @property
    def exact_in_floats(self) -> bool:
        """Whether float64 holds every number on the way exactly."""
        return all(layer.exact_in_floats for layer in self.layers)

    def __call__(self, values: IntArray) -> IntArray:
        """The outputs (..., width), in the type of the inputs (..., width)."""
        if self.function is not None:
            return apply_declared(self.precision, self.function, values, self.width)
        for layer in self.layers:
            values = layer(values)
        return values


def _layers(given: Any) -> list[Any]:
    if not isinstance(given, Iterable) or isinstance(given, str | dict | np.ndarray):
        raise InputError("tokenwise", given, "None, a function, or layers (weights, bias, activation)")
    return list(given)


def _dense(precision: Precision, number: int, layer: Any) -> Dense | Gated:
    if isinstance(layer, Dense | Gated):
        return layer
    if not isinstance(layer, Sequence) or isinstance(layer, str) or not 1 <= len(layer) <= 3:
        raise InputError("tokenwise", layer, f"layer {number} as (weights, bias, activation)")
    given: list[Any] = [*layer, *(None, None, "identity")[len(layer) :]]
    weights, bias, activation = given
    return Dense(Affine.from_arrays(precision, weights, bias, f"tokenwise layer {number} weights"), activation)
