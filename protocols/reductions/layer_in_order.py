"""One attention layer that adds up in registers of its own precision, position after position."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import IntArray, elementary, floor_divide
from ccsim.arrays import Array
from ccsim.models import OneLayerTransformer, SequenceModel
from ccsim.models.model import require_words
from protocols.reductions.softmax_pass import require_layer

MARK = "?"
"""The last token of a prompt, which everybody knows."""


@dataclass(frozen=True, eq=False)
class LayerInOrder(SequenceModel):
    """The weights of a layer, with its sums in registers of its own precision.

    With the logits A_i and values v_i of the layer, every number a mantissa of p bits over its scale s::

        e_i = s * exp(A_i / s), rounded down and saturated          no maximum is taken off
        a   = a + e_i v_i / s, z = z + e_i                          from i = 1 on; rounded down and saturated each time
        head = s * a / z, rounded down and saturated                0 where z is 0

    and then whatever the layer does with its heads.

    Attributes:
        layer: where the weights are from; at most 30 bits of precision.

    >>> model = LayerInOrder.random(2, width=2, precision=6, seed=1)
    >>> model((0, 1, 1, 0, 1, MARK)), model.length, model.registers
    (0, 6, 3)
    """

    layer: OneLayerTransformer
    name: str = field(init=False)
    alphabet: tuple[Hashable, ...] = field(init=False)
    answers: tuple[Hashable, ...] = field(init=False)
    length: int = field(init=False)

    def __post_init__(self) -> None:
        require_layer("layer", self.layer)
        object.__setattr__(self, "name", f"{self.layer.name}, summed in order")
        for same in ("alphabet", "answers", "length"):
            object.__setattr__(self, same, getattr(self.layer, same))

    @classmethod
    def random(cls, n: int, *, more: int = 0, **sizes: Any) -> LayerInOrder:
        """Weights drawn from a seed, for words of 2n + 2 + ``more`` tokens from 0, ..., n - 1 and the mark.

        ``sizes`` are width (of a head), precision, seed, and heads, as in :meth:`OneLayerTransformer.random`.
        """
        n = require_integer("n", n, low=1)
        symbols, width = (*range(n), MARK), sizes.pop("width")
        options = {"width": width, "head_width": width, "answers": range(n), **sizes}
        return cls(OneLayerTransformer.random(symbols, length=2 * n + 2 + more, **options))

    @property
    def heads(self) -> int:
        """How many heads there are."""
        return self.layer.heads

    @property
    def registers(self) -> int:
        """How many numbers all heads keep: H (d + 1)."""
        return self.heads * (self.layer.head_width + 1)

    @cached_property
    def exponential_table(self) -> IntArray:
        """The exponential of each logit: (heads, last symbols, positions, symbols)."""
        precision = self.layer.precision
        return np.asarray(elementary("exp", precision, precision)(self.layer.logit_table))

    def empty(self, count: int) -> IntArray:
        """The registers before the first position: (questions, heads, d + 1), the normaliser last."""
        return np.zeros((count, self.heads, self.layer.head_width + 1), dtype=np.int64)

    def read(self, registers: IntArray, positions: Sequence[int], symbols: IntArray, last: IntArray) -> IntArray:
        """The registers after some positions, counted from 0.

        ``symbols`` are the ranks there (questions, positions), and ``last`` the rank of the last token (questions,).
        """
        precision = self.layer.precision
        for column, position in enumerate(positions):
            here = symbols[:, column]
            shares = self.exponential_table[:, last, position, here].T[:, :, None]
            values = np.moveaxis(self.layer.value_table[:, position, here], 0, 1)
            terms = np.concatenate([floor_divide(shares * values, precision.scale), shares], axis=2)
            registers = precision.saturate(registers + terms)
        return registers

    def quotients(self, registers: IntArray) -> IntArray:
        """What the heads give (questions, heads, d), from the registers at the end."""
        scale, sums = self.layer.precision.scale, registers[:, :, -1:]
        quotients = np.where(sums > 0, floor_divide(registers[:, :, :-1] * scale, np.maximum(sums, 1)), 0)
        return self.layer.precision.saturate(quotients)

    def finish(self, registers: IntArray, last: IntArray) -> IntArray:
        """The answer codes from the registers at the end."""
        return self.layer.finish(last, self.quotients(registers) * self.layer.precision.scale)

    def codes(self, words: Array) -> Array:
        """The answer codes on words of ranks."""
        words = require_words(words, len(self.alphabet), self.length)
        rows = words.reshape(-1, self.length).astype(np.int64)
        last = rows[:, -1]
        registers = self.read(self.empty(len(rows)), range(self.length), rows, last)
        return self.finish(registers, last).reshape(words.shape[:-1])
