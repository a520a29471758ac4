"""Chains of thought: automata, probabilistic automata and Turing machines, token by token, beside their runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from ccsim.claims import Finding
from ccsim.models import automata
from protocols.constructions import languages
from protocols.constructions.languages import ProbabilisticAutomaton, TuringMachine

__all__ = [
    "LOADED",
    "MACHINES",
    "chain_tokens",
    "probabilistic_chains",
    "state_chains",
    "string_probability",
    "turing_chains",
]

MOST_TOLD = 3

BACK = {("back", symbol): ("back", symbol, -1) for symbol in "ab"} | {("back", "_"): ("start", "_", 1)}
PALINDROMES = TuringMachine(
    {
        ("start", "a"): ("away-a", "_", 1),
        ("start", "b"): ("away-b", "_", 1),
        ("start", "_"): ("yes", "_", 0),
        **{(f"away-{own}", symbol): (f"away-{own}", symbol, 1) for own in "ab" for symbol in "ab"},
        **{(f"away-{own}", "_"): (f"end-{own}", "_", -1) for own in "ab"},
        **{(f"end-{own}", own): ("back", "_", -1) for own in "ab"},
        **{(f"end-{own}", other): ("no", other, 0) for own, other in ("ab", "ba")},
        **{(f"end-{own}", "_"): ("yes", "_", 0) for own in "ab"},
        **BACK,
    },
    "start",
)
AS_THEN_BS = TuringMachine(
    {
        ("start", "a"): ("away", "_", 1),
        ("start", "b"): ("no", "b", 0),
        ("start", "_"): ("yes", "_", 0),
        **{("away", symbol): ("away", symbol, 1) for symbol in "ab"},
        ("away", "_"): ("end", "_", -1),
        ("end", "b"): ("back", "_", -1),
        ("end", "a"): ("no", "a", 0),
        ("end", "_"): ("no", "_", 0),
        **BACK,
    },
    "start",
)
MACHINES: dict[str, tuple[TuringMachine, Callable[[str], bool]]] = {
    "palindromes": (PALINDROMES, lambda word: word == word[::-1]),
    "as-then-bs": (AS_THEN_BS, lambda word: word == "a" * (len(word) // 2) + "b" * (len(word) // 2)),
}
LOADED = ProbabilisticAutomaton("ab", (((1, 2), (0, 3)), ((2, 0), (1, 1))), (1, 2))


def state_chains(length: int) -> Finding:
    """Words up to a length with a wrong chain, for every automaton with two states over two symbols."""
    wrong, checked = [], 0
    for automaton, size in product(_automata_of_two_states(), range(length + 1)):
        words = np.array(list(product((0, 1), repeat=size)), dtype=np.int64).reshape(2**size, size)
        chain = languages.StateChain(automaton)
        written, codes = chain.extend(words)
        states = np.zeros((2**size, size + 1), dtype=np.int64)
        for place in range(size):
            states[:, place + 1] = automaton.table[states[:, place], words[:, place]]
        right = (written[:, :-1] - chain.mark - 1 == states[:, 1:]).all(axis=1)
        right &= codes == automaton.outputs[states[:, -1]]
        checked += len(words)
        wrong += [f"a wrong chain on {word} of {automaton.table.tolist()}" for word in words[~right].tolist()]
    of = 16 * 4 * (2 ** (length + 1) - 1)
    return Finding(measured=len(wrong), checked=checked, of=of, violations=tuple(wrong[:MOST_TOLD]))


def chain_tokens(length: int) -> Finding:
    """How many tokens are written after words of one length, the answer among them; every automaton of two states."""
    words = np.array(list(product((0, 1), repeat=length)), dtype=np.int64)
    written = [languages.StateChain(automaton).extend(words)[0].shape[1] for automaton in _automata_of_two_states()]
    wrong = state_chains(length).violations
    return Finding(measured=max(written), checked=64 * len(words), of=64 * 2**length, violations=wrong)


def _automata_of_two_states() -> Iterator[automata.Automaton]:
    for flat, outputs in product(product((0, 1), repeat=4), product((0, 1), repeat=2)):
        yield automata.Automaton.of("ab", [flat[:2], flat[2:]], outputs)


def turing_chains(length: int, machine: str) -> Finding:
    """Words up to a length on which a chain is not the machine's run, step by step, or the run does not decide."""
    turing, accepted = MACHINES[machine]
    chain = languages.TuringChain(turing)
    words = ["".join(word) for size in range(length + 1) for word in product("ab", repeat=size)]
    wrong, longest = [], 0
    for word in words:
        steps, right = chain.run(word), _steps_on_tape(turing, word)
        longest = max(longest, len(steps))
        if steps != right or (steps[-1][0] == "yes") != accepted(word):
            wrong.append(f"on {word!r}: {steps[-1]} after {len(steps)} tokens")
    return Finding(
        measured=len(wrong),
        checked=len(words),
        of=2 ** (length + 1) - 1,
        violations=tuple(wrong[:MOST_TOLD]),
        facts={"tokens of the longest chain": longest},
    )


def _steps_on_tape(machine: TuringMachine, word: str) -> list[tuple[str, str, int]]:
    """Each step of a machine, until it is in the state yes or no: (state, what was written, move)."""
    tape, place, state, steps = dict(enumerate(word)), 0, machine.start, []
    while state not in ("yes", "no"):
        state, tape[place], move = machine.rules[state, tape.get(place, "_")]
        steps.append((state, tape[place], move))
        place += move
    return steps


def probabilistic_chains(length: int) -> Finding:
    """Strings up to a length whose probability is not that of the automaton, chains summed by what erasing leaves."""
    model = languages.probabilistic_chain(LOADED)
    wrong, checked = [], 0
    for size in range(length + 1):
        for string, probability in languages.string_probabilities(model, "ab", size).items():
            right = string_probability(LOADED, string)
            checked += 1
            if probability != right:
                wrong.append(f"probability {probability} of {string!r}, not {right}")
    return Finding(measured=len(wrong), checked=checked, of=2 ** (length + 1) - 1, violations=tuple(wrong[:MOST_TOLD]))


def string_probability(automaton: ProbabilisticAutomaton, string: str) -> Fraction:
    """The probability of a string, summed over states (the forward algorithm).

    >>> string_probability(LOADED, ""), string_probability(LOADED, "ab")
    (Fraction(1, 7), Fraction(19, 441))
    """
    weights, ends, states = automaton.weights, automaton.ends, range(len(automaton.ends))
    total = [sum(map(sum, weights[state])) + ends[state] for state in states]
    held = [Fraction(state == 0) for state in states]
    for symbol in string:
        letter = automaton.symbols.index(symbol)
        held = [
            sum((held[state] * weights[state][letter][after] / total[state] for state in states), Fraction(0))
            for after in states
        ]
    return sum((held[state] * ends[state] / total[state] for state in states), Fraction(0))
