"""What clusters of strings do with the states of a task: each thing that is done is held once.

A string takes each state before it to one after it. Most clusters hold strings that all do the same, and what a mixed
cluster does is what its halves do together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ccsim.arrays import Array
from ccsim.auditing.forest import Forest

__all__ = ["Leads", "kinds_of"]

WORD = 64  # bits


def kinds_of(tables: list[Array]) -> tuple[list[Array], list[Array]]:
    """For tables (strings, states before) of states after: the different rows of each, and the kind of each string.

    Kinds are numbered through all tables.

    >>> rows, kinds = kinds_of([np.array([[0], [1], [0]]), np.array([[1, 1], [0, 1]])])
    >>> [part.tolist() for part in rows], [part.tolist() for part in kinds]
    ([[[0], [1]], [[0, 1], [1, 1]]], [[0, 1, 0], [3, 2]])
    """
    rows, kinds, known = [], [], 0
    for table in tables:
        different, places = np.unique(table, axis=0, return_inverse=True)
        rows.append(different)
        kinds.append(np.asarray(places).reshape(-1) + known)
        known += len(different)
    return rows, kinds


@dataclass(frozen=True, eq=False)
class Leads:
    """Which states the strings of a cluster lead to from each state.

    Attributes:
        bits: for each thing that is done, and each state before, the states after as bits: (different, states, words).
        numbers: for each cluster which of these its strings do together.
        pure: for each cluster whether all its strings do the same.
    """

    bits: Array
    numbers: Array
    pure: Array

    @classmethod
    def of(cls, rows: list[Array], kinds: Array, forest: Forest) -> Leads:
        """From the different ``rows`` of all tables and the kind of each point of a forest: see :func:`kinds_of`."""
        least = forest.least(kinds)
        pure = least == forest.most(kinds)
        bits, numbers = list(_bits(rows)), np.where(pure, least, -1)
        known: dict[tuple[int, int], int] = {}
        for cluster in np.flatnonzero(~pure)[::-1].tolist():  # what is inside a cluster comes after it
            one, two = numbers[forest.children[cluster]].tolist()
            if (one, two) not in known:
                known[one, two] = len(bits)
                bits.append(bits[one] | bits[two])
            numbers[cluster] = known[one, two]
        return cls(np.stack(bits), numbers, pure)

    @property
    def states(self) -> int:
        """How many states there are at a position, at most."""
        return int(self.bits.shape[1])

    def after(self, states: Array, clusters: Array) -> Array:
        """The states (batch, states), as booleans, that one of these states and a string of each cluster lead to."""
        reached = np.where(states[:, :, None], self.bits[self.numbers[clusters]], np.uint64(0))
        joined, places = np.bitwise_or.reduce(reached, axis=1), np.arange(self.states)
        return np.asarray((joined[:, places // WORD] >> (places % WORD).astype(np.uint64)) & np.uint64(1), dtype=bool)


def _bits(tables: list[Array]) -> Array:
    """Each number of each row as a bit, in as many words as all need, all rows as long as the longest."""
    most = max(1, *(table.shape[1] for table in tables), *(int(table.max()) + 1 for table in tables))
    bits = np.zeros((sum(map(len, tables)), most, -(-most // WORD)), dtype=np.uint64)
    first = 0
    for table in tables:
        rows, columns = np.indices(table.shape)
        bits[first + rows, columns, table // WORD] = np.uint64(1) << (table % WORD).astype(np.uint64)
        first += len(table)
    return bits
