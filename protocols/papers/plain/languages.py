"""Formal languages word by word, from their definitions: counts, depths, expressions, machines with a tape."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

__all__ = ["balanced_by_kind", "is_aperiodic", "majority", "matches", "parity", "steps_on_tape", "weight_of_string"]


def majority(word: str) -> int:
    """Whether there are more 1s than 0s."""
    return int(word.count("1") > word.count("0"))


def parity(word: str) -> int:
    """Whether there is an odd number of 1s."""
    return word.count("1") % 2


def balanced_by_kind(word: str) -> int:
    """Whether the brackets of each kind, the others erased, cancel."""
    for pair in ("()", "[]", "{}", "<>"):
        rest = "".join(symbol for symbol in word if symbol in pair)
        while pair in rest:
            rest = rest.replace(pair, "")
        if rest:
            return 0
    return 1


def matches(expression: str, word: str) -> int:
    """Whether the whole word matches."""
    return int(re.fullmatch(expression, word) is not None)


def is_aperiodic(table: Sequence[Sequence[int]]) -> bool:
    """Whether no word permutes states of a least automaton in a cycle: star-free languages (Schuetzenberger 1965).

    >>> is_aperiodic([[0, 1], [1, 0]]), is_aperiodic([[1], [1]])
    (False, True)
    """
    letters = [tuple(row[letter] for row in table) for letter in range(len(table[0]))]
    found = set(letters)
    queue = list(letters)
    for word in queue:
        for letter in letters:
            longer = tuple(letter[state] for state in word)
            if longer not in found:
                found.add(longer)
                queue.append(longer)
    return all(_settles(word) for word in found)


def _settles(word: tuple[int, ...]) -> bool:
    """Whether repeating a word leads every state to one where it then stays."""
    power = tuple(range(len(word)))
    for _ in word:
        power = tuple(word[state] for state in power)
    return power == tuple(word[state] for state in power)


def steps_on_tape(
    rules: Mapping[tuple[str, str], tuple[str, str, int]], start: str, word: str
) -> list[tuple[str, str, int]]:
    """Each step of a Turing machine on a tape, until it is in the state yes or no: (state, what was written, move)."""
    tape, place, state = dict(enumerate(word)), 0, start
    steps = []
    while state not in ("yes", "no"):
        state, tape[place], move = rules[state, tape.get(place, "_")]
        steps.append((state, tape[place], move))
        place += move
    return steps


def weight_of_string(
    symbols: str, weights: Sequence[Sequence[Sequence[int]]], ends: Sequence[int], string: str
) -> Fraction:
    """The probability of a string by a probabilistic automaton, summed state by state (the forward algorithm)."""
    total = [sum(map(sum, weights[state])) + ends[state] for state in range(len(ends))]
    held = [Fraction(state == 0) for state in range(len(ends))]
    for symbol in string:
        held = [
            sum(
                (mass * weights[state][symbols.index(symbol)][after] / total[state] for state, mass in enumerate(held)),
                Fraction(0),
            )
            for after in range(len(ends))
        ]
    return sum((mass * ends[state] / total[state] for state, mass in enumerate(held)), Fraction(0))
