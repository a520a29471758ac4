"""What is measured about automata: no recurrent model with fewer states agrees with a minimal one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ccsim import bounds, models, problems
from ccsim.claims import Finding
from ccsim.matrices import CommunicationMatrix
from protocols import reductions
from protocols.papers.plain.automata import (
    Machine,
    all_machines,
    answer_of,
    classes_by_refinement,
    classes_by_words,
    depth_machine,
    drawn_machine,
    reached,
    words_up_to,
)
from protocols.papers.plain.certified import MESSAGE, certified
from protocols.papers.plain.recurrent import PlainModel

__all__ = ["agreeing"]

DRAWN = 300  # machines, where there are too many to go through all
FEW = 3  # states up to which all machines of two letters are gone through
LONGEST = 5  # words on which recurrent models are compared with the automata of their vectors
SMALL = 4  # states up to which all smaller machines are compared as well


def agreeing(states: int, seed: int) -> Finding:
    """How many states it takes to agree with the minimal machines of so many: no fewer, for each of many.

    Up to 3 states these are all machines of two letters, beyond that drawn ones, and the machine of Dyck-(2, k) if it
    has so many. Classes of words by brute force, by refinement and by ccsim must be as many. Up to 4 states every
    machine with fewer is compared with each on all words that could tell them apart; beyond, and for the one that is
    certified, words that lead to different states differ in what may follow.
    """
    machines = _machines(states, seed)
    minimal, wrong = [], []
    for machine in machines:
        counts = {classes_by_words(machine, _enough(machine)), classes_by_refinement(machine), _by_ccsim(machine)}
        if len(counts) > 1:
            wrong.append(f"{machine}: {counts} states, by different ways")
        minimal += [machine] * (counts == {states})
    smaller = list(_smaller(states)) if states <= SMALL else []
    words = words_up_to(2 * states - 3, 2) if smaller else []
    known = {_answers(machine, words) for machine in smaller}
    for machine in minimal:
        if len(machine[0][0]) == 2 and _answers(machine, words) in known:
            wrong.append(f"a machine of fewer states agrees with {machine}")
    wrong += _as_automaton(seed)
    if _bracket_depth(states):
        wrong += _confused(states, seed)
    table = _told_apart(minimal[-1])
    facts = {"machines": len(machines), "minimal ones": len(minimal), "smaller machines, all compared": len(smaller)}
    return certified(_message_bits(table), table, MESSAGE, violations=tuple(wrong), facts=facts)


def _machines(states: int, seed: int) -> list[Machine]:
    generator = random.Random(seed)
    drawn = [drawn_machine(states, generator) for _ in range(DRAWN if states <= SMALL else 4)]
    brackets = [depth_machine(2, _bracket_depth(states))] if _bracket_depth(states) else []
    return [*(all_machines(states) if states <= FEW else drawn), *brackets]


def _bracket_depth(states: int) -> int:
    """The depth of the brackets of two kinds whose machine has so many states; 0 if there is none."""
    depth = states.bit_length() - 2
    return depth if states == 2 << depth and depth > 0 else 0


def _confused(states: int, seed: int) -> list[str]:
    """Two words of brackets that a machine of half the states confuses: the same state, and another answer is due."""
    depth = _bracket_depth(states)
    small = models.TransitionTable.random("()[]", states=states // 2, seed=seed)
    found = reductions.confusion(small, problems.dyck(2 * depth, 2, depth))
    if found is None:
        return [f"a machine of {states // 2} states is not confused"]
    stacks = depth_machine(2, depth)
    due = [answer_of(stacks, ["()[]".index(symbol) for symbol in word]) for word in found.words]
    machine = small.tables[0].tolist(), list(range(states // 2))
    held = {answer_of(machine, ["()[]".index(symbol) for symbol in prefix]) for prefix in found.prefixes}
    return [] if due[0] != due[1] and len(held) == 1 else [f"{found.words} are not confused"]


def _enough(machine: Machine) -> int | None:
    """The length of prefixes and suffixes to try: for brackets, enough to open as many as may be, and close them."""
    return None if len(machine[0][0]) == 2 else (len(machine[0]) - 1).bit_length()


def _smaller(states: int) -> Iterator[Machine]:
    return (machine for size in range(1, states) for machine in all_machines(size))


def _answers(machine: Machine, words: list[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(answer_of(machine, word) for word in words)


def _by_ccsim(machine: Machine) -> int:
    made = models.Automaton.of(range(len(machine[0][0])), machine[0], machine[1])
    return made.minimise().states


def _told_apart(machine: Machine) -> tuple[tuple[int, ...], ...]:
    """A row for a word to each state, a column for each word that may follow: the answers."""
    words = list(reached(machine).values())
    ends = words_up_to(_enough(machine) or len(machine[0]), len(machine[0][0]))
    return tuple(tuple(answer_of(machine, word + end) for end in ends) for word in words)


def _message_bits(table: tuple[tuple[int, ...], ...]) -> bounds.Bracket:
    """The bits of a message that tells which row it is, as far as columns tell them apart."""
    matrix = CommunicationMatrix.from_array([list(row) for row in table])
    return replace(bounds.one_way(matrix), matrix=matrix)


def _as_automaton(seed: int) -> list[str]:
    """The proof's automaton: a state for each vector of a recurrent model; it must be and answer as the model does."""
    wrong = []
    for kind, width, precision in ((models.Elman, 1, 3), (models.GRU, 2, 3)):
        model = kind.random((0, 1), width=width, precision=precision, seed=seed)
        second, vectors = PlainModel(model), 1 << width * precision
        machine = _vectors(second)
        for word in words_up_to(LONGEST, 2)[1:]:
            carried = int(model.pack(model.run(np.array([word])))[0])
            if (carried, model(word)) != (int(second.message(word), 2), answer_of(machine, word)):
                wrong.append(f"{model.name} carries {carried} after {word}, or answers otherwise")
        least = classes_by_refinement(machine)
        made = models.Automaton.of((0, 1), machine[0], machine[1])
        if least > vectors or reductions.automaton_bits(made) != (least - 1).bit_length():
            wrong.append(f"{model.name} has {vectors} vectors, but {least} classes of words")
    return wrong


def _vectors(second: PlainModel) -> Machine:
    """All vectors that words lead to, numbered as they come, with what a second computation does with each."""
    table: list[list[int]] = []
    words: list[tuple[int, ...]] = [()]
    numbers, outputs = {second.message(()): 0}, {0: 0}
    for word in words:
        row = []
        for longer in ((*word, 0), (*word, 1)):
            number = numbers.setdefault(second.message(longer), len(words))
            if number == len(words):
                words.append(longer)
            outputs[number] = int(second.answer(longer))
            row.append(number)
        table.append(row)
    return table, [outputs[number] for number in range(len(words))]
