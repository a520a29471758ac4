"""Layers of recurrent models: what each has, how weights are drawn, and layers of affine maps and of mantissas."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from typing import Any, ClassVar, Self

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import IntArray, Precision, as_precision, elementary
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.affine import Affine, mantissa_array
from ccsim.models.random_weights import random_mantissas, random_matrix


@dataclass(frozen=True)
class Draft:
    """What the random weights of every kind of layer are drawn from, the same on every machine.

    Attributes:
        inputs: how many numbers come in.
        width: how many numbers the layer has, in the sense of its kind.
        precision: of the weights.
        seed: an integer or a text.
        name: of the layer among those drawn from the same seed.

    >>> Draft(2, 3, Precision.of(8), 0, "layer").mantissas("rate", (3,), -9, 0).tolist()
    [-1, -3, 0]
    """

    inputs: int
    width: int
    precision: Precision
    seed: int | str
    name: str

    def mantissas(self, part: str, shape: tuple[int, ...], low: int, high: int) -> IntArray:
        """Integers from ``low`` to ``high``, as far as the precision has them."""
        low, high = max(low, self.precision.low), min(high, self.precision.high)
        return random_mantissas(shape, low, high, self.seed, self._about(part))

    def matrix(self, part: str, shape: tuple[int, ...], fan_in: int) -> IntArray:
        """Numbers of variance about 1 / ``fan_in``."""
        return random_matrix(self.precision, shape, fan_in, self.seed, self._about(part))

    def affine(self, part: str, inputs: int, outputs: int) -> Affine:
        """Weights and biases of variance about 1 / ``inputs``; an empty part is all of the layer."""
        about = self._about(part)
        weights = random_matrix(self.precision, (inputs, outputs), inputs, self.seed, f"{about}/weights")
        bias = random_matrix(self.precision, (outputs,), inputs, self.seed, f"{about}/bias")
        return Affine(self.precision, weights, bias)

    def _about(self, part: str) -> str:
        return f"{self.name}/{part}" if part else self.name


class RecurrentLayer(ABC):
    """One layer: a state, inputs at every position, and outputs at every position.

    Every kind also has ``random(draft, **options)``, a layer with weights drawn from a
    :class:`~ccsim.models.recurrent.layer.Draft`, and ``from_arrays(precision, ...)``, a layer with given real weights.
    """

    @property
    @abstractmethod
    def precision(self) -> Precision:
        """Of inputs, weights and outputs."""

    @property
    @abstractmethod
    def inputs(self) -> int:
        """How many numbers come in."""

    @property
    @abstractmethod
    def outputs(self) -> int:
        """How many numbers go out."""

    @property
    @abstractmethod
    def state_precisions(self) -> tuple[Precision, ...]:
        """The precision of each unit of what is carried."""

    @abstractmethod
    def step(self, states: Array, inputs: Array) -> tuple[Array, Array]:
        """The states (batch, units) and outputs (batch, outputs) after ``inputs`` (batch, inputs); all mantissas."""

    def start(self) -> Array:
        """What is carried before the first symbol, shape (units,): 0, or the mantissa next to it."""
        return np.array([max(part.low, min(0, part.high)) for part in self.state_precisions], dtype=np.int64)

    def outputs_of(self, states: Array) -> Array | None:
        """The outputs (batch, outputs) where they are part of what is carried, else None."""
        return None


def apply(name: str, argument: Precision, values: Array, result: Precision | None = None) -> Array:
    """An elementary function of mantissas, rounded down exactly, from one precision to another (or the same)."""
    return elementary(name, argument, argument if result is None else result)(values)


def quantised(precision: Precision, argument: str, values: Any, shape: tuple[int | None, ...]) -> Array:
    """Real numbers of a shape (None: any size) as mantissas; errors name the argument."""
    return mantissa_array(precision, argument, precision.quantise(values, argument), shape)


def join_affine(precision: Precision, parts: dict[str, Any], biases: dict[str, Any]) -> Affine:
    """The affine map of several inputs side by side, from matrices of shape (outputs, inputs) as PyTorch keeps them.

    Biases, shape (outputs,), are added up; None stands for 0.
    """
    weights = [quantised(precision, argument, values, (None, None)) for argument, values in parts.items()]
    outputs = weights[0].shape[0]
    for argument, matrix in zip(parts, weights, strict=True):
        if matrix.shape[0] != outputs:
            raise InputError(argument, matrix.shape, f"{outputs} rows, as in {next(iter(parts))}")
    bias = np.zeros(outputs, dtype=np.int64)
    for argument, values in biases.items():
        if values is not None:
            bias = bias + quantised(precision, argument, values, (outputs,))
    bias = precision.require(bias, " + ".join(biases) or "bias")
    return Affine(precision, np.concatenate(weights, axis=1).T, bias)


def memory_of(precision: Precision, memory: int | Precision | None) -> Precision:
    """The precision in which a layer carries sums: its own, unless one with the same scale is given.

    An integer means so many bits in all, in two's complement, with the steps of ``precision``.
    """
    if memory is None:
        return precision
    if not isinstance(memory, Precision):
        fraction = precision.scale.bit_length() - 1
        if precision.scale != 1 << fraction:
            raise InputError("memory", memory, f"a Precision, as the steps of 1/{precision.scale} are not binary")
        memory = Precision.fixed_point(require_integer("memory", memory, low=fraction + 1) - fraction - 1, fraction)
    if memory.scale != precision.scale:
        raise InputError("memory", str(memory), f"a precision with steps of 1/{precision.scale}")
    return memory


def require_same(argument: str, found: int, wanted: int, what: str) -> None:
    """An :class:`~ccsim.errors.InputError` unless two sizes agree."""
    if found != wanted:
        raise InputError(argument, found, f"{wanted} {what}")


class LayerOfParts(RecurrentLayer):
    """A layer whose attributes are affine maps of one precision, arrays of mantissas, and the precision of its memory.

    Each kind says the shapes of its parts by names of sizes, of which "inputs" is one; what has one name is of one
    size. What is put out has the size "outputs", and the precision is that of the first map.
    """

    maps: ClassVar[Mapping[str, tuple[str, str]]]
    """For each affine map the names of its numbers of inputs and outputs."""

    arrays: ClassVar[Mapping[str, tuple[str | int, ...]]] = {}
    """For each array of mantissas its shape."""

    fractions: ClassVar[tuple[str, ...]] = ()
    """The arrays of numbers from 0 to 1."""

    falling: ClassVar[tuple[str, ...]] = ()
    """The arrays of numbers of at most 0."""

    def __post_init__(self) -> None:
        for name, shape in self.arrays.items():
            wanted = tuple(size if isinstance(size, int) else self.sizes.get(size) for size in shape)
            array = mantissa_array(self.precision, name, getattr(self, name), wanted)
            self.sizes.update(zip(shape, array.shape, strict=True))
            object.__setattr__(self, name, array)
        for name in self.fractions:
            numbers = getattr(self, name)
            if numbers.min() < 0 or numbers.max() > self.precision.scale:
                raise InputError(name, self.precision.floats(numbers).tolist(), "numbers from 0 to 1")
        for name in self.falling:
            numbers = getattr(self, name)
            if numbers.max() > 0:
                raise InputError(name, float(self.precision.floats(numbers).max()), "numbers of at most 0")
        memory_of(self.precision, getattr(self, "memory", None))  # simple kinds have none of its own

    @cached_property
    def sizes(self) -> dict[str | int, int]:
        """The sizes that the parts have, by name."""
        sizes: dict[str | int, int] = {}
        first = next(iter(self.maps))
        for name, ends in self.maps.items():
            part: Affine = getattr(self, name)
            if part.precision != self.precision:
                raise InputError(name, str(part.precision), f"the precision {self.precision} of {first}")
            for what, size, found in zip(("inputs", "outputs"), ends, (part.inputs, part.outputs), strict=True):
                require_same(name, found, sizes.setdefault(size, found), what)
        return sizes

    @classmethod
    def from_arrays(cls, precision: int | Precision, *given: Any, **named: Any) -> Self:
        """From real numbers for the attributes, in their order or by name, each rounded down to the precision.

        Maps are matrices of shape (outputs, inputs), as PyTorch keeps them; that of a map m may have a bias ``m_bias``
        beside it, shape (outputs,). ``memory`` may be missing, and means the precision then, or a number of bits.
        """
        numbers = as_precision(precision)
        biases = {name: {f"{name}_bias": named.pop(f"{name}_bias", None)} for name in cls.maps}
        values = signature(cls).bind_partial(*given, **named).arguments
        for name, value in values.items():
            if name in cls.maps:
                values[name] = join_affine(numbers, {name: value}, biases[name])
            elif name in cls.arrays:
                values[name] = quantised(numbers, name, value, (None,) * len(cls.arrays[name]))
        return cls(**{**values, "memory": memory_of(numbers, values.get("memory"))})

    @classmethod
    def random_maps(cls, draft: Draft, **sizes: int) -> dict[str, Affine]:
        """The affine maps, by name, with random weights."""
        return {part: draft.affine(part, sizes[inputs], sizes[outputs]) for part, (inputs, outputs) in cls.maps.items()}

    @cached_property
    def precision(self) -> Precision:
        """Of all numbers but the memory."""
        first: Affine = getattr(self, next(iter(self.maps)))
        return first.precision

    @property
    def inputs(self) -> int:
        """How many numbers come in."""
        return self.sizes["inputs"]

    @property
    def outputs(self) -> int:
        """How many numbers are put out."""
        return self.sizes["outputs"]


class HiddenStateLayer(LayerOfParts):
    """A layer that puts out h, with which its state begins; a simple one carries nothing else."""

    @property
    def state_precisions(self) -> tuple[Precision, ...]:
        """One unit for each number of h."""
        return (self.precision,) * self.outputs

    def outputs_of(self, states: Array) -> Array:
        """The part h of what is carried."""
        return states[:, : self.outputs]


class KeysAndValuesLayer(LayerOfParts):
    """A layer that carries a matrix, a row for each number of its keys and a column for each of its values.

    Row by row; then, in kinds that divide by it, a vector with a number for each row.
    """

    divides: ClassVar[bool] = False
    """Whether there is a vector."""

    keys: Affine
    values: Affine
    memory: Precision

    @classmethod
    def random(cls, draft: Draft, key_width: int | None = None, memory: int | Precision | None = None) -> Self:
        """Random weights; queries and keys have ``key_width`` numbers, values and outputs ``width``."""
        keys = draft.width if key_width is None else require_integer("key_width", key_width, low=1)
        sizes = {"inputs": draft.inputs, "keys": keys, "values": draft.width, "one": 1, "outputs": draft.width}
        parts: dict[str, Any] = cls.random_maps(draft, **sizes)
        parts |= cls.random_arrays(draft, keys) | {"memory": memory_of(draft.precision, memory)}
        return cls(**parts)

    @classmethod
    def random_arrays(cls, draft: Draft, keys: int) -> dict[str, Array]:
        """The arrays beside the maps, by name, with random numbers."""
        return {}

    @property
    def state_precisions(self) -> tuple[Precision, ...]:
        """The entries of the matrix, row by row, then those of the vector."""
        return (self.memory,) * (self.keys.outputs * (self.values.outputs + self.divides))

    def matrix_of(self, states: Array) -> tuple[Array, Array]:
        """The matrix (batch, keys, values) of what is carried, and the vector (batch, keys), which may be empty."""
        keys, values = self.keys.outputs, self.values.outputs
        return states[:, : keys * values].reshape(len(states), keys, values), states[:, keys * values :]
