"""Equality by simultaneous messages: a random row and a random column of an encoded square."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, isqrt
from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.engine import AnswerEach, Coins, Cost, Protocol, Receive, SendEach, array_party, simultaneous
from ccsim.errors import InputError
from ccsim.problems import equality
from protocols.classical.arguments import require_error
from protocols.classical.primes import prime_from
from protocols.classical.widths import bit_rows, width_of

__all__ = ["ReedSolomonSquare", "simultaneous_equality"]


@dataclass(frozen=True)
class ReedSolomonSquare:
    """A Reed-Solomon code whose code words are written into a square.

    A string of n bits is cut into blocks of b bits, from its end; the blocks are the coefficients of a
    polynomial over the field of q elements, q the smallest prime from 2^b on. The code word is its value at
    the points 0, ..., s^2 - 1, row by row in a square of side s.

    Attributes:
        n, block: the lengths n and b.
        side: the side s; s^2 is at most q, so that the points are different elements of the field.
    """

    n: int
    block: int
    side: int

    @property
    def field(self) -> int:
        """The size q of the field; q < 2^(b+1)."""
        return prime_from(1 << self.block)

    @property
    def coefficients(self) -> int:
        """How many blocks there are."""
        return -(-self.n // self.block)

    @property
    def agreement(self) -> Fraction:
        """The largest share of places at which the code words of two different strings are the same, exactly.

        Two polynomials of degree below m agree at most at m - 1 points. Some strings reach this: the
        difference of two full blocks can be any element of the field, since q < 2^(b+1), and that of the
        leading blocks can be 1, so a monic polynomial with any m - 1 of the points as its zeros is a
        difference of messages.
        """
        return Fraction(self.coefficients - 1, self.side**2)

    @property
    def bits(self) -> int:
        """The bits of the number of a line and the line itself, a row or a column."""
        return width_of(self.side) + self.side * width_of(self.field)

    @classmethod
    def smallest(cls, n: int, block: int, error: Fraction) -> ReedSolomonSquare | None:
        """The smallest square with this block whose agreement is at most ``error``; None if the field is too small."""
        points = max(1, ceil((-(-n // block) - 1) / error))
        square = cls(n, block, isqrt(points - 1) + 1)
        return square if square.side**2 <= square.field else None

    @classmethod
    def usual(cls, n: int, error: Fraction) -> ReedSolomonSquare:
        """The square with the smallest block from L(n) = ceiling(log2 n) bits on whose field is large enough.

        The whole string as one block always is: its square has one point, and two code words never agree.
        """
        squares = (cls.smallest(n, block, error) for block in range(min(n, width_of(n) or 1), n + 1))
        return next(square for square in squares if square)

    def values(self, numbers: Array, points: Array) -> Array:
        """The polynomials of these strings (as numbers) at points, one row of points each."""
        field, mask = self.field, (1 << self.block) - 1
        exact = np.int64 if self.n <= 62 and field * (self.side**2 + 1) < 1 << 62 else object
        numbers, points = numbers.astype(exact), points.astype(exact)
        total = np.zeros(points.shape, dtype=exact)
        for place in range(self.coefficients - 1, -1, -1):
            total = (total * points + ((numbers >> (place * self.block)) & mask)[:, None]) % field
        return total


def simultaneous_equality(n: int, error: Fraction | float = Fraction(1, 3), block: int | None = None) -> Protocol:
    """EQ_n with private coins and a referee: a random row of x's code word against a random column of y's.

    Both strings are encoded by the same Reed-Solomon code, written into a square of side s over the field
    of q elements. Alice sends the number of a random row and its s symbols, Bob the same for a column, and
    the referee compares the symbols where they cross. Only the referee knows the answer.

    Equal strings are always told so; different ones are called equal with probability exactly
    (m - 1) / s^2 at worst, at most ``error``, where m is the number of blocks of n bits.

    Cost: exactly 2 (L(s) + s L(q)) bits in two messages. The block length, unless it is given, is the
    smallest from L(n) on whose field is large enough; for a constant error that makes O(sqrt(n log n)) bits.
    A code of constant rate and distance saves the logarithm (Ambainis 1996), and Omega(sqrt n) bits are needed
    (Newman and Szegedy 1996; Babai and Kimmel 1997).

    >>> [simultaneous_equality(n).cost.bits for n in (100, 400, 1600)]
    [118, 248, 514]
    >>> measured = simultaneous_equality(3).measure_error()
    >>> measured.worst_error, measured.worst_bits
    (Fraction(1, 4), 14)
    """
    function, error = equality(n), require_error("error", error)
    if block is None:
        square = ReedSolomonSquare.usual(n, error)
    else:
        chosen = ReedSolomonSquare.smallest(n, require_integer("block", block, low=1, high=n), error)
        if chosen is None:
            raise InputError("block", block, f"a longer block: the field is too small for an error of {error}")
        square = chosen
    side, field, along = square.side, square.field, np.arange(square.side)
    line_width, symbol_width = width_of(side), width_of(field)

    def message(numbers: Any, lines: Any, points: Any, label: str) -> SendEach:
        header = bit_rows(lines[:, None], line_width)
        return SendEach(np.hstack([header, bit_rows(square.values(numbers, points), symbol_width)]), label=label)

    @array_party
    def alice(xs: Any, heard: Any, private: Any) -> Any:
        rows = private.astype(np.int64)
        points = rows[:, None] * side + along
        return AnswerEach(None) if heard else message(xs, rows, points, "row number and row of x")

    @array_party
    def bob(ys: Any, heard: Any, private: Any) -> Any:
        columns = private.astype(np.int64)
        points = along * side + columns[:, None]
        return AnswerEach(None) if heard else message(ys, columns, points, "column number and column of y")

    @array_party
    def referee(heard: Any) -> Any:
        if len(heard) < 2:
            return Receive("bob" if heard else "alice", square.bits)
        (row, xs), (column, ys) = (_line(said.bits, line_width, symbol_width) for said in heard)
        return AnswerEach(xs[column] == ys[row])

    return Protocol(
        f"simultaneous_equality({n})",
        function,
        {"alice": alice, "bob": bob, "referee": referee},
        model=simultaneous(),
        answer="referee",
        cost=Cost("2 * (L(s) + s * L(q))", {"s": side, "q": field}),
        error=square.agreement,
        private={"alice": Coins(side), "bob": Coins(side)},
        source="Ambainis 1996, with a Reed-Solomon code",
    )


def _line(bits: Any, line_width: int, symbol_width: int) -> tuple[int, list[int]]:
    """A line's number and its symbols."""
    reader = bits.reader()
    number = reader.unsigned(line_width)
    return number, [reader.unsigned(symbol_width) for _ in range(reader.remaining // symbol_width)]
