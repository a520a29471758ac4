"""What a layer of a recurrent model is, and the arithmetic that all kinds share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import Precision, elementary
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.affine import Affine, mantissa_array


class RecurrentLayer(ABC):
    """One layer: a state, inputs at every position, and outputs at every position.

    Every kind also has ``random(draft, **options)``, a layer with weights drawn from a
    :class:`~ccsim.models.recurrent.draft.Draft`, and ``from_arrays(precision, ...)``, a layer with given real weights.
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
