"""Functions of words as decision diagrams: what of the symbols so far can still matter, each possibility once.

A node after i symbols stands for all beginnings of i symbols after which every end gives the same value. So the diagram
of a function is as large as the function is hard to compute from left to right, whatever formula it was made from; and
two diagrams are put together by going through the pairs of nodes that words lead to (Bryant 1986).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from ccsim.arrays import Array
from ccsim.auditing.budget import Budget
from ccsim.auditing.sides import different_rows_of


@dataclass(frozen=True, eq=False)
class Diagram:
    """A function from a start and a word to a row of integers, as few nodes as there can be.

    Attributes:
        starts: the node of each start, before the first symbol.
        leads: for each position, where the places of the symbols lead from each node, shape (nodes, symbols).
        values: the rows (nodes, units), int64, after the last symbol.
    """

    starts: Array
    leads: tuple[Array, ...]
    values: Array

    @property
    def is_constant(self) -> bool:
        """Whether there is one value only."""
        return len(self.values) == 1

    def apply(self, function: Callable[[Array], Array]) -> Diagram:
        """The values (nodes, units) after a function of each row."""
        return _reduced(self.starts, self.leads, function(self.values))

    def column(self, unit: int) -> Diagram:
        """One number of each row."""
        return self.apply(lambda values: values[:, unit : unit + 1])


def sum_of_entries(starts: Array, tables: Sequence[Array], budget: Budget) -> Diagram:
    """For each start, a number and one entry of each table, added up.

    ``starts`` has shape (starts,); the table of a position has shape (starts, symbols).
    """
    rows, _, nodes = different_rows_of(np.stack([np.arange(len(starts)), starts], axis=1))
    first, leads = nodes, []
    for position, table in enumerate(tables, start=1):
        budget.require_time(f"sums over {position} symbols")
        after = rows[:, 1:] + table[rows[:, 0]]
        every = np.stack([np.repeat(rows[:, 0], table.shape[1]), after.reshape(-1)], axis=1)
        rows, _, nodes = different_rows_of(every)
        budget.require_states(len(rows), "nodes of a sum", f"{position} symbols")
        leads.append(nodes.reshape(-1, table.shape[1]))
    return _reduced(first, tuple(leads), rows[:, 1:])


def combined(one: Diagram, two: Diagram, function: Callable[[Array, Array], Array], budget: Budget) -> Diagram:
    """The values of ``function``, which takes rows of the one and of the other, (batch, units) each."""
    if one.is_constant or two.is_constant:
        known, other = (one, two) if one.is_constant else (two, one)

        def with_known(values: Array) -> Array:
            same = np.broadcast_to(known.values, (len(values), known.values.shape[1]))
            return function(same, values) if known is one else function(values, same)

        return other.apply(with_known)
    size = int(two.starts.max()) + 1
    keys, first = np.unique(one.starts * size + two.starts, return_inverse=True)
    leads = []
    for position, (left, right) in enumerate(zip(one.leads, two.leads, strict=True), start=1):
        budget.require_time(f"diagrams of {position} symbols")
        mine, theirs = np.divmod(keys, size)
        size = int(right.max()) + 1
        after = left[mine] * size + right[theirs]
        keys, places = np.unique(after, return_inverse=True)
        budget.require_states(len(keys), "pairs of nodes", f"{position} symbols")
        leads.append(places.reshape(after.shape))
    mine, theirs = np.divmod(keys, size)
    return _reduced(first.reshape(-1), tuple(leads), function(one.values[mine], two.values[theirs]))


def joint(parts: Sequence[Diagram], budget: Budget) -> Diagram:
    """The rows of all parts side by side."""
    return reduce(lambda one, two: combined(one, two, lambda x, y: np.concatenate([x, y], axis=1), budget), parts)


def _reduced(starts: Array, leads: tuple[Array, ...], values: Array) -> Diagram:
    """Nodes with the same values after every end become one, from the last position to the first."""
    rows, _, places = different_rows_of(np.asarray(values, dtype=np.int64))
    kept: list[Array] = []
    for lead in reversed(leads):
        different, _, numbers = different_rows_of(places[lead])
        kept.append(different)
        places = numbers
    return Diagram(places[starts], tuple(reversed(kept)), rows)
