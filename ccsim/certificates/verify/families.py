"""Claims about every length at once.

A *family* is a function for every n: an automaton reads n blocks of Alice and n blocks of Bob side by side, pair by
pair, and its last state has the answer. Claims are about all n >= 1. What grows with n is a *count*: the number of
words of length n of a finite automaton, whose recurrence is derived here in exact integers, in closed form where its
roots are integers. Sets of pairs of words are accepted by automata, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations, pairwise, product
from math import gcd

from .claims import (
    Any,
    Checkers,
    Measures,
    Refused,
    Statement,
    TooLarge,
    WorkBudget,
    bits_for,
    fields,
    indices,
    integer,
    items,
    need,
    proves,
    read_labels,
)

FAMILY_FORMAT = "ccsim-certificate-for-every-length"
FAMILY_MEASURES: Measures = {
    "deterministic": (("bits",), ("answer",)),
    "fooling-set": (("cells",), ("code", "answer")),
    "rank": (("",), ("code", "field")),
    "one-way-messages": (("messages",), ("direction",)),
    "one-way": (("bits",), ("direction",)),
}
ALWAYS: Checkers = {}
MOST_COUNTED = 64  # states of an automaton whose words are counted
Triple = tuple[int, int, int]  # Alice's letter, Bob's letter, next state
Count = tuple[list[int], list[int]]
"""The first values of a count, for n = 1, 2, ..., and the recurrence by which the others follow, the nearest first."""


always = partial(proves, table=ALWAYS)
"""Enter a checker for families in their table."""


class Family(WorkBudget):
    """An automaton that reads pairs: ``table[state][x][y]`` is the next state, ``outputs[state]`` the code."""

    def __init__(self, table: Any, outputs: Any, first: Any, labels: list[Any]) -> None:
        super().__init__()
        size = len(items(table))
        need(0 < size <= 1 << 12 and bool(items(table[0])) and bool(items(table[0][0])), "an automaton with letters")
        self.alice, self.bob, self.labels = len(table[0]), len(table[0][0]), labels
        need(size * self.alice * self.bob <= 1 << 20, "a table of a readable size", TooLarge)
        self.spend(10 * size * self.alice * self.bob, 10 * size * self.alice * self.bob)
        self.table = [[indices(row, size, self.bob) for row in items(rows, self.alice)] for rows in table]
        self.outputs = indices(outputs, len(labels), size, -1)
        self.first = integer(first, 0, size - 1)

    def led(self, state: int, word: Any) -> int:
        for x, y in items(word):
            self.spend(20)
            state = self.table[state][integer(x, 0, self.alice - 1)][integer(y, 0, self.bob - 1)]
        return state

    def after_some(self) -> set[int]:
        follow = [{state for row in rows for state in row} for rows in self.table]
        self.spend(len(self.table) * self.alice * self.bob)
        return reached_from(self, follow[self.first], lambda state: follow[state])


def reached_from(family: Family, starts: Iterable[Any], follow: Callable[[Any], Iterable[Any]]) -> set[Any]:
    seen = set(starts)
    stack = list(seen)
    while stack:
        family.spend(20)
        for state in follow(stack.pop()):
            family.spend(20)
            if state not in seen:
                family.spend(100, 250)
                seen.add(state)
                stack.append(state)
    return seen


FAMILIES: dict[str, tuple[Any, list[int]]] = {  # table[state][x][y], and the answer of each state; 0 is the first
    "equality": ([[[0, 1], [1, 0]], [[1, 1], [1, 1]]], [1, 0]),
    "disjointness": ([[[0, 0], [0, 1]], [[1, 1], [1, 1]]], [1, 0]),
    "intersection": ([[[0, 0], [0, 1]], [[1, 1], [1, 1]]], [0, 1]),
    "greater-than": ([[[0, 1], [2, 0]], [[1, 1], [1, 1]], [[2, 2], [2, 2]]], [0, 0, 1]),
    "inner-product": ([[[0, 0], [0, 1]], [[1, 1], [1, 0]]], [0, 1]),
}


def read_family(data: Any) -> Family:
    """A family: a function known here of n bits each, the most significant one first; a table over pairs of letters;
    or a language whose words a partition divides (one letter A or B per position) that is repeated n times."""
    if "function" in data:
        need(isinstance(fields(data, "function")[0], str), "the name of a function")
        need(data["function"] in FAMILIES, f"a function known here is one of {', '.join(FAMILIES)}")
        return Family(*FAMILIES[data["function"]], 0, [0, 1])
    if "partition" in data:
        return partitioned_family(*fields(data, "symbols", "table", "outputs", "first", "labels", "partition"))
    table, outputs, first, labels = fields(data, "table", "outputs", "first", "labels")
    return Family(table, outputs, first, read_labels(labels))


def partitioned_family(symbols: Any, table: Any, outputs: Any, first: Any, labels: Any, partition: Any) -> Family:
    """The family of a language: a block of a party is its letters in one turn of the partition, the first one most
    significant."""
    size, count = len(read_labels(symbols)), len(items(table))
    good = isinstance(partition, str) and re.fullmatch("[AB]{1,16}", partition)
    need(bool(good) and {"A", "B"} == set(partition), "a partition is a text of letters A and B, at least one of each")
    need(count * size ** len(partition) <= 1 << 20, "a table of a readable size", TooLarge)
    rows = [indices(row, count, size) for row in table]
    mine = [partition[:place].count(partition[place]) for place in range(len(partition))]
    powers = [size ** (partition.count(owner) - 1 - place) for owner, place in zip(partition, mine, strict=True)]

    def after(state: int, x: int, y: int) -> int:
        for owner, power in zip(partition, powers, strict=True):
            state = rows[state][(x if owner == "A" else y) // power % size]
        return state

    blocks = [range(size ** partition.count(owner)) for owner in "AB"]
    pairs = [[[after(state, x, y) for y in blocks[1]] for x in blocks[0]] for state in range(count)]
    return Family(pairs, outputs, first, read_labels(labels))


class FamilyClaim(Statement):
    """One side of a measure of a family, with its parameters: what is proved is a count from below, from above bits per
    block and bits at the end."""

    measures, checkers, scope = FAMILY_MEASURES, ALWAYS, " for every length"

    def __init__(self, family: Family, measure: Any, side: Any, parameters: Any) -> None:
        super().__init__(measure, side, parameters)
        code = parameters.get("code")
        need(code is None or code < len(family.labels), "a claim about none of the labels")
        self.family = family


class PairWords:
    """A finite automaton that accepts words over pairs of letters: from each state some steps, [x, y, next state],
    at most one for each pair. So its words are its paths, and they are counted as paths."""

    def __init__(self, family: Family, data: Any, most: int = MOST_COUNTED) -> None:
        steps, accepting, first = fields(data, "steps", "accepting", "first")
        size = len(items(steps))
        need(0 < size <= most, f"an automaton of 1 to {most} states", TooLarge)
        self.first, self.family = integer(first, 0, size - 1), family
        self.steps: list[list[Triple]] = []
        self.accepting = set(indices(accepting, size))
        for listed in steps:
            family.spend(30 * len(items(listed)) + 30)
            triples = [
                (integer(x, 0, family.alice - 1), integer(y, 0, family.bob - 1), integer(after, 0, size - 1))
                for x, y, after in (items(step, 3) for step in listed)
            ]
            need(len(triples) == len({triple[:2] for triple in triples}), "two steps for one pair of letters")
            self.steps.append(triples)

    def count(self) -> Count:
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
        table, starts = self.family.table, self.steps[self.first]
        reached = reached_from(
            self.family,
            [(after, table[self.family.first][x][y]) for x, y, after in starts],
            lambda pair: [(after, table[pair[1]][x][y]) for x, y, after in self.steps[pair[0]]],
        )
        return {self.family.outputs[state] for own, state in reached if own in self.accepting}


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
    values = list(count[0])
    while len(values) < size:
        values.append(sum(factor * values[-1 - back] for back, factor in enumerate(count[1])))
    return values[:size]


Term = tuple[int, int, Fraction]
"""A root r, a power j and a coefficient c: c n^j r^n."""

MOST_VALUES = 1024  # of a sequence that are looked at for its wording


def closed_form(count: Count) -> tuple[list[Term], int] | None:
    """A count as a sum of terms, and the n from which on it is that; None if its roots are not small integers."""
    back = list(count[1])
    while back and not back[-1]:
        back.pop()
    start = len(count[1]) - len(back) + 1
    roots: list[tuple[int, int]] = []
    left = [1, *(-factor for factor in back)]
    for root in sorted((sign * size for size in range(1, 257) for sign in (1, -1)), key=abs):
        while len(left) > 1 and sum(value * root ** (len(left) - 1 - at) for at, value in enumerate(left)) == 0:
            roots.append((root, sum(other == root for other, _ in roots)))
            quotient = [left[0]]
            for value in left[1:-1]:
                quotient.append(value + root * quotient[-1])
            left = quotient
    if len(left) > 1 or len(roots) > 8:
        return None
    values = values_of(count, start - 1 + len(roots))[start - 1 :]
    rows = [
        [*(Fraction(n**power * root**n) for root, power in roots), Fraction(value)]
        for n, value in enumerate(values, start)
    ]
    terms = [(root, power, factor) for (root, power), factor in zip(roots, solved(rows), strict=True) if factor]
    return sorted(terms, key=lambda term: (abs(term[0]), term[0], term[1]), reverse=True), start


def stretched_form(count: Count) -> tuple[Count, int, int] | None:
    """A count d, k and b, if c(n) = d(floor((n - b) / k)) for all n >= b + k, and 0 before; else None."""
    order = len(count[0])
    values = values_of(count, 4 * order + 4)
    zeros = next((place for place, value in enumerate(values) if value), len(values))
    turns = [place for place in range(zeros, len(values)) if place and values[place] != values[place - 1]]
    stretch = gcd(*(later - place for place, later in pairwise([zeros, *turns])))
    before = zeros + 1 - stretch
    if stretch < 2 or before < 0 or order // stretch < 1 or stretch * order > MOST_VALUES:
        return None
    picked = values_of(count, zeros + stretch * (2 * order + 2))[zeros::stretch]
    try:
        inner = recurrence(picked[: 2 * (order // stretch + 1) + 2], lambda steps: None)
    except Refused:
        return None
    most = 2 * (order + zeros + stretch * (len(inner[0]) + 1))  # orders of both sides together, and more
    again = [0, *values_of(inner, most)]
    same = all(value == again[max(0, n - before) // stretch] for n, value in enumerate(values_of(count, most), 1))
    return (inner, stretch, before) if same and closed_form(inner) is not None else None


def solved(rows: list[list[Fraction]]) -> list[Fraction]:
    """The solution of as many independent linear equations as unknowns: coefficients and right side in a row."""
    for column in range(len(rows)):
        place = next(at for at in range(column, len(rows)) if rows[at][column])
        rows[column], rows[place] = rows[place], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for at, row in enumerate(rows):
            if at != column:
                rows[at] = [value - row[column] * pivot for value, pivot in zip(row, rows[column], strict=True)]
    return [row[-1] for row in rows]


def written(terms: list[Term]) -> str:
    """A sum of terms for people: "2^n + 1".

    >>> written([(2, 0, Fraction(1, 2)), (1, 1, Fraction(-3)), (-1, 0, Fraction(1))])
    '2^n/2 - 3*n + (-1)^n'
    """
    text = ""
    for root, power, factor in terms:
        parts = [] if abs(factor.numerator) == 1 and (power or root != 1) else [str(abs(factor.numerator))]
        parts += ["n" if power == 1 else f"n^{power}"] if power else []
        parts += [f"{root}^n" if root > 1 else f"({root})^n"] if root != 1 else []
        sign = ("- " if factor < 0 else "+ ") if text else ("-" if factor < 0 else "")
        below = f"/{factor.denominator}" if factor.denominator > 1 else ""
        text += (" " if text else "") + sign + "*".join(parts) + below
    return text or "0"


def count_text(count: Count, bits: bool) -> tuple[str, str, int]:
    """A count, or the bits that number so many, for people; what its names represent; and the n from which on it is
    that."""
    closed = closed_form(count)
    stretched = stretched_form(count) if closed is None else None
    if stretched is not None:
        inner, stretch, before = stretched
        text, _, start = count_text(inner, bits)
        place = f"floor((n - {before})/{stretch})" if before else f"floor(n/{stretch})"
        return text.replace("n", "m"), f", m = {place},", before + stretch * start
    if closed is None:
        first = ", ".join(f"c({n}) = {value}" for n, value in enumerate(count[0], 1))
        steps = " + ".join(
            f"{factor} c(n-{back})".replace("-1 ", "-", 1) if factor != 1 else f"c(n-{back})"
            for back, factor in enumerate(count[1], 1)
            if factor
        )
        return "ceil(log2(c(n)))" if bits else "c(n)", f", c(n) = {steps}, {first},".replace("+ -", "- "), 1
    terms, start = closed
    return (bits_text(terms) if bits else written(terms)), "", start


def bits_text(terms: list[Term]) -> str:
    """The bits that number as many as a sum of terms gives."""
    root, power, factor = terms[0] if terms else (1, 0, Fraction(0))
    if len(terms) <= 1 and power == 0 and root == 1:
        return str(bits_for(factor))
    sizes = [value.bit_length() - 1 for value in (root, factor.numerator, factor.denominator)]
    powers = root == 1 << sizes[0] and factor == Fraction(1 << sizes[1], 1 << sizes[2]) if root > 0 else False
    if len(terms) == 1 and power == 0 and powers:
        return linear_text(sizes[0], sizes[1] - sizes[2])
    return f"ceil(log2({written(terms)}))"


def linear_text(slope: int, constant: int) -> str:
    return written([(1, power, Fraction(factor)) for power, factor in ((1, slope), (0, constant)) if factor])
