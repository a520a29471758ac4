"""Models that answer by the last symbol alone, or always the same: all words are then counted at once.

A read-out without weights says what its bias says. Else, every state that a recurrent model can be in lies in one box,
as each of its numbers has a lowest and a highest mantissa; a step takes the box, for each symbol, into another, and
after k steps every state lies in the smallest box around those. If the read-out has one answer on all of it, for each
last symbol, that is the model's answer on every word that ends so; the task's machine counts the words of each answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ccsim.arithmetic import Zonotopes
from ccsim.arrays import Array
from ccsim.auditing.accuracy import Accuracy, Bracket
from ccsim.auditing.budget import Budget, OutOfBudgetError
from ccsim.auditing.cover import is_followed
from ccsim.auditing.endings import plain_box
from ccsim.auditing.ends import Ends
from ccsim.auditing.outranked import possible_answers
from ccsim.auditing.words import words_of_each_answer
from ccsim.matrices import DONT_CARE
from ccsim.models.affine import Affine
from ccsim.models.comparison import Comparison, affordable
from ccsim.models.model import SequenceModel
from ccsim.models.recurrent import RecurrentStack
from ccsim.models.transformer import OneLayerTransformer, Transformer
from ccsim.problems.sequence.machine import TaskMachine

ROUNDS = 4
BLOCK = 1 << 8  # symbols
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
    parts = [symbols[at : at + BLOCK] for at in range(0, len(symbols), BLOCK)]
    return [(box[np.zeros(len(part), dtype=np.int64)], part) for part in parts]
