"""A communication matrix with the rectangles of a protocol, a fooling set, a cover, or weights of its cells."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import inf, sqrt

import numpy as np

from ccsim.bounds.fooling_sets import first_clash
from ccsim.engine.tree import ProtocolTree
from ccsim.errors import Array, InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.plain_data import counted
from ccsim.plots.picture import Picture, gathered
from ccsim.plots.scene import (
    BLACK,
    CELLS,
    INK,
    PALETTE,
    PAPER,
    SOFT,
    UNDEFINED,
    Box,
    Circle,
    Colour,
    Point,
    Raster,
    Shape,
    Stroke,
    Text,
    hatching,
    moved,
    pale,
    shortened,
)
from ccsim.problems.function import Subject, TwoPartyFunction, matrix_of

Rectangle = tuple[Iterable[int], Iterable[int]]

COLOURS: tuple[Colour, ...] = (*CELLS, UNDEFINED)
ROOM_FOR_TEXT = 14  # pixels of a cell that can hold its label
LEAST, MOST_STRIPS = 1.8, 400  # pixels of a rectangle that can be seen; how many are drawn again
ROOM_FOR_LINES = 5  # of cells that are hatched
ROOM_FOR_NAMES = 12  # of cells with names at their sides, lines between them, and an outline for each rectangle
PALE = 0.25  # of a cell's opacity, where others are meant


def as_matrix(subject: Subject) -> CommunicationMatrix:
    matrix = matrix_of(subject)
    if 0 in matrix.shape:
        raise InputError("matrix", matrix.shape, "one row and one column at least")
    return matrix


def as_rectangles(rectangles: Iterable[Rectangle], shape: tuple[int, int]) -> list[tuple[Array, Array]]:
    """Rectangles as two sorted arrays of places each, checked against the shape of the matrix."""
    checked = [tuple(np.unique(np.fromiter(chosen, np.int64)) for chosen in pair) for pair in rectangles]
    for pair in checked:
        for places, most in zip(pair, shape, strict=True):
            if places.size and not 0 <= places[0] <= places[-1] < most:
                raise InputError("rectangles", int(places[-1]), f"rows and columns within {shape[0]} x {shape[1]}")
    return [(rows, columns) for rows, columns in checked]


def numbers_of(codes: Array) -> Array:
    """Numbers of :data:`COLOURS`."""
    return np.where(codes < 0, len(CELLS), codes % len(CELLS))


def ink_on(code: int) -> str:
    """Of a sign on a cell: the first answer and what is undefined are grey, darker on dark paper."""
    return INK if code < 0 or code % len(CELLS) == 0 else BLACK


def input_names(subject: object, party: int) -> list[str]:
    if not isinstance(subject, TwoPartyFunction):
        return []
    inputs = subject.inputs[party]
    names = [inputs.show(inputs.value(place)) for place in range(inputs.size)] if inputs.size <= 64 else []
    return names if max(map(len, names), default=9) <= 8 else []


def squares(
    codes: Array, sides: tuple[float, float], labels: Sequence[Hashable] = (), share: float = 1.0
) -> list[Shape]:
    """The cells, with their labels where there is room; ``sides`` in pixels, and a share of their opacity."""
    side = min(sides)
    shapes: list[Shape] = [Raster(0, 0, numbers_of(codes), [pale(colour, share) for colour in COLOURS], sides)]
    if side >= ROOM_FOR_LINES and (undefined := np.argwhere(codes < 0).tolist()):
        lines = [line for row, column in undefined for line in hatching(column * side, row * side, side, side, 0, 5)]
        shapes.append(Stroke(tuple(lines), stroke=PAPER))
    texts = [str(label) for label in labels]
    size = min(13.0, 0.55 * side, side / (0.65 * max(map(len, texts), default=1)))
    if side >= ROOM_FOR_TEXT and texts and size >= 6:
        for (row, column), code in np.ndenumerate(codes):
            x, y = (column + 0.5) * side, (row + 0.5) * side + 0.36 * size
            shapes.append(Text(x, y, "*" if code < 0 else texts[code], round(size, 1), fill=ink_on(int(code))))
    return shapes


def owners(rectangles: Iterable[tuple[Array, Array]], shape: tuple[int, int]) -> Array:
    """For each cell the number, from 1, of the last rectangle that has it; 0 where there is none."""
    owner = np.zeros(shape, dtype=np.int64)
    for number, (rows, columns) in enumerate(rectangles, start=1):
        owner[np.ix_(rows, columns)] = number
    return owner


def edges(owner: Array, across: float, down: float) -> list[Sequence[Point]]:
    """Lines wherever neighbouring cells have different owners."""
    height, width = owner.shape
    lines: list[Sequence[Point]] = []
    for row in range(1, height):
        for start, stop in _runs(owner[row] != owner[row - 1]):
            lines.append([(start * across, row * down), (stop * across, row * down)])
    for column in range(1, width):
        for start, stop in _runs(owner[:, column] != owner[:, column - 1]):
            lines.append([(column * across, start * down), (column * across, stop * down)])
    return lines


def outline(rows: Array, columns: Array, side: float, inset: float, number: int = 0) -> list[Sequence[Point]]:
    """A rectangle as one: a frame around each of its blocks, and lines that join the frames.

    Where on a cell these lines are depends on the ``number``, as those of several rectangles may cross one cell.
    """
    level, upright = (
        [(start * side + inset, stop * side - inset) for start, stop in _spans(places)] for places in (rows, columns)
    )
    frames: list[Sequence[Point]] = [
        [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
        for top, bottom in level
        for left, right in upright
    ]
    at = (0.1, -0.1, 0.2, -0.2)[number % 4] * side  # off the frames of what lies between, from the near or far side
    for ends in level:
        y = ends[at < 0] + at
        frames += [[(one[1], y), (two[0], y)] for one, two in pairwise(upright)]
    x = upright[0][at < 0] + at if upright else 0.0
    return frames + [[(x, one[1]), (x, two[0])] for one, two in pairwise(level)]


def _runs(flags: Array) -> list[tuple[int, int]]:
    changes = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(np.int8), [0]])))
    return list(zip(changes[::2].tolist(), changes[1::2].tolist(), strict=True))


def thumbnail(
    codes: Array, rows: Array, columns: Array, x: float, y: float, width: float, height: float
) -> list[Shape]:
    """A small matrix in which one rectangle has its colours and the rest is pale, with a frame."""
    numbers = numbers_of(codes)
    chosen = np.zeros(codes.shape, dtype=bool)
    chosen[np.ix_(rows, columns)] = True
    colours = [*COLOURS, *(pale(colour, PALE) for colour in COLOURS)]
    down, right = height / codes.shape[0], width / codes.shape[1]
    image = np.where(chosen, numbers, numbers + len(COLOURS))
    shapes: list[Shape] = [Raster(x, y, image, colours, (right, down))]
    if min(down, right) < LEAST and rows.size and columns.size:  # too thin to be seen: drawn again, thicker
        strips = [(row, column) for row in _spans(rows) for column in _spans(columns)][:MOST_STRIPS]
        for (top, bottom), (left, end) in strips:
            fill, opacity = COLOURS[int(numbers[top, left])]
            size = max((end - left) * right, LEAST), max((bottom - top) * down, LEAST)
            shapes.append(Box(x + left * right, y + top * down, *size, fill=fill, opacity=opacity))
    return [*shapes, Box(x, y, width, height, stroke=INK)]


def _spans(places: Array) -> list[tuple[int, int]]:
    flags = np.zeros(int(places.max(initial=0)) + 1, dtype=bool)
    flags[places] = True
    return _runs(flags)


LONGEST, SHORTEST = 420, 120  # pixels of the longer side, and about of the shorter one if cells are small
MOST_PANELS = 64
NAMED = 8  # labels in a legend
MOST_HATCHED = 12  # rectangles of a cover that are distinguished by their hatching
HATCHES = (PALETTE[0], PALETTE[1], INK, PALETTE[2], PALETTE[3])  # on pale cells, for 5 of 6 directions


def matrix_picture(
    subject: Subject,
    *,
    rectangles: Iterable[Rectangle] = (),
    cells: Iterable[tuple[int, int]] = (),
    side: float | None = None,
    written: bool = True,
) -> Picture:
    """Cells by their value, lines between rectangles (pairs of rows and columns), dots on cells.

    Small matrices have their labels in the cells and their inputs at the sides; large ones are an image.
    ``side`` is the side of a cell in pixels, from the size of the matrix if it is not given; ``written`` is whether
    labels are written in cells that have room.

    >>> from ccsim.problems import equality
    >>> matrix_picture(equality(2), cells=[(0, 0), (1, 1)]).alt
    'matrix of 4 rows and 4 columns, with 2 cells marked'
    """
    matrix = as_matrix(subject)
    if side is not None and not 0 < side < inf:
        raise InputError("side", side, "a number of pixels above 0")
    marked = [(int(row), int(column)) for row, column in cells]
    rows, columns = matrix.shape
    if any(not (0 <= row < rows and 0 <= column < columns) for row, column in marked):
        raise InputError("cells", marked, f"cells within {rows} x {columns}")
    return _over(subject, as_rectangles(rectangles, matrix.shape), marked, side, written)


def _over(
    subject: Subject,
    parts: Sequence[tuple[Array, Array]] = (),
    marked: Sequence[tuple[int, int]] = (),
    side: float | None = None,
    written: bool = False,
    more: Sequence[Shape] = (),
    share: float = 1.0,
) -> Picture:
    """A matrix with more shapes over it, from the corner of its first cell on."""
    matrix = as_matrix(subject)
    across, down = (side, side) if side else sides_of(matrix.shape)
    (rows, columns), least, codes = matrix.shape, min(across, down), matrix.codes
    body = squares(codes, (across, down), matrix.labels if written else (), share)
    if least >= ROOM_FOR_NAMES and (grid := drawn_grid(codes.shape, (least, least))):
        body.append(Stroke(tuple(grid), stroke=SOFT, thick=0.3))
    if least >= ROOM_FOR_NAMES:  # each rectangle is one shape
        thick = max(0.045 * least, 0.9)
        blocks = [outline(*part, least, max(0.05 * least, 1), number) for number, part in enumerate(parts)]
        body += [Stroke(tuple(lines), stroke=INK, thick=thick, name="edge") for lines in blocks if lines]
    elif borders := edges(owners(parts, codes.shape), across, down):
        body.append(Stroke(tuple(borders), stroke=INK, thick=1.2 if least >= 4 else 0.3, name="edge"))
    body.append(Box(0, 0, columns * across, rows * down, stroke=INK, thick=0.8))
    radius = max(0.38 * least, 1.1)
    for row, column in marked:
        ink, x, y = ink_on(int(codes[row, column])), (column + 0.5) * across, (row + 0.5) * down
        look = {"fill": ink} if least < 14 else {"stroke": ink, "thick": max(1.0, 0.07 * least)}
        body.append(Circle(x, y, radius, name="dot", **look))
    alt = f"matrix of {counted(rows, 'row')} and {counted(columns, 'column')}"
    cut = sum(len(own) * len(places) for own, places in parts) == codes.size and owners(parts, codes.shape).all()
    alt += f", {'cut into' if cut else 'with'} {counted(len(parts), 'rectangle')}" if parts else ""
    alt += f", with {counted(len(marked), 'cell')} marked" if marked else ""
    left, top, names = _names(subject, least)
    labels = [str(label) for label in matrix.labels]
    legend, below = _legend(labels, matrix.is_total, left, top + rows * down + 20)
    shapes = (*names, *moved([*body, *more], left, top), *legend)
    return Picture(shapes, max(left + columns * across + 2, below), top + rows * down + 30, alt)


def sides_of(shape: tuple[int, int]) -> tuple[float, float]:
    """A cell's width and height in pixels, at most 36; the shorter side of a long and thin matrix can still be seen."""
    rough = LONGEST / max(shape)
    side = 36.0 if rough > 36 else float(int(rough)) if rough >= 2 else rough
    if side >= ROOM_FOR_LINES:
        return side, side
    across, down = (max(side, min(36.0, SHORTEST / size)) for size in (shape[1], shape[0]))
    return across, down


