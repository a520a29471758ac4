"""Words that were run one by one: on how many different ones a model is right, and on how many wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ccsim.arrays import Array
from ccsim.auditing.accuracy import Accuracy
from ccsim.auditing.budget import Budget, OutOfBudgetError
from ccsim.auditing.ends import Ends
from ccsim.matrices import DONT_CARE
from ccsim.models.comparison import Comparison, likely_seconds
from ccsim.problems.sequence.machine import TaskMachine


@dataclass(frozen=True)
class Tried:
    """What came out.

    Attributes:
        words: how many words were run, some perhaps twice.
        right, wrong: on how many different ones, of those that are promised, the model is right and wrong.
        first: a word on which it is wrong, as ranks of the task, if there is one.
        too_long: about how many seconds a word takes, if none was run because that is too long; else 0.
    """

    words: int
    right: int
    wrong: int
    first: Array | None
    too_long: float = 0.0

    def accuracy(self, beside: Comparison, machine: TaskMachine | None, budget: Budget) -> Accuracy:
        """What these words prove of the accuracy on all words: a little, unless there are few others.

        Where the words that are promised cannot be counted, they are at most all words: both ends hold of these too.
        """
        promised = promised_words(beside, machine, budget)
        different = self.right + self.wrong
        how = f"by running {different} {'different word' if different == 1 else 'different words'}"
        how = how if different else "no word was run"
        if promised is None:
            promised, how = beside.task.words.size, f"{how}; all words, as those with an answer were not counted"
        return Accuracy(promised, self.right, self.wrong, how)


def run_words(beside: Comparison, blocks: Iterable[Array], budget: Budget) -> Tried:
    """Run a model on blocks of words, until it is wrong on one or the time is over; each word is counted once."""
    known: set[bytes] = set()
    words, right, begun = 0, 0, 0.0
    for block in blocks:
        likely = 0.0
        for size in () if words else (len(block), 1):  # if the first block takes too long, perhaps one word does not
            block = block[:size]
            likely = likely_seconds(beside.model, beside.read(block), budget.clock)
            if budget.spent + likely < budget.seconds:
                break
        if budget.spent + likely >= budget.seconds:
            return Tried(words, right, 0, None, likely)
        if words:  # no more than are likely to be done in time
            block = block[: max(1, int(words * budget.left / max(budget.spent - begun, 1e-6)))]
        else:
            begun = budget.spent
        words += len(block)
        rows = np.ascontiguousarray(block, dtype=np.int64)
        fresh = [place for place, row in enumerate(rows) if row.tobytes() not in known and not known.add(row.tobytes())]  # type: ignore[func-returns-value]
        rows = rows[fresh]
        promised = np.asarray(beside.task.evaluate(rows)) != DONT_CARE
        wrong = beside.wrong(rows)
        right += int((promised & ~wrong).sum())
        if wrong.any():
            return Tried(words, right, int(wrong.sum()), rows[int(np.argmax(wrong))])
    return Tried(words, right, 0, None)


def promised_words(beside: Comparison, machine: TaskMachine | None, budget: Budget) -> int | None:
    """On how many words a task makes a promise, by the states of its machine; None if these are too many."""
    if machine is None:
        return None
    try:
        return Ends.of(machine, beside.symbols(), budget).promised or None
    except OutOfBudgetError:
        return None
