"""Well-balanced brackets of bounded depth."""

from __future__ import annotations

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.problems.inputs import NUMBER_BITS
from ccsim.problems.sequence.machine import TaskMachine
from ccsim.problems.sequence.regular import run_table
from ccsim.problems.sequence.task import SequenceTask
from ccsim.problems.words import Words

MOST_TABLE_STATES = 1 << 14
"""Up to this many stacks are looked up in a table; more are computed step by step."""


def bracket_symbols(brackets: int) -> tuple[str, ...]:
    """The opening and closing symbol of each of so many kinds of brackets, in turn.

    The first four kinds are characters; the fifth is written ``(5`` and ``)5``, and so on.

    >>> bracket_symbols(2), bracket_symbols(5)[-2:]
    (('(', ')', '[', ']'), ('(5', ')5'))
    """
    brackets = require_integer("brackets", brackets, low=1)
    return (*"()[]{}<>"[: 2 * brackets], *(sign + str(kind) for kind in range(5, brackets + 1) for sign in "()"))


def dyck(length: int, brackets: int = 2, depth: int = 2) -> SequenceTask:
    """Dyck-(brackets, depth): whether ``length`` brackets are balanced and nested to ``depth`` at most.

    Symbols are as in :func:`bracket_symbols`. For two kinds, depth 2 and even length N, and the odd positions
    with Alice, D = N + 1; the 2^(N-1) words of the language are a fooling set (Bhattamishra, Hahn, Blunsom
    and Kanade 2024, lemma 1). Every prefix can be cut off for a few bits, as the stack is all that matters.

    >>> dyck(4)("[()]"), dyck(4)("[(])"), dyck(6)("[([])]")
    (1, 0, 0)
    """
    length = require_integer("length", length, low=1)
    symbols = bracket_symbols(brackets)
    depth = require_integer("depth", depth, low=1)
    levels = min(depth, length // 2)  # a deeper word could not close any more
    stacks = sum(brackets**level for level in range(levels + 1))
    fits = brackets * stacks < 1 << NUMBER_BITS
    table = stack_table(brackets, stacks) if stacks <= MOST_TABLE_STATES else None

    def evaluate(word: Array) -> Array:
        if table is not None:
            stack = run_table(table, 0, word)
        else:
            stack = np.zeros(word.shape[:-1], dtype=np.int64 if fits else object)
            for position in range(length):
                stack = _step(stack, word[..., position].astype(stack.dtype), brackets, stacks)
        return np.asarray(stack == 0, dtype=np.int8)

    note = f"1 iff balanced brackets of {brackets} kinds, nested at most {depth} deep"
    machine = TaskMachine(
        np.zeros(1, dtype=np.int64),
        lambda states, read, position: _step(states, read[:, None].astype(np.int64), brackets, stacks),
        lambda states: np.asarray(states[:, 0] == 0, dtype=np.int64),
        levels == depth,
    )
    name, words = f"dyck({length}, {brackets}, {depth})", Words.over(symbols, length)
    return SequenceTask(name, words, (0, 1), evaluate, note=note, machine=machine if fits else None)


def stack_table(brackets: int, stacks: int) -> Array:
    """The automaton of so many stacks, the empty one first, and one more state for words that failed: the next states,
    shape (states, symbols)."""
    return _step(np.arange(stacks + 1)[:, None], np.arange(2 * brackets), brackets, stacks)


def _step(stack: Array, symbol: Array, brackets: int, stacks: int) -> Array:
    """The stack after one more symbol.

    Stacks are numbered as the nodes of a tree in which each has ``brackets`` children: 0 is the empty stack,
    and pushing kind k makes brackets * stack + k + 1. The number ``stacks`` stands for a word that failed.
    """
    kind = symbol // 2
    closes = (stack > 0) & ((stack - 1) % brackets == kind) & (stack < stacks)
    popped = np.where(closes, (stack - 1) // brackets, stacks)
    return np.where(symbol % 2 == 0, np.minimum(brackets * stack + kind + 1, stacks), popped)
