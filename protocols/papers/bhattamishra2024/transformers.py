"""One attention layer as a two-way protocol, for any partition, and what follows (sections 4, B.2, D, E, F)."""

from __future__ import annotations

from ccsim.claims import Claim, Constant, Direction, Parameter
from protocols.papers.bhattamishra2024.findings import dyck, shallow, softmax, two_layers, widths
from protocols.papers.bhattamishra2024.paper import claim, step

__all__ = ["CLAIMS", "LAYER", "LITERAL", "ONE_SIDED", "PRINTED", "SYMBOLS"]

PRINTED = "3*m*(p + log(N, 2))*H"

LITERAL = "m*p + H*(2*p + 2*(p + L(N)) + 4*m*p)"

ONE_SIDED = "m*p + H*(2*p + 2*(p + L(N)) + 2*m*p) + 1"

COMPACT = (
    "L(S) + 2*H*log(N*S/2, 2) + 2*H*log(N/2*2**(p - 2) + 1, 2) + ceiling(H*m*log(2**(p - 2)*(2**p - 1) + 1, 2)) + 5"
)
"""The compact protocol, each field of both parties at most one bit above its logarithm."""

LAYERS_DRAWN = "some layers of this size, drawn and made"

LAYER = (
    Parameter("width", "m", 4, "width of the model, of each head too"),
    Parameter("precision", "p", 8, "bits of a number", low=3),
    Parameter("heads", "H", 1, "attention heads"),
)

SEED = Parameter("seed", "seed", 0, "of the weights that are drawn: the first one from here on", low=0)

SYMBOLS = Parameter("symbols", "S", 2, "symbols of the alphabet", low=2)

EXPONENT = Parameter("exponent", "K", 1, "K: numbers go from -N^K to N^K in steps of N^-K")

BOTH = "both parties are to know the output, as Lemma 1 has it ('to each compute')"
STEPS: tuple[Claim, ...] = (
    step(
        "Theorem 4: four steps",
        "The four steps of the proof take no more than 3m(p + log N)H bits; here with the sums of the fourth sent one "
        "way, and the answer back.",
        Direction.UPPER,
        formula=PRINTED,
        ours=ONE_SIDED,
        repair=(
            "Appendix D, the total: x_N and the steps add up to dp + H(4p + 2 log N + 2mp) and a bit with sums sent "
            "one way, and to 2mpH more both ways, as printed. Read O(m(p + log N)H), which is all that is used. One "
            "way, the 3 is right just where 3mH log N is H(4p + 2L(N)) + 1 or more"
        ),
        lengths=(4,),
        low=2,
        more=(*LAYER, SEED),
        sizes=(
            {},
            {"width": 8},
            {"width": 8, "heads": 2},
            {"length": 64, "width": 8, "precision": 16},
            {"length": 64, "width": 1, "precision": 10},
        ),
        instances=LAYERS_DRAWN,
        measure=softmax.sent_one_way,
        tags=("transformer", "max-logit-softmax"),
        hypotheses=("d = m", "x_N is announced once for all heads"),
        unit="bits",
    ),
    step(
        "Lemma 1: fooling set",
        "All 2^(N-1) words of Dyck-(2,2) of length N are a fooling set.",
        Direction.LOWER,
        formula="2**(N - 1)",
        ours="2**(N - 1)",
        unit="cells",
        measure=dyck.fooling_set,
        tags=("dyck", "fooling"),
        proved="dyck_fooling_set",
        lengths=(4, 6, 8),
        low=2,
        step=2,
    ),
)

