"""Results of this project, each beside the statement of a source that it sharpens."""

from __future__ import annotations

from typing import Any

from ccsim.claims import Claim, Direction, Paper, Role

__all__ = ["PAPER", "result"]

PAPER = Paper("ccsim", "This project")


def result(name: str, statement: str, direction: Direction, *, sharpens: str, proof: str, **rest: Any) -> Claim:
    """A claim of this project's own: what it sharpens, by name, and where its proof or construction is."""
    return Claim(
        name=f"{PAPER.name}-{name}",
        paper=PAPER,
        source=proof,
        statement=statement,
        direction=direction,
        role=Role.RESULT,
        sharpens=sharpens,
        **rest,
    )
