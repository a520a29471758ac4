"""Equality and disjointness of halves as 2-CNFs, and as circuits of constant depth (section 4.2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim import problems
from ccsim.claims import Finding
from protocols.constructions.languages import Circuit
from protocols.papers.checks import drawn_words, every_word, sizes_between
from protocols.papers.growing import Looked, grown
from protocols.papers.plain import halves

__all__ = ["terms_of_2_cnfs"]

ALL = 1 << 14  # up to so many words all are gone through

# for each pair of places, clauses of two literals; a literal says whether the bit is to be 1
CLAUSES = {"equality": (((0, 1), (1, 0)), halves.halves_agree), "intersection": (((0, 0),), halves.halves_meet)}

DEPTHS = {"equality": 3, "intersection": 4}


def terms_of_2_cnfs(length: int, function: str) -> Finding:
    """The clauses of a function of two halves, for more and more bits, each run as a circuit beside the function.

    Inputs are negated, clauses are ors of two, the 2-CNF is an and of these; that is depth 3. Whether the halves meet
    is the negation of one: depth 4.
    """
    return grown(sizes_between(length, 4, 2), lambda size: _looked(size, function), facts={"depth": DEPTHS[function]})


def _looked(size: int, function: str) -> Looked:
    circuit, (clauses, plain) = two_cnf(size, function), CLAUSES[function]
    task = problems.equality_of_halves(size) if function == "equality" else problems.intersection_of_halves(size)
    words = every_word(task) if task.words.size <= ALL else drawn_words(task, count=64)
    bits = np.array([int(str(symbol)) for symbol in task.alphabet])[words]
    given = circuit.values(bits)
    wanted = np.array([plain([task.alphabet[rank] for rank in row]) for row in words.tolist()])
    wrong = [] if np.array_equal(given, wanted) else [f"another answer on {bits[(given != wanted).argmax()]}"]
    wrong += [] if len(set(wanted.tolist())) == 2 else ["only one answer occurs"]
    wrong += [] if circuit.depth == DEPTHS[function] else [f"a depth of {circuit.depth}"]
    terms = sum(kind == "or" and len(inputs) == 2 for kind, inputs in circuit.gates)
    wrong += [] if circuit.size == size + terms + DEPTHS[function] - 2 else [f"{circuit.size} gates"]
    wrong += [] if terms == size // 2 * len(clauses) else [f"{terms} clauses of two literals"]
    return Looked(terms, len(words), task.words.size, wrong)


def two_cnf(size: int, function: str) -> Any:
    """The circuit: negated inputs, ors of two literals, an and; and a not where the halves are to meet."""
    circuit, half = Circuit(), size // 2
    ones = [circuit.add("input") for _ in range(size)]
    zeros = [circuit.add("not", [one]) for one in ones]
    literals = (zeros, ones)
    clauses = [
        circuit.add("or", [literals[first][place], literals[second][place + half]])
        for place in range(half)
        for first, second in CLAUSES[function][0]
    ]
    whole = circuit.add("and", clauses)
    if function == "intersection":
        circuit.add("not", [whole])
    return circuit
