"""Logarithmic protocols: landmarks of a word from both ends, and how many letters are between them.

Two parties who hold the letters of a word find its landmarks from either end (:class:`Scan`) one by one: each sends
the place of its next letter that does not stay, in a logarithmic number of bits, and there are boundedly many. Then
they count the letters between neighbouring landmarks, modulo a number. A finite search decides whether this determines
the answer for words of *every* length (:func:`landmarks_determine`).
"""

from __future__ import annotations

import itertools
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, NamedTuple

from ccsim import lazy
from ccsim.bits import Bits
from ccsim.certificates.verify.claims import bits_for
from ccsim.engine.model import Cost
from ccsim.engine.party import Receive, Send
from ccsim.engine.protocol import Protocol
from ccsim.errors import Array, require_integer
from ccsim.families.family import partitioned, with_blank
from ccsim.families.monoid import Monoid
from ccsim.models.automata import Automaton
from ccsim.models.reachability import reached

networkx = lazy.load("networkx")

MOST_SETS = 2_000
MOST_COUNTED = 50_000
Counts = tuple[int, ...]
Known = frozenset[int]


class SearchTooLargeError(Exception):
    """A search would be too large."""


def modulus_of(monoid: Monoid) -> int:
    """A number that the order of every element of every subgroup divides."""

    def order(element: int) -> int:
        return len(reached([int(monoid.omega[element])], lambda power: [monoid.times(power, element)])[0])

    return math.lcm(*map(order, range(monoid.size)))


def plus(first: Counts, second: Counts, modulus: int) -> Counts:
    return tuple((a + b) % modulus for a, b in zip(first, second, strict=True))


@dataclass(frozen=True, eq=False)
class Scan:
    """A way to read words from one end, which knows a set of elements: one is that of the part that was read.

    A letter *stays* if it leaves every known element in its class (R-class from the left, L-class from the right:
    Green 1951). The next *landmark* is the first letter that does not stay; before it comes a *gap* of letters that
    do. Of a gap only the number of each letter is used, by ``modulus``. A landmark and a gap determine the set that is
    known next. ``table[a][b]`` is the product of what was read before, and after.
    """

    table: list[list[int]] = field(repr=False)
    generators: tuple[int, ...]
    classes: tuple[int, ...] = field(repr=False)
    modulus: int

    start = frozenset({0})

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "gaps"}  # a function with a memory

    @classmethod
    def of(cls, monoid: Monoid, end: str | None) -> Scan:
        """The scan from the ``"left"`` or ``"right"`` end; of None, which looks at no letter: all stay."""
        table: Array = monoid.table.T if end == "right" else monoid.table
        parts = {"left": monoid.r_classes, "right": monoid.l_classes, None: [list(range(monoid.size))]}[end]
        number = {element: place for place, elements in enumerate(parts) for element in elements}
        classes = tuple(number[element] for element in range(monoid.size))
        return cls(table.tolist(), monoid.generators, classes, modulus_of(monoid))

    @property
    def letters(self) -> int:
        return len(self.generators)

    @property
    def none(self) -> Counts:
        return (0,) * self.letters

    def one(self, letter: int) -> Counts:
        return tuple(int(place == letter) % self.modulus for place in range(self.letters))

    def stays(self, known: Known) -> tuple[int, ...]:
        return tuple(
            letter
            for letter, element in enumerate(self.generators)
            if all(self.classes[self.table[x][element]] == self.classes[x] for x in known)
        )

    @cached_property
    def gaps(self) -> Callable[[tuple[int, ...]], dict[Counts, Known]]:
        """Takes some letters; the elements of all words of them, by the counts of the letters."""
        return cache(self._closed)

    def _closed(self, letters: tuple[int, ...]) -> dict[Counts, Known]:
        if len(self.table) * self.modulus ** len(letters) > MOST_COUNTED:
            raise SearchTooLargeError

        def follow(read: tuple[int, Counts]) -> Iterator[tuple[int, Counts]]:
            for letter in letters:
                yield self.table[read[0]][self.generators[letter]], plus(read[1], self.one(letter), self.modulus)

        gaps: dict[Counts, set[int]] = defaultdict(set)
        for element, counts in reached([(0, self.none)], follow)[0]:
            gaps[counts].add(element)
        return {counts: frozenset(elements) for counts, elements in gaps.items()}

    def times(self, known: Known, more: Known) -> Known:
        return frozenset(self.table[a][b] for a, b in itertools.product(known, more))

    def after(self, known: Known, counts: Counts, letter: int) -> Known:
        gap = self.gaps(self.stays(known))[counts]
        return self.times(self.times(known, gap), frozenset({self.generators[letter]}))

    @cached_property
    def steps(self) -> dict[Known, list[tuple[Counts, int, Known]]]:
        """For each known set the gaps and landmarks that may come, and what is known then; an error if too many."""
        steps: dict[Known, list[tuple[Counts, int, Known]]] = {}

        def follow(known: Known) -> list[Known]:
            stays = self.stays(known)
            landmarks = [letter for letter in range(self.letters) if letter not in stays]
            steps[known] = [
                (counts, letter, self.after(known, counts, letter))
                for counts in (self.gaps(stays) if landmarks else ())
                for letter in landmarks
            ]
            return [after for _, _, after in steps[known]]

        if len(reached([self.start], follow, MOST_SETS)[0]) > MOST_SETS:
            raise SearchTooLargeError
        return steps

    @cached_property
    def questions(self) -> int | None:
        """How often parties must look for a landmark at most; None if no number is enough for every word."""
        graph = networkx.DiGraph({known: [after for *_, after in steps] for known, steps in self.steps.items()})
        acyclic = networkx.is_directed_acyclic_graph(graph)
        return networkx.dag_longest_path_length(graph) if acyclic else None  # of paths from the start, the one source


