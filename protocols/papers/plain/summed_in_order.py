"""A layer that adds up in registers of its own precision, one position after the other, number by number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protocols.papers.plain.attention import PlainTransformer, Row
from protocols.papers.plain.intervals import exponential_down

__all__ = ["InOrder", "exponential_within"]


class InOrder(PlainTransformer):
    """Its heads are quotients of two registers; all else is that of the layer."""

    def registers(self, unit: Any, asking: Row, rows: Sequence[Row]) -> Row:
        """One head: numerators and the normaliser, added up from the first position on."""
        query = self.affine(unit.query, asking)
        found = [0] * (len(self.affine(unit.value, rows[0])) + 1)
        for row in rows:
            dot = sum(a * b for a, b in zip(query, self.affine(unit.key, row), strict=True))
            share = exponential_within(self.within(dot // self.scale), self.scale, self.high)
            terms = [share * v // self.scale for v in self.affine(unit.value, row)]
            found = [self.within(a + b) for a, b in zip(found, [*terms, share], strict=True)]
        return tuple(found)

    def quotient(self, registers: Row) -> Row:
        """What a head gives in the end."""
        *numerators, normaliser = registers
        return tuple(self.within(a * self.scale // normaliser) if normaliser else 0 for a in numerators)

    def computed(self, word: Sequence[int]) -> tuple[list[Row], list[Row], int]:
        """The registers of each head, its quotients, and the code of the answer."""
        block, rows = self.model.block, self.embedded(word)
        registers = [self.registers(unit, rows[-1], rows) for unit in block.attention.units]
        heads = [self.quotient(each) for each in registers]
        row = self.joined(
            block, rows[-1], self.affine(block.output, tuple(number for head in heads for number in head))
        )
        inner = row
        for layer in block.tokenwise.layers:
            inner = self.affine(layer.affine, inner)
            inner = tuple(max(number, 0) for number in inner) if layer.activation == "relu" else inner
        outputs = self.affine(self.model.read_out, self.joined(block, row, inner))
        return registers, heads, outputs.index(max(outputs))


def exponential_within(logit: int, scale: int, high: int) -> int:
    """The steps in exp(logit / scale), rounded down, and no more than the highest number."""
    if logit >= scale * high.bit_length():  # e^b is above 2^b
        return high
    return min(exponential_down(logit, scale), high)
