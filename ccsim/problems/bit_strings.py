"""Functions of two strings of equally many bits: what most textbook problems are."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.problems.function import TwoPartyFunction
from ccsim.problems.inputs import BitStrings


def of_two_strings(
    name: str, n: int, rule: Callable[[Array, Array], Any], note: str, answers: tuple[Hashable, ...] = (0, 1)
) -> TwoPartyFunction:
    """The function that ``rule`` gives the codes of, from two strings of ``n`` >= 1 bits as numbers."""
    n = require_integer("n", n, low=1)

    def evaluate(x: Array, y: Array) -> Array:
        codes = np.asarray(rule(x, y))
        return codes.astype(np.int8) if codes.dtype == bool else codes

    inputs = (BitStrings(n), BitStrings(n))
    return TwoPartyFunction(f"{name}({n})", inputs, answers, evaluate, note=note, returns="codes")
