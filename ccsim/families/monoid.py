"""Transition monoids of automata: products, idempotents, Green's relations, varieties, and the class of a language.

Of a minimal automaton with answers 0 and 1 this is the syntactic monoid of its language (Pin 1986; Green 1951). Monoids
may have n^n elements for n states; the class of a language is decided by pairs of states as well.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ccsim import lazy
from ccsim.errors import Array, InputError, require_integer
from ccsim.models.automata import Automaton
from ccsim.models.reachability import reached, shortest_words
from ccsim.models.regular_expressions import alphabet_text
from ccsim.plain_data import aligned

networkx = lazy.load("networkx")
scipy = lazy.load("scipy")

MOST_ELEMENTS = 2_000
MOST_FOLLOWED = 1 << 24  # pairs of states, times letters


@dataclass(frozen=True, eq=False)
class Monoid:
    """A finite monoid of maps of states, each with a shortest word that it comes from; element 0 is the identity.

    Attributes:
        generators: the element of each letter.
        maps: ``maps[element, state]``, the state after the element.
        words: for each element its word, as places of letters.
        table: ``table[a, b]``, the product: first a, then b.

    >>> from ccsim.models.regular_expressions import from_regular_expression
    >>> monoid = transition_monoid(from_regular_expression("(ab)*", "ab"))
    >>> monoid.size, monoid.is_commutative, monoid.is_aperiodic, [monoid.spelled(element) for element in range(6)]
    (6, False, True, ['1', 'a', 'b', 'aa', 'ab', 'ba'])
    """

    letters: tuple[Hashable, ...]
    generators: tuple[int, ...]
    maps: Array = field(repr=False)
    words: tuple[tuple[int, ...], ...] = field(repr=False)
    table: Array = field(repr=False)

    @property
    def size(self) -> int:
        """How many elements there are."""
        return len(self.words)

    def times(self, first: int, second: int) -> int:
        """A product."""
        return int(self.table[first, second])

    def acting(self, element: int, state: int) -> int:
        """The state after an element."""
        return int(self.maps[element, state])

    def blocks(self, length: int) -> list[int]:
        """The elements of all words of one length, the first letter most significant."""
        elements = [0]
        for _ in range(length):
            elements = [self.times(element, letter) for element, letter in itertools.product(elements, self.generators)]
        return elements

    def spelled(self, element: int) -> str:
        """An element's word; 1 for the identity."""
        return "".join(str(self.letters[place]) for place in self.words[element]) or "1"

    @cached_property
    def omega(self) -> Array:
        """For each element its power that is idempotent."""
        every = np.arange(self.size)
        power = every
        while (other := self.table[power, power] != power).any():
            power = np.where(other, self.table[power, every], power)
        return power

    @property
    def idempotents(self) -> list[int]:
        """The elements with e e = e."""
        return [element for element in range(self.size) if self.times(element, element) == element]

    @cached_property
    def r_classes(self) -> list[list[int]]:
        """The elements that generate the same right ideal, class by class."""
        return _components(self.table[:, list(self.generators)])

    @cached_property
    def l_classes(self) -> list[list[int]]:
        """The elements that generate the same left ideal, class by class."""
        return _components(self.table[list(self.generators), :].T)

    @cached_property
    def d_classes(self) -> list[list[int]]:
        """The elements that generate the same two-sided ideal (in a finite monoid D is J), class by class."""
        both = [self.table[:, list(self.generators)], self.table[list(self.generators), :].T]
        return _components(np.concatenate(both, axis=1))

    def _noncommuting(self, elements: Sequence[int]) -> tuple[int, int] | None:
        """Two of some elements that do not commute, or None."""
        table = self.table[np.ix_(elements, elements)]
        wrong = np.argwhere(table != table.T)
        return (elements[wrong[0][0]], elements[wrong[0][1]]) if len(wrong) else None

    @cached_property
    def letter_witness(self) -> tuple[int, int] | None:
        """The elements of two letters that do not commute, or None."""
        return self._noncommuting(self.generators)

    @property
    def is_commutative(self) -> bool:
        """Whether all elements commute: letters that do are enough."""
        return self.letter_witness is None

    @property
    def is_aperiodic(self) -> bool:
        """Whether there is no group but trivial ones in it: the language is star-free (Schützenberger 1965)."""
        return bool((self.table[self.omega, np.arange(self.size)] == self.omega).all())

    @property
    def is_group(self) -> bool:
        """Whether every element has an inverse."""
        return len(self.idempotents) == 1

    @property
    def is_j_trivial(self) -> bool:
        """Whether different elements generate different ideals: piecewise testable (Simon 1975)."""
        return len(self.d_classes) == self.size

    @cached_property
    def do_witness(self) -> tuple[int, int] | None:
        """Two elements x, y with (xy)^w (yx)^w (xy)^w other than (xy)^w, or None: then the monoid is in DO."""
        powers = self.omega[self.table]
        wrong = np.argwhere(self.table[self.table[powers, powers.T], powers] != powers)
        return (int(wrong[0][0]), int(wrong[0][1])) if len(wrong) else None

    @cached_property
    def group_witness(self) -> tuple[int, int] | None:
        """Two elements of one subgroup that do not commute, or None."""
        groups = map(self.maximal_group, self.idempotents)
        return next(filter(None, map(self._noncommuting, groups)), None)

    def maximal_group(self, idempotent: int) -> list[int]:
        """The largest subgroup with this identity."""
        left, right = self.table[idempotent], self.table[:, idempotent]
        own = (left == np.arange(self.size)) & (right == np.arange(self.size)) & (self.omega == idempotent)
        return [int(element) for element in np.flatnonzero(own)]

    def egg_boxes(self) -> str:
        """The egg-box picture: for each D-class its R-classes as rows, its L-classes as columns; ``*`` marks a group.

        >>> from ccsim.models.regular_expressions import from_regular_expression
        >>> print(transition_monoid(from_regular_expression("(ab)*", "ab")).egg_boxes())
        | 1* |
        <BLANKLINE>
        | ab* | a   |
        | b   | ba* |
        <BLANKLINE>
        | aa* |
        """
        return "\n\n".join("\n".join(f"| {row} |" for row in aligned(cells, " | ")) for cells in self.egg_box_cells)

    @property
    def egg_box_cells(self) -> list[list[list[str]]]:
        """For each D-class its rows of cells; a cell has its elements as words, with ``*`` at an idempotent."""
        return [self._cells(set(elements)) for elements in self.d_classes]

    def _cells(self, inside: set[int]) -> list[list[str]]:
        idempotents = set(self.idempotents)
        first = min(idempotents & inside, default=min(inside))  # its row and column come first
        rows, columns = (
            sorted(filter(inside.issuperset, map(set, classes)), key=lambda own: (first not in own, min(own)))
            for classes in (self.r_classes, self.l_classes)
        )
        return [
            [" ".join(self.spelled(e) + "*" * (e in idempotents) for e in sorted(row & column)) for column in columns]
            for row in rows
        ]


