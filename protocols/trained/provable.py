"""Models that ``training/provable.py`` trained so that audits can prove them, unlike all others in this package."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from ccsim.auditing import modular_counting
from ccsim.errors import InputError
from ccsim.models.files import LoadedModel, load_model
from ccsim.problems import SequenceTask, dyck, majority_of_word, parity_of_word

__all__ = ["FOLDER", "MODELS", "provable_model", "provable_task"]

FOLDER = Path(__file__).with_name("provable")

Task = Callable[[int], SequenceTask]
MODULO: Task = partial(modular_counting, modulus=3)
BRACKETS: Task = partial(dyck, brackets=1, depth=2)

MODELS: Mapping[str, tuple[str, int, Task]] = {
    "parity-gru": ("gru", 64, parity_of_word),
    "modulo-gru": ("gru", 64, MODULO),
    "dyck-gru": ("gru", 64, BRACKETS),
    "majority-gru": ("gru", 64, majority_of_word),
    "parity-lstm": ("lstm", 16, parity_of_word),
    "modulo-lstm": ("lstm", 16, MODULO),
    "dyck-lstm": ("lstm", 16, BRACKETS),
    "majority-lstm": ("lstm", 16, majority_of_word),
    "majority-mamba": ("mamba", 16, majority_of_word),
}
"""For each name the kind of model, its width, and its task by the number of symbols of a word."""


def provable_task(name: str, length: int) -> SequenceTask:
    """The task that a model was trained on.

    >>> provable_task("modulo-lstm", 20).answers
    (0, 1, 2)
    """
    return MODELS[_known(name)][2](length)


def provable_model(name: str) -> LoadedModel:
    """A model that was trained to be proved, in 16 bits.

    >>> provable_model("parity-gru").model.state_bits  # 64 units
    1024
    """
    return load_model(FOLDER / f"{_known(name)}.safetensors")


def _known(name: str) -> str:
    if name not in MODELS:
        raise InputError("name", name, f"one of {', '.join(MODELS)}")
    return name
