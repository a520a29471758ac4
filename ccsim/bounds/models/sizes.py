"""A size of a kind of model, and what the protocol that it becomes costs at every length."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import SupportsIndex

from ccsim.arguments import require_integer
from ccsim.arithmetic import Precision
from ccsim.bounds.models.protocol_bits import hypotheses, recurrent_bits, softmax_bits
from ccsim.errors import InputError

FARTHEST = 1 << 80  # lengths and sizes beyond are not looked at
MOST_PRECISION = 1 << 12
KINDS = ("recurrent", "transformer")


@dataclass(frozen=True)
class Size:
    """One size of a kind of model, and what its protocol costs at every length."""

    kind: str
    width: int
    bits: int
    scale: int | None
    heads: int
    own_width: int
    window: int | None
    symbols: Callable[[int], int]
    halves: bool = False

    def cost(self, numbers: int, length: int) -> int:
        """The bits of the protocol, at most, if heads, or states, had so many numbers.

        Parties with every other position, or with halves of all that is seen, hold as many seen positions each, up to
        one. Of halves, a window shows more of the second. Its four fields have no more possible values in all then, but
        are rounded up otherwise, which costs at most a bit for the maxima and one for the sums.
        """
        if self.kind == "recurrent":
            return recurrent_bits(numbers, self.bits)
        sizes = {"head_width": numbers, "heads": self.heads, "precision": self.bits, "symbols": self.symbols(length)}
        rounding = 2 if self.halves and self.window is not None and length > self.window else 0
        return softmax_bits(**sizes, length=length, scale=self.scale, window=self.window) + rounding

    def own_cost(self, length: int) -> int:
        """The bits of its own protocol."""
        return self.cost(self.own_width, length)

    @property
    def hypotheses(self) -> str:
        """What is assumed of models of the kind."""
        return hypotheses(self.kind, self.scale)

    def told(self) -> dict[str, int]:
        """The size by name, as far as the kind has it."""
        told = {"width": self.width, "precision": self.bits}
        if self.kind == "transformer":
            told |= {"heads": self.heads, "head_width": self.own_width}
        return told if self.window is None else told | {"window": self.window}


def read_size(
    kind: str,
    width: int,
    precision: int | Precision,
    heads: int,
    head_width: int | None,
    window: int | None,
    symbols: Callable[[int], int],
    *,
    halves: bool,
) -> Size:
    """The size that is asked about, for parties with halves or with every other position; an error names no size."""
    if kind not in KINDS:
        raise InputError("kind", kind, f"one of {KINDS}")
    if kind != "transformer":
        for name, value in (("heads", None if heads == 1 else heads), ("head_width", head_width), ("window", window)):
            if value is not None:
                raise InputError(name, value, "none, as only transformers have it")
    width = require_integer("width", width, low=1, high=FARTHEST)
    own_width = width if head_width is None else require_integer("head_width", head_width, low=1, high=FARTHEST)
    heads = require_integer("heads", heads, low=1, high=FARTHEST)
    window = None if window is None else require_integer("window", window, low=1, high=FARTHEST)
    return Size(kind, width, *_precision(precision), heads, own_width, window, symbols, halves)


def _precision(precision: int | Precision) -> tuple[int, int | None]:
    if isinstance(precision, Precision):
        if precision.bits < 1:
            raise InputError("precision", str(precision), "a format of at least one bit")
        return precision.bits, precision.scale
    if isinstance(precision, bool) or not isinstance(precision, SupportsIndex):
        raise InputError("precision", precision, "a number of bits of at least 3, or a Precision")
    return require_integer("precision", precision, low=3, high=MOST_PRECISION), None
