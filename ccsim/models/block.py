"""Blocks of a transformer: normalisation, attention and tokenwise maps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from ccsim.arithmetic import Precision, floor_divide, integer_square_root
from ccsim.errors import Array, InputError, require_integer, require_shape
from ccsim.models.affine import Affine, Tokenwise, mantissa_array, random_matrix, saturate
from ccsim.models.attention import AttentionUnit, MultiHeadAttention, Softmax, Weighting, positive_rational

WORD_BOUND = 1 << 62


class _Norm:
    precision: Precision
    gain: Array
    bias: Array | None = None
    epsilon: Fraction

    def __post_init__(self) -> None:
        gain = mantissa_array(self.precision, "gain", self.gain, (None,))
        object.__setattr__(self, "gain", gain)
        if self.bias is not None:
            object.__setattr__(self, "bias", mantissa_array(self.precision, "bias", self.bias, gain.shape))
        epsilon = positive_rational("epsilon", self.epsilon) if self.epsilon else Fraction(0)
        object.__setattr__(self, "epsilon", epsilon)

    @property
    def parameters(self) -> int:
        return int(self.gain.size) * (1 if self.bias is None else 2)

    def __call__(self, values: Array) -> Array:
        width, scale = len(self.gain), self.precision.scale
        if values.shape[-1:] != (width,):
            raise InputError("values", values.shape, f"an array of shape (..., {width})")
        span = self.precision.high - self.precision.low + 1
        fits = max(width * span**2, span * scale) + int(self.epsilon * scale**2) < WORD_BOUND  # sums of squares
        numbers = values.astype(np.int64).astype(np.int64 if fits else object)
        if self.bias is not None:
            numbers = numbers - floor_divide(numbers.sum(axis=-1, keepdims=True), width)
        square = floor_divide((numbers * numbers).sum(axis=-1, keepdims=True), width)
        root = np.maximum(integer_square_root(square + int(self.epsilon * scale**2)), 1)
        unit = self.precision.saturate(floor_divide(numbers * scale, root)).astype(numbers.dtype)
        scaled = floor_divide(unit * self.gain, scale)
        scaled = scaled if self.bias is None else scaled + self.bias
        return self.precision.saturate(scaled).astype(values.dtype, copy=False)


def _row(precision: Precision, argument: str, given: Any, usual: int, width: int) -> Array:
    array = precision.quantise([usual] * require_integer("width", width, low=1) if given is None else given, argument)
    require_shape(argument, array, (width,))
    return array


@dataclass(frozen=True, eq=False)
class LayerNorm(_Norm):
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

    @classmethod
    def from_arrays(
        cls, precision: Precision, width: int, gain: Any = None, bias: Any = None, epsilon: Fraction | float = 0
    ) -> LayerNorm:
        """From real numbers, rounded down; no gain means 1, no bias means 0."""
        gains, biases = _row(precision, "gain", gain, 1, width), _row(precision, "bias", bias, 0, width)
        return cls(precision, gains, biases, epsilon)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class RMSNorm(_Norm):
    """x / root mean square * gain, with every step rounded down (Zhang and Sennrich 2019; LLaMA, Mistral, Gemma).

    It is :class:`LayerNorm` without the mean and without a bias::

        square    = sum(x^2) / m + epsilon * s^2                  in steps of 1 / s^2
        root      = max(1, square root of square)                 in steps of 1 / s
        output_i  = saturate(saturate(x_i * s / root) * gain_i / s)

    Args:
        precision: of its arithmetic, a :class:`~ccsim.arithmetic.Precision`.
        gain: mantissas, shape (m,).
        epsilon: a fraction of at least 0.

    >>> norm = RMSNorm.from_arrays(Precision.of(8), 2)
    >>> norm(np.array([[0, 64], [5, 5]])).tolist()  # 1 is 32; the root of the first is 45
    [[0, 45], [32, 32]]
    """

    precision: Precision
    gain: Array
    epsilon: Fraction = Fraction(0)

    @classmethod
    def from_arrays(cls, precision: Precision, width: int, gain: Any = None, epsilon: Fraction | float = 0) -> RMSNorm:
        """From real numbers, rounded down; no gain means 1."""
        return cls(precision, _row(precision, "gain", gain, 1, width), epsilon)  # type: ignore[arg-type]


Norm = LayerNorm | RMSNorm
Where = bool | Literal["before", "after", "rms-before"]


@dataclass(frozen=True)
class Norms:
    """Where a block normalises; each place holds a norm or None.

    With residuals: a = after_attention(x + attention(before_attention(x))), then
    y = last(after_tokenwise(a + tokenwise(before_tokenwise(a)))).
    """

    before_attention: Norm | None = None
    after_attention: Norm | None = None
    before_tokenwise: Norm | None = None
    after_tokenwise: Norm | None = None
    last: Norm | None = None

    @classmethod
    def plain(cls, precision: Precision, width: int, where: Where) -> Norms:
        """Norms of gain 1 (as near as the precision has it) and bias 0: none, "before" each part or "after" it (True).

        "rms-before" are norms by root mean squares, and one more at the end, as in LLaMA.
        """
        if where is False:
            return cls()
        if where is not True and where not in ("before", "after", "rms-before"):
            raise InputError("layer_norm", where, "False, True, 'before', 'after' or 'rms-before'")
        one = np.full(width, min(precision.scale, precision.high))
        if where == "rms-before":
            root = RMSNorm(precision, one)
            return cls(before_attention=root, before_tokenwise=root, last=root)
        norm = LayerNorm(precision, one, np.zeros(width, dtype=np.int64))
        if where == "before":
            return cls(before_attention=norm, before_tokenwise=norm)
        return cls(after_attention=norm, after_tokenwise=norm)

    @property
    def all(self) -> tuple[Norm, ...]:
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
        if self.attention.combine != "concatenate" or self.output.inputs != sum(self.head_widths):
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
            key: shape (key heads, width, key width): a divisor of the heads, of which as many, one after the other,
                share a key and a value (grouped queries, Ainslie et al. 2023; one of each for all is multi-query).
            value: shape (key heads, width, head width).
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
        shared = len(arrays["key"])
        if heads % shared:
            raise InputError("key", shared, f"a divisor of the {heads} heads of the queries")
        for name, size in (("key", key_width), ("value", arrays["value"].shape[2])):
            if arrays[name].shape != (shared, width, size):
                expected = f"an array of shape ({shared}, {width}, {size}), to go with keys and queries"
                raise InputError(name, arrays[name].shape, expected)
        last = precision.quantise(output, "output")
        inputs = heads * arrays["value"].shape[2]
        if last.shape not in ((inputs, width), (heads, arrays["value"].shape[2], width)):
            raise InputError("output", last.shape, f"an array of shape ({inputs}, {width})")
        queries, keys, values = ([Affine.linear(precision, one) for one in array] for array in arrays.values())
        factor, rule = positive_rational("logit_scale", logit_scale), weighting or Softmax(precision)
        units = _grouped(queries, keys, values, logit_scale=factor, weighting=rule)
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
        key_heads: int | None = None,
        gated: bool = False,
    ) -> Block:
        """Weights drawn from a seed; ``hidden`` 0 leaves out the part that follows attention.

        So many ``key_heads``, a divisor of the heads, are shared by these; with ``gated``, the part that follows
        attention is a gated one (SwiGLU with the activation ``silu``).
        """
        shared = heads if key_heads is None else require_integer("key_heads", key_heads, low=1, high=heads)
        if heads % shared:
            raise InputError("key_heads", shared, f"a divisor of {heads} heads")

        def maps(part: str, count: int, size: int) -> list[Affine]:
            names = [f"{name}{part}/{head}" for head in range(count)]
            return [Affine.linear(precision, random_matrix(precision, (width, size), width, seed, n)) for n in names]

        queries, keys = maps("query", heads, key_width), maps("key", shared, key_width)
        values = maps("value", shared, head_width)
        units = _grouped(queries, keys, values, weighting=weighting or Softmax(precision))
        inputs = heads * head_width
        output = Affine.linear(precision, random_matrix(precision, (inputs, width), inputs, seed, f"{name}output"))
        tokenwise = Tokenwise.random(precision, width, hidden, seed, activation, name, gated) if hidden else None
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
        """How many numbers the block holds, shared keys and values once; those of a declared function do not count."""
        different = {id(part): part for head in self.maps for part in head}
        heads = sum(part.weights.size for part in different.values())
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


def _grouped(
    queries: Sequence[Affine], keys: Sequence[Affine], values: Sequence[Affine], **options: Any
) -> list[AttentionUnit]:
    groups = [head * len(keys) // len(queries) for head in range(len(queries))]
    return [
        AttentionUnit(query.precision, query, keys[group], values[group], **options)
        for query, group in zip(queries, groups, strict=True)
    ]


def _normed(norm: Norm | None, stream: Array) -> Array:
    return stream if norm is None else norm(stream)
