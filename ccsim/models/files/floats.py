"""Float64 models, as an ordinary forward pass, and their numbers rounded down once to those of a model of p bits."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import isqrt, sqrt
from typing import Any

import numpy as np

from ccsim.arithmetic import FUNCTIONS, Precision
from ccsim.errors import Array, InputError
from ccsim.models.affine import Affine, Dense, Tokenwise
from ccsim.models.attention import AttentionUnit, MultiHeadAttention
from ccsim.models.files.description import Description
from ccsim.models.files.layouts import AttentionParts, RecurrentParts
from ccsim.models.model import SequenceModel, largest_score, score_of_each
from ccsim.models.reals import FLOAT_FUNCTIONS, REAL
from ccsim.models.recurrent import (
    GRU,
    LSTM,
    DiagonalStateSpace,
    Elman,
    LinearAttention,
    RecurrentStack,
    SelectiveStateSpace,
)
from ccsim.models.transformer import Block, LayerNorm, Norms, OneLayerTransformer


def carried(parts: RecurrentParts) -> int:
    """How many numbers of its states a recurrent model may carry beyond those of its weights."""
    return sum(len(layer["keys"]) * (1 + len(layer["values"])) for layer in parts.layers if "keys" in layer)


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


def float_scores(parts: RecurrentParts | AttentionParts, words: Array) -> Array:
    """The read-out (batch, answers), or one score of two answers, of words of ranks (batch, N), in float64."""
    with np.errstate(all="ignore"):  # what is beyond the range is infinite or NaN, and no warning
        return attention_scores(parts, words) if isinstance(parts, AttentionParts) else _recurrent_scores(parts, words)


def float_codes(parts: RecurrentParts | AttentionParts, words: Array, answers: int) -> Array:
    """The answer codes (batch,) of words of ranks (batch, N), so many answers being possible."""
    return largest_score(score_of_each(float_scores(parts, words), answers, parts.threshold))


def _recurrent_scores(parts: RecurrentParts, words: Array) -> Array:
    model = _stack(parts, REAL, range(len(parts.embedding)), range(len(parts.bias)))
    states = REAL.quantise(np.repeat(model.start()[None], len(words), axis=0))
    outputs = np.zeros((len(words), 0))
    for symbols in words.T:
        states, outputs = model._pass(states, symbols)
    return np.asarray(model.scores(outputs))


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
    answers = len(description.answers)
    layers = [
        {part: quantiser.numbers(f"{part} of layer {place}", array) for part, array in layer.items()}
        for place, layer in enumerate(parts.layers)
    ]
    if parts.kind in ("elman", "lstm"):
        layers = [_moved_together(*pair, quantiser) for pair in zip(parts.layers, layers, strict=True)]
    rounded = replace(
        parts,
        embedding=quantiser.numbers("embedding", parts.embedding),
        layers=tuple(layers),
        scores=quantiser.numbers("read-out", score_of_each(parts.scores.T, answers).T),
        bias=quantiser.numbers("bias of read-out", score_of_each(parts.bias, answers, parts.threshold)),
    )
    symbols = description.alphabet
    return _stack(rounded, quantiser.precision, symbols, description.answers, description.memory, name)


def _stack(
    parts: RecurrentParts,
    precision: Precision,
    alphabet: Iterable[Hashable],
    answers: Iterable[Hashable],
    memory: int | None = None,
    name: str = "float64",
) -> RecurrentStack:
    """The model of these numbers, in fixed point or in :data:`~ccsim.models.reals.REAL`."""
    model = _KINDS[parts.kind]
    given = {"memory": memory, "activation": parts.activation, "feature": parts.activation}
    chosen = {option: given[option] for option in model.layer_kind.options()}
    built: RecurrentStack = model.from_arrays(
        alphabet,
        precision=precision,
        embedding=parts.embedding,
        layers=[model.layer_kind.from_arrays(precision, **layer, **chosen) for layer in parts.layers],
        scores=parts.scores,
        scores_bias=parts.bias,
        answers=answers,
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


_KINDS: Mapping[str, type[RecurrentStack]] = {
    "elman": Elman,
    "lstm": LSTM,
    "gru": GRU,
    "diagonal": DiagonalStateSpace,
    "mamba": SelectiveStateSpace,
    "linear-attention": LinearAttention,
}
"""The model of each architecture."""


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
