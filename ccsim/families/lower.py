"""The best lower bound on deterministic complexity that is found for a family, for every n.

Tried are regular fooling sets of all answers, triangular sets with the complement of their answer, and tensor powers.
Each is proved by the checker; which is the best is decided far out.

Regular fooling sets are searched for by floats and chance; the checker decides. The sets sought are automata whose
states are those of the family, and whose steps are some of the family's: which
ones is the question. Steps are added as long as no two accepted words can share a leaf, in the order in which maximum
fooling sets at small n use them, and in others; then a few are taken out, and others let in. What is found is a
fooling set for every n; that no faster one exists is not said.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from ccsim.bounds.fooling_sets import grow_fooling_set
from ccsim.certificates.verify import Refused
from ccsim.certificates.verify.matrices import bits_for
from ccsim.errors import InputError
from ccsim.families.family import FamilyCertificate, PairAutomaton, RegularFamily, Witness, count_at, united
from ccsim.models.reachability import leading_to, reached

COMPARED_AT = 40  # the length at which sets are compared
MOST_CELLS = 1 << 12  # of the small matrix whose fooling set is a seed
MOST_STATES = 64
Place = tuple[int, int, int]  # a state and a pair of letters


@dataclass
class _Search:
    """Sets of steps of one family for one answer."""

    table: list[list[list[int]]]
    outputs: list[int]
    first: int
    code: int

    def __post_init__(self) -> None:
        self.right = {state for state, output in enumerate(self.outputs) if output == self.code}
        self.alive = leading_to(self.right, [set().union(*lines) for lines in self.table])

    def clashes(self, steps: list[list[tuple[int, int]]]) -> bool:
        """Whether two different words of the steps, with the answer, can share a leaf."""
        table, alive = self.table, self.alive
        after = [[lines[x][y] for x, y in listed] for lines, listed in zip(table, steps, strict=True)]
        useful = leading_to(self.right, after)
        stack = [(state,) * 4 for state in reached([self.first], after.__getitem__)[0] if state in useful]
        seen = set(stack)
        while stack:
            s, t, c, d = stack.pop()
            same = s == t == c == d
            rows_s, rows_t, rows_c, rows_d = table[s], table[t], table[c], table[d]
            for x, y in steps[s]:
                for u, w in steps[t]:
                    if same and (x, y) == (u, w):
                        continue
                    now = (rows_s[x][y], rows_t[u][w], rows_c[x][w], rows_d[u][y])
                    if now[0] not in useful or now[1] not in useful or now[2] not in alive or now[3] not in alive:
                        continue
                    if now.count(now[0]) == 4 or all(self.outputs[state] == self.code for state in now):
                        return True  # met again: whatever follows, all four answers are the same
                    if now not in seen:
                        seen.add(now)
                        stack.append(now)
        return False

    def grown(self, steps: list[list[tuple[int, int]]], order: Iterable[Place]) -> list[list[tuple[int, int]]]:
        """As many more steps as fit, in this order, from states that are reached."""
        waiting, steps = list(order), [list(listed) for listed in steps]
        reached = {self.first}
        while True:
            left = []
            for state, x, y in waiting:
                if state not in reached:
                    left.append((state, x, y))
                    continue
                steps[state].append((x, y))
                if self.clashes(steps):
                    steps[state].pop()
                else:
                    reached.add(self.table[state][x][y])
            if len(left) == len(waiting) or not any(state in reached for state, _, _ in left):
                return steps
            waiting = left

    def automaton(self, steps: list[list[tuple[int, int]]]) -> PairAutomaton:
        """The steps as an automaton that accepts where the answer is right."""
        listed = tuple(tuple((x, y, self.table[state][x][y]) for x, y in own) for state, own in enumerate(steps))
        return PairAutomaton(listed, frozenset(self.right), self.first).trimmed()


def regular_fooling_set(family: RegularFamily, code: int, *, rounds: int = 12, seed: int = 0) -> PairAutomaton | None:
    """A regular fooling set of one answer that grows as fast as any that is found; None if no word has the answer.

    Args:
        family: the functions.
        code: the answer's code.
        rounds: how many other orders, and how many repairs of the best set, are tried.
        seed: of the orders that are tried.

    >>> from ccsim.families import named_family
    >>> regular_fooling_set(named_family("greater-than"), 0).counts(4)
    [2, 4, 8, 16]
    """
    if not 0 <= code < len(family.answers):
        raise InputError("code", code, f"from 0 to {len(family.answers) - 1}")
    small, rows, columns, *_ = family.merged
    table = small.table.tolist()
    search = _Search(table, small.outputs.tolist(), small.first, code)
    every = [
        (state, x, y)
        for state, lines in enumerate(table)
        for x, line in enumerate(lines)
        for y, after in enumerate(line)
        if after in search.alive
    ]
    rng = random.Random(seed)
    empty: list[list[tuple[int, int]]] = [[] for _ in table]
    tried = [search.grown(empty, order) for order in _orders(small, search, every, rng, rounds)]
    best = max(tried, key=lambda steps: _size(search, steps))
    for _ in range(rounds):
        kept = [[step for step in listed if rng.random() > 0.3] for listed in best]
        rng.shuffle(every)
        again = search.grown(kept, [place for place in every if place[1:] not in kept[place[0]]])
        best = max(best, again, key=lambda steps: _size(search, steps))
    found = search.automaton(best)
    return found.relettered(rows, columns) if any(found.counts(COMPARED_AT)) else None


def _size(search: _Search, steps: list[list[tuple[int, int]]]) -> tuple[int, int]:
    """How large a set is far out: at two lengths that follow each other, the smaller first."""
    counts = search.automaton(steps).counts(COMPARED_AT)[-2:]
    return min(counts), max(counts)


def _orders(
    small: RegularFamily, search: _Search, every: list[Place], rng: random.Random, rounds: int
) -> Iterator[list[Place]]:
    """Orders in which steps are tried: those that seeds use, loops first, and by chance."""
    for n in (1, 2, 3):
        used = _used(small, search, n)
        if used:
            yield sorted(every, key=lambda place: -used.get(place, 0))
    yield sorted(every, key=lambda place: search.table[place[0]][place[1]][place[2]] != place[0])
    for _ in range(rounds):
        yield rng.sample(every, len(every))


def _used(small: RegularFamily, search: _Search, n: int) -> dict[Place, int]:
    """How often the words of a large fooling set at a small n use each step."""
    function = small.at(n)
    if function.shape[0] * function.shape[1] > MOST_CELLS:
        return {}
    used: dict[Place, int] = {}
    cells = np.argwhere(function.matrix.codes == search.code)
    if not len(cells):
        return {}
    for row, column in grow_fooling_set(function.matrix, search.code):
        state = search.first
        words = [part.array(np.array([place]))[0] for part, place in zip(function.inputs, (row, column), strict=True)]
        for x, y in zip(*words, strict=True):
            place = (state, int(x), int(y))
            used[place] = used.get(place, 0) + 1
            state = search.table[state][x][y]
    return used


FAR, NEAR = 240, 6  # where bounds are compared first, and then
MOST_SILENT = 3  # letters of a silent line
ORDERS = 24


def lower_bound(
    family: RegularFamily, *, rounds: int = 12, seed: int = 0, more: Iterable[Witness] = ()
) -> FamilyCertificate:
    """The best lower bound for every n that is found on the bits of a protocol after which both know the answer.

    Args:
        family: the functions.
        rounds: how hard fooling sets are looked for.
        seed: of chance in the search.
        more: further witnesses to be tried.

    >>> from ccsim.families import dealt, named_family
    >>> from ccsim.models.automata import dyck_automaton
    >>> lower_bound(named_family("inner-product")).statements()["lower"]
    '>= ceil(log2(2*2^n - 2)) bits for all n >= 1'
    >>> lower_bound(dealt(dyck_automaton(2, 2), "AB"), rounds=1).statements()["lower"]
    '>= ceil(log2(4^n + 1)) bits for all n >= 1'
    """
    found = []
    for witness in itertools.chain(lower_witnesses(family, rounds=rounds, seed=seed), more):
        try:
            found.append(FamilyCertificate.of(family, lower=witness))
        except Refused:
            continue
    return max(found, key=_strength)


def _strength(certificate: FamilyCertificate) -> tuple[int, ...]:
    """The bits far out, then near, then the leaves far out."""
    count = certificate.proofs["lower"][0]
    leaves = [count_at(count, n) for n in (FAR - 1, FAR, *range(1, NEAR))]
    bits = [bits_for(number) for number in leaves]
    return min(bits[:2]), sum(bits[2:]), min(leaves[:2])


def lower_witnesses(family: RegularFamily, *, rounds: int = 12, seed: int = 0) -> Iterator[Witness]:
    """What may prove a lower bound: fooling sets do; whether the others do is for the checker to say."""
    codes = sorted(set(family.outputs.tolist()) - {-1})
    sets = {code: regular_fooling_set(family, code, rounds=rounds, seed=seed) for code in codes}
    parts = {code: found for code, found in sets.items() if found is not None}
    for found in (*parts.values(), *([united(parts.values())] if len(parts) > 1 else [])):
        if len(found.steps) <= MOST_STATES:
            yield {"kind": "regular-fooling-set", "words": found.to_json()}
    for code, found in parts.items():
        silent = {"alice": _silent(family, found, 0, code), "bob": _silent(family, found, 1, code)}
        for words in _ordered(found, seed):
            for lines in (silent, {**silent, "bob": None}, {**silent, "alice": None}):
                yield {"kind": "triangular-complement", "code": code, "words": words.to_json(), "silent": lines}
    for other in (0, -1):
        weights = [1 if output == family.outputs[family.first] else other for output in family.outputs.tolist()]
        yield {"kind": "tensor-power", "weights": weights}


def _ordered(words: PairAutomaton, seed: int) -> Iterator[PairAutomaton]:
    """The same words with their steps listed in other orders."""
    rng = random.Random(seed)
    yield words
    yield PairAutomaton(tuple(listed[::-1] for listed in words.steps), words.accepting, words.first)
    if max(map(len, words.steps)) > 1:
        for _ in range(ORDERS):
            steps = tuple(tuple(rng.sample(listed, len(listed))) for listed in words.steps)
            yield PairAutomaton(steps, words.accepting, words.first)


def _silent(family: RegularFamily, words: PairAutomaton, party: int, code: int) -> list[int] | None:
    """A line of a party that never has the answer with the other's part of a word, if a short one is found."""
    letters = range(len((family.alice, family.bob)[party]))
    for length in range(1, MOST_SILENT + 1):
        for line in itertools.product(letters, repeat=length):
            if not _meets(family, words, party, code, line):
                return list(line)
    return None


def _meets(family: RegularFamily, words: PairAutomaton, party: int, code: int, line: tuple[int, ...]) -> bool:
    """Whether a line, its last letter for ever, has the answer with some word's other part."""

    def follow(now: tuple[int, int, int]) -> Iterator[tuple[int, int, int]]:
        own, state, place = now
        for x, y, after in words.steps[own]:
            pair = (x, line[place]) if party else (line[place], y)
            yield after, int(family.table[state, *pair]), min(place + 1, len(line) - 1)

    states, table = reached([(words.first, family.first, 0)], follow)
    ends = (states[after] for after in set(itertools.chain.from_iterable(table)))
    return any(own in words.accepting and family.outputs[state] == code for own, state, _ in ends)
