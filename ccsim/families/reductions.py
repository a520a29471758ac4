"""Lower bounds by the small problems that a monoid contains: disjointness, counting modulo a prime, greater-than.

The language has a blank, and its positions are dealt in turn. Products are in the syntactic monoid, and x^w is the
idempotent power of x.

- *Not in DO.* For some x, y and e = (xy)^w, f = (yx)^w the element z = e f e is not e. Alice writes e or e x, Bob
  nothing or f, Alice e or y (xy)^(w-1) e, by one bit each: the product is z for one pair of bits, e for the others.
- *A subgroup is not Abelian.* For g, h in a group with identity e, Alice writes e or g, Bob nothing or h, Alice e or
  the inverse of g, Bob nothing or that of h: the product is the commutator z for one pair of bits, e for the others.

Blocks of these, one for each pair of bits, multiply to z^k if k of them show that pair. If e is no power of z, repeat
each block until the power of z is idempotent: that is disjointness. Else z has an order, which repetition makes a
prime: that is the inner product, or a count modulo an odd prime. A prefix and a suffix tell e from z.

- *Not commutative.* If letters a and b do not commute, let Alice write a somewhere, and Bob b: which comes first is
  what counts. The words in which both write in one turn are a fooling set.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ccsim.errors import InputError
from ccsim.families.family import PairAutomaton, RegularFamily
from ccsim.families.monoid import Monoid
from ccsim.families.sources import dealt, with_blank
from ccsim.models.automata.automaton import Automaton
from ccsim.models.reachability import reached

Pair = tuple[int, int]
Word = tuple[int, ...]
Step = tuple[int, int, int]
EVERY: tuple[Pair, ...] = ((0, 0), (0, 1), (1, 0), (1, 1))


class _Slot(NamedTuple):
    """Who writes next in a block, and which element for each of its bits."""

    owner: str
    zero: int
    one: int


@dataclass(frozen=True)
class Reduction:
    """A small problem inside a language with blanks, under the partition AB.

    Attributes:
        order: modulo what is counted: 0 for disjointness, 2 for the inner product, or an odd prime.
        family: the language as a family.
        witness: what proves the bound.
        block: how many turns one pair of bits takes.
        elements: the words of the elements that are told apart, and of the prefix and the suffix that do so.
        answer: the answer of the language where the sets are disjoint, or the count is 0.
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


def linear_reduction(automaton: Automaton, monoid: Monoid, blank: str = "_") -> Reduction:
    """The reduction that shows a language with blanks to need a number of bits linear in its length.

    Raises :class:`~ccsim.errors.InputError` if its monoid is in DO and has Abelian subgroups only.

    >>> from ccsim.families import FamilyCertificate, transition_monoid
    >>> from ccsim.models.automata import from_regular_expression
    >>> automaton = from_regular_expression("(ab)*", "ab")
    >>> found = linear_reduction(automaton, transition_monoid(automaton))
    >>> found.problem, found.block, FamilyCertificate.of(found.family, lower=found.witness).lower(60)
    ('disjointness', 6, 10)
    """
    slots = _slots(monoid)
    identity = _majority(monoid, slots)
    z = _product(monoid, slots, _rare(monoid, slots))
    powers, after = reached([identity], lambda power: [monoid.times(power, z)])
    back = after[-1][0]
    if back:
        repeats, order = next(k for k in itertools.count(1) if _power(monoid, z, k) in monoid.idempotents), 0
    else:
        order = next(q for q in range(2, len(powers) + 1) if len(powers) % q == 0)
        repeats = len(powers) // order
    prefix, suffix = _context(automaton, monoid, identity, _power(monoid, z, repeats))
    return _reduction(automaton, monoid, blank, slots * repeats, identity, (prefix, suffix), order)


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


def _product(monoid: Monoid, slots: Iterable[_Slot], bits: Pair) -> int:
    found = 0
    for owner, *options in slots:
        found = monoid.times(found, options[bits[owner == "B"]])
    return found


def _majority(monoid: Monoid, slots: list[_Slot]) -> int:
    """What three of the four pairs of bits make: they agree, so two of three do."""
    found = [_product(monoid, slots, bits) for bits in ((0, 0), (0, 1), (1, 0))]
    return max(found, key=found.count)


