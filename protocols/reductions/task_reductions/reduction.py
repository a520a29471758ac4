"""Reductions: how a protocol for one function, or for one task on words, becomes a protocol for another."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.engine import Protocol
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.problems import Partition, SequenceTask, TwoPartyFunction
from protocols.reductions.task_reductions.decoding import decoded_codes
from protocols.reductions.task_reductions.encoding import Encoding, unchanged
from protocols.reductions.task_reductions.pulling import pulled

BLOCK_CELLS = 1 << 18  # how many cells of a target are evaluated at once
MOST_CELLS = 1 << 26
"""The most inputs that :meth:`Reduction.check` goes through."""


@dataclass(frozen=True)
class Counterexample:
    """Inputs on which a reduction is wrong.

    Attributes:
        x, y: Alice's and Bob's inputs to the source.
        encoded: what they become, Alice's and Bob's.
        answer: the target's answer there, None off its promise.
        decoded: what that is decoded to.
        expected: the source's answer.
    """

    x: Hashable
    y: Hashable
    encoded: tuple[Any, Any]
    answer: Hashable
    decoded: Hashable
    expected: Hashable


@dataclass(frozen=True, eq=False, kw_only=True)
class Reduction(Encoding):
    """source(x, y) = decode(target(encode_alice(x), encode_bob(y))) for all x and y.

    Nothing is said while encoding, so whatever a protocol for the target costs is enough for the source:
    every lower bound on the source holds for the target. Its attributes are those of an ``Encoding``.
    """

    def check(self) -> Counterexample | None:
        """The first promised input on which the reduction is wrong, or None: every input is tried.

        Raises :class:`~ccsim.errors.InputError` for a source with more than 2^26 inputs.
        """
        rows, columns = self.source.shape
        if rows * columns > MOST_CELLS:
            raise InputError("source", self.source.name, f"at most {MOST_CELLS} inputs to try, not {rows * columns}")
        step = max(1, BLOCK_CELLS // columns)
        for start in range(0, rows, step):
            codes, decoded = self._block(start, min(start + step, rows))
            expected = self.source.codes[start : start + step]
            wrong = np.argwhere((expected != DONT_CARE) & (decoded != expected))
            if len(wrong):
                row, column = (int(place) for place in wrong[0])
                return self._counterexample(start + row, column, int(codes[row, column]))
        return None

    def _block(self, start: int, stop: int) -> tuple[Array, Array]:
        """The target's codes on some rows of the source, and what they are decoded to."""
        x, y = self.places
        target, columns = self.target, self.source.shape[1]
        rows = target.alice.array(x[start:stop])
        codes = np.broadcast_to(
            target.evaluate(rows[:, None], target.bob.array(y)[None, :]), (stop - start, columns)
        ).astype(np.int64)
        own = np.arange(start, stop)[:, None] if self.reader == "alice" else np.arange(columns)[None, :]
        return codes, decoded_codes(self, target.answers, codes, np.broadcast_to(own, codes.shape))

    def _counterexample(self, row: int, column: int, code: int) -> Counterexample:
        x, y = self.source.alice.value(row), self.source.bob.value(column)
        answer = None if code == DONT_CARE else self.target.answers[code]
        decoded = None if answer is None else self.read(answer, x if self.reader == "alice" else y)
        return Counterexample(x, y, (self.alice(x), self.bob(y)), answer, decoded, self.source(x, y))

    def pull(self, protocol: Protocol, claim: str = "source", shared: Iterable[str] = ()) -> Protocol:
        """A protocol for the source out of one for the target: the same messages, at the same cost.

        The protocol's function must take everything that the encodings make, and give answers of the target:
        it may be the target, or what a model computes on words of the same length. The protocol is run as it is.

        Args:
            protocol: for the target, between Alice and Bob.
            claim: ``"source"`` if the result claims to compute the source, so that exploring it finds an input
                where a wrong model does not; ``"model"`` if it claims what the protocol's own function gives on
                the encodings, decoded, right or wrong.
            shared: names of first fields of the protocol's schedule that are the same for every source input, so
                that both know them and they are not sent; the cost is less by their bits.

        Raises :class:`~ccsim.errors.InputError` for a protocol that does not fit, and for fields that are not shared.
        """
        return pulled(self, protocol, claim, tuple(shared))

    def then(self, other: Reduction) -> Reduction:
        """This reduction and then one of its target: source -> target -> the other's target."""
        self._require_source(other)
        reader = other.reader if self.reader == "both" else self.reader
        if "both" not in (self.reader, other.reader) and self.reader != other.reader:
            raise InputError("other", other.name, f"a reduction that {self.reader} can decode")
        encode = self.bob if reader == "bob" else self.alice

        def decode(answer: Hashable, *own: Hashable) -> Any:
            if not own:
                return self.decode(other.decode(answer))
            return self.read(other.read(answer, encode(own[0])), own[0])

        return replace(
            other,
            name=f"{self.name}, then {other.name}",
            source=self.source,
            encode_alice=lambda x: other.encode_alice(self.alice(x)),
            encode_bob=lambda y: other.encode_bob(self.bob(y)),
            decode=decode,
            reader=reader,
            note=f"{self.note}; {other.note}" if self.note else other.note,
            citation=other.citation or self.citation,
        )

    def _require_source(self, other: Reduction) -> None:
        mine, its = self.target, other.source
        same = mine.inputs == its.inputs and mine.answers == its.answers
        if not same or (mine.name != its.name and not np.array_equal(mine.codes, its.codes)):
            raise InputError("other", other.name, f"a reduction of {mine.name}, not of {its.name}")


@dataclass(frozen=True, eq=False, kw_only=True)
class FunctionReduction(Reduction):
    """A reduction of one two-party function to another, ``onto``; see :class:`Reduction`."""

    onto: TwoPartyFunction

    @property
    def target(self) -> TwoPartyFunction:
        """The function ``onto``."""
        return self.onto


@dataclass(frozen=True, eq=False, kw_only=True)
class TaskReduction(Reduction):
    """A reduction of a two-party function to a task on words; see :class:`Reduction`.

    Alice and Bob write their inputs into their positions of a word, and the task's answer on that word,
    decoded, is the function's answer. What they encode to are the symbols at their positions, in order.

    Attributes:
        task: the task on words.
        partition: who writes at which position.

    >>> from protocols.reductions.task_reductions import reduce
    >>> lookup = reduce("index", "index-lookup", n=3)
    >>> lookup.word("011", 2), lookup.check() is None
    (('0', '1', '1', 2), True)
    """

    task: SequenceTask
    partition: Partition

    @cached_property
    def target(self) -> TwoPartyFunction:
        """The task, split among the parties."""
        return self.task.split(self.partition)

    def word(self, x: Hashable, y: Hashable) -> Any:
        """The word that Alice and Bob write together when they hold ``x`` and ``y``."""
        return self.task.words.word(self.partition.join(tuple(self.alice(x)), tuple(self.bob(y))))


def negation(source: TwoPartyFunction, target: TwoPartyFunction) -> FunctionReduction:
    """A Boolean function from its opposite on the same inputs: the answer is turned round.

    >>> from ccsim.problems import disjointness, intersection
    >>> negation(disjointness(2), intersection(2)).check() is None
    True
    """
    if not source.is_boolean or not target.is_boolean or source.inputs != target.inputs:
        raise InputError("target", target.name, f"a Boolean function on the inputs of {source.name}")
    return FunctionReduction(
        name=f"not {target.name}",
        source=source,
        onto=target,
        encode_alice=unchanged,
        encode_bob=unchanged,
        decode=lambda answer: 1 - answer,
        note="the opposite answer",
    )
