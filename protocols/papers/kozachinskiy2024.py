"""Kozachinskiy 2024, and Kozachinskiy and others 2025: the splitting VC dimension, which ignores precision."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim import bounds, problems
from ccsim.claims import Claim, Direction, Finding, Paper, Parameter

__all__ = ["CLAIMS", "PAPER", "boolean_composition", "composition", "disjointness", "equality"]

PAPER = Paper("kozachinskiy2024", "Kozachinskiy 2024")


def boolean_composition(n: int) -> Any:
    """g(f(0)) for the n values of g, bits, and those of f, numbers below n, of which only the first is looked at.

    >>> boolean_composition(2)((0, 1, 1, 0))
    1
    """
    words = problems.Words(((0, 1),) * n + (tuple(range(n)),) * n)

    def evaluate(rows: Any) -> Any:
        return np.take_along_axis(rows, rows[..., n : n + 1].astype(np.int64), axis=-1)[..., 0]

    name = f"boolean_composition({n})"
    return problems.SequenceTask(name, words, (0, 1), evaluate, note="g(f(0)), where g is Boolean")


def composition(length: int) -> Finding:
    """g(f(0)), over all partitions of the values of both functions."""
    return _splitting(boolean_composition(length))


def disjointness(length: int) -> Finding:
    """Whether no place has a 1 in both halves, over all partitions."""
    return _splitting(problems.disjointness_of_halves(length))


def equality(length: int) -> Finding:
    """Whether the halves are equal, over all partitions."""
    return _splitting(problems.equality_of_halves(length))


def _splitting(task: Any) -> Finding:
    """The certified shattered set of the best partition."""
    found = bounds.splitting_vc_dimension(task)
    facts = {"partition": str(found.partition), "partitions": found.partitions}
    return Finding.of_bracket(found.bracket, exact=found.exact, facts=facts)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        name=f"{PAPER.name}-composition",
        paper=PAPER,
        source=f"{PAPER.citation}; Kozachinskiy and others 2025",
        statement="Composition with a Boolean function of N elements has a splitting VC dimension of N or more.",
        direction=Direction.LOWER,
        formula="N",
        unit="",
        hypotheses=("max(H, d, size of the output network) is a power of it or more, at any precision",),
        parameters=(Parameter("length", "N", 2, "elements", low=2),),
        sizes=({"length": 2}, {"length": 3}),
        measure=composition,
        tags=("splitting-vc-dimension", "transformer", "function-composition"),
    ),
)
