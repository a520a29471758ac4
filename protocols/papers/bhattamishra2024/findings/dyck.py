"""What Dyck languages of bounded depth cost, by matrices that a stack fills in."""

from __future__ import annotations

from itertools import product
from typing import Any

from ccsim import bounds, problems
from ccsim.claims import Finding
from ccsim.matrices import CommunicationMatrix
from ccsim.plots import Line, Plot
from protocols.papers.plain import brackets
from protocols.papers.plain.certified import certified, certified_cost

__all__ = ["biting", "contiguous", "cost", "fooling_set"]

DEPTH = 2


def _table(length: int, alice: Any, kinds: int = 2) -> tuple[list[list[int]], tuple[str, ...]]:
    """The matrix by a stack, and whether the library's task is another function."""
    table = brackets.bracket_table(length, alice, kinds, DEPTH)
    others = () if kinds == 2 else (kinds, DEPTH)  # two kinds, depth 2: what is meant by default
    task = problems.dyck(length, *others)
    own = task.split(problems.Partition.of(length, alice=alice)).matrix.codes.tolist()
    wrong = () if own == table else ("the library's Dyck language is not that of a stack of two brackets",)
    if (brackets.balanced("([])[]", DEPTH), brackets.balanced("([[]])", DEPTH)) != (1, 0):  # the examples of appendix E
        wrong = (*wrong, "another depth than two")
    words = kinds * (2 * kinds) ** (length // 2 - 1)
    if length % 2 == 0 and sum(map(sum, table)) != words:
        wrong = (*wrong, f"{sum(map(sum, table))} words, not {words}")
    return table, wrong


def cost(length: int, kinds: int = 2) -> Finding:
    """D when one party holds the odd positions, the other the even ones, and both are to know the answer."""
    table, wrong = _table(length, range(1, length + 1, 2), kinds)
    return certified_cost(table, violations=wrong)


def fooling_set(length: int) -> Finding:
    """Every word of the language as a cell, with no search: the checker refuses what is no fooling set.

    The words are listed a second time by the grammar, each once.
    """
    table, wrong = _table(length, range(1, length + 1, 2))
    cells = [[row, column] for row, line in enumerate(table) for column, cell in enumerate(line) if cell]
    listed = list(brackets.listed_words(length))
    if len(listed) != len(set(listed)) or len(listed) != len(cells):
        wrong = (*wrong, f"{len(set(listed))} words by the grammar, {len(cells)} by the stack")
    below, above = {"kind": "fooling-set", "cells": cells}, {"kind": "lines"}
    about, matrix = {"code": 1, "answer": "both"}, CommunicationMatrix.from_array(table)
    size, how = len(cells), "all words | rows"
    bracket = bounds.Bracket("fooling-set", size, size, how, below, above, about, "cells", matrix=matrix)
    return certified(bracket, table, violations=wrong)


def contiguous(length: int) -> Finding:
    """At every place where a word can be cut: D, and whether what is open there settles all that follows."""
    found, faults, stacks = [], [], set()
    for cut in range(1, length):
        table, wrong = _table(length, range(1, cut + 1))
        found.append(certified_cost(table, violations=wrong))
        faults += [*found[-1].violations, *_unsettled(table, cut)]
        stacks |= _stacks(cut)
    if len(stacks) > 8:
        faults.append(f"{len(stacks)} different stacks")
    worst = max(found, key=_upper)
    facts = {"bits at each cut": [_upper(each) for each in found], "what can be open, or lost": len(stacks)}
    return worst.but(violations=tuple(faults), facts={**worst.facts, **facts})


def _stacks(cut: int) -> set[str | None]:
    return {brackets.stack_after("".join(begun), DEPTH) for begun in product("()[]", repeat=cut)}


def _unsettled(table: list[list[int]], cut: int) -> list[str]:
    """Two beginnings after which the same is open, and that can still be told apart."""
    seen: dict[str | None, list[int]] = {}
    for begun, row in zip(product("()[]", repeat=cut), table, strict=True):
        stack = brackets.stack_after("".join(begun), DEPTH)
        if seen.setdefault(stack, row) != row:
            return [f"what follows {''.join(begun)} is not settled by the stack {stack}"]
    return []


def _upper(finding: Finding) -> int:
    return int((finding.bracket.upper if finding.bracket else None) or 0)


def biting() -> tuple[Plot, ...]:
    """What Dyck costs, printed and measured; and from which length on a layer is too small."""
    lengths, widths = tuple(range(2, 13, 2)), tuple(2**k for k in range(3, 11))
    measured = tuple((n, _upper(cost(n))) for n in (2, 4, 6, 8))
    excluded = {
        bits: tuple(
            (m, bounds.model("transformer", width=m, precision=bits, task="dyck").excluded_from) for m in widths
        )
        for bits in (8, 16, 32)
    }
    return (
        Plot(
            title="Dyck-(2,2), odd positions against even ones",
            x="N, length of the word",
            y="bits",
            lines=(
                Line("printed: N - 1", tuple((n, n - 1) for n in lengths)),
                Line("proved here: N + 1", tuple((n, n + 1) for n in lengths)),
                Line("exact, certified", measured, measured=True),
            ),
            note="The measured cost is the one that the documentation proves for every N.",
        ),
        Plot(
            title="From which length on Dyck-(2,2) is too much for one layer",
            x="width of the only head",
            y="N",
            lines=tuple(
                Line(f"{bits}-bit numbers", tuple((m, n) for m, n in points if n)) for bits, points in excluded.items()
            ),
            logarithmic=True,
            note="By formula: below its line a layer's protocol can say as many bits as the task needs.",
        ),
    )
