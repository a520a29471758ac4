"""The least error of one message about one of two composed functions, by counting, with nothing of the search for it.

Who receives the message holds everything else, and answers as it likes: its guesses are a *strategy*. A message can
be taken to stand for the best strategy on the tables that send it. So the most that k messages get right is the most
that k strategies do, each table being sent where it is served best. Three ways to say that nothing better exists:

- by sizes: a strategy serves no t tables better than the t that it serves best, whatever the other messages do;
- by sets: all sets of k strategies are gone through, one of the strategies being first brought to a standard form by
  naming values and places anew, which changes nothing;
- by covers: all divisions of the tables are gone through, table by table, leaving out what sizes alone rule out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Proof", "error_of", "error_of_balls", "least_error", "strategies"]

Array = npt.NDArray[Any]
Guess = tuple[int, ...]

MOST_BY_SETS = 4


@dataclass(frozen=True)
class Proof:
    """No message does better.

    Attributes:
        error: the least error, or what is proved to be below it.
        checked, of: how many cases were gone through, of how many.
        how: which cases they are.
    """

    error: Fraction
    checked: int
    of: int
    how: str


def error_of(tables: Sequence[Guess], messages: Sequence[int], told: str) -> Fraction:
    """How often a receiver is wrong who guesses what is most frequent, if these messages are sent for these tables."""
    n, right, whole = len(tables[0]), 0, 0
    others = [tuple(range(n))] if told == "g" else list(product(range(n), repeat=n))  # g told: what counts is f(x)
    for message in set(messages):
        sending = [table for table, sent in zip(tables, messages, strict=True) if sent == message]
        for x, other in product(range(n), others):
            answers = [other[table[x]] for table in sending]
            right += max(answers.count(value) for value in set(answers))
            whole += len(answers)
    return 1 - Fraction(right, whole)


@cache
def guesses(n: int, told: str) -> tuple[Guess, ...]:
    """At one argument: how often a receiver is right, by the value that the table has there, for each way to guess.

    If g is told, the receiver knows f(x) and guesses one value. If f is told it knows g and x, and for each g guesses
    the value that most tables lead to; how many tables have which value at x is all that this depends on, and every
    such division is tried. Of ways that are equally good on some division, not all are kept.
    """
    if told == "g":
        return tuple(tuple(int(value == guess) for value in range(n)) for guess in range(n))
    divisions = [each for each in product(range(n ** (n - 1) + 1), repeat=n) if list(each) == sorted(each)]
    found = {way for counts in divisions for way in permutations(_best_guess(counts))}
    kept: set[Guess] = set()
    for only in (True, False):  # first the ways that some division needs, then one where none of these is the best
        for counts in divisions:
            right = {way: sum(a * b for a, b in zip(way, counts, strict=True)) for way in found}
            best = [way for way in found if right[way] == max(right.values())]
            if (len(best) == 1) if only else not kept & set(best):
                kept |= set(permutations(best[0]))
    return tuple(sorted(kept))


def _best_guess(counts: Guess) -> Guess:
    n, right = len(counts), [0] * len(counts)
    for g in product(range(n), repeat=n):
        led = [sum(counts[u] for u in range(n) if g[u] == answer) for answer in range(n)]
        for u in range(n):
            right[u] += g[u] == led.index(max(led))
    return tuple(right)


@cache
def strategies(n: int, told: str) -> tuple[Array, tuple[int, ...]]:
    """How often each strategy is right on each table; and one strategy of each form."""
    ways = list(product(guesses(n, told), repeat=n))
    tables = list(product(range(n), repeat=n))
    scores = np.array([[sum(way[x][table[x]] for x in range(n)) for table in tables] for way in ways], dtype=np.int32)
    forms = [tuple(sorted(tuple(sorted(guess)) for guess in way)) for way in ways]
    return scores, tuple(forms.index(form) for form in sorted(set(forms)))


def least_error(n: int, messages: int, told: str, attained: Fraction) -> Proof:
    """The least error of so many messages, given one that is attained: by sizes if they prove it, or by all cases."""
    scores, forms = strategies(n, told)
    kept, most = min(messages, scores.shape[1]), n * (n**n if told == "f" else 1)
    whole = scores.shape[1] * most
    least = _least_wrong_by_sizes(most - scores, kept)
    if Fraction(int(least[kept, -1]), whole) >= attained:
        cases = scores.shape[0] * scores.shape[1]
        return Proof(Fraction(int(least[kept, -1]), whole), cases, cases, "every strategy with every number of tables")
    if kept <= MOST_BY_SETS:
        right, checked = _most_right_by_sets(scores, kept, forms)
        of = len(forms) * comb(len(scores) + kept - 2, kept - 1)
        return Proof(1 - Fraction(right, whole), checked, of, f"all sets of {kept} strategies")
    wrong, checked = _least_wrong_by_covers(most - scores, least, math.ceil(attained * whole))
    return Proof(Fraction(wrong, whole), checked, checked, "all divisions of the tables that sizes do not rule out")


def _least_wrong_by_sizes(costs: Array, messages: int) -> Array:
    """Row k, column t: no k messages are wrong less often than this on t tables, as far as sizes tell."""
    served = np.concatenate([[0], np.cumsum(np.sort(costs, axis=1), axis=1).min(axis=0)])
    never, tables = int(served[-1]) + 1, len(served) - 1
    least = np.full((messages + 1, tables + 1), never)
    least[:, 0] = 0
    for row in range(1, messages + 1):
        for sent in range(1, tables + 1):
            least[row, sent] = min(never, int((least[row - 1, sent::-1] + served[: sent + 1]).min()))
    return least


def _least_wrong_by_covers(costs: Array, least: Array, attained: int) -> tuple[int, int]:
    """The least that a division is wrong, if it is less than what was attained; and how many parts were looked at.

    A part is a set of tables that one message stands for; the next one always holds the first table that is left.
    """
    tables, kept = costs.shape[1], least.shape[0] - 1
    parts: list[list[tuple[int, int, int]]] = [[] for _ in range(tables)]
    looked, best = 0, attained
    room = [attained - int(least[kept - 1, tables - size]) for size in range(tables + 1)]  # a part is wrong less often
    room = [most if int(least[1, size]) < most else 0 for size, most in enumerate(room)]
    largest = [max(room[size:]) for size in range(tables + 1)] + [0]

    def grow(first: int, mask: int, size: int, sums: Array, start: int) -> None:
        nonlocal looked
        looked += 1
        if int(sums.min()) < room[size]:
            parts[first].append((mask, int(sums.min()), size))
        for table in range(start, tables):
            more = sums + costs[:, table]
            if int(more.min()) < largest[size + 1]:
                grow(first, mask | 1 << table, size + 1, more, table + 1)

    def cover(left: int, held: int, messages: int, spent: int) -> None:
        nonlocal looked, best
        looked += 1
        if not left:
            best = min(best, spent)
        if left and messages:
            for mask, wrong, size in parts[(left & -left).bit_length() - 1]:
                if not mask & ~left and spent + wrong + bounds[messages - 1][held - size] < best:
                    cover(left & ~mask, held - size, messages - 1, spent + wrong)

    bounds = least.tolist()
    for first in range(tables):
        grow(first, 1 << first, 1, costs[:, first], first + 1)
    cover((1 << tables) - 1, tables, kept, 0)
    return best, looked


def _most_right_by_sets(scores: Array, messages: int, forms: Sequence[int]) -> tuple[int, int]:
    """The most that a set gets right, and how many sets were tried: a form, and any others, each choice once."""
    narrow, checked, best = scores.astype(np.uint8 if int(scores.max()) < 256 else np.int32), 0, 0
    ends = 2 if messages == MOST_BY_SETS else messages - 1  # how many strategies are put in at once, at the end
    choices = list(combinations_with_replacement(range(len(scores)), ends))
    together = np.stack([narrow[list(choice)].max(axis=0, initial=0) for choice in choices])
    first_of = np.array([choice[0] if choice else 0 for choice in choices])
    for form in forms:
        for begun in combinations_with_replacement(range(len(scores)), messages - 1 - ends):
            start = int(np.searchsorted(first_of, begun[-1])) if begun else 0
            now = narrow[[form, *begun]].max(axis=0)
            right = np.maximum(together[start:], now).sum(axis=1, dtype=np.int64)
            best, checked = max(best, int(right.max())), checked + len(right)
    return best, checked


def error_of_balls(n: int, messages: int) -> Fraction:
    """If g is told: no so many messages err less, as around each guess there are only so many tables at each distance.

    A message stands for a guess at all n values of g, and errs on a table as often as the two differ. Among n^n tables
    C(n, r) (n - 1)^r differ from a guess at r places. A message that stands for t tables errs least if they are the t
    nearest ones; that least sum is convex in t, so that equal shares are best.
    """
    tables = n**n
    share, larger = divmod(tables, messages)
    wrong = (messages - larger) * _nearest(n, share) + larger * _nearest(n, share + 1)
    return Fraction(wrong, tables * n)


def _nearest(n: int, count: int) -> int:
    """The sum of the distances of the ``count`` nearest tables."""
    total = 0
    for distance in range(n + 1):
        here = min(count, comb(n, distance) * (n - 1) ** distance)
        total, count = total + distance * here, count - here
    return total
