"""How much an audit may try, and when it must stop."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from ccsim.errors import InputError, require_integer

LEAST_SECONDS = 1e-9  # of a part that begins when all time is over: it stops at its first occasion


class OutOfBudgetError(RuntimeError):
    """An exact search that would go beyond the budget; says how far it came."""


class AllApartError(OutOfBudgetError):
    """One in which no two words led to one state until it was too large: to begin in another order is in vain."""


@dataclass(frozen=True)
class Budget:
    """The limits of an audit; what does not fit in them is reported, never guessed.

    Attributes:
        states: the most states, and pairs of a model's and a task's state, that are held at one position.
        words: the most words that are evaluated one by one.
        seconds: the most time, after which the search stops at the next occasion.
        seed: of what is drawn where not everything can be tried.
        whole: of a part, the seconds that were given for all.
        clock: tells the time in seconds; with ``time.process_time`` it is that of the processor.
    """

    states: int = 1 << 20
    words: int = 1 << 20
    seconds: float = 60.0
    seed: int = 0
    whole: float | None = None
    clock: Callable[[], float] = field(default=time.monotonic, repr=False, compare=False)
    started: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_integer("states", self.states, low=1)
        require_integer("words", self.words, low=1)
        require_integer("seed", self.seed, low=0)
        if not self.seconds > 0:
            raise InputError("seconds", self.seconds, "a positive number")
        object.__setattr__(self, "started", self.clock())

    def part(self, share: float = 1.0) -> Budget:
        """The same limits from now on, with this share of the time that is left: no part ends after the whole."""
        seconds = max(LEAST_SECONDS, share * self.left)
        return Budget(self.states, self.words, seconds, self.seed, self.whole or self.seconds, self.clock)

    @property
    def left(self) -> float:
        """Seconds until the end; none is left after it."""
        return max(0.0, self.seconds - self.spent)

    @property
    def spent(self) -> float:
        """Seconds since the start."""
        return self.clock() - self.started

    def require_time(self, reached: str) -> None:
        """Stop if the time is over."""
        if self.spent > self.seconds:
            of = "" if self.whole is None else f" of the {self.whole:.3g} s given, its share"
            after = (
                f"after {self.seconds:.3g} s{of}: reached {reached}"
                if self.seconds > LEAST_SECONDS
                else "before it began"
            )
            raise OutOfBudgetError(f"out of time {after}")

    def require_states(self, count: int, what: str, reached: str) -> None:
        """Stop if so many states are too many."""
        if count > self.states:
            raise OutOfBudgetError(f"too many states: {count} {what}, budget {self.states}: reached {reached}")


UNLIMITED = Budget(seconds=math.inf)
