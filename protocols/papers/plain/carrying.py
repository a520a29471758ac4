"""Recurrent models run symbol by symbol, with nothing carried but a number of so many bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, product
from string import ascii_lowercase
from typing import Any

import numpy as np

from ccsim.claims import Finding

__all__ = ["carried", "lookup_words", "recall_words"]

Word = tuple[Any, ...]


def carried(model: Any, words: Sequence[Word], solve: Callable[[Word], Any], queries: int = 0) -> Finding:
    """Run a model on words of one length, its state packed into a number after each symbol and unpacked for the next.

    Measured are the bits of the largest such number. What it does not hold is lost. With ``queries``, ``model`` is one
    that answers each of so many last symbols, and answers are tuples. A mistake planted at the last word must be
    noticed, and so must numbers that are lost.
    """
    inner = model.inner if queries else model
    rank = {symbol: place for place, symbol in enumerate(inner.alphabet)}
    rows, wanted = np.array([[rank[symbol] for symbol in word] for word in words]), [solve(word) for word in words]
    given, most = _run(inner, rows, queries, 1)
    at_once = [model.answers[code] for code in model.codes(rows).tolist()]
    wrong = [f"answers {given[place]} on {words[place]}" for place in _different(given, wanted)[:1]]
    wrong += [f"answers {at_once[place]} on {words[place]}, read at once" for place in _different(at_once, wanted)[:1]]
    if _different([*given[:-1], "planted"], wanted)[-1:] != [len(words) - 1]:
        wrong.append("a planted mistake is not noticed")
    if not _different(_run(inner, rows, queries, 0)[0], wanted):
        wrong.append("it is right with nothing carried")
    if model.state_bits != most.bit_length():
        wrong.append(f"{model.state_bits} bits of state, it says; {most.bit_length()} are carried")
    return Finding(measured=most.bit_length(), checked=len(words), of=len(words), violations=tuple(wrong))


def _run(inner: Any, rows: Any, queries: int, kept: int) -> tuple[list[Any], int]:
    """The answers, and the largest number that was carried; all numbers are 0 unless they are ``kept``."""
    states, most, told = np.repeat(inner.start()[None], len(rows), axis=0), 0, []
    for place, column in enumerate(rows.T):
        if place >= rows.shape[1] - max(queries, 1):
            told.append([inner.answers[code] for code in inner.last(states, column, place + 1).tolist()])
        numbers = kept * inner.pack(inner.step(states, column, place + 1))
        most, states = max(most, int(numbers.max())), inner.unpack(numbers)
    return list(zip(*told, strict=True)) if queries else told[0], most


def _different(given: Sequence[Any], wanted: Sequence[Any]) -> list[int]:
    return [place for place, (one, other) in enumerate(zip(given, wanted, strict=True)) if one != other]


def lookup_words(length: int) -> list[Word]:
    """All words of index lookup over two symbols."""
    return [(*bits, place) for bits in product("01", repeat=length) for place in range(1, length + 1)]


def recall_words(pairs: int, in_order: bool = False, queries: int = 1) -> list[Word]:
    """All words of recall: pairs of different keys and bits, keys in the order of the alphabet or in any; then queries,
    different keys in any order."""
    return list(_recall_words(ascii_lowercase[:pairs], in_order, queries))


def _recall_words(keys: str, in_order: bool, queries: int) -> Iterator[Word]:
    for order in [tuple(keys)] if in_order else list(permutations(keys)):
        for bits in product("01", repeat=len(keys)):
            told = tuple(symbol for pair in zip(order, bits, strict=True) for symbol in pair)
            for asked in permutations(keys, queries):
                yield (*told, *asked)
