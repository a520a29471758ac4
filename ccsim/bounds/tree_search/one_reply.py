"""Protocols of few turns: a party names a group of its lines, the other one a side, the first its line there.

Naming its line takes a party one bit more than the logarithm of their number. Lines that are equal on some columns need
one name there. So columns are put on two sides such that many lines have few names on both: sets of columns on which
pairs of lines agree, or are constant, and what several such sets share. All of them with at least half of the columns
are gone through, up to a limit; the rest of the columns are the other side.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import combinations

from ccsim.bounds.tree_search.beside import Work
from ccsim.bounds.tree_search.cells import ALICE, BOB, bits_of
from ccsim.bounds.tree_search.search import FOUR, Search
from ccsim.bounds.tree_search.tree import SPEAKERS, Tree, build_tree

__all__ = ["few_turns"]

MOST_SETS = 60_000  # sets of columns
MOST_GROUPS = 300  # of lines that are combined
Group = tuple[int, int]  # lines, and the columns of one side (none: all are on the other one)


def few_turns(search: Search, depth: int) -> Work:
    """A tree of such a protocol of at most so many bits, for all of a total Boolean matrix; None if none was found."""
    for party in (ALICE, BOB):
        keys, across = search.cells.axes[party].keys, search.cells.everything[1 - party]
        sides = yield from _sides(keys, across)
        for bits in range(max(depth - 2, 0)):
            groups = yield from _groups(search, party, sides, depth - bits - 1)
            chosen = _chosen(groups, len(keys), 1 << bits, 1 << depth - bits - 1)
            if chosen is not None:
                return _tree(search, party, chosen, depth)
    return None


def _sides(keys: Sequence[int], across: int) -> Generator[None, None, list[int]]:
    """Sets of at least half of the columns on which each of some pairs of lines agrees, and some lines are constant."""
    alike = {across & ~(one ^ other) for one, other in combinations([*keys, 0, across], 2)}
    least = (across.bit_count() + 1) // 2
    wide = sorted((mask for mask in alike if mask.bit_count() >= least), reverse=True)
    seen, stack = set(wide), list(wide)
    while stack and len(seen) < MOST_SETS:
        yield
        columns = stack.pop()
        for mask in wide:
            shared = columns & mask
            if shared not in seen and shared.bit_count() >= least:
                seen.add(shared)
                stack.append(shared)
    return sorted(seen)


def _groups(search: Search, party: int, sides: Sequence[int], depth: int) -> Generator[None, None, list[Group]]:
    """Large groups of lines for which so many bits are enough once a side is named, larger ones first."""
    keys, across, names = search.cells.axes[party].keys, search.cells.everything[1 - party], 1 << depth - 1
    found: dict[int, int] = {}
    for side in sides if 2 * names < len(keys) else ():
        yield
        both = [_classes(keys, columns) for columns in (side, across & ~side)]
        if min(sum(line.bit_count() for line in one[0][:names]) + one[1].bit_count() for one in both) <= 2 * names:
            continue
        for spare in (1, 0) if depth <= FOUR else (0,):
            lines = _common(both, names, spare, (1 << len(keys)) - 1)
            if lines.bit_count() > 2 * names and (not spare or _enough(search, party, lines, side, depth)):
                found[lines] = side
                break
    return sorted(found.items(), key=lambda group: (-group[0].bit_count(), group))[:MOST_GROUPS]


def _enough(search: Search, party: int, lines: int, side: int, depth: int) -> bool:
    """Whether so many bits are enough for some lines on either side."""
    sides = (side, search.cells.everything[1 - party] & ~side)
    return all(search.feasible(*((lines, one) if party == ALICE else (one, lines)), depth) for one in sides)


def _common(both: Sequence[tuple[list[int], int]], names: int, spare: int, lines: int) -> int:
    """Lines that are named on both sides, of which there are many."""
    found = []
    for one, other in (both, both[::-1]):
        first = _named(*one, names, spare, lines)
        found.append(first & _named(*other, names, spare, first))
    return max(found, key=int.bit_count)


def _classes(keys: Sequence[int], columns: int) -> tuple[list[int], int]:
    """Masks of the lines that are equal on some columns, larger ones first; and the lines that are constant there."""
    found: dict[int, int] = {}
    for line, key in enumerate(keys):
        found[key & columns] = found.get(key & columns, 0) | 1 << line
    constant = found.pop(0, 0) | found.pop(columns, 0)
    return sorted(found.values(), key=int.bit_count, reverse=True), constant


def _named(classes: Sequence[int], constant: int, names: int, spare: int, lines: int) -> int:
    """The lines of the largest classes within some lines: constant ones take one name together, or one to spare."""
    order = sorted(classes, key=lambda one: (one & lines).bit_count(), reverse=True)[:names]
    last = order[-1] if len(order) == names else 0
    if spare or not last or (constant & lines).bit_count() > (last & lines).bit_count():
        return sum(order[: len(order) - (last > 0 and not spare)]) | constant
    return sum(order)


def _chosen(groups: Sequence[Group], count: int, most: int, plain: int) -> list[Group] | None:
    """At most so many groups, with plain ones of so many lines, that have all lines; None if none were found."""
    stack: list[tuple[int, int, list[Group]]] = [(0, 0, [])]
    every, steps = (1 << count) - 1, 0
    while stack and steps < 100 * MOST_GROUPS:
        place, lines, chosen = stack.pop()
        steps += 1
        left, room = every & ~lines, most - len(chosen)
        if left.bit_count() <= room * plain:
            rest = bits_of(left)
            parts = [rest[start : start + plain] for start in range(0, len(rest), plain)]
            return [*chosen, *((sum(1 << line for line in part), 0) for part in parts)]
        if room and place < len(groups) and left.bit_count() <= room * groups[place][0].bit_count():
            stack.append((place + 1, lines, chosen))
            stack.append((place + 1, lines | groups[place][0], [*chosen, (groups[place][0] & left, groups[place][1])]))
    return None


def _tree(search: Search, party: int, groups: Sequence[Group], depth: int) -> Tree:
    """A group is named, then a side of the columns, then the line there."""
    cells = search.cells
    if len(groups) > 1:
        middle = len(groups) // 2
        ones = [line for lines, _ in groups[:middle] for line in bits_of(lines)]
        one, zero = _tree(search, party, groups[:middle], depth - 1), _tree(search, party, groups[middle:], depth - 1)
        return {"speaker": SPEAKERS[party], "ones": sorted(ones), "zero": zero, "one": one}
    ((lines, side),) = groups
    across = cells.everything[1 - party]
    if not side:
        return _named_lines(search, party, lines, across, depth)
    zero, one = (_named_lines(search, party, lines, columns, depth - 1) for columns in (across & ~side, side))
    return {"speaker": SPEAKERS[1 - party], "ones": list(bits_of(side)), "zero": zero, "one": one}


def _named_lines(search: Search, party: int, lines: int, across: int, depth: int) -> Tree:
    return build_tree(search, *((lines, across) if party == ALICE else (across, lines)), depth, None)
