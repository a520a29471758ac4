"""Data that nobody vouches for, each refused unless it is what it should be, and tables of codes.

A matrix is a table of codes with its lines as masks, and it counts what may still be spent on it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from hashlib import sha256
from math import isqrt, lcm
from typing import Any

Table = list[list[int]]
Data = dict[str, Any]
Value = int | Fraction
MOST_CELLS = 1 << 22  # of a matrix
MOST_INTEGER = 10**40
MOST_PRIME = (1 << 31) - 1
CODES = 1 << 31


class Refused(ValueError):  # noqa: N818 - the verdict of a checker, not an accident
    """The certificate does not prove its claim."""


class TooLarge(Refused):
    """Whether it does is not looked at: that takes more than the checker spends."""


@contextmanager
def refusing() -> Iterator[None]:
    """Refuse what is malformed in any other way, too."""
    try:
        yield
    except Refused:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, MemoryError) as error:
        raise Refused(f"malformed: {type(error).__name__}") from None


def need(condition: bool, message: str, kind: type[Refused] = Refused) -> None:
    """Refuse unless the condition holds."""
    if not condition:
        raise kind(message)


def integer(value: Any, low: int, high: int) -> int:
    """An integer between two bounds, and no boolean."""
    need(type(value) is int and low <= value <= high, f"expected an integer from {low} to {high}")
    return int(value)


def items(value: Any, count: int | None = None) -> list[Any]:
    """A list, of so many items if a count is given."""
    need(isinstance(value, list) and count in (None, len(value)), f"expected a list of {count or 'some'} items")
    return list(value)


def indices(value: Any, size: int, count: int | None = None, least: int = 0) -> list[int]:
    """A list of integers below a size, by default from 0 on."""
    return [integer(entry, least, size - 1) for entry in items(value, count)]


def read_labels(labels: Any, least: int = 1, most: int = CODES) -> list[Any]:
    """Different answers, texts or integers."""
    need(all(type(label) in (str, int) for label in items(labels)), "labels are texts or integers")
    need(least <= len(set(labels)) == len(labels) <= most, f"from {least} to {most} different labels")
    return list(labels)


def fields(data: Any, *names: str) -> list[Any]:
    """The values of exactly these fields."""
    need(isinstance(data, dict) and set(data) == set(names), f"expected the fields: {', '.join(names) or 'none'}")
    return [data[name] for name in names]


def rational(text: Any) -> Fraction:
    """A rational from text a/b."""
    good = isinstance(text, str) and len(text) <= 4001 and re.fullmatch("-?[0-9]{1,2000}/[0-9]{1,2000}", text)
    need(bool(good), "expected a rational as text a/b")
    above, below = map(int, text.split("/"))
    need(below > 0, "a denominator above zero")
    return Fraction(above, below)


def common_scale(values: Iterable[Fraction], most_bits: int = 1 << 14) -> int:
    """The least common denominator, refused before it, and so every sum, grows too long."""
    scale = 1
    for value in values:
        scale = lcm(scale, value.denominator)
        need(scale.bit_length() <= most_bits, f"a common denominator of at most {most_bits} bits")
    return scale


def mask_of(places: Iterable[int], size: int) -> int:
    """Places below a size as a mask."""
    data = bytearray(size // 8 + 1)
    for place in places:
        data[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(data, "little")


def is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, isqrt(number) + 1))


def prime_of(field: Any) -> int:
    """The number p of a field that is given as GF(p); 0 if it is another text."""
    good = re.fullmatch(r"GF\(([1-9][0-9]{0,9})\)", field) if isinstance(field, str) else None
    return int(good[1]) if good else 0


def scaled(value: Fraction, scale: int) -> int:
    """A rational in units of a common denominator."""
    return value.numerator * (scale // value.denominator)


def bits_for(count: Value) -> int:
    """The smallest c >= 0 with 2^c >= count."""
    return max(0, -(-count.numerator // count.denominator) - 1).bit_length()


def bits_for_power(base: Fraction, exponent: int) -> int:
    """The smallest c >= 0 with 2^c >= base^exponent, for a base above 0, by powers alone."""
    above, below = int(base.numerator**exponent), int(base.denominator**exponent)
    bits = max(0, above.bit_length() - below.bit_length() - 1)
    while below << bits < above:
        bits += 1
    return bits


def digest(data: Any) -> str:
    """A hash (SHA-256) of plain data: equal for equal data only, for all that anybody knows."""
    return sha256(json.dumps(data, separators=(",", ":")).encode()).hexdigest()


MOST_WORK = 1 << 30  # steps of about 20 ns; each checker says what it spends
MOST_ROOM = 1 << 29  # bytes of what checkers keep


class Matrix:
    """A table of codes, its lines as masks, and how much work and room may still be spent on it."""

    function: tuple[str, int] | None = None  # the name and size of the function that it is, of those known here

    def __init__(self, table: Table, left: list[int] | None = None) -> None:
        self.table, self.height, self.width = table, len(table), len(table[0])
        self.size = self.height * self.width
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
            self.spend(3 * self.size + 30 * count)
            found = marked(self.table, {code}, party)
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
            return mask_of(indices(value, size), size)
        good = isinstance(value, str) and len(value) <= size // 4 + 1 and re.fullmatch("[0-9a-f]+", value)
        need(bool(good) and int(value, 16) >> size == 0, "expected a set of lines, in hexadecimal digits")
        return int(value, 16)

    def cells(self, listed: Any, more: int = 0) -> list[Any]:
        """Cells of the table from a list of [row, column], each with so many entries ``more``, and then once."""
        for row, column, *_ in (items(entry, 2 + more) for entry in items(listed)):
            integer(row, 0, self.height - 1)
            integer(column, 0, self.width - 1)
        need(not more or len({tuple(entry[:2]) for entry in listed}) == len(listed), "different cells")
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
        mine, yours = indices(rows, self.height), indices(columns, self.width)
        need(0 < len(mine) == len(set(mine)) and 0 < len(yours) == len(set(yours)), "different rows and columns")
        self.spend(4 * (len(mine) + 4) * len(yours) + 100, 8 * (len(mine) + 1) * len(yours) + 100 * len(mine))
        return Matrix([[self.table[row][column] for column in yours] for row in mine], self.left)


def marked(table: Table, wanted: set[int], party: int) -> list[int]:
    """For each line of a party, where across it the cells are among these, as a mask."""
    lines = zip(*table, strict=True) if party else table
    texts = ("".join(["1" if cell in wanted else "0" for cell in line[::-1]]) for line in lines)
    return [int(text, 2) for text in texts]


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
        self.size = self.height * self.width
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
            self.spend(5 * self.size, self.size)
            right = {cell for row in self.sets for cell in row if cell >> code & 1}
            self._right[code, party] = marked(self.sets, right, party)
        return self._right[code, party]

    def fits(self, code: int, line: int, across: int, party: int = 0) -> bool:
        """Whether an answer is right at these places across a line."""
        self.spend(42 + 4 * self.long[party])
        return across & ~self.allowed(code, party)[line] == 0

    @property
    def content(self) -> Any:
        """All cells."""
        return {"allowed": self.sets}
