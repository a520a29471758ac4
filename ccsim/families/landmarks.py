"""Logarithmic protocols: the places where each letter comes first and last, and how many letters stand between them.

The *landmarks* of a word are the first and the last occurrence of each of its letters. Its *summary* says in which
order they come, and how often each letter stands in each gap between them: a count up to a threshold, and from there on
modulo a number. Two parties who say where their own first and last letters are, and how many stand in each gap, know
the summary of the word; a place takes a logarithmic number of bits, and all else a constant number.

The summary of a word with one letter more is determined by that of the word: the last position is always a landmark; a
letter that came before leaves its last place, unless it is its first as well, so that two gaps become one; and it
stands at the end. So the words with one summary are the classes of a right congruence, finitely many. If for each class
and each letter more the element of the monoid is that of the class that is reached, the summary determines the element
for words of every length. This is decided by a search over the classes.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ccsim.arguments import require_integer
from ccsim.bits import Bits
from ccsim.certificates.verify import bits_for
from ccsim.engine.cost import Cost
from ccsim.engine.protocol import Protocol
from ccsim.engine.steps import Receive, Send
from ccsim.families.monoid import Monoid
from ccsim.families.sources import dealt, with_blank
from ccsim.models.automata.automaton import Automaton

__all__ = ["Landmarks", "landmark_protocol", "summary"]

MOST_SUMMARIES = 3_000
MOST_THRESHOLD = 2
Word = tuple[int, ...]
Summary = tuple[tuple[int, tuple[int, ...]], ...]
Held = tuple[int, int]  # a turn, and the letter that a party has there
Mark = tuple[int, int, int]  # a turn, whose letter it is (0: Alice's), and the letter


def counted(number: int, threshold: int, modulus: int) -> int:
    """A count that is exact up to a threshold, and known modulo a number from there on."""
    return number if number < threshold else threshold + (number - threshold) % modulus


def summary(word: Word, letters: int, threshold: int, modulus: int) -> Summary:
    """For each landmark its letter, and how often each letter stands in the gap before it.

    >>> summary((0, 1, 1, 1, 0), 2, 0, 2)
    ((0, (0, 0)), (1, (0, 0)), (1, (0, 1)), (0, (0, 0)))
    """
    first = {letter: place for place, letter in reversed(list(enumerate(word)))}
    last = {letter: place for place, letter in enumerate(word)}
    found, before = [], -1
    for place in sorted({*first.values(), *last.values()}):
        gap = word[before + 1 : place]
        counts = tuple(counted(gap.count(letter), threshold, modulus) for letter in range(letters))
        found.append((word[place], counts))
        before = place
    return tuple(found)


@dataclass(frozen=True, eq=False)
class Landmarks:
    """A protocol with a logarithmic number of bits for a language with blanks, dealt in turn, right at every length.

    Attributes:
        automaton: the language's.
        threshold, modulus: how letters in gaps are counted.
        answers: the answer of each summary.
    """

    automaton: Automaton
    threshold: int
    modulus: int
    answers: dict[Summary, int] = field(repr=False)

    @property
    def formula(self) -> str:
        """The bits for n turns."""
        letters = len(self.automaton.alphabet)
        counts = 2 * letters * letters * bits_for(self.threshold + self.modulus)
        return f"{4 * letters} * ceil(log2(n + 1)) + {counts + 1}"

    def protocol(self, n: int) -> Protocol:
        """The protocol for words of 2 n positions, letters or blanks: Alice says her places, Bob his, Alice her counts,
        and Bob answers."""
        n = require_integer("n", n, low=1)
        automaton, letters, width = self.automaton, len(self.automaton.alphabet), bits_for(n + 1)
        function = dealt(with_blank(automaton, "_"), "AB").at(n)
        room = bits_for(self.threshold + self.modulus)
        rank = {letter: place for place, letter in enumerate(automaton.alphabet)}

        def held(word: Any) -> list[Held]:
            return [(turn, rank[letter]) for turn, letter in enumerate(word, 1) if letter != "_"]

        def alice(word: Any) -> Generator[Any, Any, Any]:
            own = held(word)
            yield Send(_written(_ends(own, letters), width), "places")
            bob = _read((yield Receive(width=2 * letters * width)), width)
            counts = _gaps(own, 0, _landmarks(_ends(own, letters), bob), letters)
            if room:
                said = [counted(count, self.threshold, self.modulus) for count in counts]
                yield Send(_written(said, room), "counts")
            answer: Bits = yield Receive(width=1)
            return answer[0]

        def bob(word: Any) -> Generator[Any, Any, Any]:
            own = held(word)
            alice = _read((yield Receive(width=2 * letters * width)), width)
            yield Send(_written(_ends(own, letters), width), "places")
            marks = _landmarks(alice, _ends(own, letters))
            heard = _read((yield Receive(width=2 * letters * letters * room)), room) if room else []
            answer = self.answers[self._summary(marks, heard, _gaps(own, 1, marks, letters))]
            yield Send(Bits([answer]), "answer")
            return answer

        cost = Cost(self.formula.replace("ceil(log2(n + 1))", "L(n + 1)"), {"n": n})
        return Protocol(f"landmarks of {function.name}", function, {"alice": alice, "bob": bob}, cost=cost)

    def _summary(self, marks: list[Mark], heard: list[int], own: list[int]) -> Summary:
        """The summary of the word, from the landmarks, and what stands in the gaps of both parties."""
        letters = len(self.automaton.alphabet)
        both = [a + b for a, b in zip(heard, own, strict=True)] if heard else [0] * len(own)
        counts = [counted(number, self.threshold, self.modulus) for number in both]
        return tuple(
            (letter, tuple(counts[letters * place : letters * (place + 1)]))
            for place, (_, _, letter) in enumerate(marks)
        )


def _ends(own: Sequence[Held], letters: int) -> list[int]:
    """The first and the last turn of each letter; 0 and 0 if it is not there."""
    turns = [[turn for turn, letter in own if letter == wanted] for wanted in range(letters)]
    return [edge for found in turns for edge in ((found[0], found[-1]) if found else (0, 0))]


def _landmarks(alice: list[int], bob: list[int]) -> list[Mark]:
    """The first and last occurrences of letters in the whole word, in order."""
    found: set[Mark] = set()
    for letter in range(len(alice) // 2):
        both = [(turn, who) for who, own in ((0, alice), (1, bob)) for turn in own[2 * letter : 2 * letter + 2]]
        places = sorted(place for place in both if place[0])
        found |= {(*place, letter) for place in (places[:1] + places[-1:])}
    return sorted(found)


def _gaps(own: Sequence[Held], who: int, marks: list[Mark], letters: int) -> list[int]:
    """How often a party has each letter in the gap before each landmark, for as many landmarks as there can be."""
    counts = [0] * (2 * letters * letters)
    for turn, letter in own:
        place = next(at for at, mark in enumerate(marks) if (turn, who) <= mark[:2])
        if (turn, who) != marks[place][:2]:
            counts[letters * place + letter] += 1
    return counts


def _written(numbers: Sequence[int], width: int) -> Bits:
    return Bits("".join(format(number, f"0{width}b") for number in numbers))


def _read(bits: Bits, width: int) -> list[int]:
    text = str(bits)
    return [int(text[at : at + width], 2) for at in range(0, len(text), width)]


def landmark_protocol(automaton: Automaton, monoid: Monoid) -> Landmarks | None:
    """The protocol, if summaries determine the element of the monoid for words of every length; else None.

    >>> from ccsim.families import transition_monoid
    >>> from ccsim.models.automata import from_regular_expression
    >>> automaton = from_regular_expression("a*b*", "ab")
    >>> found = landmark_protocol(automaton, transition_monoid(automaton))
    >>> found.formula, found.protocol(2).explore().correct
    ('8 * ceil(log2(n + 1)) + 1', True)
    """
    modulus = math.lcm(*(_order(monoid, element) for element in range(monoid.size)))
    for threshold in range(MOST_THRESHOLD + 1):
        elements = _elements(monoid, len(automaton.alphabet), threshold, modulus)
        if elements is not None:
            answers = {
                found: int(automaton.outputs[monoid.acting(element, automaton.first)])
                for found, element in elements.items()
            }
            return Landmarks(automaton, threshold, modulus, answers)
    return None


def _order(monoid: Monoid, element: int) -> int:
    """The order of an element times its idempotent power, in a group."""
    start = monoid.times(element, int(monoid.omega[element]))
    power, order = monoid.times(start, element), 1
    while power != start:
        power, order = monoid.times(power, element), order + 1
    return order


def _elements(monoid: Monoid, letters: int, threshold: int, modulus: int) -> dict[Summary, int] | None:
    """The element of the monoid of each summary; None if one has several, or there are too many."""
    words: list[Word] = [()]
    found = {summary((), letters, threshold, modulus): 0}
    for word in words:
        own = monoid.of_word(word)
        for letter in range(letters):
            longer = (*word, letter)
            told, element = summary(longer, letters, threshold, modulus), monoid.times(own, monoid.generators[letter])
            if told not in found:
                if len(found) >= MOST_SUMMARIES:
                    return None
                found[told] = element
                words.append(longer)
            elif found[told] != element:
                return None
    return found
