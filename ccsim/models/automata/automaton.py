"""Deterministic finite automata as recurrent models."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ccsim.arguments import require_symbols
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.recurrent.table import TransitionTable
from ccsim.plain_data import counted


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
        name = name or f"automaton({counted(len(np.asarray(table)), 'state')})"
        return cls(
            require_symbols("alphabet", alphabet),
            require_symbols("answers", answers),
            (table,),
            outputs,
            first,
            None,
            name,
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
        found = dict.fromkeys(symbol for row in transitions.values() for symbol in row)
        symbols = require_symbols("alphabet", found if alphabet is None else alphabet)
        number = {state: place for place, state in enumerate(transitions)}
        final = list(accepting)
        for argument, state in [("start", start), *(("accepting", state) for state in final)]:
            if state not in number:
                raise InputError(argument, state, "a state with a row of transitions")
        table = np.full((len(number) + 1, len(symbols)), len(number), dtype=np.int64)
        for state, row in transitions.items():
            for symbol, following in row.items():
                if symbol not in symbols:
                    raise InputError(f"transitions[{state!r}]", symbol, f"symbols of the alphabet {symbols}")
                if following not in number:
                    expected = "states with a row of transitions"
                    raise InputError(f"transitions[{state!r}][{symbol!r}]", following, expected)
                table[number[state], symbols.index(symbol)] = number[following]
        outputs = np.zeros(len(table), dtype=np.int64)
        outputs[[number[state] for state in final]] = 1
        states = len(table) if (table[:-1] == len(number)).any() else len(number)
        return cls.of(symbols, table[:states], outputs[:states], number[start], name=name)

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
        reached = _in_order_of_search(self.table, self.first)
        place = np.zeros(self.states, dtype=np.int64)
        place[reached] = np.arange(len(reached))
        table, outputs = place[self.table[reached]], self.outputs[reached]
        classes, count = outputs, 0
        while True:
            signatures = np.concatenate([classes[:, None], classes[table]], axis=1)
            _, first, classes = np.unique(signatures, axis=0, return_index=True, return_inverse=True)
            classes = classes.reshape(-1)
            if len(first) == count:
                break
            count = len(first)
        small = classes[table[first]]
        order = _in_order_of_search(small, int(classes[0]))
        number = np.zeros(count, dtype=np.int64)
        number[order] = np.arange(count)
        return Automaton.of(
            self.alphabet, number[small[order]], outputs[first][order], 0, self.answers, f"minimal {self.name}"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Automaton):
            return NotImplemented
        return (
            (self.alphabet, self.answers, self.first) == (other.alphabet, other.answers, other.first)
            and np.array_equal(self.table, other.table)
            and np.array_equal(self.outputs, other.outputs)
        )

    def __hash__(self) -> int:
        return hash((self.alphabet, self.answers, self.first, self.table.tobytes(), self.outputs.tobytes()))


def _in_order_of_search(table: Array, first: int) -> Array:
    """The states that can be reached, breadth first, symbols in order."""
    seen, order = {first}, [first]
    rows = table.tolist()
    for state in order:
        for following in rows[state]:
            if following not in seen:
                seen.add(following)
                order.append(following)
    return np.array(order, dtype=np.int64)
