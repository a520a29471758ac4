"""Finite-state protocols for every length, and how many messages one party needs, exactly."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import isqrt
from typing import Any

import numpy as np

from ccsim import lazy
from ccsim.bits import Bits
from ccsim.certificates.verify import Refused
from ccsim.certificates.verify.claims import bits_for
from ccsim.engine.model import Cost
from ccsim.engine.party import Receive, Send
from ccsim.engine.protocol import Protocol
from ccsim.errors import Array, InputError, require_integer
from ccsim.families.family import FamilyCertificate, PairAutomaton, RegularFamily, partitioned
from ccsim.families.monoid import Monoid
from ccsim.models.automata import Automaton
from ccsim.models.reachability import leading_to, reached


@dataclass(frozen=True, eq=False)
class FiniteStateParties:
    """A protocol in which the ``speaker`` speaks at each block, and the other keeps account and answers at the end.

    Attributes:
        says: ``says[state][letter]``, the speaker's message at a block, a number.
        hears: ``hears[state][letter]``, the speaker's next state.
        keeps: ``keeps[state][letter][message]``, the other's next state.
        last: ``last[state]``, the speaker's message at the end.
        answers: ``answers[state][message]``, the other's answer, as a code.
        family, speaker: what is computed, and ``alice`` or ``bob``.
    """

    family: RegularFamily
    speaker: str
    says: list[list[int]]
    hears: list[list[int]]
    keeps: list[list[list[int]]]
    last: list[int]
    answers: list[list[int]]

    @property
    def block_bits(self) -> int:
        """The bits of the message at each block."""
        return bits_for(1 + max(map(max, self.says)))

    @property
    def end_bits(self) -> int:
        """The bits at the end: the speaker's last message, and the answer."""
        return bits_for(1 + max(self.last)) + bits_for(len(self.family.answers))

    def witness(self) -> dict[str, Any]:
        """As a certificate has it: in each step the other replies nothing."""
        messages = 1 + max(map(max, self.says))
        return {
            "kind": "finite-state-parties",
            "speaker": self.speaker,
            "says": self.says,
            "replies": [[[0] * messages for _ in row] for row in self.keeps],
            "hears": [[[after] for after in row] for row in self.hears],
            "keeps": self.keeps,
            "last": self.last,
            "answers": self.answers,
        }

    def protocol(self, n: int) -> Protocol:
        """The protocol at one n, to be run and explored.

        >>> from ccsim.families import letter_parties, named_family
        >>> letter_parties(named_family("equality")).protocol(3).explore().worst_bits
        4
        """
        n = require_integer("n", n, low=1)
        function = self.family.at(n)
        first, second = (0, 1) if self.speaker == "alice" else (1, 0)
        letters = [
            {letter: place for place, letter in enumerate(part)} for part in (self.family.alice, self.family.bob)
        ]
        alphabet = self.family.answers
        block, last, final = self.block_bits, bits_for(1 + max(self.last)), bits_for(len(alphabet))

        def speaking(word: Any) -> Generator[Any, Any, Any]:
            state = 0
            for letter in word:
                place = letters[first][letter]
                yield from _send(self.says[state][place], block)
                state = self.hears[state][place]
            yield from _send(self.last[state], last)
            return alphabet[(yield from _receive(final))]

        def answering(word: Any) -> Generator[Any, Any, Any]:
            state = 0
            for letter in word:
                message = yield from _receive(block)
                state = self.keeps[state][letters[second][letter]][message]
            answer = self.answers[state][(yield from _receive(last))]
            yield from _send(answer, final)
            return alphabet[answer]

        parties = {self.speaker: speaking, ("bob" if self.speaker == "alice" else "alice"): answering}
        cost = Cost(f"{self.block_bits} * n + {self.end_bits}", {"n": n})
        return Protocol(f"finite-state parties for {function.name}", function, parties, cost=cost)


def _send(number: int, width: int) -> Generator[Any, Any, None]:
    if width:
        yield Send(Bits.unsigned(number, width), "")


def _receive(width: int) -> Generator[Any, Any, int]:
    if not width:
        return 0
    received: Bits = yield Receive(width=width)
    return received.to_unsigned()


