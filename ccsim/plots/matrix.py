"""A communication matrix with the rectangles of a protocol, a fooling set, a cover, or weights of its cells."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import inf, sqrt

import numpy as np

from ccsim.engine.tree import ProtocolTree
from ccsim.errors import Array, InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.plain_data import counted
from ccsim.plots.svg import INK, PALETTE, SOFT, Picture, gathered, hatching, pixels, shortened, words
from ccsim.problems.function import Subject, TwoPartyFunction, matrix_of

Rectangle = tuple[Iterable[int], Iterable[int]]

COLOURS = ("#f4f4f0", "#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#d55e00", "#0072b2")
FADED = ("#fbfbfa", "#dcedf8", "#f8e8c8", "#cbe6dc", "#f1dde7", "#fbf8d2", "#f4d3bb", "#c4d9e8")
STRONG = ("#a3a396", "#0072b2", "#d98e00", "#00795a", "#b35c8f", "#b8aa00", "#a84800", "#003f63")
UNDEFINED = "#b0b0b0"
DARK = {"#0072b2", "#009e73", "#d55e00"}
ROOM_FOR_TEXT = 14  # pixels of a cell that can hold its label
LEAST, MOST_STRIPS = 1.8, 400  # pixels of a rectangle that can be seen; how many are drawn again
ROOM_FOR_RECTS = 5  # cells that are smaller are drawn as an image


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


def colour_of(code: int) -> str:
    return UNDEFINED if code < 0 else COLOURS[code % len(COLOURS)]


def input_names(subject: object, party: int) -> list[str]:
    if not isinstance(subject, TwoPartyFunction):
        return []
    inputs = subject.inputs[party]
    names = [inputs.show(inputs.value(place)) for place in range(inputs.size)] if inputs.size <= 64 else []
    return names if max(map(len, names), default=9) <= 8 else []


def squares(codes: Array, sides: tuple[float, float], labels: Sequence[Hashable] = ()) -> str:
    """The cells: with their labels where there is room, as an image where they are small; ``sides`` in pixels."""
    (height, width), side = codes.shape, min(sides)
    if side < ROOM_FOR_RECTS:
        inks = [*COLOURS, UNDEFINED]
        image = np.where(codes < 0, len(COLOURS), codes % len(COLOURS)).astype(np.uint8)
        return pixels(image, inks, 0, 0, width * sides[0], height * sides[1])
    parts = []
    for row, entries in enumerate(codes):
        starts = [0, *(np.flatnonzero(np.diff(entries)) + 1).tolist(), width]
        for start, stop in pairwise(starts):
            colour = colour_of(int(entries[start]))
            parts.append(
                f'<rect x="{start * side:g}" y="{row * side:g}" width="{(stop - start) * side:g}" '
                f'height="{side:g}" fill="{colour}"/>'
            )
    lines = "".join(hatching(column * side, row * side, side, side, 0, 5) for row, column in np.argwhere(codes < 0))
    parts.append(f'<path d="{lines}" stroke="#ffffff" stroke-width="1" fill="none"/>' if lines else "")
    texts = [str(label) for label in labels]
    size = min(13.0, 0.55 * side, side / (0.65 * max(map(len, texts), default=1)))
    if side >= ROOM_FOR_TEXT and texts and size >= 6:
        for (row, column), code in np.ndenumerate(codes):
            colour, text = "#ffffff" if colour_of(code) in DARK else INK, "*" if code < 0 else texts[code]
            x, y = (column + 0.5) * side, (row + 0.5) * side + 0.36 * size
            parts.append(words(x, y, text, size=round(size, 1), colour=colour))
    return "".join(parts)


def owners(rectangles: Iterable[tuple[Array, Array]], shape: tuple[int, int]) -> Array:
    """For each cell the number, from 1, of the last rectangle that has it; 0 where there is none."""
    owner = np.zeros(shape, dtype=np.int64)
    for number, (rows, columns) in enumerate(rectangles, start=1):
        owner[np.ix_(rows, columns)] = number
    return owner


def edges(owner: Array, across: float, down: float) -> str:
    """The data of a path: lines wherever neighbouring cells have different owners, and all around."""
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
    >>> matrix_picture(equality(2), cells=[(0, 0), (1, 1)]).alt
    'matrix of 4 rows and 4 columns, with 2 cells marked'
    """
    matrix = as_matrix(subject)
    if side is not None and not 0 < side < inf:
        raise InputError("side", side, "a number of pixels above 0")
    across, down = (side, side) if side else sides_of(matrix.shape)
    (rows, columns), least, codes = matrix.shape, min(across, down), matrix.codes
    parts, marked = as_rectangles(rectangles, matrix.shape), [(int(row), int(column)) for row, column in cells]
    if any(not (0 <= row < rows and 0 <= column < columns) for row, column in marked):
        raise InputError("cells", marked, f"cells within {rows} x {columns}")
    thick = 2.0 if least >= 12 else 1.2 if least >= 4 else 0.3
    look = 'fill="none" stroke="#bbbbbb" stroke-width="0.7"'
    body = squares(codes, (across, down), matrix.labels if written else ())
    body += f'<path d="{drawn_grid(codes.shape, (least, least))}" {look}/>' if least >= 12 else ""
    borders = edges(owners(parts, codes.shape), across, down)
    body += f'<path d="{borders}" class="edge" fill="none" stroke="{INK}" stroke-width="{thick}"/>'
    radius = max(0.3 * least, 1.1)
    fill, ring = PALETTE[1] if least < 14 else "none", max(1.0, 0.12 * radius, 0.08 * least)
    body += "".join(
        f'<circle cx="{(column + 0.5) * across:g}" cy="{(row + 0.5) * down:g}" r="{radius:.3g}" class="dot" '
        f'fill="{fill}" stroke="{PALETTE[1]}" stroke-width="{ring:.3g}"/>'
        for row, column in marked
    )
    alt = f"matrix of {counted(rows, 'row')} and {counted(columns, 'column')}"
    alt += f", cut into the {counted(len(parts), 'rectangle')} of a protocol" if parts else ""
    alt += f", with {counted(len(marked), 'cell')} marked" if marked else ""
    left, top, names = _names(subject, least)
    legend, below = _legend([str(label) for label in matrix.labels], matrix.is_total, left, top + rows * down + 20)
    whole = f'{names}<g transform="translate({left:g} {top:g})">{body}</g>{legend}'
    return Picture(whole, max(left + columns * across + 2, below), top + rows * down + 30, alt)


