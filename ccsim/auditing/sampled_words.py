"""Words to run a model on: all of them, drawn ones, and pairs with different answers that differ by a small change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from ccsim.auditing.product_reachability import (
    UNLIMITED,
    Budget,
    Layer,
    OutOfBudgetError,
    PrefixStates,
    Subject,
    Verdicts,
    machine_of,
    symbols_of,
    task_rules,
)
from ccsim.auditing.result import Accuracy
from ccsim.errors import Array
from ccsim.matrices import DONT_CARE
from ccsim.models.model import affordable, uniform_words
from ccsim.models.reachability import all_steps, side_by_side, trace_back
from ccsim.models.recurrent import likely_seconds
from ccsim.plain_data import counted
from ccsim.problems.sequence_tasks import SequenceTask

SUFFIXES_AT_ONCE = 1 << 6
FEW_STATES = 1 << 8


def distinguishing_suffix(
    task: SequenceTask, first: Array, second: Array, read: int, most: int = 1 << 12
) -> Array | None:
    """None if no suffix is reached; goes through at most ``most`` pairs of states at one position."""
    machine, symbols, units = machine_of(task), symbols_of(task), len(first)
    assert machine is not None
    if machine.separate is not None:
        return machine.separate(first, second, read)
    step = side_by_side(units, machine.step, machine.step)
    pairs, history = np.concatenate([first, second])[None], list[tuple[Array, Array]]()
    for position, choices in enumerate(symbols[read:], read + 1):
        pairs, came_from, _ = all_steps(pairs, choices, position, step)
        if position < len(symbols):
            unequal = np.flatnonzero((pairs[:, :units] != pairs[:, units:]).any(axis=1))[:most]
            pairs, came_from = pairs[unequal], came_from[unequal]
        history.append((came_from, choices))
        if not len(pairs):
            return None
    one, two = machine.codes(pairs[:, :units]), machine.codes(pairs[:, units:])
    good = (one != two) & (one != DONT_CARE) & (two != DONT_CARE)
    return trace_back(history, int(np.argmax(good))) if good.any() else None


def distinguished_pairs(
    task: SequenceTask, count: int, generator: np.random.Generator, budget: Budget = UNLIMITED
) -> Iterator[Array]:
    machine, symbols = machine_of(task), symbols_of(task)
    assert machine is not None
    for first in range(0, count if len(symbols) > 1 else 0, SUFFIXES_AT_ONCE):
        many, pairs = min(SUFFIXES_AT_ONCE, count - first), []
        rows, reads = np.arange(many), generator.integers(1, len(symbols), many)
        words = np.stack([uniform_words(symbols, many, generator)] * 2, axis=1)
        places = generator.integers(0, reads)
        words[rows, 1, places] = uniform_words(symbols, many, generator)[rows, places]
        states = np.repeat(np.asarray(machine.start, dtype=np.int64)[None], 2 * many, axis=0)
        for position in range(1, len(symbols)):
            states = machine.step(states, words[:, :, position - 1].reshape(-1), position)
            now = states.reshape(many, 2, -1)
            for row in np.flatnonzero((reads == position) & (now[:, 0] != now[:, 1]).any(axis=1)):
                if not budget.left:
                    break
                suffix = distinguishing_suffix(task, now[row, 0], now[row, 1], position, FEW_STATES)
                if suffix is not None:
                    pairs.append(np.concatenate([words[row, :, :position], np.tile(suffix, (2, 1))], axis=1))
            if not budget.left:
                break
        if pairs:
            yield np.concatenate(pairs)


BLOCK = 1 << 14
FEW = 1 << 6
MOST_ANSWERS = 4
MOST_PAIRS = 512  # of words with one end on which they differ
MOST_LAYER = 1 << 12  # states of a task at one position that words are drawn through


def all_words(pair: Subject, budget: Budget) -> Verdicts:
    task, promised, wrong, first = pair.task, 0, 0, None
    size = task.words.size
    if size > budget.words:
        raise OutOfBudgetError(f"too many words: {size}, budget {budget.words}")
    for start in range(0, size, BLOCK):
        budget.require_time(f"{start} of {size} words")
        rows = task.words.array(np.arange(start, min(start + BLOCK, size)))
        wanted = np.asarray(task.evaluate(rows))
        bad = (wanted != DONT_CARE) & (pair.given(rows) != wanted)
        promised += int((wanted != DONT_CARE).sum())
        wrong += int(bad.sum())
        if first is None and bad.any():
            first = rows[int(np.argmax(bad))].astype(np.int64)
    return Verdicts(size, promised, wrong, first)


def accepted_words(
    task: SequenceTask, code: int, count: int, generator: np.random.Generator, budget: Budget = UNLIMITED
) -> Array | None:
    """Drawn uniformly; None if no word has this answer code, or there are too many states for the budget."""
    machine, symbols = machine_of(task), symbols_of(task)
    if machine is None or not budget.left:
        return None
    try:
        layer, layers = Layer.after(task_rules(machine), symbols[:-1], replace(budget.part(), states=MOST_LAYER))
    except OutOfBudgetError:
        return None
    good = layer.codes(symbols[-1], len(symbols)) == code
    ways = [good.astype(np.float64)]  # for each state, symbol: what part of the words after it fit,
    for steps in reversed(layers):  # as a multiple of the largest one, so that it never becomes too small
        parts = ways[-1].mean(axis=1)
        ways.append((parts / max(parts.max(), 1e-300))[steps])
    words, state = np.empty((count, len(symbols)), dtype=np.int64), np.zeros(count, dtype=np.int64)
    for position, weights in enumerate(reversed(ways)):
        total = weights.sum(axis=1, keepdims=True)
        if not total[state].all():
            return None
        limits = np.cumsum(weights / np.where(total, total, 1), axis=1)[state]
        place = (generator.random(count)[:, None] >= limits[:, :-1]).sum(axis=1)
        own = weights[state]  # rounding may lead to a place that is impossible: then to the first possible one
        place = np.where(own[np.arange(count), place] == 0, (own > 0).argmax(axis=1), place)
        words[:, position] = symbols[position][place]
        state = layers[position][state, place] if position < len(layers) else state
    return words


def critical_words(
    task: SequenceTask, count: int, generator: np.random.Generator, budget: Budget = UNLIMITED
) -> Iterator[Array]:
    count = affordable(count, task.length)
    if machine_of(task) is None:
        for _ in range(0, count, BLOCK):
            yield uniform_words(symbols_of(task), min(count, BLOCK), generator)
        return
    for size in (FEW, min(count, BLOCK) // 4 + 1):
        yield from words_of_each_answer(task, size, generator, budget)
    yield from distinguished_pairs(task, min(count, MOST_PAIRS), generator, budget)


def words_of_each_answer(
    task: SequenceTask, count: int, generator: np.random.Generator, budget: Budget = UNLIMITED
) -> Iterator[Array]:
    yield uniform_words(symbols_of(task), count, generator)
    for code in range(min(len(task.answers), MOST_ANSWERS)):
        drawn = accepted_words(task, code, count, generator, budget)
        if drawn is not None:
            yield drawn


def drawn_words(task: SequenceTask, count: int = 1 << 12, seed: int = 0, budget: Budget = UNLIMITED) -> Array:
    """Words of a task as ranks, shape (words, N): uniform ones and as many of each answer, about ``count`` in all.

    Of each answer only where the task has a machine. Of very long words there are fewer.

    >>> from ccsim.problems import dyck
    >>> words = drawn_words(dyck(200), 30)
    >>> words.shape, int(dyck(200).evaluate(words).sum())
    ((30, 200), 10)
    """
    parts = 1 if machine_of(task) is None else 1 + min(len(task.answers), MOST_ANSWERS)
    each = -(-affordable(count, task.length) // parts)
    return np.concatenate(list(words_of_each_answer(task, each, np.random.default_rng(seed), budget)))


def growing(blocks: Iterable[Array], first: int = 1 << 5) -> Iterator[Array]:
    most = first
    for words in blocks:
        start = 0
        while start < len(words):
            yield words[start : start + most]
            start, most = start + most, min(2 * most, BLOCK)


@dataclass(frozen=True)
class Sampled:
    """Words run, different promised ones right and wrong, a wrong one, and seconds for one if that is too long."""

    words: int
    right: int
    wrong: int
    first: Array | None
    too_long: float = 0.0

    def accuracy(self, pair: Subject, budget: Budget) -> Accuracy:
        promised = promised_words(pair, budget)
        different = self.right + self.wrong
        how = f"by running {counted(different, 'different word')}" if different else "no word was run"
        if promised is None:
            promised, how = pair.task.words.size, f"{how}; all words, as those with an answer were not counted"
        return Accuracy(promised, self.right, self.wrong, how)


def run_words(pair: Subject, blocks: Iterable[Array], budget: Budget) -> Sampled:
    known: set[bytes] = set()
    words, right, begun = 0, 0, 0.0
    for block in blocks:
        likely = 0.0
        for size in () if words else (len(block), 1):  # if the first block takes too long, perhaps one word does not
            block = block[:size]
            likely = likely_seconds(pair.model, pair.read(block), budget.clock)
            if budget.spent + likely < budget.seconds:
                break
        if budget.spent + likely >= budget.seconds:
            return Sampled(words, right, 0, None, likely)
        if words:  # no more than are likely to be done in time
            block = block[: max(1, int(words * budget.left / max(budget.spent - begun, 1e-6)))]
        else:
            begun = budget.spent
        words += len(block)
        rows = np.ascontiguousarray(block, dtype=np.int64)
        fresh = [place for place, row in enumerate(rows) if row.tobytes() not in known and not known.add(row.tobytes())]  # type: ignore[func-returns-value]
        rows = rows[fresh]
        promised = np.asarray(pair.task.evaluate(rows)) != DONT_CARE
        wrong = pair.wrong(rows)
        right += int((promised & ~wrong).sum())
        if wrong.any():
            return Sampled(words, right, int(wrong.sum()), rows[int(np.argmax(wrong))])
    return Sampled(words, right, 0, None)


def promised_words(pair: Subject, budget: Budget) -> int | None:
    if machine_of(pair.task) is None:
        return None
    try:
        return PrefixStates.of(pair, budget).promised or None
    except OutOfBudgetError:
        return None
