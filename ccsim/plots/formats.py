"""Shapes as SVG, as TikZ, and as PDF or PNG by matplotlib."""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape
from importlib.util import find_spec
from pathlib import Path
from struct import pack
from typing import Any

import numpy as np

from ccsim.errors import InputError
from ccsim.plain_data import latex, printable
from ccsim.plots.scene import DARK, PAPER, Box, Circle, Colour, Raster, Shape, Stroke, Text

SUFFIXES = (".svg", ".tex", ".pdf", ".png")
SMALL, MANY = 5, 2000  # pixels of cells below which they are an image in SVG, and how many are one anyway


def require_format(name: str, path: Path, others: Sequence[str] = (), pictures: bool = True) -> str:
    """The ending of a picture's name; an error names the endings that are allowed, or the extra that is needed."""
    suffix, allowed = path.suffix.lower(), (*others, *(SUFFIXES if pictures else ()))
    if suffix not in allowed:
        raise InputError(name, str(path), f"a name that ends in {', '.join(allowed)}")
    if suffix in (".pdf", ".png") and find_spec("matplotlib") is None:
        expected = "the extra 'plot' to be installed (pip install 'ccsim[plot]'); .svg and .tex need nothing"
        raise InputError(name, str(path), expected)
    return suffix


def _number(value: float) -> str:
    return f"{round(value, 2) + 0.0:.9g}"  # 0.0: no minus before a zero


def _unknown(shape: Shape) -> InputError:
    return InputError("shapes", type(shape).__name__, "Box, Circle, Stroke, Text or Raster")


# SVG


def _escaped(text: str) -> str:
    """Text for markup; control characters, which would break it, and others that cannot be printed are written out."""
    return escape("\n".join(map(printable, text.split("\n"))))


EMPTY = ("rect", "circle", "path", "image")  # elements without content


def element(name: str, content: str = "", *, text: bool = False, **attributes: str) -> str:
    """An element around markup, or around text that is to be escaped; underscores in attributes are hyphens."""
    named = "".join(
        f' {attribute.strip("_").replace("_", "-")}="{_escaped(value)}"' for attribute, value in attributes.items()
    )
    if name in EMPTY:
        return f"<{name}{named}/>"
    return f"<{name}{named}>{_escaped(content) if text else content}</{name}>"


STYLE = "svg:root{color-scheme:light dark}" + "".join(
    f'svg [{kind}="{light}"]{{{kind}:light-dark({light},{dark})}}'
    for light, dark in DARK.items()
    for kind in ("fill", "stroke")
)
"""Colours for dark paper: by the page that a picture is in, or else by what the reader prefers."""


def document(body: str, width: float, height: float, alt: str) -> str:
    """A whole SVG document around elements, on its own paper."""
    size = f'width="{width:g}" height="{height:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="{_escaped(alt)}" font-family="sans-serif"><style>{STYLE}</style>'
        f'<rect {size} fill="{PAPER}"/>{body}</svg>'
    )


def elements(shapes: Iterable[Shape]) -> str:
    return "".join(map(_element, shapes))


def _element(shape: Shape) -> str:
    look: dict[str, Any] = {"class_": shape.name} if shape.name else {}
    look["fill"] = shape.fill or "none"
    if shape.opacity != 1:
        look["fill_opacity"] = f"{shape.opacity:.3g}"
    if shape.stroke:
        look |= {"stroke": shape.stroke, "stroke_width": f"{shape.thick:.3g}"}
    if shape.dash:
        look["stroke_dasharray"] = " ".join(map(_number, shape.dash))
    n = _number
    match shape:
        case Box(x, y, width, height, corner):
            look |= {"rx": n(corner)} if corner else {}
            return element("rect", x=n(x), y=n(y), width=n(width), height=n(height), **look)
        case Circle(x, y, radius):
            return element("circle", cx=n(x), cy=n(y), r=n(radius), **look)
        case Stroke(lines, closed, bent):
            points = ([f"{n(x)} {n(y)}" for x, y in line] for line in lines)
            sign = "Q" if bent else "L"
            data = (f"M{first}{sign}{' '.join(rest)}{'Z' * closed}" for first, *rest in points)
            return element("path", d="".join(data), **look)
        case Text(x, y, text, size, anchor):
            look |= {"font_weight": "bold"} if shape.bold else {}
            look |= {"font_family": "monospace"} if shape.mono else {}
            look |= {"transform": f"rotate(-90 {n(x)} {n(y)})"} if shape.turned else {}
            return element("text", text, text=True, x=n(x), y=n(y), font_size=n(size), text_anchor=anchor, **look)
        case Raster() if min(shape.sides) < SMALL or shape.codes.size > MANY:
            return _image(shape)
        case Raster():
            return element("g", elements(shape.boxes()), shape_rendering="crispEdges")
    raise _unknown(shape)