def _rare(monoid: Monoid, slots: list[_Slot]) -> Pair:
    """The pair of bits that makes another element than the other three."""
    common = _majority(monoid, slots)
    return next(bits for bits in EVERY if _product(monoid, slots, bits) != common)


def _power(monoid: Monoid, element: int, exponent: int) -> int:
    found = 0
    for _ in range(exponent):
        found = monoid.times(found, element)
    return found


def _context(automaton: Automaton, monoid: Monoid, one: int, other: int) -> Pair:
    """A prefix and a suffix between which two elements have different answers, as short as can be."""
    for prefix, suffix in itertools.product(range(monoid.size), repeat=2):
        ends = {
            int(automaton.outputs[monoid.acting(monoid.times(monoid.times(prefix, middle), suffix), automaton.first)])
            for middle in (one, other)
        }
        if len(ends) == 2:
            return prefix, suffix
    raise InputError("automaton", automaton.name, "a minimal automaton")


def _reduction(
    automaton: Automaton, monoid: Monoid, blank: str, slots: list[_Slot], identity: int, context: Pair, order: int
) -> Reduction:
    """The substitution of the slots for pairs of bits, and what proves the bound of the problem inside."""
    family, empty = dealt(with_blank(automaton, blank), "AB"), len(automaton.alphabet)
    start, end = monoid.times(context[0], identity), monoid.words[context[1]]
    written = {owner: [_written(monoid, slots, owner, bit, empty) for bit in (0, 1)] for owner in "AB"}
    size = len(written["A"][0])
    suffix = [[letter, empty] for letter in end]
    weights, terms, prime = _weights(automaton, monoid, slots, start, end, order)
    inside: dict[str, Any] = {"kind": "tensor-power", "weights": weights}
    if prime:
        inside = {"kind": "tensor-shifts", "prime": prime, "code": 1, "weights": weights, "terms": terms}
    witness = {
        "kind": "substitution",
        "prefix": [[letter, empty] for letter in monoid.words[start]],
        "alice": written["A"],
        "bob": written["B"],
        "suffixes": [suffix + [[empty, empty]] * more for more in range(size)],
        "of": inside,
    }
    elements = {"e": monoid.spelled(identity), "prefix": monoid.spelled(start), "suffix": monoid.spelled(context[1])}
    answer = int(automaton.outputs[_after(automaton, monoid.acting(start, automaton.first), end)])
    return Reduction(order, family, witness, size, elements, answer)


def _written(monoid: Monoid, slots: list[_Slot], owner: str, bit: int, empty: int) -> list[int]:
    """A party's letters in one block: its elements' words in its own slots, and blanks."""
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
    rare = _rare(monoid, slots)
    z = _product(monoid, slots, rare)
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
    for letter in word:
        state = int(automaton.table[state, letter])
    return state


def logarithmic_set(automaton: Automaton, monoid: Monoid, blank: str = "_") -> tuple[RegularFamily, PairAutomaton]:
    """A regular fooling set of a language with blanks whose letters do not all commute: its size grows as the length.

    >>> from ccsim.families import transition_monoid
    >>> from ccsim.models.automata import from_regular_expression
    >>> automaton = from_regular_expression("a*b*", "ab")
    >>> logarithmic_set(automaton, transition_monoid(automaton))[1].counts(5)
    [1, 2, 3, 4, 5]
    """
    if monoid.letter_witness is None:
        raise InputError("monoid", monoid, "a monoid that is not commutative")
    one, other = monoid.letter_witness
    a, b = map(monoid.generators.index, monoid.letter_witness)
    prefix, suffix = (
        monoid.words[element]
        for element in _context(automaton, monoid, monoid.times(one, other), monoid.times(other, one))
    )
    empty = len(automaton.alphabet)
    steps: list[tuple[Step, ...]] = []
    for place, letter in enumerate(prefix):
        steps.append(((letter, empty, place + 1),))
    waiting = len(prefix)
    steps.append(((empty, empty, waiting), (a, b, waiting + 1)))
    loop = (empty, empty, waiting + 1)
    ends: list[tuple[Step, ...]] = [((letter, empty, waiting + 2 + place),) for place, letter in enumerate(suffix)] + [
        ()
    ]
    steps += [(loop, *ends[0]), *ends[1:]]
    return dealt(with_blank(automaton, blank), "AB"), PairAutomaton(tuple(steps), frozenset([len(steps) - 1]), 0)
