"""Who may speak next: nothing to remember, or a number of rounds that runs out."""

from __future__ import annotations

from typing import NamedTuple


class Turns(NamedTuple):
    """A limit on the rounds: maximal stretches of a path on which one party speaks.

    Attributes:
        left: how many more rounds may begin.
        last: who spoke last and may go on within the round (0 Alice, 1 Bob), or -1 before the first bit.
    """

    left: int
    last: int


def after(turns: Turns | None, party: int) -> Turns | bool | None:
    """The limit once this party has sent a bit; ``False`` if it may not speak. ``None`` is no limit."""
    if turns is None or turns.last == party:
        return turns
    return Turns(turns.left - 1, party) if turns.left else False


def normal(turns: Turns | None, depth: int) -> Turns | None:
    """No limit at all if as many rounds may begin as bits are left."""
    return None if turns is None or turns.left >= depth else turns
