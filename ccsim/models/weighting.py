"""How attention turns a row of logits into weights: softmax with the maximum taken off, or the maximum alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from ccsim.arithmetic import IntArray, Precision, exponential, floor_divide
from ccsim.errors import InputError

FLOAT_BOUND = 1 << 53
WORD_BOUND = 1 << 63


class Weighting(Protocol):
    """A rule from logits to weights, all of them mantissas of one precision; the weights of a row add up to 1 at most.

    Attributes:
        precision: of logits and weights.
    """

    @property
    def precision(self) -> Precision:
        """Of logits and weights."""

    @property
    def reach(self) -> int:
        """The least difference to the maximum, in steps, from which on the exponential is 0."""

    def exponentials(self, differences: IntArray) -> IntArray:
        """For logits less their row's maximum (at most 0): mantissas from 0 to the scale, the scale for 0."""

    def weights(self, exponentials: IntArray, normalisers: IntArray) -> IntArray:
        """floor(e * scale / Z) for exponentials e and their sum Z over the whole row; the axes broadcast."""

    def row(self, logits: IntArray, allowed: IntArray | None = None) -> IntArray:
        """The weights of whole rows along the last axis; only ``allowed`` places (all, if None) get any."""


def shares(exponentials: IntArray, normalisers: IntArray, scale: int) -> IntArray:
    """floor(e * scale / Z), int64: each exponential's share of the sum, as a mantissa from 0 to ``scale``.

    >>> shares(np.array([32, 11]), np.array(43), 32).tolist()
    [23, 8]
    """
    exponentials, normalisers = np.asarray(exponentials), np.asarray(normalisers)
    if normalisers.size and int(normalisers.min()) < 1:
        raise InputError("normalisers", int(normalisers.min()), "positive integers")
    largest = int(exponentials.max()) * scale if exponentials.size else 0
    if largest + (int(normalisers.max()) if normalisers.size else 0) < FLOAT_BOUND:
        # The quotient of whole numbers a / b with a + b < 2^53 rounds to an integer only if it is one.
        return np.floor(exponentials * np.float64(scale) / normalisers).astype(np.int64)
    wide = exponentials if largest < WORD_BOUND else exponentials.astype(object)
    return np.asarray(floor_divide(wide * scale, normalisers).astype(np.int64))


def _summed_row(rule: Weighting, logits: IntArray, allowed: IntArray | None) -> IntArray:
    if allowed is None:
        exponentials = rule.exponentials(logits - logits.max(axis=-1, keepdims=True))
    else:
        most = np.where(allowed, logits, rule.precision.low).max(axis=-1, keepdims=True)
        exponentials = rule.exponentials(np.minimum(logits - most, 0)) * allowed
    return rule.weights(exponentials, exponentials.sum(axis=-1, keepdims=True))


@dataclass(frozen=True)
class Softmax:
    """exp(A_i - max A), rounded down, over the exact sum of them all, rounded down.

    With s steps to 1: e_i = floor(s exp((A_i - max A) / s)), Z = sum e_i, weight_i = floor(s e_i / Z). As Z is an
    exact sum of whole numbers, it does not depend on the order (Bhattamishra, Hahn, Blunsom and Kanade 2024,
    appendix B.2).

    >>> rule = Softmax(Precision.of(8))  # steps of 1/32
    >>> rule.row(np.array([[0, -32, 0]])).tolist()  # exponentials 32, 11, 32
    [[13, 4, 13]]
    """

    precision: Precision

    @property
    def reach(self) -> int:
        """The least difference, in steps, at which exp rounds down to 0."""
        return exponential(self.precision).first_zero

    def exponentials(self, differences: IntArray) -> IntArray:
        """floor(s exp(d / s)) for differences d of at most 0."""
        return exponential(self.precision)(differences)

    def weights(self, exponentials: IntArray, normalisers: IntArray) -> IntArray:
        """floor(s e / Z); the axes broadcast."""
        return shares(exponentials, normalisers, self.precision.scale)

    def row(self, logits: IntArray, allowed: IntArray | None = None) -> IntArray:
        """The weights of whole rows along the last axis; in each at least one place must be allowed."""
        return _summed_row(self, logits, allowed)


@dataclass(frozen=True)
class HardMaximum:
    """All weight to the largest logit: shared by equal ones and rounded down, or to the first or last of them.

    >>> logits = np.array([[5, 7, 7]])
    >>> [HardMaximum(Precision.of(8), ties).row(logits).tolist() for ties in ("average", "first", "last")]
    [[[0, 16, 16]], [[0, 32, 0]], [[0, 0, 32]]]
    """

    precision: Precision
    ties: Literal["average", "first", "last"] = "average"

    def __post_init__(self) -> None:
        if self.ties not in ("average", "first", "last"):
            raise InputError("ties", self.ties, "'average', 'first' or 'last'")

    @property
    def reach(self) -> int:
        """Anything less than the maximum has no weight."""
        return 1

    def exponentials(self, differences: IntArray) -> IntArray:
        """The scale where the difference is 0, else 0; only for averaged ties, which do not depend on places."""
        if self.ties != "average":
            raise InputError("ties", self.ties, "'average', where a row is summed up from several parts")
        return np.asarray((np.asarray(differences) == 0) * self.precision.scale)

    def weights(self, exponentials: IntArray, normalisers: IntArray) -> IntArray:
        """floor(s e / Z); the axes broadcast."""
        return shares(exponentials, normalisers, self.precision.scale)

    def row(self, logits: IntArray, allowed: IntArray | None = None) -> IntArray:
        """The weights of whole rows along the last axis; in each at least one place must be allowed."""
        if self.ties == "average":
            return _summed_row(self, logits, allowed)
        masked = logits if allowed is None else np.where(allowed, logits, self.precision.low - 1)
        size = masked.shape[-1]
        place = masked.argmax(axis=-1) if self.ties == "first" else size - 1 - masked[..., ::-1].argmax(axis=-1)
        return np.asarray((np.arange(size) == place[..., None]) * self.precision.scale)
