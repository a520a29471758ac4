"""From float64 arrays to a model of p bits: every number rounded down once, and counted if it had to be moved."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np

from ccsim.arithmetic import FUNCTIONS, Precision
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.affine import Affine
from ccsim.models.attention import AttentionUnit, MultiHeadAttention
from ccsim.models.blocks import BlockLayer
from ccsim.models.files.description import Description
from ccsim.models.files.parts import AttentionParts, RecurrentParts
from ccsim.models.model import SequenceModel
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
    RecurrentStack,
    RetentionLayer,
    RetNet,
    SelectiveLayer,
    SelectiveStateSpace,
)
from ccsim.models.tokenwise import Dense, Tokenwise
from ccsim.models.transformer import Block, LayerNorm, Norms, OneLayerTransformer

__all__ = ["Quantiser", "logit_scale", "quantised_model"]

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
        low = Fraction(self.precision.low, self.precision.scale)
        high = Fraction(self.precision.high + 1, self.precision.scale)
        self.saturated += int(((values < float(low)) | (values >= float(high))).sum())
        return self.precision.quantise(values, name, saturate=True)

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
    precision = quantiser.precision
    layers = [
        {
            part: quantiser.numbers(f"{part} of layer {place}", array) if isinstance(array, np.ndarray) else array
            for part, array in layer.items()
        }
        for place, layer in enumerate(parts.layers)
    ]
    model, layer_kind, options = _KINDS[parts.kind]
    given = {"memory": description.memory, "activation": parts.activation, "feature": parts.activation}
    chosen = {name: given[name] for name in options}
    if parts.kind == "blocks":
        made = [layer_kind.from_arrays(precision, layer, **chosen) for layer in layers]
    else:
        made = [layer_kind.from_arrays(precision, **layer, **chosen) for layer in layers]
    built: SequenceModel = model.from_arrays(
        description.alphabet,
        precision=precision,
        embedding=quantiser.numbers("embedding", parts.embedding),
        layers=made,
        scores=quantiser.numbers("read-out", parts.scores),
        scores_bias=quantiser.numbers("bias of read-out", parts.bias),
        answers=description.answers,
        residual=parts.residual,
        name=name,
    )
    return built


_KINDS: dict[str, tuple[Any, Any, tuple[str, ...]]] = {
    "elman": (Elman, ElmanLayer, ("activation",)),
    "lstm": (LSTM, LSTMLayer, ("memory",)),
    "gru": (GRU, GRULayer, ()),
    "diagonal": (DiagonalStateSpace, DiagonalLayer, ("memory", "activation")),
    "mamba": (SelectiveStateSpace, SelectiveLayer, ("memory",)),
    "linear-attention": (LinearAttention, LinearAttentionLayer, ("memory", "feature")),
    "retnet": (RetNet, RetentionLayer, ("memory",)),
    "blocks": (RecurrentStack, BlockLayer, ("memory",)),
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
    precision = quantiser.precision
    units = []
    for head in range(len(parts.query)):
        query, key, value = (
            quantiser.linear(f"{what} of head {head}", matrix[head], bias[head])
            for what, matrix, bias in (
                ("queries", parts.query, parts.query_bias),
                ("keys", parts.key, parts.key_bias),
                ("values", parts.value, parts.value_bias),
            )
        )
        units.append(AttentionUnit(precision, query, key, value, logit_scale=logit_scale(parts.query.shape[2])))
    output = quantiser.linear("output of the heads", parts.output, parts.output_bias)
    layers = tuple(
        Dense(quantiser.linear(f"inner layer {place}", weight, bias), activation)
        for place, (weight, bias, activation) in enumerate(parts.inner)
    )
    width = parts.tokens.shape[1]
    norms = {
        place: LayerNorm(
            precision,
            quantiser.mantissas(f"gain of the norm {place}", gain),
            quantiser.mantissas(f"bias of the norm {place}", bias),
            Fraction(parts.epsilon),
        )
        for place, (gain, bias) in parts.norms.items()
    }
    tokenwise = Tokenwise(precision, width, layers) if layers else None
    block = Block(MultiHeadAttention(tuple(units), output), tokenwise, Norms(**norms))
    return OneLayerTransformer(
        name=name,
        alphabet=description.alphabet,
        answers=description.answers,
        token_embedding=quantiser.mantissas("token embedding", parts.tokens),
        position_embedding=quantiser.mantissas("position embedding", parts.positions),
        block=block,
        read_out=quantiser.linear("read-out", parts.scores, parts.bias),
    )
