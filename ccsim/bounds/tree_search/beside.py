"""What finds protocols only, in turns with a search that also refutes, so that neither waits long for the other.

Which of them decides a matrix is not known before. So work that can pause is done whenever the search looks at the
clock, until it has had as much time as the search itself: the search and all of that work
together take twice as long at most as they would alone.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence

from ccsim.bounds.tree_search.tree import Tree

__all__ = ["FoundBesideError", "Meanwhile", "Work", "finished"]

ALONE = 1.0  # seconds of the search before anything else begins
Work = Generator[None, None, Tree | None]
"""Pauses now and then; what it returns is a protocol tree, or None if it gives up."""


class FoundBesideError(Exception):
    """A protocol tree was found while the search was under way.

    Attributes:
        tree: of the whole matrix.
    """

    def __init__(self, tree: Tree) -> None:
        super().__init__()
        self.tree = tree


class Meanwhile:
    """Several works, of which the one that had the least time goes on first."""

    def __init__(self, works: Sequence[Work]) -> None:
        self._works, self._spent = list(works), [0.0] * len(works)
        self._start, self._all = time.monotonic(), 0.0

    def go_on(self, end: float) -> None:
        """Work until this has had as much time as the search; :class:`FoundBesideError` if that finds a protocol."""
        now = time.monotonic()
        while self._works and now < end and now - self._start > ALONE + 2 * self._all:
            place = self._spent.index(min(self._spent))
            try:
                next(self._works[place])
            except StopIteration as ended:
                del self._works[place], self._spent[place]
                if ended.value is not None:
                    raise FoundBesideError(ended.value) from None
                continue
            before, now = now, time.monotonic()
            self._spent[place] += now - before
            self._all += now - before


def finished(work: Work) -> Tree | None:
    """What work returns, done without a pause."""
    while True:
        try:
            next(work)
        except StopIteration as ended:
            tree: Tree | None = ended.value
            return tree
