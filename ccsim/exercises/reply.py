"""What an exercise says to an answer; exercises whose answer is a number, or anything that has a property."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import wraps
from typing import Any

import numpy as np

from ccsim.certificates.verify.certificates import with_unit
from ccsim.errors import InputError, PartyError, ProtocolError


@dataclass(frozen=True)
class Reply:
    """What an exercise says to an answer.

    Attributes:
        right: whether the answer is right; None if there is none yet.
        reason: why, in a sentence.
    """

    right: bool | None
    reason: str

    def __bool__(self) -> bool:
        return self.right is True

    def __str__(self) -> str:
        verdict = {True: "right", False: "not yet", None: "no answer yet"}[self.right]
        return f"{verdict}: {self.reason}"

    __repr__ = __str__


def asked(check: Callable[..., Reply]) -> Callable[..., Reply]:
    """Let a check say what is wrong with an answer that is missing or is none at all."""

    @wraps(check)
    def checked(*arguments: Any, **options: Any) -> Reply:
        if any(map(_open, (*arguments, *options.values()))):
            return Reply(None, "put your answer in place of the three dots")
        try:
            return check(*arguments, **options)
        except (InputError, PartyError, ProtocolError) as error:
            return Reply(False, str(error))
        except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
            return Reply(False, f"this answer cannot be tried: {error}")

    return checked


def _open(given: Any) -> bool:
    """Whether an answer, or a part of it, is still three dots."""
    return given is ... or (isinstance(given, list | tuple) and any(part is ... for part in given))


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
