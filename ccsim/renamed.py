"""Old names, which work for one release with a warning that says the new one."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

__all__ = ["renamed"]

Given = ParamSpec("Given")
Result = TypeVar("Result")


def renamed(old: str, new: Callable[Given, Result], name: str | None = None) -> Callable[Given, Result]:
    """A function under its old name: it does the same, after a :class:`DeprecationWarning` that says the new one."""
    advice = f"{old} is called {name or new.__name__} now; the old name goes with the next release"

    @wraps(new)
    def under_its_old_name(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        warnings.warn(advice, DeprecationWarning, stacklevel=2)
        return new(*args, **kwargs)

    return under_its_old_name
