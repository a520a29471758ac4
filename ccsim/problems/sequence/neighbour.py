"""The label of the nearest neighbour, in exact integer arithmetic."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np

from ccsim.arguments import require_integer, require_symbols
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.problems.arrays import select
from ccsim.problems.sequence.task import SequenceTask
from ccsim.problems.words import Words


def nearest_neighbour(
    pairs: int,
    vectors: Iterable[tuple[int, ...]],
    labels: Iterable[Hashable] = "01",
    margin: int = 1,
) -> SequenceTask:
    """The label of the vector nearest to the query: x_1 y_1 ... x_n y_n x_q has the answer y_j.

    j maximises the dot product of x_j and x_q, and the promise is that it beats every other by at least
    ``margin``. The vectors come from a finite set of integer vectors of one dimension and one norm, so the
    largest dot product is the smallest distance; divided by their norm they are the unit vectors of
    Bhattamishra, Hahn, Blunsom and Kanade 2024 (section 5.2, theorems 7 and 8), whose margin is then
    margin / norm^2. No rounding occurs. There are n = ``pairs`` labelled vectors.

    >>> task = nearest_neighbour(2, [(1, 0), (0, 1), (-1, 0), (0, -1)])
    >>> task(((1, 0), "0", (0, -1), "1", (-1, 0)))
    '1'
    >>> task(((1, 0), "0", (-1, 0), "1", (0, 1))) is None
    True
    """
    pairs = require_integer("pairs", pairs, low=1)
    margin = require_integer("margin", margin, low=1)
    try:
        points = tuple(map(tuple, vectors))
    except TypeError as error:
        raise InputError("vectors", vectors, "a list of integer vectors") from error
    require_symbols("vectors", points)
    names = require_symbols("labels", labels)
    words = Words((points, names) * pairs + (points,))
    gram = _gram(words, points)
    code = np.array([names.index(s) if s in names else 0 for s in words.alphabet], dtype=np.int64)

    def evaluate(word: Array) -> Array:
        query = word[..., -1]
        scores = [gram[query, word[..., 2 * pair]] for pair in range(pairs)]
        best, place = scores[0], np.zeros(query.shape, dtype=np.int64)
        for pair in range(1, pairs):
            place = np.where(scores[pair] > best, 2 * pair, place)
            best = np.maximum(best, scores[pair])
        close = sum((score > best - margin).astype(np.int64) for score in scores)
        return np.where(close == 1, code[select(word, place + 1)], DONT_CARE)

    name = f"nearest_neighbour({pairs}, {len(points)} vectors, {len(names)} labels, margin {margin})"
    note = "the label of the vector nearest to the last one"
    return SequenceTask(name, words, names, evaluate, note=note)


def _gram(words: Words, points: tuple[tuple[int, ...], ...]) -> Array:
    """All dot products, by rank in the alphabet of the words (0 for the ranks of labels)."""
    for point in points:
        for entry in point:
            require_integer("vectors entry", entry, low=-(1 << 512), high=1 << 512)
        if len(point) != len(points[0]) or _dot(point, point) != _dot(points[0], points[0]):
            raise InputError("vectors", point, f"the dimension and the norm of the first, {points[0]}")
    exact = _dot(points[0], points[0]) < 1 << 61
    gram = np.zeros((len(words.alphabet),) * 2, dtype=np.int64 if exact else object)
    ranks = [words.alphabet.index(point) for point in points]
    rows = np.array([[int(entry) for entry in point] for point in points], dtype=gram.dtype)
    gram[np.ix_(ranks, ranks)] = rows @ rows.T  # none is larger than the norm that all have (Cauchy and Schwarz)
    return gram


def _dot(x: tuple[int, ...], y: tuple[int, ...]) -> int:
    return sum(int(a) * int(b) for a, b in zip(x, y, strict=True))
