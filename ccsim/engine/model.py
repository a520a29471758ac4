"""Models of communication: who sees which input, who may speak to whom, when, and how often.

A model is enforced, not only declared: a message that it does not allow stops a run with a
:class:`~ccsim.errors.ProtocolError`, and shows as a violation in an exploration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ccsim.engine.transcript import Message, Transcript
from ccsim.errors import InputError

REFEREE = "referee"


@dataclass(frozen=True)
class CommunicationModel:
    """The rules of a conversation; made by the functions of this module.

    Attributes:
        name: what the field calls it.
        players: the parties that hold inputs, in order.
        channels: ``broadcast`` (everybody hears every message), ``pairs`` (a message has one receiver) or
            ``referee`` (each player sends one message to a referee and hears nothing).
        forehead: whether each player sees every input except its own.
        speakers: who may speak.
        most_rounds: how many maximal runs of messages by one sender are allowed, or None.
        first: who must speak first, or None.
    """

    name: str
    players: tuple[str, ...] = ("alice", "bob")
    channels: Literal["broadcast", "pairs", "referee"] = "broadcast"
    forehead: bool = False
    speakers: tuple[str, ...] | None = None
    most_rounds: int | None = None
    first: str | None = None

    def __post_init__(self) -> None:
        if len(self.players) < 2 or len(set(self.players)) != len(self.players) or REFEREE in self.players:
            raise InputError("players", self.players, "two or more different names, none of them 'referee'")
        for name in (*(self.speakers or ()), *((self.first,) if self.first else ())):
            if name not in self.players:
                raise InputError("speaker", name, f"one of {self.players}")
        if self.most_rounds is not None and self.most_rounds < 0:
            raise InputError("rounds", self.most_rounds, "at least 0")

    @property
    def roles(self) -> tuple[str, ...]:
        """The players, and the referee if there is one."""
        return (*self.players, REFEREE) if self.channels == "referee" else self.players

    def objection(self, said: tuple[Message, ...], message: Message) -> str | None:
        """Why ``message`` is not allowed after what was said, or None if it is."""
        sender = message.sender
        if self.speakers is not None and sender not in self.speakers:
            return f"{self.name}: {sender} may not speak"
        if not said and self.first is not None and sender != self.first:
            return f"{self.name}: {self.first} speaks first, not {sender}"
        if self.channels == "referee" and any(earlier.sender == sender for earlier in said):
            return f"{self.name}: {sender} sends a second message"
        if self.most_rounds is not None and Transcript((*said, message)).rounds > self.most_rounds:
            return f"{self.name}: {sender} begins round {self.most_rounds + 1} of at most {self.most_rounds}"
        return None


def two_way() -> CommunicationModel:
    """Alice and Bob speak in any order, as often as they like."""
    return CommunicationModel("two-way")


def one_way(sender: str = "alice") -> CommunicationModel:
    """Only ``sender`` speaks, in one round; the other party answers."""
    return CommunicationModel(f"one-way from {sender}", speakers=(sender,), most_rounds=1)


def rounds(most: int, first: str | None = None) -> CommunicationModel:
    """Alice and Bob, with at most ``most`` rounds (a round is a maximal run of messages by one of them)."""
    return CommunicationModel(f"{most}-round", most_rounds=most, first=first)


def simultaneous(players: Sequence[str] = ("alice", "bob")) -> CommunicationModel:
    """Each player sends one message to a referee, who sees no input and gives the answer."""
    return CommunicationModel("simultaneous", tuple(players), channels="referee")


def blackboard(players: Sequence[str] = ("alice", "bob", "carol")) -> CommunicationModel:
    """Number in hand: each player sees its own input; every message is written where all can read it."""
    return CommunicationModel("blackboard", tuple(players))


def point_to_point(players: Sequence[str] = ("alice", "bob", "carol")) -> CommunicationModel:
    """Number in hand with a channel between each two players; every send and receive names the other."""
    return CommunicationModel("point-to-point", tuple(players), channels="pairs")


def number_on_forehead(players: Sequence[str] = ("alice", "bob", "carol")) -> CommunicationModel:
    """Each player sees every input except its own (Chandra, Furst, Lipton 1983); messages go to all."""
    return CommunicationModel("number-on-forehead", tuple(players), forehead=True)
