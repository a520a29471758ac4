"""A matrix as bit masks, and what is known of its rectangles without search."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ccsim.bounds.field_ranks import SLICED, pack_rows
from ccsim.matrices import CommunicationMatrix

ALICE, BOB = 0, 1


LONG = 512  # bits, beyond which a mask is unpacked as an array


def members(mask: int) -> list[int]:
    if mask.bit_length() > LONG:
        data = np.frombuffer(mask.to_bytes(mask.bit_length() // 8 + 1, "little"), dtype=np.uint8)
        return list(np.flatnonzero(np.unpackbits(data, bitorder="little")).tolist())
    places: list[int] = []
    while mask:
        low = mask & -mask
        places.append(low.bit_length() - 1)
        mask ^= low
    return places


def proper_parts(mask: int) -> npt.NDArray[np.int64]:
    """All proper parts of a mask that hold its lowest bit: one of each split."""
    parts = np.array([mask & -mask], dtype=np.int64)
    for place in members(mask)[1:]:
        parts = np.concatenate([parts, parts | 1 << place])
    return parts[:-1]


@lru_cache(maxsize=1 << 15)
def bits_of(mask: int) -> tuple[int, ...]:
    """:func:`members`, remembered."""
    return tuple(members(mask))


class Turns(NamedTuple):
    """A limit on rounds: how many may still begin, and who spoke last (0 Alice, 1 Bob, -1 nobody yet)."""

    left: int
    last: int


def after(turns: Turns | None, party: int) -> Turns | Literal[False] | None:
    """The limit once this party has sent a bit; False if it may not speak. None is no limit."""
    if turns is None or turns.last == party:
        return turns
    return Turns(turns.left - 1, party) if turns.left else False


def normal(turns: Turns | None, depth: int) -> Turns | None:
    """No limit at all if as many rounds may begin as bits are left."""
    return None if turns is None or turns.left >= depth else turns


class Axis:
    """The inputs of one party (rows for Alice, columns for Bob), each as a mask over the other party's inputs.

    ``blocks``: per answer code, per input, the cells with that answer. ``keys``: per input, the blocks side by side
    (without the first one where the matrix is total): two inputs agree on a set of cells iff their keys agree there; if
    the matrix is partial, input a may follow input b iff the key of a is contained in the key of b.
    """

    def __init__(self, blocks: list[list[int]], count: int, across: int, total: bool) -> None:
        self.blocks, self.total = blocks, total
        parts = blocks[1:] if total and len(blocks) > 1 else blocks
        self.repeat = sum(1 << (across * number) for number in range(len(parts)))
        self.keys = [sum(part[own] << (across * number) for number, part in enumerate(parts)) for own in range(count)]

    def leaders(self, inputs: int, across: int) -> dict[int, int]:
        """For each of these inputs one, perhaps itself, that it may follow on the inputs across."""
        window = across * self.repeat
        if self.total:
            first: dict[int, int] = {}
            return {place: first.setdefault(self.keys[place] & window, place) for place in bits_of(inputs)}
        shown = [(self.keys[place] & window, place) for place in bits_of(inputs)]
        kept: list[tuple[int, int]] = []
        leaders = {}
        for key, place in sorted(shown, key=lambda pair: -pair[0].bit_count()):
            for other, leader in kept:
                if key & other == key:
                    leaders[place] = leader
                    break
            else:
                leaders[place] = place
                kept.append((key, place))
        return leaders


Axes = tuple[Axis, Axis]
Leaders = tuple[dict[int, int], dict[int, int]]
"""For each party, the input that each of its inputs follows."""


def reduced(axes: Axes, rows: int, columns: int) -> tuple[tuple[int, int], Leaders]:
    """The rectangle without the inputs that may follow another one, of the same complexity, and which one they follow.

    This goes stage by stage: in a partial matrix a row that agrees with another one on the columns that are left need
    not agree on those that were dropped before.
    """
    masks = [rows, columns]
    leaders = {place: place for place in bits_of(rows)}, {place: place for place in bits_of(columns)}
    party, first = ALICE, True
    while True:
        now = axes[party].leaders(masks[party], masks[1 - party])
        kept = sum([1 << place for place, leader in now.items() if place == leader])
        if kept != masks[party]:
            masks[party] = kept
            for place, leader in leaders[party].items():
                leaders[party][place] = now[leader]
        elif not first:
            return (masks[ALICE], masks[BOB]), leaders
        party, first = 1 - party, False


class Cells:
    """A communication matrix as two axes of bit masks. A rectangle is a pair of masks ``(rows, columns)``."""

    def __init__(self, matrix: CommunicationMatrix, answer: str) -> None:
        codes = self.codes = matrix.codes
        self.answer, self.total = answer, matrix.is_total
        self.labels = len(matrix.labels)
        self.shape = matrix.shape
        by_row = [pack_rows(codes == code) for code in range(self.labels)]
        by_column = [pack_rows((codes == code).T) for code in range(self.labels)]
        self.axes = Axis(by_row, *matrix.shape, self.total), Axis(by_column, *matrix.shape[::-1], self.total)
        self.everything = ((1 << matrix.shape[0]) - 1, (1 << matrix.shape[1]) - 1)
        self.boolean = self.total and self.labels <= 2 and answer == "both"
        partial = not self.total and self.labels == 2 and answer == "both"
        self.closed = 3 if self.boolean else 2 if partial else 0  # bits up to which there is a closed form

    def answers(self, party: int, place: int, across: int) -> list[int]:
        return [code for code, block in enumerate(self.axes[party].blocks) if block[place] & across]

    def is_leaf(self, rows: int, columns: int) -> bool:
        if self.answer == "both":
            blocks = self.axes[ALICE].blocks
            return sum(any(block[row] & columns for row in bits_of(rows)) for block in blocks) <= 1
        if self.answer == "alice":
            return all(len(self.answers(ALICE, row, columns)) <= 1 for row in bits_of(rows))
        return all(len(self.answers(BOB, column, rows)) <= 1 for column in bits_of(columns))


def input_weights(cells: Cells, party: int, inputs: int, across: int, turns: Turns | None) -> list[int] | None:
    """Leaves at equal depth (powers of two) that each of a party's inputs needs once named; None if impossible."""
    own = after(turns, party)
    if own is False:
        return None
    reply = after(own, 1 - party) is not False
    knower = "alice" if party == ALICE else "bob"
    weights = []
    for place in bits_of(inputs):
        shown = len(cells.answers(party, place, across)) if cells.answer in ("both", knower) else 1
        if shown > 1 and not reply:
            return None
        weights.append(1 << max(shown - 1, 0).bit_length())
    return weights


