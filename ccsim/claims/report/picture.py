"""A matrix as a picture: cells by their value, lines between a protocol's rectangles, dots on a fooling set."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from ccsim.claims.report.markup import element

__all__ = ["picture_svg"]

COLOURS = ("#f4f4f0", "#7fb2d9", "#f2c14e", "#6cc3a0", "#d9a0c3", "#b9d9f2", "#e89c6c", "#f5ee9e")
FREE = "#b0b0b0"


def picture_svg(picture: Mapping[str, Any]) -> str:
    """The picture that :func:`ccsim.claims.attachments.attachments` makes, as a figure."""
    codes: list[list[int]] = picture["codes"]
    rows, columns = len(codes), len(codes[0])
    side = max(5, min(24, 420 // max(rows, columns)))
    squares = "".join(_squares(line, row, side) for row, line in enumerate(codes))
    lines = _lines(picture["rectangles"], rows, columns, side)
    dots = "".join(
        f'<circle cx="{(column + 0.5) * side}" cy="{(row + 0.5) * side}" r="{0.3 * side:.1f}" class="dot"/>'
        for row, column in picture["cells"]
    )
    told = f"matrix of {rows} rows and {columns} columns"
    if picture["rectangles"]:
        told += f", cut into the {len(picture['rectangles'])} rectangles of a protocol"
    if picture["cells"]:
        told += f", with a fooling set of {len(picture['cells'])} cells marked"
    svg = element(
        "svg",
        squares + lines + dots,
        viewBox=f"-1 -1 {columns * side + 2} {rows * side + 2}",
        width=str(columns * side + 2),
        role="img",
        aria_label=told,
        class_="matrix",
    )
    return element("figure", svg + element("figcaption", f"{_legend(picture, codes)} {told}."))


def _squares(line: list[int], row: int, side: int) -> str:
    """One rect for each run of equal cells."""
    squares, column = [], 0
    for code, run in groupby(line):
        length = len(list(run))
        fill = FREE if code < 0 else COLOURS[code % len(COLOURS)]
        squares.append(
            f'<rect x="{column * side}" y="{row * side}" width="{length * side}" height="{side}" fill="{fill}"/>'
        )
        column += length
    return "".join(squares)


def _lines(rectangles: list[list[list[int]]], rows: int, columns: int, side: int) -> str:
    """Lines wherever neighbouring cells belong to different rectangles, and all around."""
    owner = [[0] * columns for _ in range(rows)]
    for number, (of_rows, of_columns) in enumerate(rectangles, start=1):
        for row in of_rows:
            for column in of_columns:
                owner[row][column] = number
    path = [f"M0 0H{columns * side}V{rows * side}H0Z"]
    path += [
        f"M{column * side} {row * side}v{side}"
        for row in range(rows)
        for column in range(1, columns)
        if owner[row][column] != owner[row][column - 1]
    ]
    path += [
        f"M{column * side} {row * side}h{side}"
        for row in range(1, rows)
        for column in range(columns)
        if owner[row][column] != owner[row - 1][column]
    ]
    return f'<path d="{"".join(path)}" class="edge"/>'


def _legend(picture: Mapping[str, Any], codes: list[list[int]]) -> str:
    named = [(COLOURS[place % len(COLOURS)], label) for place, label in enumerate(picture["labels"][: len(COLOURS)])]
    if any(-1 in line for line in codes):
        named.append((FREE, "free"))
    return "".join(
        element("span", element("span", "", class_="swatch", style=f"background:{colour}") + f" {label}", class_="key")
        for colour, label in ((colour, element("code", label, text=True)) for colour, label in named)
    )
