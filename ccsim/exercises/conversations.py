"""Exercises about protocols: what they compute, cost, and how often they err."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.engine.protocol import Protocol
from ccsim.exercises.reply import Reply, asked
from ccsim.exercises.values import check_number
from ccsim.plain_data import counted
from ccsim.problems import TwoPartyFunction


@asked
def check_protocol(protocol: Any, function: TwoPartyFunction, most_bits: int | None = None) -> Reply:
    """Whether a deterministic protocol computes a function on all inputs, with at most so many bits at worst.

    >>> from ccsim.problems import equality
    >>> from protocols.classical import trivial
    >>> check_protocol(trivial(equality(3)), equality(3), 4)
    right: correct on all 64 inputs, with 4 bits at worst
    >>> check_protocol(trivial(equality(3)), equality(3), 3)
    not yet: it is correct, but sends 4 bits at worst: 3 suffice
    """
    if not isinstance(protocol, Protocol):
        return Reply(False, f"{protocol!r} is not a Protocol")
    if protocol.function.shape != function.shape or not _same_answers(protocol.function, function):
        return Reply(False, f"{protocol.function.name} is another function than {function.name}")
    if not protocol.deterministic:
        return Reply(False, "it draws coins, and what is asked is a deterministic protocol")
    found = protocol.explore()
    if not found.correct:
        return Reply(False, str(found.violations[0]))
    if most_bits is not None and found.worst_bits > most_bits:
        return Reply(
            False, f"it is correct, but sends {counted(found.worst_bits, 'bit')} at worst: {most_bits} suffice"
        )
    return Reply(
        True, f"correct on all {counted(found.pairs, 'input')}, with {counted(found.worst_bits, 'bit')} at worst"
    )


def _same_answers(one: Any, other: Any) -> bool:
    return bool(one.answers == other.answers and np.array_equal(one.codes, other.codes))


@asked
def check_cost(given: int, protocol: Protocol) -> Reply:
    """Whether a deterministic protocol sends exactly so many bits at worst; it is explored to find out.

    >>> from ccsim.problems import equality
    >>> from protocols.classical import trivial
    >>> check_cost(3, trivial(equality(3)))
    not yet: 3 is too small
    """
    return check_number(given, lambda: protocol.explore().worst_bits, "bits")


@asked
def check_error(pair: tuple[Any, Any], protocol: Protocol, least: Fraction | float | None = None) -> Reply:
    """Whether a protocol with coins errs on a pair of inputs with probability ``least`` or more (its worst, if None).

    >>> from protocols.classical import inner_product_equality
    >>> check_error(("01", "01"), inner_product_equality(2, 1))
    not yet: on this pair it errs with probability 0
    """
    measured = protocol.measure_error()
    if measured.violations:
        return Reply(False, f"it is no protocol: {measured.violations[0]}")
    error = measured.error(*pair)
    wanted = measured.worst_error if least is None else least
    return Reply(error >= wanted, f"on this pair it errs with probability {error}")
