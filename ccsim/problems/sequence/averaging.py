"""Sparse averaging: the mean of the entries that one row points to."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.problems.sequence.task import SequenceTask
from ccsim.problems.words import Words

MOST_SUBSETS = 1 << 16
"""The largest number of q-subsets that the symbols may range over."""


def q_sparse_averaging(length: int, q: int, row: int | None = None) -> SequenceTask:
    """qSA: each symbol is (y_i, z_i), and the answer is the average of z_j over the positions j in y_row.

    y_i is a tuple of ``q`` different positions in 1..length, in order; z_i is -1 or +1, which makes the
    vectors of Sanford, Hsu and Telgarsky 2023 one-dimensional. The answer is an exact fraction, one of
    -1, -1 + 2/q, ..., 1. ``row`` is a position in 1..length; None means the last. At most 2^16 subsets.

    One attention unit of embedding dimension m and precision p needs m p of order q, by a reduction from
    disjointness on q bits (same paper).

    >>> task = q_sparse_averaging(3, 2)
    >>> task((((1, 2), -1), ((1, 2), 1), ((2, 3), 1)))
    Fraction(1, 1)
    """
    length = require_integer("length", length, low=1)
    q = require_integer("q", q, low=1, high=length)
    row = require_integer("row", length if row is None else row, low=1, high=length)
    if math.comb(length, q) > MOST_SUBSETS:
        raise InputError("length, q", (length, q), f"at most {MOST_SUBSETS} subsets of q positions")
    subsets = list(itertools.combinations(range(1, length + 1), q))
    words = Words.over([(subset, z) for subset in subsets for z in (-1, 1)], length)
    member = np.array([[j in subset for j in range(1, length + 1)] for subset in subsets])

    def evaluate(word: Array) -> Array:
        chosen = member[word[..., row - 1] // 2]
        positive = np.zeros(word.shape[:-1], dtype=np.int64)
        for j in range(length):
            positive += chosen[..., j] & (word[..., j] % 2 == 1)
        return positive

    answers = tuple(Fraction(2 * positive - q, q) for positive in range(q + 1))
    name = f"q_sparse_averaging({length}, {q}, row {row})"
    note = f"the average over the {q} positions that row {row} names"
    return SequenceTask(name, words, answers, evaluate, note=note)