MOST_READ = 20_000


class Read(NamedTuple):
    """What words have in common that were read up to the same landmark."""

    known: Known  # by the scan from the left, at its last landmark
    counted: Counts  # the letters since then
    rest: Known  # what the scan from the right knows at its next landmark
    expected: Counts  # the letters still to come before that
    elements: Known  # those that the part read may have


def landmarks_determine(left: Scan, right: Scan, answer: Callable[[int], int]) -> bool:
    """Whether all words with the same landmarks from both ends, and the same counts between, have the same answer.

    A word is read from the left. Kept are what the scan from the left knows and has counted since its last landmark;
    what the scan from the right *will* know of the rest, with the counts still to come before its next landmark
    (guessed when the last was passed); and the elements that the part read may have, of all words with the same
    landmarks and counts. These are finitely many states. If in every one in which a word may end all those elements
    have one answer, so have the words, at every length.
    """
    before = defaultdict[tuple[Known, int], list[tuple[Counts, Known]]](list)
    for known, steps in right.steps.items():  # the gap after what is known with a landmark, and what is known without
        for counts, letter, after in steps:
            before[after, letter].append((counts, known))

    def passed(state: Read, counts: Counts, elements: Known) -> Read:
        counted = plus(state.counted, counts, left.modulus)
        expected = plus(state.expected, tuple(-number for number in counts), left.modulus)
        return state._replace(counted=counted, expected=expected, elements=elements)

    def landmark(state: Read, letter: int) -> Iterator[Read]:
        """After a letter that is a landmark of one scan or both."""
        generator = frozenset({left.generators[letter]})
        read = passed(state, left.one(letter), left.times(state.elements, generator))
        stops = letter not in left.stays(state.known)
        if stops:
            read = read._replace(known=left.after(state.known, state.counted, letter), counted=left.none)
        if stops and letter in right.stays(state.rest):
            yield read
        if not any(state.expected):
            for expected, rest in before.get((state.rest, letter), ()):
                yield read._replace(rest=rest, expected=expected)

    gaps = ((rest, expected) for rest in right.steps for expected in right.gaps(right.stays(rest)))
    todo = [Read(left.start, left.none, rest, expected, left.start) for rest, expected in gaps]
    seen = set(todo)
    while todo:
        state = todo.pop()
        both = set(left.stays(state.known)) & set(right.stays(state.rest))
        for counts, gap in left.gaps(tuple(sorted(both))).items():
            read = passed(state, counts, left.times(state.elements, gap))
            complete = read.rest == right.start and not any(read.expected)
            if complete and len({answer(element) for element in read.elements}) > 1:
                return False
            for after_landmark in itertools.chain.from_iterable(landmark(read, x) for x in range(left.letters)):
                if after_landmark not in seen:
                    if len(seen) >= MOST_READ:
                        raise SearchTooLargeError
                    seen.add(after_landmark)
                    todo.append(after_landmark)
    return True


