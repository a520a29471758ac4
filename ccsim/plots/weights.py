"""Weights of cells over their matrix: distributions, and what proves bounds by weights."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import sqrt

from ccsim.errors import InputError
from ccsim.plots.cells import Subject, as_matrix, line_names
from ccsim.plots.matrix import drawn_names, matrix_picture, sides_of
from ccsim.plots.svg import INK, PALETTE, Picture, words

Weight = tuple[int, int, Fraction | int | str]


def cell_weights_picture(
    subject: Subject, weights: Iterable[Weight], *, above: str = "weight", below: str = "negative weight"
) -> Picture:
    """Weights of cells, as (row, column, weight): discs whose area is the weight, rings for negative weights.

    A cell may have one of each. ``above`` and ``below`` say in the legend what the two are.

    >>> from ccsim.problems import equality
    >>> cell_weights_picture(equality(1), [(0, 0, "1/2"), (0, 1, "-1/2")]).told
    'matrix of 2 rows and 2 columns, with weights on 2 cells, the largest 1/2'
    """
    matrix = as_matrix(subject)
    found = [(row, column, Fraction(weight)) for row, column, weight in weights]
    if any(not (0 <= row < matrix.shape[0] and 0 <= column < matrix.shape[1]) for row, column, _ in found):
        raise InputError("weights", found, f"cells within {matrix.shape[0]} x {matrix.shape[1]}")
    found = [one for one in found if one[2]]
    picture = matrix_picture(subject, written=False)
    side = min(sides_of(matrix.shape))
    left, top, _ = drawn_names(line_names(subject, 0), line_names(subject, 1), side)
    most = max((abs(weight) for _, _, weight in found), default=Fraction(1))
    marks = "".join(
        _mark((column + 0.5) * side, (row + 0.5) * side, weight / most, side) for row, column, weight in found
    )
    legend, width = _legend({weight > 0 for _, _, weight in found}, above, below, picture.height + 8)
    told = f"{picture.told}, with weights on {len({one[:2] for one in found})} cells, the largest {most}"
    body = f'{picture.body}<g transform="translate({left:g} {top:g})">{marks}</g>{legend}'
    return Picture(body, max(picture.width, width), picture.height + 18, told)


def _mark(x: float, y: float, part: Fraction, side: float) -> str:
    radius = 0.44 * side * sqrt(abs(part))
    if part > 0:
        return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:.3g}" fill="{INK}" stroke="#ffffff" stroke-width="1"/>'
    look = f'fill="none" stroke="{PALETTE[1]}" stroke-width="{max(0.1 * side, 1):.3g}"'
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:.3g}" {look}/>'


def _legend(signs: set[bool], above: str, below: str, y: float) -> tuple[str, float]:
    parts, x = [], 4.0
    for positive, name in ((True, above), (False, below)):
        if positive in signs:
            parts.append(_mark(x + 7, y - 4, Fraction(1 if positive else -1), 13))
            parts.append(words(x + 18, y, name, anchor="start", size=12))
            x += 34 + 6.6 * len(name)
    return "".join(parts), x
