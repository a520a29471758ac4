"""Lines of the proofs of Theorems 1, 6 and 7 (appendices C.2, F.2 and G.2), each executed as it is printed."""

from __future__ import annotations

from typing import Any

from ccsim.claims import Claim, Direction, Parameter
from protocols.papers.bhattamishra2024.findings import nearest, recall_steps, scaling
from protocols.papers.bhattamishra2024.paper import step

__all__ = ["STEPS"]

EXPONENT = Parameter("exponent", "K", 2, "K: numbers have steps of N^-K")

MARGIN = Parameter("inverse", "r", 9, "1/g, for the margin g")

PAIRS = Parameter("pairs", "n", 3, "labelled points; N of the source is one more")

TASK = Parameter("task", "task", "compass", "points of margin 1, or 1/25", choices=("compass", "triples"))

NEAREST = ("transformer", "two-layers", "nearest-neighbour")

# what several steps share
HALVES: dict[str, Any] = {
    "lengths": (64,),
    "more": (EXPONENT,),
    "tags": ("transformer", "two-layers", "equality-of-halves"),
}

SCALINGS: tuple[dict[str, int], ...] = ({"exponent": 1}, {"exponent": 2}, {"length": 1024})

WEIGHT_ONE: tuple[dict[str, int], ...] = ({"length": 10}, {"exponent": 2}, {"exponent": 3}, {"length": 1024})

NEAREST_ROUNDED: tuple[dict[str, int], ...] = (
    {"length": 6, "exponent": 1},
    {"length": 6, "exponent": 2},
    {"length": 32, "exponent": 3},
)

SIGNS_WITHIN = "addresses are signs with products of at most a quarter, as in Corollary 8.1"

