"""How many messages one party needs at every length: exactly as many as it has different lines, which are counted."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import product
from math import isqrt
from typing import Any

import lazy_loader as lazy
import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.families.certificate import FamilyCertificate
from ccsim.families.family import RegularFamily
from ccsim.families.one_way import DIRECTIONS
from ccsim.models.automata.automaton import Automaton
from ccsim.models.reachability import leading_to, reached

networkx = lazy.load("networkx")

BOUNDED, POLYNOMIAL, EXPONENTIAL = "bounded", "polynomial", "exponential"
MOST_STATES = 1 << 12  # of automata on the way

Follow = Callable[[Any], Iterable[Any]]


def messages(family: RegularFamily, direction: str = "alice-to-bob") -> FamilyCertificate:
    """How many messages one message needs for every n, exactly: as many as the sender has different lines.

    Two words of the sender have the same line if no word of the receiver leads them to different answers. That is a
    regular relation; so is the set of words that are the first of their line in lexicographic order, whose automaton
    counts the lines. Both automata are the witness from above, the second is that from below.

    Raises:
        InputError: for free cells, for which "the same line" is no equivalence, and where an automaton grows too large.

    >>> from ccsim.families import named_family
    >>> messages(named_family("greater-than")).statements()
    {'lower': '>= 2^n messages for all n >= 1', 'upper': '<= 2^n messages for all n >= 1'}
    """
    if direction not in DIRECTIONS:
        raise InputError("direction", direction, f"one of {DIRECTIONS}")
    small, alice, bob, *groups = family.merged
    if (small.outputs[small.table] < 0).any():  # the first state counts only if it is met again
        raise InputError("family", family.name, "a function without free cells")
    turned = direction != DIRECTIONS[0]
    kept, group = (bob, groups[1]) if turned else (alice, groups[0])
    same = _same_lines(small, np.swapaxes(small.table, 1, 2) if turned else small.table)
    firsts = _firsts(same)
    lines = _plain(firsts, lambda x: [[kept[x]]])
    written = [[letter for letter, own in enumerate(group) if own == x] for x in range(len(kept))]
    classes = _plain(_to_firsts(same, firsts), lambda pair: [[x, kept[pair[1]]] for x in written[pair[0]]])
    below = {"kind": "regular-distinct-lines", "lines": lines}
    above = {"kind": "regular-message-classes", "lines": lines, "classes": classes}
    return FamilyCertificate.of(family, "one-way-messages", {"direction": direction}, lower=below, upper=above)


def growth(certificate: FamilyCertificate) -> str:
    """How the number of messages grows: ``bounded``, ``polynomial`` or ``exponential``, by the cycles of the automaton
    that counts them.

    >>> from ccsim.families import named_family
    >>> growth(messages(named_family("disjointness")))
    'exponential'
    """
    witness = certificate.proofs.get("lower", (None, {}))[1]
    if witness.get("kind") != "regular-distinct-lines":
        raise InputError("certificate", certificate.measure, "a lower side by regular-distinct-lines")
    steps = witness["lines"]["steps"]
    graph = networkx.MultiDiGraph((state, after) for state, listed in enumerate(steps) for *_, after in listed)
    parts = networkx.condensation(networkx.DiGraph(graph))
    inside = {part: graph.subgraph(members) for part, members in parts.nodes(data="members")}
    if any(whole.number_of_edges() > whole.number_of_nodes() for whole in inside.values()):
        return EXPONENTIAL
    cyclic = {part for part, whole in inside.items() if whole.number_of_edges()}
    return POLYNOMIAL if any(networkx.descendants(parts, part) & cyclic for part in cyclic) else BOUNDED


def _explored(letters: Sequence[Hashable], first: Any, follow: Follow, accepts: Callable[[Any], bool]) -> Automaton:
    """The least automaton with these states, of which ``follow`` gives the next one for each letter."""
    states, table = reached([first], follow, MOST_STATES)
    if len(states) > MOST_STATES:
        raise InputError("family", len(states), f"a family whose lines are told apart by {MOST_STATES} states")
    return Automaton.of(letters, table, [*map(accepts, states)]).minimise()


def _same_lines(small: RegularFamily, table: Array) -> Automaton:
    """Two words of the sender, letter by letter: whether they have the same line."""
    sender, receiver = table.shape[1:]
    pairs = list(product(range(sender), repeat=2))

    def follow(states: frozenset[tuple[int, int]]) -> Iterator[frozenset[tuple[int, int]]]:
        for x, u in pairs:
            yield frozenset((int(table[p, x, y]), int(table[q, u, y])) for p, q in states for y in range(receiver))

    def agrees(states: frozenset[tuple[int, int]]) -> bool:
        return all(small.outputs[p] == small.outputs[q] for p, q in states)

    return _explored(pairs, frozenset([(small.first, small.first)]), follow, agrees)


def _firsts(same: Automaton) -> Automaton:
    """Words before which, in lexicographic order, no word has the same line."""
    letters = range(isqrt(len(same.alphabet)))
    table = same.table.reshape(-1, len(letters), len(letters)).tolist()
    alive = _alive(same)

    def follow(now: tuple[int, frozenset[int]]) -> Iterator[tuple[int, frozenset[int]]]:
        own, before = now
        for x in letters:
            earlier = {table[own][x][u] for u in range(x)} | {table[state][x][u] for state in before for u in letters}
            yield table[own][x][x], frozenset(earlier & alive)

    return _explored(letters, (same.first, frozenset()), follow, lambda now: not any(same.outputs[s] for s in now[1]))


def _to_firsts(same: Automaton, firsts: Automaton) -> Automaton:
    """Pairs of a word and the first word that has its line."""

    def follow(now: tuple[int, int]) -> Iterator[tuple[int, int]]:
        for place in range(len(same.alphabet)):
            yield int(same.table[now[0], place]), int(firsts.table[now[1], place % len(firsts.alphabet)])

    start = (same.first, firsts.first)
    return _explored(same.alphabet, start, follow, lambda now: bool(same.outputs[now[0]] and firsts.outputs[now[1]]))


def _alive(automaton: Automaton) -> set[int]:
    """The states from which a word is accepted."""
    return leading_to(np.flatnonzero(automaton.outputs).tolist(), automaton.table.tolist())


def _plain(automaton: Automaton, written: Callable[[Any], list[list[int]]]) -> dict[str, Any]:
    """An automaton as certificates have it, without what leads nowhere; a letter may be written in several ways."""
    alive = sorted(_alive(automaton) | {automaton.first})
    number = {state: place for place, state in enumerate(alive)}
    steps = [
        [
            [*letters, number[after]]
            for letter, after in zip(automaton.alphabet, automaton.table[state].tolist(), strict=True)
            if after in number
            for letters in written(letter)
        ]
        for state in alive
    ]
    accepting = [number[state] for state in alive if automaton.outputs[state]]
    return {"steps": steps, "accepting": accepting, "first": number[automaton.first]}
