"""Parameters of claims for people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .data import Data, Value, digest


def told_parameters(parameters: Data, labels: list[Any]) -> Iterator[tuple[str, Any]]:
    """Parameters with the label itself instead of its code, and with the hash of weights."""
    for name, value in parameters.items():
        if name in ("code", "label"):
            yield "label", None if value is None else labels[value]
        else:
            short = name in ("values", "parties", "prior") and len(value) <= 16
            text = f"sha256 {digest(value)}" if isinstance(value, list) else value
            yield name, ", ".join(map(str, value)) if short else text


def with_unit(amount: Any, unit: str) -> str:
    """An amount, which a sign may stand before, with its unit, in the singular if it is one: ">= 1 bit", "2 bits"."""
    thing, space, rest = unit.partition(" ")
    if re.fullmatch(r"\W*1", str(amount)):
        thing, rest = "leaf" if thing == "leaves" else thing.removesuffix("s"), rest.replace("that are", "that is")
    return f"{amount} {thing}{space}{rest}".rstrip()


def plain_value(value: Value) -> int | str:
    """A bound as plain data: an integer, or a rational as text."""
    return value if isinstance(value, int) else f"{value.numerator}/{value.denominator}"


UNSAID = (("rounds", None), ("first", None), ("smooth", False))


def words(name: str, value: Any) -> str:
    """A parameter for people."""
    if name == "answer":
        return "both know" if value == "both" else f"{value} knows"
    if name == "label":
        text = "every label" if value is None else f"label {value!a}"
        return text if len(text) <= 80 else f"{text[:77]}..."
    return f"{name} {value[:19]}" if name == "weights" else f"{name} {value}"
