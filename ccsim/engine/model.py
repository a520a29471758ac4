"""Models of communication: who sees which input, who may speak to whom, transcripts, costs and coins.

A model is enforced: a message that it does not allow stops a run with a :class:`~ccsim.errors.ProtocolError`, and shows
as a violation in an exploration.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Any, Literal, overload

from ccsim import lazy
from ccsim.bits import Bits
from ccsim.errors import InputError
from ccsim.formulas import exact_value, symbolic
from ccsim.plain_data import aligned, counted

SHOWN = 48  # bits of a message, in a line


@dataclass(frozen=True, slots=True)
class Received:
    """What a party knows of a message: who sent it, and its bits.

    Attributes:
        sender, bits: a role of the model, and a :class:`~ccsim.bits.Bits`.
    """

    sender: str
    bits: Bits


@dataclass(frozen=True, slots=True)
class Message:
    """One message on a channel: who sent it to whom, its bits, and a label for people.

    Attributes:
        sender, receivers: roles of the model.
        bits, label: its bits, and what they are.
    """

    sender: str
    receivers: tuple[str, ...]
    bits: Bits
    label: str = ""

    @property
    def direction(self) -> str:
        """The channel that carried it, as ``alice → bob``."""
        return f"{self.sender} → {', '.join(self.receivers)}"


@dataclass(frozen=True, slots=True)
class Transcript(Sequence[Message]):
    """All messages of a run, in order.

    >>> said = Transcript((Message("alice", ("bob",), Bits("01"), "x"), Message("bob", ("alice",), Bits("1"), "x = y")))
    >>> said.bits, said.rounds, said.by_direction
    (3, 2, {'alice → bob': 2, 'bob → alice': 1})
    >>> print(said)
    #  channel       bits  total  message  meaning
    1  alice → bob      2      2  01       x
    2  bob → alice      1      3  1        x = y
    3 bits in 2 messages, 2 rounds
    """

    messages: tuple[Message, ...] = ()

    @property
    def bits(self) -> int:
        """How many bits were sent in all; a message to several receivers is counted once."""
        return sum(len(message.bits) for message in self.messages)

    @property
    def by_direction(self) -> dict[str, int]:
        """Bits on each channel."""
        return self._totals(lambda message: message.direction)

    @property
    def by_sender(self) -> dict[str, int]:
        """Bits sent by each party that spoke."""
        return self._totals(lambda message: message.sender)

    def _totals(self, name: Callable[[Message], str]) -> dict[str, int]:
        totals: Counter[str] = Counter()
        for message in self.messages:
            totals[name(message)] += len(message.bits)
        return dict(totals)

    @property
    def rounds(self) -> int:
        """How many maximal runs of messages by one sender there are."""
        return sum(1 for _ in groupby(self.messages, key=lambda message: message.sender))

    @property
    def string(self) -> Bits:
        """All bits, one message after the other."""
        return Bits.join(message.bits for message in self.messages)

    def table(self) -> list[dict[str, Any]]:
        """One row per message with the running total, for printing and for JSON."""
        totals = accumulate(len(message.bits) for message in self.messages)
        return [
            {
                "number": number,
                "sender": message.sender,
                "receivers": list(message.receivers),
                "bits": len(message.bits),
                "total": total,
                "message": str(message.bits),
                "meaning": message.label,
            }
            for number, (message, total) in enumerate(zip(self.messages, totals, strict=True), start=1)
        ]

    def __len__(self) -> int:
        return len(self.messages)

    @overload
    def __getitem__(self, place: int) -> Message: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Message, ...]: ...
    def __getitem__(self, place: int | slice) -> Message | tuple[Message, ...]:
        return self.messages[place]

    def __iter__(self) -> Iterator[Message]:
        return iter(self.messages)

    def summary(self) -> str:
        """Totals in a line."""
        return f"{counted(self.bits, 'bit')} in {counted(len(self), 'message')}, {counted(self.rounds, 'round')}"

    def cells(self) -> list[tuple[str, ...]]:
        """The table as text, under its heads."""
        return [
            ("#", "channel", "bits", "total", "message", "meaning"),
            *(
                (str(row["number"]), sent.direction, str(row["bits"]), str(row["total"]), row["message"], sent.label)
                for row, sent in zip(self.table(), self.messages, strict=True)
            ),
        ]

    def __str__(self) -> str:
        rows = [
            (*row[:4], row[4] if len(row[4]) <= SHOWN else f"{row[4][: SHOWN - 3]}...", row[5]) for row in self.cells()
        ]
        return "\n".join([*(line.rstrip() for line in aligned(rows, right=(0, 2, 3))), self.summary()])


sympy = lazy.load("sympy")


@dataclass(frozen=True)
class Cost:
    """Worst-case bits as a formula of :mod:`ccsim.formulas`, where ``L(k)`` is the bits that number k things.

    ``exact`` states whether the worst case reaches the formula on every size, or is only bounded by it.

    Args:
        formula: such as ``"n + L(k)"``.
        parameters: the value of each name in it, such as ``{"n": 4, "k": 3}``.

    >>> cost = Cost("L(n) + 1", {"n": 5})
    >>> cost.bits, str(cost)
    (4, 'L(n) + 1')
    """

    formula: str
    parameters: Mapping[str, int]
    exact: bool = True

    @property
    def expression(self) -> Any:
        """The formula as a sympy expression, where L(k) is ceiling(log(k, 2))."""
        return symbolic(
            self.formula, {name: sympy.Symbol(name, positive=True, integer=True) for name in self.parameters}
        )

    @property
    def bits(self) -> int:
        """The formula's value."""
        value = exact_value(self.formula, self.parameters)
        if not isinstance(value, int):
            raise InputError("cost", self.formula, f"an integer, not {value}, at {dict(self.parameters)}")
        return value

    def __str__(self) -> str:
        return self.formula


