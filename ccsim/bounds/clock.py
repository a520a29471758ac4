"""How long a search may still take."""

from __future__ import annotations

import time
from dataclasses import dataclass

LEAST = 0.01  # seconds that a step is given in any case


@dataclass
class Clock:
    """A ``time.monotonic()`` at which to stop, which may be moved; None: never.

    >>> Clock.within(None).over, Clock.within(0).over, Clock.within(60).left(most=5.0)
    (False, True, 5.0)
    """

    end: float | None = None

    @classmethod
    def within(cls, seconds: float | None) -> Clock:
        """A clock that begins now."""
        return cls(None if seconds is None else time.monotonic() + seconds)

    @property
    def over(self) -> bool:
        """Whether it is time to stop."""
        return self.end is not None and time.monotonic() >= self.end

    def left(self, most: float) -> float:
        """Seconds that a step may take: at most these."""
        return most if self.end is None else max(LEAST, min(most, self.end - time.monotonic()))

    def share(self, parts: int) -> float | None:
        """An equal part of the seconds that are left."""
        return None if self.end is None else max(LEAST, self.end - time.monotonic()) / parts
