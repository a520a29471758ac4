"""Equality of halves as a 2-CNF, intersection as a 2-DNF, as circuits of constant depth (section 4.2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim import problems
from ccsim.claims import Finding
from protocols.constructions.languages import Circuit
from protocols.papers.checks import Looked, drawn_words, every_word, grown, sizes_between

__all__ = ["terms_of_two_literals"]

ALL = 1 << 14  # up to so many words all are gone through

# for each pair of places, clauses or terms of two literals; a literal says whether the bit is to be 1
PAIRS = {"equality": ((0, 1), (1, 0)), "intersection": ((1, 1),)}

GATES = {"equality": ("or", "and"), "intersection": ("and", "or")}  # of two literals, of all of these
DEPTHS = {"equality": 3, "intersection": 2}


def terms_of_two_literals(length: int, function: str) -> Finding:
    """The clauses or terms of a function of two halves, for more and more bits, each run beside the function.

    Equality negates inputs, and is an and of ors of two: depth 3. Whether the halves meet is an or of ands: depth 2.
    """
    return grown(sizes_between(length, 4, 2), lambda size: _looked(size, function), facts={"depth": DEPTHS[function]})


def _looked(size: int, function: str) -> Looked:
    circuit = two_literals(size, function)
    task = problems.equality_of_halves(size) if function == "equality" else problems.intersection_of_halves(size)
    words = every_word(task) if task.words.size <= ALL else drawn_words(task, count=64)
    bits = np.array([int(str(symbol)) for symbol in task.alphabet])[words]
    given = circuit.values(bits)
    wanted = np.array(task.answers)[np.asarray(task.evaluate(words))]
    wrong = [] if np.array_equal(given, wanted) else [f"another answer on {bits[(given != wanted).argmax()]}"]
    wrong += [] if circuit.depth == DEPTHS[function] else [f"a depth of {circuit.depth}"]
    terms = sum(kind == GATES[function][0] and len(inputs) == 2 for kind, inputs in circuit.gates)
    return Looked(terms, len(words), task.words.size, wrong)


def two_literals(size: int, function: str) -> Any:
    """The circuit: negated inputs where they are needed, gates of two literals, and one of all of these."""
    circuit, half = Circuit(), size // 2
    pairs, (inner, outer) = PAIRS[function], GATES[function]
    ones = [circuit.add("input") for _ in range(size)]
    zeros = [circuit.add("not", [one]) for one in ones] if any(0 in pair for pair in pairs) else []
    literals = (zeros, ones)
    gates = [
        circuit.add(inner, [literals[first][place], literals[second][place + half]])
        for place in range(half)
        for first, second in pairs
    ]
    circuit.add(outer, gates)
    return circuit
