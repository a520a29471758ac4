"""Results of this project on recurrent models: how few bits of state are enough, and where it takes more than is said;
and the splitting dimension of two tasks."""

from __future__ import annotations

from functools import partial

from ccsim.claims import Claim, Direction, Parameter
from protocols.papers import kozachinskiy2024
from protocols.papers.ours.findings import recurrent as findings
from protocols.papers.ours.paper import construction, result

__all__ = ["CLAIMS"]

PROPOSITION_9 = "bhattamishra2024-proposition-9"
THEOREM_8 = "bhattamishra2024-theorem-8-multi-query-associative-recall"
ANY_ORDER = "docs/proofs/recall_any_order.md"
AS_MANY_KEYS = ("there are as many keys as pairs, in any order",)
ONE, MANY = ("recurrent", "associative-recall"), ("recurrent", "multi-query-associative-recall")


def _pairs(default: int, low: int = 1) -> Parameter:
    return Parameter("length", "N", default, "number of pairs", low)


def _symbols(default: int) -> Parameter:
    return Parameter("length", "N", default, "twice the number of pairs", 4, 2)


def _order(name: str) -> Parameter:
    return Parameter("order", "order", name, "of the keys", choices=(name,))


one_query = partial(construction, sharpens=PROPOSITION_9, tags=(*ONE, "construction"), measure=findings.one_query)
all_queries = partial(construction, sharpens=THEOREM_8, tags=(*MANY, "construction"), measure=findings.all_queries)
from_below = partial(result, proof=ANY_ORDER, direction=Direction.LOWER, hypotheses=AS_MANY_KEYS)
splitting = partial(
    result,
    direction=Direction.EXACT,
    sharpens="kozachinskiy2024-composition",
    proof="docs/proofs/splitting_dimension.md",
    unit="",
    parameters=(Parameter("length", "N", 4, "bits of both halves", 4, 2),),
    sizes=({"length": 4}, {"length": 6}),
    tags=("splitting-vc-dimension", "transformer"),
)

CLAIMS: tuple[Claim, ...] = (
    construction(
        "index-lookup-register",
        "N bits of state are enough for index lookup: a shift register keeps the last N symbols.",
        sharpens="bhattamishra2024-theorem-3",
        proof="protocols.constructions.shift_register",
        formula="N",
        hypotheses=("two symbols",),
        parameters=(Parameter("length", "N", 4, "symbols before the position"),),
        sizes=({"length": 4}, {"length": 8}),
        measure=findings.register,
        tags=("recurrent", "index-lookup", "construction"),
    ),
    one_query(
        "recall-in-order",
        "N bits are enough for recall of N pairs if keys come in the order in which the reduction writes them.",
        proof="protocols.constructions.recall_table",
        formula="N",
        parameters=(_pairs(4), _order("given")),
        sizes=({"length": 4}, {"length": 8}),
    ),
    from_below(
        "recall-in-any-order-from-below",
        "If keys may come in any order, it takes N - 1 + L(N): a key waits for its value, all others being known.",
        sharpens=PROPOSITION_9,
        formula="N - 1 + L(N)",
        parameters=(_pairs(3, 2),),
        sizes=({"length": 3}, {"length": 4}),
        measure=findings.one_query_from_below,
        tags=ONE,
    ),
    one_query(
        "recall-in-any-order",
        "That many bits are enough in any order: the key that waits takes the place of its value.",
        proof=ANY_ORDER,
        formula="N - 1 + L(N)",
        hypotheses=AS_MANY_KEYS,
        parameters=(_pairs(2, 2), _order("any")),
        sizes=({"length": 2}, {"length": 3}, {"length": 4}),
    ),
    all_queries(
        "multi-query-recall-in-order",
        "N/2 bits are enough for recall of N/2 pairs, all of which are asked for, if keys come in one order.",
        proof="protocols.constructions.multi_query_recall_table",
        formula="N/2",
        parameters=(_symbols(4), _order("given")),
        sizes=({"length": 4}, {"length": 8}),
    ),
    from_below(
        "multi-query-recall-in-any-order-from-below",
        "Here too it takes more if keys may come in any order: N/2 - 1 + L(N/2) bits.",
        sharpens=THEOREM_8,
        formula="N/2 - 1 + L(N/2)",
        parameters=(_symbols(6),),
        measure=findings.all_queries_from_below,
        tags=MANY,
    ),
    all_queries(
        "multi-query-recall-in-any-order",
        "N/2 - 1 + L(N/2) bits are enough in any order.",
        proof=ANY_ORDER,
        formula="N/2 - 1 + L(N/2)",
        hypotheses=AS_MANY_KEYS,
        parameters=(_symbols(4), _order("any")),
        sizes=({"length": 4}, {"length": 6}),
    ),
    splitting(
        "splitting-dimension-of-disjointness",
        "Whether two halves are disjoint has a splitting VC dimension of N/2: so no small layer, at any precision.",
        formula="N/2",
        measure=kozachinskiy2024.disjointness,
    ),
    splitting(
        "splitting-dimension-of-equality",
        "Whether two halves are equal has one of 1 at any length: so it excludes no size at infinite precision.",
        formula="1",
        measure=kozachinskiy2024.equality,
    ),
)
