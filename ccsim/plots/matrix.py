"""A communication matrix with the rectangles of a protocol, a fooling set or a cover."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

import numpy as np

from ccsim.arrays import Array
from ccsim.engine.tree import ProtocolTree
from ccsim.errors import InputError
from ccsim.plain_data import counted
from ccsim.plots.cells import (
    FREE,
    ROOM_FOR_RECTS,
    Rectangle,
    Subject,
    as_matrix,
    as_rectangles,
    colour_of,
    edges,
    line_names,
    owners,
    squares,
    thumbnail,
)
from ccsim.plots.svg import INK, PALETTE, SOFT, Picture, gathered, hatching, shortened, words

LONGEST, SHORTEST = 420, 120  # pixels of the longer side, and about of the shorter one if cells are small
MOST_PANELS = 64
NAMED = 8  # labels in a legend
MOST_HATCHED = 12  # rectangles of a cover that are told apart by their lines
HATCHES = (PALETTE[0], PALETTE[1], PALETTE[6], PALETTE[2], "#8c3d70")  # dark on pale cells, for 5 of 6 directions
PALE = 'fill="#ffffff" fill-opacity="0.65"'


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
    >>> matrix_picture(equality(2), cells=[(0, 0), (1, 1)]).told
    'matrix of 4 rows and 4 columns, with 2 cells marked'
    """
    matrix = as_matrix(subject)
    if side is not None and not 0 < side < inf:
        raise InputError("side", side, "a number of pixels above 0")
    across, down = (side, side) if side else sides_of(matrix.shape)
    rows, columns = matrix.shape
    left, top, names = _names(subject, min(across, down))
    parts, told = drawn_cells(
        matrix.codes,
        (across, down),
        rectangles=as_rectangles(rectangles, matrix.shape),
        cells=cells,
        labels=matrix.labels if written else (),
    )
    legend, below = _legend([str(label) for label in matrix.labels], matrix.is_total, left, top + rows * down + 20)
    body = f'{names}<g transform="translate({left:g} {top:g})">{parts}</g>{legend}'
    return Picture(body, max(left + columns * across + 2, below), top + rows * down + 30, told)


def sides_of(shape: tuple[int, int]) -> tuple[float, float]:
    """The width and height of a cell, in pixels: 36 at most, and whatever keeps the picture within bounds. Small cells
    of a matrix that is long and thin are drawn wider (or higher), so that the shorter side can be seen."""
    rough = LONGEST / max(shape)
    side = 36.0 if rough > 36 else float(int(rough)) if rough >= 2 else rough
    if side >= ROOM_FOR_RECTS:
        return side, side
    across, down = (max(side, min(36.0, SHORTEST / size)) for size in (shape[1], shape[0]))
    return across, down


def drawn_cells(
    codes: Array,
    sides: tuple[float, float],
    *,
    rectangles: Sequence[tuple[Array, Array]] = (),
    cells: Iterable[tuple[int, int]] = (),
    labels: Sequence[object] = (),
) -> tuple[str, str]:
    """The elements of a matrix with its marks, from (0, 0), and the same in words; ``sides`` of a cell, in pixels."""
    rows, columns = codes.shape
    (across, down), side = sides, min(sides)
    marked = [(int(row), int(column)) for row, column in cells]
    if any(not (0 <= row < rows and 0 <= column < columns) for row, column in marked):
        raise InputError("cells", marked, f"cells within {rows} x {columns}")
    thick = 2.0 if side >= 12 else 1.2 if side >= 4 else 0.3
    owner = owners(rectangles, codes.shape)
    grid = _grid(rows, columns, side) if side >= 12 else ""
    lines = f'<path d="{edges(owner, across, down)}" class="edge" fill="none" stroke="{INK}" stroke-width="{thick}"/>'
    radius = max(0.3 * side, 1.1)
    fill, ring = PALETTE[1] if side < 14 else "none", max(1.0, 0.12 * radius, 0.08 * side)
    dots = "".join(
        f'<circle cx="{(column + 0.5) * across:g}" cy="{(row + 0.5) * down:g}" r="{radius:.3g}" class="dot" '
        f'fill="{fill}" stroke="{PALETTE[1]}" stroke-width="{ring:.3g}"/>'
        for row, column in marked
    )
    told = f"matrix of {counted(rows, 'row')} and {counted(columns, 'column')}"
    told += f", cut into the {counted(len(rectangles), 'rectangle')} of a protocol" if rectangles else ""
    told += f", with {counted(len(marked), 'cell')} marked" if marked else ""
    return squares(codes, sides, list(labels)) + grid + lines + dots, told


