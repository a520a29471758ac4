"""Models that answer at every position: the first position at which one is wrong, as an answer of its own."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from ccsim.auditing.failure import EVERYWHERE
from ccsim.auditing.product_reachability import machine_of
from ccsim.errors import Array, InputError
from ccsim.matrices import DONT_CARE
from ccsim.models.comparison import Comparison
from ccsim.models.forward import ForwardModel
from ccsim.models.model import SequenceModel
from ccsim.problems.sequence.task import SequenceTask


class EveryPosition(SequenceModel):
    """Where a model is first wrong, if it is asked after every symbol what the task wants of the word so far.

    Attributes:
        name: that of the model.
        alphabet: the symbols of the task.
        answers: "right at every position", and then the positions, counted from 1.
        length: N.
    """

    def __init__(
        self,
        model: SequenceModel,
        task: SequenceTask,
        before: Sequence[Hashable] = (),
    ) -> None:
        machine = machine_of(task)
        if machine is None or not machine.every_length:
            raise InputError("task", task.name, "one that asks the same of words of every length")
        if model.length is not None:
            expected = "a model of words of every length, or the module itself, which is run at every position"
            raise InputError("model", model.length, expected)
        self.model, self._machine, self._beside = model, machine, Comparison.of(model, task)
        front = model.ranks_of(tuple(before))
        self._before = np.arange(len(before)) if front is None else front
        self.name, self.alphabet, self.length = model.name, task.alphabet, task.length
        self.answers = (EVERYWHERE, *range(1, task.length + 1))
        self.is_exact = model.is_exact  # type: ignore[misc]

    @property
    def arithmetic(self) -> str:
        """That of the model."""
        return self.model.arithmetic

    @property
    def rule(self) -> str:
        """That of the model."""
        return self.model.rule

    @property
    def manner(self) -> str:
        """That of the model."""
        return self.model.manner

    def codes(self, words: Array) -> Array:
        """The place of the first wrong answer, counted from 1, or 0, for words (..., N) of ranks."""
        words = np.asarray(words)
        rows = words.reshape(-1, words.shape[-1])
        given, wanted = self.given(rows), self.wanted(rows)
        wrong = (wanted != DONT_CARE) & (given != wanted)
        first = np.where(wrong.any(axis=1), wrong.argmax(axis=1) + 1, 0)
        return np.asarray(first, dtype=np.int64).reshape(words.shape[:-1])

    def given(self, rows: Array) -> Array:
        """The answer codes of the task that the model gives after each symbol, shape (words, N)."""
        read = self._beside.read(rows)
        if isinstance(self.model, ForwardModel):
            codes = self.model.codes_at_every_position(read)
        else:
            front = np.broadcast_to(self._before, (len(rows), len(self._before)))
            fed = np.concatenate([front, read], axis=1)
            ends = range(front.shape[1] + 1, fed.shape[1] + 1)
            codes = np.stack([self.model.codes(fed[:, :end]) for end in ends], axis=1)
        return self._beside.coded(codes)

    def wanted(self, rows: Array) -> Array:
        """What the task wants there."""
        states, wanted = np.repeat(np.asarray(self._machine.start)[None], len(rows), axis=0), []
        for place in range(rows.shape[1]):
            states = self._machine.step(states, rows[:, place], place + 1)
            wanted.append(self._machine.codes(states))
        return np.stack(wanted, axis=1)


def every_position(
    model: SequenceModel,
    task: SequenceTask,
    *,
    before: Sequence[Hashable] = (),
) -> tuple[EveryPosition, SequenceTask]:
    """A model and a task for an audit of the answers at all positions: what is wanted is that none is wrong.

    The model has to look back only; a network that runs on whole words is run once on each, and its scores are taken
    at all positions. Any other model is asked about every beginning of the word. What it would read behind the word is
    not yet there.

    Args:
        model: what is asked.
        task: what is wanted of words of every length.
        before: symbols in front of each word, such as BOS; a model that is run has its own.

    >>> import ccsim as cc
    >>> from ccsim.models import ForwardModel
    >>> from ccsim.problems import parity_of_word
    >>> late = ForwardModel(lambda ids: (ids.cumsum(axis=1) % 2 * (ids.cumsum(axis=1) < 3))[:, :, None], "01")
    >>> found = cc.audit(*every_position(late, parity_of_word(4)))
    >>> found.verdict, "".join(found.failure.word), found.failure.answer, found.wrong_words
    ('wrong', '0111', 4, 5)
    """
    checked, name = EveryPosition(model, task, before), f"{task.name} at every position"
    note = "no answer of a word is wrong"
    right = SequenceTask(name, task.words, checked.answers, lambda rows: np.zeros(np.shape(rows)[:-1], int), note=note)
    return checked, right
