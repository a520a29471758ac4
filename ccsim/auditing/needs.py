"""What a task asks of an architecture: how many bits have to pass, and from which length on a size is excluded.

Classes of prefixes that a state has to tell apart, with words that must be wrong if it has too few bits for them; and
bits of one message between two parties.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.arithmetic import Precision
from ccsim.arrays import Array
from ccsim.auditing.budget import Budget, OutOfBudgetError
from ccsim.auditing.product_reachability import Layer, task_rules
from ccsim.auditing.result import Need
from ccsim.bounds import Bracket, deterministic
from ccsim.bounds.model_size import ModelBound, model
from ccsim.bounds.one_message import one_way_messages
from ccsim.bounds.protocol_bits import softmax_bits
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.models.reachability import classes_by_ends
from ccsim.models.transformer import OneLayerTransformer
from ccsim.plain_data import counted
from ccsim.problems.sequence.task import Partition, SequenceTask, TaskMachine


def prefixes_told_apart(machine: TaskMachine, symbols: list[Array], budget: Budget) -> list[tuple[Array, Array]] | None:
    """After 1, 2, ... symbols where those states of a task came from, and the class of each state (Myhill, Nerode).

    A pair for each position but the last: for each state before and each symbol the number of the state after it, and
    for each of these the number of its class: two states are in one class if every end of the word has one answer.
    None if there are too many, if the time of the budget is over, or if the task makes a promise that some word breaks:
    then there are no such classes.
    """
    layer, leads = Layer.start(task_rules(machine)), []
    found: list[tuple[Array, Array]] = []
    try:
        for position, choices in enumerate(symbols[:-1], start=1):
            layer, numbers = layer.advance(choices, position, budget)
            leads.append(numbers)
        rows = layer.codes(symbols[-1], len(symbols))
        if (rows == DONT_CARE).any():
            return None
        ends = classes_by_ends(leads[1:], np.asarray(rows, dtype=np.int64))
        for before, (_, classes) in zip(reversed(leads), ends, strict=False):
            budget.require_time(f"classes after {len(leads) - len(found)} symbols")
            found.append((before, classes))
    except OutOfBudgetError:
        return None
    return found[::-1]


@dataclass(frozen=True, eq=False)
class PrefixClasses:
    """For each number of symbols read how many prefixes are in each class (Myhill 1957, Nerode 1958).

    Attributes:
        sizes: after 1, ..., N - 1 symbols, the sizes of the classes, Python integers, the largest first.
        words: how many words there are.
    """

    sizes: tuple[tuple[int, ...], ...]
    words: int

    @classmethod
    def of(cls, machine: TaskMachine, symbols: list[Array], budget: Budget) -> PrefixClasses | None:
        """None as in :func:`prefixes_told_apart`."""
        known = prefixes_told_apart(machine, symbols, budget)
        if known is None:
            return None
        counts, sizes = np.ones(1, dtype=object), []
        for leads, classes in known:
            before, counts = counts, np.zeros(len(classes), dtype=object)
            np.add.at(counts, leads, before[:, None])
            each = np.zeros(int(classes.max()) + 1, dtype=object)
            np.add.at(each, classes, counts)
            sizes.append(tuple(sorted(map(int, each), reverse=True)))
        return cls(tuple(sizes), math.prod(map(len, symbols)))

    @property
    def worst(self) -> tuple[int, int]:
        """After how many symbols there are the most classes, and how many; (0, 1) for words of one symbol."""
        most = max(map(len, self.sizes), default=1)
        return next((read for read, each in enumerate(self.sizes, start=1) if len(each) == most), 0), most

    def least_wrong(self, bits: int) -> int:
        """On so many words at least any model is wrong whose state has so many bits.

        After some number of symbols, each state gives one answer to each end of the word. The classes whose answers
        these are, are no more than there are states; a prefix of any other class is wrong on at least one end.

        >>> from ccsim.models.comparison import Comparison
        >>> from ccsim.problems import equality_of_halves
        >>> task = equality_of_halves(8)
        >>> classes = PrefixClasses.of(task.machine, Comparison.ranks_allowed(task), Budget())
        >>> classes.worst, [classes.least_wrong(bits) for bits in (0, 2, 4)]
        ((4, 16), [16, 12, 0])
        """
        if bits >= max(map(len, self.sizes), default=1).bit_length():
            return 0
        return max(sum(each[1 << bits :]) for each in self.sizes)

    def bits_that_fail(self, share: Fraction) -> int | None:
        """The most bits of state with which every model is wrong on this share of all words; None if none has to be.

        >>> from ccsim.models.comparison import Comparison
        >>> from ccsim.problems import equality_of_halves
        >>> task = equality_of_halves(8)
        >>> classes = PrefixClasses.of(task.machine, Comparison.ranks_allowed(task), Budget())
        >>> [classes.bits_that_fail(Fraction(1, part)) for part in (64, 21, 4)]
        [3, 1, None]
        """
        enough = max(map(len, self.sizes), default=1).bit_length()
        failing = [bits for bits in range(enough) if self.least_wrong(bits) >= share * self.words]
        return max(failing, default=None)


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
