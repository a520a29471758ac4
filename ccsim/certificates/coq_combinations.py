"""Rows as integer combinations of some of them, which show in Coq that a rank is not larger."""

from __future__ import annotations

from math import gcd

__all__ = ["combined_rows"]


def combined_rows(rows: list[list[int]]) -> tuple[list[int], list[tuple[int, list[int]]]]:
    """Rows to keep, as many as the rank over the rationals, and for each row a multiple of it, which is not zero, with
    how often each of these is taken in it.

    Elimination in integers, of each row with a 1 in a place of its own behind it: where nothing is left of a row, what
    stands there says how.

    >>> combined_rows([[1, 0], [1, 1], [0, 1]])
    ([0, 1], [(1, [1, 0]), (1, [0, 1]), (1, [-1, 1])])
    """
    width, kept, basis = len(rows[0]), list[int](), list[tuple[int, list[int]]]()
    taken = dict[int, list[int]]()
    for place, row in enumerate(rows):
        line = [*row, *(int(other == place) for other in range(len(rows)))]
        for pivot, other in basis:
            if line[pivot]:
                line = _without(line, other, pivot)
        first = next((column for column in range(width) if line[column]), None)
        if first is None:
            taken[place] = line[width:]
        else:
            kept.append(place)
            basis.append((first, line))
    of_kept = {place: (1, [int(other == place) for other in kept]) for place in kept}
    of_others = {place: (line[place], [-line[other] for other in kept]) for place, line in taken.items()}
    both = of_kept | of_others
    return kept, [both[place] for place in range(len(rows))]


def _without(line: list[int], other: list[int], pivot: int) -> list[int]:
    """A multiple of a line, less what makes it zero in a place, without common factors."""
    found = [other[pivot] * own - line[pivot] * entry for own, entry in zip(line, other, strict=True)]
    shared = gcd(*found) or 1
    return [entry // shared for entry in found]
