"""What is measured about machines for brackets: how few states, and right at every length."""

from __future__ import annotations

from ccsim import models
from ccsim.claims import Finding

SYMBOLS = "()[]"


def dyck_states() -> Finding:
    """The states of the least machine of Dyck-(2, 2), without the one in which rejected words stay."""
    machine = models.dyck_automaton(2, 2).minimise()
    live = machine.outputs.astype(bool)
    for _ in range(machine.states):
        live |= live[machine.table].any(axis=1)
    return Finding(measured=int(live.sum()), checked=machine.table.size, of=machine.states * len(SYMBOLS))


def dyck_at_every_length(length: int) -> Finding:
    """The bits of the machine, which is compared on all words of so many symbols with a regular expression."""
    machine, flat = models.dyck_automaton(2, 2), r"(\(\)|\[\])*"
    language = models.from_regular_expression(rf"(\({flat}\)|\[{flat}\])*", SYMBOLS)
    word = models.first_difference(machine, language, length)
    wrong = () if word is None else (f"wrong on {word}",)
    pairs = machine.states * language.states
    facts = {"states": machine.states, "pairs of states, which stand for all words": pairs}
    return Finding(measured=machine.state_bits, checked=pairs, of=pairs, violations=wrong, facts=facts)
