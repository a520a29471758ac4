"""Match3 by attention of third order."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import IntArray, Precision
from ccsim.errors import InputError
from ccsim.models.row_model import RowLayer, RowModel
from ccsim.models.tensor_attention import TensorAttention
from protocols.constructions.circle import circle_points, least_integer_above, natural_logarithm
from protocols.constructions.cut_unit import cut
from protocols.constructions.match2 import threshold
from protocols.constructions.size import ConstructionSize, with_size


def match3_tensor(
    length: int, modulus: int, *, precision: int | Precision | None = None, row: int | None = 1
) -> RowModel:
    """A model for ``match3(length, modulus, row)``: one unit of third-order attention of width 5.

    With a, b, c the angles of three symbols, cos(a + b + c) = cos a cos b cos c - cos a sin b sin c
    - sin a cos b sin c - sin a sin b cos c: four products of one number of each row. A fifth gives the logit c to the
    pair of the blank row with itself, as in Match2, and nothing to other pairs of it. The value is 1 for two symbols
    and 0 for pairs with the blank row (Sanford, Hsu and Telgarsky 2023). The factor is M^2 ln(6 (N + 1)^2), rounded up,
    since (N + 1)^2 pairs compete.

    A ``precision`` of p bits has a sign, one integer bit and p - 2 after the point. None chooses bits for which
    :func:`triple_margin` proves every word right.

    >>> model = match3_tensor(3, 7)
    >>> model((1, 2, 4)), model((1, 2, 2)), model((1, 0, 6))
    (1, 0, 1)
    """
    length, modulus = require_integer("length", length, low=1), require_integer("modulus", modulus, low=1)
    pairs = (length + 1) ** 2
    factor = least_integer_above(lambda: natural_logarithm(6 * pairs) * modulus**2)
    if isinstance(precision, Precision):
        numbers = precision
    elif precision is not None:
        numbers = Precision.fixed_point(1, require_integer("precision", precision, low=3, high=60) - 2)
    else:
        numbers = Precision.fixed_point(1, (16 * max(factor, pairs) - 1).bit_length())
    unit = _unit(modulus, factor, numbers)
    if precision is None and not triple_margin(unit, length, modulus):
        raise InputError("length, modulus", (length, modulus), f"sizes for which {numbers} suffice")

    def rows(words: IntArray) -> IntArray:
        return np.pad(words.astype(np.int64), ((0, 0), (0, 1)), constant_values=modulus)[..., None]

    asked = "all rows" if row is None else f"row {row}"
    name = f"match3 tensor unit({length}, {modulus}, {asked}, {numbers.bits} bits)"
    layer = RowLayer(unit, threshold(numbers))
    return with_size(
        RowModel(name, tuple(range(modulus)), (0, 1), length, rows, (layer,), row),
        ConstructionSize(
            width=5,
            heads=1,
            layers=1,
            precision=numbers.bits,
            stored_bits=(16 * 17 + 16 * (modulus + 1)) * numbers.bits,
            representation_bits=16 * 17 * numbers.bits,
            claimed_width="1",
            claimed_precision="log(M) + log(N)",
            claimed_bits="log(M) + log(N)",
            source="Sanford, Hsu and Telgarsky 2023, third-order tensor attention",
        ),
    )


def triple_margin(unit: TensorAttention, length: int, modulus: int) -> bool:
    """Whether rounding cannot make the unit wrong on any word of this length: a proof in integers, of M^3 triples.

    As in :func:`~protocols.constructions.match2.matching_margin`, with the least and the largest logit of matching
    pairs, and the largest of all other pairs but the blank row with itself, of which there are (N + 1)^2 - 1 at most.
    """
    symbols = np.arange(modulus + 1)[:, None]
    keys, scale, others = unit.pair_keys(symbols), unit.precision.scale, (length + 1) ** 2 - 1
    first, second = (part.reshape(-1) for part in np.indices((modulus + 1, modulus + 1)))
    counts = np.arange(1, length**2 + 1, dtype=object)
    for symbol in range(modulus):
        logits = unit.exact_logits(unit.queries(symbols[symbol : symbol + 1]), keys)[0]
        matching = (first < modulus) & (second < modulus) & ((symbol + first + second) % modulus == 0)
        hits, blank, rest = logits[matching], logits[-1], logits[:-1][~matching[:-1]]
        miss = rest.max()
        top = max(hits.max(), blank)
        exponentials = unit.weighting.exponentials(
            unit.differences(np.array([hits.min(), hits.max(), blank, miss], dtype=logits.dtype), top)
        )
        least, most, base, low = (int(value) for value in exponentials)
        alone = int(unit.weighting.exponentials(unit.differences(np.array([min(miss, blank)]), blank))[0])
        weight = least * scale // (counts * most + base + (others - counts) * low)
        if miss > blank or 3 * others * alone > scale or (4 * counts * weight <= scale).any():
            return False
    return True


def _unit(modulus: int, factor: int, precision: Precision) -> TensorAttention:
    """The vectors of symbols, and of the blank row, are query, first key, second key and value side by side."""
    scale = precision.scale
    cosines, sines = np.zeros((2, modulus + 1), dtype=np.int64)
    cosines[:-1], sines[:-1] = circle_points(modulus, scale).T
    blank = np.arange(modulus + 1) // modulus * scale
    query = cosines, -cosines, -sines, -sines, np.full(modulus + 1, scale)
    first, second = (cosines, sines, cosines, sines, blank), (cosines, sines, sines, cosines, blank)
    table = precision.require(np.stack([*query, *first, *second, scale - blank], axis=-1), "circle_points")

    def vectors(rows: IntArray) -> IntArray:
        return np.asarray(table[rows[..., 0]])

    query_map, first_map, second_map = (cut(precision, 16, start, 5) for start in (0, 5, 10))
    value = cut(precision, 16, 15, 1)
    return TensorAttention(precision, query_map, first_map, second_map, value, value, vectors, Fraction(factor))
