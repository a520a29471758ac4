"""The gamma_2 norm of a sign matrix, its approximate form, and the public-coin bits that follow, with certificates.

gamma_2(B) is the least g such that B_ij = <x_i, y_j> with all |x_i|^2, |y_j|^2 <= g; gamma_2^alpha(A) of a sign
matrix A is the least gamma_2(B) with 1 <= A B <= alpha cell by cell (Linial and Shraibman 2007). The solutions of a
semidefinite program are rounded to rationals and proved positive by exact elimination.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from ccsim.bounds.bracket import (
    UNKNOWN,
    Bracket,
    Side,
    Value,
    Witness,
    as_text,
    coins_bound,
    logarithm_of,
    require_error,
    timed,
)
from ccsim.bounds.rectangles import code_of
from ccsim.bounds.scheduler import Clock
from ccsim.certificates.verify import Refused, check
from ccsim.certificates.verify.claims import bits_for
from ccsim.errors import Array, InputError
from ccsim.matrices import DONT_CARE, CommunicationMatrix
from ccsim.problems.function import Subject, matrix_of

ROUNDS = 20_000
SEARCH = 0.7  # of the time; the rest is for proofs
MOST_SIZE = 256  # rows, and columns, after merging
EXACT_SIZE = 40  # beyond, positive matrices are not proved by elimination, and have to be so by a margin
NEAR, ROUGHLY = 1e-11, 1e-4
FINE = 1 << 20  # the denominator of large witnesses
SIMPLE = (16, 128, 1024)  # denominators up to which rationals near floats are tried
CLOSE = 1 << 44  # the denominator of those that are tried then
MARGIN = 1e-9  # of the largest entry, on the diagonal of what is not eliminated
NOISE = 1e-15  # of an eigenvalue, for each row and unit of the largest entry


@timed
def gamma2(matrix: Subject, alpha: Fraction | str = "1", label: Hashable = 1, seconds: float = 20.0) -> Bracket:
    """gamma_2^alpha of the signs of a function: 1 where the answer has this label, -1 elsewhere; a pure number.

    Args:
        matrix: Boolean, multi-valued or partial, of at most 256 + 256 rows and columns after merging (fast up to
            16 + 16). Off the promise only |B| <= alpha is asked.
        alpha: at least 1; 1 is the norm itself.
        label: the answer.
        seconds: for the search; the bracket is proved whenever it stops.

    >>> bracket = gamma2([[1, 1], [1, 0]])  # the square root of 2
    >>> bracket.lower < Fraction(1414213563, 10**9) < bracket.upper + Fraction(1, 10**6)
    True
    """
    matrix = matrix_of(matrix)
    return _bracket(matrix, Fraction(alpha), code_of(matrix, label), seconds, True)


def _bracket(matrix: CommunicationMatrix, bound: Fraction, label: int, seconds: float, both: bool) -> Bracket:
    if bound < 1:
        raise InputError("alpha", str(bound), "at least 1")
    merged, table = matrix.merge(), matrix.codes.tolist()
    codes = merged.matrix.codes.astype(np.int64)
    if not 0 < min(codes.shape) <= max(codes.shape) <= MOST_SIZE:
        raise InputError("matrix", codes.shape, f"from 1 to {MOST_SIZE} different rows, and columns")
    signs = np.where(codes == DONT_CARE, 0, np.where(codes == label, 1, -1))
    low = np.where(signs == 0, -float(bound), np.minimum(signs, signs * float(bound)))
    high = np.where(signs == 0, float(bound), np.maximum(signs, signs * float(bound)))
    gram, slack = _alternate(low, high, Clock.within(SEARCH * seconds))
    parameters = {"label": label, "alpha": as_text(bound)}
    places = {"rows": merged.rows.tolist(), "columns": merged.columns.tolist()}
    above = len(codes)
    classes = {"rows": merged.row_class.tolist(), "columns": (merged.column_class + above).tolist()}

    def best(side: str, candidates: Iterator[tuple[bool, Witness]]) -> tuple[Value, Witness]:
        proved: list[tuple[Value, Witness]] = []
        for simple, witness in candidates:
            try:
                proved.append((check(table, "gamma_2", side, parameters, witness), witness))
            except Refused:  # not positive semidefinite
                continue
            if not simple:
                break
        return (max if side == "lower" else min)(proved, key=lambda pair: pair[0])

    lower, dual = best("lower", _duals(slack, places))
    above_side = UNKNOWN
    if both or sum(codes.shape) <= 2 * EXACT_SIZE:
        upper, primal = best("upper", _grams(gram, (signs, bound), classes))
        above_side = Side(upper, "Gram matrix", primal)
    return Bracket("gamma_2", Side(lower, "dual matrix", dual), above_side, parameters, "")


@timed
def gamma2_bits(matrix: Subject, error: Fraction | str, seconds: float = 20.0) -> Bracket:
    """R_error^pub >= 2 log2((1 - 2 error) gamma_2^alpha), rounded up, with alpha = 1 / (1 - 2 error).

    Worst-case bits, public coins, both parties know the answer; the best over labels, as a protocol for many answers
    is also one for each indicator matrix. There is no upper bound.

    Args:
        matrix: as for :func:`gamma2`.
        error: at least 0 and below 1/2.
        seconds: for the search, over all labels.

    >>> gamma2_bits([[1, 1], [1, 0]], "0").lower
    1
    """
    return _bits(matrix, error, seconds, "randomised")


@timed
def quantum_bits(matrix: Subject, error: Fraction | str, seconds: float = 20.0) -> Bracket:
    """Q*_error >= log2((1 - 2 error) gamma_2^alpha), rounded up: qubits, where any entangled state may be shared.

    Half of what is had for coins (Linial and Shraibman 2009), with the same arguments. There is no upper bound.

    >>> from ccsim.problems import inner_product
    >>> quantum_bits(inner_product(3), "1/8").lower
    2
    """
    return _bits(matrix, error, seconds, "quantum")


def _bits(matrix: Subject, error: Fraction | str, seconds: float, measure: str) -> Bracket:
    matrix, allowed = matrix_of(matrix), require_error(error)
    labels = range(1, 2) if len(matrix.labels) == 2 else range(len(matrix.labels))
    bound, share = 1 / (1 - 2 * allowed), seconds / len(labels)
    best = max((_bracket(matrix, bound, label, share, False) for label in labels), key=lambda bracket: bracket.lower)
    value = max(Fraction(best.lower), Fraction(0)) * (1 - 2 * allowed)
    given = {"label": best.parameters["label"]}
    if measure == "randomised":
        return coins_bound("gamma_2 dual", allowed, value**2, "gamma_2", best.lower_witness, **given)
    below = Side(bits_for(value), "gamma_2 dual", logarithm_of("gamma_2", best.lower_witness, **given))
    return Bracket("quantum", below, parameters={"error": as_text(allowed)}, unit="qubits")


def _alternate(low: Array, high: Array, clock: Clock) -> tuple[Array, Array]:
    """The least max diag(G), G positive with its corner in bounds, and the dual matrix, by alternating directions.

    Scaled (Boyd and others 2011): one copy of G keeps to the bounds, the other is positive.
    """
    rows, size = low.shape[0], sum(low.shape)
    pull, gram, dual = 1.0 / size, np.eye(size), np.zeros((size, size))
    near = NEAR if size <= 2 * EXACT_SIZE else ROUGHLY
    corner, diagonal = np.s_[:rows, rows:], np.diag_indices(size)
    for turn in range(ROUNDS):
        bounded = gram - dual
        clipped = np.clip(bounded[corner], low, high)
        bounded[corner], bounded[rows:, :rows] = clipped, clipped.T
        bounded[diagonal] -= _to_simplex(bounded[diagonal] * pull) / pull
        mixed = 1.6 * bounded - 0.6 * gram
        before = gram
        values, vectors = np.linalg.eigh(mixed + dual)
        gram = (vectors * np.maximum(values, 0)) @ vectors.T
        dual = dual + mixed - gram
        late = clock.over
        if turn % 20 == 0 or late:
            primal, moved = np.abs(bounded - gram).max(), pull * np.abs(gram - before).max()
            if max(primal, moved * size) < near or late:
                break
            factor = 2.0 if primal > 10 * moved * size else 0.5 if moved * size > 10 * primal else 1.0
            if turn < ROUNDS // 2:
                pull, dual = pull * factor, dual / factor
    return gram, -dual * pull


def _to_simplex(values: Array) -> Array:
    """The nearest point with non-negative entries and sum 1."""
    ordered = np.sort(values)[::-1]
    sums = (np.cumsum(ordered) - 1) / np.arange(1, len(values) + 1)
    return np.asarray(np.maximum(values - sums[np.flatnonzero(ordered > sums)[-1]], 0))


Rows = list[list[Fraction]]
"""A symmetric matrix, up to its diagonal."""


def _candidates(values: Array, fitted: Callable[[Rows], Rows], given: Witness) -> Iterator[tuple[bool, Witness]]:
    """Witnesses near floats, and whether they are simple: first simple rationals, as they are, unless these are surely
    not positive; then close ones, with as much more on the diagonal as makes them so."""
    size = len(values)
    large = size > 2 * EXACT_SIZE
    for scale in [FINE] if large else [*SIMPLE, CLOSE]:
        rows = fitted(_rounded(values, scale))
        floats = np.zeros_like(values)
        for place, row in enumerate(rows):
            floats[place, : place + 1] = row
        least, most = float(np.linalg.eigvalsh(floats, UPLO="L")[0]), float(np.abs(floats).max())
        margin = MARGIN * most if large else NOISE * size * most
        if scale in SIMPLE:
            shifts = [Fraction(0)] if least > -margin else []
        else:  # that far from 0, or else by Gershgorin's circles
            shifts = [Fraction(ceil(scale * (margin + max(0.0, -least))), scale), Fraction(2 * size * (1 + ceil(most)))]
        for shift in shifts:
            gram = [[*map(as_text, row[:place]), as_text(row[place] + shift)] for place, row in enumerate(rows)]
            yield scale in SIMPLE, {**given, "gram": gram}


def _rounded(values: Array, scale: int) -> Rows:
    """The multiples of 1 / scale that are nearest, or the nearest rationals with simple denominators up to it."""
    above, below = np.rint(values * scale), np.full_like(values, scale)
    for denominator in range(scale, 0, -1) if scale in SIMPLE else ():
        numerators = np.rint(values * denominator)
        near = np.abs(values - numerators / denominator) <= np.abs(values - above / below)
        above[near], below[near] = numerators[near], denominator
    pairs = zip(above.astype(int).tolist(), below.astype(int).tolist(), strict=True)
    return [list(map(Fraction, one[: end + 1], other[: end + 1])) for end, (one, other) in enumerate(pairs)]


def _duals(slack: Array, places: dict[str, Any]) -> Iterator[tuple[bool, Witness]]:
    above = len(places["rows"])
    larger = len(slack) if len(slack) > 2 * EXACT_SIZE else 1  # any multiple of a dual matrix is one

    def block(rows: Rows) -> Rows:
        return [
            [entry if other == place or other < above <= place else Fraction(0) for other, entry in enumerate(row)]
            for place, row in enumerate(rows)
        ]

    return _candidates(slack * larger, block, {"kind": "gamma2-dual", **places})


def _grams(gram: Array, box: tuple[Array, Fraction], classes: dict[str, Any]) -> Iterator[tuple[bool, Witness]]:
    signs, alpha = box
    above = len(signs)

    def inside(rows: Rows) -> Rows:
        for (row, column), sign in np.ndenumerate(signs):
            entry = rows[above + column][row]
            within = min(max(sign * entry, Fraction(1)), alpha) * int(sign) if sign else min(max(entry, -alpha), alpha)
            rows[above + column][row] = within
        return rows

    return _candidates(gram, inside, {"kind": "gamma2-gram", **classes})
