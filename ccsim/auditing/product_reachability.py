"""Reachability in the product of a model and a task: the pairs of states that words of one length lead to.

Each pair is held once, with the number of words that lead to it and with one symbol that leads there. So verdicts on
all words are counted, and a word is traced back from its pair, within a budget.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np

from ccsim.errors import Array, InputError, require_integer
from ccsim.matrices import DONT_CARE
from ccsim.models.automata import from_task
from ccsim.models.model import Comparison
from ccsim.models.reachability import History, Step, all_steps, blocks, different_numbers, trace_back
from ccsim.models.recurrent import RecurrentModel
from ccsim.problems.sequence_tasks import SequenceTask, TaskMachine

LEAST_SECONDS = 1e-9  # of a part that begins when all time is over: it stops at its first occasion


class OutOfBudgetError(RuntimeError):
    """An exact search that would go beyond the budget; states how far it came."""


@dataclass(frozen=True)
class Budget:
    """The limits of an audit; what does not fit in them is reported, never guessed.

    Attributes:
        states, words: the most states, and pairs of states, at one position; and the most words that are evaluated.
        seconds: the most time, after which the search stops at the next occasion; ``whole`` is that of all parts.
        seed: of what is drawn where not everything can be tried.
        clock: tells the time in seconds; with ``time.process_time`` it is that of the processor.
    """

    states: int = 1 << 20
    words: int = 1 << 20
    seconds: float = 60.0
    seed: int = 0
    whole: float | None = None
    clock: Callable[[], float] = field(default=time.monotonic, repr=False, compare=False)
    started: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_integer("states", self.states, low=1)
        require_integer("words", self.words, low=1)
        require_integer("seed", self.seed, low=0)
        if not self.seconds > 0:
            raise InputError("seconds", self.seconds, "a positive number")
        object.__setattr__(self, "started", self.clock())

    def part(self, share: float = 1.0) -> Budget:
        """The same limits from now on, with this share of the time that is left: no part ends after the whole."""
        seconds = max(LEAST_SECONDS, share * self.left)
        return Budget(self.states, self.words, seconds, self.seed, self.whole or self.seconds, self.clock)

    @property
    def left(self) -> float:
        """Seconds until the end; none is left after it."""
        return max(0.0, self.seconds - self.spent)

    @property
    def spent(self) -> float:
        """Seconds since the start."""
        return self.clock() - self.started

    def require_time(self, reached: str) -> None:
        """Stop if the time is over."""
        if self.spent > self.seconds:
            if self.seconds <= LEAST_SECONDS:
                raise OutOfBudgetError("out of time before it began")
            of = "" if self.whole is None else f" of the {self.whole:.3g} s given, its share"
            raise OutOfBudgetError(f"out of time after {self.seconds:.3g} s{of}: reached {reached}")

    def require_states(self, count: int, what: str, reached: str) -> None:
        """Stop if so many states are too many."""
        if count > self.states:
            raise OutOfBudgetError(f"too many states: {count} {what}, budget {self.states}: reached {reached}")


UNLIMITED = Budget(seconds=math.inf)

MOST_ENTRIES = 1 << 25  # numbers of all states that are held
MOST_TABLE = 1 << 18  # words of a task without a machine from which one is made
FARTHER = 1 << 12  # so many states are gone through beyond the length that is asked for


@dataclass(frozen=True, eq=False)
class Rules:
    """A machine on words: ``starts`` (states, units), ``step``, ``last`` (to answer codes), states that die."""

    starts: Array
    step: Step
    last: Step
    dies: Callable[[Array], Array] | None = None


@dataclass(frozen=True, eq=False)
class Layer:
    """The different states after so many symbols, numbered from 0; stepped whenever they are asked."""

    rules: Rules
    rows: Array

    @classmethod
    def start(cls, rules: Rules) -> Layer:
        return cls(rules, rules.starts)

    @classmethod
    def after(cls, rules: Rules, symbols: list[Array], budget: Budget) -> tuple[Layer, list[Array]]:
        layer, steps = cls.start(rules), list[Array]()
        for position, choices in enumerate(symbols, start=1):
            layer, numbers = layer.advance(choices, position, budget)
            steps.append(numbers)
        return layer, steps

    @property
    def count(self) -> int:
        return len(self.rows)

    def advance(self, symbols: Array, position: int, budget: Budget) -> tuple[Layer, Array]:
        """The states after one of these symbols, and their numbers, shape (count, symbols); -1 for what dies."""
        reached = f"{self.count} states after {position - 1} symbols"

        def step(states: Array, read: Array, position: int) -> Array:
            budget.require_time(reached)
            return self.rules.step(states, read, position)

        rows, _, numbers = all_steps(self.rows, symbols, position, step)
        if self.rules.dies is not None:
            dead = self.rules.dies(rows)
            places = np.where(dead, -1, np.cumsum(~dead) - 1)
            rows, numbers = rows[~dead], places[numbers]
        most = max(1, MOST_ENTRIES // max(rows.shape[1], 1))
        budget.require_states(len(rows) if len(rows) <= most else max(len(rows), budget.states + 1), "states", reached)
        return Layer(self.rules, rows), numbers.reshape(self.count, len(symbols))

    def codes(self, symbols: Array, position: int) -> Array:
        parts = [self.rules.last(states, read, position) for states, read in blocks(self.rows, symbols)]
        return np.concatenate(parts).reshape(self.count, len(symbols))


@dataclass(frozen=True, eq=False)
class StateTable:
    """All reachable states; successors and answers (states, symbols), up to words of length ``depth`` (None: all)."""

    rows: Array
    table: Array
    answers: Array
    depth: int | None

    @property
    def count(self) -> int:
        return len(self.rows)

    def advance(self, symbols: Array, position: int, budget: Budget) -> tuple[StateTable, Array]:
        return self, self.table[:, symbols]

    def codes(self, symbols: Array, position: int) -> Array:
        return self.answers[:, symbols]


StateSpace = Layer | StateTable


def tabulate(rules: Rules, symbols: int, depth: int, budget: Budget) -> StateTable:
    """States that ``depth`` - 1 symbols lead to, and, within limits, all; for rules without positions."""
    every, units = np.arange(symbols), max(1, rules.starts.shape[1])
    limit = min(budget.states, MOST_ENTRIES // units)
    numbers = {rules.starts[0].tobytes(): 0}
    fresh = rules.starts[:1]
    known, tables, answers = [fresh], [], []
    position, enough = 0, budget.states
    while True:
        position += 1
        answers.append(Layer(rules, fresh).codes(every, position))
        reached = f"{len(numbers)} states after {position - 1} symbols"
        if position == depth:
            enough = min(budget.states, max(FARTHER, 4 * len(numbers)))
        if position >= depth and len(numbers) + len(fresh) * symbols > enough:
            tables.append(np.zeros((len(fresh), symbols), dtype=np.int64))
            break
        after, places = Layer(rules, fresh).advance(every, position, budget)
        before = len(numbers)
        ranks = np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in after.rows], dtype=np.int64)
        beyond = len(numbers) > limit  # of the numbers that are held, perhaps not of the states
        budget.require_states(max(len(numbers), budget.states + 1) if beyond else len(numbers), "states", reached)
        tables.append(ranks[places])
        fresh = after.rows[ranks >= before]  # new rows are numbered in this order
        if not len(fresh):
            return StateTable(np.concatenate(known), np.concatenate(tables), np.concatenate(answers), None)
        known.append(fresh)
    return StateTable(np.concatenate(known), np.concatenate(tables), np.concatenate(answers), position)


def model_rules(pair: Subject) -> Rules:
    model, read = pair.model, pair.read
    assert isinstance(model, RecurrentModel)
    return Rules(
        np.asarray(model.start(), dtype=np.int64)[None],
        lambda states, symbols, position: model.step(states, read(symbols), position),
        lambda states, symbols, position: pair.coded(model.last(states, read(symbols), position)),
    )


@lru_cache(maxsize=4)
def machine_of(task: SequenceTask) -> TaskMachine | None:
    """The task's machine; for a total task with few words one that is made from its table; else None."""
    if task.machine is not None or task.words.size > MOST_TABLE:
        return task.machine
    if (np.asarray(task.codes()) == DONT_CARE).any():
        return None
    made = from_task(task)
    return TaskMachine(made.start(), made.step, lambda states: np.asarray(made.outputs[states[:, 0]], dtype=np.int64))


