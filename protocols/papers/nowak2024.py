"""Nowak and others 2024: language models with chains of thought, as far as the slides that cite them say."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np

from ccsim.claims import Direction, Finding, param
from ccsim.models.automata import Automaton
from protocols.constructions import languages
from protocols.constructions.languages import ProbabilisticAutomaton, TuringMachine
from protocols.papers.checks import Tally, strings_up_to, words_of_bits
from protocols.papers.sources import NOWAK_2024 as PAPER
from protocols.papers.sources import SLIDES, built_here

EXACT = "hard attention, exact arithmetic"
STAND_IN = "ours: a stand-in, whose scores are computed from their formulas, without matrices of queries and keys"
OF_TWO_STATES = "all automata of two states over two symbols"
WORDS = "length of the longest words; all are checked"

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

chain = partial(
    PAPER.claim,
    direction=Direction.CONSTRUCTION,
    formula="0",
    tags=("formal-languages", "chain-of-thought", "construction"),
)


@chain(
    f"'LMs with Chain of Thought (CoT) are able to express regular language', {SLIDES}, follow-up work",
    name="regular",
    unit="words that are wrong",
    built=STAND_IN,
    instances=OF_TWO_STATES,
    hypotheses=(EXACT, "two layers of one head", "every automaton of two states over two symbols"),
)
def state_chains(length: int = param("N", 5, WORDS)) -> Finding:
    """Language models with a chain of thought express regular languages; here all of two states on two symbols."""
    tallies = [_chains_of_states(size) for size in range(length + 1)]
    wrong = [fault for each in tallies for fault in each.wrong]
    checked, of = (sum(getattr(each, name) for each in tallies) for name in ("checked", "of"))
    return Tally(len(wrong), checked, of, wrong).finding()


@built_here(
    "protocols/constructions/languages.py",
    name="state-chain",
    sharpens="nowak2024-regular",
    formula="N + 1",
    unit="tokens",
    instances=OF_TWO_STATES,
    hypotheses=("two layers of one head, hard attention, exact arithmetic", STAND_IN.removeprefix("ours: ")),
    tags=("formal-languages", "chain-of-thought"),
)
def chain_tokens(length: int = param("N", 5, "symbols of a word")) -> Finding:
    """A finite automaton takes N + 1 tokens of thought on a word of N symbols: its states, and the answer."""
    return _chains_of_states(length).finding()


def _chains_of_states(length: int) -> Tally:
    tokens, checked, wrong = 0, 0, list[str]()
    words = words_of_bits(length)
    for flat, outputs in product(product((0, 1), repeat=4), product((0, 1), repeat=2)):
        automaton = Automaton.of("ab", [flat[:2], flat[2:]], outputs)
        thinking = languages.StateChain(automaton)
        written, codes = thinking.extend(words)
        states = np.concatenate([automaton.run(words[:, :place]) for place in range(length + 1)], axis=1)
        right = (written[:, :-1] - thinking.mark - 1 == states[:, 1:]).all(axis=1) & (codes == automaton.codes(words))
        tokens, checked = max(tokens, written.shape[1]), checked + len(words)
        wrong += [f"a wrong chain on {word} of {automaton.table.tolist()}" for word in words[~right].tolist()]
    return Tally(tokens, checked, 16 * 4 * 2**length, wrong)


@chain(
    f"the same sentence, read of distributions, which its section is about, {SLIDES}, follow-up work",
    name="regular-distributions",
    unit="strings that are wrong",
    instances="one automaton",
    hypotheses=(EXACT, "one head in one layer, over pairs (symbol, state)", "one automaton that is not deterministic"),
)
def probabilistic_chains(length: int = param("N", 4, "length of the longest strings; all are checked")) -> Finding:
    """They have the probabilities of a probabilistic automaton (here one), states being erased from strings."""
    model, wrong, checked = languages.probabilistic_chain(LOADED), [], 0
    for size in range(length + 1):
        for string, probability in languages.string_probabilities(model, "ab", size).items():
            right = string_probability(LOADED, string)
            checked += 1
            wrong += [] if probability == right else [f"probability {probability} of {string!r}, not {right}"]
    return Tally(len(wrong), checked, 2 ** (length + 1) - 1, wrong).finding()


def string_probability(automaton: ProbabilisticAutomaton, string: str) -> Fraction:
    """The probability of a string, summed over states (the forward algorithm)."""
    weights, final = np.array(automaton.weights, dtype=object), np.array(automaton.final, dtype=object)
    total = (weights.sum(axis=(1, 2)) + final) * Fraction(1)
    held = np.eye(len(final), dtype=object)[0]
    for symbol in string:
        held = held / total @ weights[:, automaton.symbols.index(symbol)]
    return Fraction(held / total @ final)


@chain(
    f"'have been shown to be Turing complete (with arbitrary precision)', {SLIDES}, follow-up work",
    name="turing",
    unit="words that are wrong",
    built=STAND_IN,
    instances="two machines",
    hypotheses=(
        f"{EXACT}; one head averages",
        "two machines: their runs, step by step; any machine of one tape is built in the same way",
        "symbols are added to the alphabet, as the slide observes that they must be: (state, written, move)",
    ),
    sizes=({}, {"machine": "as-then-bs"}),
)
def turing_chains(
    length: int = param("N", 6, WORDS),
    machine: str = param("machine", "palindromes", "what it decides", choices=tuple(MACHINES)),
) -> Finding:
    """With arbitrary precision they are Turing complete; here two machines, step by step."""
    turing, accepted = MACHINES[machine]
    chains = {word: languages.TuringChain(turing).run(word) for word in strings_up_to(length, "ab")}
    wrong = [
        f"on {word!r}: {steps[-1]} after {len(steps)} tokens"
        for word, steps in chains.items()
        if steps != _steps_on_tape(turing, word) or (steps[-1][0] == "yes") != accepted(word)
    ]
    facts = {"tokens of the longest chain": max(map(len, chains.values()))}
    return Tally(len(wrong), len(chains), 2 ** (length + 1) - 1, wrong).finding(facts=facts)


def _steps_on_tape(machine: TuringMachine, word: str) -> list[tuple[str, str, int]]:
    tape, place, state, steps = dict(enumerate(word)), 0, machine.start, []
    while state not in ("yes", "no"):
        state, tape[place], move = machine.rules[state, tape.get(place, "_")]
        steps.append((state, tape[place], move))
        place += move
    return steps
