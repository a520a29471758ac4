"""Which answers a model can give on sets of vectors at its last position."""

from __future__ import annotations

import numpy as np

from ccsim.arithmetic import Zonotopes
from ccsim.arrays import Array


def possible_answers(scores: Zonotopes, renamed: Array, answers: int) -> Array:
    """Which answers of the task a model can give, shape (batch, answers and one for none of the task's)."""
    possible = np.zeros((len(scores), answers + 1), dtype=bool)
    for code, name in enumerate(renamed):
        wins = np.ones(len(scores), dtype=bool)
        for other in range(len(renamed)):
            if other != code:
                wins &= ~((scores[:, other] - scores[:, code]).low >= (0 if other < code else 1))
        possible[:, name if name >= 0 else answers] |= wins
    return possible
