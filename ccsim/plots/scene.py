"""What pictures are made of: boxes, circles, strokes, texts and rasters of cells, in one table of colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Self

import numpy as np

from ccsim.errors import Array

PALETTE = ("#0072b2", "#b35900", "#00795a", "#a8437f", "#5b4fa8", "#6b6b00", "#555555")
"""Strokes and marks, after Okabe and Ito (2008): the colour-blind tell them apart, and all are dark on white."""

ALICE, BOB = PALETTE[:2]
PAPER, INK, SOFT, GRID = "#ffffff", "#1b1b1b", "#555555", "#d0d0d0"
BLACK = "#000000"  # on coloured cells, which are as light on dark paper

DARK = {
    PAPER: "#161616",
    INK: "#ececec",
    SOFT: "#b4b4b4",
    GRID: "#4a4a4a",
    **dict(zip(PALETTE[:6], ("#67bdf0", "#f0a35e", "#58cfae", "#ec94c9", "#b3a8ff", "#d6d65c"), strict=True)),
}
"""What colours become on dark paper; the others stay."""

Colour = tuple[str, float]
"""A colour and its opacity."""

CELLS: tuple[Colour, ...] = (
    ("#87877b", 0.4),
    *((colour, 1.0) for colour in ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#d55e00", "#8878d0")),
)
"""Cells of the first, second, ... answer, wherever a matrix is drawn; beyond eight they come again."""

UNDEFINED: Colour = ("#87877b", 0.75)


def pale(colour: Colour, share: float) -> Colour:
    return colour[0], colour[1] * share


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What all shapes have: colours (None: nothing is drawn), pixels of the stroke, and a name for style sheets.

    Attributes:
        fill, stroke: the colours of the inside and of the edge.
        opacity: of both, from 0 to 1.
        thick, dash: pixels of the stroke, and of its dashes and gaps.
        name: of the class in style sheets.
    """

    fill: str | None = None
    opacity: float = 1.0
    stroke: str | None = None
    thick: float = 1.0
    dash: tuple[float, ...] = ()
    name: str = ""

    def moved(self, right: float, down: float) -> Self:
        """The same shape somewhere else."""
        here: Any = self  # all but strokes have a place (x, y)
        return replace(here, x=here.x + right, y=here.y + down)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Box(Shape):
    """A rectangle: its upper left corner (x, y), ``width``, ``height``, and how far each ``corner`` is rounded."""

    x: float
    y: float
    width: float
    height: float
    corner: float = 0.0


@dataclass(frozen=True)
class Circle(Shape):
    """A circle around (x, y), with its ``radius``."""

    x: float
    y: float
    radius: float


Point = tuple[float, float]


@dataclass(frozen=True)
class Stroke(Shape):
    """``lines`` through points, drawn as one, ``closed`` or not.

    ``bent``: of three points each, the middle one pulls (a quadratic curve).
    """

    lines: tuple[Sequence[Point], ...]
    closed: bool = False
    bent: bool = False

    def moved(self, right: float, down: float) -> Self:
        return replace(self, lines=tuple([(x + right, y + down) for x, y in line] for line in self.lines))


@dataclass(frozen=True)
class Text(Shape):
    """A ``text`` whose base line begins, is centred or ends (``anchor``) at (x, y), upwards if it is ``turned``.

    Its ``size`` is in pixels, and its letters may be ``bold`` or of a typewriter (``mono``).
    """

    x: float
    y: float
    text: str
    size: float = 13
    anchor: str = "middle"
    fill: str | None = field(default=INK, kw_only=True)
    bold: bool = field(default=False, kw_only=True)
    mono: bool = field(default=False, kw_only=True)
    turned: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, eq=False)  # arrays are not compared
class Raster(Shape):
    """A table of codes as cells of ``sides`` pixels across and down; ``colours`` are numbered by the codes."""

    x: float
    y: float
    codes: Array
    colours: Sequence[Colour]
    sides: tuple[float, float]

    def boxes(self) -> Iterator[Box]:
        """As few boxes as runs of equal cells make, equal runs below each other joined."""
        (across, down), height = self.sides, len(self.codes)
        open_runs: dict[tuple[int, int, int], int] = {}  # begin, end and code of a run, to its first row
        for row in range(height + 1):
            runs = set(_runs(self.codes[row])) if row < height else set()
            for run in [run for run in open_runs if run not in runs]:
                (begin, end, code), top = run, open_runs.pop(run)
                fill, opacity = self.colours[code]
                x, y = self.x + begin * across, self.y + top * down
                yield Box(x, y, (end - begin) * across, (row - top) * down, fill=fill, opacity=opacity)
            for run in runs:
                open_runs.setdefault(run, row)


def _runs(codes: Array) -> list[tuple[int, int, int]]:
    places = [0, *(np.flatnonzero(np.diff(codes.astype(np.int64))) + 1).tolist(), len(codes)]
    return [(begin, end, int(codes[begin])) for begin, end in pairwise(places)]


def moved(shapes: Sequence[Shape], right: float, down: float) -> tuple[Shape, ...]:
    return tuple(shape.moved(right, down) for shape in shapes)


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def hatching(x: float, y: float, width: float, height: float, kind: int, gap: float = 6) -> list[tuple[Point, Point]]:
    """Lines over a rectangle, 0: up, 1: down, 2: level, 3: upright, 4: 0 and 1, 5: 2 and 3."""
    kinds = ((0,), (1,), (2,), (3,), (0, 1), (2, 3))[kind % 6]
    return [line for one in kinds for line in _hatches(x, y, width, height, one, gap)]


def _hatches(x: float, y: float, width: float, height: float, kind: int, gap: float) -> Iterator[tuple[Point, Point]]:
    if kind == 2:
        yield from (((x, y + at), (x + width, y + at)) for at in np.arange(gap / 2, height, gap).tolist())
    elif kind == 3:
        yield from (((x + at, y), (x + at, y + height)) for at in np.arange(gap / 2, width, gap).tolist())
    else:
        for offset in np.arange(gap / 2, width + height, gap).tolist():  # the line a + b = offset through the rectangle
            first, last = max(0.0, offset - height), min(float(width), offset)
            b, d = offset - first, offset - last
            if kind == 1:
                b, d = height - b, height - d
            yield (x + first, y + b), (x + last, y + d)