def sides_of(shape: tuple[int, int]) -> tuple[float, float]:
    """A cell's width and height in pixels, at most 36; the shorter side of a long and thin matrix can still be seen."""
    rough = LONGEST / max(shape)
    side = 36.0 if rough > 36 else float(int(rough)) if rough >= 2 else rough
    if side >= ROOM_FOR_RECTS:
        return side, side
    across, down = (max(side, min(36.0, SHORTEST / size)) for size in (shape[1], shape[0]))
    return across, down


def drawn_grid(shape: tuple[int, ...], sides: tuple[float, float], left: float = 0, top: float = 0) -> str:
    (rows, columns), (across, down) = shape, sides
    level = "".join(f"M{left:g} {top + row * down:g}h{columns * across:g}" for row in range(1, rows))
    return level + "".join(f"M{left + place * across:g} {top:g}v{rows * down:g}" for place in range(1, columns))


def _names(subject: Subject, side: float) -> tuple[float, float, str]:
    """How much room the names of rows and columns take, and the names; none where cells are small."""
    rows, columns = (input_names(subject, party) if side >= 12 else [] for party in (0, 1))
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
) -> str:
    """Names left of rows, and above columns, turned where they have no room; ``aside`` is half a letter's height."""
    (left, top), (across, down) = corner, sides
    parts = [
        words(left - 4, top + (place + 0.68) * down, name, size=size, anchor="end", colour=SOFT)
        for place, name in enumerate(rows)
    ]
    for place, name in enumerate(columns):
        x, y = left + (place + 0.5) * across + aside * turned, top - gap
        turn = f'transform="rotate(-90 {x:g} {y:g})"' if turned else ""
        parts.append(words(x, y, name, size=size, anchor="start" if turned else "middle", colour=SOFT, more=turn))
    return "".join(parts)


def _legend(labels: Sequence[str], total: bool, x: float, y: float) -> tuple[str, float]:
    named = [(colour_of(code), label) for code, label in enumerate(labels[:NAMED])]
    named += [] if total else [(UNDEFINED, "undefined")]
    if len(labels) > NAMED:
        named = [(colour_of(0), f"{counted(len(labels), 'label')}, in turn of 8 colours")]
    parts = []
    for colour, label in named:
        parts.append(f'<rect x="{x:g}" y="{y - 11:g}" width="13" height="13" fill="{colour}" stroke="{SOFT}"/>')
        parts.append(words(x + 18, y, label, anchor="start"))
        x += 34 + 7.5 * len(label)
    return "".join(parts), x


