"""A recurrent model as a one-way protocol: whoever holds the beginning of the word sends the state."""

from __future__ import annotations

from typing import Any, SupportsIndex

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.engine import Cost, Protocol, one_way
from ccsim.engine.schedule import Field, Known, Schedule
from ccsim.errors import InputError
from ccsim.models.recurrent import RecurrentModel
from ccsim.problems import Partition, Words


def recurrent_prefix(
    model: RecurrentModel, split: int | Partition, length: int | None = None, *, words: Words | None = None
) -> Protocol:
    """Alice runs the model on the first ``split`` symbols and sends the state; Bob finishes and knows the answer.

    One message of exactly ``model.state_bits`` bits: all units of all layers. The function is what the model itself
    computes on all words of a length over its alphabet, or on ``words``. Works for every recurrent model and every
    split (Bhattamishra, Hahn, Blunsom and Kanade 2024, theorem 2); Alice may hold the whole word only if the answer is
    made from the state alone. Inputs with equal states are one branch, on which Bob is asked once.

    Args:
        model: any recurrent model.
        split: how many symbols Alice holds, or a partition that gives her a prefix.
        length: of the words, unless the model, the partition or ``words`` tell it.
        words: which words to compute the model's answer on, for example those of a task.

    Raises :class:`~ccsim.errors.InputError` for a partition that gives Alice anything but a prefix.

    >>> from ccsim.models.recurrent import LSTM
    >>> model = LSTM.random("ab", width=2, precision=6, seed=0)
    >>> explored = recurrent_prefix(model, 3, length=5).explore()
    >>> explored.correct, explored.worst_bits, model.state_bits
    (True, 24, 24)
    """
    if not isinstance(model, RecurrentModel):
        raise InputError("model", model, "a recurrent model")
    if words is not None and not isinstance(words, Words):
        raise InputError("words", words, "Words, such as those of a task, or None")
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
        return model.run(word(rows, 0)) - lows

    def answer(rows: Any, known: Known) -> Array:
        states = known["state"].reshape(len(rows), -1) + lows
        return model.finish(word(rows, 1), states, before)

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


def _prefix(model: RecurrentModel, split: int | Partition, length: int | None, words: Words | None) -> Partition:
    """The partition that is meant, if it gives Alice a prefix."""
    if isinstance(split, Partition):
        if split.owners != "A" * len(split.alice) + "B" * len(split.bob):
            expected = "a partition that gives alice a prefix: a recurrent model reads from left to right"
            raise InputError("split", split, expected)
        if length not in (None, split.length):
            raise InputError("length", length, f"{split.length}, as the partition has so many positions")
        return split
    if isinstance(split, bool) or not isinstance(split, SupportsIndex):
        raise InputError("split", split, "how many symbols alice holds, or a Partition that gives her a prefix")
    told = len(words.positions) if words is not None else model.length
    whole = told if length is None else require_integer("length", length, low=1)
    if whole is None:
        raise InputError("length", length, f"a length, as {model.name} reads words of every length")
    return Partition.prefix(whole, require_integer("split", split, low=0, high=whole))
