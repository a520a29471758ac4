"""One-layer transformers on all words: one by one, by all sums that attention can make, or by merging these."""

from __future__ import annotations

from dataclasses import replace

from ccsim.arrays import Array
from ccsim.auditing.budget import Budget, OutOfBudgetError
from ccsim.auditing.recurrent import Finding, every_word, some_words
from ccsim.auditing.sums import count_by_either
from ccsim.auditing.transcripts import transcript_search
from ccsim.auditing.words import machine_of
from ccsim.models.comparison import Comparison
from ccsim.problems.sequence.machine import TaskMachine


def decide_transformer(beside: Comparison, symbols: list[Array], budget: Budget) -> Finding:
    """Whether a one-layer transformer is right on all words of a task, or where it is not.

    A failing word is a crossed one of two fooling words with equal transcript, if such are found.
    """
    machine = machine_of(beside.task)
    found = every_word(beside, budget.part(1 / 4))
    stopped = ""
    if found is None and machine is not None:
        try:
            found = _counted(beside, machine, symbols, budget.part(1 / 3))
        except OutOfBudgetError as error:
            stopped = f"{error}; "
    if found is not None and found.verdict == "right":
        return found
    found = found or some_words(beside, machine, symbols, budget.part(1 / 4), stopped)
    if machine is None:
        return found
    left = budget.part(1 / 8 if found.failure else 1 / 3)
    failure, searched = transcript_search(beside, machine, symbols, left)
    if failure is not None:
        found = found.failed(failure)
    return replace(found, searched=found.searched | searched)


def _counted(beside: Comparison, machine: TaskMachine, symbols: list[Array], budget: Budget) -> Finding:
    """All words at once."""
    result, merged = count_by_either(beside, machine, symbols, budget)
    how = ", merged where the answer is the same" if merged else ""
    return Finding.of(beside, result, f"by the sums that attention can make{how}", "sums of attention")
