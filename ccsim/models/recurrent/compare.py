"""Two recurrent models on all words of a length at once, by going through the pairs of states that they can be in."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.model import renamed_codes
from ccsim.models.recurrent.base import RecurrentModel
from ccsim.models.recurrent.folding import different_rows


def first_difference(
    left: RecurrentModel, right: RecurrentModel, length: int, *, most_pairs: int = 1 << 20
) -> tuple[Any, ...] | None:
    """A word of so many symbols on which two models answer differently, or None if there is none.

    Pairs of states that can be reached at a position are gone through once, so that models whose states are few are
    compared on every word of any length: the answer None is a proof. It takes about ``length`` * pairs * symbols
    steps. The models have one alphabet; answers are compared as values.

    Raises :class:`~ccsim.errors.InputError` if more than ``most_pairs`` pairs can be reached at one position.

    >>> from ccsim.models.automata import Automaton, dyck_automaton
    >>> deep, flat = dyck_automaton(2, 3), dyck_automaton(2, 2)
    >>> "".join(first_difference(deep, flat, 6)), first_difference(deep, flat, 4)
    ('((()))', None)
    """
    length = require_integer("length", length, low=1)
    if left.alphabet != right.alphabet:
        raise InputError("right", right.alphabet, f"the alphabet {left.alphabet}")
    for model in (left, right):
        if model.length not in (None, length):
            raise InputError("length", length, f"{model.length}, as {model.name} reads no other words")
    size, units = len(left.alphabet), left.units
    pairs = np.concatenate([left.start(), right.start()])[None]
    history: list[Array] = []  # for each position, the pair before and the symbol that led to each pair
    for position in range(1, length + 1):
        before, symbols = np.repeat(pairs, size, axis=0), np.tile(np.arange(size), len(pairs))
        if position == length:
            answers = left.last(before[:, :units], symbols, position), right.last(before[:, units:], symbols, position)
            return _word(left, history, _where_different(left, right, *answers))
        after = [left.step(before[:, :units], symbols, position), right.step(before[:, units:], symbols, position)]
        reached, places = different_rows(np.concatenate(after, axis=1))
        if len(reached) > most_pairs:
            raise InputError("most_pairs", most_pairs, f"at least the {len(reached)} pairs of states after {position}")
        came_from = np.empty(len(reached), dtype=np.int64)
        came_from[places[::-1]] = np.arange(len(places))[::-1]  # the first way to each pair
        history.append(came_from)
        pairs = reached
    raise AssertionError("a word has a last position")


def _where_different(left: RecurrentModel, right: RecurrentModel, ours: Array, theirs: Array) -> int | None:
    different = ours != renamed_codes(right.codes_among(left.answers), theirs)
    return int(np.argmax(different)) if different.any() else None


def _word(model: RecurrentModel, history: list[Array], way: int | None) -> tuple[Any, ...] | None:
    """The symbols that lead to a pair and a last symbol, told as one number."""
    if way is None:
        return None
    size = len(model.alphabet)
    symbols = [way % size]
    for came_from in reversed(history):
        way = int(came_from[way // size])
        symbols.append(way % size)
    return tuple(model.alphabet[symbol] for symbol in reversed(symbols))
