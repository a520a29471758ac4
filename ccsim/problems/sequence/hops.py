"""Several hops through one sequence: iterated induction heads and composed tables."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np

from ccsim.arguments import require_integer, require_symbols
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.problems.arrays import select
from ccsim.problems.sequence.task import SequenceTask
from ccsim.problems.words import Words

NOTHING = "⊥"
"""The answer when a hop finds no earlier occurrence."""


def k_hop_composition(size: int, hops: int) -> SequenceTask:
    """f_k(...f_1(x)...) for ``hops`` functions written one after another, and then x.

    Each f_t maps {0, ..., size-1} to itself and is written as its ``size`` values; with the argument x at
    the end a word has size * hops + 1 positions. For two hops this is the function composition that one
    attention layer cannot compute (Peng, Narayanan and Papadimitriou 2024, theorem 1).

    >>> k_hop_composition(3, 2)((1, 2, 0, 0, 0, 2, 1))
    2
    """
    size = require_integer("size", size, low=1)
    hops = require_integer("hops", hops, low=1)

    def evaluate(word: Array) -> Array:
        value = word[..., -1].astype(np.int64)
        for hop in range(hops):
            value = select(word, size * hop + value).astype(np.int64)
        return value

    words = Words.over(range(size), size * hops + 1)
    note = f"the last symbol, taken through {hops} tables of {size} values"
    return SequenceTask(f"k_hop_composition({size}, {hops})", words, tuple(range(size)), evaluate, note=note)


def k_hop_induction(
    length: int, hops: int, alphabet: Iterable[Hashable] = "abc", row: int | None = None
) -> SequenceTask:
    """The symbol that ``hops`` induction hops from a row lead to (Sanford, Hsu and Telgarsky 2024, k-hop).

    One hop goes from position i to the position right after the latest position before i with the same
    symbol as i; so one hop is the induction-heads task. The answer is the symbol where the last hop lands,
    or ``NOTHING`` if some hop finds no such position. ``row`` counts from 1; None means the last position.

    >>> k_hop_induction(4, 1)("abca"), k_hop_induction(5, 2)("abbab"), k_hop_induction(3, 1)("abc")
    ('b', 'b', '⊥')
    """
    length = require_integer("length", length, low=1)
    hops = require_integer("hops", hops, low=1)
    row = require_integer("row", length if row is None else row, low=1, high=length)
    symbols = require_symbols("alphabet", alphabet)
    if NOTHING in symbols:
        raise InputError("alphabet", symbols, f"symbols other than {NOTHING!r}, which stands for no answer")

    def evaluate(word: Array) -> Array:
        landing = _hops(word)
        place = np.full(word.shape[:-1], row, dtype=np.int64)
        for _ in range(hops):
            place = select(landing, place)
        return np.where(place == 0, len(symbols), select(word, np.maximum(place - 1, 0)))

    name = f"k_hop_induction({length}, {hops}, {len(symbols)} symbols, row {row})"
    note = f"the symbol after {hops} hops to behind the latest earlier occurrence"
    return SequenceTask(name, Words.over(symbols, length), (*symbols, NOTHING), evaluate, note=note)


def _hops(word: Array) -> Array:
    """Where one hop leads from each position 0, 1, ...; position 0 stands for nowhere and leads to itself."""
    length = word.shape[-1]
    landing = np.zeros((*word.shape[:-1], length + 1), dtype=np.int32)
    for i in range(1, length + 1):
        for j in range(2, i + 1):
            landing[..., i] = np.where(word[..., j - 2] == word[..., i - 1], j, landing[..., i])
    return landing
