"""Matching: does some pair, or triple, of the entries of a sequence sum to zero modulo M?"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.problems.inputs import NUMBER_BITS
from ccsim.problems.sequence.task import SequenceTask
from ccsim.problems.words import Words

Rule = Callable[[list[Array], int], Array]

MOST_ROWS = 20
"""The longest sequence for which all rows are asked at once (2^20 answers)."""


def match2(length: int, modulus: int, row: int | None = 1) -> SequenceTask:
    """Match2: for a row i, whether x_i + x_j = 0 modulo ``modulus`` for some position j.

    j may be i itself. Entries are 0, ..., modulus - 1. ``row`` counts from 1; None asks for all rows, and the
    answer is the tuple of their bits. One attention unit of embedding dimension 3 computes it (Sanford, Hsu
    and Telgarsky 2023).

    >>> match2(3, 5)((1, 0, 4)), match2(3, 5)((1, 0, 1)), match2(3, 5, row=None)((1, 0, 4))
    (1, 0, (1, 1, 1))
    """
    what = "x_i + x_j = 0 for some j"
    return _match("match2", length, modulus, row, lambda x, i: _held(x, modulus, -x[i]), what)


def match3(length: int, modulus: int, row: int | None = 1) -> SequenceTask:
    """Match3: for a row i, whether x_i + x_j1 + x_j2 = 0 modulo ``modulus`` for some positions j1 and j2.

    j1, j2 and i may coincide. Rows and answers are as in :func:`match2`. No attention layer of size
    sublinear in the length computes it (Sanford, Hsu and Telgarsky 2023), by a reduction from disjointness.

    >>> match3(3, 7)((1, 2, 4)), match3(3, 7)((1, 2, 2)), match3(3, 7)((1, 0, 6))
    (1, 0, 1)
    """
    what = "x_i + x_j1 + x_j2 = 0 for some j1, j2"
    return _match("match3", length, modulus, row, lambda x, i: _triple(x, modulus, x[i]), what)


def match3_bigram(length: int, modulus: int, row: int | None = 1) -> SequenceTask:
    """Match3Bigram: for a row i, whether x_i + x_j + x_{j+1} = 0 modulo ``modulus`` for a j < length.

    Rows and answers are as in :func:`match2`. Two attention layers of embedding dimension 3 compute it
    (Sanford, Hsu and Telgarsky 2023).

    >>> match3_bigram(3, 7)((1, 2, 4)), match3_bigram(3, 7)((2, 1, 4)), match3_bigram(3, 7)((1, 6, 6))
    (1, 1, 0)
    """

    def rule(x: list[Array], i: int) -> Array:
        found = np.zeros(x[i].shape, dtype=bool)
        for first, second in itertools.pairwise(x):
            found |= (x[i] + first + second) % modulus == 0
        return found

    return _match("match3_bigram", length, modulus, row, rule, "x_i + x_j + x_{j+1} = 0 for some j")


def match3_local(length: int, modulus: int, window: int, row: int | None = 1) -> SequenceTask:
    """Match3Local: as :func:`match3`, with both positions at most ``window`` away from the row i.

    One attention layer of embedding dimension O(window log length) computes it (Sanford, Hsu and Telgarsky
    2023).

    >>> match3_local(3, 7, window=1)((1, 2, 4)), match3_local(3, 7, window=2)((1, 2, 4))
    (0, 1)
    """
    window = require_integer("window", window, low=0)

    def rule(x: list[Array], i: int) -> Array:
        return _triple(x[max(i - window, 0) : i + window + 1], modulus, x[i])

    what = f"x_i + x_j1 + x_j2 = 0 for some j1, j2 at most {window} away"
    return _match("match3_local", length, modulus, row, rule, what, f", window {window}")


def _triple(x: list[Array], modulus: int, own: Array) -> Array:
    found = np.zeros(own.shape, dtype=bool)
    for other in x:
        found |= _held(x, modulus, -own - other)
    return found


def _held(x: list[Array], modulus: int, wanted: Array) -> Array:
    """Whether some entry is equal to the wanted one modulo ``modulus``, by a set of residues as bits."""
    wide = np.int64 if modulus <= NUMBER_BITS else object
    residues = np.zeros(wanted.shape, dtype=wide)
    for entry in x:
        residues |= np.left_shift(1, entry.astype(wide))
    return np.asarray((residues >> (wanted % modulus).astype(wide)) & 1, dtype=bool)


def _match(
    name: str, length: int, modulus: int, row: int | None, rule: Rule, what: str, more: str = ""
) -> SequenceTask:
    length = require_integer("length", length, low=1)
    modulus = require_integer("modulus", modulus, low=1)
    if row is not None:
        row = require_integer("row", row, low=1, high=length)
    elif length > MOST_ROWS:
        raise InputError("row", row, f"one row, as all of {length} would have 2^{length} answers")
    rows = range(length) if row is None else [row - 1]

    def evaluate(word: Array) -> Array:
        x = [word[..., position].astype(np.int64) for position in range(length)]
        code = np.zeros(word.shape[:-1], dtype=np.int64)
        for i in rows:
            code = 2 * code + rule(x, i)
        return code

    answers = (0, 1) if row is not None else tuple(itertools.product((0, 1), repeat=length))
    asked = "all rows" if row is None else f"row {row}"
    words = Words.over(range(modulus), length)
    title = f"{name}({length}, {modulus}, {asked}{more})"
    return SequenceTask(title, words, answers, evaluate, note=f"{asked}: 1 iff {what} modulo {modulus}")
