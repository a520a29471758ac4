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
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ccsim.arithmetic import Zonotopes
from ccsim.arithmetic.zonotopes import UNIT
from ccsim.arrays import Array
from ccsim.auditing.budget import Budget, OutOfBudgetError
from ccsim.auditing.cover import is_followed, possible_answers
from ccsim.auditing.product_reachability import Ends
from ccsim.auditing.result import Accuracy, Bracket
from ccsim.auditing.sampled_words import words_of_each_answer
from ccsim.matrices import DONT_CARE
from ccsim.models.affine import Affine
from ccsim.models.comparison import Comparison, affordable
from ccsim.models.model import SequenceModel
from ccsim.models.reachability import numbered_blocks
from ccsim.models.recurrent import RecurrentStack
from ccsim.models.transformer import OneLayerTransformer, Transformer
from ccsim.plain_data import counted
from ccsim.problems.sequence.task import TaskMachine

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
    for numbers, read in numbered_blocks(len(bounds[0]), last, BLOCK):
        budget.require_time(f"endings of {long} symbols")
        held: Any = plain_box(*(part[numbers] for part in bounds))
        parts.append(possible_answers(model.scored(held, read), beside.renamed, len(beside.task.answers)))
    return np.concatenate(parts)


def _stepped(model: RecurrentStack, bounds: tuple[Array, Array], symbols: Array, budget: Budget) -> tuple[Array, Array]:
    """Bounds of the boxes after one more symbol of the model, for each box and each of these symbols, symbols first."""
    parts = []
    for numbers, read in numbered_blocks(len(bounds[0]), symbols, BLOCK):
        budget.require_time(f"{len(bounds[0])} boxes of states")
        held: Any = plain_box(*(part[numbers] for part in bounds))
        after: Any = model.step(held, read, 1)
        parts.append((after.low, after.high))
    low, high = (np.concatenate(part) for part in zip(*parts, strict=True))
    return low, high


