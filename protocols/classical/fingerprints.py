"""Equality and greater than by fingerprints: inner products with random strings, residues, rows of a coded square.

Two different strings have the same inner product modulo 2 with a uniformly random string with probability exactly 1/2,
as that of their difference is a fair coin (Kushilevitz and Nisan 1997, chapter 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, count, islice
from math import ceil, isqrt
from operator import mul
from typing import Any

import numpy as np

from ccsim import lazy
from ccsim.engine import AnswerEach, Coins, Cost, Protocol, Receive, Received, SendEach, array_party, simultaneous
from ccsim.errors import Array, InputError, require_integer
from ccsim.problems import equality, greater_than
from ccsim.problems.inputs import popcount
from protocols.classical.deterministic import bit_rows, width_of


def require_error(argument: str, value: Fraction | float) -> Fraction:
    """A probability strictly between 0 and 1 as an exact fraction (a float counts as the rational it stores)."""
    try:
        error = Fraction(value)
    except (TypeError, ValueError, OverflowError) as problem:
        raise InputError(argument, value, "a number between 0 and 1") from problem
    if not 0 < error < 1:
        raise InputError(argument, value, "a number strictly between 0 and 1")
    return error


flint = lazy.load("flint")


def first_primes(number: int) -> list[int]:
    return list(islice((candidate for candidate in count(2) if flint.fmpz(candidate).is_prime()), number))


def most_prime_factors(n: int) -> int:
    """The largest number of different primes that can divide a positive integer below 2^n.

    It is the largest k for which the product of the first k primes, the least of k different primes, is below 2^n.
    """
    return sum(product < 1 << n for product in accumulate(first_primes(n + 1), mul))


def prime_from(low: int) -> int:
    """The smallest prime that is at least ``low``, proved prime; below 2 low for low >= 2 (Bertrand's postulate)."""
    return next(candidate for candidate in count(max(low, 2)) if flint.fmpz(candidate).is_prime())


def strings_of(outcome: int, length: int, count: int) -> list[int]:
    """An outcome of coins as ``count`` strings of ``length`` bits, as numbers, the most significant first."""
    mask = (1 << length) - 1
    return [(outcome >> (length * place)) & mask for place in range(count - 1, -1, -1)]


def inner_products(numbers: Array, strings: Sequence[int]) -> Array:
    """Row i, column j: the inner product modulo 2 of the bits of number i and of string j, as int8."""
    return np.stack([popcount(numbers & string) & 1 for string in strings], axis=1).astype(np.int8)


def inner_product_equality(n: int, repetitions: int = 2) -> Protocol:
    """EQ_n with public coins: Alice sends inner products of x with shared random strings, Bob compares.

    With t = ``repetitions`` strings of n bits. Both know the answer. Cost: exactly t + 1 bits in two rounds, whatever n
    is. Equal strings are always called equal; two different strings with probability exactly 2^-t, when all t inner
    products of their difference vanish (Kushilevitz and Nisan 1997, chapter 3).

    >>> measured = inner_product_equality(2, repetitions=2).measure_error()
    >>> measured.worst_error, measured.exact, measured.worst_bits
    (Fraction(1, 4), True, 3)
    """
    function = equality(n)
    t = require_integer("repetitions", repetitions, low=1)

    @array_party
    def alice(xs: Any, heard: Any, public: int) -> Any:
        if not heard:
            return SendEach(inner_products(xs, strings_of(public, n, t)), t, "inner products of x")
        return Receive(width=1) if len(heard) == 1 else AnswerEach(heard[1].bits.to_unsigned())

    @array_party
    def bob(ys: Any, heard: Any, public: int) -> Any:
        if not heard:
            return Receive(width=t)
        if len(heard) == 2:
            return AnswerEach(heard[1].bits.to_unsigned())
        same = inner_products(ys, strings_of(public, n, t)) == np.array(list(heard[0].bits))
        return SendEach(same.all(axis=1), 1, "the same inner products")

    return Protocol(
        f"inner_product_equality({n}, {t})",
        function,
        {"alice": alice, "bob": bob},
        cost=Cost("t + 1", {"t": t}),
        error=Fraction(1, 1 << t),
        public=Coins.bits(n * t),
        source="Kushilevitz and Nisan 1997, chapter 3",
    )


def fingerprint_equality(n: int, error: Fraction | float = Fraction(1, 3)) -> Protocol:
    """EQ_n with Alice's private coins: she sends a random prime's number and the residue of x; Bob compares.

    The prime is one of the first P = ceiling(k / error), where k is the largest number of different primes that divide
    a positive integer below 2^n, such as a difference of two strings. So different strings are called equal with
    probability at most k / P, which the product of the first k primes reaches; equal ones always. Both know the answer.

    Cost: exactly L(P) + L(p) + 1 bits in two rounds, where p is the P-th prime: O(log n) for a constant error
    (Kushilevitz and Nisan 1997, chapter 3).

    >>> protocol = fingerprint_equality(5)
    >>> measured = protocol.measure_error()
    >>> protocol.cost.bits, measured.worst_bits, protocol.error, measured.worst_error
    (10, 10, Fraction(1, 3), Fraction(1, 3))
    """
    function = equality(n)
    factors = most_prime_factors(n)
    primes = first_primes(max(1, ceil(factors / require_error("error", error))))
    number_width, residue_width = width_of(len(primes)), width_of(primes[-1])
    table = np.array(primes, dtype=np.int64 if n <= 62 else object)

    @array_party
    def alice(xs: Any, heard: Any, private: Any) -> Any:
        if not heard:
            place = private.astype(np.int64)
            residues = (xs % table[place]).astype(np.int64)
            return SendEach((place << residue_width) | residues, number_width + residue_width, "prime, x modulo it")
        return Receive(width=1) if len(heard) == 1 else AnswerEach(heard[1].bits.to_unsigned())

    @array_party
    def bob(ys: Any, heard: Any) -> Any:
        if not heard:
            return Receive(width=number_width + residue_width)
        if len(heard) == 2:
            return AnswerEach(heard[1].bits.to_unsigned())
        place, residue = divmod(heard[0].bits.to_unsigned(), 1 << residue_width)
        return SendEach(ys % primes[place] == residue, 1, f"x = y modulo {primes[place]}")

    return Protocol(
        f"fingerprint_equality({n})",
        function,
        {"alice": alice, "bob": bob},
        cost=Cost("L(P) + L(p) + 1", {"P": len(primes), "p": primes[-1]}),
        error=Fraction(factors, len(primes)),
        private={"alice": Coins(len(primes))},
        source="Kushilevitz and Nisan 1997, chapter 3",
    )


def fingerprint_greater_than(n: int, error: Fraction | float = Fraction(1, 3)) -> Protocol:
    """GT_n with public coins: search for the first place at which x and y differ, then compare it.

    L(n) times, Alice sends t inner products of a prefix of x with shared random strings and Bob replies
    whether they fit y, which halves the places where the first difference can be. At the place that is left
    Alice sends her bit, and Bob replies with the answer, so both know it.

    The same t strings of n bits serve in every step, each of which errs with probability 2^-t at most: the error is at
    most L(n) / 2^t, for the smallest t for which that is at most ``error``; equal strings are always answered right.

    Cost: exactly (t + 1) L(n) + 2 bits, O(log n log log n) for a constant error
    (Kushilevitz and Nisan 1997, chapter 3; Nisan 1993 has O(log n)).

    >>> protocol = fingerprint_greater_than(2, error=Fraction(1, 2))
    >>> measured = protocol.measure_error()
    >>> protocol.cost.bits, measured.worst_bits, measured.worst_error <= protocol.error
    (4, 4, True)
    """
    function, steps = greater_than(n), width_of(n)
    t = width_of(ceil(steps / require_error("error", error))) if steps else 0

    def fingerprints(numbers: Any, length: int, public: int) -> Any:
        prefix = ((1 << length) - 1) << (n - length)
        return inner_products(numbers, [string & prefix for string in strings_of(public, n, t)])

    def bits_at(numbers: Any, place: int) -> Any:
        return (numbers >> (n - 1 - place)) & 1

    @array_party
    def alice(xs: Any, heard: Any, public: int) -> Any:
        low, high, answer = _search(n, heard)
        if answer is not None:
            return AnswerEach(answer)
        if len(heard) % 2:
            return Receive(width=1)
        if high - low == 1:
            return SendEach(bits_at(xs, low), 1, f"bit {low + 1} of x")
        length = (low + high) // 2
        return SendEach(fingerprints(xs, length, public), t, f"inner products of the first {length} bits of x")

    @array_party
    def bob(ys: Any, heard: Any, public: int) -> Any:
        low, high, answer = _search(n, heard)
        if answer is not None:
            return AnswerEach(answer)
        if high - low == 1:
            return SendEach(heard[-1].bits[0] > bits_at(ys, low), 1, "x > y") if len(heard) % 2 else Receive(width=1)
        if len(heard) % 2 == 0:
            return Receive(width=t)
        same = fingerprints(ys, (low + high) // 2, public) == np.array(list(heard[-1].bits))
        return SendEach(same.all(axis=1), 1, "the same inner products")

    return Protocol(
        f"fingerprint_greater_than({n})",
        function,
        {"alice": alice, "bob": bob},
        cost=Cost("(t + 1) * L(n) + 2", {"n": n, "t": t}),
        error=Fraction(steps, 1 << t),
        public=Coins.bits(n * t),
        source="Kushilevitz and Nisan 1997, chapter 3",
    )


def _search(n: int, heard: Sequence[Received]) -> tuple[int, int, int | None]:
    """The first difference, if any, is at a place from low to high - 1; and the answer, once it was said."""
    low, high = 0, n
    for reply in heard[1::2]:
        if high - low == 1:
            return low, high, reply.bits[0]
        middle = (low + high) // 2
        low, high = (middle, high) if reply.bits[0] else (low, middle)
    return low, high, None


@dataclass(frozen=True)
class ReedSolomonSquare:
    """A Reed-Solomon code whose code words are written into a square.

    A string of n bits is cut into blocks of b = ``block`` bits, from its end: coefficients of a polynomial over the
    field of q elements, q the smallest prime from 2^b on. The code word is its value at the points 0, ..., s^2 - 1, row
    by row in a square of ``side`` s; s^2 is at most q.
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

        Two polynomials of degree below m agree at most at m - 1 points. Some strings reach this: as q < 2^(b+1), any
        monic polynomial with m - 1 of the points as its zeros is a difference of messages.
        """
        return Fraction(self.coefficients - 1, self.side**2)

    @property
    def bits(self) -> int:
        """The bits of a row or column with its number."""
        return width_of(self.side) + self.side * width_of(self.field)

    @classmethod
    def smallest(cls, n: int, block: int, error: Fraction) -> ReedSolomonSquare | None:
        """The smallest square with this block whose agreement is at most ``error``; None if the field is too small."""
        points = max(1, ceil((-(-n // block) - 1) / error))
        square = cls(n, block, isqrt(points - 1) + 1)
        return square if square.side**2 <= square.field else None

    @classmethod
    def usual(cls, n: int, error: Fraction) -> ReedSolomonSquare:
        """The square with the smallest block from L(n) bits whose field is large enough (one block always is)."""
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


def simultaneous_equality(n: int, error: Fraction | float = Fraction(1, 3)) -> Protocol:
    """EQ_n with private coins and a referee: a random row of x's code word against a random column of y's.

    Both strings are encoded by the same Reed-Solomon code, written into a square of side s over the field of q
    elements. Alice sends the number of a random row and its s symbols, Bob the same for a column, and the referee, who
    alone knows the answer, compares the symbols where they cross. Equal strings are always called equal; different ones
    with probability exactly (m - 1) / s^2 at worst, at most ``error``, where m is the number of blocks of n bits.

    Cost: exactly 2 (L(s) + s L(q)) bits in two messages: for the smallest block length from L(n) on whose field is
    large enough, and a constant error, O(sqrt(n log n)) bits. A code of constant rate and distance
    saves the logarithm (Ambainis 1996), and Omega(sqrt n) bits are needed (Newman and Szegedy 1996; Babai and Kimmel
    1997).

    >>> measured = simultaneous_equality(3).measure_error()
    >>> measured.worst_error, measured.worst_bits
    (Fraction(1, 4), 14)
    """
    function, error = equality(n), require_error("error", error)
    square = ReedSolomonSquare.usual(n, error)
    side, field, along = square.side, square.field, np.arange(square.side)
    number_width, symbol_width = width_of(side), width_of(field)

    def message(numbers: Any, chosen: Any, points: Any, label: str) -> SendEach:
        header = bit_rows(chosen[:, None], number_width)
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
        readers = [message.bits.reader() for message in heard]
        row, column = (reader.unsigned(number_width) for reader in readers)
        xs, ys = ([reader.unsigned(symbol_width) for _ in range(side)] for reader in readers)
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
