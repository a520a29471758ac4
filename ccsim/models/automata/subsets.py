"""Moves between places of an expression, with conditions on what stands around, and their subset construction.

A *place* takes a letter of a set and goes on, forks without a letter, or holds a condition. A condition such as ``$``
looks at what has not been read yet. It is kept as a promise: the set of ways in which the rest of the word may still go
on, of which there are four (:attr:`Conditions.ANY`). A promise that is broken ends the path.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from ccsim.models.automata.automaton import Automaton
from ccsim.models.reachability import reached

MOST_WORK = 400_000
MOST_STATES = 1 << 12
NEVER_EMPTY = re.fullmatch(r"\B", "") is None
Rest = frozenset[str]
Item = tuple[int, Rest]


class TooMuchWorkError(Exception):
    """An automaton would take too many steps."""


def is_word(symbol: str) -> bool:
    r"""Whether ``\w`` matches a character."""
    return symbol.isalnum() or symbol == "_"


class Conditions:
    """What may follow at a position of a word: nothing, a newline and nothing more, anything else that begins with a
    character of words, or with another one."""

    END = frozenset({"end"})
    LAST_LINE = frozenset({"end", "newline"})
    WORD = frozenset({"word"})
    OTHER = frozenset({"end", "newline", "other"})
    ANY = WORD | OTHER

    @classmethod
    def at_beginning(cls, before: str | None) -> Rest:
        """``^`` after a character, or None at the beginning."""
        return cls.ANY if before is None else frozenset()

    @classmethod
    def at_boundary(cls, before: str | None) -> Rest:
        r"""``\b``: a character of words on one side only."""
        return cls.OTHER if before is not None and is_word(before) else cls.WORD

    @classmethod
    def inside(cls, before: str | None) -> Rest:
        r"""``\B``: not ``\b``; whether it matches the empty word depends on Python's version."""
        return cls.ANY - cls.at_boundary(before) - (cls.END if before is None and NEVER_EMPTY else frozenset())

    @classmethod
    def after(cls, rest: Rest, symbol: str) -> Rest:
        """What may follow once a character is read that was not yet; nothing at all if it was not promised."""
        if symbol != "\n":
            return cls.ANY if ("word" if is_word(symbol) else "other") in rest else frozenset()
        found: Rest = cls.END if "newline" in rest else frozenset()
        return found | (cls.ANY - cls.END if "other" in rest else frozenset())


class Moves:
    """Places, numbered from 0, the accepting one.

    Attributes:
        symbols: the alphabet.
        letters: for each place the letters that it takes; None if it goes on without one.
        following: for each place those where it goes on.
        conditions: of places that hold one, what may still follow, by the character before.
    """

    accept = 0

    def __init__(self, symbols: tuple[str, ...]) -> None:
        self.symbols = symbols
        self.letters: list[frozenset[str] | None] = [frozenset()]
        self.following: list[list[int]] = [[]]
        self.conditions: dict[int, Callable[[str | None], Rest]] = {}
        self.work = 0

    def spend(self, steps: int = 1) -> None:
        """Count steps; :class:`TooMuchWorkError` if there are too many."""
        self.work += steps
        if self.work > MOST_WORK:
            raise TooMuchWorkError

    def letter(self, letters: Iterable[str], following: int) -> int:
        """A place that takes one of some letters."""
        self.letters.append(frozenset(letters))
        self.following.append([following])
        return len(self.following) - 1

    def fork(self, following: list[int]) -> int:
        """A place that goes on at any of others without a letter."""
        self.letters.append(None)
        self.following.append(following)
        return len(self.following) - 1

    def condition(self, holds: Callable[[str | None], Rest], following: int) -> int:
        """A place that goes on if a condition holds."""
        place = self.fork([following])
        self.conditions[place] = holds
        return place

    def alike(self) -> list[list[str]]:
        """The letters, with those together that no place tells apart."""
        sets = {letters for letters in self.letters if letters}
        kinds: dict[object, list[str]] = {}
        for symbol in self.symbols:
            around = (is_word(symbol), symbol == "\n") if self.conditions else None
            kinds.setdefault((frozenset(one for one in sets if symbol in one), around), []).append(symbol)
        return list(kinds.values())

    def closed(self, items: Iterable[Item], before: str | None) -> frozenset[Item]:
        """The places that take a letter, or accept, which are reached without one after a character."""
        ahead, seen = list(items), set[Item]()
        while ahead:
            item = place, rest = ahead.pop()
            if item in seen or not rest:
                continue
            self.spend()
            seen.add(item)
            if self.letters[place] is None:
                if place in self.conditions:
                    rest &= self.conditions[place](before)
                ahead += [(after, rest) for after in self.following[place]]
        return frozenset(item for item in seen if self.letters[item[0]] is not None)

    def step(self, items: frozenset[Item], symbol: str) -> frozenset[Item]:
        """The places that are reached with a letter."""
        self.spend(len(items) + 1)
        after = [
            (self.following[place][0], Conditions.after(rest, symbol))
            for place, rest in items
            if symbol in (self.letters[place] or ())
        ]
        return self.closed(after, symbol)


def determined(moves: Moves, first: int) -> Automaton:
    """The minimal automaton of the words that lead from a place to the accepting one.

    Raises :class:`TooMuchWorkError` if it takes too many steps.
    """
    kinds = moves.alike()
    start = moves.closed([(first, Conditions.ANY)], None)
    states, table = reached([start], lambda items: [moves.step(items, symbol) for symbol, *_ in kinds], MOST_STATES)
    if len(states) > MOST_STATES:
        raise TooMuchWorkError
    outputs = [any(place == moves.accept and "end" in rest for place, rest in items) for items in states]
    minimal = Automaton.of(range(len(kinds)), table, outputs).minimise()
    kind = {symbol: place for place, alike in enumerate(kinds) for symbol in alike}
    return Automaton.of(moves.symbols, minimal.table[:, [kind[symbol] for symbol in moves.symbols]], minimal.outputs)
