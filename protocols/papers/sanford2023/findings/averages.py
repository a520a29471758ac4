"""The unit that averages: dual vectors in fractions, weights and outputs by a second softmax, and its worst errors.

Each set of rows that is looked at goes through all of it: from the signs of the keys, and the combination that is said
to be dual to them, in fractions, to the query, the logits, the weights, and the output on the values that are worst.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, isqrt
from typing import Any

import numpy as np

from ccsim.claims import Finding, sizes_up_to
from ccsim.errors import InputError
from protocols import constructions
from protocols.papers import oracles_averaging as plain
from protocols.papers.growing import Looked, grown

__all__ = [
    "dual_vectors",
    "named_weights",
    "precision_over_length",
    "sets_of",
    "weights",
    "width_over_length",
    "width_over_q",
]

MOST_SETS = 130  # up to so many sets of q rows are all looked at
DRAWN = 32  # rows in the sets that are drawn of more
BOTH_SIGNS = 2  # so many sets are run on the worst values of both signs

Rows = tuple[int, ...]
Weights = dict[int, int]


def width_over_length(length: int, q: int, values: int) -> Finding:
    """Numbers in a row, for more and more rows."""
    return grown(lengths(length, q), lambda size: _averaged(size, q, values, 2 * q))


def width_over_q(q: int, length: int, values: int = 1) -> Finding:
    """Numbers in a row, for larger and larger sets of as many rows."""
    return grown(sizes_up_to(q), lambda size: _averaged(length, size, values, 2 * size))


def precision_over_length(length: int, q: int, inverse: int, values: int = 1) -> Finding:
    """Bits of a number, for more and more rows and an error of at most 1 / inverse in values of so many numbers."""
    if q * inverse < 8:
        raise InputError("inverse", inverse, "q times it at least 8: for less no constant is declared")
    return grown(lengths(length, q), lambda size: _averaged(size, q, values, inverse, "precision"))


def lengths(length: int, q: int) -> tuple[int, ...]:
    """Numbers of rows, from 4 and q on."""
    least = max(4, q)
    if length < 2 * least:
        raise InputError("length", length, f"at least {2 * least}, so that there are two sizes or more")
    return sizes_up_to(length, low=least)


def _averaged(length: int, q: int, values: int, inverse: int, quantity: str = "width") -> Looked:
    average = constructions.sparse_averaging_unit(length, q, error=Fraction(1, inverse), value_width=values)
    sets, size = sets_of(length, q), constructions.averaging_size(average)
    width = int(average.unit.embed(_raw(average, sets[0], 1, [1] * length)).shape[-1])
    found = {"width": width, "precision": plain.Steps.of(average.precision).bits}
    wrong = unit_faults(average, sets)
    if average.width != width or {name: getattr(size, name) for name in found} != found:
        wrong.append(f"its size is said to be {size}")
    return Looked(found[quantity], len(sets), comb(length, q), wrong)


def sets_of(length: int, q: int) -> tuple[Rows, ...]:
    """All sets of q rows, or the first, the last, the most spread out and some drawn at random, always the same."""
    if comb(length, q) <= MOST_SETS:
        return tuple(combinations(range(1, length + 1), q))
    generator, rows = np.random.default_rng(0), np.arange(1, length + 1)
    drawn = [generator.choice(rows, q, replace=False) for _ in range(DRAWN // q)]
    ends = [rows[:q], rows[-q:], rows[(np.arange(q) * length) // q]]
    found = ends[: 1 if q > DRAWN // 4 else 3] + drawn
    return tuple(dict.fromkeys(tuple(sorted(int(row) for row in chosen)) for chosen in found))


def unit_faults(average: constructions.SparseAveraging, sets: Sequence[Rows]) -> list[str]:
    """What differs where every set goes through the second computation and through the unit."""
    steps = plain.Steps.of(average.precision)
    reported, wrong = average.worst_errors(sets), []
    if average.sharpness != plain.least_above(Fraction(2), 4 * average.length / average.error):
        wrong.append(f"alpha is {average.sharpness}")
    signs = average.duals.signs.tolist()
    if any(sign not in (-1, 1) for row in signs for sign in row) or len(signs) != average.length:
        wrong.append("keys are no signs")
    for number, (chosen, error) in enumerate(zip(sets, reported, strict=True)):
        wrong += [f"{fault}, for the rows {chosen}" for fault in _of_set(average, steps, chosen, error, number)]
    if len(reported) != len(sets):
        wrong.append(f"{len(reported)} errors are reported for {len(sets)} sets")
    return wrong


def _of_set(
    average: constructions.SparseAveraging, steps: plain.Steps, chosen: Rows, error: Fraction, number: int
) -> list[str]:
    """What is wrong with one set: its dual vector, its query, its weights, its outputs on the worst values."""
    wrong = []
    given, fault = named_weights(average, chosen, steps)
    if fault:
        wrong.append(fault)
    parts = [Fraction(weight, steps.scale) - Fraction(place in chosen, len(chosen)) for place, weight in given.items()]
    worst, signs = sum((abs(part) for part in parts), Fraction(0)), [1 if part >= 0 else -1 for part in parts]
    if worst != error:
        wrong.append(f"the worst error is {worst}, but {error} is reported")
    room = average.error - worst
    if room < 0 or room**2 * steps.scale**2 < average.value_width:  # rounding adds up to a step to each number
        wrong.append(f"an error of {worst}, above {average.error}")
    row = 1 + number % average.length
    if average.value_width > 1:
        wrong += _on_vectors(average, steps, chosen, row, signs)
    for values in (signs, [-sign for sign in signs])[: 2 if number < BOTH_SIGNS else 1]:
        output = average.unit.output_row(_raw(average, chosen, row, values), row)
        attained = Fraction(int(output[0]), steps.scale) - plain.average(chosen, values)
        if abs(attained) != worst or any(int(entry) for entry in output[1:]):
            wrong.append(f"the unit is off by {abs(attained)} on the worst values, not by {worst}")
    return wrong


def _on_vectors(
    average: constructions.SparseAveraging, steps: plain.Steps, chosen: Rows, row: int, signs: Sequence[int]
) -> list[str]:
    """Whether the unit is too far off, in the 2-norm, on values in all numbers: on a diagonal with the worst signs."""
    entry = isqrt(steps.scale**2 // average.value_width)  # as long as 1, or a little shorter
    raw = _raw(average, chosen, row, [0] * average.length)
    raw[:, average.most + 1 :] = np.array(signs)[:, None] * entry * (-1) ** np.arange(average.value_width)
    output, off = average.unit.output_row(raw, row), Fraction(0)
    for axis in range(average.value_width):
        wanted = plain.average(chosen, [int(each) for each in raw[:, average.most + 1 + axis]])
        off += ((int(output[axis]) - wanted) / steps.scale) ** 2
    return [f"the square of the distance to an average of vectors is {off}"] if off > average.error**2 else []


def _raw(average: constructions.SparseAveraging, chosen: Rows, row: int, values: Sequence[int]) -> Any:
    """Rows of which one names a set, and all others the last q rows; the first number of each value is given."""
    length, q = average.length, average.most
    other = np.tile(np.arange(length - q, length) + 1, (length, 1))
    other[row - 1] = chosen
    rest = np.zeros((length, average.value_width), dtype=np.int64)
    rest[:, 0] = np.array(values) * average.precision.scale
    return np.hstack([other, np.arange(1, length + 1)[:, None], rest])


def dual_entries(average: constructions.SparseAveraging, chosen: Rows) -> tuple[list[Fraction], str]:
    """The entries of sqrt(m) w, in fractions, and why w is not dual to these rows, or nothing.

    <u_j, w> has to be 1 for the rows and at most 1/2 for all others, and |w|^2 is to be at most 4 q.
    """
    dual, signs = average.duals.of(chosen), average.duals.signs.tolist()
    columns = zip(*(signs[number - 1] for number in dual.support), strict=True)
    sums = [sum(part * sign for part, sign in zip(dual.numerators, column, strict=True)) for column in columns]
    entries = [Fraction(each, dual.denominator) for each in sums]
    norm = average.dimension * sum((entry * entry for entry in entries), Fraction(0))
    products = [sum(a * b for a, b in zip(sums, row, strict=True)) for row in signs]
    for place, product in enumerate(products, start=1):
        if product != dual.denominator if place in chosen else 2 * product > dual.denominator:
            return entries, f"the product with key {place} is {Fraction(product, dual.denominator)}"
    if norm != dual.norm or norm > 4 * len(chosen):
        return entries, f"the squared length is {norm}, but {dual.norm} is reported"
    return entries, ""


def named_weights(average: constructions.SparseAveraging, chosen: Rows, steps: plain.Steps) -> tuple[Weights, str]:
    """The weight of each row by the query for a set, and why its vector is not dual to the set, or nothing."""
    entries, fault = dual_entries(average, chosen)
    query = [plain.clipped(plain.nearest(average.sharpness * steps.scale * entry), steps) for entry in entries]
    return key_weights(average, query, steps), fault


def key_weights(average: constructions.SparseAveraging, query: Sequence[int], steps: plain.Steps) -> Weights:
    """The weight of each row, by a second softmax on the products with the signs."""
    logits = [sum(a * b for a, b in zip(query, row, strict=True)) for row in average.duals.signs.tolist()]
    given = plain.weights([plain.clipped(logit, steps) for logit in logits], steps.scale)
    return dict(enumerate(given, start=1))


def dual_vectors(length: int, q: int) -> Finding:
    """The largest squared length of a dual vector, of all sets of q rows, each recomputed in fractions."""
    sets, wrong, largest = tuple(combinations(range(1, length + 1), q)), [], Fraction(0)
    average = _unit(length, q)
    for chosen in sets:
        entries, fault = dual_entries(average, chosen)
        wrong += [f"{fault}, for the rows {chosen}"] if fault else []
        if _pushed(average, chosen) and average.duals._prove(chosen, [row - 1 for row in chosen]) is not None:
            wrong.append(f"a vector with too large a product is accepted for the rows {chosen}")
        largest = max(largest, average.dimension * sum((entry * entry for entry in entries), Fraction(0)))
    return Finding(measured=largest, checked=len(sets), of=comb(length, q), violations=tuple(wrong[:3]))


def _pushed(average: constructions.SparseAveraging, chosen: Rows) -> bool:
    """Whether the keys of a set alone do not have its dual vector: some other key has to be pushed down to 1/2."""
    return len(average.duals.of(chosen).support) > len(chosen)


def weights(length: int, q: int) -> Finding:
    """How many weights, of all rows under all sets of q rows, are where the slides say: as the unit gives them."""
    average, inside, wrong = _unit(length, q), 0, []
    sets, error, steps = list(combinations(range(1, length + 1), q)), average.error, plain.Steps.of(average.precision)
    given = average.weights(np.array(sets)).tolist()
    for chosen, row in zip(sets, given, strict=True):
        query = average.unit.queries(_raw(average, chosen, 1, [1] * length)[:1])[0].tolist()
        if row != list(key_weights(average, query, steps).values()):
            wrong.append(f"other weights for the rows {chosen}")
        for place, weight in enumerate(row, start=1):
            share = Fraction(weight, steps.scale)
            named = (1 - error / 2) / q <= share <= (1 + error / 2) / q
            inside += named if place in chosen else share <= error / (2 * length)
    count = length * len(sets)
    return Finding(measured=inside, checked=count, of=length * comb(length, q), violations=tuple(wrong[:3]))


def _unit(length: int, q: int) -> constructions.SparseAveraging:
    return constructions.sparse_averaging_unit(length, q)
