"""Coins: finite uniform spaces, small ones to enumerate, large ones to draw from by a documented generator."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from ccsim.errors import InputError


@dataclass(frozen=True)
class Coins:
    """A uniform choice among ``size`` outcomes, numbered from 0.

    >>> Coins.bits(3)
    Coins(size=8)
    """

    size: int

    def __post_init__(self) -> None:
        if self.size < 1:
            raise InputError("size", self.size, "at least one outcome")

    @classmethod
    def bits(cls, count: int) -> Coins:
        """``count`` fair coins: an outcome is a number of that many bits."""
        return cls(1 << count)

    def check(self, outcome: int, name: str = "coins") -> int:
        """``outcome`` itself if it is one; otherwise an error."""
        if not isinstance(outcome, int) or not 0 <= outcome < self.size:
            raise InputError(name, outcome, f"an integer from 0 to {self.size - 1}")
        return outcome


def draw(size: int, seed: int | str, *path: int | str) -> int:
    """A uniform integer from 0 to size - 1, the same on every machine for the same seed and path.

    The bytes are SHA-256 of ``seed/path.../counter`` for counter = 0, 1, ..., taken as one big-endian number
    of just enough bits; numbers that are too large are drawn again.

    >>> [draw(100, 7, "coins", number) for number in range(3)]
    [50, 83, 4]
    """
    if size < 1:
        raise InputError("size", size, "at least one outcome")
    width = (size - 1).bit_length()
    prefix = "/".join(map(str, (seed, *path)))
    counter = 0
    while True:
        block = b""
        while 8 * len(block) < width:
            block += hashlib.sha256(f"{prefix}/{counter}".encode()).digest()
            counter += 1
        number = int.from_bytes(block, "big") >> (8 * len(block) - width)
        if number < size:
            return number


def fresh_seed() -> int:
    """A seed that nobody could know beforehand, to be reported beside the result."""
    return secrets.randbits(48)
