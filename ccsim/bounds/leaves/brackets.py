"""The least number of leaves of a protocol tree of a function."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.clock import Clock
from ccsim.bounds.fooling.fooling_sets import grow_fooling_set
from ccsim.bounds.leaves.game import game_of
from ccsim.bounds.leaves.sides import Sides, settle
from ccsim.bounds.rank.over_fields import leaf_rank
from ccsim.bounds.tree_search import stages_of_deterministic
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems.subject import Subject, matrix_of

FEW_LINES = 48  # different ones, up to which fooling sets are grown and protocols searched for


def least_leaves(matrix: Subject, *, answer: str = "both", time_limit: float | None = 60.0) -> Bracket:
    """The fewest leaves of a protocol tree that computes a function: its protocol partition number.

    A protocol divides the matrix into its leaves, by splits of rectangles in two. So the number is at least the
    partition number, and D at least its logarithm. It is exact here up to about 11 different rows and columns.

    Args:
        matrix: total or partial.
        answer: who must know the answer at a leaf: ``both``, ``alice`` or ``bob``.
        time_limit: seconds; after that the bracket so far.

    Returns:
        A bracket in leaves. Below: ranks of the answers, a fooling set, or all rectangles of the matrix gone through;
        above: a protocol tree.

    >>> print(least_leaves(CommunicationMatrix.from_array([[0, 1, 1], [1, 0, 1], [1, 1, 0]])))
    leaves = 6 leaves (leaf-rank | protocol tree)
    """
    matrix = matrix_of(matrix)
    if answer not in ("both", "alice", "bob"):
        raise InputError("answer", answer, "'both', 'alice' or 'bob'")
    if 0 in matrix.shape:
        raise InputError("matrix", matrix, "at least one row and one column")
    *_, best = stages_of_leaves(matrix, answer, Clock.within(time_limit))
    return replace(best, matrix=matrix)


def stages_of_leaves(matrix: CommunicationMatrix, answer: str, clock: Clock) -> Iterator[Bracket]:
    """The bracket, whenever more is known."""
    sides, small = Sides("leaves", {"answer": answer}), matrix.merge().matrix
    found = next(stages_of_deterministic(matrix, answer=answer, clock=clock))
    assert found.tree is not None
    sides.at_most(found.tree)
    if matrix.is_total:
        rank = leaf_rank(small, answer)
        sides.at_least(rank.leaves, "leaf-rank", {"kind": "leaf-rank", "primes": list(rank.primes)})
    yield sides.bracket()
    if max(small.shape) > FEW_LINES or sides.settled:
        return
    cells = grow_fooling_set(matrix, answer=answer, seed=0)
    sides.at_least(len(cells), "fooling set", {"kind": "fooling-set", "cells": [list(cell) for cell in cells]})
    yield sides.bracket()
    if not sides.settled:
        for _ in settle(game_of(matrix, answer), sides, clock):
            yield sides.bracket()
