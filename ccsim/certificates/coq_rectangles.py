"""What every rectangle of some lines takes at least: the table that a proof in Coq by all rectangles goes through."""

from __future__ import annotations

from typing import Any

from ccsim.certificates import verify
from ccsim.certificates.coq_terms import list_text, mask_of, places_text

__all__ = ["every_rectangle_text"]


def every_rectangle_text(
    matrix: verify.matrices.Matrix, measure: str, parameters: dict[str, Any], witness: dict[str, Any]
) -> str:
    """The lines, and what each set of rows with each set of columns takes; their first line is the highest bit.
    A set of rows has a number, with a lane for each set of columns."""
    claim = verify.claims.Claim(matrix, measure, "lower", parameters)
    rows, columns = (_places(witness[lines]) for lines in ("rows", "columns"))
    swapped = claim.answer == "bob"
    own, across = (columns, rows) if swapped else (rows, columns)
    packed = verify.leaves.least_of_all(claim, own[::-1], across[::-1])
    turned = verify.leaves.lanes_turned(packed, 1 << len(across)) if swapped else packed
    lines = f"{places_text(witness['rows'])} {places_text(witness['columns'])}"
    return f"{lines} {verify.leaves.LANE - 2} {list_text(turned)}"


def _places(value: Any) -> list[int]:
    mask = mask_of(value)
    return [place for place in range(mask.bit_length()) if mask >> place & 1]
