"""Recurrent models one symbol at a time: what they carry after each word, and what that is as a message."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain
from typing import Any

from protocols.papers.plain.layers import STEPS, Numbers, affine, carried_by, real

__all__ = ["PlainModel"]


class PlainModel:
    """A recurrent model, read one word at a time; what it carries after a word is worked out once.

    Attributes:
        model: whose weights are read.
        precisions: of each number that is carried from symbol to symbol, all layers.
    """

    def __init__(self, model: Any) -> None:
        self.model = model
        self.is_table = hasattr(model, "tables")
        layers = () if self.is_table else model.layers
        carried = [carried_by(layer) for layer in layers]
        self.precisions = list(chain(*carried))
        if self.is_table:
            self.precisions = [_Numbered(len(model.tables[0]))]
        start = [[Fraction(0)]] if self.is_table else [[Fraction(0)] * len(each) for each in carried]
        self._after: dict[tuple[int, ...], tuple[list[Numbers], Numbers]] = {(): (start, [])}

    @property
    def bits(self) -> int:
        """The bits of all numbers that are carried, each with all its bits."""
        return sum((precision.high - precision.low).bit_length() for precision in self.precisions)

    def after(self, word: tuple[int, ...]) -> tuple[list[Numbers], Numbers]:
        """What each layer carries after a word of ranks, and what the last one puts out at its last symbol."""
        if word not in self._after:
            self._after[word] = self._step(self.after(word[:-1])[0], word[-1], len(word))
        return self._after[word]

    def _step(self, before: list[Numbers], symbol: int, position: int) -> tuple[list[Numbers], Numbers]:
        if self.is_table:
            table = self.model.tables[position - 1 if self.model.length else 0]
            return [[Fraction(int(table[int(before[0][0])][symbol]))]], []
        numbers, states = real(self.model.precision, self.model.embedding[symbol]), []
        for layer, state in zip(self.model.layers, before, strict=True):
            state, numbers = STEPS[type(layer).__name__](layer, list(state), numbers)
            states.append(state)
        return states, numbers

    def answer(self, word: tuple[int, ...]) -> Any:
        """The answer on a word of ranks: the first of those with the largest score."""
        states, numbers = self.after(word)
        if self.is_table:
            return self.model.answers[int(self.model.outputs[int(states[0][0])])]
        scores = affine(self.model.scores, numbers)
        return self.model.answers[scores.index(max(scores))]

    def message(self, word: tuple[int, ...]) -> str:
        """What is carried after a word: each number, counted from its least one, in all its bits."""
        text = ""
        for number, precision in zip(chain(*self.after(word)[0]), self.precisions, strict=True):
            width = (precision.high - precision.low).bit_length()
            text += f"{int(number * precision.scale) - precision.low:0{width}b}" if width else ""
        return text


class _Numbered:
    """The numbers of so many states."""

    def __init__(self, states: int) -> None:
        self.scale, self.low, self.high = 1, 0, states - 1