def drawn_grid(
    shape: tuple[int, ...], sides: tuple[float, float], left: float = 0, top: float = 0
) -> list[Sequence[Point]]:
    (rows, columns), (across, down) = shape, sides
    right, bottom = left + columns * across, top + rows * down
    lines: list[Sequence[Point]] = [[(left, top + row * down), (right, top + row * down)] for row in range(1, rows)]
    return lines + [[(left + place * across, top), (left + place * across, bottom)] for place in range(1, columns)]


def _names(subject: Subject, side: float) -> tuple[float, float, list[Shape]]:
    """How much room the names of rows and columns take, and the names; none where cells are small."""
    rows, columns = (input_names(subject, party) if side >= ROOM_FOR_NAMES else [] for party in (0, 1))
    size = min(12.0, 0.8 * side)
    left, top = (6 + 0.62 * size * max(map(len, own), default=0) for own in (rows, columns))
    upright = side >= 0.62 * size * max(map(len, columns), default=0) + 3
    top = size + 8 if upright and columns else top + 1
    names = margin_names(rows, columns, (left, top), (side, side), size=size, turned=not upright, aside=0.35 * size)
    return left, top, names


def margin_names(
    rows: Sequence[str],
    columns: Sequence[str],
    corner: tuple[float, float],
    sides: tuple[float, float],
    *,
    size: float,
    turned: bool,
    aside: float,
    gap: float = 4,
) -> list[Shape]:
    """Names left of rows, and above columns, turned where they have no room; ``aside`` is half a letter's height."""
    (left, top), (across, down) = corner, sides
    anchor = "start" if turned else "middle"
    beside: list[Shape] = [
        Text(left - 4, top + (place + 0.5) * down + aside, name, size, "end", fill=SOFT)
        for place, name in enumerate(rows)
    ]
    return beside + [
        Text(left + (place + 0.5) * across + aside * turned, top - gap, name, size, anchor, fill=SOFT, turned=turned)
        for place, name in enumerate(columns)
    ]


