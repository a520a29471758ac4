"""Words to try a model on: all of them, or those on which a small change matters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from ccsim.arrays import Array
from ccsim.auditing.apart import pairs_told_apart
from ccsim.auditing.budget import Budget, OutOfBudgetError
from ccsim.auditing.sides import Layer, task_rules
from ccsim.auditing.walk import Verdicts
from ccsim.matrices import DONT_CARE
from ccsim.models.automata import from_task
from ccsim.models.comparison import Comparison, affordable, uniform_words
from ccsim.problems.sequence.machine import TaskMachine
from ccsim.problems.sequence.task import SequenceTask

BLOCK = 1 << 14
FEW = 1 << 6
MOST_ANSWERS = 4
MOST_PAIRS = 512  # of words with one end on which they differ
MOST_LAYER = 1 << 12  # states of a task at one position that words are drawn through
MOST_TABLE = 1 << 18  # words of a task without a machine from which one is made


def all_words(beside: Comparison, budget: Budget) -> Verdicts:
    """Every word of a task, in blocks; stops within the budget only at its end, so ask for its size first."""
    task, promised, wrong, first = beside.task, 0, 0, None
    budget_words = task.words.size
    if budget_words > budget.words:
        raise OutOfBudgetError(f"too many words: {budget_words}, budget {budget.words}")
    for start in range(0, budget_words, BLOCK):
        budget.require_time(f"{start} of {budget_words} words")
        rows = task.words.array(np.arange(start, min(start + BLOCK, budget_words)))
        wanted = np.asarray(task.evaluate(rows))
        bad = (wanted != DONT_CARE) & (beside.given(rows) != wanted)
        promised += int((wanted != DONT_CARE).sum())
        wrong += int(bad.sum())
        if first is None and bad.any():
            first = rows[int(np.argmax(bad))].astype(np.int64)
    return Verdicts(budget_words, promised, wrong, first)


def machine_of(task: SequenceTask) -> TaskMachine | None:
    """The task's machine; for a total task with few words one that is made from its table; else None."""
    if task.machine is not None or task.words.size > MOST_TABLE:
        return task.machine
    table = np.asarray(task.codes(), dtype=np.int64)
    if (table == DONT_CARE).any():
        return None
    made = from_task(task)
    return TaskMachine(made.start(), made.step, lambda states: np.asarray(made.outputs[states[:, 0]], dtype=np.int64))


def accepted_words(
    machine: TaskMachine,
    symbols: list[Array],
    code: int,
    count: int,
    generator: np.random.Generator,
    budget: Budget | None = None,
) -> Array | None:
    """Words whose answer has this code, drawn uniformly; None if the task has too many states, or no such word.

    None as well if the time of a budget is over before its states are known.
    """
    layers = _layers(machine, symbols, budget)
    if layers is None:
        return None
    ways = [(layers[-1][1] == code).astype(np.float64)]  # for each state, symbol: what part of the words after it fit,
    for _, leads in reversed(layers[:-1]):  # as a multiple of the largest one, so that it never becomes too small
        parts = ways[-1].mean(axis=1)
        ways.append((parts / max(parts.max(), 1e-300))[leads])
    words, state = np.empty((count, len(symbols)), dtype=np.int64), np.zeros(count, dtype=np.int64)
    for position, (weights, (_, leads)) in enumerate(zip(ways[::-1], layers, strict=True)):
        total = weights.sum(axis=1, keepdims=True)
        if not total[state].all():
            return None
        limits = np.cumsum(weights / np.where(total, total, 1), axis=1)[state]
        place = (generator.random(count)[:, None] >= limits[:, :-1]).sum(axis=1)
        place = _possible(weights[state], place)
        words[:, position] = symbols[position][place]
        state = leads[state, place] if position + 1 < len(symbols) else state
    return words


def _possible(weights: Array, place: Array) -> Array:
    """The places, or the first possible one where rounding has led to an impossible one."""
    bad = weights[np.arange(len(place)), place] == 0
    return np.where(bad, (weights > 0).argmax(axis=1), place)


def _layers(
    machine: TaskMachine, symbols: list[Array], budget: Budget | None = None
) -> list[tuple[Layer, Array]] | None:
    """The task's states at each position and where symbols lead; at the last one the codes of the answers."""
    if budget is not None and not budget.left:
        return None
    budget = Budget(states=MOST_LAYER) if budget is None else replace(budget.part(), states=MOST_LAYER)
    layer, layers = Layer.start(task_rules(machine)), []
    try:
        for position, choices in enumerate(symbols[:-1], start=1):
            after, leads = layer.advance(choices, position, budget)
            layers.append((layer, leads))
            layer = after
    except OutOfBudgetError:
        return None
    layers.append((layer, layer.codes(symbols[-1], len(symbols))))
    return layers


def critical_words(
    task: SequenceTask,
    machine: TaskMachine | None,
    symbols: list[Array],
    generator: np.random.Generator,
    count: int,
    budget: Budget | None = None,
) -> Iterator[Array]:
    """Blocks of words of a task, about ``count`` in all: uniform ones, words of each answer, and pairs that differ.

    The last are words with two prefixes that the task must tell apart and one end on which it does. After the time of
    a budget no more are drawn.
    """
    count = affordable(count, len(symbols))
    if machine is None:
        for _ in range(0, count, BLOCK):
            yield uniform_words(symbols, min(count, BLOCK), generator)
        return
    for size in (FEW, min(count, BLOCK) // 4 + 1):
        yield from words_of_each_answer(task, machine, symbols, generator, size, budget)
    yield from pairs_told_apart(machine, symbols, min(count, MOST_PAIRS), generator, budget)


def words_of_each_answer(
    task: SequenceTask,
    machine: TaskMachine | None,
    symbols: list[Array],
    generator: np.random.Generator,
    count: int,
    budget: Budget | None = None,
) -> Iterator[Array]:
    """A block of so many uniform words, and one of each answer: of a rare answer uniform words show nothing."""
    yield uniform_words(symbols, count, generator)
    for code in range(0 if machine is None else min(len(task.answers), MOST_ANSWERS)):
        assert machine is not None
        drawn = accepted_words(machine, symbols, code, count, generator, budget)
        if drawn is not None:
            yield drawn


def drawn_words(task: SequenceTask, count: int = 1 << 12, seed: int = 0, budget: Budget | None = None) -> Array:
    """Words of a task as ranks, shape (words, N): uniform ones and as many of each answer, about ``count`` in all.

    Of each answer only where the task has a machine. Of very long words there are fewer.

    >>> from ccsim.problems import dyck
    >>> words = drawn_words(dyck(200), 30)
    >>> words.shape, int(dyck(200).evaluate(words).sum())
    ((30, 200), 10)
    """
    symbols = Comparison.ranks_allowed(task)
    machine, parts = machine_of(task), 1 + min(len(task.answers), MOST_ANSWERS)
    each = -(-affordable(count, task.length) // (1 if machine is None else parts))
    return np.concatenate(list(words_of_each_answer(task, machine, symbols, np.random.default_rng(seed), each, budget)))


def growing(blocks: Iterable[Array], first: int = 1 << 5) -> Iterator[Array]:
    """The same words in blocks that grow, so that a model that is slow has read some before the time is over.

    >>> [len(block) for block in growing([np.zeros((70, 2)), np.zeros((500, 2))])]
    [32, 38, 128, 256, 116]
    """
    most = first
    for words in blocks:
        start = 0
        while start < len(words):
            yield words[start : start + most]
            start, most = start + most, min(2 * most, BLOCK)
