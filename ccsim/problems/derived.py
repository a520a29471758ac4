"""Input sets made from others: tuples of inputs, and some of the inputs."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.problems.inputs import InputSet


@dataclass(frozen=True)
class Pairs(InputSet):
    """Tuples with one input from each of several sets (a direct sum); array rows are indices.

    >>> from ccsim.problems import BitStrings, Integers
    >>> Pairs((BitStrings(1), Integers(3))).value(5)
    (Bits('1'), 2)
    """

    parts: tuple[InputSet, ...]

    @cached_property
    def size(self) -> int:
        """The product of the sizes."""
        return math.prod(part.size for part in self.parts)

    def split(self, indices: Array) -> list[Array]:
        """For each part, the index within it."""
        digits: list[Array] = []
        for part in reversed(self.parts):
            digits.append(np.asarray(indices % part.size))
            indices = np.asarray(indices // part.size)
        return digits[::-1]

    def value(self, index: int) -> tuple[Any, ...]:
        """One value from each part."""
        digits = self.split(np.array(self._check(index)))
        return tuple(part.value(int(digit)) for part, digit in zip(self.parts, digits, strict=True))

    def index(self, value: Hashable) -> int:
        """The index of a tuple of inputs."""
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
        """The indices themselves."""
        return rows

    def parse(self, text: str) -> Any:
        """The parts as text, separated by ``|``."""
        texts = text.split("|")
        if len(texts) != len(self.parts):
            raise InputError("input", text, self.describe())
        return tuple(part.parse(item) for part, item in zip(self.parts, texts, strict=True))

    def show(self, value: Any) -> str:
        """The parts as text, separated by ``|``."""
        return "|".join(part.show(item) for part, item in zip(self.parts, value, strict=True))

    def describe(self) -> str:
        """In words."""
        return "a tuple of " + ", ".join(part.describe() for part in self.parts)


class Restriction(InputSet):
    """Some of the inputs of another set, in a given order."""

    def __init__(self, whole: InputSet, chosen: Sequence[int]) -> None:
        if not chosen or len(set(chosen)) != len(chosen):
            raise InputError("inputs", chosen, "one or more inputs, all different")
        self.whole = whole
        self.chosen = np.array(chosen)

    @property
    def size(self) -> int:
        """How many are left."""
        return len(self.chosen)

    def value(self, index: int) -> Any:
        """The value of the chosen input at this place."""
        return self.whole.value(int(self.chosen[self._check(index)]))

    def index(self, value: Hashable) -> int:
        """The place of a value among the chosen ones."""
        place = np.flatnonzero(self.chosen == self.whole.index(value))
        if not len(place):
            raise InputError("input", value, self.describe())
        return int(place[0])

    def array(self, indices: Array) -> Array:
        """The rows of the chosen inputs."""
        return self.whole.array(self.chosen[indices])

    def places(self, rows: Array) -> Array:
        """Looked up among the chosen inputs."""
        order = np.argsort(self.chosen)
        return np.asarray(order[np.searchsorted(self.chosen, self.whole.places(rows), sorter=order)])

    def parse(self, text: str) -> Any:
        """As in the whole set, if it was chosen."""
        return self.value(self.index(self.whole.parse(text)))

    def show(self, value: Any) -> str:
        """As in the whole set."""
        return self.whole.show(value)

    def describe(self) -> str:
        """In words."""
        return f"one of {self.size} chosen inputs, each {self.whole.describe()}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Restriction):
            return NotImplemented
        return self.whole == other.whole and np.array_equal(self.chosen, other.chosen)

    def __hash__(self) -> int:
        return hash((self.whole, tuple(self.chosen.tolist())))

    def __repr__(self) -> str:
        return f"Restriction({self.whole!r}, {self.chosen.tolist()})"
