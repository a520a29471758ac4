"""What proves a bracket, as a picture: a tree over the matrix, a fooling set, a cover."""

from __future__ import annotations

from typing import Any

from ccsim.bounds.bracket import Bracket
from ccsim.matrices import CommunicationMatrix
from ccsim.plots.matrix import cover_picture, fooling_picture, matrix_picture
from ccsim.plots.svg import Picture
from ccsim.plots.trees import tree_over_matrix

__all__ = ["bracket_picture"]

MOST_LINES = 256


def bracket_picture(bracket: Bracket) -> Picture | None:
    """The witnesses of a bracket over its matrix; None if the bracket does not know it, or it is too large.

    A protocol tree is drawn over the matrix, a cover or partition with its rectangles, a fooling set with its cells
    ringed; other witnesses leave the matrix as it is.

    >>> import ccsim as cc
    >>> from ccsim.problems import equality
    >>> bracket_picture(cc.bounds.deterministic(equality(1))).told
    'protocol tree of 4 leaves, 2 bits deep, over a matrix of 2 rows and 2 columns'
    """
    matrix = bracket.matrix
    if matrix is None or max(matrix.shape) > MOST_LINES or 0 in matrix.shape:
        return None
    above, below = bracket.upper_witness or {}, bracket.lower_witness or {}
    if above.get("kind") == "protocol-tree":
        return tree_over_matrix(bracket.protocol_tree)
    found = _rectangles(above, matrix)
    if found and bracket.measure in ("cover", "partition"):
        return cover_picture(matrix, found)
    if below.get("kind") == "fooling-set" and below["cells"]:
        return fooling_picture(matrix, [(cell[0], cell[1]) for cell in below["cells"]])
    return matrix_picture(matrix)


def _rectangles(witness: dict[str, Any], matrix: CommunicationMatrix) -> list[tuple[list[int], list[int]]]:
    if witness.get("kind") == "parts":
        return [one for part in witness["parts"] for one in _rectangles(part, matrix)]
    listed = witness.get("rectangles", []) if witness.get("kind") == "rectangles" else []
    return [(_lines(rows), _lines(columns)) for rows, columns in listed]


def _lines(text: str | list[int]) -> list[int]:
    if isinstance(text, list):
        return text
    mask = int(text, 16)
    return [place for place in range(mask.bit_length()) if mask >> place & 1]
