"""Limits of time in tests, relative to a reference loop that is measured beside them."""

import time
from collections.abc import Callable

USUAL = 0.007
"""Seconds that the reference loop takes on the machine on which the limits were chosen, with nothing else to do."""


def patient(seconds: float, clock: Callable[[], float] = time.monotonic) -> float:
    """A limit that this machine, as busy as it is now, is given for what takes so many seconds elsewhere.

    Args:
        seconds: the limit on the machine on which it was chosen.
        clock: what is limited: ``time.process_time`` for seconds of a processor.
    """
    return seconds * max(1.0, max(_reference_loop(clock) for _ in range(3)) / USUAL)


def _reference_loop(clock: Callable[[], float]) -> float:
    begun, total = clock(), 0
    for number in range(100_000):
        total += number * number % 7
    return clock() - begun
