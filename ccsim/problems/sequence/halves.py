"""Words whose two halves are compared: equality and disjointness as tasks on one sequence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.problems.sequence.machine import Digits, TaskMachine
from ccsim.problems.sequence.task import SequenceTask
from ccsim.problems.words import Words


def equality_of_halves(length: int) -> SequenceTask:
    """Whether the first half of a word of ``length`` bits, an even number, is equal to the second.

    Split in the middle it is EQ on length/2 bits, so D = length/2 + 1 (Bhattamishra, Hahn, Blunsom and Kanade
    2024, theorems 6, 11 and 12).

    >>> equality_of_halves(4)("0101"), equality_of_halves(4)("0110")
    (1, 0)
    """
    return _halves("equality", length, np.not_equal, 0, "1 iff the halves are equal")


def inequality_of_halves(length: int) -> SequenceTask:
    """Whether the two halves of a word of ``length`` bits, an even number, differ: INEQ, the opposite of EQ.

    >>> inequality_of_halves(4)("0101"), inequality_of_halves(4)("0110")
    (0, 1)
    """
    return _halves("inequality", length, np.not_equal, 1, "1 iff the halves differ")


def disjointness_of_halves(length: int) -> SequenceTask:
    """Whether the two halves of a word of ``length`` bits, an even number, nowhere both have a 1.

    >>> disjointness_of_halves(4)("0110"), disjointness_of_halves(4)("0111")
    (1, 0)
    """
    return _halves("disjointness", length, np.bitwise_and, 0, "1 iff the halves have no common 1")


def intersection_of_halves(length: int) -> SequenceTask:
    """Whether the two halves of a word of ``length`` bits, an even number, both have a 1 at some place.

    The DISJ of Bhattamishra, Hahn, Blunsom and Kanade 2024, who ask for max_i a_i b_i.

    >>> intersection_of_halves(4)("0110"), intersection_of_halves(4)("0111")
    (0, 1)
    """
    return _halves("intersection", length, np.bitwise_and, 1, "1 iff the halves have a common 1")


def _halves(name: str, length: int, clash: Callable[[Array, Array], Any], found: int, note: str) -> SequenceTask:
    """The answer is ``found`` if the halves clash at some place, else the other one."""
    length = require_integer("length", length, low=2)
    if length % 2:
        raise InputError("length", length, "an even number, for two halves")
    half = length // 2

    def evaluate(word: Array) -> Array:
        clashes = np.asarray(clash(word[..., :half], word[..., half:])).astype(bool).any(axis=-1)
        return np.asarray(clashes == found, dtype=np.int8)

    title, words, machine = f"{name}_of_halves({length})", Words.over("01", length), _machine(half, clash, found)
    return SequenceTask(title, words, (0, 1), evaluate, note=note, machine=machine)


def _machine(half: int, clash: Callable[[Array, Array], Any], found: int) -> TaskMachine:
    """Whether there was a clash, and while there was none those bits of the first half that were not compared yet."""
    digits = Digits(2, half)

    def step(states: Array, symbols: Array, position: int) -> Array:
        clashed, bits = states[:, 0], states[:, 1:]
        if position <= half:
            bits = digits.put(bits, position - 1, symbols.astype(np.int64))
        else:
            place = position - half - 1
            clashed = clashed | np.asarray(clash(digits.get(bits, place), symbols.astype(np.int64))).astype(np.int64)
            bits = digits.clear(bits, place)
        return np.concatenate([clashed[:, None], bits * (clashed == 0)[:, None]], axis=1)

    def peaceful(bits: Array) -> Array:
        """What does not clash with these bits: themselves, or nothing but zeros; with a single bit flipped it does."""
        return bits if bool(clash(np.array(1), np.array(0))) else np.zeros_like(bits)

    def separate(first: Array, second: Array, read: int) -> Array | None:
        rest, passed = np.zeros(max(half - read, 0), dtype=np.int64), max(read - half, 0)
        one, two = (digits.rows(state[None, 1:])[0] for state in (first, second))
        if first[0] or second[0]:
            kept = two if first[0] else one
            return None if first[0] == second[0] else np.concatenate([rest, peaceful(kept)[passed:]])
        different = np.flatnonzero(one != two)
        if not len(different):
            return None
        other = peaceful(one)
        if bool(clash(np.array(1), np.array(1))):
            other[different[0]] = 1
        return np.concatenate([rest, other[passed:]])

    def fooling(bits: Array) -> Array:
        return np.concatenate([bits, bits if bool(clash(np.array(1), np.array(0))) else 1 - bits], axis=1)

    return TaskMachine(
        np.zeros(1 + digits.units, dtype=np.int64),
        step,
        lambda states: np.asarray(states[:, 0] == found, dtype=np.int64),
        separate=separate,
        fooling=fooling,
        fooling_bits=half,
    )
