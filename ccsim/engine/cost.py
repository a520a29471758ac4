"""What a protocol is said to cost: a formula in named parameters, in bits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import lazy_loader as lazy

from ccsim.errors import InputError
from ccsim.formulas import exact_value, symbolic

sympy = lazy.load("sympy")


@dataclass(frozen=True)
class Cost:
    """Worst-case bits as a formula of :mod:`ccsim.formulas`, where ``L(k)`` is the bits that number k things.

    ``exact`` says whether the worst case reaches the formula on every size, or is only bounded by it.

    >>> cost = Cost("L(n) + 1", {"n": 5})
    >>> cost.bits, str(cost)
    (4, 'L(n) + 1')
    """

    formula: str
    parameters: Mapping[str, int]
    exact: bool = True

    @property
    def expression(self) -> Any:
        """The formula as a sympy expression, where L(k) is ceiling(log(k, 2))."""
        return symbolic(
            self.formula, {name: sympy.Symbol(name, positive=True, integer=True) for name in self.parameters}
        )

    @property
    def bits(self) -> int:
        """The formula's value."""
        value = exact_value(self.formula, self.parameters)
        if not isinstance(value, int):
            raise InputError("cost", self.formula, f"an integer, not {value}, at {dict(self.parameters)}")
        return value

    def __str__(self) -> str:
        return self.formula
