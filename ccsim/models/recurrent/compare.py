"""Two recurrent models on all words of a length at once, by going through the pairs of states that they can be in."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.model import renamed_codes
from ccsim.models.reachability import all_steps, side_by_side, way_back
from ccsim.models.recurrent.base import RecurrentModel


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
    units, symbols = left.units, np.arange(len(left.alphabet))

    step = side_by_side(units, left.step, right.step)
    pairs, history = np.concatenate([left.start(), right.start()])[None], list[tuple[Array, Array]]()
    for position in range(1, length):
        pairs, came_from, _ = all_steps(pairs, symbols, position, step)
        if len(pairs) > most_pairs:
            raise InputError("most_pairs", most_pairs, f"at least the {len(pairs)} pairs of states after {position}")
        history.append((came_from, symbols))
    states, read = np.repeat(pairs, len(symbols), axis=0), np.tile(symbols, len(pairs))
    theirs = renamed_codes(right.codes_among(left.answers), right.last(states[:, units:], read, length))
    ways = np.flatnonzero(left.last(states[:, :units], read, length) != theirs)
    if not len(ways):
        return None
    return tuple(left.alphabet[symbol] for symbol in way_back([*history, (ways, symbols)], 0))
