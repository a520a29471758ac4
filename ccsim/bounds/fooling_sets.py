"""Fooling sets: cells of which no leaf of a protocol can contain two, so that each needs a leaf of its own.

Of one answer v: for every two cells f(x, y') or f(x', y) is another answer; *mixed* sets may use several. s cells prove
D >= log2 s (Kushilevitz and Nisan, section 1.3). If only Alice must know the answer, f(x, y') differs from f(x, y) or
f(x', y) from f(x', y'). Many functions
have one on or beside a diagonal, straight or turned; if on one side of it all cells have other answers, its rows and
columns make a triangular matrix, of full rank over any field.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bit_matrix import members
from ccsim.bounds.field_ranks import pack_rows
from ccsim.bounds.rectangles import code_of
from ccsim.errors import Array, InputError
from ccsim.matrices import DONT_CARE, CommunicationMatrix
from ccsim.problems.function import Subject, matrix_of

Cell = tuple[int, int]


def excluding(own: Array, other: Array, along: Array, back: Array, answer: str) -> Array:
    """Whether no leaf contains both cells, given f(x, y), f(x', y'), f(x, y') and f(x', y)."""

    def differ(cells: Array, code: Array) -> Array:
        return np.asarray((cells != DONT_CARE) & (cells != code))

    if answer == "alice":
        return np.asarray(differ(along, own) | differ(back, other))
    if answer == "bob":
        return np.asarray(differ(back, own) | differ(along, other))
    return np.asarray((own != other) | differ(along, own) | differ(back, own))


def exclusion(matrix: CommunicationMatrix, cells: Sequence[Cell], answer: str) -> Array:
    codes = matrix.codes
    rows = np.array([row for row, _ in cells], dtype=np.int64)
    columns = np.array([column for _, column in cells], dtype=np.int64)
    along = codes[rows[:, None], columns[None, :]]  # f(x, y')
    own = np.broadcast_to(codes[rows, columns][:, None], along.shape)
    excluded = excluding(own, own.T, along, along.T, answer)
    np.fill_diagonal(excluded, False)
    return excluded


def first_clash(matrix: Subject, cells: Sequence[Cell], answer: str = "both") -> tuple[Cell, Cell] | None:
    """Two of the cells that one leaf may contain, or None: then they are a (mixed) fooling set.

    Args:
        matrix: the function.
        cells: (row, column) pairs; an :class:`~ccsim.errors.InputError` off the matrix or the promise.
        answer: who knows the answer: ``"both"``, ``"alice"`` or ``"bob"``.

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
    label: Hashable | None = None,
    *,
    answer: str = "both",
    seed: int = 0,
    steps: int = 400,
) -> list[Cell]:
    """A large fooling set by local search: add a cell while one fits, else swap one in, never back at once.

    Args:
        matrix: the function.
        label: the answer in all its cells, or None for a mixed set.
        answer: who knows the answer.
        seed: the same seed, the same set.
        steps: how many cells are added or swapped.

    >>> len(grow_fooling_set(CommunicationMatrix.from_array(np.eye(8, dtype=int)), 1))
    8
    """
    matrix = matrix_of(matrix)
    cells, graph = exclusion_graph(matrix, None if label is None else code_of(matrix, label), answer)
    return sorted(cells[vertex] for vertex in local_search(graph, random.Random(seed), steps))


def local_search(graph: list[int], rng: random.Random, steps: int) -> list[int]:
    """A large clique by so many additions and swaps."""
    everything = (1 << len(graph)) - 1
    clique, best, tabu = 0, 0, 0
    fits, one_short = everything, 0
    for _ in range(steps if graph else 0):
        choice = fits & ~tabu or fits
        if choice:
            tried = [_some(choice, rng) for _ in range(4)]
            vertex = max(tried, key=lambda vertex: (graph[vertex] & fits).bit_count())
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
    return members(best)


def _candidates(graph: list[int], clique: int, everything: int) -> tuple[int, int]:
    fits, one_short = everything & ~clique, 0
    for vertex in members(clique):
        one_short = one_short & graph[vertex] | fits & ~graph[vertex]
        fits &= graph[vertex]
    return fits, one_short & ~clique


def _some(mask: int, rng: random.Random) -> int:
    for _ in range(rng.randrange(min(mask.bit_count(), 16))):
        mask &= mask - 1
    return (mask & -mask).bit_length() - 1


BLOCK = 64  # rows that are checked together; the first few refute most diagonals

Places = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Diagonal:
    """A fooling set of one answer along a diagonal; triangular if on one side of it all cells have other answers."""

    cells: tuple[Cell, ...] = ()
    triangular: bool = False

    @property
    def rows_and_columns(self) -> tuple[list[int], list[int]]:
        return [row for row, _ in self.cells], [column for _, column in self.cells]


@lru_cache(maxsize=16)
def diagonals(matrix: CommunicationMatrix) -> tuple[Diagonal, ...]:
    """For each answer the largest fooling set along a diagonal; empty if the answer does not occur."""
    codes = matrix.codes
    return tuple(_largest(codes, code) for code in range(len(matrix.labels)))


def _largest(codes: npt.NDArray[np.int8], code: int) -> Diagonal:
    best = Diagonal()
    for rows, columns in _diagonals(*codes.shape):
        own = codes[rows, columns] == code
        if own.sum() <= len(best.cells):
            continue
        rows, columns = rows[own], columns[own]
        sides = _sides(codes, code, rows, columns)
        if sides is not None:
            best = Diagonal(tuple(zip(rows.tolist(), columns.tolist(), strict=True)), not all(sides))
    if best.cells:
        return best
    cell = divmod(int(np.argmax(codes == code)), codes.shape[1])
    return Diagonal((cell,), True) if codes[cell] == code else Diagonal()


def _diagonals(height: int, width: int) -> Iterator[tuple[Places, Places]]:
    """The rows and columns of diagonals: longest first, then of the places that are powers of 2."""
    size = min(height, width)
    straight, powers = np.arange(size), 1 << np.arange(max(0, (size - 1).bit_length()))
    for places in (straight, powers[powers < size]):
        yield places, places
        yield places, width - 1 - places
    for shift in (straight[:-1], straight[1:]), (straight[1:], straight[:-1]):
        yield shift
        yield shift[0], width - 1 - shift[1]


def _sides(codes: npt.NDArray[np.int8], code: int, rows: Places, columns: Places) -> tuple[bool, bool] | None:
    """Whether cells right of a diagonal, and left of it, may share a leaf with it; None if it is no fooling set."""
    right = left = False
    for start in range(0, len(rows), BLOCK):
        block = slice(start, start + BLOCK)
        along, back = codes[np.ix_(rows[block], columns)], codes[np.ix_(rows, columns[block])].T
        along, back = ((part == code) | (part == DONT_CARE) for part in (along, back))
        if np.count_nonzero(along & back) > len(along):  # the diagonal itself, and more
            return None
        after = np.arange(len(rows)) > np.arange(start, start + len(along))[:, None]
        right, left = right or bool((along & after).any()), left or bool((back & after).any())
    return right, left
