"""Deterministic complexity of several parties at a blackboard, inputs in hand: exact where the boxes are few.

In a certificate the table is a matrix: its rows are the inputs of the first party, its columns those of all others
together, in lexicographic order.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import Bracket, Witness
from ccsim.bounds.clock import Clock
from ccsim.bounds.measures import deterministic
from ccsim.bounds.multiparty.boxes import best_tree, depth_of, naming_tree, widened, work_of_boxes
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems.function import MultipartyFunction

__all__ = ["blackboard"]

MOST_SPLITS = 3_000_000  # of boxes that are all gone through, in seconds
MOST_CELLS = 1 << 14  # of a table for which a tree is written down
MOST_TABLE = 1 << 22
MOST_PARTIES = 16
NOTHING = {"kind": "refutation", "nodes": list[Any]()}

Table = npt.NDArray[Any] | Sequence[Any]


def blackboard(
    subject: MultipartyFunction | CommunicationMatrix | Table, *, time_limit: float | None = 30.0
) -> Bracket:
    """The least worst-case bits with which parties at a blackboard compute a function, so that all know the answer.

    Each party has an input in its hand, and reads all that is written.

    Args:
        subject: a function of two parties or more, or its table as nested lists or an array: an axis for each party,
            cells of any labels, None where the answer is free.
        time_limit: seconds, where not all boxes can be gone through.

    Returns:
        A bracket in bits. Below: all boxes (up to about 4 x 4 x 4 x 4 or 6 x 6 x 5), or what two parties need that play
        all of them; above: a protocol tree.

    >>> from ccsim.problems import equality_of_three
    >>> print(blackboard(equality_of_three(1)))
    blackboard = 3 bits (all boxes | protocol tree)
    >>> print(blackboard([[[0, 0], [0, 1]], [[0, 1], [1, 1]]]))  # the majority of three bits
    blackboard = 3 bits (all boxes | protocol tree)
    """
    start, (codes, labels) = time.perf_counter(), _table_of(subject)
    matrix = CommunicationMatrix(codes.reshape(len(codes), -1), labels)
    lines = [np.unique(np.moveaxis(codes, party, 0), axis=0, return_index=True, return_inverse=True)[1:]
             for party in range(codes.ndim)]  # fmt: skip
    few = codes[np.ix_(*(first for first, _ in lines))]
    exact = work_of_boxes(few.shape) <= MOST_SPLITS
    above: Witness | None = None
    upper = sum((size - 1).bit_length() for size in few.shape)
    if exact or few.size <= MOST_CELLS:
        tree = best_tree(few) if exact else naming_tree(few)
        upper = depth_of(tree)
        above = {"kind": "board-tree", "tree": widened(tree, [inverse.reshape(-1).tolist() for _, inverse in lines])}
    if exact:
        lower, method = upper, "all boxes"
        below: Witness = {"kind": "all-boxes", "inputs": [first.tolist() for first, _ in lines]}
    else:
        lower, method, below = _merged(codes, labels, Clock.within(time_limit))
    method = f"{method} | {'protocol tree' if above else 'naming all inputs'}"
    parameters, seconds = {"parties": list(codes.shape)}, time.perf_counter() - start
    return Bracket("blackboard", lower, upper, method, below, above, parameters, "bits", seconds, matrix)


def _table_of(
    subject: MultipartyFunction | CommunicationMatrix | Table,
) -> tuple[npt.NDArray[Any], tuple[Hashable, ...]]:
    """Codes with an axis for each party, and labels."""
    if isinstance(subject, MultipartyFunction):
        codes, labels = np.asarray(subject.codes), subject.answers
    elif isinstance(subject, CommunicationMatrix):
        codes, labels = subject.codes, subject.labels
    else:
        cells = np.array(subject, dtype=object)
        flat = CommunicationMatrix.from_array(cells.reshape(1, -1).tolist())
        codes, labels = flat.codes.reshape(cells.shape), flat.labels
    if not 2 <= codes.ndim <= MOST_PARTIES or not 0 < codes.size <= MOST_TABLE:
        raise InputError("subject", codes.shape, f"from 2 to {MOST_PARTIES} axes, and at most {MOST_TABLE} cells")
    return codes, labels


def _merged(codes: npt.NDArray[Any], labels: tuple[Hashable, ...], clock: Clock) -> tuple[int, str, Witness]:
    """The best bound for two parties that play all."""
    groups = [group for size in range(1, codes.ndim // 2 + 1) for group in combinations(range(codes.ndim), size)]
    best: tuple[int, str, Witness] = (0, "trivial", {"kind": "merged", "parties": [0], "of": NOTHING})
    for place, group in enumerate(groups):
        others = [party for party in range(codes.ndim) if party not in group]
        turned = np.transpose(codes, (*group, *others)).reshape(prod(codes.shape[party] for party in group), -1)
        share = clock.share(len(groups) - place)
        found = deterministic(CommunicationMatrix(turned, labels), seconds=share)
        if found.lower > best[0] and found.lower_witness is not None:
            witness = {"kind": "merged", "parties": list(group), "of": found.lower_witness}
            best = int(found.lower), f"{found.method.partition(' | ')[0]} for two parties", witness
    return best
