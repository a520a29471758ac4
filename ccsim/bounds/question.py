"""A question about a matrix, and the interface of a measure: trivial brackets first, then what searches prove."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from ccsim.bounds.bracket import Bracket, Open, best_of
from ccsim.bounds.clock import Clock
from ccsim.bounds.fooling_sets import Diagonal, diagonals
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix, Relation

MOST_BITS = 64  # of a message
LARGE = 256  # lines, beyond which nothing is searched that a glance settled; in smaller ones witnesses are found


@dataclass
class Question:
    """What is asked: a matrix or a relation, who must know the answer, and how long it may take.

    Attributes:
        error: with which probability an answer may be wrong, or how far an entry may be away, where that matters.
        bits: of a message, where its success is asked for.
        rounds, first: of a deterministic protocol, how many rounds at most, and who opens.
        progress: is told now and then what is being tried.
        clock: when to stop, which may be moved from one step to the next.
        known: by place, the brackets of the measure that is being answered.
    """

    subject: CommunicationMatrix | Relation
    answer: str = "both"
    seconds: float | None = None
    function: tuple[str, int] | None = None
    error: Fraction = Fraction(1, 3)
    bits: int | None = None
    rounds: int | None = None
    first: str | None = None
    progress: Callable[[str], None] | None = None
    clock: Clock = field(init=False)
    known: Known = field(init=False, default_factory=dict)

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
        return self.subject if isinstance(self.subject, Relation) else None

    @property
    def large(self) -> bool:
        return max(self.subject.shape) > LARGE

    @cached_property
    def sets(self) -> tuple[Diagonal, ...]:
        """For each label a fooling set that shows at a glance."""
        return diagonals(self.matrix)

    @property
    def labels(self) -> range:
        return range(len(self.matrix.labels))


Known = dict[Hashable, Bracket]
"""Brackets by place: a label, a direction, a method."""

Step = Known | tuple[Hashable, Bracket] | None
"""First all trivial brackets; then a place and its bracket from now on; None, once, where searches begin."""


@dataclass(frozen=True)
class Measure:
    """How a measure is answered.

    Attributes:
        name: as it is asked for.
        at_once: its brackets, without any search.
        search: better ones of one place, until the clock is over, which may be moved meanwhile. Where what is quick
            ends is None; at another None the other places have their turns before it goes on.
        whole: the bracket in place None, from those of all labels.
        printed: what tables print in place of its name.
        by_name: whether it is answered only where it is asked for: its searches are long, and bound no bits of ours.
    """

    name: str
    at_once: Callable[[Question], Known]
    search: Callable[[Question, Any, Clock], Iterator[Bracket | None]]
    whole: Callable[[Question], Bracket] | None = None
    printed: tuple[str, ...] = ()
    by_name: bool = False

    def steps(self, question: Question) -> Iterator[Step]:
        """What is quick of each place in turn; then place after place, each with its share of the time."""
        known = question.known = self.at_once(question)
        yield dict(known)
        clocks = {place: Clock() for place in known}
        places = [place for place in known if not self._settled(question, place)]
        running = {place: self.search(question, place, clocks[place]) for place in places}

        def take(place: Hashable, bracket: Bracket) -> Iterator[Step]:
            known[place] = best_of(known[place], bracket)
            yield place, known[place]
            if self.whole:
                known[None] = best_of(known[None], self.whole(question))
                yield None, known[None]

        quick = dict(running)
        while quick:
            for place, search in list(quick.items()):
                clocks[place].end = question.clock.end
                bracket = next(search, None)
                if bracket is None:
                    del quick[place]
                else:
                    yield from take(place, bracket)
        yield None
        while running:
            turns = list(running.items())
            for done, (place, search) in enumerate(turns):
                clocks[place].end = Clock.within(question.clock.share(len(turns) - done)).end
                for bracket in search:
                    if bracket is None:
                        break
                    yield from take(place, bracket)
                    if self._settled(question, place):
                        del running[place]
                        break
                else:
                    del running[place]
                    reason = Open.TIME if clocks[place].over else Open.REACH
                    yield from take(place, replace(known[place], open=known[place].open or reason))

    def _settled(self, question: Question, place: Hashable) -> bool:
        known = question.known[place]
        return question.large and known.exact and bool(known.upper_witness or known.unit == "rectangles")
