"""What one party can hold: finite sets of inputs, as values for people and as arrays for the engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.bits import Bits
from ccsim.errors import InputError
from ccsim.plain_data import counted

NUMBER_BITS = 62  # bit strings up to this length are handled as int64 numbers, longer ones as Python integers


class InputSet(ABC):
    """A finite, ordered set of inputs.

    Every input has an index from 0 to ``size`` - 1, a value (hashable, what a generator party is given)
    and a row of an array (what an array party and a function's evaluation are given).
    """

    @property
    @abstractmethod
    def size(self) -> int:
        """How many inputs there are; may be far beyond what fits in memory."""

    @abstractmethod
    def value(self, index: int) -> Any:
        """The input with this index, as a hashable value."""

    @abstractmethod
    def index(self, value: Hashable) -> int:
        """The index of an input; an :class:`~ccsim.errors.InputError` if it is not in the set."""

    @abstractmethod
    def array(self, indices: Array) -> Array:
        """The inputs with these indices, one per row of an array."""

    @abstractmethod
    def places(self, rows: Array) -> Array:
        """The indices of inputs given as rows: the inverse of :meth:`array`."""

    @abstractmethod
    def describe(self) -> str:
        """What the inputs are, in words, for an error message."""

    def parse(self, text: str) -> Any:
        """The input that a person wrote as text."""
        for index in range(min(self.size, 1 << 20)):
            if self.show(self.value(index)) == text:
                return self.value(index)
        raise InputError("input", text, self.describe())

    def show(self, value: Any) -> str:
        """One input as text, as :meth:`parse` reads it."""
        return str(value)

    def indices(self) -> Array:
        """All indices, in order."""
        return np.arange(self.size)

    def __iter__(self) -> Iterator[Any]:
        return map(self.value, range(self.size))

    def __contains__(self, value: Hashable) -> bool:
        try:
            self.index(value)
        except InputError:
            return False
        return True

    def _check(self, index: int) -> int:
        if not 0 <= index < self.size:
            raise InputError("index", index, f"from 0 to {self.size - 1}")
        return int(index)


@dataclass(frozen=True)
class BitStrings(InputSet):
    """All bit strings of one length: values are :class:`~ccsim.bits.Bits`, array rows are numbers.

    The first bit is the most significant one of the number. Up to 62 bits the numbers are int64; beyond
    that they are Python integers in an object array: slow, but exact, for single runs.

    >>> BitStrings(3).value(6), BitStrings(3).index(Bits("110"))
    (Bits('110'), 6)
    """

    length: int

    def __post_init__(self) -> None:
        if self.length < 0:
            raise InputError("length", self.length, "at least 0 bits")

    @property
    def size(self) -> int:
        """2 to the length."""
        return 1 << self.length

    def value(self, index: int) -> Bits:
        """The bit string that writes ``index``."""
        return Bits.unsigned(self._check(index), self.length)

    def index(self, value: Hashable) -> int:
        """The number that a bit string (or a text of 0 and 1) writes."""
        if isinstance(value, str):
            value = self.parse(value)
        if not isinstance(value, Bits) or len(value) != self.length:
            raise InputError("input", value, self.describe())
        return value.to_unsigned()

    def array(self, indices: Array) -> Array:
        """The numbers themselves."""
        return np.asarray(indices, dtype=np.int64 if self.length <= NUMBER_BITS else object)

    def places(self, rows: Array) -> Array:
        """The numbers themselves."""
        return rows

    def parse(self, text: str) -> Bits:
        """A text of 0 and 1 of the right length."""
        if len(text) != self.length or set(text) - set("01"):
            raise InputError("input", text, self.describe())
        return Bits(text)

    def describe(self) -> str:
        """In words."""
        return f"a string of exactly {counted(self.length, 'bit')}"


@dataclass(frozen=True)
class Integers(InputSet):
    """The integers ``low``, ..., ``low + size - 1``.

    >>> list(Integers(3, low=1))
    [1, 2, 3]
    """

    count: int
    low: int = 0

    def __post_init__(self) -> None:
        if self.count < 1:
            raise InputError("count", self.count, "at least 1 integer")

    @property
    def size(self) -> int:
        """How many integers there are."""
        return self.count

    def value(self, index: int) -> int:
        """The integer at this place."""
        return self.low + self._check(index)

    def index(self, value: Hashable) -> int:
        """The place of an integer."""
        if not isinstance(value, (int, np.integer)) or not self.low <= value < self.low + self.count:
            raise InputError("input", value, self.describe())
        return int(value) - self.low

    def array(self, indices: Array) -> Array:
        """The integers."""
        return np.asarray(indices, dtype=np.int64) + self.low

    def places(self, rows: Array) -> Array:
        """Counted from the lowest."""
        return np.asarray(rows - self.low)

    def parse(self, text: str) -> int:
        """A decimal integer of the set."""
        try:
            return self.value(self.index(int(text)))
        except ValueError as error:
            raise InputError("input", text, self.describe()) from error

    def describe(self) -> str:
        """In words."""
        return f"an integer from {self.low} to {self.low + self.count - 1}"


def sample(values: Sequence[Hashable]) -> str:
    """The first few values, for a message."""
    shown = ", ".join(repr(value) for value in values[:8])
    return shown + (f", ... ({len(values)} in all)" if len(values) > 8 else "")
