"""The automaton of balanced brackets of bounded depth."""

from __future__ import annotations

import numpy as np

from ccsim.arguments import require_integer
from ccsim.models.automata.automaton import Automaton
from ccsim.problems.sequence.dyck import bracket_symbols, stack_table


def dyck_automaton(brackets: int = 2, depth: int = 2) -> Automaton:
    """The minimal automaton of Dyck-(brackets, depth) at every length.

    Its states are the stacks of at most ``depth`` open brackets, 1 + brackets + ... + brackets^depth of them, and one
    more for words that have failed. For two kinds and depth 2 these are the 7 states that are usually drawn, and the
    state of failure, which is not: 3 bits (Bhattamishra, Hahn, Blunsom and Kanade 2024, section 4.1).

    >>> automaton = dyck_automaton(2, 2)
    >>> automaton.states, automaton.state_bits, automaton("([])[]"), automaton("([)]")
    (8, 3, 1, 0)
    """
    depth = require_integer("depth", depth, low=1)
    stacks = sum(brackets**level for level in range(depth + 1))
    return Automaton.of(
        bracket_symbols(brackets),
        stack_table(brackets, stacks),
        np.arange(stacks + 1) == 0,
        name=f"dyck_automaton({brackets}, {depth})",
    )
