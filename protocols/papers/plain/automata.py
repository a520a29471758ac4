"""Automata as plain tables: their classes of words, by brute force and by refinement, and their products.

A machine is (table, outputs): ``table[state][letter]`` is the next state, ``outputs[state]`` the answer on words that
end there, and the first state is 0.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product

__all__ = [
    "Machine",
    "all_machines",
    "answer_of",
    "classes_by_refinement",
    "classes_by_words",
    "depth_machine",
    "drawn_machine",
    "product_of",
    "reached",
    "words_up_to",
]

Machine = tuple[Sequence[Sequence[int]], Sequence[int]]


def answer_of(machine: Machine, word: Sequence[int]) -> int:
    """The answer on one word, letter by letter."""
    table, outputs = machine
    state = 0
    for letter in word:
        state = table[state][letter]
    return outputs[state]


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
    table, _ = machine
    words: dict[int, tuple[int, ...]] = {0: ()}
    queue = [0]
    for state in queue:
        for letter, following in enumerate(table[state]):
            if following not in words:
                words[following] = (*words[state], letter)
                queue.append(following)
    return words


def classes_by_words(machine: Machine, longest: int | None = None) -> int:
    """How many classes of prefixes there are (Myhill 1957, Nerode 1958), by all prefixes and suffixes, run as words.

    Prefixes of n - 1 letters reach every state of n, and suffixes of n - 2 tell apart any two that differ; ``longest``
    is another length for both.
    """
    states, letters = len(machine[0]), len(machine[0][0])
    prefixes = words_up_to(states - 1 if longest is None else longest, letters)
    suffixes = words_up_to(max(states - 2, 0) if longest is None else longest, letters)
    return len({tuple(answer_of(machine, prefix + suffix) for suffix in suffixes) for prefix in prefixes})


def classes_by_refinement(machine: Machine) -> int:
    """How many states the least machine has: Hopcroft's (1971) splitting of classes by where their letters lead."""
    table, outputs = machine
    states = list(reached(machine))
    parts = [part for part in ({s for s in states if outputs[s] == answer} for answer in set(outputs)) if part]
    waiting = [set(part) for part in parts]
    while waiting:
        target = waiting.pop()
        for letter in range(len(table[0])):
            into = {state for state in states if table[state][letter] in target}
            for part in [part for part in parts if part & into and part - into]:
                inside, outside = part & into, part - into
                parts.remove(part)
                parts += [inside, outside]
                waiting += [inside, outside]
    return len(parts)


def product_of(one: Machine, other: Machine) -> tuple[int, tuple[int, ...] | None]:
    """How many pairs of states some word leads to, and a word on which two machines differ: None if there is none.

    Answers that agree on every such pair agree on all words, of whatever length.
    """
    words: dict[tuple[int, int], tuple[int, ...]] = {(0, 0): ()}
    queue = [(0, 0)]
    for left, right in queue:
        word = words[left, right]
        if one[1][left] != other[1][right]:
            return len(words), word
        for letter, (a, b) in enumerate(zip(one[0][left], other[0][right], strict=True)):
            if (a, b) not in words:
                words[a, b] = (*word, letter)
                queue.append((a, b))
    return len(words), None


def depth_machine(kinds: int, depth: int) -> Machine:
    """Dyck-(kinds, depth) by stacks: letter 2k opens brackets of kind k, letter 2k + 1 closes them; the last state is
    that of words that have failed."""
    stacks = [stack for size in range(depth + 1) for stack in product(range(kinds), repeat=size)]
    number = {stack: place for place, stack in enumerate(stacks)}
    failed = len(stacks)

    def after(stack: tuple[int, ...], letter: int) -> int:
        kind, closes = divmod(letter, 2)
        if closes:
            return number[stack[:-1]] if stack and stack[-1] == kind else failed
        return number.get((*stack, kind), failed)

    table = [[after(stack, letter) for letter in range(2 * kinds)] for stack in stacks]
    return [*table, [failed] * (2 * kinds)], [1, *[0] * failed]
