"""What a task requires of an architecture: bits that have to pass, and from which length on a size is excluded."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ccsim.arithmetic import Precision
from ccsim.auditing.product_reachability import Budget, Layer, OutOfBudgetError, machine_of, symbols_of, task_rules
from ccsim.bounds import Bracket, deterministic
from ccsim.bounds.model_size import ModelBound, model
from ccsim.bounds.one_message import one_way_messages
from ccsim.bounds.protocol_bits import softmax_bits
from ccsim.errors import Array, InputError
from ccsim.matrices import DONT_CARE
from ccsim.models.reachability import suffix_classes
from ccsim.models.transformer import OneLayerTransformer
from ccsim.plain_data import counted
from ccsim.problems.sequence_tasks import Partition, SequenceTask


@dataclass(frozen=True)
class Need:
    """What a task asks of an architecture at one length.

    Attributes:
        bits, partition, reason: the bits that have to pass between two parts of the word (None if no bound is known),
            for which partition, and why.
        has: how many bits the model can pass there, an upper bound.
        excluded: whether that is too few: no model of that size is right.
        excluded_from: from which N on every one is excluded, in the task's own count (of symbols for a lookup, of
            pairs for a recall, else of positions), of multiples of ``multiples_of``; None if none is known.
        condition: without which nothing of this is known of the model; empty if there is none.
    """

    bits: int | None
    partition: str
    reason: str
    has: int
    excluded: bool
    excluded_from: int | None
    multiples_of: int = 1
    condition: str = ""

    def __str__(self) -> str:
        if self.bits is None:
            has = f"; the model has {counted(self.has, 'bit')}" if self.has else ""
            return f"no bound on this task is known at this length ({self.reason}){has}"
        lengths = {1: "", 2: ", N even"}.get(self.multiples_of, f", N a multiple of {self.multiples_of}")
        since = f"excluded from N = {self.excluded_from} on{lengths}"
        if self.excluded_from is None:
            since = "of greater N nothing is known" if self.excluded else "and no greater N is known to exclude it"
        verdict = "too few" if self.excluded else "this bound does not exclude it"
        condition = f"{self.condition}: " if self.condition else ""
        needs = f"{condition}the task needs {counted(self.bits, 'bit')} over {self.partition}, the model has {self.has}"
        return f"{needs}: {verdict}; {since} ({self.reason})"


@dataclass(frozen=True, eq=False)
class PrefixClasses:
    """The prefixes that a state has to distinguish, in one class if each suffix gives one answer (Nerode 1958).

    For each length ``steps`` holds the successors (states, symbols) of the task's states before it, and the class of
    each state after it.
    """

    steps: tuple[tuple[Array, Array], ...]
    words: int

    @classmethod
    def of(cls, task: SequenceTask, budget: Budget) -> PrefixClasses | None:
        """None if there are too many, if the task has no machine, or a promise that some word breaks."""
        machine, symbols, classes = machine_of(task), symbols_of(task), list[Array]()
        if machine is None:
            return None
        try:
            layer, steps = Layer.after(task_rules(machine), symbols[:-1], budget)
            rows = np.asarray(layer.codes(symbols[-1], len(symbols)), dtype=np.int64)
            if (rows == DONT_CARE).any():
                return None
            for _, each_class in suffix_classes(steps[1:], rows):
                budget.require_time(f"classes after {len(steps) - len(classes)} symbols")
                classes.append(each_class)
        except OutOfBudgetError:
            return None
        return cls(tuple(zip(steps, reversed(classes), strict=False)), math.prod(map(len, symbols)))

    @cached_property
    def counts(self) -> list[int]:
        return [int(classes.max()) + 1 for _, classes in self.steps]

    @cached_property
    def sizes(self) -> tuple[tuple[int, ...], ...]:
        """After 1, ..., N - 1 symbols, how many prefixes are in each class, the largest first."""
        counts, sizes = np.ones(1, dtype=object), []
        for (steps, classes), number in zip(self.steps, self.counts, strict=True):
            before, counts, each = counts, np.zeros(len(classes), dtype=object), np.zeros(number, dtype=object)
            np.add.at(counts, steps, before[:, None])
            np.add.at(each, classes, counts)
            sizes.append(tuple(sorted(map(int, each), reverse=True)))
        return tuple(sizes)

    @property
    def worst(self) -> tuple[int, int]:
        most = max(self.counts, default=1)
        return self.counts.index(most) + 1 if self.counts else 0, most

    def least_wrong(self, bits: int) -> int:
        """On so many words at least any model is wrong whose state has so many bits.

        After some number of symbols, each state gives one answer to each suffix, so the answers of at most as many
        classes as there are states; a prefix of any other class is wrong with at least one suffix.
        """
        if bits >= self.worst[1].bit_length():
            return 0
        return max((sum(each[1 << bits :]) for each in self.sizes), default=0)

    def bits_that_fail(self, share: Fraction) -> int | None:
        """The most bits of state with which every model is wrong on this share of all words; None if none."""
        enough = self.worst[1].bit_length()
        failing = [bits for bits in range(enough) if self.least_wrong(bits) >= share * self.words]
        return max(failing, default=None)


MOST_CLASSES = 1 << 17
MOST_CELLS = 1 << 14
SECONDS = 5.0


def recurrent_need(has: int, task: SequenceTask, budget: Budget) -> Need:
    bound = _known("recurrent", task, width=max(1, has), precision=Precision(1, 0, 1))
    since = (None, 1) if bound is None else (bound.excluded_from, bound.requirement.step)
    classes = PrefixClasses.of(task, replace(budget.part(), states=MOST_CLASSES))
    if classes is not None and classes.counts:
        split, most = classes.worst
        reason = f"{most} prefixes of {counted(split, 'symbol')} that some suffix distinguishes, counted"
        bits = (most - 1).bit_length()
        return Need(bits, f"a prefix of {split}", reason, has, has < bits, *since)
    if bound is not None and bound.needed_bits is not None:
        return Need(bound.needed_bits, "a prefix", bound.requirement.reason, has, has < bound.needed_bits, *since)
    needed, half, seconds = None, task.length // 2, min(budget.part().seconds, SECONDS)
    if task.length > 1 and task.words.size <= MOST_CELLS:
        needed = one_way_messages(task.split(Partition.prefix(task.length, half)).matrix, seconds=seconds).lower
    if needed is None:
        return Need(None, "a prefix", "no closed form, and too many prefixes to count", has, False, None)
    bits = (int(needed) - 1).bit_length()
    return Need(bits, f"a prefix of {half}", "prefixes, counted within the promise", has, has < bits, None)


def transformer_need(transformer: OneLayerTransformer, task: SequenceTask, seconds: float = 60.0) -> Need:
    precision, sizes = transformer.precision, {"heads": transformer.heads, "head_width": transformer.head_width}
    words = {"length": task.length, "symbols": len(task.alphabet), "answers": len(task.answers)}
    has = softmax_bits(precision=precision.bits, scale=precision.scale, **sizes, **words)
    bound = _known("transformer", task, width=transformer.width, precision=precision, **sizes)
    if bound is not None and bound.needs == "0":
        return Need(None, "any partition", "two parties need few bits, whoever holds what", has, False, None)
    if bound is not None and bound.needed_bits is not None and bound.protocol_bits is not None:
        partition = "odd and even positions" if bound.task == "dyck" else "two halves"
        since, reason = (bound.excluded_from, bound.requirement.step), bound.requirement.reason
        return Need(bound.needed_bits, partition, reason, bound.protocol_bits, bool(bound.excluded), *since)
    best = two_way_need(task, seconds)
    if best is None:
        return Need(None, "any partition", "no closed form, and the matrix is too large", has, False, None)
    needed, partition = int(best[0].lower), best[1]
    return Need(needed, partition, f"a proved lower bound at this length, {partition}", has, has < needed, None)


def two_way_need(task: SequenceTask, seconds: float) -> tuple[Bracket, str] | None:
    if task.words.size > MOST_CELLS:
        return None
    halves = Partition.prefix(task.length, task.length // 2)
    cuts = {"odd and even positions": Partition.odd_even(task.length), "two halves": halves}
    limit = min(seconds / 2, SECONDS)
    bounds = [(deterministic(task.split(cut), seconds=limit), name) for name, cut in cuts.items()]
    return max(bounds, key=lambda one: one[0].lower)


def _known(kind: str, task: SequenceTask, **sizes: Any) -> ModelBound | None:
    try:
        return model(kind, task=task, **sizes)
    except InputError:
        return None
