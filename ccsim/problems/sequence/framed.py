"""A task whose words stand between fixed symbols, as tokenisers put them: BOS, padding, SEP, a query."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from ccsim.arrays import Array
from ccsim.problems.sequence.machine import TaskMachine
from ccsim.problems.sequence.task import SequenceTask
from ccsim.problems.words import Words


def framed_task(task: SequenceTask, before: Sequence[Hashable] = (), after: Sequence[Hashable] = ()) -> SequenceTask:
    """The same question about the same words, with these symbols in front of and behind each.

    >>> from ccsim.problems import parity_of_word
    >>> framed = framed_task(parity_of_word(3), "^", "$")
    >>> framed.name, framed.length, framed.words.size, framed("^010$")
    ('^ parity_of_word(3) $', 5, 8, 1)
    """
    if not before and not after:
        return task
    words = Words((*((symbol,) for symbol in before), *task.positions, *((symbol,) for symbol in after)))
    frame = _Frame.of(task, words, len(before))

    def evaluate(rows: Array) -> Array:
        rows = np.asarray(rows)
        return np.asarray(task.evaluate(frame.inner[rows[..., frame.start : frame.stop]]))

    name = " ".join([*map(str, before), task.name, *map(str, after)])
    machine = None if task.machine is None else frame.machine(task.machine)
    return SequenceTask(name, words, task.answers, evaluate, note=task.note, machine=machine)


@dataclass(frozen=True, eq=False)
class _Frame:
    """Where the word stands, and the ranks of symbols within (in the task) and around it (in all)."""

    words: Words
    start: int
    stop: int
    inner: Array
    outer: Array

    @classmethod
    def of(cls, task: SequenceTask, words: Words, start: int) -> _Frame:
        ranks = {symbol: place for place, symbol in enumerate(task.alphabet)}
        places = {symbol: place for place, symbol in enumerate(words.alphabet)}
        inner = np.array([ranks.get(symbol, 0) for symbol in words.alphabet], dtype=np.int64)
        outer = np.array([places[symbol] for symbol in task.alphabet], dtype=np.int64)
        return cls(words, start, start + task.length, inner, outer)

    def machine(self, machine: TaskMachine) -> TaskMachine:
        """It stays where it is while symbols around the word are read."""

        def step(states: Array, symbols: Array, position: int) -> Array:
            if not self.start < position <= self.stop:
                return states
            return machine.step(states, self.inner[symbols], position - self.start)

        def separate(one: Array, two: Array, read: int) -> Array | None:
            assert machine.separate is not None
            end = machine.separate(one, two, min(max(read - self.start, 0), self.stop - self.start))
            if end is None:
                return None
            places = {symbol: place for place, symbol in enumerate(self.words.alphabet)}
            fixed = [places[choices[0]] for choices in self.words.positions]
            around = fixed[read : self.start], fixed[max(read, self.stop) :]
            return np.concatenate([around[0], self.outer[end], around[1]]).astype(np.int64)

        return TaskMachine(machine.start, step, machine.codes, separate=machine.separate and separate)
