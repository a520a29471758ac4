"""Several problems at once, on independent inputs: all their answers, or one Boolean combination."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.problems.arrays import part_rows
from ccsim.problems.derived import Pairs
from ccsim.problems.function import TwoPartyFunction

MOST_ANSWERS = 1 << 20
"""The largest number of answers that a direct sum may have."""


def direct_sum(*functions: TwoPartyFunction) -> TwoPartyFunction:
    """All of several problems on independent inputs: the answer is the tuple of their answers.

    Each party holds a tuple with one input for each function. Inputs are outside the promise as soon as one
    of them is. Whether the cost is the sum of the costs is the direct-sum question (Karchmer, Raz and
    Wigderson 1995). At most 2^20 answers in all.

    >>> from ccsim.problems import equality, greater_than
    >>> direct_sum(equality(2), greater_than(2))(("01", "11"), ("01", "10"))
    (1, 1)
    """
    _require_functions(functions)
    count = math.prod(len(function.answers) for function in functions)
    if count > MOST_ANSWERS:
        names = [function.name for function in functions]
        raise InputError("functions", names, f"at most 2^20 answers in all, not {count}")

    def combine(codes: list[Array]) -> Array:
        whole = np.zeros((), dtype=np.int64)
        for function, code in zip(functions, codes, strict=True):
            whole = whole * len(function.answers) + code
        return np.asarray(whole)

    answers = tuple(itertools.product(*(function.answers for function in functions)))
    return _compose("direct_sum", functions, answers, combine, "the tuple of all answers")


def xor_composition(*functions: TwoPartyFunction) -> TwoPartyFunction:
    """The exclusive or of several Boolean functions on independent inputs, each party holding tuples.

    >>> from ccsim.problems import equality
    >>> xor_composition(equality(1), equality(1)).matrix.codes.tolist()
    [[0, 1, 1, 0], [1, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]]
    """
    return _boolean("xor", functions, np.bitwise_xor)


def and_composition(*functions: TwoPartyFunction) -> TwoPartyFunction:
    """Whether all of several Boolean functions on independent inputs are 1, each party holding tuples.

    >>> from ccsim.problems import equality
    >>> and_composition(equality(1), equality(2))(("0", "11"), ("0", "11"))
    1
    """
    return _boolean("and", functions, np.bitwise_and)


def or_composition(*functions: TwoPartyFunction) -> TwoPartyFunction:
    """Whether one of several Boolean functions on independent inputs is 1, each party holding tuples.

    >>> from ccsim.problems import intersection
    >>> two = or_composition(intersection(1), intersection(1))
    >>> two.matrix == intersection(2).matrix
    True
    """
    return _boolean("or", functions, np.bitwise_or)


def _boolean(
    word: str, functions: tuple[TwoPartyFunction, ...], operation: Callable[[Array, Array], Array]
) -> TwoPartyFunction:
    _require_functions(functions)
    for function in functions:
        if not function.is_boolean:
            raise InputError("functions", function.name, f"answers 0 and 1, not {function.answers[:6]}")

    def combine(codes: list[Array]) -> Array:
        whole = codes[0]
        for code in codes[1:]:
            whole = operation(whole, code)
        return whole

    return _compose(f"{word}_composition", functions, (0, 1), combine, f"the {word} of the answers")


def _compose(
    name: str,
    functions: tuple[TwoPartyFunction, ...],
    answers: tuple[Any, ...],
    combine: Callable[[list[Array]], Array],
    note: str,
) -> TwoPartyFunction:
    alice = Pairs(tuple(function.alice for function in functions))
    bob = Pairs(tuple(function.bob for function in functions))

    def evaluate(x: Array, y: Array) -> Array:
        rows = zip(functions, part_rows(alice, x), part_rows(bob, y), strict=True)
        codes = [np.asarray(function.evaluate(a, b), dtype=np.int64) for function, a, b in rows]
        promised = np.logical_and.reduce([code != DONT_CARE for code in np.broadcast_arrays(*codes)])
        return np.where(promised, combine(codes), DONT_CARE)

    whole = f"{name}({', '.join(function.name for function in functions)})"
    return TwoPartyFunction(whole, (alice, bob), answers, evaluate, note=note, returns="codes")


def _require_functions(functions: tuple[object, ...]) -> None:
    if not functions:
        raise InputError("functions", functions, "one or more two-party functions")
    for function in functions:
        if not isinstance(function, TwoPartyFunction):
            raise InputError("functions", function, "two-party functions")
