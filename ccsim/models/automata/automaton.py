"""Deterministic finite automata as recurrent models."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ccsim.arguments import require_symbols
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.reachability import reached, refined
from ccsim.models.recurrent.table import TransitionTable
from ccsim.plain_data import counted
from ccsim.problems.sequence.regular import transition_table


@dataclass(frozen=True, eq=False)
class Automaton(TransitionTable):
    """A complete deterministic finite automaton with any answers: a transition table that is the same everywhere.

    Two automata are equal if they have the same states, numbers included; :meth:`minimise` numbers the states in the
    order in which a search from the start finds them, so that minimal automata are equal iff they give the same
    answers.

    >>> parity = Automaton.from_transitions({0: {"0": 0, "1": 1}, 1: {"0": 1, "1": 0}}, start=0, accepting={1})
    >>> parity("1101"), parity.states, parity.state_bits
    (1, 2, 1)
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.length is not None:
            raise InputError("length", self.length, "None: an automaton reads words of every length")

    @classmethod
    def of(
        cls,
        alphabet: Iterable[Hashable],
        table: Any,
        outputs: Any,
        first: int = 0,
        answers: Iterable[Hashable] = (0, 1),
        name: str = "",
    ) -> Automaton:
        """From ``table[state, symbol]``, the next state, and ``outputs[state]``, the code of the answer."""
        return cls(
            require_symbols("alphabet", alphabet),
            require_symbols("answers", answers),
            (table,),
            outputs,
            first,
            None,
            name or f"automaton({counted(len(np.asarray(table)), 'state')})",
        )

    @classmethod
    def from_transitions(
        cls,
        transitions: Mapping[Any, Mapping[Any, Any]],
        start: Hashable,
        accepting: Iterable[Hashable],
        alphabet: Iterable[Hashable] | None = None,
        name: str = "",
    ) -> Automaton:
        """From ``transitions[state][symbol]``, the next state; where there is none, the word is rejected for good.

        The alphabet is, unless given, every symbol of the transitions in order of first appearance. One state, in
        which rejected words stay, is added if some transition is missing.
        """
        symbols, table, first, accepts = transition_table(transitions, start, accepting, alphabet)
        states = len(transitions) + (table[:-1] == len(transitions)).any()
        return cls.of(symbols, table[:states], accepts[:states], first, name=name)

    @property
    def table(self) -> Array:
        """``table[state, symbol]`` is the next state, shape (states, symbols)."""
        return self.tables[0]

    def minimise(self) -> Automaton:
        """The least automaton with the same answers on all words, by refining classes of states (Moore 1956).

        >>> twice = Automaton.of("01", [[1, 2], [0, 3], [3, 0], [2, 1]], [0, 0, 1, 1])  # parity, counted in pairs
        >>> twice.minimise().states
        2
        """
        states, rows = reached([self.first], self.table.tolist().__getitem__)
        table, outputs = np.array(rows), self.outputs[states]
        first, classes = refined(table, outputs)
        return Automaton.of(
            self.alphabet, classes[table[first]], outputs[first], 0, self.answers, f"minimal {self.name}"
        )

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Automaton) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> Hashable:
        return self.alphabet, self.answers, self.first, self.table.tobytes(), self.outputs.tobytes()
