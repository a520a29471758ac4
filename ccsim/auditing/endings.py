"""What a model answers on all words with the same last symbols: it may not matter to it what came before them.

Every state after so many symbols lies in a box, around what each symbol makes of the box before (a box for each choice
of the last few symbols). From there every ending is read, with a box for each; where the model has one answer on all of
it, that is its answer on all words that end so, and the task's machine counts how many want it. Boxes take far less
time than zonotopes, and say as much where numbers of the state do not act on each other, as in a selective state space
of one block.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ccsim.arithmetic import Zonotopes
from ccsim.arithmetic.zonotopes import UNIT
from ccsim.arrays import Array
from ccsim.auditing.accuracy import Accuracy, Bracket
from ccsim.auditing.budget import Budget, OutOfBudgetError
from ccsim.auditing.ends import Ends
from ccsim.auditing.outranked import possible_answers
from ccsim.matrices import DONT_CARE
from ccsim.models.comparison import Comparison
from ccsim.models.recurrent import RecurrentStack
from ccsim.plain_data import counted
from ccsim.problems.sequence.machine import TaskMachine

BLOCK = 1 << 9  # boxes that are stepped at once
LETTERS = 4  # boxes are told apart by so many last symbols all along
MOST_ENTRIES = 1 << 23  # numbers of all boxes
MOST_PAIRS = 1 << 20  # of a state of the task and an ending


def bracket_by_endings(
    beside: Comparison, machine: TaskMachine, symbols: list[Array], budget: Budget
) -> Bracket | None:
    """The interval from longer and longer endings, until every word is decided, or time or memory would be over.

    None if the task has too many states, or promises nothing.
    """
    best: Bracket | None = None
    for long in range(1, len(symbols) + 1):
        begun = budget.spent
        try:
            best = count_by_endings(beside, machine, symbols, long, budget)
        except OutOfBudgetError:
            return best
        took = budget.spent - begun
        if best.accuracy.is_exact or took * max(map(len, symbols)) > budget.left:
            return best
    return best


def count_by_endings(
    beside: Comparison, machine: TaskMachine, symbols: list[Array], long: int, budget: Budget
) -> Bracket:
    """The interval from all endings of ``long`` symbols.

    Raises :class:`~ccsim.auditing.budget.OutOfBudgetError` if the time is over, there are too many endings, the task
    has too many states, or no word is promised.
    """
    model = beside.model
    assert isinstance(model, RecurrentStack)
    count = math.prod(map(len, symbols[-long:]))
    if count * model.units > MOST_ENTRIES:
        raise OutOfBudgetError("too many endings")
    ends = Ends.of(machine, symbols, budget, long, MOST_PAIRS // count)
    possible = _possible(beside, symbols, long, budget)
    asked = ends.codes != DONT_CARE
    can = asked & possible[np.arange(count), np.maximum(ends.codes, 0)]
    right, refuted = can & (possible.sum(axis=1) == 1), asked & ~can
    promised, sure, wrong = (int((ends.counts * part.sum(axis=1)).sum()) for part in (asked, right, refuted))
    if not promised:
        raise OutOfBudgetError("no word is promised")
    how = f"by the last {counted(long, 'symbol')}, whatever comes before"
    return Bracket(Accuracy(promised, sure, wrong, how), ends.word(refuted) if wrong else None)


def _possible(beside: Comparison, symbols: list[Array], long: int, budget: Budget) -> Array:
    """Which answers, in codes of the task, the model can give to each ending, shape (endings, answers or more)."""
    model = beside.model
    assert isinstance(model, RecurrentStack)
    start, before = model.start()[None], len(symbols) - 1
    bounds, sizes = (start, start), []
    for done, choices in enumerate(symbols[:-1], start=1):
        after = _stepped(model, bounds, beside.read(choices), budget)
        sizes.append(len(choices))
        known = min(max(min(LETTERS, long - 1), long - 1 - (before - done)), len(sizes))  # of the last symbols
        together, sizes = math.prod(sizes[: len(sizes) - known]), sizes[len(sizes) - known :]
        low, high = (part.reshape(together, -1, model.units) for part in after)
        bounds = low.min(axis=0), high.max(axis=0)
    last, parts = beside.read(symbols[-1]), []
    for numbers, read in _blocks(len(bounds[0]), last):
        budget.require_time(f"endings of {long} symbols")
        held: Any = plain_box(*(part[numbers] for part in bounds))
        parts.append(possible_answers(model.scored(held, read), beside.renamed, len(beside.task.answers)))
    return np.concatenate(parts)


def _stepped(model: RecurrentStack, bounds: tuple[Array, Array], symbols: Array, budget: Budget) -> tuple[Array, Array]:
    """Bounds of the boxes after one more symbol of the model, for each box and each of these symbols, symbols first."""
    parts = []
    for numbers, read in _blocks(len(bounds[0]), symbols):
        budget.require_time(f"{len(bounds[0])} boxes of states")
        held: Any = plain_box(*(part[numbers] for part in bounds))
        after: Any = model.step(held, read, 1)
        parts.append((after.low, after.high))
    low, high = (np.concatenate(part) for part in zip(*parts, strict=True))
    return low, high


def _blocks(count: int, symbols: Array) -> list[tuple[Array, Array]]:
    numbers, read = np.repeat(np.arange(count), len(symbols)), np.tile(symbols, count)
    return [(numbers[at : at + BLOCK], read[at : at + BLOCK]) for at in range(0, len(numbers), BLOCK)]


def plain_box(low: Array, high: Array) -> Zonotopes:
    """Boxes (batch, units) without generators that matter: what follows treats each number on its own."""
    generators = np.zeros((*low.shape, 1), dtype=np.int64)
    return Zonotopes((low + high) * (UNIT // 2), generators, (high - low) * (UNIT // 2), low, high)
