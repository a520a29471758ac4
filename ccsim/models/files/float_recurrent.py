"""Recurrent models in the floating-point formats that people run, bit for bit in a stated arithmetic."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

import numpy as np

from ccsim.arithmetic import Floats, Precision
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.arithmetics import FloatArithmetic
from ccsim.models.files.parts import RecurrentParts
from ccsim.models.files.steps import KINDS, Kind, State, real_parts
from ccsim.models.model import largest_score, score_of_each
from ccsim.models.recurrent import RecurrentModel

__all__ = ["FloatRecurrent"]


@dataclass(frozen=True, eq=False)
class FloatRecurrent(RecurrentModel):
    """A recurrent model whose every step is rounded as a floating-point arithmetic says.

    The steps are PyTorch's, in the order of :mod:`ccsim.models.files.steps`. Two matrices that the tensors of Mamba
    keep apart for the argument of softplus are multiplied before they are rounded. The state is the bit patterns of
    all numbers that are carried; both zeros are one pattern, which no step tells apart.

    Attributes:
        name: what it is called.
        alphabet: the symbols.
        answers: every possible answer; the first largest read-out wins, and where one is NaN there is none.
        kind: the architecture.
        float_arithmetic: how it computes.
        embedding: a row for each symbol, rounded.
        layers: the arrays of each layer, rounded.
        scores: the read-out (answers, outputs), rounded, and ``bias`` (answers,); of two answers perhaps
            the second's alone.
        bias: see ``scores``.
        activation: of the layers, where they have a choice.
        residual: whether the inputs of each layer are added to its outputs.
        threshold: above which a single score is the second answer.
    """

    name: str
    alphabet: tuple[Hashable, ...]
    answers: tuple[Hashable, ...]
    kind: str
    float_arithmetic: FloatArithmetic
    embedding: Floats = field(repr=False)
    layers: tuple[Mapping[str, Floats], ...] = field(repr=False)
    scores: Floats = field(repr=False)
    bias: Floats = field(repr=False)
    activation: str | None = None
    residual: bool = False
    threshold: float = 0.0
    length: int | None = field(default=None, init=False)

    @classmethod
    def of(
        cls,
        parts: RecurrentParts,
        arithmetic: FloatArithmetic,
        alphabet: tuple[Hashable, ...],
        answers: tuple[Hashable, ...],
        name: str,
    ) -> FloatRecurrent:
        """The parts of a model from a file, rounded."""
        kind, layers = KINDS[parts.kind], []
        for layer in parts.layers:
            rounds = {part: arithmetic.weights_of if part in kind.linear else arithmetic.rounded for part in layer}
            layers.append(
                {
                    part: rounds[part](array) if isinstance(array, np.ndarray) else array
                    for part, array in real_parts(layer).items()
                }
            )
        scores, embedding = arithmetic.weights_of(parts.scores), arithmetic.rounded(parts.embedding)
        bias = arithmetic.rounded(parts.bias)
        for part, array in (
            ("embedding", embedding),
            ("read-out", scores),
            ("bias of read-out", bias),
            *(p for layer in layers for p in layer.items()),
        ):
            if isinstance(array, np.ndarray) and not np.isfinite(array).all():
                raise InputError(
                    f"tensor {part!r}", "a number beyond the range", f"numbers that {arithmetic.format} has"
                )
        options = parts.activation, parts.residual, parts.threshold
        return cls(name, alphabet, answers, parts.kind, arithmetic, embedding, tuple(layers), scores, bias, *options)

    @property
    def arithmetic(self) -> str:
        """How it computes, in words."""
        return str(self.float_arithmetic)

    @property
    def is_stationary(self) -> bool:
        """Steps do not depend on the position."""
        return True

    @property
    def _kind(self) -> Kind:
        return KINDS[self.kind]

    @cached_property
    def _shapes(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each layer the shapes of what it carries."""
        return tuple(self._kind.shapes(layer) for layer in self.layers)

    @cached_property
    def state_precisions(self) -> tuple[Precision, ...]:
        """Bit patterns of the format, one for each number that is carried."""
        units = sum(prod(shape) for shapes in self._shapes for shape in shapes)
        return (Precision(1, 0, (1 << self.float_arithmetic.bits) - 1),) * units

    def start(self) -> Array:
        """Zeros."""
        return np.zeros(self.units, dtype=np.int64)

    def step(self, states: Array, symbols: Array, position: int) -> Array:
        """The patterns of what every layer carries after one more symbol."""
        carried = [part for state in self._pass(states, symbols)[0] for part in state]
        rows = np.concatenate([part.reshape(len(states), prod(part.shape[1:])) for part in carried], axis=1)
        return self.float_arithmetic.format.patterns(rows)

    def last(self, states: Array, symbols: Array, position: int) -> Array:
        """The read-out of the last layer's outputs at this step."""
        return self._answer(self._pass(states, symbols)[1])

    def read_out(self, states: Array) -> Array:
        """The read-out of the last layer's outputs, where these are part of its state."""
        if self.residual or not self._kind.puts_out_state:
            expected = "a model whose answer is made from its state alone; this one looks at the last symbol as well"
            raise InputError("model", self.name, expected)
        *_, last = self._states(states)
        return self._answer(last[0])

    def outputs(self, words: Array) -> Floats:
        """The read-out (batch, answers) of words (batch, symbols) of ranks, one symbol or more."""
        states = self.run(words[:, :-1])
        return self._scores(self._pass(states, words[:, -1])[1])

    def _states(self, patterns: Array) -> Iterator[State]:
        """What each layer carries, as numbers."""
        numbers, first = self.float_arithmetic.format.values(patterns), 0
        for shapes in self._shapes:
            parts = []
            for shape in shapes:
                parts.append(numbers[:, first : first + prod(shape)].reshape(len(numbers), *shape))
                first += prod(shape)
            yield tuple(parts)

    def _pass(self, patterns: Array, symbols: Array) -> tuple[list[State], Floats]:
        """What every layer carries after one more symbol, and the outputs of the last layer."""
        arithmetic, numbers, after = self.float_arithmetic, self.embedding[symbols], []
        for layer, state in zip(self.layers, self._states(patterns), strict=True):
            carried, outputs = self._kind.step(arithmetic, layer, self.activation, state, numbers)
            after.append(carried)
            numbers = arithmetic.add(numbers, outputs) if self.residual else outputs
        return after, numbers

    def _scores(self, outputs: Floats) -> Floats:
        scores = self.float_arithmetic.linear(outputs, self.scores, self.bias)
        return score_of_each(scores, len(self.answers), self.threshold)

    def _answer(self, outputs: Floats) -> Array:
        return largest_score(self._scores(outputs))
