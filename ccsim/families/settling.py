"""Whether the landmarks of a word, and the counts between them, settle an answer for words of every length.

The search reads a word from the left. It keeps what the scan from the left knows and has counted since its last
landmark; what the scan from the right *will* know of the rest, with the counts that are still to come before its next
landmark (guessed when the last was passed); and the elements that the part read may have, of all words with the same
landmarks and counts. These are finitely many states. If in every state in which a word may end all those elements have
one answer, words with the same landmarks and counts have the same answer, at every length.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ccsim.families.scans import Counts, Known, Scan, SearchTooLargeError, plus

MOST_STATES = 20_000


class Read(NamedTuple):
    """What words have in common that were read up to the same landmark.

    Attributes:
        known: what the scan from the left knows at its last landmark.
        counted: the letters since then.
        rest: what the scan from the right knows at its next landmark, and so where it stands now.
        expected: the letters still to come before that.
        elements: those that the part read may have.
    """

    known: Known
    counted: Counts
    rest: Known
    expected: Counts
    elements: Known


def settles(left: Scan, right: Scan, answer: Callable[[int], int]) -> bool:
    """Whether all words with the same landmarks from both ends, and the same counts between, have the same answer.

    Args:
        left, right: the scans of one monoid.
        answer: of an element.

    Raises :class:`SearchTooLargeError` if there are too many states.
    """
    search = _Search(left, right)
    todo, seen = list(search.starts()), set(search.starts())
    while todo:
        for state, ended in search.follow(todo.pop()):
            if ended and len({answer(element) for element in state.elements}) > 1:
                return False
            if not ended and state not in seen:
                if len(seen) >= MOST_STATES:
                    raise SearchTooLargeError
                seen.add(state)
                todo.append(state)
    return True


@dataclass(frozen=True, eq=False)
class _Search:
    left: Scan
    right: Scan

    @cached_property
    def passed(self) -> dict[tuple[Known, int], list[tuple[Counts, Known]]]:
        """For what the scan from the right knows with a landmark: the gap after it, and what it knows without."""
        found = defaultdict(list)
        for known, steps in self.right.steps.items():
            for counts, letter, after in steps:
                found[after, letter].append((counts, known))
        return found

    def starts(self) -> Iterator[Read]:
        """Before the first letter."""
        for rest in self.right.steps:
            for expected in self.right.gaps(self.right.stays(rest)):
                yield Read(self.left.start, self.left.none, rest, expected, self.left.start)

    def follow(self, state: Read) -> Iterator[tuple[Read, bool]]:
        """After a gap: the end of the word (True), or a landmark of either scan or of both (False)."""
        both = set(self.left.stays(state.known)) & set(self.right.stays(state.rest))
        for counts, gap in self.left.gaps(tuple(sorted(both))).items():
            read = self._passed(state, counts, self.left.times(state.elements, gap))
            if read.rest == self.right.start and not any(read.expected):
                yield read, True
            for letter in range(self.left.letters):
                yield from ((after, False) for after in self._landmark(read, letter))

    def _passed(self, state: Read, counts: Counts, elements: Known) -> Read:
        """After letters that are counted by both scans."""
        modulus = self.left.modulus
        less = tuple(-number for number in counts)
        return state._replace(
            counted=plus(state.counted, counts, modulus),
            expected=plus(state.expected, less, modulus),
            elements=elements,
        )

    def _landmark(self, read: Read, letter: int) -> Iterator[Read]:
        """After a letter that is a landmark of one scan or both."""
        one, generator = self.left.one(letter), frozenset({self.left.generators[letter]})
        passed = self._passed(read, one, self.left.times(read.elements, generator))
        stops = letter not in self.left.stays(read.known)
        if stops:
            known = self.left.after(read.known, read.counted, letter)
            passed = passed._replace(known=known, counted=self.left.none)
        if stops and letter in self.right.stays(read.rest):
            yield passed
        if not any(read.expected):
            for expected, rest in self.passed.get((read.rest, letter), ()):
                yield passed._replace(rest=rest, expected=expected)
