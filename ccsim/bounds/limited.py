"""Work that stops on time whatever it is doing: a process of its own, which is ended at the deadline.

Solvers, exact elimination and the checker cannot be asked to stop half way, so nothing within one process keeps a
limit. The work tells its findings as it makes them; what it has told by the deadline is what counts. The process is
forked where that is safe (on Linux), else a fresh interpreter. It does not outlive the process that began it, and the
system itself ends it soon after its deadline.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any

import lazy_loader as lazy

from ccsim.bounds.clock import Clock
from ccsim.silence import mute

cloudpickle = lazy.load("cloudpickle")

Work = Callable[[Callable[[Any], None]], None]
"""Work is given a function with which it tells what it finds: plain data."""

FORKS = sys.platform == "linux"
FOREVER = 1e6  # seconds
LATE = 1.0  # seconds after which the system ends a process that nobody has ended
FRESH = "import sys; sys.path[:] = {path!r}; from ccsim.bounds.limited import _serve; _serve({telling}, {alive})"


class _Process:
    """A process that works, and where it tells what it finds."""

    def __init__(self, work: Work, end: float) -> None:
        self._begun = time.monotonic()
        self.told, telling = Pipe(duplex=False)
        alive, self._alive = Pipe(duplex=False)
        self._child: subprocess.Popen[bytes] | None = None
        if FORKS:
            with warnings.catch_warnings():  # other threads are no matter: the process only calculates
                warnings.simplefilter("ignore", DeprecationWarning)
                self._number = os.fork()
            if not self._number:
                self.told.close()
                self._alive.close()
                _run(work, telling, alive, end)
        else:
            self._begin_afresh(work, telling, alive, end)
        telling.close()
        alive.close()

    def _begin_afresh(self, work: Work, telling: Connection, alive: Connection, end: float) -> None:
        ends = [telling.fileno(), alive.fileno()]
        command = [sys.executable, "-c", FRESH.format(path=sys.path, telling=ends[0], alive=ends[1])]
        self._child = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=ends)
        self._number = self._child.pid
        with suppress(BrokenPipeError):  # it is over already: then it has told nothing
            self._alive.send_bytes(cloudpickle.dumps((work, end)))

    @property
    def worked(self) -> float:
        """Seconds of a processor that it has used; where the system does not tell, those since it began."""
        if not FORKS:
            return time.monotonic() - self._begun
        used = Path(f"/proc/{self._number}/stat").read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        """Whatever it is doing."""
        self.told.close()
        self._alive.close()
        if self._child is not None:
            self._child.kill()
            self._child.wait()
            return
        os.kill(self._number, signal.SIGKILL)
        os.waitpid(self._number, 0)


def _run(work: Work, telling: Connection, alive: Connection, end: float) -> None:
    """The life of the process, from which nothing returns."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, max(end - time.monotonic(), 0.0) + LATE)
        threading.Thread(target=_end_with, args=(alive,), daemon=True).start()
        mute()
        try:
            work(telling.send)
        except BaseException as error:
            telling.send(_Failure(error))
        else:
            telling.send(_Done())
    finally:
        os._exit(0)


def _end_with(alive: Connection) -> None:
    """End this process when the other end is closed, as it is if the process that began it dies."""
    with suppress(EOFError, OSError):
        alive.recv_bytes()
    os._exit(0)


def _serve(telling: int, alive: int) -> None:
    """A fresh interpreter: the work comes first, then nothing more."""
    given = Connection(alive, writable=False)
    work, end = pickle.loads(given.recv_bytes())
    _run(work, Connection(telling, readable=False), given, end)


class _Done:
    """The work has come to its end."""


class _Failure:
    """The work has raised an error; one that cannot travel is told as text."""

    def __init__(self, error: BaseException) -> None:
        try:
            pickle.loads(pickle.dumps(error))
            self.error = error
        except Exception:
            self.error = RuntimeError(f"{type(error).__name__}: {error}")


def told(work: Work, clock: Clock) -> Iterator[Any]:
    """What the work tells, until it is done or the time is over; an error of the work is raised here.

    Args:
        work: what is to be done; without a fork it has to travel (see cloudpickle).
        clock: with an end, which is never to be moved beyond where it is at first.

    >>> list(told(lambda tell: [tell(1), time.sleep(60), tell(2)], Clock.within(0.5)))
    [1]
    """
    with Beside(work, clock.left(FOREVER)) as process:
        while news := process.news(clock.left(FOREVER)):
            yield from news


class Beside:
    """Work in a process of its own, while the one who began it does something else; it is ended with the context.

    Attributes:
        done: whether it will tell nothing more.

    >>> with Beside(lambda tell: [tell(1), tell(2)], 60.0) as process:
    ...     process.news(60.0)[0]
    1
    """

    def __init__(self, work: Work, seconds: float) -> None:
        self._process = _Process(work, time.monotonic() + seconds)
        self.done = False
        self._error: BaseException | None = None

    def __enter__(self) -> Beside:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.end()

    @property
    def worked(self) -> float:
        """Seconds of a processor that it has used."""
        return self._process.worked

    @property
    def waiting(self) -> bool:
        """Whether there is news."""
        return not self.done and self._process.told.poll(0.0)

    def news(self, wait: float = 0.0) -> list[Any]:
        """What it has told since; if that is nothing, its next word, waited for so many seconds.

        Once nothing is left to be told, an error of the work is raised here.
        """
        found: list[Any] = []
        while not self.done and self._process.told.poll(0.0 if found else wait):
            try:
                word = self._process.told.recv()
            except (EOFError, OSError):  # it died, as of a lack of memory: what it has told stands
                word = _Done()
            self.done = isinstance(word, (_Done, _Failure))
            if isinstance(word, _Failure):
                self._error = word.error
            elif not self.done:
                found.append(word)
        if self._error is not None and not found:
            raise self._error
        return found