def _legend(labels: Sequence[str], total: bool, x: float, y: float) -> tuple[list[Shape], float]:
    named = [*zip(CELLS, labels[:NAMED], strict=False), *([] if total else [(UNDEFINED, "undefined")])]
    if len(labels) > NAMED:
        more = f"{counted(len(labels), 'label')}, in turn of {len(CELLS)} colours"
        named = [*((colour, "") for colour in CELLS[:-1]), (CELLS[-1], more), *named[NAMED:]]
    shapes: list[Shape] = []
    for (fill, opacity), label in named:
        shapes.append(Box(x, y - 11, 13, 13, fill=fill, opacity=opacity, stroke=SOFT))
        shapes.append(Text(x + 18, y, label, anchor="start"))
        x += 34 + 7.5 * len(label) if label else 13
    return shapes, x


def fooling_picture(subject: Subject, cells: Iterable[tuple[int, int]]) -> Picture:
    """A fooling set: its cells ringed, and how many there are; of other cells, two that are in one rectangle.

    >>> from ccsim.problems import equality
    >>> fooling_picture(equality(3), [(k, k) for k in range(8)]).alt
    'matrix of 8 rows and 8 columns, with 8 cells marked: no two in one rectangle'
    """
    chosen = [(int(row), int(column)) for row, column in cells]
    picture = matrix_picture(subject, cells=chosen)
    clash = first_clash(subject, chosen)
    found = "no two" if clash is None else "{} and {}".format(*clash)
    note = f"{counted(len(chosen), 'cell')}, {found} in one rectangle of one answer"
    body = (*picture.shapes, Text(4, picture.height + 12, note, 12, "start"))
    width = max(picture.width, 6.6 * len(note))
    return Picture(body, width, picture.height + 22, f"{picture.alt}: {found} in one rectangle")


