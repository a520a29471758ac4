"""Small trained models: an LSTM, a selective state space and a one-layer transformer for each of three tasks.

The weights lie beside this file as safetensors, each with its description; ``training/small_models.py`` made them.
"""

from __future__ import annotations

from pathlib import Path

from ccsim.arithmetic import Precision
from ccsim.errors import InputError
from ccsim.models.files import LoadedModel, load_model
from ccsim.problems import SequenceTask, dyck, equality_of_halves, index_lookup

__all__ = ["trained_model", "trained_names", "trained_task"]

TASKS = {"lookup": lambda: index_lookup(8), "dyck": lambda: dyck(8), "equality": lambda: equality_of_halves(8)}


def trained_names() -> tuple[str, ...]:
    """The names of the models, ``task-architecture``."""
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.safetensors")))


def trained_task(name: str) -> SequenceTask:
    """The task that a model was trained on.

    >>> trained_task("dyck-lstm").name
    'dyck(8, 2, 2)'
    """
    task = TASKS.get(name.split("-")[0])
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
