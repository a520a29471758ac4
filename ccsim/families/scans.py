"""Words read from one end, from landmark to landmark: what a few places and counts say about an element of a monoid.

A *scan* knows a set of elements, one of which is that of the part that was read. A letter *stays* if it leaves every
known element in its class (R-class from the left, L-class from the right: Green 1951). The next *landmark* is the first
letter that does not stay; what stands before it is a *gap* of letters that stay, of which is said only how often each
comes, modulo a number that every subgroup's orders divide. A landmark and a gap determine the set that is known next.
Whether every word has boundedly many landmarks is seen from which sets may follow which (:attr:`Scan.questions`).
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import lazy_loader as lazy

from ccsim.arrays import Array
from ccsim.families.monoid import Monoid
from ccsim.models.reachability import reached

networkx = lazy.load("networkx")

MOST_SETS = 2_000
MOST_COUNTED = 50_000
Counts = tuple[int, ...]
Known = frozenset[int]


class SearchTooLargeError(Exception):
    """A search would be too large."""


def modulus_of(monoid: Monoid) -> int:
    """A number that the order of every element of every subgroup divides."""
    return math.lcm(*(_order(monoid, element) for element in range(monoid.size)))


def _order(monoid: Monoid, element: int) -> int:
    """The order of an element times its idempotent power, in a group."""
    start = monoid.times(element, int(monoid.omega[element]))
    power, order = monoid.times(start, element), 1
    while power != start:
        power, order = monoid.times(power, element), order + 1
    return order


def plus(first: Counts, second: Counts, modulus: int) -> Counts:
    """The sum of counts of letters."""
    return tuple((a + b) % modulus for a, b in zip(first, second, strict=True))


@dataclass(frozen=True, eq=False)
class Scan:
    """The reading of words from one end.

    Attributes:
        table: ``table[a][b]``, the product of what was read before, and after.
        generators: the element of each letter.
        classes: the number of each element's class.
        modulus: what counts are taken by.
    """

    table: list[list[int]] = field(repr=False)
    generators: tuple[int, ...]
    classes: tuple[int, ...] = field(repr=False)
    modulus: int
    _gaps: dict[tuple[int, ...], dict[Counts, Known]] = field(default_factory=dict, repr=False)

    start = frozenset({0})

    @classmethod
    def of(cls, monoid: Monoid, end: str | None) -> Scan:
        """The scan from the ``"left"`` or ``"right"`` end; of None, which looks at no letter: all stay."""
        table: Array = monoid.table.T if end == "right" else monoid.table
        found = {"left": monoid.r_classes, "right": monoid.l_classes, None: [list(range(monoid.size))]}[end]
        number = {element: place for place, elements in enumerate(found) for element in elements}
        classes = tuple(number[element] for element in range(monoid.size))
        return cls(table.tolist(), monoid.generators, classes, modulus_of(monoid))

    @property
    def letters(self) -> int:
        """How many letters there are."""
        return len(self.generators)

    @property
    def none(self) -> Counts:
        """No letter at all."""
        return (0,) * self.letters

    def one(self, letter: int) -> Counts:
        """A single letter, counted."""
        return tuple(int(place == letter) % self.modulus for place in range(self.letters))

    def stays(self, known: Known) -> tuple[int, ...]:
        """The letters that leave each known element in its class."""
        return tuple(
            letter
            for letter, element in enumerate(self.generators)
            if all(self.classes[self.table[x][element]] == self.classes[x] for x in known)
        )

    def gaps(self, letters: tuple[int, ...]) -> dict[Counts, Known]:
        """The elements of all words of some letters, by the counts of the letters."""
        if letters not in self._gaps:
            self._gaps[letters] = self._closed(letters)
        return self._gaps[letters]

    def _closed(self, letters: tuple[int, ...]) -> dict[Counts, Known]:
        if len(self.table) * self.modulus ** len(letters) > MOST_COUNTED:
            raise SearchTooLargeError

        def follow(read: tuple[int, Counts]) -> Iterator[tuple[int, Counts]]:
            for letter in letters:
                yield self.table[read[0]][self.generators[letter]], plus(read[1], self.one(letter), self.modulus)

        found: dict[Counts, set[int]] = defaultdict(set)
        for element, counts in reached([(0, self.none)], follow)[0]:
            found[counts].add(element)
        return {counts: frozenset(elements) for counts, elements in found.items()}

    def times(self, known: Known, more: Known) -> Known:
        """All products."""
        return frozenset(self.table[a][b] for a, b in itertools.product(known, more))

    def after(self, known: Known, counts: Counts, letter: int) -> Known:
        """What is known after a gap and a landmark."""
        gap = self.gaps(self.stays(known))[counts]
        return self.times(self.times(known, gap), frozenset({self.generators[letter]}))

    @cached_property
    def steps(self) -> dict[Known, list[tuple[Counts, int, Known]]]:
        """For each set that may be known the gaps and landmarks that may come, and what is known then.

        Raises :class:`SearchTooLargeError` if there are too many of them.
        """
        found: dict[Known, list[tuple[Counts, int, Known]]] = {}

        def follow(known: Known) -> list[Known]:
            stays = self.stays(known)
            landmarks = [letter for letter in range(self.letters) if letter not in stays]
            found[known] = [
                (counts, letter, self.after(known, counts, letter))
                for counts in (self.gaps(stays) if landmarks else ())
                for letter in landmarks
            ]
            return [after for _, _, after in found[known]]

        if len(reached([self.start], follow, MOST_SETS)[0]) > MOST_SETS:
            raise SearchTooLargeError
        return found

    @cached_property
    def questions(self) -> int | None:
        """How often parties must look for a landmark at most; None if no number is enough for every word."""
        graph = networkx.DiGraph()
        graph.add_nodes_from(self.steps)
        graph.add_edges_from((known, after) for known, steps in self.steps.items() for _, _, after in steps)
        if not networkx.is_directed_acyclic_graph(graph):
            return None
        most: dict[Known, int] = {}
        for known in reversed(list(networkx.topological_sort(graph))):
            if self.steps[known]:
                most[known] = 1 + max(most[after] for _, _, after in self.steps[known])
            else:
                most[known] = 0
        return most[self.start]
