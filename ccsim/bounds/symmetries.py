"""Symmetries of a matrix: permutations of its rows and of its columns that change no cell.

Lines are coloured, and the colours refined until lines of a colour see as many cells of each code and colour. Then one
line gets a colour of its own, on the one hand, and a line to which it may go, on the other. Where colours tell more
than symmetries do, a choice has to be undone.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ccsim.bounds.clock import Clock

MOST_CELLS = 1 << 13  # of a matrix whose symmetries are listed
MOST_TRIED = 200  # pairs of colourings, for a list or for one symmetry by chance
TRIES = 20  # images of a line, for a symmetry by chance
SOME = 5  # that are used
MIXING = 6  # factors of a product by chance

Permutation = tuple[int, ...]
Codes = npt.NDArray[np.int64]
Colours = tuple[Codes, Codes]
Images = Callable[[list[int]], list[int]]


class Symmetry(NamedTuple):
    rows: Permutation
    columns: Permutation


def symmetries(codes: Codes) -> list[Symmetry]:
    """Symmetries other than the identity: all, or some if it has many.

    >>> [found.rows for found in symmetries(np.array([[1, 0, 0], [0, 1, 0], [0, 0, 0]]))]
    [(1, 0, 2)]
    """
    return list(_Search(codes, list, Clock()).run()) if codes.size <= MOST_CELLS else []


def some_symmetries(codes: Codes, rng: random.Random, clock: Clock) -> list[Symmetry]:
    """A few symmetries other than the identity, by chance; none if there are none.

    >>> crown = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    >>> all(rows == columns for rows, columns in some_symmetries(crown, random.Random(0), Clock()))
    True
    """
    found: dict[Symmetry, None] = {}
    for _ in range(2 * SOME):
        search = _Search(codes, lambda lines: rng.sample(lines, min(TRIES, len(lines))), clock)
        if search.rigid:
            break
        symmetry = next(search.run(), None)
        if symmetry is not None:
            found[symmetry] = None
        if len(found) == SOME or clock.over:
            break
    return list(found)


class _Search:
    """Pairs of colourings, of which a symmetry takes the first to the second, one line after the other.

    ``images`` are the lines to which one may go, which are tried, in order.
    """

    def __init__(self, codes: Codes, images: Images, clock: Clock) -> None:
        self.codes, self.images, self.clock, self.left = codes, images, clock, MOST_TRIED
        self.start = _refined(codes, (np.zeros(codes.shape[0], np.int64), np.zeros(codes.shape[1], np.int64)))
        self.rigid = all(_different(colours) for colours in self.start)

    def run(self) -> Iterator[Symmetry]:
        unmoved = tuple(range(self.codes.shape[0])), tuple(range(self.codes.shape[1]))
        return (found for found in self._from(self.start, self.start) if found != unmoved)

    def _from(self, mine: Colours, yours: Colours) -> Iterator[Symmetry]:
        line = _ambiguous(mine)
        if line is None:
            yield from self._taken(mine, yours)
            return
        side, place = line
        here = _refined(self.codes, _marked(mine, side, place))
        for image in self.images(np.flatnonzero(yours[side] == mine[side][place]).tolist()):
            self.left -= 1
            if self.left < 0 or self.clock.over:
                return
            there = _refined(self.codes, _marked(yours, side, image))
            if all(np.array_equal(np.sort(one), np.sort(other)) for one, other in zip(here, there, strict=True)):
                yield from self._from(here, there)

    def _taken(self, mine: Colours, yours: Colours) -> Iterator[Symmetry]:
        images = [np.argsort(other)[np.argsort(np.argsort(own))] for own, other in zip(mine, yours, strict=True)]
        if np.array_equal(self.codes, self.codes[np.ix_(*images)]):
            yield Symmetry(*(tuple(lines.tolist()) for lines in images))


def _different(colours: Codes) -> bool:
    return len(set(colours.tolist())) == len(colours)


def _ambiguous(colours: Colours) -> tuple[int, int] | None:
    """A line of a smallest colour that several have: its side (0: rows) and its place."""
    found = []
    for side, own in enumerate(colours):
        _, places, sizes = np.unique(own, return_index=True, return_counts=True)
        found += [(size, side, place) for size, place in zip(sizes.tolist(), places.tolist(), strict=True) if size > 1]
    return min(found)[1:] if found else None


def _marked(colours: Colours, side: int, place: int) -> Colours:
    lines = 2 * colours[side]
    lines[place] += 1
    return (lines, colours[1]) if side == 0 else (colours[0], lines)


def _refined(codes: Codes, colours: Colours) -> Colours:
    """Colours by names that do not depend on the order of lines."""
    (rows, columns), count = colours, 0
    while True:
        rows = _seen(codes, rows, columns)
        columns = _seen(codes.T, columns, rows)
        now = len(set(rows.tolist())) + len(set(columns.tolist()))
        if now == count:
            return rows, columns
        count = now


def _seen(codes: Codes, own: Codes, across: Codes) -> Codes:
    """A name for the colour of each line and what it sees: its place among all such, in order."""
    pairs = np.sort((codes + 1) * (across.max() + 1) + across, axis=1)
    told = [(colour, *line) for colour, line in zip(own.tolist(), pairs.tolist(), strict=True)]
    names = {key: name for name, key in enumerate(sorted(set(told)))}
    return np.array([names[key] for key in told])


def moved(mask: int, images: Mapping[int, int] | Sequence[int]) -> int:
    """The image of a set of lines, or of other places."""
    image = 0
    while mask:
        low = mask & -mask
        image |= 1 << images[low.bit_length() - 1]
        mask ^= low
    return image


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
        back = tuple(np.argsort(images[product[point]]).tolist())
        if (fixed := _then(product, back)) != identity and len(found) < SOME:
            found[fixed] = None
    return list(found)


def _then(first: Permutation, second: Permutation) -> Permutation:
    return tuple([second[place] for place in first])
