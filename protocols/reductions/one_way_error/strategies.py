"""What a receiver can do after one message, as rows of a matrix: how much of each sender's input it gets right."""

from __future__ import annotations

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE

MOST_STRATEGIES = 1 << 13
"""How many strategies of the receiver are looked at, when those that are of no use are left out."""


def strategy_matrix(codes: Array, weights: Array) -> Array:
    """For each useful strategy and each of the sender's inputs, the weight on which the receiver is right.

    A strategy is an answer for each column. Columns that divide the sender's inputs alike, with weights in
    proportion, are answered alike; a strategy that is nowhere above another is of no use. That is decided among
    columns that are functions of one of them, early.

    Args:
        codes: answer codes, the sender's inputs as rows; -1 off the promise.
        weights: non-negative integers of the same shape, 0 off the promise.

    Raises :class:`~ccsim.errors.InputError` if more than 2^13 strategies are left.

    >>> strategy_matrix(np.array([[0, 0], [0, 1]]), np.ones((2, 2), dtype=np.int64)).tolist()
    [[1, 2], [2, 1]]
    """
    codes, weights = _merged(codes, weights)
    matrix = np.zeros((1, len(codes)), dtype=np.int64)
    for group in _groups(codes):
        useful = np.zeros((1, len(codes)), dtype=np.int64)
        for column in group:
            labels = [label for label in np.unique(codes[:, column]).tolist() if label != DONT_CARE]
            rows = [np.where(codes[:, column] == label, weights[:, column], 0) for label in labels]
            useful = _undominated(_sums(useful, np.array(rows)))
        matrix = _sums(matrix, useful)
    return matrix


def _merged(codes: Array, weights: Array) -> tuple[Array, Array]:
    """One column for all that divide the rows alike with weights in proportion."""
    merged: dict[bytes, tuple[Array, Array]] = {}
    for column in range(codes.shape[1]):
        weight = weights[:, column]
        divisor = int(np.gcd.reduce(weight)) if len(weight) else 0
        if divisor:
            named = _in_order(codes[:, column])
            key = named.tobytes() + (weight // divisor).tobytes()
            merged[key] = named, weight + (merged[key][1] if key in merged else 0)
    if not merged:
        return np.zeros((len(codes), 0), dtype=np.int64), np.zeros((len(codes), 0), dtype=np.int64)
    return tuple(np.stack(columns, axis=1) for columns in zip(*merged.values(), strict=True))  # type: ignore[return-value]


def _in_order(column: Array) -> Array:
    """The same division of the rows with labels 0, 1, ... in order of appearance; -1 stays."""
    labels = dict.fromkeys(label for label in column.tolist() if label != DONT_CARE)
    names = {label: place for place, label in enumerate(labels)} | {DONT_CARE: DONT_CARE}
    return np.array([names[label] for label in column.tolist()], dtype=np.int64)


def _groups(codes: Array) -> list[list[int]]:
    """Columns in groups, in each of which the first one tells all the others."""
    order = sorted(range(codes.shape[1]), key=lambda column: -len(np.unique(codes[:, column])))
    groups: list[list[int]] = []
    for column in order:
        for group in groups:
            pairs = np.unique(codes[:, [group[0], column]], axis=0)
            if len(pairs) == len(np.unique(codes[:, group[0]])):
                group.append(column)
                break
        else:
            groups.append([column])
    return groups


def _sums(one: Array, other: Array) -> Array:
    """All different sums of a row of each."""
    if len(one) * len(other) > 8 * MOST_STRATEGIES:
        raise InputError("function", len(one) * len(other), f"at most {MOST_STRATEGIES} strategies of the receiver")
    sums = np.unique((one[:, None, :] + other[None, :, :]).reshape(-1, one.shape[1]), axis=0)
    if len(sums) > MOST_STRATEGIES:
        raise InputError("function", len(sums), f"at most {MOST_STRATEGIES} strategies of the receiver")
    return sums


def _undominated(rows: Array) -> Array:
    """Different rows without those that are nowhere above another."""
    kept = [not ((rows >= row).all(axis=1) & (rows != row).any(axis=1)).any() for row in rows]
    return np.asarray(rows[np.array(kept, dtype=bool)])
