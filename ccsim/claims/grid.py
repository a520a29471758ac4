"""Grids of settings as the command line writes them: ``length=4:12:2 width=1:32 precision=4,8,16``."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import product

from ccsim.claims.claim import Claim, Setting
from ccsim.errors import InputError

__all__ = ["grid_of", "settings_of", "settings_on", "values_of"]

MOST_SETTINGS = 1_000_000


def values_of(text: str) -> tuple[int | str, ...]:
    """The values of one axis: ``low:high``, ``low:high:step`` with both ends, or values with commas between.

    >>> values_of("4:12:2"), values_of("4,8,16"), values_of("literal,compact"), values_of("3")
    ((4, 6, 8, 10, 12), (4, 8, 16), ('literal', 'compact'), (3,))
    """
    found = re.fullmatch(r"(-?\d+):(-?\d+)(?::(\d+))?", text)
    if found:
        low, high, step = int(found[1]), int(found[2]), int(found[3] or 1)
        if step < 1 or low > high or (high - low) // step >= MOST_SETTINGS:
            expected = f"low <= high, a step of at least 1, and at most {MOST_SETTINGS} values"
            raise InputError("--grid", text, f"low:high or low:high:step, with {expected}")
        return tuple(range(low, high + 1, step))
    parts = text.split(",")
    if not all(parts):
        raise InputError("--grid", text, "values with commas between, low:high, or low:high:step")
    return tuple(int(part) if re.fullmatch(r"-?\d+", part) else part for part in parts)


def settings_of(texts: Sequence[str]) -> dict[str, int | str]:
    """Single values: ``["width=8"]`` as ``{"width": 8}``."""
    for text in texts:
        if not all(text.partition("=")):
            raise InputError("--set", text, "NAME=VALUE, such as width=8")
    axes = grid_of(texts)
    several = [name for name, values in axes.items() if len(values) > 1]
    if several:
        raise InputError(several[0], axes[several[0]], "one value")
    return {name: values[0] for name, values in axes.items()}


def grid_of(texts: Sequence[str], claim: Claim | None = None) -> dict[str, tuple[int | str, ...]]:
    """The axes: the values of each parameter that is named. With a claim, its parameters only."""
    axes: dict[str, tuple[int | str, ...]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if not (name and equals and values) or name in axes:
            raise InputError("--grid", text, "NAME=VALUES, each name once, such as length=4:12:2 or precision=4,8")
        axes[name] = values_of(values)
    if claim is not None:
        for name in axes:
            claim.setting({name: axes[name][0]})
    return axes


def settings_on(claim: Claim, axes: dict[str, tuple[int | str, ...]]) -> list[Setting]:
    """Every setting on the grid, the last axis fastest."""
    count = math.prod(map(len, axes.values()))
    if count > MOST_SETTINGS:
        raise InputError("--grid", f"{count} settings", f"at most {MOST_SETTINGS}")
    return [claim.setting(dict(zip(axes, values, strict=True))) for values in product(*axes.values())]
