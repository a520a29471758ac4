"""Sparse averaging by one attention unit: keys of random signs, queries that are dual to the keys of a subset."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ccsim.arithmetic import IntArray, Precision
from ccsim.errors import InputError, require_integer
from ccsim.models.attention import AttentionUnit, positive_rational
from ccsim.models.model import RowModel
from protocols.constructions.addresses import DualVectors, SignVectors, least_integer_above, natural_logarithm
from protocols.constructions.assembling import cut_unit, sized


@dataclass(frozen=True, eq=False)
class SparseAveraging:
    """An attention unit whose row i is the average of the values in the rows that row i names; see its maker.

    A raw row holds the numbers of the rows it names (from 1, filled up with 0), its own number, and its value.

    Attributes:
        length: N, how many rows there are.
        most: q, the most rows that one names.
        error: the accuracy that is meant.
        duals: the dual vectors of the keys.
        sharpness: alpha, the logit of a row that is named.
        precision: of all numbers.
        value_width: d', how many numbers a value has.
    """

    length: int
    most: int
    error: Fraction
    duals: DualVectors
    sharpness: int
    precision: Precision
    value_width: int = 1

    @property
    def dimension(self) -> int:
        """m', how many signs a key has."""
        return self.duals.vectors.dimension

    @property
    def width(self) -> int:
        """m = 2 m' + d': the query, the key and the value of a row."""
        return self.value_width + 2 * self.dimension

    @cached_property
    def unit(self) -> AttentionUnit:
        """The attention unit: queries, keys and values are cut out of the vectors of width m."""
        return cut_unit(self.precision, self.vectors, self.dimension, self.value_width)

    def row(self, place: int, chosen: Sequence[int], sign: int) -> tuple[int, ...]:
        """One raw row with a value of one number, -1 or 1, as the protocol for disjointness writes it."""
        return (*chosen, *[0] * (self.most - len(chosen)), place, sign * self.precision.scale)

    def vectors(self, rows: IntArray) -> IntArray:
        """The vectors (alpha w; signs; value) of raw rows (..., q + 1 + d'), mantissas."""
        flat = rows.reshape(-1, rows.shape[-1])
        queries = self.queries(flat[:, : self.most])
        keys = self.duals.signs[flat[:, self.most] - 1] * self.precision.scale
        return np.hstack([queries, keys, flat[:, self.most + 1 :]]).reshape(*rows.shape[:-1], self.width)

    def queries(self, subsets: IntArray) -> IntArray:
        """alpha times the dual vectors of subsets (..., q), rounded to the nearest mantissas: (..., dimension)."""
        kinds, places = np.unique(subsets.reshape(-1, subsets.shape[-1]), axis=0, return_inverse=True)
        factor = self.sharpness * self.precision.scale
        table = np.array([self.duals.scaled([number for number in kind if number], factor) for kind in kinds.tolist()])
        return self.precision.saturate(table[places.reshape(-1)].reshape(*subsets.shape[:-1], self.dimension))

    def weights(self, subsets: IntArray) -> IntArray:
        """The weights that all rows get under each subset (batch, q): mantissas (batch, N), rounded as in the unit."""
        keys = self.duals.signs * self.precision.scale
        return self.unit.weighting.row(self.unit.logits(self.queries(subsets), keys))

    def worst_errors(self, subsets: Iterable[Sequence[int]]) -> list[Fraction]:
        """For each subset, the largest distance to the true average that values in the unit ball can cause, exact.

        It is the sum over all rows of the difference of weights: values of one sign each attain it, and no others
        exceed it. The rounding of the sum, at most one step, comes on top.
        """
        named = [tuple(subset) for subset in subsets]
        for subset in named:
            if len(set(subset)) < len(subset):
                raise InputError("subsets", subset, "different rows")
        padded = np.array([(*subset, *[0] * (self.most - len(subset))) for subset in named])
        scale = self.precision.scale
        errors = []
        for subset, weights in zip(named, self.weights(padded), strict=True):
            wanted = np.zeros(self.length, dtype=np.int64)
            wanted[np.array(subset) - 1] = scale
            errors.append(Fraction(int(np.abs(weights * len(subset) - wanted).sum()), scale * len(subset)))
        return errors

    def sized(self, model: RowModel, claimed: tuple[str, str, str], part: str) -> RowModel:
        """A model of this unit with its size: maps that cut vectors, and a table of N keys that a rule makes."""
        maps, keys = self.width * (2 * self.dimension + self.value_width), self.length * self.dimension
        made = {"width": self.width, "given": keys, "seed_bits": self.duals.vectors.seed_bits}
        source = f"Sanford, Hsu and Telgarsky 2023, {part}"
        return sized(model, self.precision.bits, maps, **made, claimed=claimed, source=source)


