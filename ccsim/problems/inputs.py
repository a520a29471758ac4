"""Sets of inputs: bit strings, integers, pairs, listed values and sets, words; and array operations on their rows."""

from __future__ import annotations

import inspect
import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ccsim.bits import Bits
from ccsim.errors import Array, InputError, require_symbols
from ccsim.plain_data import counted

NUMBER_BITS = 62  # bit strings up to this length are handled as int64 numbers, longer ones as Python integers


class InputSet(ABC):
    """A finite, ordered set of inputs: each has an index from 0 on, a hashable value, and a row of an array.

    A generator party is given the value; an array party, and the evaluation of a function, are given rows.
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
    """All bit strings of one length: values are :class:`~ccsim.bits.Bits`, array rows are numbers, high bit first.

    Up to 62 bits the numbers are int64; beyond that they are Python integers in an object array.

    >>> BitStrings(3).value(6), BitStrings(3).index(Bits("110"))
    (Bits('110'), 6)
    """

    length: int

    def __post_init__(self) -> None:
        if self.length < 0:
            raise InputError("length", self.length, "at least 0 bits")

    @property
    def size(self) -> int:
        return 1 << self.length

    def value(self, index: int) -> Bits:
        return Bits.unsigned(self._check(index), self.length)

    def index(self, value: Hashable) -> int:
        """The number that a bit string (or a text of 0 and 1) writes."""
        if isinstance(value, str):
            value = self.parse(value)
        if not isinstance(value, Bits) or len(value) != self.length:
            raise InputError("input", value, self.describe())
        return value.to_unsigned()

    def array(self, indices: Array) -> Array:
        return np.asarray(indices, dtype=np.int64 if self.length <= NUMBER_BITS else object)

    def places(self, rows: Array) -> Array:
        return rows

    def parse(self, text: str) -> Bits:
        if len(text) != self.length or set(text) - set("01"):
            raise InputError("input", text, self.describe())
        return Bits(text)

    def describe(self) -> str:
        return f"a string of exactly {counted(self.length, 'bit')}"


@dataclass(frozen=True)
class Integers(InputSet):
    """The integers ``low``, ..., ``low + count - 1``.

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
        return self.count

    def value(self, index: int) -> int:
        return self.low + self._check(index)

    def index(self, value: Hashable) -> int:
        if not isinstance(value, (int, np.integer)) or not self.low <= value < self.low + self.count:
            raise InputError("input", value, self.describe())
        return int(value) - self.low

    def array(self, indices: Array) -> Array:
        return np.asarray(indices, dtype=np.int64) + self.low

    def places(self, rows: Array) -> Array:
        return np.asarray(rows - self.low)

    def parse(self, text: str) -> int:
        try:
            return self.value(self.index(int(text)))
        except ValueError as error:
            raise InputError("input", text, self.describe()) from error

    def describe(self) -> str:
        return f"an integer from {self.low} to {self.low + self.count - 1}"


def sample(values: Sequence[Hashable]) -> str:
    shown = ", ".join(repr(value) for value in values[:8])
    return shown + (f", ... ({len(values)} in all)" if len(values) > 8 else "")


