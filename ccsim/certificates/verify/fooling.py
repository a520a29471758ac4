"""Fooling sets: fooling-set, fooling-search, fooling-orbits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .claims import Claim, proves
from .data import MOST_CELLS, integer, items, mask_of, need
from .matrices import Matrix


def sharing(matrix: Matrix, answer: str, cells: list[tuple[int, int]]) -> Iterator[int]:
    """For each of some promised cells, as masks over them, those that a leaf may contain together with it.

    A leaf with cells (x, y) and (x', y') contains (x, y') and (x', y) too. If Alice must know the answer, (x, y') is
    free or has the answer of (x, y), and (x', y) is free or has that of (x', y'); likewise if Bob must, with rows and
    columns exchanged; if both must, (x, y) and (x', y') have the same answer.
    """
    party, size = int(answer == "bob"), len(cells)
    own = [matrix.table[row][column] for row, column in cells]
    need(min(own, default=0) >= 0, "a free cell in a fooling set")
    lines = grouped([(cell[party], code) for cell, code in zip(cells, own, strict=True)])
    spots = grouped([cell[1 - party] for cell in cells])
    step, groups = 5 + (size >> 8), len(lines) + len(spots)
    room = groups * (100 + size // 3)
    matrix.spend(30 * size + groups * (10 + 2 * step) + 2 * size * step, room)
    masks = [{key: mask_of(bits, size) for key, bits in groups.items()} for groups in (lines, spots, grouped(own))]
    near, far = dict.fromkeys(lines, 0), dict.fromkeys(spots, 0)
    reached = mask_of(spots, max(matrix.height, matrix.width))
    for (line, code), mine in masks[0].items():
        across = matrix.masks(code, party)[line] | matrix.masks(-1, party)[line]
        for spot in matrix.places(across & reached):
            near[line, code] |= masks[1][spot]
            far[spot] |= mine
            matrix.spend(10 + 2 * step)
    for cell, code in zip(cells, own, strict=True):
        both = near[cell[party], code] & far[cell[1 - party]]
        yield both & masks[2][code] if answer == "both" else both
    matrix.spend(0, -room)


def grouped(keys: Iterable[Any]) -> dict[Any, list[int]]:
    """The places of each key in a list."""
    found: dict[Any, list[int]] = {}
    for place, key in enumerate(keys):
        found.setdefault(key, []).append(place)
    return found


def fooling(matrix: Matrix, answer: str, listed: Any) -> list[tuple[int, int]]:
    """Promised cells of which no leaf contains two, so that each needs a leaf of its own."""
    cells = matrix.cells(listed)
    together = sharing(matrix, answer, cells)
    need(all(mask == 1 << place for place, mask in enumerate(together)), "two cells that one leaf may contain")
    return cells


@proves("fooling-set", "lower fooling-set", "lower cover", "lower partition", "lower leaves")
def check_fooling_set(claim: Claim, cells: Any) -> int:
    """A fooling set with answers of the code that is claimed (any if that is null): its size. No rectangle of one
    answer contains two of its cells, and no leaf."""
    found, code = fooling(claim.matrix, claim.answer, cells), claim.parameters.get("code")
    need(all(code in (None, claim.matrix.table[row][column]) for row, column in found), "a cell of another answer")
    return len(found)


@proves("fooling-search", "upper fooling-set")
def check_fooling_search(claim: Claim, at_most: Any, cells: Any) -> int:
    """No fooling set has more than ``at_most`` cells: shown by a bounded search of our own, over all cells, which are
    listed in an order that makes it short.

    Cells that pairwise share some leaf form a class, of which a fooling set has one cell. With s cells chosen,
    those that exclude all of them are put into at_most - s classes; a larger set needs one of the cells that are
    left over, so branch on each of these.
    """
    most = integer(at_most, 0, MOST_CELLS)
    search = CellSearch(claim, cells)
    search.none_larger(search.every, most)
    return most


class CellSearch:
    """A search through all cells that a claim is about. The first one that is listed has the last place, as the highest
    bit of a mask is the cheapest to find. For one more than each place: its bit, and its fellows, with which a leaf may
    contain it."""

    def __init__(self, claim: Claim, cells: Any) -> None:
        self.matrix, code, listed = claim.matrix, claim.parameters["code"], claim.matrix.cells(cells)[::-1]
        count = sum(cell >= 0 and code in (None, cell) for row in self.matrix.table for cell in row)
        good = all(code in (None, self.matrix.table[row][column]) for row, column in listed)
        need(good and len(set(listed)) == len(listed) == count, "not each cell once")
        self.matrix.spend(60 * count, 3 * count * (50 + count // 7))
        self.cells, self.every = listed, (1 << count) - 1
        self.bits = [0, *(1 << place for place in range(count))]
        together = sharing(self.matrix, claim.answer, listed)
        self.fellows = [0, *(mask ^ own for mask, own in zip(together, self.bits[1:], strict=True))]
        self.step = 5 + (count >> 8)

    def none_larger(self, fitting: int, most: int) -> None:
        """Refuse unless no fooling set of these cells has more than ``most``: by the search that is told above."""
        stack = [(fitting, self.unclassed(fitting, most), most)]
        while stack:
            fitting, rest, more = stack.pop()
            if rest:
                own = rest & -rest
                fitting ^= own
                stack.append((fitting, rest ^ own, more))
                inner = fitting & ~self.fellows[own.bit_length()]
                stack.append((inner, self.unclassed(inner, more - 1), more - 1))

    def unclassed(self, fitting: int, more: int) -> int:
        """Those of some cells that are left over once there are so many classes."""
        need(more >= 0, "a larger fooling set exists")
        rest, bits, fellows = fitting, self.bits, self.fellows
        while rest and more:
            members, more = rest, more - 1
            while members:
                cell = members.bit_length()
                rest ^= bits[cell]
                members &= fellows[cell]
        self.matrix.spend(50 + self.step * (3 + fitting.bit_count() - rest.bit_count()))
        return rest


@proves("fooling-orbits", "upper fooling-set")
def check_fooling_orbits(claim: Claim, at_most: Any, cells: Any, symmetries: Any) -> int:
    """No fooling set has more than ``at_most`` cells: by a search like that of fooling-search, with symmetries.

    A symmetry moves rows and columns so that no cell of the table changes, and so takes fooling sets to fooling sets.
    Let F be cells that some symmetries take to themselves. If one of them is in no large enough set of cells of F,
    neither is any to which the symmetries take it: all of these are left out, and the search goes on with the others.
    The tree has the symmetries of each such F with a branch for each cell that is tried, or null for a plain search.
    """
    most, search = integer(at_most, 0, MOST_CELLS), CellSearch(claim, cells)
    by_orbits(search, {cell: place for place, cell in enumerate(search.cells)}, search.every, most, symmetries)
    return most


def by_orbits(search: CellSearch, places: dict[tuple[int, int], int], fitting: int, most: int, tree: Any) -> None:
    """Refuse unless no fooling set of these cells has more than ``most``."""
    if tree is None:
        search.none_larger(fitting, most)
        return
    matrix = search.matrix
    moves, branches = [moved(matrix, places, fitting, entry) for entry in items(items(tree, 2)[0])], items(tree[1])
    for branch in branches:
        rest = search.unclassed(fitting, most)
        need(bool(rest), "a branch too many")
        own = rest & -rest
        by_orbits(search, places, fitting & ~own & ~search.fellows[own.bit_length()], most - 1, branch)
        fitting &= ~orbit_of(matrix, moves, own.bit_length() - 1)
    need(not search.unclassed(fitting, most), "cells that are left over")


def moved(matrix: Matrix, places: dict[tuple[int, int], int], fitting: int, symmetry: Any) -> dict[int, int]:
    """Where a symmetry, given as the images of rows and of columns, takes each of some cells: to one of them."""
    height, width = matrix.height, matrix.width
    matrix.spend(20 * (height + width) + 10 * height * width + 20 * len(places), 100 * len(places))
    rows, columns = (items(lines, count) for lines, count in zip(items(symmetry, 2), (height, width), strict=True))
    for lines, count in ((rows, height), (columns, width)):
        need(len({integer(line, 0, count - 1) for line in lines}) == count, "a permutation")
    same = all([matrix.table[r][c] for c in columns] == row for r, row in zip(rows, matrix.table, strict=True))
    need(same, "a symmetry that changes the matrix")
    cells = {(row, column): place for (row, column), place in places.items() if fitting >> place & 1}
    found = {place: places[rows[row], columns[column]] for (row, column), place in cells.items()}
    need(all(fitting >> image & 1 for image in found.values()), "a symmetry that leads out of the cells")
    return found


def orbit_of(matrix: Matrix, moves: list[dict[int, int]], place: int) -> int:
    """All cells to which moves take a cell, as a mask."""
    found, queue = {place}, [place]
    for one in queue:
        matrix.spend(20 + 10 * len(moves))
        for image in {move[one] for move in moves} - found:
            found.add(image)
            queue.append(image)
    return mask_of(found, max(found) + 1)
