"""Bit strings: what a channel carries and what bit-string inputs are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import SupportsIndex, overload

from ccsim.errors import InputError
from ccsim.plain_data import counted


class Bits(Sequence[int]):
    """An immutable, hashable string of bits; bit 0 is the leftmost and most significant.

    Made from text (``Bits("0110")``), from any iterable of 0 and 1, or by one of the field constructors, each of which
    has an exact inverse: :meth:`unsigned`/:meth:`to_unsigned`, and :meth:`gamma` (read back by a :class:`BitReader`).

    >>> message = Bits.unsigned(5, 4) + Bits("1")
    >>> str(message), len(message), int(message), message[1:3], Bits.gamma(5)
    ('01011', 5, 11, Bits('10'), Bits('00101'))
    """

    __slots__ = ("_length", "_number")
    _length: int
    _number: int

    def __init__(self, bits: str | Iterable[int] = "") -> None:
        try:
            digits: Sequence[str | int] = bits if isinstance(bits, (str, list, tuple)) else list(bits)
        except TypeError:
            expected = "a string of 0 and 1, or an iterable of the integers 0 and 1 (a number: Bits.unsigned(5, 3))"
            raise InputError("bits", bits, expected) from None
        if not isinstance(digits, str):
            digits = "".join("1" if one in (1, "1") else "0" if one in (0, "0") else "?" for one in digits)
        if set(digits) - {"0", "1"}:
            raise InputError("bits", bits, "a string of 0 and 1, or an iterable of the integers 0 and 1")
        number = int(digits or "0", 2)
        _set_number(self, number)
        _set_length(self, len(digits))

    @classmethod
    def _make(cls, number: int, length: int) -> Bits:
        made = cls.__new__(cls)
        _set_number(made, number)
        _set_length(made, length)
        return made

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Bits are immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"Bits are immutable: cannot delete {name!r}")

    def __reduce__(self) -> tuple[object, ...]:
        return (Bits, (str(self),))

    # Fields

    @classmethod
    def unsigned(cls, value: int, width: int) -> Bits:
        """The integer ``value`` in exactly ``width`` bits, most significant first; an error if it does not fit."""
        value, width = _integer("value", value), _integer("width", width)
        if width < 0:
            raise InputError("width", width, "at least 0 bits")
        if value < 0 or value.bit_length() > width:
            raise InputError("value", value, f"an integer from 0 to 2^{width} - 1, to fit in {counted(width, 'bit')}")
        return cls._make(value, width)

    def to_unsigned(self) -> int:
        """The integer that these bits write, most significant first (0 for no bits); so does ``int(bits)``."""
        return self._number

    __int__ = to_unsigned

    @classmethod
    def gamma(cls, value: int) -> Bits:
        """The Elias gamma code of ``value`` >= 1: 2 floor(log2 value) + 1 bits (Elias 1975)."""
        value = _integer("value", value)
        if value < 1:
            raise InputError("value", value, "an integer of at least 1")
        return cls._make(value, 2 * value.bit_length() - 1)

    @classmethod
    def join(cls, parts: Iterable[Bits]) -> Bits:
        """All ``parts`` one after the other."""
        return cls("".join(str(part) for part in parts))

    def reader(self) -> BitReader:
        """A :class:`BitReader` that takes fields from the front."""
        return BitReader(self)

    def starts_with(self, prefix: Bits) -> bool:
        """Whether ``prefix`` is a prefix of these bits (any string is a prefix of itself)."""
        return len(prefix) <= self._length and self._number >> (self._length - len(prefix)) == prefix._number

    # The wire

    def to_bytes(self) -> bytes:
        """The bits packed eight to a byte, the last byte filled up with zeros on the right."""
        size = -(-self._length // 8)
        return (self._number << (8 * size - self._length)).to_bytes(size, "big")

    @classmethod
    def from_bytes(cls, data: bytes, length: int) -> Bits:
        """The first ``length`` bits of ``data``: the inverse of :meth:`to_bytes`."""
        if length < 0 or not 8 * (len(data) - 1) < length <= 8 * len(data):
            raise InputError("length", length, f"a number of bits that takes exactly {len(data)} bytes")
        return cls._make(int.from_bytes(data, "big") >> (8 * len(data) - length), length)

    # A sequence of 0 and 1

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, position: int) -> int: ...
    @overload
    def __getitem__(self, position: slice) -> Bits: ...
    def __getitem__(self, position: int | slice) -> int | Bits:
        if isinstance(position, slice):
            start, stop, step = position.indices(self._length)
            if step == 1:
                width = max(stop - start, 0)
                return Bits._make((self._number >> (self._length - start - width)) & ((1 << width) - 1), width)
            return Bits(str(self)[position])
        if not -self._length <= position < self._length:
            raise IndexError(f"bit {position} of a string of {counted(self._length, 'bit')}")
        return (self._number >> (self._length - 1 - position % self._length)) & 1

    def __iter__(self) -> Iterator[int]:
        return map(int, str(self))

    def __add__(self, other: Bits) -> Bits:
        if not isinstance(other, Bits):
            return NotImplemented
        return Bits._make((self._number << other._length) | other._number, self._length + other._length)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bits):
            return NotImplemented
        return (self._length, self._number) == (other._length, other._number)

    def __lt__(self, other: Bits) -> bool:
        return str(self) < str(other)

    def __hash__(self) -> int:
        return hash((Bits, self._length, self._number))

    def __str__(self) -> str:
        return format(self._number, f"0{self._length}b") if self._length else ""

    def __repr__(self) -> str:
        return f"Bits({str(self)!r})"


def _integer(argument: str, value: object) -> int:
    if type(value) is int:  # the protocol check below is slow, and this is the common case
        return value
    if not isinstance(value, SupportsIndex):
        raise InputError(argument, value, "an integer")
    return value.__index__()


# Bits forbid assignment; their own constructors write to the slots directly.
_set_number = Bits.__dict__["_number"].__set__
_set_length = Bits.__dict__["_length"].__set__


class BitReader:
    """Takes fields from the front of a bit string; a field that is not there is an error.

    Args:
        bits: what is read, from the left.

    >>> reader = (Bits.gamma(3) + Bits.unsigned(9, 4)).reader()
    >>> reader.gamma(), reader.unsigned(4), reader.remaining
    (3, 9, 0)
    """

    def __init__(self, bits: Bits) -> None:
        self._bits = bits
        self._position = 0

    @property
    def remaining(self) -> int:
        """How many bits have not been read."""
        return len(self._bits) - self._position

    def read(self, width: int) -> Bits:
        """The next ``width`` bits as they are."""
        if width < 0 or width > self.remaining:
            raise InputError("width", width, f"from 0 to the {self.remaining} bits that are left")
        self._position += width
        return self._bits[self._position - width : self._position]

    def unsigned(self, width: int) -> int:
        """The next ``width`` bits as an integer."""
        return self.read(width).to_unsigned()

    def gamma(self) -> int:
        """The next integer in Elias gamma code."""
        zeros = 0
        while self.unsigned(1) == 0:
            zeros += 1
        return (1 << zeros) | self.unsigned(zeros)

    def finish(self) -> None:
        """Raise unless every bit has been read."""
        if self.remaining:
            raise InputError("bits", self._bits, f"{counted(self._position, 'bit')}, and nothing after the last field")
