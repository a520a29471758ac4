"""Jobs on a Dask cluster: the same work, done by the workers of a scheduler somewhere.

Each thread of a Dask worker keeps a process of its own for the jobs, so that one that runs out of time or crashes is
stopped as it would be here. Jobs of a Dask worker that dies are done by another one.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import queue
import threading
from collections.abc import Callable
from typing import Any

from ccsim.claims.running import Outcome, Pool, packed
from ccsim.errors import InputError

__all__ = ["Cluster"]

WAITING = 10.0  # seconds for a scheduler to answer

_here = threading.local()


class Cluster:
    """The workers of a Dask scheduler.

    Args:
        address: of the scheduler, such as ``"tcp://127.0.0.1:8786"``.
        seconds: how long a job may take; None for as long as it likes.

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

    def next(self, timeout: float) -> Outcome | None:
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
            return Outcome(key, failure=f"{future.status} on the cluster: {future.exception()!r:.200}")
        data, failure, late = future.result()
        return Outcome(key, data, failure, late)

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
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong is told in a line of ours
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
    """On a Dask worker: do a job in the process that this thread keeps."""
    pool = getattr(_here, "pool", None)
    if pool is None:
        pool = _here.pool = Pool(1)
    pool.seconds = seconds
    pool.submit_packed(0, payload)
    while (outcome := pool.next(1.0)) is None:
        pass
    return outcome.data, outcome.failure, outcome.late
