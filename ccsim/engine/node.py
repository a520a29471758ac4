"""A node of a protocol tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ccsim.arrays import Array
from ccsim.bits import Bits


@dataclass(slots=True, eq=False)
class Node:
    """A node of a protocol tree.

    Attributes:
        sets: for each player, the indices of its inputs that reach the node.
        bits: how many bits were sent on the way here.
        rounds: how many rounds they took.
        speaker: who speaks here, or None at a leaf.
        label: what the message means.
        messages, children: for each message that can be sent here, the child that it leads to.
        answers: at a leaf, for each role that must know it, the answer code (or one per input of ``sets``).
    """

    sets: Mapping[str, Array]
    bits: int
    rounds: int
    speaker: str | None = None
    label: str = ""
    messages: tuple[Bits, ...] = ()
    children: tuple[int, ...] = ()
    answers: Mapping[str, Array | int] = field(default_factory=dict)

    @property
    def is_leaf(self) -> bool:
        """Whether nobody speaks here."""
        return self.speaker is None
