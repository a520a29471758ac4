"""Symmetries of a matrix, permutations of rows and of columns that change no entry; and cells that look alike.

Found by colour refinement: rows and columns of a colour are split until they see as many cells of each code and colour;
then one gets a colour of its own, and so does one to which it may go. Seen from one row that is singled out, columns
fall into classes: a class of few columns, with all different rows, is a part of which all rectangles can be tried.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bit_matrix import members
from ccsim.bounds.scheduler import Clock
from ccsim.errors import Array

MOST_CELLS = 1 << 13  # of a matrix whose symmetries are listed
MOST_TRIED = 200  # pairs of colourings, for a list or for one symmetry by chance
TRIES = 20  # images of a row or column, for a symmetry by chance
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
    """Symmetries other than the identity: all, or some if it has many."""
    return list(_SymmetrySearch(codes, list, Clock()).run()) if codes.size <= MOST_CELLS else []


def some_symmetries(codes: Codes, rng: random.Random, clock: Clock) -> list[Symmetry]:
    """A few random symmetries other than the identity; none if there are none."""
    chosen: dict[Symmetry, None] = {}
    for _ in range(2 * SOME):
        search = _SymmetrySearch(codes, lambda images: rng.sample(images, min(TRIES, len(images))), clock)
        if search.rigid:
            break
        symmetry = next(search.run(), None)
        if symmetry is not None:
            chosen[symmetry] = None
        if len(chosen) == SOME or clock.over:
            break
    return list(chosen)


class _SymmetrySearch:
    """Pairs of colourings that a symmetry takes to each other; ``images`` chooses those that are tried."""

    def __init__(self, codes: Codes, images: Images, clock: Clock) -> None:
        self.codes, self.images, self.clock, self.left = codes, images, clock, MOST_TRIED
        self.start = _refined(codes, (np.zeros(codes.shape[0], np.int64), np.zeros(codes.shape[1], np.int64)))
        self.rigid = _ambiguous(self.start) is None

    def run(self) -> Iterator[Symmetry]:
        unmoved = tuple(range(self.codes.shape[0])), tuple(range(self.codes.shape[1]))
        return (symmetry for symmetry in self._from(self.start, self.start) if symmetry != unmoved)

    def _from(self, mine: Colours, yours: Colours) -> Iterator[Symmetry]:
        choice = _ambiguous(mine)
        if choice is None:
            images = [np.argsort(other)[np.argsort(np.argsort(own))] for own, other in zip(mine, yours, strict=True)]
            if np.array_equal(self.codes, self.codes[np.ix_(*images)]):
                yield Symmetry(*(tuple(image.tolist()) for image in images))
            return
        side, place = choice
        here = _refined(self.codes, _marked(mine, side, place))
        for image in self.images(np.flatnonzero(yours[side] == mine[side][place]).tolist()):
            self.left -= 1
            if self.left < 0 or self.clock.over:
                return
            there = _refined(self.codes, _marked(yours, side, image))
            if all(np.array_equal(np.sort(one), np.sort(other)) for one, other in zip(here, there, strict=True)):
                yield from self._from(here, there)


def _ambiguous(colours: Colours) -> tuple[int, int] | None:
    """A row or column of a smallest colour that several have: its side (0: rows) and its place."""
    shared = []
    for side, own in enumerate(colours):
        _, places, sizes = np.unique(own, return_index=True, return_counts=True)
        shared += [(size, side, place) for size, place in zip(sizes.tolist(), places.tolist(), strict=True) if size > 1]
    return min(shared)[1:] if shared else None


def _marked(colours: Colours, side: int, place: int) -> Colours:
    marked = 2 * colours[side]
    marked[place] += 1
    return (marked, colours[1]) if side == 0 else (colours[0], marked)


def _refined(codes: Codes, colours: Colours) -> Colours:
    """Colours by names that do not depend on the order of rows and columns."""
    (rows, columns), count = colours, 0
    while True:
        rows = _seen(codes, rows, columns)
        columns = _seen(codes.T, columns, rows)
        now = len(set(rows.tolist())) + len(set(columns.tolist()))
        if now == count:
            return rows, columns
        count = now


def _seen(codes: Codes, own: Codes, across: Codes) -> Codes:
    """A name for the colour of each row and what it sees: its place among all such, in order."""
    pairs = np.sort((codes + 1) * (across.max() + 1) + across, axis=1)
    keys = [(colour, *row) for colour, row in zip(own.tolist(), pairs.tolist(), strict=True)]
    names = {key: name for name, key in enumerate(sorted(set(keys)))}
    return np.array([names[key] for key in keys])


def moved(mask: int, images: Mapping[int, int] | Sequence[int]) -> int:
    return sum(1 << images[place] for place in members(mask))


def orbit(generators: Sequence[Permutation], point: int) -> dict[int, Permutation]:
    """Where products of generators take a point, each with one that does."""
    images: dict[int, Permutation] = {point: tuple(range(len(generators[0]) if generators else 0))}
    queue = [point]
    for place in queue:
        for generator in generators:
            if generator[place] not in images:
                images[generator[place]] = composed(images[place], generator)
                queue.append(generator[place])
    return images


def fixing(generators: Sequence[Permutation], point: int, rng: random.Random) -> list[Permutation]:
    """A few products of generators that leave a point where it is (Schreier's, by chance)."""
    images = orbit(generators, point)
    if len(images) == 1:
        return list(generators)
    products: dict[Permutation, None] = {}
    product = identity = images[point]
    for _ in range(MIXING * SOME):
        for _ in range(MIXING):
            product = composed(product, rng.choice(generators))
        back = tuple(np.argsort(images[product[point]]).tolist())
        if (fixed := composed(product, back)) != identity and len(products) < SOME:
            products[fixed] = None
    return list(products)


def composed(first: Permutation, second: Permutation) -> Permutation:
    return tuple([second[place] for place in first])


def averaged(values: Array, classes: Array) -> Array:
    return np.asarray((np.bincount(classes, weights=values) / np.maximum(np.bincount(classes), 1))[classes])


def look_alikes(codes: Array, walks: bool = False) -> Array:
    """A class for each cell, refined until cells of a class see the same classes along their row and column.

    Cells that a symmetry maps to each other are in one class; the converse need not hold. Finer classes see also the
    same ``walks`` from row to column over another column and row.
    """
    draw = np.random.default_rng(0)
    classes = look_alikes(codes) if walks else codes - codes.min()
    while True:
        if walks:  # modulo 2^64: a sum that happens to be equal keeps classes together, no more
            first, middle, last = (draw.integers(1 << 40, size=classes.max() + 1)[classes] for _ in range(3))
            seen = [(first @ middle.T @ last).ravel()]
        else:
            rows = np.unique(np.sort(classes, axis=1), axis=0, return_inverse=True)[1].ravel()
            columns = np.unique(np.sort(classes, axis=0), axis=1, return_inverse=True)[1].ravel()
            seen = [np.repeat(rows, codes.shape[1]), np.tile(columns, codes.shape[0])]
        finer = np.unique([classes.ravel(), *seen], axis=1, return_inverse=True)[1].reshape(codes.shape)
        if finer.max() == classes.max():
            return np.asarray(classes)
        classes = finer


Part = tuple[Array, Array]
"""Rows and columns."""

FEWEST = 2  # rows that are worth a program
MOST = 20  # rows of which all sets are tried
MOST_WORK = 1 << 28  # steps of the checker for one sum over all rectangles
LITTLE_WORK = 1 << 22  # for which a part represents all that have fewer rows and columns
MOST_SEEN = 16  # rows that are singled out, and columns
MOST_CLASSES = 30  # of cells, for the variables of a program


def symmetric_submatrices(codes: Array, clock: Clock) -> Iterator[Part]:
    """Parts of few rows or columns, those first whose rectangles are soon tried; at the end of time, those so far."""
    parts: dict[tuple[int, ...], Part] = {}
    for turned in (False, True) if not np.array_equal(codes, codes.T) else (False,):
        table = codes.T if turned else codes
        for rows in _classes_of_rows(table):
            columns = np.unique(table[rows], axis=1, return_index=True)[1]
            own = table[np.ix_(rows, columns)]
            sums = (*np.sort(own.sum(axis=1)).tolist(), *np.sort(own.sum(axis=0)).tolist())
            if _work(own.shape) <= MOST_WORK and own.min() < own.max():
                parts.setdefault((*own.shape, *sums), (columns, rows) if turned else (rows, columns))
            if parts and clock.over:
                break
    shapes = [(len(rows), len(columns)) for rows, columns in parts.values()]
    for rows, columns in sorted(parts.values(), key=lambda part: _work((len(part[0]), len(part[1])))):
        mine, yours = len(rows), len(columns)
        larger = [(m, y) for m, y in shapes if m >= mine and y >= yours and (m, y) != (mine, yours)]
        if any(_work(shape) <= LITTLE_WORK for shape in larger):
            continue
        if look_alikes(codes[np.ix_(rows, columns)], walks=True).max() < MOST_CLASSES:
            yield rows, columns


def _work(shape: tuple[int, ...]) -> int:
    """Steps of the checker for all sets of rows (or columns) of the smaller side."""
    return (2 * max(shape) + 15) << min(shape)


def _classes_of_rows(codes: Array) -> Iterator[Array]:
    seen = look_alikes(codes)
    if seen.max() >= seen.size // FEWEST:  # nothing looks like anything else
        return
    _, first = np.unique(np.sort(seen, axis=0), axis=1, return_index=True)
    for column in [None, *first[:MOST_SEEN].tolist()]:
        single = codes.copy()
        if column is not None:
            single[:, column] += 1 + codes.max() - codes.min()
        alike = np.unique(np.sort(look_alikes(single), axis=1), axis=0, return_inverse=True)[1].ravel()
        for own in range(alike.max() + 1):
            rows = np.flatnonzero(alike == own)
            if FEWEST <= len(rows) <= MOST:
                yield rows
