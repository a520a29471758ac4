"""Match2 by one attention unit of width 3, and as a transformer of one layer."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction

import numpy as np

from ccsim.arithmetic import IntArray, Precision
from ccsim.errors import InputError, require_integer
from ccsim.models import Affine, AttentionUnit
from ccsim.models.model import RowLayer, RowModel
from protocols.constructions.addresses import circle_points, least_integer_above, natural_logarithm
from protocols.constructions.assembling import sized

BLOCK = 1 << 20
MOST_MODULUS = 1 << 16  # every pair of symbols is looked at


def match2_unit(
    length: int,
    modulus: int,
    *,
    precision: int | Precision | None = None,
    factor: int | None = None,
    shifted: bool = True,
    row: int | None = 1,
) -> RowModel:
    """A model for ``match2(length, modulus, row)``: one attention unit whose queries and keys have width 3.

    A symbol x is the point (cos, sin) of the angle 2 pi x / M and a third number 1; one blank row of zeros is added.
    Queries are these vectors. Keys are (cos, -sin, -1), so that the product is cos(2 pi (x_i + x_j) / M) - 1 with
    another symbol and 0 with the blank row. Times a large factor c, only symbols with x_i + x_j = 0 compete with the
    blank row. The value is 1 for symbols and 0 for the blank row: the output is about b / (b + 1) for b matches, and a
    threshold of 1/4 tells 1/2 or more from 0 (Sanford, Hsu and Telgarsky 2023: the positive result for Match2).

    The source has the keys (cos, -sin, 0) of symbols and (0, 0, 1) of the blank row, logits that are larger by c. Query
    and key matrices on R^3 that give these do not exist if M is at least 3: the third coordinate of the key would be a
    linear function that is 0 on the vectors of three symbols, which span R^3, but not on the blank row. A bias does it,
    here with ``shifted=False``. Taking c off all logits needs no bias, and half the precision, since logits far
    below the largest may saturate.

    Args:
        length: N.
        modulus: M, at most 2^16; symbols are 0 .. M - 1.
        precision: what all numbers have; a number of bits is split as :func:`match2_precision` says. None chooses
            bits for which :func:`matching_margin` proves every word right, and refuses the model if it does not.
        factor: c; the source's M^2 ln(6 N), rounded up, if None. ln(4 N) / (1 - cos(2 pi / M)) is about a twentieth.
        shifted: whether c is taken off the logits.
        row: which row is asked; None for all.

    >>> model = match2_unit(3, 5)
    >>> model((1, 0, 4)), model((1, 0, 1)), model.precision.bits
    (1, 0, 13)
    """
    length = require_integer("length", length, low=1)
    modulus = require_integer("modulus", modulus, low=1, high=MOST_MODULUS)
    factor = printed_factor(length, modulus) if factor is None else require_integer("factor", factor, low=1)
    numbers = _numbers(length, factor, shifted, precision)
    unit = _unit(modulus, factor, shifted, numbers)
    symbols = np.arange(modulus + 1)[:, None]
    if precision is None and not matching_margin(unit, length, symbols[:-1], symbols):
        raise InputError("factor", factor, f"a factor with which {numbers} suffice for length {length}")
    layers = (RowLayer(unit, threshold(numbers)),)
    model = row_model("match2 unit", length, modulus, row, blank_rows(modulus), layers, numbers.bits)
    # The matrices have 9 + 9 + 3 numbers; the points of the circle come from a rule.
    claimed, source = ("3", "log(M)", "log(M)"), "Sanford, Hsu and Telgarsky 2023, Match2"
    return sized(model, numbers.bits, 21, width=3, given=3 * (modulus + 1), claimed=claimed, source=source)


def row_model(
    kind: str,
    length: int,
    modulus: int,
    row: int | None,
    rows: Callable[[IntArray], IntArray],
    layers: tuple[RowLayer, ...],
    bits: int,
    alphabet: tuple[Hashable, ...] = (),
) -> RowModel:
    """A model of numbers modulo M (unless there is another alphabet) that answers 0 or 1 at one row, or at all."""
    asked = "all rows" if row is None else f"row {row}"
    name = f"{kind}({length}, {modulus}, {asked}, {bits} bits)"
    return RowModel(name, alphabet or tuple(range(modulus)), (0, 1), length, rows, layers, row)


def blank_rows(modulus: int) -> Callable[[IntArray], IntArray]:
    """The raw rows of words of numbers modulo M: each number, and M for the blank row behind them."""
    return lambda words: np.pad(words.astype(np.int64), ((0, 0), (0, 1)), constant_values=modulus)[..., None]


def printed_factor(length: int, modulus: int) -> int:
    """The source's M^2 ln(6 N), rounded up."""
    return least_integer_above(lambda: natural_logarithm(6 * length) * modulus**2)