def leaves_picture(tree: ProtocolTree, *, columns: int = 8, size: float = 92) -> Picture:
    """The rectangles of a protocol leaf by leaf: one small matrix for each, with its transcript and answer.

    Raises :class:`~ccsim.errors.InputError` for trees of more than two parties; beyond 64 leaves the rest is counted.

    >>> from ccsim.problems import equality
    >>> from protocols.classical import trivial
    >>> leaves_picture(trivial(equality(2)).explore().tree).alt
    'the 8 leaves of a protocol, each with its rectangle'
    """
    matrix = as_matrix(tree.function)  # type: ignore[arg-type]
    reached = {0: ""}
    for number, node in enumerate(tree.nodes):
        for message, child in zip(node.messages, node.children, strict=True):
            reached[child] = f"{reached[number]}{message}"
    leaves = [(number, node) for number, node in enumerate(tree.nodes) if node.is_leaf]
    panels = []
    for number, leaf in leaves[:MOST_PANELS]:
        rows, places = leaf.sets["alice"], leaf.sets["bob"]
        answer = tree.answer(leaf)
        title = f"{shortened(reached[number], 11)}: {'?' if answer is None else answer}"
        panels.append(_panel(matrix.codes, rows, places, size, title, f"{len(rows)} x {len(places)}"))
    alt = f"the {counted(len(leaves), 'leaf')} of a protocol, each with its rectangle"
    picture = gathered(panels, columns, alt)
    if len(leaves) > MOST_PANELS:
        note = Text(2, picture.height + 16, f"and {len(leaves) - MOST_PANELS} more leaves", anchor="start")
        picture = Picture((*picture.shapes, note), picture.width, picture.height + 24, alt)
    return picture


def _panel(
    codes: Array, rows: Array, columns: Array, size: float, above: str, below: str, sample: Sequence[Shape] = ()
) -> Picture:
    scale = size / max(codes.shape)
    width, height = max(codes.shape[1] * scale, 24), max(codes.shape[0] * scale, 24)
    small = thumbnail(codes, rows, columns, (size - width) / 2, 18, width, height)
    under = Text(size / 2, height + 31, below, 11, fill=SOFT)
    return Picture((Text(size / 2, 12, above, 12), *sample, *small, under), size, height + 36)


