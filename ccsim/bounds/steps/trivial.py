"""What a glance at a matrix says of each measure: to name a line, a rectangle per line, a cell of each answer.

Nothing is built for this, neither masks nor merged lines: it is there at once, whatever the size of the matrix.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import Bracket, Witness
from ccsim.bounds.rank.brackets import FIELDS
from ccsim.bounds.rank.over_fields import pack_rows
from ccsim.bounds.rationals import as_text
from ccsim.bounds.rectangles.cover import sum_of
from ccsim.certificates.verify.data import MOST_CELLS
from ccsim.matrices import CommunicationMatrix

__all__ = [
    "at_most_lines",
    "cell_of",
    "naming_a_line",
    "naming_with_coins",
    "trivial_fooling",
    "trivial_leaves",
    "trivial_message",
    "trivial_rank",
    "trivial_rectangles",
]

NAMED = "naming a line"
PARTIES = ("alice", "bob")


def at_most_lines(matrix: CommunicationMatrix, code: int) -> int:
    """How many rows have the answer, or how many columns, whichever are fewer."""
    own = matrix.codes == code
    return int(min(own.any(axis=1).sum(), own.any(axis=0).sum()))


def cell_of(matrix: CommunicationMatrix, code: int) -> list[int] | None:
    """The first cell with the answer, if there is one."""
    place = int(np.argmax(matrix.codes == code))
    cell = divmod(place, matrix.shape[1])
    return [*cell] if matrix.codes[cell] == code else None


def _one_of_each(matrix: CommunicationMatrix) -> list[list[int]]:
    """A cell of each answer that occurs."""
    return [cell for code in range(len(matrix.labels)) if (cell := cell_of(matrix, code))]


def naming_a_line(matrix: CommunicationMatrix, answer: str, rounds: int | None, first: str | None) -> Bracket:
    """D: one party names its line, and the other, which knows all now, the answer; each answer needs a leaf."""
    parameters = {"answer": answer, "rounds": rounds, "first": first}
    reply = _bits(len(matrix.labels))
    costs = [
        _bits(count) + (0 if answer == PARTIES[1 - party] else reply)
        for party, count in enumerate(matrix.shape)
        if first in (None, PARTIES[party])
    ]
    upper = None if rounds == 1 else min(costs, default=None)
    cells = _one_of_each(matrix) if answer == "both" else []
    lower = _bits(len(cells))
    everything = [f"{(1 << count) - 1:x}" for count in matrix.shape]
    node = [lower - 1, None, *everything, "fooling", cells]
    below = {"kind": "refutation", "nodes": [node]} if lower else None
    return Bracket("deterministic", lower, upper, f"trivial | {NAMED}", below, None, parameters)


def trivial_leaves(matrix: CommunicationMatrix, answer: str) -> Bracket:
    """Leaves: each answer that occurs needs one; one party names its line, and the other one of the answers."""
    cells = _one_of_each(matrix)
    own = cells if answer == "both" else cells[:1]
    below: Witness = {"kind": "fooling-set", "cells": own}
    uppers = [
        count * (1 if answer == PARTIES[1 - party] else max(1, len(cells))) for party, count in enumerate(matrix.shape)
    ]
    return Bracket("leaves", len(own), min(uppers), f"trivial | {NAMED}", below, None, {"answer": answer}, "leaves")


def naming_with_coins(matrix: CommunicationMatrix, error: Fraction) -> Bracket:
    """With coins: no more than without; and one bit at least, if two answers occur and neither is always likely."""
    certain, cells = naming_a_line(matrix, "both", None, None), _one_of_each(matrix)
    shares = [[*cell, as_text(Fraction(1, len(cells)))] for cell in cells]
    lower = int(len(cells) > 1 and Fraction(1, len(cells)) < 1 - error)
    few = lower and len(cells) < 17
    below: Witness | None = {"kind": "hard-distribution", "bits": 0, "cells": shares} if few else None
    parameters = {"answer": "both", "coins": "public", "error": as_text(error)}
    return Bracket("randomised", int(below is not None), certain.upper, certain.method, below, None, parameters)


def trivial_message(matrix: CommunicationMatrix, measure: str, direction: str, **more: Any) -> Bracket:
    """One message names the line."""
    count = matrix.shape[direction == "bob-to-alice"]
    classes = {"kind": "message-classes", "classes": list(range(count))}
    above = {"kind": "bits-of", "measure": "one-way-messages", "given": {}, "of": classes}
    parameters = {"direction": direction, **more}
    return Bracket(measure, 0, _bits(count), f"trivial | {NAMED}", None, above, parameters)


def trivial_rank(matrix: CommunicationMatrix, code: int, field: str) -> Bracket:
    """At least 1 if the answer occurs, and at most the rows or the columns that have it."""
    cell = cell_of(matrix, code)
    below: Witness | None = None
    if cell:
        rows, columns = ([line] for line in cell)
        below = {"kind": "pivots", "prime": FIELDS[field], "rows": rows, "columns": columns}
    parameters = {"code": code, "label": str(matrix.labels[code]), "field": field}
    upper = at_most_lines(matrix, code)
    return Bracket("rank", int(bool(cell)), upper, "trivial | lines", below, {"kind": "lines"}, parameters, "")


def trivial_fooling(matrix: CommunicationMatrix, answer: str) -> dict[int | None, Bracket]:
    """Of each answer: one cell, and at most one in each row or column that has it. Mixed: no more than all together."""
    codes = range(len(matrix.labels))
    uppers = [at_most_lines(matrix, code) for code in codes]
    cells = {code: [cell] for code in codes if (cell := cell_of(matrix, code))}
    mixed = [cell for some in cells.values() for cell in some]
    found: dict[int | None, Bracket] = {}
    for code in (*codes, None):
        own = cells.get(code, []) if code is not None else mixed if answer == "both" else mixed[:1]
        parts: Witness = {"kind": "parts", "parts": [{"kind": "lines"}] * len(cells)}
        above: Witness = parts if code is None else {"kind": "lines"}
        sides = (len(own), sum(uppers) if code is None else uppers[code], "trivial | lines")
        below: Witness = {"kind": "fooling-set", "cells": own}
        found[code] = Bracket("fooling-set", *sides, below, above, {"code": code, "answer": answer}, "cells")
    return found


def trivial_rectangles(matrix: CommunicationMatrix, measure: str) -> dict[int | None, Bracket]:
    """Of each answer: at least a rectangle if it occurs, and at most one for each row, or column, that has it.

    For partitions of all answers together, too. Beyond what a checker reads, the rectangles are not written down.
    """
    found: dict[int | None, Bracket] = {}
    for code, label in enumerate(matrix.labels):
        below, upper = _one_cell(matrix, code), at_most_lines(matrix, code)
        above = _lines(matrix.codes == code) if matrix.codes.size <= MOST_CELLS else None
        sides = (len(below["cells"]), upper, "trivial | lines", below, above)
        found[code] = Bracket(measure, *sides, {"code": code, "label": repr(label)}, "rectangles")
    if measure == "partition":
        parts = [found[code] for code in range(len(matrix.labels))]
        whole = sum_of(measure, parts)
        found[None] = whole if matrix.codes.size <= MOST_CELLS else replace(whole, upper_witness=None)
    return found


def _one_cell(matrix: CommunicationMatrix, code: int) -> Witness:
    cell = cell_of(matrix, code)
    return {"kind": "fooling-set", "cells": [cell] if cell else []}


def _lines(own: npt.NDArray[np.bool_]) -> Witness:
    """Each row that has the answer as a rectangle, or each column if they are fewer."""
    turned = own.any(axis=0).sum() < own.any(axis=1).sum()
    masks = pack_rows(own.T if turned else own)
    pairs = [(f"{1 << place:x}", f"{mask:x}") for place, mask in enumerate(masks) if mask]
    return {"kind": "rectangles", "rectangles": [[*(pair[::-1] if turned else pair)] for pair in pairs]}


def _bits(count: int) -> int:
    """The least c with 2^c >= count."""
    return max(count - 1, 0).bit_length()
