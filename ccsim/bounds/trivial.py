"""Trivial bounds for every measure, computed at once from the matrix shape and from diagonal fooling sets."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import SPEAKERS, UNKNOWN, Bracket, Side, as_text, logarithm_of, together
from ccsim.bounds.covers import sum_of
from ccsim.bounds.discrepancies import MOST_ROWS
from ccsim.bounds.field_ranks import FIELDS, matrix_rank, numbers_of
from ccsim.bounds.fooling_sets import Diagonal, diagonals
from ccsim.bounds.leaves import TRIVIAL, trivial_relation
from ccsim.bounds.one_message import DIRECTIONS
from ccsim.bounds.rectangles import strips
from ccsim.bounds.scheduler import Known, Question
from ccsim.certificates.verify.claims import MOST_CELLS, bits_for
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix

Sets = Sequence[Diagonal]
VALUE = itemgetter(0)
EXACT_AT_ONCE = 64  # rows and columns up to which the rank of numbers takes no time


def rows_or_columns(own: npt.NDArray[np.bool_]) -> int:
    return int(min(own.any(axis=1).sum(), own.any(axis=0).sum()))


def _one_of_each(matrix: CommunicationMatrix) -> list[list[int]]:
    places = [divmod(int(np.argmax(matrix.codes == code)), matrix.shape[1]) for code in range(len(matrix.labels))]
    return [[*cell] for code, cell in enumerate(places) if matrix.codes[cell] == code]


def _cells(own: Diagonal) -> list[list[int]]:
    return [[*cell] for cell in own.cells]


def _all_cells(sets: Sets, answer: str) -> list[list[int]]:
    """A fooling set of several answers: all of them, or the largest where cells of different ones may share a leaf."""
    if answer == "both":
        return [cell for own in sets for cell in _cells(own)]
    return _cells(max(sets, key=lambda own: len(own.cells), default=Diagonal()))


def _by(cells: Sequence[Any], answers: int = 1) -> str:
    """The method of a lower side: a diagonal, if it has more than a cell of each answer."""
    return "diagonal" if len(cells) > answers else "trivial"


def trivial_protocol(
    matrix: CommunicationMatrix, answer: str, rounds: int | None = None, first: str | None = None, sets: Sets = ()
) -> Bracket:
    """D: one party names its input, and the other, which knows all now, the answer; each cell of a set needs a leaf."""
    parameters = {"answer": answer, "rounds": rounds, "first": first}
    reply = bits_for(len(matrix.labels))
    costs = [
        bits_for(count) + (0 if answer == SPEAKERS[1 - party] else reply)
        for party, count in enumerate(matrix.shape)
        if first in (None, SPEAKERS[party])
    ]
    upper = None if rounds == 1 else min(costs, default=None)
    each = _one_of_each(matrix) if answer == "both" else []
    cells = max(each, _all_cells(sets, answer), key=len)
    lower = bits_for(len(cells))
    everything = [f"{(1 << count) - 1:x}" for count in matrix.shape]
    node = [lower - 1, None, *everything, "fooling", cells]
    below = Side(lower, _by(cells, len(matrix.labels)), {"kind": "refutation", "nodes": [node]} if lower else None)
    return Bracket("deterministic", below, UNKNOWN if upper is None else Side(upper, TRIVIAL), parameters)


def trivial_bits(question: Question) -> Known:
    if question.relation is None:
        matrix, sets = question.matrix, diagonals(question.matrix)
        return {0: trivial_protocol(matrix, question.answer, question.rounds, question.first, sets)}
    if question.rounds is not None:
        raise InputError("rounds", question.rounds, "None, as the question is about a relation")
    return {0: trivial_relation(question.relation, question.answer, "bits")}


def trivial_leaves(question: Question) -> Known:
    """Leaves: one for each cell of a set, or of a triangle; one party names its input, the other one of the answers."""
    answer = question.answer
    if question.relation is not None:
        return {0: trivial_relation(question.relation, answer, "leaves")}
    matrix, sets = question.matrix, diagonals(question.matrix)
    labels, own = sum(1 for one in sets if one.cells), _all_cells(sets, answer)
    below = Side(len(own), _by(own, labels), {"kind": "fooling-set", "cells": own})
    if answer == "both" and matrix.is_total:
        ranks = sum(int(_triangle(sets, code).value or 0) for code in question.labels)
        witness = {"kind": "leaf-rank", "primes": [2] * labels}
        below = max(below, Side(ranks, _by(range(ranks), labels), witness), key=VALUE)
    replies = (1 if answer == other else max(1, labels) for other in SPEAKERS[::-1])
    uppers = [count * more for count, more in zip(matrix.shape, replies, strict=True)]
    return {0: Bracket("leaves", below, Side(min(uppers), TRIVIAL), {"answer": answer}, "leaves")}


def trivial_coins(question: Question) -> Known:
    """With coins: no more than without; and one bit at least, if two answers occur and neither is always likely."""
    certain, cells = trivial_protocol(question.matrix, "both"), _one_of_each(question.matrix)
    shares = [[*cell, as_text(Fraction(1, len(cells)))] for cell in cells]
    needed = 1 < len(cells) < 17 and Fraction(1, len(cells)) < 1 - question.error
    below = Side(1, certain.below.by, {"kind": "hard-distribution", "bits": 0, "cells": shares})
    parameters = {"answer": "both", "coins": "public", "error": as_text(question.error)}
    return {0: Bracket("randomised", below if needed else Side(0, certain.below.by), certain.above, parameters)}


def trivial_qubits(question: Question) -> Known:
    sides = Side(0, "trivial"), Side(trivial_protocol(question.matrix, "both").upper, TRIVIAL)
    return {0: Bracket("quantum", *sides, {"error": as_text(question.error)}, "qubits")}


def trivial_message(matrix: CommunicationMatrix, measure: str, direction: str, sets: Sets = (), **more: Any) -> Bracket:
    """One message names the input; without coins, the inputs in a fooling set of one answer need one each."""
    party = DIRECTIONS.index(direction)
    count, inputs = matrix.shape[party], max((own.rows_and_columns[party] for own in sets), key=len, default=[])
    classes = {"kind": "message-classes", "classes": list(range(count))}
    distinct = {"kind": "distinct-lines", "lines": inputs}
    lower = bits_for(len(inputs))
    below = Side(lower, _by(inputs), logarithm_of("one-way-messages", distinct if lower else None))
    above = Side(bits_for(count), TRIVIAL, logarithm_of("one-way-messages", classes))
    return Bracket(measure, below, above, {"direction": direction, **more})


def trivial_success(question: Question) -> Known:
    known: Known = {}
    for direction, codes in zip(DIRECTIONS, (question.matrix.codes, question.matrix.codes.T), strict=True):
        (count, width), share = codes.shape, f"1/{len(question.labels)}"
        guesses = [{"weight": share, "messages": [0] * count, "answers": [[code] * width]} for code in question.labels]
        named = [{"weight": "1/1", "messages": list(range(count)), "answers": codes.clip(0).tolist()}]
        for bits in range(bits_for(count) + 1) if question.bits is None else (question.bits,):
            mixed = named if bits >= bits_for(count) and codes.size <= MOST_CELLS else guesses
            below = Side(Fraction(1, len(mixed)), "trivial", {"kind": "message-mixture", "protocols": mixed})
            parameters = {"direction": direction, "bits": bits}
            known[direction, bits] = Bracket("one-way success", below, Side(Fraction(1), "trivial"), parameters, "")
    return known


def trivial_ranks(question: Question) -> Known:
    """At least the rank of a triangle, and at most the rows or the columns that have the answer."""
    matrix, sets = question.matrix, diagonals(question.matrix)
    if not matrix.is_total:
        raise InputError("matrix", matrix, "a total matrix: don't-care cells have no rank")
    known: Known = {}
    for code in question.labels:
        sides = _triangle(sets, code), Side(rows_or_columns(matrix.codes == code), "rows or columns", {"kind": "lines"})
        for field in FIELDS:
            parameters = {"code": code, "label": str(matrix.labels[code]), "field": field}
            known[code, field] = Bracket("rank", *sides, parameters, "")
    numbers = None if matrix.is_boolean else numbers_of(matrix)
    if numbers is not None and max(matrix.shape) <= EXACT_AT_ONCE:
        known["numbers"] = matrix_rank(matrix)
    elif numbers is not None:
        above = Side(rows_or_columns(np.array([bool(number) for number in numbers])[matrix.codes]), "lines")
        known["numbers"] = Bracket("matrix-rank", Side(0, "trivial"), above, {}, "")
    certain = trivial_protocol(matrix, question.answer, sets=sets)
    if not (question.large and certain.exact):  # else the log-rank bound is searched alone
        certain = trivial_protocol(matrix, question.answer)
    return known | {"log-rank": certain, "leaf-rank": certain}


def _triangle(sets: Sets, code: int) -> Side:
    """The rank over any field of a triangle of the answer, or of the other one of two, less 1 (ones have rank 1)."""
    own, less = sets[code] if sets[code].triangular else Diagonal(sets[code].cells[:1]), 0
    other = sets[1 - code] if len(sets) == 2 else own
    if other.triangular and len(other.cells) - 1 > len(own.cells):
        own, less = other, 1
    rows, columns = own.rows_and_columns
    rank, witness = len(rows) - less, {"kind": "pivots", "prime": 2, "rows": rows, "columns": columns}
    return Side(rank, _by(range(rank)), witness if rows else None)


def trivial_fooling(question: Question) -> Known:
    """Of each answer: a set, and at most one cell in each row or column with it. Mixed: no more than all together."""
    matrix, sets = question.matrix, diagonals(question.matrix)
    known: Known = {}
    for code in question.labels:
        own, above = (
            _cells(sets[code]),
            Side(rows_or_columns(matrix.codes == code), "rows or columns", {"kind": "lines"}),
        )
        below = Side(len(own), _by(own), {"kind": "fooling-set", "cells": own})
        known[code] = Bracket("fooling-set", below, above, {"code": code, "answer": question.answer}, "cells")
    own, present = _all_cells(sets, question.answer), sum(1 for own in sets if own.cells)
    below = Side(len(own), _by(own, present), {"kind": "fooling-set", "cells": own})
    above = together(one.above for one in known.values())
    return known | {None: Bracket("fooling-set", below, above, {"code": None, "answer": question.answer}, "cells")}


def trivial_rectangles(measure: str, question: Question) -> Known:
    """At least the cells of a set (of a partition: a triangle's rank), at most the rows or columns with the answer."""
    matrix, sets = question.matrix, diagonals(question.matrix)
    known: Known = {}
    for code, label in enumerate(matrix.labels):
        cells, own = _cells(sets[code]), matrix.codes == code
        below = Side(len(cells), _by(cells), {"kind": "fooling-set", "cells": cells})
        if measure == "partition" and matrix.is_total:
            below = max(below, _triangle(sets, code), key=VALUE)
        listed = [one.as_data() for one in strips(own)] if own.size <= MOST_CELLS else None
        witness = None if listed is None else {"kind": "rectangles", "rectangles": listed}
        above = Side(rows_or_columns(own), "rows or columns", witness)
        known[code] = Bracket(measure, below, above, {"code": code, "label": repr(label)}, "rectangles")
    if measure == "partition":
        known[None] = sum_of(measure, list(known.values()))
    return known


def trivial_discrepancies(question: Question) -> Known:
    if max(question.matrix.shape) > MOST_ROWS:
        raise InputError("matrix", question.matrix, f"at most {MOST_ROWS} rows and columns")
    sides = Side(0, "trivial"), Side(Fraction(1), "trivial")
    return {name: Bracket(name, *sides, {}, "") for name in ("discrepancy", "least-discrepancy")}