def letter_parties(family: RegularFamily) -> FiniteStateParties:
    """The party with fewer different letters sends each of its letters; the other runs the automaton, and answers.

    >>> from ccsim.families import named_family
    >>> parties = letter_parties(named_family("disjointness"))
    >>> parties.block_bits, parties.end_bits
    (1, 1)
    """
    small, rows, columns, *classes = family.merged
    turned = bits_for(len(columns)) < bits_for(len(rows))
    table = small.table.swapaxes(1, 2) if turned else small.table
    own, other = classes[::-1] if turned else classes
    order = [small.first, *(state for state in range(small.states) if state != small.first)]
    number = np.argsort(order)
    keeps = number[np.moveaxis(table[order][:, :, list(other)], 1, 2)].tolist()
    answers = [[max(0, int(small.outputs[state]))] for state in order]
    says, hears = [list(own)], [[0] * len(own)]
    return FiniteStateParties(family, "bob" if turned else "alice", says, hears, keeps, [0], answers)


def commuting_parties(automaton: Automaton, monoid: Monoid, partition: str) -> FiniteStateParties:
    """Where letters commute, each party multiplies its own letters: one sends its product, the other answers.

    ``monoid`` is the transition monoid of the automaton; ``partition`` says who holds which positions, repeated.

    >>> from ccsim.families import transition_monoid
    >>> from ccsim.models.regular_expressions import from_regular_expression
    >>> parity = from_regular_expression("(b|ab*a)*", "ab")
    >>> parties = commuting_parties(parity, transition_monoid(parity), "AB")
    >>> parties.block_bits, parties.end_bits, parties.protocol(3).explore().worst_bits
    (0, 2, 2)
    """
    if not monoid.is_commutative:
        raise InputError("monoid", monoid, "a commutative monoid")
    family = partitioned(automaton, partition)
    size, held = monoid.size, {owner: partition.count(owner) for owner in "AB"}
    after = {owner: monoid.table[:, monoid.blocks(held[owner])].tolist() for owner in "AB"}
    keeps = [[[following] for following in row] for row in after["B"]]
    answers = automaton.outputs[monoid.maps[monoid.table, automaton.first]].tolist()
    says = [[0] * len(after["A"][0])] * size
    return FiniteStateParties(family, "alice", says, after["A"], keeps, list(range(size)), answers)


MOST_KINDS, MOST_STEPS = 64, 24  # different rows or columns of states; lengths until they repeat


def silent_parties(family: RegularFamily) -> FiniteStateParties | None:
    """Parties that are silent until the end, if a bounded number of messages is enough for every n; None else.

    Words of Alice are of one kind if they lead to the same states with all words of Bob, and likewise words of Bob. The
    kinds of n + 1 letters follow from those of n. Where they repeat, each party keeps its kind by finitely many states,
    and at the end one names the row of answers of its kind.

    >>> from ccsim.families import partitioned, read_language
    >>> parties = silent_parties(partitioned(read_language("(a|b)*abb"), "AAAB"))
    >>> parties.block_bits, parties.end_bits, parties.protocol(2).explore().worst_bits
    (0, 2, 2)
    """
    small, _, _, *letters = family.merged
    found = _kinds(small)
    if found is None:
        return None
    tables, maps, back = found
    answers = [small.outputs[table].clip(0) for table in tables]
    costs = [max(np.unique(table, axis=axis).shape[axis] for table in answers) for axis in range(2)]
    turned = bits_for(costs[1]) < bits_for(costs[0])
    sender, receiver = (1, 0) if turned else (0, 1)
    offsets = [np.cumsum([0, *(table.shape[axis] for table in tables)]).tolist() for axis in range(2)]
    nexts = [
        [
            [offsets[axis][step + 1 if step + 1 < len(tables) else back] + kinds[own] for own in letters[axis]]
            for step, both in enumerate(maps)
            for kinds in both[axis].tolist()
        ]
        for axis in range(2)
    ]
    last, replies = list[int](), list[list[int]]()
    for table in answers:
        rows, classes = np.unique(table.T if turned else table, axis=0, return_inverse=True)
        last += classes.reshape(-1).tolist()
        padded = np.zeros((costs[sender], rows.shape[1]), dtype=np.int64)
        padded[: len(rows)] = rows
        replies += padded.T.tolist()
    says = [[0] * len(row) for row in nexts[sender]]
    keeps = [[[after] for after in row] for row in nexts[receiver]]
    return FiniteStateParties(family, "bob" if turned else "alice", says, nexts[sender], keeps, last, replies)