def _grid(rows: int, columns: int, side: float) -> str:
    path = "".join(f"M0 {row * side:g}h{columns * side:g}" for row in range(1, rows))
    path += "".join(f"M{column * side:g} 0v{rows * side:g}" for column in range(1, columns))
    return f'<path d="{path}" fill="none" stroke="#bbbbbb" stroke-width="0.7"/>'


def _names(subject: Subject, side: float) -> tuple[float, float, str]:
    return drawn_names(line_names(subject, 0), line_names(subject, 1), side)


def drawn_names(rows: Sequence[str], columns: Sequence[str], side: float) -> tuple[float, float, str]:
    """How much room the names of rows and columns take, and the names; none where cells are small."""
    rows, columns = (names if side >= 12 else [] for names in (rows, columns))
    size = min(12.0, 0.8 * side)
    left, top = (6 + 0.62 * size * max(map(len, names), default=0) for names in (rows, columns))
    upright = side >= 0.62 * size * max(map(len, columns), default=0) + 3
    top = size + 8 if upright and columns else top + 1
    parts = [
        words(left - 4, top + (place + 0.68) * side, name, size=size, anchor="end", colour=SOFT)
        for place, name in enumerate(rows)
    ]
    for place, name in enumerate(columns):
        x, y = left + (place + 0.5) * side, top - 4
        turn = "" if upright else f'transform="rotate(-90 {x + 0.35 * size:g} {y:g})"'
        parts.append(
            words(x, y, name, size=size, colour=SOFT)
            if upright
            else words(x + 0.35 * size, y, name, size=size, anchor="start", colour=SOFT, more=turn)
        )
    return left, top, "".join(parts)


def _legend(labels: Sequence[str], total: bool, x: float, y: float) -> tuple[str, float]:
    named = [(colour_of(code), label) for code, label in enumerate(labels[:NAMED])]
    named += [] if total else [(FREE, "free")]
    if len(labels) > NAMED:
        named = [(colour_of(0), f"{counted(len(labels), 'label')}, in turn of 8 colours")]
    parts = []
    for colour, label in named:
        parts.append(f'<rect x="{x:g}" y="{y - 11:g}" width="13" height="13" fill="{colour}" stroke="{SOFT}"/>')
        parts.append(words(x + 18, y, label, anchor="start"))
        x += 34 + 7.5 * len(label)
    return "".join(parts), x


def fooling_picture(subject: Subject, cells: Iterable[tuple[int, int]]) -> Picture:
    """A fooling set: its cells ringed, and said how many bits it proves.

    >>> from ccsim.problems import equality
    >>> fooling_picture(equality(3), [(k, k) for k in range(8)]).told
    'matrix of 8 rows and 8 columns, with 8 cells marked: no two in one rectangle'
    """
    chosen = [(int(row), int(column)) for row, column in cells]
    picture = matrix_picture(subject, cells=chosen)
    note = f"{counted(len(chosen), 'cell')}, no two in one rectangle of one answer"
    body = picture.body + words(4, picture.height + 12, note, anchor="start", size=12)
    width = max(picture.width, 6.6 * len(note))
    return Picture(body, width, picture.height + 22, f"{picture.told}: no two in one rectangle")