@dataclass(frozen=True)
class Pairs(InputSet):
    """Tuples with one input from each of several sets (a direct sum); array rows are indices.

    Args:
        parts: the sets, one or more.

    >>> Pairs((BitStrings(1), Integers(3))).value(5)
    (Bits('1'), 2)
    """

    parts: tuple[InputSet, ...]

    @cached_property
    def size(self) -> int:
        return math.prod(part.size for part in self.parts)

    def split(self, indices: Array) -> list[Array]:
        """For each part, the index within it."""
        digits: list[Array] = []
        for part in reversed(self.parts):
            digits.append(np.asarray(indices % part.size))
            indices = np.asarray(indices // part.size)
        return digits[::-1]

    def value(self, index: int) -> tuple[Any, ...]:
        digits = self.split(np.array(self._check(index)))
        return tuple(part.value(int(digit)) for part, digit in zip(self.parts, digits, strict=True))

    def index(self, value: Hashable) -> int:
        if not isinstance(value, tuple) or len(value) != len(self.parts):
            raise InputError("input", value, self.describe())
        index = 0
        for part, item in zip(self.parts, value, strict=True):
            index = index * part.size + part.index(item)
        return index

    def array(self, indices: Array) -> Array:
        """The indices themselves; :meth:`split` takes them apart."""
        return np.asarray(indices)

    def places(self, rows: Array) -> Array:
        return rows

    def parse(self, text: str) -> Any:
        """The parts as text, separated by ``|``."""
        texts = text.split("|")
        if len(texts) != len(self.parts):
            raise InputError("input", text, self.describe())
        return tuple(part.parse(item) for part, item in zip(self.parts, texts, strict=True))

    def show(self, value: Any) -> str:
        return "|".join(part.show(item) for part, item in zip(self.parts, value, strict=True))

    def describe(self) -> str:
        return "a tuple of " + ", ".join(part.describe() for part in self.parts)


class Listed(InputSet):
    """Inputs given one by one; array rows are the values themselves, or rows that are given with them.

    >>> Listed(["north", "south"]).index("south")
    1
    """

    def __init__(self, values: Iterable[Hashable], rows: Array | None = None) -> None:
        self.values = tuple(values)
        self._places = {value: place for place, value in enumerate(self.values)}
        if not self.values or len(self._places) != len(self.values):
            raise InputError("values", self.values, "one or more inputs, all different")
        if rows is None:
            rows = np.empty(len(self.values), dtype=object)
            rows[:] = self.values
        if len(rows) != len(self.values):
            raise InputError("rows", rows.shape, f"one row for each of {len(self.values)} values")
        self.rows = rows

    @property
    def size(self) -> int:
        return len(self.values)

    def value(self, index: int) -> Hashable:
        return self.values[self._check(index)]

    def index(self, value: Hashable) -> int:
        if not isinstance(value, Hashable) or value not in self._places:
            raise InputError("input", value, self.describe())
        return self._places[value]

    def array(self, indices: Array) -> Array:
        return self.rows[np.asarray(indices, dtype=np.int64)]

    def places(self, rows: Array) -> Array:
        """Looked up among the given rows, which must be values or numbers."""
        place_of = {row: place for place, row in enumerate(self.rows.tolist())}
        return np.array([place_of[row] for row in rows.tolist()], dtype=np.int64)

    def describe(self) -> str:
        return f"one of {sample(self.values)}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Listed):
            return NotImplemented
        return type(self) is type(other) and self.values == other.values

    def __hash__(self) -> int:
        return hash((type(self), self.values))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({sample(self.values)})"


class Restriction(Listed):
    """Some of the inputs of another set, in a given order; array rows are those of the whole set.

    Args:
        whole: the other set.
        chosen: places in it, one or more, all different.
    """

    def __init__(self, whole: InputSet, chosen: Sequence[int]) -> None:
        self.whole, self.chosen = whole, np.array(chosen)
        if not chosen or len(set(chosen)) != len(chosen):
            raise InputError("inputs", chosen, "one or more inputs, all different")
        super().__init__(map(whole.value, chosen), whole.array(self.chosen))

    def index(self, value: Hashable) -> int:
        """The place of a value among the chosen ones, if it is in the whole set."""
        return super().index(self.whole.value(self.whole.index(value)))

    def places(self, rows: Array) -> Array:
        order = np.argsort(self.chosen)
        return np.asarray(order[np.searchsorted(self.chosen, self.whole.places(rows), sorter=order)])

    def parse(self, text: str) -> Any:
        return self.value(self.index(self.whole.parse(text)))

    def show(self, value: Any) -> str:
        return self.whole.show(value)

    def describe(self) -> str:
        return f"one of {self.size} chosen inputs, each {self.whole.describe()}"

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) and self.whole == getattr(other, "whole", None)

    def __hash__(self) -> int:
        return super().__hash__()


class ListedSets(Listed):
    """Some sets: values are frozen sets, array rows are masks whose bit ``i`` is the i-th element of the ground set."""

    def __init__(self, elements: Iterable[Hashable], sets: Iterable[Iterable[Hashable]]) -> None:
        self.elements = require_symbols("elements", elements)
        try:
            values = tuple(map(frozenset, sets))
        except TypeError as error:
            raise InputError("sets", sets, f"sets of elements among {sample(self.elements)}") from error
        bit = {element: 1 << place for place, element in enumerate(self.elements)}
        outside = next((value for value in values if not bit.keys() >= value), None)
        if outside is not None:
            raise InputError("sets", outside, f"a set of elements among {sample(self.elements)}")
        super().__init__(values, np.array([sum(bit[element] for element in value) for value in values]))

    def index(self, value: Hashable | set[Any]) -> int:
        return super().index(frozenset(value) if isinstance(value, set) else value)

    def parse(self, text: str) -> Any:
        names = {str(element): element for element in self.elements}
        try:
            return self.value(self.index({names[token] for token in text.strip("{}").replace(",", " ").split()}))
        except KeyError as error:
            raise InputError("input", text, self.describe()) from error

    def show(self, value: Any) -> str:
        return "{" + ",".join(str(element) for element in self.elements if element in value) + "}"


