"""A picture, which notebooks show and which is saved as SVG, TikZ, PDF or PNG; and tables of pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ccsim.errors import InputError
from ccsim.plain_data import require_place, write_whole
from ccsim.plots.formats import document, elements, paint, require_format, tikz
from ccsim.plots.scene import Shape, moved


@dataclass(frozen=True)
class Picture:
    """A drawing of fixed size; notebooks show it, and :meth:`save` writes it as SVG, PDF, PNG or TikZ.

    Attributes:
        shapes: from the lowest to the topmost, from (0, 0) to (width, height), in pixels.
        width, height: its size in pixels.
        alt: the picture in words, for those who cannot see it.
    """

    shapes: tuple[Shape, ...] = field(repr=False)
    width: float
    height: float
    alt: str = ""

    @property
    def body(self) -> str:
        """The SVG elements."""
        return elements(self.shapes)

    @property
    def svg(self) -> str:
        """A whole SVG document, on paper that is dark where the reader's screen is.

        >>> Picture((), 4, 4, "nothing").svg.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
        True
        """
        return document(self.body, self.width, self.height, self.alt)

    @property
    def tikz(self) -> str:
        r"""A ``tikzpicture`` as wide as a column of text at most, for ``\input`` in a document with ``tikz`` only.

        >>> from ccsim.plots.scene import INK, Circle
        >>> print(Picture((Circle(2, 2, 2, stroke=INK),), 4, 4).tikz.splitlines()[-2])
        \path[draw=ccsim1B1B1B,line width=0.75pt] (2,2) circle[radius=1.5pt];
        """
        return tikz(self.shapes, self.width, self.height, self.alt)

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> Path:
        """Write the picture as its name ends: ``.svg``, ``.tex`` (TikZ), ``.pdf`` or ``.png``; the path.

        PDF and PNG need the extra ``plot`` (matplotlib). Raises :class:`~ccsim.errors.InputError` for another ending.
        """
        path = Path(path)
        suffix = require_format("path", path)
        if suffix in (".svg", ".tex"):
            write_whole(path, self.svg + "\n" if suffix == ".svg" else self.tikz)
        else:
            paint(require_place("path", path), self.shapes, self.width, self.height, self.alt)
        return path

    def moved(self, right: float, down: float) -> tuple[Shape, ...]:
        """The shapes, somewhere else."""
        return moved(self.shapes, right, down)


def gathered(pictures: Sequence[Picture], columns: int, alt: str, gap: float = 14) -> Picture:
    """Pictures in a table of so many columns, each row as high as its highest; a pixel around is for their frames."""
    if columns < 1:
        raise InputError("columns", columns, "one column at least")
    shapes: list[Shape] = []
    down, widest = 0.0, 0.0
    for start in range(0, len(pictures), columns):
        right = 1.0
        row = pictures[start : start + columns]
        for picture in row:
            shapes += picture.moved(right, down)
            right += picture.width + gap
        widest = max(widest, right - gap)
        down += max(picture.height for picture in row) + gap
    return Picture(tuple(shapes), widest + 1, max(down - gap, 0), alt)
