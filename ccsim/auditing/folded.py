"""One-layer transformers on all words, by decision diagrams of every number between the heads and the answer.

Given the last symbol, the largest logits and the sums of exponentials, every coordinate of a head is a sum of one entry
for each position. Where these sums are all different for different words, as in models that write each symbol into a
coordinate of its own, no two words may be merged; but of most of that the later layers make no use. So each number of
each layer gets a diagram of its own, made from those before it, and the one of the answer tells what must be kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ccsim.arithmetic import floor_divide, sum_of_products
from ccsim.arrays import Array
from ccsim.auditing.budget import Budget, OutOfBudgetError
from ccsim.auditing.diagrams import Diagram, combined, joint, sum_of_entries
from ccsim.models.affine import Affine
from ccsim.models.tokenwise import Gated, Tokenwise
from ccsim.models.transformer import LayerNorm, OneLayerTransformer, RMSNorm
from ccsim.models.transformer.base import first_largest

WORD_BOUND = 1 << 62


def answer_diagram(model: OneLayerTransformer, last: Array, heads: list[Diagram], budget: Budget) -> Diagram:
    """The answer codes of a model, for words whose last symbol is told by the start.

    Args:
        model: the transformer.
        last: for each start the rank of the last symbol.
        heads: for each head, and each number of it, the exact sum of weights times values over all positions.
        budget: how many nodes there may be at one position.

    Raises :class:`~ccsim.auditing.budget.OutOfBudgetError` if there are more, and for parts of a model that are
    functions of which nothing is known.
    """
    finish, block, embedded = _Finish(model, budget), model.block, np.asarray(model.embedding_table[-1], np.int64)[last]
    rounded, norms = [head.apply(model.precision.round_down) for head in heads], block.norms
    stream = [_of_starts(heads[0], column) for column in embedded.T]
    stream = finish.norm(norms.after_attention, finish.joined(stream, finish.affine(block.output, rounded)))
    if block.tokenwise is not None:
        inner = finish.tokenwise(block.tokenwise, finish.norm(norms.before_tokenwise, stream))
        stream = finish.joined(stream, inner)
    stream = finish.norm(norms.last, finish.norm(norms.after_tokenwise, stream))
    return joint(finish.affine(model.read_out, stream), budget).apply(lambda rows: first_largest(rows)[:, None])


def _of_starts(like: Diagram, values: Array) -> Diagram:
    """A number that the start alone tells."""
    shapes = [np.zeros((len(values), lead.shape[1]), dtype=np.int64) for lead in like.leads]
    return sum_of_entries(values, shapes, Budget(states=max(1, len(values))))


@dataclass(frozen=True, eq=False)
class _Finish:
    """The steps of a block after its heads, on one diagram for each coordinate."""

    model: OneLayerTransformer
    budget: Budget

    def affine(
        self, map_: Affine, numbers: list[Diagram], activate: Callable[[Array], Array] | None = None
    ) -> list[Diagram]:
        """Each output from the inputs that have a weight; equal columns once."""
        if map_.bound >= WORD_BOUND:
            raise OutOfBudgetError("numbers beyond 62 bits")
        known: dict[bytes, Diagram] = {}
        outputs = []
        for column, bias in zip(map_.weights.T.astype(np.int64), map_.bias.tolist(), strict=True):
            key = column.tobytes() + bias.to_bytes(8, "little", signed=True)
            if key not in known:
                known[key] = self._output(column, bias, numbers, activate)
            outputs.append(known[key])
        return outputs

    def _output(
        self, column: Array, bias: int, numbers: list[Diagram], activate: Callable[[Array], Array] | None
    ) -> Diagram:
        precision = self.model.precision
        weighted = [(int(column[place]), numbers[place]) for place in np.flatnonzero(column)]
        result = numbers[0].apply(lambda values: 0 * values)
        for weight, part in sorted(weighted, key=lambda pair: not pair[1].is_constant):
            result = combined(result, part, lambda x, y, weight=weight: x + weight * y, self.budget)  # type: ignore[misc]

        def rounded(sums: Array) -> Array:
            numbers = precision.saturate(floor_divide(sums, precision.scale) + bias)
            return numbers if activate is None else activate(numbers)

        return result.apply(rounded)

    def joined(self, stream: list[Diagram], parts: list[Diagram]) -> list[Diagram]:
        """What a block does with residuals."""
        if not self.model.block.residual:
            return parts
        saturate = self.model.precision.saturate
        return [
            combined(one, two, lambda x, y: saturate(x + y), self.budget)
            for one, two in zip(stream, parts, strict=True)
        ]

    def norm(self, norm: LayerNorm | RMSNorm | None, stream: list[Diagram]) -> list[Diagram]:
        """A norm looks at all coordinates together."""
        if norm is None:
            return stream
        rows = joint(stream, self.budget).apply(norm)
        return [rows.column(unit) for unit in range(len(stream))]

    def tokenwise(self, part: Tokenwise, stream: list[Diagram]) -> list[Diagram]:
        """Its layers; a function of which nothing is known looks at all coordinates together."""
        if part.function is not None:
            rows = joint(stream, self.budget).apply(part)
            return [rows.column(unit) for unit in range(len(stream))]
        for layer in part.layers:
            if isinstance(layer, Gated):
                stream = self.gated(layer, stream)
            elif not isinstance(layer.activation, str):
                rows = joint(self.affine(layer.affine, stream), self.budget).apply(layer.activate)
                stream = [rows.column(unit) for unit in range(layer.affine.outputs)]
            else:
                stream = self.affine(layer.affine, stream, layer.activate)
        return stream

    def gated(self, layer: Gated, stream: list[Diagram]) -> list[Diagram]:
        """Each gate with what it lets through."""
        gates = self.affine(layer.gate.affine, stream, layer.gate.activate)
        round_down = self.model.precision.round_down
        return [
            combined(one, two, lambda x, y: round_down(sum_of_products((x, y))), self.budget)
            for one, two in zip(gates, self.affine(layer.up, stream), strict=True)
        ]
