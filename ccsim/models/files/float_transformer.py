"""One-layer transformers in the floating-point formats that people run, bit for bit in a stated arithmetic."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ccsim.arithmetic import Floats
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.arithmetics import FloatArithmetic
from ccsim.models.files.parts import AttentionParts, LayerParts
from ccsim.models.model import SequenceModel, largest_score, require_words, score_of_each
from ccsim.models.rotary import halves, nearest_turns

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
      times the gain, plus the bias; by the root of the mean square: x times (1 / sqrt(mean square + epsilon)),
      rounded to the format and then times the gain, or, where 1 is added to the gain as in Gemma, times that first;
    - rotary positions: x cos - y sin and y cos + x sin, both products rounded before they are added, the cosine and the
      sine being the true ones, rounded; a soft cap: the quotient by the cap, its tanh, that times the cap; ALiBi: slope
      times position (BLOOM) or less distance (MPT), rounded, and then added.

    Attributes:
        name: what it is called.
        alphabet: the symbols.
        answers: every possible answer; the first largest read-out wins, and where one is NaN there is none.
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
        if len(parts.layers) > 1:
            raise InputError("arithmetic", arithmetic.name, "fixed point (a precision) for a model of several layers")
        names: dict[str, Any] = {
            part: arithmetic.rounded(getattr(parts, part)) for part in ("tokens", "positions", "bias")
        }
        scores, layer = arithmetic.weights_of(parts.scores.T), _rounded_layer(parts.layers[0], arithmetic)
        made = replace(parts, **names, scores=scores, layers=(layer,))
        if not all(np.isfinite(array).all() for array in _arrays(made)):
            raise InputError("tensors", "a number beyond the range", f"numbers that {arithmetic.format} has")
        return cls(name, alphabet, answers, made, arithmetic)

    @property
    def arithmetic(self) -> str:
        """How it computes, in words."""
        return str(self.float_arithmetic)

    @property
    def size_bits(self) -> int:
        """The bits that describe the model: parameters times bits of the format; arrays of zeros are none."""
        return sum(array.size for array in _arrays(self.parts) if array.any()) * self.float_arithmetic.bits

    @property
    def layer(self) -> LayerParts:
        """The one layer."""
        return self.parts.layers[0]

    @cached_property
    def _inside(self) -> FloatArithmetic:
        """The arithmetic of norms and of softmax."""
        return replace(self.float_arithmetic, format=self.float_arithmetic.sums)

    @cached_property
    def _stream(self) -> Floats:
        """The embedding of each position and symbol, normalised if that comes first, shape (N, symbols, width)."""
        return self._norm("first", self.float_arithmetic.add(self.parts.tokens[None], self.parts.positions[:, None]))

    @cached_property
    def _tables(self) -> tuple[Floats, Floats]:
        """Logits (heads, last symbols, N, symbols) and values (heads, N, symbols, head width)."""
        a, layer = self.float_arithmetic, self.layer
        rows = self._norm("before_attention", self._stream)
        logits, values = [], []
        for head in range(len(layer.query)):
            group = head // layer.group
            queries = self._turned(a.linear(rows[-1:], layer.query[head], layer.query_bias[head]), self.length - 1)[0]
            keys = self._turned(a.linear(rows, layer.key[group], layer.key_bias[group]), 0)
            pairs = [(queries[:, None, None, place], keys[None, ..., place]) for place in range(keys.shape[-1])]
            logits.append(self._scored(head, a.multiply(a.products(*pairs), a.number(layer.scale))))
            values.append(a.linear(rows, layer.value[group], layer.value_bias[group]))
        return np.stack(logits), np.stack(values)

    def _turned(self, vectors: Floats, start: int) -> Floats:
        """Queries or keys (positions, symbols, width) as at their positions, the first of which is given."""
        waves, a = self.layer.scoring.waves, self.float_arithmetic
        if waves is None:
            return vectors
        turns = nearest_turns(a.format, waves, self.length)
        cosine, sine = (table[start : start + len(vectors), None] for table in turns)
        first, second = halves(waves.width)
        x, y = vectors[..., first], vectors[..., second]
        one = a.add(a.multiply(x, cosine), a.multiply(-y, sine))
        return np.concatenate([one, a.add(a.multiply(y, cosine), a.multiply(x, sine))], axis=-1)

    def _scored(self, head: int, logits: Floats) -> Floats:
        """Logits (last symbols, N, symbols) after the soft cap, and with the costs of distance."""
        a, scoring = self.float_arithmetic, self.layer.scoring
        if scoring.soft_cap is not None:
            logits = a.capped(logits, scoring.soft_cap)
        if scoring.slopes is None:
            return logits
        places = np.arange(self.length) - (0 if scoring.from_start else self.length - 1)
        slope = self._inside.number(float(scoring.slopes[head]))
        costs = a.format.round(self._inside.multiply(slope, places.astype(np.float32)))
        return a.add(logits, costs[None, :, None])

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
        return largest_score(self.outputs(words))

    def _finish(self, rows: Array) -> Floats:
        a, layer = self.float_arithmetic, self.layer
        heads = np.concatenate([self._attended(head, rows) for head in range(len(layer.query))], axis=1)
        attended = self._norm("of_attention", a.linear(heads, layer.output, layer.output_bias))
        stream = self._norm("after_attention", a.add(self._stream[-1][rows[:, -1]], attended))
        if layer.inner:
            stream = a.add(stream, self._norm("of_tokenwise", self._inner(self._norm("before_tokenwise", stream))))
        stream = self._norm("last", self._norm("after_tokenwise", stream))
        scores = a.linear(stream, self.parts.scores, self.parts.bias)
        scores = scores if self.parts.output_cap is None else a.capped(scores, self.parts.output_cap)
        return score_of_each(scores, len(self.answers), self.parts.threshold)

    def _inner(self, rows: Floats) -> Floats:
        a, hidden = self.float_arithmetic, rows
        for place, (weight, bias, activation) in enumerate(self.layer.inner):
            hidden = a.apply(activation, a.linear(hidden, weight, bias))
            if self.layer.up is not None and not place:
                hidden = a.multiply(hidden, a.linear(rows, *self.layer.up))
        return hidden

    def _attended(self, head: int, rows: Array) -> Floats:
        """What a head gives at the last position (batch, head width)."""
        inside, window = self._inside, self.layer.scoring.window or self.length
        places = np.arange(max(0, self.length - window), self.length)
        logits, values = (table[head] for table in self._tables)
        taken = logits[rows[:, -1:], places, rows[:, places]]
        powers = inside.apply("exp", inside.subtract(taken, taken.max(axis=1, keepdims=True)))
        total = inside.add(*powers.T)
        weights = self.float_arithmetic.format.round(inside.divide(powers, total[:, None]))
        pairs = ((weights[:, at, None], values[place][rows[:, place]]) for at, place in enumerate(places.tolist()))
        return self.float_arithmetic.products(*pairs)

    def _norm(self, place: str, rows: Floats) -> Floats:
        if place not in self.layer.norms:
            return rows
        norm, a, round_ = self.layer.norms[place], self._inside, self.float_arithmetic.format.round
        width, columns = a.number(rows.shape[-1]), range(rows.shape[-1])
        centred = rows
        if norm.bias is not None:
            mean = a.divide(a.add(*(rows[..., column] for column in columns)), width)
            centred = a.subtract(rows, mean[..., None])
        squares = a.products(*((centred[..., column], centred[..., column]) for column in columns))
        deviation = a.root(a.add(a.divide(squares, width), a.number(self.parts.epsilon)))[..., None]
        if norm.bias is not None:
            return round_(a.add(a.multiply(a.divide(centred, deviation), norm.gain), norm.bias))
        unit = a.multiply(centred, a.divide(a.number(1), deviation))
        if norm.offset:
            return round_(a.multiply(unit, a.add(a.number(norm.offset), norm.gain)))
        return self.float_arithmetic.multiply(round_(unit), norm.gain)


def _rounded_layer(layer: LayerParts, arithmetic: FloatArithmetic) -> LayerParts:
    """The numbers of a layer in the format; matrices of linear maps as (outputs, inputs)."""
    made: dict[str, Any] = {
        part: np.stack([arithmetic.weights_of(head.T) for head in getattr(layer, part)])
        for part in ("query", "key", "value")
    }
    made["output"] = arithmetic.weights_of(layer.output.T)
    for part in ("query_bias", "key_bias", "value_bias", "output_bias"):
        made[part] = arithmetic.rounded(getattr(layer, part))
    made["inner"] = tuple(
        (arithmetic.weights_of(weight.T), arithmetic.rounded(bias), activation)
        for weight, bias, activation in layer.inner
    )
    if layer.up is not None:
        made["up"] = arithmetic.weights_of(layer.up[0].T), arithmetic.rounded(layer.up[1])
    made["norms"] = {
        place: replace(
            norm,
            gain=arithmetic.rounded(norm.gain),
            bias=None if norm.bias is None else arithmetic.rounded(norm.bias),
        )
        for place, norm in layer.norms.items()
    }
    return replace(layer, **made, scoring=replace(layer.scoring, scale=layer.scale))


def _arrays(parts: AttentionParts) -> list[Array]:
    """Every array of a model of one layer."""
    layer = parts.layers[0]
    found = [value for part in (parts, layer) for value in vars(part).values() if isinstance(value, np.ndarray)]
    found += [array for one in layer.inner for array in one[:2]] + list(layer.up or ())
    return found + [array for norm in layer.norms.values() for array in (norm.gain, norm.bias) if array is not None]
