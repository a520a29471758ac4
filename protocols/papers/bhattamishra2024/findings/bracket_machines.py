"""What is measured about machines for brackets: how few states, and right at every length."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

from ccsim import models
from ccsim.claims import Finding
from protocols.papers.plain import brackets
from protocols.papers.plain.automata import (
    Machine,
    classes_by_refinement,
    depth_machine,
    product_of,
    reached,
)

__all__ = ["dyck_at_every_length", "dyck_states"]

SYMBOLS = "()[]"
NEAR_MISSES = 40


def dyck_states() -> Finding:
    """The states of Dyck-(2, 2), without the one in which rejected words stay: classes of words, by their stacks."""
    words = ["".join(word) for size in range(5) for word in product(SYMBOLS, repeat=size)]
    lines = {tuple(brackets.balanced(word + end) for end in words) for word in words}
    live = sum(any(line) for line in lines)
    machine = models.dyck_automaton(2, 2)
    wrong = [] if machine.minimise().states == machine.states == len(lines) else [f"{machine.states} states by ccsim"]
    wrong += [] if classes_by_refinement(_plain(machine)) == len(lines) else ["other states by refinement"]
    return Finding(measured=live, checked=len(words) ** 2, of=len(words) ** 2, violations=tuple(wrong))


def dyck_at_every_length(length: int) -> Finding:
    """All words of so many symbols, by products of states; machines with one thing wrong must be found out alike.

    Compared are the machine with stacks, at all lengths at once, and with the regular expression of the language. At
    this length the same comparison is made for machines that are wrong at one position only, one of them the last; and
    words of the language, and words that miss it by a symbol, are looked at with a stack.
    """
    machine, flat = models.dyck_automaton(2, 2), r"(\(\)|\[\])*"
    language = models.from_regular_expression(rf"(\({flat}\)|\[{flat}\])*", SYMBOLS)
    pairs, word = product_of(_plain(machine), depth_machine(2, 2))
    wrong = [] if word is None else [f"wrong on {word}"]
    for place in (None, 1, length // 2, length):
        model = machine if place is None else _planted(machine, length, place)
        found = models.first_difference(model, language, length)
        noticed = found is not None and bool(model(found)) != brackets.balanced("".join(found))
        if noticed != (place is not None):
            wrong.append(f"a mistake at {place} is not noticed" if place else f"wrong on {found}")
    words = _long_words(length)
    wrong += [f"wrong on {word}" for word in words if bool(machine(word)) != brackets.balanced(word)]
    states = len(reached(_plain(machine)))
    wrong += [] if machine.state_bits == (states - 1).bit_length() else [f"{machine.state_bits} bits, {states} states"]
    checked = len(SYMBOLS) * pairs + len(words)
    facts = {"states": states, "pairs of states, which stand for all words": pairs, "words looked at": len(words)}
    return Finding(measured=machine.state_bits, checked=checked, of=checked, violations=tuple(wrong), facts=facts)


def _plain(machine: Any) -> Machine:
    return machine.table.tolist(), machine.outputs.tolist()


def _planted(machine: Any, length: int, place: int) -> models.TransitionTable:
    """The same machine on words of one length, with one transition wrong at one position."""
    tables = [machine.table.copy() for _ in range(length)]
    opened = int(machine.table[machine.first, 0])
    if place % 2:
        tables[place - 1][machine.first, 0] = machine.table[machine.first, 2]
    else:
        tables[place - 1][opened, 1] = opened
    symbols, answers = machine.alphabet, machine.answers
    return models.TransitionTable(symbols, answers, tuple(tables), machine.outputs, machine.first, length)


def _long_words(length: int) -> list[str]:
    """Words of the language, and the same words with one symbol changed, at the end of the word and elsewhere."""
    generator, words = random.Random(length), []
    for number in range(NEAR_MISSES):
        word = ""
        stack: list[int] = []
        while len(word) < length:
            if stack and (len(stack) == min(2, length - len(word)) or generator.random() < 0.5):
                word += SYMBOLS[2 * stack.pop() + 1]
            else:
                stack.append(generator.randrange(2))
                word += SYMBOLS[2 * stack[-1]]
        place = length - 1 if number % 2 else generator.randrange(length)
        words += [word, word[:place] + generator.choice(SYMBOLS.replace(word[place], "")) + word[place + 1 :]]
    return words
