"""Exercises about sequence models."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim.exercises.reply import Reply, asked
from ccsim.models import SequenceModel
from ccsim.models.recurrent import RecurrentModel
from ccsim.plain_data import counted
from ccsim.problems import SequenceTask


@asked
def check_confusion(words: Any, model: RecurrentModel, task: SequenceTask, split: int) -> Reply:
    """Whether a recurrent model is in one state after ``split`` symbols of two words that the task tells apart.

    The words must agree after the split; then the model gives them one answer, and is wrong on one.

    >>> from ccsim.models import TransitionTable
    >>> from ccsim.problems import equality_of_halves
    >>> parity = TransitionTable("01", (0, 1), [[[0, 1], [1, 0]]], [0, 1])
    >>> check_confusion(("0101", "1001"), parity, equality_of_halves(4), 2)
    right: the same state after 2 symbols, the answers are 1 and 0, and the model says 0 to both
    """
    if not isinstance(words, list | tuple) or len(words) != 2:
        return Reply(False, f"{words!r} are not two words")
    first, second = (tuple(word) for word in words)
    wanted = task(first), task(second)
    if first[split:] != second[split:]:
        return Reply(False, f"the words differ after the first {counted(split, 'symbol')}, too")
    ranks = np.array([[model.alphabet.index(symbol) for symbol in word[:split]] for word in (first, second)])
    states = model.run(ranks)
    if (states[0] != states[1]).any():
        return Reply(False, f"after {counted(split, 'symbol')} the states are different")
    if wanted[0] == wanted[1]:
        return Reply(False, f"the state is the same, but so is the answer that the task wants, {wanted[0]}")
    said = model(first)
    reason = f"the answers are {wanted[0]} and {wanted[1]}, and the model says {said} to both"
    return Reply(True, f"the same state after {counted(split, 'symbol')}, {reason}")


@asked
def check_model(model: Any, task: SequenceTask, most_state_bits: int | None = None) -> Reply:
    """Whether a model is right on every word of a task, with a state of at most so many bits if it is recurrent.

    >>> from ccsim.models import dyck_automaton
    >>> from ccsim.problems import dyck
    >>> check_model(dyck_automaton(2, 2), dyck(6), most_state_bits=3)
    right: it agrees with dyck(6, 2, 2) on all words
    """
    if not isinstance(model, SequenceModel):
        return Reply(False, f"{model!r} is not a SequenceModel")
    wrong = model.mistake(task)
    if wrong is not None:
        shown = wrong if isinstance(wrong, str) else " ".join(map(str, wrong))
        return Reply(False, f"on {shown} it says {model(wrong)}, and {task(wrong)} is right")
    bits = getattr(model, "state_bits", None)
    if most_state_bits is not None and (bits is None or bits > most_state_bits):
        has = "bits of state that are not counted" if bits is None else counted(bits, "bit of state")
        return Reply(False, f"it is right, but has {has}: {most_state_bits} suffice")
    return Reply(True, f"it agrees with {task.name} on all words")
