"""The sign rank: the least rank of a matrix whose entries have the signs of a function (Paturi and Simon 1986).

Bounded from below by Forster's theorem, by the VC dimension, and by what fits in a line or a plane; from above by
factors: of few changes of sign in each row, or found in floats and rounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import Bracket, Witness
from ccsim.bounds.clock import Clock
from ccsim.bounds.factors.findings import Finding, improved
from ccsim.bounds.factors.fitting import Vectors, factors, least_fitting
from ccsim.bounds.one_message.vc import vc_dimension
from ccsim.certificates.verify import check
from ccsim.certificates.verify.data import MOST_CELLS
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems.subject import Subject, matrix_of

Table = npt.NDArray[Any]

MOST_LINES = 40  # different ones, up to which factors are searched for
MOST_FORSTER = 256  # up to which products of the matrix with itself are taken
DOUBLINGS = (0, 2)
ORDERS = 20  # of the columns, from which changes of sign are made fewer


def sign_rank(matrix: Subject, label: int = 1, *, time_limit: float | None = 20.0) -> Bracket:
    """The least rank of a real matrix that is above 0 where the answer has a label, and below 0 where it has not.

    The number of bits of an unbounded-error protocol is its logarithm, but for at most two bits.

    Args:
        matrix: total, or partial: off the promise any entry will do (and there is no good lower bound).
        label: its place in ``matrix.labels``.
        time_limit: seconds for the search.

    Returns:
        A pure number. Below: Forster's bound, a shattered set, or that a plane is not enough; above: factors.

    >>> from ccsim.problems import equality, greater_than
    >>> print(sign_rank(equality(3)), sign_rank(greater_than(3)), sep="; ")
    sign-rank = 3 (plane | changes of sign); sign-rank = 2 (plane | changes of sign)
    """
    matrix = matrix_of(matrix)
    *_, best = sign_stages(matrix, label_of(matrix, label), Clock.within(time_limit))
    return replace(best, matrix=matrix)


def label_of(matrix: CommunicationMatrix, label: int) -> int:
    """The place of a label; an error if there is none, or no cell."""
    if 0 in matrix.shape:
        raise InputError("matrix", matrix, "at least one row and one column")
    if not (isinstance(label, int) and 0 <= label < len(matrix.labels)):
        raise InputError("label", label, f"a place in {matrix.labels}")
    return label


def signs_of(matrix: CommunicationMatrix, label: int) -> Table:
    """1 on cells of the label, -1 on others, 0 off the promise."""
    codes = matrix.codes
    return np.where(codes < 0, 0, np.where(codes == label, 1, -1)).astype(np.int64)


def trivial_signs(matrix: CommunicationMatrix, label: int) -> Bracket:
    """At least 1 if a cell is promised, and at most the number of rows, or of columns."""
    lower, parameters = int((matrix.codes >= 0).any()), {"label": label}
    below = {"kind": "plane"} if lower else None
    above = {"kind": "lines"} if matrix.is_total else None
    return Bracket("sign-rank", lower, min(matrix.shape), "trivial | lines", below, above, parameters, "")


def sign_stages(matrix: CommunicationMatrix, label: int, clock: Clock) -> Iterator[Bracket]:
    """The bracket, whenever more is known."""
    yield from improved(trivial_signs(matrix, label), sign_findings(matrix, label, clock))


def sign_findings(matrix: CommunicationMatrix, label: int, clock: Clock) -> Iterator[Finding]:
    """What each method proves, quick ones first."""
    merged = matrix.indicator(matrix.labels[label]).merge()
    signs, least = signs_of(merged.matrix, 1), 1
    best = min(signs.shape)
    if matrix.is_total:
        yield "upper", best, "lines", {"kind": "lines"}
    for turned in (False, True):
        pair = by_changes(signs.T if turned else signs)
        if len(pair[0][0]) < best:
            best = len(pair[0][0])
            yield "upper", best, "changes of sign", factors(*(pair[::-1] if turned else pair), merged)
    for value, method, witness in sign_bounds(matrix, label, clock):
        yield "lower", value, method, witness
        least = max(least, value)
    if max(signs.shape) > MOST_LINES:
        return
    low, high = np.where(signs > 0, 1.0, -np.inf), np.where(signs < 0, -1.0, np.inf)

    for pair in least_fitting(
        low, high, best, least, lambda product, _: bool((product * signs > 0)[signs != 0].all()), clock
    ):
        yield "upper", len(pair[0][0]), "factors", factors(*pair, merged)


def sign_bounds(matrix: CommunicationMatrix, label: int, clock: Clock) -> Iterator[tuple[int, str, Witness]]:
    """Lower bounds on the sign rank of a total matrix: what a plane holds, Forster's, and the VC dimension."""
    if not matrix.is_total:
        return
    merged = matrix.indicator(matrix.labels[label]).merge()
    table, known = merged.matrix.codes.tolist(), {"label": 1}
    if len(table) * len(table[0]) <= MOST_CELLS:
        yield int(check(table, "sign-rank", "lower", known, {"kind": "plane"})), "plane", {"kind": "plane"}
    if max(merged.matrix.shape) <= MOST_FORSTER:
        every = {"rows": merged.rows.tolist(), "columns": merged.columns.tolist()}
        inside = {name: list(range(len(lines))) for name, lines in every.items()}
        for doublings in DOUBLINGS if max(merged.matrix.shape) <= MOST_LINES else DOUBLINGS[:1]:
            witness = {"kind": "forster", "doublings": doublings}
            yield int(check(table, "sign-rank", "lower", known, witness | inside)), "Forster", witness | every
    if len(matrix.labels) == 2 and max(merged.matrix.shape) <= MOST_LINES:
        for direction, lines in (("alice-to-bob", merged.columns), ("bob-to-alice", merged.rows)):
            found = vc_dimension(merged.matrix, direction, time_limit=clock.left(2.0))
            assert found.lower_witness is not None
            shown = {"kind": "shattered", "places": lines[found.lower_witness["places"]].tolist()}
            yield int(found.lower), "VC dimension", {"kind": "vc", "direction": direction, "of": shown}