def cover_picture(subject: Subject, rectangles: Iterable[Rectangle], names: Sequence[str] = ()) -> Picture:
    """A cover by rectangles that may overlap: all of them hatched over the matrix, and each on its own.

    ``names`` are above the rectangles, R1, R2, ... if none are given.

    >>> from ccsim.problems import equality
    >>> cover_picture(equality(1), [([0], [0]), ([1], [1])]).alt
    'matrix of 2 rows and 2 columns, covered by 2 rectangles'
    """
    matrix = as_matrix(subject)
    parts = as_rectangles(rectangles, matrix.shape)
    side = min(sides_of(matrix.shape))
    marked = side >= ROOM_FOR_LINES and len(parts) <= MOST_HATCHED
    inset = 0.12 * side if side > 12 else 0.0  # a little off the edges of cells
    size, gap, hatched = side - 2 * inset, max(4, side / 4), []
    for number, (rows, columns) in enumerate(parts if marked else ()):
        corners = [(x * side + inset, y * side + inset) for y in rows.tolist() for x in columns.tolist()]
        hatched.append(_hatch([line for x, y in corners for line in hatching(x, y, size, size, number, gap)], number))
    whole = _over(subject, more=hatched, share=PALE if marked else 1.0)
    narrow = whole.width < 320
    most = MOST_PANELS if narrow else MOST_PANELS // 2
    names = names or [f"R{number + 1}" for number in range(len(parts))]
    panels = [
        _panel(matrix.codes, rows, columns, 84, names[number], f"{len(rows)} x {len(columns)}",
               [_hatch(hatching(2, 1, 20, 12, number, 4), number)] if marked else ())
        for number, (rows, columns) in enumerate(parts[:most])
    ]  # fmt: skip
    if len(parts) > most:
        panels[-1] = Picture((Text(4, 60, f"… {len(parts)} in all", 12, "start"),), 84, 84)
    shape = " and ".join(map(counted, matrix.shape, ("row", "column")))
    alt = f"matrix of {shape}, covered by {counted(len(parts), 'rectangle')}"
    across = min(5, max(3, int(np.ceil(np.sqrt(len(panels) or 1))))) if narrow else 8
    return gathered([whole, gathered(panels, across, "")], 2 if narrow else 1, alt, gap=24)


def _hatch(lines: Sequence[Sequence[Point]], number: int) -> Shape:
    return Stroke(tuple(lines), stroke=HATCHES[number % len(HATCHES)], thick=1.3)


Weight = tuple[int, int, Fraction | int | str]


def cell_weights_picture(
    subject: Subject, weights: Iterable[Weight], *, above: str = "weight", below: str = "negative weight"
) -> Picture:
    """Weights of cells, as (row, column, weight): discs whose area is the weight, rings for negative weights.

    A cell may have one of each. ``above`` and ``below`` name the two in the legend.

    >>> from ccsim.problems import equality
    >>> cell_weights_picture(equality(1), [(0, 0, "1/2"), (0, 1, "-1/2")]).alt
    'matrix of 2 rows and 2 columns, with weights on 2 cells, the largest 1/2'
    """
    matrix = as_matrix(subject)
    given = [(row, column, Fraction(weight)) for row, column, weight in weights]
    if any(not (0 <= row < matrix.shape[0] and 0 <= column < matrix.shape[1]) for row, column, _ in given):
        raise InputError("weights", given, f"cells within {matrix.shape[0]} x {matrix.shape[1]}")
    given = [one for one in given if one[2]]
    side = min(sides_of(matrix.shape))
    most = max((abs(weight) for _, _, weight in given), default=Fraction(1))
    discs = [
        _disc((column + 0.5) * side, (row + 0.5) * side, weight / most, side, ink_on(int(matrix.codes[row, column])))
        for row, column, weight in given
    ]
    picture = _over(subject, more=discs)
    shapes, x, y = list(picture.shapes), 4.0, picture.height + 8
    for sign, name in ((1, above), (-1, below)):
        if any(sign * weight > 0 for _, _, weight in given):
            shapes += [_disc(x + 7, y - 4, Fraction(sign), 13, INK), Text(x + 18, y, name, 12, "start")]
            x += 34 + 6.6 * len(name)
    alt = f"{picture.alt}, with weights on {len({one[:2] for one in given})} cells, the largest {most}"
    return Picture(tuple(shapes), max(picture.width, x), picture.height + 18, alt)


def _disc(x: float, y: float, part: Fraction, side: float, ink: str) -> Shape:
    radius = 0.44 * side * sqrt(abs(part))
    look = {"fill": ink} if part > 0 else {"stroke": ink, "thick": max(0.07 * side, 1.0)}
    return Circle(x, y, radius, **look)
