"""Who holds which position of a word."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ccsim.arguments import require_integer
from ccsim.errors import InputError
from ccsim.plain_data import counted


@dataclass(frozen=True)
class Partition:
    """The positions 1, 2, ... of a word, each given to Alice or to Bob: one letter A or B per position.

    >>> partition = Partition("ABBA")
    >>> partition.alice, partition.bob, partition.deal("wxyz")
    ((1, 4), (2, 3), (('w', 'z'), ('x', 'y')))
    """

    owners: str

    def __post_init__(self) -> None:
        if not isinstance(self.owners, str) or not self.owners:
            raise InputError("owners", self.owners, "a text of one or more letters A and B")
        for position, owner in enumerate(self.owners, start=1):
            if owner not in "AB":
                raise InputError("owners", self.owners, f"A or B at position {position}, not {owner!r}")

    @classmethod
    def of(cls, length: int, *, alice: Iterable[int], bob: Iterable[int] | None = None) -> Partition:
        """The partition with these positions, counted from 1; Bob gets the rest if his are not given.

        Raises :class:`~ccsim.errors.InputError` for a position that is outside the word, given twice, or
        given to nobody.

        >>> Partition.of(4, alice=[2, 3])
        Partition('BAAB')
        """
        length = require_integer("length", length, low=1)
        given: dict[int, str] = {}
        for party, positions in (("alice", alice), ("bob", bob)):
            for position in () if positions is None else positions:
                place = require_integer(f"{party} position", position, low=1, high=length)
                if place in given:
                    raise InputError(f"{party} position", place, "each position given once")
                given[place] = party[0].upper()
        for place in range(1, length + 1):
            if place not in given and bob is not None:
                raise InputError("position", place, "each position given to alice or to bob")
        return cls("".join(given.get(place, "B") for place in range(1, length + 1)))

    @classmethod
    def prefix(cls, length: int, split: int) -> Partition:
        """Alice holds the first ``split`` positions, Bob the rest.

        >>> Partition.prefix(4, 1)
        Partition('ABBB')
        """
        length = require_integer("length", length, low=1)
        split = require_integer("split", split, low=0, high=length)
        return cls("A" * split + "B" * (length - split))

    @classmethod
    def odd_even(cls, length: int) -> Partition:
        """Alice holds the odd positions 1, 3, ..., Bob the even ones.

        >>> Partition.odd_even(5)
        Partition('ABABA')
        """
        length = require_integer("length", length, low=1)
        return cls(("AB" * length)[:length])

    @classmethod
    def all(cls, length: int) -> Iterator[Partition]:
        """All 2^length partitions, in the order of their letters.

        >>> [str(partition) for partition in Partition.all(2)]
        ['AA', 'AB', 'BA', 'BB']
        """
        length = require_integer("length", length, low=1)
        return (cls("".join(owners)) for owners in itertools.product("AB", repeat=length))

    @property
    def length(self) -> int:
        """How many positions there are."""
        return len(self.owners)

    @cached_property
    def alice(self) -> tuple[int, ...]:
        """Alice's positions in order, counted from 1."""
        return self._of("A")

    @cached_property
    def bob(self) -> tuple[int, ...]:
        """Bob's positions in order, counted from 1."""
        return self._of("B")

    def _of(self, party: str) -> tuple[int, ...]:
        return tuple(place for place, owner in enumerate(self.owners, start=1) if owner == party)

    def deal(self, word: Sequence[Any]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The symbols of a word that Alice holds, and those that Bob holds."""
        if len(word) != self.length:
            raise InputError("word", word, f"{counted(self.length, 'symbol')}, not {len(word)}")
        return tuple(word[place - 1] for place in self.alice), tuple(word[place - 1] for place in self.bob)

    def join(self, x: Sequence[Any], y: Sequence[Any]) -> tuple[Any, ...]:
        """The word that Alice's symbols ``x`` and Bob's ``y`` make: the inverse of :meth:`deal`.

        >>> Partition("ABBA").join("wz", "xy")
        ('w', 'x', 'y', 'z')
        """
        for name, part, positions in (("x", x, self.alice), ("y", y, self.bob)):
            if len(part) != len(positions):
                raise InputError(name, part, f"{counted(len(positions), 'symbol')}, not {len(part)}")
        symbols = dict(zip(self.alice, x, strict=True)) | dict(zip(self.bob, y, strict=True))
        return tuple(symbols[place] for place in range(1, self.length + 1))

    def swap(self) -> Partition:
        """The same partition with the parties changed round."""
        return Partition(self.owners.translate(str.maketrans("AB", "BA")))

    def __str__(self) -> str:
        return self.owners

    def __repr__(self) -> str:
        return f"Partition({self.owners!r})"
