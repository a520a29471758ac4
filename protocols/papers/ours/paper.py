"""Results of this project, each beside the statement of a source that it sharpens."""

from __future__ import annotations

from typing import Any

from ccsim.claims import Claim, Direction, Paper, Role

__all__ = ["PAPER", "construction", "result"]

PAPER = Paper("ccsim", "This project")


def result(name: str, statement: str, *, sharpens: str, proof: str, **rest: Any) -> Claim:
    """A claim of this project's own: what it sharpens, by name, and where its proof or construction is."""
    return Claim(
        name=f"{PAPER.name}-{name}",
        paper=PAPER,
        source=proof,
        statement=statement,
        role=Role.RESULT,
        sharpens=sharpens,
        **rest,
    )


def construction(name: str, statement: str, *, formula: str, **rest: Any) -> Claim:
    """A result that is built: it takes what the formula says, and no less."""
    return result(name, statement, direction=Direction.CONSTRUCTION, formula=formula, ours=formula, **rest)
