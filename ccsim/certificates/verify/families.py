"""Claims about every length at once.

A *family* is a function for every n: an automaton reads n blocks of Alice and n blocks of Bob side by side, pair by
pair, and its last state has the answer. Claims are about all n >= 1. What grows with n is a *count*: the number of
words of length n of a finite automaton, whose recurrence is derived here in exact integers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from .claims import FORMS
from .data import CODES, Refused, TooLarge, fields, integer, items, need
from .matrices import MOST_ROOM, MOST_WORK

FAMILY_FORMAT = "ccsim-certificate-for-every-length"
FAMILY_MEASURES: dict[str, tuple[str, tuple[str, ...]]] = {  # unit, and parameters of the claim
    "deterministic": ("bits", ("answer",)),
    "fooling-set": ("cells", ("code", "answer")),
    "rank": ("", ("code", "field")),
    "one-way-messages": ("messages", ("direction",)),
    "one-way": ("bits", ("direction",)),
}
ALWAYS: dict[tuple[str, str], dict[str, Callable[..., Any]]] = {}  # (measure, side) -> kind of witness -> checker
MOST_COUNTED = 64  # states of an automaton whose words are counted
Triple = tuple[int, int, int]  # Alice's letter, Bob's letter, next state
Count = tuple[list[int], list[int]]
"""The first values of a count, for n = 1, 2, ..., and the recurrence by which the others follow, the nearest first."""


def always(kind: str, *claims: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enter a checker for families in the table, for these claims: side and measure."""

    def enter(checker: Callable[..., Any]) -> Callable[..., Any]:
        for claim in claims:
            side, measure = claim.split(" ", 1)
            ALWAYS.setdefault((measure, side), {})[kind] = checker
        return checker

    return enter


class Family:
    """An automaton that reads pairs: ``table[state][x][y]`` is the next state, ``outputs[state]`` the code."""

    def __init__(self, table: Any, outputs: Any, first: Any, labels: list[Any]) -> None:
        self.left = [MOST_WORK, MOST_ROOM]
        size = len(items(table))
        need(0 < size <= 1 << 12 and bool(items(table[0])) and bool(items(table[0][0])), "an automaton with letters")
        self.alice, self.bob, self.labels = len(table[0]), len(table[0][0]), labels
        need(size * self.alice * self.bob <= 1 << 20, "a table of a readable size", TooLarge)
        self.spend(10 * size * self.alice * self.bob, 10 * size * self.alice * self.bob)
        self.table = [
            [[integer(state, 0, size - 1) for state in items(line, self.bob)] for line in items(lines, self.alice)]
            for lines in table
        ]
        self.outputs = [integer(code, -1, len(labels) - 1) for code in items(outputs, size)]
        self.first = integer(first, 0, size - 1)

    def spend(self, steps: int, room: int = 0) -> None:
        """Refuse what takes too long, or too many bytes."""
        self.left[0] -= steps
        self.left[1] -= room
        need(min(self.left) >= 0, "too much work to check", TooLarge)

    def after_some(self) -> set[int]:
        """The states that are reached by words of one block or more."""
        follow = [{state for line in lines for state in line} for lines in self.table]
        self.spend(len(self.table) * self.alice * self.bob)
        return reached_from(self, follow[self.first], lambda state: follow[state])


def reached_from(family: Family, starts: Iterable[Any], follow: Callable[[Any], Iterable[Any]]) -> set[Any]:
    """All that can be reached from some starts."""
    seen = set(starts)
    stack = list(seen)
    while stack:
        family.spend(20)
        for state in follow(stack.pop()):
            family.spend(20)
            if state not in seen:
                family.spend(100, 250)
                seen.add(state)
                stack.append(state)
    return seen


