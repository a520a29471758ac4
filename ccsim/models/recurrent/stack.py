"""Recurrent models in layers, and those given by a table of transitions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ccsim.arithmetic import Precision, as_precision
from ccsim.errors import Array, InputError, require_integer, require_symbols
from ccsim.models.affine import Affine, mantissa_array, quantised, require_chain
from ccsim.models.random_weights import random_mantissas, random_matrix
from ccsim.models.recurrent.base import RecurrentModel
from ccsim.models.recurrent.layer import Draft, RecurrentLayer
from ccsim.plain_data import counted


@dataclass(frozen=True, eq=False)
class RecurrentStack(RecurrentModel):
    """An embedding, recurrent layers one after the other, and the answer of the largest read-out (the first of these).

    All numbers are mantissas of one precision; every layer says how it rounds. What every layer carries counts.

    Attributes:
        alphabet: the symbols.
        answers: every possible answer.
        precision: of embedding, weights and outputs.
        embedding: mantissas, a row for each symbol, shape (symbols, inputs of the first layer).
        layers: the layers, from the first to the last.
        scores: the affine map from the last outputs to a number for each answer.
        residual: whether the inputs of each layer are added to its outputs, saturating.
        name: what it is called.
    """

    layer_kind: ClassVar[Any] = RecurrentLayer

    alphabet: tuple[Hashable, ...]
    answers: tuple[Hashable, ...]
    precision: Precision
    embedding: Array = field(repr=False)
    layers: tuple[RecurrentLayer, ...] = field(repr=False)
    scores: Affine = field(repr=False)
    residual: bool = False
    name: str = ""
    length: int | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._require_symbols()
        object.__setattr__(self, "layers", tuple(self.layers))
        shape = (len(self.alphabet), None)
        object.__setattr__(self, "embedding", mantissa_array(self.precision, "embedding", self.embedding, shape))
        if not isinstance(self.residual, bool):
            raise InputError("residual", self.residual, "True or False")
        if not self.layers:
            raise InputError("layers", self.layers, "one layer or more")
        for place, layer in enumerate(self.layers, start=1):
            if not isinstance(layer, self.layer_kind):
                raise InputError("layers", layer, f"layer {place} to be a {self.layer_kind.__name__}")
        outputs = require_chain(self.layers, self.precision, self.embedding.shape[1])
        if self.residual and any(layer.outputs != layer.inputs for layer in self.layers):
            raise InputError("layers", outputs, "as many outputs of each layer as inputs, to be added to its inputs")
        if self.scores.inputs != outputs:
            raise InputError("scores", self.scores.inputs, f"{outputs} inputs, as the last layer has outputs")
        if self.scores.precision != self.precision or self.scores.outputs != len(self.answers):
            expected = f"a map to {len(self.answers)} answers in the precision {self.precision}"
            raise InputError("scores", (self.scores.outputs, str(self.scores.precision)), expected)
        sizes = ((len(self.layers), "layer"), (self.units, "unit"), (self.state_bits, "bit of state"))
        usual = f"{type(self).__name__}({', '.join(counted(size, noun) for size, noun in sizes)})"
        object.__setattr__(self, "name", self.name or usual)

    @classmethod
    def random(
        cls,
        alphabet: Iterable[Hashable],
        *,
        width: int,
        layers: int = 1,
        precision: int | Precision,
        seed: int | str,
        answers: Iterable[Hashable] = (0, 1),
        residual: bool = False,
        **options: Any,
    ) -> Any:
        """Random weights, embedding and read-out from a seed, the same on every machine.

        ``width`` is that of every layer and of the embedding; ``options`` go to the layers.
        """
        if cls is RecurrentStack:
            raise InputError("class", cls.__name__, "a kind of recurrent model, such as Elman or LSTM")
        symbols, labels = require_symbols("alphabet", alphabet), require_symbols("answers", answers)
        numbers = as_precision(precision)
        width = require_integer("width", width, low=1)
        stack = [
            cls.layer_kind.random(Draft(width, width, numbers, seed, f"layer/{place}"), **options)
            for place in range(require_integer("layers", layers, low=1))
        ]
        low, high = max(-numbers.scale, numbers.low), min(numbers.scale, numbers.high)
        embedding = random_mantissas((len(symbols), width), low, high, seed, "embedding")
        inputs = stack[-1].outputs
        weights = random_matrix(numbers, (inputs, len(labels)), inputs, seed, "scores")
        scores = Affine(numbers, weights, np.zeros(len(labels), dtype=np.int64))
        return cls(symbols, labels, numbers, embedding, tuple(stack), scores, residual)

    @classmethod
    def from_arrays(
        cls,
        alphabet: Iterable[Hashable],
        *,
        precision: int | Precision,
        embedding: Any,
        layers: Sequence[RecurrentLayer],
        scores: Any,
        scores_bias: Any = None,
        answers: Iterable[Hashable] = (0, 1),
        residual: bool = False,
        name: str = "",
    ) -> Any:
        """From real numbers, each rounded down to the precision.

        ``embedding`` has shape (symbols, inputs) and ``scores`` (answers, outputs), as PyTorch keeps them; layers are
        made by the ``from_arrays`` of their kind. Raises :class:`~ccsim.errors.InputError` for shapes that do not
        fit, NaN, infinity, and numbers out of range.
        """
        symbols, labels = require_symbols("alphabet", alphabet), require_symbols("answers", answers)
        numbers = as_precision(precision)
        table = quantised(numbers, "embedding", embedding, (len(symbols), None))
        out = Affine.from_arrays(numbers, np.transpose(scores), scores_bias, "scores")
        return cls(symbols, labels, numbers, table, tuple(layers), out, residual, name)

    @property
    def arithmetic(self) -> str:
        """How it computes, in words."""
        return f"fixed point of {self.precision}, rounded down"

    @property
    def is_stationary(self) -> bool:
        """Steps do not depend on the position."""
        return True

    @cached_property
    def state_precisions(self) -> tuple[Precision, ...]:
        """The units of the first layer, then those of the second, and so on."""
        return tuple(precision for layer in self.layers for precision in layer.state_precisions)

    @cached_property
    def parameters(self) -> int:
        """How many numbers the embedding and the read-out have."""
        return int(self.embedding.size) + self.scores.parameters

    def start(self) -> Array:
        """What the layers start with."""
        return np.concatenate([layer.start() for layer in self.layers])

    def step(self, states: Array, symbols: Array, position: int) -> Array:
        """Every layer takes a step; only what is carried is kept."""
        return self._pass(states, symbols)[0]

    def last(self, states: Array, symbols: Array, position: int) -> Array:
        """The read-out of the last layer's outputs at this step."""
        return self._answer(self._pass(states, symbols)[1])

    def scored(self, states: Any, symbols: Array) -> Any:
        """The number for each answer, (batch, answers), one more symbol after these states; enclosed, if these are."""
        return self.scores(self._pass(states, symbols)[1])

    def read_out(self, states: Array) -> Array:
        """The read-out of the last layer's outputs, where these are part of its state."""
        *_, (layer, units) = self._layer_units()
        outputs = None if self.residual else layer.outputs_of(states[:, units])
        if outputs is None:
            expected = "a model whose answer is made from its state alone; this one looks at the last symbol as well"
            raise InputError("model", self.name, expected)
        return self._answer(outputs)

    def _pass(self, states: Array, symbols: Array) -> tuple[Array, Array]:
        """The states after one more symbol, and the outputs of the last layer."""
        numbers, after = self.embedding[symbols], []
        for layer, units in self._layer_units():
            carried, outputs = layer.step(states[:, units], numbers)
            after.append(carried)
            numbers = self.precision.saturate(numbers + outputs) if self.residual else outputs
        return np.concatenate(after, axis=1), numbers

    def _layer_units(self) -> Iterator[tuple[RecurrentLayer, slice]]:
        first = 0
        for layer in self.layers:
            units = slice(first, first + len(layer.state_precisions))
            yield layer, units
            first = units.stop

    def _answer(self, outputs: Array) -> Array:
        return np.asarray(np.argmax(self.scores(outputs), axis=1))


