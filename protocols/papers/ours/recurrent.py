"""Results of this project on recurrent models: how few bits of state are enough, and where it takes more than is said;
and the splitting dimension of two tasks."""

from __future__ import annotations

from functools import partial

from ccsim import problems
from ccsim.claims import Claim, Direction, Finding, Parameter
from protocols import constructions
from protocols.papers import checks
from protocols.papers.ours.paper import construction, result

__all__ = ["CLAIMS"]

PROPOSITION_9 = "bhattamishra2024-proposition-9"
THEOREM_8 = "bhattamishra2024-theorem-8-multi-query-associative-recall"
ANY_ORDER = "docs/proofs/recall_any_order.md"
AS_MANY_KEYS = ("there are as many keys as pairs, in any order",)
ONE, MANY = ("recurrent", "associative-recall"), ("recurrent", "multi-query-associative-recall")


def register(length: int) -> Finding:
    """The shift register for index lookup."""
    task = problems.index_lookup(length)
    return checks.carried(constructions.shift_register(length), task, checks.every_word(task))


def one_query(length: int, order: str) -> Finding:
    """The table for associative recall."""
    task, in_order = problems.associative_recall(length), order == "given"
    model = constructions.recall_table(length, in_order=in_order)
    return checks.carried(model, task, checks.recall_words(task, in_order=in_order))


def all_queries(length: int, order: str) -> Finding:
    """The table for recall of all keys."""
    pairs, in_order = length // 2, order == "given"
    task = problems.multi_query_associative_recall(pairs)
    model = constructions.multi_query_recall_table(pairs, in_order=in_order)
    return checks.carried(model, task, checks.recall_words(task, pairs, in_order))


def one_query_from_below(length: int) -> Finding:
    """Cut before the last value: what the key that waits, and the values of all others, leave to tell apart."""
    return _cut(problems.associative_recall(length), length, 1)


def all_queries_from_below(length: int) -> Finding:
    """The same for recall of all keys."""
    pairs = length // 2
    return _cut(problems.multi_query_associative_recall(pairs), pairs, pairs)


def _cut(task: problems.SequenceTask, pairs: int, queries: int) -> Finding:
    """The certified bits of one message about all but the last value."""
    cut = problems.Partition.prefix(2 * pairs + queries, 2 * pairs - 1)
    return Finding.of_bracket(checks.one_way_bits(task.split(cut)), facts={"cut": str(cut)})


def _pairs(default: int, low: int = 1) -> Parameter:
    return Parameter("length", "N", default, "number of pairs", low)


def _symbols(default: int) -> Parameter:
    return Parameter("length", "N", default, "twice the number of pairs", 4, 2)


def _order(name: str) -> Parameter:
    return Parameter("order", "order", name, "of the keys", choices=(name,))


with_one_query = partial(construction, sharpens=PROPOSITION_9, tags=(*ONE, "construction"), measure=one_query)
with_all_queries = partial(construction, sharpens=THEOREM_8, tags=(*MANY, "construction"), measure=all_queries)
from_below = partial(result, proof=ANY_ORDER, direction=Direction.LOWER, hypotheses=AS_MANY_KEYS)
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
        measure=register,
        tags=("recurrent", "index-lookup", "construction"),
    ),
    with_one_query(
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
        measure=one_query_from_below,
        tags=ONE,
        proved="recall_needs_messages",
    ),
    with_one_query(
        "recall-in-any-order",
        "That many bits are enough in any order: the key that waits takes the place of its value.",
        proof=ANY_ORDER,
        formula="N - 1 + L(N)",
        hypotheses=AS_MANY_KEYS,
        parameters=(_pairs(2, 2), _order("any")),
        sizes=({"length": 2}, {"length": 3}, {"length": 4}),
    ),
    with_all_queries(
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
        measure=all_queries_from_below,
        tags=MANY,
    ),
    with_all_queries(
        "multi-query-recall-in-any-order",
        "N/2 - 1 + L(N/2) bits are enough in any order.",
        proof=ANY_ORDER,
        formula="N/2 - 1 + L(N/2)",
        hypotheses=AS_MANY_KEYS,
        parameters=(_symbols(4), _order("any")),
        sizes=({"length": 4}, {"length": 6}),
    ),
)
