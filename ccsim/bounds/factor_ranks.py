"""Nonnegative, sign and approximate rank: how small the two factors of a function can be, or of a matrix near it.

The nonnegative rank is at least the rank and covers of the cells that are not 0 (Yannakakis 1991), and at most factors
(:mod:`ccsim.bounds.nonnegative_factors`), or a partition. The sign rank (Paturi and Simon 1986) is at least
Forster's bound, the VC dimension, and what a plane holds; at most factors of few changes of sign, or rounded floats.
The approximate rank is at least the sign rank, and that of a minor that stays regular within the error; half its
logarithm bounds quantum communication without entanglement.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, islice, product
from math import inf
from numbers import Real
from operator import mul
from typing import Any

import numpy as np

from ccsim import lazy
from ccsim.bounds.bracket import Bracket, Finding, Side, Witness, as_text, improved, last_of, timed
from ccsim.bounds.covers import cover_number, partition_number
from ccsim.bounds.field_ranks import in_the_whole, pack_rows, rank_witness
from ccsim.bounds.fooling_sets import diagonals
from ccsim.bounds.nonnegative_factors import Factors, Table, Vectors, by_folding, by_search
from ccsim.bounds.one_message import vc_dimension
from ccsim.bounds.rectangles import code_of
from ccsim.bounds.scheduler import Clock, Known, Question
from ccsim.bounds.solvers import least_by_gradient, matrix_game
from ccsim.bounds.trivial import rows_or_columns
from ccsim.certificates.verify import check
from ccsim.certificates.verify.claims import CODES, MOST_CELLS, MOST_WORK, Matrix
from ccsim.certificates.verify.ranks import MOST_MINOR, column_signs
from ccsim.errors import InputError, require_fraction
from ccsim.matrices import CommunicationMatrix, MergedMatrix
from ccsim.problems.function import Subject, matrix_of
from ccsim.tables import SCALED

flint = lazy.load("flint")

Given = dict[str, Any]
"""The parameters of a bracket."""

MOST_ROWS = 40  # different rows, or columns, up to which covers and factors are searched for
MOST_FOLDED = 128  # up to which a matrix is folded
STARTS = 25  # of searches before it is folded again
MOST_RANK = 600  # beyond, the checker does not eliminate
ROWS: Witness = {"kind": "lines"}


def _factors(pair: Factors, merged: MergedMatrix, method: str = "factors") -> Finding:
    sides = zip(pair, (merged.row_class, merged.column_class), strict=True)
    rows, columns = ([[as_text(entry) for entry in side[place]] for place in classes] for side, classes in sides)
    return "upper", len(pair[0][0]), method, {"kind": "factors", "rows": rows, "columns": columns}


# The nonnegative rank


@timed
def nonnegative_rank(matrix: Subject, values: Sequence[int] | None = None, *, seconds: float | None = 20.0) -> Bracket:
    """The least r such that a matrix is a product of a nonnegative matrix of r columns and one of r rows.

    Args:
        matrix: total.
        values: a number, at least 0, for each of ``matrix.labels``; by default the labels themselves.
        seconds: a limit on the search.

    Returns:
        A pure number. Below: the rank, or a cover of the cells that are not 0; above: factors, or the different rows or
        columns.

    >>> print(nonnegative_rank([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 1]]))  # of rank 3
    nonnegative-rank = 4 (cover by fooling-set | rows or columns)
    """
    matrix = matrix_of(matrix)
    numbers = _whole(matrix.labels if values is None else values)
    if not numbers or len(numbers) != len(matrix.labels):
        raise InputError("values", values, f"an integer from 0 to 2^31 - 1 for each of the labels {matrix.labels}")
    trivial, clock = nonnegative_trivial(matrix, {"values": numbers}), Clock.within(seconds)
    return last_of(improved(trivial, nonnegative_findings(matrix, trivial.parameters, clock)))


def _whole(numbers: Sequence[Any]) -> list[int] | None:
    whole = [int(number) for number in numbers if isinstance(number, (int, np.integer)) and 0 <= number < CODES]
    return whole if len(whole) == len(numbers) else None


def nonnegative_at_once(question: Question) -> Known:
    """Of each answer's 0/1 matrix, and of the matrix itself if its answers are other numbers."""
    matrix = question.matrix
    numbers = _whole(matrix.labels)
    if numbers is None and all(isinstance(label, Real) for label in matrix.labels):  # not ranks of labels in its place
        raise InputError("labels", matrix.labels[:6], f"nonnegative integers below {CODES}, or no numbers ({SCALED})")
    asked: dict[Any, Given] = {
        code: {"values": [int(place == code) for place in range(len(matrix.labels))], "label": repr(label)}
        for code, label in enumerate(matrix.labels)
    }
    if numbers is not None and not matrix.is_boolean:
        asked[None] = {"values": numbers}
    return {place: nonnegative_trivial(matrix, given) for place, given in asked.items()}


