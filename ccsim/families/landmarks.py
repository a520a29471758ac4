"""Logarithmic protocols: landmarks of a word from both ends, and how many letters stand between them.

Two parties who hold the letters of a word find its landmarks from either end (:mod:`ccsim.families.scans`) one by one:
each says where its next letter is that does not stay. A place takes a logarithmic number of bits, and there are
boundedly many. Then they count the letters between neighbouring landmarks, modulo a number. That this settles the
answer for words of *every* length is decided by a finite search (:mod:`ccsim.families.settling`).
"""

from __future__ import annotations

import itertools
import re
import sys
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ccsim.arguments import require_integer
from ccsim.bits import Bits
from ccsim.certificates.verify.data import bits_for
from ccsim.engine.cost import Cost
from ccsim.engine.protocol import Protocol
from ccsim.engine.steps import Receive, Send
from ccsim.families.monoid import Monoid
from ccsim.families.scans import Counts, Known, Scan, SearchTooLargeError, plus
from ccsim.families.settling import settles
from ccsim.families.sources import dealt, with_blank
from ccsim.models.automata.automaton import Automaton

ENDS: tuple[tuple[str | None, str | None], ...] = ((None, None), ("left", None), (None, "right"), ("left", "right"))
Held = tuple[int, int]  # a position of the word, from 1 on, and the letter there
Mark = tuple[int, int, Known]  # a landmark's position and letter, and what is known after it
Talk = Generator[Any, Any, Any]


@dataclass(frozen=True, eq=False)
class Landmarks:
    """A protocol with a logarithmic number of bits for a language with blanks, dealt in turn, right at every length.

    Attributes:
        automaton: the language's.
        monoid: its syntactic monoid.
        left, right: the scans from both ends.
    """

    automaton: Automaton
    monoid: Monoid = field(repr=False)
    left: Scan = field(repr=False)
    right: Scan = field(repr=False)

    @property
    def bounded(self) -> bool:
        """Whether every word has boundedly many landmarks."""
        return self.left.questions is not None and self.right.questions is not None

    @property
    def questions(self) -> int:
        """How many landmarks are looked for at most."""
        return (self.left.questions or 0) + (self.right.questions or 0)

    @property
    def constant(self) -> int:
        """The bits that do not grow with the word: which letters, counts, the answer."""
        letters, counts = bits_for(self.left.letters), self.left.letters * bits_for(self.left.modulus)
        return self.questions * 2 * (letters + counts) + (self.questions + 1) * counts + 1

    def formula(self, partition: str = "AB") -> str:
        """The bits for n repetitions of a partition, at most."""
        held = Counter(partition)
        terms = [
            ("" if times == 1 else f"{times}*") + f"ceil(log2({'' if own == 1 else f'{own}*'}n + 1))"
            for own, owners in itertools.groupby(sorted("AB", key=held.__getitem__), held.__getitem__)
            if (times := self.questions * len(list(owners)))
        ]
        return " + ".join([*terms, str(self.constant)])

    def bits(self, n: int, partition: str = "AB") -> int:
        """The formula's value."""
        return self.constant + self.questions * sum(bits_for(own * n + 1) for own in Counter(partition).values())

    def protocol(self, n: int, partition: str = "AB", blank: str | None = "_") -> Protocol:
        """The protocol for n repetitions of a partition: landmarks from the left and from the right, what Alice counts
        between them, and Bob's answer. Positions hold letters, or the blank if there is one."""
        n = require_integer("n", n, low=1)
        read = self.automaton if blank is None else with_blank(self.automaton, blank)
        function = dealt(read, partition).at(n)
        formula = re.sub(r"ceil\(log2\((.*?)\)\)", r"L(\1)", self.formula(partition))
        owners = [[at for at, owner in enumerate(partition * n, 1) if owner == name] for name in "AB"]
        parties: dict[str, Any] = {name: _Party(self, who, owners).run for who, name in enumerate(("alice", "bob"))}
        cost = Cost(formula, {"n": n}, exact=False)
        return Protocol(f"landmarks of {function.name}", function, parties, cost=cost)

    def answer(self, from_left: list[Mark], from_right: list[Mark], counts: list[Counts]) -> int:
        """The answer by the landmarks from both ends, in the order of their finding, and the counts between them."""
        places = sorted({(place, letter) for place, letter, _ in [*from_left, *from_right]})
        elements = self.left.start
        for counted, (edge, letter) in zip(counts, [*places, (sys.maxsize, None)], strict=True):
            known = [self.left.start, *(after for place, _, after in from_left if place < edge)][-1]
            rest = [self.right.start, *(after for place, _, after in from_right if place >= edge)][-1]
            stay = sorted(set(self.left.stays(known)) & set(self.right.stays(rest)))
            elements = self.left.times(elements, self.left.gaps(tuple(stay))[counted])
            if letter is not None:
                elements = self.left.times(elements, frozenset({self.left.generators[letter]}))
        state = self.monoid.acting(min(elements), self.automaton.first)
        return int(self.automaton.outputs[state])


