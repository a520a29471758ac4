"""Words cut into segments: what each string of symbols in one adds to attention's sums, and does to the task's state.

What attention gives at the last position is, for each head, a quotient of two sums over the positions; given the last
symbol, each position adds its own part to both, whatever stands elsewhere. And each string takes the states that the
task can have before it to states after it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ccsim.arithmetic import IntArray, Precision, elementary
from ccsim.arithmetic.zonotopes import UNIT
from ccsim.arrays import Array
from ccsim.auditing.budget import Budget, OutOfBudgetError
from ccsim.auditing.sides import Layer, different_rows_of, task_rules
from ccsim.models.transformer import OneLayerTransformer
from ccsim.models.weighting import Softmax
from ccsim.problems.sequence.machine import TaskMachine

__all__ = ["Entries", "Segment", "attention_entries", "cut", "task_classes"]

WORD_BITS = 62
MOST_BITS = 24  # of a number
FEWEST_BITS = 12  # of an exponential: with fewer, little is known
MOST_RANGE = 1 << 23
MOST_STATES = 1 << 8  # of the task at one position


@dataclass(frozen=True)
class Segment:
    """Consecutive positions, counted from 0, and all strings that may stand there, as ranks of the task."""

    first: int
    strings: Array

    @property
    def places(self) -> Array:
        """The positions."""
        return self.first + np.arange(self.strings.shape[1])


def cut(symbols: list[Array], most: int) -> list[Segment]:
    """All positions but the last, in segments of at most ``most`` strings each (or of one position)."""
    bounds, count = [0], 1
    for place, choices in enumerate(symbols[:-1]):
        if count > 1 and count * len(choices) > most:
            bounds.append(place)
            count = 1
        count *= len(choices)
    bounds.append(len(symbols) - 1)
    parts = [(first, symbols[first:last]) for first, last in pairwise(bounds) if first < last]
    return [Segment(first, _strings(choices)) for first, choices in parts]


def _strings(choices: list[Array]) -> Array:
    sizes = tuple(map(len, choices))
    places = np.unravel_index(np.arange(math.prod(sizes)), sizes)
    return np.stack([own[place] for own, place in zip(choices, places, strict=True)], axis=1)


@dataclass(frozen=True, eq=False)
class Entries:
    """What each position and symbol adds, for one last symbol.

    With t = exp((logit - the largest possible one) / scale) 2^bits rounded down, and v the value less ``middle``:

    Attributes:
        bits: how many binary places t has.
        middle: a value in the middle, mantissas, shape (heads, head width).
        spread: no v is larger in magnitude, for any last symbol.
        weights: t, shape (heads, N, symbols), int64.
        values: v, shape (heads, N, symbols, head width).
    """

    bits: int
    middle: IntArray
    spread: int
    weights: IntArray
    values: IntArray

    def sums(self, places: Array, strings: Array) -> tuple[Array, Array]:
        """Of strings (batch, places): the sums of t v and then of t over their places, and the largest t.

        Shapes (batch, heads * head width + heads) and (batch, heads).
        """
        own = self.weights[:, places, strings]  # (heads, batch, places)
        values = self.values[:, places, strings]
        products = (own[..., None] * values).sum(axis=2)  # (heads, batch, head width)
        flat = np.moveaxis(products, 0, 1).reshape(len(strings), -1)
        return np.concatenate([flat, own.sum(axis=2).T], axis=1), own.max(axis=2).T


def attention_entries(model: OneLayerTransformer, last: int, allowed: list[Array]) -> Entries:
    """The entries for a last symbol; all ranks are the model's.

    Raises :class:`~ccsim.auditing.budget.OutOfBudgetError` for other rules than softmax, and where sums are too long.
    """
    if not isinstance(model.block.attention.units[0].weighting, Softmax):
        raise OutOfBudgetError("attention that is no softmax")
    value, logit = model.value_table, model.logit_table[:, last]
    middle = (value.max(axis=(1, 2)) + value.min(axis=(1, 2))) >> 1
    values = value - middle[:, None, None]
    spread = int(np.abs(values).max()) + 1
    scale = model.precision.scale
    bits = WORD_BITS - 5 - (UNIT.bit_length() - 1) - (model.length * spread).bit_length()
    bits = min(bits, WORD_BITS - (model.length * scale).bit_length() - 1)
    if bits < FEWEST_BITS or max(model.precision.bits, scale.bit_length()) > MOST_BITS:
        raise OutOfBudgetError("sums of attention beyond 62 bits")
    can = np.zeros(logit.shape[1:], dtype=bool)
    for place, choices in enumerate(allowed):
        can[place, choices] = True
    largest = np.where(can, logit, logit.min()).max(axis=(1, 2), keepdims=True)
    function = elementary("exp", Precision(scale, -MOST_RANGE, 0), Precision(1 << bits, 0, 1 << bits))
    weights = np.where(can, function(np.clip(logit - largest, -MOST_RANGE, 0)), 0)
    return Entries(bits, middle, spread, weights, values)


def task_classes(
    machine: TaskMachine, segments: list[Segment], symbols: list[Array], budget: Budget
) -> tuple[list[Array], Array]:
    """For each segment, shape (strings, states before it), the number of the state after it; and the last codes.

    The codes have the shape (states before the last symbol, symbols that may be last).

    Raises :class:`~ccsim.auditing.budget.OutOfBudgetError` if the task has too many states.
    """
    states, tables = np.asarray(machine.start, dtype=np.int64)[None], []
    for segment in segments:
        budget.require_time(f"the task's states at position {segment.first + 1}")
        count, strings = len(states), segment.strings
        rows = np.repeat(states[None], len(strings), axis=0).reshape(-1, states.shape[1])
        for place, column in zip(segment.places, strings.T, strict=True):
            rows = machine.step(rows, np.repeat(column, count), int(place) + 1)
        states, numbers = different_rows_of(rows)
        if len(states) > min(MOST_STATES, budget.states):
            raise OutOfBudgetError(f"{len(states)} states of the task")
        tables.append(numbers.reshape(len(strings), count))
    return tables, Layer(task_rules(machine), states).codes(symbols[-1], len(symbols))