def fooling_picture(subject: Subject, cells: Iterable[tuple[int, int]]) -> Picture:
    """A fooling set: its cells ringed, and how many there are.

    >>> from ccsim.problems import equality
    >>> fooling_picture(equality(3), [(k, k) for k in range(8)]).alt
    'matrix of 8 rows and 8 columns, with 8 cells marked: no two in one rectangle'
    """
    chosen = [(int(row), int(column)) for row, column in cells]
    picture = matrix_picture(subject, cells=chosen)
    note = f"{counted(len(chosen), 'cell')}, no two in one rectangle of one answer"
    body = picture.body + words(4, picture.height + 12, note, anchor="start", size=12)
    width = max(picture.width, 6.6 * len(note))
    return Picture(body, width, picture.height + 22, f"{picture.alt}: no two in one rectangle")


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
        note = words(2, picture.height + 16, f"and {len(leaves) - MOST_PANELS} more leaves", anchor="start")
        picture = Picture(picture.body + note, picture.width, picture.height + 24, alt)
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
    >>> cover_picture(equality(1), [([0], [0]), ([1], [1])]).alt
    'matrix of 2 rows and 2 columns, covered by 2 rectangles'
    """
    matrix = as_matrix(subject)
    parts = as_rectangles(rectangles, matrix.shape)
    whole = matrix_picture(subject, written=False)
    side = min(sides_of(matrix.shape))
    left, top, _ = _names(subject, side)
    marked = side >= ROOM_FOR_RECTS and len(parts) <= MOST_HATCHED
    if marked:
        pale = f'<rect width="{matrix.shape[1] * side:g}" height="{matrix.shape[0] * side:g}" {PALE}/>'
        inset = 0.12 * side if side > 12 else 0.0  # a little off the edges of cells
        size, gap, body = side - 2 * inset, max(4, side / 4), pale
        for number, (rows, columns) in enumerate(parts):
            corners = [(x * side + inset, y * side + inset) for y in rows.tolist() for x in columns.tolist()]
            body += _strokes("".join(hatching(x, y, size, size, number, gap) for x, y in corners), number)
        whole = Picture(f'{whole.body}<g transform="translate({left:g} {top:g})">{body}</g>', whole.width, whole.height)
    narrow = whole.width < 320
    most = MOST_PANELS if narrow else MOST_PANELS // 2
    names = names or [f"R{number + 1}" for number in range(len(parts))]
    panels = [
        _panel(matrix.codes, rows, columns, 84, names[number], f"{len(rows)} x {len(columns)}",
               _strokes(hatching(2, 1, 20, 12, number, 4), number) if marked else "")
        for number, (rows, columns) in enumerate(parts[:most])
    ]  # fmt: skip
    if len(parts) > most:
        panels[-1] = Picture(words(4, 60, f"… {len(parts)} in all", anchor="start", size=12), 84, 84)
    shape = " and ".join(map(counted, matrix.shape, ("row", "column")))
    alt = f"matrix of {shape}, covered by {counted(len(parts), 'rectangle')}"
    across = min(5, max(3, int(np.ceil(np.sqrt(len(panels) or 1))))) if narrow else 8
    return gathered([whole, gathered(panels, across, "")], 2 if narrow else 1, alt, gap=24)


def _strokes(data: str, number: int) -> str:
    return f'<path d="{data}" fill="none" stroke="{HATCHES[number % len(HATCHES)]}" stroke-width="1.3"/>'


Weight = tuple[int, int, Fraction | int | str]


def cell_weights_picture(
    subject: Subject, weights: Iterable[Weight], *, above: str = "weight", below: str = "negative weight"
) -> Picture:
    """Weights of cells, as (row, column, weight): discs whose area is the weight, rings for negative weights.

    A cell may have one of each. ``above`` and ``below`` say in the legend what the two are.

    >>> from ccsim.problems import equality
    >>> cell_weights_picture(equality(1), [(0, 0, "1/2"), (0, 1, "-1/2")]).alt
    'matrix of 2 rows and 2 columns, with weights on 2 cells, the largest 1/2'
    """
    matrix = as_matrix(subject)
    given = [(row, column, Fraction(weight)) for row, column, weight in weights]
    if any(not (0 <= row < matrix.shape[0] and 0 <= column < matrix.shape[1]) for row, column, _ in given):
        raise InputError("weights", given, f"cells within {matrix.shape[0]} x {matrix.shape[1]}")
    given = [one for one in given if one[2]]
    picture = matrix_picture(subject, written=False)
    side = min(sides_of(matrix.shape))
    left, top, _ = _names(subject, side)
    most = max((abs(weight) for _, _, weight in given), default=Fraction(1))
    marks = "".join(
        _disc((column + 0.5) * side, (row + 0.5) * side, weight / most, side) for row, column, weight in given
    )
    body, x, y = f'{picture.body}<g transform="translate({left:g} {top:g})">{marks}</g>', 4.0, picture.height + 8
    for sign, name in ((1, above), (-1, below)):
        if any(sign * weight > 0 for _, _, weight in given):
            body += _disc(x + 7, y - 4, Fraction(sign), 13) + words(x + 18, y, name, anchor="start", size=12)
            x += 34 + 6.6 * len(name)
    alt = f"{picture.alt}, with weights on {len({one[:2] for one in given})} cells, the largest {most}"
    return Picture(body, max(picture.width, x), picture.height + 18, alt)


def _disc(x: float, y: float, part: Fraction, side: float) -> str:
    radius = 0.44 * side * sqrt(abs(part))
    if part > 0:
        return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:.3g}" fill="{INK}" stroke="#ffffff" stroke-width="1"/>'
    look = f'fill="none" stroke="{PALETTE[1]}" stroke-width="{max(0.1 * side, 1):.3g}"'
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:.3g}" {look}/>'
