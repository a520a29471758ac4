"""Thresholds of sparse features that are drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np

from protocols import constructions

__all__ = ["DRAWN"]

Table = tuple[tuple[int, ...], tuple[int, ...]]

MOST = 3  # bits of a feature, literals of a clause, and how much a feature weighs at most


def drawn(length: int) -> constructions.SparseThreshold:
    """One feature of three bits and others of up to three, with tables at random; of no bits, the constant 0."""
    return _threshold(length, _tables(length, length), [1] * length)


def weighted(length: int) -> constructions.SparseThreshold:
    """The same with fewer features, each of which counts one to three times: more than half of all weights."""
    generator, weights = np.random.default_rng(length + 1), [1]
    while sum(weights) + MOST <= length:
        weights.append(int(generator.integers(1, MOST + 1)))
    return _threshold(length, _tables(length, len(weights)), weights)


def conjunctive(length: int) -> constructions.SparseThreshold:
    """Clauses of three literals, or of as many as there are bits, at random: all must hold."""
    return _normal_form(length, "cnf")


def disjunctive(length: int) -> constructions.SparseThreshold:
    """Terms of three literals, or of as many as there are bits, at random: one must hold."""
    return _normal_form(length, "dnf")


DRAWN: Mapping[str, Callable[[int], constructions.SparseThreshold]] = {
    "drawn": drawn,
    "weighted": weighted,
    "cnf": conjunctive,
    "dnf": disjunctive,
}
"""What is drawn, by name."""


def _tables(length: int, count: int) -> list[Table]:
    """So many features: their bits, counted from 1, and their tables."""
    generator, features = np.random.default_rng(length), []
    for place in range(count):
        chosen = generator.permutation(length)[: MOST if place == 0 else int(generator.integers(MOST + 1))]
        table = generator.integers(2, size=1 << len(chosen)) if len(chosen) else np.zeros(1, dtype=np.int64)
        features.append((tuple(int(bit) + 1 for bit in chosen), tuple(table.tolist())))
    return features


def _threshold(length: int, features: Sequence[Table], weights: Sequence[int]) -> constructions.SparseThreshold:
    """Whether the features that are 1 weigh more than half of all; what weighs twice is given twice."""
    each = [constructions.SparseFeature(*feature) for feature in features]
    given = tuple(feature for feature, weight in zip(each, weights, strict=True) for _ in range(weight))
    return constructions.SparseThreshold(length, given, sum(weights) // 2)


def _normal_form(length: int, kind: Literal["cnf", "dnf"]) -> constructions.SparseThreshold:
    """N parts, or about twice log2 N if that is less, so that neither answer is rare."""
    generator, parts = np.random.default_rng(length), []
    for _ in range(min(length, 2 * length.bit_length())):
        bits = generator.permutation(length)[:MOST] + 1
        parts.append(tuple(int(bit) for bit in bits * generator.choice([-1, 1], size=len(bits))))

    return constructions.NormalForm(kind, length, tuple(parts)).threshold()
