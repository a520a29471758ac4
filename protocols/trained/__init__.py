"""Small trained models: three kinds for each of three tasks, and the leaderboard's five kinds for each of six.

The weights lie beside this file as safetensors, each with its description; ``training/small_models.py`` and
``training/leaderboard.py`` made them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ccsim.arithmetic import Precision
from ccsim.auditing import modular_counting, read_task
from ccsim.errors import InputError
from ccsim.models.files import LoadedModel, load_model
from ccsim.problems import SequenceTask, dyck, equality_of_halves, index_lookup, majority_of_word, parity_of_word

__all__ = ["leaderboard_model", "trained_model", "trained_names", "trained_task"]

TRAINED_ON = {"lookup": lambda: index_lookup(8), "dyck": lambda: dyck(8), "equality": lambda: equality_of_halves(8)}


def trained_names() -> tuple[str, ...]:
    """The names of the models, ``task-architecture``."""
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.safetensors")))


def trained_task(name: str) -> SequenceTask:
    """The task that a model was trained on.

    >>> trained_task("dyck-lstm").name
    'dyck(8, 2, 2)'
    """
    task = TRAINED_ON.get(name.split("-")[0])
    if task is None:
        raise InputError("name", name, f"one of {', '.join(trained_names())}")
    return task()


def trained_model(name: str, *, precision: int | Precision | None = None) -> LoadedModel:
    """A trained model; unless another precision is given, in 16 bits with 4 before the point, a Mamba in 23 with 10.

    >>> trained_model("dyck-lstm").model.state_bits  # eight units, each with a memory
    256
    """
    if name not in trained_names():
        raise InputError("name", name, f"one of {', '.join(trained_names())}")
    return load_model(Path(__file__).with_name(f"{name}.safetensors"), precision=precision)


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
