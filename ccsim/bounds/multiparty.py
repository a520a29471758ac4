"""Deterministic complexity of several parties at a blackboard, each with an input of its own, by all boxes if few.

A box is a set of inputs for each party. A protocol of d + 1 bits begins with a party that splits its set in two, and
goes on with d bits in both halves; so the boxes that need at most d bits are found for d = 0, 1, 2, ... in turn.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import Bracket, Side, timed
from ccsim.bounds.measures import deterministic
from ccsim.bounds.scheduler import Clock, OutOfTimeError
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems.function import MultipartyFunction

MOST_INPUTS = 24  # of all parties together whose sets are gone through: a number and a few for each of 2^24 boxes
MOST_TABLE = 1 << 22
MOST_PARTIES = 16

Table = npt.NDArray[Any] | Sequence[Any]


@timed
def blackboard(subject: MultipartyFunction | CommunicationMatrix | Table, *, seconds: float | None = 30.0) -> Bracket:
    """The least worst-case bits with which parties at a blackboard compute a function, so that all know the answer.

    Args:
        subject: a function of two parties or more, or its table as nested lists or an array: an axis for each party,
            cells of any labels, None where the answer is free.
        seconds: a limit on the search, where not all boxes can be gone through.

    Returns:
        A bracket in bits, without a certificate: exact by all boxes, if the parties have at most 24 different inputs
        together (three parties with three bits each); else below what two parties need that play all of them, above
        naming all inputs.

    >>> print(blackboard([[[0, 0], [0, 1]], [[0, 1], [1, 1]]]))  # the majority of three bits
    blackboard = 3 bits (all boxes)
    """
    codes, labels = _table_of(subject)
    few = codes
    for party in range(codes.ndim):  # inputs that show the same are one
        first = np.unique(np.moveaxis(few, party, 0), axis=0, return_index=True)[1]
        few = np.take(few, np.sort(first), axis=party)
    clock, bits = Clock.within(seconds), None
    if sum(few.shape) <= MOST_INPUTS:
        with suppress(OutOfTimeError):
            bits = _least_bits(few, Clock.within(clock.share(2)))
    if bits is not None:
        below = above = Side(bits, "all boxes")
    else:
        below = Side(_of_two_parties(codes, labels, clock), "deterministic, of two parties")
        names = [(size - 1).bit_length() for size in few.shape]
        answer = (len(set(np.unique(few).tolist()) - {-1} or {-1}) - 1).bit_length()
        above = Side(sum(names) - max(names) + min(max(names), answer), "naming all inputs")
    return Bracket("blackboard", below, above, {"parties": list(codes.shape)})


def _least_bits(codes: npt.NDArray[Any], clock: Clock) -> int:
    bits, done = 0, np.zeros([1 << size for size in codes.shape], dtype=bool)
    for label in set(np.unique(codes).tolist()) - {-1} or {-1}:
        done |= ~_holds_one((codes != label) & (codes != -1))
    while not done.flat[-1]:
        further = np.zeros_like(done)
        for party in range(codes.ndim):
            clock.step()
            further |= _unions(done, party)
        done, bits = further, bits + 1
    return bits


def _holds_one(cells: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    for party, size in enumerate(cells.shape):
        slices = np.moveaxis(cells, party, 0)
        held = np.zeros((1 << size, *slices.shape[1:]), dtype=bool)
        for place in range(size):
            held[1 << place : 2 << place] = held[: 1 << place] | slices[place]
        cells = np.moveaxis(held, 0, party)
    return cells


def _unions(done: npt.NDArray[np.bool_], party: int) -> npt.NDArray[np.bool_]:
    """The boxes in which this party's set is the union of two, each of which makes, with the rest, one of ``done``.

    Pairs of sets are counted by their union: sums over subsets, squared, and differences back.
    """
    size = done.shape[party].bit_length() - 1
    counts: npt.NDArray[np.integer[Any]] = np.moveaxis(done, party, 0).astype(np.int32 if size < 16 else np.int64)
    for place in range(size):
        halves = counts.reshape(-1, 2, 1 << place, *counts.shape[1:])
        halves[:, 1] += halves[:, 0]
    counts *= counts
    for place in range(size):
        halves = counts.reshape(-1, 2, 1 << place, *counts.shape[1:])
        halves[:, 1] -= halves[:, 0]
    return np.moveaxis(counts > 0, 0, party)


def _of_two_parties(codes: npt.NDArray[Any], labels: tuple[Hashable, ...], clock: Clock) -> int:
    """The most that two parties need which play all of them, one of them some and the other the rest."""
    groups = [group for size in range(1, codes.ndim // 2 + 1) for group in combinations(range(codes.ndim), size)]
    best = 0
    for place, group in enumerate(groups):
        others = [party for party in range(codes.ndim) if party not in group]
        turned = np.transpose(codes, (*group, *others)).reshape(prod(codes.shape[party] for party in group), -1)
        share = clock.share(len(groups) - place)
        best = max(best, int(deterministic(CommunicationMatrix(turned, labels), seconds=share).lower))
    return best


def _table_of(
    subject: MultipartyFunction | CommunicationMatrix | Table,
) -> tuple[npt.NDArray[Any], tuple[Hashable, ...]]:
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
