"""Inputs that are listed one by one: any values, or subsets of a ground set."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.problems.inputs import NUMBER_BITS, InputSet, sample


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
        """How many inputs are listed."""
        return len(self.values)

    def value(self, index: int) -> Hashable:
        """The listed value at this place."""
        return self.values[self._check(index)]

    def index(self, value: Hashable) -> int:
        """The place of a value in the list."""
        if not isinstance(value, Hashable) or value not in self._places:
            raise InputError("input", value, self.describe())
        return self._places[value]

    def array(self, indices: Array) -> Array:
        """The given rows at these places."""
        return self.rows[np.asarray(indices, dtype=np.int64)]

    def places(self, rows: Array) -> Array:
        """Looked up among the given rows, which must be values or numbers."""
        place_of = {row: place for place, row in enumerate(self.rows.tolist())}
        return np.array([place_of[row] for row in rows.tolist()], dtype=np.int64)

    def describe(self) -> str:
        """In words."""
        return f"one of {sample(self.values)}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Listed):
            return NotImplemented
        return type(self) is type(other) and self.values == other.values

    def __hash__(self) -> int:
        return hash((type(self), self.values))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({sample(self.values)})"


class ListedSets(Listed):
    """Some sets of elements of a ground set: values are frozen sets, array rows are masks.

    Bit ``i`` of a mask stands for element number ``i`` in the order given.
    """

    def __init__(self, elements: Iterable[Hashable], sets: Iterable[Iterable[Hashable]]) -> None:
        self.elements, values = tuple(elements), tuple(map(frozenset, sets))
        bit = {element: 1 << place for place, element in enumerate(self.elements)}
        super().__init__(values, np.array([sum(bit[element] for element in value) for value in values]))

    def index(self, value: Hashable | set[Any]) -> int:
        """The place of a set, frozen or not."""
        return super().index(frozenset(value) if isinstance(value, set) else value)

    def parse(self, text: str) -> Any:
        """Elements separated by commas or spaces, with or without braces."""
        names = {str(element): element for element in self.elements}
        try:
            return self.value(self.index({names[token] for token in text.strip("{}").replace(",", " ").split()}))
        except KeyError as error:
            raise InputError("input", text, self.describe()) from error

    def show(self, value: Any) -> str:
        """Elements in their order, in braces."""
        return "{" + ",".join(str(element) for element in self.elements if element in value) + "}"


class Subsets(ListedSets):
    """Subsets of {0, ..., ground - 1} with an allowed number of elements.

    Values are frozen sets; array rows are numbers whose bit ``e`` says whether element ``e`` is in
    (``ground`` is at most 62).

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
        """In words."""
        sizes = " or ".join(map(str, self.sizes))
        return f"a subset of 0..{self.ground - 1} with {sizes} elements"