def transition_monoid(automaton: Automaton, most: int = MOST_ELEMENTS) -> Monoid:
    """The monoid of the maps of states that words make; an error if it has more than ``most`` elements."""
    require_integer("most", most, low=1)
    steps = [tuple(column) for column in automaton.table.T.tolist()]
    first = tuple(range(automaton.states))
    maps, right = reached([first], lambda held: [tuple(map(step.__getitem__, held)) for step in steps], most)
    if len(maps) > most:
        raise InputError("automaton", automaton.name, f"a monoid of at most {most} elements")
    words, along = shortest_words(right), np.array(right)
    table = np.empty((len(maps), len(maps)), dtype=np.int64)
    table[:, 0] = np.arange(len(maps))
    place = {word: element for element, word in enumerate(words)}
    for element, word in enumerate(words[1:], 1):
        table[:, element] = along[table[:, place[word[:-1]]], word[-1]]
    return Monoid(automaton.alphabet, tuple(right[0]), np.array(maps), tuple(words), table)


def _components(follow: Array) -> list[list[int]]:
    graph = networkx.DiGraph((place, after) for place, row in enumerate(follow.tolist()) for after in row)
    return sorted(map(sorted, networkx.strongly_connected_components(graph)))


def noncommuting_letters(automaton: Automaton) -> tuple[int, int] | None:
    """The places of two letters that do not commute, or None."""
    for letter, after in enumerate(automaton.table.T):
        wrong = np.flatnonzero((automaton.table[after] != after[automaton.table]).any(axis=0))
        if len(wrong):
            return letter, int(wrong[0])
    return None


