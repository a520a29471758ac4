"""Relations: the least leaves and bits of protocols that find an answer; of formulas, for Karchmer-Wigderson games."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import Bracket, Witness
from ccsim.bounds.clock import Clock
from ccsim.bounds.leaves.game import Game, followed, relation_game
from ccsim.bounds.leaves.program import Program
from ccsim.bounds.leaves.search import Search
from ccsim.bounds.leaves.sides import Sides, all_rectangles, everything_checked, settle
from ccsim.bounds.tree_search.cells import ALICE, BOB
from ccsim.relations import Relation

Cell = tuple[int, int]
Cells = npt.NDArray[np.bool_]


def parameters_of(answer: str, counted: str) -> dict[str, object]:
    """What a claim about a relation says beside it."""
    return {"answer": answer} if counted == "leaves" else {"answer": answer, "rounds": None, "first": None}


def trivial_relation(relation: Relation, answer: str, counted: str) -> Bracket:
    """One party names its line, and the other one an answer."""
    lines, answers = min(relation.shape), len(relation.labels)
    upper = lines * answers if counted == "leaves" else (lines - 1).bit_length() + (answers - 1).bit_length()
    measure = "leaves" if counted == "leaves" else "deterministic"
    sides = (int(counted == "leaves"), upper, "trivial | naming a line")
    return Bracket(measure, *sides, parameters=parameters_of(answer, counted), unit=counted)


def stages_of_relation(relation: Relation, answer: str, counted: str, clock: Clock) -> Iterator[Bracket]:
    """The bracket of a relation's leaves or bits, whenever more is known."""
    game = relation_game(relation, answer)
    sides = Sides(counted, parameters_of(answer, counted))
    search = Search(game, counted, 1, Clock())
    search.value(*game.everything)
    sides.at_most(search.tree(*game.everything))
    few, _ = game.reduced(*game.everything)
    yield sides.bracket()
    cells, value = khrapchenko(relation) if answer == "both" else ([], 0)
    if cells:
        witness: Witness = {"kind": "khrapchenko", "cells": [list(cell) for cell in cells]}
        if counted == "bits":
            value = (value - 1).bit_length()
            witness = {"kind": "bits-of", "measure": "leaves", "given": {}, "of": witness}
        sides.at_least(value, "Khrapchenko", witness)
        yield sides.bracket()
        if not everything_checked(game, *few, counted):
            _part(game, sides, cells)
            yield sides.bracket()
    if not sides.settled and not everything_checked(game, *few, counted):
        _fewer_answers(relation, answer, sides)
        yield sides.bracket()
    if not sides.settled:
        for _ in settle(game, sides, clock):
            yield sides.bracket()


def _part(game: Game, sides: Sides, cells: list[Cell]) -> None:
    """All rectangles in the lines of some cells, where these are not too many."""
    masks = [sum(1 << line for line in {cell[party] for cell in cells}) for party in (ALICE, BOB)]
    few, _ = game.reduced(masks[0], masks[1])
    if everything_checked(game, *few, sides.counted):
        value = Program(game, *few, sides.counted).value
        sides.at_least(value, "all rectangles of a part", all_rectangles(*few))


def _fewer_answers(relation: Relation, answer: str, sides: Sides) -> None:
    """A protocol that gives an answer only in the largest of the connected parts in which it is right, if all
    rectangles can be gone through then: for a monotone function, the monotone game."""
    kept = np.zeros_like(relation.allowed)
    for code in range(len(relation.labels)):
        kept |= _largest_part(relation.right(code)).astype(np.int64) << code
    if not kept.all():
        return
    game = relation_game(Relation(kept, relation.labels), answer)
    few, leaders = game.reduced(*game.everything)
    if everything_checked(game, *few, sides.counted):
        tree = Program(game, *few, sides.counted).tree()
        sides.at_most(followed(tree, leaders, game, *game.everything))


def _largest_part(cells: Cells) -> Cells:
    """The cells of the largest part, of those that are connected along rows and columns."""
    left, best = cells.copy(), np.zeros_like(cells)
    while left.any():
        rows = np.zeros(len(cells), dtype=bool)
        rows[np.argwhere(left)[0, 0]] = True
        while True:
            more = left[:, left[rows].any(axis=0)].any(axis=1) | rows
            if (more == rows).all():
                break
            rows = more
        part = left & rows[:, None]
        left &= ~rows[:, None]
        best = part if part.sum() > best.sum() else best
    return best


def khrapchenko(relation: Relation) -> tuple[list[Cell], int]:
    """Cells that prove many leaves, and how many: no answer is right on two of them in a line.

    They have one right answer each. Lines with the fewest of them are dropped as long as any are left, and the best
    that was met is kept.

    >>> khrapchenko(Relation([[2, 1], [1, 2]], (1, 2)))[1]
    4
    """
    taken: set[tuple[int, int, int]] = set()
    marked = np.zeros(relation.shape, dtype=np.int64)
    for row, column in np.argwhere((relation.allowed & (relation.allowed - 1)) == 0).tolist():
        mask = int(relation.allowed[row, column])
        places = {(ALICE, row, mask), (BOB, column, mask)}
        if not places & taken:
            taken |= places
            marked[row, column] = 1
    best: tuple[int, list[Cell]] = (1, [])
    rows, columns = np.flatnonzero(marked.any(axis=1)), np.flatnonzero(marked.any(axis=0))
    while len(rows) and len(columns):
        part = marked[np.ix_(rows, columns)]
        count = int(part.sum())
        value = -(-(count**2) // (len(rows) * len(columns)))
        if value > best[0]:
            best = (value, [(int(rows[i]), int(columns[j])) for i, j in np.argwhere(part)])
        by_row, by_column = part.sum(axis=1), part.sum(axis=0)
        if by_row.min() / len(columns) <= by_column.min() / len(rows):
            rows = np.delete(rows, by_row.argmin())
        else:
            columns = np.delete(columns, by_column.argmin())
    return best[1], best[0]