Held = tuple[int, int]  # a position of the word, from 1 on, and the letter there
Mark = tuple[int, int, Known]  # a landmark's position and letter, and what is known after it
Talk = Generator[Any, Any, Any]


@dataclass(frozen=True, eq=False)
class Landmarks:
    """A protocol with a logarithmic number of bits for a language with blanks, letters in turn, right at every length.

    It has the language's automaton, its syntactic monoid, and the scans from both ends.

    Attributes:
        automaton, monoid: of the language.
        left, right: the scan from each end.
    """

    automaton: Automaton
    monoid: Monoid = field(repr=False)
    left: Scan = field(repr=False)
    right: Scan = field(repr=False)

    @property
    def questions(self) -> int:
        """The largest number of landmarks."""
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
        function = partitioned(read, partition).at(n)
        formula = re.sub(r"ceil\(log2\((.*?)\)\)", r"L(\1)", self.formula(partition))
        owners = [[at for at, owner in enumerate(partition * n, 1) if owner == name] for name in "AB"]
        parties: dict[str, Any] = {name: _Party(self, who, owners).run for who, name in enumerate(("alice", "bob"))}
        cost = Cost(formula, {"n": n}, exact=False)
        return Protocol(f"landmarks of {function.name}", function, parties, cost=cost)

    def answer(self, from_left: list[Mark], from_right: list[Mark], counts: list[Counts]) -> int:
        """The answer by the landmarks from both ends, in the order of the scans, and the counts between them."""
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
    """The program of one party: Alice is 0, Bob 1."""

    landmarks: Landmarks
    who: int
    owners: list[list[int]]

    def run(self, word: Any) -> Talk:
        """Find the landmarks with the other; Alice sends her counts, Bob answers."""
        left, right, known = self.landmarks.left, self.landmarks.right, self.landmarks.automaton.alphabet
        symbols = zip(self.owners[self.who], itertools.chain.from_iterable(word), strict=True)
        own = [(place, known.index(symbol)) for place, symbol in symbols if symbol in known]
        from_left = yield from self._marks(left, own, self.owners)
        turned = [[self._end - place for place in places] for places in self.owners]
        marks = yield from self._marks(right, [(self._end - place, letter) for place, letter in own], turned)
        from_right = [(self._end - place, letter, after) for place, letter, after in marks]
        places = sorted({place for place, _, _ in [*from_left, *from_right]})
        gaps = [_between(own, *gap, left) for gap in itertools.pairwise([0, *places, self._end])]
        room = left.letters * bits_for(left.modulus)
        if self.who == 0:
            if room:
                yield Send(_joined(gaps, left), "counts")
            answer: Bits = yield Receive(width=1)
            return answer[0]
        if room:
            hers = _parted((yield Receive(width=len(gaps) * room)), left)
            gaps = [plus(a, b, left.modulus) for a, b in zip(gaps, hers, strict=True)]
        given = self.landmarks.answer(from_left, from_right, gaps)
        yield Send(given, "answer")
        return given

    @property
    def _end(self) -> int:
        return sum(map(len, self.owners)) + 1

    def _marks(self, scan: Scan, own: list[Held], owners: list[list[int]]) -> Talk:
        """The landmarks of a scan, in its order; places are counted from the end that is read from."""
        last, known, marks = 0, scan.start, list[Mark]()
        while len(stays := scan.stays(known)) < scan.letters:
            mine = min((one for one in own if one[0] > last and one[1] not in stays), default=None)
            some = [one for one in (mine, (yield from self._next(mine, owners, scan))) if one is not None]
            if not some:
                break
            place, letter = min(some)
            counts = _between(own, last, place, scan)
            if scan.modulus > 1:
                own_counts = _joined([counts], scan)
                theirs = yield from self._exchange(own_counts, len(own_counts), "counts")
                counts = plus(counts, _parted(theirs, scan)[0], scan.modulus)
            known, last = scan.after(known, counts, letter), place
            marks.append((place, letter, known))
        return marks

    def _next(self, mine: Held | None, owners: list[list[int]], scan: Scan) -> Talk:
        """The other's next place and letter; each counts the positions that are its own."""
        owned, theirs = owners[self.who], owners[1 - self.who]
        named = bits_for(scan.letters)
        turn, letter = (0, 0) if mine is None else (owned.index(mine[0]) + 1, mine[1])
        message = Bits.unsigned(turn, bits_for(len(owned) + 1)) + Bits.unsigned(letter, named)
        width = bits_for(len(theirs) + 1)
        received = yield from self._exchange(message, width + named, "next place")
        turn = received[:width].to_unsigned()
        return (theirs[turn - 1], received[width:].to_unsigned()) if turn else None

    def _exchange(self, message: Bits, width: int, label: str) -> Talk:
        """The other's message, of so many bits; Alice speaks first."""
        if self.who == 0:
            yield Send(message, label)
        received: Bits = yield Receive(width=width)
        if self.who == 1:
            yield Send(message, label)
        return received


