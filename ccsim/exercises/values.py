"""Exercises whose answer is a number, or anything that has a property."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.certificates.verify.certificates import with_unit
from ccsim.exercises.reply import Reply, asked


@asked
def check_number(given: Any, wanted: Callable[[], Any], unit: str = "") -> Reply:
    """Whether a number is the one that ``wanted`` computes: too small, too large, or right.

    >>> check_number(5, lambda: 2 + 2), check_number(4, lambda: 2 + 2, "bits"), check_number(..., lambda: 0).right
    (not yet: 5 is too large, right: 4 bits, None)
    """
    if isinstance(given, bool) or not isinstance(given, (int, float, Fraction, np.integer)):
        return Reply(False, f"{given!r} is not a number")
    right = wanted()
    if given == right:
        return Reply(True, with_unit(given, unit))
    return Reply(False, f"{given} is too {'small' if given < right else 'large'}")


@asked
def check_that(given: Any, holds: Callable[..., bool], says: str) -> Reply:
    """Whether what is asked holds for an answer; a tuple is spread over the arguments of ``holds``.

    >>> check_that((3, 4), lambda a, b: a * a + b * b == 25, "the squares add up to 25")
    right: the squares add up to 25
    """
    right = bool(holds(*given) if isinstance(given, tuple) else holds(given))
    return Reply(right, says if right else f"it does not hold that {says}")
