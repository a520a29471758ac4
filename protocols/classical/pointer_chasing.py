"""Pointer chasing with as many rounds as pointers, and with one round fewer."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim.engine import AnswerEach, ArrayParty, Cost, Protocol, Receive, SendEach, array_party, rounds
from ccsim.errors import InputError
from ccsim.problems import pointer_chasing
from protocols.classical.widths import bit_rows, width_of

__all__ = ["pointer_chasing_in_turn", "pointer_chasing_one_round_fewer"]


def pointer_chasing_in_turn(n: int, k: int) -> Protocol:
    """Follow k pointers in k rounds: each party in turn, Alice first, sends the next vertex.

    Both know the answer, the vertex v_k, which is the last message. Cost: exactly k L(n) bits in k rounds.
    Deterministic (Nisan and Wigderson 1993, who show that one round fewer makes it nearly n bits).

    >>> pointer_chasing_in_turn(3, 4).explore().worst_bits, pointer_chasing_in_turn(3, 4).explore().worst_rounds
    (8, 4)
    """
    function, width = pointer_chasing(n, k), width_of(n)

    def party(first: int) -> ArrayParty:
        @array_party
        def follow(pointers: Any, heard: Any) -> Any:
            vertex = heard[-1].bits.to_unsigned() if heard else 0
            if len(heard) == k:
                return AnswerEach(vertex)
            if len(heard) % 2 != first:
                return Receive(width=width)
            return SendEach(pointers[:, vertex].astype(np.int64), width, f"v_{len(heard) + 1}")

        return follow

    return Protocol(
        f"pointer_chasing_in_turn({n}, {k})",
        function,
        {"alice": party(0), "bob": party(1)},
        model=rounds(k, first="alice"),
        cost=Cost("k * L(n)", {"n": n, "k": k}),
        source="Nisan and Wigderson 1993",
    )


def pointer_chasing_one_round_fewer(n: int, k: int) -> Protocol:
    """Follow k >= 3 pointers in k - 1 rounds, Alice first: the sender of message k - 2 sends all its pointers.

    Messages 1, ..., k - 3 carry one vertex each. The receiver of message k - 2 then knows both that vertex and
    every pointer of the other party, follows the last three pointers alone, and sends v_k. Both know the
    answer. Cost: exactly (k - 3) L(n) + n L(n) + L(n) = (n + k - 2) L(n) bits in k - 1 rounds. Deterministic.
    Nearly n bits are needed with so few rounds (Nisan and Wigderson 1993).

    >>> pointer_chasing_one_round_fewer(3, 4).explore().worst_bits
    10
    """
    function, width = pointer_chasing(n, k), width_of(n)
    if k < 3:
        raise InputError("k", k, "at least 3 pointers: with fewer, one party cannot learn the answer a round earlier")

    def party(first: int) -> ArrayParty:
        @array_party
        def follow(pointers: Any, heard: Any) -> Any:
            said = len(heard)
            if said == k - 1:
                return AnswerEach(heard[-1].bits.to_unsigned())
            if said % 2 != first:
                return Receive(width=n * width if said == k - 3 else width)
            if said == k - 3:
                return SendEach(bit_rows(pointers.astype(np.int64), width), n * width, "all pointers")
            vertex = heard[min(said, k - 3) - 1].bits.to_unsigned() if min(said, k - 3) else 0
            if said < k - 3:
                return SendEach(pointers[:, vertex].astype(np.int64), width, f"v_{said + 1}")
            reader = heard[-1].bits.reader()
            table = np.array([reader.unsigned(width) for _ in range(n)])
            own = np.arange(len(pointers))
            return SendEach(table[pointers[own, table[vertex]]], width, f"v_{k}")

        return follow

    return Protocol(
        f"pointer_chasing_one_round_fewer({n}, {k})",
        function,
        {"alice": party(0), "bob": party(1)},
        model=rounds(k - 1, first="alice"),
        cost=Cost("(n + k - 2) * L(n)", {"n": n, "k": k}),
        source="Nisan and Wigderson 1993",
    )