def fault_of_pairs(automaton: Automaton) -> tuple[str | None, bool]:
    """Why the transition monoid is not in DO with Abelian subgroups, or None; and whether it is in DA.

    It is decided by the strong components of the pairs of states, each with the letters on its cycles: the proof is in
    ``docs/proofs/pairs_of_states.md``.

    >>> from ccsim.models.regular_expressions import from_regular_expression
    >>> fault_of_pairs(from_regular_expression("(a|b)*a(a|b){6}", "ab"))
    (None, True)
    """
    table, letters = np.unique(automaton.table, axis=1, return_index=True)
    states, in_da = automaton.states, True
    if states * table.size > 2 * MOST_FOLLOWED:
        raise InputError("automaton", automaton.name, "fewer states: its pairs are too many to decide the class")
    one, two = np.triu_indices(states, 1)
    number = np.full((states, states), len(one))  # of a pair; the last is any state with itself
    number[one, two] = number[two, one] = np.arange(len(one))
    follow = np.append(number[table[one], table[two]], np.full((1, table.shape[1]), len(one)), axis=0)
    part = _strong(follow)
    cycling = part[follow] == part[:, None]
    pairs = np.flatnonzero(cycling[:-1].any(axis=1))  # those on cycles
    _, firsts, own_part = np.unique(part[pairs], return_index=True, return_inverse=True)
    inside = np.zeros((len(firsts), table.shape[1]), dtype=bool)  # for each of their components, the letters there
    np.logical_or.at(inside, own_part.reshape(-1), cycling[pairs])
    kinds, kind = np.unique(inside, axis=0, return_inverse=True)
    for which, own in enumerate(kinds):
        steps, onward = table[:, own], follow[:, own]
        recurrent = pairs[firsts[kind.reshape(-1) == which]]  # a pair of each component
        words = f"words of {alphabet_text(automaton.alphabet[at] for at in sorted(letters[own]))}"
        if _onward(onward, recurrent)[-1]:
            while len(recurrent) > 1:
                half = recurrent[: len(recurrent) // 2]
                recurrent = half if _onward(onward, half)[-1] else recurrent[len(half) :]
            p, q = one[recurrent[0]], two[recurrent[0]]
            return f"is not in DO: {words} fix states {p} and {q}, or merge them", False
        component = _strong(steps)
        leaves = np.zeros(states, dtype=bool)
        np.logical_or.at(leaves, component, (component[steps] != component[:, None]).any(axis=1))
        together = recurrent[component[one[recurrent]] == component[two[recurrent]]]
        in_da &= not len(together)
        after = steps[steps[~leaves[component]]]  # by two letters
        exchanged = _onward(onward, np.unique(number[after, after.swapaxes(1, 2)]))
        if len(wrong := together[exchanged[together]]):
            p, q = one[wrong[0]], two[wrong[0]]
            why = f"{words} fix states {p} and {q}, and from {p} lead to either, by the order of two letters"
            return f"is not in DO, or has a subgroup that is not Abelian: {why}", False
    return None, in_da


def _strong(follow: Array) -> Array:
    """The strong component of each place, by the places that follow it."""
    starts = np.arange(0, follow.size + 1, follow.shape[1])
    edges = scipy.sparse.csr_matrix((np.ones(follow.size, dtype=bool), follow.ravel(), starts), (len(follow),) * 2)
    components: Array = scipy.sparse.csgraph.connected_components(edges, connection="strong")[1]
    return components


def _onward(follow: Array, starts: Array | Sequence[int]) -> Array:
    """Which places are reached."""
    seen, front = np.zeros(len(follow), dtype=bool), np.asarray(starts)
    while len(front):
        seen[front] = True
        after = np.unique(follow[front])
        front = after[~seen[after]]
    return seen


CONSTANT, LOGARITHMIC, LINEAR = "O(1)", "Theta(log n)", "Theta(n)"
BETWEEN = "the syntactic monoid is in DO with Abelian subgroups, but not commutative: {0} {1} is not {1} {0}"


@dataclass(frozen=True)
class Classification:
    """The class of a language, with the reason.

    Attributes:
        deterministic: ``O(1)``, ``Theta(log n)`` or ``Theta(n)``, with blanks, under the partition AB.
        reason: why, by elements of the monoid.
        properties: the varieties named here in which the monoid lies.
    """

    deterministic: str
    reason: str
    properties: tuple[str, ...]


def classify(monoid: Monoid) -> Classification:
    """The class of a language by its syntactic monoid.

    >>> from ccsim.families import transition_monoid
    >>> from ccsim.models.regular_expressions import alphabet_text, from_regular_expression
    >>> for expression in ("(b|ab*a)*", "a*b*", "(ab)*"):
    ...     print(expression, classify(transition_monoid(from_regular_expression(expression, "ab"))).deterministic)
    (b|ab*a)* O(1)
    a*b* Theta(log n)
    (ab)* Theta(n)
    """
    named = {
        "commutative": monoid.is_commutative,
        "a group": monoid.is_group,
        "aperiodic (star-free)": monoid.is_aperiodic,
        "J-trivial (piecewise testable)": monoid.is_j_trivial,
        "in DO": monoid.do_witness is None,
        "in DA": monoid.do_witness is None and monoid.is_aperiodic,
        "Abelian subgroups": monoid.group_witness is None,
    }
    properties = tuple(name for name, holds in named.items() if holds)
    if monoid.letter_witness is None:
        return Classification(CONSTANT, "the syntactic monoid is commutative", properties)
    if monoid.do_witness is not None:
        x, y = (monoid.spelled(element) for element in monoid.do_witness)
        reason = f"the syntactic monoid is not in DO: (xy)^w (yx)^w (xy)^w is not (xy)^w for x = {x}, y = {y}"
        return Classification(LINEAR, reason, properties)
    if monoid.group_witness is not None:
        a, b = (monoid.spelled(element) for element in monoid.group_witness)
        return Classification(
            LINEAR, f"a subgroup of the syntactic monoid is not Abelian: {a} and {b} do not commute", properties
        )
    reason = BETWEEN.format(*map(monoid.spelled, monoid.letter_witness))
    return Classification(LOGARITHMIC, reason, properties)


def classify_by_pairs(automaton: Automaton) -> Classification:
    """The class of the language of a minimal automaton, by pairs of its states: its monoid may be of any size.

    Only properties that this decides are named.

    >>> from ccsim.models.regular_expressions import from_regular_expression
    >>> found = classify_by_pairs(from_regular_expression("(a|b)*a(a|b){10}", "ab"))
    >>> found.deterministic, found.properties
    ('Theta(log n)', ('aperiodic (star-free)', 'in DO', 'in DA', 'Abelian subgroups'))
    """
    letters, (fault, in_da) = noncommuting_letters(automaton), fault_of_pairs(automaton)
    named = {
        "commutative": letters is None,
        "aperiodic (star-free)": in_da,
        "in DO": fault is None,
        "in DA": in_da,
        "Abelian subgroups": fault is None,
    }
    properties = tuple(name for name, holds in named.items() if holds)
    if letters is None:
        return Classification(CONSTANT, "the syntactic monoid is commutative", properties)
    if fault is not None:
        return Classification(LINEAR, f"the syntactic monoid {fault}", properties)
    a, b = (automaton.alphabet[letter] for letter in letters)
    return Classification(LOGARITHMIC, BETWEEN.format(a, b), properties)