class Subsets(ListedSets):
    """Subsets of {0, ..., ground - 1}, at most 62 elements, of allowed sizes; bit ``e`` of a row is element ``e``.

    >>> Subsets(4, sizes=[2]).size, sorted(Subsets(3, sizes=[2]).value(0))
    (6, [0, 1])
    """

    def __init__(self, ground: int, sizes: Iterable[int]) -> None:
        sizes = sorted(set(sizes))
        if not 1 <= ground <= NUMBER_BITS or not sizes or not 0 <= sizes[0] <= sizes[-1] <= ground:
            raise InputError("ground, sizes", (ground, sizes), f"1 <= ground <= {NUMBER_BITS}, sizes up to it")
        count = sum(math.comb(ground, size) for size in sizes)
        if count > 1 << 22:
            raise InputError("ground, sizes", (ground, sizes), f"at most 2^22 subsets to list, not {count}")
        members = [c for size in sizes for c in itertools.combinations(range(ground), size)]
        super().__init__(range(ground), members)
        self.ground, self.sizes = ground, tuple(sizes)

    def describe(self) -> str:
        sizes = " or ".join(map(str, self.sizes))
        return f"a subset of 0..{self.ground - 1} with {sizes} elements"


@dataclass(frozen=True)
class Words(InputSet):
    """All words with a given set of symbols at each position.

    Values are strings if every symbol is a single character, else tuples of symbols. Array rows hold, for each
    position, the symbol's place in :attr:`alphabet`, the symbols of all positions in order of first appearance. The
    first position is the most significant one of the index.

    >>> words = Words.over("ab", 2)
    >>> list(words), words.array(np.array([2])).tolist()
    (['aa', 'ab', 'ba', 'bb'], [[1, 0]])
    """

    positions: tuple[tuple[Hashable, ...], ...]

    @classmethod
    def over(cls, alphabet: Iterable[Hashable], length: int) -> Words:
        """All words of one length over one alphabet."""
        return cls((require_symbols("alphabet", alphabet),) * length)

    def __post_init__(self) -> None:
        object.__setattr__(self, "positions", tuple(map(tuple, self.positions)))
        for symbols in set(self.positions):
            if not symbols or len(set(symbols)) != len(symbols):
                raise InputError("positions", symbols, "at each position one or more symbols, all different")

    @cached_property
    def alphabet(self) -> tuple[Hashable, ...]:
        """Every symbol of some position, in order of first appearance."""
        return tuple(dict.fromkeys(itertools.chain.from_iterable(self.positions)))

    @cached_property
    def is_text(self) -> bool:
        """Whether words are written as strings: every symbol is a single character."""
        return all(isinstance(symbol, str) and len(symbol) == 1 for symbol in self.alphabet)

    @cached_property
    def size(self) -> int:
        return math.prod(len(symbols) for symbols in self.positions)

    @cached_property
    def choices(self) -> list[Array]:
        """For each position, the alphabet rank of each of its symbols."""
        ranks = {symbol: rank for rank, symbol in enumerate(self.alphabet)}
        return [np.array([ranks[symbol] for symbol in symbols]) for symbols in self.positions]

    def value(self, index: int) -> Any:
        index = self._check(index)
        symbols: list[Hashable] = []
        for choices in reversed(self.positions):
            index, digit = divmod(index, len(choices))
            symbols.append(choices[digit])
        return self.word(reversed(symbols))

    def word(self, symbols: Iterable[Any]) -> Any:
        """These symbols as a value: a string if all symbols are characters, else a tuple."""
        return "".join(symbols) if self.is_text else tuple(symbols)

    def index(self, value: Hashable) -> int:
        """The index of a word; the error names the first position that does not fit."""
        index = 0
        for choices, digit in zip(self.positions, self._places_of(value), strict=True):
            index = index * len(choices) + digit
        return index

    def ranks(self, value: Hashable) -> Array:
        """The row of one word, as in :meth:`array`, without its index, which may be a long number; the same errors."""
        places = self._places_of(value)
        return np.array([digits[place] for digits, place in zip(self.choices, places, strict=True)], dtype=self.kind)

    def _places_of(self, value: Hashable) -> list[int]:
        if not isinstance(value, Sequence):
            raise InputError("word", value, self.describe())
        if len(value) != len(self.positions):
            raise InputError("word", value, f"{counted(len(self.positions), 'symbol')}, not {len(value)}")
        places = []
        for position, (symbol, choices) in enumerate(zip(value, self.positions, strict=True)):
            if symbol not in choices:
                expected = f"at position {position + 1} one of {sample(choices)}, not {symbol!r}"
                raise InputError("word", value, expected)
            places.append(choices.index(symbol))
        return places

    @property
    def kind(self) -> type:
        """What ranks are kept in."""
        return np.uint8 if len(self.alphabet) <= 256 else np.int32

    def numbered(self, symbols: Iterable[Hashable]) -> Array:
        """For each rank in the alphabet, the place of its symbol among these; 0 where it is none of them."""
        place = {symbol: number for number, symbol in enumerate(symbols)}
        return np.array([place.get(symbol, 0) for symbol in self.alphabet], dtype=np.int64)

    def array(self, indices: Array) -> Array:
        """One row per word, one column per position: ranks in the alphabet."""
        rest = np.asarray(indices)
        ranks: Array = np.empty((len(rest), len(self.positions)), dtype=self.kind)
        for position in range(len(self.positions) - 1, -1, -1):
            choices = len(self.positions[position])
            rest, digits = rest // choices, np.asarray(rest % choices)
            ranks[:, position] = self.choices[position][digits.astype(np.int64)]
        return ranks

    def places(self, rows: Array) -> Array:
        places = np.zeros(rows.shape[:-1], dtype=np.int64 if self.size <= 1 << NUMBER_BITS else object)
        for position, symbols in enumerate(self.positions):
            digit_of = np.zeros(len(self.alphabet), dtype=np.int64)
            digit_of[self.choices[position]] = np.arange(len(symbols))
            places = places * len(symbols) + digit_of[rows[..., position]]
        return places

    def parse(self, text: str) -> Any:
        """A word as text: its characters, or its symbols separated by spaces or commas."""
        if self.is_text:
            return self.value(self.index(text))
        by_name = {str(symbol): symbol for symbol in self.alphabet}
        return self.value(self.index(tuple(by_name.get(token, token) for token in text.replace(",", " ").split())))

    def show(self, value: Any) -> str:
        return str(value) if self.is_text else " ".join(map(str, value))

    def describe(self) -> str:
        return f"a word of {counted(len(self.positions), 'symbol')} from {sample(self.alphabet)}"


