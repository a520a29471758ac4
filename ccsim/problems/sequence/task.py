"""Tasks on words, and the two-party functions that they become when the positions are dealt out."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import numpy as np

from ccsim.arrays import Array
from ccsim.cells import DONT_CARE, code_type
from ccsim.errors import InputError
from ccsim.memory import format_count, require_memory
from ccsim.problems.function import TwoPartyFunction
from ccsim.problems.sequence.machine import TaskMachine
from ccsim.problems.sequence.partition import Partition
from ccsim.problems.words import Words

BLOCK_WORDS = 1 << 16  # how many words are evaluated at once


@dataclass(frozen=True, eq=False)
class SequenceTask:
    """A function of one word, total or under a promise.

    Attributes:
        name: what it is called, with its parameters.
        words: the words: which symbols each position may have.
        answers: every possible answer; an answer's place is its code.
        evaluate: takes an array whose last axis is the position, of ranks of symbols in :attr:`alphabet`, and
            returns an integer array of answer codes, ``DONT_CARE`` (-1) off the promise; each call is held to that.
        note: one line for people.
        machine: the same function read from left to right with a state, where one is known.

    >>> from ccsim.problems import dyck
    >>> dyck(4)("([])"), dyck(4)("([)]"), len(list(dyck(4).accepted()))
    (1, 0, 8)
    """

    name: str
    words: Words
    answers: tuple[Hashable, ...]
    evaluate: Callable[[Array], Array] = field(repr=False)
    note: str = field(default="", repr=False)
    machine: TaskMachine | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not self.words.positions:
            raise InputError("words", self.words, "words of at least one symbol")
        if not self.answers or len(set(self.answers)) != len(self.answers):
            raise InputError("answers", self.answers, "one or more answers, all different")
        object.__setattr__(self, "evaluate", partial(_codes, self.name, self.answers, self.evaluate))

    @property
    def length(self) -> int:
        """How many positions a word has."""
        return len(self.words.positions)

    @property
    def positions(self) -> tuple[tuple[Hashable, ...], ...]:
        """For each position, the symbols that it may have."""
        return self.words.positions

    @property
    def alphabet(self) -> tuple[Hashable, ...]:
        """Every symbol of some position; a symbol's place is its rank in the arrays of ``evaluate``."""
        return self.words.alphabet

    @property
    def is_boolean(self) -> bool:
        """Whether the answers are 0 and 1."""
        return self.answers == (0, 1)

    def __call__(self, word: Hashable) -> Any:
        """The answer on one word, or None outside the promise."""
        code = int(self.evaluate(self.words.ranks(word)[None])[0])
        return None if code == DONT_CARE else self.answers[code]

    def codes(self) -> Array:
        """The answer codes on all words, in the order of ``words``; -1 off the promise.

        Raises :class:`~ccsim.errors.TableTooLargeError` before allocating what cannot fit.
        """
        kind = np.dtype(code_type(len(self.answers)))
        words = f"{format_count(self.words.size)} words"
        require_memory(self.words.size * kind.itemsize, f"the table of {self.name} ({words})")
        table = np.empty(self.words.size, dtype=kind)
        for start, codes in self._blocks():
            table[start : start + len(codes)] = codes
        return table

    def accepted(self) -> Iterator[Any]:
        """The words on which a Boolean task is 1, in order, found block by block."""
        if not self.is_boolean:
            raise InputError("task", self.name, f"a Boolean task, not one with answers {self.answers[:6]}")
        return (
            self.words.value(start + int(place))
            for start, codes in self._blocks()
            for place in np.flatnonzero(codes == 1)
        )

    def _blocks(self) -> Iterator[tuple[int, Array]]:
        """The codes of consecutive words, with the index of the first of them."""
        for start in range(0, self.words.size, BLOCK_WORDS):
            stop = min(start + BLOCK_WORDS, self.words.size)
            indices = np.arange(stop - start) + (start if stop < 1 << 62 else np.array(start, dtype=object))
            yield start, self.evaluate(self.words.array(indices))

    def split(self, partition: Partition) -> SplitTask:
        """The two-party function in which each party holds its positions of the word.

        >>> from ccsim.problems import dyck
        >>> dyck(4).split(Partition.odd_even(4)).deal("([])")
        ('(]', '[)')
        """
        if not isinstance(partition, Partition) or partition.length != self.length:
            raise InputError("partition", partition, f"a partition of {self.length} positions")
        parts = [
            Words(tuple(self.positions[place - 1] for place in places)) for places in (partition.alice, partition.bob)
        ]
        lookups = [self._lookup(part) for part in parts]
        kind = lookups[0].dtype

        def evaluate(x: Array, y: Array) -> Array:
            shape = np.broadcast_shapes(x.shape[:-1], y.shape[:-1])
            columns = np.empty((self.length, *shape), dtype=kind)  # each position in one piece
            for places, lookup, held in zip((partition.alice, partition.bob), lookups, (x, y), strict=True):
                for order, place in enumerate(places):
                    columns[place - 1] = lookup[held[..., order]]
            return np.asarray(self.evaluate(np.moveaxis(columns, 0, -1)))

        name = f"{self.name} split {partition}"
        inputs = (parts[0], parts[1])
        kept: dict[str, Any] = {"note": self.note, "returns": "codes", "task": self, "partition": partition}
        return SplitTask(name, inputs, self.answers, evaluate, **kept)

    def _lookup(self, part: Words) -> Array:
        """For each rank in the alphabet of some positions, the rank in the alphabet of all."""
        rank = {symbol: place for place, symbol in enumerate(self.alphabet)}
        kind = np.uint8 if len(rank) <= 256 else np.int32
        return np.array([rank[symbol] for symbol in part.alphabet], dtype=kind)