def by_changes(signs: Table) -> tuple[Vectors, Vectors]:
    """Factors for a matrix whose rows change their sign seldom, once the columns are in order: points on a curve.

    With c changes at most, column j is the point (1, t, ..., t^c) at its place t, and row i the polynomial with a root
    at each of its changes. A column may be turned round; free cells take the sign before them.

    >>> rows, columns = by_changes(np.array([[1, 1, 1], [-1, 1, 1], [-1, -1, 1]]))
    >>> np.sign(np.array(rows) @ np.array(columns).T).astype(int).tolist()
    [[1, 1, 1], [-1, 1, 1], [-1, -1, 1]]
    """
    first = np.where(signs[0] == 0, 1, signs[0])
    options = [(order, turned) for turned in (np.ones_like(first), first) for order in _orders(signs * turned)]
    order, turned = min(options, key=lambda option: _changes(signs[:, option[0]] * option[1][option[0]]).sum(1).max())
    filled = _filled(signs[:, order] * turned[order])
    changes = _changes(filled)
    size, middle = int(changes.sum(axis=1).max()), len(order) // 2
    rows = []
    for line, turns in zip(filled.tolist(), changes, strict=True):
        curve = [line[0]]
        for place in np.flatnonzero(turns).tolist():
            root = 2 * (place - middle) + 1  # half way between two places, which are even
            curve = [root * a - b for a, b in zip([*curve, 0], [0, *curve], strict=True)]
        rows.append([Fraction(entry) for entry in curve] + [Fraction(0)] * (size + 1 - len(curve)))
    places = {column: 2 * (place - middle) for place, column in enumerate(order)}
    columns = [[Fraction(int(turned[j]) * places[j] ** power) for power in range(size + 1)] for j in range(len(order))]
    return rows, columns


def _orders(signs: Table) -> Iterator[list[int]]:
    """The columns as they are, and, from some of them on, always the nearest one that is left."""
    count = signs.shape[1]
    yield list(range(count))
    near = signs.T @ signs
    for start in range(0, count, -(-count // ORDERS)):
        left, order = set(range(count)) - {start}, [start]
        while left:
            order.append(max(left, key=lambda column: (int(near[order[-1], column]), -column)))
            left.remove(order[-1])
        yield order


def _filled(signs: Table) -> Table:
    """Free cells with the sign of the cell before them in their row, or else of the first."""
    filled = signs.copy()
    for row in filled:
        last = next((entry for entry in row if entry), 1)
        for place, entry in enumerate(row):
            last = row[place] = entry or last
    return filled


def _changes(signs: Table) -> Table:
    """Where each row changes its sign."""
    filled = _filled(signs)
    return np.asarray(filled[:, 1:] != filled[:, :-1])
