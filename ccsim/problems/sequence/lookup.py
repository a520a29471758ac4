"""Retrieval from the sequence itself: by position, and by key."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.problems.arguments import require_integer
from ccsim.problems.arrays import select
from ccsim.problems.sequence.task import SequenceTask
from ccsim.problems.words import Words

__all__ = ["associative_recall", "index_lookup", "multi_query_associative_recall"]

Array = npt.NDArray[Any]

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
    symbols = tuple(alphabet)
    words = Words((symbols,) * length + (tuple(range(1, length + 1)),))
    place = _ranks_to(words, {position: position - 1 for position in range(1, length + 1)})
    code = _ranks_to(words, {symbol: number for number, symbol in enumerate(symbols)})

    def evaluate(word: Array) -> Array:
        return np.asarray(code[select(word[..., :length], place[word[..., length]])])

    name = f"index_lookup({length}, {len(symbols)} symbols)"
    return SequenceTask(name, words, symbols, evaluate, note="the symbol at the position of the last token")


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
    labels = tuple(values)
    words, evaluate = _recall(pairs, 1, keys, labels)
    name = f"associative_recall({pairs}, {len(words.positions[0])} keys, {len(labels)} values)"
    return SequenceTask(name, words, labels, evaluate, note="the value behind the key that is asked for")


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
    labels = tuple(values)
    if len(labels) ** queries > MOST_ANSWERS:
        raise InputError("queries", queries, f"at most 2^20 answers in all, not {len(labels)}^{queries}")
    words, evaluate = _recall(pairs, queries, keys, labels)
    name = f"multi_query_associative_recall({pairs}, {queries}, {len(words.positions[0])} keys)"
    answers = tuple(itertools.product(labels, repeat=queries))
    return SequenceTask(name, words, answers, evaluate, note="the values behind all keys that are asked for")


def _recall(pairs: int, queries: int, keys: Iterable[Hashable] | None, values: tuple[Hashable, ...]) -> Any:
    """The words, and an evaluation to the mixed-radix code of the values of all queries."""
    names = _default_keys(pairs) if keys is None else tuple(keys)
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

    return words, evaluate


def _distinct(symbols: Array) -> Array:
    """Whether all entries along the last axis differ."""
    distinct = np.ones(symbols.shape[:-1], dtype=bool)
    for i, j in itertools.combinations(range(symbols.shape[-1]), 2):
        distinct &= symbols[..., i] != symbols[..., j]
    return distinct


def _default_keys(count: int) -> tuple[str, ...]:
    if count <= 26:
        return tuple("abcdefghijklmnopqrstuvwxyz"[:count])
    return tuple(f"key{number}" for number in range(1, count + 1))


def _ranks_to(words: Words, number: dict[Any, int]) -> Array:
    """For each rank in the alphabet, the number of its symbol (0 where it has none)."""
    return np.array([number.get(symbol, 0) for symbol in words.alphabet], dtype=np.int64)
