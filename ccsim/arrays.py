"""Arrays: what annotations call them, and a check of their shape."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt

from ccsim.errors import InputError

Array = npt.NDArray[Any]
"""An array of numbers of any kind; what kind, and which axes, is said where it is used."""


class Shaped(Protocol):
    """What has a shape."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of its axes."""


def require_shape(argument: str, array: Shaped, shape: tuple[int | None, ...]) -> None:
    """An :class:`~ccsim.errors.InputError` unless an array has this shape (None: any size of at least 1)."""
    fits = len(array.shape) == len(shape) and all(
        size >= 1 if wanted is None else size == wanted for size, wanted in zip(array.shape, shape, strict=True)
    )
    if not fits:
        wanted_shape = "(" + ", ".join("any" if size is None else str(size) for size in shape) + ")"
        raise InputError(argument, array.shape, f"an array of shape {wanted_shape}")