def _image(cells: Raster) -> str:
    """Many cells as an image within the picture: a PNG whose palette has the colours, which the codes number."""
    height, width = cells.codes.shape
    palette = b"".join(bytes.fromhex(colour.removeprefix("#")) for colour, _ in cells.colours)
    alphas = bytes(round(255 * opacity) for _, opacity in cells.colours)
    rows = np.ascontiguousarray(np.hstack([np.zeros((height, 1), np.uint8), cells.codes.astype(np.uint8)]))
    head = pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = {b"IHDR": head, b"PLTE": palette, b"tRNS": alphas, b"IDAT": zlib.compress(rows.tobytes(), 9), b"IEND": b""}
    data = b"\x89PNG\r\n\x1a\n" + b"".join(
        pack(">I", len(part)) + kind + part + pack(">I", zlib.crc32(kind + part)) for kind, part in parts.items()
    )
    (across, down), n = cells.sides, _number
    return element(
        "image",
        x=n(cells.x),
        y=n(cells.y),
        width=n(width * across),
        height=n(height * down),
        preserveAspectRatio="none",
        style="image-rendering:pixelated",
        href=f"data:image/png;base64,{b64encode(data).decode()}",
    )


# TikZ

WIDEST, TALLEST = 345.0, 540.0  # points of a line of text in an article, and of its lines
POINTS = 0.75  # of a pixel, where there is room
SEAM = 0.2  # pixels by which cells reach over their edges, which viewers of PDF would show as white lines


def _mixed(colour: str, opacity: float = 1.0) -> str:
    """A colour on white paper, as six digits."""
    return bytes(round(255 - opacity * (255 - part)) for part in bytes.fromhex(colour.removeprefix("#"))).hex().upper()


def tikz(shapes: Sequence[Shape], width: float, height: float, alt: str) -> str:
    """A ``tikzpicture`` with its colours; large pictures are scaled to a line of text, and to a page."""
    unit = min(POINTS, WIDEST / width, TALLEST / height)
    drawn, n = [_tex_shape(shape, unit) for shape in shapes], _number
    colours = sorted({colour for _, used in drawn for colour in used})
    node = r"every node/.style={inner sep=0pt,font=\fontsize{10}{12}\selectfont}"
    return "\n".join(
        [
            f"% {printable(alt)}",
            rf"\begin{{tikzpicture}}[x={unit:.4g}pt,y=-{unit:.4g}pt,{node}]",
            *(rf"\definecolor{{ccsim{colour}}}{{HTML}}{{{colour}}}" for colour in colours),
            rf"\path (0,0) rectangle ({n(width)},{n(height)});",
            *(text for text, _ in drawn if text),
            r"\end{tikzpicture}",
            "",
        ]
    )


