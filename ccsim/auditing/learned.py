"""The automaton that a recurrent model seems to have learnt, beside the least one of its task: a picture, not a proof.

A state within a tolerance of an earlier state with the same answer is identified with it (after Omlin and Giles 1996).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ccsim.auditing.product_reachability import Subject, machine_of
from ccsim.auditing.sampled_words import drawn_words
from ccsim.errors import Array, InputError, require_integer
from ccsim.models.automata import Automaton
from ccsim.models.model import SequenceModel
from ccsim.models.reachability import reached
from ccsim.models.recurrent import RecurrentModel
from ccsim.problems.sequence_tasks import SequenceTask

WORDS = 1 << 10


@dataclass(frozen=True)
class Learned:
    """What a model seems to have learnt.

    Attributes:
        automaton, states: the least automaton with the same answers as the states that were distinguished; how many.
        tolerance: by how much each number of a state may differ from the one that it is taken for.
        least: the least automaton of the task; None if the task has none for all lengths, or too large a one.
        agrees: on which part of drawn words the automaton answers as the model does.
    """

    automaton: Automaton
    states: int
    tolerance: float
    least: Automaton | None
    agrees: Fraction

    @property
    def effective_bits(self) -> float:
        """The bits that number these states: far fewer, as a rule, than the bits of the state."""
        return math.log2(self.states)

    @property
    def is_the_task(self) -> bool:
        """Whether the automaton is that of the task."""
        return self.automaton == self.least


def learned_automaton(
    model: SequenceModel, task: SequenceTask, *, tolerance: float = 0.5, most: int = 1 << 10, seed: int = 0
) -> Learned:
    """Distinguish the states of a recurrent model that differ by more than a tolerance, or in the answer.

    Args:
        model: one whose steps do not depend on the position.
        task: whose symbols are read; words of its length are drawn to compare the automaton with the model.
        tolerance: in the numbers of the state themselves, not in mantissas.
        most, seed: the most states that may be distinguished; of the words that are drawn.

    Raises :class:`~ccsim.errors.InputError` for other models, and where there are more states.

    >>> from ccsim.models import LSTM
    >>> from ccsim.problems import parity_of_word
    >>> found = learned_automaton(LSTM.random("01", width=4, precision=16, seed=1), parity_of_word(8), tolerance=0.2)
    >>> found.is_the_task, found.least.states, found.states < 64, float(found.agrees) > 0.9
    (False, 2, True, True)
    """
    if not isinstance(model, RecurrentModel) or not model.is_stationary:
        raise InputError("model", model, "a recurrent model whose steps do not depend on the position")
    if not tolerance >= 0:
        raise InputError("tolerance", tolerance, "a number of at least 0")
    require_integer("most", most, low=1)
    pair = Subject.of(model, task)
    table, outputs = merged_states(pair, model, tolerance, most)
    answers = (*task.answers, "another answer") if (outputs == len(task.answers)).any() else task.answers
    whole = Automaton.of(task.alphabet, table, outputs, answers=answers)
    words = drawn_words(task, WORDS, seed)
    same = np.asarray(whole.codes(words)) == _named(pair, model.codes(pair.read(words)))
    agrees = Fraction(int(same.sum()), len(words))
    return Learned(whole.minimise(), len(table), tolerance, least_automaton(task, most), agrees)


def least_automaton(task: SequenceTask, most: int = 1 << 10) -> Automaton | None:
    """The least automaton that answers as a task does at every length; None without one, or with more states.

    >>> from ccsim.problems import dyck
    >>> least_automaton(dyck(6)).states
    8
    """
    machine = machine_of(task)
    if machine is None or not machine.every_length:
        return None
    symbols = np.arange(len(task.alphabet))

    def follow(state: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
        return map(tuple, machine.step(np.tile(state, (len(symbols), 1)), symbols, 1).tolist())

    states, table = reached([tuple(machine.start.tolist())], follow, most)
    codes = np.asarray(machine.codes(np.array(states)), dtype=np.int64)
    if len(states) > most or codes.min() < 0:
        return None
    return Automaton.of(task.alphabet, table, codes, answers=task.answers).minimise()


def _named(pair: Subject, codes: Array) -> Array:
    codes = pair.coded(codes)
    return np.where(codes < 0, len(pair.task.answers), codes)


def merged_states(pair: Subject, model: RecurrentModel, tolerance: float, most: int) -> tuple[Array, Array]:
    symbols = np.arange(len(pair.task.alphabet))
    read = pair.read(symbols)
    reach = np.array([tolerance * precision.scale for precision in model.state_precisions])
    states = np.asarray(model.start(), dtype=np.int64)[None]
    try:  # what is answered on no word, where it is answered from the state alone; else the first answer
        outputs = _named(pair, model.read_out(states)).tolist()
    except InputError:
        outputs = [0]
    table = list[list[int]]()
    while len(table) < len(states):
        held = np.repeat(states[len(table)][None], len(symbols), axis=0)
        after, codes = model.step(held, read, 1), _named(pair, model.last(held, read, 1))
        after_each = []
        for state, code in zip(after, codes.tolist(), strict=True):
            away = np.abs(states - state)
            near = (away <= reach).all(axis=1) & (np.array(outputs) == code)
            nearest = int(np.argmin(np.where(near, away.max(axis=1), np.inf)))
            if not near.any():
                nearest, outputs = len(states), [*outputs, code]
                states = np.concatenate([states, state[None]])
            after_each.append(nearest)
        table.append(after_each)
        if len(states) > most:
            raise InputError("tolerance", tolerance, f"one that tells at most {most} states apart")
    return np.array(table), np.array(outputs)