def _support(table: Table) -> CommunicationMatrix:
    return CommunicationMatrix((table != 0).astype(np.int8), (0, 1))


def nonnegative_trivial(matrix: CommunicationMatrix, given: Given) -> Bracket:
    if not matrix.is_total or 0 in matrix.shape:
        raise InputError("matrix", matrix, "a total matrix, of at least one cell: an undefined entry has no rank")
    support = _support(np.array(given["values"], dtype=np.int64)[matrix.codes])
    cells = [[*cell] for cell in diagonals(support)[1].cells]
    witness = {"kind": "support", "of": {"kind": "fooling-set", "cells": cells}} if cells else None
    below, above = (
        Side(len(cells), "diagonal", witness),
        Side(rows_or_columns(support.codes == 1), "rows or columns", ROWS),
    )
    return Bracket("nonnegative-rank", below, above, given, "", matrix=matrix)


def nonnegative_findings(matrix: CommunicationMatrix, given: Given, clock: Clock) -> Iterator[Finding | None]:
    whole = np.array(given["values"], dtype=np.int64)[matrix.codes]
    support = _support(whole)
    values, codes = np.unique(whole, return_inverse=True)
    merged = CommunicationMatrix(codes.reshape(whole.shape), tuple(values.tolist())).merge()
    table = values[merged.matrix.codes]
    upper = rows_or_columns(table != 0)
    yield "upper", upper, "rows or columns", ROWS
    yield None
    for rows in dict.fromkeys((MOST_RANK, len(table))):  # all of them only if the first ones are not independent
        pivots = rank_witness(table[:rows])
        if (rank := len(pivots["rows"])) <= MOST_RANK:
            yield "lower", rank, "rank", {**in_the_whole(pivots, merged), "kind": "minor"}
        if rank >= min(rows, table.shape[1]):
            break
    folds = by_folding(table, clock) if max(table.shape) <= MOST_FOLDED else iter(())
    for pair in folds:
        if pair is None:
            break
        upper = min(upper, len(pair[0][0]))
        yield _factors(pair, merged, "folds")
    if max(table.shape) > MOST_ROWS:
        return
    covers = cover_number(support, 1, seconds=clock.left(60) / 3)
    if covers.lower_witness is not None:
        witness = {"kind": "support", "of": covers.lower_witness}
        yield "lower", int(covers.lower), f"cover by {covers.below.by}", witness
    if not values[:-1].any():  # one number beside 0
        parts = partition_number(_support(table), 1, seconds=clock.left(60) / 2)
        if parts.upper_witness is not None:
            masks = [[int(side, 16) for side in pair] for pair in parts.upper_witness["rectangles"]]
            left, right = (
                [[Fraction(worth * (pair[axis] >> place & 1)) for pair in masks] for place in range(table.shape[axis])]
                for axis, worth in enumerate((1, int(values[-1])))
            )
            yield _factors((left, right), merged, "partition")
            upper = min(upper, len(masks))
    yield from _in_turn(table, folds, max(rank, int(covers.lower)), upper, merged, clock)


