"""Nowak and others 2024: language models with chains of thought, as far as the slides that cite them say."""

from __future__ import annotations

from functools import partial

from ccsim.claims import Claim, Direction, Paper, Parameter
from protocols.papers.stated import stated
from protocols.papers.thinking import MACHINES, probabilistic_chains, state_chains, turing_chains

__all__ = ["CLAIMS", "PAPER"]

PAPER = Paper("nowak2024", "Nowak and others 2024")
SLIDES = "as printed in the slides of Mallick and Paul 2025, follow-up work"
EXACT = "hard attention, exact arithmetic"

claim = partial(
    stated,
    PAPER,
    direction=Direction.CONSTRUCTION,
    formula="0",
    tags=("formal-languages", "chain-of-thought", "construction"),
)

CLAIMS: tuple[Claim, ...] = (
    claim(
        "regular",
        "Language models with a chain of thought express regular languages; here all of two states on two symbols.",
        place=f"'LMs with Chain of Thought (CoT) are able to express regular language', {SLIDES}",
        unit="words that are wrong",
        instances="all automata of two states over two symbols",
        hypotheses=(EXACT, "two layers of one head", "every automaton of two states over two symbols"),
        parameters=(Parameter("length", "N", 5, "length of the longest words; all are gone through"),),
        measure=state_chains,
    ),
    claim(
        "regular-distributions",
        "They have the probabilities of a probabilistic automaton (here one), states being erased from strings.",
        place=f"the same sentence, read of distributions, which its section is about, {SLIDES}",
        unit="strings that are wrong",
        instances="one automaton",
        hypotheses=(
            EXACT,
            "one head in one layer, over pairs (symbol, state)",
            "one automaton that is not deterministic",
        ),
        parameters=(Parameter("length", "N", 4, "length of the longest strings; all are gone through"),),
        measure=probabilistic_chains,
    ),
    claim(
        "turing",
        "With arbitrary precision they are Turing complete; here two machines, step by step.",
        place=f"'have been shown to be Turing complete (with arbitrary precision)', {SLIDES}",
        unit="words that are wrong",
        instances="two machines",
        hypotheses=(
            f"{EXACT}; one head averages",
            "two machines: their runs, step by step; any machine of one tape is built in the same way",
            "symbols are added to the alphabet, as the slide observes that they must be: (state, written, move)",
        ),
        parameters=(
            Parameter("length", "N", 6, "length of the longest words; all are gone through"),
            Parameter("machine", "machine", "palindromes", "what it decides", choices=tuple(MACHINES)),
        ),
        sizes=({}, {"machine": "as-then-bs"}),
        measure=turing_chains,
    ),
)
