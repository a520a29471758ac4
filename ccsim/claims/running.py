"""Claims at many settings: cells, and the workers that measure them.

A cell is a claim at a setting, listed or on a grid. Processes on this machine or a Dask cluster measure cells, and each
result is stored when it arrives. :func:`run_cells` measures the cells that the store lacks, which is in ``store.py``.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import logging
import math
import pickle
import queue
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from itertools import product
from multiprocessing.connection import Connection, wait
from typing import Any, cast

from ccsim import lazy
from ccsim.claims.claim import Claim, Setting
from ccsim.claims.store import Key, Store, code_of
from ccsim.claims.verdict import Verdict, Word, check_claim, not_done
from ccsim.engine.processes import Process
from ccsim.errors import InputError

cloudpickle = lazy.load("cloudpickle")

Job = Callable[[], Any]  # returns plain data

MOST_SETTINGS = 1_000_000
TICK = 0.2  # seconds between looks at the store while others measure
LOOK = 0.1  # seconds between looks at jobs that may be late


@dataclass(frozen=True, eq=False)
class Cell:
    """One claim at one setting."""

    claim: Claim
    setting: Setting

    @property
    def key(self) -> Key:
        """How a store knows it."""
        return self.claim.name, json.dumps(dict(self.setting), sort_keys=True)


def cells_of(claims: Iterable[Claim], given: Setting | None = None, first: bool = False) -> list[Cell]:
    """The claims at their default settings, with what is given put in its place where a claim has that parameter.

    ``first``: only at the first of them.
    """
    cells = []
    for claim in claims:
        known = {name: value for name, value in (given or {}).items() if claim.parameter(name)}
        cells += [Cell(claim, setting) for setting in claim.settings(known)[: 1 if first else None]]
    return cells


def values_of(text: str) -> tuple[int | str, ...]:
    """The values of one axis: ``low:high``, ``low:high:step`` with both ends, or values with commas between."""
    if axis := re.fullmatch(r"(-?\d+):(-?\d+)(?::(\d+))?", text):
        low, high, step = int(axis[1]), int(axis[2]), int(axis[3] or 1)
        if step < 1 or low > high or (high - low) // step >= MOST_SETTINGS:
            expected = f"low <= high, a step of at least 1, and at most {MOST_SETTINGS} values"
            raise InputError("--grid", text, f"low:high or low:high:step, with {expected}")
        return tuple(range(low, high + 1, step))
    parts = text.split(",")
    if not all(parts):
        raise InputError("--grid", text, "values with commas between, low:high, or low:high:step")
    return tuple(int(part) if re.fullmatch(r"-?\d+", part) else part for part in parts)


def settings_of(texts: Sequence[str]) -> dict[str, int | str]:
    """Single values: ``["width=8"]`` as ``{"width": 8}``."""
    for text in texts:
        if not all(text.partition("=")):
            raise InputError("--set", text, "NAME=VALUE, such as width=8")
    axes = grid_of(texts)
    if several := [name for name, values in axes.items() if len(values) > 1]:
        raise InputError(several[0], axes[several[0]], "one value")
    return {name: values[0] for name, values in axes.items()}


def grid_of(texts: Sequence[str], claim: Claim | None = None) -> dict[str, tuple[int | str, ...]]:
    """The axes: the values of each parameter that is named. With a claim, its parameters only."""
    axes: dict[str, tuple[int | str, ...]] = {}
    for text in texts:
        name, _, values = text.partition("=")
        if not (name and values) or name in axes:
            raise InputError("--grid", text, "NAME=VALUES, each name once, such as length=4:12:2 or precision=4,8")
        axes[name] = values_of(values)
        if claim is not None:
            claim.setting({name: axes[name][0]})
    return axes


def settings_on(claim: Claim, axes: dict[str, tuple[int | str, ...]]) -> list[Setting]:
    """Every setting on the grid, the last axis fastest."""
    count = math.prod(map(len, axes.values()))
    if count > MOST_SETTINGS:
        raise InputError("--grid", f"{count} settings", f"at most {MOST_SETTINGS}")
    return [claim.setting(dict(zip(axes, values, strict=True))) for values in product(*axes.values())]


@dataclass(frozen=True)
class JobResult:
    """What came of the job of this key: its data, or why there is none, in a line, and whether it ran out of time."""

    key: Any
    data: Any = None
    failure: str = ""
    late: bool = False


def packed(job: Job) -> bytes:
    """A job with the paths on which its modules are found: by value, unless it is from a module to be imported."""
    return bytes(cloudpickle.dumps((sys.path, cloudpickle.dumps(job))))


class _Worker(Process):
    def __init__(self) -> None:
        super().__init__(_work)
        self.key: Any = None
        self.payload: bytes | None = None  # the job that it is at
        self.ready = False  # whether its process has begun: only then the time of a job counts
        self.since = 0.0


class Pool(AbstractContextManager["Pool"]):
    """At most ``jobs`` processes, one job at a time each, of at most ``seconds``: one that takes longer is stopped."""

    def __init__(self, jobs: int, seconds: float | None = None) -> None:
        self.jobs, self.seconds = jobs, seconds
        self._workers: list[_Worker] = []
        self._again: set[Any] = set()  # jobs whose process died once: it may have been killed from outside

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def free(self) -> bool:
        """Whether another job can begin at once."""
        return sum(worker.payload is not None for worker in self._workers) < self.jobs

    @property
    def idle(self) -> bool:
        """Whether no job is under way."""
        return all(worker.payload is None for worker in self._workers)

    def submit(self, key: Any, job: Job) -> None:
        """Begin a job; its outcome will carry the key."""
        self.submit_packed(key, packed(job))

    def submit_packed(self, key: Any, payload: bytes) -> None:
        """Begin a job that is packed already."""
        worker = next((worker for worker in self._workers if worker.payload is None), None)
        if worker is None:
            worker = _Worker()
            self._workers.append(worker)
        worker.key, worker.payload, worker.since = key, payload, time.monotonic()
        worker.send(payload)

    def next(self, timeout: float) -> JobResult | None:
        """The next outcome, or None if there is none for so many seconds."""
        deadline = time.monotonic() + timeout
        while True:
            outcome = self._late() or self._heard(min(LOOK, max(0.0, deadline - time.monotonic())))
            if outcome is not None or time.monotonic() >= deadline:
                return outcome

    def close(self) -> None:
        """End all processes at once."""
        while self._workers:
            self._workers.pop().end()

    def _late(self) -> JobResult | None:
        limit = math.inf if self.seconds is None else self.seconds
        for worker in self._workers:
            if worker.ready and worker.payload is not None and time.monotonic() - worker.since > limit:
                self._workers.remove(worker)
                worker.end()
                return JobResult(worker.key, failure=f"out of time after {limit:g} s", late=True)
        return None

    def _heard(self, timeout: float) -> JobResult | None:
        workers = {worker.connection: worker for worker in self._workers}
        ready = wait(workers, timeout)
        if not ready:
            return None
        worker = workers[cast(Connection, ready[0])]
        key, payload = worker.key, worker.payload
        try:
            answer = worker.connection.recv()
        except (EOFError, OSError):
            self._workers.remove(worker)
            code = worker.end(patience=2)
            if payload is not None and key in self._again:
                self._again.remove(key)
                return JobResult(key, failure=f"its process died twice (exit code {code})")
            if payload is not None:
                self._again.add(key)
                self.submit_packed(key, payload)
            return None
        if not worker.ready:
            worker.ready, worker.since = True, time.monotonic()
            return None
        worker.payload = None
        self._again.discard(key)
        return JobResult(key, **json.loads(answer))


def _work(receive: Callable[[], bytes], send: Callable[[Any], None]) -> None:
    importlib.import_module("sympy")  # before the time of a job counts
    send("ready")
    while True:
        try:
            path, job = pickle.loads(receive())
            sys.path[:] = path
            answer = json.dumps({"data": pickle.loads(job)()})
        except BaseException as error:  # a job that wants to end the process too: there are more to do
            reason = (str(error).splitlines() or [""])[0]
            answer = json.dumps({"failure": f"{type(error).__name__}: {reason}"})
        send(answer)


WAITING = 10.0  # seconds for a scheduler to answer
_here = threading.local()


class Cluster:
    """The workers of a Dask scheduler at an address such as ``"tcp://127.0.0.1:8786"``; a job may take so many seconds.

    Raises :class:`~ccsim.errors.InputError` if ``distributed`` is not installed, or no scheduler answers.
    """

    def __init__(self, address: str, seconds: float | None = None) -> None:
        self.address, self.seconds = address, seconds
        self._client = _connected(address)
        self._done: queue.Queue[tuple[Any, Any]] = queue.Queue()
        self._under_way: dict[Any, Any] = {}

    @property
    def free(self) -> bool:
        """Whether a worker may soon need another job: at most two are out for each of their threads."""
        try:
            threads = int(sum(self._client.nthreads().values()))
        except OSError:
            raise self._gone() from None
        return len(self._under_way) < 2 * max(1, threads)

    @property
    def idle(self) -> bool:
        """Whether no job is under way."""
        return not self._under_way

    def submit(self, key: Any, job: Callable[[], Any]) -> None:
        """Begin a job; its outcome will carry the key."""
        future = self._client.submit(_do, packed(job), self.seconds, pure=False)
        self._under_way[key] = future
        self._await(key, future)

    def next(self, timeout: float) -> JobResult | None:
        """The next outcome, or None if there is none for so many seconds."""
        try:
            key, future = self._done.get(timeout=timeout)
        except queue.Empty:
            return None
        if future.status in ("lost", "pending"):  # its worker died before it was fetched: another does it again
            self._await(key, future)
            return None
        del self._under_way[key]
        if future.status == "cancelled":  # by nobody here: no result, and no verdict on the claim
            raise self._gone()
        if future.status != "finished":
            return JobResult(key, failure=f"{future.status} on the cluster: {future.exception()!r:.200}")
        data, failure, late = future.result()
        return JobResult(key, data, failure, late)

    def _await(self, key: Any, future: Any) -> None:
        future.add_done_callback(lambda done: self._done.put((key, done)))

    def close(self) -> None:
        """Take back what is under way, and leave the cluster."""
        with contextlib.suppress(OSError):
            self._client.cancel(list(self._under_way.values()))
        self._client.close()

    def _gone(self) -> InputError:
        return InputError("--cluster", self.address, "a scheduler that stays: what was measured so far is kept")


def _connected(address: str) -> Any:
    try:
        client = importlib.import_module("distributed").Client
        addressing, registry = (
            importlib.import_module(f"distributed.comm.{name}") for name in ("addressing", "registry")
        )
    except ImportError:
        raise InputError("--cluster", address, "ccsim with its extra: pip install 'ccsim[cluster]'") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong is reported in a line of ours
    try:
        scheme, place = addressing.parse_address(address)  # a client that fails on these leaves a traceback
        registry.get_backend(scheme)
        addressing.parse_host_port(place)
        return client(address, timeout=WAITING, set_as_default=False)
    except (OSError, ValueError, MemoryError) as error:  # what is no scheduler may send anything
        raise InputError(
            "--cluster", address, f"the address of a Dask scheduler ({str(error) or 'no answer'})"
        ) from error


def _do(payload: bytes, seconds: float | None) -> tuple[Any, str, bool]:
    pool = getattr(_here, "pool", None)
    if pool is None:
        pool = _here.pool = Pool(1)
    pool.seconds = seconds
    pool.submit_packed(0, payload)
    while (outcome := pool.next(1.0)) is None:
        pass
    return outcome.data, outcome.failure, outcome.late


Workers = Pool | Cluster
"""Whatever does jobs: processes here, or those of a cluster."""


def run_cells(
    cells: Iterable[Cell],
    *,
    workers: Workers | None = None,
    store: Store | None = None,
    progress: Callable[[int, str], None] | None = None,
    again: bool = False,
) -> list[Verdict]:
    """Measure the cells that the store has no result for, and return the verdicts of all, in order.

    Args:
        cells: what is wanted.
        workers: what measures; two processes if not given. Closed at the end.
        store: where results go and come from, so that a run that is stopped can be resumed.
        progress: called now and then with how many are done, and what was begun last.
        again: measure also what the store has.
    """
    workers = Pool(2) if workers is None else workers
    store = Store() if store is None else store
    wanted = {cell.key: cell for cell in cells}
    store.add({key: code_of(cell.claim) for key, cell in wanted.items()}, again)
    renewed, begun = time.monotonic(), ""
    try:
        while True:
            while workers.free and (key := store.take(workers.seconds)) is not None:
                begun, cell = key[0], wanted[key]
                try:
                    workers.submit(key, partial(_job, cell.claim, cell.setting))
                except Exception as error:  # whatever a claim is made of that cannot be handed over
                    _keep(cell, JobResult(key, failure=f"it cannot be handed to a process: {error}"), workers, store)
            left = store.unfinished(workers.seconds)
            if progress is not None:
                progress(len(wanted) - left, begun)
            if not left and workers.idle:
                return store.verdicts()
            if (outcome := workers.next(TICK)) is not None:
                _keep(wanted[outcome.key], outcome, workers, store)
            if time.monotonic() - renewed > store.lease / 3:
                store.renew()
                renewed = time.monotonic()
    finally:
        workers.close()


def _keep(cell: Cell, outcome: JobResult, workers: Workers, store: Store) -> None:
    if outcome.failure:
        word, seconds = (Word.NOT_MEASURED, workers.seconds) if outcome.late else (Word.BROKEN, None)
        store.save(cell.key, not_done(cell.claim, cell.setting, word, outcome.failure, seconds or 0.0), seconds)
    else:
        store.save(cell.key, Verdict.from_json(*outcome.data))


def _job(claim: Claim, setting: Setting) -> list[Any]:
    verdict = check_claim(claim, setting)
    return [verdict.to_json(), dict(verdict.attachments)]
