"""Symmetries of a matrix: permutations of rows and of columns that change no cell, found by chance.

One line after the other is mapped to one that nothing tells apart from it so far: lines get colours by what they show
to lines of each colour, again and again. Where colours tell more than symmetries do, a choice may have to be undone.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from ccsim.bounds.clock import Clock

__all__ = ["Permutation", "fixing", "orbit", "some_symmetries"]

TRIES = 20  # images of a line, before a symmetry is given up
SOME = 5  # that are used
MIXING = 6  # factors of a product by chance

Table = Sequence[Sequence[int]]
Colours = tuple[tuple[int, ...], tuple[int, ...]]
Permutation = tuple[int, ...]


def some_symmetries(table: Table, rng: random.Random, clock: Clock) -> list[tuple[Permutation, Permutation]]:
    """A few symmetries by chance, each as where rows go and where columns go; none if there are none but the trivial.

    >>> crown = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> all(rows == columns for rows, columns in some_symmetries(crown, random.Random(0), Clock()))
    True
    """
    colours = _refined(table, ((0,) * len(table), (0,) * len(table[0])))
    if all(len(set(lines)) == len(lines) for lines in colours):
        return []
    found: dict[tuple[Permutation, Permutation], None] = {}
    for _ in range(2 * SOME):
        if len(found) < SOME and not clock.over:
            symmetry = _by_chance(table, colours, rng, clock)
            if symmetry is not None and any(list(one) != sorted(one) for one in symmetry):
                found[symmetry] = None
    return list(found)


def _refined(table: Table, colours: Colours) -> Colours:
    """Colours of rows and columns, finer until lines of one colour show the same to lines of each colour."""
    tables, classes = (table, list(zip(*table, strict=True))), 0
    while True:
        found = []
        for lines, own, across in zip(tables, colours, colours[::-1], strict=True):
            told = [
                (colour, tuple(sorted(zip(line, across, strict=True)))) for line, colour in zip(lines, own, strict=True)
            ]
            names = {one: name for name, one in enumerate(sorted(set(told)))}
            found.append(tuple(names[one] for one in told))
        colours = found[0], found[1]
        if sum(len(set(one)) for one in colours) == classes:
            return colours
        classes = sum(len(set(one)) for one in colours)


def _by_chance(
    table: Table, colours: Colours, rng: random.Random, clock: Clock
) -> tuple[Permutation, Permutation] | None:
    """A symmetry, if these choices lead to one."""
    mine = yours = colours
    while (line := _ambiguous(mine)) is not None:
        side, place = line
        here = _refined(table, _marked(mine, side, place))
        images = [other for other, colour in enumerate(yours[side]) if colour == mine[side][place]]
        for image in rng.sample(images, min(TRIES, len(images))):
            there = _refined(table, _marked(yours, side, image))
            if [sorted(one) for one in here] == [sorted(one) for one in there]:
                break
            if clock.over:
                return None
        else:
            return None
        mine, yours = here, there
    rows, columns = (tuple(other.index(one) for one in own) for own, other in zip(mine, yours, strict=True))
    good = all(table[rows[r]][columns[c]] == cell for r, line in enumerate(table) for c, cell in enumerate(line))
    return (rows, columns) if good else None


def _ambiguous(colours: Colours) -> tuple[int, int] | None:
    """A line of a smallest colour that several have: its side (0: rows) and its place."""
    sizes = [(own.count(one), side, place) for side, own in enumerate(colours) for place, one in enumerate(own)]
    size, side, place = min((one for one in sizes if one[0] > 1), default=(0, 0, 0))
    return (side, place) if size else None


def _marked(colours: Colours, side: int, place: int) -> Colours:
    """With a colour of its own for one line."""
    lines = list(colours[side])
    lines[place] = len(lines)
    return (tuple(lines), colours[1]) if side == 0 else (colours[0], tuple(lines))


def orbit(generators: Sequence[Permutation], point: int) -> dict[int, Permutation]:
    """Where products of generators take a point, each with one that does.

    >>> orbit([(1, 2, 0, 3)], 0)
    {0: (0, 1, 2, 3), 1: (1, 2, 0, 3), 2: (2, 0, 1, 3)}
    """
    found: dict[int, Permutation] = {point: tuple(range(len(generators[0]) if generators else 0))}
    queue = [point]
    for place in queue:
        for generator in generators:
            if generator[place] not in found:
                found[generator[place]] = _then(found[place], generator)
                queue.append(generator[place])
    return found


def fixing(generators: Sequence[Permutation], point: int, rng: random.Random) -> list[Permutation]:
    """A few products of generators that leave a point where it is (Schreier's, by chance)."""
    images = orbit(generators, point)
    if len(images) == 1:
        return list(generators)
    found: dict[Permutation, None] = {}
    product = identity = images[point]
    for _ in range(MIXING * SOME):
        for _ in range(MIXING):
            product = _then(product, rng.choice(generators))
        back = _inverse(images[product[point]])
        if (fixed := _then(product, back)) != identity and len(found) < SOME:
            found[fixed] = None
    return list(found)


def _then(first: Permutation, second: Permutation) -> Permutation:
    return tuple([second[place] for place in first])


def _inverse(permutation: Permutation) -> Permutation:
    found = [0] * len(permutation)
    for place, image in enumerate(permutation):
        found[image] = place
    return tuple(found)
