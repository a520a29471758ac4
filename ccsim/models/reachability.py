"""Reachable states: numbered breadth first, with a shortest word to each, and merged where they are equivalent.

Hashable states are followed one by one. States that are rows of integers are stepped many at once, where each different
row is kept once, with the first way to it: a history of such ways gives the words back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from ccsim.errors import Array

State = TypeVar("State", bound=Hashable)
Step = Callable[[Array, Array, int], Array]
"""Takes states (batch, units), symbols (batch,) and the position; returns the states after."""
History = tuple[tuple[Array, Array], ...]
"""For each position, where each state came from (state before * symbols + symbol), and the symbols."""

BLOCK_ENTRIES = 1 << 18  # numbers that are stepped at once


def reached(
    starts: Iterable[State], follow: Callable[[State], Iterable[State]], most: float = math.inf
) -> tuple[list[State], list[list[int]]]:
    """The states reached breadth first, and for each those after it; incomplete with more than ``most`` states."""
    states, table = list(starts), list[list[int]]()
    number = {state: place for place, state in enumerate(states)}
    for state in states:
        row = []
        for after in follow(state):
            if after not in number:
                number[after] = len(states)
                states.append(after)
            row.append(number[after])
        table.append(row)
        if len(states) > most:
            break
    return states, table


def shortest_words(table: Iterable[Iterable[int]]) -> list[tuple[int, ...]]:
    """The first shortest word to each state, by a table numbered as by :func:`reached`."""
    words: list[tuple[int, ...]] = [()]
    for state, row in enumerate(table):
        for place, after in enumerate(row):
            if after == len(words):
                words.append((*words[state], place))
    return words


def leading_to(goals: Iterable[int], table: Sequence[Iterable[int]]) -> set[int]:
    states = set(goals)
    while more := {state for state, row in enumerate(table) if not states.isdisjoint(row)} - states:
        states |= more
    return states


def refined(table: Array, classes: Array) -> tuple[Array, Array]:
    """The first state of each class of states that no word distinguishes (Moore 1956), and each state's class."""
    count = 0
    while True:
        first, classes = kinds_of_rows(np.concatenate([classes[:, None], classes[table]], axis=1))
        if len(first) == count:
            return first, classes
        count = len(first)


def kinds_of_rows(rows: Array) -> tuple[Array, Array]:
    _, first, kinds = different_rows(rows)
    order = np.argsort(first)
    return first[order], np.argsort(order)[kinds]


def all_steps(rows: Array, symbols: Array, position: int, step: Step) -> tuple[Array, Array, Array]:
    """The different states after every state and symbol, the first way to each, and each way's state."""
    states, firsts, numbers = list[Array](), list[Array](), list[Array]()
    for before, read in blocks(rows, symbols):
        after, first, own = different_rows(step(before, read, position))
        firsts.append(first + sum(map(len, numbers)))
        numbers.append(own + sum(map(len, states)))
        states.append(after)
    if len(states) == 1:
        return states[0], firsts[0], numbers[0]
    together, first, own = different_rows(np.concatenate(states))
    return together, np.concatenate(firsts)[first], own[np.concatenate(numbers)]


def blocks(rows: Array, symbols: Array) -> Iterator[tuple[Array, Array]]:
    for numbers, read in numbered_blocks(len(rows), symbols, max(1, BLOCK_ENTRIES // max(1, rows.shape[1]))):
        yield rows[numbers], read


def numbered_blocks(count: int, symbols: Array, size: int) -> Iterator[tuple[Array, Array]]:
    """All pairs of the number of a state and a symbol, symbols first, in blocks of so many pairs."""
    for start in range(0, count * len(symbols), size):
        ways = np.arange(start, min(start + size, count * len(symbols)))
        yield ways // len(symbols), symbols[ways % len(symbols)]


def side_by_side(units: int, one: Step, two: Step) -> Step:
    def step(states: Array, read: Array, position: int) -> Array:
        after = one(states[:, :units], read, position), two(states[:, units:], read, position)
        return np.concatenate(after, axis=1)

    return step


def suffix_classes(tables: Sequence[Array], rows: Array) -> Iterator[tuple[Array, Array]]:
    """The classes of states that no suffix distinguishes (Myhill 1957, Nerode 1958), from the last position back.

    ``tables`` has for each position the next states, (states, symbols); ``rows`` (states, units) distinguishes the last
    states. Yields at each position, for each class the classes that the symbols lead to (the different rows at the last
    one); and for each state its class.
    """
    kept, _, classes = different_rows(rows)
    yield kept, classes
    for table in reversed(tables):
        kept, _, classes = different_rows(classes[table])
        yield kept, classes


def trace_back(history: Sequence[tuple[Array, Array]], place: int) -> Array:
    symbols: list[int] = []
    for came_from, read in reversed(history):
        place, symbol = divmod(int(came_from[place]), len(read))
        symbols.append(int(read[symbol]))
    return np.array(symbols[::-1], dtype=np.int64)


def different_numbers(keys: Array, bound: int) -> tuple[Array, Array, Array]:
    """The different numbers below a bound, in order, the first place of each, and for each number its rank."""
    if bound > 4 * len(keys) + 1024:
        different, first, places = np.unique(keys, return_index=True, return_inverse=True)
        return different, first, places.reshape(-1)
    first = np.full(bound, -1, dtype=np.int64)
    first[keys[::-1]] = np.arange(len(keys))[::-1]
    present = first >= 0
    return np.flatnonzero(present), first[present], (np.cumsum(present) - 1)[keys]


def different_rows(rows: Array) -> tuple[Array, Array, Array]:
    """The different rows in a fixed order, the first place of each, and each row's number."""
    if len(rows) < 2 or not rows.shape[1]:
        return rows[:1], np.arange(len(rows[:1])), np.zeros(len(rows), dtype=np.int64)
    wide = rows.astype(np.int64)
    low = wide.min(axis=0)
    spans = [int(most) - int(least) + 1 for most, least in zip(wide.max(axis=0), low, strict=True)]
    if math.prod(spans) < 1 << 62:  # a single number holds a whole row
        keys = np.zeros(len(rows), dtype=np.int64)
        for column, span in enumerate(spans):
            keys = keys * span + (wide[:, column] - low[column])
        _, first, numbers = different_numbers(keys, math.prod(spans))
    else:
        packed = np.ascontiguousarray(rows.astype(">i8")).view(np.dtype((np.void, 8 * rows.shape[1])))[:, 0]
        _, first, numbers = np.unique(packed, return_index=True, return_inverse=True)
    return rows[first], first, numbers
