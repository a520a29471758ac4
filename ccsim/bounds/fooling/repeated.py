"""Upper sides of fooling sets by searches that the checker repeats: which of them it can, and their witnesses.

How long a search takes is not known before it is done, but can be estimated: go down its tree by a branch at random,
and count what is seen on the way for all branches that there were (Knuth, Estimating the efficiency of backtrack
programs, 1975). So no time is lost with sizes that are out of reach, nor with larger ones than the least that is not.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from ccsim.bounds.clock import Clock
from ccsim.bounds.fooling.clique import degenerate_order
from ccsim.bounds.fooling.fooling_sets import Cell
from ccsim.bounds.limited import told
from ccsim.certificates.verify import Refused
from ccsim.certificates.verify.claims import Claim
from ccsim.certificates.verify.fooling import CellSearch
from ccsim.certificates.verify.matrices import MOST_WORK, Matrix

PROBES = 1000
STEP = 12e-9  # seconds for a step of the checker, where it has a processor of its own
PARTS = (0.04, 0.2)  # of the time, for sizes that are surely in reach
SET = 80  # steps for a set of cells that goes abreast with others
LONGEST = 3600.0  # seconds where nobody sets a limit; a search ends sooner by itself


def search_witness(table: list[list[int]], graph: list[int], cells: Sequence[Cell], by_rows: bool) -> dict[str, Any]:
    """The witness, but for the size: cells of which one more excludes few others come last, or rows with such cells."""
    if not by_rows:
        return {"kind": "fooling-search", "cells": [list(cells[place]) for place in degenerate_order(graph)]}
    degrees: dict[int, list[int]] = {row: [] for row in range(len(table))}
    for (row, _), neighbours in zip(cells, graph, strict=True):
        degrees[row].append(neighbours.bit_count())
    order = sorted(degrees, key=lambda row: -float(np.mean(degrees[row] or [0])))
    return {"kind": "fooling-rows", "rows": order}


def by_repeated_search(
    table: list[list[int]],
    parameters: dict[str, Any],
    witness: dict[str, Any],
    sizes: range,
    clock: Clock,
    closing: bool = False,
) -> dict[str, Any] | None:
    """The witness that no fooling set is larger than some of these sizes, the least one that the checker can show in
    this time; before it one that takes a part of the time, in case that there is less than it seems.

    Args:
        table: the codes of the matrix.
        parameters: of the claim.
        witness: all of it but for the size.
        sizes: of the least one it is not known whether larger sets exist.
        clock: when to stop.
        closing: whether to do nothing unless the least of these sizes seems in reach.
    """

    def work(tell: Callable[[Any], None]) -> None:
        claim = Claim(Matrix(table), "fooling-set", "upper", parameters)
        search = CellSearch(claim, witness.get("cells") or _cells_by_rows(table, parameters["code"], witness["rows"]))
        reached = sizes.stop
        for most in _in_turn(search, "rows" in witness, sizes, clock.left(LONGEST) / STEP, closing):
            if most < reached:
                with suppress(Refused):
                    tell({**witness, "at_most": claim.on(Matrix(table)).proved({**witness, "at_most": most})})
                    reached = most

    found = None
    with suppress(Refused):
        for found in told(work, clock):
            if found["at_most"] == sizes.start:
                break
    return found


def _in_turn(search: CellSearch, abreast: bool, sizes: range, steps: float, closing: bool) -> list[int]:
    """Which sizes to try: those that take a part of the steps; then, upwards, from the least that takes no more."""
    least = _least_in_reach(search, abreast, sizes, min(steps * (1 - sum(PARTS)), MOST_WORK))
    if closing and least > sizes.start:
        return []
    above = range(least, sizes.stop)
    first = [_least_in_reach(search, abreast, above, steps * part) for part in PARTS]
    return list(dict.fromkeys([*(most for most in first if most in above), *above]))


def _cells_by_rows(table: list[list[int]], code: int, rows: list[int]) -> list[list[int]]:
    return [[row, column] for row in rows for column, own in enumerate(table[row]) if own == code]


def _least_in_reach(search: CellSearch, abreast: bool, sizes: range, work: float) -> int:
    """The least size that seems to take no more than this work; that after the last one if there is none."""
    low, high = sizes.start, sizes.stop
    while low < high:
        middle = (low + high) // 2
        if expected_work(search, middle, abreast) <= work:
            high = middle
        else:
            low = middle + 1
    return low


def expected_work(search: CellSearch, most: int, abreast: bool, seed: int = 0) -> float:
    """About how many steps the checker takes to show that no fooling set has more cells: the mean of probes."""
    rng = random.Random(seed)
    return sum(_probe(search, most, abreast, rng) for _ in range(PROBES)) / PROBES


def _probe(search: CellSearch, more: int, abreast: bool, rng: random.Random) -> int:
    fitting, branches, total, spent = search.every, 1, 0, search.matrix.left
    while more >= 0:
        before = spent[0]
        rest = search.unclassed(fitting, more)
        total += branches * (SET if abreast else before - spent[0])
        spent[0] = before
        if not rest:
            break
        count = rest.bit_count()
        for _ in range(1 + rng.randrange(count)):
            own = rest & -rest
            rest ^= own
            fitting ^= own
        fitting &= ~search.fellows[own.bit_length()]
        more, branches = more - 1, branches * count
    return total
