"""The printed error of one layer on function composition, beside the least error that one message can have."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from ccsim.arguments import require_integer
from ccsim.errors import InputError
from ccsim.problems import Partition, TwoPartyFunction, function_composition, index_lookup
from protocols.reductions.one_way_error.least import least_one_way_error

__all__ = ["composition_errors", "keeps_printed_bound", "printed_error", "table_lookup"]


def table_lookup(n: int) -> TwoPartyFunction:
    """g(j), where Alice holds a table g of ``n`` values from {1, ..., n}, and Bob a position j in it.

    This is what is left of g(f(x)) when both know x, Alice holds g, and Bob f: only j = f(x) matters, and it
    is uniform if f is. Symmetries carry every pair of inputs to every other one.

    >>> table_lookup(2).shape
    (4, 2)
    """
    n = require_integer("n", n, low=1)
    task = index_lookup(n, tuple(range(1, n + 1)))
    return task.split(Partition.prefix(n + 1, n))


def printed_error(n: int, bits: int) -> float:
    """R / (3 n log2 n) with R = n log2 n - bits, or 0 if that is negative: theorem 1's bound, to be looked at.

    ``bits`` is the paper's H (d + 1) p.

    >>> printed_error(4, 2)
    0.25
    """
    whole = _whole(n)
    return max(0.0, (whole - require_integer("bits", bits, low=0)) / (3 * whole))


def keeps_printed_bound(error: Fraction, n: int, bits: int) -> bool:
    """Whether an error is at least the printed one, decided in integers.

    error >= (n log n - b) / (3 n log n) iff b >= (1 - 3 error) n log n, which with error = r / s says
    2^(b s) >= n^(n (s - 3 r)).

    >>> keeps_printed_bound(Fraction(1, 4), 4, 2), keeps_printed_bound(Fraction(6, 25), 4, 2)
    (True, False)
    """
    _whole(n)
    exponent = n * (error.denominator - 3 * error.numerator)
    return exponent <= 0 or 1 << (bits * error.denominator) >= n**exponent


def composition_errors(n: int) -> list[dict[str, Any]]:
    """For each number of bits up to ceil(n log2 n): the printed error, and the least one in two arrangements.

    ``f speaks``: Alice holds f and sends, Bob holds g and x, all uniform. Some g are easy (a constant one needs
    nothing), and at n = 2 that makes the error smaller than the formula; but theorem 1 is about layers, a layer has
    H (d + 1) p >= 2 bits, and n log2 n is 2 there: n = 2 is outside the theorem. ``g speaks``: both know
    x, Alice holds g and sends, Bob holds f. Here the speaker can compute what one attention layer sums up,
    and the error is the least average distance to 2^bits words of length n, over n. It is also the least
    worst-case error with public coins in both arrangements: for "f speaks" because a permutation g hides nothing.

    Returns one row for each number of bits, with exact fractions; an error that is not proved exactly is a pair. For
    n = 3 this takes some seconds; more elements are too many for "f speaks".

    >>> for row in composition_errors(2):
    ...     print(row["bits"], row["printed"], row["f speaks"], row["f keeps it"], row["g speaks"], row["g keeps it"])
    0 0.3333333333333333 1/4 False 1/2 True
    1 0.16666666666666666 1/8 False 1/4 True
    2 0.0 0 True 0 True
    """
    whole = _whole(n)
    rows = []
    for bits in range(math.ceil(whole) + 1):
        row: dict[str, Any] = {"bits": bits, "printed": printed_error(n, bits)}
        for speaker, function in (("f", function_composition(n)), ("g", table_lookup(n))):
            found = least_one_way_error(function, bits)
            row[f"{speaker} speaks"] = found.upper if found.exact else (found.lower, found.upper)
            row[f"{speaker} keeps it"] = keeps_printed_bound(found.lower, n, bits)
        rows.append(row)
    return rows


def _whole(n: int) -> float:
    if require_integer("n", n, low=1) == 1:
        raise InputError("n", n, "at least 2 elements, as log2 1 is 0")
    return n * math.log2(n)
