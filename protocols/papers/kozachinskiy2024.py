"""Kozachinskiy 2024, and Kozachinskiy and others 2025: the splitting VC dimension, which ignores precision."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ccsim import bounds, problems
from ccsim.claims import Direction, Finding, param
from protocols.papers.sources import KOZACHINSKIY_2024 as PAPER
from protocols.papers.sources import OURS, lengths

HALVES = param("N", 4, "bits of both halves", low=4, step=2)

splitting = partial(
    OURS.claim,
    "docs/proofs/splitting_dimension.md",
    direction=Direction.EXACT,
    sharpens="kozachinskiy2024-composition",
    unit="",
    sizes=lengths(4, 6),
    tags=("splitting-vc-dimension", "transformer"),
)


@PAPER.claim(
    "",
    name="composition",
    source=f"{PAPER.paper.citation}; Kozachinskiy and others 2025",
    direction=Direction.LOWER,
    formula="N",
    unit="",
    hypotheses=("max(H, d, size of the output network) is a power of it or more, at any precision",),
    sizes=lengths(2, 3),
    tags=("splitting-vc-dimension", "transformer", "function-composition"),
)
def composition(length: int = param("N", 2, "elements", low=2)) -> Finding:
    """Composition with a Boolean function of N elements has a splitting VC dimension of N or more."""
    return _best_partition(boolean_composition(length))


@splitting(name="splitting-dimension-of-disjointness", formula="N/2")
def disjointness(length: int = HALVES) -> Finding:
    """Whether two halves are disjoint has a splitting VC dimension of N/2: so no small layer, at any precision."""
    return _best_partition(problems.disjointness_of_halves(length))


@splitting(name="splitting-dimension-of-equality", formula="1")
def equality(length: int = HALVES) -> Finding:
    """Whether two halves are equal has one of 1 at any length: so it excludes no size at infinite precision."""
    return _best_partition(problems.equality_of_halves(length))


def _best_partition(task: problems.SequenceTask) -> Finding:
    best = bounds.splitting_vc_dimension(task)
    facts = {"partition": str(best.partition), "partitions": best.partitions}
    return Finding.of_bracket(best.bracket, exact=best.exact, facts=facts)


def boolean_composition(n: int) -> problems.SequenceTask:
    """g(f(0)) for the n values of g, bits, and those of f, numbers below n, of which only the first is looked at."""
    words = problems.Words(((0, 1),) * n + (tuple(range(n)),) * n)

    def evaluate(rows: Any) -> Any:
        return np.take_along_axis(rows, rows[..., n : n + 1].astype(np.int64), axis=-1)[..., 0]

    name = f"boolean_composition({n})"
    return problems.SequenceTask(name, words, (0, 1), evaluate, note="g(f(0)), where g is Boolean")
