"""How claims are written down: what a paper states, under its name and where it stands there."""

from __future__ import annotations

from typing import Any

from ccsim.claims import Claim, Direction, Paper

__all__ = ["stated"]


def stated(paper: Paper, name: str, statement: str, *, place: str, direction: Direction, **rest: Any) -> Claim:
    """A claim of a paper: its name after that of the paper, what it says, and the place in the paper where it stands.

    What a family of claims has in common is given once, with :func:`functools.partial`.
    """
    return Claim(
        name=f"{paper.name}-{name}",
        paper=paper,
        source=f"{paper.citation}, {place}",
        statement=statement,
        direction=direction,
        **rest,
    )
