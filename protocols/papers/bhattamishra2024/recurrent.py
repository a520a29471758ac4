"""Recurrent models: one message of as many bits as the state has, and tasks that take many (sections 3 to 5)."""

from __future__ import annotations

from typing import Any

from ccsim.claims import Claim, Direction, Parameter
from protocols.papers.bhattamishra2024.findings import automata, bracket_machines, other_automata
from protocols.papers.bhattamishra2024.findings import recurrent as findings
from protocols.papers.bhattamishra2024.paper import claim, step

__all__ = ["CLAIMS"]

KINDS = ("elman", "lstm", "gru", "linear-attention", "diagonal", "selective", "table")

RANDOM_MODEL = (
    Parameter("kind", "kind", "lstm", "kind of model", choices=KINDS),
    Parameter("width", "m", 2, "units of a layer"),
    Parameter("precision", "p", 5, "bits of a number", low=3),
    Parameter("layers", "layers", 2, "recurrent layers"),
    Parameter("seed", "seed", 0, "of the weights: the first one from here on", low=0),
)
OTHER_SHAPES: tuple[dict[str, int | str], ...] = (
    {"kind": "elman", "length": 6, "precision": 3, "layers": 1},
    {"kind": "gru", "layers": 3},
    {"kind": "diagonal", "length": 3, "width": 3, "precision": 8},
)
"""More layers and fewer, longer words, wider and finer states, beside every kind at one shape."""

STATE = (
    "the state is of finitely many bits, mp in all; any transition and any read-out, which may depend on the position",
)
SAME = ("the transition is the same at every position",)


def needs(name: str, statement: str, measure: Any, *families: str, **rest: Any) -> Claim:
    """So many bits of state or more for a task; N/2, if nothing else is said: half a word holds what is to be known."""
    halves = {"formula": "N/2", "low": 2, "step": 2} if "formula" not in rest else {}
    given = {"hypotheses": STATE, "tags": ("recurrent", *families), **halves, **rest}
    return claim(name, statement, Direction.LOWER, measure=measure, **given)


CLAIMS: tuple[Claim, ...] = (
    claim(
        "Theorem 2",
        "A recurrent model is a one-way protocol of as many bits as its state has, wherever the word is cut.",
        Direction.UPPER,
        instances="one model drawn of this kind",
        lengths=(4,),
        low=2,
        hypotheses=STATE,
        more=RANDOM_MODEL,
        sizes=(*({"kind": kind} for kind in KINDS), *OTHER_SHAPES),
        measure=findings.prefix,
        tags=("recurrent",),
    ),
    needs(
        "Theorem 3",
        "A recurrent model for index lookup has N bits of state or more.",
        findings.lookup,
        "index-lookup",
        formula="N",
        lengths=(4, 8),
        plots=findings.separation,
    ),
    needs(
        "Proposition 9",
        "A recurrent model for associative recall of N pairs has N bits of state or more.",
        findings.recall_of_pairs,
        "associative-recall",
        formula="N",
        lengths=(4, 6),
        meaning="number of pairs",
    ),
    claim(
        "Section 4.1: Dyck by a recurrent model",
        "A recurrent model of constant size, log2 of 7 states rounded up, recognises Dyck-(2,2) at every length.",
        Direction.CONSTRUCTION,
        formula="L(7)",
        lengths=(8, 400),
        low=2,
        step=2,
        hypotheses=("any transition function (appendix E)",),
        measure=bracket_machines.dyck_at_every_length,
        tags=("recurrent", "dyck", "construction"),
    ),
    step(
        "Section 4.1: states of Dyck",
        "Dyck-(2,2) can be represented by a DFA with just 7 states.",
        Direction.EXACT,
        formula="7",
        unit="states",
        hypotheses=("the state in which rejected words stay is not counted (appendix E)",),
        measure=bracket_machines.dyck_states,
        tags=("recurrent", "dyck"),
    ),
    needs(
        "Theorem 8",
        "A recurrent model for the nearest neighbour among N/2 labelled vectors has N/2 bits of state or more.",
        findings.neighbour,
        "nearest-neighbour",
        lengths=(4, 8),
        hypotheses=(*STATE, "unit vectors, and a margin of 2/d for corners of a cube of d dimensions"),
    ),
    needs(
        "Theorem 8: multi-query associative recall",
        "The same for recall of N/2 pairs, all of which are asked for.",
        findings.queries,
        "multi-query-associative-recall",
        lengths=(4, 6),
    ),
    claim(
        "Lemma 4",
        "A recurrent model that agrees with a minimal automaton of n states has log2 n bits of state or more.",
        Direction.LOWER,
        formula="log(n, 2)",
        instances="all automata of up to three states over two symbols, drawn ones of more",
        hypotheses=(*SAME, "the automaton is minimal, as the proof says"),
        more=(
            Parameter("states", "n", 3, "states of the automata", low=2),
            Parameter("seed", "seed", 0, "of automata that are drawn", low=0),
        ),
        sizes=({"states": 3}, {"states": 4}, {"states": 8}),
        measure=automata.agreeing,
        tags=("recurrent", "dyck"),
    ),
    claim(
        "Lemma 4: automata of models",
        "A recurrent model of whatever kind has log2 n bits of state or more, for the n states of the least automaton "
        "that agrees with it; its own automaton, of its vectors, has more.",
        Direction.LOWER,
        instances="one model drawn of this kind",
        hypotheses=(*SAME, "where the answer is read from the last symbol too, only answers to longer words count"),
        more=(
            Parameter("kind", "kind", "elman", "kind of model", choices=tuple(other_automata.KINDS)),
            Parameter("seed", "seed", 0, "of models that are drawn: the first one from here on", low=0),
        ),
        sizes=tuple({"kind": kind} for kind in other_automata.KINDS),
        measure=other_automata.of_a_model,
        tags=("recurrent",),
    ),
    needs(
        "Theorem 11",
        "A recurrent model for the inequality of two halves of N bits in all has N/2 bits of state or more.",
        findings.inequality,
        "inequality-of-halves",
        "equality",
        lengths=(4, 8, 12),
    ),
    step(
        "Theorem 11: states",
        "A DFA that agrees with the inequality of two halves on all words of N bits has 2^(N/2) states or more.",
        Direction.LOWER,
        formula="2**(N/2)",
        unit="states",
        lengths=(4, 8),
        low=2,
        step=2,
        measure=findings.states,
        tags=("recurrent", "inequality-of-halves", "equality"),
    ),
)
