"""The models of the leaderboard: five kinds, each trained on every task by ``training/leaderboard.py``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ccsim.auditing import modular_counting, read_task
from ccsim.errors import InputError
from ccsim.models.files import LoadedModel, load_model
from ccsim.problems import SequenceTask, dyck, equality_of_halves, majority_of_word, parity_of_word

FOLDER = Path(__file__).with_name("leaderboard_models")
LENGTHS = (10, 20, 50)

KINDS: Mapping[str, str] = {
    "elman": "simple RNN",
    "lstm": "LSTM",
    "gru": "GRU",
    "mamba": "Mamba",
    "transformer": "transformer, one layer",
}
"""The kinds of model, and what they are called."""

TASKS: Mapping[str, Callable[[int], SequenceTask]] = {
    "parity": parity_of_word,
    "majority": majority_of_word,
    "modulo": lambda length: modular_counting(length, 3),
    "dyck": lambda length: dyck(length, 1, 2),
    "equality": equality_of_halves,
    "recall": lambda length: read_task("re:(0|1)*1(0|1){4}", length),
}
"""The tasks, by the number of symbols of a word; ``recall`` asks for the fifth symbol from the end."""


def leaderboard_model(task: str, kind: str, length: int) -> LoadedModel:
    """A model that was trained on a task, for words of so many symbols.

    >>> leaderboard_model("parity", "lstm", 10).model.state_bits  # four units, each with a memory, of 16 bits
    128
    """
    if task not in TASKS:
        raise InputError("task", task, f"one of {', '.join(TASKS)}")
    if kind not in KINDS:
        raise InputError("kind", kind, f"one of {', '.join(KINDS)}")
    return load_model(FOLDER / f"{task}-{kind}.safetensors", length=length)
