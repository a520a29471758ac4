"""Functions in processes of their own, which can be stopped whatever they are doing; and parties in such processes.

Searches of bounds, isolated parties and workers for claims run there: solvers, exact elimination and foreign code
cannot be interrupted from within their process. An isolated party gets, once, its own code and its own view. From then
on the parent is the channel: the bits that it passes must equal those of the transcript, and nothing else is passed.
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
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from multiprocessing.connection import Connection, Pipe
from queue import SimpleQueue
from typing import Any

from ccsim import lazy
from ccsim.bits import Bits
from ccsim.engine.model import Received, Transcript
from ccsim.engine.party import Answer, Conversation, ProtocolBase, Receive, Send, Step, View
from ccsim.errors import InputError, PartyError, ProtocolError

cloudpickle = lazy.load("cloudpickle")

Body = Callable[[Callable[[], Any], Callable[[Any], None]], None]
"""What runs in a process: it is given a function that receives and one that sends."""

FORKS = sys.platform == "linux"
FRESH = "import sys; sys.path[:] = {path!r}; from ccsim.engine.processes import _serve; _serve({number})"
FOREVER = 1e6  # seconds


class Process:
    """A function in a process of its own, and this end of the connection; closed, as when this process dies, it ends.

    A process that is ``forked`` is a copy of this one; another is a fresh interpreter with a session of its own, so
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
            inherited: dict[str, Any] = {"stdin": subprocess.DEVNULL, "pass_fds": [there.fileno()]}
            self._fresh = subprocess.Popen(command, start_new_session=True, **inherited)
            self.number = self._fresh.pid
        there.close()
        if payload:
            self.send(payload)

    def send(self, data: Any) -> None:
        """That the process is gone shows when it is listened to."""
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
    received: SimpleQueue[Any] = SimpleQueue()

    def listen() -> None:
        with suppress(EOFError, OSError):
            while True:
                received.put(connection.recv())
        os._exit(0)

    try:
        threading.Thread(target=listen, daemon=True).start()
        body(received.get, connection.send)
    finally:
        os._exit(0)


def carried_bits(talks: Mapping[str, IsolatedConversation], transcript: Transcript) -> dict[str, int]:
    """The bits that came out of each process; an error unless they are the transcript's, and all were delivered."""
    sent = {role: talk.bits_out for role, talk in talks.items() if talk.bits_out}
    arrived = {role: talk.bits_in for role, talk in talks.items() if talk.bits_in}
    counted = {role: bits for role, bits in transcript.by_sender.items() if bits}
    received: Counter[str] = Counter()
    for message in transcript:
        received.update(dict.fromkeys(message.receivers, len(message.bits)))
    if sent != counted or arrived != {role: bits for role, bits in received.items() if bits}:
        raise ProtocolError(f"bits carried ({sent} out, {arrived} in) are not the bits counted ({counted})")
    return sent


class IsolatedConversation(Conversation):
    """The channel's end of one party's process."""

    def __init__(self, protocol: ProtocolBase, timeout: float, view: View, index: int) -> None:
        if not timeout > 0:
            raise InputError("timeout", timeout, "more than 0 seconds")
        self.role, self.timeout = view.role, timeout
        self.bits_out = self.bits_in = 0
        setup = protocol.party(view.role), replace(view), index, protocol.function.answers
        try:
            self._process = Process(partial(_converse, cloudpickle.dumps(setup)))
        except Exception as error:
            raise PartyError(f"{view.role} cannot be handed to a process of its own: {error}") from error
        limit = struct.pack("ll", *divmod(int(min(timeout, FOREVER) * 1e6) or 1, 10**6))
        with socket.socket(fileno=os.dup(self._process.connection.fileno())) as connection:
            for each in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):  # then BlockingIOError is raised
                connection.setsockopt(socket.SOL_SOCKET, each, limit)
        self._started = False

    def advance(self, received: Received | None = None) -> Step:
        try:
            if received is not None:
                self.bits_in += len(received.bits)
                self._process.send((received.sender, received.bits.to_bytes(), len(received.bits)))
            elif self._started:
                self._process.send(None)
            self._started = True
            return self._step(self._process.connection.recv())
        except BlockingIOError:
            raise PartyError(f"{self.role} sent nothing for {self.timeout:g} seconds and was stopped") from None
        except (EOFError, OSError):
            raise PartyError(f"{self.role}'s process died with exit code {self._process.end(1.0)}") from None
        except PartyError:
            raise
        except Exception as error:
            raise PartyError(f"{self.role} wrote on its channel what is no message ({error})") from error

    def _step(self, sent: Any) -> Step:
        if isinstance(sent, str):
            raise PartyError(f"{self.role} failed:\n{sent}")
        if isinstance(sent, tuple):
            payload, number, label, to = sent
            bits = Bits.from_bytes(payload, number)
            self.bits_out += len(bits)
            return Send(bits, label, to)
        step = pickle.loads(sent)
        if not isinstance(step, (Receive, Answer)):
            raise TypeError(f"{step!r:.100}")
        return step

    def close(self) -> None:
        self._process.end()


def _converse(setup: bytes, receive: Callable[[], tuple[str, bytes, int] | None], send: Callable[[Any], None]) -> None:
    try:
        party, view, index, answers = pickle.loads(setup)
        talk = party.converse(view, index, lambda code: answers[code] if 0 <= code < len(answers) else None)
        step = talk.advance()
        while not isinstance(step, Answer):
            if isinstance(step, Send):
                send((step.bits.to_bytes(), len(step.bits), step.label, step.to))
            else:
                send(cloudpickle.dumps(step))
            heard = receive()
            step = talk.advance(heard and Received(heard[0], Bits.from_bytes(*heard[1:])))
        send(cloudpickle.dumps(step))
    except BaseException as error:
        send("".join(traceback.format_exception(error)))
