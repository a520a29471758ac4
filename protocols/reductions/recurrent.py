"""Recurrent models as one-way protocols: the state is the message, and a task determines how many states are needed.

Two prefixes of one length that some suffix distinguishes must lead to different states (Myhill 1957, Nerode 1958), so a
state of b bits needs 2^b to be at least the number of classes (Bhattamishra, Hahn, Blunsom and Kanade 2024, lemma 4).
For words of one length it does not matter whether the transition depends on the position.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, SupportsIndex

import numpy as np

from ccsim.auditing.auditor import model_for
from ccsim.auditing.result import StateCollision
from ccsim.bounds import one_way_messages
from ccsim.engine import Cost, Protocol, one_way
from ccsim.engine.schedule import Field, Known, Schedule
from ccsim.errors import Array, InputError, require_integer
from ccsim.matrices import DONT_CARE
from ccsim.models.automata import from_task
from ccsim.models.files import LoadedModel
from ccsim.models.reachability import different_rows
from ccsim.models.recurrent import RecurrentModel
from ccsim.problems import Partition, SequenceTask, Words


def recurrent_prefix(
    model: Any, split: int | Partition, length: int | None = None, *, words: Words | SequenceTask | None = None
) -> Protocol:
    """Alice runs the model on the first ``split`` symbols and sends the state; Bob finishes and knows the answer.

    One message of exactly ``model.state_bits`` bits: all units of all layers. The function is what the model itself
    computes on all words of a length over its alphabet, or on ``words`` (Bhattamishra, Hahn, Blunsom and Kanade 2024,
    theorem 2); Alice may hold the whole word only if the answer is made from the state alone.

    Args:
        model: any recurrent model, in each form that :func:`ccsim.audit` takes; of an object with ``start()`` and
            ``step(state, ids)`` the symbols and answers are those of a task as ``words``.
        split: how many symbols Alice holds, or a partition that gives her a prefix.
        length: of the words, unless the model, the partition or ``words`` have one.
        words: which words to compute the model's answer on, or a task, for its words.

    Raises :class:`~ccsim.errors.InputError` for a partition that gives Alice anything but a prefix.

    >>> from ccsim.models import LSTM
    >>> model = LSTM.random("ab", width=2, precision=6, seed=0)
    >>> explored = recurrent_prefix(model, 3, length=5).explore()
    >>> explored.correct, explored.worst_bits, model.state_bits
    (True, 24, 24)
    """
    model = _recurrent(model, words if isinstance(words, SequenceTask) else None)
    words = words.words if isinstance(words, SequenceTask) else words
    if words is not None and not isinstance(words, Words):
        raise InputError("words", words, "Words, a task, or None")
    partition = _prefix(model, split, length, words)
    before = len(partition.alice)
    if before == partition.length:
        model.read_out(model.start()[None])  # refused by a model that looks at the last symbol
    function = model.task(partition.length, words).split(partition)
    ranks = [model.ranks_of(part.alphabet) for part in function.inputs if isinstance(part, Words)]
    lows = np.array([precision.low for precision in model.state_precisions], dtype=np.int64)

    def word(rows: Any, party: int) -> Array:
        lookup = ranks[party]
        return np.asarray(rows if lookup is None else lookup[rows])

    def state(rows: Any, known: Known) -> Array:
        return np.asarray(model.run(word(rows, 0)) - lows)

    def answer(rows: Any, known: Known) -> Array:
        states = known["state"].reshape(len(rows), -1) + lows
        return np.asarray(model.finish(word(rows, 1), states, before))

    bounds = tuple(1 << precision.bits for precision in model.state_precisions)
    label = f"state after {before} symbols, {model.units} numbers"
    schedule = Schedule((Field("alice", "state", label, bounds, state),), {"bob": answer})
    return Protocol(
        f"recurrent prefix of {before} for {model.name}",
        function,
        schedule.parties(),
        model=one_way(),
        answer="bob",
        cost=Cost("state_bits", {"state_bits": model.state_bits}),
        source="Bhattamishra, Hahn, Blunsom and Kanade 2024, theorem 2",
    )


def _recurrent(given: Any, task: SequenceTask | None) -> RecurrentModel:
    model = given.model if isinstance(given, LoadedModel) else given
    if task is not None:
        model = model_for(model, task)
    if not isinstance(model, RecurrentModel):
        more = "" if task is not None else "; of an object with a step, a task as words= names the symbols"
        raise InputError("model", given, f"a recurrent model{more}")
    return model


def _prefix(model: RecurrentModel, split: int | Partition, length: int | None, words: Words | None) -> Partition:
    if isinstance(split, Partition):
        if split.owners != "A" * len(split.alice) + "B" * len(split.bob):
            expected = "a partition that gives alice a prefix: a recurrent model reads from left to right"
            raise InputError("split", split, expected)
        if length not in (None, split.length):
            raise InputError("length", length, f"{split.length}, as the partition has so many positions")
        return split
    if isinstance(split, bool) or not isinstance(split, SupportsIndex):
        raise InputError("split", split, "how many symbols alice holds, or a Partition that gives her a prefix")
    known = len(words.positions) if words is not None else model.length
    whole = known if length is None else require_integer("length", length, low=1)
    if whole is None:
        raise InputError("length", length, f"a length, as {model.name} reads words of every length")
    return Partition.prefix(whole, require_integer("split", split, low=0, high=whole))


@dataclass(frozen=True)
class StateBound:
    """What a task of one length demands of the state of every recurrent model that solves it.

    ``classes``: for 1, ..., N - 1 symbols, how many states a model must be able to be in after them, the number of
    classes of prefixes; a lower bound on it, if the task has a promise.
    """

    task: SequenceTask = field(repr=False)
    classes: tuple[int, ...]

    @property
    def split(self) -> int:
        """After how many symbols the most states are needed (the first such place); 0 for words of one symbol."""
        return 1 + int(np.argmax(self.classes)) if self.classes else 0

    @property
    def states(self) -> int:
        """The most states that are needed after any number of symbols."""
        return max(self.classes, default=1)

    @property
    def bits(self) -> int:
        """The bits of state that every recurrent model for the task has at least: ceiling(log2 states)."""
        return (self.states - 1).bit_length()


def state_bound(task: SequenceTask, *, seconds: float = 10.0) -> StateBound:
    """Count the classes of prefixes of a task, for every number of symbols.

    For a total task the counts are exact; under a promise each is the best lower bound within ``seconds``, a
    set of prefixes of which any two are distinguished within the promise.

    >>> from ccsim.problems import equality_of_halves
    >>> bound = state_bound(equality_of_halves(6))
    >>> bound.classes, bound.split, bound.bits
    ((2, 4, 8, 5, 3), 3, 3)
    """
    if not isinstance(task, SequenceTask):
        raise InputError("task", task, "a task on words")
    if (task.codes() != DONT_CARE).all():
        return StateBound(task, tuple(len(table) for table in from_task(task).tables[1:]))
    classes = []
    for split in range(1, task.length):
        matrix = task.split(Partition.prefix(task.length, split)).matrix
        classes.append(int(one_way_messages(matrix, seconds=seconds).lower or 1))
    return StateBound(task, tuple(classes))


def confusion(model: Any, task: SequenceTask, split: int | None = None) -> StateCollision | None:
    """Why a model cannot solve a task: two prefixes that it confuses; or None if its states keep apart what they must.

    Looks at prefixes of ``split`` symbols, or of every length, half of the word first. A model whose state has fewer
    bits than :func:`state_bound` always shows one. None does not mean that the answers are right. The model is
    recurrent, in each form that :func:`ccsim.audit` takes.

    >>> from ccsim.models import TransitionTable
    >>> from ccsim.problems import equality_of_halves
    >>> found = confusion(TransitionTable.random("01", states=4, seed=0), equality_of_halves(6))
    >>> "".join(found.words[0]), "".join(found.words[1]), sorted(found.answers)
    ('101010', '010010', [0, 1])
    """
    if not isinstance(task, SequenceTask):
        raise InputError("task", task, "a task on words")
    model = _recurrent(model, task)
    if model.length not in (None, task.length):
        raise InputError("model", model.length, f"a model of words of {task.length} symbols")
    if split is not None:
        return _confusion_at(model, task, require_integer("split", split, low=1, high=task.length))
    splits = sorted(range(1, task.length), key=lambda place: (abs(place - task.length // 2), place))
    return next(filter(None, (_confusion_at(model, task, place) for place in splits)), None)


def _confusion_at(model: RecurrentModel, task: SequenceTask, split: int) -> StateCollision | None:
    function = task.split(Partition.prefix(task.length, split))
    lookup = model.ranks_of(function.alice.alphabet)  # type: ignore[attr-defined]
    rows = function.alice.array(np.arange(function.alice.size))
    states = model.run(rows if lookup is None else lookup[rows])
    held = different_rows(states)[2]
    codes = function.codes
    order = np.argsort(held, kind="stable")
    for group in np.split(order, np.flatnonzero(np.diff(held[order])) + 1):
        pair = _conflict(codes[group]) if len(group) > 1 else None
        if pair is not None:
            first, second, column = int(group[pair[0]]), int(group[pair[1]]), pair[2]
            prefixes = (tuple(function.alice.value(first)), tuple(function.alice.value(second)))
            wanted = (task.answers[codes[first, column]], task.answers[codes[second, column]])
            state = tuple(states[first].tolist())
            return StateCollision(prefixes, tuple(function.bob.value(column)), wanted, state)
    return None


def _conflict(rows: Array) -> tuple[int, int, int] | None:
    defined = rows != DONT_CARE
    least = np.where(defined, rows, np.iinfo(rows.dtype).max)
    most = np.where(defined, rows, np.iinfo(rows.dtype).min)
    different = least.min(axis=0) < most.max(axis=0)
    if not different.any():
        return None
    column = int(np.argmax(different))
    return int(np.argmin(least[:, column])), int(np.argmax(most[:, column])), column