@lru_cache(maxsize=4)
def symbols_of(task: SequenceTask) -> list[Array]:
    return Comparison.ranks_allowed(task)


class Subject(Comparison):
    @property
    def machine(self) -> TaskMachine:
        machine = machine_of(self.task)
        assert machine is not None
        return machine


def task_rules(machine: TaskMachine) -> Rules:
    return Rules(
        np.asarray(machine.start, dtype=np.int64)[None],
        machine.step,
        lambda states, symbols, position: machine.codes(machine.step(states, symbols, position)),
    )


OTHER_BRANCH = -3
"""What a model's rules answer on words that are not theirs."""

WORD_BITS = 62
POSITIONS = 32  # so many times the states of one position are held in the history


@dataclass(frozen=True, eq=False)
class ProductStates:
    """Pairs of states after so many symbols, by ``left number * right.count + right number``; and their history."""

    left: StateSpace
    right: StateSpace
    keys: Array
    counts: Array
    read: int = 0
    history: History = field(default=(), repr=False)

    @classmethod
    def start(cls, left: StateSpace, right: StateSpace, starts: int, words: int) -> ProductStates:
        kind = np.int64 if words.bit_length() <= WORD_BITS else object
        return cls(left, right, np.arange(starts) * right.count, np.ones(starts, dtype=kind))

    @property
    def numbers(self) -> tuple[Array, Array]:
        left, right = np.divmod(self.keys, self.right.count)
        return left, right

    def after(self, symbols: Array, budget: Budget, seen: Array | None = None) -> ProductStates:
        """The pairs after one more symbol, any of these; with ``seen`` only those not in it, which are then added."""
        position = self.read + 1
        budget.require_time(f"{len(self.keys)} pairs after {self.read} symbols")
        mine, theirs = self.numbers
        left, ours = self.left.advance(symbols, position, budget)
        right, its = self.right.advance(symbols, position, budget)
        ours = ours[mine]
        keys = (ours * right.count + its[theirs]).reshape(-1)
        ways = np.arange(len(keys)) if ours.min(initial=0) >= 0 else np.flatnonzero(ours.reshape(-1) >= 0)
        different, first, places = different_numbers(keys[ways], left.count * right.count)
        counts = np.zeros(len(different), dtype=self.counts.dtype)
        np.add.at(counts, places, self.counts[ways // len(symbols)])
        if seen is not None:
            new = ~seen[different]
            different, first, counts = different[new], first[new], np.ones(int(new.sum()), dtype=np.int64)
            seen[different] = True
        budget.require_states(len(different), "pairs of states", f"{len(self.keys)} pairs after {self.read} symbols")
        held = sum(len(came_from) for came_from, _ in self.history) + len(different)
        budget.require_states(held // POSITIONS, f"pairs over {POSITIONS} at all positions", f"{self.read} symbols")
        return ProductStates(left, right, different, counts, position, (*self.history, (ways[first], symbols)))

    def verdicts(self, symbols: Array) -> Verdicts:
        mine, theirs = self.numbers
        given = self.left.codes(symbols, self.read + 1)[mine]
        wanted = self.right.codes(symbols, self.read + 1)[theirs]
        own = given != OTHER_BRANCH
        promised = own & (wanted != DONT_CARE)
        wrong = promised & (given != wanted)
        first = trace_back((*self.history, (np.flatnonzero(wrong), symbols)), 0) if wrong.any() else None
        exact = self.counts.astype(object)
        words, asked, bad = (int((exact * part.sum(axis=1)).sum()) for part in (own, promised, wrong))
        return Verdicts(words, asked, bad, first)


@dataclass(frozen=True, eq=False)
class Verdicts:
    words: int
    promised: int
    wrong: int
    first: Array | None
    most: int = 0


def walk(
    left: StateSpace,
    right: StateSpace,
    symbols: list[Array],
    budget: Budget,
    look: Callable[[ProductStates], None] = lambda pairs: None,
) -> Verdicts:
    starts = left.count if isinstance(left, Layer) else 1
    pairs, most = ProductStates.start(left, right, starts, starts * math.prod(map(len, symbols))), 0
    for choices in symbols[:-1]:
        pairs = pairs.after(choices, budget)
        most = max(most, len(pairs.keys))
        look(pairs)
        if not len(pairs.keys):
            return Verdicts(0, 0, 0, None)
    budget.require_time(f"{len(pairs.keys)} pairs after {pairs.read} symbols")
    return replace(pairs.verdicts(symbols[-1]), most=most)


def shortest_mistake(left: StateTable, right: StateTable, budget: Budget, longest: int | None = None) -> Array | None:
    """The shortest word on which two machines differ; None proves that there is none."""
    pairs, symbols = ProductStates.start(left, right, 1, 1), np.arange(left.table.shape[1])
    seen = np.zeros(left.count * right.count, dtype=bool)
    seen[0] = True
    while len(pairs.keys) and (longest is None or pairs.read < longest):
        budget.require_time(f"words of {pairs.read} symbols")
        mistake = pairs.verdicts(symbols).first
        if mistake is not None:
            return mistake
        pairs = pairs.after(symbols, budget, seen)
    return None


MOST_STATES = 1 << 14  # of the task at one position


@dataclass(frozen=True, eq=False)
class PrefixStates:
    """States before the last symbols of a word; ``codes`` (states, suffixes), for all words over ``last`` in order."""

    counts: Array
    codes: Array
    last: list[Array]
    history: History = field(repr=False)

    @classmethod
    def of(cls, pair: Subject, budget: Budget, long: int = 1, most: int = MOST_STATES) -> PrefixStates:
        machine, symbols = pair.machine, pair.symbols
        limit = replace(budget.part(), states=max(1, min(most, MOST_STATES, budget.states)))
        layer, counts = Layer.start(task_rules(machine)), np.ones(1, dtype=object)
        history: list[tuple[Array, Array]] = []
        for position, choices in enumerate(symbols[:-long], start=1):
            limit.require_time(f"{position} symbols")
            layer, steps = layer.advance(choices, position, limit)
            before, counts = counts, np.zeros(layer.count, dtype=object)
            np.add.at(counts, steps, before[:, None])
            came_from = np.empty(layer.count, dtype=np.int32)
            came_from[steps.reshape(-1)] = np.arange(steps.size)
            history.append((came_from, choices))
        rows, count = layer.rows, layer.count
        for position, choices in enumerate(symbols[-long:-1], start=len(symbols) - long + 1):
            limit.require_time(f"{position} symbols")
            rows = machine.step(np.repeat(rows, len(choices), axis=0), np.tile(choices, len(rows)), position)
        codes = Layer(layer.rules, rows).codes(symbols[-1], len(symbols)).reshape(count, -1)
        return cls(counts, codes, symbols[-long:], tuple(history))

    @cached_property
    def promised(self) -> int:
        return int((self.counts[:, None] * (self.codes != DONT_CARE)).sum())

    def word(self, chosen: Array) -> Array:
        state, suffix = divmod(int(np.argmax(chosen)), self.codes.shape[1])
        places = np.unravel_index(suffix, [len(choices) for choices in self.last])
        end = [choices[place] for choices, place in zip(self.last, places, strict=True)]
        return np.concatenate([trace_back(self.history, state), np.array(end, dtype=np.int64)])
