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
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.rank.over_fields import pack_rows
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE, CommunicationMatrix
from ccsim.problems.subject import Subject, matrix_of

Array = npt.NDArray[Any]
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


def exclusion(matrix: CommunicationMatrix, cells: Sequence[Cell], answer: str) -> Array:
    """Which of some cells exclude which."""
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
    together = ~exclusion(matrix, cells, answer)
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
    return cells, pack_rows(exclusion(matrix, cells, answer)) if cells else []


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
    return sorted(cells[vertex] for vertex in local_search(graph, random.Random(seed), steps))


def local_search(graph: list[int], rng: random.Random, steps: int) -> list[int]:
    """A large clique of a graph, told by the masks of all neighbours, by adding and swapping so often."""
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
