"""One attention layer as a two-way protocol, for any partition, and what follows (sections 4, D, E, F)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ccsim.claims import Claim, Direction, Finding, Line, Parameter, Plot
from protocols.papers.bhattamishra2024.paper import claim
from protocols.papers.measuring import telling_model

__all__ = ["CLAIMS"]

PRINTED = "3*m*(p + log(N, 2))*H"
LITERAL = "m*p + H*(2*p + 2*(p + L(N)) + 4*m*p)"
ONE_SIDED = "m*p + H*(2*p + 2*(p + L(N)) + 2*m*p) + 1"
CHEAPEST = (
    "Min(N/2 + 1, 2 + 2*ceiling(H*log(N, 2)) + 2*ceiling(H*log(N/2*2**(p - 2) + 1, 2))"
    " + ceiling(H*m*log(2**(p - 2)*(2**p - 1) + 1, 2)))"
)
LAYER = (
    Parameter("width", "m", 4, "width of the model, of each head too"),
    Parameter("precision", "p", 8, "bits of a number", low=3),
    Parameter("heads", "H", 1, "attention heads"),
    Parameter("seed", "seed", 0, "of the weights: the first one from here on", low=0),
)


def _model(length: int, width: int, precision: int, heads: int, seed: int) -> Any:
    from ccsim.models import OneLayerTransformer

    return OneLayerTransformer.random(
        "ab", length=length, width=width, heads=heads, head_width=width, precision=precision, seed=seed
    )


def _softmax(variant: str, answer: str = "both") -> Callable[..., Finding]:
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


def _cheapest(length: int, width: int, precision: int, heads: int, seed: int, how: str) -> Finding:
    """Run on every word; or, where that is too much, the cost that no weights exceed."""
    from protocols.reductions import softmax_costs

    if how == "run":
        return _softmax("cheapest")(length, width, precision, heads, seed)
    row = softmax_costs([width], [precision], [heads], [length])[0]
    facts = {name: row[name] for name in ("literal", "one-sided", "compact")}
    return Finding(measured=row["cheapest"], facts=facts, note="by formula, whatever the weights")


def _dyck(length: int) -> Any:
    from ccsim import Partition
    from ccsim.problems import dyck

    return dyck(length).split(Partition.odd_even(length))


def _dyck_cost(length: int) -> Finding:
    from ccsim.bounds import deterministic

    return Finding.of_bracket(deterministic(_dyck(length)))


def _dyck_fooling_set(length: int) -> Finding:
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


def _dyck_from_left_to_right(length: int) -> Finding:
    """At every place where a word can be cut."""
    from ccsim import Partition
    from ccsim.bounds import deterministic
    from ccsim.problems import dyck

    task = dyck(length)
    found = [deterministic(task.split(Partition.prefix(length, cut))) for cut in range(1, length)]
    worst = max(found, key=lambda bracket: bracket.upper or 0)
    return Finding.of_bracket(worst, facts={"bits at each cut": [bracket.upper for bracket in found]})


def _width(task: str) -> Callable[..., Finding]:
    """What our own protocol excludes: widths whose cost is below what the task needs, whatever the weights."""

    def measure(length: int, precision: int, heads: int) -> Finding:
        from ccsim.bounds import Bracket, model

        bound = model("transformer", width=1, precision=precision, heads=heads, task=task, length=length)
        smallest = int(bound.smallest_width or 1)
        bracket = Bracket("width", smallest * heads, None, "cost of the compact protocol")
        facts = {"bits that the task needs": bound.needed_bits, "smallest width of a head": smallest}
        return Finding(bracket=bracket, facts=facts)

    return measure


def _product(length: int, precision: int) -> Finding:
    from ccsim.bounds import model

    bound = model("transformer", width=1, precision=precision, task="inequality-of-halves", length=length)
    return Finding(measured=int(bound.smallest_width or 1) * precision, exact=False)


def _any_balanced_partition(length: int) -> Finding:
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


def _two_layers(length: int) -> Finding:
    from ccsim import Partition
    from ccsim.models import Transformer
    from protocols.reductions import max_logit_softmax

    model: Any = Transformer.random("01", length=length, width=4, heads=2, layers=2, precision=8, seed=0)
    return Finding.of_refusal(lambda: max_logit_softmax(model, Partition.odd_even(length)), "Corollary 13.1")


def _biting() -> tuple[Plot, ...]:
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


WIDTHS = (Parameter("precision", "p", 16, "bits of a number", low=3), Parameter("heads", "H", 1, "attention heads"))
SIZES: tuple[dict[str, int], ...] = ({}, {"width": 8}, {"heads": 2})
LARGE: tuple[dict[str, int], ...] = (
    {"length": 4096, "width": 16, "precision": 16},
    {"length": 65536, "width": 64, "precision": 32, "heads": 8},
)

CLAIMS: tuple[Claim, ...] = (
    claim(
        "Theorem 4",
        "A one-layer transformer is a protocol of 3m(p + log N)H bits, whoever holds what: the printed steps.",
        Direction.UPPER,
        formula=PRINTED,
        ours=LITERAL,
        lengths=(4,),
        low=2,
        more=LAYER,
        sizes=SIZES,
        measure=_softmax("literal"),
        tags=("transformer", "max-logit-softmax"),
        hypotheses=("both parties learn the answer", "d = m"),
    ),
    claim(
        "Theorem 4: one-sided",
        "The same, with weighted sums sent one way and the answer back.",
        Direction.UPPER,
        formula=PRINTED,
        ours=ONE_SIDED,
        lengths=(4,),
        low=2,
        more=LAYER,
        sizes=SIZES,
        measure=_softmax("one-sided"),
        tags=("transformer", "max-logit-softmax"),
    ),
    claim(
        "Theorem 4: cheapest",
        "The cheapest protocol here, run at small sizes and by its formula beyond, beside the printed bound.",
        Direction.UPPER,
        formula=PRINTED,
        ours=CHEAPEST,
        ours_exact=False,
        lengths=(4,),
        low=2,
        step=2,
        more=(*LAYER, Parameter("how", "how", "run", "run on every word, or by formula", choices=("run", "formula"))),
        sizes=(*SIZES, *({**size, "how": "formula"} for size in LARGE)),
        measure=_cheapest,
        tags=("transformer", "max-logit-softmax"),
    ),
    claim(
        "Lemma 1",
        "Dyck-(2,2) costs N - 1 bits or more if one party holds the odd positions and the other the even ones.",
        Direction.LOWER,
        formula="N - 1",
        ours="N + 1",
        lengths=(4, 6, 8),
        low=2,
        step=2,
        measure=_dyck_cost,
        tags=("dyck",),
        plots=_biting,
    ),
    claim(
        "Lemma 1: fooling set",
        "All 2^(N-1) words of Dyck-(2,2) of length N are a fooling set.",
        Direction.LOWER,
        formula="2**(N - 1)",
        unit="cells",
        lengths=(4, 6, 8),
        low=2,
        step=2,
        measure=_dyck_fooling_set,
        tags=("dyck", "fooling"),
    ),
    claim(
        "Section 4.2: contiguous partitions",
        "Cut anywhere, a word of Dyck-(2,2) costs few bits: what is open is at most two brackets.",
        Direction.UPPER,
        formula="L(8) + 1",
        lengths=(4, 8),
        low=2,
        step=2,
        measure=_dyck_from_left_to_right,
        tags=("dyck",),
    ),
    claim(
        "Theorem 5",
        "A one-layer transformer for Dyck-(2,2) has mH of (N - 1)/(3(p + log N)) or more.",
        Direction.LOWER,
        formula="(N - 1)/(3*(p + log(N, 2)))",
        trivial="1",
        unit="",
        lengths=(8, 1024, 16384),
        low=2,
        step=2,
        more=WIDTHS,
        measure=_width("dyck"),
        tags=("transformer", "dyck"),
        hypotheses=("the constant of Theorem 4",),
    ),
    claim(
        "Theorem 10",
        "The same of Theorem 5, in the appendix.",
        Direction.LOWER,
        formula="(N - 1)/(3*(p + log(N, 2)))",
        trivial="1",
        unit="",
        lengths=(64,),
        low=2,
        step=2,
        more=WIDTHS,
        measure=_width("dyck"),
        tags=("transformer", "dyck"),
        hypotheses=("the constant of Theorem 4",),
    ),
    claim(
        "Theorem 12",
        "A one-layer transformer for the inequality of two halves has mpH = Omega(N).",
        Direction.LOWER,
        formula="c*N",
        lengths=(4096, 65536),
        low=2,
        step=2,
        more=WIDTHS[:1],
        measure=_product,
        tags=("transformer", "inequality-of-halves", "equality"),
    ),
    claim(
        "Lemma 5",
        "For every balanced partition there is a function of small two-layer transformers that costs N/2 bits or more.",
        Direction.LOWER,
        formula="N/2",
        ours="N/2 + 1",
        lengths=(4, 6),
        low=2,
        step=2,
        measure=_any_balanced_partition,
        tags=("transformer", "two-layers"),
    ),
    claim(
        "Corollary 13.1",
        "No such protocol is cheap for two layers, so the reduction refuses a transformer with two.",
        Direction.REFUSAL,
        lengths=(4,),
        low=2,
        measure=_two_layers,
        tags=("transformer", "two-layers"),
    ),
)
