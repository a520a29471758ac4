"""What is asked of a matrix, and in what steps it is answered."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.clock import Clock
from ccsim.bounds.fooling_sets import Diagonal, diagonals
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.relations import Relation

LATE = ", out of time"
"""What is said of a method that had no more time."""

STOPPED = ", stopped"
"""What is said of a method that the keyboard stopped."""

REACH = ", out of reach"
"""What is said of methods that came to their ends and left a bracket open."""


MOST_BITS = 64  # of a message


@dataclass
class Question:
    """What is asked: a matrix or a relation, who must know the answer, and how long it may take.

    Attributes:
        error: with which probability an answer may be wrong, or how far an entry may be away, where that matters.
        bits: of a message, where its success is asked for.
        clock: when to stop, which may be moved from one step to the next.
    """

    subject: CommunicationMatrix | Relation
    answer: str = "both"
    seconds: float | None = None
    function: tuple[str, int] | None = None
    error: Fraction = Fraction(1, 3)
    bits: int | None = None
    clock: Clock = field(init=False)

    def __post_init__(self) -> None:
        if self.answer not in ("both", "alice", "bob"):
            raise InputError("answer", self.answer, "'both', 'alice' or 'bob'")
        if self.seconds is not None and not self.seconds > 0:
            raise InputError("seconds", self.seconds, "more than 0 seconds")
        if self.bits is not None and not 0 <= self.bits <= MOST_BITS:
            raise InputError("bits", self.bits, f"from 0 to {MOST_BITS}")
        if not 0 <= self.error < 1:
            raise InputError("error", str(self.error), "at least 0 and below 1")
        if 0 in self.subject.shape:
            raise InputError("matrix", self.subject, "at least one row and one column")
        self.clock = Clock.within(self.seconds)

    @property
    def matrix(self) -> CommunicationMatrix:
        """The matrix; an error where the question is about a relation, of which this cannot be asked."""
        if isinstance(self.subject, Relation):
            raise InputError("subject", self.subject, "a function: one answer for each pair of inputs")
        return self.subject

    @property
    def relation(self) -> Relation | None:
        """The relation, if it is about one."""
        return self.subject if isinstance(self.subject, Relation) else None

    @cached_property
    def sets(self) -> tuple[Diagonal, ...]:
        """For each label a fooling set that shows at a glance."""
        return diagonals(self.matrix)

    @property
    def labels(self) -> range:
        """The places of the labels that occur."""
        return range(len(self.matrix.labels))


Step = dict[Any, Bracket] | tuple[Hashable, Bracket | None, bool] | None
"""First, at once, trivial brackets by place. Then a place, its bracket from now on (None: nothing any more), and
whether that is the last word. None, once, where it begins to search.
"""

Steps = Iterator[Step]

Answer = Callable[[Question, Callable[[str], None] | None], Steps]
"""How a measure answers, with a function that is told now and then what is being tried."""
