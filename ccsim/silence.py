"""Silence for compiled code: nothing that it prints reaches stdout or stderr.

Solvers write past Python, to descriptors 1 and 2 or through C's own buffers, so these descriptors are redirected while
they run. What Python itself prints meanwhile, such as a progress line of another thread, still comes out: until then
``sys.stdout`` and ``sys.stderr`` write to copies of the descriptors. (A stream that was taken from ``sys`` before is
silent, too, and a program that another thread starts meanwhile inherits the silence.)
"""

from __future__ import annotations

import ctypes
import io
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any, TextIO

NAMES = {1: "stdout", 2: "stderr"}


@contextmanager
def silence() -> Iterator[None]:
    """Drop what is written to descriptors 1 and 2 by other than Python; by several threads at once, too."""
    try:
        _state.enter()
        yield
    finally:
        _state.leave()


def mute() -> None:
    """Nothing that this forked process prints is seen: what its parent left in buffers would come out twice."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor, name in NAMES.items():
        os.dup2(nowhere, descriptor)
        setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, as long as the process
    os.close(nowhere)


class _Silence:
    def __init__(self) -> None:
        self.lock, self.inside = threading.Lock(), 0
        self.copies: dict[int, int] = {}  # kept for good: a thread may be writing to them at any time
        self.away: dict[int, tuple[Any, Any]] = {}  # what is turned away: Python's stream outside and meanwhile

    def enter(self) -> None:
        with self.lock:
            self.inside += 1
            if self.inside == 1:
                _flush()
                copied = [descriptor for descriptor in NAMES if self._copied(descriptor)]
                nowhere = os.open(os.devnull, os.O_WRONLY)
                for descriptor in copied:
                    self._turn_away(descriptor, nowhere)
                os.close(nowhere)

    def leave(self) -> None:
        with self.lock:
            self.inside = max(0, self.inside - 1)
            if not self.inside:
                self.restore()

    def restore(self) -> None:
        if self.away:
            _flush()
        while self.away:
            descriptor, (outside, meanwhile) = self.away.popitem()
            os.dup2(self.copies[descriptor], descriptor)
            if getattr(sys, NAMES[descriptor]) is meanwhile:
                setattr(sys, NAMES[descriptor], outside)

    def _copied(self, descriptor: int) -> bool:
        """Whether there is a fresh copy; there is none of a descriptor that is closed."""
        try:
            if descriptor in self.copies:
                os.dup2(descriptor, self.copies[descriptor], inheritable=False)
            else:
                self.copies[descriptor] = _copy(descriptor)
        except OSError:
            return False
        return True

    def _turn_away(self, descriptor: int, nowhere: int) -> None:
        outside = meanwhile = getattr(sys, NAMES[descriptor])
        with suppress(AttributeError, OSError, ValueError):  # not one that writes to a descriptor
            if outside.fileno() == descriptor:
                meanwhile = _stream(self.copies[descriptor], outside.encoding, outside.errors)
        self.away[descriptor] = (outside, meanwhile)
        os.dup2(nowhere, descriptor)
        setattr(sys, NAMES[descriptor], meanwhile)

    def in_child(self) -> None:
        """A process that is made while another thread has silence does not keep it."""
        self.lock, self.inside = threading.Lock(), 0
        self.restore()


def _copy(descriptor: int) -> int:
    """A copy with a number that is not one of the three that everybody knows, should one of these be closed."""
    copy = os.dup(descriptor)
    if copy > max(NAMES):
        return copy
    try:
        return _copy(descriptor)
    finally:
        os.close(copy)


@cache
def _stream(descriptor: int, encoding: str, errors: str) -> TextIO:
    return io.TextIOWrapper(io.FileIO(descriptor, "wb", closefd=False), encoding, errors, write_through=True)


@cache
def _buffer_of_c() -> tuple[Any, Any]:
    """C's ``fflush``, and its stdout (or NULL, for all it has, where that has another name); its stderr has none."""
    library = ctypes.CDLL(None if os.name == "posix" else "ucrtbase")
    name = next((name for name in ("stdout", "__stdoutp") if hasattr(library, name)), None)
    return library.fflush, None if name is None else ctypes.c_void_p.in_dll(library, name)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):
            stream.flush()
    fflush, stdout = _buffer_of_c()
    fflush(stdout)


_state = _Silence()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_state.in_child)
