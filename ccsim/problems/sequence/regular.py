"""Regular languages at one length, given by a finite automaton."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

import numpy as np

from ccsim.arguments import require_integer, require_symbols
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.plain_data import counted
from ccsim.problems.sequence.machine import TaskMachine, table_machine
from ccsim.problems.sequence.task import SequenceTask
from ccsim.problems.words import Words


def run_table(table: Array, start: int, word: Array) -> Array:
    """The states in which an automaton ends, for an array of words along the last axis.

    ``table[state, symbol]`` is the next state; states and symbols are numbers from 0.

    >>> run_table(np.array([[0, 1], [1, 0]]), 0, np.array([[1, 1, 0], [1, 0, 0]])).tolist()
    [0, 1]
    """
    flat = table.ravel()
    symbols = table.shape[1]
    state = np.full(word.shape[:-1], start, dtype=table.dtype)
    for position in range(word.shape[-1]):
        state = flat.take(state * symbols + word[..., position])
    return state


def transition_table(
    transitions: Mapping[Any, Mapping[Any, Any]],
    start: Hashable,
    accepting: Iterable[Hashable],
    alphabet: Iterable[Hashable] | None,
) -> tuple[tuple[Hashable, ...], Array, int, Array]:
    """The symbols of an automaton, its table, its first state, and which states accept; the last state is of words
    that are rejected for good, where there was no transition."""
    found = dict.fromkeys(symbol for row in transitions.values() for symbol in row)
    symbols = require_symbols("alphabet", found if alphabet is None else alphabet)
    states = {state: number for number, state in enumerate(transitions)}
    final = list(accepting)
    for argument, state in [("start", start), *(("accepting", state) for state in final)]:
        if state not in states:
            raise InputError(argument, state, "a state with a row of transitions")
    table = np.full((len(states) + 1, len(symbols)), len(states), dtype=np.int64)
    for state, row in transitions.items():
        for symbol, following in row.items():
            if symbol not in symbols:
                raise InputError(f"transitions[{state!r}]", symbol, f"symbols of the alphabet {symbols}")
            if following not in states:
                expected = "states with a row of transitions"
                raise InputError(f"transitions[{state!r}][{symbol!r}]", following, expected)
            table[states[state], symbols.index(symbol)] = states[following]
    accepts = np.zeros(len(table), dtype=np.int8)
    accepts[[states[state] for state in final]] = 1
    return symbols, table, states[start], accepts


def regular_language(
    length: int,
    transitions: Mapping[Any, Mapping[Any, Any]],
    start: Hashable,
    accepting: Iterable[Hashable],
    alphabet: Iterable[Hashable] | None = None,
) -> SequenceTask:
    """Whether a deterministic finite automaton accepts a word of ``length`` symbols.

    ``transitions[state][symbol]`` is the next state; where there is none, the word is rejected for good.
    The alphabet is, unless given, every symbol of the transitions in order of first appearance. A prefix and
    a suffix cost at most one state, ceil(log2(number of states + 1)) bits, and the answer.

    >>> ends_in_b = {0: {"a": 0, "b": 1}, 1: {"a": 0, "b": 1}}
    >>> list(regular_language(2, ends_in_b, start=0, accepting={1}).accepted())
    ['ab', 'bb']
    """
    length = require_integer("length", length, low=1)
    symbols, table, first, accepts = transition_table(transitions, start, accepting, alphabet)

    def evaluate(word: Array) -> Array:
        return np.asarray(accepts[run_table(table, first, word)])

    note = f"1 iff an automaton of {counted(len(transitions), 'state')} accepts the word"
    words, machine = Words.over(symbols, length), table_machine(table, first, accepts)
    return SequenceTask(
        f"regular_language({length}, {len(transitions)} states)", words, (0, 1), evaluate, note=note, machine=machine
    )


def parity_of_word(length: int) -> SequenceTask:
    """Whether a word of ``length`` bits has an odd number of ones.

    Two bits are enough for every partition.

    >>> parity_of_word(3)("100"), parity_of_word(3)("110")
    (1, 0)
    """
    machine = table_machine(np.array([[0, 1], [1, 0]]), 0, np.array([0, 1]))
    return _counting("parity_of_word", length, lambda ones: ones % 2, "1 iff the number of ones is odd", machine)


def majority_of_word(length: int) -> SequenceTask:
    """Whether strictly more than half of the ``length`` bits of a word are ones.

    About log2(length) bits are enough for every partition.

    >>> majority_of_word(4)("1101"), majority_of_word(4)("1100")
    (1, 0)
    """
    machine = TaskMachine(
        np.zeros(1, dtype=np.int64),
        lambda states, symbols, position: states + symbols[:, None].astype(np.int64),
        lambda states: np.asarray(2 * states[:, 0] > length, dtype=np.int64),
    )
    return _counting(
        "majority_of_word",
        length,
        lambda ones: 2 * ones > length,
        "1 iff more than half of the symbols are ones",
        machine,
    )


def _counting(name: str, length: int, rule: Callable[[Array], Array], note: str, machine: TaskMachine) -> SequenceTask:
    length = require_integer("length", length, low=1)

    def evaluate(word: Array) -> Array:
        return np.asarray(rule(word.sum(axis=-1, dtype=np.int64)), dtype=np.int8)

    words = Words.over("01", length)
    return SequenceTask(f"{name}({length})", words, (0, 1), evaluate, note=note, machine=machine)
