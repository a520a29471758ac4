"""A function in a process of its own, which can be stopped whatever it is doing.

Solvers, exact elimination and foreign code cannot be asked to stop half way, so nothing within one process keeps a
limit. Searches of bounds, isolated parties and workers for claims are functions in such processes.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from queue import SimpleQueue
from typing import Any

import lazy_loader as lazy

cloudpickle = lazy.load("cloudpickle")

Body = Callable[[Callable[[], Any], Callable[[Any], None]], None]
"""What runs in a process: it is given a function that receives and one that sends."""

FORKS = sys.platform == "linux"
FRESH = "import sys; sys.path[:] = {path!r}; from ccsim.engine.processes import _serve; _serve({number})"
FOREVER = 1e6  # seconds


class Process:
    """A function in a process of its own, and this end of the connection with it.

    The process ends when this end is closed, as it is if the process that began it dies.

    Args:
        body: what is run, handed over by value unless it is from a module that can be imported.
        forked: whether the process is a copy of this one instead of a fresh interpreter with a session of its own, so
            that whatever it begins is ended with it, and an interrupt from the keyboard does not reach it.
    """

    def __init__(self, body: Body, forked: bool = False) -> None:
        payload = b"" if forked else cloudpickle.dumps(body)
        self.connection, there = Pipe()
        self._fresh: subprocess.Popen[bytes] | None = None
        if forked:
            with warnings.catch_warnings():  # other threads are no matter: the process only calculates
                warnings.simplefilter("ignore", DeprecationWarning)
                self.number = os.fork()
            if not self.number:
                self.connection.close()
                _live(body, there)
        else:
            command = [sys.executable, "-c", FRESH.format(path=sys.path, number=there.fileno())]
            self._fresh = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, pass_fds=[there.fileno()], start_new_session=True
            )
            self.number = self._fresh.pid
        there.close()
        if payload:
            self.send(payload)

    def give_up_after(self, seconds: float) -> None:
        """From now on, raise ``BlockingIOError`` where it neither reads nor writes for so long."""
        limit = struct.pack("ll", *divmod(int(min(seconds, FOREVER) * 1e6) or 1, 10**6))
        with socket.socket(fileno=os.dup(self.connection.fileno())) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)

    def send(self, data: Any) -> None:
        """Pass plain data in; that the process is gone shows when it is listened to."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self.connection.send(data)

    def end(self, patience: float = 0.0) -> int:
        """Stop it, if it does not end by itself in so many seconds; its exit code."""
        if self._fresh is None:
            self.connection.close()
            os.kill(self.number, signal.SIGKILL)
            return os.waitstatus_to_exitcode(os.waitpid(self.number, 0)[1])
        with suppress(subprocess.TimeoutExpired):
            self._fresh.wait(patience)
        self.connection.close()
        with suppress(OSError):  # nothing is left of its session
            os.killpg(self.number, signal.SIGKILL)
        self._fresh.kill()
        return self._fresh.wait()


def _serve(number: int) -> None:
    os.dup2(2, 1)  # what is printed there is no output of this program
    connection = Connection(number)
    _live(pickle.loads(connection.recv()), connection)


def _live(body: Body, connection: Connection) -> None:
    try:
        received: SimpleQueue[Any] = SimpleQueue()
        threading.Thread(target=_listen, args=(connection, received), daemon=True).start()
        body(received.get, connection.send)
    finally:
        os._exit(0)


def _listen(connection: Connection, received: SimpleQueue[Any]) -> None:
    """Take what comes, until the other end is closed: then all ends."""
    with suppress(EOFError, OSError):
        while True:
            received.put(connection.recv())
    os._exit(0)
