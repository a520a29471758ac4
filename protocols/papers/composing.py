"""How often one message about one of two composed functions must be wrong: measured for Peng et al. and for ours."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np

from ccsim import problems
from ccsim.claims import Finding
from protocols import reductions
from protocols.papers import checks
from protocols.papers.intervals import interval, whole_part, within
from protocols.reductions import one_way_error

__all__ = ["error_of_balls", "errors_by_balls", "least_error", "three_functions", "zero_error_bits"]

LAYERS_UP_TO = 4  # elements: all words of a layer are gone through


def least_error(length: int, heads: int, width: int, precision: int, speaker: str) -> Finding:
    """The least error of any message; the layers that are run do not err less."""
    bits = heads * (width + 1) * precision
    if bits * math.log(2) >= length * math.log(length):
        return Finding(measured=Fraction(0), outside=f"H(d + 1)p = {bits} is not less than n log n")
    function = _told(length, speaker)
    found = one_way_error.least_one_way_error(function, bits)
    errors = _layers_err(length, heads, width, precision, speaker)
    wrong = tuple(f"a layer errs with {error}, less than {found.lower}" for error in errors if error < found.lower)
    return Finding(
        measured=found.lower,
        achieved=found.upper,
        exact=found.exact,
        checked=len(found.messages),
        of=function.shape[0],
        violations=wrong,
        facts={"messages": 1 << bits, **({"a layer that was run errs with": min(errors)} if errors else {})},
    )


def _told(length: int, speaker: str) -> problems.TwoPartyFunction:
    """Who sends f tells its whole table; who sends g is asked for g(f(x)), which is as uniform as a place."""
    return problems.function_composition(length) if speaker == "f" else one_way_error.table_lookup(length)


def _layers_err(length: int, heads: int, width: int, precision: int, speaker: str) -> list[Fraction]:
    """How often layers of this size are wrong, on all words; none for precisions that ccsim does not have."""
    if precision < 3 or length > LAYERS_UP_TO:
        return []

    model = reductions.LayerInOrder.random(length, width=width, heads=heads, precision=precision, seed=0)
    told, other, x = np.meshgrid(*(np.arange(size) for size in (length**length, length**length, length)), indexing="ij")
    tables = np.array(list(product(range(length), repeat=length)))
    rows = [*tables[told.ravel()].T, *tables[other.ravel()].T, x.ravel(), np.full(x.size, length)]
    first, second = (told, other) if speaker == "f" else (other, told)
    right = tables[second, tables[first, x]].ravel()
    return [Fraction(int((model.codes(np.stack(rows, axis=1)) != right).sum()), right.size)]


def three_functions(length: int, heads: int, width: int, precision: int) -> Finding:
    """h(g(f(x))), where the holder of h sends: what counts of the rest is g(f(x)), and it is uniform."""
    counts = [0] * length
    tables = list(product(range(length), repeat=length))
    for f, g, x in product(tables, tables, range(length)):
        counts[g[f[x]]] += 1
    finding = least_error(length, heads, width, precision, "g")
    uneven = () if len(set(counts)) == 1 else (f"g(f(x)) is not uniform: {counts}",)
    return finding.but(violations=(*finding.violations, *uneven), facts={**finding.facts, "g(f(x))": counts})


def zero_error_bits(length: int, speaker: str) -> Finding:
    """The bits of one message after which there is no error, with a certificate."""
    return Finding.of_bracket(checks.one_way_bits(_told(length, speaker)))


def errors_by_balls(length: int) -> Finding:
    """For every number of bits: the error that counting proves, beside R / (2 n log n); the closest is measured."""
    whole = length * math.log2(length)
    sizes = range(2, math.ceil(whole))
    errors = {bits: error_of_balls(length, 1 << bits) for bits in sizes}
    closest = min(sizes, key=lambda bits: float(errors[bits]) / (whole - bits))
    wrong = [f"{errors[each]} with {each} bits is too little" for each in sizes if errors[each] < _half(length, each)]
    wrong += [f"{errors[each]} with {each} bits is too much" for each in sizes if errors[each] > _said(length, each)]
    return Finding(
        measured=errors[closest],
        claimed=_half(length, closest),
        formula="(n*log(n, 2) - b)/(2*n*log(n, 2)), at the b where it is closest; rounded up if irrational",
        checked=len(errors),
        of=len(sizes),
        violations=tuple(wrong),
        facts={"b": closest, "messages": f"of {sizes[0]} to {sizes[-1]} bits"},
    )


def error_of_balls(n: int, messages: int) -> Fraction:
    """If g is told: no so many messages err less, as around each guess there are only so many tables at each distance.

    A message stands for a guess at all n values of g, and errs on a table as often as the two differ. Among n^n tables
    C(n, r) (n - 1)^r differ from a guess at r places. A message that stands for t tables errs least if they are the t
    nearest ones; that least sum is convex in t, so that equal shares are best.
    """
    tables = n**n
    share, larger = divmod(tables, messages)
    wrong = (messages - larger) * _nearest(n, share) + larger * _nearest(n, share + 1)
    return Fraction(wrong, tables * n)


def _nearest(n: int, count: int) -> int:
    """The sum of the distances of the ``count`` nearest tables."""
    total = 0
    for distance in range(n + 1):
        here = min(count, math.comb(n, distance) * (n - 1) ** distance)
        total, count = total + distance * here, count - here
    return total


def _said(length: int, bits: int) -> Fraction:
    """The error of a message that tells as many values of g as fit into it."""
    values = next(count for count in range(length, -1, -1) if length**count <= 1 << bits)
    return Fraction(length - values, length) * Fraction(length - 1, length)


def _half(n: int, bits: int) -> Fraction:
    """R / (2 n log n); where that is irrational, the next multiple of 2^-40 above it."""
    exponent = n.bit_length() - 1
    if n == 1 << exponent:
        return Fraction(n * exponent - bits, 2 * n * exponent)
    above = within(lambda: -whole_part((bits * interval(2).log() / (n * interval(n).log()) - 1) * (1 << 39)))
    return Fraction(above, 1 << 40)
