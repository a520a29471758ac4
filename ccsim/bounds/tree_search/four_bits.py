"""Whether four bits suffice for a total Boolean rectangle, by splits whose halves three bits settle.

Three bits have a closed form (see :func:`~ccsim.bounds.tree_search.elementary.three_bits_suffice`): few different
lines of one party or the other, constant ones apart. On each side of a split that is told line by line: lines are put
on a side one after the other, the lines of the other party fall into classes that can only get finer, and a branch
ends as soon as a side has too many of both. So most splits are never looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ccsim.bounds.tree_search.cells import ALICE, BOB, Cells

MOST = 4  # lines that are not constant, on a side that three bits settle


class _Side(NamedTuple):
    """Lines on one side of a split.

    Attributes:
        own: those that are not constant; None if they are too many.
        constant: whether there is a constant one.
        size: how many lines there are.
        zeros, ones: the other party's lines that show only 0, or only 1, here.
        classes: masks of the other lines of the other party that are equal here, and what they show; None if too many.
    """

    own: tuple[int, ...] | None
    constant: bool
    size: int
    zeros: int
    ones: int
    classes: tuple[tuple[int, int], ...] | None


def _with(side: _Side, line: int, across: int) -> _Side | None:
    """The side with one more line; None if three bits do not suffice then."""
    own, constant, size, zeros, ones, classes = side
    if own is not None:
        if line in (0, across):
            constant = True
        else:
            own = (*own, line)
        if len(own) >= MOST and (len(own) > MOST or (constant and not _complements(own, across))):
            own = None
    if classes is not None:
        finer = []
        for mask, shown in classes:
            inside = mask & line
            if inside:
                finer.append((inside, 2 * shown + 1))
            if inside != mask:
                finer.append((mask ^ inside, 2 * shown))
        if zeros & line:
            if size:
                finer.append((zeros & line, 1))
            else:
                ones = zeros & line
            zeros &= ~line
        elif not size:
            ones = 0
        if size and ones & ~line:
            finer.append((ones & ~line, (2 << size) - 2))
            ones &= line
        classes = tuple(finer)
        if len(finer) >= MOST and (
            len(finer) > MOST or ((zeros or ones) and not _complements([p for _, p in finer], (2 << size) - 1))
        ):
            classes = None
    if own is None and classes is None:
        return None
    return _Side(own, constant, size + 1, zeros, ones, classes)


def _complements(lines: tuple[int, ...] | list[int], across: int) -> bool:
    return any(line ^ across in lines for line in lines)


def _order(lines: dict[int, int], across: int) -> list[int]:
    left, classes, order = dict(lines), [across], []
    while left:
        best, most = -1, -1
        for place, line in left.items():
            finer = 0
            for mask in classes:
                inside = mask & line
                finer += inside not in (0, mask)
            if finer > most:
                best, most = place, finer
        line = left.pop(best)
        order.append(best)
        classes = [part for mask in classes for part in (mask & line, mask & ~line) if part & (part - 1)]
    return order


def four_bit_split(cells: Cells, rows: int, columns: int, tick: Callable[[], None]) -> tuple[int, int] | None:
    """The party that speaks first in a protocol of four bits, and one side of its split; None if there is none.

    Args:
        cells: total and Boolean; both are to know the answer.
        rows, columns: a reduced rectangle.
        tick: called now and then; may raise to stop.
    """
    for party, lines, across in ((ALICE, rows, columns), (BOB, columns, rows)):
        if lines & (lines - 1):
            tick()
            side = _split(cells, party, lines, across)
            if side is not None:
                return party, side
    return None


def _split(cells: Cells, party: int, lines: int, across: int) -> int | None:
    keys = cells.axes[party].keys
    shown = {line: keys[line] & across for line in cells.places(lines)}
    order = _order(shown, across)
    many = sum(line not in (0, across) for line in shown.values()) > 2 * MOST
    empty = _Side((), False, 0, across, 0, ())
    first = _with(empty, shown[order[0]], across)
    stack = [] if first is None else [(1, 1 << order[0], first, empty)]
    while stack:
        place, mask, one, other = stack.pop()
        if many and one.classes is None and other.classes is None:
            continue
        if place == len(order):
            if mask != lines:
                return mask
            continue
        line = order[place]
        wider = _with(other, shown[line], across)
        if wider is not None:
            stack.append((place + 1, mask, one, wider))
        wider = _with(one, shown[line], across)
        if wider is not None:
            stack.append((place + 1, mask | 1 << line, wider, other))
    return None


def three_bit_cores(cells: Cells, party: int, lines: int, across: int, tick: Callable[[], None]) -> list[int]:
    """Few lines that three bits do not settle, again and again, such that every split leaves all of some on one side.

    Args:
        cells, tick: as for :func:`four_bit_split`.
        party: whose lines are split.
        lines, across: a reduced rectangle that no split of these lines settles in four bits; this is not checked.
    """
    keys = cells.axes[party].keys
    shown = {line: keys[line] & across for line in cells.places(lines)}
    order = _order(shown, across)
    empty = _Side((), False, 0, across, 0, ())
    cores: list[int] = []

    def ends(mask: int, side: _Side, line: int) -> _Side | None:
        """The side with the line; where it is too much, a core is kept."""
        wider = mask | 1 << line
        if any(core & wider == core for core in cores):
            return None
        grown = _with(side, shown[line], across)
        if grown is None:
            cores.append(_fewest(shown, cells.places(mask), line, across))
        return grown

    first = ends(0, empty, order[0])
    stack = [] if first is None else [(1, 1 << order[0], 0, first, empty)]
    while stack:
        tick()
        place, mine, yours, one, other = stack.pop()
        if place == len(order):
            continue
        line = order[place]
        grown = ends(yours, other, line)
        if grown is not None:
            stack.append((place + 1, mine, yours | 1 << line, one, grown))
        grown = ends(mine, one, line)
        if grown is not None:
            stack.append((place + 1, mine | 1 << line, yours, grown, other))
    return cores


def _fewest(shown: dict[int, int], lines: tuple[int, ...], last: int, across: int) -> int:
    """The mask of as few of these lines as three bits do not settle; the last one is needed."""
    kept = list(lines)
    for line in lines:
        if len(kept) == MOST:  # with the last one, as few as can be
            break
        fewer = [other for other in kept if other != line]
        if not _settled([shown[other] for other in [*fewer, last]], across):
            kept = fewer
    return sum(1 << line for line in kept) | 1 << last


def _settled(lines: list[int], across: int) -> bool:
    side: _Side | None = _Side((), False, 0, across, 0, ())
    for line in lines:
        if side is None:
            return False
        side = _with(side, line, across)
    return side is not None