def _in_turn(
    table: Table, folds: Iterator[Factors | None], least: int, upper: int, merged: MergedMatrix, clock: Clock
) -> Iterator[Finding | None]:
    """Searches of all sizes that are open and more folds, in turn, to the end of the time, or else of the folds."""
    more, starts = True, 0
    while least < upper and (more or clock.end is not None):
        for number in range(starts, starts := starts + STARTS):
            for size in range(least, upper):
                yield None
                if clock.over:
                    return
                if pair := by_search(table, size, number, clock):
                    upper = size
                    yield _factors(pair, merged)
                    break
        more = False
        for pair in folds:
            more = True
            if pair is None:
                break
            upper = min(upper, len(pair[0][0]))
            yield _factors(pair, merged, "folds")


# Sign rank and approximate rank


@timed
def sign_rank(matrix: Subject, label: Hashable = 1, *, seconds: float | None = 20.0) -> Bracket:
    """The least rank of a real matrix that is above 0 where the answer has a label, and below 0 where it has not.

    The number of bits of an unbounded-error protocol is its logarithm, but for at most two bits.

    Args:
        matrix: total, or partial: off the promise any entry will do.
        label: the answer.
        seconds: a limit on the search.

    Returns:
        A pure number. Below: Forster's bound, a shattered set, or that a plane is not enough; above: factors.

    >>> from ccsim.problems import equality, greater_than
    >>> print(sign_rank(equality(3)), sign_rank(greater_than(3)), sep="; ")
    sign-rank = 3 (plane | changes of sign); sign-rank = 2 (plane | changes of sign)
    """
    matrix = matrix_of(matrix)
    return _of_sign(matrix, {"label": code_of(matrix, label)}, seconds)


@timed
def approximate_rank(
    matrix: Subject, error: Fraction | str = Fraction(1, 3), label: Hashable = 1, *, seconds: float | None = 20.0
) -> Bracket:
    """The least rank of a real matrix within an error of 1 where the answer has a label, and of -1 where it has not.

    The error is at least 0 and below 1, and off the promise entries are from -(1 + error) to 1 + error; the rest as for
    :func:`sign_rank`, which bounds it from below, as do minors of that rank. Above: factors, or different rows or
    columns.

    >>> from ccsim.problems import equality
    >>> print(approximate_rank(equality(2), "1/3"))
    approximate-rank = 4 (regular minor | rows or columns)
    """
    matrix, allowed = matrix_of(matrix), require_fraction("error", error)
    if not 0 <= allowed < 1:
        raise InputError("error", error, "at least 0 and below 1")
    return _of_sign(matrix, {"label": code_of(matrix, label), "error": as_text(allowed)}, seconds)


def _of_sign(matrix: CommunicationMatrix, given: Given, seconds: float | None) -> Bracket:
    return last_of(improved(sign_trivial(matrix, given), sign_findings(matrix, given, Clock.within(seconds))))


PLANE: Witness = {"kind": "plane"}
MOST_FORSTER = 256  # rows and columns of which products of the matrix with itself are taken
FORSTER = 4e6  # of these rows to the third power for each second that is left, a part of which such products take
PLANES = 2e6  # cells of which it is decided in a second whether a plane has them
INSIDE = 0.98  # of the error is what the search in floats allows itself


def sign_trivial(matrix: CommunicationMatrix, given: Given) -> Bracket:
    if 0 in matrix.shape:
        raise InputError("matrix", matrix, "at least one row and one column")
    lower, name = int((matrix.codes >= 0).any()), "approximate-rank" if "error" in given else "sign-rank"
    below = Side(lower, "trivial", _of_signs(PLANE, given) if lower else None)
    above = Side(min(matrix.shape), "rows or columns", ROWS if matrix.is_total else None)
    return Bracket(name, below, above, given, "", matrix=matrix)


