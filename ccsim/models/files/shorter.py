"""A transformer in files for the beginnings of its words: what it says at every position of a word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ccsim.arithmetic import Precision
from ccsim.errors import InputError
from ccsim.models.files.finding import find_description
from ccsim.models.files.load import build_model
from ccsim.models.model import SequenceModel

__all__ = ["shorter_models"]


def shorter_models(
    path: str | Path,
    *,
    length: int,
    precision: int | Precision | None = None,
    threshold: float | None = None,
) -> Callable[[int], SequenceModel]:
    """The model of :func:`~ccsim.models.files.load_model` for the first so many symbols of words of N symbols.

    It reads the ids ``before`` of its description in front of them, and nothing behind. As its positions look back
    only, this is what it says at the last of these symbols when it runs on the whole word.

    Raises :class:`~ccsim.errors.InputError` for encoders of PyTorch, in which every position sees what comes behind it.
    """
    description, tensors = find_description(path)
    if description.architecture != "transformer" or description.convention == "pytorch":
        expected = "a decoder, whose positions look back only; in an encoder each sees what comes behind it"
        raise InputError("architecture", f"{description.architecture}, {description.convention}", expected)
    alone = replace(description, after=(), check=None)
    alone = alone if threshold is None else replace(alone, threshold=threshold)

    def shorter(symbols: int) -> SequenceModel:
        return build_model(alone, tensors, precision=precision, length=symbols).model

    shorter(length)  # so that what cannot be read is an error now
    return shorter
