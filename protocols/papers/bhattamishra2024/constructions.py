"""What transformers and recurrent models can do: models built weight by weight, and run (sections 4, 5, C, G, H)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccsim.claims import Claim, Direction, Parameter
from protocols.papers.bhattamishra2024.paper import claim

if TYPE_CHECKING:
    pass

from protocols.papers.bhattamishra2024.measures import constructions as measures

__all__ = ["CLAIMS"]

QUANTITY = Parameter("quantity", "quantity", "width", "what is counted", choices=("width", "precision"))

GROWTH = "c*log(N, 2)"

LOOKED_AT = "built with verified inequalities, run on every word or on words drawn at random"

DERIVED_SCALING = "2*log((N - 1)*(2*N**K - 1))"

ZERO_SCALING = "2*K*log(N)"

EXPONENT = Parameter("exponent", "K", 2, "K: numbers have steps of N^-K")

FUNCTIONS = ("majority", "intersection", "equality", "formula")

TASKS = ("nearest-neighbour", "associative-recall", "multi-query-associative-recall")

SCALINGS: tuple[dict[str, int], ...] = ({"exponent": 1}, {"exponent": 2}, {"length": 1024})

CLAIMS: tuple[Claim, ...] = (
    claim(
        "Theorem 1",
        "One layer of width and precision O(log N) looks symbols up by their position.",
        Direction.CONSTRUCTION,
        formula=GROWTH,
        unit="",
        more=(QUANTITY,),
        lengths=(8,),
        low=2,
        sizes=({"length": 8}, {"length": 8, "quantity": "precision"}, {"length": 128}),
        measure=measures.index_lookup,
        tags=("transformer", "index-lookup", "construction"),
        hypotheses=(LOOKED_AT,),
    ),
    claim(
        "Theorem 1: weight",
        "With eta above 2 ln 3N the position that is asked for gets more than 3/4 of the weight.",
        Direction.LOWER,
        formula="Rational(3, 4)",
        unit="",
        lengths=(64, 1024),
        low=2,
        measure=measures.weight,
        tags=("transformer", "index-lookup"),
        hypotheses=("addresses with products of at most 1/4", "12 bits after the point"),
    ),
    claim(
        "Theorem 5: linear width",
        "That is what it takes, up to a logarithm: one layer of width 2N recognises Dyck-(2,2).",
        Direction.CONSTRUCTION,
        formula="2*N",
        unit="",
        lengths=(4, 6, 8),
        low=2,
        step=2,
        measure=measures.uniform("dyck"),
        tags=("transformer", "dyck", "construction"),
        hypotheses=("uniform attention, layers of relu units; built here",),
    ),
    claim(
        "Theorem 6",
        "Two layers of width and precision O(log N) decide whether two halves are equal.",
        Direction.CONSTRUCTION,
        formula=GROWTH,
        unit="",
        more=(QUANTITY,),
        lengths=(8,),
        low=2,
        step=2,
        sizes=({"length": 10}, {"length": 10, "quantity": "precision"}, {"length": 256}),
        measure=measures.equality,
        tags=("transformer", "two-layers", "equality-of-halves", "construction"),
        hypotheses=(LOOKED_AT,),
    ),
    claim(
        "Theorem 6: printed scaling",
        "eta = ln N + K ln 2N satisfies the inequality that it is taken from, eta >= 2 ln((N - 1)(2 N^K - 1)).",
        Direction.UPPER,
        formula=measures.PRINTED_SCALING,
        ours=DERIVED_SCALING,
        unit="",
        more=(EXPONENT,),
        lengths=(64,),
        low=3,
        sizes=SCALINGS,
        measure=measures.scaling(DERIVED_SCALING, "printed_satisfies_its_inequality"),
        tags=("transformer", "two-layers", "equality-of-halves"),
    ),
    claim(
        "Theorem 6: weight one",
        "With it all other weights round down to 0, which takes an eta above 2 K ln N.",
        Direction.UPPER,
        formula=measures.PRINTED_SCALING,
        ours=ZERO_SCALING,
        unit="",
        more=(EXPONENT,),
        lengths=(64,),
        low=3,
        sizes=SCALINGS,
        measure=measures.scaling(ZERO_SCALING, "printed_makes_others_zero"),
        tags=("transformer", "two-layers", "equality-of-halves"),
    ),
    claim(
        "Theorem 7",
        "Two layers of width and precision O(log N) retrieve labels: by nearest neighbours, by keys, by many keys.",
        Direction.CONSTRUCTION,
        formula=GROWTH,
        unit="",
        more=(Parameter("task", "task", TASKS[0], "what is retrieved", choices=TASKS), QUANTITY),
        lengths=(6,),
        low=2,
        step=2,
        meaning="points and labels",
        sizes=(
            *({"task": task} for task in TASKS),
            *({"task": task, "quantity": "precision"} for task in TASKS),
            {"length": 128, "task": "associative-recall"},
        ),
        measure=measures.retrieval,
        tags=("transformer", "two-layers", *TASKS, "construction"),
        hypotheses=("the margin is a constant", LOOKED_AT),
    ),
    claim(
        "Theorem 7: printed constants",
        "The printed third entries give all three bounds on logits that the text reads off them.",
        Direction.LOWER,
        formula="3",
        unit="bounds",
        more=(
            Parameter("inverse", "r", 9, "1/g, for the margin g", low=1),
            Parameter(
                "constants", "constants", "products", "where they are", choices=("embedding", "keys", "products")
            ),
        ),
        lengths=(512,),
        sizes=tuple({"constants": where} for where in ("embedding", "keys", "products")),
        measure=measures.printed_constants,
        tags=("transformer", "two-layers", "nearest-neighbour"),
    ),
    claim(
        "Theorem 7: addresses",
        "Addresses within g/100 of orthogonal, by Lemma 2, let the query find the nearest point (margin g = 1).",
        Direction.UPPER,
        formula="floor(80000*log(2*N)) + 1",
        ours="floor(Rational(81, 2)*log(N*(N + 1))) + 1",
        ours_exact=False,
        unit="signs",
        lengths=(16, 128),
        low=2,
        step=2,
        meaning="points and labels",
        measure=measures.recall_addresses,
        tags=("transformer", "two-layers", "nearest-neighbour", "vectors"),
        hypotheses=("ours: products within 2/9 are enough for the inequalities, and Hoeffding 1963",),
    ),
    claim(
        "Theorem 12: linear width",
        "That is what it takes, up to a logarithm: one layer of width 2N decides whether two halves are equal.",
        Direction.CONSTRUCTION,
        formula="2*N",
        unit="",
        lengths=(6, 10),
        low=2,
        step=2,
        measure=measures.uniform("equality_of_halves"),
        tags=("transformer", "equality-of-halves", "construction"),
        hypotheses=("uniform attention; built here",),
    ),
    claim(
        "Theorem 13",
        "Two layers of width and precision O(log N) compute thresholds of features of k bits, for constant k.",
        Direction.CONSTRUCTION,
        formula=GROWTH,
        unit="",
        more=(Parameter("function", "function", "majority", "which one", choices=FUNCTIONS), QUANTITY),
        lengths=(8,),
        low=4,
        step=2,
        sizes=(*({"function": each} for each in FUNCTIONS), {"quantity": "precision"}, {"length": 128}),
        measure=measures.thresholds,
        tags=("transformer", "two-layers", "thresholds", "construction"),
        hypotheses=(LOOKED_AT,),
    ),
)
