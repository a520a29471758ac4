"""Deterministic finite automata as recurrent models: from transitions, of balanced brackets, and least ones of tasks.

The least machine for a task of one length is found by its prefixes and what can still follow (Myhill 1957, Nerode
1958). Two prefixes of one length must lead to different states iff some suffix gives them different answers. For a
total task this is an equivalence, and its classes at each length are the states of the one least machine. Under a
promise it is not: prefixes that differ only off the promise may share a state, but not any way one likes, and a least
machine is hard to find. The machine made here is then right on every promised word, and not always the least.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ccsim.errors import Array, InputError, require_integer, require_symbols
from ccsim.matrices import DONT_CARE
from ccsim.models.reachability import different_rows, reached, refined
from ccsim.models.recurrent.stack import TransitionTable
from ccsim.plain_data import counted
from ccsim.problems.languages import bracket_symbols, stack_table, transition_table
from ccsim.problems.sequence_tasks import SequenceTask


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


def dyck_automaton(brackets: int = 2, depth: int = 2) -> Automaton:
    """The minimal automaton of Dyck-(brackets, depth) at every length.

    Its states are the stacks of at most ``depth`` open brackets, 1 + brackets + ... + brackets^depth of them, and one
    more for words that have failed. For two kinds and depth 2 these are the 7 states that are usually drawn, and the
    state of failure, which is not: 3 bits (Bhattamishra, Hahn, Blunsom and Kanade 2024, section 4.1).

    >>> automaton = dyck_automaton(2, 2)
    >>> automaton.states, automaton.state_bits, automaton("([])[]"), automaton("([)]")
    (8, 3, 1, 0)
    """
    depth = require_integer("depth", depth, low=1)
    stacks = sum(brackets**level for level in range(depth + 1))
    return Automaton.of(
        bracket_symbols(brackets),
        stack_table(brackets, stacks),
        np.arange(stacks + 1) == 0,
        name=f"dyck_automaton({brackets}, {depth})",
    )


def from_task(task: SequenceTask) -> TransitionTable:
    """A machine with a table for each position that gives the task's answer on every promised word.

    For a total task it has, after each number of symbols, exactly as many states as there are classes of prefixes: no
    recurrent model has fewer. ``tables[t]`` has a row for each state after t symbols. On words that are no words of
    the task (a symbol where it may not stand) and off the promise, the answer is arbitrary.

    Raises :class:`~ccsim.errors.TableTooLargeError` if the task's table cannot fit.

    >>> from ccsim.problems import equality_of_halves, parity_of_word
    >>> [len(table) for table in from_task(parity_of_word(4)).tables]
    [1, 2, 2, 2]
    >>> [len(table) for table in from_task(equality_of_halves(6)).tables]
    [1, 2, 4, 8, 5, 3]
    """
    states = np.asarray(task.codes(), dtype=np.int64)  # for each word, the state that it must end in
    tables = []
    for symbols in reversed(task.positions):
        rows, states = _merged(states.reshape(-1, len(symbols)))
        table = np.zeros((len(rows), len(task.alphabet)), dtype=np.int64)
        table[:, [task.alphabet.index(symbol) for symbol in symbols]] = np.maximum(rows, 0)
        tables.append(table)
    first = max(int(states[0]), 0)
    return TransitionTable(
        task.alphabet,
        task.answers,
        tuple(tables[::-1]),
        np.arange(len(task.answers)),
        first,
        task.length,
        f"least machine for {task.name}",
    )


def _merged(rows: Array) -> tuple[Array, Array]:
    """The different rows, with rows that agree wherever both are settled made one; and which each row became.

    A row without any settled entry becomes nothing: -1. Rows are taken one after the other, the most settled first,
    and put together with the first that does not contradict them.
    """
    different, _, places = different_rows(rows)
    settled = different != DONT_CARE
    if settled.all():
        return different, places
    number = np.full(len(different), DONT_CARE, dtype=np.int64)
    kept = np.empty_like(different)
    count = 0
    for row in np.argsort(-settled.sum(axis=1), kind="stable"):
        if not settled[row].any():
            continue
        clash = (kept[:count] != different[row]) & (kept[:count] != DONT_CARE) & settled[row]
        fitting = np.flatnonzero(~clash.any(axis=1))
        chosen = int(fitting[0]) if len(fitting) else count
        if chosen == count:
            kept[count] = different[row]
            count += 1
        else:
            kept[chosen] = np.where(settled[row], different[row], kept[chosen])
        number[row] = chosen
    if not count:  # nothing is promised
        return np.zeros((1, rows.shape[1]), dtype=np.int64), np.full(len(rows), DONT_CARE, dtype=np.int64)
    return kept[:count], number[places]
