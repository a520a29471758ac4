"""Finite automata: transition tables as recurrent models, Moore's minimisation, equivalence, least machines of tasks.

In a least machine for one length two prefixes lead to different states iff some suffix gives them different answers
(Myhill 1957, Nerode 1958). Under a promise that is no equivalence, and the machine made here is not always the least.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ccsim.arithmetic import Precision
from ccsim.errors import Array, InputError, require_integer, require_symbols
from ccsim.matrices import DONT_CARE
from ccsim.models.affine import random_mantissas
from ccsim.models.model import renamed_codes
from ccsim.models.reachability import all_steps, different_rows, reached, refined, side_by_side, trace_back
from ccsim.models.recurrent import RecurrentModel
from ccsim.plain_data import counted
from ccsim.problems.languages import bracket_symbols, stack_table, transition_table
from ccsim.problems.sequence_tasks import SequenceTask


@dataclass(frozen=True, eq=False)
class TransitionTable(RecurrentModel):
    """A recurrent model given by its transitions, the same at every position or a table for each position.

    Attributes:
        alphabet, answers: the symbols, and every possible answer.
        tables: ``tables[t][state, symbol]`` is the next state at position t + 1, states and symbols being numbers
            from 0; a single table, if ``length`` is None, holds at every position.
        outputs: for each state the code of the answer on a word that ends there.
        first: the state before the first symbol.
        length: how many symbols a word has, or None for any number.
        name: what it is called.

    >>> parity = TransitionTable("01", (0, 1), [[[0, 1], [1, 0]]], [0, 1])
    >>> parity("1101"), parity.state_bits
    (1, 1)
    """

    steps_are_cheap: ClassVar[bool] = True

    alphabet: tuple[Hashable, ...]
    answers: tuple[Hashable, ...]
    tables: tuple[Array, ...] = field(repr=False)
    outputs: Array = field(repr=False)
    first: int = 0
    length: int | None = None
    name: str = "transition table"

    def __post_init__(self) -> None:
        self._require_symbols()
        if self.length is not None:
            require_integer("length", self.length, low=1)
        tables = tuple(_numbers(f"tables[{place}]", table, 2) for place, table in enumerate(self.tables))
        if len(tables) != (self.length or 1):
            raise InputError("tables", len(tables), f"{self.length or 1} tables, one for each position or one for all")
        after = [*map(len, tables[1:]), len(np.asarray(self.outputs))]
        for place, (table, states) in enumerate(zip(tables, after, strict=True)):
            if table.shape[1] != len(self.alphabet):
                expected = f"a column for each of {counted(len(self.alphabet), 'symbol')}"
                raise InputError(f"tables[{place}]", table.shape, expected)
            _require_below(f"tables[{place}]", table, states)
        outputs = _numbers("outputs", self.outputs, 1)
        _require_below("outputs", outputs, len(self.answers))
        require_integer("first", self.first, low=0, high=len(tables[0]) - 1)
        object.__setattr__(self, "tables", tables)
        object.__setattr__(self, "outputs", outputs)

    @classmethod
    def random(
        cls,
        alphabet: Iterable[Hashable],
        *,
        states: int,
        seed: int | str,
        answers: Iterable[Hashable] = (0, 1),
        length: int | None = None,
    ) -> TransitionTable:
        """Random transitions and answers; with a length, other transitions at each position."""
        symbols, labels = require_symbols("alphabet", alphabet), require_symbols("answers", answers)
        states = require_integer("states", states, low=1)
        tables = [
            random_mantissas((states, len(symbols)), 0, states - 1, seed, f"table/{place}")
            for place in range(1 if length is None else require_integer("length", length, low=1))
        ]
        outputs = random_mantissas((states,), 0, len(labels) - 1, seed, "outputs")
        each = ", another at each position" if length is not None else ""
        name = f"random transition table, {counted(states, 'state')}{each}"
        return cls(symbols, labels, tuple(tables), outputs, 0, length, name)

    @property
    def states(self) -> int:
        """How many states there are, at the position that has most of them."""
        return max(*map(len, self.tables), len(self.outputs))

    @property
    def is_stationary(self) -> bool:
        return self.length is None

    @cached_property
    def state_precisions(self) -> tuple[Precision, ...]:
        return (Precision(1, 0, self.states - 1),)

    def start(self) -> Array:
        return np.array([self.first], dtype=np.int64)

    def step(self, states: Array, symbols: Array, position: int) -> Array:
        table = self.tables[0 if self.length is None else position - 1]
        return table[states[:, 0], symbols][:, None]

    def read_out(self, states: Array) -> Array:
        return self.outputs[states[:, 0]]


def _numbers(argument: str, values: Any, axes: int) -> Array:
    array = np.asarray(values)
    if array.ndim != axes or array.dtype.kind not in "iub" or 0 in array.shape:
        raise InputError(argument, (array.shape, array.dtype.name), f"integers along {axes} axes, at least one")
    numbers = array.astype(np.int64)
    numbers.setflags(write=False)
    return numbers


def _require_below(argument: str, numbers: Array, bound: int) -> None:
    wrong = numbers[(numbers < 0) | (numbers >= bound)]
    if wrong.size:
        raise InputError(argument, int(wrong[0]), f"numbers from 0 to {bound - 1}")


def first_difference(
    left: RecurrentModel, right: RecurrentModel, length: int, *, most_pairs: int = 1 << 20
) -> tuple[Any, ...] | None:
    """A word of so many symbols on which two models answer differently, or None, which is a proof that there is none.

    Pairs of states that can be reached at a position are gone through once: about ``length`` * pairs * symbols steps.
    The models have one alphabet; answers are compared as values.

    Raises :class:`~ccsim.errors.InputError` if more than ``most_pairs`` pairs can be reached at one position.

    >>> from ccsim.models.automata import Automaton, dyck_automaton
    >>> deep, flat = dyck_automaton(2, 3), dyck_automaton(2, 2)
    >>> "".join(first_difference(deep, flat, 6)), first_difference(deep, flat, 4)
    ('((()))', None)
    """
    length = require_integer("length", length, low=1)
    if left.alphabet != right.alphabet:
        raise InputError("right", right.alphabet, f"the alphabet {left.alphabet}")
    for model in (left, right):
        if model.length not in (None, length):
            raise InputError("length", length, f"{model.length}, as {model.name} reads no other words")
    units, symbols = left.units, np.arange(len(left.alphabet))
    step = side_by_side(units, left.step, right.step)
    pairs, history = np.concatenate([left.start(), right.start()])[None], list[tuple[Array, Array]]()
    for position in range(1, length):
        pairs, came_from, _ = all_steps(pairs, symbols, position, step)
        if len(pairs) > most_pairs:
            raise InputError("most_pairs", most_pairs, f"at least the {len(pairs)} pairs of states after {position}")
        history.append((came_from, symbols))
    states, read = np.repeat(pairs, len(symbols), axis=0), np.tile(symbols, len(pairs))
    theirs = renamed_codes(right.codes_among(left.answers), right.last(states[:, units:], read, length))
    ways = np.flatnonzero(left.last(states[:, :units], read, length) != theirs)
    if not len(ways):
        return None
    return tuple(left.alphabet[symbol] for symbol in trace_back([*history, (ways, symbols)], 0))


@dataclass(frozen=True, eq=False)
class Automaton(TransitionTable):
    """A complete deterministic finite automaton with any answers: a transition table that is the same everywhere.

    Two automata are equal if they have the same states, numbers included; minimal ones iff they give the same answers.

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
        """The least automaton with the same answers (Moore 1956), its states numbered by a search from the start."""
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

    Its states are the 1 + brackets + ... + brackets^depth stacks of at most ``depth`` open brackets and one for words
    that have failed; for two kinds and depth 2, 8 (Bhattamishra, Hahn, Blunsom and Kanade 2024, section 4.1).

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
    recurrent model has fewer; ``tables[t]`` has a row for each state after t symbols. On words that are no words of the
    task, and off the promise, the answer is arbitrary.

    Raises :class:`~ccsim.errors.TableTooLargeError` if the task's table cannot fit.

    >>> from ccsim.problems import equality_of_halves
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
    """The different rows, and which each became; rows are put together with the first that does not contradict."""
    different, _, places = different_rows(rows)
    defined = different != DONT_CARE
    if defined.all():
        return different, places
    number = np.full(len(different), DONT_CARE, dtype=np.int64)
    kept = np.full_like(different, DONT_CARE)
    count = 0
    for row in np.argsort(-defined.sum(axis=1), kind="stable"):
        if not defined[row].any():
            continue
        clash = (kept[:count] != different[row]) & (kept[:count] != DONT_CARE) & defined[row]
        number[row] = chosen = int(next(iter(np.flatnonzero(~clash.any(axis=1))), count))
        kept[chosen] = np.where(defined[row], different[row], kept[chosen])
        count = max(count, chosen + 1)
    if not count:  # nothing is promised
        return np.zeros((1, rows.shape[1]), dtype=np.int64), np.full(len(rows), DONT_CARE, dtype=np.int64)
    return kept[:count], number[places]
