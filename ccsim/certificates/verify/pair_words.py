"""Sets of pairs of words that automata accept, and how many there are of each length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, product
from typing import Any

from .data import Refused, TooLarge, fields, integer, items, need
from .families import MOST_COUNTED, Count, Family, Triple, reached_from


class PairWords:
    """A finite automaton that accepts words over pairs of letters: from each state some steps, [x, y, next state],
    at most one for each pair. So its words are its paths, and they are counted as paths."""

    def __init__(self, family: Family, data: Any, most: int = MOST_COUNTED) -> None:
        steps, accepting, first = fields(data, "steps", "accepting", "first")
        size = len(items(steps))
        need(0 < size <= most, f"an automaton of 1 to {most} states", TooLarge)
        self.first, self.family = integer(first, 0, size - 1), family
        self.steps: list[list[Triple]] = []
        self.accepting = {integer(state, 0, size - 1) for state in items(accepting)}
        for listed in steps:
            family.spend(30 * len(items(listed)) + 30)
            triples = [
                (integer(x, 0, family.alice - 1), integer(y, 0, family.bob - 1), integer(after, 0, size - 1))
                for x, y, after in (items(step, 3) for step in listed)
            ]
            need(len(triples) == len({triple[:2] for triple in triples}), "two steps for one pair of letters")
            self.steps.append(triples)

    def count(self) -> Count:
        """How many words there are of each length."""
        size = len(self.steps)
        self.family.spend(60 * size * (size**2 + sum(map(len, self.steps))))
        ways, counts = {self.first: 1}, []
        for _ in range(2 * size + 2):
            after: dict[int, int] = {}
            for state, number in ways.items():
                for _, _, other in self.steps[state]:
                    after[other] = after.get(other, 0) + number
            ways = after
            counts.append(sum(ways.get(state, 0) for state in self.accepting))
        return recurrence(counts, self.family.spend)

    def parted(self) -> Iterator[tuple[int, int, int, int]]:
        """The answers that two different accepted words of one length can lead to: those of (x, y), (x', y'), (x, y')
        and (x', y). At their first difference, the first word takes the step that is listed earlier."""
        family, table, steps = self.family, self.family.table, self.steps
        walked = reached_from(
            family,
            [(self.first, family.first)],
            lambda pair: [(after, table[pair[1]][x][y]) for x, y, after in steps[pair[0]]],
        )

        def both(now: tuple[int, ...], pairs: Iterable[tuple[Triple, Triple]]) -> Iterator[tuple[int, ...]]:
            one, two, three, four = (table[state] for state in now)
            return ((s, t, one[x][y], two[u][w], three[x][w], four[u][y]) for (x, y, s), (u, w, t) in pairs)

        def follow(now: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
            return both(now[2:], product(steps[now[0]], steps[now[1]]))

        begun = sum(len(steps[own]) ** 2 for own, _ in walked)
        family.spend(30 * begun, 100 * begun)
        starts = {now for own, state in walked for now in both((state,) * 4, combinations(steps[own], 2))}
        for s, t, one, two, three, four in reached_from(family, starts, follow):
            if s in self.accepting and t in self.accepting:
                yield tuple(family.outputs[state] for state in (one, two, three, four))

    def answers(self) -> set[int]:
        """The answers on accepted words of at least one block."""
        table, starts = self.family.table, self.steps[self.first]
        found = reached_from(
            self.family,
            [(after, table[self.family.first][x][y]) for x, y, after in starts],
            lambda pair: [(after, table[pair[1]][x][y]) for x, y, after in self.steps[pair[0]]],
        )
        return {self.family.outputs[state] for own, state in found if own in self.accepting}


PRIMES = ((1 << 521) - 1, (1 << 2203) - 1, (1 << 9689) - 1)  # of Mersenne


def recurrence(counts: list[int], spend: Callable[[int], None]) -> Count:
    """The shortest linear recurrence of a sequence that has one of order k, from 2 k + 2 of its values (Massey 1969).

    It is the sequence's for ever, too: its order is at most k, and two sequences with recurrences of orders d and e
    that agree on d + e values agree everywhere, as their difference has a recurrence of order d + e.

    It is looked for modulo primes, as fractions would grow without bound, and then checked in integers. None that
    holds in integers is shorter than the shortest modulo a prime.
    """
    long = max(map(int.bit_length, counts), default=0)
    for prime in PRIMES:
        spend(len(counts) ** 2 * (40 + prime.bit_length() // 4 + long // 20))
        back = [value - prime if value > prime // 2 else value for value in modular_recurrence(counts, prime)]
        order = len(back)
        followed = (
            counts[at] == sum(factor * counts[at - 1 - place] for place, factor in enumerate(back))
            for at in range(order, len(counts))
        )
        if 2 * order + 2 <= len(counts) and all(followed):
            return counts[:order], back
    raise Refused("no recurrence in integers")


def modular_recurrence(counts: list[int], prime: int) -> list[int]:
    """The factors of the shortest recurrence modulo a prime, the nearest first (Massey 1969)."""
    now, before, order, shift, last = [1], [1], 0, 1, 1
    for at in range(len(counts)):
        wrong = sum(now[back] * counts[at - back] for back in range(min(order + 1, len(now)))) % prime
        if wrong:
            kept, size = now, max(len(now), len(before) + shift)
            now, factor = now + [0] * (size - len(now)), wrong * pow(last, -1, prime) % prime
            for place, value in enumerate(before):
                now[place + shift] = (now[place + shift] - factor * value) % prime
            if 2 * order <= at:
                order, before, last, shift = at + 1 - order, kept, wrong, 0
        shift += 1
    return [-value % prime for value in (now + [0] * order)[1 : order + 1]]


def values_of(count: Count, size: int) -> list[int]:
    """The first values of a count."""
    found = list(count[0])
    while len(found) < size:
        found.append(sum(factor * found[-1 - back] for back, factor in enumerate(count[1])))
    return found[:size]
