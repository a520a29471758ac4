"""Equality of three strings in three models: on the forehead, on a blackboard, and from hand to hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim.engine import (
    AnswerEach,
    Cost,
    Protocol,
    Receive,
    SendEach,
    array_party,
    blackboard,
    number_on_forehead,
    point_to_point,
)
from ccsim.problems import equality_of_three
from protocols.classical.numbers import bit_rows


def forehead_equality(n: int) -> Protocol:
    """x = y = z with each string on the forehead of its owner: exactly 2 bits, whatever n is.

    Alice, who sees y and z, writes whether y = z, and Bob whether x = z. All three know the answer.
    Deterministic. With inputs in hand the same problem takes more than n bits: what each party sees of the
    others' inputs makes the difference (Kushilevitz and Nisan 1997, chapter 6).

    >>> forehead_equality(3).explore().worst_bits
    2
    """

    def player(own: int) -> Any:
        @array_party
        def speak(seen: Any, heard: Any) -> Any:
            if len(heard) == 2:
                return AnswerEach(heard[0].bits[0] & heard[1].bits[0])
            if len(heard) != own:
                return Receive(width=1)
            return SendEach(seen[0] == seen[1], 1, ("y = z", "x = z")[own])

        return speak

    return Protocol(
        f"forehead_equality({n})",
        equality_of_three(n),
        {"alice": player(0), "bob": player(1), "carol": player(2)},
        model=number_on_forehead(),
        cost=Cost("2", {}),
        source="Kushilevitz and Nisan 1997, chapter 6",
    )


def blackboard_equality(n: int) -> Protocol:
    """x = y = z with inputs in hand and a blackboard: Alice writes x, Bob and Carol whether they hold the same.

    All three know the answer. Cost: exactly n + 2 bits; a message to everybody is counted once. Deterministic.

    >>> blackboard_equality(3).explore().worst_bits
    5
    """

    def player(own: int) -> Any:
        @array_party
        def speak(strings: Any, heard: Any) -> Any:
            if len(heard) == 3:
                return AnswerEach(heard[1].bits[0] & heard[2].bits[0])
            if len(heard) != own:
                return Receive(width=n if not heard else 1)
            if own == 0:
                return SendEach(strings, n, "x")
            return SendEach(strings == heard[0].bits.to_unsigned(), 1, ("x = y", "x = z")[own - 1])

        return speak

    return Protocol(
        f"blackboard_equality({n})",
        equality_of_three(n),
        {"alice": player(0), "bob": player(1), "carol": player(2)},
        model=blackboard(),
        cost=Cost("n + 2", {"n": n}),
    )


def point_to_point_equality(n: int) -> Protocol:
    """x = y = z with inputs in hand and a channel between each two parties: the string is handed on.

    Alice sends x to Bob; Bob sends Carol whether x = y, and y; Carol tells both the answer. All three know
    the answer. Cost: exactly n + (n + 1) + 2 = 2n + 3 bits. Deterministic.

    >>> point_to_point_equality(3).explore().worst_bits
    9
    """

    @array_party
    def alice(xs: Any, heard: Any) -> Any:
        if not heard:
            return SendEach(xs, n, "x", to="bob")
        return Receive("carol", 1) if len(heard) == 1 else AnswerEach(heard[1].bits[0])

    @array_party
    def bob(ys: Any, heard: Any) -> Any:
        if not heard:
            return Receive("alice", n)
        if len(heard) == 1:
            same = np.asarray(ys == heard[0].bits.to_unsigned(), dtype=np.int8)
            return SendEach(np.hstack([same[:, None], bit_rows(ys[:, None], n)]), label="x = y, and y", to="carol")
        return Receive("carol", 1) if len(heard) == 2 else AnswerEach(heard[2].bits[0])

    @array_party
    def carol(zs: Any, heard: Any) -> Any:
        if not heard:
            return Receive("bob", n + 1)
        if len(heard) == 3:
            return AnswerEach(heard[1].bits[0])
        same, y = heard[0].bits[0], heard[0].bits[1:].to_unsigned()
        return SendEach((zs == y) & bool(same), 1, "x = y = z", to=("alice", "bob")[len(heard) - 1])

    return Protocol(
        f"point_to_point_equality({n})",
        equality_of_three(n),
        {"alice": alice, "bob": bob, "carol": carol},
        model=point_to_point(),
        cost=Cost("2 * n + 3", {"n": n}),
    )