def _of_signs(witness: Witness, given: Given) -> Witness:
    """A witness for the sign rank is one for the approximate rank."""
    return {"kind": "signs", "of": witness} if "error" in given else witness


def sign_findings(matrix: CommunicationMatrix, given: Given, clock: Clock) -> Iterator[Finding | None]:
    merged = matrix.indicator(matrix.labels[given["label"]]).merge()
    signs = np.array((1, -1, 0), dtype=np.int64)[1 - merged.matrix.codes]
    upper, lower = min(signs.shape), 1
    if signs.size <= MOST_CELLS:
        if (line := in_a_line(signs)) is not None:
            yield _factors(line, merged, "signs of rows and columns")
            return
        yield "lower", 2, "plane", _of_signs(PLANE, given)
    if matrix.is_total:
        yield "upper", upper, "rows or columns", ROWS
    yield None
    wide = signs.shape[1] > len(signs)  # then its columns come first: they have fewer places
    for turn in (Clock(0.0), clock):  # first with the columns in their order
        for turned in (wide, not wide) if "error" not in given and not (turn is clock and clock.over) else ():
            pair = by_changes(signs.T if turned else signs, upper, turn)
            if pair is not None:
                yield _factors(pair[::-1] if turned else pair, merged, "changes of sign")
                upper = len(pair[0][0])
        for value, method, witness in _lower_bounds(matrix, merged, signs, given, clock) if turn is not clock else ():
            yield "lower", value, method, witness
            lower = max(lower, value)
    dependent = (
        nearly_dependent(signs, Fraction(given["error"]), clock) if "error" in given and matrix.is_total else None
    )
    if dependent is not None:
        yield _factors(dependent, merged)
        upper -= 1
    for size in range(upper - 1, lower - 1, -1) if max(signs.shape) <= MOST_ROWS else ():
        pair = _near(signs, given, size, clock)
        if pair is None:
            return
        yield _factors(pair, merged)


def _near(signs: Table, given: Given, rank: int, clock: Clock) -> Factors | None:
    """Factors of this rank whose product has these signs, and is within the error if there is one."""
    most: Any  # how large an entry may be, and has to be, exactly and in floats
    least, most, inner, outer = Fraction(0), inf, 1.0, inf
    if "error" in given:
        least, most = (1 + sign * Fraction(given["error"]) for sign in (-1, 1))
        inner, outer = (1 + float(side - 1) * INSIDE for side in (least, most))
    low, high = np.where(signs > 0, inner, -outer), np.where(signs < 0, -inner, outer)
    for left, right, unit in fitted(low, high, rank, clock):
        product = (left @ right.T).astype(object)  # integers of any length
        own = (product * signs)[signs != 0]
        if (own >= max(1, least * unit**2)).all() and (abs(product) <= most * unit**2).all():
            return _in_units(left, unit), _in_units(right, unit)
    return None


def _in_units(whole: Table, unit: int) -> Vectors:
    return [[Fraction(entry, unit) for entry in vector] for vector in whole.tolist()]


