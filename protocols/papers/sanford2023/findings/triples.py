"""Match3 with help: by neighbours, in a window, by attention of third order, with hints; words beside their tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isqrt
from typing import Any

import numpy as np

from ccsim import problems
from ccsim.claims import Finding, sizes_up_to
from ccsim.errors import InputError
from protocols import constructions
from protocols.papers.checks import Looked, grown
from protocols.papers.sanford2023.findings.words import answered, drawn_words, every_word, layer_widths

__all__ = ["assisted", "bigram", "local_over_length", "local_over_window", "third_order"]

MOST_WORDS = 1 << 10  # up to so many words are all run where sizes grow
DRAWN = 16


def bigram(length: int, modulus: int) -> Finding:
    """The numbers in a query, a key or a value of either layer, if all rows of all words are answered rightly."""
    model = constructions.match3_bigram_transformer(length, modulus, row=None)
    words = every_word(range(modulus), length)
    wrong = answered(model, words, problems.match3_bigram(length, modulus, row=None))
    measured = max(layer_widths(model))
    return Finding(measured=measured, checked=len(words), of=modulus**length, violations=tuple(wrong[:3]))


def assisted(length: int, modulus: int) -> Finding:
    """The numbers in a query, a key or a value, for longer and longer words with hints.

    Where hints are honest, the answer is that of Match3.
    """

    def look(size: int) -> Looked:
        model = constructions.assisted_match3_transformer(size, modulus)
        symbols = [(number, hint) for number in range(modulus) for hint in range(1, size + 1)]
        words, of = _some(symbols, size)
        words += [honest(word, modulus) for word in drawn_words(range(modulus), size, DRAWN)]
        task, match3 = constructions.assisted_match3(size, modulus), problems.match3(size, modulus)
        wrong = [f"an honest hint misleads in {word}" for word in words[-DRAWN:]
                 if task(word) != match3(tuple(number for number, _ in word))]  # fmt: skip
        wrong += answered(model, words, task)
        return Looked(max(layer_widths(model)), len(words), of + DRAWN, wrong)

    return grown(sizes_up_to(length), look)


def honest(word: Sequence[int], modulus: int) -> tuple[tuple[int, int], ...]:
    """A word in which each number comes with the place of a partner in a triple, if it has one."""
    hinted = []
    for own in word:
        partners = [place for place, one in enumerate(word, 1) if any((own + one + x) % modulus == 0 for x in word)]
        hinted.append((own, partners[0] if partners else 1))
    return tuple(hinted)


def third_order(length: int, modulus: int) -> Finding:
    """The numbers in a query, a key or a value of attention of third order, for longer and longer words."""

    def look(size: int) -> Looked:
        model = constructions.match3_tensor(size, modulus)
        words, of = _some(list(range(modulus)), size)
        words += [(1,) * size, (0, *[1] * (size - 1))]
        wrong = answered(model, words, problems.match3(size, modulus))
        return Looked(max(layer_widths(model)), len(words), of + 2, wrong)

    return grown(sizes_up_to(length), look)


def local_over_length(length: int, modulus: int, window: int) -> Finding:
    """Numbers in a row, for longer and longer words."""
    least = max(4, isqrt(modulus - 1) + 1)
    if length < 2 * least:
        raise InputError("length", length, f"at least {2 * least}, so that there are two sizes or more")
    return grown(sizes_up_to(length, low=least), lambda size: _local(size, modulus, window))


def local_over_window(window: int, length: int, modulus: int) -> Finding:
    """Numbers in a row, for wider and wider windows of as many words."""
    if modulus > length**2:
        raise InputError("modulus", modulus, f"at most {length**2}, so that digits are few")
    return grown(sizes_up_to(window), lambda size: _local(length, modulus, size))


def _local(length: int, modulus: int, window: int) -> Looked:
    model = constructions.match3_local_unit(length, modulus, window)
    words, of = _some(list(range(modulus)), length)
    wrong = []
    for row in {1, length // 2 + 1, length}:
        wrong += answered(replace(model, row=row), words, problems.match3_local(length, modulus, window, row))
    unit: Any = model.layers[0].attention
    width = int(unit.embed(model.rows(np.array(words[:1]))).shape[-1])
    return Looked(width, len(words), of, wrong)


def _some(alphabet: Sequence[Any], length: int) -> tuple[list[Any], int]:
    """All words if they are few, else some; and how many there are."""
    of = len(alphabet) ** length
    return (every_word(alphabet, length) if of <= MOST_WORDS else drawn_words(alphabet, length, DRAWN)), of
