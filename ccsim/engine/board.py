"""Whose turn it is: the one place where messages move, for single runs and for explorations alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ccsim.bits import Bits
from ccsim.engine.model import CommunicationModel
from ccsim.engine.steps import Answer, Receive, Send
from ccsim.engine.transcript import Message, Said, Transcript
from ccsim.plain_data import counted


@dataclass(frozen=True)
class Speak:
    """It is ``role``'s turn to send."""

    role: str


@dataclass(frozen=True)
class Deliver:
    """A message that waits for ``role`` reaches it."""

    role: str
    message: Said


@dataclass(frozen=True)
class Finished:
    """Every party has answered."""


@dataclass(frozen=True)
class Objection:
    """The conversation cannot go on: which rule is broken, how, and by whom."""

    kind: str
    message: str
    roles: tuple[str, ...]


Event = Speak | Deliver | Finished | Objection
Kind = type[Send] | type[Answer] | Receive


@dataclass(frozen=True)
class Board:
    """What has been said so far.

    Attributes:
        said: every message, in order.
        heard: for each role, what it has sent and received, in its own order.
        waiting: for each role, messages on their way to it.
    """

    said: tuple[Message, ...]
    heard: Mapping[str, tuple[Said, ...]]
    waiting: Mapping[str, tuple[Said, ...]]

    @classmethod
    def empty(cls, model: CommunicationModel) -> Board:
        """Nothing said yet."""
        nothing: dict[str, tuple[Said, ...]] = dict.fromkeys(model.roles, ())
        return cls((), nothing, nothing)

    def speak(self, model: CommunicationModel, message: Message) -> Board:
        """The board after ``message``: heard at once where everybody listens, else on its way."""
        said = Said(message.sender, message.bits)
        listeners = {message.sender} | (set(message.receivers) if model.channels == "broadcast" else set())
        heard = {role: (*old, said) if role in listeners else old for role, old in self.heard.items()}
        on_the_way = set(message.receivers) - listeners
        waiting = {role: (*old, said) if role in on_the_way else old for role, old in self.waiting.items()}
        return Board((*self.said, message), heard, waiting)

    def deliver(self, role: str, message: Said) -> Board:
        """The board after ``role`` has taken a message that waited for it."""
        queue = list(self.waiting[role])
        queue.remove(message)
        return replace(
            self,
            heard={**self.heard, role: (*self.heard[role], message)},
            waiting={**self.waiting, role: tuple(queue)},
        )

    @property
    def transcript(self) -> Transcript:
        """What was said, for people."""
        return Transcript(self.said)


def next_event(model: CommunicationModel, board: Board, kinds: Mapping[str, Kind]) -> Event:
    """What happens next, given what each role wants to do (a receive is given whole, for its sender)."""
    speakers = tuple(role for role, kind in kinds.items() if kind is Send)
    listeners = {role: kind for role, kind in kinds.items() if isinstance(kind, Receive)}
    if model.channels == "broadcast":
        return _broadcast_event(speakers, tuple(listeners))
    for role, wish in listeners.items():
        objection = _listening_objection(model, role, wish)
        if objection:
            return objection
        message = next((said for said in board.waiting[role] if said.sender == wish.sender), None)
        if message is not None:
            return Deliver(role, message)
    if speakers:
        return Speak(speakers[0])
    lost = [role for role in model.roles if board.waiting[role] and role not in listeners]
    if lost:
        return Objection("deadlock", f"{lost[0]} finished without reading a message sent to it", (lost[0],))
    return _end(tuple(listeners))


def receivers_of(model: CommunicationModel, sender: str, to: str | None, listening: tuple[str, ...]) -> tuple[str, ...]:
    """Who gets a message: everybody who listens, or the one that it names; empty if that is nobody."""
    if model.channels == "broadcast":
        return tuple(role for role in listening if role != sender) if to is None else ()
    if model.channels == "referee":
        return (model.roles[-1],) if to in (None, model.roles[-1]) else ()
    return (to,) if to in model.players and to != sender else ()


def message_on(
    model: CommunicationModel, board: Board, sender: str, sent: Send, wishes: Mapping[str, object]
) -> tuple[Message, str | None]:
    """What ``sender`` sends as a message to those who get it, and why it is not allowed, if it is not."""
    listening = tuple(role for role, wish in wishes.items() if isinstance(wish, Receive))
    message = Message(sender, receivers_of(model, sender, sent.to, listening), sent.bits, sent.label)
    if not message.receivers:
        return message, f"{model.name}: {sender} sends to {sent.to!r}"
    return message, model.objection(board.said, message)


def width_objection(role: str, wish: Receive, bits: Bits) -> Objection | None:
    """Why a message does not fit what the receiver expects."""
    if wish.width is None or wish.width == len(bits):
        return None
    return Objection(
        "width", f"{role} expected a message of {counted(wish.width, 'bit')} and got {len(bits)} ({bits})", (role,)
    )


def _broadcast_event(speakers: tuple[str, ...], listeners: tuple[str, ...]) -> Event:
    if len(speakers) > 1:
        return Objection("turn", f"{' and '.join(speakers)} both want to send", speakers)
    if speakers and not listeners:
        return Objection("turn", f"{speakers[0]} sends and nobody listens", speakers)
    return Speak(speakers[0]) if speakers else _end(listeners)


def _listening_objection(model: CommunicationModel, role: str, wish: Receive) -> Objection | None:
    if model.channels == "referee" and role in model.players:
        return Objection("model", f"{model.name}: {role} may not receive", (role,))
    if wish.sender not in model.players or wish.sender == role:
        return Objection("model", f"{model.name}: {role} must name whom it receives from", (role,))
    return None


def _end(listeners: tuple[str, ...]) -> Event:
    if listeners:
        return Objection("deadlock", f"{' and '.join(listeners)} wait for a message that nobody sends", listeners)
    return Finished()
