"""Layers that are made of affine maps and arrays of mantissas, whose sizes fit together."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from inspect import signature
from typing import Any, ClassVar, Self

from ccsim.arguments import require_integer
from ccsim.arithmetic import Precision, as_precision
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.affine import Affine, mantissa_array
from ccsim.models.recurrent.draft import Draft
from ccsim.models.recurrent.layer import RecurrentLayer, join_affine, memory_of, quantised, require_same


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
