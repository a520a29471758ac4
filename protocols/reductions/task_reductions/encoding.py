"""How inputs of one function become inputs of another, and the other's answers its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.problems import TwoPartyFunction
from ccsim.problems.inputs import InputSet
from ccsim.problems.words import Words

Encode = Callable[[Any], Any]


def unchanged(value: Any) -> Any:
    """What it is given."""
    return value


@dataclass(frozen=True, eq=False, kw_only=True)
class Encoding(ABC):
    """How two parties write their inputs to one function as inputs to another, and read its answers.

    Attributes:
        name: what it is called.
        source: the function that is reduced.
        encode_alice, encode_bob: a party's input to the source, as its input to the target.
        decode: an answer of the target as an answer of the source.
        reader: who can decode: ``both``, or the one party whose own source input ``decode`` takes as its
            second argument. Then only that party learns the source's answer.
        note: one line for people.
        citation: where it is from.
    """

    name: str
    source: TwoPartyFunction
    encode_alice: Encode = field(repr=False)
    encode_bob: Encode = field(repr=False)
    decode: Callable[..., Any] = field(default=unchanged, repr=False)
    reader: str = "both"
    note: str = field(default="", repr=False)
    citation: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if self.reader not in ("both", "alice", "bob"):
            raise InputError("reader", self.reader, "'both', 'alice' or 'bob'")

    @property
    @abstractmethod
    def target(self) -> TwoPartyFunction:
        """The function that it is reduced to."""

    def alice(self, x: Hashable) -> Any:
        """Alice's input to the target when she holds ``x``."""
        return self._encoded(0, x)

    def bob(self, y: Hashable) -> Any:
        """Bob's input to the target when he holds ``y``."""
        return self._encoded(1, y)

    def _encoded(self, party: int, value: Hashable) -> Any:
        part = self.source.inputs[party]
        encode = (self.encode_alice, self.encode_bob)[party]
        return as_value(self.target.inputs[party], encode(part.value(part.index(value))))

    @cached_property
    def places(self) -> tuple[Array, Array]:
        """For each party, the index in the target's inputs of each of its source inputs, in order."""
        return self._places(0), self._places(1)

    def _places(self, party: int) -> Array:
        part, wide = self.source.inputs[party], self.target.inputs[party].size > 1 << 62
        indices = [self.target.inputs[party].index(self._encoded(party, value)) for value in part]
        return np.array(indices, dtype=object if wide else np.int64)

    def read(self, answer: Hashable, own: Hashable) -> Any:
        """A target answer decoded by a reader who holds ``own`` (which is not looked at if both can read)."""
        return self.decode(answer) if self.reader == "both" else self.decode(answer, own)


def as_value(part: InputSet, encoded: Any) -> Any:
    """What was encoded as a value of an input set: symbols are put together to a word."""
    return part.word(encoded) if isinstance(part, Words) else encoded
