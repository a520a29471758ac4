"""Words whose two halves are compared: equality and disjointness as tasks on one sequence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.errors import InputError
from ccsim.problems.arguments import require_integer
from ccsim.problems.sequence.task import SequenceTask
from ccsim.problems.words import Words

__all__ = [
    "disjointness_of_halves",
    "equality_of_halves",
    "inequality_of_halves",
    "intersection_of_halves",
]

Array = npt.NDArray[Any]


def equality_of_halves(length: int) -> SequenceTask:
    """Whether the first half of a word of ``length`` bits, an even number, is equal to the second.

    Split in the middle it is EQ on length/2 bits, so D = length/2 + 1 (Bhattamishra, Hahn, Blunsom and Kanade
    2024, theorems 6, 11 and 12).

    >>> equality_of_halves(4)("0101"), equality_of_halves(4)("0110")
    (1, 0)
    """
    return _halves("equality", length, lambda a, b: (a == b).all(axis=-1), "1 iff the halves are equal")


def inequality_of_halves(length: int) -> SequenceTask:
    """Whether the two halves of a word of ``length`` bits, an even number, differ: INEQ, the opposite of EQ.

    >>> inequality_of_halves(4)("0101"), inequality_of_halves(4)("0110")
    (0, 1)
    """
    return _halves("inequality", length, lambda a, b: (a != b).any(axis=-1), "1 iff the halves differ")


def disjointness_of_halves(length: int) -> SequenceTask:
    """Whether the two halves of a word of ``length`` bits, an even number, nowhere both have a 1.

    >>> disjointness_of_halves(4)("0110"), disjointness_of_halves(4)("0111")
    (1, 0)
    """
    return _halves(
        "disjointness",
        length,
        lambda a, b: np.logical_not((a & b).any(axis=-1)),
        "1 iff the halves have no common 1",
    )


def intersection_of_halves(length: int) -> SequenceTask:
    """Whether the two halves of a word of ``length`` bits, an even number, both have a 1 at some place.

    The DISJ of Bhattamishra, Hahn, Blunsom and Kanade 2024, who ask for max_i a_i b_i.

    >>> intersection_of_halves(4)("0110"), intersection_of_halves(4)("0111")
    (0, 1)
    """
    return _halves("intersection", length, lambda a, b: (a & b).any(axis=-1), "1 iff the halves have a common 1")


def _halves(name: str, length: int, rule: Callable[[Array, Array], Any], note: str) -> SequenceTask:
    length = require_integer("length", length, low=2)
    if length % 2:
        raise InputError("length", length, "an even number, for two halves")
    half = length // 2

    def evaluate(word: Array) -> Array:
        return np.asarray(rule(word[..., :half], word[..., half:]), dtype=np.int8)

    return SequenceTask(f"{name}_of_halves({length})", Words.over("01", length), (0, 1), evaluate, note=note)
