"""What a task asks of an architecture: how many bits have to pass, and from which length on a size is excluded."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ccsim.arithmetic import Precision
from ccsim.arrays import Array
from ccsim.auditing.budget import Budget
from ccsim.auditing.prefixes import prefixes_told_apart
from ccsim.auditing.result import Need
from ccsim.bounds import Bracket, deterministic
from ccsim.bounds.models.model_size import ModelBound, model
from ccsim.bounds.models.protocol_bits import softmax_bits
from ccsim.bounds.one_message.messages import one_way_messages
from ccsim.errors import InputError
from ccsim.models.transformer import OneLayerTransformer
from ccsim.plain_data import counted
from ccsim.problems.sequence.machine import TaskMachine
from ccsim.problems.sequence.partition import Partition
from ccsim.problems.sequence.task import SequenceTask

MOST_CLASSES = 1 << 17
MOST_CELLS = 1 << 14
SECONDS = 5.0


def prefix_classes(machine: TaskMachine, symbols: list[Array], budget: Budget | None = None) -> list[int] | None:
    """How many states a recurrent model needs after 1, 2, ... symbols: classes of prefixes, exact (Myhill-Nerode).

    None if there are too many, if the time of the budget is over, or if the task makes a promise that some word breaks:
    then there are no such classes.
    """
    known = prefixes_told_apart(machine, symbols, Budget(states=MOST_CLASSES) if budget is None else budget)
    return None if known is None else [int(classes.max()) + 1 for _, classes in known]


def recurrent_need(
    has: int,
    task: SequenceTask,
    machine: TaskMachine | None,
    symbols: list[Array],
    budget: Budget,
) -> Need:
    """One-way, from a prefix to the rest, for the worst prefix: the logarithm of the number of classes.

    ``has`` is how many bits of state the model hands on. The time of the budget goes into counting the classes.
    """
    bound = _known("recurrent", task, width=max(1, has), precision=Precision(1, 0, 1))
    since = (None, 1) if bound is None else (bound.excluded_from, bound.requirement.step)
    classes = None if machine is None else prefix_classes(machine, symbols, replace(budget.part(), states=MOST_CLASSES))
    if classes:
        most = max(classes)
        split, bits = classes.index(most) + 1, (most - 1).bit_length()
        reason = f"{most} prefixes of {counted(split, 'symbol')} that some end tells apart, counted"
        return Need(bits, f"a prefix of {split}", reason, has, has < bits, *since)
    if bound is not None and bound.needed_bits is not None:
        return Need(bound.needed_bits, "a prefix", bound.requirement.reason, has, has < bound.needed_bits, *since)
    needed = None if task.length < 2 else _one_way(task, budget.part().seconds)
    if needed is None:
        return Need(None, "a prefix", "no closed form, and too many prefixes to count", has, False, None)
    reason = "prefixes, counted within the promise"
    return Need(needed, f"a prefix of {task.length // 2}", reason, has, has < needed, None)


def transformer_need(model_: OneLayerTransformer, task: SequenceTask, seconds: float = 60.0) -> Need:
    """Two-way, for the partition that is hardest as far as known in so many seconds."""
    sizes: dict[str, Any] = {
        "width": model_.width,
        "heads": model_.heads,
        "head_width": model_.head_width,
        "precision": model_.precision,
    }
    bound = _known("transformer", task, **sizes)
    if bound is not None and bound.needed_bits is not None and bound.protocol_bits is not None and bound.needs != "0":
        partition = "odd and even positions" if bound.task == "dyck" else "two halves"
        since = bound.excluded_from
        return Need(
            bound.needed_bits,
            partition,
            bound.requirement.reason,
            bound.protocol_bits,
            bool(bound.excluded),
            since,
            bound.requirement.step,
        )
    has = softmax_bits(
        head_width=model_.head_width,
        heads=model_.heads,
        precision=model_.precision.bits,
        length=task.length,
        symbols=len(task.alphabet),
        answers=len(task.answers),
        scale=model_.precision.scale,
    )
    if bound is not None and bound.needs == "0":
        return Need(None, "any partition", "two parties need few bits, whoever holds what", has, False, None)
    best = two_way_need(task, seconds)
    if best is None:
        return Need(None, "any partition", "no closed form, and the matrix is too large", has, False, None)
    needed = int(best[0].lower)
    reason = f"a proved lower bound at this length, {best[1]}"
    return Need(needed, best[1], reason, has, has < needed, None)


def two_way_need(task: SequenceTask, seconds: float) -> tuple[Bracket, str] | None:
    """The bits that two parties exchange, proved, and who holds what; None if the matrix is too large.

    The better of odd and even positions and of two halves, each for half of the time.
    """
    best: tuple[Bracket, str] | None = None
    halves = Partition.prefix(task.length, task.length // 2)
    for name, cut in (("odd and even positions", Partition.odd_even(task.length)), ("two halves", halves)):
        found = _two_way(task, cut, seconds / 2)
        if found is not None and (best is None or found.lower > best[0].lower):
            best = found, name
    return best


def _known(kind: str, task: SequenceTask, **sizes: Any) -> ModelBound | None:
    """The closed form, if the task is of a family that has one, at its own length."""
    try:
        return model(kind, task=task, **sizes)
    except InputError:
        return None


def _one_way(task: SequenceTask, seconds: float) -> int | None:
    split = task.split(Partition.prefix(task.length, task.length // 2))
    if task.words.size > MOST_CELLS:
        return None
    messages = one_way_messages(split.matrix, time_limit=min(seconds, SECONDS)).lower
    return None if messages is None else (int(messages) - 1).bit_length()


def _two_way(task: SequenceTask, partition: Partition, seconds: float) -> Bracket | None:
    """D, between bounds that are as good as a few seconds allow."""
    if task.words.size > MOST_CELLS:
        return None
    return deterministic(task.split(partition), seconds=min(seconds, SECONDS))
