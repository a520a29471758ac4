"""Sanford, Hsu and Telgarsky 2024, One-layer transformers fail to solve the induction heads task."""

from __future__ import annotations

from typing import Any

from ccsim.claims import Claim, Direction, Finding, Paper, Parameter

__all__ = ["CLAIMS", "PAPER", "index_to_marked_induction"]

PAPER = Paper("sanford2024", "Sanford, Hsu and Telgarsky 2024")


def index_to_marked_induction(n: int) -> Any:
    """INDEX_n to one induction hop whose last symbol is known to both: Bob marks his position, Alice writes her bits.

    The word is b_1 a_1 ... b_n a_n x, where b_i is x at Bob's position and y elsewhere. So the query of an attention
    layer is known before a word is said, and Alice can speak alone.

    >>> index_to_marked_induction(3).word("011", 2)
    'y0x1y1x'
    """
    from ccsim.problems import Partition, index, k_hop_induction
    from protocols.reductions.task_reductions import TaskReduction

    length = 2 * n + 1
    return TaskReduction(
        name="index to an induction head with a known query",
        source=index(n),
        task=k_hop_induction(length, 1, "xy01"),
        partition=Partition.of(length, alice=list(range(2, length, 2))),
        encode_alice=lambda bits: tuple(str(bit) for bit in bits),
        encode_bob=lambda place: (*("x" if each == place else "y" for each in range(1, n + 1)), "x"),
        decode=int,
        citation=PAPER.citation,
    )


def _one_layer(length: int) -> Finding:
    from protocols.papers.measuring import one_way_bits, reduced

    reduction = index_to_marked_induction(length)
    return reduced(reduction, one_way_bits(reduction.source))


def _recurrent(length: int) -> Finding:
    from protocols.papers.measuring import one_way_bits, reduced
    from protocols.reductions.task_reductions import index_to_induction

    reduction = index_to_induction(length)
    return reduced(reduction, one_way_bits(reduction.source))


def _width(length: int, precision: int, heads: int) -> Finding:
    """The least width whose message is no shorter than n bits."""
    width = 1
    while heads * (width + 1) * precision < length:
        width += 1
    return Finding(measured=width, exact=False, facts={"bits of the message": heads * (width + 1) * precision})


SIZE = Parameter("length", "n", 4, "pairs of symbols before the last one")

CLAIMS: tuple[Claim, ...] = (
    Claim(
        name="sanford2024-induction-head-message",
        paper=PAPER,
        source=f"{PAPER.citation}, lower bound, proof",
        statement="One message about every other symbol, from which the rest tells what the head copies, has n bits.",
        direction=Direction.LOWER,
        formula="n",
        hypotheses=("one message, from the holder of the symbols that may be copied", "the last symbol is known"),
        parameters=(SIZE,),
        sizes=({"length": 3}, {"length": 5}),
        measure=_one_layer,
        tags=("induction-heads", "transformer", "index"),
    ),
    Claim(
        name="sanford2024-induction-head-width",
        paper=PAPER,
        source=f"{PAPER.citation}, lower bound",
        statement="One layer that is an induction head has H(m + 1)p of n or more: hmp = Omega(n).",
        direction=Direction.LOWER,
        formula="n/(H*p) - 1",
        trivial="1",
        unit="",
        hypotheses=("sums and normalisers of heads are sent in p bits a number, and no common maximum is needed",),
        parameters=(
            SIZE,
            Parameter("precision", "p", 16, "bits of a number"),
            Parameter("heads", "H", 8, "attention heads"),
        ),
        sizes=({"length": 128}, {"length": 65536}),
        measure=_width,
        tags=("induction-heads", "transformer"),
    ),
    Claim(
        name="sanford2024-induction-head-recurrent",
        paper=PAPER,
        source=f"{PAPER.citation}, by the same reduction",
        statement="A recurrent model that is an induction head over n keys has n bits of state or more.",
        direction=Direction.LOWER,
        formula="n",
        parameters=(SIZE,),
        sizes=({"length": 3}, {"length": 5}),
        measure=_recurrent,
        tags=("induction-heads", "recurrent", "index"),
    ),
)
