"""Lower bounds on the deterministic complexity of a family, for every n: fooling sets, tensor powers, reductions.

Regular fooling sets are searched for by floats and chance; the checker decides. The sets sought are automata whose
states are those of the family, and whose steps are some of the family's. Steps are added as long as no two accepted
words can share a leaf, in the order in which maximum fooling sets at small n use them, and in others; then a few are
taken out, and others let in. That no set grows faster is not claimed.

Reductions use a small problem that the syntactic monoid of a language contains. The language has a blank, and its
positions alternate between the parties. x^w is the idempotent power of x.

- *Not in DO.* For some x, y and e = (xy)^w, f = (yx)^w the element z = e f e is not e. Alice writes e or e x, Bob
  nothing or f, Alice e or y (xy)^(w-1) e, by one bit each: the product is z for one pair of bits, e for the others.
- *A subgroup is not Abelian.* For g, h in a group with identity e, Alice writes e or g, Bob nothing or h, Alice e or
  the inverse of g, Bob nothing or that of h: the product is the commutator z for one pair of bits, e for the others.

Blocks of these, one for each pair of bits, multiply to z^k if k of them show that pair. If e is no power of z, repeat
each block until the power of z is idempotent: that is disjointness. Else z has an order, which repetition makes a
prime: that is the inner product, or a count modulo an odd prime. A prefix and a suffix distinguish e from z.

- *Not commutative.* If letters a and b do not commute, let Alice write a somewhere, and Bob b: which comes first
  matters. The words in which both write in one turn are a fooling set.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from ccsim.bounds.fooling_sets import grow_fooling_set
from ccsim.bounds.scheduler import Clock
from ccsim.certificates.verify import Refused
from ccsim.certificates.verify.claims import bits_for
from ccsim.errors import Array, InputError
from ccsim.families.family import (
    FamilyCertificate,
    PairAutomaton,
    RegularFamily,
    Witness,
    count_at,
    partitioned,
    united,
    with_blank,
)
from ccsim.families.monoid import Monoid, noncommuting_letters
from ccsim.models.automata import Automaton
from ccsim.models.reachability import leading_to, reached, shortest_words

COMPARED_AT = 40  # the length at which sets are compared
MOST_CELLS = 1 << 12  # of the small matrix whose fooling set is a seed
MOST_STATES = 64
Place = tuple[int, int, int]  # a state and a pair of letters


@dataclass
class FamilySearch:
    family: RegularFamily
    code: int
    clock: Clock

    def __post_init__(self) -> None:
        self.table, self.outputs = self.family.table.tolist(), self.family.outputs.tolist()
        self.first = self.family.first
        self.right = {state for state, output in enumerate(self.outputs) if output == self.code}
        self.alive = leading_to(self.right, [set().union(*rows) for rows in self.table])

    def clashes(self, steps: list[list[tuple[int, int]]]) -> bool:
        """Whether two different words of the steps, with the answer, can share a leaf."""
        table, alive = self.table, self.alive
        after = [[rows[x][y] for x, y in listed] for rows, listed in zip(table, steps, strict=True)]
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
                if self.clock.over:
                    return steps
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
        listed = tuple(tuple((x, y, self.table[state][x][y]) for x, y in own) for state, own in enumerate(steps))
        return PairAutomaton(listed, frozenset(self.right), self.first).trimmed()


def regular_fooling_set(
    family: RegularFamily, label: Hashable, *, rounds: int = 12, seed: int = 0, clock: Clock | None = None
) -> PairAutomaton | None:
    """A regular fooling set of one answer that grows as fast as any that was tried; None if no word has the answer.

    ``rounds`` is how many other orders, and how many repairs of the best set, are tried; a ``clock`` may end this.

    >>> from ccsim.families import named_family
    >>> regular_fooling_set(named_family("greater-than"), 0).counts(4)
    [2, 4, 8, 16]
    """
    if label not in family.answers:
        raise InputError("label", label, f"one of {family.answers}")
    small, rows, columns, *_ = family.merged
    search = FamilySearch(small, family.answers.index(label), clock or Clock())
    table = search.table
    every = [
        (state, x, y)
        for state, rows_of in enumerate(table)
        for x, row in enumerate(rows_of)
        for y, after in enumerate(row)
        if after in search.alive
    ]
    rng = random.Random(seed)
    empty: list[list[tuple[int, int]]] = [[] for _ in table]
    orders = _orders(search, every, rng, rounds)
    best = search.grown(empty, next(orders))
    for order in itertools.takewhile(lambda _: not search.clock.over, orders):
        best = max(best, search.grown(empty, order), key=lambda steps: _size(search, steps))
    for _ in itertools.takewhile(lambda _: not search.clock.over, range(rounds)):
        kept = [[step for step in listed if rng.random() > 0.3] for listed in best]
        rng.shuffle(every)
        again = search.grown(kept, [place for place in every if place[1:] not in kept[place[0]]])
        best = max(best, again, key=lambda steps: _size(search, steps))
    words = search.automaton(best)
    if not any(words.counts(COMPARED_AT)):
        return None
    steps = (tuple((rows[x], columns[y], after) for x, y, after in listed) for listed in words.steps)
    return PairAutomaton(tuple(steps), words.accepting, words.first)


def _size(search: FamilySearch, steps: list[list[tuple[int, int]]]) -> tuple[int, int]:
    """How large a set is far out: at two lengths that follow each other, the smaller first."""
    counts = search.automaton(steps).counts(COMPARED_AT)[-2:]
    return min(counts), max(counts)


def _orders(search: FamilySearch, every: list[Place], rng: random.Random, rounds: int) -> Iterator[list[Place]]:
    """Orders in which steps are tried: those that seeds use, loops first, and by chance."""
    for n in (1, 2, 3):
        if used := _used(search, n):
            yield sorted(every, key=lambda place: -used.get(place, 0))
    yield sorted(every, key=lambda place: search.table[place[0]][place[1]][place[2]] != place[0])
    for _ in range(rounds):
        yield rng.sample(every, len(every))


def _used(search: FamilySearch, n: int) -> Counter[Place]:
    """How often the words of a large fooling set at a small n use each step."""
    function, used = search.family.at(n), Counter[Place]()
    if math.prod(function.shape) > MOST_CELLS or not (function.matrix.codes == search.code).any():
        return used
    for row, column in grow_fooling_set(function.matrix, function.matrix.labels[search.code]):
        state = search.first
        words = [part.array(np.array([place]))[0] for part, place in zip(function.inputs, (row, column), strict=True)]
        for x, y in zip(*map(np.ndarray.tolist, words), strict=True):
            used[state, x, y] += 1
            state = search.table[state][x][y]
    return used


FAR, NEAR = 240, 6  # where bounds are compared first, and then
MOST_SILENT = 3  # letters of a silent word
ORDERS = 24


def lower_bound(
    family: RegularFamily,
    *,
    rounds: int = 12,
    seed: int = 0,
    more: Iterable[Witness] = (),
    seconds: float | None = None,
    clock: Clock | None = None,
) -> FamilyCertificate:
    """The best of the lower bounds tried, for every n, on the bits of a protocol after which both know the answer.

    ``rounds`` is how hard fooling sets are looked for; ``more`` are further witnesses to be tried. After so many
    ``seconds``, or where a ``clock`` ends, no further witness is tried.

    >>> from ccsim.families import named_family
    >>> lower_bound(named_family("inner-product")).statements()["lower"]
    '>= ceil(log2(2*2^n - 2)) bits for all n >= 1'
    """
    clock, small = clock or Clock.within(seconds), family.merged.family
    word = {"steps": [[[0, 0, 0]]], "accepting": [0], "first": 0}
    least = {"kind": "regular-fooling-set", "words": word}  # a word of each length, which proves nothing but is quick
    found = list[tuple[tuple[int, ...], RegularFamily, Witness]]()
    searched = itertools.chain([least], lower_witnesses(small, rounds=rounds, seed=seed, clock=clock))
    for where, witness in itertools.chain(((family, one) for one in more), ((small, one) for one in searched)):
        if clock.over and found:
            break
        with suppress(Refused):
            found.append((_strength(FamilyCertificate.of(where, lower=witness)), where, witness))
    _, where, witness = max(found, key=itemgetter(0))
    return FamilyCertificate.of(family, lower=_in_letters_of(family, witness) if where is small else witness)


def _in_letters_of(family: RegularFamily, witness: Witness) -> Witness:
    """A witness about the least family of merged letters, for the family itself."""
    small, rows, columns, *_ = family.merged
    if witness["kind"] == "tensor-power":  # answers have weights
        weights = dict(zip(small.outputs.tolist(), witness["weights"], strict=True))
        return {**witness, "weights": [weights.get(output, 0) for output in family.outputs.tolist()]}
    words, silent = witness["words"], witness.get("silent")
    steps = [[[rows[x], columns[y], after] for x, y, after in listed] for listed in words["steps"]]
    found = {**witness, "words": {**words, "steps": steps}}
    if silent is not None:
        kept = {"alice": rows, "bob": columns}
        found["silent"] = {who: word and [kept[who][letter] for letter in word] for who, word in silent.items()}
    return found


def _strength(certificate: FamilyCertificate) -> tuple[int, ...]:
    """The bits far out, then near, then the leaves far out."""
    count = certificate.proofs["lower"][0]
    leaves = [count_at(count, n) for n in (FAR - 1, FAR, *range(1, NEAR))]
    bits = [bits_for(number) for number in leaves]
    return min(bits[:2]), sum(bits[2:]), min(leaves[:2])


def lower_witnesses(
    family: RegularFamily, *, rounds: int = 12, seed: int = 0, clock: Clock | None = None
) -> Iterator[Witness]:
    """What may prove a lower bound: fooling sets do; whether the others do is for the checker to say."""
    codes, clock = sorted(set(family.outputs.tolist()) - {-1}), clock or Clock()
    sets = {
        code: regular_fooling_set(
            family, family.answers[code], rounds=rounds, seed=seed, clock=Clock.within(clock.share(len(codes) - at))
        )
        for at, code in enumerate(codes)
    }
    parts = {code: words for code, words in sets.items() if words is not None}
    for words in (*parts.values(), *([united(parts.values())] if len(parts) > 1 else [])):
        if len(words.steps) <= MOST_STATES:
            yield {"kind": "regular-fooling-set", "words": words.to_json()}
    for code, part in parts.items():
        silent = {"alice": _silent(family, part, 0, code), "bob": _silent(family, part, 1, code)}
        for words in _ordered(part, seed):
            for known in (silent, {**silent, "bob": None}, {**silent, "alice": None}):
                yield {"kind": "triangular-complement", "code": code, "words": words.to_json(), "silent": known}
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
    """A word of a party, its last letter repeated for ever, that never has the answer with the other's part of a word.

    None if no short one is found.
    """
    letters = range(len((family.alice, family.bob)[party]))
    lengths = [length for length in range(1, MOST_SILENT + 1) if len(letters) ** length <= MOST_CELLS]
    for length in lengths:
        for word in itertools.product(letters, repeat=length):

            def follow(now: tuple[int, int, int], word: Word = word) -> Iterator[tuple[int, int, int]]:
                own, state, place = now
                for x, y, after in words.steps[own]:
                    pair = (x, word[place]) if party else (word[place], y)
                    yield after, int(family.table[state, *pair]), min(place + 1, len(word) - 1)

            states, table = reached([(words.first, family.first, 0)], follow)
            last = (states[after] for after in set(itertools.chain.from_iterable(table)))
            if not any(own in words.accepting and family.outputs[state] == code for own, state, _ in last):
                return list(word)
    return None


Pair = tuple[int, int]
Word = tuple[int, ...]
Edge = tuple[int, int, int]


class _Slot(NamedTuple):
    """Who writes next in a block, and which element for each of its bits."""

    owner: str
    zero: int
    one: int


@dataclass(frozen=True)
class LinearReduction:
    """A small problem inside a language with blanks, under the partition AB.

    Attributes:
        order: modulo what is counted: 0 for disjointness, 2 for the inner product, or an odd prime.
        block: how many turns one pair of bits takes.
        elements: the words of the element e, and of the prefix and the suffix that distinguish others from it.
        answer: the answer of the language where the sets are disjoint, or the count is 0.
        family, witness: the language under that partition, and what proves the reduction, as plain data.
    """

    order: int
    family: RegularFamily
    witness: dict[str, Any]
    block: int
    elements: dict[str, str]
    answer: int

    @property
    def problem(self) -> str:
        """``disjointness``, ``inner product`` or ``counting modulo p``."""
        return {0: "disjointness", 2: "inner product"}.get(self.order, f"counting modulo {self.order}")


def linear_reduction(automaton: Automaton, monoid: Monoid, blank: str = "_") -> LinearReduction:
    """The reduction that shows a language with blanks to need a number of bits linear in its length.

    Raises :class:`~ccsim.errors.InputError` if its monoid is in DO and has Abelian subgroups only.

    >>> from ccsim.families import FamilyCertificate, transition_monoid
    >>> from ccsim.models.regular_expressions import from_regular_expression
    >>> automaton = from_regular_expression("(ab)*", "ab")
    >>> reduction = linear_reduction(automaton, transition_monoid(automaton))
    >>> reduction.problem, reduction.block, FamilyCertificate.of(reduction.family, lower=reduction.witness).lower(60)
    ('disjointness', 6, 10)
    """
    slots = _slots(monoid)
    identity, _, z = _outcomes(monoid, slots)
    powers, after = reached([identity], lambda power: [monoid.times(power, z)])
    if after[-1][0]:
        repeats, order = next(k for k in itertools.count(1) if _power(monoid, z, k) in monoid.idempotents), 0
    else:
        order = next(q for q in range(2, len(powers) + 1) if len(powers) % q == 0)
        repeats = len(powers) // order
    slots *= repeats
    words = _context(automaton, monoid.maps[identity], monoid.maps[_power(monoid, z, repeats)])
    prefix, suffix = (reduce(monoid.times, [monoid.generators[letter] for letter in word], 0) for word in words)
    family, empty = partitioned(with_blank(automaton, blank), "AB"), len(automaton.alphabet)
    start, end = monoid.times(prefix, identity), monoid.words[suffix]
    written = {owner: [_written(monoid, slots, owner, bit, empty) for bit in (0, 1)] for owner in "AB"}
    weights, terms, prime = _weights(automaton, monoid, slots, start, end, order)
    inside: dict[str, Any] = {"kind": "tensor-power", "weights": weights}
    if prime:
        inside = {"kind": "tensor-shifts", "prime": prime, "code": 1, "weights": weights, "terms": terms}
    witness = _substitution(empty, monoid.words[start], written, end, inside)
    elements = {"e": monoid.spelled(identity), "prefix": monoid.spelled(start), "suffix": monoid.spelled(suffix)}
    answer = int(automaton.outputs[_after(automaton, monoid.acting(start, automaton.first), end)])
    return LinearReduction(order, family, witness, len(written["A"][0]), elements, answer)


def _substitution(empty: int, start: Word, written: dict[str, list[list[int]]], end: Word, inside: Any) -> Witness:
    size, last = len(written["A"][0]), [[letter, empty] for letter in end]
    return {
        "kind": "substitution",
        "prefix": [[letter, empty] for letter in start],
        "alice": written["A"],
        "bob": written["B"],
        "suffixes": [last + [[empty, empty]] * more for more in range(size)],
        "of": inside,
    }


MOST_TRIED = 1 << 22  # pairs of words times states


def short_reduction(automaton: Automaton, blank: str = "_") -> LinearReduction | None:
    """A reduction by the states that two short words x and y lead to, where the monoid is too large; None if none is
    found.

    Let x y lead a state p to itself, y x lead p to q and q to itself, and x y lead q to another state r and r to
    itself. Alice writes nothing or x, Bob nothing or y x, Alice x y or y: this leads from p to r for one pair of bits,
    else from p to p; and from r to r if y x x y does, or for the same pair of bits to p: then it is the inner product.

    >>> from ccsim.models.regular_expressions import from_regular_expression
    >>> found = short_reduction(from_regular_expression("(ab)*", "ab"))
    >>> found.problem, found.block, found.elements["e"]
    ('disjointness', 5, 'ab')
    """
    columns, count = automaton.table.T.tolist(), math.isqrt(MOST_TRIED // automaton.states)
    held, right = reached(
        [tuple(range(automaton.states))], lambda now: [tuple(map(step.__getitem__, now)) for step in columns], count
    )
    words, maps, states = shortest_words(right), np.array(held), np.arange(automaton.states)
    best: tuple[int, Word, Word, int, int, int] | None = None
    for x, own in zip(words, maps, strict=False):
        both, turned = maps[: len(words), own], own[maps[: len(words)]]  # by x y and by y x, for each y
        q = turned
        r = np.take_along_axis(both, q, axis=1)
        again = np.take_along_axis(both, np.take_along_axis(turned, r, axis=1), axis=1)
        fixed = (both == states) & (np.take_along_axis(turned, q, axis=1) == q)
        fixed &= (np.take_along_axis(both, r, axis=1) == r) & (r != states) & ((again == r) | (again == states))
        for y, p in np.argwhere(fixed)[:1]:  # shorter words come first
            size = 3 * len(x) + 2 * len(words[y])
            if best is None or size < best[0]:
                best = size, x, words[y], int(p), int(r[y, p]), int(again[y, p] == p)
    if best is None:
        return None
    size, x, y, p, other, order = best
    ways = reached([automaton.first], automaton.table.tolist().__getitem__)
    start, end = shortest_words(ways[1])[ways[0].index(p)], _suffix(automaton, p, other)
    empty, weights = len(automaton.alphabet), [0] * automaton.states
    weights[p], weights[other] = 1, -order
    gap = (empty,)
    written = {
        "A": [[*gap * len(x + y + x), *x, *y], [*x, *gap * len(x + y), *y, *gap * len(x)]],
        "B": [[*gap * size], [*gap * len(x), *y, *x, *gap * len(x + y)]],
    }
    inside = {"kind": "tensor-power", "weights": weights}
    spelled = {"e": x + y, "prefix": start, "suffix": end}
    elements = {name: "".join(str(automaton.alphabet[at]) for at in word) or "1" for name, word in spelled.items()}
    witness = _substitution(empty, start, written, end, inside)
    answer = int(automaton.outputs[_after(automaton, p, end)])
    return LinearReduction(2 * order, partitioned(with_blank(automaton, blank), "AB"), witness, size, elements, answer)


def _slots(monoid: Monoid) -> list[_Slot]:
    times = monoid.times
    if monoid.do_witness is not None:
        x, y = monoid.do_witness
        e, f = int(monoid.omega[times(x, y)]), int(monoid.omega[times(y, x)])
        power = next(k for k in itertools.count(1) if _power(monoid, times(x, y), k) == e)
        last = times(times(y, _power(monoid, times(x, y), power - 1)), e)
        return [_Slot("A", e, times(e, x)), _Slot("B", 0, f), _Slot("A", e, last)]
    if monoid.group_witness is not None:
        g, h = monoid.group_witness
        e = int(monoid.omega[g])
        inverse = {a: next(b for b in monoid.maximal_group(e) if times(a, b) == e) for a in (g, h)}
        return [_Slot("A", e, g), _Slot("B", 0, h), _Slot("A", e, inverse[g]), _Slot("B", 0, inverse[h])]
    raise InputError("monoid", monoid, "a monoid that is not in DO, or has a subgroup that is not Abelian")


def _outcomes(monoid: Monoid, slots: list[_Slot]) -> tuple[int, Pair, int]:
    """The element that three of the four pairs of bits make, the fourth pair, and what that one makes."""
    products = {
        bits: reduce(monoid.times, (options[bits[owner == "B"]] for owner, *options in slots), 0)
        for bits in ((0, 0), (0, 1), (1, 0), (1, 1))
    }
    common = max(products.values(), key=list(products.values()).count)
    return next((common, bits, element) for bits, element in products.items() if element != common)


def _power(monoid: Monoid, element: int, exponent: int) -> int:
    return reduce(monoid.times, [element] * exponent, 0)


def _context(automaton: Automaton, one: Array, other: Array) -> tuple[Word, Word]:
    """A prefix and a suffix between which two maps of states have different answers, as short as can be."""
    states, rows = reached([automaton.first], automaton.table.tolist().__getitem__)
    for state, prefix in zip(states, shortest_words(rows), strict=True):
        if one[state] != other[state]:
            return prefix, _suffix(automaton, int(one[state]), int(other[state]))
    raise InputError("automaton", automaton.name, "a minimal automaton")


def _suffix(automaton: Automaton, one: int, other: int) -> Word:
    """A shortest word with different answers after two states."""
    table = automaton.table.tolist()
    pairs, rows = reached([(one, other)], lambda pair: zip(table[pair[0]], table[pair[1]], strict=True))
    words = zip(pairs, shortest_words(rows), strict=True)
    found = next((word for (p, q), word in words if automaton.outputs[p] != automaton.outputs[q]), None)
    if found is None:
        raise InputError("automaton", automaton.name, "a minimal automaton")
    return found


def _written(monoid: Monoid, slots: list[_Slot], owner: str, bit: int, empty: int) -> list[int]:
    letters: list[int] = []
    for whose, *options in slots:
        words = [monoid.words[element] for element in options]
        mine = words[bit] if whose == owner else ()
        letters += [*mine, *(empty,) * (max(map(len, words)) - len(mine))]
    return letters


def _weights(
    automaton: Automaton, monoid: Monoid, slots: list[_Slot], start: int, end: Word, order: int
) -> tuple[list[int], list[Any], int]:
    """The weights of states that the blocks multiply; for an odd order also the terms, and the prime."""
    _, rare, z = _outcomes(monoid, slots)
    states, _ = reached([monoid.acting(start, automaton.first)], lambda state: [monoid.acting(z, state)])
    weights = [0] * automaton.states
    if order < 3:
        for place, state in enumerate(states):
            weights[state] = (-1) ** place if order else int(place == 0)
        return weights, [], 0
    answers = [int(automaton.outputs[_after(automaton, state, end)]) for state in states]
    prime, root, total = next(
        (prime, root, total)
        for prime in itertools.count(order + 1, order)
        if all(prime % divisor for divisor in range(2, prime))
        for root in range(2, prime)
        if pow(root, order, prime) == 1
        and (total := sum(answer * pow(root, -place, prime) for place, answer in enumerate(answers)) % prime)
    )
    for place, state in enumerate(states):
        weights[state] = pow(root, place, prime)
    plain = (1 - rare[0], rare[1])
    terms = [
        [pow(total, -1, prime) * pow(root, -shift, prime) % prime, [[*rare]] * shift + [[*plain]] * (order - 1 - shift)]
        for shift in range(order)
    ]
    return weights, terms, prime


def _after(automaton: Automaton, state: int, word: Word) -> int:
    return reduce(lambda at, letter: int(automaton.table[at, letter]), word, state)


def logarithmic_set(automaton: Automaton, blank: str = "_") -> tuple[RegularFamily, PairAutomaton]:
    """A regular fooling set of a language with blanks whose letters do not all commute: its size grows as the length.

    >>> from ccsim.models.regular_expressions import from_regular_expression
    >>> logarithmic_set(from_regular_expression("a*b*", "ab"))[1].counts(5)
    [1, 2, 3, 4, 5]
    """
    if (letters := noncommuting_letters(automaton)) is None:
        raise InputError("automaton", automaton.name, "letters that do not commute")
    a, b = letters
    one, other = automaton.table[:, a], automaton.table[:, b]
    prefix, suffix = _context(automaton, other[one], one[other])
    empty, waiting = len(automaton.alphabet), len(prefix)
    steps: list[tuple[Edge, ...]] = [((letter, empty, place + 1),) for place, letter in enumerate(prefix)]
    steps.append(((empty, empty, waiting), (a, b, waiting + 1)))
    read = [((letter, empty, waiting + 2 + place),) for place, letter in enumerate(suffix)]
    last: list[tuple[Edge, ...]] = [*read, ()]
    steps += [((empty, empty, waiting + 1), *last[0]), *last[1:]]
    return partitioned(with_blank(automaton, blank), "AB"), PairAutomaton(tuple(steps), frozenset([len(steps) - 1]), 0)
