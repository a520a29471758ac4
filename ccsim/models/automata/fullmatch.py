"""Whether an automaton of an expression answers what ``re.fullmatch`` does, on as many words as take a short time.

``re`` backtracks, and may take exponentially long for a word. How many paths it may try is counted before it is asked;
words on which they are too many are left out.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from ccsim.models.automata.automaton import Automaton
from ccsim.models.automata.subsets import Moves, TooMuchWorkError
from ccsim.models.reachability import shortest_words

MOST_WORDS = 3_000  # in each of the sweeps
MOST_BACKTRACKING = 5_000  # steps of re on one word
MOST_LETTERS = 30_000  # of the words of a sweep together
LONGEST = 16  # words of a sweep over all of them


def first_difference(expression: str, automaton: Automaton, moves: Moves, first: int, foreign: str) -> str | None:
    """A word on which the automaton and ``re.fullmatch`` differ, or None.

    Tried are all words over the alphabet and other characters up to a length, longer ones over letters that no place
    tells apart, and for every state and letter a word through them, which is accepted if any such is.

    Args:
        expression: the expression.
        automaton: its automaton, without states that are not reached.
        moves, first: its places, and the first of them, by which backtracking is counted.
        foreign: characters besides the alphabet, with which no word may match.

    Raises :class:`~ccsim.models.automata.subsets.TooMuchWorkError` if not a single letter can be tried.
    """
    walks, tried, matches = _Walks(automaton, moves, first), 0, re.compile(expression).fullmatch
    different = [alike[0] for alike in moves.alike()]
    for words in (_all((*moves.symbols, *foreign)), _all(different), _through_states(automaton, different)):
        left = MOST_LETTERS
        for word in words:
            walk = walks.along(word)
            left -= len(word) + 1
            if walk.work <= MOST_BACKTRACKING:
                tried += 1
                if walk.accepted != (matches(word) is not None):
                    return word
            if left < 0:
                break
    if tried < 2:  # not even a single letter
        raise TooMuchWorkError
    return None


@dataclass(frozen=True)
class _Walk:
    """A word that was read: the automaton's state, None once a letter is foreign; in how many ways ``re`` may stand at
    each place; and how many steps it may have taken."""

    state: int | None
    accepted: bool
    ways: dict[int, int]
    work: int


class _Walks:
    """Walks along words, from those along what they begin with."""

    def __init__(self, automaton: Automaton, moves: Moves, first: int) -> None:
        self.table, self.moves = automaton.table.tolist(), moves
        self.outputs, self.rank = automaton.outputs.tolist(), {s: at for at, s in enumerate(automaton.alphabet)}
        self.onward = lru_cache(maxsize=None)(self._onward)
        self.known = {"": self._walk(automaton.first, {first: 1}, 0)}

    def along(self, word: str) -> _Walk:
        """The walk along a word."""
        start = len(word)
        while word[:start] not in self.known:
            start -= 1
        walk = self.known[word[:start]]
        for end in range(start + 1, len(word) + 1):
            walk = self.known[word[:end]] = self._after(walk, word[end - 1])
        return walk

    def _after(self, walk: _Walk, letter: str) -> _Walk:
        state = None if walk.state is None or letter not in self.rank else self.table[walk.state][self.rank[letter]]
        if walk.work > MOST_BACKTRACKING:
            return self._walk(state, {}, walk.work)
        ways = Counter[int]()
        for place, number in walk.ways.items():
            if letter in (self.moves.letters[place] or ()):
                ways[self.moves.following[place][0]] += number
        return self._walk(state, ways, walk.work)

    def _walk(self, state: int | None, entered: Mapping[int, int], work: int) -> _Walk:
        """From places that were entered by a letter, on to those that take one."""
        ways = Counter[int]()
        for place, number in entered.items():
            onward, steps = self.onward(place)
            work += steps * number
            for after, times in onward.items():
                ways[after] += times * number
        return _Walk(state, state is not None and self.outputs[state] == 1, ways, work)

    def _onward(self, first: int) -> tuple[Counter[int], int]:
        """In how many ways places that take a letter are reached without one, each fork passed three times at most; and
        the steps of all of them."""
        found, passed, steps, ahead = Counter[int](), Counter[int](), 0, [first]
        while ahead and steps <= MOST_BACKTRACKING:
            place = ahead.pop()
            if place < 0:  # all ways from a fork were gone
                passed[~place] -= 1
                continue
            steps += 1
            if self.moves.letters[place] is not None:
                found[place] += 1
            elif passed[place] < 3:
                passed[place] += 1
                ahead += [~place, *self.moves.following[place]]
        return found, steps


def _all(letters: Iterable[str]) -> Iterator[str]:
    """All words, the shortest first, up to a length at which there are not too many."""
    letters = tuple(letters)
    for length in range(LONGEST + 1):
        if length > 1 and len(letters) ** length > MOST_WORDS:
            break
        yield from map("".join, itertools.product(letters, repeat=length))


def _through_states(automaton: Automaton, letters: list[str]) -> Iterator[str]:
    """For every state and letter a shortest word that leads there and on, and the same up to where it is accepted."""
    table = automaton.table[:, [automaton.alphabet.index(letter) for letter in letters]].tolist()
    ways = ["".join(letters[place] for place in word) for word in shortest_words(table)]
    back = defaultdict[int, list[tuple[str, int]]](list)
    for state, row in enumerate(table):
        for letter, after in zip(letters, row, strict=True):
            back[after].append((letter, state))
    ends = {state: "" for state in range(automaton.states) if automaton.outputs[state]}
    for state in (ahead := list(ends)):
        for letter, before in back[state]:
            if before not in ends:
                ends[before] = letter + ends[state]
                ahead.append(before)
    for way, row in zip(ways, table, strict=True):
        for letter, after in zip(letters, row, strict=True):
            yield way + letter
            if after in ends:
                yield way + letter + ends[after]
