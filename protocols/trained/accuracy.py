"""Accuracy against length: small models of fixed size on looking up an index and on brackets, as they were measured.

``accuracy.json`` lies beside this file; ``training/accuracy_against_length.py`` made it. For the smallest model, of
16 bits of state, the weights are there too: whatever is said of it can be computed again, on all words, exactly.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from ccsim.bounds import ModelBound, model
from ccsim.errors import InputError
from ccsim.models.files import Description, LoadedModel, Tensors, build_model
from ccsim.problems import SequenceTask, dyck, index_lookup

__all__ = [
    "SIZES",
    "Accuracy",
    "accuracy_results",
    "accuracy_settings",
    "most_accurate",
    "size_bound",
    "task_of_length",
]

FILE = Path(__file__).with_name("accuracy.json")
TASKS: Mapping[str, Callable[[int], SequenceTask]] = {"index-lookup": index_lookup, "dyck": dyck}

SIZES: Mapping[str, Mapping[str, Any]] = {
    "gru": {"kind": "recurrent", "width": 2, "precision": 8},
    "lstm": {"kind": "recurrent", "width": 16, "precision": 16},
    "mamba": {"kind": "recurrent", "width": 80, "precision": 23},
    "transformer": {"kind": "transformer", "width": 16, "heads": 2, "head_width": 8, "precision": 16},
}
"""For each model what its bound depends on: numbers of state in all, or width and heads, and bits of each number."""


@dataclass(frozen=True)
class Accuracy:
    """How well one trained model does at one length.

    Attributes:
        task, architecture, length: which; for ``index-lookup`` there are so many symbols and then a token.
        seed: of weights and batches.
        right, tested: of the words held out of training, how many are answered rightly by the float model.
        exact_wrong: of the quantised model, on how many of all words with each answer it is wrong; None if not counted.
        exact_words: how many words have each answer.
        weights: the numbers of the model, by name; empty where they are not kept.
    """

    task: str
    architecture: str
    length: int
    seed: int
    right: int
    tested: int
    exact_wrong: tuple[int, ...] | None = None
    exact_words: tuple[int, ...] | None = None
    weights: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def held_out(self) -> float:
        """The part of the held-out words, half of them with each answer, that the float model answers rightly."""
        return self.right / self.tested

    @property
    def exact(self) -> Fraction | None:
        """The part of all words that the quantised model answers rightly, the mean over answers; None if unknown."""
        if self.exact_wrong is None or self.exact_words is None:
            return None
        parts = [1 - Fraction(wrong, words) for wrong, words in zip(self.exact_wrong, self.exact_words, strict=True)]
        return sum(parts, Fraction(0)) / len(parts)

    def load(self) -> LoadedModel:
        """The model itself, float and quantised; raises :class:`~ccsim.errors.InputError` if it was not kept."""
        if not self.weights:
            kept = "one whose weights were kept: a gru"
            raise InputError("architecture", self.architecture, kept)
        described = small_description(task_of_length(self.task, self.length))
        arrays = {name: np.array(rows, dtype=np.float64) for name, rows in self.weights.items()}
        name = f"{self.task}-{self.architecture}-{self.length}"
        return build_model(Description.from_json(described), Tensors(arrays, name), name=name)


def accuracy_results() -> tuple[Accuracy, ...]:
    """All that was measured, by task, architecture and length.

    >>> [one.length for one in accuracy_results() if (one.task, one.architecture) == ("index-lookup", "gru")]
    [4, 8, 12, 16, 24, 32, 48]
    """
    entries = [Accuracy(**{**entry, **_tuples(entry)}) for entry in _read()["entries"]]
    return tuple(sorted(entries, key=lambda one: (one.task, one.architecture, one.length, one.seed)))


def accuracy_settings() -> dict[str, Any]:
    """How the models were trained and tested: steps, batches, rate, words held out."""
    return dict(_read()["settings"])


def _read() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return read


def _tuples(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(entry[name]) for name in ("exact_wrong", "exact_words") if entry.get(name) is not None}


def task_of_length(task: str, length: int) -> SequenceTask:
    """The task of that name and length.

    >>> task_of_length("dyck", 6).name
    'dyck(6, 2, 2)'
    """
    if task not in TASKS:
        raise InputError("task", task, f"one of {', '.join(TASKS)}")
    return TASKS[task](length)


def small_description(task: SequenceTask) -> dict[str, Any]:
    """The gated recurrent unit of two numbers of 8 bits, as a description of its tensors."""
    return {
        "architecture": "gru",
        "tokens": list(task.alphabet),
        "answers": list(task.answers),
        "read_out": {"weight": "head.weight", "bias": "head.bias"},
        "precision": {"integer_bits": 2, "fraction_bits": 5},
        "prefix": "rnn.",
        "embedding": "embedding.weight",
    }


def size_bound(task: str, architecture: str) -> ModelBound:
    """What the bound says about a model of :data:`SIZES` on a task.

    >>> size_bound("index-lookup", "gru").excluded_from, size_bound("index-lookup", "lstm").excluded_from
    (17, 257)
    """
    if architecture not in SIZES:
        raise InputError("architecture", architecture, f"one of {', '.join(SIZES)}")
    size = dict(SIZES[architecture])
    return model(size.pop("kind"), task=task, **size)


def most_accurate(state_bits: int, length: int) -> Fraction:
    """The largest part of all words of :func:`~ccsim.problems.index_lookup` that a state of so many bits allows.

    After ``length`` bits, a state fixes an answer for every token, so it is wrong on as many tokens as the bits read
    differ from those answers. At most 2^state_bits comb(length, d) prefixes can be at distance d from the answers of
    their own state, which leaves the rest at larger distances. It is 1 exactly where ``length`` is at most
    ``state_bits``.

    >>> most_accurate(16, 16), most_accurate(1, 2), float(most_accurate(16, 48)) < 0.85
    (Fraction(1, 1), Fraction(3, 4), True)
    """
    left, wrong = 1 << length, 0
    for distance in range(length + 1):
        taken = min(left, comb(length, distance) << state_bits)
        wrong, left = wrong + distance * taken, left - taken
    return 1 - Fraction(wrong, length << length)