STEPS: tuple[Claim, ...] = (
    step(
        "Theorem 1: weight",
        "With eta = 2 ln 3N the displayed bound on the weight of the position that is asked for is 3/4; with a larger "
        "eta it gets more.",
        Direction.EXACT,
        formula="Rational(3, 4)",
        lengths=(64, 512),
        low=3,
        measure=scaling.index_weight,
        tags=("transformer", "index-lookup"),
        hypotheses=(SIGNS_WITHIN, "eta is the first multiple of 2^-12 above 2 ln 3N, all in 12 bits after the point"),
    ),
    step(
        "Theorem 6: weight one",
        "With eta = ln N + K ln 2N, in steps of N^-K, the partner of every position gets the weight 1.",
        Direction.EXACT,
        formula="1",
        low=4,
        step=2,
        sizes=WEIGHT_ONE,
        measure=scaling.weight_one,
        hypotheses=(
            SIGNS_WITHIN,
            "arithmetic of B.2, everything rounded down; so it is at every N for K up to 3, else where 8^K N^3 > N^K",
        ),
        **HALVES,
    ),
    step(
        "Theorem 6: to the nearest",
        "The same if everything is rounded to the nearest number, as the text has it where weights become 1 and 0; and "
        "the layers are right so.",
        Direction.EXACT,
        formula="1",
        low=4,
        step=2,
        sizes=NEAREST_ROUNDED,
        measure=nearest.partner_weight,
        hypotheses=(SIGNS_WITHIN, "all words up to N = 8, four words beyond; a second computation does the rounding"),
        **HALVES,
    ),
    step(
        "Theorem 6: printed scaling",
        "eta = ln N + K ln 2N is as large as the displayed inequality asks, in steps of N^-K.",
        Direction.UPPER,
        formula="floor(N**K*(log(N) + K*log(2*N)))",
        ours="ceiling(2*N**K*log((N - 1)*(2*N**K - 1)))",
        repair="F.2, after the displayed inequality eta >= 2 ln((N-1)(2N^K-1)): the factor 2 is left out; "
        "2 (ln N + K ln 2N) satisfies it. Nothing is lost: with vectors of signs the printed eta gives weight 1 too",
        unit="steps",
        low=3,
        sizes=SCALINGS,
        measure=scaling.printed_scaling,
        **HALVES,
    ),
    step(
        "Theorem 6: other weights",
        "With eta = K ln 2N the weight of a position that is not asked for is at most 1/(2 N^K): once that, or more.",
        Direction.UPPER,
        formula="1",
        ours="2*(Rational(1, 2)*N)**(K/2)",
        ours_exact=False,
        repair='F.2, last paragraph, "if eta >= K log 2N": the same factor 2 is left out; 2 K ln 2N is enough. The eta '
        "that is used in the end is larger, and enough with vectors of signs",
        unit="of the bound",
        low=8,
        sizes=SCALINGS[:2],
        measure=scaling.other_weights,
        hypotheses=(SIGNS_WITHIN,),
        **HALVES,
    ),
    step(
        "Theorem 6: rounding",
        "A weight within 1/(2 N^K) of 1 is rounded to 1, that is, to N^K steps.",
        Direction.EXACT,
        formula="N**K",
        ours="N**K - 1",
        repair='F.2, "will be rounded to 1": B.2 rounds down, which leaves N^K - 1 steps. As B.2 rounds exponentials '
        "down as well, before they are added up, those of others are 0 and the weight is 1 exactly",
        unit="steps",
        low=4,
        sizes=SCALINGS[:2],
        measure=scaling.rounding,
        **HALVES,
    ),
    step(
        "Theorem 7: inner products",
        "Queries and keys of points have the inner product <x, x'> + 2 - 10 <T, T'>.",
        Direction.EXACT,
        formula="2",
        ours="3",
        repair='G.2, first display under "Inner products": +3, as the next display has it, from the third entries 1 '
        'and 1·3. (Below, "<x_k, x_i> ± g/10" leaves the 3 out, which moves all points alike.)',
        measure=recall_steps.inner_products,
        more=(MARGIN,),
        tags=NEAREST,
    ),
    *(
        step(
            f"Theorem 7: {which}",
            f"{said} is the best whole number, for addresses within g/100 of orthogonal.",
            Direction.EXACT,
            formula=number,
            measure=recall_steps.bound(which),
            hypotheses=('third entries 1·3 and -2·3 in keys, which the text prints "3" and "-2.3"', "norms are 1"),
            more=(MARGIN,),
            tags=NEAREST,
        )
        for which, number, said in (
            ("points", "1", "The inner product with another point is at least 1, which"),
            ("itself", "-5", "The inner product of the query with itself is at most -5, which"),
            ("labels", "-5", "The inner product with a label is at most -5, which"),
        )
    ),
    step(
        "Theorem 7: weight",
        "With eta = (5/(4g)) ln 18N the displayed bound on the weight of the nearest point is 9/10, and it gets more.",
        Direction.EXACT,
        formula="Rational(9, 10)",
        sizes=({"task": "compass"}, {"task": "triples"}),
        measure=recall_steps.weight,
        hypotheses=("embeddings and maps as printed, addresses orthogonal", "real numbers, by intervals of 512 bits"),
        more=(TASK, PAIRS),
        tags=NEAREST,
    ),
    step(
        "Theorem 7: printed layers",
        "The two printed layers give the label of the nearest point: they are wrong on no prompt.",
        Direction.EXACT,
        formula="0",
        unit="prompts",
        sizes=({"task": "compass", "pairs": 2}, {"task": "triples", "pairs": 2}),
        measure=recall_steps.wrong_answers,
        hypotheses=(
            "embeddings and maps as printed, addresses orthogonal",
            "the second query is T_s/sqrt(k), see there",
        ),
        more=(TASK, PAIRS),
        tags=NEAREST,
    ),
    step(
        "Theorem 7: second query",
        "The query (1/k) T_s of the second layer has the inner product 1 with the address that it looks for.",
        Direction.EXACT,
        formula="1",
        ours="1/sqrt(k)",
        repair='G.2, "Second Layer": 1/sqrt(k) in place of 1/k, or keys of signs; the scaling of the query that '
        "follows makes up for it in any case",
        more=(Parameter("signs", "k", 64, "signs, a power of 4", low=4),),
        measure=recall_steps.second_query,
        tags=NEAREST,
    ),
    step(
        "Theorem 7: address signs",
        "2N addresses with products within g/100 take k = O(log N) signs for every margin g >= N^-c: no power of N.",
        Direction.UPPER,
        formula="0",
        ours="1",
        repair='G.2, below (9), "hence k = O(log N)": right for a constant margin, with k = O(log N / g^2) in general. '
        "For margins of 1/N fewer than 2N signs are not enough. The theorem stands: labels can copy their points, as "
        "in the model here, whose width does not depend on the margin; and keys of signs with products within a half "
        "have a constant margin, where binary codes have 2/log N",
        unit="power of N",
        lengths=(512,),
        low=2,
        meaning="points",
        measure=recall_steps.address_signs,
        tags=(*NEAREST, "vectors"),
        hypotheses=("the margin is 1/N",),
    ),
)
