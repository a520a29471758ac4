"""A model beside a task: what it answers in the task's terms, and words to compare them on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from ccsim.errors import Array, InputError
from ccsim.matrices import DONT_CARE
from ccsim.models.model import SequenceModel, renamed_codes
from ccsim.models.recurrent.base import RecurrentModel
from ccsim.problems.sequence_tasks import SequenceTask

MOST_SYMBOLS = 1 << 21  # in all words that are tried at once
FEWEST = 1 << 6
FEW_SYMBOLS = 1 << 6


@dataclass(frozen=True, eq=False)
class Comparison:
    """A model beside a task: which ranks and codes mean the same.

    Attributes:
        model, task: the two.
        lookup: the model's rank for each rank of the task; None if they are the same.
        renamed: the task's code for each code of the model; -2 where the task has no such answer.
    """

    model: SequenceModel
    task: SequenceTask
    lookup: Array | None
    renamed: Array

    @classmethod
    def of(cls, model: SequenceModel, task: SequenceTask) -> Comparison:
        """Raises :class:`~ccsim.errors.InputError` for symbols that the model does not read, and where it has no answer
        of the task, or one that reads like one of the task's and is of another type: then they are written in two ways,
        and every verdict would speak of that.
        """
        renamed, texts = model.codes_among(task.answers), set(map(_text, task.answers))
        alike = any(code < 0 and _text(answer) in texts for answer, code in zip(model.answers, renamed, strict=True))
        if alike or (renamed < 0).all():
            expected = f"answers of {task.name}, which are {', '.join(map(repr, task.answers[:6]))}"
            raise InputError("model.answers", tuple(model.answers[:6]), expected)
        return cls(model, task, model.ranks_of(task.alphabet), renamed)

    def read(self, words: Array) -> Array:
        """Words of the task in the model's ranks."""
        return words if self.lookup is None else self.lookup[words]

    def given(self, words: Array) -> Array:
        """What the model answers, in codes of the task."""
        return self.coded(self.model.codes(self.read(words)))

    def coded(self, codes: Array) -> Array:
        """Answer codes of the model in codes of the task."""
        return renamed_codes(self.renamed, codes)

    def wrong(self, words: Array) -> Array:
        wanted = np.asarray(self.task.evaluate(words))
        return np.asarray((wanted != DONT_CARE) & (self.given(words) != wanted))

    def symbols(self) -> list[Array]:
        """At each position the ranks that are allowed there."""
        return self.ranks_allowed(self.task)

    @staticmethod
    def ranks_allowed(task: SequenceTask) -> list[Array]:
        rank = {symbol: place for place, symbol in enumerate(task.alphabet)}
        known: dict[Any, Array] = {}
        for choices in task.positions:
            if choices not in known:
                known[choices] = np.array([rank[symbol] for symbol in choices], dtype=np.int64)
        return [known[choices] for choices in task.positions]

    def word(self, ranks: Array) -> tuple[Any, ...]:
        return tuple(self.task.alphabet[int(rank)] for rank in ranks)


def _text(answer: Any) -> Any:
    """An answer as it is read, whatever its type."""
    return tuple(map(_text, answer)) if isinstance(answer, tuple) else str(answer)


def affordable(count: int, length: int) -> int:
    """So many words, or fewer where they are so long that together they would have millions of symbols.

    >>> affordable(1 << 14, 100), affordable(1 << 14, 1 << 10), affordable(1 << 14, 10**9)
    (16384, 2048, 64)
    """
    return min(count, max(FEWEST, MOST_SYMBOLS // length))


def likely_seconds(model: SequenceModel, words: Array, clock: Callable[[], float] = time.monotonic) -> float:
    """How long a recurrent model takes for long words of its ranks, told by their first symbols; 0 for all others."""
    return likely_time(model.run, words, clock) if isinstance(model, RecurrentModel) else 0.0


def likely_time(run: Callable[[Array], object], words: Array, clock: Callable[[], float] = time.monotonic) -> float:
    """How many seconds something that goes from symbol to symbol takes for long words; 0 for words that are short."""
    length: int = words.shape[1]
    if length < FEW_SYMBOLS**2:
        return 0.0
    begun = clock()
    run(words[:, :FEW_SYMBOLS])
    return (clock() - begun) * length / FEW_SYMBOLS


def uniform_words(symbols: list[Array], count: int, generator: np.random.Generator) -> Array:
    """Words drawn uniformly, shape (count, N)."""
    parts = []
    for _, group in groupby(symbols, key=id):  # positions with the same choices at once
        alike = list(group)
        parts.append(alike[0][generator.integers(0, len(alike[0]), (len(alike), count))])
    return np.ascontiguousarray(np.concatenate(parts).T)
