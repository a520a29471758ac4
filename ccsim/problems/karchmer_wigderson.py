"""Karchmer-Wigderson games: where do an input with f = 1 and one with f = 0 differ?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ccsim.arguments import require_integer
from ccsim.errors import InputError
from ccsim.relations import Relation

MOST_VARIABLES = 10


def karchmer_wigderson(
    function: str | Sequence[int], *, monotone: bool = False, name: str = "karchmer_wigderson"
) -> Relation:
    """The game of a Boolean function of n bits: Alice holds an x with f(x) = 1, Bob a y with f(y) = 0, and both are to
    find an i with x_i != y_i.

    Its deterministic complexity is the least depth of a formula of AND, OR and literals that computes f, and its least
    number of leaves the least size, counted in literals (Karchmer and Wigderson 1990). In the monotone game x_i = 1 and
    y_i = 0 are asked for, and formulas have no negations.

    Args:
        function: the 2^n values of f, as text or integers, in the numerical order of the inputs; bit 1 of an
            input is its most significant one. Not constant.
        monotone: whether the game is the monotone one; f must be monotone then.
        name: for people.

    Returns:
        A relation with the labels 1 to n; rows and columns are the inputs with f = 1 and with f = 0, in order.

    >>> karchmer_wigderson("0110").allowed.tolist()  # exclusive or: bit 0 of a mask is the label 1
    [[2, 1], [1, 2]]
    """
    values = [int(value) for value in function]
    n = max(1, len(values) - 1).bit_length()
    if set(values) - {0, 1} or len(values) != 1 << n or n > MOST_VARIABLES:
        raise InputError("function", function, f"2^n values 0 or 1, with n from 1 to {MOST_VARIABLES}")
    ones, zeros = ([x for x, value in enumerate(values) if value == side] for side in (1, 0))
    if not ones or not zeros:
        raise InputError("function", function, "a function that is not constant")
    if monotone and any(values[x | 1 << i] < values[x] for x in ones for i in range(n)):
        raise InputError("function", function, "a monotone function, for the monotone game")
    x, y = np.array(ones)[:, None], np.array(zeros)[None, :]
    differ = x & ~y if monotone else x ^ y
    masks = sum((differ >> n - 1 - place & 1) << place for place in range(n))
    return Relation(np.asarray(masks), range(1, n + 1), f"{name}({n})")


def truth_table(n: int, value: Callable[[int], int]) -> str:
    """The truth table of a function of how many of n bits are ones.

    >>> truth_table(2, lambda ones: int(ones == 2))
    '0001'
    """
    require_integer("n", n, low=1, high=MOST_VARIABLES)
    return "".join(str(int(value(x.bit_count()))) for x in range(1 << n))


def _parity(n: int) -> Relation:
    return karchmer_wigderson(truth_table(n, lambda ones: ones & 1), name="karchmer_wigderson_parity")


def _majority(n: int) -> Relation:
    return karchmer_wigderson(truth_table(n, lambda ones: 2 * ones > n), name="karchmer_wigderson_majority")


def _monotone_majority(n: int) -> Relation:
    table = truth_table(n, lambda ones: 2 * ones > n)
    return karchmer_wigderson(table, monotone=True, name="monotone_karchmer_wigderson_majority")


RELATIONS: dict[str, tuple[str, Callable[[int], Relation]]] = {
    "karchmer-wigderson-parity": ("where an odd and an even input of n bits differ", _parity),
    "karchmer-wigderson-majority": ("where inputs of n bits with more and fewer ones than half differ", _majority),
    "monotone-karchmer-wigderson-majority": (
        "the same, a place with 1 in the first and 0 in the other",
        _monotone_majority,
    ),
}
"""Families of relations by name: what they ask at size n, in a line, and what makes them."""
