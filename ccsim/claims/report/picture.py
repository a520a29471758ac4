"""A matrix as a picture: cells by their value, lines between a protocol's rectangles, dots on a fooling set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ccsim.claims.report.markup import element
from ccsim.plain_data import counted
from ccsim.plots.cells import FREE, as_rectangles, colour_of
from ccsim.plots.matrix import drawn_cells, drawn_names

__all__ = ["picture_svg"]

NAMED = 8  # labels in the legend


def picture_svg(picture: Mapping[str, Any]) -> str:
    """The picture that :func:`ccsim.claims.attachments.attachments` makes, as a figure."""
    codes: list[list[int]] = picture["codes"]
    rows, columns = len(codes), len(codes[0])
    side = max(5, min(24, 420 // max(rows, columns)))
    rectangles = as_rectangles(picture["rectangles"], (rows, columns))
    drawn, _ = drawn_cells(
        np.array(codes), (side, side), rectangles=rectangles, cells=picture["cells"], labels=picture["labels"]
    )
    told = f"matrix of {counted(rows, 'row')} and {counted(columns, 'column')}"
    if picture["rectangles"]:
        told += f", cut into the {counted(len(picture['rectangles']), 'rectangle')} of a protocol"
    if picture["cells"]:
        told += f", with a fooling set of {counted(len(picture['cells']), 'cell')} marked"
    of_rows, of_columns = picture.get("names", ([], []))
    left, top, names = drawn_names(of_rows, of_columns, side)
    width, height = left + columns * side + 1, top + rows * side + 1
    svg = element(
        "svg",
        f'{names}<g transform="translate({left:g} {top:g})">{drawn}</g>',
        viewBox=f"-1 -1 {width + 1:g} {height + 1:g}",
        width=f"{width + 1:g}",
        role="img",
        aria_label=told,
        class_="matrix",
    )
    told += ". Rows are inputs of Alice, columns of Bob"
    return element("figure", svg + element("figcaption", f"{_legend(picture, codes)} {told}."))


def _legend(picture: Mapping[str, Any], codes: list[list[int]]) -> str:
    named = [(colour_of(code), label) for code, label in enumerate(picture["labels"][:NAMED])]
    if any(-1 in line for line in codes):
        named.append((FREE, "free"))
    return "".join(
        element("span", element("span", "", class_="swatch", style=f"background:{colour}") + f" {label}", class_="key")
        for colour, label in ((colour, element("code", label, text=True)) for colour, label in named)
    )
