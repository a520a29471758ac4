"""What an exercise says to an answer, and to what is no answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

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
