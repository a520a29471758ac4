"""Protocols for every length: two parties with finitely many states each, which say so many bits at each block."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.bits import Bits
from ccsim.certificates.verify.data import bits_for
from ccsim.engine.cost import Cost
from ccsim.engine.protocol import Protocol
from ccsim.engine.steps import Receive, Send
from ccsim.errors import InputError
from ccsim.families.family import RegularFamily
from ccsim.families.monoid import Monoid
from ccsim.families.sources import dealt
from ccsim.models.automata.automaton import Automaton


@dataclass(frozen=True, eq=False)
class FiniteStateParties:
    """A protocol in which one party speaks at each block, and the other keeps account and answers at the end.

    Attributes:
        family: what they compute.
        speaker: who speaks, ``alice`` or ``bob``.
        says: ``says[state][letter]``, what the speaker says at a block; a number below :attr:`said`.
        hears: ``hears[state][letter]``, the speaker's next state.
        keeps: ``keeps[state][letter][said]``, the other's next state.
        last: ``last[state]``, what the speaker says at the end.
        answers: ``answers[state][said]``, the other's answer, as a code.
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
        """What is said at each block."""
        return bits_for(1 + max(map(max, self.says)))

    @property
    def end_bits(self) -> int:
        """What is said at the end: the speaker's last word, and the answer."""
        return bits_for(1 + max(self.last)) + bits_for(len(self.family.answers))

    def witness(self) -> dict[str, Any]:
        """As a certificate has it: in each step the other replies nothing."""
        said = 1 + max(map(max, self.says))
        return {
            "kind": "finite-state-parties",
            "speaker": self.speaker,
            "says": self.says,
            "replies": [[[0] * said for _ in row] for row in self.keeps],
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
        block, ends = self.block_bits, bits_for(1 + max(self.last))

        def speaking(word: Any) -> Generator[Any, Any, Any]:
            state = 0
            for letter in word:
                place = letters[first][letter]
                yield from _told(self.says[state][place], block)
                state = self.hears[state][place]
            yield from _told(self.last[state], ends)
            answer = yield from _heard(bits_for(len(self.family.answers)))
            return self.family.answers[answer]

        def answering(word: Any) -> Generator[Any, Any, Any]:
            state = 0
            for letter in word:
                said = yield from _heard(block)
                state = self.keeps[state][letters[second][letter]][said]
            said = yield from _heard(ends)
            answer = self.answers[state][said]
            yield from _told(answer, bits_for(len(self.family.answers)))
            return self.family.answers[answer]

        parties = {self.speaker: speaking, ("bob" if self.speaker == "alice" else "alice"): answering}
        cost = Cost(f"{self.block_bits} * n + {self.end_bits}", {"n": n})
        return Protocol(f"finite-state parties for {function.name}", function, parties, cost=cost)


def _told(number: int, width: int) -> Generator[Any, Any, None]:
    if width:
        yield Send(Bits.unsigned(number, width), "")


def _heard(width: int) -> Generator[Any, Any, int]:
    if not width:
        return 0
    heard: Bits = yield Receive(width=width)
    return heard.to_unsigned()


def letter_parties(family: RegularFamily) -> FiniteStateParties:
    """One party says each of its letters, as far as they differ; the other runs the automaton, and answers.

    The party with fewer different letters speaks.

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
    """Where letters commute, a party's letters can be multiplied by it alone: one says the product, the other answers.

    Args:
        automaton: the language's.
        monoid: its transition monoid, which is commutative.
        partition: who holds which positions, repeated.

    >>> from ccsim.families import transition_monoid
    >>> from ccsim.models.automata import from_regular_expression
    >>> parity = from_regular_expression("(b|ab*a)*", "ab")
    >>> parties = commuting_parties(parity, transition_monoid(parity), "AB")
    >>> parties.block_bits, parties.end_bits, parties.protocol(3).explore().worst_bits
    (0, 2, 2)
    """
    if not monoid.is_commutative:
        raise InputError("monoid", monoid, "a commutative monoid")
    family = dealt(automaton, partition)
    size, held = monoid.size, {owner: partition.count(owner) for owner in "AB"}
    after = {
        owner: [[monoid.times(own, block) for block in monoid.blocks(held[owner])] for own in range(size)]
        for owner in "AB"
    }
    keeps = [[[following] for following in row] for row in after["B"]]
    states = [[monoid.acting(monoid.times(said, own), automaton.first) for said in range(size)] for own in range(size)]
    answers = [[int(automaton.outputs[state]) for state in row] for row in states]
    says = [[0] * len(after["A"][0])] * size
    return FiniteStateParties(family, "alice", says, after["A"], keeps, list(range(size)), answers)