def _between(own: list[Held], first: int, last: int, scan: Scan) -> Counts:
    inside = [letter for place, letter in own if first < place < last]
    return tuple(inside.count(letter) % scan.modulus for letter in range(scan.letters))


def _joined(gaps: list[Counts], scan: Scan) -> Bits:
    return sum((Bits.unsigned(number, bits_for(scan.modulus)) for gap in gaps for number in gap), Bits())


def _parted(bits: Bits, scan: Scan) -> list[Counts]:
    room = bits_for(scan.modulus)
    numbers = [bits[at : at + room].to_unsigned() for at in range(0, len(bits), room)]
    return [tuple(numbers[at : at + scan.letters]) for at in range(0, len(numbers), scan.letters)]


def landmark_protocol(automaton: Automaton, monoid: Monoid) -> Landmarks | None:
    """The protocol of the fewest bits, if landmarks from one end or both determine the answer at every length.

    None if they do not, and also where a search would be too large.

    >>> from ccsim.families import transition_monoid
    >>> from ccsim.models.regular_expressions import from_regular_expression
    >>> automaton = from_regular_expression("a*b*", "ab")
    >>> landmarks = landmark_protocol(automaton, transition_monoid(automaton))
    >>> landmarks.formula(), landmarks.protocol(2).explore().correct
    ('6*ceil(log2(n + 1)) + 7', True)
    """

    def answer(element: int) -> int:
        return int(automaton.outputs[monoid.acting(element, automaton.first)])

    scans = {end: Scan.of(monoid, end) for end in (None, "left", "right")}
    bounded = list[Landmarks]()
    for left, right in ((None, None), ("left", None), (None, "right"), ("left", "right")):
        one = Landmarks(automaton, monoid, scans[left], scans[right])
        with suppress(SearchTooLargeError):
            bounded += [one] if None not in (one.left.questions, one.right.questions) else []
    for one in sorted(bounded, key=lambda one: one.questions):
        with suppress(SearchTooLargeError):
            if landmarks_determine(one.left, one.right, answer):
                return one
    return None
