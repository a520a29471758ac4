"""How large the transformers for n-gram models are, for strings up to a length."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ccsim.arguments import require_integer
from ccsim.models.language import HardAttentionLanguageModel
from protocols.constructions.size import ConstructionSize, with_size

LENGTH = 1 << 10
"""The length of strings for which a size is given unless another is asked for."""

MOST_LENGTH = 1 << 20
"""The longest: the number 10^-j of its last position is written out."""


def position_bits(model: HardAttentionLanguageModel, length: int) -> int:
    """The bits of the largest integer, numerator or denominator, that the positions of a string of a length need.

    It grows with the logarithm of the length, or linearly where the content has the factor 10^-j.
    """
    last = length + model.padding
    factor = Fraction(1) if model.amplitude is None else model.amplitude(last)
    largest = int(np.abs(model.encoding(np.array([last]))).max())
    return max(largest, factor.numerator, factor.denominator).bit_length()


def sized(
    model: HardAttentionLanguageModel, length: int, *, width: str, precision: str, source: str
) -> HardAttentionLanguageModel:
    """The model with its size for strings up to a length, and the growth that is claimed."""
    length = require_integer("length", length, low=0, high=MOST_LENGTH)
    bits = max(position_bits(model, length), int(model.output.max()).bit_length())
    size = ConstructionSize(
        width=model.width,
        heads=model.heads,
        layers=len(model.layers),
        precision=bits,
        stored_bits=model.parameters * bits
        + (length + model.padding) * (model.width - model.embedding.shape[1]) * bits,
        representation_bits=model.parameters * bits,
        claimed_width=width,
        claimed_precision=precision,
        claimed_bits="S**(n - 1)",
        source=source,
    )
    return with_size(model, size)
