"""What the steps of several measures share."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.question import LATE, Question, Steps

MOST_LINES = 256  # of a matrix whose search is soon over


def nothing_known(measure: str, parameters: dict[str, Any], unit: str = "bits") -> Bracket:
    """What is known before anything is done."""
    return Bracket(measure, 0, None, "trivial", None, None, parameters, unit)


def plain_enough(question: Question, known: Bracket) -> bool:
    """Whether nothing is searched, as a glance settled it; of a small matrix a search finds witnesses that say more."""
    return known.exact and max(question.matrix.shape) > MOST_LINES


def timely(question: Question, bracket: Bracket) -> Bracket:
    """The bracket, with a word about the time if that was the reason why it is open."""
    if not question.clock.over or bracket.exact or bracket.method.endswith(LATE):
        return bracket
    return replace(bracket, method=bracket.method + LATE)


def stopped(bracket: Bracket, seconds: float) -> Bracket:
    """The bracket of a search, with a word about the time if it took all that it was given."""
    return replace(bracket, method=bracket.method + LATE) if bracket.seconds >= seconds else bracket


def timed(steps: Steps) -> Steps:
    """Steps whose brackets say how long it took to come so far, without what others did in between."""
    took, start = 0.0, time.monotonic()
    for step in steps:
        took += time.monotonic() - start
        yield (step[0], replace(step[1], seconds=took), step[2]) if isinstance(step, tuple) and step[1] else step
        start = time.monotonic()
