"""Lemma 4 on automata that are not minimal: those of recurrent models of every kind, and tables with copied states."""

from __future__ import annotations

import random
from functools import cache
from itertools import count
from typing import Any

import numpy as np

from ccsim import models
from ccsim.claims import Finding
from ccsim.errors import InputError
from protocols.papers.bhattamishra2024.findings.automata import (
    Machine,
    answer_of,
    automaton_of,
    drawn_machine,
    message_bits,
    reached,
    words_up_to,
)

__all__ = ["KINDS", "of_a_model"]

KINDS = {
    "elman": "Elman",
    "lstm": "LSTM",
    "gru": "GRU",
    "linear-attention": "LinearAttention",
    "diagonal": "DiagonalStateSpace",
    "selective": "SelectiveStateSpace",
    "copies": "",
}
"""Kinds of recurrent models; and tables in which every state of a minimal automaton has copies."""

READ_FROM_STATE = ("elman", "lstm", "gru", "copies")
"""Kinds whose answer is read from what is carried; others see the last symbol too, so only later answers count."""

SEEDS = 64  # models that are tried, till words have three classes or more
SIZE = {"width": 2, "precision": 4}
LEAST, COPIES = 5, 3  # states of the minimal automata, and how many copies each has


def of_a_model(kind: str, seed: int) -> Finding:
    """The bits that a model must carry to agree with the automaton of its own vectors, which is not minimal.

    It is the first model from a seed on whose words have three classes or more, but fewer than its vectors. The words
    to the states of the least automaton, told apart by words that follow, are certified to take so many bits in one
    message. The model must have as many.
    """
    drawn = (_of_seed(kind, each) for each in range(seed, seed + SEEDS))
    found = next((each for each in drawn if 3 <= each[2] < len(each[1][0])), None)
    if found is None:
        raise InputError("seed", seed, f"one of {SEEDS} from it on whose model is not minimal, nor nearly constant")
    model, machine, classes = found
    bracket = message_bits(_told_apart(machine, classes))
    wrong = (
        () if model.state_bits >= bracket.lower else (f"it has {model.state_bits} bits, {bracket.lower} are needed",)
    )
    facts = {
        "bits of state": model.state_bits,
        "states of the automaton": len(machine[0]),
        "of the least one": classes,
    }
    return Finding.of_bracket(
        bracket,
        violations=wrong,
        facts=facts,
        claimed=(classes - 1).bit_length(),
        formula="log2 of the states of the least automaton, rounded up",
    )


@cache
def _of_seed(kind: str, seed: int) -> tuple[Any, Machine, int]:
    """A model of this kind, the automaton of its vectors, and how many classes of words that has."""
    if not KINDS[kind]:
        machine = _with_copies(seed)
        model: Any = automaton_of(machine)
    else:
        model = getattr(models, KINDS[kind]).random((0, 1), seed=seed, **SIZE)
        machine = _vectors(model, kind in READ_FROM_STATE)
    return model, machine, automaton_of(machine).minimise().states


def _with_copies(seed: int) -> Machine:
    """A minimal automaton, each state of it in copies of which any may follow; states that no word reaches are left."""
    generator = random.Random(seed)
    while True:
        table, outputs = drawn_machine(LEAST, generator)
        if automaton_of((table, outputs)).minimise().states == LEAST:
            break
    grown = [[next_ + LEAST * generator.randrange(COPIES) for next_ in row] for _ in range(COPIES) for row in table]
    return grown, list(outputs) * COPIES


def _vectors(model: Any, read_from_state: bool) -> Machine:
    """All vectors that words lead to, numbered as they come, with what the model answers then.

    That is its answer and the answers after each symbol that may follow, or only these, as one number.
    """
    table: list[list[int]] = []
    held, symbols = [model.start()], np.arange(2)
    numbers, own, later = {int(model.pack(held[0][None])[0]): 0}, {0: 0}, []
    for state in held:
        before, row = np.repeat(state[None], 2, axis=0), []
        after, codes = model.step(before, symbols, 1), model.last(before, symbols, 1).tolist()
        for each, packed, code in zip(after, model.pack(after).tolist(), codes, strict=True):
            number = numbers.setdefault(packed, len(held))
            if number == len(held):
                held.append(each)
            row.append(number)
            own[number] = code if read_from_state else 0
        table.append(row)
        later.append(sum(code << place for place, code in enumerate(codes, start=1)))
    return table, [own[number] + answers for number, answers in enumerate(later)]


def _told_apart(machine: Machine, classes: int) -> list[list[int]]:
    """A row for a word to a state of each class, a column for each word that may follow, up to a length that is enough
    to tell them apart."""
    starts = reached(machine).values()
    for longest in count():
        ends = words_up_to(longest, 2)
        rows = {tuple(answer_of(machine, (*word, *end)) for end in ends) for word in starts}
        if len(rows) == classes:
            return [list(row) for row in sorted(rows)]
    raise AssertionError
