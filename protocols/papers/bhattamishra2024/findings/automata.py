"""What is measured about automata: no recurrent model with fewer states agrees with a minimal one.

A machine is (table, outputs): ``table[state][letter]`` is the next state, ``outputs[state]`` the answer on words that
end there, and the first state is 0.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from ccsim import bounds, models
from ccsim.claims import Finding
from ccsim.matrices import CommunicationMatrix

DRAWN = 300  # machines, where there are too many to go through all
FEW = 3  # states up to which all machines of two letters are gone through
SMALL = 4  # states up to which all smaller machines are compared as well

Machine = tuple[Sequence[Sequence[int]], Sequence[int]]


def agreeing(states: int, seed: int) -> Finding:
    """How many states it takes to agree with the minimal machines of so many: no fewer, for each of many.

    Up to 3 states these are all machines of two letters, beyond that drawn ones, and the machine of Dyck-(2, k) if it
    has so many. Up to 4 states every machine with fewer is compared with each on all words that could tell them apart;
    for the one that is certified, words that lead to different states differ in what may follow.
    """
    machines = _machines(states, seed)
    minimal = [machine for machine in machines if automaton_of(machine).minimise().states == states]
    smaller = [each for size in range(1, states) for each in all_machines(size)] if states <= SMALL else []
    words = words_up_to(2 * states - 3, 2) if smaller else []
    known = {_answers(machine, words) for machine in smaller}
    wrong = [
        f"a machine of fewer states agrees with {machine}"
        for machine in minimal
        if len(machine[0][0]) == 2 and _answers(machine, words) in known
    ]
    facts = {"machines": len(machines), "minimal ones": len(minimal), "smaller machines, all compared": len(smaller)}
    table = _told_apart(minimal[-1])
    return Finding.of_bracket(message_bits(table), violations=tuple(wrong[:3]), facts=facts)


def _machines(states: int, seed: int) -> list[Machine]:
    generator, depth = random.Random(seed), states.bit_length() - 2
    drawn = [drawn_machine(states, generator) for _ in range(DRAWN if states <= SMALL else 4)]
    stacks = [models.dyck_automaton(2, depth)] if depth > 0 and states == 2 << depth else []
    brackets = [(machine.table.tolist(), machine.outputs.tolist()) for machine in stacks]
    return [*(all_machines(states) if states <= FEW else drawn), *brackets]


def _told_apart(machine: Machine) -> list[list[int]]:
    """A row for a word to each state, a column for each word that may follow: the answers.

    For brackets, words are long enough to open as many as may be, and close them.
    """
    longest = len(machine[0]) if len(machine[0][0]) == 2 else (len(machine[0]) - 1).bit_length()
    ends = words_up_to(longest, len(machine[0][0]))
    return [[answer_of(machine, word + end) for end in ends] for word in reached(machine).values()]


def automaton_of(machine: Machine) -> models.Automaton:
    """The automaton of a machine."""
    return models.Automaton.of(range(len(machine[0][0])), *machine, answers=range(max(1, *machine[1]) + 1))


def message_bits(table: list[list[int]]) -> bounds.Bracket:
    """The bits of a message that tells which row it is, as far as columns tell them apart."""
    matrix = CommunicationMatrix.from_array(table)
    return replace(bounds.one_way(matrix), matrix=matrix)


def answer_of(machine: Machine, word: Sequence[int]) -> int:
    """The answer on one word, letter by letter."""
    table, outputs = machine
    state = 0
    for letter in word:
        state = table[state][letter]
    return outputs[state]


def _answers(machine: Machine, words: list[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(answer_of(machine, word) for word in words)


def words_up_to(length: int, letters: int) -> list[tuple[int, ...]]:
    """All words of at most so many letters, short ones first."""
    return [word for size in range(length + 1) for word in product(range(letters), repeat=size)]


def all_machines(states: int, letters: int = 2) -> Iterator[Machine]:
    """Every machine of so many states."""
    for flat in product(range(states), repeat=states * letters):
        table = [flat[state * letters : (state + 1) * letters] for state in range(states)]
        for outputs in product((0, 1), repeat=states):
            yield table, outputs


def drawn_machine(states: int, generator: random.Random, letters: int = 2) -> Machine:
    """A machine drawn from a generator."""
    table = [[generator.randrange(states) for _ in range(letters)] for _ in range(states)]
    return table, [generator.randrange(2) for _ in range(states)]


def reached(machine: Machine) -> dict[int, tuple[int, ...]]:
    """For each state that some word leads to, a shortest such word."""
    words: dict[int, tuple[int, ...]] = {0: ()}
    queue = [0]
    for state in queue:
        for letter, following in enumerate(machine[0][state]):
            if following not in words:
                words[following] = (*words[state], letter)
                queue.append(following)
    return words
