"""Float64 models, as an ordinary forward pass, and their numbers rounded down once to those of a model of p bits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, prod, sqrt
from typing import Any

import numpy as np

from ccsim.arithmetic import FUNCTIONS, Precision, float_product
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.affine import Affine, Dense, Tokenwise
from ccsim.models.attention import AttentionUnit, MultiHeadAttention
from ccsim.models.files.description import Description
from ccsim.models.files.layouts import AttentionParts, RecurrentParts
from ccsim.models.float_functions import FLOAT_FUNCTIONS
from ccsim.models.model import SequenceModel, largest_score, score_of_each
from ccsim.models.recurrent import (
    GRU,
    LSTM,
    DiagonalLayer,
    DiagonalStateSpace,
    Elman,
    ElmanLayer,
    GRULayer,
    LinearAttention,
    LinearAttentionLayer,
    LSTMLayer,
    SelectiveLayer,
    SelectiveStateSpace,
)
from ccsim.models.transformer import Block, LayerNorm, Norms, OneLayerTransformer


class Double:
    """Float64 as NumPy computes it: what models are compared with. It decides nothing."""

    def number(self, value: float) -> Any:
        """As it is."""
        return np.float64(value)

    def add(self, first: Array, *rest: Array) -> Array:
        """The sum."""
        return np.asarray(sum(rest, first))

    def subtract(self, first: Array, second: Array) -> Array:
        """The difference."""
        return np.asarray(first - second)

    def multiply(self, first: Array, second: Array) -> Array:
        """The product."""
        return np.asarray(first * second)

    def divide(self, first: Array, second: Array) -> Array:
        """The quotient; by 0 it is 0."""
        return np.asarray(np.where(second == 0, 0, first / np.where(second == 0, 1, second)))

    def linear(self, inputs: Array, weights: Array, bias: Array | None = None) -> Array:
        """The product of matrices, and the bias."""
        product = float_product(inputs, weights.T)
        return np.asarray(product if bias is None else product + bias)

    def products(self, *pairs: tuple[Array, Array]) -> Array:
        """The sum of the products."""
        return np.asarray(sum(first * second for first, second in pairs))

    def apply(self, name: str, values: Array) -> Array:
        """As NumPy and SciPy have it."""
        return FLOAT_FUNCTIONS[name](values)


State = tuple[Array, ...]
"""What a layer carries: arrays with an axis for the words in front."""

Layer = Mapping[str, Any]
"""Arrays, and settings, which are plain numbers and texts."""


@dataclass(frozen=True)
class Kind:
    """An architecture.

    Attributes:
        shapes: what a layer carries for one word.
        step: from arithmetic, layer, activation, state and inputs to the next state and the outputs.
    """

    shapes: Callable[[Layer], tuple[tuple[int, ...], ...]]
    step: Callable[[Double, Layer, str | None, State, Array], tuple[State, Array]]


def real_parts(layer: Layer) -> Layer:
    """The same arrays; if one of a diagonal recurrence is complex, all have an axis of real and imaginary parts."""
    if "transition" not in layer:
        return layer
    names = ("transition", "drive", "read")
    is_complex = any(np.iscomplexobj(layer[name]) for name in names)
    parts = {name: np.stack([layer[name].real, layer[name].imag][: 1 + is_complex]) for name in names}
    return {**layer, **parts}


def _gates(a: Double, layer: Layer, h: Array, x: Array) -> tuple[Array, Array]:
    return (
        a.linear(x, layer["weight_ih"], layer["bias_ih"]),
        a.linear(h, layer["weight_hh"], layer["bias_hh"]),
    )


def _hidden(layer: Layer) -> tuple[int]:
    return (int(layer["weight_hh"].shape[1]),)


def _elman(a: Double, layer: Layer, activation: str | None, state: State, x: Array) -> tuple[State, Array]:
    h = a.apply(activation or "tanh", a.add(*_gates(a, layer, state[0], x)))
    return (h,), h


def _lstm(a: Double, layer: Layer, activation: str | None, state: State, x: Array) -> tuple[State, Array]:
    h, c = state
    arguments = np.split(a.add(*_gates(a, layer, h, x)), 4, axis=1)
    names = ("sigmoid", "sigmoid", "tanh", "sigmoid")
    i, f, g, o = (a.apply(name, one) for name, one in zip(names, arguments, strict=True))
    c = a.add(a.multiply(f, c), a.multiply(i, g))
    h = a.multiply(o, a.apply("tanh", c))
    return (h, c), h


def _gru(a: Double, layer: Layer, activation: str | None, state: State, x: Array) -> tuple[State, Array]:
    (h,) = state
    inner, hidden = (np.split(part, 3, axis=1) for part in _gates(a, layer, h, x))
    r, z = (a.apply("sigmoid", a.add(inner[part], hidden[part])) for part in range(2))
    n = a.apply("tanh", a.add(inner[2], a.multiply(r, hidden[2])))
    h = a.add(a.multiply(a.subtract(a.number(1), z), n), a.multiply(z, h))
    return (h,), h


def _diagonal(a: Double, layer: Layer, activation: str | None, state: State, x: Array) -> tuple[State, Array]:
    u, (s,) = x[:, :, None], state
    transition, drive, read = (layer[name] for name in ("transition", "drive", "read"))
    if len(transition) == 1:
        after = a.products((transition[0], s[:, 0]), (drive[0], u))[:, None]
    else:
        real, imaginary = s[:, 0], s[:, 1]
        re = a.products((transition[0], real), (-transition[1], imaginary), (drive[0], u))
        im = a.products((transition[1], real), (transition[0], imaginary), (drive[1], u))
        after = np.stack([re, im], axis=1)
    signs, places = (1, -1)[: len(transition)], range(read.shape[2])
    terms = [(sign * read[part, :, n], after[:, part, :, n]) for part, sign in enumerate(signs) for n in places]
    y = a.apply(activation or "gelu", a.products(*terms, (layer["skip"], x)))
    return (after,), a.linear(y, layer["mixing"], layer["mixing_bias"])


def _mamba(a: Double, layer: Layer, activation: str | None, state: State, x: Array) -> tuple[State, Array]:
    carried, s = state
    inner, gate = np.split(a.linear(x, layer["entrance"]), 2, axis=1)
    held = np.concatenate([carried, inner[:, None]], axis=1)
    window = [(held[:, place], layer["kernel"][:, place]) for place in range(held.shape[1])]
    u = a.apply("silu", a.products(*window, (layer["kernel_bias"], a.number(1))))
    delta = a.apply("softplus", a.linear(u, layer["steps"], layer["steps_bias"]))
    kept = a.apply("exp", a.multiply(delta[:, :, None], layer["decay"]))
    driven = a.multiply(a.linear(u, layer["drive"])[:, None, :], a.multiply(delta, u)[:, :, None])
    s = a.add(a.multiply(kept, s), driven)
    read = a.linear(u, layer["read"])
    y = a.products(*((s[:, :, n], read[:, n, None]) for n in range(s.shape[2])), (layer["skip"], u))
    return (held[:, 1:], s), a.linear(a.multiply(y, a.apply("silu", gate)), layer["output"])


def _linear_attention(a: Double, layer: Layer, activation: str | None, state: State, x: Array) -> tuple[State, Array]:
    query, key, value = (a.linear(x, layer[name], layer[f"{name}_bias"]) for name in ("queries", "keys", "values"))
    query, key = (a.apply(activation or "elu_plus_one", part) for part in (query, key))
    sums = a.add(state[0], a.multiply(key[:, :, None], value[:, None, :]))
    total = a.add(state[1], key)
    over = a.products(*((total[:, k], query[:, k]) for k in range(key.shape[1])))
    mixed = a.products(*((query[:, k, None], sums[:, k]) for k in range(key.shape[1])))
    return (sums, total), a.linear(a.divide(mixed, over[:, None]), layer["output"], layer["output_bias"])


def _matrix(layer: Layer) -> tuple[int, int]:
    return len(layer["keys"]), len(layer["values"])


def _window(layer: Layer) -> tuple[int, int]:
    channels, positions = layer["kernel"].shape
    return positions - 1, channels


KINDS: Mapping[str, Kind] = {
    "elman": Kind(lambda layer: (_hidden(layer),), _elman),
    "lstm": Kind(lambda layer: (_hidden(layer),) * 2, _lstm),
    "gru": Kind(lambda layer: (_hidden(layer),), _gru),
    "diagonal": Kind(lambda layer: (layer["transition"].shape,), _diagonal),
    "mamba": Kind(lambda layer: (_window(layer), layer["decay"].shape), _mamba),
    "linear-attention": Kind(lambda layer: (_matrix(layer), _matrix(layer)[:1]), _linear_attention),
}
"""By the names of :data:`~ccsim.models.files.ARCHITECTURES`."""


def numbers_carried(parts: RecurrentParts) -> int:
    """How many numbers a recurrent model carries from step to step, all layers."""
    kind = KINDS[parts.kind]
    return sum(prod(shape) for layer in parts.layers for shape in kind.shapes(real_parts(layer)))


def attention_scores(parts: AttentionParts, words: Array) -> Array:
    """The read-out (batch, answers) at the last position of words of ranks (batch, N)."""
    stream = parts.tokens[words] + parts.positions
    rows = _normed(parts, "before_attention", stream)
    query = np.einsum("bm,hmd->bhd", rows[:, -1], parts.query) + parts.query_bias
    key, value = (
        np.einsum("bnm,hmd->bhnd", rows, matrix) + bias[:, None]
        for matrix, bias in ((parts.key, parts.key_bias), (parts.value, parts.value_bias))
    )
    logits = np.einsum("bhd,bhnd->bhn", query, key) * (1 / sqrt(parts.query.shape[2]))
    weights = np.exp(logits - logits.max(axis=2, keepdims=True))
    weights /= weights.sum(axis=2, keepdims=True)
    heads = np.einsum("bhn,bhnd->bhd", weights, value).reshape(len(rows), -1)
    last = _normed(parts, "after_attention", stream[:, -1] + (heads @ parts.output + parts.output_bias))
    if parts.inner:
        hidden = _normed(parts, "before_tokenwise", last)
        for weight, bias, activation in parts.inner:
            hidden = FLOAT_FUNCTIONS[activation](hidden @ weight + bias)
        last = last + hidden
    return np.asarray(_normed(parts, "last", _normed(parts, "after_tokenwise", last)) @ parts.scores + parts.bias)


def _normed(parts: AttentionParts, place: str, rows: Array) -> Array:
    if place not in parts.norms:
        return rows
    gain, bias = parts.norms[place]
    centred = rows - rows.mean(axis=-1, keepdims=True)
    scaled = centred / np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + parts.epsilon)
    return np.asarray(scaled * gain + bias)


DOUBLE = Double()


def float_scores(parts: RecurrentParts | AttentionParts, words: Array) -> Array:
    """The read-out (batch, answers), or one score of two answers, of words of ranks (batch, N), in float64."""
    with np.errstate(all="ignore"):  # what is beyond the range is infinite or NaN, and no warning
        return attention_scores(parts, words) if isinstance(parts, AttentionParts) else _recurrent_scores(parts, words)


def float_codes(parts: RecurrentParts | AttentionParts, words: Array, answers: int) -> Array:
    """The answer codes (batch,) of words of ranks (batch, N), so many answers being possible."""
    return largest_score(score_of_each(float_scores(parts, words), answers, parts.threshold))


def _recurrent_scores(parts: RecurrentParts, words: Array) -> Array:
    kind, layers = KINDS[parts.kind], [real_parts(layer) for layer in parts.layers]
    states = [tuple(np.zeros((len(words), *shape)) for shape in kind.shapes(layer)) for layer in layers]
    numbers = np.zeros((len(words), parts.embedding.shape[1]))
    for position in range(words.shape[1]):
        numbers = parts.embedding[words[:, position]]
        for place, layer in enumerate(layers):
            states[place], outputs = kind.step(DOUBLE, layer, parts.activation, states[place], numbers)
            numbers = numbers + outputs if parts.residual else outputs
    return np.asarray(numbers @ parts.scores.T + parts.bias)


SQUARE_BITS = 32


class Quantiser:
    """Rounds arrays down to a precision.

    Attributes:
        saturated: how many numbers were out of range and were moved to its end.
    """

    def __init__(self, precision: Precision, saturate: bool) -> None:
        self.precision, self.saturate, self.saturated = precision, saturate, 0

    def mantissas(self, name: str, values: Array) -> Array:
        """Mantissas; numbers out of range are errors, or are moved and counted."""
        if not self.saturate:
            return self.precision.quantise(values, name)
        self.saturated += int(self.out_of_range(values).sum())
        return self.precision.quantise(values, name, saturate=True)

    def out_of_range(self, values: Array) -> Array:
        """Which numbers are too small or too large."""
        low = Fraction(self.precision.low, self.precision.scale)
        high = Fraction(self.precision.high + 1, self.precision.scale)
        return np.asarray((values < float(low)) | (values >= float(high)))

    def numbers(self, name: str, values: Array) -> Array:
        """Real numbers that the precision holds exactly, so that quantising them again changes nothing."""
        if np.iscomplexobj(values):
            real, imaginary = self.numbers(name, values.real), self.numbers(name, values.imag)
            return np.asarray(real + 1j * imaginary)
        mantissas = self.mantissas(name, values)
        scale = self.precision.scale
        if scale & (scale - 1) == 0 and self.precision.bits <= 53:
            return self.precision.floats(mantissas)
        return self.precision.fractions(mantissas)

    def linear(self, name: str, weights: Array, bias: Array) -> Affine:
        """An affine map from weights (inputs, outputs) and a bias."""
        return Affine(self.precision, self.mantissas(name, weights), self.mantissas(f"bias of {name}", bias))


def quantised_model(
    parts: RecurrentParts | AttentionParts, description: Description, quantiser: Quantiser, name: str
) -> SequenceModel:
    """The model of these parts in the precision of the quantiser.

    Raises :class:`~ccsim.errors.InputError` for numbers that the precision does not hold, unless they are to be moved;
    it names the tensor and says how many bits would do.
    """
    activation = parts.activation if isinstance(parts, RecurrentParts) else None
    if activation is not None and activation not in FUNCTIONS:
        raise InputError("activation", activation, f"one of {', '.join(FUNCTIONS)}")
    if isinstance(parts, AttentionParts):
        return _transformer(parts, description, quantiser, name)
    return _recurrent(parts, description, quantiser, name)


def _recurrent(parts: RecurrentParts, description: Description, quantiser: Quantiser, name: str) -> SequenceModel:
    precision, answers = quantiser.precision, len(description.answers)
    layers = [
        {
            part: quantiser.numbers(f"{part} of layer {place}", array) if isinstance(array, np.ndarray) else array
            for part, array in layer.items()
        }
        for place, layer in enumerate(parts.layers)
    ]
    if parts.kind in ("elman", "lstm"):
        layers = [_moved_together(*pair, quantiser) for pair in zip(parts.layers, layers, strict=True)]
    model, layer_kind, options = _KINDS[parts.kind]
    given = {"memory": description.memory, "activation": parts.activation, "feature": parts.activation}
    chosen = {name: given[name] for name in options}
    made = [layer_kind.from_arrays(precision, **layer, **chosen) for layer in layers]
    built: SequenceModel = model.from_arrays(
        description.alphabet,
        precision=precision,
        embedding=quantiser.numbers("embedding", parts.embedding),
        layers=made,
        scores=quantiser.numbers("read-out", score_of_each(parts.scores.T, answers).T),
        scores_bias=quantiser.numbers("bias of read-out", score_of_each(parts.bias, answers, parts.threshold)),
        answers=description.answers,
        residual=parts.residual,
        name=name,
    )
    return built


def _moved_together(given: Mapping[str, Any], layer: dict[str, Any], quantiser: Quantiser) -> dict[str, Any]:
    """A layer whose two biases are added: where the sum is out of range, the second one moves it to the end of that.

    It is counted unless it was moved already, as it was ``given``.
    """
    first, second = layer.get("bias_ih"), layer.get("bias_hh")
    if not quantiser.saturate or first is None or second is None:
        return layer
    precision, total = quantiser.precision, first + second
    low, high = Fraction(precision.low, precision.scale), Fraction(precision.high, precision.scale)
    ends: tuple[Any, Any] = (float(low), float(high)) if total.dtype.kind == "f" else (low, high)
    moved = np.minimum(np.maximum(total, ends[0]), ends[1])
    quantiser.saturated += int(((moved != total) & ~quantiser.out_of_range(given["bias_hh"])).sum())
    return {**layer, "bias_hh": moved - first}


_KINDS: dict[str, tuple[Any, Any, tuple[str, ...]]] = {
    "elman": (Elman, ElmanLayer, ("activation",)),
    "lstm": (LSTM, LSTMLayer, ("memory",)),
    "gru": (GRU, GRULayer, ()),
    "diagonal": (DiagonalStateSpace, DiagonalLayer, ("memory", "activation")),
    "mamba": (SelectiveStateSpace, SelectiveLayer, ("memory",)),
    "linear-attention": (LinearAttention, LinearAttentionLayer, ("memory", "feature")),
}
"""For each architecture the model, its layers, and which options these take."""


def logit_scale(key_width: int) -> Fraction:
    """1 / sqrt(key width), exact if that is rational, else rounded down to steps of 2^-32.

    >>> logit_scale(16), logit_scale(8) ** 2 <= Fraction(1, 8)
    (Fraction(1, 4), True)
    """
    root = isqrt(key_width)
    if root * root == key_width:
        return Fraction(1, root)
    return Fraction(isqrt((1 << 2 * SQUARE_BITS) // key_width), 1 << SQUARE_BITS)


def _transformer(parts: AttentionParts, description: Description, quantiser: Quantiser, name: str) -> SequenceModel:
    precision, factor, answers = quantiser.precision, logit_scale(parts.query.shape[2]), len(description.answers)
    maps = [
        [quantiser.linear(f"{what} of head {head}", *pair) for head, pair in enumerate(zip(*pairs, strict=True))]
        for what, pairs in (
            ("queries", (parts.query, parts.query_bias)),
            ("keys", (parts.key, parts.key_bias)),
            ("values", (parts.value, parts.value_bias)),
        )
    ]
    units = [AttentionUnit(precision, q, k, v, logit_scale=factor) for q, k, v in zip(*maps, strict=True)]
    output = quantiser.linear("output of the heads", parts.output, parts.output_bias)
    norms = {
        place: LayerNorm(
            precision,
            quantiser.mantissas(f"gain of the norm {place}", gain),
            quantiser.mantissas(f"bias of the norm {place}", bias),
            Fraction(parts.epsilon),
        )
        for place, (gain, bias) in parts.norms.items()
    }
    inner = tuple(
        Dense(quantiser.linear(f"inner layer {place}", weight, bias), activation)
        for place, (weight, bias, activation) in enumerate(parts.inner)
    )
    tokenwise = Tokenwise(precision, parts.output.shape[1], inner) if inner else None
    return OneLayerTransformer(
        name=name,
        alphabet=description.alphabet,
        answers=description.answers,
        token_embedding=quantiser.mantissas("token embedding", parts.tokens),
        position_embedding=quantiser.mantissas("position embedding", parts.positions),
        block=Block(MultiHeadAttention(tuple(units), output), tokenwise, Norms(**norms)),
        read_out=quantiser.linear(
            "read-out", score_of_each(parts.scores, answers), score_of_each(parts.bias, answers, parts.threshold)
        ),
    )
