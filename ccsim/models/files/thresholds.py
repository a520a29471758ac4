"""What a single score of a model in a file means: above which number it is the second of two answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ccsim.errors import InputError
from ccsim.models.comparison import affordable
from ccsim.models.decision import Decision
from ccsim.models.files.description import Description
from ccsim.models.files.floats import float_scores
from ccsim.models.files.parts import AttentionParts, RecurrentParts

WORDS = 1 << 12  # on which scores are met
USUAL = 1 << 4  # symbols in them, where a model has no length


def with_threshold(
    parts: RecurrentParts | AttentionParts, description: Description, length: int | None
) -> tuple[RecurrentParts | AttentionParts, str]:
    """The parts with the threshold of the description, and how their scores become an answer, in words.

    Without one it is 0.5 if the scores of drawn words all lie in [0, 1], else 0, and
    :class:`~ccsim.errors.InputError` is raised where that makes a difference on one of them. Of several scores the
    largest counts.
    """
    decision = Decision(description.answers, description.alphabet, description.threshold)
    outputs = len(parts.bias)
    if description.threshold is not None and outputs != 1:
        raise InputError("threshold", description.threshold, f"none: of {outputs} scores the largest counts")
    if outputs != 1 or len(description.answers) != 2:
        return parts, ""
    if description.threshold is None:
        decision.codes(_scores(parts, length))
    else:
        decision.codes(np.zeros((0, 1)))
    return replace(parts, threshold=decision.settled), decision.rule


def _scores(parts: Any, length: int | None) -> Any:
    """Scores (words, 1) of drawn words, in float64."""
    symbols = len(parts.tokens if isinstance(parts, AttentionParts) else parts.embedding)
    long = len(parts.positions) if isinstance(parts, AttentionParts) else length or USUAL
    words = np.random.default_rng(0).integers(symbols, size=(affordable(WORDS, long), long))
    return float_scores(parts, words).reshape(len(words), -1)
