"""Lemma 4 on automata that are not minimal: those of recurrent models of every kind, and tables with copied states."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from ccsim import bounds, models
from ccsim.claims import Finding
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from protocols.papers.plain.automata import (
    Machine,
    answer_of,
    classes_by_refinement,
    drawn_machine,
    product_of,
    reached,
)
from protocols.papers.plain.certified import MESSAGE, certified
from protocols.papers.plain.recurrent import PlainModel

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
LONGEST = 6  # words on which a model is compared with the automaton of its vectors


def of_a_model(kind: str, seed: int) -> Finding:
    """The bits that a model must carry to agree with the automaton of its own vectors, which is not minimal.

    It is the first model from a seed on whose words have three classes or more, but fewer than its vectors. The classes
    are counted by refinement and by ccsim; the least automaton must agree with that of the vectors on all
    words, by a product of states; and the words to its states, told apart by words that follow, are certified to take
    so many bits in one message. The model must have as many.
    """
    drawn = (_of_seed(kind, each) for each in range(seed, seed + SEEDS))
    found = next((each for each in drawn if 3 <= each[2] < len(each[1][0])), None)
    if found is None:
        raise InputError("seed", seed, f"one of {SEEDS} from it on whose model is not minimal, nor nearly constant")
    model, machine, classes = found
    plain = PlainModel(model)
    least = _automaton(machine).minimise()
    pairs, word = product_of(machine, (least.table.tolist(), least.outputs.tolist()))
    wrong = [] if word is None else [f"the least automaton is wrong on {word}"]
    wrong += [] if least.states == classes else [f"{least.states} classes by ccsim, {classes} by refinement"]
    wrong += _followed(model, plain)
    table = _told_apart(machine, classes)
    bracket = _message(table)
    wrong += [] if plain.bits >= bracket.lower else [f"it has {plain.bits} bits, {bracket.lower} are needed"]
    facts = {
        "bits of state": plain.bits,
        "states of the automaton": len(machine[0]),
        "of the least one": classes,
        "pairs": pairs,
    }
    claimed = (classes - 1).bit_length()
    return certified(
        bracket,
        table,
        MESSAGE,
        violations=tuple(wrong),
        facts=facts,
        claimed=claimed,
        formula="log2 of the states of the least automaton, rounded up",
    )


@cache
def _of_seed(kind: str, seed: int) -> tuple[Any, Machine, int]:
    """A model of this kind, the automaton of its vectors, and how many classes of words that has."""
    if not KINDS[kind]:
        model, machine = _with_copies(seed)
    else:
        model = getattr(models, KINDS[kind]).random((0, 1), seed=seed, **SIZE)
        machine = _vectors(PlainModel(model), kind in READ_FROM_STATE)
    return model, machine, classes_by_refinement(machine)


def _with_copies(seed: int) -> tuple[Any, Machine]:
    """A minimal automaton, each state of it in copies of which any may follow; states that no word reaches are left."""
    generator = random.Random(seed)
    while True:
        table, outputs = drawn_machine(LEAST, generator)
        if classes_by_refinement((table, outputs)) == LEAST:
            break
    grown = [[next_ + LEAST * generator.randrange(COPIES) for next_ in row] for _ in range(COPIES) for row in table]
    answers = list(outputs) * COPIES
    return _automaton((grown, answers)), (grown, answers)


def _automaton(machine: Machine) -> models.Automaton:
    return models.Automaton.of((0, 1), *machine, answers=range(max(machine[1]) + 1))


def _vectors(plain: PlainModel, read_from_state: bool) -> Machine:
    """All vectors that words lead to, numbered as they come, with what a second computation answers then.

    That is its answer and the answers after each symbol that may follow, or only these, as one number.
    """
    table: list[list[int]] = []
    words: list[tuple[int, ...]] = [()]
    numbers, own, later = {plain.message(()): 0}, {0: 0}, []
    for word in words:
        row, longer = [], [(*word, 0), (*word, 1)]
        for each in longer:
            number = numbers.setdefault(plain.message(each), len(words))
            if number == len(words):
                words.append(each)
            row.append(number)
            own[number] = int(plain.answer(each)) if read_from_state else 0
        table.append(row)
        later.append(sum(int(plain.answer(each)) << place for place, each in enumerate(longer, start=1)))
    return table, [own[number] + answers for number, answers in enumerate(later)]


def _followed(model: Any, plain: PlainModel) -> list[str]:
    """Where the model on a short word carries or says something else than the second computation."""
    for length in range(1, LONGEST + 1):
        words = list(product((0, 1), repeat=length))
        states, codes = model.pack(model.run(np.array(words))), model.codes(np.array(words))
        for word, state, code in zip(words, states.tolist(), codes.tolist(), strict=True):
            if (state, model.answers[code]) != (int(plain.message(word), 2), plain.answer(word)):
                return [f"{model.name} carries {state} after {word}, or answers otherwise"]
    return []


def _told_apart(machine: Machine, classes: int) -> tuple[tuple[int, ...], ...]:
    """A row for a word to a state of each class, a column for each word that may follow, enough of them to differ."""
    words = reached(machine)
    ends: list[tuple[int, ...]] = [()]
    while True:
        rows: dict[tuple[int, ...], int] = {}
        twins = None
        for state in words:
            row = tuple(answer_of(machine, (*words[state], *end)) for end in ends)
            other = rows.setdefault(row, state)
            twins = twins or _difference(machine, state, other)
        if twins is None or len(rows) == classes:
            return tuple(rows)
        ends.append(twins)


def _difference(machine: Machine, one: int, other: int) -> tuple[int, ...] | None:
    """A word after which two states have different answers, if there is one."""
    table, outputs = machine

    def begun(state: int) -> Machine:
        order = [state, *(each for each in range(len(table)) if each != state)]
        place = {each: number for number, each in enumerate(order)}
        return [[place[next_] for next_ in table[each]] for each in order], [outputs[each] for each in order]

    return None if one == other else product_of(begun(one), begun(other))[1]


def _message(table: tuple[tuple[int, ...], ...]) -> bounds.Bracket:
    matrix = CommunicationMatrix.from_array([list(row) for row in table])
    return replace(bounds.one_way(matrix), matrix=matrix)
