"""A function for every n: a finite automaton reads the blocks of the two parties side by side."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ccsim.arguments import require_integer, require_symbols
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.automata.automaton import Automaton
from ccsim.problems.function import TwoPartyFunction
from ccsim.problems.words import Words


@dataclass(frozen=True, eq=False)
class RegularFamily:
    """The functions f_n of n letters of Alice and n of Bob, for every n >= 1, given by one automaton over pairs.

    Attributes:
        name: what it is called.
        alice, bob: the letters of each party; a letter may stand for a block of symbols.
        table: ``table[state, x, y]`` is the next state, by the places of the two letters.
        outputs: for each state, the code of the answer if it is the last one; -1 where the answer is free.
        first: the state at the start.
        answers: every possible answer; an answer's place is its code.
        said: how a certificate names it, as plain data; the table itself if that is empty.

    >>> from ccsim.families import named_family
    >>> named_family("equality").at(2).matrix.codes.tolist()
    [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    """

    name: str
    alice: tuple[Hashable, ...]
    bob: tuple[Hashable, ...]
    table: Array = field(repr=False)
    outputs: Array = field(repr=False)
    first: int = field(default=0, repr=False)
    answers: tuple[Hashable, ...] = (0, 1)
    said: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for argument in ("alice", "bob", "answers"):
            object.__setattr__(self, argument, require_symbols(argument, getattr(self, argument)))
        table, outputs = (np.asarray(values, dtype=np.int64) for values in (self.table, self.outputs))
        if table.ndim != 3 or not len(table) or table.shape[1:] != (len(self.alice), len(self.bob)):
            raise InputError("table", table.shape, f"(states, {len(self.alice)}, {len(self.bob)})")
        if table.min() < 0 or table.max() >= len(table):
            raise InputError("table", int(table.max()), f"states from 0 to {len(table) - 1}")
        if outputs.shape != (len(table),) or outputs.min() < -1 or outputs.max() >= len(self.answers):
            raise InputError("outputs", outputs.shape, f"a code from -1 to {len(self.answers) - 1} for each state")
        object.__setattr__(self, "table", table)
        object.__setattr__(self, "outputs", outputs)
        object.__setattr__(self, "first", require_integer("first", self.first, low=0, high=len(table) - 1))

    @property
    def states(self) -> int:
        """How many states the automaton has."""
        return len(self.table)

    def at(self, n: int) -> TwoPartyFunction:
        """The function of n letters each."""
        n = require_integer("n", n, low=1)
        table, outputs = self.table, self.outputs

        def evaluate(x: Array, y: Array) -> Array:
            states = np.full(np.broadcast_shapes(x.shape[:-1], y.shape[:-1]), self.first)
            for place in range(n):
                states = table[states, x[..., place], y[..., place]]
            return np.asarray(outputs[states])

        inputs = (Words.over(self.alice, n), Words.over(self.bob, n))
        return TwoPartyFunction(f"{self.name}, n = {n}", inputs, self.answers, evaluate, returns="codes")

    def to_json(self) -> dict[str, Any]:
        """As certificates have it."""
        labels = [label if type(label) is int else str(label) for label in self.answers]
        plain = {
            "table": self.table.tolist(),
            "outputs": self.outputs.tolist(),
            "first": self.first,
            "labels": labels,
        }
        return dict(self.said) or plain

    def power(self, blocks: int) -> RegularFamily:
        """The same functions at the multiples of a length: so many letters are one.

        >>> from ccsim.families import named_family
        >>> named_family("equality").power(2).alice
        (('0', '0'), ('0', '1'), ('1', '0'), ('1', '1'))
        """
        blocks = require_integer("blocks", blocks, low=1)
        words = [list(np.ndindex(*(len(letters),) * blocks)) for letters in (self.alice, self.bob)]
        x: Array = np.array(words[0])
        y: Array = np.array(words[1])
        states = np.broadcast_to(np.arange(self.states)[:, None, None], (self.states, len(x), len(y)))
        for place in range(blocks):
            states = self.table[states, x[None, :, None, place], y[None, None, :, place]]
        alice, bob = (
            tuple(tuple(own[place] for place in word) for word in part)
            for own, part in zip((self.alice, self.bob), words, strict=True)
        )
        name = f"{self.name}, {blocks} at once"
        return RegularFamily(name, alice, bob, states, self.outputs, self.first, self.answers)

    @cached_property
    def merged(self) -> MergedFamily:
        """The least automaton, with letters that always do the same taken together.

        >>> from ccsim.families import named_family
        >>> named_family("disjointness").merged.family.table.tolist()
        [[[0, 0], [0, 1]], [[1, 1], [1, 1]]]
        """
        flat = self.table.reshape(self.states, -1)
        codes = self.outputs + 1  # free cells are an answer of their own
        automaton = Automaton.of(range(flat.shape[1]), flat, codes, self.first, ("free", *range(len(self.answers))))
        least = automaton.minimise()
        table = least.table.reshape(least.states, len(self.alice), len(self.bob))
        (rows, row_class), (columns, column_class) = (_different(table, axis) for axis in (1, 2))
        small = RegularFamily(
            self.name,
            tuple(self.alice[row] for row in rows),
            tuple(self.bob[column] for column in columns),
            table[:, rows][:, :, columns],
            np.asarray(least.outputs) - 1,
            least.first,
            self.answers,
        )
        return MergedFamily(small, *(tuple(part.tolist()) for part in (rows, columns, row_class, column_class)))


class MergedFamily(NamedTuple):
    """A least family; for each of its letters the place of one that it stands for, and for each letter its class."""

    family: RegularFamily
    alice: tuple[int, ...]
    bob: tuple[int, ...]
    alice_class: tuple[int, ...]
    bob_class: tuple[int, ...]


def _different(table: Array, axis: int) -> tuple[Array, Array]:
    """The first of each kind of letters along an axis, in order, and for each letter its kind."""
    lines = np.moveaxis(table, axis, 0).reshape(table.shape[axis], -1)
    _, first, kinds = np.unique(lines, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return first[order], np.argsort(order)[kinds.reshape(-1)]
