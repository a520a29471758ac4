"""Recurrent models in exact finite precision: a state of finitely many bits, a transition, and a read-out.

A :class:`RecurrentStack` has layers of a :class:`RecurrentCell`; the usual cells are in ``recurrent_cells``.
"""

from __future__ import annotations

import math
import re
import time
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from inspect import signature
from math import prod
from typing import Any, ClassVar, Self

import numpy as np

from ccsim.arithmetic import Precision, as_precision, elementary
from ccsim.errors import Array, InputError, require_integer, require_symbols
from ccsim.models.affine import Affine, mantissa_array, quantised, random_mantissas, random_matrix, require_chain
from ccsim.models.model import SequenceModel, require_words
from ccsim.models.reachability import different_numbers, different_rows
from ccsim.plain_data import counted

FEWEST = 256  # words; fewer are not worth sorting
MOST_ENTRIES = 1 << 24  # units times words that are read at once
FEW_SYMBOLS = 1 << 6  # by which the time of a long word is estimated
WORD_BITS = 62  # as many bits of a packed state are put together in int64


class RecurrentModel(SequenceModel):
    """A model that reads a word from left to right and carries a state of finitely many bits.

    At position t = 1, 2, ... the state h becomes g_t(s_t, h); any transition g_t is allowed (Bhattamishra, Hahn,
    Blunsom and Kanade 2024, section 3). The answer is made from the last symbol and the state before it; in many models
    from the state after it alone, by :meth:`read_out`. What else a layer puts out, by a gate or a skip connection, is
    not carried, and :attr:`state_bits` does not count it. States are int64 mantissas, one column for each unit of all
    that is carried from step to step, in all layers.
    """

    steps_are_cheap: ClassVar[bool] = False
    """Whether a step costs no more than grouping equal states."""

    @property
    def is_stationary(self) -> bool:
        """Whether steps are known not to depend on the position."""
        return False

    @property
    @abstractmethod
    def state_precisions(self) -> tuple[Precision, ...]:
        """The precision of each unit of the state."""

    @abstractmethod
    def start(self) -> Array:
        """The state before the first symbol, shape (units,)."""

    @abstractmethod
    def step(self, states: Array, symbols: Array, position: int) -> Array:
        """The states (batch, units) after one more symbol each, ``symbols`` (batch,) at ``position`` = 1, 2, ..."""

    @abstractmethod
    def read_out(self, states: Array) -> Array:
        """The answer codes (batch,) of words that end in these states (batch, units); an error if these do not tell."""

    def last(self, states: Array, symbols: Array, position: int) -> Array:
        """The answer codes (batch,) of words that end with one more symbol after these states (batch, units)."""
        return self.read_out(self.step(states, symbols, position))

    @property
    def units(self) -> int:
        """How many numbers the state has."""
        return len(self.state_precisions)

    @cached_property
    def state_bits(self) -> int:
        """The bits of everything that is carried from step to step: all units of all layers."""
        return sum(precision.bits for precision in self.state_precisions)

    def run(self, words: Array, states: Array | None = None, read: int = 0) -> Array:
        """The states (batch, units) after words (batch, symbols) of ranks, equal states being stepped once.

        The words go on from ``states``, (units,) or (batch, units), after ``read`` symbols; at first from the start.
        """
        return self._read(words, states, read, False)

    def finish(self, words: Array, states: Array | None = None, read: int = 0) -> Array:
        """The answer codes (batch,) when these words (batch, symbols) end; they go on from states as in :meth:`run`."""
        return self._read(words, states, read, True)

    def codes(self, words: Array) -> Array:
        words = np.asarray(words)
        if words.ndim == 0:
            raise InputError("words", words.shape, "an array of shape (..., symbols)")
        self._require_length(words.shape[-1], "words", words.shape)
        shape = words.shape[:-1]
        return self.finish(words.reshape(math.prod(shape), words.shape[-1])).reshape(shape)

    def _read(self, words: Array, states: Array | None, read: int, ended: bool) -> Array:
        words = np.asarray(words)
        if words.ndim != 2:
            raise InputError("words", words.shape, "an array of shape (batch, symbols)")
        words = require_words(words, len(self.alphabet), None) if words.shape[1] else words.astype(np.int64)
        before = self.start() if states is None else np.asarray(states)
        size = max(1024, MOST_ENTRIES // max(self.units, 1))
        blocks = [slice(first, first + size) for first in range(0, max(len(words), 1), size)]
        return np.concatenate(
            [self._read_block(words[own], before if before.ndim == 1 else before[own], read, ended) for own in blocks]
        )

    def _read_block(self, words: Array, states: Array, read: int, ended: bool) -> Array:
        """Equal pairs of a state and a symbol are stepped once, as long as many words share them."""
        (count, length), size = words.shape, len(self.alphabet)
        numbers: Array | None = None  # for each word the row of its state; None if every word has a row of its own
        if self.steps_are_cheap or count < FEWEST:
            states = np.broadcast_to(states, (count, states.shape[-1]))
        else:
            states, _, kinds = different_rows(np.atleast_2d(states))
            numbers = np.broadcast_to(kinds, count)
        for position, symbols in enumerate(words.T, start=read + 1):
            own = symbols
            if numbers is not None:
                pairs, _, places = different_numbers(numbers * size + symbols, len(states) * size)
                if 2 * len(pairs) > count:
                    states, numbers = states[numbers], None
                else:
                    states, own, numbers = states[pairs // size], pairs % size, places
            if ended and position == read + length:
                codes = np.asarray(self.last(states, own, position), dtype=np.int64)
                return codes if numbers is None else codes[numbers]
            states = self.step(states, own, position)
            if numbers is not None:
                states, _, kinds = different_rows(states)
                numbers = kinds[numbers]
        states = np.array(states) if numbers is None else states[numbers]
        return self.read_out(states) if ended else states

    def pack(self, states: Array) -> Array:
        """Each state (batch, units) as one number of :attr:`state_bits` bits, the first unit in front.

        The numbers are int64, or Python integers in an object array if there are more than 62 bits.
        """
        states = np.asarray(states)
        if states.ndim != 2 or states.shape[1] != self.units:
            raise InputError("states", states.shape, f"an array of shape (batch, {self.units})")
        total = np.zeros(len(states), dtype=np.int64 if self.state_bits <= WORD_BITS else object)
        for unit, precision in enumerate(self.state_precisions):
            total = (total << precision.bits) | precision.codes(states[:, unit])
        return total

    def unpack(self, numbers: Array) -> Array:
        """The states (batch, units) of numbers that :meth:`pack` made; an error for other numbers."""
        rest = np.asarray(numbers)
        states = np.empty((len(rest), self.units), dtype=np.int64)
        for unit in range(self.units - 1, -1, -1):
            precision = self.state_precisions[unit]
            states[:, unit] = precision.from_codes(np.asarray(rest & ((1 << precision.bits) - 1)).astype(np.int64))
            rest = np.asarray(rest >> precision.bits)
        if rest.any():
            raise InputError("numbers", int(np.asarray(numbers).max()), f"unsigned numbers of {self.state_bits} bits")
        return states


def likely_seconds(model: SequenceModel, words: Array, clock: Callable[[], float] = time.monotonic) -> float:
    return likely_time(model.run, words, clock) if isinstance(model, RecurrentModel) else 0.0


def likely_time(run: Callable[[Array], object], words: Array, clock: Callable[[], float] = time.monotonic) -> float:
    """How many seconds a run from symbol to symbol takes for long words; 0 for short ones."""
    length: int = words.shape[1]
    if length < FEW_SYMBOLS**2:
        return 0.0
    begun = clock()
    run(words[:, :FEW_SYMBOLS])
    return (clock() - begun) * length / FEW_SYMBOLS


@dataclass(frozen=True)
class Draft:
    """What the random weights of a layer are drawn from: how many numbers come in, its width, precision, seed, name.

    Attributes:
        inputs, width: how many numbers come in, and how many units there are.
        precision, seed, name: of the weights, of what is drawn, and of the layer in it.

    >>> Draft(2, 3, Precision.of(8), 0, "layer").mantissas("rate", (3,), -9, 0).tolist()
    [-1, -3, 0]
    """

    inputs: int
    width: int
    precision: Precision
    seed: int | str
    name: str

    def mantissas(self, part: str, shape: tuple[int, ...], low: int, high: int) -> Array:
        """Integers from ``low`` to ``high``, as far as the precision has them."""
        low, high = max(low, self.precision.low), min(high, self.precision.high)
        return random_mantissas(shape, low, high, self.seed, f"{self.name}/{part}")

    def matrix(self, part: str, shape: tuple[int, ...], fan_in: int) -> Array:
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
    """The precision of sums: the layer's own if None, or so many bits in two's complement, with the same steps."""
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
    """Sizes by name, from which axes such as ``4outputs`` or ``inputs+outputs`` are made; else ``usual``."""

    usual = 0

    def shape(self, axes: str) -> tuple[int, ...]:
        return tuple(
            sum(factor * self.get(name, self.usual if name else 1) for factor, name in _terms(axis))
            for axis in axes.split()
        )

    def fit(self, argument: str, given: tuple[int, ...], axes: str) -> None:
        for axis, size in zip(axes.split(), given, strict=False):
            for factor, name in _terms(axis):
                if name and name not in self:
                    self[name] = (size - sum(self.shape(axis))) // factor
        if self.shape(axes) != given or min(self.values()) < 1:
            raise InputError(argument, given, f"an array of shape ({', '.join(axes.split())}), here {self}")


def _terms(axis: str) -> list[tuple[int, str]]:
    """The names in an axis with their factors; a number alone has the name ""."""
    return [(int(factor or 1), name) for factor, name in re.findall(r"(-?\d*)([a-z_]*)", axis) if factor or name]


State = tuple[Array, ...]
"""What a layer carries: arrays with an axis for the words in front."""


@dataclass(frozen=True)
class RecurrentCell:
    """A kind of recurrent layer: its arrays, what it carries, and its step.

    ``step`` takes a layer, a state and inputs (batch, inputs) to the next state and the outputs (batch, outputs), by
    exact operations, which also take enclosures. ``maps`` has the axes of outputs and inputs, ``arrays`` those of other
    arrays, ``numbers`` of what is carried (first the outputs, if these are), ``memory`` of sums behind it. ``sizes``
    can be chosen where weights are random (None is the width). ``given`` and ``drawn`` are other names of a map.
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
        outputs, inputs = self.maps[name].split()
        named = zip(self.given.get(name, (name,)), inputs.split("+"), strict=True)
        return [
            (each, each.replace("weight", "bias") if each.startswith("weight") else f"{each}_bias", f"{outputs} {axis}")
            for each, axis in named
        ]

    @cached_property
    def axes(self) -> dict[str, str]:
        """The axes of all arrays that are given, by name, in this order."""
        matrices = [each for name in self.maps for each in self.matrices(name)]
        biases = {bias: axes.split()[0] for _, bias, axes in matrices}
        return {**self.arrays, **{matrix: axes for matrix, _, axes in matrices}, **biases}

    def shapes(self, sizes: Sizes) -> list[tuple[int, ...]]:
        return [sizes.shape(axes) for axes in (*self.numbers, *self.memory)]


class RecurrentLayer:
    """A layer of a cell in fixed point: a state, inputs at every position, and outputs at every position.

    Its attributes are the maps and arrays of its cell, and what else it lets one choose.
    """

    cell: ClassVar[RecurrentCell]
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
        """What can be chosen besides maps and arrays."""
        return [name for name in signature(cls).parameters if name not in {*cls.cell.maps, *cls.cell.arrays}]

    @classmethod
    def from_arrays(cls, precision: int | Precision, *given: Any, **named: Any) -> Self:
        """From real numbers, each rounded down to the precision.

        By name or in this order: arrays, matrices (outputs, inputs), as PyTorch keeps them, biases (outputs,), which
        may be missing (of m ``m_bias``, of ``weight_ih`` ``bias_ih``), then what else can be chosen.
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
        """The arrays of the cell from those that are given."""
        return arrays

    @classmethod
    def random(cls, draft: Draft, **options: Any) -> Self:
        """Random weights; ``options`` are sizes of the cell, and the options of the layer."""
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


@dataclass(frozen=True, eq=False)
class RecurrentStack(RecurrentModel):
    """An embedding, recurrent layers one after the other, and the answer of the largest read-out (the first of these).

    Attributes:
        alphabet, answers: the symbols, and every possible answer.
        precision: of embedding, weights and outputs.
        embedding: mantissas, a row for each symbol, shape (symbols, inputs of the first layer).
        layers: the layers, from the first to the last.
        scores: the affine map from the last outputs to a number for each answer.
        residual: whether the inputs of each layer are added to its outputs, saturating.
        name: what it is called.
    """

    layer_kind: ClassVar[Any] = RecurrentLayer

    def __init_subclass__(cls) -> None:
        """Give each kind an ``__init__`` of its own, so that errors name the class that was called."""
        dataclass(frozen=True, eq=False, repr=False)(cls)

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
        """Random weights from a seed, the same on every machine; ``width`` is that of layers and embedding.

        ``options`` go to the layers.
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
        made by the ``from_arrays`` of their kind. Raises :class:`~ccsim.errors.InputError` for shapes that do not fit,
        NaN, infinity, and numbers out of range.
        """
        symbols, labels = require_symbols("alphabet", alphabet), require_symbols("answers", answers)
        numbers = as_precision(precision)
        table = quantised(numbers, "embedding", embedding, (len(symbols), None))
        out = Affine.from_arrays(numbers, np.transpose(scores), scores_bias, "scores")
        return cls(symbols, labels, numbers, table, tuple(layers), out, residual, name)

    @property
    def arithmetic(self) -> str:
        return f"fixed point of {self.precision}, rounded down"

    @property
    def is_stationary(self) -> bool:
        return True

    @cached_property
    def state_precisions(self) -> tuple[Precision, ...]:
        return tuple(precision for layer in self.layers for precision in layer.state_precisions)

    @cached_property
    def parameters(self) -> int:
        """How many numbers the embedding and the read-out have."""
        return int(self.embedding.size) + self.scores.parameters

    def start(self) -> Array:
        return np.concatenate([layer.start() for layer in self.layers])

    def step(self, states: Array, symbols: Array, position: int) -> Array:
        return self._pass(states, symbols)[0]

    def last(self, states: Array, symbols: Array, position: int) -> Array:
        return self._answer(self._pass(states, symbols)[1])

    def scored(self, states: Any, symbols: Array) -> Any:
        """The number for each answer, (batch, answers), one more symbol after these states; enclosed, if these are."""
        return self.scores(self._pass(states, symbols)[1])

    def read_out(self, states: Array) -> Array:
        *_, (layer, units) = self._layer_units()
        outputs = None if self.residual else layer.outputs_of(states[:, units])
        if outputs is None:
            expected = "a model whose answer is made from its state alone; this one looks at the last symbol as well"
            raise InputError("model", self.name, expected)
        return self._answer(outputs)

    def _pass(self, states: Array, symbols: Array) -> tuple[Array, Array]:
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