_object_popcount = np.frompyfunc(int.bit_count, 1, 1)


def popcount(numbers: Array) -> Array:
    """How many bits are 1, of each non-negative number (int64, or Python integers in an object array)."""
    count = _object_popcount(numbers) if numbers.dtype == object else np.bitwise_count(numbers)
    return np.asarray(count, dtype=np.int64)


def select(rows: Array, places: Array) -> Array:
    """From each row (the last axis), the entry at one place; the other axes broadcast."""
    shape = np.broadcast_shapes(rows.shape[:-1], places.shape)
    wide = np.broadcast_to(rows, (*shape, rows.shape[-1]))
    return np.take_along_axis(wide, np.broadcast_to(places, shape)[..., None], axis=-1)[..., 0]


def part_rows(pairs: Pairs, indices: Array) -> list[Array]:
    """For each part of a set of tuples, the array rows of these inputs, in the shape of the indices."""
    rows = []
    for part, digits in zip(pairs.parts, pairs.split(indices), strict=True):
        flat = part.array(digits.ravel())
        rows.append(flat.reshape(indices.shape + flat.shape[1:]))
    return rows


KINDS: dict[str, Callable[[int], InputSet]] = {
    "integers": lambda n: Integers(1 << n),
    "bits": BitStrings,
    "strings": lambda n: Words.over("01", n),
}
"""The inputs of n bits, by the name of their kind."""
ANNOTATED: dict[Any, str] = {int: "integers", Bits: "bits", str: "strings", np.ndarray: "integers"}


def parameters_of(rule: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        signature = inspect.signature(rule, eval_str=True)
    except NameError:  # an annotation that is known to type checkers only
        signature = inspect.signature(rule)
    return list(signature.parameters.values())


def kind_of(annotation: Any) -> str:
    if annotation is inspect.Parameter.empty:
        return "integers"
    name = annotation.rpartition(".")[2] if isinstance(annotation, str) else None  # of what type checkers alone know
    kind = next((kind for known, kind in ANNOTATED.items() if annotation is known or name == known.__name__), None)
    if kind is None:
        raise InputError("annotation", annotation, "int, Bits, str or numpy.ndarray for an input, or inputs=...")
    return kind
