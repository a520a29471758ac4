"""Cells of a matrix and the lines between rectangles: what pictures of matrices are made of."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.plots.svg import INK, hatching, pixels, words
from ccsim.problems.function import Subject, TwoPartyFunction, matrix_of

__all__ = [
    "COLOURS",
    "FREE",
    "ROOM_FOR_RECTS",
    "Rectangle",
    "Subject",
    "as_matrix",
    "as_rectangles",
    "colour_of",
    "edges",
    "line_names",
    "owners",
    "squares",
    "thumbnail",
]

Rectangle = tuple[Iterable[int], Iterable[int]]

COLOURS = ("#f4f4f0", "#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#d55e00", "#0072b2")
FADED = ("#fbfbfa", "#dcedf8", "#f8e8c8", "#cbe6dc", "#f1dde7", "#fbf8d2", "#f4d3bb", "#c4d9e8")
STRONG = ("#a3a396", "#0072b2", "#d98e00", "#00795a", "#b35c8f", "#b8aa00", "#a84800", "#003f63")
FREE = "#b0b0b0"
DARK = {"#0072b2", "#009e73", "#d55e00"}
ROOM_FOR_TEXT = 14  # pixels of a cell that can hold its label
LEAST, MOST_STRIPS = 1.8, 400  # pixels of a rectangle that can be seen; how many are drawn again
ROOM_FOR_RECTS = 5  # cells that are smaller are drawn as an image


def as_matrix(subject: Subject) -> CommunicationMatrix:
    """The matrix that is meant; it must have cells."""
    matrix = matrix_of(subject)
    if 0 in matrix.shape:
        raise InputError("matrix", matrix.shape, "one row and one column at least")
    return matrix


def as_rectangles(rectangles: Iterable[Rectangle], shape: tuple[int, int]) -> list[tuple[Array, Array]]:
    """Rectangles as two sorted arrays of places each, checked against the shape of the matrix."""
    found = []
    for rows, columns in rectangles:
        both = []
        for lines, most in ((rows, shape[0]), (columns, shape[1])):
            places = np.unique(np.fromiter(lines, np.int64))
            if places.size and not 0 <= places[0] <= places[-1] < most:
                raise InputError("rectangles", int(places[-1]), f"rows and columns within {shape[0]} x {shape[1]}")
            both.append(places)
        found.append((both[0], both[1]))
    return found


def colour_of(code: int) -> str:
    """The colour of the cells with a code; free ones are grey."""
    return FREE if code < 0 else COLOURS[code % len(COLOURS)]


def line_names(subject: object, party: int) -> list[str]:
    """What to call the rows (0) or columns (1): the inputs where they are short, else nothing."""
    if not isinstance(subject, TwoPartyFunction):
        return []
    inputs = subject.inputs[party]
    names = [inputs.show(inputs.value(place)) for place in range(inputs.size)] if inputs.size <= 64 else []
    return names if max(map(len, names), default=9) <= 8 else []


def squares(codes: Array, sides: tuple[float, float], labels: Sequence[Hashable] = ()) -> str:
    """The cells: with their labels where there is room, as an image where they are small; ``sides`` in pixels."""
    (height, width), side = codes.shape, min(sides)
    if side < ROOM_FOR_RECTS:
        inks = [*COLOURS, FREE]
        image = np.where(codes < 0, len(COLOURS), codes % len(COLOURS)).astype(np.uint8)
        return pixels(image, inks, 0, 0, width * sides[0], height * sides[1])
    parts = []
    for row, line in enumerate(codes):
        starts = [0, *(np.flatnonzero(np.diff(line)) + 1).tolist(), width]
        for start, stop in pairwise(starts):
            colour = colour_of(int(line[start]))
            parts.append(
                f'<rect x="{start * side:g}" y="{row * side:g}" width="{(stop - start) * side:g}" '
                f'height="{side:g}" fill="{colour}"/>'
            )
    free = "".join(hatching(column * side, row * side, side, side, 0, 5) for row, column in np.argwhere(codes < 0))
    parts.append(f'<path d="{free}" stroke="#ffffff" stroke-width="1" fill="none"/>' if free else "")
    if side >= ROOM_FOR_TEXT and labels:
        parts += _texts(codes, side, [str(label) for label in labels])
    return "".join(parts)


def _texts(codes: Array, side: float, labels: Sequence[str]) -> list[str]:
    size = min(13.0, 0.55 * side, side / (0.65 * max(map(len, labels))))
    if size < 6:
        return []
    return [
        words(
            (column + 0.5) * side,
            (row + 0.5) * side + 0.36 * size,
            "*" if code < 0 else labels[code],
            size=round(size, 1),
            colour="#ffffff" if colour_of(code) in DARK else INK,
        )
        for row, line in enumerate(codes.tolist())
        for column, code in enumerate(line)
    ]


def owners(rectangles: Iterable[tuple[Array, Array]], shape: tuple[int, int]) -> Array:
    """For each cell the number, from 1, of the last rectangle that has it; 0 where there is none."""
    owner = np.zeros(shape, dtype=np.int64)
    for number, (rows, columns) in enumerate(rectangles, start=1):
        owner[np.ix_(rows, columns)] = number
    return owner


def edges(owner: Array, across: float, down: float) -> str:
    """The data of a path: lines wherever neighbouring cells have different owners, and all around.

    A cell is ``across`` pixels wide and ``down`` high.
    """
    height, width = owner.shape
    parts = [f"M0 0H{width * across:g}V{height * down:g}H0Z"]
    for row in range(1, height):
        for start, stop in _runs(owner[row] != owner[row - 1]):
            parts.append(f"M{start * across:g} {row * down:g}H{stop * across:g}")
    for column in range(1, width):
        for start, stop in _runs(owner[:, column] != owner[:, column - 1]):
            parts.append(f"M{column * across:g} {start * down:g}V{stop * down:g}")
    return "".join(parts)


def _runs(flags: Array) -> list[tuple[int, int]]:
    changes = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(np.int8), [0]])))
    return list(zip(changes[::2].tolist(), changes[1::2].tolist(), strict=True))


def thumbnail(codes: Array, rows: Array, columns: Array, x: float, y: float, width: float, height: float) -> str:
    """A small image of the matrix in which one rectangle stands out and the rest is pale, with a frame."""
    many = len(COLOURS)
    inks = [*STRONG, "#707070", *FADED, "#e4e4e4"]
    numbers = np.where(codes < 0, many, codes % many)
    chosen = np.zeros(codes.shape, dtype=bool)
    chosen[np.ix_(rows, columns)] = True
    image = np.where(chosen, numbers, numbers + many + 1).astype(np.uint8)
    parts = [pixels(image, inks, x, y, width, height)]
    down, right = height / codes.shape[0], width / codes.shape[1]
    if min(down, right) < LEAST and rows.size and columns.size:  # too thin to be seen: drawn again, thicker
        strips = [(row, column) for row in _spans(rows) for column in _spans(columns)][:MOST_STRIPS]
        parts += [
            f'<rect x="{x + left * right:.4g}" y="{y + top * down:.4g}" '
            f'width="{max((end - left) * right, LEAST):.4g}" height="{max((bottom - top) * down, LEAST):.4g}" '
            f'fill="{inks[int(numbers[top, left])]}"/>'
            for (top, bottom), (left, end) in strips
        ]
    frame = f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="none" stroke="{INK}"/>'
    return "".join(parts) + frame


def _spans(places: Array) -> list[tuple[int, int]]:
    flags = np.zeros(int(places[-1]) + 1, dtype=bool)
    flags[places] = True
    return _runs(flags)
