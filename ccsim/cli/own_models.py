"""Models that are run for ``ccsim audit``: how words are laid out for them, and when a module is read instead."""

from __future__ import annotations

import re
from typing import Any

from ccsim.auditing.tasks import object_in_file
from ccsim.errors import InputError
from ccsim.models.files import LoadedModel, open_forward, read_module
from ccsim.models.files.modules import module_with_weights
from ccsim.models.forward import ForwardModel
from ccsim.models.model import SequenceModel
from ccsim.models.own_step import as_step, is_step
from ccsim.models.runtimes import is_run
from ccsim.problems import SequenceTask


def own_model(
    given: str,
    module: str | None,
    task: SequenceTask,
    layout: dict[str, str | None],
    scoring: dict[str, Any],
    precision: int | None,
    limits: dict[str, Any],
) -> SequenceModel | LoadedModel:
    """What ``file.py:name`` is: a model of ccsim; a module that is read, if numbers are said; else a forward pass.

    The module may also be ``file.py:name`` of another argument, into which the weights in a file are loaded, and what
    is run a graph of ONNX or a folder of Hugging Face. ``layout`` has the texts of the options of the same names,
    ``scoring`` the threshold and which axis comes first, ``limits`` how many words are run for how many seconds to
    compare a module with what was read of it.
    """
    said = {name: text for name, text in layout.items() if text is not None}
    if module is not None:
        found = module_with_weights(object_in_file(module), given)
    elif is_run(given):
        if precision is not None:
            expected = "none: this is run as it is, in the arithmetic that it was saved in, and not read"
            raise InputError("--precision", precision, expected)
        found = open_forward(given, sequence_first=scoring["sequence_first"])
    else:
        found = object_in_file(given)
    if isinstance(found, SequenceModel):
        _require_none(said, "as a model of ccsim knows them")
        if precision is not None:
            raise InputError("--precision", precision, "none: the model has its own")
        _require_no_scoring(scoring)
        return found
    if is_step(found):
        _require_none(said, "as a step takes the places of the symbols")
        if precision is not None:
            raise InputError("--precision", precision, "none: a step is run as it is")
        _require_no_scoring(scoring)
        return as_step(found, task.alphabet, task.answers)
    if precision is not None:
        outside = {name: text for name, text in said.items() if name in ("pad", "position")}
        _require_none(outside, "where a module is read: its answer stands at the last position")
        numbers: dict[str, Any] = {"precision": precision, "layout": _entries(said, task)}
        more = scoring | limits
        return read_module(found, task.alphabet, task.answers, length=task.length, **numbers, **more)
    return ForwardModel(found, task.alphabet, task.answers, **scoring, **_entries(said, task))


def _require_none(said: dict[str, str], why: str) -> None:
    for name, text in said.items():
        raise InputError(f"--{name}", text, f"not given, {why}")


def _require_no_scoring(scoring: dict[str, Any]) -> None:
    if scoring["threshold"] is not None or scoring["sequence_first"]:
        raise InputError("--threshold, --sequence-first", "given", "none: the model knows its answers")


def _entries(said: dict[str, str], task: SequenceTask) -> dict[str, Any]:
    """The arguments of :class:`~ccsim.models.forward.ForwardModel`."""
    numbers = {name: _numbers(name, text) for name, text in said.items()}
    entries: dict[str, Any] = {name: numbers[name] for name in ("before", "after", "rows") if name in numbers}
    if "tokens" in numbers:
        if len(numbers["tokens"]) != len(task.alphabet):
            raise InputError(
                "--tokens", said["tokens"], f"{len(task.alphabet)} ids, one for each of {task.alphabet[:6]}"
            )
        entries["tokens"] = dict(zip(task.alphabet, numbers["tokens"], strict=True))
    if "pad" in numbers:
        if len(numbers["pad"]) != 2:
            raise InputError("--pad", said["pad"], "an id and a length, such as 0,64")
        entries["pad"] = tuple(numbers["pad"])
    if "position" in numbers:
        if len(numbers["position"]) != 1:
            raise InputError("--position", said["position"], "one position, such as -1")
        entries["position"] = numbers["position"][0]
    return entries


def _numbers(name: str, text: str) -> list[int]:
    if not re.fullmatch(r"-?\d{1,9}(,-?\d{1,9})*", text):
        raise InputError(f"--{name}", text, "whole numbers with commas between them")
    return [int(number) for number in text.split(",")]
