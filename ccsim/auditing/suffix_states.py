"""Words by their last symbols, where what came before them cannot change the answer of a model.

Every state after so many symbols lies in a box, around what each symbol makes of the box before (a box for each choice
of the last few symbols). From there every ending is read, with a box for each; where the model has one answer on all of
it, that is its answer on all words that end so, and the task's machine counts how many want it. Boxes take far less
time than zonotopes, and say as much where numbers of the state do not act on each other, as in a selective state space
of one block.

The last symbol alone decides where a read-out has no weights, so that its bias is the answer. Else, every state that a
recurrent model can be in lies in one box, as each of its numbers has a lowest and a highest mantissa; a step takes the
box, for each symbol, into another, and after k steps every state lies in the smallest box around those.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ccsim.arithmetic import Zonotopes
from ccsim.arithmetic.zonotopes import UNIT
from ccsim.auditing.budget import UNLIMITED, Budget, OutOfBudgetError
from ccsim.auditing.cover import is_followed, possible_answers, proved
from ccsim.auditing.product_reachability import Ends
from ccsim.auditing.result import Accuracy, Bracket
from ccsim.auditing.sampled_words import words_of_each_answer
from ccsim.errors import Array
from ccsim.matrices import DONT_CARE
from ccsim.models.comparison import Comparison, affordable
from ccsim.models.reachability import numbered_blocks
from ccsim.models.recurrent import RecurrentStack
from ccsim.models.transformer import OneLayerTransformer, Transformer
from ccsim.plain_data import counted
from ccsim.problems.sequence.task import TaskMachine

BLOCK = 1 << 9  # boxes that are stepped at once
LETTERS = 4  # boxes are told apart by so many last symbols all along
MOST_ENTRIES = 1 << 23  # numbers of all boxes
MOST_PAIRS = 1 << 20  # of a state of the task and an ending
Bounds = tuple[Array, Array]
"""The lower and the upper ends of boxes of states, shape (boxes, units) each."""


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
    start, before = model.start()[None], len(symbols) - 1
    bounds, sizes = (start, start), []
    for done, choices in enumerate(symbols[:-1], start=1):
        after = _stepped(model, bounds, beside.read(choices), budget)
        sizes.append(len(choices))
        known = min(max(min(LETTERS, long - 1), long - 1 - (before - done)), len(sizes))  # of the last symbols
        together, sizes = math.prod(sizes[: len(sizes) - known]), sizes[len(sizes) - known :]
        low, high = (part.reshape(together, -1, model.units) for part in after)
        bounds = low.min(axis=0), high.max(axis=0)
    asked, right, refuted = proved(ends.codes, _possible(beside, bounds, symbols[-1], budget))
    promised, sure, wrong = (int((ends.counts * part.sum(axis=1)).sum()) for part in (asked, right, refuted))
    if not promised:
        raise OutOfBudgetError("no word is promised")
    how = f"by the last {counted(long, 'symbol')}, whatever comes before"
    return Bracket(Accuracy(promised, sure, wrong, how), ends.word(refuted) if wrong else None)


def _boxes(bounds: Bounds, symbols: Array, budget: Budget) -> Iterator[tuple[Any, Array]]:
    """Each box with each of these symbols, symbols first, in blocks."""
    for numbers, read in numbered_blocks(len(bounds[0]), symbols, BLOCK):
        budget.require_time(f"{len(bounds[0])} boxes of states")
        yield plain_box(*(part[numbers] for part in bounds)), read


def _stepped(model: RecurrentStack, bounds: Bounds, symbols: Array, budget: Budget) -> Bounds:
    """Bounds of the boxes after one more symbol of the model, for each box and each of these symbols, symbols first."""
    parts: list[Any] = [model.step(held, read, 1) for held, read in _boxes(bounds, symbols, budget)]
    return np.concatenate([after.low for after in parts]), np.concatenate([after.high for after in parts])


def _possible(beside: Comparison, bounds: Bounds, last: Array, budget: Budget) -> Array:
    """Which answers of the task (or one more) can follow each box and last symbol, shape (boxes x symbols, answers)."""
    model, answers = beside.model, len(beside.task.answers)
    assert isinstance(model, RecurrentStack)
    blocks = _boxes(bounds, beside.read(last), budget)
    return np.concatenate(
        [possible_answers(model.scored(held, read), beside.renamed, answers) for held, read in blocks]
    )


def plain_box(low: Array, high: Array) -> Zonotopes:
    """Boxes (batch, units) without generators that matter: what follows treats each number on its own."""
    generators = np.zeros((*low.shape, 1), dtype=np.int64)
    return Zonotopes((low + high) * (UNIT // 2), generators, (high - low) * (UNIT // 2), low, high)


ROUNDS = 4
FEW = 1 << 6  # words


def bracket_by_last_symbol(
    beside: Comparison, machine: TaskMachine, symbols: list[Array], budget: Budget
) -> Bracket | None:
    """The exact accuracy of a model that answers by the last symbol, with a wrong word; None if it is not shown to.

    Where the words of the task are not counted in the time of the budget, one drawn word that is wrong; None if none is
    found, or none is promised. The model is not run on the wrong word, which may be long.
    """
    given = answers_by_last_symbol(beside, symbols)
    if given is None:
        return None
    same = len(set(given.tolist())) == 1
    told = "the model always answers the same" if same else "the last symbol tells its answer"
    how, task = f"by what the task wants: {told}, by bounds of all states of the model", beside.task
    after = np.zeros(len(task.alphabet), dtype=np.int64)
    after[symbols[-1]] = given

    def found(accuracy: Accuracy, first: Array | None) -> Bracket:
        code = -1 if first is None else int(after[first[-1]])  # negative as well if the task has no such answer
        return Bracket(accuracy, first, code if code >= 0 else None)

    try:
        ends = Ends.of(machine, symbols, budget)
    except OutOfBudgetError:
        count, generator = affordable(FEW, len(symbols)), np.random.default_rng(budget.seed)
        for words in words_of_each_answer(task, machine, symbols, generator, count, budget.part()):
            codes = np.asarray(task.evaluate(words))
            bad = (codes != DONT_CARE) & (codes != after[words[:, -1]])
            if bad.any():
                one = Accuracy(task.words.size, 0, 1, f"one of few drawn words, {how}")
                return found(one, words[int(np.argmax(bad))])
        return None
    if not ends.promised:
        return None
    bad = (ends.codes != DONT_CARE) & (ends.codes != given)
    wrong = int((ends.counts[:, None] * bad).sum())
    accuracy = Accuracy(ends.promised, ends.promised - wrong, wrong, f"counted {how}")
    return found(accuracy, ends.word(bad) if wrong else None)


def answers_by_last_symbol(beside: Comparison, symbols: list[Array]) -> Array | None:
    """The answer, in codes of the task, on every word that ends with each of the last symbols; None if not shown."""
    model, last, read_out = beside.model, symbols[-1], None
    if isinstance(model, RecurrentStack):
        read_out = model.scores
    elif isinstance(model, OneLayerTransformer | Transformer):
        read_out = model.read_out
    if read_out is not None and not read_out.weights.any():
        scores = model.scores(np.zeros((1, read_out.inputs), dtype=np.int64))  # type: ignore[attr-defined]
        return np.repeat(beside.renamed[int(np.argmax(scores))], len(last))
    if not is_followed(model) or not isinstance(model, RecurrentStack):
        return None
    low, high = (np.array([[getattr(one, end) for one in model.state_precisions]]) for end in ("low", "high"))
    for place in range(min(ROUNDS, len(symbols))):
        answers = _only_answers(beside, (low, high), last)
        if answers is not None:
            return answers
        if place + 1 < len(symbols):  # the state before the last symbol is one after so many steps
            read = np.unique(np.concatenate(symbols[place:-1]))
            lows, highs = _stepped(model, (low, high), beside.read(read), UNLIMITED)
            low, high = lows.min(axis=0, keepdims=True), highs.max(axis=0, keepdims=True)
    return None


def _only_answers(beside: Comparison, bounds: Bounds, symbols: Array) -> Array | None:
    """The codes of the task that the model answers after every state of a box and each of these symbols of the task.

    None if there are two answers to one of them.
    """
    possible = _possible(beside, bounds, symbols, UNLIMITED)
    if (possible.sum(axis=1) != 1).any():
        return None
    known = possible.argmax(axis=1)
    return np.asarray(np.where(known < len(beside.task.answers), known, beside.renamed.min()))
