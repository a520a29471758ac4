"""From float64 arrays to a model of p bits: every number rounded down once, and counted if it had to be moved."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np

from ccsim.arithmetic import FUNCTIONS, Precision
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.affine import Affine
from ccsim.models.attention import AttentionUnit, MultiHeadAttention
from ccsim.models.files.description import Description
from ccsim.models.files.parts import AttentionParts, LayerParts, NormParts, RecurrentParts
from ccsim.models.model import SequenceModel, score_of_each
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
from ccsim.models.tokenwise import Dense, Tokenwise
from ccsim.models.transformer import Block, LayerNorm, Norms, OneLayerTransformer

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
    answers = len(description.answers)
    return OneLayerTransformer.of_blocks(
        (_block(parts.layer, parts.epsilon, quantiser),),
        name=name,
        alphabet=description.alphabet,
        answers=description.answers,
        token_embedding=quantiser.mantissas("token embedding", parts.tokens),
        position_embedding=quantiser.mantissas("position embedding", parts.positions),
        read_out=quantiser.linear(
            "read-out", score_of_each(parts.scores, answers), score_of_each(parts.bias, answers, parts.threshold)
        ),
    )


def _block(layer: LayerParts, epsilon: float, quantiser: Quantiser) -> Block:
    precision, factor = quantiser.precision, logit_scale(layer.query.shape[2])
    queries, keys, values = (
        [quantiser.linear(f"{what} of head {head}", *pair) for head, pair in enumerate(zip(*pairs, strict=True))]
        for what, pairs in (
            ("queries", (layer.query, layer.query_bias)),
            ("keys", (layer.key, layer.key_bias)),
            ("values", (layer.value, layer.value_bias)),
        )
    )
    units = [AttentionUnit(precision, *maps, logit_scale=factor) for maps in zip(queries, keys, values, strict=True)]
    output = quantiser.linear("output of the heads", layer.output, layer.output_bias)
    norms = {place: _norm(norm, place, epsilon, quantiser) for place, norm in layer.norms.items()}
    inner = tuple(
        Dense(quantiser.linear(f"inner layer {place}", weight, bias), activation)
        for place, (weight, bias, activation) in enumerate(layer.inner)
    )
    tokenwise = Tokenwise(precision, layer.output.shape[1], inner) if inner else None
    return Block(MultiHeadAttention(tuple(units), output), tokenwise, Norms(**norms))


def _norm(norm: NormParts, which: str, epsilon: float, quantiser: Quantiser) -> LayerNorm:
    gain = quantiser.mantissas(f"gain of the norm {which}", norm.gain)
    bias = quantiser.mantissas(f"bias of the norm {which}", norm.bias)
    return LayerNorm(quantiser.precision, gain, bias, Fraction(epsilon))
