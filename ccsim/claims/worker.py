"""Processes that measure: one job at a time each, stopped when they take too long, gone when their parent is.

A job is a function without arguments that returns plain data. It is handed over once, by value unless it is from a
module that can be imported; the answer comes back as JSON. A worker reads its orders in a thread of its own and ends
at once when there can be no more of them, so a parent that is killed leaves nothing behind.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import lazy_loader as lazy

from ccsim.engine.isolation import NOTE, fresh_python, read_frame, write_frame

cloudpickle = lazy.load("cloudpickle")

__all__ = ["Outcome", "Pool", "Worker", "packed"]

Job = Callable[[], Any]

READY = b"ready"
NEEDED = ("ccsim.claims.checking", "sympy")


@dataclass(frozen=True)
class Outcome:
    """What came of a job: its data, or why there is none.

    Attributes:
        key: as the job was submitted.
        data: what the job returned; None if it returned nothing.
        failure: why there is no data: a line.
        late: whether it ran out of time.
    """

    key: Any
    data: Any = None
    failure: str = ""
    late: bool = False


def packed(job: Job) -> bytes:
    """A job with the paths on which its modules are found."""
    return bytes(cloudpickle.dumps((sys.path, cloudpickle.dumps(job))))


class Worker:
    """The parent's end of one process; answers go to a queue as (worker, data), with None when the process ends."""

    def __init__(self, answers: queue.Queue[tuple[Worker, bytes | None]]) -> None:
        self.key: Any = None
        self.payload: bytes | None = None  # the job that it is at
        self.since: float | None = None  # since when, if its process is ready
        self._ready = False
        self._process = fresh_python("from ccsim.claims.worker import serve; serve()")
        self._listener = threading.Thread(target=self._listen, args=(answers,), daemon=True)
        self._listener.start()

    @property
    def idle(self) -> bool:
        """Whether it has nothing to do."""
        return self.payload is None

    def begin(self, key: Any, payload: bytes) -> None:
        """Hand over a job."""
        self.key, self.payload, self.since = key, payload, time.monotonic() if self._ready else None
        with contextlib.suppress(OSError):  # a process that is gone says so on the queue
            write_frame(self._process.stdin, NOTE, payload)

    def ready(self) -> None:
        """Its process has begun: from now on the time of its job counts."""
        self._ready, self.since = True, time.monotonic()

    def finish(self) -> None:
        """It has answered."""
        self.payload = None

    def late(self, seconds: float | None) -> bool:
        """Whether its job takes longer than that."""
        if seconds is None or self.idle or self.since is None:
            return False
        return time.monotonic() - self.since > seconds

    def close(self) -> int:
        """End the process at once; how it ended."""
        self._process.kill()
        code = self._process.wait()
        self._listener.join(timeout=2)
        for stream in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                stream.close()  # type: ignore[union-attr]
        return code

    def ended(self) -> int:
        """The exit code of a process whose pipe has closed."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=2)
        return self.close()

    def _listen(self, answers: queue.Queue[tuple[Worker, bytes | None]]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while (frame := read_frame(self._process.stdout)) is not None:
                answers.put((self, frame[2]))
        answers.put((self, None))


class Pool:
    """Some workers, each begun when there is something for it to do.

    Args:
        jobs: how many processes.
        seconds: how long a job may take; None for as long as it likes.
    """

    def __init__(self, jobs: int, seconds: float | None = None) -> None:
        self.jobs, self.seconds = jobs, seconds
        self._workers: list[Worker] = []
        self._answers: queue.Queue[tuple[Worker, bytes | None]] = queue.Queue()
        self._again: set[Any] = set()  # jobs whose process died once: it may have been killed from outside

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def free(self) -> bool:
        """Whether another job can begin at once."""
        return sum(not worker.idle for worker in self._workers) < self.jobs

    @property
    def idle(self) -> bool:
        """Whether no job is under way."""
        return all(worker.idle for worker in self._workers)

    def submit(self, key: Any, job: Job) -> None:
        """Begin a job; its outcome will carry the key."""
        self.submit_packed(key, packed(job))

    def submit_packed(self, key: Any, payload: bytes) -> None:
        """Begin a job that is packed already."""
        worker = next((worker for worker in self._workers if worker.idle), None)
        if worker is None:
            worker = Worker(self._answers)
            self._workers.append(worker)
        worker.begin(key, payload)

    def next(self, timeout: float) -> Outcome | None:
        """The next outcome, or None if there is none for so many seconds."""
        deadline = time.monotonic() + timeout
        while True:
            late = self._late()
            if late is not None:
                return late
            try:
                worker, answer = self._answers.get(timeout=min(0.1, max(0.0, deadline - time.monotonic())))
            except queue.Empty:
                if time.monotonic() >= deadline:
                    return None
                continue
            found = self._outcome(worker, answer)
            if found is not None:
                return found

    def close(self) -> None:
        """End all processes at once."""
        while self._workers:
            self._workers.pop().close()

    def _outcome(self, worker: Worker, answer: bytes | None) -> Outcome | None:
        if worker not in self._workers:  # stopped before
            return None
        key, payload = worker.key, worker.payload
        if answer == READY:
            worker.ready()
            return None
        if answer is not None:
            worker.finish()
            self._again.discard(key)
            told = json.loads(answer)
            return Outcome(key, told.get("data"), told.get("failure", ""))
        self._workers.remove(worker)
        code = worker.ended()
        if payload is None:
            return None
        if key not in self._again:
            self._again.add(key)
            self.submit_packed(key, payload)
            return None
        self._again.remove(key)
        return Outcome(key, failure=f"its process died twice (exit code {code})")

    def _late(self) -> Outcome | None:
        for worker in self._workers:
            if worker.late(self.seconds):
                self._workers.remove(worker)
                worker.close()
                return Outcome(worker.key, failure=f"out of time after {self.seconds:g} s", late=True)
        return None


def serve() -> None:
    """What a worker does: take a job, answer, and so on, until there can be no more jobs."""
    outgoing = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a job prints must not mix with answers
    orders: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_take_orders, args=(orders,), daemon=True).start()
    for module in NEEDED:  # before the time of a job counts
        importlib.import_module(module)
    write_frame(outgoing, NOTE, READY)
    while True:
        write_frame(outgoing, NOTE, _answer(orders.get()))


def _take_orders(orders: queue.Queue[bytes]) -> None:
    with contextlib.suppress(OSError):
        while (frame := read_frame(sys.stdin.buffer)) is not None:
            orders.put(frame[2])
    os._exit(0)


def _answer(payload: bytes) -> bytes:
    try:
        path, job = cloudpickle.loads(payload)
        sys.path[:] = path
        return json.dumps({"data": cloudpickle.loads(job)()}).encode()
    except BaseException as error:  # a job that wants to end the process too: there are more to do
        reason = (str(error).splitlines() or [""])[0]
        return json.dumps({"failure": f"{type(error).__name__}: {reason}"}).encode()
