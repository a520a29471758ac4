"""Simple recurrent networks with relu or sigmoid units that run an automaton, at words of every length.

There is a unit for each pair of a state and a symbol: it is on if the automaton was in this state and reads this symbol
now. It sees the units that lead into its state and the symbol, of which both must be on. At the start no unit is on; so
whether the automaton is in its first state is told by the units that lead elsewhere, of which none is.

Bhattamishra, Hahn, Blunsom and Kanade 2024, section 4.1 and appendix E, cite such networks of constant size for bounded
Dyck languages: with sigmoid units (Hewitt and others 2020) and with relu units (Bhattamishra, Ahuja and Goyal 2020).
Those have fewer units for large depth; what is used of them is that they do not grow with the word.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ccsim.arithmetic import Precision
from ccsim.errors import InputError
from ccsim.models import Affine, Elman, ElmanLayer
from ccsim.models.automata import Automaton

UNITS = {
    "relu": (Precision(1, -2, 1), 1, Fraction(1)),
    "sigmoid": (Precision.fixed_point(4, 4), 7, Fraction(3, 2)),
}
"""For each kind of unit a precision, a strength B and a threshold c: it is f(B (state + symbol - c)).

Relu units are 1 or 0, on whole numbers from -2 to 1. Sigmoid units, in steps of 1/16, are 15/16 from 49/16 on and 0 up
to -49/16: where one is on, state + symbol is 31/16 at least, and where it is off 17/16 at most.
"""


def automaton_network(automaton: Automaton, activation: str = "relu") -> Elman:
    """A simple recurrent network with a unit for each pair of a state and a symbol, for words of one symbol or more.

    Args:
        automaton: what it runs; the first largest of the sums of units that lead to each answer is its answer.
        activation: "relu", on numbers of 2 bits, or "sigmoid", on numbers of 9 bits.

    >>> from ccsim.models import dyck_automaton
    >>> network = automaton_network(dyck_automaton(2, 2))
    >>> network("([])[]"), network("([)]"), network.units, network.state_bits
    (1, 0, 32, 64)
    """
    if not isinstance(automaton, Automaton):
        raise InputError("automaton", automaton, "an Automaton")
    if activation not in UNITS:
        raise InputError("activation", activation, f"one of {', '.join(UNITS)}")
    precision, strength, threshold = UNITS[activation]
    states, symbols = automaton.states, len(automaton.alphabet)
    leads = np.eye(states, dtype=np.int64)[automaton.table.reshape(-1)]  # where each unit, (state, symbol), leads
    seen, started = leads.copy(), np.arange(states) == automaton.first
    seen[:, started] = leads[:, started] - 1  # 1 less what leads elsewhere
    table = np.vstack([np.tile(np.eye(symbols, dtype=np.int64), states), np.repeat(seen, symbols, axis=1)])
    bias = [strength * (int(first) - threshold) for first in np.repeat(started, symbols)]
    answers = np.eye(len(automaton.answers), dtype=np.int64)[automaton.outputs]
    return Elman(
        automaton.alphabet,
        automaton.answers,
        precision,
        np.eye(symbols, dtype=np.int64) * precision.scale,
        (ElmanLayer(Affine.from_arrays(precision, strength * table, bias), activation),),
        Affine.from_arrays(precision, leads @ answers),
        name=f"{automaton.name} by {states * symbols} {activation} units",
    )
