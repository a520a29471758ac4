"""The same models in float64, as an ordinary forward pass: what quantisation is compared with. They prove nothing."""

from __future__ import annotations

import numpy as np

from ccsim.arrays import Array
from ccsim.models.files.arithmetics import Double
from ccsim.models.files.float_attention import attention_scores
from ccsim.models.files.parts import AttentionParts, RecurrentParts
from ccsim.models.files.steps import KINDS, real_parts
from ccsim.models.model import largest_score, score_of_each

DOUBLE = Double()


def float_scores(parts: RecurrentParts | AttentionParts, words: Array) -> Array:
    """The read-out (batch, answers), or one score of two answers, of words of ranks (batch, N), in float64."""
    with np.errstate(all="ignore"):  # what is beyond the range is infinite or NaN, and no warning
        return attention_scores(parts, words) if isinstance(parts, AttentionParts) else _recurrent(parts, words)


def float_codes(parts: RecurrentParts | AttentionParts, words: Array, answers: int) -> Array:
    """The answer codes (batch,) of words of ranks (batch, N), so many answers being possible."""
    return largest_score(score_of_each(float_scores(parts, words), answers, parts.threshold))


def _recurrent(parts: RecurrentParts, words: Array) -> Array:
    kind, layers = KINDS[parts.kind], [real_parts(layer) for layer in parts.layers]
    states = [tuple(np.zeros((len(words), *shape)) for shape in kind.shapes(layer)) for layer in layers]
    numbers = np.zeros((len(words), parts.embedding.shape[1]))
    for position in range(words.shape[1]):
        numbers = parts.embedding[words[:, position]]
        for place, layer in enumerate(layers):
            states[place], outputs = kind.step(DOUBLE, layer, parts.activation, states[place], numbers)
            numbers = numbers + outputs if parts.residual else outputs
    return np.asarray(numbers @ parts.scores.T + parts.bias)
