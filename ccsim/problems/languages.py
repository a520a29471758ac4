"""Languages at one length: regular ones, brackets of bounded depth, and words whose halves are compared."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

import numpy as np

from ccsim.errors import Array, InputError, require_integer, require_symbols
from ccsim.plain_data import counted
from ccsim.problems.inputs import NUMBER_BITS, Words
from ccsim.problems.sequence_tasks import Digits, SequenceTask, TaskMachine, table_machine

MOST_TABLE_STATES = 1 << 14  # stacks that are looked up in a table; more are computed step by step


def run_table(table: Array, start: int, word: Array) -> Array:
    """The last states of an automaton on words along the last axis; ``table[state, symbol]`` is the next state."""
    flat = table.ravel()
    symbols = table.shape[1]
    state = np.full(word.shape[:-1], start, dtype=table.dtype)
    for position in range(word.shape[-1]):
        state = flat.take(state * symbols + word[..., position])
    return state


def transition_table(
    transitions: Mapping[Any, Mapping[Any, Any]],
    start: Hashable,
    accepting: Iterable[Hashable],
    alphabet: Iterable[Hashable] | None,
) -> tuple[tuple[Hashable, ...], Array, int, Array]:
    """The symbols, table, first state and accepting states of an automaton; in its last state words are rejected."""
    named = dict.fromkeys(symbol for row in transitions.values() for symbol in row)
    symbols = require_symbols("alphabet", named if alphabet is None else alphabet)
    states = {state: number for number, state in enumerate(transitions)}
    final = list(accepting)
    for argument, state in [("start", start), *(("accepting", state) for state in final)]:
        if state not in states:
            raise InputError(argument, state, "a state with a row of transitions")
    table = np.full((len(states) + 1, len(symbols)), len(states), dtype=np.int64)
    for state, row in transitions.items():
        for symbol, following in row.items():
            if symbol not in symbols:
                raise InputError(f"transitions[{state!r}]", symbol, f"symbols of the alphabet {symbols}")
            if following not in states:
                expected = "states with a row of transitions"
                raise InputError(f"transitions[{state!r}][{symbol!r}]", following, expected)
            table[states[state], symbols.index(symbol)] = states[following]
    accepts = np.zeros(len(table), dtype=np.int8)
    accepts[[states[state] for state in final]] = 1
    return symbols, table, states[start], accepts


def regular_language(
    length: int,
    transitions: Mapping[Any, Mapping[Any, Any]],
    start: Hashable,
    accepting: Iterable[Hashable],
    alphabet: Iterable[Hashable] | None = None,
) -> SequenceTask:
    """Whether a deterministic finite automaton accepts a word of ``length`` symbols.

    ``transitions[state][symbol]`` is the next state; where there is none, the word is rejected for good. The alphabet
    is, unless given, every symbol of the transitions. A prefix and a suffix cost at most one state, ceil(log2(number of
    states + 1)) bits, and the answer.

    >>> ends_in_b = {0: {"a": 0, "b": 1}, 1: {"a": 0, "b": 1}}
    >>> list(regular_language(2, ends_in_b, start=0, accepting={1}).accepted())
    ['ab', 'bb']
    """
    length = require_integer("length", length, low=1)
    symbols, table, first, accepts = transition_table(transitions, start, accepting, alphabet)

    def evaluate(word: Array) -> Array:
        return np.asarray(accepts[run_table(table, first, word)])

    note = f"1 iff an automaton of {counted(len(transitions), 'state')} accepts the word"
    name, words = f"regular_language({length}, {len(transitions)} states)", Words.over(symbols, length)
    return SequenceTask(name, words, (0, 1), evaluate, note=note, machine=table_machine(table, first, accepts))


def parity_of_word(length: int) -> SequenceTask:
    """Whether a word of ``length`` bits has an odd number of ones: two bits are enough for every partition.

    >>> parity_of_word(3)("100"), parity_of_word(3)("110")
    (1, 0)
    """
    machine = table_machine(np.array([[0, 1], [1, 0]]), 0, np.array([0, 1]))
    return _counting("parity_of_word", length, lambda ones: ones % 2, "1 iff the number of ones is odd", machine)


def majority_of_word(length: int) -> SequenceTask:
    """Whether strictly more than half of the ``length`` bits are ones: about log2(length) bits for every partition.

    >>> majority_of_word(4)("1101"), majority_of_word(4)("1100")
    (1, 0)
    """
    machine = TaskMachine(
        np.zeros(1, dtype=np.int64),
        lambda states, symbols, position: states + symbols[:, None].astype(np.int64),
        lambda states: np.asarray(2 * states[:, 0] > length, dtype=np.int64),
    )
    note = "1 iff more than half of the symbols are ones"
    return _counting("majority_of_word", length, lambda ones: 2 * ones > length, note, machine)


def _counting(name: str, length: int, rule: Callable[[Array], Array], note: str, machine: TaskMachine) -> SequenceTask:
    length = require_integer("length", length, low=1)

    def evaluate(word: Array) -> Array:
        return np.asarray(rule(word.sum(axis=-1, dtype=np.int64)), dtype=np.int8)

    words = Words.over("01", length)
    return SequenceTask(f"{name}({length})", words, (0, 1), evaluate, note=note, machine=machine)


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

    Symbols are as in :func:`bracket_symbols`. For two kinds, depth 2 and even length N, and the odd positions with
    Alice, D = N + 1: the 2^(N-1) words are a fooling set (Bhattamishra, Hahn, Blunsom and Kanade 2024, lemma 1).

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
    """The automaton of so many stacks, the empty one first, and a last state for words that failed."""
    return _step(np.arange(stacks + 1)[:, None], np.arange(2 * brackets), brackets, stacks)


def _step(stack: Array, symbol: Array, brackets: int, stacks: int) -> Array:
    """The stack after one more symbol: 0 is the empty stack, and pushing kind k makes brackets * stack + k + 1.

    The number ``stacks`` represents a word that failed.
    """
    kind = symbol // 2
    closes = (stack > 0) & ((stack - 1) % brackets == kind) & (stack < stacks)
    popped = np.where(closes, (stack - 1) // brackets, stacks)
    return np.where(symbol % 2 == 0, np.minimum(brackets * stack + kind + 1, stacks), popped)


def equality_of_halves(length: int) -> SequenceTask:
    """Whether the first half of a word of ``length`` bits, an even number, is equal to the second.

    Split in the middle D = length/2 + 1 (Bhattamishra, Hahn, Blunsom and Kanade 2024, theorems 6, 11 and 12).

    >>> equality_of_halves(4)("0101"), equality_of_halves(4)("0110")
    (1, 0)
    """
    return _halves("equality", length, np.not_equal, 0, "1 iff the halves are equal")


def inequality_of_halves(length: int) -> SequenceTask:
    """Whether the two halves of a word of ``length`` bits, an even number, differ: INEQ, the opposite of EQ.

    >>> inequality_of_halves(4)("0101"), inequality_of_halves(4)("0110")
    (0, 1)
    """
    return _halves("inequality", length, np.not_equal, 1, "1 iff the halves differ")


def disjointness_of_halves(length: int) -> SequenceTask:
    """Whether the two halves of a word of ``length`` bits, an even number, nowhere both have a 1.

    >>> disjointness_of_halves(4)("0110"), disjointness_of_halves(4)("0111")
    (1, 0)
    """
    return _halves("disjointness", length, np.bitwise_and, 0, "1 iff the halves have no common 1")


def intersection_of_halves(length: int) -> SequenceTask:
    """Whether the two halves of a word of ``length`` bits, an even number, both have a 1 at some place.

    The DISJ of Bhattamishra, Hahn, Blunsom and Kanade 2024, who ask for max_i a_i b_i.

    >>> intersection_of_halves(4)("0110"), intersection_of_halves(4)("0111")
    (0, 1)
    """
    return _halves("intersection", length, np.bitwise_and, 1, "1 iff the halves have a common 1")


def _halves(name: str, length: int, clash: Callable[[Array, Array], Any], clashing: int, note: str) -> SequenceTask:
    """The answer is ``clashing`` if the halves clash at some place, else the other one."""
    length = require_integer("length", length, low=2)
    if length % 2:
        raise InputError("length", length, "an even number, for two halves")
    half = length // 2

    def evaluate(word: Array) -> Array:
        clashes = np.asarray(clash(word[..., :half], word[..., half:])).astype(bool).any(axis=-1)
        return np.asarray(clashes == clashing, dtype=np.int8)

    title, words, machine = f"{name}_of_halves({length})", Words.over("01", length), _machine(half, clash, clashing)
    return SequenceTask(title, words, (0, 1), evaluate, note=note, machine=machine)


def _machine(half: int, clash: Callable[[Array, Array], Any], clashing: int) -> TaskMachine:
    digits = Digits(2, half)

    def step(states: Array, symbols: Array, position: int) -> Array:
        clashed, bits = states[:, 0], states[:, 1:]
        if position <= half:
            bits = digits.put(bits, position - 1, symbols.astype(np.int64))
        else:
            place = position - half - 1
            clashed = clashed | np.asarray(clash(digits.get(bits, place), symbols.astype(np.int64))).astype(np.int64)
            bits = digits.clear(bits, place)
        return np.concatenate([clashed[:, None], bits * (clashed == 0)[:, None]], axis=1)

    def peaceful(bits: Array) -> Array:
        """What does not clash with these bits: themselves, or nothing but zeros; with a single bit flipped it does."""
        return bits if bool(clash(np.array(1), np.array(0))) else np.zeros_like(bits)

    def separate(first: Array, second: Array, read: int) -> Array | None:
        rest, passed = np.zeros(max(half - read, 0), dtype=np.int64), max(read - half, 0)
        one, two = (digits.rows(state[None, 1:])[0] for state in (first, second))
        if first[0] or second[0]:
            kept = two if first[0] else one
            return None if first[0] == second[0] else np.concatenate([rest, peaceful(kept)[passed:]])
        different = np.flatnonzero(one != two)
        if not len(different):
            return None
        other = peaceful(one)
        if bool(clash(np.array(1), np.array(1))):
            other[different[0]] = 1
        return np.concatenate([rest, other[passed:]])

    def fooling(bits: Array) -> Array:
        return np.concatenate([bits, bits if bool(clash(np.array(1), np.array(0))) else 1 - bits], axis=1)

    return TaskMachine(
        np.zeros(1 + digits.units, dtype=np.int64),
        step,
        lambda states: np.asarray(states[:, 0] == clashing, dtype=np.int64),
        separate=separate,
        fooling=fooling,
        fooling_bits=half,
    )
