"""Spoilings of induction heads, layered composition, splitting dimensions, and of our own recurrent models."""

from tests.claims.spoilings.changes import (
    CONSTRUCTIONS,
    TABLES,
    carried,
    first_two_exchanged,
    moved,
    task_on,
    values_exchanged,
)
from tests.claims.spoilings.spoiling import Spoiling, answers, instead

CHECKS, REDUCTION = "protocols.papers.checks", "protocols.reductions.task_reductions.reduction:Reduction"
KOZACHINSKIY, LAYER = "protocols.papers.kozachinskiy2024", "protocols.reductions.known_query:KnownQueryLayer"


def from_below(task):
    return (
        Spoiling("one bit more than is proved", CHECKS, "one_way_bits", moved(1, 1)),
        Spoiling("a lower side that is one too low", CHECKS, "one_way_bits", moved(-1, 0)),
        Spoiling("another task", "ccsim.problems", task, task_on(values_exchanged)),
        Spoiling("a cut elsewhere", "ccsim.problems.sequence.partition:Partition", "prefix", earlier),
    )


def earlier(original):
    return lambda length, size: original(length, size - 1)


def splitting(name):
    return (
        Spoiling("one more than is shattered", "ccsim.bounds.one_message.splitting", "vc_dimension", moved(1, 1)),
        Spoiling("one less", "ccsim.bounds.one_message.splitting", "vc_dimension", moved(-1, -1)),
        Spoiling("another task", *name),
    )


COMPOSED = (KOZACHINSKIY, "boolean_composition", task_on(first_two_exchanged))
HALF_EXCHANGED = task_on(first_two_exchanged)
MESSAGE = (
    Spoiling("one bit more than is proved", CHECKS, "one_way_bits", moved(1, 1)),
    Spoiling("a lower side that is one too low", CHECKS, "one_way_bits", moved(-1, 0)),
    Spoiling("another task", "ccsim.problems", "k_hop_induction", task_on(values_exchanged)),
    Spoiling("answers that are not read", REDUCTION, "read", instead(1)),
    Spoiling("a check that finds nothing", REDUCTION, "check", instead(None)),
)


def shorter(build):
    """A field with one number less."""
    return lambda *given: build(*given[:3], given[3][:-1], lambda *known: given[4](*known)[..., :-1])


WIDTH = (
    *MESSAGE[:3],
    Spoiling("half of every sum", LAYER, "sums", answers(lambda sums: [number // 2 for number in sums])),
    Spoiling("means that are not divided", LAYER, "finish", lambda _: lambda self, sums: self.read(tuple(sums))),
    Spoiling("a message without normalisers", "protocols.reductions.known_query", "Field", shorter),
    Spoiling("a part that is wrong, beyond what is run at full length", LAYER, "finish", instead(0), {"length": 65536}),
)


SPOILINGS = {
    "sanford2024-induction-head-message": MESSAGE,
    "sanford2024-induction-head-width": WIDTH,
    "chen2024-layered-composition": (
        Spoiling("a root that is one too large", "protocols.papers.chen2024", "integer_root", answers(lambda r: r + 1)),
        Spoiling("a root that is one too small", "protocols.papers.chen2024", "integer_root", answers(lambda r: r - 1)),
    ),
    "kozachinskiy2024-composition": splitting(COMPOSED),
    "ccsim-index-lookup-register": carried(f"{CONSTRUCTIONS}.recurrent:ShiftRegister", "shift_register"),
    "ccsim-recall-in-order": carried(TABLES, "recall_table"),
    "ccsim-recall-in-any-order": carried(TABLES, "recall_table"),
    "ccsim-multi-query-recall-in-order": carried(TABLES, "multi_query_recall_table", {"length": 6}),
    "ccsim-multi-query-recall-in-any-order": carried(TABLES, "multi_query_recall_table"),
    "ccsim-recall-in-any-order-from-below": from_below("associative_recall"),
    "ccsim-multi-query-recall-in-any-order-from-below": from_below("multi_query_associative_recall"),
    "ccsim-splitting-dimension-of-disjointness": splitting(
        ("ccsim.problems", "disjointness_of_halves", HALF_EXCHANGED)
    ),
    "ccsim-splitting-dimension-of-equality": splitting(("ccsim.problems", "equality_of_halves", HALF_EXCHANGED)),
}
