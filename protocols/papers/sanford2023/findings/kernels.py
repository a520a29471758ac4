"""Feed-forward networks with too narrow a first layer: for every one of a family, two inputs that it confuses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement, product

from ccsim import models
from ccsim.claims import Finding
from ccsim.errors import InputError
from protocols import reductions

__all__ = ["every_direction", "every_narrow_layer"]

Layer = Sequence[Sequence[int]]


def every_narrow_layer(length: int, q: int, least: int, largest: int, values: int = 1) -> Finding:
    """The least width not seen to be too small: all first layers of the most units below N d'/2 are gone through.

    Weights are the integers from ``least`` to ``largest``. Neither the order of the units nor, where weights of both
    signs are gone through, the sign of a unit changes what is confused.
    """
    if least > largest or 2 * q >= length:
        raise InputError("least, largest, q", (least, largest, q), f"a range of weights, and q below {length}/2")
    narrow = (length * values - 1) // 2
    units = list(product(range(least, largest + 1), repeat=length * values))
    if least == -largest:
        units = [unit for unit in units if leading(unit) >= 0]
    layers = combinations_with_replacement(units, narrow)
    return _failing(layers, length, q, values, measured=narrow + 1)


def every_direction(length: int, q: int, largest: int, values: int = 1) -> Finding:
    """For each direction, a network of N d' - 1 units that sees all but it: they all fail, so N d' units are the least.

    Directions have whole entries from -1 to largest.
    """
    if 2 * q > length:
        raise InputError("q", q, f"at most half of {length}")
    size = length * values
    directions = (each for each in product(range(-1, largest + 1), repeat=size) if any(each))
    return _failing((blind_to(direction) for direction in directions), length, q, values, measured=size)


def leading(entries: Sequence[int]) -> int:
    """The first entry that is not 0, if there is one."""
    return next((entry for entry in entries if entry), 0)


def blind_to(direction: Sequence[int]) -> list[list[int]]:
    """N - 1 units whose only kernel vectors are the multiples of one."""
    place = next(place for place, entry in enumerate(direction) if entry)
    others = [other for other in range(len(direction)) if other != place]
    rows = [[0] * len(direction) for _ in others]
    for row, other in zip(rows, others, strict=True):
        row[other], row[place] = direction[place], -direction[other]
    return rows


def _failing(layers: Iterable[Layer], length: int, q: int, values: int, measured: int) -> Finding:
    wrong, count = [], 0
    for layer in layers:
        network = models.FeedForward.of([list(unit) for unit in layer])
        collision = reductions.feedforward_kernel(network, length=length, q=q, dimension=values)
        count += 1
        if not (collision.verify() and collision.is_too_much):
            wrong.append(f"no two inputs show that the first layer {layer} fails")
    if not count:
        wrong.append("no first layer was tried")
    facts = {"first layers that were tried": count, "proof for all real ones": "docs/proofs/feedforward_kernel.md"}
    return Finding(measured=measured, calculated=True, checked=count, violations=tuple(wrong[:3]), facts=facts)
