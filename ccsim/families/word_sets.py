"""Regular sets of paired words, as certificates have them: automata whose paths are their words."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ccsim.certificates.verify.families import Count
from ccsim.certificates.verify.pair_words import values_of
from ccsim.models.reachability import leading_to, reached

Step = tuple[int, int, int]  # Alice's letter, Bob's letter, next state


@dataclass(frozen=True)
class PairAutomaton:
    """A deterministic automaton over pairs of letters, complete or not.

    Attributes:
        steps: for each state its steps (x, y, next state), at most one for each pair of letters.
        accepting: the states in which words are accepted.
        first: the state at the start.

    >>> same = PairAutomaton((((0, 0, 0), (1, 1, 0)),), frozenset([0]), 0)
    >>> list(same.words(1)), same.counts(4)
    ([((0,), (0,)), ((1,), (1,))], [2, 4, 8, 16])
    """

    steps: tuple[tuple[Step, ...], ...]
    accepting: frozenset[int]
    first: int = 0

    def words(self, n: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """The accepted words of n pairs, each as (Alice's letters, Bob's letters)."""

        def onwards(state: int, left: int) -> Iterator[tuple[tuple[int, int], ...]]:
            if not left:
                yield from [()] if state in self.accepting else []
                return
            for x, y, after in self.steps[state]:
                for rest in onwards(after, left - 1):
                    yield ((x, y), *rest)

        for word in onwards(self.first, n):
            yield tuple(x for x, _ in word), tuple(y for _, y in word)

    def counts(self, longest: int) -> list[int]:
        """How many words are accepted, of lengths 1 to ``longest``."""
        ways, found = {self.first: 1}, []
        for _ in range(longest):
            after: dict[int, int] = {}
            for state, number in ways.items():
                for _, _, other in self.steps[state]:
                    after[other] = after.get(other, 0) + number
            ways = after
            found.append(sum(ways.get(state, 0) for state in self.accepting))
        return found

    def trimmed(self) -> PairAutomaton:
        """Without the states that are on no path to an accepting one, numbered in the order of search."""
        useful = leading_to(self.accepting, [[after for *_, after in listed] for listed in self.steps])
        kept = [[step for step in listed if step[2] in useful] for listed in self.steps]
        order, rows = reached([self.first], lambda state: [after for *_, after in kept[state]])
        steps = tuple(
            tuple((x, y, after) for (x, y, _), after in zip(kept[state], row, strict=True))
            for state, row in zip(order, rows, strict=True)
        )
        accepting = frozenset(place for place, state in enumerate(order) if state in self.accepting)
        return PairAutomaton(steps, accepting, 0)

    def relettered(self, alice: tuple[int, ...], bob: tuple[int, ...]) -> PairAutomaton:
        """With other letters: the places of each party's letters in ``alice`` and ``bob``."""
        steps = tuple(tuple((alice[x], bob[y], after) for x, y, after in listed) for listed in self.steps)
        return PairAutomaton(steps, self.accepting, self.first)

    def to_json(self) -> dict[str, Any]:
        """As certificates have it."""
        return {
            "steps": [[list(step) for step in listed] for listed in self.steps],
            "accepting": sorted(self.accepting),
            "first": self.first,
        }


def united(parts: Iterable[PairAutomaton]) -> PairAutomaton:
    """The words of any of several automata; ``None`` in a state stands for one that has failed.

    >>> same = PairAutomaton((((0, 0, 0), (1, 1, 0)),), frozenset([0]), 0)
    >>> other = PairAutomaton((((0, 1, 1),), ((0, 0, 1),)), frozenset([1]), 0)
    >>> united([same, other]).counts(3)
    [3, 5, 9]
    """
    every = list(parts)
    first: tuple[int | None, ...] = tuple(part.first for part in every)

    def options(states: tuple[int | None, ...]) -> dict[tuple[int, int], tuple[int | None, ...]]:
        own = [{} if s is None else {(x, y): t for x, y, t in p.steps[s]} for p, s in zip(every, states, strict=True)]
        return {pair: tuple(one.get(pair) for one in own) for pair in itertools.chain.from_iterable(own)}

    order, rows = reached([first], lambda states: options(states).values())
    steps = tuple(
        tuple((x, y, after) for (x, y), after in zip(options(states), row, strict=True))
        for states, row in zip(order, rows, strict=True)
    )
    accepting = frozenset(
        place
        for place, states in enumerate(order)
        if any(s in part.accepting for part, s in zip(every, states, strict=True))
    )
    return PairAutomaton(steps, accepting, 0).trimmed()


def count_at(count: Count, n: int) -> int:
    """A count at one length, from its first values and its recurrence.

    >>> count_at(([1, 2], [1, 1]), 6)
    13
    """
    return values_of(count, n)[n - 1]
