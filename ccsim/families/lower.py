"""The best lower bound on deterministic complexity that is found for a family, for every n.

Tried are regular fooling sets of all answers, triangular sets with the complement of their answer, and tensor powers.
Each is proved by the checker; which is the best is decided far out.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator
from typing import Any

from ccsim.certificates.verify import Refused
from ccsim.certificates.verify.data import bits_for
from ccsim.families.certificate import FamilyCertificate
from ccsim.families.family import RegularFamily
from ccsim.families.fooling_search import MOST_STATES, regular_fooling_set
from ccsim.families.word_sets import PairAutomaton, count_at, united

Witness = dict[str, Any]
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
    ahead = [(words.first, family.first, 0)]
    seen: set[tuple[int, int, int]] = set()
    table = family.table
    while ahead:
        own, state, place = ahead.pop()
        for x, y, after in words.steps[own]:
            pair = (x, line[place]) if party else (line[place], y)
            now = (after, int(table[state, *pair]), min(place + 1, len(line) - 1))
            if now[0] in words.accepting and family.outputs[now[1]] == code:
                return True
            if now not in seen:
                seen.add(now)
                ahead.append(now)
    return False
