"""A block as a layer of a recurrent model, in fixed point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from ccsim.arithmetic import Precision, as_precision, enclosed
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.affine import mantissa_array
from ccsim.models.blocks.formula import FORMULAS, Formula, block
from ccsim.models.blocks.pieces import Parts, State
from ccsim.models.operations import FixedPoint
from ccsim.models.recurrent.layer import RecurrentLayer, memory_of

__all__ = ["BlockLayer"]

FLAG = Precision(1, 0, 1)


@dataclass(frozen=True, eq=False)
class BlockLayer(RecurrentLayer):
    """One of :data:`~ccsim.models.blocks.FORMULAS` in fixed point: every operation is rounded down once.

    Attributes:
        numbers: the precision of inputs, weights and outputs.
        parts: mantissas by name, as the formula has them, and settings: ``kind``, which formula it is; epsilons;
            perhaps ``norm`` with its bias, before it, and whether it is ``residual``; ``beside`` and ``beside_after``,
            how many numbers travel beside inputs and outputs.
        memory: the precision of sums that are carried, with the steps of all other numbers.
    """

    numbers: Precision
    parts: Parts = field(repr=False)
    memory: Precision

    def __post_init__(self) -> None:
        if self.parts.get("kind") not in FORMULAS:
            raise InputError("kind", self.parts.get("kind"), f"one of {', '.join(FORMULAS)}")
        memory_of(self.numbers, self.memory)
        object.__setattr__(self, "parts", MappingProxyType(dict(self.parts) | self._checked()))

    def _checked(self) -> dict[str, Array]:
        """The arrays of the formula, whose sizes fit together."""
        sizes: dict[str | int, int] = {}
        found = {}
        for name, shape in self.formula.arrays.items():
            if name not in self.parts:
                raise InputError(name, None, f"an array of shape {shape}")
            wanted = tuple(size if isinstance(size, int) else sizes.get(size) for size in shape)
            found[name] = mantissa_array(self.numbers, name, self.parts[name], wanted)
            sizes.update(zip(shape, found[name].shape, strict=True))
            if name in self.formula.falling and found[name].max() > 0:
                raise InputError(name, float(self.numbers.floats(found[name]).max()), "numbers of at most 0")
        return found

    @classmethod
    def from_arrays(
        cls, precision: int | Precision, parts: Mapping[str, Any], memory: int | Precision | None = None
    ) -> Self:
        """From real numbers, each rounded down to the precision; settings stay as they are."""
        numbers = as_precision(precision)
        mantissas = {
            name: numbers.quantise(part, name) if isinstance(part, np.ndarray) else part for name, part in parts.items()
        }
        return cls(numbers, mantissas, memory_of(numbers, memory))

    @property
    def formula(self) -> Formula:
        """What it computes."""
        return FORMULAS[self.parts["kind"]]

    @property
    def precision(self) -> Precision:
        """Of all numbers but the memory."""
        return self.numbers

    @property
    def inputs(self) -> int:
        """How many numbers come in, with those beside them."""
        return self.formula.size(self.parts, "inputs") + int(self.parts.get("beside", 0))

    @property
    def outputs(self) -> int:
        """How many numbers go out, with those beside them."""
        return self.formula.outputs(self.parts) + int(self.parts.get("beside_after", 0))

    @property
    def state_precisions(self) -> tuple[Precision, ...]:
        """What the formula carries, one thing after the other."""
        kinds = {"numbers": self.numbers, "memory": self.memory, "flag": FLAG}
        return tuple(kinds[kind] for shape, kind in self.formula.carries(self.parts) for _ in range(prod(shape)))

    def step(self, states: Array, inputs: Array) -> tuple[Array, Array]:
        """What is carried, and the outputs, after one more input; sets of states are refused."""
        if enclosed(states, inputs) is not None:
            raise InputError("states", "a set of states", "states one by one: blocks do not follow sets")
        arithmetic = FixedPoint(self.numbers, self.memory)
        after, outputs = block(arithmetic, self.parts, self._split(states), inputs)
        rows = [np.asarray(part).reshape(len(states), prod(np.shape(part)[1:])) for part in after]
        return np.concatenate(rows, axis=1) if rows else states, outputs

    def _split(self, states: Array) -> State:
        parts, first = [], 0
        for shape, _ in self.formula.carries(self.parts):
            parts.append(states[:, first : first + prod(shape)].reshape(len(states), *shape))
            first += prod(shape)
        return tuple(parts)
