"""Disjointness, and a bit at a place, as averages and as triples: every input."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from ccsim import bounds, problems
from ccsim.claims import Finding
from ccsim.matrices import CommunicationMatrix
from protocols.papers import checks
from protocols.reductions import task_reductions

__all__ = ["averaging", "recurrent", "state_of_the_task", "triples"]


def averaging(length: int, extra: int) -> Finding:
    """Two sets of q as a word of 2q + 1 rows or more, whose average tells whether they meet; and the bits it takes."""
    reduction = task_reductions.intersection_to_sparse_averaging(length, 2 * length + 1 + extra)
    facts = {"rows": 2 * length + 1 + extra, "inputs": 4**length}
    return checks.reduced(reduction, bounds.deterministic(reduction.source, answer="bob"), facts=facts)


def recurrent(length: int) -> Finding:
    """A bit at a place as a row that names a row: every text and place, and the bits of one message."""
    reduction = task_reductions.index_to_sparse_averaging(length - 1)
    return checks.reduced(reduction, checks.one_way_bits(reduction.source))


def state_of_the_task(length: int, values: int = 1) -> Finding:
    """All prefixes of N - 1 rows against all last rows: what one message between them takes, and no bit more.

    A value is d' signs, divided by the root of d'; signs are what counts.
    """
    if values == 1:
        split = problems.q_sparse_averaging(length, 1).split(problems.Partition.prefix(length, length - 1))
        return Finding.of_bracket(checks.one_way_bits(split))
    rows = list(product(range(1, length + 1), product((-1, 1), repeat=values)))
    codes = [
        [
            sum((entry > 0) << place for place, entry in enumerate((*(signs for _, signs in prefix), last)[chosen - 1]))
            for chosen, last in rows
        ]
        for prefix in product(rows, repeat=length - 1)
    ]
    matrix = CommunicationMatrix.from_array(codes)
    return Finding.of_bracket(replace(bounds.one_way(matrix), matrix=matrix))


def triples(length: int, modulus: int, encoding: str) -> Finding:
    """Two sets of (N - 1)/2 as N numbers, of which a triple adds up to 0 with the first iff they meet: every input.

    The first number is the same in all words, each party's numbers depend on its own set alone, and Match3 is asked
    by looking at all pairs. (The slides do not print numbers: these are ours.)
    """
    reduction = task_reductions.intersection_to_match3((length - 1) // 2, encoding, modulus)
    return checks.reduced(reduction, bounds.deterministic(reduction.source, answer="bob"))
