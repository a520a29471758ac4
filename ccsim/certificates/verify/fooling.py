"""Fooling sets, and proofs that none is larger: searches that take one set of cells at a time, or thousands at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_

from .claims import MOST_CELLS, Any, Matrix, MatrixClaim, indices, integer, items, mask_of, need, proves


def sharing(matrix: Matrix, answer: str, cells: list[tuple[int, int]]) -> Iterator[int]:
    """For each of some promised cells, as masks over them, those that a leaf may contain together with it.

    A leaf with cells (x, y) and (x', y') contains (x, y') and (x', y) too. If Alice must know the answer, (x, y') is
    undefined or has the answer of (x, y), and (x', y) is undefined or has that of (x', y'); likewise if Bob must, with
    rows and columns exchanged; if both must, (x, y) and (x', y') have the same answer.
    """
    party, size = int(answer == "bob"), len(cells)
    own = [matrix.table[row][column] for row, column in cells]
    need(min(own, default=0) >= 0, "an undefined entry in a fooling set")
    rows = grouped([(cell[party], code) for cell, code in zip(cells, own, strict=True)])
    spots = grouped([cell[1 - party] for cell in cells])
    step, groups = 5 + (size >> 8), len(rows) + len(spots)
    room = groups * (100 + size // 3)
    matrix.spend(30 * size + groups * (10 + 2 * step) + 2 * size * step, room)
    masks = [{key: mask_of(bits, size) for key, bits in groups.items()} for groups in (rows, spots, grouped(own))]
    near, far = dict.fromkeys(rows, 0), dict.fromkeys(spots, 0)
    reached = mask_of(spots, max(matrix.height, matrix.width))
    for (row, code), mine in masks[0].items():
        across = matrix.masks(code, party)[row] | matrix.masks(-1, party)[row]
        for spot in matrix.places(across & reached):
            near[row, code] |= masks[1][spot]
            far[spot] |= mine
            matrix.spend(10 + 2 * step)
    for cell, code in zip(cells, own, strict=True):
        both = near[cell[party], code] & far[cell[1 - party]]
        yield both & masks[2][code] if answer == "both" else both
    matrix.spend(0, -room)


def grouped(keys: Iterable[Any]) -> dict[Any, list[int]]:
    groups: dict[Any, list[int]] = {}
    for place, key in enumerate(keys):
        groups.setdefault(key, []).append(place)
    return groups


def fooling(matrix: Matrix, answer: str, listed: Any) -> list[tuple[int, int]]:
    """Promised cells of which no leaf contains two, so that each needs a leaf of its own."""
    cells = matrix.cells(listed)
    together = sharing(matrix, answer, cells)
    need(all(mask == 1 << place for place, mask in enumerate(together)), "two cells that one leaf may contain")
    return cells


@proves("fooling-set", "lower fooling-set", "lower cover", "lower partition", "lower leaves")
def check_fooling_set(claim: MatrixClaim, cells: Any) -> int:
    """A fooling set with answers of the code that is claimed (any if that is null): its size. No rectangle of one
    answer contains two of its cells, and no leaf."""
    chosen, code = fooling(claim.matrix, claim.answer, cells), claim.parameters.get("code")
    need(all(code in (None, claim.matrix.table[row][column]) for row, column in chosen), "a cell of another answer")
    return len(chosen)


@proves("fooling-search", "upper fooling-set")
def check_fooling_search(claim: MatrixClaim, at_most: Any, cells: Any) -> int:
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

    def __init__(self, claim: MatrixClaim, cells: Any) -> None:
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
def check_fooling_orbits(claim: MatrixClaim, at_most: Any, cells: Any, symmetries: Any) -> int:
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
    rows, columns = (indices(*side) for side in zip(items(symmetry, 2), (height, width), strict=True))
    need(sorted(rows) == [*range(height)] and sorted(columns) == [*range(width)], "permutations")
    same = all([matrix.table[r][c] for c in columns] == row for r, row in zip(rows, matrix.table, strict=True))
    need(same, "a symmetry that changes the matrix")
    cells = {(row, column): place for (row, column), place in places.items() if fitting >> place & 1}
    images = {place: places[rows[row], columns[column]] for (row, column), place in cells.items()}
    need(all(fitting >> image & 1 for image in images.values()), "a symmetry that leads out of the cells")
    return images


def orbit_of(matrix: Matrix, moves: list[dict[int, int]], place: int) -> int:
    orbit, queue = {place}, [place]
    for one in queue:
        matrix.spend(20 + 10 * len(moves))
        for image in {move[one] for move in moves} - orbit:
            orbit.add(image)
            queue.append(image)
    return mask_of(orbit, max(orbit) + 1)


ABREAST, ROOM = 1 << 14, 1 << 30  # sets of cells, and bytes that would be taken if each went on with all of its cells


@proves("fooling-rows", "upper fooling-set")
def check_fooling_rows(claim: MatrixClaim, at_most: Any, rows: Any) -> int:
    """No fooling set has more than ``at_most`` cells of an answer that both know: by the search of fooling-search, over
    the cells row by row, with the rows in this order; and with many of the sets of cells that it meets at once.

    Cells (x, y) and (x', y') can share a leaf if neither (x, y') nor (x', y) has another answer. So a class takes, row
    by row, each cell that is left whose row has no other answer in the columns of the class so far, and whose column
    has none in its rows; cells of one row never exclude each other. To do this for many sets, there is a mask for each
    cell, over the sets that have it; for each column, over those whose class has a cell there; and for each column,
    over those whose class has no row with another answer there.
    """
    most = integer(at_most, 0, MOST_CELLS)
    need(claim.answer == "both", "a search by rows if both parties know the answer")
    SetsAbreast(claim, indices(rows, claim.matrix.height)).none_larger(most)
    return most


class SetsAbreast:
    """A search through all cells of an answer, the last row in the lowest places; for each row, its cells as place and
    column, and the columns in which it has another answer."""

    def __init__(self, claim: MatrixClaim, rows: list[int]) -> None:
        matrix, code = claim.matrix, claim.code
        need(sorted(rows) == [*range(matrix.height)], "all rows")
        own, allowed = matrix.masks(code), matrix.allowed(code)
        listed = [[row, column] for row in rows for column in matrix.places(own[row])]
        self.matrix, self.search = matrix, CellSearch(claim, listed)
        matrix.spend(20 * matrix.size, 100 * (matrix.height + len(listed)))
        self.rows: list[tuple[list[tuple[int, int]], list[int]]] = []
        place, every = len(listed), (1 << matrix.width) - 1
        for row in filter(own.__getitem__, rows):
            columns = matrix.places(own[row])
            place -= len(columns)
            cells = [(place + len(columns) - 1 - number, column) for number, column in enumerate(columns)]
            self.rows.append((cells, matrix.places(every & ~allowed[row])))
            matrix.spend(0, 8 * len(self.rows[-1][1]))
        self.bytes = -(-len(listed) // 8)
        self.abreast = min(ABREAST, max(64, ROOM // (1 + len(listed) * (50 + self.bytes))))
        self.steps = 5 * len(listed) + sum(2 * len(foreign) + 10 for _, foreign in self.rows)  # for a class

    def none_larger(self, most: int) -> None:
        room, waiting = 50 + self.bytes, {most: [self.search.every]}  # how many more are too many, and of which cells
        while waiting:
            more = min([most for most, sets in waiting.items() if len(sets) >= self.abreast], default=max(waiting))
            batch = waiting[more][-self.abreast :]
            held = self.unclassed(batch, more)
            left = sum(map(int.bit_count, held))
            need(more > 0 or not left, "a larger fooling set exists")
            self.matrix.spend(15 * len(batch) + 22 * left, room * left)
            inner = [cells for fitting, rest in self.sets(batch, held) for cells in self.each(fitting, rest, more)]
            self.matrix.spend(0, room * (len(inner) - left - len(batch)))
            del waiting[more][-self.abreast :]
            waiting[more - 1] = waiting.get(more - 1, []) + inner
            waiting = {most: sets for most, sets in waiting.items() if sets}

    def each(self, fitting: int, rest: int, more: int) -> Iterator[int]:
        """For each cell that is left over, those that go with it, without the ones before it, if they are enough."""
        fellows = self.search.fellows
        while rest:
            own = rest & -rest
            rest ^= own
            fitting ^= own
            inner = fitting & ~fellows[own.bit_length()]
            if inner.bit_count() >= more:
                yield inner

    def unclassed(self, batch: list[int], more: int) -> list[int]:
        """For each cell, the mask of those sets of cells in which it is left over once there are so many classes."""
        size = -(-len(batch) // 8)
        step, room = 3 + (size >> 9), size * (800 + 80 * self.bytes)
        self.matrix.spend(15 * len(batch) + 200 * self.bytes * step, room)
        held = self.by_cells(batch)
        for _ in range(more):
            self.matrix.spend(self.steps * step)
            if not self._class_taken((1 << 8 * size) - 1, held):
                break
        self.matrix.spend(0, -room)
        return held

    def _class_taken(self, every: int, held: list[int]) -> bool:
        taken, open_columns, some = [0] * self.matrix.width, [every] * self.matrix.width, False
        for cells, foreign in self.rows:
            shut, own = 0, 0
            for column in foreign:
                shut |= taken[column]
            open_row = every ^ shut
            for place, column in cells:
                now = held[place] & open_row & open_columns[column]
                if now:
                    held[place] ^= now
                    taken[column] |= now
                    own |= now
            if own:
                some, others = True, every ^ own
                for column in foreign:
                    open_columns[column] &= others
        return some

    def by_cells(self, batch: list[int]) -> list[int]:
        """For each cell, and some that there are not, the mask of the sets that have it."""
        full = batch + [0] * (-len(batch) % 8)
        texts = [b"".join([cells.to_bytes(self.bytes, "little") for cells in full[bit::8]]) for bit in range(8)]
        halves, masks = byte_halves(len(full) // 8), []
        for byte in range(self.bytes):
            masks += bits_transposed([int.from_bytes(text[byte :: self.bytes], "little") for text in texts], halves)
        return masks

    def sets(self, batch: list[int], held: list[int]) -> Iterator[tuple[int, int]]:
        """Each set with cells by which the masks hold it, and these."""
        size = -(-len(batch) // 8)
        texts, halves = [bytearray(size * self.bytes) for _ in range(8)], byte_halves(size)
        for byte in range(self.bytes):
            for text, part in zip(texts, bits_transposed(held[8 * byte : 8 * byte + 8], halves), strict=True):
                text[byte :: self.bytes] = part.to_bytes(size, "little")
        for number in self.matrix.places(reduce(or_, held, 0)):
            first = (number >> 3) * self.bytes
            yield batch[number], int.from_bytes(texts[number & 7][first : first + self.bytes], "little")


def byte_halves(size: int) -> list[tuple[int, int]]:
    """For so many bytes, those bits that have a partner so much higher in their byte."""
    return [
        (shift, int.from_bytes(bytes([half]) * size, "little")) for shift, half in ((4, 0x0F), (2, 0x33), (1, 0x55))
    ]


def bits_transposed(eight: list[int], halves: list[tuple[int, int]]) -> list[int]:
    """Bit i of each byte of the k-th of eight numbers becomes bit k of that byte of the i-th one."""
    rows = list(eight)
    for shift, half in halves:
        for low in range(8):
            if not low & shift:
                swap = (rows[low] >> shift ^ rows[low | shift]) & half
                rows[low | shift] ^= swap
                rows[low] ^= swap << shift
    return rows
