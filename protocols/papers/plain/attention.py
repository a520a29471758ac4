"""Transformers one number at a time, after appendices B.2 and D of Bhattamishra, Hahn, Blunsom and Kanade 2024.

A number is a whole number of steps of 1/s, between a lowest and a highest one. Every result is rounded down to a step
and kept within them; sums of exponentials, and of weights times values, are exact before they are rounded once. Nothing
of ccsim's arithmetic is used, only the weights of its models: whole numbers of Python, and Arb's intervals for exp.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from protocols.papers.plain.intervals import exponential_down

__all__ = ["Head", "PlainTransformer", "output_faults", "share_down"]

Row = tuple[int, ...]


def share_down(exponential: int, normaliser: int, scale: int) -> int:
    """The steps in exponential / normaliser, rounded down."""
    return exponential * scale // normaliser


@dataclass(frozen=True)
class Head:
    """What one head makes of one word, seen from one position: whole numbers of steps, sums in steps of 1/s^2.

    Attributes:
        logits: of each position that is seen.
        exponentials: of each logit less the largest.
        weights: each exponential's share of their sum.
        values: of each position, a number for each coordinate.
    """

    logits: Row
    exponentials: Row
    weights: Row
    values: tuple[Row, ...]

    def largest(self, places: Iterable[int]) -> int:
        """The largest logit among some places, counted from 0."""
        return max(self.logits[place] for place in places)

    def normaliser(self, places: Iterable[int]) -> int:
        """The sum of the exponentials at some places."""
        return sum(self.exponentials[place] for place in places)

    def sums(self, places: Sequence[int]) -> Row:
        """For each coordinate the sum of weight times value over some places."""
        width = len(self.values[0])
        return tuple(sum(self.weights[i] * self.values[i][j] for i in places) for j in range(width))


@dataclass(eq=False)
class PlainTransformer:
    """A model of :mod:`ccsim.models` without norms, of any number of layers, read out at the last position.

    Words are ranks of symbols. What depends on a row alone is worked out once for each row.
    """

    model: Any
    memory: dict[Any, Row] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        precision = self.model.precision
        self.scale, self.low, self.high = precision.scale, precision.low, precision.high
        self.tokens, self.places = self.model.token_embedding.tolist(), self.model.position_embedding.tolist()
        if any(block.norms.all for block in self.model.all_blocks):
            raise ValueError("norms are not written out here")

    def within(self, number: int) -> int:
        """The number, or the end of the range that it is beyond."""
        return int(min(max(number, self.low), self.high))

    def embedded(self, word: Sequence[int]) -> list[Row]:
        """The row of each position: symbol and position added up."""
        return [
            tuple(self.within(a + b) for a, b in zip(self.tokens[symbol], self.places[i], strict=True))
            for i, symbol in enumerate(word)
        ]

    def affine(self, part: Any, row: Row) -> Row:
        """A matrix, a division by s that is rounded down, a bias."""
        key = (id(part), row)
        if key not in self.memory:
            columns, bias = self._columns(part)
            products = [sum(a * b for a, b in zip(row, column, strict=True)) for column in columns]
            self.memory[key] = tuple(self.within(p // self.scale + b) for p, b in zip(products, bias, strict=True))
        return self.memory[key]

    def _columns(self, part: Any) -> tuple[Any, Any]:
        key = (id(part), "columns")
        if key not in self.memory:
            self.memory[key] = (part.weights.T.tolist(), part.bias.tolist())
        return self.memory[key]  # type: ignore[return-value]

    def head(self, unit: Any, asking: Row, rows: Sequence[Row]) -> Head:
        """One head for one query, over the rows that it sees."""
        query, factor = self.affine(unit.query, asking), unit.logit_scale
        products = [sum(a * b for a, b in zip(query, self.affine(unit.key, row), strict=True)) for row in rows]
        logits = [self.within(p * factor.numerator // (self.scale * factor.denominator)) for p in products]
        exponentials = [exponential_down(logit - max(logits), self.scale) for logit in logits]
        weights = [share_down(each, sum(exponentials), self.scale) for each in exponentials]
        values = tuple(self.affine(unit.value, row) for row in rows)
        return Head(tuple(logits), tuple(exponentials), tuple(weights), values)

    def heads(self, word: Sequence[int]) -> list[Head]:
        """The heads of the first layer, seen from the last position."""
        rows = self.embedded(word)
        return [self.head(unit, rows[-1], rows) for unit in self.model.all_blocks[0].attention.units]

    def finished(self, block: Any, row: Row, heads: Sequence[Head]) -> Row:
        """What a layer makes of one row and of what its heads found."""
        found = [self.within(total // self.scale) for head in heads for total in head.sums(range(len(head.logits)))]
        row = self.joined(block, row, self.affine(block.output, tuple(found)))
        inner = row
        for layer in block.tokenwise.layers if block.tokenwise else ():
            inner = self.affine(layer.affine, inner)
            if layer.activation == "relu":
                inner = tuple(max(number, 0) for number in inner)
            elif layer.activation != "identity":
                raise ValueError(f"{layer.activation} is not written out here")
        return self.joined(block, row, inner) if block.tokenwise else row

    def joined(self, block: Any, row: Row, part: Row) -> Row:
        """A part added to what it was made from, if the layer has a residual stream."""
        return tuple(self.within(a + b) for a, b in zip(row, part, strict=True)) if block.residual else part

    def outputs(self, word: Sequence[int]) -> Row:
        """The number for each answer; only the last position of the last layer is worked out."""
        rows = self.embedded(word)
        for depth, block in enumerate(self.model.all_blocks):
            last = depth + 1 == len(self.model.all_blocks)
            asking = range(len(rows) - 1, len(rows)) if last else range(len(rows))
            after = []
            for i in asking:
                seen = rows[: i + 1] if self.model.causal else rows
                heads = [self.head(unit, rows[i], seen) for unit in block.attention.units]
                after.append(self.finished(block, rows[i], heads))
            rows = after
        return self.affine(self.model.read_out, rows[-1])

    def answer(self, word: Sequence[int]) -> int:
        """The place of the first largest output."""
        outputs = self.outputs(word)
        return outputs.index(max(outputs))


def output_faults(model: Any, outputs: Mapping[tuple[int, ...], Row]) -> list[str]:
    """The first of some words on which a model puts out other numbers than a second computation."""
    found = np.asarray(model.outputs(np.array(list(outputs)))).tolist()
    wrong = [word for (word, row), own in zip(outputs.items(), found, strict=True) if list(row) != own]
    return [f"{model.name} is not worked out as appendix B.2 says, on {wrong[0]}"] if wrong else []
