"""The constructed models for nearest neighbours and recall (Theorem 7): are they right, and how large."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from math import isqrt, prod
from typing import Any

import numpy as np

from ccsim import problems
from ccsim.claims import Finding
from protocols import constructions
from protocols.papers.bhattamishra2024.findings.constructions import Case, growth, looked_at
from protocols.papers.checks import drawn_recall, first_difference

__all__ = ["at_any_margin", "binary_codes", "margins", "retrieval", "sphere"]

Point = tuple[int, int, int]


def retrieval(length: int, task: str, quantity: str) -> Finding:
    """The two layers of Theorem 7 on a retrieval task, for N points and labels."""
    cases: dict[str, Callable[[int], Case]] = {
        "nearest-neighbour": _nearest_case,
        "associative-recall": _recall_case,
        "multi-query-associative-recall": _queries_case,
    }
    return growth(length, 6, 2, quantity, cases[task])


def _nearest_case(length: int, square: int = 1, most: int | None = None) -> Case:
    """Points of whole numbers on a sphere, as many as there are pairs or more; labels hold copies of their points.

    The margin is 1 of the squared radius, which is the least from ``square`` on with so many points. Of these only the
    first ``most`` count, if that is given.
    """
    points, pairs = sphere(length // 2, square)[:most], length // 2
    model = constructions.nearest_neighbour_transformer(pairs, points, route="copy")
    task = problems.nearest_neighbour(pairs, points)
    gram = [[sum(a * b for a, b in zip(x, y, strict=True)) for y in points] for x in points]
    if square == 1 and gram[0][0] > length:
        raise ArithmeticError(f"a margin of 1/{gram[0][0]}, less than 1/{length}")
    shorter = ((model, problems.nearest_neighbour(2, points)),) if pairs == 3 else ()
    return Case(model, task, partial(_drawn_points, np.array(gram)), others=shorter)


def _drawn_points(gram: Any, task: Any, count: int) -> Any:
    """Words whose nearest point is ahead of one other by as little as can be; every other with that label turned."""
    generator, pairs, points = np.random.default_rng(0), len(task.positions) // 2, len(gram)
    rank = np.array([task.alphabet.index(symbol) for symbol in (*task.positions[0], *task.positions[1])])
    words = np.empty((count, 2 * pairs + 1), dtype=np.int64)
    for row in range(0, count, 2):
        query = int(generator.integers(points))
        products = np.unique(gram[query])
        upper = products[len(products) // 2 :]
        gaps = upper - products[len(products) // 2 - 1 : -1]
        nearest = generator.choice(np.flatnonzero(np.isin(gram[query], upper[gaps == gaps.min()])))
        behind = np.flatnonzero(gram[query] < gram[query, nearest])
        others = generator.choice(behind, size=pairs, replace=len(behind) < pairs)
        others[0] = behind[gram[query, behind].argmax()]
        place, labels = int(generator.integers(pairs)), generator.integers(2, size=pairs)
        others[place] = nearest
        words[row, 0:-1:2], words[row, 1::2], words[row, -1] = rank[others], rank[points + labels], rank[query]
        words[row + 1] = words[row]
        words[row + 1, 2 * place + 1] = rank[points + 1 - labels[place]]
    return words


def _recall_case(length: int) -> Case:
    pairs = length // 2
    model, task = constructions.associative_recall_transformer(pairs), problems.associative_recall(pairs)
    fewer = range(1, pairs) if pairs == 3 else ()
    shorter = tuple((model, problems.associative_recall(each, task.positions[0])) for each in fewer)
    return Case(model, task, drawn_recall, others=shorter)


def _queries_case(length: int) -> Case:
    return _queries(constructions.multi_query_recall_transformer(length // 2), length)


def binary_codes(length: int, quantity: str) -> Finding:
    """Multi-query recall where the keys are vectors of binary digits, as the source embeds them."""

    def case(size: int) -> Case:
        codes = constructions.BinaryAddresses(max(2, size // 2))
        made = constructions.multi_query_recall_transformer(size // 2, codes=codes)
        far = 1 - Fraction(codes.largest_product, codes.dimension)
        if far * codes.dimension < 1:
            raise ArithmeticError(f"a margin of {far} only, which is less than 1/{codes.dimension}")
        return _queries(made, size)

    found = growth(length, 6, 2, quantity, case)
    digits = constructions.BinaryAddresses(max(2, length // 2)).dimension
    return found.but(facts={**found.facts, "margin": f"2/{digits}"})


def _queries(model: Any, length: int) -> Case:
    """A model for as many queries as pairs."""
    pairs = length // 2
    task = problems.multi_query_associative_recall(min(pairs, 3))
    if pairs <= 3:
        return Case(model, task)
    of = prod([pairs, 2] * pairs + [pairs] * pairs)
    return Case(model, task, answers=partial(_drawn_queries, model, pairs), of=of)


def _drawn_queries(model: Any, pairs: int, count: int) -> tuple[list[str], int]:
    """Keys in any order with values, and all keys in another order: every other word with one value turned."""
    generator, count = np.random.default_rng(0), max(2, count // 4)
    keys, asked = (generator.permuted(np.tile(np.arange(pairs), (count, 1)), axis=1) for _ in range(2))
    values = generator.integers(2, size=(count, pairs))
    keys[1::2], values[1::2] = keys[0 : count // 2 * 2 : 2], values[0 : count // 2 * 2 : 2]
    values[np.arange(1, count, 2), generator.integers(pairs, size=count // 2)] ^= 1
    words = np.empty((count, 3 * pairs), dtype=np.int64)
    words[:, 0 : 2 * pairs : 2], words[:, 1 : 2 * pairs : 2], words[:, 2 * pairs :] = keys, pairs + values, asked
    names = np.array(model.alphabet, dtype=object)
    wanted = np.take_along_axis(values, np.argsort(keys, axis=1), axis=1)[np.arange(count)[:, None], asked]
    given = model.values(words)
    wrong = first_difference(given.reshape(-1), wanted.reshape(-1))
    return ([] if wrong is None else [f"wrong on {' '.join(names[words[wrong // pairs]])}"]), count


def sphere(points: int, square: int = 1) -> list[Point]:
    """The points of whole numbers on the smallest sphere around 0, from a squared radius on, that has so many."""
    while len(found := _on_sphere(square)) < points:
        square += 1
    return found


def _on_sphere(square: int) -> list[Point]:
    side = range(-isqrt(square), isqrt(square) + 1)
    rest = ((a, b, square - a * a - b * b) for a, b in product(side, side))
    halves = [(a, b, isqrt(c)) for a, b, c in rest if c >= 0 and isqrt(c) ** 2 == c]
    return [*halves, *((a, b, -c) for a, b, c in halves if c)]


def margins(length: int, power: int, quantity: str) -> Finding:
    """The model whose labels copy their points, for N points and labels and a margin of N^-c or less.

    Points are whole and lie on a sphere of squared radius N^c, or the next that has enough: twice as many as pairs.
    """
    return growth(length, 6, 2, quantity, lambda size: _nearest_case(size, size**power, most=size))


def at_any_margin(length: int, square: int) -> Finding:
    """The width of the model that copies, for points on a sphere of this squared radius or the next that has enough."""
    made = _nearest_case(length, square)
    return looked_at(made, "width").but(facts={"margin": f"1/{_norm(made.task.positions[0][0])}", "N": length})


def _norm(point: Any) -> int:
    return sum(entry * entry for entry in point)