def _tex_shape(shape: Shape, unit: float) -> tuple[str, set[str]]:
    """The commands of a shape, and the colours that it has."""
    n = _number
    if isinstance(shape, Raster):
        seam = SEAM if min(shape.sides) < SMALL else 0.0
        larger = (replace(box, width=box.width + seam, height=box.height + seam) for box in shape.boxes())
        boxes = [_tex_shape(box, unit) for box in larger]
        return "\n".join(text for text, _ in boxes), {colour for _, used in boxes for colour in used}
    fill, stroke = (None if colour is None else _mixed(colour, shape.opacity) for colour in (shape.fill, shape.stroke))
    used = {colour for colour in (fill, stroke) if colour}
    if isinstance(shape, Text):
        side = {"start": "base west", "middle": "base", "end": "base east"}[shape.anchor]
        look = f"anchor={side},scale={shape.size * unit / 10:.3g},text=ccsim{fill}" + ",rotate=90" * shape.turned
        set_as = r"\bfseries " * shape.bold + r"\ttfamily " * shape.mono
        return f"\\node[{look}] at ({n(shape.x)},{n(shape.y)}) {{{set_as}{latex(shape.text)}}};", used
    options = [f"fill=ccsim{fill}"] if fill else []
    if stroke:
        options += [f"draw=ccsim{stroke}", f"line width={n(shape.thick * unit)}pt"]
    if shape.dash:
        steps = zip(("on", "off") * (len(shape.dash) // 2), shape.dash, strict=True)
        options.append("dash pattern=" + " ".join(f"{word} {n(long * unit)}pt" for word, long in steps))
    match shape:
        case Box(x, y, width, height, corner):
            options += [f"rounded corners={n(corner * unit)}pt"] if corner else []
            path = f"({n(x)},{n(y)}) rectangle ({n(x + width)},{n(y + height)})"
        case Circle(x, y, radius):
            path = f"({n(x)},{n(y)}) circle[radius={n(radius * unit)}pt]"
        case Stroke(lines, closed, bent):
            path = "\n  ".join((_tex_curve(line) if bent else _tex_line(line)) + " -- cycle" * closed for line in lines)
        case _:
            raise _unknown(shape)
    return f"\\path[{','.join(options)}] {path};", used


def _tex_line(line: Any) -> str:
    return " -- ".join(f"({_number(x)},{_number(y)})" for x, y in line)


def _tex_curve(line: Any) -> str:
    """A quadratic curve as a cubic one."""
    begin, pull, end = (complex(x, y) for x, y in line)
    controls = [begin + 2 / 3 * (pull - begin), end + 2 / 3 * (pull - end)]
    a, b, c, d = (f"({_number(point.real)},{_number(point.imag)})" for point in (begin, *controls, end))
    return f"{a} .. controls {b} and {c} .. {d}"


# PDF and PNG, by matplotlib

DOTS = 192  # of a PNG on an inch: two on a pixel


def paint(path: Path, shapes: Sequence[Shape], width: float, height: float, alt: str) -> None:
    """Write a PDF or a PNG."""
    from matplotlib import rc_context  # an extra, which only PDF and PNG need
    from matplotlib.figure import Figure

    own: Any = {"text.usetex": False, "pdf.fonttype": 42, "lines.scale_dashes": False, "font.family": "sans-serif"}
    with rc_context(own):
        figure = Figure(figsize=(width / 96, height / 96), facecolor=PAPER)
        axes = figure.add_axes((0, 0, 1, 1))
        for order, shape in enumerate(shapes, start=1):
            _artist(axes, shape, {"zorder": order, "clip_on": False})
        axes.set(xlim=(0, width), ylim=(height, 0))
        axes.set_axis_off()
        metadata = {"CreationDate": None, "Title": alt} if path.suffix.lower() == ".pdf" else {}
        figure.savefig(path, dpi=DOTS, metadata=metadata, facecolor=PAPER)


def _artist(axes: Any, shape: Shape, common: dict[str, Any]) -> None:
    from matplotlib import patches  # an extra
    from matplotlib.path import Path as Outline

    if isinstance(shape, Raster):
        (across, down), (height, width) = shape.sides, shape.codes.shape
        extent = (shape.x, shape.x + width * across, shape.y + height * down, shape.y)
        image = np.array([_channels(colour) for colour in shape.colours])[shape.codes]
        axes.imshow(image, extent=extent, interpolation="none", aspect="auto", **common)
        return
    if isinstance(shape, Text):
        family, weight = "monospace" if shape.mono else "sans-serif", "bold" if shape.bold else "normal"
        side = {"start": "left", "middle": "center", "end": "right"}[shape.anchor]
        axes.text(
            *(shape.x, shape.y, printable(shape.text)),
            **common | {"family": family, "weight": weight, "size": shape.size * POINTS, "color": shape.fill},
            **{"ha": side, "va": "baseline", "parse_math": False},
            **{"rotation": 90 * shape.turned, "rotation_mode": "anchor"},
        )
        return
    look: dict[str, Any] = common | {
        "facecolor": _channels((shape.fill, shape.opacity)) if shape.fill else "none",
        "edgecolor": shape.stroke or "none",
        "linewidth": shape.thick * POINTS if shape.stroke else 0,
        "linestyle": (0, [long * POINTS for long in shape.dash]) if shape.dash else "-",
    }
    match shape:
        case Box(x, y, width, height, 0):
            patch: Any = patches.Rectangle((x, y), width, height, **look)
        case Box(x, y, width, height, corner):
            rounded = f"round,pad=0,rounding_size={corner}"
            patch = patches.FancyBboxPatch((x, y), width, height, boxstyle=rounded, **look)
        case Circle(x, y, radius):
            patch = patches.Circle((x, y), radius, **look)
        case Stroke(lines, closed, bent):
            points, codes = [], []
            for line in lines:
                following = Outline.CURVE3 if bent else Outline.LINETO
                points += [*line, *([line[0]] * closed)]
                codes += [Outline.MOVETO, *([following] * (len(line) - 1)), *([Outline.CLOSEPOLY] * closed)]
            patch = patches.PathPatch(Outline(points, codes), **look)
        case _:
            raise _unknown(shape)
    axes.add_patch(patch)


def _channels(colour: Colour) -> tuple[float, ...]:
    return (*(part / 255 for part in bytes.fromhex(colour[0].removeprefix("#"))), colour[1])
