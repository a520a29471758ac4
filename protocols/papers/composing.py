"""How often one message about one of two composed functions must be wrong: measured for Peng et al. and for ours."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from ccsim import problems
from ccsim.claims import Finding
from protocols import reductions
from protocols.papers import checks
from protocols.papers.plain import one_message
from protocols.papers.plain.certified import certified
from protocols.papers.plain.intervals import interval, whole_part, within
from protocols.reductions import one_way_error

__all__ = ["errors_by_balls", "least_error", "three_functions", "zero_error_bits"]

Table = tuple[int, ...]

LAYERS_UP_TO = 4  # elements: all words of a layer are gone through


def least_error(length: int, heads: int, width: int, precision: int, speaker: str) -> Finding:
    """The least error of one message, proved twice; the layers that are tried do not err less."""
    bits = heads * (width + 1) * precision
    if bits * math.log(2) >= length * math.log(length):
        return Finding(measured=Fraction(0), outside=f"H(d + 1)p = {bits} is not less than n log n")
    found, tables, wrong = _searched(length, bits, speaker)

    attained = one_message.error_of(tables, found.messages, speaker)
    proof = one_message.least_error(length, 1 << bits, speaker, attained)
    if not found.lower == found.upper == attained == proof.error:
        wrong += (f"least error {found} by search, {attained} when counted, {proof.error} when proved again",)
    errors = _layers_err(length, heads, width, precision, speaker)
    wrong += tuple(f"a layer errs with {error}, less than {proof.error}" for error in errors if error < proof.error)
    facts = {"messages": 1 << bits, "cases": proof.how, "a layer that was run errs with": min(errors, default=None)}
    return Finding(
        measured=proof.error,
        achieved=attained,
        checked=proof.checked,
        of=proof.of,
        violations=wrong,
        facts={name: fact for name, fact in facts.items() if fact is not None},
    )


def _searched(length: int, bits: int, speaker: str) -> tuple[Any, list[Table], tuple[str, ...]]:
    """What the search finds; the tables of the sender in order, from 0; and whatever is wrong with the function."""
    if speaker == "f":
        function = problems.function_composition(length)
        tables = [function.alice.value(place) for place in range(function.alice.size)]
        right = [[g[f[x]] for g, x in _values(function.bob)] for f in tables]
    else:
        function = one_way_error.table_lookup(length)
        tables = [tuple(value - 1 for value in _values(function.alice)[row]) for row in range(function.alice.size)]
        right = [[g[place[0] - 1] for place in _values(function.bob)] for g in tables]
    wrong = () if function.codes.tolist() == right else (f"{function.name} is not g(f(x))",)
    return one_way_error.least_one_way_error(function, bits), tables, wrong


def _values(inputs: Any) -> list[Any]:
    return [inputs.value(place) for place in range(inputs.size)]


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
    """The bits of one message after which there is no error, with a certificate about g(f(x))."""
    tables = list(product(range(length), repeat=length))
    if speaker == "f":
        bracket = checks.one_way_bits(problems.function_composition(length))
        return certified(bracket, [[g[f[x]] for g, x in product(tables, range(length))] for f in tables])

    bracket = checks.one_way_bits(one_way_error.table_lookup(length))
    return certified(bracket, [[value + 1 for value in g] for g in tables])


def errors_by_balls(length: int) -> Finding:
    """For every number of bits: the error that counting proves, beside R / (2 n log n); the closest is measured."""
    whole = length * math.log2(length)
    sizes = range(2, math.ceil(whole))
    errors = {bits: one_message.error_of_balls(length, 1 << bits) for bits in sizes}
    closest = min(sizes, key=lambda bits: float(errors[bits]) / (whole - bits))
    wrong = [f"{errors[each]} with {each} bits is too little" for each in sizes if errors[each] < _half(length, each)]
    wrong += [f"{errors[each]} with {each} bits is too much" for each in sizes if errors[each] > _said(length, each)]
    return Finding(
        measured=errors[closest],
        claimed=_half(length, closest),
        formula="(n*log(n, 2) - b)/(2*n*log(n, 2)), at the b where it is closest; rounded up if irrational",
        checked=len(errors),
        of=len(sizes),
        violations=(*wrong, *_small_balls()),
        facts={"b": closest, "messages": f"of {sizes[0]} to {sizes[-1]} bits"},
    )


def _small_balls() -> tuple[str, ...]:
    """At four elements, where all strategies can be gone through: whether counting proves as much as they do."""
    proved = {bits: one_message.least_error(4, 1 << bits, "g", Fraction(0)).error for bits in (4, 5)}
    return tuple(
        f"{one_message.error_of_balls(4, 1 << bits)} by counting, {error} by strategies, at 4 elements and {bits} bits"
        for bits, error in proved.items()
        if one_message.error_of_balls(4, 1 << bits) != error
    )


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