def sparse_averaging_unit(
    length: int,
    most: int,
    *,
    error: Fraction | float | None = None,
    dimension: int | None = None,
    precision: int | Precision | None = None,
    value_width: int = 1,
    seed: int = 0,
) -> SparseAveraging:
    """One attention unit that averages over q rows out of N, each row its own (Sanford, Hsu and Telgarsky 2023).

    Row i has the key u_i of m' random signs over sqrt(m'), and the query alpha w for the dual vector w of the rows it
    names: <u_j, w> is 1 for these and at most 1/2 for all others. So named rows have equal logits, which are ahead of
    the rest by alpha / 2, with alpha = ceiling(2 ln(4 N / error)), and softmax averages them. Keys are kept as signs
    and queries divided by sqrt(m'), which has the same products and is rational.

    Args:
        length: N.
        most: q.
        error: how far from the average a row may be in the 2-norm; 1/(2 q) if None.
        dimension: m'; 3 q ceiling(log2 N) if None. The source has "of order q log N" and no constant. A dual vector
            that does not exist is refused when its subset comes up.
        precision: of all numbers; a number of bits is split into a sign, what alpha needs, and the rest after the
            point. None chooses log2 of m' / error, and 5 bits more: products with a query of m' rounded numbers are
            then off by error / 64 at most. If sqrt(d') is larger than m' it takes its place, as each of d' numbers of
            an output is rounded down. N is not in it: what is less than a step is rounded down to 0, and that is
            right for the rows that are not named.
        value_width: d'.
        seed: of the signs.

    >>> average = sparse_averaging_unit(16, 2)
    >>> average.width, average.sharpness, average.precision.bits
    (49, 12, 17)
    >>> max(average.worst_errors([(1, 2), (3, 16)])) < average.error
    True
    """
    length = require_integer("length", length, low=2)
    most = require_integer("most", most, low=1, high=length)
    accuracy = Fraction(1, 2 * most) if error is None else positive_rational("error", error)
    if accuracy >= 1:
        raise InputError("error", error, "a number between 0 and 1")
    digits = (length - 1).bit_length()
    size = 3 * most * digits if dimension is None else require_integer("dimension", dimension, low=1)
    value_width = require_integer("value_width", value_width, low=1)
    sharpness = least_integer_above(lambda: natural_logarithm(4 * length / accuracy) * 2)
    integer = (sharpness + 1).bit_length()
    if precision is None:
        steps = max(size, 1 + math.isqrt(value_width - 1)) / accuracy
        precision = 1 + integer + 5 + (math.ceil(steps) - 1).bit_length()
    if not isinstance(precision, Precision):
        bits = require_integer("precision", precision, low=integer + 2, high=60)
        precision = Precision.fixed_point(integer, bits - 1 - integer)
    precision.require(np.array([precision.scale]), "precision")  # the number 1
    duals = DualVectors(SignVectors(length, size, seed))
    return SparseAveraging(length, most, accuracy, duals, sharpness, precision, value_width)
