"""Protocol trees as plain nested data: built from what the search found, measured, drawn.

A tree is either a leaf, ``{"answer": code}``, or a node ``{"speaker": "alice" | "bob", "ones": [inputs],
"zero": tree, "one": tree}``: the speaker sends 1 if its input is in ``ones``. Where only one party must know
the answer, a leaf may carry ``{"answers": [[input, code], ...]}``, one answer per input of that party.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count
from typing import Any

from ccsim.bounds.tree_search.cells import ALICE, BOB, Cells
from ccsim.bounds.tree_search.elementary import direct_speaker, line_weights
from ccsim.bounds.tree_search.node import Task, Turns, after, normal
from ccsim.bounds.tree_search.search import Search

Tree = dict[str, Any]
SPEAKERS = ("alice", "bob")


def depth_of(tree: Tree) -> int:
    """The bits sent on the longest path."""
    if "speaker" not in tree:
        return 0
    return 1 + max(depth_of(tree["zero"]), depth_of(tree["one"]))


def leaves_of(tree: Tree) -> int:
    """How many leaves a tree has."""
    return leaves_of(tree["zero"]) + leaves_of(tree["one"]) if "speaker" in tree else 1


def build_tree(search: Search, rows: int, columns: int, depth: int, turns: Turns | None) -> Tree:
    """A protocol tree of at most this depth for a rectangle that the search has decided positively."""
    cells = search.cells
    (few_rows, few_columns), leaders = cells.reduce_with_leaders(rows, columns)
    if not rows or not columns or cells.is_leaf(few_rows, few_columns):
        return _leaf(cells, rows, columns)
    turns = normal(turns, depth)
    speaker = direct_speaker(cells, few_rows, few_columns, depth, turns)
    if speaker is not None:
        return _name_the_line(cells, (rows, columns), (few_rows, few_columns), leaders, speaker, turns)
    task: Task = (few_rows, few_columns, depth, turns)
    party, side = search.split_of(task)
    ones = sum(1 << line for line, leader in leaders[party].items() if side >> leader & 1)
    later = after(turns, party)
    limit = None if isinstance(later, bool) else later

    def half(mask: int) -> Tree:
        rectangle = (mask, columns) if party == ALICE else (rows, mask)
        return build_tree(search, *rectangle, depth - 1, limit)

    whole = rows if party == ALICE else columns
    return _node(cells, party, ones, half(whole & ~ones), half(ones))


def _node(cells: Cells, party: int, ones: int, zero: Tree, one: Tree) -> Tree:
    return {"speaker": SPEAKERS[party], "ones": list(cells.places(ones)), "zero": zero, "one": one}


def _leaf(cells: Cells, rows: int, columns: int) -> Tree:
    if cells.answer == "both":
        seen = {code for row in cells.places(rows) for code in cells.answers(ALICE, row, columns)}
        return {"answer": min(seen, default=0)}
    party = SPEAKERS.index(cells.answer)
    lines, across = (rows, columns) if party == ALICE else (columns, rows)
    answers = [[line, min(cells.answers(party, line, across), default=0)] for line in cells.places(lines)]
    if len({code for _, code in answers}) <= 1:
        return {"answer": answers[0][1] if answers else 0}
    return {"answers": answers}


def _name_the_line(
    cells: Cells,
    whole: tuple[int, int],
    few: tuple[int, int],
    leaders: tuple[dict[int, int], ...],
    party: int,
    turns: Turns | None,
) -> Tree:
    """The speaker names its line by a code of the right lengths; the other party names the answer on it."""
    weights = line_weights(cells, party, few[party], few[1 - party], turns) or []
    groups = []
    for line, weight in zip(cells.places(few[party]), weights, strict=True):
        followers = sum(1 << other for other, leader in leaders[party].items() if leader == line)
        groups.append((weight, followers))

    def rectangle(lines: int) -> tuple[int, int]:
        return (lines, whole[BOB]) if party == ALICE else (whole[ALICE], lines)

    def reply(lines: int) -> Tree:
        return _name_the_answer(cells, rectangle(lines), 1 - party)

    return _huffman(cells, party, groups, reply)


def _name_the_answer(cells: Cells, rectangle: tuple[int, int], party: int) -> Tree:
    if cells.is_leaf(*rectangle):
        return _leaf(cells, *rectangle)
    own, across = rectangle[party], rectangle[1 - party]
    sets: dict[int, int] = {}
    if across & (across - 1):
        for line in cells.places(own):
            code = min(cells.answers(party, line, across), default=-1)
            sets[code] = sets.get(code, 0) | 1 << line
        free = sets.pop(-1, 0)
    else:  # the whole line at once
        place = across.bit_length() - 1
        shown = {code: block[place] & own for code, block in enumerate(cells.axes[1 - party].blocks)}
        sets = {code: shown[code] for code in sorted(shown, key=lambda code: shown[code] & -shown[code]) if shown[code]}
        free = own & ~sum(sets.values())
    sets[next(iter(sets))] |= free

    def finish(lines: int) -> Tree:
        return _leaf(cells, *((lines, across) if party == ALICE else (across, lines)))

    return _huffman(cells, party, [(1, lines) for lines in sets.values()], finish)


def _huffman(cells: Cells, party: int, groups: list[tuple[int, int]], leaf: Callable[[int], Tree]) -> Tree:
    """Join the two lightest again and again: powers of two, of which a pair takes twice the heavier."""
    ticket = count()
    heap = [(weight, next(ticket), lines, leaf(lines)) for weight, lines in groups]
    heapq.heapify(heap)
    while len(heap) > 1:
        _, _, ones, one = heapq.heappop(heap)
        weight, _, zeros, zero = heapq.heappop(heap)
        heapq.heappush(heap, (2 * weight, next(ticket), ones | zeros, _node(cells, party, ones, zero, one)))
    return heap[0][3]
