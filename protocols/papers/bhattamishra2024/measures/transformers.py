"""What is measured about one attention layer, and about tasks for any partition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ccsim.claims import Finding
from ccsim.plots import Line, Plot
from protocols.papers.measuring import telling_model

__all__ = [
    "any_balanced_partition",
    "biting",
    "cheapest",
    "dyck_cost",
    "dyck_fooling_set",
    "dyck_from_left_to_right",
    "product",
    "softmax",
    "two_layers",
    "width",
]


def _model(length: int, width: int, precision: int, heads: int, seed: int) -> Any:
    from ccsim.models import OneLayerTransformer

    return OneLayerTransformer.random(
        "ab", length=length, width=width, heads=heads, head_width=width, precision=precision, seed=seed
    )


def softmax(variant: str, answer: str = "both") -> Callable[..., Finding]:
    """The protocol on every word, compared with the forward pass, under three partitions."""

    def measure(length: int, width: int, precision: int, heads: int, seed: int) -> Finding:
        from ccsim import Partition
        from protocols.reductions import max_logit_softmax

        model = telling_model(lambda each: _model(length, width, precision, heads, each), seed, length)
        ways = (Partition.odd_even(length), Partition.prefix(length, length // 2), Partition.prefix(length, 1))
        found = [max_logit_softmax(model, way, variant=variant, answer=answer).explore() for way in ways]
        worst = max(found, key=lambda explored: explored.worst_bits)
        pairs = sum(explored.pairs for explored in found)
        violations = tuple(str(violation) for explored in found for violation in explored.violations)
        costs = {str(way): explored.worst_bits for way, explored in zip(ways, found, strict=True)}
        return Finding.of_exploration(worst, checked=pairs, of=pairs, violations=violations, facts=costs)

    return measure


def cheapest(length: int, width: int, precision: int, heads: int, seed: int, how: str) -> Finding:
    """Run on every word; or, where that is too much, the cost that no weights exceed."""
    from protocols.reductions import softmax_costs

    if how == "run":
        return softmax("cheapest")(length, width, precision, heads, seed)
    row = softmax_costs([width], [precision], [heads], [length])[0]
    facts = {name: row[name] for name in ("literal", "one-sided", "compact")}
    return Finding(measured=row["cheapest"], facts=facts, note="by formula, whatever the weights")


def _dyck(length: int) -> Any:
    from ccsim import Partition
    from ccsim.problems import dyck

    return dyck(length).split(Partition.odd_even(length))


def dyck_cost(length: int) -> Finding:
    """D of Dyck-(2,2) when two parties hold the odd and the even positions."""
    from ccsim.bounds import deterministic

    return Finding.of_bracket(deterministic(_dyck(length)))


def dyck_fooling_set(length: int) -> Finding:
    """Every word of the language as a cell, with no search: the checker refuses what is no fooling set."""
    import numpy as np

    from ccsim.bounds import Bracket

    matrix = _dyck(length).matrix
    cells = np.argwhere(matrix.codes == 1).tolist()
    below, above = {"kind": "fooling-set", "cells": cells}, {"kind": "lines"}
    about = {"code": 1, "answer": "both"}
    size = len(cells)
    return Finding.of_bracket(
        Bracket("fooling-set", size, size, "all words | rows", below, above, about, "cells", matrix=matrix)
    )


def dyck_from_left_to_right(length: int) -> Finding:
    """At every place where a word can be cut."""
    from ccsim import Partition
    from ccsim.bounds import deterministic
    from ccsim.problems import dyck

    task = dyck(length)
    found = [deterministic(task.split(Partition.prefix(length, cut))) for cut in range(1, length)]
    worst = max(found, key=lambda bracket: bracket.upper or 0)
    return Finding.of_bracket(worst, facts={"bits at each cut": [bracket.upper for bracket in found]})


def width(task: str) -> Callable[..., Finding]:
    """What our own protocol excludes: widths whose cost is below what the task needs, whatever the weights."""

    def measure(length: int, precision: int, heads: int) -> Finding:
        from ccsim.bounds import Bracket, model

        bound = model("transformer", width=1, precision=precision, heads=heads, task=task, length=length)
        smallest = int(bound.smallest_width or 1)
        bracket = Bracket("width", smallest * heads, None, "cost of the compact protocol")
        facts = {"bits that the task needs": bound.needed_bits, "smallest width of a head": smallest}
        return Finding(bracket=bracket, facts=facts)

    return measure


def product(length: int, precision: int) -> Finding:
    """The least m p of one head for the inequality of halves that its protocol does not exclude."""
    from ccsim.bounds import model

    bound = model("transformer", width=1, precision=precision, task="inequality-of-halves", length=length)
    return Finding(measured=int(bound.smallest_width or 1) * precision, exact=False)


def any_balanced_partition(length: int) -> Finding:
    """The least of D over all partitions into halves, each with the function that is hard for it."""
    from itertools import combinations

    from ccsim import Partition
    from ccsim.bounds import deterministic

    half, found = length // 2, []
    for alice in combinations(range(1, length + 1), half):
        function = _inequality_of(Partition.of(length, alice=list(alice)))
        found.append(deterministic(function))
    least = min(found, key=lambda bracket: bracket.lower)
    return Finding.of_bracket(least, facts={"partitions": len(found)})


def _inequality_of(partition: Any) -> Any:
    """Whether what Alice holds differs from what Bob holds, as a function of the whole word."""
    import numpy as np

    from ccsim.problems import SequenceTask, Words

    mine, others = (np.array(places) - 1 for places in (partition.alice, partition.bob))
    words = Words.over("01", partition.length)

    def evaluate(rows: Any) -> Any:
        return (rows[..., mine] != rows[..., others]).any(axis=-1).astype(np.int64)

    return SequenceTask(f"inequality of {partition}", words, (0, 1), evaluate).split(partition)


def two_layers(length: int) -> Finding:
    """Two layers, which the reduction of one layer must refuse."""
    from ccsim import Partition
    from ccsim.models import Transformer
    from protocols.reductions import max_logit_softmax

    model: Any = Transformer.random("01", length=length, width=4, heads=2, layers=2, precision=8, seed=0)
    return Finding.of_refusal(lambda: max_logit_softmax(model, Partition.odd_even(length)), "Corollary 13.1")


def biting() -> tuple[Plot, ...]:
    """What Dyck costs, printed and measured; and from which length on a layer is too small."""
    from ccsim.bounds import deterministic, model

    lengths, widths = tuple(range(2, 13, 2)), tuple(2**k for k in range(3, 11))
    measured = tuple((n, int(deterministic(_dyck(n)).lower)) for n in (2, 4, 6, 8))
    excluded = {
        bits: tuple((m, model("transformer", width=m, precision=bits, task="dyck").excluded_from) for m in widths)
        for bits in (8, 16, 32)
    }
    return (
        Plot(
            title="Dyck-(2,2), odd positions against even ones",
            x="N, length of the word",
            y="bits",
            lines=(
                Line("printed: N - 1", tuple((n, n - 1) for n in lengths)),
                Line("proved here: N + 1", tuple((n, n + 1) for n in lengths)),
                Line("exact, certified", measured, measured=True),
            ),
            note="The measured cost is the one that the documentation proves for every N.",
        ),
        Plot(
            title="From which length on Dyck-(2,2) is too much for one layer",
            x="width of the only head",
            y="N",
            lines=tuple(
                Line(f"{bits}-bit numbers", tuple((m, n) for m, n in points if n)) for bits, points in excluded.items()
            ),
            logarithmic=True,
            note="Below its line a bound is vacuous: such a layer's protocol can say more bits than the task needs.",
        ),
    )
