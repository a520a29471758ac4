"""Retrieval from the sequence itself: by position, and by key."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable
from functools import partial
from string import ascii_lowercase
from typing import Any

import numpy as np

from ccsim.arguments import require_integer, require_symbols
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.problems.arrays import select
from ccsim.problems.sequence.machine import Digits, TaskMachine
from ccsim.problems.sequence.task import SequenceTask
from ccsim.problems.words import Words

MOST_ANSWERS = 1 << 20
"""The largest number of answers that several queries may have together."""


def index_lookup(length: int, alphabet: Iterable[Hashable] = "01") -> SequenceTask:
    """The symbol at a position that the last token names: s_1 ... s_length p has the answer s_p.

    There are ``length`` symbols and then a token p, an integer in 1..length, so a word has length + 1
    positions and is a tuple. A recurrent model must carry all symbols past the last of them: the state has
    at least length * log2(size of the alphabet) bits (Bhattamishra, Hahn, Blunsom and Kanade 2024, theorems
    1 and 3).

    >>> index_lookup(3)(("0", "1", "0", 2))
    '1'
    """
    length = require_integer("length", length, low=1)
    symbols = require_symbols("alphabet", alphabet)
    words = Words((symbols,) * length + (tuple(range(1, length + 1)),))
    place = _ranks_to(words, {position: position - 1 for position in range(1, length + 1)})
    code = _ranks_to(words, {symbol: number for number, symbol in enumerate(symbols)})

    def evaluate(word: Array) -> Array:
        return np.asarray(code[select(word[..., :length], place[word[..., length]])])

    name = f"index_lookup({length}, {len(symbols)} symbols)"
    machine = _lookup_machine(words, length, place, code)
    note = "the symbol at the position of the last token"
    return SequenceTask(name, words, symbols, evaluate, note=note, machine=machine)


def _lookup_machine(words: Words, length: int, place: Array, code: Array) -> TaskMachine:
    """All symbols so far; after the last token, the answer."""
    digits = Digits(len(words.positions[0]), length)

    def step(states: Array, read: Array, position: int) -> Array:
        if position <= length:
            return digits.put(states, position - 1, code[read])
        answer = digits.zeros(len(states))
        answer[:, 0] = digits.get(states, place[read])
        return answer

    def separate(first: Array, second: Array, read: int) -> Array | None:
        if read > length:
            return None
        different = np.flatnonzero(digits.rows(first[None])[0] != digits.rows(second[None])[0])
        if not len(different):
            return None
        named = words.alphabet.index(int(different[0]) + 1)
        return np.array([words.alphabet.index(words.positions[0][0])] * (length - read) + [named])

    return TaskMachine(digits.zeros(1)[0], step, lambda states: states[:, 0], separate=separate)


def associative_recall(
    pairs: int, keys: Iterable[Hashable] | None = None, values: Iterable[Hashable] = "01"
) -> SequenceTask:
    """The value that stands behind the queried key: x_1 y_1 ... x_n y_n x_q has the answer y_q.

    Promise: the n = ``pairs`` keys are distinct and the query is one of them. The keys are, unless given, as
    many as there are pairs: letters a, b, ..., or ``key1``, ``key2``, ... beyond 26. A recurrent model needs
    n bits of state (Bhattamishra, Hahn, Blunsom and Kanade 2024, proposition 9).

    >>> associative_recall(2)("a0b1b"), associative_recall(2)("a0a1b")
    ('1', None)
    """
    pairs = require_integer("pairs", pairs, low=1)
    labels = require_symbols("values", values)
    words, evaluate, machine = _recall(pairs, 1, keys, labels)
    name = f"associative_recall({pairs}, {len(words.positions[0])} keys, {len(labels)} values)"
    note = "the value behind the key that is asked for"
    return SequenceTask(name, words, labels, evaluate, note=note, machine=machine)


def multi_query_associative_recall(
    pairs: int,
    queries: int | None = None,
    keys: Iterable[Hashable] | None = None,
    values: Iterable[Hashable] = "01",
) -> SequenceTask:
    """MQAR: the values behind several queried keys, as a tuple: x_1 y_1 ... x_n y_n q_1 ... q_m.

    Promise: the n = ``pairs`` keys are distinct, and the m queries are distinct keys among them. There are,
    unless ``queries`` is given, as many queries as pairs, which makes the queries a permutation of the keys
    (Arora et al. 2023; Bhattamishra, Hahn, Blunsom and Kanade 2024, appendix G and theorem 8). Keys are as
    in :func:`associative_recall`.

    >>> multi_query_associative_recall(2)("a0b1ba")
    ('1', '0')
    """
    pairs = require_integer("pairs", pairs, low=1)
    queries = require_integer("queries", pairs if queries is None else queries, low=1, high=pairs)
    labels = require_symbols("values", values)
    if len(labels) ** queries > MOST_ANSWERS:
        raise InputError("queries", queries, f"at most 2^20 answers in all, not {len(labels)}^{queries}")
    words, evaluate, machine = _recall(pairs, queries, keys, labels)
    name = f"multi_query_associative_recall({pairs}, {queries}, {len(words.positions[0])} keys)"
    answers = tuple(itertools.product(labels, repeat=queries))
    note = "the values behind all keys that are asked for"
    return SequenceTask(name, words, answers, evaluate, note=note, machine=machine)


def _recall(pairs: int, queries: int, keys: Iterable[Hashable] | None, values: tuple[Hashable, ...]) -> Any:
    """The words, an evaluation to the mixed-radix code of the values of all queries, and the machine."""
    usual = ascii_lowercase[:pairs] if pairs <= 26 else [f"key{number}" for number in range(1, pairs + 1)]
    names = require_symbols("keys", usual if keys is None else keys)
    if len(names) < pairs:
        raise InputError("keys", names, f"at least {pairs} keys, to be distinct in {pairs} pairs")
    words = Words((names, values) * pairs + (names,) * queries)
    code = _ranks_to(words, {value: number for number, value in enumerate(values)})

    def evaluate(word: Array) -> Array:
        held, asked = word[..., 0 : 2 * pairs : 2], word[..., 2 * pairs :]
        promised = _distinct(held) & _distinct(asked)
        answer = np.zeros(word.shape[:-1], dtype=np.int64)
        for query in range(queries):
            found = held == asked[..., query, None]
            promised &= found.any(axis=-1)
            place = 2 * found.argmax(axis=-1) + 1
            answer = answer * len(values) + code[select(word, place)]
        return np.where(promised, answer, DONT_CARE)

    key = _ranks_to(words, {name: number for number, name in enumerate(names)})
    return words, evaluate, _recall_machine(words, pairs, key, code)


def _recall_machine(words: Words, pairs: int, key: Array, code: Array) -> TaskMachine:
    """Which value each key has, if it still may be asked for; the key that waits for its value; the answer so far.

    Units: whether the promise is broken (then all else is 0), the number of the waiting key from 1, the code of the
    answer, and for each key 1 + its value, or 0 if it has none or was asked for.
    """
    names, values = words.positions[:2]

    def step(states: Array, symbols: Array, position: int) -> Array:
        after, rows = states.copy(), np.arange(len(states))
        if position <= 2 * pairs and position % 2 == 0:
            after[rows, 2 + states[:, 1]] = 1 + code[symbols]
            after[:, 1] = 0
        else:
            asked = key[symbols]
            held = states[rows, 3 + asked]
            if position <= 2 * pairs:
                after[:, 0] |= held != 0
                after[:, 1] = 1 + asked
            else:
                after[:, 0] |= held == 0
                after[:, 2] = states[:, 2] * len(values) + held - 1
                after[rows, 3 + asked] = 0
        after[after[:, 0] != 0, 1:] = 0
        return np.asarray(after)

    return TaskMachine(
        np.zeros(3 + len(names), dtype=np.int64),
        step,
        lambda states: np.where(states[:, 0], DONT_CARE, states[:, 2]),
        separate=partial(_recall_suffix, words, pairs),
    )


def _recall_suffix(words: Words, pairs: int, first: Array, second: Array, read: int) -> Array | None:
    """An end of the word that asks for a key whose values differ in two states that hold the same keys."""
    waiting, same_keys = int(first[1]), ((first[3:] != 0) == (second[3:] != 0)).all()
    different = np.flatnonzero((first[3:] != second[3:]) & (first[3:] != 0))
    if first[0] or second[0] or waiting != second[1] or first[2] != second[2] or not same_keys or not len(different):
        return None
    held = first[3:] != 0
    if waiting:
        held[waiting - 1] = True
    names, values = words.positions[0], words.positions[1]
    unused, suffix = [int(place) for place in np.flatnonzero(~held)], [values[0]] if waiting else []
    while read + len(suffix) < 2 * pairs:
        new = unused.pop(0)
        held[new] = True
        suffix += [names[new], values[0]]
    asked = [int(different[0]), *(int(place) for place in np.flatnonzero(held) if place != different[0])]
    suffix += [names[place] for place in asked[: len(words.positions) - read - len(suffix)]]
    return np.array([words.alphabet.index(symbol) for symbol in suffix])


def _distinct(symbols: Array) -> Array:
    """Whether all entries along the last axis differ."""
    distinct = np.ones(symbols.shape[:-1], dtype=bool)
    for i, j in itertools.combinations(range(symbols.shape[-1]), 2):
        distinct &= symbols[..., i] != symbols[..., j]
    return distinct


def _ranks_to(words: Words, number: dict[Any, int]) -> Array:
    """For each rank in the alphabet, the number of its symbol (0 where it has none)."""
    return np.array([number.get(symbol, 0) for symbol in words.alphabet], dtype=np.int64)
