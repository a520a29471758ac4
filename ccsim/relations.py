"""Relations: several answers may be right for a pair of inputs, and any of them will do."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.cells import order_key
from ccsim.errors import InputError

MOST_LABELS = 62


class Relation:
    """The answers that are right for each pair of inputs: rows are Alice's inputs, columns are Bob's.

    Attributes:
        labels: all answers, all different.
        allowed: for each cell, the answers that are right as a mask: bit k is label k. At least one is.
        name: for people.

    A function has one answer in each cell, and a free cell allows all of them. Immutable, with value equality.

    >>> differ = Relation.from_sets([[{"first"}, {"first", "second"}]])
    >>> differ.shape, differ.labels, sorted(differ[0, 1])
    ((1, 2), ('first', 'second'), ['first', 'second'])
    """

    def __init__(
        self, allowed: npt.NDArray[Any] | Sequence[Sequence[int]], labels: Sequence[Hashable], name: str = "relation"
    ) -> None:
        masks = np.array(allowed, dtype=np.int64)
        if masks.ndim != 2 or 0 in masks.shape:
            raise InputError("allowed", masks.shape, "at least one row and one column of masks")
        if not 0 < len(set(labels)) == len(labels) <= MOST_LABELS:
            raise InputError("labels", labels, f"from 1 to {MOST_LABELS} different answers")
        if masks.min() < 1 or masks.max() >> len(labels):
            raise InputError("allowed", (int(masks.min()), int(masks.max())), "one right answer or more in each cell")
        masks.setflags(write=False)
        self.allowed, self.labels, self.name = masks, tuple(labels), name
        self.shape: tuple[int, int] = (masks.shape[0], masks.shape[1])

    @classmethod
    def from_sets(cls, cells: Iterable[Iterable[Iterable[Hashable]]], name: str = "relation") -> Relation:
        """A relation from the set of right answers in each cell; its labels are those that occur, in order."""
        rows = [
            [_right(cell, f"cell ({r}, {c})") for c, cell in enumerate(row)] for r, row in enumerate(_listed(cells))
        ]
        labels = sorted(dict.fromkeys(label for row in rows for cell in row for label in cell), key=order_key)
        places = {label: 1 << place for place, label in enumerate(labels)}
        if len({len(row) for row in rows}) != 1:
            raise InputError("cells", [len(row) for row in rows], "rows of one length")
        return cls([[sum(places[label] for label in cell) for cell in row] for row in rows], labels, name)

    def right(self, code: int) -> npt.NDArray[np.bool_]:
        """The cells in which an answer is right, by its place among the labels."""
        cells: npt.NDArray[np.bool_] = (self.allowed >> code & 1).astype(bool)
        return cells

    def __getitem__(self, cell: tuple[int, int]) -> frozenset[Hashable]:
        """The answers that are right in a cell."""
        mask = int(self.allowed[cell])
        return frozenset(label for place, label in enumerate(self.labels) if mask >> place & 1)

    @cached_property
    def _key(self) -> tuple[object, ...]:
        return self.shape, self.labels, self.allowed.tobytes()

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Relation) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"<Relation {self.name}, {self.shape[0]} x {self.shape[1]}, {len(self.labels)} answers>"


def _listed(cells: Iterable[Any]) -> list[list[Any]]:
    try:
        return [list(row) for row in cells]
    except TypeError as error:
        raise InputError("cells", cells, "rows of sets of right answers") from error


def _right(cell: Any, where: str) -> set[Hashable]:
    try:
        if isinstance(cell, str | bytes):
            raise TypeError("a text is one answer")
        return set(cell)
    except TypeError as error:
        raise InputError(where, cell, "a set of right answers that can be hashed, such as {1} or {1, 2}") from error