def _kinds(family: RegularFamily) -> tuple[list[Array], list[tuple[Array, Array]], int] | None:
    """For each n the states of pairs of kinds, and the kinds that letters lead to, until a table repeats, and which."""
    tables, maps, known = [np.array([[family.first]])], list[tuple[Array, Array]](), dict[bytes, int]()
    while len(tables) <= MOST_STEPS:
        rows, columns = tables[-1].shape
        known[_key(tables[-1])] = len(tables) - 1
        longer = np.moveaxis(family.table[tables[-1]], 2, 1)  # (kind of Alice, letter, kind of Bob, letter)
        letters = longer.shape[1], longer.shape[3]
        longer = longer.reshape(rows * letters[0], columns * letters[1])
        _, firsts, by_row = np.unique(longer, axis=0, return_index=True, return_inverse=True)
        _, others, by_column = np.unique(longer.T, axis=0, return_index=True, return_inverse=True)
        table = longer[np.ix_(firsts, others)]
        if max(table.shape) > MOST_KINDS:
            return None
        maps.append((by_row.reshape(rows, letters[0]), by_column.reshape(columns, letters[1])))
        if _key(table) in known:
            return tables, maps, known[_key(table)]
        tables.append(table)
    return None


def _key(table: Array) -> bytes:
    return repr(table.shape).encode() + np.ascontiguousarray(table).tobytes()


DIRECTIONS = ("alice-to-bob", "bob-to-alice")


def one_way_bound(family: RegularFamily, direction: str = "alice-to-bob") -> FamilyCertificate:
    """Bits of one message for every n, from below by words over as many letters of the sender as are shown to differ.

    Letters are added as long as the checker accepts that all words over them differ for the receiver. There is an
    upper side if it is the sender who speaks in :func:`~ccsim.families.letter_parties`.

    >>> from ccsim.families import named_family
    >>> one_way_bound(named_family("disjointness")).statements()
    {'lower': '>= n bits for all n >= 1', 'upper': '<= n bits for all n >= 1'}
    """
    if direction not in DIRECTIONS:
        raise InputError("direction", direction, f"one of {DIRECTIONS}")
    parties, parameters, kept = letter_parties(family), {"direction": direction}, list[list[int]]()
    words = {"steps": [kept], "accepting": [0], "first": 0}
    lower = {"kind": "regular-distinct-lines", "lines": words}
    for letter in family.merged.alice if direction == DIRECTIONS[0] else family.merged.bob:
        kept.append([letter, 0])
        try:
            FamilyCertificate.of(family, "one-way", parameters, lower=lower)
        except Refused:
            kept.pop()
    upper = parties.witness() if direction.startswith(parties.speaker) else None
    return FamilyCertificate.of(family, "one-way", parameters, lower=lower, upper=upper)


networkx = lazy.load("networkx")

BOUNDED, POLYNOMIAL, EXPONENTIAL = "bounded", "polynomial", "exponential"
MOST_STATES = 1 << 12  # of automata on the way

Follow = Callable[[Any], Iterable[Any]]


