"""Ends of words on which two states of a task differ, and pairs of words that only their beginnings tell apart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ccsim.arrays import Array
from ccsim.auditing.budget import Budget
from ccsim.matrices import DONT_CARE
from ccsim.models.comparison import uniform_words
from ccsim.models.reachability import all_steps, way_back
from ccsim.problems.sequence.machine import TaskMachine

BLOCK = 1 << 6
FEW_STATES = 1 << 8


def tell_apart(
    machine: TaskMachine, first: Array, second: Array, read: int, symbols: list[Array], most: int = 1 << 12
) -> Array | None:
    """The end of a word on which two states of a task give different answers, both promised; None if none is found.

    Goes through pairs of states, at most ``most`` of them at one position.
    """
    if machine.separate is not None:
        return machine.separate(first, second, read)
    units = len(first)

    def step(states: Array, read: Array, position: int) -> Array:
        after = [machine.step(states[:, part], read, position) for part in (slice(units), slice(units, None))]
        return np.concatenate(after, axis=1)

    pairs, history = np.concatenate([first, second])[None], list[tuple[Array, Array]]()
    for position, choices in enumerate(symbols[read:], read + 1):
        pairs, came_from, _ = all_steps(pairs, choices, position, step)
        if position < len(symbols):
            apart = np.flatnonzero((pairs[:, :units] != pairs[:, units:]).any(axis=1))[:most]
            pairs, came_from = pairs[apart], came_from[apart]
        history.append((came_from, choices))
        if not len(pairs):
            return None
    one, two = machine.codes(pairs[:, :units]), machine.codes(pairs[:, units:])
    good = (one != two) & (one != DONT_CARE) & (two != DONT_CARE)
    return way_back(history, int(np.argmax(good))) if good.any() else None


def pairs_told_apart(
    machine: TaskMachine,
    symbols: list[Array],
    count: int,
    generator: np.random.Generator,
    budget: Budget | None = None,
) -> Iterator[Array]:
    """Blocks of pairs of words with one end and different answers, whose prefixes differ in one symbol.

    So many are looked for; no more after the time of a budget.
    """
    for first in range(0, count if len(symbols) > 1 else 0, BLOCK):
        pairs = []
        for word, read, states in _changed(machine, symbols, min(BLOCK, count - first), generator):
            if budget is not None and not budget.left:
                break
            end = tell_apart(machine, states[0], states[1], read, symbols, FEW_STATES)
            if end is not None:
                pairs.append(np.concatenate([word[:, :read], np.repeat(end[None], 2, axis=0)], axis=1))
        if pairs:
            yield np.concatenate(pairs)


def _changed(
    machine: TaskMachine, symbols: list[Array], count: int, generator: np.random.Generator
) -> Iterator[tuple[Array, int, Array]]:
    """Words (2, N) that differ in one symbol, a prefix after which their states differ, and these (2, units)."""
    rows, reads = np.arange(count), generator.integers(1, len(symbols), count)
    words = np.stack([uniform_words(symbols, count, generator)] * 2, axis=1)
    places = generator.integers(0, reads)
    words[rows, 1, places] = uniform_words(symbols, count, generator)[rows, places]
    states = np.repeat(np.asarray(machine.start, dtype=np.int64)[None], 2 * count, axis=0)
    for position in range(1, len(symbols)):
        states = machine.step(states, words[:, :, position - 1].reshape(-1), position)
        pairs = states.reshape(count, 2, -1)
        for row in np.flatnonzero((reads == position) & (pairs[:, 0] != pairs[:, 1]).any(axis=1)):
            yield words[row], position, pairs[row]