FAMILIES: dict[str, tuple[Any, list[int]]] = {  # table[state][x][y], and the answer of each state; 0 is the first
    "equality": ([[[0, 1], [1, 0]], [[1, 1], [1, 1]]], [1, 0]),
    "disjointness": ([[[0, 0], [0, 1]], [[1, 1], [1, 1]]], [1, 0]),
    "intersection": ([[[0, 0], [0, 1]], [[1, 1], [1, 1]]], [0, 1]),
    "greater-than": ([[[0, 1], [2, 0]], [[1, 1], [1, 1]], [[2, 2], [2, 2]]], [0, 0, 1]),
    "inner-product": ([[[0, 0], [0, 1]], [[1, 1], [1, 0]]], [0, 1]),
}


def read_family(data: Any) -> Family:
    """A family: a function known here of n bits each, the most significant one first; a table over pairs of letters;
    or a language whose words are dealt by a partition (one letter A or B per position) that is repeated n times."""
    if "function" in data:
        need(isinstance(fields(data, "function")[0], str), "the name of a function")
        need(data["function"] in FAMILIES, f"a function known here is one of {', '.join(FAMILIES)}")
        return Family(*FAMILIES[data["function"]], 0, [0, 1])
    if "partition" in data:
        return dealt(*fields(data, "symbols", "table", "outputs", "first", "labels", "partition"))
    table, outputs, first, labels = fields(data, "table", "outputs", "first", "labels")
    return Family(table, outputs, first, read_labels(labels))


def read_labels(labels: Any) -> list[Any]:
    """Different answers, texts or integers."""
    need(all(type(label) in (str, int) for label in items(labels)), "labels are texts or integers")
    need(0 < len(set(labels)) == len(labels) <= CODES, "different labels")
    return list(labels)


def dealt(symbols: Any, table: Any, outputs: Any, first: Any, labels: Any, partition: Any) -> Family:
    """The family of a language: a block of a party is its letters in one turn of the partition, the first one most
    significant."""
    size, count = len(read_labels(symbols)), len(items(table))
    good = isinstance(partition, str) and re.fullmatch("[AB]{1,16}", partition)
    need(bool(good) and {"A", "B"} == set(partition), "a partition is a text of letters A and B, at least one of each")
    need(count * size ** len(partition) <= 1 << 20, "a table of a readable size", TooLarge)
    lines = [[integer(state, 0, count - 1) for state in items(line, size)] for line in table]
    mine = [partition[:place].count(partition[place]) for place in range(len(partition))]
    powers = [size ** (partition.count(owner) - 1 - place) for owner, place in zip(partition, mine, strict=True)]

    def after(state: int, x: int, y: int) -> int:
        for owner, power in zip(partition, powers, strict=True):
            state = lines[state][(x if owner == "A" else y) // power % size]
        return state

    blocks = [range(size ** partition.count(owner)) for owner in "AB"]
    pairs = [[[after(state, x, y) for y in blocks[1]] for x in blocks[0]] for state in range(count)]
    return Family(pairs, outputs, first, read_labels(labels))


class FamilyClaim:
    """One side of a measure of a family, with its parameters."""

    def __init__(self, family: Family, measure: Any, side: Any, parameters: Any) -> None:
        need(isinstance(measure, str) and measure in FAMILY_MEASURES, "a measure that is known")
        names = FAMILY_MEASURES[measure][1]
        for name, value in zip(names, fields(parameters, *names), strict=True):
            need(FORMS[name](value), f"another value of {name}")
        need(side in ("lower", "upper"), "a side is lower or upper")
        code = parameters.get("code")
        need(code is None or code < len(family.labels), "a claim about none of the labels")
        self.family, self.measure, self.side, self.parameters = family, measure, side, parameters
        self.answer = parameters.get("answer", "both")

    def proved(self, witness: Any) -> Any:
        """The bound that a witness proves: a count from below, from above bits per block and bits at the end."""
        need(isinstance(witness, dict) and isinstance(witness.get("kind"), str), "a witness has a kind")
        checker = ALWAYS.get((self.measure, self.side), {}).get(witness["kind"])
        if checker is None:
            raise Refused(f"this kind of witness proves no {self.side} bound on {self.measure} for every length")
        names = checker.__code__.co_varnames[1 : checker.__code__.co_argcount]
        return checker(self, *fields(witness, "kind", *names)[1:])
