"""Trivial bounds for every measure, computed from the matrix shape and from diagonal fooling sets.

They need neither masks nor merged rows, and are known at once for a matrix of any size. The diagonal fooling sets are
given as ``sets``, one for each answer.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import UNKNOWN, Bracket, Side, Witness, as_text, logarithm_of, together
from ccsim.bounds.covers import sum_of
from ccsim.bounds.fooling_sets import Diagonal
from ccsim.bounds.rank import pack_rows
from ccsim.certificates.verify.claims import MOST_CELLS, bits_for
from ccsim.matrices import CommunicationMatrix

NAMED = "naming a line"
Sets = Sequence[Diagonal]
PARTIES = ("alice", "bob")
VALUE = itemgetter(0)


def at_most_lines(matrix: CommunicationMatrix, code: int) -> int:
    own = matrix.codes == code
    return int(min(own.any(axis=1).sum(), own.any(axis=0).sum()))


def cell_of(matrix: CommunicationMatrix, code: int) -> list[int] | None:
    place = int(np.argmax(matrix.codes == code))
    cell = divmod(place, matrix.shape[1])
    return [*cell] if matrix.codes[cell] == code else None


def _one_of_each(matrix: CommunicationMatrix) -> list[list[int]]:
    return [cell for code in range(len(matrix.labels)) if (cell := cell_of(matrix, code))]


def _cells(own: Diagonal) -> list[list[int]]:
    return [[*cell] for cell in own.cells]


def _all_cells(sets: Sets, answer: str) -> list[list[int]]:
    """A fooling set of several answers: all of them, or the largest where cells of different ones may share a leaf."""
    if answer == "both":
        return [cell for own in sets for cell in _cells(own)]
    return _cells(max(sets, key=lambda own: len(own.cells), default=Diagonal()))


def _below(cells: Sequence[Any], answers: int = 1) -> str:
    """What the lower side is called: a diagonal, if it has more than a cell of each answer."""
    return "diagonal" if len(cells) > answers else "trivial"


def naming_a_line(
    matrix: CommunicationMatrix, answer: str, rounds: int | None, first: str | None, sets: Sets = ()
) -> Bracket:
    """D: one party names its line, and the other, which knows all now, the answer; each cell of a set needs a leaf."""
    parameters = {"answer": answer, "rounds": rounds, "first": first}
    reply = bits_for(len(matrix.labels))
    costs = [
        bits_for(count) + (0 if answer == PARTIES[1 - party] else reply)
        for party, count in enumerate(matrix.shape)
        if first in (None, PARTIES[party])
    ]
    upper = None if rounds == 1 else min(costs, default=None)
    each = _one_of_each(matrix) if answer == "both" else []
    cells = max(each, _all_cells(sets, answer), key=len)
    lower = bits_for(len(cells))
    everything = [f"{(1 << count) - 1:x}" for count in matrix.shape]
    node = [lower - 1, None, *everything, "fooling", cells]
    below = Side(lower, _below(cells, len(matrix.labels)), {"kind": "refutation", "nodes": [node]} if lower else None)
    return Bracket("deterministic", below, UNKNOWN if upper is None else Side(upper, NAMED), parameters)


def trivial_leaves(matrix: CommunicationMatrix, answer: str, sets: Sets) -> Bracket:
    """Leaves: one for each cell of a set, or of a triangle; one party names its line, the other one of the answers."""
    cells = [cells[0] for cells in map(_cells, sets) if cells]
    own = _all_cells(sets, answer)
    below = Side(len(own), _below(own, len(cells)), {"kind": "fooling-set", "cells": own})
    if answer == "both" and matrix.is_total:
        ranks = sum(int(_triangle(sets, code).value or 0) for code in range(len(sets)))
        witness = {"kind": "leaf-rank", "primes": [2] * len(cells)}
        below = max(below, Side(ranks, _below(range(ranks), len(cells)), witness), key=VALUE)
    uppers = [
        count * (1 if answer == PARTIES[1 - party] else max(1, len(cells))) for party, count in enumerate(matrix.shape)
    ]
    return Bracket("leaves", below, Side(min(uppers), NAMED), {"answer": answer}, "leaves")


def naming_with_coins(matrix: CommunicationMatrix, error: Fraction) -> Bracket:
    """With coins: no more than without; and one bit at least, if two answers occur and neither is always likely."""
    certain, cells = naming_a_line(matrix, "both", None, None), _one_of_each(matrix)
    shares = [[*cell, as_text(Fraction(1, len(cells)))] for cell in cells]
    lower = int(len(cells) > 1 and Fraction(1, len(cells)) < 1 - error)
    few = lower and len(cells) < 17
    below = Side(1, certain.below.by, {"kind": "hard-distribution", "bits": 0, "cells": shares})
    parameters = {"answer": "both", "coins": "public", "error": as_text(error)}
    return Bracket("randomised", below if few else Side(0, certain.below.by), certain.above, parameters)


def trivial_message(matrix: CommunicationMatrix, measure: str, direction: str, sets: Sets = (), **more: Any) -> Bracket:
    """One message names the line; without coins, the lines of a fooling set of one answer need one each."""
    party = int(direction == "bob-to-alice")
    count, lines = matrix.shape[party], max((own.rows_and_columns[party] for own in sets), key=len, default=[])
    classes = {"kind": "message-classes", "classes": list(range(count))}
    distinct = {"kind": "distinct-lines", "lines": lines}
    lower = bits_for(len(lines))
    below = Side(lower, _below(lines), logarithm_of("one-way-messages", distinct if lower else None))
    above = Side(bits_for(count), NAMED, logarithm_of("one-way-messages", classes))
    return Bracket(measure, below, above, {"direction": direction, **more})


def trivial_rank(matrix: CommunicationMatrix, code: int, field: str, sets: Sets) -> Bracket:
    """At least that of a triangle, and at most the rows or the columns that have the answer."""
    below = _triangle(sets, code)
    parameters = {"code": code, "label": str(matrix.labels[code]), "field": field}
    above = Side(at_most_lines(matrix, code), "lines", {"kind": "lines"})
    return Bracket("rank", below, above, parameters, "")


def _triangle(sets: Sets, code: int) -> Side:
    """The rank, over any field, of a triangular matrix with the answer on its diagonal; of what is left of one with the
    other answer, if there is no third: it is at most 1 less, as the matrix of ones has rank 1."""
    own, less = sets[code] if sets[code].triangular else Diagonal(sets[code].cells[:1]), 0
    other = sets[1 - code] if len(sets) == 2 else own
    if other.triangular and len(other.cells) - 1 > len(own.cells):
        own, less = other, 1
    rows, columns = own.rows_and_columns
    rank, witness = len(rows) - less, {"kind": "pivots", "prime": 2, "rows": rows, "columns": columns}
    return Side(rank, _below(range(rank)), witness if rows else None)


def trivial_fooling(matrix: CommunicationMatrix, answer: str, sets: Sets) -> dict[Hashable, Bracket]:
    """Of each answer: a set, and at most one cell in each row or column with it. Mixed: no more than all together."""
    found: dict[Hashable, Bracket] = {}
    for code in range(len(matrix.labels)):
        own, above = _cells(sets[code]), Side(at_most_lines(matrix, code), "lines", {"kind": "lines"})
        below = Side(len(own), _below(own), {"kind": "fooling-set", "cells": own})
        found[code] = Bracket("fooling-set", below, above, {"code": code, "answer": answer}, "cells")
    own, present = _all_cells(sets, answer), sum(1 for own in sets if own.cells)
    below = Side(len(own), _below(own, present), {"kind": "fooling-set", "cells": own})
    above = together(one.above for one in found.values())
    return found | {None: Bracket("fooling-set", below, above, {"code": None, "answer": answer}, "cells")}


def trivial_rectangles(matrix: CommunicationMatrix, measure: str, sets: Sets) -> dict[Hashable, Bracket]:
    """Of each answer: a rectangle for each cell of a set, and at most one for each row, or column, that has it.

    For partitions the rank of a triangle, too, and all answers together. Beyond what a checker reads, the rectangles
    are not written down.
    """
    found: dict[Hashable, Bracket] = {}
    for code, label in enumerate(matrix.labels):
        cells = _cells(sets[code])
        below = Side(len(cells), _below(cells), {"kind": "fooling-set", "cells": cells})
        if measure == "partition" and matrix.is_total:
            below = max(below, _triangle(sets, code), key=VALUE)
        above = _lines(matrix.codes == code) if matrix.codes.size <= MOST_CELLS else None
        sides = below, Side(at_most_lines(matrix, code), "lines", above)
        found[code] = Bracket(measure, *sides, {"code": code, "label": repr(label)}, "rectangles")
    if measure == "partition":
        found[None] = sum_of(measure, list(found.values()))
    return found


def _lines(own: npt.NDArray[np.bool_]) -> Witness:
    """Each row that has the answer as a rectangle, or each column if they are fewer."""
    turned = own.any(axis=0).sum() < own.any(axis=1).sum()
    masks = pack_rows(own.T if turned else own)
    pairs = [(f"{1 << place:x}", f"{mask:x}") for place, mask in enumerate(masks) if mask]
    return {"kind": "rectangles", "rectangles": [[*(pair[::-1] if turned else pair)] for pair in pairs]}
