"""The proof that no protocol of some depth exists, as a directed acyclic graph of small refuted rectangles.

A proof is plain data::

    {"answer": "both", "depth": d, "rounds": None | k, "first": None | "alice" | "bob",
     "nodes": [[depth, limit, rows, columns, reason, ...], ...]}

``rows`` and ``columns`` are masks as hexadecimal text (bit i is line i); ``limit`` is None or [rounds that
may still begin, who spoke last (0 Alice, 1 Bob, -1 nobody)]. A node says: the rectangle has no protocol of
its depth within its limit. Its reason is one of

* ``"rank", [p, ...]``: the leaf-rank bound over GF(p), one field per answer code, exceeds 2^depth;
* ``"fooling", [[row, column], ...]``: more than 2^depth cells of which no leaf contains two;
* ``"three"``: depth 3, total and Boolean, both know: the closed form of
  :func:`~ccsim.bounds.tree_search.elementary.three_bits_suffice`;
* ``"four"``: depth 4, likewise, by going through all splits, whose halves the closed form settles;
* ``"splits", [fields, [node, ...], cores], [the same]``: for the rows and for the columns, earlier nodes of
  depth one less (or more) inside this rectangle, such that every split of the lines in two puts all lines of
  one of these nodes on one side, or (if fields are given, of 2 and 3) makes the leaf-rank bound of one side
  exceed 2^(depth-1) over one of the fields. At depth 4 there may also be cores that the closed form refutes,
  too many to be nodes: text of the form ``"rows:columns rows:columns ..."``. A party that may not speak needs
  none of all this.

The last node is the whole claim.
"""

from __future__ import annotations

from typing import Any

from ccsim.bounds.tree_search.cells import ALICE, BOB, Cells, bits_of
from ccsim.bounds.tree_search.elementary import leaf_reason, three_bits_suffice
from ccsim.bounds.tree_search.node import Rectangle, Turns, after, normal
from ccsim.bounds.tree_search.search import FOUR, Search

SPELLED = 40  # up to so many rectangles of four bits are refuted by a list of cores, which the proved checker reads


def refute(search: Search, depth: int, turns: Turns | None) -> list[list[Any]]:
    """The nodes of a proof that the whole matrix has no protocol of this depth, once the search says so."""
    nodes = _Writer(search, False).write(search.cells.everything, depth, turns)
    if 0 < sum(node[4] == "four" for node in nodes) <= SPELLED:
        return _Writer(search, True).write(search.cells.everything, depth, turns)
    return nodes


class _Writer:
    """Args: ``spelled``: whether the cores of rectangles of four bits are listed."""

    def __init__(self, search: Search, spelled: bool) -> None:
        self.search, self.cells, self.spelled = search, search.cells, spelled
        self.nodes: list[list[Any]] = []
        self._number: dict[tuple[int, int, int, Turns | None], int] = {}

    def write(self, rectangle: Rectangle, depth: int, turns: Turns | None) -> list[list[Any]]:
        self.prove(*rectangle, depth, turns)
        return self.nodes

    def prove(self, rows: int, columns: int, depth: int, turns: Turns | None) -> int:
        turns = normal(turns, depth)
        key = (rows, columns, depth, turns)
        if key in self._number:
            return self._number[key]
        reason = self._elementary(rows, columns, depth, turns)
        if reason is None:
            rows, columns = self.cells.reduce(rows, columns)
            core = self.search.hard_core(rows, columns, depth, turns)
            if core is not None and core != (rows, columns):
                number = self._number[key] = self.prove(*core, depth, turns)
                return number
            reason = self._splits(rows, columns, depth, turns)
        self._number[key] = len(self.nodes)
        limit = None if turns is None else [turns.left, turns.last]
        self.nodes.append([depth, limit, format(rows, "x"), format(columns, "x"), *reason])
        return self._number[key]

    def _elementary(self, rows: int, columns: int, depth: int, turns: Turns | None) -> list[Any] | None:
        if depth == 0:
            return ["fooling", _two_cells(self.cells, rows, columns)]
        primes = leaf_reason(self.cells, rows, columns, depth)
        if primes is not None:
            return ["rank", list(primes)]
        boolean = self.cells.boolean and depth == 3 and turns is None
        if boolean and not three_bits_suffice(self.cells, rows, columns):
            return ["three"]
        return None

    def _splits(self, rows: int, columns: int, depth: int, turns: Turns | None) -> list[Any]:
        if depth == FOUR and turns is None and self.cells.boolean and not self.spelled:
            return ["four"]
        sides: list[Any] = []
        proof = self.search.refutation_of((rows, columns, depth, turns))
        for party, cores in enumerate(proof):
            later = after(turns, party)
            limit = normal(None if isinstance(later, bool) else later, depth - 1)
            three = self.cells.boolean and depth == 4 and limit is None
            inline = " ".join(f"{core[0]:x}:{core[1]:x}" for core in cores) if three else ""
            named = [] if three else cores
            numbers = sorted({self.prove(*core, depth - 1, limit) for core in named})
            sides.append([[], numbers, inline])
        return ["splits", *sides]


def _two_cells(cells: Cells, rows: int, columns: int) -> list[list[int]]:
    if cells.answer == "both":
        first: dict[int, list[int]] = {}
        for row in cells.places(rows):
            for code, block in enumerate(cells.axes[ALICE].blocks):
                if block[row] & columns:
                    first.setdefault(code, [row, bits_of(block[row] & columns)[0]])
        return list(first.values())[:2]
    party = ALICE if cells.answer == "alice" else BOB
    lines, across = (rows, columns) if party == ALICE else (columns, rows)
    for line in cells.places(lines):
        shown = [block[line] & across for block in cells.axes[party].blocks]
        seen = [bits_of(mask)[0] for mask in shown if mask]
        if len(seen) > 1:
            return [[line, other] if party == ALICE else [other, line] for other in seen[:2]]
    raise AssertionError("a leaf has no two such cells")
