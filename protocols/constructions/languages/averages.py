"""Languages by attention that averages: majority, parity by two heads that lean to either side, shuffled brackets."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import IntArray
from ccsim.arrays import Array
from ccsim.models import SequenceModel


def averaged(values: Array, weights: IntArray) -> Array:
    """Soft attention of one query: the exact average of values (..., T), as fractions.

    Position t has the weight ``weights[t]``, an integer of 1 or more: a multiple of the exponential of its score.
    """
    total = (np.asarray(values).astype(object) * weights.astype(object)).sum(axis=-1)
    return np.asarray(total * Fraction(1, int(weights.sum())), dtype=object)


def _relu(values: Array) -> Array:
    return np.asarray(np.where(np.asarray(values > 0), values, 0), dtype=object)


class MajorityByAverages(SequenceModel):
    """Whether a word has more 1s than 0s: one head that averages over the whole word, without positions.

    All scores are 0, so that average-hard attention and softmax are the same here. The value of 1 is 1, that of 0 is
    -1, and the answer is whether the average is above 0 (Perez, Marinkovic and Barcelo 2019, after Strobl et al. 2024).

    >>> MajorityByAverages()("01101"), MajorityByAverages()("0110")
    (1, 0)
    """

    name, layers = "majority by averages", 1
    alphabet: tuple[Hashable, ...] = ("0", "1")
    answers: tuple[Hashable, ...] = (0, 1)
    length: int | None = None

    def codes(self, words: Array) -> Array:
        """1 where the average is above 0; words of ranks (..., N) with N at least 1."""
        words = np.asarray(words)
        return (averaged(2 * words - 1, np.ones(words.shape[-1], dtype=np.int64)) > 0).astype(np.int64)


class ParityBySoftAttention(SequenceModel):
    """Whether a word has an odd number of 1s, by two layers of soft attention (Chiang and Cholak 2022).

    A mark at position 0 stands before the word; n = N + 1 positions are encoded by i/n and (-1)^i. The first layer
    averages over all: k/n for k 1s, and 1/n from the mark. Relu units make 1/n at position k and 0 elsewhere. Two heads
    of the second layer, with the scores (-1)^i ln(ratio)/2 and -(-1)^i ln(ratio)/2, then average that; the weights are
    as ratio to 1. Position k adds more to the head of its own parity, so the sign of the difference is the answer.

    >>> model = ParityBySoftAttention()
    >>> model("01101"), model("0110"), str(model.differences(np.array([0, 1, 1]))), model.layers
    (1, 0, '1/16', 2)
    """

    name, layers = "parity by soft attention", 2
    alphabet: tuple[Hashable, ...] = ("0", "1")
    answers: tuple[Hashable, ...] = (0, 1)
    length: int | None = None

    def __init__(self, ratio: int = 3) -> None:
        self.ratio = require_integer("ratio", ratio, low=2)

    def differences(self, words: Array) -> Array:
        """The average of the head for even positions less that of the head for odd ones, as fractions (...)."""
        marked = np.pad(np.asarray(words), [(0, 0)] * (np.ndim(words) - 1) + [(1, 0)])
        n = marked.shape[-1]
        uniform, even = np.ones(n, dtype=np.int64), np.arange(n) % 2 == 0
        places = np.array([Fraction(i, n) for i in range(n)], dtype=object)
        ones, mark = averaged(marked, uniform), averaged((np.arange(n) == 0).astype(np.int64), uniform)
        gap = np.asarray(ones, dtype=object)[..., None] - places
        bump = _relu(gap - mark) - 2 * _relu(gap) + _relu(gap + mark)
        leaning = [averaged(bump, np.where(side, self.ratio, 1)) for side in (even, ~even)]
        return np.asarray(leaning[0] - leaning[1], dtype=object)

    def codes(self, words: Array) -> Array:
        """1 where the difference is below 0."""
        return np.asarray(self.differences(words) < 0).astype(np.int64)


class ShuffledDyckByAverages(SequenceModel):
    """Words whose brackets are balanced kind by kind, by two layers of averages over what came so far, no positions.

    Position i averages, for each kind, 1 for an opening and -1 for a closing bracket: the depth over i. The second
    layer, at the last position, averages what relu leaves of minus these: 0 iff no prefix closes too much. And the
    depth at the end is 0 (Bhattamishra, Ahuja and Goyal 2020, after Strobl et al. 2024). Symbol 2k opens kind k.

    >>> model = ShuffledDyckByAverages()
    >>> model("([)]"), model("(]"), model(")("), model.layers
    (1, 0, 0, 2)
    """

    name, layers = "shuffled Dyck by averages", 2
    answers: tuple[Hashable, ...] = (0, 1)
    length: int | None = None

    def __init__(self, kinds: int = 2) -> None:
        self.kinds = require_integer("kinds", kinds, low=1, high=4)
        self.alphabet: tuple[Hashable, ...] = tuple("()[]{}<>"[: 2 * self.kinds])

    def codes(self, words: Array) -> Array:
        """1 for words that are balanced, of ranks (..., N) with N at least 1."""
        words = np.asarray(words)
        faults = [self._fault(words, kind) for kind in range(self.kinds)]
        return np.asarray(sum(faults[1:], start=faults[0]) == 0).astype(np.int64)

    def _fault(self, words: Array, kind: int) -> Array:
        """A fraction of 0 or more, 0 iff this kind is balanced."""
        steps = (words == 2 * kind).astype(np.int64) - (words == 2 * kind + 1)
        length = words.shape[-1]
        depths = [averaged(steps[..., :end], np.ones(end, dtype=np.int64)) for end in range(1, length + 1)]
        below = np.stack([_relu(-depth) for depth in depths], axis=-1)
        return np.asarray(averaged(below, np.ones(length, dtype=np.int64)) + _relu(depths[-1]), dtype=object)
