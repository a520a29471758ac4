"""Fooling sets: cells of which no leaf of a protocol can contain two, so that each needs a leaf of its own.

For one answer v: cells (x, y) with f(x, y) = v such that for every two of them f(x, y') or f(x', y) is
another answer. *Mixed* sets may use several answers: cells of different answers share no leaf anyway. A
fooling set of s cells proves D >= log2 s (Kushilevitz and Nisan, Communication Complexity, section 1.3). If
only Alice must know the answer, two cells exclude each other iff f(x, y') differs from f(x, y) or f(x', y)
from f(x', y'). A don't-care cell never differs from anything. A maximum fooling set is a maximum clique of
the graph "no leaf contains both".
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.clock import Clock
from ccsim.bounds.fooling.clique import OutOfTimeError, degenerate_order, maximum_clique, permuted
from ccsim.bounds.fooling.orbits import largest_by_orbits
from ccsim.bounds.fooling.theta import MOST_CELLS as MOST_VECTORS
from ccsim.bounds.fooling.theta import by_vectors
from ccsim.bounds.rank.over_fields import label_rank, pack_rows
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE, CommunicationMatrix
from ccsim.problems.subject import Subject, matrix_of

__all__ = ["FoolingBracket", "exclusion_graph", "first_clash", "grow_fooling_set", "maximum_fooling_set"]

Array = npt.NDArray[Any]
ORBITS = 20.0  # seconds for a search by symmetries where nobody sets a limit
LOOK = 2.0  # seconds of a search, before vectors are tried
FEWEST = 32  # cells that are taken whatever the time
MOST_VERTICES = 4096  # of the exclusion graph; beyond, a set is grown without it
Cell = tuple[int, int]


def _apart(own: Array, along: Array, back: Array, answer: str) -> Array:
    """Whether no leaf contains both cells, given f(x, y), f(x, y') and their mirror images."""
    other = own.T
    foreign: Array = (along != DONT_CARE) & (along != own)
    mirrored: Array = (back != DONT_CARE) & (back != other)
    if answer == "alice":
        return np.asarray(foreign | mirrored)
    against: Array = (back != DONT_CARE) & (back != own)
    if answer == "bob":
        return np.asarray(against | against.T)
    return np.asarray((own != other) | foreign | against)


def _exclusion(matrix: CommunicationMatrix, cells: Sequence[Cell], answer: str) -> Array:
    codes = matrix.codes
    rows = np.array([row for row, _ in cells], dtype=np.int64)
    columns = np.array([column for _, column in cells], dtype=np.int64)
    along = codes[rows[:, None], columns[None, :]]  # f(x, y')
    own = np.broadcast_to(codes[rows, columns][:, None], along.shape)
    apart = _apart(own, along, along.T, answer)
    np.fill_diagonal(apart, False)
    return apart


def first_clash(matrix: Subject, cells: Sequence[Cell], answer: str = "both") -> tuple[Cell, Cell] | None:
    """Two of the cells that one leaf may contain, or None: then they are a (mixed) fooling set.

    Args:
        matrix: the function.
        cells: (row, column) pairs, none of them a don't-care cell.
        answer: who knows the answer: ``"both"``, ``"alice"`` or ``"bob"``.

    Raises:
        InputError: for a cell off the matrix or off the promise.

    >>> identity = CommunicationMatrix.from_array([[1, 0], [0, 1]])
    >>> first_clash(identity, [(0, 0), (1, 1), (0, 1)])
    >>> first_clash(CommunicationMatrix.from_array([[1, 1]]), [(0, 0), (0, 1)])
    ((0, 0), (0, 1))
    """
    matrix = matrix_of(matrix)
    for row, column in cells:
        if not (0 <= row < matrix.shape[0] and 0 <= column < matrix.shape[1]):
            raise InputError("cells", (row, column), f"a cell of a {matrix.shape} matrix")
        if matrix[row, column] is None:
            raise InputError("cells", (row, column), "a cell within the promise")
    if not cells:
        return None
    together = ~_exclusion(matrix, cells, answer)
    np.fill_diagonal(together, False)
    if not together.any():
        return None
    first, second = np.argwhere(together)[0].tolist()
    return cells[first], cells[second]


def exclusion_graph(
    matrix: CommunicationMatrix, code: int | None = None, answer: str = "both"
) -> tuple[list[Cell], list[int]]:
    """The cells of one answer code (or all cells) and, as masks over them, which exclude which."""
    codes = matrix.codes
    chosen = codes != DONT_CARE if code is None else codes == code
    cells = [(row, column) for row, column in np.argwhere(chosen).tolist()]
    return cells, pack_rows(_exclusion(matrix, cells, answer)) if cells else []


def grow_fooling_set(
    matrix: Subject,
    code: int | None = None,
    *,
    answer: str = "both",
    seed: int = 0,
    steps: int = 400,
) -> list[Cell]:
    """A large fooling set by local search: add a cell while one fits, else swap one in, never back at once.

    Args:
        matrix: the function.
        code: the answer code of all its cells, or None for a mixed set.
        answer: who knows the answer.
        seed: the same seed, the same set.
        steps: how many cells are added or swapped.

    >>> len(grow_fooling_set(CommunicationMatrix.from_array(np.eye(8, dtype=int)), 1))
    8
    """
    matrix = matrix_of(matrix)
    cells, graph = exclusion_graph(matrix, code, answer)
    return sorted(cells[vertex] for vertex in _local_search(graph, random.Random(seed), steps))


def _local_search(graph: list[int], rng: random.Random, steps: int) -> list[int]:
    everything = (1 << len(graph)) - 1
    clique, best, tabu = 0, 0, 0
    fits, one_short = everything, 0
    for _ in range(steps if graph else 0):
        choice = fits & ~tabu or fits
        if choice:
            vertex = _promising(graph, choice, fits, rng)
        elif one_short & ~tabu:
            vertex = _some(one_short & ~tabu, rng)
            tabu |= clique & ~graph[vertex]
        else:
            clique, tabu = 1 << rng.randrange(len(graph)), 0
            vertex = clique.bit_length() - 1
        clique = clique & graph[vertex] | 1 << vertex
        fits, one_short = _candidates(graph, clique, everything)
        if clique.bit_count() > best.bit_count():
            best, tabu = clique, 0
    return [vertex for vertex in range(len(graph)) if best >> vertex & 1]


def _candidates(graph: list[int], clique: int, everything: int) -> tuple[int, int]:
    """The vertices adjacent to all of the clique, and those adjacent to all but one."""
    fits, one_short, rest = everything & ~clique, 0, clique
    while rest:
        low = rest & -rest
        rest ^= low
        neighbours = graph[low.bit_length() - 1]
        one_short = one_short & neighbours | fits & ~neighbours
        fits &= neighbours
    return fits, one_short & ~clique


def _some(mask: int, rng: random.Random) -> int:
    for _ in range(rng.randrange(min(mask.bit_count(), 16))):
        mask &= mask - 1
    return (mask & -mask).bit_length() - 1


def _promising(graph: list[int], choice: int, fits: int, rng: random.Random) -> int:
    tried = [_some(choice, rng) for _ in range(4)]
    return max(tried, key=lambda vertex: (graph[vertex] & fits).bit_count())


@dataclass(frozen=True)
class FoolingBracket:
    """The size of a largest fooling set, between a set that was checked and an upper bound that is proved.

    Attributes:
        cells: the set; its size is the lower bound.
        upper: no fooling set of the kind is larger.
        upper_by: what proves that: ``"search"``, ``"symmetries"``, ``"vectors"``, ``"rank squared modulo p"``,
            ``"rows"``, ``"columns"``, ``"cells"``; several for a mixed set.
        code: the answer code, or None for mixed sets.
        answer: who knows the answer.
        symmetries: by which a search proves it, if it does.
        vectors: for each cell one, if they prove it.
    """

    cells: tuple[Cell, ...]
    upper: int
    upper_by: str
    code: int | None
    answer: str
    symmetries: Any = None
    vectors: list[list[int]] | None = None

    @property
    def lower(self) -> int:
        """The size of the set."""
        return len(self.cells)

    @property
    def exact(self) -> bool:
        """Whether the set is known to be a largest one."""
        return self.lower == self.upper


def maximum_fooling_set(
    matrix: Subject,
    code: int | None = None,
    *,
    answer: str = "both",
    time_limit: float | None = None,
    seed: int = 0,
) -> FoolingBracket:
    """A largest fooling set, proved so by branch and bound, or a bracket if the time runs out.

    Args:
        matrix: the function.
        code: the answer code of its cells, or None for mixed sets.
        answer: who knows the answer.
        time_limit: seconds.
        seed: of the local search that comes first.

    >>> found = maximum_fooling_set(CommunicationMatrix.from_array([[1, 0], [1, 1]]))
    >>> found.lower, found.upper, found.exact
    (3, 3, True)
    """
    matrix = matrix_of(matrix)
    if code is None and answer == "both":
        return _union(matrix, time_limit, seed)
    deadline = None if time_limit is None else time.monotonic() + time_limit
    codes = matrix.codes
    if np.count_nonzero(codes != DONT_CARE if code is None else codes == code) > MOST_VERTICES:
        return _without_graph(matrix, code, answer, deadline)
    cells, graph = exclusion_graph(matrix, code, answer)
    best, symmetries = _local_search(graph, random.Random(seed), 300), None
    upper, reason = _cheap_upper(matrix, code, answer)
    if len(best) < upper and (deadline is None or time.monotonic() < deadline):
        best, symmetries = _by_orbits(matrix, cells, graph, best, deadline)
    if symmetries is not None:
        upper, reason = len(best), "symmetries"
    vectors, look = None, LOOK if deadline is None else min(LOOK, (deadline - time.monotonic()) / 8)
    for end in (time.monotonic() + look, deadline):
        if len(best) < upper and (deadline is None or time.monotonic() < deadline):
            best, proved = _by_branching(graph, best, end, upper)
            upper, reason = (proved, "search") if proved < upper else (upper, reason)
        if len(best) < upper and end != deadline and len(cells) <= MOST_VECTORS:
            proved, found = by_vectors(_exclusion(matrix, cells, answer), Clock(deadline), len(best))
            upper, reason, vectors = (proved, "vectors", found) if proved < upper else (upper, reason, None)
    chosen = tuple(sorted(cells[vertex] for vertex in best))
    clash = first_clash(matrix, chosen, answer)
    if clash is not None:
        raise AssertionError(f"{clash} are in one leaf")
    return FoolingBracket(chosen, upper, reason, code, answer, symmetries, vectors)


def _by_branching(graph: list[int], best: list[int], end: float | None, upper: int) -> tuple[list[int], int]:
    """A clique as large as is found until some time, and what no clique is larger than."""
    try:
        return maximum_clique(graph, best, end, upper)
    except OutOfTimeError as stopped:
        return stopped.args[0], stopped.args[1]


def _by_orbits(
    matrix: CommunicationMatrix, cells: list[Cell], graph: list[int], best: list[int], deadline: float | None
) -> tuple[list[int], Any]:
    """A largest clique by the symmetries of the matrix, for half of the time; and the symmetries, if they prove it."""
    now = time.monotonic()
    order = degenerate_order(graph)
    place = {vertex: number for number, vertex in enumerate(order)}
    found, symmetries = largest_by_orbits(
        matrix.codes.tolist(),
        [cells[vertex] for vertex in order],
        [permuted(graph[vertex], place) for vertex in order],
        [place[vertex] for vertex in best],
        now + (ORBITS if deadline is None else (deadline - now) / 2),
    )
    return sorted(order[vertex] for vertex in found), symmetries


def _without_graph(
    matrix: CommunicationMatrix, code: int | None, answer: str, deadline: float | None
) -> FoolingBracket:
    """Too many cells for a graph: again and again the cell whose lines agree with it least, of those that fit."""
    codes = matrix.codes
    free = (codes != DONT_CARE) if code is None else (codes == code)
    like = codes == DONT_CARE if code is None else (codes == code) | (codes == DONT_CARE)
    agreeing = np.multiply.outer(like.sum(axis=1), like.sum(axis=0))
    order = np.argsort(agreeing[free], kind="stable")
    cells = np.argwhere(free)[order]
    chosen: list[Cell] = []
    while len(cells):
        if deadline is not None and len(chosen) >= FEWEST and time.monotonic() > deadline:
            break
        row, column = cells[0].tolist()
        chosen.append((row, column))
        if code is not None and answer == "both":
            free[np.ix_(like[:, column], like[row])] = False
        else:
            free &= _excluded(codes, row, column, answer)
        cells = cells[_first_free(free, cells) :]
    upper, reason = _cheap_upper(matrix, code, answer)
    found = tuple(sorted(chosen))
    return FoolingBracket(found, upper, reason, code, answer)


def _first_free(free: Array, cells: Array, some: int = 4096) -> int:
    """The place of the first cell that is free, or how many cells there are."""
    for start in range(0, len(cells), some):
        left = free[tuple(cells[start : start + some].T)]
        if left.any():
            return start + int(left.argmax())
    return len(cells)


def _excluded(codes: Array, row: int, column: int, answer: str) -> Array:
    """Which cells cannot share a leaf with this one (see :func:`_exclusion`)."""
    mine, along, across = codes[row, column], codes[row][None, :], codes[:, column][:, None]

    def differs(cells: Array, code: Array) -> Array:
        return np.asarray((cells != DONT_CARE) & (cells != code))

    if answer == "alice":
        return np.asarray(differs(along, mine) | differs(across, codes))
    if answer == "bob":
        return np.asarray(differs(across, mine) | differs(along, codes))
    return np.asarray((codes != mine) | differs(along, mine) | differs(across, mine))


def _union(matrix: CommunicationMatrix, time_limit: float | None, seed: int) -> FoolingBracket:
    """Cells of different answers exclude each other: a largest mixed set is a union of largest ones."""
    share = None if time_limit is None else time_limit / max(len(matrix.labels), 1)
    parts = [maximum_fooling_set(matrix, code, time_limit=share, seed=seed) for code in range(len(matrix.labels))]
    cells = tuple(sorted(cell for part in parts for cell in part.cells))
    reasons = dict.fromkeys(part.upper_by for part in parts)
    return FoolingBracket(cells, sum(part.upper for part in parts), " and ".join(reasons), None, "both")


def _cheap_upper(matrix: CommunicationMatrix, code: int | None, answer: str) -> tuple[int, str]:
    """Bounds without search. For one answer: two cells of a row never exclude each other; and with A the
    indicator matrix on the chosen rows and columns, A o A^T is diagonal of full rank, and of rank at most
    rank(A)^2 over any field (Dietzfelbinger, Hromkovic, Schnitger 1996)."""
    chosen = matrix.codes != DONT_CARE if code is None else matrix.codes == code
    bounds = [(int(chosen.sum()), "cells")]
    if code is not None:
        bounds.append((int(chosen.any(axis=1).sum()), "rows"))
        bounds.append((int(chosen.any(axis=0).sum()), "columns"))
        if matrix.is_total and answer == "both":
            for prime in (2, 3):  # no rank over the rationals is smaller
                bounds.append((label_rank(matrix, code, prime) ** 2, f"rank squared modulo {prime}"))
    return min(bounds, key=lambda bound: bound[0])
