"""Parties in operating-system processes of their own: only message bits cross.

The parent starts one fresh Python interpreter per party and hands it, once, the party's own code (by value,
unless it is from a module that can be imported) and its own view. From then on it plays the channel: it counts
the bits of every message that it takes from one process and passes on to another, and these must equal the bits
of the transcript. Of what a process sends, only the bits of messages reach another party.
"""

from __future__ import annotations

import pickle
import traceback
from collections import Counter
from collections.abc import Callable, Generator, Hashable, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import lazy_loader as lazy

from ccsim.bits import Bits
from ccsim.engine.model import Said, Transcript
from ccsim.engine.party import Conversation, Party, ProtocolBase, View
from ccsim.engine.processes import Process
from ccsim.engine.steps import Answer, Receive, Send, Step
from ccsim.errors import InputError, PartyError, ProtocolError

cloudpickle = lazy.load("cloudpickle")


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
        try:
            self._process = Process(partial(_converse, cloudpickle.dumps((party, replace(view), index, answers))))
        except Exception as error:
            raise PartyError(f"{view.role} cannot be handed to a process of its own: {error}") from error
        self._process.give_up_after(timeout)
        self._started = False

    def advance(self, received: Said | None = None) -> Step:
        try:
            if received is not None:
                self.bits_in += len(received.bits)
                self._process.send((received.sender, received.bits.to_bytes(), len(received.bits)))
            elif self._started:
                self._process.send(None)
            self._started = True
            return self._step(self._process.connection.recv())
        except BlockingIOError:
            raise PartyError(f"{self.role} said nothing for {self.timeout:g} seconds and was stopped") from None
        except (EOFError, OSError):
            raise PartyError(f"{self.role}'s process died with exit code {self._process.end(1.0)}") from None
        except PartyError:
            raise
        except Exception as error:
            raise PartyError(f"{self.role} wrote on its channel what is no message ({error})") from error

    def _step(self, sent: Any) -> Step:
        """A message is a tuple of its bits in bytes, their number, its label and receiver; a failure is text."""
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
        """End the process at once, whatever it is doing, and wait until it is gone."""
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
            step = talk.advance(heard and Said(heard[0], Bits.from_bytes(*heard[1:])))
        send(cloudpickle.dumps(step))
    except BaseException as error:
        send("".join(traceback.format_exception(error)))