def plain_box(low: Array, high: Array) -> Zonotopes:
    """Boxes (batch, units) without generators that matter: what follows treats each number on its own."""
    generators = np.zeros((*low.shape, 1), dtype=np.int64)
    return Zonotopes((low + high) * (UNIT // 2), generators, (high - low) * (UNIT // 2), low, high)


ROUNDS = 4
SYMBOLS_AT_ONCE = 1 << 8  # symbols
FEW = 1 << 6  # words


def bracket_by_last_symbol(
    beside: Comparison, machine: TaskMachine, symbols: list[Array], budget: Budget
) -> Bracket | None:
    """The exact accuracy of a model that answers by the last symbol, with a wrong word; None if it is not shown to.

    Where the words of the task are not counted in the time of the budget, one drawn word that is wrong; None if none is
    found, or none is promised.
    """
    given = answers_by_last_symbol(beside, symbols)
    if given is None:
        return None
    try:
        ends = Ends.of(machine, symbols, budget)
    except OutOfBudgetError:
        return _one_wrong_word(beside, machine, symbols, given, budget)
    if not ends.promised:
        return None
    wrong, first = ends.differing(given)
    how = f"counted by what {_shown(given)}"
    return _with_answer(symbols, given, Bracket(Accuracy(ends.promised, ends.promised - wrong, wrong, how), first))


def _with_answer(symbols: list[Array], given: Array, found: Bracket) -> Bracket:
    """With what the model answers on the wrong word, unless the task has no such answer."""
    if found.first is None:
        return found
    code = int(given[symbols[-1] == found.first[-1]][0])
    return found if code < 0 else replace(found, given=code)


def _shown(given: Array) -> str:
    told = "the model always answers the same" if len(set(given.tolist())) == 1 else "the last symbol tells its answer"
    return f"the task wants: {told}, by bounds of all states of the model"


def _one_wrong_word(
    beside: Comparison, machine: TaskMachine, symbols: list[Array], given: Array, budget: Budget
) -> Bracket | None:
    """A drawn word that wants another answer than is ``given`` for its last symbol; the model does not run on it."""
    task, generator = beside.task, np.random.default_rng(budget.seed)
    after = np.zeros(int(symbols[-1].max()) + 1, dtype=np.int64)
    after[symbols[-1]] = given
    for words in words_of_each_answer(task, machine, symbols, generator, affordable(FEW, len(symbols)), budget.part()):
        codes = np.asarray(task.evaluate(words))
        bad = (codes != DONT_CARE) & (codes != after[words[:, -1]])
        if bad.any():
            how = f"one of few drawn words, by what {_shown(given)}"
            return _with_answer(
                symbols, given, Bracket(Accuracy(task.words.size, 0, 1, how), words[int(np.argmax(bad))])
            )
    return None


def answers_by_last_symbol(beside: Comparison, symbols: list[Array]) -> Array | None:
    """The answer, in codes of the task, on every word that ends with each of the last symbols; None if not shown."""
    model, last = beside.model, symbols[-1]
    blind = _without_weights(model)
    if blind is not None:
        return np.repeat(beside.renamed[blind], len(last))
    if not is_followed(model) or not isinstance(model, RecurrentStack):
        return None
    box = _all_states(model)
    for place in range(min(ROUNDS, len(symbols))):
        answers = _only_answers(beside, box, last)
        if answers is not None:
            return answers
        if place + 1 < len(symbols):  # the state before the last symbol is one after so many steps
            read = np.unique(np.concatenate(symbols[place:-1]))
            box = _after(model, box, beside.read(read))
    return None


def _without_weights(model: SequenceModel) -> int | None:
    """The code of the one answer of a read-out whose weights are all 0."""
    if isinstance(model, RecurrentStack):
        return _answer_to_nothing(model.scores, model.scores)
    if isinstance(model, OneLayerTransformer | Transformer):
        return _answer_to_nothing(model.read_out, model.scores)
    return None


def _answer_to_nothing(read_out: Affine, scores: Callable[[Array], Array]) -> int | None:
    return None if read_out.weights.any() else int(np.argmax(scores(np.zeros((1, read_out.inputs), dtype=np.int64))))


def _all_states(model: RecurrentStack) -> Zonotopes:
    """The box of all numbers that the precisions hold."""
    ends = [
        np.array([[getattr(one, end) for one in model.state_precisions]], dtype=np.int64) for end in ("low", "high")
    ]
    return plain_box(*ends)


def _after(model: RecurrentStack, box: Zonotopes, symbols: Array) -> Zonotopes:
    """The box around all states after one of these symbols, which are the model's."""
    boxes: list[Any] = [model.step(same, read, 1) for same, read in _beside(box, symbols)]
    low, high = (np.concatenate([getattr(one, end) for one in boxes]) for end in ("low", "high"))
    return plain_box(low.min(axis=0, keepdims=True), high.max(axis=0, keepdims=True))


def _only_answers(beside: Comparison, box: Zonotopes, symbols: Array) -> Array | None:
    """The codes of the task that the model answers after every state of a box and each of these symbols of the task.

    None if there are two answers to one of them.
    """
    model: Any = beside.model
    answers, codes = len(beside.task.answers), []
    for same, read in _beside(box, beside.read(symbols)):
        possible = possible_answers(model.scored(same, read), beside.renamed, answers)
        if (possible.sum(axis=1) != 1).any():
            return None
        codes.append(possible.argmax(axis=1))
    known = np.concatenate(codes)
    return np.where(known < answers, known, beside.renamed.min())


def _beside(box: Zonotopes, symbols: Array) -> list[tuple[Any, Array]]:
    """The box as often as there are symbols, and these, in blocks."""
    parts = [symbols[at : at + SYMBOLS_AT_ONCE] for at in range(0, len(symbols), SYMBOLS_AT_ONCE)]
    return [(box[np.zeros(len(part), dtype=np.int64)], part) for part in parts]
