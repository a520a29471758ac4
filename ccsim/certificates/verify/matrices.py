"""Matrices: a table of codes, its lines as masks, and how much may still be spent on it; and relations."""

from __future__ import annotations

import re
from typing import Any

from .data import MOST_CELLS, Refused, Table, TooLarge, integer, items, mask_of, need

MOST_WORK = 1 << 30  # steps of about 20 ns; each checker says what it spends
MOST_ROOM = 1 << 29  # bytes of what checkers keep


class Matrix:
    """A table of codes, its lines as masks, and how much work and room may still be spent on it."""

    function: tuple[str, int] | None = None  # the name and size of the function that it is, of those known here

    def __init__(self, table: Table, left: list[int] | None = None) -> None:
        self.table, self.height, self.width = table, len(table), len(table[0])
        self.codes = sorted({cell for row in table for cell in row} - {-1})
        self.left = left or [MOST_WORK, MOST_ROOM]
        self.long = (self.width >> 9, self.height >> 9)  # steps of operations on masks across a row, a column
        self._masks: dict[tuple[int, int], list[int]] = {}

    def spend(self, steps: int, room: int = 0) -> None:
        """Refuse what takes too long, or too many bytes."""
        self.left[0] -= steps
        self.left[1] -= room
        if min(self.left) < 0:
            raise TooLarge("too much work to check")

    def masks(self, code: int, party: int = 0) -> list[int]:
        """For each line of a party (0: rows, 1: columns), where across it the cells have this code (-1: are free)."""
        if (code, party) not in self._masks:
            count, across = (self.width, self.height) if party else (self.height, self.width)
            self.spend(3 * count * across + 30 * count)
            lines = zip(*self.table, strict=True) if party else self.table
            texts = ("".join(["1" if cell == code else "0" for cell in line[::-1]]) for line in lines)
            found = [int(text, 2) for text in texts]
            self.spend(0, 8 * count + (36 + across // 7) * (count - found.count(0)))
            self._masks[code, party] = found
        return self._masks[code, party]

    def allowed(self, code: int, party: int = 0) -> list[int]:
        """Likewise where the cells have this code or are free."""
        own, free = self.masks(code, party), self.masks(-1, party)
        self.spend(len(own) * (5 + self.long[party]), len(own) * (44 + (self.height, self.width)[1 - party] // 7))
        return [a | b for a, b in zip(own, free, strict=True)]

    def fits(self, code: int, line: int, across: int, party: int = 0) -> bool:
        """Whether a line has no other code at these places across."""
        self.spend(42 + 4 * self.long[party])
        return across & ~(self.masks(code, party)[line] | self.masks(-1, party)[line]) == 0

    def places(self, mask: int) -> list[int]:
        """The places in a mask, in order."""
        self.spend(20 + 8 * mask.bit_count() + mask.bit_length() // 8)
        text, found = bin(mask)[:1:-1], []
        place = text.find("1")
        while place >= 0:
            found.append(place)
            place = text.find("1", place + 1)
        return found

    def lines(self, value: Any, size: int) -> int:
        """A set of lines as a mask, from hexadecimal text or a list of places."""
        if isinstance(value, list):
            self.spend(50 + 20 * len(value) + size // 64, size // 7)
            return mask_of((integer(place, 0, size - 1) for place in value), size)
        good = isinstance(value, str) and len(value) <= size // 4 + 1 and re.fullmatch("[0-9a-f]+", value)
        need(bool(good) and int(value, 16) >> size == 0, "expected a set of lines, in hexadecimal digits")
        return int(value, 16)

    def cells(self, listed: Any, more: int = 0) -> list[Any]:
        """Cells of the table from a list of [row, column], each with so many entries ``more``."""
        for row, column, *_ in (items(entry, 2 + more) for entry in items(listed)):
            integer(row, 0, self.height - 1)
            integer(column, 0, self.width - 1)
        return [tuple(entry) for entry in listed]

    def rectangle(self, rows: Any, columns: Any) -> tuple[int, int]:
        """A rectangle as two masks."""
        return self.lines(rows, self.height), self.lines(columns, self.width)

    @property
    def content(self) -> Any:
        """All cells, for a hash."""
        return self.table

    def part(self, rows: Any, columns: Any) -> Matrix:
        """The submatrix of some rows and columns (lists without repetition); it shares the work."""
        mine, yours = ([integer(line, 0, most - 1) for line in items(lines)] for lines, most in
                       ((rows, self.height), (columns, self.width)))  # fmt: skip
        need(0 < len(mine) == len(set(mine)) and 0 < len(yours) == len(set(yours)), "different rows and columns")
        self.spend(4 * (len(mine) + 4) * len(yours) + 100, 8 * (len(mine) + 1) * len(yours) + 100 * len(mine))
        return Matrix([[self.table[row][column] for column in yours] for row in mine], self.left)


class Unwritten(Matrix):
    """A named function whose table is not written out: only what its definition alone proves is looked at."""

    def __init__(self, name: str, n: int) -> None:
        self.function, self.left = (name, n), [MOST_WORK, MOST_ROOM]

    def __getattr__(self, name: str) -> Any:
        raise TooLarge(f"a matrix of at most {MOST_CELLS} cells")


class Relation(Matrix):
    """A table of sets of right answers, as masks over the labels; what is about one answer in a cell is refused."""

    def __init__(self, sets: Table, labels: int) -> None:
        self.sets, self.height, self.width = sets, len(sets), len(sets[0])
        self.codes, self.left = list(range(labels)), [MOST_WORK, MOST_ROOM]
        self.long = (self.width >> 9, self.height >> 9)
        self._right: dict[tuple[int, int], list[int]] = {}

    def __getattr__(self, name: str) -> Any:
        raise Refused("this kind of witness is about functions")

    def masks(self, code: int, party: int = 0) -> list[int]:
        """A cell has no one code."""
        raise Refused("this kind of witness is about functions")

    def allowed(self, code: int, party: int = 0) -> list[int]:
        """For each line of a party, where across it the answer is right."""
        if (code, party) not in self._right:
            need(code < len(self.codes), "an answer that is none of the labels")
            self.spend(5 * self.height * self.width, self.height * self.width)
            lines = zip(*self.sets, strict=True) if party else self.sets
            texts = ("".join(["1" if cell >> code & 1 else "0" for cell in line[::-1]]) for line in lines)
            self._right[code, party] = [int(text, 2) for text in texts]
        return self._right[code, party]

    def fits(self, code: int, line: int, across: int, party: int = 0) -> bool:
        """Whether an answer is right at these places across a line."""
        self.spend(42 + 4 * self.long[party])
        return across & ~self.allowed(code, party)[line] == 0

    @property
    def content(self) -> Any:
        """All cells."""
        return {"allowed": self.sets}
