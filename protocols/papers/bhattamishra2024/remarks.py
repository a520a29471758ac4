"""What appendix E states beside its theorems: automata as recurrent models, and a second proof of Lemma 1."""

from __future__ import annotations

from itertools import islice

import numpy as np

from ccsim import families, models
from ccsim.claims import Direction, Finding, Role, param
from protocols import reductions
from protocols.papers.bhattamishra2024.recurrent import SAME, drawn_automata
from protocols.papers.checks import Tally
from protocols.papers.sources import BHATTAMISHRA_2024

claim = BHATTAMISHRA_2024.claim


@claim(
    "Appendix E",
    name="appendix e states",
    direction=Direction.UPPER,
    formula="L(k)",
    instances="sixteen minimal automata drawn",
    hypotheses=("any transition function", *SAME, "on all words of N symbols, cut in two"),
    sizes=({"states": 3}, {"states": 7}, {"states": 8}),
    tags=("recurrent",),
)
def any_automaton(
    states: int = param("k", 3, "states of the automata", low=2),
    length: int = param("N", 8, "length of the words", low=2),
) -> Finding:
    """A recurrent model with arbitrary transitions represents any DFA of k states with a hidden state of log k bits."""
    minimal = (each for each in drawn_automata(states, 0) if each.minimise().states == states)
    cut = [reductions.recurrent_prefix(each, length // 2, length=length).explore() for each in islice(minimal, 16)]
    wrong = [str(violation) for each in cut for violation in each.violations]
    return Tally(max(each.worst_bits for each in cut), sum(each.pairs for each in cut), 16 * 2**length, wrong).finding()


@claim(
    "Appendix E",
    name="appendix e variety",
    role=Role.STEP,
    direction=Direction.LOWER,
    formula="1",
    unit="pairs of elements",
    hypotheses=(
        "in DA all elements satisfy (xy)^w (yx)^w (xy)^w = (xy)^w",
        "the theorem of Raymond, Tesson and Therien 1998 is not executed; a certificate shows Omega(n) bits at every n",
    ),
    tags=("dyck", "formal-languages"),
)
def not_in_da() -> Finding:
    """The syntactic monoid of Dyck-(2,2) is not in the variety DA, from which a linear bound follows (Lemma 1)."""
    machine = models.dyck_automaton(2, 2).minimise()
    monoid = families.transition_monoid(machine)
    powers = monoid.omega[monoid.table]
    apart = np.argwhere(monoid.table[monoid.table[powers, powers.T], powers] != powers)
    x, y = (monoid.spelled(element) for element in apart[0])
    inside, outside = 2 * (x + y), 2 * (x + y) + 2 * (y + x) + 2 * (x + y)  # as (xy)^2 is idempotent
    wrong = [f"{inside} and {outside} are alike"] if machine(inside) == machine(outside) else []
    language = families.language(machine, longest=0)
    facts = {"elements": monoid.size, "x and y": f"{x} {y}", "class": language.classification.deterministic}
    tally = Tally(len(apart), powers.size, powers.size, wrong)
    return tally.finding(every_length=language.proof, facts=facts)
