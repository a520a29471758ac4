"""Chains of thought: automata, probabilistic automata and Turing machines, token by token, beside plain runs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from ccsim.claims import Finding
from ccsim.models import automata
from protocols.constructions import languages
from protocols.constructions.languages import ProbabilisticAutomaton, TuringMachine
from protocols.papers.plain import automata as plain_automata
from protocols.papers.plain import languages as plain

__all__ = ["MACHINES", "chain_tokens", "probabilistic_chains", "state_chains", "turing_chains"]

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
    wrong = []
    checked = 0
    for table, outputs in plain_automata.all_machines(2):
        chain = languages.StateChain(automata.Automaton.of("ab", table, outputs))
        for size in range(length + 1):
            words = list(product((0, 1), repeat=size))
            written, codes = chain.extend(np.array(words, dtype=np.int64).reshape(len(words), size))
            right = [_states(table, word) for word in words]
            rows = zip(words, (written[:, :-1] - chain.mark - 1).tolist(), codes.tolist(), right, strict=True)
            checked += len(words)
            wrong += [
                f"{states} and answer {code} on {word} of {table}, {outputs}"
                for word, states, code, own in rows
                if (states, code) != (own, plain_automata.answer_of((table, outputs), word))
            ]
    of = 16 * 4 * (2 ** (length + 1) - 1)
    return Finding(measured=len(wrong), checked=checked, of=of, violations=tuple(wrong[:MOST_TOLD]))


def chain_tokens(length: int) -> Finding:
    """How many tokens are written after words of one length, the answer among them; every automaton of two states."""
    words = np.array(list(product((0, 1), repeat=length)), dtype=np.int64)
    written = [
        languages.StateChain(automata.Automaton.of("ab", table, outputs)).extend(words)[0].shape[1]
        for table, outputs in plain_automata.all_machines(2)
    ]
    wrong = () if state_chains(length).measured == 0 else ("some chain is wrong",)
    return Finding(measured=max(written), checked=64 * len(words), of=64 * 2**length, violations=wrong)


def _states(table: object, word: tuple[int, ...]) -> list[int]:
    """The states after each symbol."""
    return [
        plain_automata.answer_of((table, range(2)), word[:size])  # type: ignore[arg-type]
        for size in range(1, len(word) + 1)
    ]


def turing_chains(length: int, machine: str) -> Finding:
    """Words up to a length on which a chain is not the machine's run, step by step, or the run does not decide."""
    turing, accepted = MACHINES[machine]
    chain = languages.TuringChain(turing)
    words = ["".join(word) for size in range(length + 1) for word in product("ab", repeat=size)]
    wrong, longest = [], 0
    for word in words:
        steps, right = chain.run(word), plain.steps_on_tape(turing.rules, turing.start, word)
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


def probabilistic_chains(length: int) -> Finding:
    """Strings up to a length whose probability is not that of the automaton, chains summed by what erasing leaves."""
    model = languages.probabilistic_chain(LOADED)
    wrong, checked = [], 0
    for size in range(length + 1):
        for string, probability in languages.string_probabilities(model, "ab", size).items():
            right = plain.weight_of_string(LOADED.symbols, LOADED.weights, LOADED.ends, string)
            checked += 1
            if probability != right:
                wrong.append(f"probability {probability} of {string!r}, not {right}")
    return Finding(measured=len(wrong), checked=checked, of=2 ** (length + 1) - 1, violations=tuple(wrong[:MOST_TOLD]))