@dataclass(frozen=True)
class Coins:
    """A uniform choice among ``size`` outcomes, numbered from 0.

    >>> Coins.bits(3)
    Coins(size=8)
    """

    size: int

    def __post_init__(self) -> None:
        if self.size < 1:
            raise InputError("size", self.size, "at least one outcome")

    @classmethod
    def bits(cls, count: int) -> Coins:
        """``count`` fair coins: an outcome is a number of that many bits."""
        return cls(1 << count)

    def check(self, outcome: int, name: str = "coins") -> int:
        """``outcome`` itself if it is one; otherwise an error."""
        if not isinstance(outcome, int) or not 0 <= outcome < self.size:
            raise InputError(name, outcome, f"an integer from 0 to {self.size - 1}")
        return outcome


def draw(size: int, seed: int | str, *path: int | str) -> int:
    """A uniform integer from 0 to size - 1, the same on every machine for the same seed and path.

    The bytes are SHA-256 of ``seed/path.../counter`` for counter = 0, 1, ..., taken as one big-endian number
    of just enough bits; numbers that are too large are drawn again.

    >>> [draw(100, 7, "coins", number) for number in range(3)]
    [50, 83, 4]
    """
    if size < 1:
        raise InputError("size", size, "at least one outcome")
    width = (size - 1).bit_length()
    prefix = "/".join(map(str, (seed, *path)))
    counter = 0
    while True:
        block = b""
        while 8 * len(block) < width:
            block += hashlib.sha256(f"{prefix}/{counter}".encode()).digest()
            counter += 1
        number = int.from_bytes(block, "big") >> (8 * len(block) - width)
        if number < size:
            return number


def fresh_seed() -> int:
    """A seed that nobody could know beforehand, to be reported with the result."""
    return secrets.randbits(48)


REFEREE = "referee"


@dataclass(frozen=True)
class CommunicationModel:
    """The rules of a conversation; made by the functions of this module.

    Attributes:
        players: the parties that hold inputs, in order.
        channels: ``broadcast`` (everybody hears every message), ``pairs`` (a message has one receiver) or
            ``referee`` (each player sends one message to a referee and hears nothing).
        forehead: whether each player sees every input except its own.
        speakers: who may speak.
        most_rounds: how many maximal runs of messages by one sender are allowed, or None.
        first: who must speak first, or None.
        name: what tables call it.
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

    def objection(self, earlier: tuple[Message, ...], message: Message) -> str | None:
        """Why ``message`` is not allowed after the earlier messages, or None if it is."""
        sender = message.sender
        if self.speakers is not None and sender not in self.speakers:
            return f"{self.name}: {sender} may not speak"
        if not earlier and self.first is not None and sender != self.first:
            return f"{self.name}: {self.first} speaks first, not {sender}"
        if self.channels == "referee" and any(one.sender == sender for one in earlier):
            return f"{self.name}: {sender} sends a second message"
        if self.most_rounds is not None and Transcript((*earlier, message)).rounds > self.most_rounds:
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
