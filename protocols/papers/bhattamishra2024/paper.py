"""The paper, and how its claims are written down."""

from __future__ import annotations

from typing import Any

from ccsim.claims import Claim, Direction, Paper, Parameter, Role

__all__ = ["LENGTH", "PAPER", "claim", "step"]

PAPER = Paper("bhattamishra2024", "Bhattamishra, Hahn, Blunsom and Kanade 2024")
LENGTH = "length"


def claim(
    name: str,
    statement: str,
    direction: Direction,
    *,
    lengths: tuple[int, ...] = (),
    low: int = 1,
    step: int = 1,
    meaning: str = "length of the input",
    more: tuple[Parameter, ...] = (),
    **rest: Any,
) -> Claim:
    """A claim whose name is that of its theorem, with a length N and what else it takes."""
    theorem, _, note = name.partition(": ")
    words = f"{theorem} {note}".lower().replace(".", "-").split()
    parameters = (Parameter(LENGTH, "N", lengths[0], meaning, low, step),) if lengths else ()
    sizes = tuple({LENGTH: length} for length in lengths) or ({},)
    return Claim(
        name="-".join([PAPER.name, *words]),
        paper=PAPER,
        source=f"{PAPER.citation}, {theorem}",
        statement=statement,
        direction=direction,
        parameters=(*parameters, *more),
        **{"sizes": sizes, **rest},
    )


def step(name: str, statement: str, direction: Direction, **rest: Any) -> Claim:
    """A line of a proof, as printed: what it says has no unit, unless one is given."""
    return claim(name, statement, direction, role=Role.STEP, **{"unit": "", **rest})
