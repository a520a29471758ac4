"""Equality with private coins: each input has a set of messages, and sends one of them by chance.

Bob accepts, with chance 1 - e, what is in the set of his own input. If two sets have at most e / (1 - e) of their
messages in common, he is wrong by chance e at most. Pairs and quadruples of few messages have half in common, at most;
the points of polynomials fewer (Reed and Solomon 1960), and this is the way of the literature: to send a point of an
error-correcting code.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, count, islice, product
from typing import Any

import numpy.typing as npt

from ccsim.bounds.private_coins.shapes import PrivateTree, one_message

__all__ = ["equality_tree", "message_sets"]

Sets = list[tuple[int, ...]]


def message_sets(lines: int, common: Fraction) -> tuple[int, Sets]:
    """So many sets of messages of one size, of which two have at most this part in common; the bits of a message.

    >>> message_sets(6, Fraction(1, 2))
    (2, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])
    >>> message_sets(140, Fraction(1, 2))[0], message_sets(49, Fraction(1, 3))[0], message_sets(4, Fraction(0))
    (4, 5, (2, [(0,), (1,), (2,), (3,)]))
    """
    bits = (lines - 1).bit_length()
    found: tuple[int, Sets] = bits, [(line,) for line in range(lines)]
    if common >= Fraction(1, 2):
        pairs = next(some for some in count() if (1 << some) * ((1 << some) - 1) // 2 >= lines)
        if pairs < found[0]:
            found = pairs, list(islice(combinations(range(1 << pairs), 2), lines))
        most = next(some for some in count(2) if _quadruples(1 << some) >= lines)
        if most < found[0]:
            every = (four for one in combinations(range(1 << most), 3) if (four := (*one, one[0] ^ one[1] ^ one[2])))
            found = most, list(islice((four for four in every if four[3] > four[2]), lines))
    return min(found, _polynomials(lines, common, found[0]), key=lambda one: one[0])


def _quadruples(messages: int) -> int:
    """How many quadruples of messages have the sum 0, bit by bit: two of them have two messages in common, or fewer."""
    return messages * (messages - 1) * (messages - 2) // 24


def _polynomials(lines: int, common: Fraction, below: int) -> tuple[int, Sets]:
    """The points (i, p(i)) at t places of polynomials p of degree less than d modulo a prime q: d - 1 in common."""
    best: tuple[int, Sets] = below, []
    for degree in range(2, 6 if common else 2):
        places = -(-(degree - 1) // common)
        prime = next(q for q in count(max(2, places)) if q**degree >= lines and all(q % k for k in range(2, q)))
        bits = (int(places) * prime - 1).bit_length()
        if bits < best[0]:
            some = islice(product(range(prime), repeat=degree), lines)
            best = bits, [tuple(i * prime + _value(own, i) % prime for i in range(places)) for own in some]
    return best if best[1] else (below + 1, [])


def _value(polynomial: tuple[int, ...], place: int) -> int:
    return sum(int(factor) * place**power for power, factor in enumerate(polynomial))


def equality_tree(codes: npt.NDArray[Any], error: Fraction) -> PrivateTree | None:
    """A protocol if a table is that of equality, or of its opposite, with rows in any order; else None.

    >>> import numpy as np
    >>> tree = equality_tree(np.eye(28, dtype=np.int64), Fraction(1, 3))
    >>> len(tree.shape.answers)
    16
    """
    if codes.shape[0] == codes.shape[1] > 2 and codes.min() >= 0 and codes.max() < 2:
        for label in (0, 1):
            own = codes == label
            if (own.sum(axis=0) == 1).all() and (own.sum(axis=1) == 1).all():
                return _accepting(own.argmax(axis=1).tolist(), label, error)
    return None


def _accepting(columns: list[int], label: int, error: Fraction) -> PrivateTree:
    """Row i has the label in column ``columns[i]`` alone."""
    bits, sets = message_sets(len(columns), error / (1 - error))
    replies = [[Fraction(0)] * len(columns) for _ in range(1 << bits)]
    for own, column in zip(sets, columns, strict=True):
        for message in own:
            replies[message][column] = 1 - error if len(own) > 1 else Fraction(1)
    messages = [dict.fromkeys(own, Fraction(1, len(own))) for own in sets]
    return one_message(messages, replies, (1 - label, label))
