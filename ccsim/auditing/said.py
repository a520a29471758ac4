"""What two parties say about words on which they run a one-layer transformer together."""

from __future__ import annotations

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.model import SequenceModel
from ccsim.models.transformer import OneLayerTransformer

BLOCK = 1 << 12
"""So many words at once."""


def transcripts(model: SequenceModel, words: Array, owners: str) -> Array:
    """What the two parties of the max-logit softmax protocol say on words of model ranks, one row of integers each.

    ``owners`` has a letter A or B for each position. A row holds the symbol at the last position; for each head the
    largest logit of Alice's positions and of Bob's, her sum of exponentials and his; and her weighted sums of values
    (Bhattamishra, Hahn, Blunsom and Kanade 2024, theorem 4). Bob adds his own weighted sums and knows the answer; so on
    two words with equal rows, Alice's part of one with Bob's of the other is answered as the whole of the other.
    """
    if not isinstance(model, OneLayerTransformer):
        raise InputError("model", model.name, "a one-layer transformer")
    return np.concatenate(
        [_transcripts(model, words[first : first + BLOCK], owners) for first in range(0, len(words), BLOCK)]
    )


def _transcripts(model: OneLayerTransformer, words: Array, owners: str) -> Array:
    count, places = len(words), np.arange(model.length)
    last = words[:, -1].astype(np.int64)
    logits = model.logit_table[:, last[:, None], places[None], words]  # (heads, words, positions)
    sides = [np.array([owner == letter for owner in owners]) for letter in "AB"]
    low = model.precision.low
    maxima = [logits[:, :, side].max(axis=2, initial=low) for side in sides]
    exponentials = model.exponentials(logits - np.maximum(*maxima)[:, :, None])
    sums = [exponentials[:, :, side].sum(axis=2) for side in sides]
    weights = model.weights(exponentials, (sums[0] + sums[1])[:, :, None])[:, :, sides[0]]
    values = model.value_table[:, places[None], words][:, :, sides[0]]  # (heads, words, own positions, head width)
    kind = np.int64 if model.largest_head_sum < 1 << 62 else object
    said = (weights.astype(kind)[..., None] * values.astype(kind)).sum(axis=2)
    parts = [*maxima, *sums, *np.moveaxis(said, 2, 0)]
    return np.concatenate([last[:, None], *(np.asarray(part).T.reshape(count, -1) for part in parts)], axis=1)