def _codes(name: str, answers: tuple[Hashable, ...], evaluate: Callable[[Array], Any], words: Array) -> Array:
    """What a task evaluates to, if these are codes: one whole number for each word, each a place in ``answers`` or -1.

    With -1 among the answers a value of -1 may be meant as that answer: it is not taken for "off the promise".
    """
    given = np.asarray(evaluate(words))
    said = f"what {name} evaluates to"
    if given.shape != np.shape(words)[:-1] or given.dtype.kind not in "biuf":
        told = f"{given.dtype} of shape {given.shape} for words of shape {np.shape(words)}"
        raise InputError(said, told, "one code for each word: a place in its answers, or -1")
    codes = given.astype(np.int64) if given.dtype.kind in "bf" else given
    least = 0 if DONT_CARE in answers else DONT_CARE
    wrong = given[(codes != given) | (codes < least) | (codes >= len(answers))]
    if wrong.size:
        expected = f"codes: places in the answers {answers[:6]}{', or -1 off the promise' * (least < 0)}"
        raise InputError(said, wrong.flat[0].item(), expected)
    return codes


@dataclass(frozen=True, eq=False)
class SplitTask(TwoPartyFunction):
    """A task on words whose positions are dealt out to Alice and Bob; made by :meth:`SequenceTask.split`.

    Attributes:
        task: the task on whole words.
        partition: who holds which position.
    """

    task: SequenceTask = field(kw_only=True, repr=False)
    partition: Partition = field(kw_only=True)

    def deal(self, word: Hashable) -> tuple[Any, Any]:
        """Alice's and Bob's inputs when the whole word is this one."""
        self.task.words.index(word)
        x, y = self.partition.deal(tuple(cast(Any, word)))
        return self._words(0).word(x), self._words(1).word(y)

    def join(self, x: Hashable, y: Hashable) -> Any:
        """The whole word when Alice and Bob hold these inputs."""
        self.alice.index(x)
        self.bob.index(y)
        return self.task.words.word(self.partition.join(tuple(cast(Any, x)), tuple(cast(Any, y))))

    def _words(self, party: int) -> Words:
        words = self.inputs[party]
        assert isinstance(words, Words)
        return words
