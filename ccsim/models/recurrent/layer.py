"""Layers of recurrent models: a kind of cell as data, and a layer of any cell in fixed point."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from inspect import signature
from math import prod
from typing import Any, ClassVar, Self

import numpy as np

from ccsim.arithmetic import IntArray, Precision, as_precision, elementary
from ccsim.errors import Array, InputError, require_integer
from ccsim.models.affine import Affine, mantissa_array, quantised
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
        return random_mantissas(shape, low, high, self.seed, f"{self.name}/{part}")

    def matrix(self, part: str, shape: tuple[int, ...], fan_in: int) -> IntArray:
        """Numbers of variance about 1 / ``fan_in``."""
        return random_matrix(self.precision, shape, fan_in, self.seed, f"{self.name}/{part}")

    def affine(self, part: str, inputs: int, outputs: int) -> Affine:
        """Weights and biases of variance about 1 / ``inputs``; an empty part is all of the layer."""
        about = f"{part}/" if part else ""
        weights = self.matrix(f"{about}weights", (inputs, outputs), inputs)
        return Affine(self.precision, weights, self.matrix(f"{about}bias", (outputs,), inputs))


def apply(name: str, argument: Precision, values: Array, result: Precision | None = None) -> Array:
    """An elementary function of mantissas, rounded down exactly, from one precision to another (or the same)."""
    return elementary(name, argument, argument if result is None else result)(values)


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


class Sizes(dict[str, int]):
    """Sizes by name, from which axes are made: sums such as ``4outputs``, ``inputs+outputs`` or ``window-1``.

    Attributes:
        usual: the size of a name that is missing.

    >>> sizes = Sizes()
    >>> sizes.fit("weights", (8, 5), "4outputs inputs+outputs")
    >>> sizes, sizes.shape("inputs-1 outputs")
    ({'outputs': 2, 'inputs': 3}, (2, 2))
    """

    usual = 0

    def shape(self, axes: str) -> tuple[int, ...]:
        """The sizes of axes, which are separated by spaces."""
        return tuple(
            sum(factor * self.get(name, self.usual if name else 1) for factor, name in _terms(axis))
            for axis in axes.split()
        )

    def fit(self, argument: str, found: tuple[int, ...], axes: str) -> None:
        """Take what is missing from the shape of an array with these axes.

        Raises :class:`~ccsim.errors.InputError`, which names the argument, if there are no such sizes.
        """
        for axis, size in zip(axes.split(), found, strict=False):
            for factor, name in _terms(axis):
                if name and name not in self:
                    self[name] = (size - sum(self.shape(axis))) // factor
        if self.shape(axes) != found or min(self.values()) < 1:
            raise InputError(argument, found, f"an array of shape ({', '.join(axes.split())}), here {self}")


def _terms(axis: str) -> list[tuple[int, str]]:
    """The names in an axis with their factors; a number alone has the name ""."""
    return [(int(factor or 1), name) for factor, name in re.findall(r"(-?\d*)([a-z_]*)", axis) if factor or name]


State = tuple[Array, ...]
"""What a layer carries: arrays with an axis for the words in front."""


@dataclass(frozen=True)
class Cell:
    """A kind of recurrent layer: its arrays, what it carries, and its step.

    Attributes:
        step: from a layer, whose maps and arrays are attributes, a state and inputs (batch, inputs) to the next state
            and the outputs (batch, outputs), by exact operations, each of which may be given enclosures.
        maps: for each affine map the axes of what comes out and of what goes in, which may be several things.
        arrays: for each other array its axes.
        numbers: the axes of what is carried in the precision of the layer; the outputs themselves if they come first.
        memory: the axes of what is carried behind that in the precision of its memory, where sums are kept.
        sizes: the sizes that can be chosen where weights are random; None is the width.
        given: for a map the names of its matrices, one for each thing that goes in, where that is not its own name.
        drawn: for a map under which name its random weights are drawn, where that is not its own.
    """

    step: Callable[[Any, State, Array], tuple[State, Array]]
    maps: Mapping[str, str]
    arrays: Mapping[str, str] = field(default_factory=dict)
    numbers: tuple[str, ...] = ()
    memory: tuple[str, ...] = ()
    sizes: Mapping[str, int | None] = field(default_factory=dict)
    given: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    drawn: Mapping[str, str] = field(default_factory=dict)

    def matrices(self, name: str) -> list[tuple[str, str, str]]:
        """For each thing that goes into a map the names of its matrix and bias, and the axes of the matrix."""
        outputs, inputs = self.maps[name].split()
        named = zip(self.given.get(name, (name,)), inputs.split("+"), strict=True)
        return [(matrix, bias_of(matrix), f"{outputs} {axis}") for matrix, axis in named]

    @cached_property
    def axes(self) -> dict[str, str]:
        """The axes of all arrays that are given, by name, in this order."""
        matrices = [each for name in self.maps for each in self.matrices(name)]
        biases = {bias: axes.split()[0] for _, bias, axes in matrices}
        return {**self.arrays, **{matrix: axes for matrix, _, axes in matrices}, **biases}

    def shapes(self, sizes: Sizes) -> list[tuple[int, ...]]:
        """The shapes of what is carried for one word."""
        return [sizes.shape(axes) for axes in (*self.numbers, *self.memory)]


def bias_of(matrix: str) -> str:
    """The name of the bias that is given with a matrix: ``bias_ih`` with ``weight_ih``, ``keys_bias`` with ``keys``."""
    return matrix.replace("weight", "bias") if matrix.startswith("weight") else f"{matrix}_bias"


class RecurrentLayer:
    """A layer of a cell in fixed point: a state, inputs at every position, and outputs at every position.

    Attributes of each kind are the maps and arrays of its cell, and what else it lets one choose.
    """

    cell: ClassVar[Cell]
    sizes: Sizes
    precision: Precision

    def __post_init__(self) -> None:
        first, *_ = self.cell.maps
        precision, sizes = getattr(self, first).precision, Sizes()
        for name, axes in self.cell.maps.items():
            part = getattr(self, name)
            if part.precision != precision:
                raise InputError(name, str(part.precision), f"the precision {precision} of {first}")
            sizes.fit(name, part.weights.T.shape, axes)
        for name, axes in self.cell.arrays.items():
            vars(self)[name] = mantissa_array(precision, name, getattr(self, name), (None,) * len(axes.split()))
            sizes.fit(name, getattr(self, name).shape, axes)
        vars(self)["memory"] = memory_of(precision, getattr(self, "memory", None))
        vars(self).update(precision=precision, sizes=sizes)
        elementary(getattr(self, "activation", "identity"), precision, precision)  # an error if there is none

    @classmethod
    def options(cls) -> list[str]:
        """What can be chosen beside maps and arrays."""
        return [name for name in signature(cls).parameters if name not in {*cls.cell.maps, *cls.cell.arrays}]

    @classmethod
    def from_arrays(cls, precision: int | Precision, *given: Any, **named: Any) -> Self:
        """From real numbers, each rounded down to the precision.

        They are given by name or in this order: arrays, then matrices of shape (outputs, inputs), as PyTorch keeps
        them, then biases of shape (outputs,), which may be missing: that of m is ``m_bias``, that of ``weight_ih`` is
        ``bias_ih``; last what else can be chosen. ``memory`` may be a number of bits; it is the precision if missing.
        """
        numbers, cell, sizes = as_precision(precision), cls.cell, Sizes()
        names = [*cell.axes, *cls.options()]
        values = dict(cls.separated({**dict(zip(names[: len(given)], given, strict=True)), **named}))
        arrays = dict[str, Array]()
        for name, axes in cell.axes.items():
            value, shape = values.pop(name, None), sizes.shape(axes)
            value = np.zeros(shape) if value is None and "bias" in name else value
            arrays[name] = quantised(numbers, name, value, (None,) * len(shape))
            sizes.fit(name, arrays[name].shape, axes)
        parts: dict[str, Any] = {name: arrays[name] for name in cell.arrays}
        for name in cell.maps:
            matrices, biases, _ = zip(*cell.matrices(name), strict=True)
            bias = numbers.require(sum(arrays[each] for each in biases), " + ".join(biases))
            parts[name] = Affine(numbers, np.concatenate([arrays[each] for each in matrices], axis=1).T, bias)
        return cls(**parts, **values)

    @classmethod
    def separated(cls, arrays: Mapping[str, Any]) -> Mapping[str, Any]:
        """Given arrays, and whatever is with them, as the cell has them."""
        return arrays

    @classmethod
    def random(cls, draft: Draft, **options: Any) -> Self:
        """Random weights; ``options`` are sizes of the cell that can be chosen, and what else the layer lets choose."""
        cell, sizes = cls.cell, Sizes(inputs=draft.inputs)
        known, sizes.usual = [*cell.sizes, *cls.options()], draft.width
        for option, value in options.items():
            if option not in known:
                raise InputError(option, value, f"no such option of {cls.__name__}, but {', '.join(known) or 'none'}")
        for name, usual in cell.sizes.items():
            if (size := options.pop(name, usual)) is not None:
                sizes[name] = require_integer(name, size, low=1)
        parts: dict[str, Any] = {}
        for name, axes in cell.maps.items():
            outputs, inputs = sizes.shape(axes)
            parts[name] = draft.affine(cell.drawn.get(name, name), inputs, outputs)
        for name, axes in cell.arrays.items():
            parts[name] = cls.drawn(draft, name, sizes.shape(axes), sizes)
        return cls(**parts, **options)

    @classmethod
    def drawn(cls, draft: Draft, name: str, shape: tuple[int, ...], sizes: Sizes) -> Array:
        """Random numbers for an array of a layer of these sizes."""
        return draft.matrix(name, shape, 3)

    @property
    def inputs(self) -> int:
        """How many numbers come in."""
        return self.sizes["inputs"]

    @property
    def outputs(self) -> int:
        """How many numbers go out."""
        return self.sizes["outputs"]

    @cached_property
    def state_precisions(self) -> tuple[Precision, ...]:
        """The precision of each unit of what is carried."""
        parts = (self.precision, self.cell.numbers), (vars(self)["memory"], self.cell.memory)
        return tuple(kept for kept, axes in parts for each in axes for _ in range(prod(self.sizes.shape(each))))

    def start(self) -> Array:
        """What is carried before the first symbol, shape (units,): 0, or the mantissa next to it."""
        return np.array([max(part.low, min(0, part.high)) for part in self.state_precisions], dtype=np.int64)

    def outputs_of(self, states: Array) -> Array | None:
        """The outputs (batch, outputs) where they are part of what is carried, else None."""
        return states[:, : self.outputs] if self.cell.numbers[:1] == ("outputs",) else None

    def step(self, states: Array, inputs: Array) -> tuple[Array, Array]:
        """The states (batch, units) and outputs (batch, outputs) after ``inputs`` (batch, inputs); all mantissas."""
        shapes = self.cell.shapes(self.sizes)
        flat = np.split(states, np.cumsum([*map(prod, shapes)])[:-1], axis=1)
        state = tuple(part.reshape(len(states), *shape) for part, shape in zip(flat, shapes, strict=True))
        after, outputs = self.cell.step(self, state, inputs)
        carried = [part.reshape(len(states), prod(shape)) for part, shape in zip(after, shapes, strict=True)]
        return np.concatenate(carried, axis=1), outputs
