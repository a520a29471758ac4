"""Kozachinskiy 2024, and Kozachinskiy and others 2025: the splitting VC dimension, which ignores precision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ccsim.claims import Claim, Direction, Finding, Paper, Parameter

__all__ = ["CLAIMS", "PAPER", "boolean_composition"]

PAPER = Paper("kozachinskiy2024", "Kozachinskiy 2024")


def boolean_composition(n: int) -> Any:
    """g(f(0)) for the n values of g, bits, and those of f, numbers below n, of which only the first is looked at.

    >>> boolean_composition(2)((0, 1, 1, 0))
    1
    """
    import numpy as np

    from ccsim.problems import SequenceTask, Words

    words = Words(((0, 1),) * n + (tuple(range(n)),) * n)

    def evaluate(rows: Any) -> Any:
        return np.take_along_axis(rows, rows[..., n : n + 1].astype(np.int64), axis=-1)[..., 0]

    return SequenceTask(f"boolean_composition({n})", words, (0, 1), evaluate, note="g(f(0)), where g is Boolean")


def _splitting(build: Callable[[int], Any]) -> Callable[[int], Finding]:
    """Over all partitions; the certificate shows the shattered set of the best one."""

    def measure(length: int) -> Finding:
        from ccsim.bounds import splitting_vc_dimension

        found = splitting_vc_dimension(build(length))
        facts = {"partition": str(found.partition), "partitions": found.partitions}
        return Finding.of_bracket(found.bracket, exact=found.exact, facts=facts)

    return measure


def _disjointness(length: int) -> Any:
    from ccsim.problems import disjointness_of_halves

    return disjointness_of_halves(length)


def _equality(length: int) -> Any:
    from ccsim.problems import equality_of_halves

    return equality_of_halves(length)


def _claim(name: str, statement: str, formula: str, task: Callable[[int], Any], sizes: tuple[int, ...]) -> Claim:
    step = 2 if name.endswith("halves") else 1
    return Claim(
        name=f"{PAPER.name}-{name}",
        paper=PAPER,
        source=f"{PAPER.citation}; Kozachinskiy and others 2025",
        statement=statement,
        direction=Direction.LOWER,
        formula=formula,
        unit="",
        hypotheses=("max(H, d, size of the output network) is a power of it or more, at any precision",),
        parameters=(Parameter("length", "N", sizes[0], "size of the problem", low=2, step=step),),
        sizes=tuple({"length": size} for size in sizes),
        measure=_splitting(task),
        tags=("splitting-vc-dimension", "transformer"),
    )


CLAIMS: tuple[Claim, ...] = (
    _claim(
        "composition",
        "Composition with a Boolean function of N elements has a splitting VC dimension of N or more.",
        "N",
        boolean_composition,
        (2, 3),
    ),
    _claim(
        "disjointness-of-halves",
        "Whether two halves are disjoint has one of N/2 or more.",
        "N/2",
        _disjointness,
        (4, 6, 8),
    ),
    _claim(
        "equality-of-halves",
        "Whether two halves are equal has one of 1, at any length: so this excludes no size at infinite precision.",
        "1",
        _equality,
        (4, 6),
    ),
)
