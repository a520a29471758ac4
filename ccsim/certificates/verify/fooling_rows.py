"""Fooling sets that are no larger, by a search in which thousands of sets of cells go abreast: fooling-rows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Any

from .claims import Claim, proves
from .data import MOST_CELLS, integer, items, need
from .fooling import CellSearch

ABREAST, ROOM = 1 << 14, 1 << 30  # sets of cells, and bytes that would be taken if each went on with all of its cells


@proves("fooling-rows", "upper fooling-set")
def check_fooling_rows(claim: Claim, at_most: Any, rows: Any) -> int:
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
    SetsAbreast(claim, items(rows, claim.matrix.height)).none_larger(most)
    return most


class SetsAbreast:
    """A search through all cells of an answer, the last row in the lowest places; for each row, its cells as place and
    column, and the columns in which it has another answer."""

    def __init__(self, claim: Claim, rows: list[Any]) -> None:
        matrix, code = claim.matrix, claim.code
        need(sorted([integer(row, 0, matrix.height - 1) for row in rows]) == list(range(matrix.height)), "all rows")
        own, allowed = matrix.masks(code), matrix.allowed(code)
        listed = [[row, column] for row in rows for column in matrix.places(own[row])]
        self.matrix, self.search = matrix, CellSearch(claim, listed)
        matrix.spend(20 * matrix.height * matrix.width, 100 * (matrix.height + len(listed)))
        self.lines: list[tuple[list[tuple[int, int]], list[int]]] = []
        place, every = len(listed), (1 << matrix.width) - 1
        for row in filter(own.__getitem__, rows):
            columns = matrix.places(own[row])
            place -= len(columns)
            cells = [(place + len(columns) - 1 - number, column) for number, column in enumerate(columns)]
            self.lines.append((cells, matrix.places(every & ~allowed[row])))
            matrix.spend(0, 8 * len(self.lines[-1][1]))
        self.bytes = -(-len(listed) // 8)
        self.abreast = min(ABREAST, max(64, ROOM // (1 + len(listed) * (50 + self.bytes))))
        self.steps = 5 * len(listed) + sum(2 * len(foreign) + 10 for _, foreign in self.lines)  # for a class

    def none_larger(self, most: int) -> None:
        """Refuse unless no fooling set has more than ``most`` cells."""
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
        """Take the cells of a class out of each set; whether there were any."""
        taken, open_columns, some = [0] * self.matrix.width, [every] * self.matrix.width, False
        for cells, foreign in self.lines:
            shut, found = 0, 0
            for column in foreign:
                shut |= taken[column]
            open_row = every ^ shut
            for place, column in cells:
                now = held[place] & open_row & open_columns[column]
                if now:
                    held[place] ^= now
                    taken[column] |= now
                    found |= now
            if found:
                some, others = True, every ^ found
                for column in foreign:
                    open_columns[column] &= others
        return some

    def by_cells(self, batch: list[int]) -> list[int]:
        """For each cell, and some that there are not, the mask of the sets that have it."""
        full = batch + [0] * (-len(batch) % 8)
        texts = [b"".join([cells.to_bytes(self.bytes, "little") for cells in full[bit::8]]) for bit in range(8)]
        halves, found = halves_of(len(full) // 8), []
        for byte in range(self.bytes):
            found += turned([int.from_bytes(text[byte :: self.bytes], "little") for text in texts], halves)
        return found

    def sets(self, batch: list[int], held: list[int]) -> Iterator[tuple[int, int]]:
        """Each set with cells by which the masks hold it, and these."""
        size = -(-len(batch) // 8)
        texts, halves = [bytearray(size * self.bytes) for _ in range(8)], halves_of(size)
        for byte in range(self.bytes):
            for text, part in zip(texts, turned(held[8 * byte : 8 * byte + 8], halves), strict=True):
                text[byte :: self.bytes] = part.to_bytes(size, "little")
        for number in self.matrix.places(reduce(or_, held, 0)):
            first = (number >> 3) * self.bytes
            yield batch[number], int.from_bytes(texts[number & 7][first : first + self.bytes], "little")


def halves_of(size: int) -> list[tuple[int, int]]:
    """For so many bytes, those bits that have a partner so much higher in their byte."""
    return [
        (shift, int.from_bytes(bytes([half]) * size, "little")) for shift, half in ((4, 0x0F), (2, 0x33), (1, 0x55))
    ]


def turned(eight: list[int], halves: list[tuple[int, int]]) -> list[int]:
    """Bit i of each byte of the k-th of eight numbers becomes bit k of that byte of the i-th one."""
    found = list(eight)
    for shift, half in halves:
        for low in range(8):
            if not low & shift:
                swap = (found[low] >> shift ^ found[low | shift]) & half
                found[low | shift] ^= swap
                found[low] ^= swap << shift
    return found