STATEMENTS: tuple[Claim, ...] = (
    claim(
        "Theorem 4",
        "Two parties compute a one-layer transformer with 3m(p + log N)H bits, whoever holds what; here by the "
        "max-logit softmax protocol of the proof, each message as it is printed.",
        Direction.UPPER,
        formula=PRINTED,
        ours=LITERAL,
        built="modified: x_N is announced once for all heads, which costs less than is printed",
        instances=LAYERS_DRAWN,
        lengths=(4,),
        low=2,
        more=(*LAYER, SEED),
        sizes=(
            {},
            {"width": 8, "heads": 2},
            {"length": 64, "width": 8, "precision": 16},
            {"length": 256, "width": 8, "precision": 16},
        ),
        measure=softmax.theorem_4,
        tags=("transformer", "max-logit-softmax"),
        hypotheses=(
            BOTH,
            "d = m",
            "the printed steps add up to more than the printed total: theorem-4-four-steps; the total is kept to by "
            "the compact protocol: theorem-4-compact",
        ),
    ),
    claim(
        "Theorem 4: compact",
        "Two parties compute a one-layer transformer with 3m(p + log N)H bits, whoever holds what; here by the compact "
        "protocol, which numbers the values of each field.",
        Direction.UPPER,
        formula=PRINTED,
        ours=COMPACT,
        ours_exact=False,
        built="ours: the compact protocol is not the printed one",
        instances=LAYERS_DRAWN,
        lengths=(4,),
        low=2,
        more=(*LAYER, SYMBOLS, SEED),
        sizes=(
            {},
            {"width": 3, "precision": 9, "heads": 2, "symbols": 3, "seed": 5},
            {"length": 8, "width": 3, "precision": 10, "heads": 3},
            {"length": 200, "width": 3},
            {"length": 400, "width": 3, "precision": 9, "heads": 2},
            {"length": 400, "width": 3, "precision": 19},
            {"length": 128, "width": 1, "precision": 10},
        ),
        measure=softmax.kept_compact,
        tags=("transformer", "max-logit-softmax"),
        hypotheses=(BOTH, "d = m", "the largest logit is subtracted, numbers are rounded down (appendices B.2, D)"),
    ),
    claim(
        "Lemma 1",
        "Dyck-(2,2) costs N - 1 bits or more if one party holds the odd positions and the other the even ones.",
        Direction.LOWER,
        formula="N - 1",
        ours="N + 1",
        improvement="the leaf-rank bound, which counts the leaves of both answers (docs/proofs/dyck_odd_even.md)",
        measure=dyck.cost,
        tags=("dyck",),
        proved="dyck_of_two_kinds_costs",
        hypotheses=(BOTH,),
        plots=dyck.biting,
        lengths=(4, 6, 8),
        low=2,
        step=2,
    ),
    claim(
        "Section 4.2: contiguous partitions",
        "Cut anywhere, a word of Dyck-(2,2) costs few bits: what is open is at most two brackets.",
        Direction.UPPER,
        formula="L(8) + 1",
        measure=dyck.contiguous,
        tags=("dyck",),
        hypotheses=("both know the answer: three bits for one of seven stacks or none, one for the answer",),
        lengths=(4, 6),
        low=2,
        step=2,
    ),
    claim(
        "Section 4.2: AC0",
        "EQ as a 2-CNF, Disj as a 2-DNF, have O(N) terms, so that circuits of constant depth and linear size compute "
        "them.",
        Direction.CONSTRUCTION,
        formula="c*N",
        constant=Constant("1", "two clauses, or one term, for each of N/2 places"),
        unit="terms",
        lengths=(256,),
        low=4,
        step=2,
        more=(Parameter("function", "f", "equality", "which one", choices=("equality", "intersection")),),
        sizes=({"function": "equality"}, {"function": "intersection"}),
        measure=shallow.terms_of_two_literals,
        tags=("circuit", "equality-of-halves"),
        hypotheses=(
            "circuits of depth 3 and 2; of both the source says 2-CNF, see docs/errata.md",
            "every word up to N = 14, beyond these words that are drawn, and neighbours with different answers",
        ),
    ),
    claim(
        "Theorem 5",
        "A one-layer transformer for Dyck-(2,2) has mH of (N - 1)/(3(p + log N)) or more (Theorem 10 in the appendix).",
        Direction.LOWER,
        formula="(N - 1)/(3*(p + log(N, 2)))",
        trivial="1",
        unit="",
        lengths=(8,),
        low=2,
        step=2,
        sizes=({}, {"length": 1024}, {"length": 16384}, {"length": 16384, "heads": 4}),
        more=(Parameter("precision", "p", 16, "bits of a number", low=3), LAYER[2]),
        measure=widths.dyck_width,
        tags=("transformer", "dyck"),
        hypotheses=("mH as the bits of our protocol leave it, N + 1 of which are needed",),
    ),
    claim(
        "Theorem 12",
        "A one-layer transformer for the inequality of two halves has mpH = Omega(N).",
        Direction.LOWER,
        formula="c*N",
        constant=Constant("1/10", "ours: docs/proofs/softmax_protocol.md, from the count of the compact protocol"),
        unit="",
        lengths=(4096,),
        low=2,
        step=2,
        more=(EXPONENT, LAYER[2]),
        sizes=({"length": 4096}, {"length": 4096, "exponent": 2, "heads": 3}),
        measure=widths.halves_product,
        tags=("transformer", "inequality-of-halves", "equality"),
        hypotheses=("the numbers of appendix B.2, so that p is log2 N or more", "N of at least 10"),
    ),
    claim(
        "Lemma 5",
        "For every balanced partition there is a function of small two-layer transformers that costs N/2 bits or more.",
        Direction.LOWER,
        formula="N/2",
        ours="N/2",
        measure=two_layers.any_balanced_partition,
        tags=("transformer", "two-layers"),
        hypotheses=("one party is to know the output; the least over partitions and parties",),
        lengths=(4, 6, 8),
        low=2,
        step=2,
    ),
    step(
        "Corollary 13.1: size",
        "These layers have mpH = O(log^2 N).",
        Direction.CONSTRUCTION,
        formula="c*log(N, 2)**2",
        constant=Constant(
            "134", "ours: docs/proofs/softmax_protocol.md, from m = 2k + 5, H = 2 and p of at most 3 log N"
        ),
        lengths=(256,),
        low=128,
        step=2,
        measure=two_layers.size,
        tags=("transformer", "two-layers"),
        hypotheses=(
            "odd positions against even ones; every place at which two words differ, and equal words beside it",
        ),
    ),
    claim(
        "Corollary 13.1",
        "If two layers are computed with O(mpH g(N)) bits for any partition, then g(N) = Omega(N/log^2 N).",
        Direction.LOWER,
        formula="c*N/log(N, 2)**2",
        constant=Constant(
            "1/300", "ours: docs/proofs/softmax_protocol.md, from m = 2k + 5, H = 2 and p of at most 3 log N, as built"
        ),
        unit="",
        lengths=(256,),
        low=128,
        step=2,
        measure=two_layers.overhead,
        tags=("transformer", "two-layers"),
        hypotheses=("N/2 bits are needed: certified for the models' own answers at N = 4, 8 and 12, and Fact 2",),
    ),
)

CLAIMS = (*STEPS, *STATEMENTS)
