"""What finds protocols only, in turns with a search that also refutes, so that neither waits long for the other.

Which of them decides a matrix is not known before. So work that can pause is done whenever the search looks at the
clock, until each has had its share of the time that the search itself took: some more than others, as they find more.
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
    """Several works, each with its share: how much time it has for each second of the search."""

    def __init__(self, works: Sequence[tuple[Work, float]]) -> None:
        self._works, self._spent = list(works), [0.0] * len(works)
        self._start, self._all = time.monotonic(), 0.0

    def go_on(self, end: float) -> None:
        """Work until each has had its share; :class:`FoundBesideError` if one finds a protocol."""
        now = time.monotonic()
        while self._works and now < end:
            had = [spent / share for (_, share), spent in zip(self._works, self._spent, strict=True)]
            place = had.index(min(had))
            if now - self._start - self._all <= ALONE + had[place]:
                return
            try:
                over, tree = next(self._works[place][0]), None
            except StopIteration as ended:
                over, tree = True, ended.value
            before, now = now, time.monotonic()
            self._spent[place] += now - before
            self._all += now - before
            if over:
                del self._works[place], self._spent[place]
            if tree is not None:
                raise FoundBesideError(tree)


def finished(work: Work) -> Tree | None:
    """What work returns, done without a pause."""
    while True:
        try:
            next(work)
        except StopIteration as ended:
            tree: Tree | None = ended.value
            return tree
