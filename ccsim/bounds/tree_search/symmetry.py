"""Symmetries of a matrix: permutations of its rows and of its columns that keep every cell."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Symmetry", "moved", "symmetries"]

MOST_CELLS = 1 << 13  # of a matrix whose symmetries are looked for
MOST_TRIED = 200  # colourings

Codes = npt.NDArray[np.int64]


class Symmetry(NamedTuple):
    """The image of each row, and of each column."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]


def moved(mask: int, images: tuple[int, ...]) -> int:
    """The image of a set of lines.

    >>> moved(0b011, (2, 0, 1)) == 0b101
    True
    """
    image = 0
    while mask:
        low = mask & -mask
        image |= 1 << images[low.bit_length() - 1]
        mask ^= low
    return image


def symmetries(codes: Codes) -> list[Symmetry]:
    """Symmetries other than the identity, if the rows are different and the columns, too: all, or some if it has many.

    Lines are coloured, and the colours refined until lines of a colour see as many cells of each code and colour. Then
    one row gets a colour of its own, on the one hand, and a row to which it may go, on the other.

    >>> [found.rows for found in symmetries(np.array([[1, 0, 0], [0, 1, 0], [0, 0, 0]]))]
    [(1, 0, 2)]
    """
    if codes.size > MOST_CELLS:
        return []
    found: list[Symmetry] = []
    start = _refined(codes, np.zeros(codes.shape[0], int), np.zeros(codes.shape[1], int))
    stack, tried = [(start, start)], 0
    while stack and tried < MOST_TRIED:
        one, other = stack.pop()
        tried += 1
        if not np.array_equal(np.sort(one[0]), np.sort(other[0])):
            continue
        colours, sizes = np.unique(one[0], return_counts=True)
        if sizes.max() == 1:
            found += _as_symmetry(codes, one, other)
            continue
        colour = colours[sizes > 1][np.argmin(sizes[sizes > 1])]
        first = np.flatnonzero(one[0] == colour)[0]
        alone = _refined(codes, *_apart(one, first))
        stack += [(alone, _refined(codes, *_apart(other, place))) for place in np.flatnonzero(other[0] == colour)[::-1]]
    return found


Colours = tuple[Codes, Codes]


def _apart(colours: Colours, row: int) -> Colours:
    rows = 2 * colours[0]
    rows[row] += 1
    return rows, colours[1]


def _refined(codes: Codes, rows: Codes, columns: Codes) -> Colours:
    """Colours by names that do not depend on the order of lines."""
    count = 0
    while True:
        rows = _seen(codes, rows, columns)
        columns = _seen(codes.T, columns, rows)
        now = len(set(rows.tolist())) + len(set(columns.tolist()))
        if now == count:
            return rows, columns
        count = now


def _seen(codes: Codes, own: Codes, across: Codes) -> Codes:
    """A name for the colour of each line and what it sees: its place among all such, in order."""
    pairs = np.sort((codes + 1) * (across.max() + 1) + across, axis=1)
    told = [(colour, *line) for colour, line in zip(own.tolist(), pairs.tolist(), strict=True)]
    names = {key: name for name, key in enumerate(sorted(set(told)))}
    return np.array([names[key] for key in told])


def _as_symmetry(codes: Codes, one: Colours, other: Colours) -> list[Symmetry]:
    images = [np.empty(len(colours), int) for colours in one]
    for image, mine, yours in zip(images, one, other, strict=True):
        image[np.argsort(mine, kind="stable")] = np.argsort(yours, kind="stable")
    same = np.array_equal(codes, codes[np.ix_(*images)])
    if not same or np.array_equal(images[0], np.arange(len(images[0]))):
        return []
    return [Symmetry(tuple(images[0].tolist()), tuple(images[1].tolist()))]
