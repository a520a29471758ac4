"""Parties in operating-system processes of their own: only message bits cross.

The parent starts one fresh Python interpreter per party and hands it, once, the party's own code (by value,
unless it is from a module that can be imported) and its own view. From then on it plays the channel: it counts
the bits of every message frame that it takes from one process and passes on to another, and these must equal
the bits of the transcript. A frame is a byte for its kind, four bytes for a number of bits or bytes, and the
payload; only the payload of message frames reaches another party.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import struct
import subprocess
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Generator, Hashable, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import IO, Any, cast

import lazy_loader as lazy

from ccsim.bits import Bits
from ccsim.engine.model import Said, Transcript
from ccsim.engine.party import Conversation, Party, ProtocolBase, View
from ccsim.engine.steps import Answer, Receive, Send, Step
from ccsim.errors import InputError, PartyError, ProtocolError

cloudpickle = lazy.load("cloudpickle")

HEADER = struct.Struct(">cI")
NOTE, MESSAGE, FAILED = b"n", b"m", b"f"


@contextmanager
def isolated_talks(
    protocol: ProtocolBase, views: tuple[View, ...], chosen: list[int], timeout: float
) -> Generator[dict[str, Conversation], None, None]:
    """One conversation per role, each with a process of its own; all processes are gone at the end."""
    if not timeout > 0:
        raise InputError("timeout", timeout, "more than 0 seconds")
    talks: dict[str, Conversation] = {}
    try:
        for view, index in zip(views, chosen, strict=True):
            talks[view.role] = IsolatedConversation(
                protocol.party(view.role), view, index, protocol.function.answers, timeout
            )
        yield talks
    finally:
        for talk in talks.values():
            talk.close()


def carried_bits(talks: Mapping[str, Conversation], transcript: Transcript) -> dict[str, int]:
    """The bits that came out of each process; an error unless they are the transcript's, and all were delivered."""
    isolated = {role: talk for role, talk in talks.items() if isinstance(talk, IsolatedConversation)}
    sent = {role: talk.bits_out for role, talk in isolated.items() if talk.bits_out}
    counted = {role: bits for role, bits in transcript.by_sender.items() if bits}
    received: Counter[str] = Counter()
    for message in transcript:
        received.update(dict.fromkeys(message.receivers, len(message.bits)))
    arrived = {role: talk.bits_in for role, talk in isolated.items() if talk.bits_in}
    if sent != counted or arrived != {role: bits for role, bits in received.items() if bits}:
        raise ProtocolError(f"bits carried ({sent} out, {arrived} in) are not the bits counted ({counted})")
    return sent