def match2_precision(length: int, bits: int, factor: int | None = None) -> Precision:
    """A sign, as many integer bits as the logits need, and the rest after the point.

    Logits up to ln(6 N) below the largest must not saturate; with a ``factor`` all logits up to it must not.
    """
    bits = require_integer("precision", bits, low=3, high=60)
    top = natural_logarithm(6 * length) if factor is None else factor
    integer = max(1, (least_integer_above(lambda: top + natural_logarithm(3)) - 1).bit_length())
    if bits < integer + 2:
        raise InputError("precision", bits, f"at least {integer + 2} bits")
    return Precision.fixed_point(integer, bits - 1 - integer)


def matching_margin(unit: AttentionUnit, length: int, query_rows: IntArray, key_rows: IntArray) -> bool:
    """Whether rounding cannot make a unit wrong on any ``length`` rows and a blank one: a proof in integers.

    Args:
        unit: whose value is 1 except for 0 in the blank row.
        length: N.
        query_rows: a raw row for each residue x = 0 .. M - 1 of a query.
        key_rows: a raw row for each residue of a key, rows whose key is to match nothing, and the blank row.

    For a residue x let m be the logit of -x, u the largest of another key and b the blank row's, all as they are
    rounded, and e their exponentials. Without a match the exponentials add up to T <= N e_u besides the blank row's,
    and the output s T / (e_b + T) is at most s / 4 if 3 N e_u <= e_b. With k matches each has at least the weight
    floor(s e_m / (k e_m + e_b + (N - k) e_u)), and k of them must be more than s / 4.
    """
    modulus, scale = len(query_rows), unit.precision.scale
    counts, keys = np.arange(1, length + 1, dtype=object), unit.keys(key_rows)
    size = max(1, BLOCK // len(key_rows))
    for start in range(0, modulus, size):
        residues = np.arange(start, min(start + size, modulus))
        logits = unit.logits(unit.queries(query_rows[residues]), keys)
        places = np.arange(len(residues)), -residues % modulus
        match, blank = logits[places], logits[:, -1]
        logits[places] = unit.precision.low
        other = logits[:, :-1].max(axis=1)
        if (other > np.minimum(match, blank)).any():
            return False
        alone = unit.exponentials(other - blank)
        top = np.maximum(match, blank)
        hit, miss, base = (unit.exponentials(part - top).astype(object)[:, None] for part in (match, other, blank))
        weight = hit * scale // (counts * hit + base + (length - counts) * miss)
        if (3 * length * alone > scale).any() or (4 * counts * weight <= scale).any():
            return False
    return True


def _numbers(length: int, factor: int, shifted: bool, precision: int | Precision | None) -> Precision:
    if isinstance(precision, Precision):
        return precision
    top = None if shifted else factor
    if precision is not None:
        return match2_precision(length, precision, top)
    # Steps of at most 1 / (8 c), so that a matching logit is off by less than 1/2, and at most 1 / (16 N).
    fraction = max((8 * factor - 1).bit_length(), (16 * length - 1).bit_length())
    whole = match2_precision(length, 60, top)
    return match2_precision(length, 60 - whole.scale.bit_length() + 1 + fraction, top)


def _unit(modulus: int, factor: int, shifted: bool, precision: Precision) -> AttentionUnit:
    scale = precision.scale
    table = np.zeros((modulus + 1, 3), dtype=np.int64)
    table[:-1, :2] = circle_points(modulus, scale)
    table[:-1, 2] = scale
    table = precision.require(table, "circle_points")

    def vector(rows: IntArray) -> IntArray:
        return np.asarray(table[rows[..., 0]])

    query, value = np.diag([scale] * 3), np.array([[0], [0], [scale]])
    key = np.diag([scale, -scale, -scale])
    weights, bias = (query, key, value), ([0] * 3, [0, 0, 0 if shifted else scale], [0])
    asks, offers, gives = (Affine(precision, *map(np.array, each)) for each in zip(weights, bias, strict=True))
    return AttentionUnit(precision, asks, offers, gives, input_map=vector, logit_scale=Fraction(factor))


def threshold(precision: Precision) -> Callable[[IntArray, IntArray], IntArray]:
    """The output function: 1 where the first number is more than 1/4, else 0."""

    def join(rows: IntArray, outputs: IntArray) -> IntArray:
        return np.asarray(4 * outputs[..., :1] > precision.scale).astype(np.int64)

    return join
