"""The splitting VC dimension of a task, by brute force over all partitions of the positions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.one_message.vc import vc_dimension
from ccsim.errors import InputError
from ccsim.problems import Partition, SequenceTask

MOST_POSITIONS = 12


@dataclass(frozen=True)
class SplittingDimension:
    """The largest VC dimension over all partitions; made by :func:`splitting_vc_dimension`.

    Attributes:
        value: the dimension, or what is proved of it from below where some partition ran out of time.
        partition: one that attains it: what Alice holds are the concepts, what Bob holds is what they are about.
        bracket: its VC dimension, with a shattered set.
        exact: whether no partition has more.
        partitions: how many were looked at.
    """

    value: int
    partition: Partition
    bracket: Bracket
    exact: bool
    partitions: int


def splitting_vc_dimension(task: SequenceTask, *, time_limit: float | None = 30.0) -> SplittingDimension:
    """The largest VC dimension of the matrix of a task, over all ways to deal out its positions to two parties.

    A transformer of one layer, whatever its precision, has a class of functions of small VC dimension once the symbols
    of one party are fixed as its parameters; so a task of large splitting VC dimension needs many heads, a large width
    or a large output network (Kozachinskiy 2024; Kozachinskiy and others 2025). The answers must be 0 and 1.

    Args:
        task: with at most 12 positions.
        time_limit: seconds for each partition.

    >>> from ccsim.problems import disjointness_of_halves, equality_of_halves
    >>> splitting_vc_dimension(disjointness_of_halves(4)).value, splitting_vc_dimension(equality_of_halves(4)).value
    (2, 1)
    """
    length = len(task.positions)
    if not 2 <= length <= MOST_POSITIONS:
        raise InputError("task", task.name, f"from 2 to {MOST_POSITIONS} positions, not {length}")
    if task.answers != (0, 1):
        raise InputError("task", task.name, "the answers 0 and 1")
    best: tuple[Bracket, Partition] | None = None
    most, count = 0, 0
    for size in range(1, length):
        for alice in combinations(range(1, length + 1), size):
            partition = Partition.of(length, alice=list(alice))
            matrix = task.split(partition).matrix
            bracket = replace(vc_dimension(matrix, time_limit=time_limit), matrix=matrix)
            count, most = count + 1, max(most, int(bracket.upper or 0))
            if best is None or bracket.lower > best[0].lower:
                best = bracket, partition
    assert best is not None
    return SplittingDimension(int(best[0].lower), best[1], best[0], most == best[0].lower, count)
