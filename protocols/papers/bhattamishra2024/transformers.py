"""One attention layer as a two-way protocol, for any partition, and what follows (sections 4, D, E, F)."""

from __future__ import annotations

from ccsim.claims import Claim, Direction, Parameter
from protocols.papers.bhattamishra2024.measures import transformers as measures
from protocols.papers.bhattamishra2024.paper import claim

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
        measure=measures.softmax("literal"),
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
        measure=measures.softmax("one-sided"),
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
        measure=measures.cheapest,
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
        measure=measures.dyck_cost,
        tags=("dyck",),
        plots=measures.biting,
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
        measure=measures.dyck_fooling_set,
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
        measure=measures.dyck_from_left_to_right,
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
        measure=measures.width("dyck"),
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
        measure=measures.width("dyck"),
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
        measure=measures.product,
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
        measure=measures.any_balanced_partition,
        tags=("transformer", "two-layers"),
    ),
    claim(
        "Corollary 13.1",
        "No such protocol is cheap for two layers, so the reduction refuses a transformer with two.",
        Direction.REFUSAL,
        lengths=(4,),
        low=2,
        measure=measures.two_layers,
        tags=("transformer", "two-layers"),
    ),
)