class IsolatedConversation(Conversation):
    """The channel's end of one party's process."""

    def __init__(self, party: Party, view: View, index: int, answers: tuple[Hashable, ...], timeout: float) -> None:
        self.role, self.timeout = view.role, timeout
        self.bits_out = self.bits_in = 0
        setup = _packed(view.role, (party, replace(view), index, answers, sys.path))
        self._process = fresh_python("from ccsim.engine.isolation import serve; serve()")
        self._frames: queue.Queue[tuple[bytes, int, bytes] | None] = queue.Queue()
        self._outgoing: queue.Queue[tuple[bytes, bytes, int | None] | None] = queue.Queue()
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._listen, self._pass_on)]
        for thread in self._threads:
            thread.start()
        self._write(NOTE, setup)
        self._started = False

    def advance(self, received: Said | None = None) -> Step:
        """Pass a message in if there is one, and wait for the party's next step."""
        if received is not None:
            self.bits_in += len(received.bits)
            self._write(MESSAGE, received.bits.to_bytes(), len(received.bits))
            self._write(NOTE, received.sender.encode())
        elif self._started:
            self._write(NOTE, b"proceed")
        self._started = True
        return self._next_step()

    def close(self) -> None:
        """End the process at once, whatever it is doing, and wait until it is gone."""
        self._outgoing.put(None)
        with contextlib.suppress(OSError, AttributeError):  # gone already, or a system without process groups
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        for thread in self._threads:  # with its pipes gone each ends at once, unless somebody else holds them open
            thread.join(timeout=2)

    def _next_step(self) -> Step:
        kind, number, payload = self._frame()
        if kind == FAILED:
            raise PartyError(f"{self.role} failed:\n{payload.decode(errors='replace')}")
        try:
            if kind == MESSAGE:
                self.bits_out += number
                label, to = cloudpickle.loads(self._frame()[2])
                return Send(Bits.from_bytes(payload, number), label, to)
            step = cloudpickle.loads(payload)
        except PartyError:
            raise
        except Exception as error:
            raise PartyError(f"{self.role} wrote on its channel what is no message ({error})") from error
        if kind != NOTE or not isinstance(step, (Receive, Answer)):
            raise PartyError(f"{self.role} wrote on its channel what is no message ({step!r:.100})")
        return step

    def _frame(self) -> tuple[bytes, int, bytes]:
        try:
            frame = self._frames.get(timeout=self.timeout)
        except queue.Empty:
            raise PartyError(f"{self.role} said nothing for {self.timeout:g} seconds and was stopped") from None
        if frame is None:
            code = self._exit_code()
            raise PartyError(f"{self.role}'s process died with exit code {code}")
        return frame

    def _exit_code(self) -> int | None:
        deadline = time.monotonic() + 1
        while self._process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        return self._process.poll()

    def _listen(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while (frame := read_frame(self._process.stdout)) is not None:
                self._frames.put(frame)
        self._frames.put(None)
        with contextlib.suppress(OSError):
            cast(IO[bytes], self._process.stdout).close()

    def _write(self, kind: bytes, payload: bytes, bits: int | None = None) -> None:
        """Leave a frame to the thread that writes: a party that does not read must not hold up the channel."""
        self._outgoing.put((kind, payload, bits))

    def _pass_on(self) -> None:
        # Once the process is gone nothing can be written; the next read says so, with its exit code.
        with contextlib.suppress(OSError, ValueError):
            while (frame := self._outgoing.get()) is not None:
                write_frame(self._process.stdin, *frame)
        with contextlib.suppress(OSError):
            cast(IO[bytes], self._process.stdin).close()


def _packed(role: str, setup: object) -> bytes:
    try:
        return bytes(cloudpickle.dumps(setup))
    except Exception as error:
        raise PartyError(f"{role} cannot be handed to a process of its own: {error}") from error


def fresh_python(code: str) -> subprocess.Popen[bytes]:
    """A Python process with the same paths, to talk with through pipes.

    It has a session of its own: whatever it starts can be ended with it, and an interrupt from the keyboard is the
    parent's to handle.
    """
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        start_new_session=True,
    )


def write_frame(stream: Any, kind: bytes, payload: bytes, bits: int | None = None) -> None:
    """One frame; its number is the payload's length, in bits for messages and in bytes otherwise."""
    stream.write(HEADER.pack(kind, len(payload) if bits is None else bits) + payload)
    stream.flush()


def read_frame(stream: Any) -> tuple[bytes, int, bytes] | None:
    """The next frame, or None at the end of the stream."""
    header = stream.read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    kind, number = HEADER.unpack(header)
    size = -(-number // 8) if kind == MESSAGE else number
    payload = stream.read(size)
    return (kind, number, payload) if len(payload) == size else None


def serve() -> None:
    """What a party's process does: take its code and its view, then send and receive until it answers."""
    incoming = sys.stdin.buffer
    outgoing = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a party prints must not mix with its messages
    setup = read_frame(incoming)
    if setup is None:
        return
    try:
        _converse(incoming, outgoing, setup[2])
    except BaseException as error:
        text = "".join(traceback.format_exception(error)).encode()
        write_frame(outgoing, FAILED, text)


def _converse(incoming: Any, outgoing: Any, setup: bytes) -> None:
    party, view, index, answers, path = cloudpickle.loads(setup)
    sys.path[:] = path
    decode: Callable[[int], Hashable] = lambda code: answers[code] if 0 <= code < len(answers) else None  # noqa: E731
    talk = party.converse(view, index, decode)
    step: Step = talk.advance()
    while True:
        _tell(outgoing, step)
        frame = read_frame(incoming) if not isinstance(step, Answer) else None
        if frame is None:
            return
        kind, width, payload = frame
        if kind == MESSAGE:
            sender = read_frame(incoming)
            assert sender is not None
            step = talk.advance(Said(sender[2].decode(), Bits.from_bytes(payload, width)))
        else:
            step = talk.advance()


def _tell(outgoing: Any, step: Step) -> None:
    if isinstance(step, Send):
        write_frame(outgoing, MESSAGE, step.bits.to_bytes(), len(step.bits))
        write_frame(outgoing, NOTE, cloudpickle.dumps((step.label, step.to)))
    else:
        write_frame(outgoing, NOTE, cloudpickle.dumps(step))
