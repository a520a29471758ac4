"""Sanford, Hsu and Telgarsky 2024, One-layer transformers fail to solve the induction heads task."""

from __future__ import annotations

import math
import random
from functools import partial
from itertools import count
from typing import Any

import numpy as np

from ccsim import problems
from ccsim.claims import Claim, Direction, Finding, Paper, Parameter
from protocols import reductions
from protocols.papers import checks
from protocols.papers.stated import stated

__all__ = ["CLAIMS", "PAPER", "index_to_marked_induction"]

PAPER = Paper("sanford2024", "Sanford, Hsu and Telgarsky 2024")
MOST_PAIRS = 8  # of symbols; beyond that the width is a formula's, whose parts are run at fewer
FEW_PAIRS = 3


def index_to_marked_induction(n: int) -> Any:
    """INDEX_n to one induction hop whose last symbol is known to both: Bob marks his position, Alice writes her bits.

    The word is b_1 a_1 ... b_n a_n x, where b_i is x at Bob's position and 0 elsewhere: three symbols are enough. So
    the query of an attention layer is known before a word is said, and Alice can speak alone.

    >>> index_to_marked_induction(3).word("011", 2)
    '00x101x'
    """
    length = 2 * n + 1
    return reductions.TaskReduction(
        name="index to an induction head with a known query",
        source=problems.index(n),
        task=problems.k_hop_induction(length, 1, "x01"),
        partition=problems.Partition.of(length, alice=list(range(2, length, 2))),
        encode_alice=lambda bits: tuple(str(bit) for bit in bits),
        encode_bob=lambda place: (*("x" if each == place else "0" for each in range(1, n + 1)), "x"),
        decode=int,
        citation=PAPER.citation,
    )


def _message(length: int) -> Finding:
    reduction = index_to_marked_induction(length)
    return checks.reduced(reduction, checks.one_way_bits(reduction.source))


def _width(length: int, precision: int, heads: int) -> Finding:
    """The least width whose message is no shorter than what INDEX needs.

    Up to 8 pairs both are executed: layers of width 1, 2, ... send their sums and normalisers, on every input, until
    the message is as long as the certified one. Beyond, the same is done for 3 pairs, and the width is the formula's.
    """
    pairs = length if length <= MOST_PAIRS else FEW_PAIRS
    reduction = index_to_marked_induction(pairs)
    needed = checks.reduced(reduction, checks.one_way_bits(reduction.source))
    assert needed.bracket is not None
    wrong, width, checked, bits = [*needed.violations], 0, 0, 0
    while bits < needed.bracket.lower and not wrong:
        width += 1
        found = _sent(reduction, heads, width, precision)
        bits, checked = found.worst_bits, checked + found.pairs
        wrong += [str(violation) for violation in found.violations]
    facts = {"pairs of symbols that were executed": pairs, "bits of the longest message": bits}
    return Finding(
        measured=width if length == pairs else _least_width(length, precision, heads),
        calculated=True,  # the message is certified and run; that all layers need it is arithmetic
        checked=checked,
        of=width * math.prod(reduction.source.shape),
        violations=tuple(wrong),
        facts=facts,
    )


def _least_width(pairs: int, precision: int, heads: int) -> int:
    """The least width of 1 or more with H(m + 1)p of so many pairs or more."""
    return max(1, -(-pairs // (heads * precision)) - 1)


def _sent(reduction: Any, heads: int, width: int, precision: int) -> Any:
    """The exploration of a drawn layer, not of one answer to all words, as one message."""
    length = len(reduction.task.positions)
    drawn = (reductions.known_query(_layer(heads, width, precision, length, seed), reduction) for seed in count())
    return next(each for each in drawn if len(np.unique(each.function.codes)) == 2).explore()


def _layer(heads: int, width: int, precision: int, length: int, seed: int) -> Any:
    """Weights and values of 0 and 1, at so few places of Alice that her sums fit; the last symbol always weighs 1."""
    generator = random.Random(f"{heads} {width} {precision} {length} {seed}")
    places, room = range(1, length, 2), (1 << precision) - 1

    def weigh() -> list[dict[str, int]]:
        looked = {*generator.sample(places, min(room, len(places))), *range(0, length, 2)}
        return [
            {s: int(p in looked and (p == length - 1 or generator.random() < 0.7)) for s in "x01"}
            for p in range(length)
        ]

    weights = [weigh() for _ in range(heads)]
    values = [
        [{symbol: [generator.randrange(2) for _ in range(width)] for symbol in "x01"} for _ in range(length)]
        for _ in range(heads)
    ]
    factors = [generator.choice((-3, -2, -1, 1, 2, 3)) for _ in range(heads * width)]
    return reductions.KnownQueryLayer(
        weights, values, lambda means: int(sum(f * m for f, m in zip(factors, means, strict=True)) > 0), precision
    )


SIZE = Parameter("length", "n", 4, "pairs of symbols before the last one")
KNOWN = ("one message, from the holder of the symbols that may be copied", "the last symbol is known to both")

needed = partial(stated, PAPER, direction=Direction.LOWER)

CLAIMS: tuple[Claim, ...] = (
    needed(
        "induction-head-message",
        "One message about every other symbol, from which the rest tells what the head copies, has n bits.",
        place="lower bound, proof",
        formula="n",
        hypotheses=(*KNOWN, "three symbols"),
        parameters=(SIZE,),
        sizes=({"length": 3}, {"length": 5}),
        measure=_message,
        tags=("induction-heads", "transformer", "index"),
    ),
    needed(
        "induction-head-width",
        "One layer that is an induction head has H(m + 1)p of n or more: hmp = Omega(n).",
        place="lower bound",
        formula="n/(H*p) - 1",
        trivial="1",
        unit="",
        hypotheses=("sums and normalisers of heads fit in p bits a number, and no common maximum is needed",),
        parameters=(
            SIZE,
            Parameter("precision", "p", 16, "bits of a number"),
            Parameter("heads", "H", 8, "attention heads"),
        ),
        sizes=({"length": 6, "precision": 2, "heads": 1}, {"length": 128}, {"length": 65536}),
        measure=_width,
        tags=("induction-heads", "transformer"),
    ),
)
