"""Two-way INDEX: the party with the position asks."""

from __future__ import annotations

from typing import Any

from ccsim.engine import AnswerEach, Cost, Protocol, Receive, SendEach, array_party
from ccsim.problems import index
from protocols.classical.widths import width_of

__all__ = ["two_way_index"]


def two_way_index(n: int) -> Protocol:
    """INDEX_n in two rounds, Bob first: he sends his position, Alice replies with the bit there.

    Both know the answer. Cost: exactly L(n) + 1 bits with L(n) = ceiling(log2 n), where one message from
    Alice to Bob would take n bits (Kremer, Nisan and Ron 1999). Deterministic.

    >>> two_way_index(8).run("00100000", 3).answer, two_way_index(8).explore().worst_bits
    (1, 4)
    """
    function, width = index(n), width_of(n)

    @array_party
    def alice(strings: Any, heard: Any) -> Any:
        if not heard:
            return Receive(width=width)
        position = heard[0].bits.to_unsigned() + 1
        bits = (strings >> (n - position)) & 1
        return SendEach(bits, 1, f"bit {position} of x") if len(heard) == 1 else AnswerEach(heard[1].bits.to_unsigned())

    @array_party
    def bob(positions: Any, heard: Any) -> Any:
        if not heard:
            return SendEach(positions - 1, width, "position, counted from 0")
        return Receive(width=1) if len(heard) == 1 else AnswerEach(heard[1].bits.to_unsigned())

    return Protocol(
        f"two-way index({n})",
        function,
        {"alice": alice, "bob": bob},
        cost=Cost("L(n) + 1", {"n": n}),
        source="Kremer, Nisan and Ron 1999",
    )
