"""SVG in a few functions: elements, text, hatching, pixels, and pictures that can be put side by side."""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from struct import pack

import numpy as np
import numpy.typing as npt

from ccsim.errors import InputError
from ccsim.plain_data import printable

PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#f0e442")
"""The colours of Okabe and Ito (2008), distinguished by the colour-blind, the darker ones first."""

INK, SOFT = "#1b1b1b", "#555555"


def _escaped(text: str) -> str:
    """Text for markup; control characters, which would break it, and others that cannot be printed are written out."""
    return escape("\n".join(map(printable, text.split("\n"))))


def element(name: str, content: str = "", *, text: bool = False, **attributes: str) -> str:
    """An element around markup, or around text that is to be escaped; underscores in attributes are hyphens."""
    named = "".join(
        f' {attribute.strip("_").replace("_", "-")}="{_escaped(value)}"' for attribute, value in attributes.items()
    )
    return f"<{name}{named}>{_escaped(content) if text else content}</{name}>"


@dataclass(frozen=True)
class Picture:
    """A drawing of fixed size; notebooks show it.

    Attributes:
        body: SVG elements, from (0, 0) to (width, height), in pixels.
        width, height: its size in pixels.
        alt: the picture in words, for those who cannot see it.
    """

    body: str = field(repr=False)
    width: float
    height: float
    alt: str = ""

    @property
    def svg(self) -> str:
        """A whole SVG document, on white ground.

        >>> Picture("", 4, 4, "nothing").svg.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
        True
        """
        ground = f'<rect width="{self.width:g}" height="{self.height:g}" fill="#ffffff"/>'
        size = f'width="{self.width:g}" height="{self.height:g}" viewBox="0 0 {self.width:g} {self.height:g}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{_escaped(self.alt)}" '
            f'font-family="sans-serif">{ground}{self.body}</svg>'
        )

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> Path:
        """Write an ``.svg`` file; the path that was written.

        Raises :class:`~ccsim.errors.InputError` for another ending (for PDF or PNG see :mod:`ccsim.plots.figures`).
        """
        path = Path(path)
        if path.suffix != ".svg":
            raise InputError("path", str(path), "a name that ends in .svg (figures of matplotlib write other kinds)")
        path.write_text(self.svg + "\n", encoding="utf-8")
        return path

    def moved(self, right: float, down: float) -> str:
        """The elements, somewhere else."""
        return f'<g transform="translate({right:g} {down:g})">{self.body}</g>'


def gathered(pictures: Sequence[Picture], columns: int, alt: str, gap: float = 14) -> Picture:
    """Pictures in a table of so many columns, each row as high as its highest; a pixel around is for their frames."""
    if columns < 1:
        raise InputError("columns", columns, "one column at least")
    body, down, widest = [], 0.0, 0.0
    for start in range(0, len(pictures), columns):
        right = 1.0
        row = pictures[start : start + columns]
        for picture in row:
            body.append(picture.moved(right, down))
            right += picture.width + gap
        widest = max(widest, right - gap)
        down += max(picture.height for picture in row) + gap
    return Picture("".join(body), widest + 1, max(down - gap, 0), alt)


def words(
    x: float, y: float, text: str, *, size: float = 13, anchor: str = "middle", colour: str = INK, more: str = ""
) -> str:
    """A line of text: x, y is where its base line begins, is centred or ends (``anchor``)."""
    return (
        f'<text x="{x:.5g}" y="{y:.5g}" font-size="{size:g}" text-anchor="{anchor}" fill="{colour}"'
        f"{' ' + more if more else ''}>{_escaped(text)}</text>"
    )


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def hatching(x: float, y: float, width: float, height: float, kind: int, gap: float = 6) -> str:
    """The data of a path: lines over a rectangle, 0: up, 1: down, 2: level, 3: upright, 4: 0 and 1, 5: 2 and 3."""
    kinds = ((0,), (1,), (2,), (3,), (0, 1), (2, 3))[kind % 6]
    return "".join(_strokes(x, y, width, height, one, gap) for one in kinds)


def _strokes(x: float, y: float, width: float, height: float, kind: int, gap: float) -> str:
    if kind == 2:
        return "".join(f"M{x:g} {y + at:g}h{width:g}" for at in np.arange(gap / 2, height, gap))
    if kind == 3:
        return "".join(f"M{x + at:g} {y:g}v{height:g}" for at in np.arange(gap / 2, width, gap))
    parts = []
    for offset in np.arange(gap / 2, width + height, gap):  # the line a + b = offset through the rectangle
        first, last = max(0.0, offset - height), min(float(width), float(offset))
        b, d = offset - first, offset - last
        if kind == 1:
            b, d = height - b, height - d
        parts.append(f"M{x + first:g} {y + b:g}L{x + last:g} {y + d:g}")
    return "".join(parts)


def pixels(
    codes: npt.NDArray[np.uint8], colours: Iterable[str], x: float, y: float, width: float, height: float
) -> str:
    """Many cells as an image within the picture: a PNG with the palette ``colours``, which codes number."""
    palette = b"".join(bytes.fromhex(colour.removeprefix("#")) for colour in colours)
    scanned = np.ascontiguousarray(np.hstack([np.zeros((len(codes), 1), np.uint8), codes]))
    head = pack(">IIBBBBB", codes.shape[1], codes.shape[0], 8, 3, 0, 0, 0)
    parts = [(b"IHDR", head), (b"PLTE", palette), (b"IDAT", zlib.compress(scanned.tobytes(), 9)), (b"IEND", b"")]
    data = b"\x89PNG\r\n\x1a\n" + b"".join(
        pack(">I", len(part)) + kind + part + pack(">I", zlib.crc32(kind + part)) for kind, part in parts
    )
    return (
        f'<image x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" preserveAspectRatio="none" '
        f'style="image-rendering:pixelated" href="data:image/png;base64,{b64encode(data).decode()}"/>'
    )
