"""Sanford, Hsu and Telgarsky 2024, One-layer transformers fail to solve the induction heads task."""

from __future__ import annotations

import math
import random
from functools import partial
from itertools import count
from typing import Any

import numpy as np

from ccsim import problems
from ccsim.claims import Direction, Finding, param
from protocols import reductions
from protocols.papers.checks import reduced
from protocols.papers.sources import SANFORD_2024 as PAPER
from protocols.papers.sources import lengths

MOST_PAIRS, FEW_PAIRS = 8, 3  # of symbols; where there are more than the one number, parts are run at the other

PAIRS = param("n", 4, "pairs of symbols before the last one")
needed = partial(PAPER.claim, direction=Direction.LOWER)


def index_to_marked_induction(n: int) -> Any:
    """INDEX_n to one hop on b_1 a_1 ... b_n a_n x, b_i being x at Bob's position, else 0: both know the query, x."""
    length = 2 * n + 1
    return reductions.TaskReduction(
        name="index to an induction head with a known query",
        source=problems.index(n),
        task=problems.k_hop_induction(length, 1, "x01"),
        partition=problems.Partition.of(length, alice=list(range(2, length, 2))),
        encode_alice=lambda bits: tuple(str(bit) for bit in bits),
        encode_bob=lambda place: (*("x" if each == place else "0" for each in range(1, n + 1)), "x"),
        decode=int,
        citation=PAPER.paper.citation,
    )


@needed(
    "lower bound, proof",
    name="induction-head-message",
    formula="n",
    hypotheses=(
        "one message, from the holder of the symbols that may be copied",
        "the last symbol is known to both",
        "three symbols",
    ),
    sizes=lengths(3, 5),
    tags=("induction-heads", "transformer", "index"),
)
def message(length: int = PAIRS) -> Finding:
    """One message about every other symbol, from which the other party knows what the head copies, has n bits."""
    return reduced(index_to_marked_induction(length))


@needed(
    "lower bound",
    name="induction-head-width",
    formula="n/(H*p) - 1",
    trivial="1",
    unit="",
    hypotheses=("sums and normalisers of heads fit in p bits a number, and no common maximum is needed",),
    sizes=({"length": 6, "precision": 2, "heads": 1}, {"length": 128}, {"length": 65536}),
    tags=("induction-heads", "transformer"),
)
def width(
    length: int = PAIRS,
    precision: int = param("p", 16, "bits of a number"),
    heads: int = param("H", 8, "attention heads"),
) -> Finding:
    """One layer that is an induction head has H(m + 1)p of n or more: hmp = Omega(n)."""
    pairs = length if length <= MOST_PAIRS else FEW_PAIRS
    reduction = index_to_marked_induction(pairs)
    bits = message(pairs)

    def least(number: int) -> int:
        return max(1, -(-number // (heads * precision)) - 1)

    drawn = (
        reductions.known_query(_layer(heads, least(pairs), precision, 2 * pairs + 1, seed), reduction)
        for seed in count()
    )
    sent = next(each for each in drawn if len(np.unique(each.function.codes)) == 2).explore()
    wrong = [*bits.violations, *map(str, sent.violations)]
    if bits.bracket is None or sent.worst_bits < bits.bracket.lower:
        wrong.append(f"a message of {sent.worst_bits} bits, where {bits.bracket} are needed")
    return Finding(
        measured=least(length),
        calculated=True,
        checked=sent.pairs,
        of=math.prod(reduction.source.shape),
        violations=wrong,
        facts={"pairs of symbols that were executed": pairs, "bits of the longest message": sent.worst_bits},
    )


def _layer(heads: int, width: int, precision: int, length: int, seed: int) -> Any:
    """Weights and values of 0 and 1, at so few places of Alice that her sums fit."""
    generator = random.Random(f"{heads} {width} {precision} {length} {seed}")
    places, room = range(1, length, 2), (1 << precision) - 1
    looked = [{*generator.sample(places, min(room, len(places))), *range(0, length, 2)} for _ in range(heads)]
    weights = [
        [{symbol: int(place in own and generator.random() < 0.7) for symbol in "x01"} for place in range(length)]
        for own in looked
    ]
    values = [
        [{symbol: generator.choices((0, 1), k=width) for symbol in "x01"} for _ in range(length)] for _ in range(heads)
    ]
    factors = generator.choices((-3, -2, -1, 1, 2, 3), k=heads * width)
    return reductions.KnownQueryLayer(
        weights, values, lambda means: int(sum(f * m for f, m in zip(factors, means, strict=True)) > 0), precision
    )
