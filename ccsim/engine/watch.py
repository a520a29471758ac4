"""A limit on how long a party may take to say what it does next: one that never says anything is ended."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

from ccsim.errors import InputError


class PartyTimeout(BaseException):
    """Raised within a party that says nothing for too long; parties that catch every error do not catch it."""


class Watch:
    """Watches one thread while it asks parties; a context that holds a second thread.

    Args:
        seconds: what a party is given for one question.

    The limit ends code in Python, in any thread and on any system; a call that never comes back from outside of Python
    is ended by an isolated run only.

    >>> with Watch(0.1) as watch:
    ...     with watch.asking():
    ...         while True:
    ...             pass
    Traceback (most recent call last):
    ccsim.engine.watch.PartyTimeout
    """

    def __init__(self, seconds: float) -> None:
        if not seconds > 0:
            raise InputError("timeout", seconds, "a positive number of seconds")
        self.seconds = seconds
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._deadline: float | None = None
        self._late = False

    def __enter__(self) -> Watch:
        self._thread = threading.get_ident()
        threading.Thread(target=self._go, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()

    @contextmanager
    def asking(self, more: float = 0.0) -> Generator[None, None, None]:
        """While one question is put; raises :class:`PartyTimeout` where it takes ``more`` than the limit."""
        with self._lock:
            self._late, self._deadline = False, time.monotonic() + self.seconds + more
        try:
            yield
        finally:
            with self._lock:
                self._deadline = None
                if self._late:  # what was not raised yet is not raised any more
                    self._late = False
                    _raise_in(self._thread, None)

    def _go(self) -> None:
        while not self._over.wait(min(1.0, self.seconds / 4)):
            with self._lock:
                if self._deadline is not None and not self._late and time.monotonic() > self._deadline:
                    self._late = True
                    _raise_in(self._thread, PartyTimeout)


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Have an error raised in a thread as soon as it runs Python again; None takes it back."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error) if error else None)
