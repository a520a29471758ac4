"""Two layers: the models that are built for every balanced partition, run, and what their own answers cost."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np

from ccsim import bounds, models, problems
from ccsim.claims import Finding, sizes_up_to
from ccsim.matrices import CommunicationMatrix
from protocols import constructions, reductions
from protocols.papers.checks import Looked, grown

__all__ = ["any_balanced_partition", "overhead", "refused", "size"]

CERTIFIED = (4, 8, 12)  # lengths at which the bits that are needed are certified for all answers of the model


def any_balanced_partition(length: int) -> Finding:
    """For every partition into halves: two layers, their answers on all words, and what these cost one who asks.

    The least of all is measured; only one party is to know the answer, whichever costs less.
    """
    found: dict[str, list[Finding]] = {}
    faults, partitions = [], 0
    for alice in combinations(range(1, length + 1), length // 2):
        model = _built(way := problems.Partition.of(length, alice=list(alice)))
        faults += _size_faults(model)
        table = _own_answers(model, way)
        if table != [[int(x != y) for y in _strings(length)] for x in _strings(length)]:
            faults.append(f"{model.name} is not the inequality of the parts of {way}")
        if str(table) not in found:  # one table of answers is one function
            found[str(table)] = _costs(table)
        partitions += 1
    costs = [each for both in found.values() for each in both]
    faults += [fault for each in costs for fault in each.violations]
    least = min(costs, key=lambda each: each.bracket.lower if each.bracket else 0)
    return least.but(violations=tuple(faults), facts={**least.facts, "partitions": partitions})


def _built(way: Any) -> Any:
    return constructions.equality_transformer(way.length, partition=way, unequal=True)


def _strings(length: int) -> list[tuple[int, ...]]:
    return list(product((0, 1), repeat=length // 2))


def _own_answers(model: Any, way: Any) -> list[list[int]]:
    """What the model answers when Alice holds the row's bits, in order, and Bob the column's."""
    order = np.argsort([*way.alice, *way.bob])
    pairs = np.array([[*x, *y] for x, y in product(_strings(way.length), repeat=2)])
    side = 2 ** (way.length // 2)
    return np.asarray(model.codes(pairs[:, order])).reshape(side, side).tolist()


def _costs(table: list[list[int]]) -> list[Finding]:
    """D of a table when Alice is to know the answer, and when Bob is."""
    matrix = CommunicationMatrix.from_array(table)
    return [Finding.of_bracket(bounds.deterministic(matrix, answer=answer)) for answer in ("alice", "bob")]


def _size_faults(model: Any) -> list[str]:
    """Two layers of two heads, p of at most 3 log N."""
    faults = [] if (model.layers, model.heads) == (2, 2) else [f"{model.layers} layers of {model.heads} heads"]
    return (
        faults if 2**model.precision.bits <= model.length**3 else [*faults, f"numbers of {model.precision.bits} bits"]
    )


def size(length: int) -> Finding:
    """m p H of the layers for odd against even positions, over many lengths.

    Each model is run on words with equal parts, and with parts that differ in one place, for every place.
    """

    def look(n: int) -> Looked:
        model = _built(way := problems.Partition.odd_even(n))
        told = constructions.size_of(model)
        wrong = [*_size_faults(model), *_wrong_words(model, way)]
        return Looked(told.width * told.precision * told.heads, n, 2**n, wrong)

    return grown(sizes_up_to(length, low=2, step=2), look)


def overhead(length: int) -> Finding:
    """N/2 bits that are needed, divided by the m p H of these layers; at a few lengths the bits are certified."""
    found = size(length)
    series = tuple((n, Fraction(n) / 2 / Fraction(str(product_))) for n, product_ in found.series)
    costs = [_own_cost(n) for n in CERTIFIED]
    bits = [each.bracket.lower if each.bracket else 0 for each in costs]
    faults = [*found.violations, *(fault for each in costs for fault in each.violations)]
    faults += [f"{bits} bits needed at N = {CERTIFIED}"] if [2 * each for each in bits] != list(CERTIFIED) else []
    return found.but(series=series, calculated=True, violations=tuple(faults))


def _own_cost(length: int) -> Finding:
    """The bits that the answers of the layers for odd against even positions cost the party for which it is less."""
    model = _built(way := problems.Partition.odd_even(length))
    return min(_costs(_own_answers(model, way)), key=lambda each: each.bracket.lower if each.bracket else 0)


def _wrong_words(model: Any, way: Any) -> list[str]:
    """For each place a word whose parts differ there alone, and the word with equal parts beside it."""
    generator, half = np.random.default_rng(0), way.length // 2
    same = generator.integers(2, size=(half, half))
    other = same ^ np.eye(half, dtype=np.int64)
    order = np.argsort([*way.alice, *way.bob])
    equal, unequal = (np.concatenate([same, part], axis=1)[:, order] for part in (same, other))
    answers = np.concatenate([model.codes(equal), model.codes(unequal)]).tolist()
    return [] if answers == [0] * half + [1] * half else [f"{model.name} is wrong on a word of {way.length} bits"]


def refused(length: int) -> Finding:
    """Two layers, which the reduction of one layer must refuse, as it must not refuse one."""
    sizes: dict[str, Any] = {"length": length, "width": 4, "heads": 2, "precision": 8, "seed": 0}
    way, one = problems.Partition.odd_even(length), models.OneLayerTransformer.random("01", **sizes)
    two: Any = models.Transformer.random("01", layers=2, **sizes)
    wrong = tuple(str(violation) for violation in reductions.max_logit_softmax(one, way).explore().violations)
    found = Finding.of_refusal(lambda: reductions.max_logit_softmax(two, way), "Corollary 13.1", checked=2)
    return found.but(violations=(*found.violations, *wrong))
