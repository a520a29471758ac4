"""What a protocol is said to cost: a formula in named parameters, in bits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import lazy_loader as lazy

from ccsim.errors import InputError

sympy = lazy.load("sympy")

__all__ = ["Cost"]


@dataclass(frozen=True)
class Cost:
    """Worst-case bits as a formula in sympy's syntax, with ``L(k)`` for the bits that number k things.

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
        names: dict[str, Any] = {name: sympy.Symbol(name, positive=True, integer=True) for name in self.parameters}
        names["L"] = lambda k: sympy.ceiling(sympy.log(k, 2))
        return sympy.sympify(self.formula, locals=names)

    @property
    def bits(self) -> int:
        """The formula's value."""
        values = {sympy.Symbol(name, positive=True, integer=True): v for name, v in self.parameters.items()}
        value = self.expression.subs(values)
        if not value.is_Integer:
            raise InputError("cost", self.formula, f"an integer, not {value}, at {dict(self.parameters)}")
        return int(value)

    def __str__(self) -> str:
        return self.formula
