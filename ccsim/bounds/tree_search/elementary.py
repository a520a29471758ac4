"""What is known of a rectangle without search: reasons for yes and for no."""

from __future__ import annotations

from ccsim.bounds.rank import independent_gf2, independent_gf3
from ccsim.bounds.tree_search.cells import ALICE, BOB, Cells
from ccsim.bounds.tree_search.node import Turns, after

FIELDS = ((2, independent_gf2), (3, independent_gf3))


def line_weights(cells: Cells, party: int, lines: int, across: int, turns: Turns | None) -> list[int] | None:
    """How many leaves at equal depth (a power of two each) a party's lines need after it has named its line.

    The other party then names the answer on that line, if it may still speak. ``None`` if that is impossible.
    """
    own = after(turns, party)
    if own is False:
        return None
    reply = after(own if not isinstance(own, bool) else None, 1 - party) is not False
    knower = "alice" if party == ALICE else "bob"
    weights = []
    for line in cells.places(lines):
        shown = len(cells.answers(party, line, across)) if cells.answer in ("both", knower) else 1
        if shown > 1 and not reply:
            return None
        weights.append(1 << max(shown - 1, 0).bit_length())
    return weights


def direct_speaker(cells: Cells, rows: int, columns: int, depth: int, turns: Turns | None) -> int | None:
    """The party that can settle the rectangle by naming its line, in at most ``depth`` bits; or None.

    Codewords of lengths l fit into a binary tree of the depth iff their weights 2^(depth-l) add up to at most
    2^depth (Kraft).
    """
    for party, lines, across in ((ALICE, rows, columns), (BOB, columns, rows)):
        if lines.bit_count() <= 1 << depth:
            weights = line_weights(cells, party, lines, across, turns)
            if weights is not None and sum(weights) <= 1 << depth:
                return party
    return None


def two_bits_suffice(cells: Cells, rows: int, columns: int, depth: int) -> bool:
    """Whether a rectangle of two answers, of which cells may be free, has a protocol of ``depth`` bits, one or two.

    One bit of Alice suffices iff each row shows one answer at most. Two rows *agree* if no column shows both answers on
    them. Of two bits, Alice's the first, a half is then settled by Alice, whose rows show one answer each, or by Bob:
    all rows of the half agree. So they suffice iff the rows that show both answers agree, or the rows can be split in
    two sets each of which agrees. Likewise Bob.
    """
    for party, lines, across in ((ALICE, rows, columns), (BOB, columns, rows)):
        zeros, ones = cells.axes[party].blocks
        shown = {(zeros[line] & across, ones[line] & across) for line in cells.places(lines)}
        mixed = [line for line in shown if all(line)]
        if not mixed or (depth == 2 and (not _conflicts(mixed) or _two_sides(list(shown)))):
            return True
    return False


Shown = tuple[int, int]  # where a line shows 0, and where 1


def _conflicts(lines: list[Shown]) -> bool:
    zeros = ones = 0
    for zero, one in lines:
        zeros, ones = zeros | zero, ones | one
    return zeros & ones != 0


def _two_sides(lines: list[Shown]) -> bool:
    side: dict[Shown, int] = {}
    for start in lines:
        todo = [] if start in side else [start]
        side.setdefault(start, 0)
        while todo:
            zero, one = line = todo.pop()
            for other in lines:
                if other[0] & one or other[1] & zero:
                    if other not in side:
                        todo.append(other)
                    elif side[other] == side[line]:
                        return False
                    side[other] = 1 - side[line]
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


def _three(cells: Cells, party: int, lines: int, across: int) -> bool:
    keys = cells.axes[party].keys
    seen = {keys[line] & across for line in cells.places(lines)}
    constant = (0 in seen) + (across in seen)
    others = len(seen) - constant
    if others != 4:
        return others < 4
    return not constant or any(across ^ line in seen for line in seen if line not in (0, across))


def leaf_reason(cells: Cells, rows: int, columns: int, depth: int) -> tuple[int, ...] | None:
    """Fields, one per answer, over which the leaf-rank bound exceeds 2^depth; None if not over 2 or 3."""
    need = (1 << depth) + 1
    most = min(rows.bit_count(), columns.bit_count()) * (cells.labels if cells.answer == "both" else 1)
    if not cells.total or most < need:
        return None
    for prime, independent in FIELDS:
        total = 0
        for block in cells.axes[ALICE].blocks:
            rank = len(independent([block[row] & columns for row in cells.places(rows)], need))
            total = total + rank if cells.answer == "both" else max(total, rank)
            if total >= need:
                return (prime,) * cells.labels
    return None


def leaf_core(
    cells: Cells, rows: int, columns: int, depth: int, orders: tuple[list[int], list[int]]
) -> tuple[int, int]:
    """A small rectangle inside one that the leaf-rank bound refutes, still refuted by it.

    Args:
        cells, rows, columns, depth: what :func:`leaf_reason` was asked.
        orders: the rows and the columns, each in the order in which they are preferred.
    """
    order = orders[ALICE]
    wanted = 1 << depth if cells.answer != "both" else (1 << depth) // max(cells.labels, 1)
    for prime, independent in FIELDS:
        for block in cells.axes[ALICE].blocks:
            places = independent([block[row] & columns for row in order], wanted + 1)
            if len(places) > wanted:
                kept = sum(1 << order[place] for place in places)
                if leaf_reason(cells, kept, columns, depth):
                    return kept, _fewer_columns(cells, kept, orders[BOB], depth, block, prime)
    return rows, columns


def _fewer_columns(cells: Cells, rows: int, places: list[int], depth: int, block: list[int], prime: int) -> int:
    independent = dict(FIELDS)[prime]
    across = cells.axes[BOB].blocks[cells.axes[ALICE].blocks.index(block)]
    pivots = independent([across[column] & rows for column in places], rows.bit_count())
    kept = sum(1 << places[pivot] for pivot in pivots)
    return kept if leaf_reason(cells, rows, kept, depth) else sum(1 << place for place in places)
