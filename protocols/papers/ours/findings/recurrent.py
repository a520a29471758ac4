"""What is measured about recurrent models of our own: every word, with nothing carried but the bits that count."""

from __future__ import annotations

from itertools import product
from typing import Any

from ccsim import problems
from ccsim.claims import Finding
from protocols import constructions
from protocols.papers import checks
from protocols.papers.plain.carrying import Carried, carried, lookup_words, recall_words
from protocols.papers.plain.certified import MESSAGE, certified
from protocols.papers.plain.words import lookup, recall, recall_all

__all__ = ["all_queries", "all_queries_from_below", "one_query", "one_query_from_below", "register"]

KEYS = "abcdefghijklmnopqrstuvwxyz"


def register(length: int) -> Finding:
    """The shift register for index lookup."""
    return _finding(carried(constructions.shift_register(length), lookup_words(length), lookup))


def one_query(length: int, order: str) -> Finding:
    """The table for associative recall."""
    in_order = order == "given"
    model = constructions.recall_table(length, in_order=in_order)
    return _finding(carried(model, recall_words(length, in_order), recall))


def all_queries(length: int, order: str) -> Finding:
    """The table for recall of all keys."""
    pairs, in_order = length // 2, order == "given"
    model = constructions.multi_query_recall_table(pairs, in_order=in_order)
    return _finding(carried(model, recall_words(pairs, in_order, pairs), recall_all, pairs))


def _finding(found: Carried) -> Finding:
    return Finding(measured=found.bits, checked=found.checked, of=found.checked, violations=found.wrong)


def one_query_from_below(length: int) -> Finding:
    """Cut before the last value: what the key that waits, and the values of all others, leave to tell apart."""
    return _cut(problems.associative_recall(length), length, 1, recall)


def all_queries_from_below(length: int) -> Finding:
    """The same for recall of all keys."""
    pairs = length // 2
    return _cut(problems.multi_query_associative_recall(pairs), pairs, pairs, recall_all)


def _cut(task: Any, pairs: int, queries: int, solve: Any) -> Finding:
    """The certified bits of one message about all but the last value, for a task that is written out here as well.

    The prefixes that have to be told apart are also counted: n 2^(n - 1), any two of which some end tells apart.
    """
    keys = KEYS[:pairs]
    first = list(product(*[part for _ in range(pairs) for part in (keys, "01")][:-1]))
    rest = list(product("01", *[keys] * queries))
    table = [[solve(word + end) for end in rest] for word in first]
    lines = [line for line in table if any(answer is not None for answer in line)]
    apart = [line for place, line in enumerate(lines) if all(_conflict(line, other) for other in lines[:place])]
    cut = problems.Partition.prefix(2 * pairs + queries, 2 * pairs - 1)
    wrong = () if len(apart) == pairs << pairs - 1 else (f"only {len(apart)} prefixes have to be told apart",)
    facts = {"cut": str(cut), "prefixes": len(first), "that must be told apart": len(apart)}
    return certified(checks.one_way_bits(task.split(cut)), table, MESSAGE, violations=wrong, facts=facts)


def _conflict(line: list[Any], other: list[Any]) -> bool:
    """Whether some end has to be answered differently after both prefixes."""
    return any(a is not None and b is not None and a != b for a, b in zip(line, other, strict=True))