@dataclass(frozen=True, eq=False)
class TransitionTable(RecurrentModel):
    """A recurrent model given by its transitions, the same at every position or a table for each position.

    Attributes:
        alphabet: the symbols.
        answers: every possible answer.
        tables: ``tables[t][state, symbol]`` is the next state at position t + 1, states and symbols being numbers
            from 0; a single table, if ``length`` is None, holds at every position.
        outputs: for each state the code of the answer on a word that ends there.
        first: the state before the first symbol.
        length: how many symbols a word has, or None for any number.
        name: what it is called.

    >>> parity = TransitionTable("01", (0, 1), [[[0, 1], [1, 0]]], [0, 1])
    >>> parity("1101"), parity.state_bits
    (1, 1)
    """

    steps_are_cheap: ClassVar[bool] = True

    alphabet: tuple[Hashable, ...]
    answers: tuple[Hashable, ...]
    tables: tuple[Array, ...] = field(repr=False)
    outputs: Array = field(repr=False)
    first: int = 0
    length: int | None = None
    name: str = "transition table"

    def __post_init__(self) -> None:
        self._require_symbols()
        if self.length is not None:
            require_integer("length", self.length, low=1)
        tables = tuple(_table(f"tables[{place}]", table, len(self.alphabet)) for place, table in enumerate(self.tables))
        if len(tables) != (self.length or 1):
            raise InputError("tables", len(tables), f"{self.length or 1} tables, one for each position or one for all")
        after = [*map(len, tables[1:]), len(np.asarray(self.outputs))]
        for place, (table, states) in enumerate(zip(tables, after, strict=True)):
            _require_below(f"tables[{place}]", table, states)
        outputs = _numbers("outputs", self.outputs, 1)
        _require_below("outputs", outputs, len(self.answers))
        require_integer("first", self.first, low=0, high=len(tables[0]) - 1)
        object.__setattr__(self, "tables", tables)
        object.__setattr__(self, "outputs", outputs)

    @classmethod
    def random(
        cls,
        alphabet: Iterable[Hashable],
        *,
        states: int,
        seed: int | str,
        answers: Iterable[Hashable] = (0, 1),
        length: int | None = None,
    ) -> TransitionTable:
        """Random transitions and answers; with a length, other transitions at each position.

        >>> TransitionTable.random("ab", states=8, seed=0).state_bits
        3
        """
        symbols, labels = require_symbols("alphabet", alphabet), require_symbols("answers", answers)
        states = require_integer("states", states, low=1)
        tables = [
            random_mantissas((states, len(symbols)), 0, states - 1, seed, f"table/{place}")
            for place in range(1 if length is None else require_integer("length", length, low=1))
        ]
        outputs = random_mantissas((states,), 0, len(labels) - 1, seed, "outputs")
        name = f"random transition table, {counted(states, 'state')}" + (
            "" if length is None else ", another at each position"
        )
        return cls(symbols, labels, tuple(tables), outputs, 0, length, name)

    @property
    def states(self) -> int:
        """How many states there are, at the position that has most of them."""
        return max(*map(len, self.tables), len(self.outputs))

    @property
    def is_stationary(self) -> bool:
        """Whether there is one table for every position."""
        return self.length is None

    @cached_property
    def state_precisions(self) -> tuple[Precision, ...]:
        """One unit: the number of the state."""
        return (Precision(1, 0, self.states - 1),)

    def start(self) -> Array:
        """The first state."""
        return np.array([self.first], dtype=np.int64)

    def step(self, states: Array, symbols: Array, position: int) -> Array:
        """Look the next states up."""
        table = self.tables[0 if self.length is None else position - 1]
        return table[states[:, 0], symbols][:, None]

    def read_out(self, states: Array) -> Array:
        """Look the answers up."""
        return self.outputs[states[:, 0]]


def _numbers(argument: str, values: Any, axes: int) -> Array:
    array = np.asarray(values)
    if array.ndim != axes or array.dtype.kind not in "iub" or 0 in array.shape:
        raise InputError(argument, (array.shape, array.dtype.name), f"integers along {axes} axes, at least one")
    numbers = array.astype(np.int64)
    numbers.setflags(write=False)
    return numbers


def _table(argument: str, values: Any, symbols: int) -> Array:
    table = _numbers(argument, values, 2)
    if table.shape[1] != symbols:
        raise InputError(argument, table.shape, f"a column for each of {symbols} symbols")
    return table


def _require_below(argument: str, numbers: Array, bound: int) -> None:
    wrong = numbers[(numbers < 0) | (numbers >= bound)]
    if wrong.size:
        raise InputError(argument, int(wrong[0]), f"numbers from 0 to {bound - 1}")