def leaves_picture(tree: ProtocolTree, *, columns: int = 8, size: float = 92) -> Picture:
    """The rectangles of a protocol leaf by leaf: one small matrix for each, with its transcript and answer.

    Raises :class:`~ccsim.errors.InputError` for trees of more than two parties; beyond 64 leaves the rest is counted.

    >>> from ccsim.problems import equality
    >>> from protocols.classical import trivial
    >>> leaves_picture(trivial(equality(2)).explore().tree).told
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
        told = f"{shortened(reached[number], 11)}: {'?' if answer is None else answer}"
        shape = f"{len(rows)} x {len(places)}"
        panels.append(_panel(matrix.codes, rows, places, size, told, shape))
    told = f"the {counted(len(leaves), 'leaf')} of a protocol, each with its rectangle"
    picture = gathered(panels, columns, told)
    if len(leaves) > MOST_PANELS:
        note = words(2, picture.height + 16, f"and {len(leaves) - MOST_PANELS} more leaves", anchor="start")
        picture = Picture(picture.body + note, picture.width, picture.height + 24, told)
    return picture


def _panel(codes: Array, rows: Array, columns: Array, size: float, above: str, below: str, sample: str = "") -> Picture:
    scale = size / max(codes.shape)
    width, height = max(codes.shape[1] * scale, 24), max(codes.shape[0] * scale, 24)
    body = words(size / 2, 12, above, size=12) + sample
    body += thumbnail(codes, rows, columns, (size - width) / 2, 18, width, height)
    return Picture(body + words(size / 2, height + 31, below, size=11, colour=SOFT), size, height + 36)


def cover_picture(subject: Subject, rectangles: Iterable[Rectangle], names: Sequence[str] = ()) -> Picture:
    """A cover by rectangles that may overlap: all of them hatched over the matrix, and each on its own.

    ``names`` stand above the rectangles, R1, R2, ... if none are given.

    >>> from ccsim.problems import equality
    >>> cover_picture(equality(1), [([0], [0]), ([1], [1])]).told
    'matrix of 2 rows and 2 columns, covered by 2 rectangles'
    """
    matrix = as_matrix(subject)
    found = as_rectangles(rectangles, matrix.shape)
    whole = matrix_picture(subject, written=False)
    side = min(sides_of(matrix.shape))
    left, top, _ = _names(subject, side)
    marked = side >= ROOM_FOR_RECTS and len(found) <= MOST_HATCHED
    if marked:
        pale = f'<rect width="{matrix.shape[1] * side:g}" height="{matrix.shape[0] * side:g}" {PALE}/>'
        body = pale + "".join(_hatched(rows, columns, number, side) for number, (rows, columns) in enumerate(found))
        whole = Picture(f'{whole.body}<g transform="translate({left:g} {top:g})">{body}</g>', whole.width, whole.height)
    beside = whole.width < 320
    most = MOST_PANELS if beside else MOST_PANELS // 2
    names = names or [f"R{number + 1}" for number in range(len(found))]
    panels = [
        _panel(matrix.codes, rows, columns, 84, names[number], f"{len(rows)} x {len(columns)}",
               _sample(number) if marked else "")
        for number, (rows, columns) in enumerate(found[:most])
    ]  # fmt: skip
    if len(found) > most:
        panels[-1] = Picture(words(4, 60, f"… {len(found)} in all", anchor="start", size=12), 84, 84)
    told = " and ".join(map(counted, matrix.shape, ("row", "column")))
    told = f"matrix of {told}, covered by {counted(len(found), 'rectangle')}"
    across = min(5, max(3, int(np.ceil(np.sqrt(len(panels) or 1))))) if beside else 8
    return gathered([whole, gathered(panels, across, "")], 2 if beside else 1, told, gap=24)


def _hatched(rows: Array, columns: Array, number: int, side: float) -> str:
    """Each rectangle with its own colour and direction of lines, a little off its cells' edges."""
    inset = 0.12 * side if side > 12 else 0.0
    return _lines(
        "".join(
            hatching(
                column * side + inset, row * side + inset, side - 2 * inset, side - 2 * inset, number, max(4, side / 4)
            )
            for row in rows.tolist()
            for column in columns.tolist()
        ),
        number,
    )


def _sample(number: int) -> str:
    """How a rectangle is hatched, beside its name."""
    return _lines(hatching(2, 1, 20, 12, number, 4), number)


def _lines(data: str, number: int) -> str:
    return f'<path d="{data}" fill="none" stroke="{HATCHES[number % len(HATCHES)]}" stroke-width="1.3"/>'