def in_a_line(signs: Table) -> Factors | None:
    """Factors of one column, or of none if nothing is defined; None if there are none."""
    minus = column_signs(Matrix(np.where(signs, (1 + signs) // 2, -1).tolist()), 1)
    if minus is None:
        return None
    size, columns = int(signs.any()), [1 - 2 * (minus >> place & 1) for place in range(signs.shape[1])]
    rows = np.where((signs * columns).min(axis=1) < 0, -1, 1).tolist()
    left, right = ([[Fraction(entry)][:size] for entry in side] for side in (rows, columns))
    return left, right


def _lower_bounds(
    matrix: CommunicationMatrix, merged: MergedMatrix, signs: Table, given: Given, clock: Clock
) -> Iterator[tuple[int, str, Witness]]:
    """Of the matrix if it is total, else of total submatrices."""
    total, every = matrix.is_total, tuple(list(range(size)) for size in signs.shape)
    for sides in [every] if total else total_parts(signs):
        part = merged if total else merged.matrix.restrict(*sides).merge()
        rows, columns = merged.rows[sides[0]].tolist(), merged.columns[sides[1]].tolist()
        for value, method, witness in _sign_bounds(part, len(matrix.labels) == 2, clock):
            whole = witness if total else {"kind": "submatrix", "rows": rows, "columns": columns, "of": witness}
            yield value, method, _of_signs(whole, given)
        if "error" in given:
            for mine, yours, inverse in regular_minors(signs[np.ix_(*sides)], Fraction(given["error"]), clock):
                places = {"rows": [rows[place] for place in mine], "columns": [columns[place] for place in yours]}
                yield len(inverse), "regular minor", {"kind": "regular-minor", **places, "inverse": inverse}


MOST_TRIPLES = 1 << 17


def total_parts(signs: Table) -> Iterator[tuple[list[int], list[int]]]:
    """Rows and columns without an undefined entry: three and four that no plane has, as of the four no two are equal or
    opposite; and what is left when those with most undefined entries go, one by one."""
    for table in (signs, signs.T):
        shown = [pack_rows(table == sign) for sign in (1, -1)]
        for i, j, k in islice(combinations(range(len(table)), 3), MOST_TRIPLES):
            four = [
                shown[0][i] & shown[a][j] & shown[b][k] | shown[1][i] & shown[1 - a][j] & shown[1 - b][k]
                for a, b in product((0, 1), repeat=2)
            ]
            if all(four):
                found = [i, j, k], [mask.bit_length() - 1 for mask in four]
                yield found if table is signs else found[::-1]
                break
    free = signs == 0
    left, counts = [np.full(size, 1) for size in signs.shape], [free.sum(axis=1), free.sum(axis=0)]
    while (undefined := [own * side for own, side in zip(counts, left, strict=True)])[0].any():
        shares = [own / other.sum() for own, other in zip(undefined, left[::-1], strict=True)]
        axis = int(shares[1].max() > shares[0].max())
        place = int(shares[axis].argmax())
        left[axis][place] = 0
        counts[1 - axis] = counts[1 - axis] - (free.T if axis else free)[place]
    yield np.flatnonzero(left[0]).tolist(), np.flatnonzero(left[1]).tolist()


STARTING_MINORS = 20


def regular_minors(signs: Table, error: Fraction, clock: Clock) -> Iterator[tuple[list[int], list[int], Any]]:
    """Larger and larger square submatrices that are regular within the error, with their inverses. Among up to 40 rows
    and columns, one of each at a time is added such that the sum of squares in the inverse is least."""
    generator, largest = np.random.default_rng(0), 1
    for _ in range(STARTING_MINORS):
        rows, columns = (generator.permutation(size)[:MOST_ROWS] for size in signs.shape)
        for size in range(1, min(len(rows), len(columns), MOST_MINOR)):
            added = np.indices((len(rows) - size, len(columns) - size)).reshape(2, -1) + size
            sides = [
                np.column_stack([np.tile(side[:size], (len(new), 1)), side[new]])
                for side, new in ((rows, added[0]), (columns, added[1]))
            ]
            minors = signs[sides[0][:, :, None], sides[1][:, None, :]].astype(float)
            regular = np.flatnonzero(np.abs(np.linalg.det(minors)) > 0.5)
            if clock.over or not len(regular):
                break
            inverses = np.linalg.inv(minors[regular])
            best = int((inverses**2).sum(axis=(1, 2)).argmin())
            for side, new in zip((rows, columns), added[:, regular[best]], strict=True):
                side[[size, new]] = side[[new, size]]
            others = np.array([*product((1, -1), repeat=size)])
            most = np.abs(inverses[best, :, 1:] @ others.T + inverses[best, :, :1]).sum(axis=0).max()
            if size >= largest and most * float(error) < 1 - FIT:
                largest, places = size + 1, (rows[: size + 1].tolist(), columns[: size + 1].tolist())
                exact = flint.fmpz_mat(signs[np.ix_(*places)].tolist()).inv().tolist()
                yield *places, [[f"{entry.p}/{entry.q}" for entry in row] for row in exact]


MOST_ROW_SIGNS = 8  # rows of which all combinations are sought
SHARES = 100  # a common denominator of their weights at a corner: a sum of 8 minors of 7 rows, divided by 2^6


def nearly_dependent(signs: Table, error: Fraction, clock: Clock) -> Factors | None:
    """Factors of one column less than rows, or columns. Of rows that are turned or not, some combination with weights
    that add up to 1 has entries that are at most the error: subtracted from each of these rows, it is 0."""
    if len(signs) > signs.shape[1]:
        found = nearly_dependent(signs.T, error, clock)
        return None if found is None else found[::-1]
    for ways in product((1, -1), repeat=len(signs) - 1) if len(signs) <= MOST_ROW_SIGNS else ():
        own = np.array((1, *ways))[:, None] * signs
        game = None if clock.over else matrix_game(np.concatenate([own.T, -own.T]))
        if game is None or game[0] > error + FIT:
            continue
        weights = [Fraction(share).limit_denominator(SHARES) for share in game[1].tolist()]
        sums = [sum(map(mul, weights, column)) / sum(weights) for column in own.T.tolist()]
        if max(map(abs, sums)) <= error:
            last = weights.index(max(weights))
            others = [place for place in range(len(signs)) if place != last]
            left = [[Fraction(way * (place == j)) for j in others] for place, way in enumerate((1, *ways))]
            left[last] = [-(1, *ways)[last] * weights[j] / weights[last] for j in others]
            return left, [
                [column[j] - moved for j in others] for column, moved in zip(own.T.tolist(), sums, strict=True)
            ]
    return None


def _sign_bounds(merged: MergedMatrix, boolean: bool, clock: Clock) -> Iterator[tuple[int, str, Witness]]:
    shape, size = merged.matrix.shape, min(MOST_FORSTER, int((clock.left() * FORSTER) ** (1 / 3)))
    kept = {"rows": merged.rows[:size], "columns": merged.columns[:size]}
    known = merged.matrix.codes.tolist(), "sign-rank", "lower", {"label": 1}
    few = max(shape) <= MOST_ROWS
    witness: Witness = {"kind": "forster", "doublings": 2 if few else 0}
    inside = {name: list(range(len(those))) for name, those in kept.items()}
    forster = int(check(*known, witness | inside))
    if forster <= 3 and shape[0] * shape[1] <= min(MOST_CELLS, clock.left() * PLANES):
        yield int(check(*known, PLANE)), "plane", PLANE
    yield forster, "Forster", witness | {name: those.tolist() for name, those in kept.items()}
    if not (few and boolean):
        return
    for direction, those in (("alice-to-bob", merged.columns), ("bob-to-alice", merged.rows)):
        dimension = vc_dimension(merged.matrix, direction, seconds=clock.left(2.0))
        assert dimension.lower_witness is not None
        shown = {"kind": "shattered", "places": those[dimension.lower_witness["places"]].tolist()}
        yield int(dimension.lower), "VC dimension", {"kind": "vc", "direction": direction, "of": shown}


TRIES = 4
FIT = 1e-9
UNITS = (1, 2, 4, 16, 64, 1024, 1 << 20)
LARGE = 1 << 26  # products of two such numbers, and sums of them, fit in 64 bits


def fitted(low: Table, high: Table, rank: int, clock: Clock) -> Iterator[tuple[Table, Table, int]]:
    """Integers U, V and a unit such that U V^T / unit^2 lies about between two matrices, simple ones first."""
    height, generator = len(low), np.random.default_rng(0)

    def violation(values: Table) -> tuple[float, Table]:
        left, right = np.split(values.reshape(-1, rank), [height])
        product = left @ right.T
        excess = np.maximum(product - high, 0) - np.maximum(low - product, 0)
        return float((excess**2).sum() / 2), np.concatenate([excess @ right, excess.T @ left]).ravel()

    for _ in range(TRIES):
        if clock.over:
            return
        fit = least_by_gradient(violation, generator.normal(size=sum(low.shape) * rank), maxiter=400, ftol=0)
        if fit.fun < FIT:
            left, right = np.split(fit.x.reshape(-1, rank), [height])
            balance = np.sqrt((np.abs(right).max(axis=0) + FIT) / (np.abs(left).max(axis=0) + FIT))
            both = np.concatenate([left * balance, right / balance])  # columns of the same lengths on both sides
            for unit in UNITS:
                if np.abs(both).max() * unit < LARGE:
                    left, right = np.split(np.rint(both * unit).astype(np.int64), [height])
                    yield left, right, unit


SECONDS = 5e-8  # to write factors, for rows and columns times their number to the second power
ORDERS = 20  # of the columns, from which changes of sign are made fewer


def by_changes(signs: Table, most: int, clock: Clock) -> Factors | None:
    """Factors of c + 1 columns if rows change sign c times at most: polynomials, and points (1, t, ..., t^c); None if
    these are not fewer, or too long to be written and checked."""
    first = np.where(signs[0] == 0, 1, signs[0])
    options = (
        (_filled((signs * turned)[:, order]), order, turned)
        for turned in (np.ones_like(first), first)
        for order in _orders(signs * turned, clock)
    )
    filled, order, turned = min(options, key=lambda option: _changes(option[0]).sum(axis=1).max())
    changes, places = _changes(filled), 2 * (np.arange(len(order)) - len(order) // 2)
    size = int(changes.sum(axis=1).max()) + 1
    work = signs.size * size * (4 + (size * len(order).bit_length() >> 7) ** 2)
    if size >= most or work > MOST_WORK or sum(signs.shape) * size**2 * SECONDS > clock.left():
        return None
    rows = []
    for row, turns in zip(filled.tolist(), changes, strict=True):
        curve = [row[0]]
        for root in (places[:-1] + 1)[turns].tolist():  # half way between two places, which are even
            curve = [root * a - b for a, b in zip([*curve, 0], [0, *curve], strict=True)]
        rows.append([Fraction(entry) for entry in curve + [0] * (size - len(curve))])
    at = dict(zip(order, places.tolist(), strict=True))
    columns = [[Fraction(sign * at[j] ** power) for power in range(size)] for j, sign in enumerate(turned.tolist())]
    return rows, columns


def _orders(signs: Table, clock: Clock) -> Iterator[list[int]]:
    count = signs.shape[1]
    yield list(range(count))
    table = signs.astype(np.float32)  # whose sums are exact, and products faster
    near = table.T @ table
    for start in range(0, count, -(-count // ORDERS)):
        if clock.over:
            return
        order, left = [start], np.full(count, True)
        while len(order) < count:
            left[order[-1]] = False
            order.append(int(np.where(left, near[order[-1]], -inf).argmax()))
        yield order


def _filled(signs: Table) -> Table:
    own = signs != 0
    places = np.maximum.accumulate(np.where(own, np.arange(signs.shape[1]), own.argmax(axis=1)[:, None]), axis=1)
    filled = np.take_along_axis(signs, places, axis=1)
    return np.where(filled == 0, 1, filled)  # in a row without a sign


def _changes(filled: Table) -> Table:
    return np.asarray(filled[:, 1:] != filled[:, :-1])