def messages(family: RegularFamily, direction: str = "alice-to-bob") -> FamilyCertificate:
    """How many messages one message needs for every n, exactly: the number of different rows of the sender.

    Two words of the sender have equal rows if no word of the receiver leads them to different answers. That is a
    regular relation; so is the set of words that are the first with their row in lexicographic order, whose automaton
    counts the rows. Both automata are the witness from above, the second is that from below.

    Undefined entries are an error, as equality of rows is no equivalence with them, and so are automata too large.

    >>> from ccsim.families import named_family
    >>> messages(named_family("greater-than")).statements()
    {'lower': '>= 2^n messages for all n >= 1', 'upper': '<= 2^n messages for all n >= 1'}
    """
    if direction not in DIRECTIONS:
        raise InputError("direction", direction, f"one of {DIRECTIONS}")
    small, alice, bob, *groups = family.merged
    if (small.outputs[small.table] < 0).any():  # the first state counts only if it is met again
        raise InputError("family", family.name, "a function without undefined entries")
    turned = direction != DIRECTIONS[0]
    kept, group = (bob, groups[1]) if turned else (alice, groups[0])
    same = _equal_rows(small, np.swapaxes(small.table, 1, 2) if turned else small.table)
    firsts = _firsts(same)
    counted = _plain(firsts, lambda x: [[kept[x]]])
    written = [[letter for letter, own in enumerate(group) if own == x] for x in range(len(kept))]
    classes = _plain(_to_firsts(same, firsts), lambda pair: [[x, kept[pair[1]]] for x in written[pair[0]]])
    below = {"kind": "regular-distinct-lines", "lines": counted}
    above = {"kind": "regular-message-classes", "lines": counted, "classes": classes}
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


def _minimal(letters: Sequence[Hashable], first: Any, follow: Follow, accepts: Callable[[Any], bool]) -> Automaton:
    """The least automaton with these states, of which ``follow`` gives the next one for each letter."""
    states, table = reached([first], follow, MOST_STATES)
    if len(states) > MOST_STATES:
        raise InputError("family", len(states), f"a family whose rows are distinguished by {MOST_STATES} states")
    return Automaton.of(letters, table, [*map(accepts, states)]).minimise()


def _equal_rows(small: RegularFamily, table: Array) -> Automaton:
    """Reads two words of the sender, letter by letter: whether their rows are equal."""
    sender, receiver = table.shape[1:]
    pairs = list(product(range(sender), repeat=2))

    def follow(states: frozenset[tuple[int, int]]) -> Iterator[frozenset[tuple[int, int]]]:
        for x, u in pairs:
            yield frozenset((int(table[p, x, y]), int(table[q, u, y])) for p, q in states for y in range(receiver))

    def agrees(states: frozenset[tuple[int, int]]) -> bool:
        return all(small.outputs[p] == small.outputs[q] for p, q in states)

    return _minimal(pairs, frozenset([(small.first, small.first)]), follow, agrees)


def _firsts(same: Automaton) -> Automaton:
    """Words before which, in lexicographic order, no word has an equal row."""
    letters = range(isqrt(len(same.alphabet)))
    table = same.table.reshape(-1, len(letters), len(letters)).tolist()
    alive = leading_to(np.flatnonzero(same.outputs).tolist(), same.table.tolist())

    def follow(now: tuple[int, frozenset[int]]) -> Iterator[tuple[int, frozenset[int]]]:
        own, before = now
        for x in letters:
            earlier = {table[own][x][u] for u in range(x)} | {table[state][x][u] for state in before for u in letters}
            yield table[own][x][x], frozenset(earlier & alive)

    return _minimal(letters, (same.first, frozenset()), follow, lambda now: not any(same.outputs[s] for s in now[1]))


def _to_firsts(same: Automaton, firsts: Automaton) -> Automaton:
    """Pairs of a word and the first word with its row."""

    def follow(now: tuple[int, int]) -> Iterator[tuple[int, int]]:
        for place in range(len(same.alphabet)):
            yield int(same.table[now[0], place]), int(firsts.table[now[1], place % len(firsts.alphabet)])

    start = (same.first, firsts.first)
    return _minimal(same.alphabet, start, follow, lambda now: bool(same.outputs[now[0]] and firsts.outputs[now[1]]))


def _plain(automaton: Automaton, written: Callable[[Any], list[list[int]]]) -> dict[str, Any]:
    """An automaton as certificates have it, without what leads nowhere; a letter may be written in several ways."""
    steps = tuple(
        tuple(
            (*letters, after)
            for letter, after in zip(automaton.alphabet, row, strict=True)
            for letters in written(letter)
        )
        for row in automaton.table.tolist()
    )
    accepting = frozenset(np.flatnonzero(automaton.outputs).tolist())
    return PairAutomaton(steps, accepting, automaton.first).trimmed().to_json()
