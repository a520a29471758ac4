"""Deadlines of searches, and searches in processes of their own, which are stopped at the deadline.

A search reports each result as it finds it; what it reported by the deadline counts. Its process is forked where that
is safe (on Linux), else a fresh interpreter. It does not outlive the process that began it, and the system itself ends
it one second after its deadline.
"""

from __future__ import annotations

import os
import pickle
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ccsim.engine.processes import FOREVER, FORKS, Process
from ccsim.silence import mute

Work = Callable[[Callable[[Any], None]], None]
"""A search is given a function with which it tells what it finds: plain data."""

LATE = 1.0  # seconds after which the system ends a search that nobody has ended
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
        return cls(None if seconds is None else time.monotonic() + seconds)

    @property
    def over(self) -> bool:
        return self.end is not None and time.monotonic() >= self.end

    def left(self, most: float) -> float:
        """Seconds that a step may take: at most these."""
        return most if self.end is None else max(LEAST, min(most, self.end - time.monotonic()))

    def share(self, parts: int) -> float | None:
        """An equal part of the seconds that are left."""
        return None if self.end is None else max(LEAST, self.end - time.monotonic()) / parts

    def run(self, work: Work) -> Iterator[Any]:
        """What the work tells, in a process of its own, until it is done or the time is over; its error is raised here.

        The clock may be moved meanwhile, but never beyond where it is at first. Where processes are not forked, the
        work has to travel (see cloudpickle).

        >>> list(Clock.within(0.5).run(lambda tell: [tell(1), time.sleep(60), tell(2)]))
        [1]
        """
        with Background(work, self.left(FOREVER)) as process:
            while news := process.news(self.left(FOREVER)):
                yield from news


class Background:
    """A search in a process of its own, while the one who began it does something else; it ends with the context.

    Attributes:
        done: whether it will tell nothing more.

    >>> with Background(lambda tell: [tell(1), tell(2)], 60.0) as search:
    ...     search.news(60.0)[0]
    1
    """

    def __init__(self, work: Work, seconds: float) -> None:
        self.done, self._begun = False, time.monotonic()
        self._process = Process(partial(_search, work, self._begun + seconds), FORKS)
        self._error: BaseException | None = None

    def __enter__(self) -> Background:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.end()

    @property
    def worked(self) -> float:
        """Seconds of a processor that it has used; where the system does not tell, those since it began."""
        if not FORKS:
            return time.monotonic() - self._begun
        used = Path(f"/proc/{self._process.number}/stat").read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")

    @property
    def waiting(self) -> bool:
        """Whether there is news."""
        return not self.done and self._process.connection.poll(0.0)

    def news(self, wait: float = 0.0) -> list[Any]:
        """What it has told since; if that is nothing, its next word, waited for so many seconds.

        Once nothing is left to be told, an error of the work is raised here.
        """
        found: list[Any] = []
        while not self.done and self._process.connection.poll(0.0 if found else wait):
            try:
                word = self._process.connection.recv()
            except (EOFError, OSError):  # it died, as of a lack of memory: what it has told stands
                word = None
            if isinstance(word, tuple):
                found += word
            else:
                self.done, self._error = True, word
        if self._error is not None and not found:
            raise self._error
        return found


def _search(work: Work, end: float, _: Callable[[], Any], send: Callable[[Any], None]) -> None:
    """Each finding is sent as a tuple, and at the end the error of the work or None."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, max(end - time.monotonic(), 0.0) + LATE)
    mute()
    error: BaseException | None = None
    try:
        work(lambda news: send((news,)))
    except BaseException as raised:
        try:
            error = pickle.loads(pickle.dumps(raised))
        except Exception:  # it cannot travel
            error = RuntimeError(f"{type(raised).__name__}: {raised}")
    send(error)
