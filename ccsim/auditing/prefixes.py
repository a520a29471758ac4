"""What a task of one length asks of a state of so many bits: its classes of prefixes, and words that must be wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ccsim.arrays import Array
from ccsim.auditing.budget import Budget, OutOfBudgetError
from ccsim.auditing.sides import Layer, different_rows_of, task_rules
from ccsim.matrices import DONT_CARE
from ccsim.problems.sequence.machine import TaskMachine


def prefixes_told_apart(machine: TaskMachine, symbols: list[Array], budget: Budget) -> list[tuple[Array, Array]] | None:
    """After 1, 2, ... symbols where those states of a task came from, and the class of each state (Myhill, Nerode).

    A pair for each position but the last: for each state before and each symbol the number of the state after it, and
    for each of these the number of its class: two states are in one class if every end of the word has one answer.
    None if there are too many, if the time of the budget is over, or if the task makes a promise that some word breaks:
    then there are no such classes.
    """
    layer, leads = Layer.start(task_rules(machine)), []
    try:
        for position, choices in enumerate(symbols[:-1], start=1):
            layer, numbers = layer.advance(choices, position, budget)
            leads.append(numbers)
        rows = layer.codes(symbols[-1], len(symbols))
        return None if (rows == DONT_CARE).any() else _with_classes(leads, rows, budget)
    except OutOfBudgetError:
        return None


def _with_classes(leads: list[Array], rows: Array, budget: Budget) -> list[tuple[Array, Array]]:
    """From the last position to the first: states are one class if all symbols lead to the same classes."""
    found: list[tuple[Array, Array]] = []
    for before in leads[::-1]:
        budget.require_time(f"classes after {len(leads) - len(found)} symbols")
        classes = different_rows_of(np.asarray(rows, dtype=np.int64))[2]
        found.append((before, classes))
        rows = classes[before]
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