@dataclass(frozen=True, eq=False)
class _Party:
    """What one of both does: Alice is 0, Bob 1."""

    landmarks: Landmarks
    who: int
    owners: list[list[int]]

    def run(self, word: Any) -> Talk:
        """Find the landmarks with the other; Alice says her counts, Bob answers."""
        left, right, known = self.landmarks.left, self.landmarks.right, self.landmarks.automaton.alphabet
        symbols = zip(self.owners[self.who], itertools.chain.from_iterable(word), strict=True)
        own = [(place, known.index(symbol)) for place, symbol in symbols if symbol in known]
        from_left = yield from self._found(left, own, lambda place: place)
        from_right = yield from self._found(right, own, self._mirrored)
        places = sorted({place for place, _, _ in [*from_left, *from_right]})
        gaps = [_between(own, *gap, left) for gap in itertools.pairwise([0, *places, self._end])]
        room = left.letters * bits_for(left.modulus)
        if self.who == 0:
            if room:
                yield Send(_joined(gaps, left), "counts")
            answer: Bits = yield Receive(width=1)
            return answer[0]
        if room:
            heard = yield Receive(width=len(gaps) * room)
            gaps = [plus(a, b, left.modulus) for a, b in zip(gaps, _parted(heard, left), strict=True)]
        given = self.landmarks.answer(from_left, from_right, gaps)
        yield Send(Bits([given]), "answer")
        return given

    @property
    def _end(self) -> int:
        return sum(map(len, self.owners)) + 1

    def _mirrored(self, place: int) -> int:
        """A place in a word that is read from its other end."""
        return self._end - place

    def _found(self, scan: Scan, own: list[Held], seen: Callable[[int], int]) -> Talk:
        """The landmarks of a scan, in the order of their finding; a place is seen from the end that is read from."""
        last, known = 0, scan.start
        found: list[Mark] = []
        while len(stays := scan.stays(known)) < scan.letters:
            open_ = [one for one in own if seen(one[0]) > last and one[1] not in stays]
            mine = min(open_, key=lambda one: seen(one[0]), default=None)
            some = [one for one in (mine, (yield from self._next(mine, scan))) if one is not None]
            if not some:
                break
            place, letter = min(some, key=lambda one: seen(one[0]))
            counts = _between([(seen(at), held) for at, held in own], last, seen(place), scan)
            if scan.modulus > 1:
                heard = yield from self._exchanged(
                    _joined([counts], scan), len(counts) * bits_for(scan.modulus), "counts"
                )
                counts = plus(counts, _parted(heard, scan)[0], scan.modulus)
            known, last = scan.after(known, counts, letter), seen(place)
            found.append((place, letter, known))
        return found

    def _next(self, mine: Held | None, scan: Scan) -> Talk:
        """The other's next place and letter; each counts the positions that are its own."""
        owned, theirs = self.owners[self.who], self.owners[1 - self.who]
        named = bits_for(scan.letters)
        turn, letter = (0, 0) if mine is None else (owned.index(mine[0]) + 1, mine[1])
        said = Bits.unsigned(turn, bits_for(len(owned) + 1)) + Bits.unsigned(letter, named)
        width = bits_for(len(theirs) + 1)
        heard = yield from self._exchanged(said, width + named, "next place")
        turn = heard[:width].to_unsigned()
        return (theirs[turn - 1], heard[width:].to_unsigned()) if turn else None

    def _exchanged(self, said: Bits, width: int, label: str) -> Talk:
        """What the other says, in so many bits; Alice speaks first."""
        if self.who == 0:
            yield Send(said, label)
        heard: Bits = yield Receive(width=width)
        if self.who == 1:
            yield Send(said, label)
        return heard


def _between(own: list[Held], first: int, last: int, scan: Scan) -> Counts:
    """How often each letter stands between two places, modulo the scan's number."""
    inside = [letter for place, letter in own if first < place < last]
    return tuple(inside.count(letter) % scan.modulus for letter in range(scan.letters))


def _joined(gaps: list[Counts], scan: Scan) -> Bits:
    """Counts as bits."""
    return sum((Bits.unsigned(number, bits_for(scan.modulus)) for gap in gaps for number in gap), Bits())


def _parted(bits: Bits, scan: Scan) -> list[Counts]:
    """Bits as counts."""
    room = bits_for(scan.modulus)
    numbers = [bits[at : at + room].to_unsigned() for at in range(0, len(bits), room)]
    return [tuple(numbers[at : at + scan.letters]) for at in range(0, len(numbers), scan.letters)]


def landmark_protocol(automaton: Automaton, monoid: Monoid) -> Landmarks | None:
    """The protocol of the fewest bits, if landmarks from one end or both settle the answer at every length; else None.

    None is also the answer where a search would be too large; nothing is said of the language then.

    >>> from ccsim.families import transition_monoid
    >>> from ccsim.models.automata import from_regular_expression
    >>> automaton = from_regular_expression("a*b*", "ab")
    >>> found = landmark_protocol(automaton, transition_monoid(automaton))
    >>> found.formula(), found.protocol(2).explore().correct
    ('6*ceil(log2(n + 1)) + 7', True)
    """

    def answer(element: int) -> int:
        return int(automaton.outputs[monoid.acting(element, automaton.first)])

    scans = {end: Scan.of(monoid, end) for end in ("left", "right", None)}
    possible = [Landmarks(automaton, monoid, scans[left], scans[right]) for left, right in ENDS]
    bounded = list[Landmarks]()
    for one in possible:
        with suppress(SearchTooLargeError):
            bounded += [one] if one.bounded else []
    for one in sorted(bounded, key=lambda one: one.questions):
        with suppress(SearchTooLargeError):
            if settles(one.left, one.right, answer):
                return one
    return None
