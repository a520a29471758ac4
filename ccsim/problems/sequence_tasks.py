"""Tasks on words, machines that read them, and the two-party functions that they become under a partition of
positions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, cast

import numpy as np

from ccsim.errors import Array, InputError, format_count, require_integer, require_memory
from ccsim.lazy import Renamed
from ccsim.plain_data import counted
from ccsim.problems.function import TwoPartyFunction
from ccsim.problems.inputs import Words
from ccsim.tables import DONT_CARE, code_type


@dataclass(frozen=True, eq=False)
class TaskMachine:
    """A task as a deterministic machine: equal states mean that every end of the word has the same answer.

    A task is followed on all words at once as long as its states, int64 rows, are few (Myhill 1957, Nerode 1958);
    before the first symbol it is in ``start``, of shape (units,).

    Attributes:
        step: takes states (batch, units), ranks of symbols (batch,), and the position 1, 2, ... of that symbol.
        codes: the answer codes (batch,) of states after the last symbol, ``DONT_CARE`` (-1) off the promise.
        every_length: whether steps do not depend on the position, and words of other lengths are read in the same way.
        separate: takes two states (units,) and how many symbols were read; returns the ranks of an end of the word on
            which the two answers are given and differ, or None if it finds none.
        fooling: takes bits (batch, :attr:`fooling_bits`) and returns words (batch, N) of ranks, all with one answer,
            such that first halves and second halves of two different ones, put together, do not have it.
    """

    start: Array
    step: Callable[[Array, Array, int], Array] = field(repr=False)
    codes: Callable[[Array], Array] = field(repr=False)
    every_length: bool = False
    separate: Callable[[Array, Array, int], Array | None] | None = field(default=None, repr=False)
    fooling: Callable[[Array], Array] | None = field(default=None, repr=False)
    fooling_bits: int = 0


def table_machine(table: Array, start: int, outputs: Array) -> TaskMachine:
    return TaskMachine(
        np.array([start], dtype=np.int64),
        lambda states, symbols, position: np.asarray(table[states[:, 0], symbols], dtype=np.int64)[:, None],
        lambda states: np.asarray(outputs[states[:, 0]], dtype=np.int64),
        True,
    )


@dataclass(frozen=True)
class Digits:
    """Digits 0, ..., base - 1, many in each number: how machines keep what they have read."""

    base: int
    count: int

    @cached_property
    def each(self) -> int:
        fit = 1
        while fit < self.count and self.base ** (fit + 1) < 1 << 62:
            fit += 1
        return fit

    @cached_property
    def powers(self) -> Array:
        return np.array([self.base**power for power in range(self.each)], dtype=np.int64)

    @property
    def units(self) -> int:
        return max(1, -(-self.count // self.each))

    def get(self, rows: Array, place: int | Array) -> Array:
        powers = self.powers[place % self.each]
        return np.asarray(rows[np.arange(len(rows)), place // self.each] // powers % self.base)

    def put(self, rows: Array, place: int, digits: Array) -> Array:
        """The rows with these digits added at a place that holds 0."""
        result = rows.copy()
        result[:, place // self.each] += digits * self.base ** (place % self.each)
        return result

    def clear(self, rows: Array, place: int) -> Array:
        return self.put(rows, place, -self.get(rows, place))

    def rows(self, rows: Array) -> Array:
        digits = rows[:, : self.units, None] // self.powers % self.base
        return np.asarray(digits.reshape(len(rows), -1)[:, : self.count])


@dataclass(frozen=True)
class Partition:
    """The positions 1, 2, ... of a word, each given to Alice or to Bob: one letter A or B per position.

    Args:
        owners: such as ``"AAB"``, as long as the words.

    >>> partition = Partition("ABBA")
    >>> partition.alice, partition.bob, partition.split("wxyz")
    ((1, 4), (2, 3), (('w', 'z'), ('x', 'y')))
    """

    owners: str

    def __post_init__(self) -> None:
        if not isinstance(self.owners, str) or not self.owners or set(self.owners) - set("AB"):
            raise InputError("owners", self.owners, "a text of one or more letters A and B")

    @classmethod
    def of(cls, length: int, *, alice: Iterable[int], bob: Iterable[int] | None = None) -> Partition:
        """The partition with these positions, counted from 1; Bob gets the rest if his are not given.

        A position that is outside the word, given twice, or given to nobody is an error.

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
        """Alice holds the first ``split`` positions, Bob the rest."""
        length = require_integer("length", length, low=1)
        split = require_integer("split", split, low=0, high=length)
        return cls("A" * split + "B" * (length - split))

    @classmethod
    def odd_even(cls, length: int) -> Partition:
        """Alice holds the odd positions 1, 3, ..., Bob the even ones."""
        length = require_integer("length", length, low=1)
        return cls(("AB" * length)[:length])

    @classmethod
    def all(cls, length: int) -> Iterator[Partition]:
        """All 2^length partitions, in the order of their letters."""
        length = require_integer("length", length, low=1)
        return (cls("".join(owners)) for owners in itertools.product("AB", repeat=length))

    @property
    def length(self) -> int:
        """How many positions there are."""
        return len(self.owners)

    @cached_property
    def alice(self) -> tuple[int, ...]:
        """Alice's positions in order, counted from 1."""
        return tuple(place for place, owner in enumerate(self.owners, start=1) if owner == "A")

    @cached_property
    def bob(self) -> tuple[int, ...]:
        """Bob's positions in order, counted from 1."""
        return self.swap().alice

    def split(self, word: Sequence[Any]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The symbols of a word that Alice holds, and those that Bob holds."""
        if len(word) != self.length:
            raise InputError("word", word, f"{counted(self.length, 'symbol')}, not {len(word)}")
        return tuple(word[place - 1] for place in self.alice), tuple(word[place - 1] for place in self.bob)

    deal = Renamed("split")

    def join(self, x: Sequence[Any], y: Sequence[Any]) -> tuple[Any, ...]:
        """The word that Alice's symbols ``x`` and Bob's ``y`` make: the inverse of :meth:`split`."""
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


BLOCK_WORDS = 1 << 16  # how many words are evaluated at once


@dataclass(frozen=True, eq=False)
class SequenceTask:
    """A function of one word, total or under a promise.

    Attributes:
        words: the words: which symbols each position may have.
        answers: every possible answer; an answer's place is its code.
        evaluate: takes an array whose last axis is the position, of ranks of symbols in :attr:`alphabet`, and
            returns an integer array of answer codes, ``DONT_CARE`` (-1) off the promise; each call is held to that.
        machine: the same function read from left to right with a state, where one is known.
        name, note: what tables and errors call it, and what it computes, in words.

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
        for start in range(0, self.words.size, BLOCK_WORDS):
            stop = min(start + BLOCK_WORDS, self.words.size)
            indices = np.arange(stop - start) + (start if stop < 1 << 62 else np.array(start, dtype=object))
            yield start, self.evaluate(self.words.array(indices))

    def split(self, partition: Partition) -> SplitTask:
        """The two-party function in which each party holds its positions of the word.

        >>> from ccsim.problems import dyck
        >>> dyck(4).split(Partition.odd_even(4)).split("([])")
        ('(]', '[)')
        """
        if not isinstance(partition, Partition) or partition.length != self.length:
            raise InputError("partition", partition, f"a partition of {self.length} positions")
        sides = partition.alice, partition.bob
        parts = tuple(Words(tuple(self.positions[place - 1] for place in places)) for places in sides)
        lookups: list[Array] = [part.numbered(self.alphabet).astype(self.words.kind) for part in parts]

        def evaluate(x: Array, y: Array) -> Array:
            shape = np.broadcast_shapes(x.shape[:-1], y.shape[:-1])
            columns = np.empty((self.length, *shape), dtype=self.words.kind)  # each position in one piece
            for places, lookup, held in zip(sides, lookups, (x, y), strict=True):
                for order, place in enumerate(places):
                    columns[place - 1] = lookup[held[..., order]]
            return np.asarray(self.evaluate(np.moveaxis(columns, 0, -1)))

        kept: dict[str, Any] = {"note": self.note, "returns": "codes", "task": self, "partition": partition}
        return SplitTask(f"{self.name} split {partition}", parts, self.answers, evaluate, **kept)


def _codes(name: str, answers: tuple[Hashable, ...], evaluate: Callable[[Array], Any], words: Array) -> Array:
    given = np.asarray(evaluate(words))
    if given.shape != np.shape(words)[:-1] or given.dtype.kind not in "biuf":
        shown = f"{given.dtype} of shape {given.shape} for words of shape {np.shape(words)}"
        raise InputError(f"what {name} evaluates to", shown, "one code for each word: a place in its answers, or -1")
    codes = given.astype(np.int64) if given.dtype.kind in "bf" else given
    least = 0 if DONT_CARE in answers else DONT_CARE  # an answer -1 is not taken for "off the promise"
    wrong = given[(codes != given) | (codes < least) | (codes >= len(answers))]
    if wrong.size:
        expected = f"codes: places in the answers {answers[:6]}{', or -1 off the promise' * (least < 0)}"
        raise InputError(f"what {name} evaluates to", wrong.flat[0].item(), expected)
    return codes


@dataclass(frozen=True, eq=False)
class SplitTask(TwoPartyFunction):
    """A task on whole words whose positions a partition gives to Alice and Bob; made by :meth:`SequenceTask.split`."""

    task: SequenceTask = field(kw_only=True, repr=False)
    partition: Partition = field(kw_only=True)

    def split(self, word: Hashable) -> tuple[Any, Any]:
        """Alice's and Bob's inputs when the whole word is this one."""
        self.task.words.index(word)
        x, y = self.partition.split(tuple(cast(Any, word)))
        alice, bob = cast(tuple[Words, Words], self.inputs)
        return alice.word(x), bob.word(y)

    deal = Renamed("split")

    def join(self, x: Hashable, y: Hashable) -> Any:
        """The whole word when Alice and Bob hold these inputs."""
        self.alice.index(x)
        self.bob.index(y)
        return self.task.words.word(self.partition.join(tuple(cast(Any, x)), tuple(cast(Any, y))))
