"""What was said: messages with their sender, bits and meaning, and running totals by direction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from operator import attrgetter
from typing import Any, overload

from ccsim.bits import Bits
from ccsim.plain_data import counted


@dataclass(frozen=True, slots=True)
class Said:
    """What a party knows of a message: who sent it, and its bits."""

    sender: str
    bits: Bits


@dataclass(frozen=True, slots=True)
class Message:
    """One message on a channel: who sent it to whom, its bits, and a label for people."""

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
        return self._totals(attrgetter("direction"))

    @property
    def by_sender(self) -> dict[str, int]:
        """Bits sent by each party that spoke."""
        return self._totals(attrgetter("sender"))

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

    def __str__(self) -> str:
        header = ("#", "channel", "bits", "total", "message", "meaning")
        rows = [
            (
                str(row["number"]),
                message.direction,
                str(row["bits"]),
                str(row["total"]),
                _short(row["message"]),
                message.label,
            )
            for row, message in zip(self.table(), self.messages, strict=True)
        ]
        widths = [max(len(cell) for cell in column) for column in zip(header, *rows, strict=True)]
        lines = [
            "  ".join(
                cell.rjust(width) if column in (0, 2, 3) else cell.ljust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in (header, *rows)
        ]
        return "\n".join([*lines, self.summary()])


def _short(bits: str, width: int = 48) -> str:
    return bits if len(bits) <= width else f"{bits[: width - 3]}..."