def direct_speaker(cells: Cells, rows: int, columns: int, depth: int, turns: Turns | None) -> int | None:
    """The party that can name its input, and the other one the answer, in ``depth`` bits; or None."""
    for party, inputs, across in ((ALICE, rows, columns), (BOB, columns, rows)):
        if inputs.bit_count() <= 1 << depth:
            weights = input_weights(cells, party, inputs, across, turns)
            if weights is not None and sum(weights) <= 1 << depth:
                return party
    return None


def leaf_reason(cells: Cells, rows: int, columns: int, depth: int) -> tuple[int, ...] | None:
    """The fields, one per answer, over which the leaf-rank bound exceeds 2^depth; None if neither GF(2) nor GF(3)."""
    need = (1 << depth) + 1
    most = min(rows.bit_count(), columns.bit_count()) * (cells.labels if cells.answer == "both" else 1)
    if not cells.total or most < need:
        return None
    for prime, independent in SLICED.items():
        total = 0
        for block in cells.axes[ALICE].blocks:
            rank = len(independent([block[row] & columns for row in bits_of(rows)], need))
            total = total + rank if cells.answer == "both" else max(total, rank)
            if total >= need:
                return (prime,) * cells.labels
    return None


def leaf_core(
    cells: Cells, rows: int, columns: int, depth: int, orders: tuple[list[int], list[int]]
) -> tuple[int, int]:
    """A small rectangle inside one that :func:`leaf_reason` refutes, still refuted; ``orders`` states what to
    prefer."""
    order = orders[ALICE]
    wanted = 1 << depth if cells.answer != "both" else (1 << depth) // max(cells.labels, 1)
    for independent in SLICED.values():
        for block, across in zip(*(axis.blocks for axis in cells.axes), strict=True):
            places = independent([block[row] & columns for row in order], wanted + 1)
            if len(places) > wanted:
                kept = sum(1 << order[place] for place in places)
                if leaf_reason(cells, kept, columns, depth):
                    pivots = independent([across[column] & kept for column in orders[BOB]], kept.bit_count())
                    few = sum(1 << orders[BOB][pivot] for pivot in pivots)
                    return kept, few if leaf_reason(cells, kept, few, depth) else columns
    return rows, columns
