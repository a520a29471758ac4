"""How strongly attention must look for an address, so that everything else gets the weight 0 exactly.

A query is E times the address that it looks for, a key is an address, and logits are divided by the k signs of an
address. In steps of 1 / s the wanted position has the logit E and every other at most floor(E G / k), where G is the
largest product of two addresses. If these are z apart, where z is the least number of steps with
floor(s exp(-z / s)) = 0, then all other exponentials are 0, the sum of all is s, and the weight is exactly 1.

The text of Bhattamishra, Hahn, Blunsom and Kanade 2024 (appendix F.2) lets weights near 1 be rounded up to 1, although
its own arithmetic rounds down (appendix B.2). Rounded down, a weight is 1 only if all other exponentials are 0 before
they are added up: that is the condition here.
"""

from __future__ import annotations

from fractions import Fraction
from typing import cast

import numpy as np

from ccsim.arithmetic import Precision, exponential
from ccsim.errors import InputError
from ccsim.models.attention import positive_rational
from protocols.constructions.vectors import Addresses, smallest_sign_vectors


def reach(precision: Precision) -> int:
    """z: how many steps below the maximum an exponential is 0.

    >>> reach(Precision.fixed_point(1, 0)), reach(Precision.fixed_point(4, 10))
    (1, 7098)
    """
    return exponential(precision).first_zero


def hard_strength(precision: Precision, addresses: Addresses, ahead: int | None = None) -> int:
    """The least mantissa E with E - floor(E G / k) >= z, whether or not the precision holds it.

    With ``ahead`` it is so many steps in place of z.

    >>> from protocols.constructions.vectors import BinaryAddresses
    >>> hard_strength(Precision.fixed_point(1, 0), BinaryAddresses(1024))
    1
    """
    dimension, largest = addresses.dimension, max(addresses.largest_product, 0)
    return ((reach(precision) if ahead is None else ahead) - 1) * dimension // (dimension - largest) + 1


def require_strength(strength: object) -> Fraction | None:
    """A strength that is given, as an exact number above 0; None as it is."""
    return None if strength is None else positive_rational("strength", strength)


def require_addresses(addresses: object, count: int, argument: str = "addresses") -> Addresses:
    """The given vectors, or the smallest sign vectors for so many positions."""
    if addresses is None:
        return smallest_sign_vectors(count)
    if not hasattr(addresses, "rows") or not hasattr(addresses, "largest_product"):
        raise InputError(argument, addresses, "vectors of signs, such as smallest_sign_vectors makes, or None")
    return cast(Addresses, addresses)


def require_hard(precision: Precision, addresses: Addresses, strength: int) -> None:
    """An :class:`~ccsim.errors.InputError` unless queries of this strength give the weight 1, decided in integers."""
    if strength > precision.high:
        raise InputError(
            "precision", str(precision), f"one that holds queries of {Fraction(strength, precision.scale)}"
        )
    if precision.scale > precision.high:
        raise InputError("precision", str(precision), "one that holds 1")
    gap = strength - strength * max(addresses.largest_product, 0) // addresses.dimension  # 0: without an address
    if gap < reach(precision):
        raise InputError("strength", strength, f"at least {hard_strength(precision, addresses)} steps")


def weight_of_target(precision: Precision, addresses: Addresses, strength: int, others: int) -> int:
    """A mantissa that the weight of the wanted position is never below, for so many other positions.

    >>> from protocols.constructions.vectors import SignVectors
    >>> precision, addresses = Precision.fixed_point(4, 10), SignVectors(256, 64, 0)
    >>> weight_of_target(precision, addresses, 11 * 1024, others=255) / 1024
    0.6669921875
    """
    largest = max(addresses.largest_product, 0)  # 0 is the logit of a position without an address
    gap = strength - strength * largest // addresses.dimension
    exponent = int(exponential(precision)(np.array([-gap]))[0])
    return precision.scale**2 // (precision.scale + others * exponent)


def least_format(fraction_bits: int, largest: int, at_least: int = 1) -> Precision:
    """Two's complement with so many bits after the point, and as many before as the mantissa ``largest`` needs.

    >>> least_format(3, 17)
    Precision(scale=8, low=-32, high=31)
    """
    integer_bits = max(at_least, (largest >> fraction_bits).bit_length())
    return Precision.fixed_point(integer_bits, fraction_bits)


def answer_codes(count: int) -> list[list[int]]:
    """A different vector of signs for each of so many answers: the binary digits of its place.

    >>> answer_codes(3)
    [[-1, -1], [1, -1], [-1, 1]]
    """
    digits = max(1, (count - 1).bit_length())
    return [[2 * (place >> digit & 1) - 1 for digit in range(digits)] for place in range(count)]
