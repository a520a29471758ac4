"""Protocols of few bits for a rectangle, without search: closed forms up to three bits, and splits for four.

Below, the rows are the inputs of whichever party speaks first, and the columns those of the other one. Three bits
suffice iff few different rows are not constant. A split is built row by row: each goes to one side or the other,
columns that are equal on a side are one class, and a branch ends as soon as a side has too many rows and too many
classes. So most splits are never built.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import NamedTuple

from ccsim.bounds.bit_matrix import ALICE, BOB, Cells, bits_of


def two_bits_suffice(cells: Cells, rows: int, columns: int, depth: int) -> bool:
    """Whether a rectangle of two answers, perhaps partial, has a protocol of ``depth`` bits, one or two.

    One bit of Alice suffices iff each row shows one answer at most. Two rows *agree* if no column shows both answers on
    them. Of two bits, Alice's the first, a half is then settled by Alice, whose rows show one answer each, or by Bob:
    all rows of the half agree. So they suffice iff the rows that show both answers agree, or the rows can be split in
    two sets each of which agrees. Likewise Bob.
    """
    for party, own, across in ((ALICE, rows, columns), (BOB, columns, rows)):
        zeros, ones = cells.axes[party].blocks
        shown = {(zeros[row] & across, ones[row] & across) for row in bits_of(own)}
        mixed = [row for row in shown if all(row)]
        agree = reduce(or_, (zero for zero, _ in mixed), 0) & reduce(or_, (one for _, one in mixed), 0) == 0
        if not mixed or (depth == 2 and (agree or _two_sides(list(shown)))):
            return True
    return False


Shown = tuple[int, int]  # where a row is 0, and where 1


def _two_sides(rows: list[Shown]) -> bool:
    side: dict[Shown, int] = {}
    for start in rows:
        todo = [] if start in side else [start]
        side.setdefault(start, 0)
        while todo:
            zero, one = row = todo.pop()
            for other in rows:
                if other[0] & one or other[1] & zero:
                    if other not in side:
                        todo.append(other)
                    elif side[other] == side[row]:
                        return False
                    side[other] = 1 - side[row]
    return True


def three_bits_suffice(cells: Cells, rows: int, columns: int) -> bool:
    """Whether a total Boolean rectangle has a protocol of three bits (both know the answer).

    Two bits suffice iff the different rows are at most two, or among 0, 1, w and not w for some w. So three
    bits, Alice first, suffice iff the different rows are a union of two such sets: with k rows that are not
    constant, iff k <= 3, or k = 4 and either no row is constant or two rows are complements. Likewise Bob.
    """
    if not rows or not columns:
        return True
    return _three(cells, ALICE, rows, columns) or _three(cells, BOB, columns, rows)


def _three(cells: Cells, party: int, rows: int, across: int) -> bool:
    keys = cells.axes[party].keys
    seen = {keys[row] & across for row in bits_of(rows)}
    constant = (0 in seen) + (across in seen)
    others = len(seen) - constant
    if others != 4:
        return others < 4
    return not constant or any(across ^ row in seen for row in seen if row not in (0, across))


MOST = 4  # rows that are not constant, on a side for which three bits suffice


class _Side(NamedTuple):
    """Rows on one side of a split, ``own`` those that are not constant; None if they are too many.

    The columns ``zeros`` and ``ones`` are only 0, or only 1, here; ``classes`` are masks of the others that
    are equal here, and their entries; None if they are too many.
    """

    own: tuple[int, ...] | None
    constant: bool
    size: int
    zeros: int
    ones: int
    classes: tuple[tuple[int, int], ...] | None


def _with(side: _Side, row: int, across: int) -> _Side | None:
    """The side with one more row; None if three bits do not suffice then."""
    own, constant, size, zeros, ones, classes = side
    if own is not None:
        if row in (0, across):
            constant = True
        else:
            own = (*own, row)
        if len(own) >= MOST and (len(own) > MOST or (constant and not _complements(own, across))):
            own = None
    if classes is not None:
        finer = []
        for mask, shown in classes:
            inside = mask & row
            if inside:
                finer.append((inside, 2 * shown + 1))
            if inside != mask:
                finer.append((mask ^ inside, 2 * shown))
        if zeros & row:
            if size:
                finer.append((zeros & row, 1))
            else:
                ones = zeros & row
            zeros &= ~row
        elif not size:
            ones = 0
        if size and ones & ~row:
            finer.append((ones & ~row, (2 << size) - 2))
            ones &= row
        classes = tuple(finer)
        if len(finer) >= MOST and (
            len(finer) > MOST or ((zeros or ones) and not _complements([p for _, p in finer], (2 << size) - 1))
        ):
            classes = None
    if own is None and classes is None:
        return None
    return _Side(own, constant, size + 1, zeros, ones, classes)


def _complements(rows: tuple[int, ...] | list[int], across: int) -> bool:
    return any(row ^ across in rows for row in rows)


def _ordered(keys: list[int], rows: int, across: int) -> tuple[dict[int, int], list[int]]:
    shown = {row: keys[row] & across for row in bits_of(rows)}
    left, classes, order = dict(shown), [across], []
    while left:
        best, most = -1, -1
        for place, row in left.items():
            finer = 0
            for mask in classes:
                inside = mask & row
                finer += inside not in (0, mask)
            if finer > most:
                best, most = place, finer
        row = left.pop(best)
        order.append(best)
        classes = [part for mask in classes for part in (mask & row, mask & ~row) if part & (part - 1)]
    return shown, order


def four_bit_split(cells: Cells, rows: int, columns: int, tick: Callable[[], None]) -> tuple[int, int] | None:
    """Who speaks first in a protocol of four bits, and one side of the split; None if there is none."""
    for party, own, across in ((ALICE, rows, columns), (BOB, columns, rows)):
        if own & (own - 1):
            tick()
            side = _split(cells, party, own, across)
            if side is not None:
                return party, side
    return None


def _split(cells: Cells, party: int, rows: int, across: int) -> int | None:
    shown, order = _ordered(cells.axes[party].keys, rows, across)
    many = sum(row not in (0, across) for row in shown.values()) > 2 * MOST
    empty = _Side((), False, 0, across, 0, ())
    first = _with(empty, shown[order[0]], across)
    stack = [] if first is None else [(1, 1 << order[0], first, empty)]
    while stack:
        place, mask, one, other = stack.pop()
        if many and one.classes is None and other.classes is None:
            continue
        if place == len(order):
            if mask != rows:
                return mask
            continue
        row = order[place]
        wider = _with(other, shown[row], across)
        if wider is not None:
            stack.append((place + 1, mask, one, wider))
        wider = _with(one, shown[row], across)
        if wider is not None:
            stack.append((place + 1, mask | 1 << row, wider, other))
    return None
