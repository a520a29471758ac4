"""One-layer transformers in the floating-point formats that people run, bit for bit in a stated arithmetic."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import sqrt
from typing import Any

import numpy as np

from ccsim.arithmetic import Floats
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.arithmetics import FloatArithmetic
from ccsim.models.files.parts import AttentionParts
from ccsim.models.model import SequenceModel, require_words

__all__ = ["FloatTransformer"]

BLOCK_WORDS = 1 << 12


@dataclass(frozen=True, eq=False)
class FloatTransformer(SequenceModel):
    """A one-layer transformer, read out at the last position, whose every step is rounded as an arithmetic says.

    As frameworks do in 16 bits, norms and softmax are made in the format of sums, each step rounded, and their results
    are rounded to the format. In this order:

    - queries, keys and values of every position; a logit is their sum of products times 1 / sqrt(head width);
    - exp of each logit less the largest; their sum from the first position to the last; each divided by it; then the
      sum of weights times values from the first position to the last;
    - norms: mean and variance by sums from left to right divided by the width, (x - mean) / sqrt(variance + epsilon),
      times the gain, plus the bias.

    Attributes:
        name: what it is called.
        alphabet: the symbols.
        answers: every possible answer; the first largest read-out wins.
        parts: the numbers, rounded; matrices of linear maps are kept as (outputs, inputs).
        float_arithmetic: how it computes.
        length: N.
    """

    name: str
    alphabet: tuple[Hashable, ...]
    answers: tuple[Hashable, ...]
    parts: AttentionParts = field(repr=False)
    float_arithmetic: FloatArithmetic
    length: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", len(self.parts.positions))

    @classmethod
    def of(
        cls,
        parts: AttentionParts,
        arithmetic: FloatArithmetic,
        alphabet: tuple[Hashable, ...],
        answers: tuple[Hashable, ...],
        name: str,
    ) -> FloatTransformer:
        """The parts of a model from a file, rounded."""
        turned: dict[str, Any] = {
            part: np.stack([arithmetic.weights_of(head.T) for head in getattr(parts, part)])
            for part in ("query", "key", "value")
        }
        turned |= {part: arithmetic.weights_of(getattr(parts, part).T) for part in ("output", "scores")}
        names = ("tokens", "positions", "query_bias", "key_bias", "value_bias", "output_bias", "bias")
        rounded: dict[str, Any] = {part: arithmetic.rounded(getattr(parts, part)) for part in names}
        inner = tuple(
            (arithmetic.weights_of(weight.T), arithmetic.rounded(bias), activation)
            for weight, bias, activation in parts.inner
        )
        norms = {place: (arithmetic.rounded(g), arithmetic.rounded(b)) for place, (g, b) in parts.norms.items()}
        every = [*turned.values(), *rounded.values(), *(p for layer in inner for p in layer[:2])]
        if not all(np.isfinite(array).all() for array in (*every, *(p for pair in norms.values() for p in pair))):
            raise InputError("tensors", "a number beyond the range", f"numbers that {arithmetic.format} has")
        return cls(name, alphabet, answers, replace(parts, **turned, **rounded, inner=inner, norms=norms), arithmetic)

    @property
    def arithmetic(self) -> str:
        """How it computes, in words."""
        return str(self.float_arithmetic)

    @property
    def size_bits(self) -> int:
        """The bits that describe the model: parameters times bits of the format."""
        parts = self.parts
        arrays = [value for value in vars(parts).values() if isinstance(value, np.ndarray)]
        arrays += [array for layer in parts.inner for array in layer[:2]]
        arrays += [array for pair in parts.norms.values() for array in pair]
        return sum(array.size for array in arrays) * self.float_arithmetic.bits

    @cached_property
    def _inside(self) -> FloatArithmetic:
        """The arithmetic of norms and of softmax."""
        return replace(self.float_arithmetic, format=self.float_arithmetic.sums)

    @cached_property
    def _stream(self) -> Floats:
        """The embedding of each position and symbol, shape (N, symbols, width)."""
        return self.float_arithmetic.add(self.parts.tokens[None], self.parts.positions[:, None])

    @cached_property
    def _tables(self) -> tuple[Floats, Floats]:
        """Logits (heads, last symbols, N, symbols) and values (heads, N, symbols, head width)."""
        a, parts = self.float_arithmetic, self.parts
        rows = self._norm("before_attention", self._stream)
        logits, values = [], []
        scale = a.number(1 / sqrt(parts.query.shape[1]))
        for head in range(len(parts.query)):
            queries = a.linear(rows[-1], parts.query[head], parts.query_bias[head])
            keys = a.linear(rows, parts.key[head], parts.key_bias[head])
            pairs = [(queries[:, None, None, place], keys[None, ..., place]) for place in range(keys.shape[-1])]
            logits.append(a.multiply(a.products(*pairs), scale))
            values.append(a.linear(rows, parts.value[head], parts.value_bias[head]))
        return np.stack(logits), np.stack(values)

    def outputs(self, words: Array) -> Floats:
        """The read-out (..., answers) of words (..., N) of ranks."""
        words = require_words(words, len(self.alphabet), self.length)
        rows = words.reshape(-1, self.length).astype(np.int64)
        outputs = np.empty((len(rows), len(self.answers)), dtype=np.float32)
        for first in range(0, len(rows), BLOCK_WORDS):
            outputs[first : first + BLOCK_WORDS] = self._finish(rows[first : first + BLOCK_WORDS])
        return outputs.reshape(*words.shape[:-1], len(self.answers))

    def codes(self, words: Array) -> Array:
        """The answer codes (...) of words (..., N) of ranks."""
        return np.asarray(np.argmax(self.outputs(words), axis=-1))

    def _finish(self, rows: Array) -> Floats:
        a, parts = self.float_arithmetic, self.parts
        heads = np.concatenate([self._attended(head, rows) for head in range(len(parts.query))], axis=1)
        stream = a.add(self._stream[-1][rows[:, -1]], a.linear(heads, parts.output, parts.output_bias))
        stream = self._norm("after_attention", stream)
        if parts.inner:
            hidden = self._norm("before_tokenwise", stream)
            for weight, bias, activation in parts.inner:
                hidden = a.apply(activation, a.linear(hidden, weight, bias))
            stream = a.add(stream, hidden)
        stream = self._norm("last", self._norm("after_tokenwise", stream))
        return a.linear(stream, parts.scores, parts.bias)

    def _attended(self, head: int, rows: Array) -> Floats:
        """What a head gives at the last position (batch, head width)."""
        inside, places = self._inside, np.arange(self.length)
        logits, values = (table[head] for table in self._tables)
        taken = logits[rows[:, -1:], places, rows]
        powers = inside.apply("exp", inside.subtract(taken, taken.max(axis=1, keepdims=True)))
        total = inside.add(*powers.T)
        weights = self.float_arithmetic.format.round(inside.divide(powers, total[:, None]))
        pairs = ((weights[:, place, None], values[place][rows[:, place]]) for place in places.tolist())
        return self.float_arithmetic.products(*pairs)

    def _norm(self, place: str, rows: Floats) -> Floats:
        if place not in self.parts.norms:
            return rows
        (gain, bias), a = self.parts.norms[place], self._inside
        width, columns = a.number(rows.shape[-1]), range(rows.shape[-1])
        mean = a.divide(a.add(*(rows[..., column] for column in columns)), width)
        centred = a.subtract(rows, mean[..., None])
        squares = a.products(*((centred[..., column], centred[..., column]) for column in columns))
        deviation = a.root(a.add(a.divide(squares, width), a.number(self.parts.epsilon)))
        scaled = a.multiply(a.divide(centred, deviation[..., None]), gain)
        return self.float_arithmetic.format.round(a.add(scaled, bias))
