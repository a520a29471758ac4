"""The shortest word on which a forward pass is wrong, by running all words that are shorter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ccsim.auditing.budget import Budget
from ccsim.auditing.recurrent import Finding
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.models.comparison import Comparison
from ccsim.problems.sequence.machine import TaskMachine


def with_shortest(beside: Comparison, machine: TaskMachine | None, found: Finding, budget: Budget) -> Finding:
    """The same with the shortest word on which the model is wrong, where all words up to its length could be run.

    That is where the task is the same question at every length, the model reads all of them, and they are few.
    """
    symbols, length = len(beside.task.alphabet), beside.task.length
    if machine is None or not machine.every_length or found.verdict == "undecided":
        return found
    if any(len(choices) < symbols for choices in beside.symbols()):
        return found
    states, words = np.asarray(machine.start)[None], np.zeros((1, 0), dtype=np.int64)
    for place in range(1, length):
        if len(words) * symbols > budget.words or not budget.left:
            return found
        words = np.concatenate(
            [np.repeat(words, symbols, axis=0), np.tile(np.arange(symbols), len(words))[:, None]], axis=1
        )
        states = machine.step(np.repeat(states, symbols, axis=0), words[:, -1], place)
        wanted = machine.codes(states)
        try:
            bad = (wanted != DONT_CARE) & (beside.given(words) != wanted)
        except InputError:  # it does not read words of this length
            return found
        if bad.any():
            return replace(found, shortest=beside.word(words[int(np.argmax(bad))]))
    return found if found.failure is None else replace(found, shortest=found.failure.word)
