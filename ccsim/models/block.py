"""Blocks of a transformer: normalisation, attention and tokenwise maps."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from ccsim.arithmetic import Precision, floor_divide, integer_square_root
from ccsim.errors import Array, InputError, require_integer, require_shape
from ccsim.models.affine import Affine, Tokenwise, mantissa_array, random_matrix, saturate
from ccsim.models.attention import AttentionUnit, MultiHeadAttention, Softmax, Weighting, positive_rational

WORD_BOUND = 1 << 62


@dataclass(frozen=True, eq=False)
class LayerNorm:
    """(x - mean) / deviation * gain + bias, with every step rounded down.

    On mantissas x_1..x_m in steps of 1 / s, all divisions rounded down::

        mean      = sum(x) / m                                    in steps of 1 / s
        c_i       = x_i - mean                                    exact
        variance  = sum(c^2) / m + epsilon * s^2                  in steps of 1 / s^2
        deviation = max(1, square root of variance)               in steps of 1 / s
        y_i       = saturate(c_i * s / deviation)
        output_i  = saturate(y_i * gain_i / s + bias_i)

    Attributes:
        precision: of inputs, gains, biases and outputs.
        gain, bias: mantissas, shape (width,).
        epsilon: what is added to the variance, an exact number of at least 0, rounded down to steps of 1 / s^2.

    >>> norm = LayerNorm.from_arrays(Precision.of(8), 2)
    >>> norm(np.array([[0, 64], [5, 5]])).tolist()  # 1 is 32
    [[-32, 32], [0, 0]]
    """

    precision: Precision
    gain: Array
    bias: Array
    epsilon: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        gain = mantissa_array(self.precision, "gain", self.gain, (None,))
        object.__setattr__(self, "gain", gain)
        object.__setattr__(self, "bias", mantissa_array(self.precision, "bias", self.bias, gain.shape))
        epsilon = positive_rational("epsilon", self.epsilon) if self.epsilon else Fraction(0)
        object.__setattr__(self, "epsilon", epsilon)

    @classmethod
    def from_arrays(
        cls, precision: Precision, width: int, gain: Any = None, bias: Any = None, epsilon: Fraction | float = 0
    ) -> LayerNorm:
        """From real numbers, rounded down; no gain means 1, no bias means 0."""
        gains, biases = _row(precision, "gain", gain, 1, width), _row(precision, "bias", bias, 0, width)
        return cls(precision, gains, biases, epsilon)  # type: ignore[arg-type]

    @property
    def parameters(self) -> int:
        """How many gains and biases there are."""
        return int(self.gain.size + self.bias.size)

    def __call__(self, values: Array) -> Array:
        width, scale = len(self.gain), self.precision.scale
        if values.shape[-1:] != (width,):
            raise InputError("values", values.shape, f"an array of shape (..., {width})")
        span = self.precision.high - self.precision.low + 1
        fits = max(width * span**2, span * scale) + int(self.epsilon * scale**2) < WORD_BOUND  # sums of squares
        numbers = values.astype(np.int64).astype(np.int64 if fits else object)
        numbers = numbers - floor_divide(numbers.sum(axis=-1, keepdims=True), width)
        variance = floor_divide((numbers * numbers).sum(axis=-1, keepdims=True), width)
        deviation = np.maximum(integer_square_root(variance + int(self.epsilon * scale**2)), 1)
        unit = self.precision.saturate(floor_divide(numbers * scale, deviation)).astype(numbers.dtype)
        scaled = floor_divide(unit * self.gain, scale) + self.bias
        return self.precision.saturate(scaled).astype(values.dtype, copy=False)


def _row(precision: Precision, argument: str, given: Any, usual: int, width: int) -> Array:
    array = precision.quantise([usual] * require_integer("width", width, low=1) if given is None else given, argument)
    require_shape(argument, array, (width,))
    return array


Where = bool | Literal["before", "after"]


@dataclass(frozen=True)
class Norms:
    """Where a block normalises; each place holds a norm or None.

    With residuals: a = after_attention(x + attention(before_attention(x))), then
    y = last(after_tokenwise(a + tokenwise(before_tokenwise(a)))).
    """

    before_attention: LayerNorm | None = None
    after_attention: LayerNorm | None = None
    before_tokenwise: LayerNorm | None = None
    after_tokenwise: LayerNorm | None = None
    last: LayerNorm | None = None

    @classmethod
    def plain(cls, precision: Precision, width: int, where: Where) -> Norms:
        """Norms of gain 1 (or the nearest below) and bias 0: none, "before" each part or "after" it (True)."""
        if where is False:
            return cls()
        if where is not True and where not in ("before", "after"):
            raise InputError("layer_norm", where, "False, True, 'before' or 'after'")
        one = np.full(width, min(precision.scale, precision.high))
        norm = LayerNorm(precision, one, np.zeros(width, dtype=np.int64))
        if where == "before":
            return cls(before_attention=norm, before_tokenwise=norm)
        return cls(after_attention=norm, after_tokenwise=norm)

    @property
    def all(self) -> tuple[LayerNorm, ...]:
        """Those that are there, in order."""
        places = (self.before_attention, self.after_attention, self.before_tokenwise, self.after_tokenwise, self.last)
        return tuple(norm for norm in places if norm is not None)


@dataclass(frozen=True, eq=False)
class Block:
    """A layer on a stream of vectors (..., N, width) of mantissas.

    Attributes:
        attention: the heads; their outputs side by side go through an affine output map back to the width.
        tokenwise: what is done to each position after it, or None.
        norms: where the stream is normalised.
        residual: whether each part is added to its input (saturating) or takes its place.
    """

    attention: MultiHeadAttention
    tokenwise: Tokenwise | None = None
    norms: Norms = Norms()
    residual: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.residual, bool):
            raise InputError("residual", self.residual, "True or False")
        for unit in self.attention.units:
            for argument, part in (("query", unit.query), ("key", unit.key), ("value", unit.value)):
                if not isinstance(part, Affine) or part.inputs != self.width or unit.input_map is not None:
                    raise InputError(argument, part, f"an affine map of {self.width} inputs and no input map")
        if self.output.inputs != sum(self.head_widths):
            raise InputError("output", self.output.inputs, f"{sum(self.head_widths)} inputs, the heads side by side")
        for norm in self.norms.all:
            if norm.precision != self.precision or len(norm.gain) != self.width:
                raise InputError("norms", norm, f"norms of {self.width} numbers of {self.precision}")
        tokenwise, expected = self.tokenwise, (self.precision, self.width)
        if tokenwise is not None and (tokenwise.precision, tokenwise.width) != expected:
            raise InputError("tokenwise", tokenwise, f"a function of {self.width} numbers of {self.precision}")

    @classmethod
    def from_arrays(
        cls,
        *,
        precision: Precision,
        query: Any,
        key: Any,
        value: Any,
        output: Any,
        tokenwise: Any = None,
        norms: Norms | Where = False,
        residual: bool = True,
        logit_scale: Fraction | int = 1,
        weighting: Weighting | None = None,
    ) -> Block:
        """From real numbers, rounded down to the precision.

        Args:
            precision: of everything.
            query: shape (heads, width, key width).
            key: shape (heads, width, key width).
            value: shape (heads, width, head width).
            output: shape (heads * head width, width), or (heads, head width, width).
            tokenwise: None, a function of int64 mantissas (..., width), or layers (weights, bias, activation).
            norms: see :class:`Norms`.
            residual: whether each part is added to its input.
            logit_scale: an exact factor of the logits.
            weighting: how logits become weights; softmax if None.
        """
        arrays = {}
        for name, given in {"query": query, "key": key, "value": value}.items():
            arrays[name] = precision.quantise(given, name)
            if arrays[name].ndim != 3 or not arrays[name].size:
                raise InputError(name, arrays[name].shape, "an array of shape (heads, width, width of the head)")
        heads, width, key_width = arrays["query"].shape
        for name, size in (("key", key_width), ("value", arrays["value"].shape[2])):
            if arrays[name].shape != (heads, width, size):
                expected = f"an array of shape ({heads}, {width}, {size}), to go with keys and queries"
                raise InputError(name, arrays[name].shape, expected)
        last = precision.quantise(output, "output")
        inputs = heads * arrays["value"].shape[2]
        if last.shape not in ((inputs, width), (heads, arrays["value"].shape[2], width)):
            raise InputError("output", last.shape, f"an array of shape ({inputs}, {width})")
        maps = [[Affine.linear(precision, one) for one in array] for array in arrays.values()]
        factor, rule = positive_rational("logit_scale", logit_scale), weighting or Softmax(precision)
        units = [
            AttentionUnit(precision, query, key, value, logit_scale=factor, weighting=rule)
            for query, key, value in zip(*maps, strict=True)
        ]
        attention = MultiHeadAttention(tuple(units), Affine.linear(precision, last.reshape(inputs, width)))
        place = norms if isinstance(norms, Norms) else Norms.plain(precision, width, norms)
        return cls(attention, Tokenwise.from_arrays(precision, width, tokenwise), place, residual)

    @classmethod
    def random(
        cls,
        *,
        precision: Precision,
        width: int,
        heads: int,
        key_width: int,
        head_width: int,
        hidden: int,
        seed: int | str,
        layer_norm: Where = False,
        activation: str = "relu",
        weighting: Weighting | None = None,
        name: str = "",
    ) -> Block:
        """Weights drawn from a seed; ``hidden`` 0 leaves out the part that follows attention."""

        def maps(part: str, size: int) -> list[Affine]:
            names = [f"{name}{part}/{head}" for head in range(heads)]
            return [Affine.linear(precision, random_matrix(precision, (width, size), width, seed, n)) for n in names]

        parts = maps("query", key_width), maps("key", key_width), maps("value", head_width)
        rule = weighting or Softmax(precision)
        units = [
            AttentionUnit(precision, query, key, value, weighting=rule)
            for query, key, value in zip(*parts, strict=True)
        ]
        inputs = heads * head_width
        output = Affine.linear(precision, random_matrix(precision, (inputs, width), inputs, seed, f"{name}output"))
        tokenwise = Tokenwise.random(precision, width, hidden, seed, activation, name) if hidden else None
        return cls(MultiHeadAttention(tuple(units), output), tokenwise, Norms.plain(precision, width, layer_norm))

    @property
    def precision(self) -> Precision:
        """Of everything."""
        return self.attention.precision

    @property
    def output(self) -> Affine:
        """The map from the heads' outputs, side by side, to the stream."""
        if not isinstance(self.attention.output, Affine):
            raise InputError("output", self.attention.output, "an affine map")
        return self.attention.output

    @property
    def width(self) -> int:
        """How many numbers the stream has at each position."""
        return self.output.outputs

    @property
    def maps(self) -> tuple[tuple[Affine, Affine, Affine], ...]:
        """For each head, the affine maps to queries, keys and values."""
        return tuple((unit.query, unit.key, unit.value) for unit in self.attention.units)  # type: ignore[misc]

    @property
    def head_widths(self) -> tuple[int, ...]:
        """How many numbers the values of each head have."""
        return tuple(value.outputs for _, _, value in self.maps)

    @property
    def parameters(self) -> int:
        """How many numbers the block holds; those of a declared function do not count."""
        heads = sum(part.weights.size for head in self.maps for part in head)
        norms = sum(norm.parameters for norm in self.norms.all)
        return heads + self.output.weights.size + norms + (self.tokenwise.parameters if self.tokenwise else 0)

    @property
    def exact_in_floats(self) -> bool:
        """Whether float64 holds every number after the heads exactly."""
        return self.output.exact_in_floats and (self.tokenwise is None or self.tokenwise.exact_in_floats)

    def attended(self, stream: Array) -> Array:
        """What queries, keys and values are made from: the stream, normalised if the block does that first."""
        return _normed(self.norms.before_attention, stream)

    def finish(self, stream: Array, heads: Array) -> Array:
        """Everything after the heads, from the block's input (..., width) and their outputs (..., heads * head width).

        Both are integers or both float64 arrays of whole numbers, where :attr:`exact_in_floats` holds.
        """
        norms = self.norms
        stream = _normed(norms.after_attention, self._joined(stream, self.output(heads)))
        if self.tokenwise is not None:
            stream = self._joined(stream, self.tokenwise(_normed(norms.before_tokenwise, stream)))
        return _normed(norms.last, _normed(norms.after_tokenwise, stream))

    def _joined(self, stream: Array, part: Array) -> Array:
        return saturate(self.precision, stream + part) if self.residual else part

    def __call__(self, stream: Array, causal: bool, places: Any = slice(None)) -> Array:
        """The stream (batch, N, width) after this block, at all positions or some ``places``, counted from 0.

        ``causal``: position i sees positions 1..i only.
        """
        rows = self.attended(stream)
        asking, allowed = rows[:, places], causal_mask(rows.shape[-2])[places] if causal else None
        heads = [
            unit.attend(unit.queries(asking), unit.keys(rows), unit.values_from(rows), allowed)
            for unit in self.attention.units
        ]
        return self.finish(stream[:, places], np.concatenate(heads, axis=-1))


def causal_mask(length: int) -> Array:
    return np.tri(length, dtype=bool)


def _normed(norm: LayerNorm | None, stream: Array) -> Array:
    return stream if norm is None else norm(stream)
