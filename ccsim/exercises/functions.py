"""Exercises about functions: rectangles, fooling sets, and exact costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ccsim.bounds import deterministic, first_clash, leaf_rank, one_way
from ccsim.exercises.reply import Reply, asked
from ccsim.exercises.values import check_number
from ccsim.matrices import CommunicationMatrix
from ccsim.plain_data import counted
from ccsim.problems import TwoPartyFunction


@asked
def check_rectangle(
    function: TwoPartyFunction, rows: Iterable[Any], columns: Iterable[Any], answer: Any, at_least: int = 1
) -> Reply:
    """Whether rows times columns, as inputs of Alice and Bob, have one answer, in at least so many different cells.

    >>> from ccsim.problems import disjointness
    >>> check_rectangle(disjointness(2), ["00", "01"], ["00", "11"], 1)
    not yet: the cell (01, 11) has the answer 0
    """
    chosen = [
        list(dict.fromkeys(_places(part, values)))  # a line that is named twice is one line
        for part, values in zip(function.inputs, (rows, columns), strict=True)
    ]
    cells = len(chosen[0]) * len(chosen[1])
    for row in chosen[0]:
        for column in chosen[1]:
            found = function.matrix[row, column]
            if found != answer:
                return Reply(False, f"the cell {_cell(function, (row, column))} has the answer {found}")
    if cells < at_least:
        return Reply(
            False, f"it has the answer {answer} only, but in {counted(cells, 'cell')}: {at_least} are possible"
        )
    return Reply(True, f"{counted(cells, 'cell')}, all of them {answer}")


@asked
def check_fooling_set(function: TwoPartyFunction, pairs: Iterable[Any], size: int = 1) -> Reply:
    """Whether pairs of inputs are a fooling set of at least so many cells; answers may be mixed.

    >>> from ccsim.problems import equality
    >>> check_fooling_set(equality(2), [("00", "00"), ("01", "00"), ("10", "11")])
    not yet: (01, 00) and (10, 11) can share a leaf: all four corners have the answer 0
    """
    listed = list(pairs)
    for pair in listed:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            return Reply(False, f"{pair!r} is not a pair (x, y)")
    cells = [(_places(function.alice, [x])[0], _places(function.bob, [y])[0]) for x, y in listed]
    if len(set(cells)) < len(cells):
        return Reply(False, "a pair appears twice")
    clash = first_clash(function.matrix, cells)
    if clash is not None:
        names = " and ".join(_cell(function, cell) for cell in clash)
        answer = function.matrix[clash[0]]
        return Reply(False, f"{names} can share a leaf: all four corners have the answer {answer}")
    if len(cells) < size:
        return Reply(False, f"a fooling set, but of {counted(len(cells), 'cell')}: there is one of {size}")
    least = counted((len(cells) - 1).bit_length(), "bit")
    return Reply(True, f"no leaf holds two of these {counted(len(cells), 'cell')}, so at least {least}")


@asked
def check_deterministic(given: Any, function: TwoPartyFunction | CommunicationMatrix, seconds: float = 20.0) -> Reply:
    """Whether D(f), with both knowing the answer, is so many bits; the exact search decides.

    >>> from ccsim.problems import equality
    >>> check_deterministic(2, equality(2)), check_deterministic(3, equality(2))
    (not yet: 2 bits would be too few: there is a refutation, right: 3 bits)
    """
    found = deterministic(function, seconds=seconds)
    if isinstance(given, bool) or not isinstance(given, int | np.integer):
        return Reply(False, f"{given!r} is not a number of bits")
    if given < found.lower:
        return Reply(False, f"{counted(int(given), 'bit')} would be too few: there is a refutation")
    if found.upper is not None and given > found.upper:
        return Reply(False, f"{counted(int(given), 'bit')} would be more than needed: there is a better protocol")
    if not found.exact:
        return Reply(None, "the search ran out of time; ask about a smaller function")
    return Reply(True, counted(int(given), "bit"))


@asked
def check_gap(rows: Sequence[Sequence[int]]) -> Reply:
    """Whether a 0/1 matrix costs more bits than its ranks say: D above the leaf-rank bound.

    >>> check_gap([[0, 1], [1, 0]])
    not yet: the ranks say 2 bits, and 2 suffice
    """
    matrix = CommunicationMatrix.from_array(rows)
    if not matrix.is_boolean:
        return Reply(False, "the cells must be 0 and 1")
    ranks, found = leaf_rank(matrix).bits, deterministic(matrix, seconds=20.0)
    if found.lower > ranks:
        return Reply(True, f"the ranks say {counted(ranks, 'bit')}, and {found.lower} are needed")
    return Reply(False, f"the ranks say {counted(ranks, 'bit')}, and {found.upper} suffice")


@asked
def check_one_way(given: int, function: TwoPartyFunction, direction: str = "alice-to-bob") -> Reply:
    """Whether one message takes so many bits: the logarithm of how many rows (columns) are different, rounded up.

    >>> from ccsim.problems import index
    >>> check_one_way(3, index(3)), check_one_way(3, index(3), "bob-to-alice")
    (right: 3 bits, not yet: 3 is too large)
    """
    return check_number(given, lambda: one_way(function.matrix, direction).lower, "bits")


def _places(part: Any, values: Iterable[Any]) -> list[int]:
    return [part.index(part.parse(value) if isinstance(value, str) else value) for value in values]


def _cell(function: TwoPartyFunction, cell: tuple[int, int]) -> str:
    x, y = (part.value(place) for part, place in zip(function.inputs, cell, strict=True))
    return f"({_text(x)}, {_text(y)})"


def _text(value: Any) -> str:
    return "".join(map(str, value)) if isinstance(value, tuple) else str(value)
