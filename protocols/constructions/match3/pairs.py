"""Two attention units on rows of integers: one fetches a number from another row, one looks for a row that matches."""

from __future__ import annotations

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import IntArray, Precision, exponential
from ccsim.errors import InputError
from ccsim.models.attention import AttentionUnit
from protocols.constructions.circle import circle_points, least_integer_above, natural_logarithm
from protocols.constructions.cut_unit import cut_unit
from protocols.constructions.match2 import matching_margin, printed_factor
from protocols.constructions.size import ConstructionSize


def two_units(length: int, modulus: int, precision: int | Precision | None) -> tuple[AttentionUnit, AttentionUnit]:
    """A fetching and a matching unit of one precision, proved right for N rows and a blank one if it is None.

    A number of bits is split into a sign, integer bits and the rest after the point by :func:`two_layer_precision`.
    """
    numbers = precision
    if not isinstance(numbers, Precision):
        numbers = two_layer_precision(length, modulus, numbers)
    numbers.require(np.array([modulus + 1]), "precision")  # the largest number that is fetched, in steps
    fetch, match = fetching_unit(length + 1, numbers), matching_unit(length, modulus, numbers)
    if precision is None:
        residues = np.arange(modulus)
        queries = np.stack([residues, residues], axis=-1)
        keys = np.stack([np.arange(modulus + 2)] * 2, axis=-1)
        if not fetches_exactly(fetch, length + 1) or not matching_margin(match, length, queries, keys):
            raise InputError("length, modulus", (length, modulus), f"sizes for which {numbers} suffice")
    return fetch, match


def fetching_unit(positions: int, precision: Precision) -> AttentionUnit:
    """Row (x, target, own) gets the x of the row whose own number is its target, exactly.

    Numbers from 1 to n are points of a circle; the logit c (cos(2 pi (target - own) / n) - 1) is 0 for one row and so
    low for all others that their exponentials are 0. The value is x steps of the precision, and all weight is on it.
    """
    scale = precision.scale
    points = circle_points(positions, scale)
    # 1 - cos(2 pi / n) >= 8 / n^2, and exp(-ln s) is one step.
    factor = least_integer_above(lambda: (natural_logarithm(4 * scale) + 1) * positions**2 / 8)

    def vectors(rows: IntArray) -> IntArray:
        one = np.full((*rows.shape[:-1], 1), scale)
        target, own = points[rows[..., 1] % positions], points[rows[..., 2] % positions]
        return np.concatenate([target, one, own, -one, rows[..., :1]], axis=-1)

    return cut_unit(precision, vectors, keys=3, values=1, logit_scale=factor)


def fetches_exactly(unit: AttentionUnit, positions: int) -> bool:
    """Whether each target from 1 to n has all weight on the row with this number."""
    numbers = np.arange(1, positions + 1)
    rows = np.stack([np.zeros_like(numbers), numbers, numbers], axis=-1)
    logits = unit.logits(unit.queries(rows), unit.keys(rows))
    own = np.diagonal(logits).copy()
    np.fill_diagonal(logits, unit.precision.low)
    return bool((own - logits.max(axis=1) >= exponential(unit.precision).first_zero).all())


def matching_unit(length: int, modulus: int, precision: Precision) -> AttentionUnit:
    """Row (x, y) looks for a row (x', y') with x + y' = 0 modulo M; the output is over 1/4 if there is one.

    The unit of :func:`~protocols.constructions.match2_unit`, with queries made of x and keys of y. The key M matches
    nothing, and x or y = M + 1 is the blank row's.
    """
    scale = precision.scale
    queries, keys = np.zeros((modulus + 2, 3), dtype=np.int64), np.zeros((modulus + 2, 4), dtype=np.int64)
    queries[:modulus, :2] = keys[:modulus, :2] = circle_points(modulus, scale)
    queries[:modulus, 2] = scale
    keys[:modulus, 1:3] *= -1
    keys[: modulus + 1, 2:] = [-scale, scale]
    keys[modulus, 2] = -2 * scale
    queries, keys = precision.require(queries, "queries"), precision.require(keys, "keys")

    def vectors(rows: IntArray) -> IntArray:
        return np.concatenate([queries[rows[..., 0]], keys[rows[..., 1]]], axis=-1)

    return cut_unit(precision, vectors, keys=3, values=1, logit_scale=printed_factor(length, modulus))


def two_layer_precision(length: int, modulus: int, bits: int | None = None) -> Precision:
    """A sign, the integer bits below, and the rest of the bits after the point.

    Logits that matter are at most ln s + 4, for steps of 1 / s, or ln(6 N) + 2 below the largest. Without a number of
    bits, steps are at most 1 / (8 c) for the factors c of both units, and at most 1 / (16 N).
    """
    if bits is None:
        fraction = max((8 * printed_factor(length, modulus) - 1).bit_length(), (16 * length - 1).bit_length())
        while 1 << fraction < (length + 1) ** 2 * (fraction + 4):
            fraction += 1
        return Precision.fixed_point(_integer_bits(length, fraction), fraction)
    bits = require_integer("precision", bits, low=6, high=60)
    fraction = max(f for f in range(bits) if f == 0 or f + 1 + _integer_bits(length, f) <= bits)
    if fraction == 0:
        raise InputError("precision", bits, f"at least {2 + _integer_bits(length, 1)} bits")
    return Precision.fixed_point(bits - 1 - fraction, fraction)


def _integer_bits(length: int, fraction: int) -> int:
    reach = max((7 * fraction + 9) // 10 + 4, least_integer_above(lambda: natural_logarithm(6 * length)) + 2)
    return reach.bit_length()


def two_layer_size(length: int, modulus: int, bits: int, source: str) -> ConstructionSize:
    """Maps of 7 x (3 + 3 + 1) numbers in each of two layers; the points of circles come from a rule."""
    maps = 2 * 7 * 7
    return ConstructionSize(
        width=3,
        heads=1,
        layers=2,
        precision=bits,
        stored_bits=(maps + 2 * (length + 1) + 2 * modulus) * bits,
        representation_bits=maps * bits,
        claimed_width="3",
        claimed_precision="log(M) + log(N)",
        claimed_bits="log(M) + log(N)",
        source=source,
    )
