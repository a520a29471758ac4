"""An attention layer whose last symbol is known to all, as one message: sums and normalisers of every head."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.engine import Cost, Protocol, one_way
from ccsim.engine.schedule import Field, Known, Schedule
from ccsim.errors import InputError
from ccsim.problems import TwoPartyFunction
from protocols.reductions.task_reductions import TaskReduction


@dataclass(frozen=True, eq=False)
class KnownQueryLayer:
    """What is left of one layer once its last symbol, and so each head's query, is fixed.

    Attributes:
        weights: exp of the logits in steps of some size: integers of at least 0, ``weights[head][place][symbol]``.
        values: integers of at least 0, ``values[head][place][symbol][coordinate]``.
        read: the answer, 0 or 1, from the mean values of all heads, one fraction for each coordinate of each head.
        precision: the bits of a number; whatever is sent must have no more.
    """

    weights: Sequence[Sequence[Any]]
    values: Sequence[Sequence[Any]]
    read: Callable[[tuple[Fraction, ...]], int]
    precision: int

    @property
    def heads(self) -> int:
        """How many heads there are."""
        return len(self.weights)

    @property
    def width(self) -> int:
        """How many coordinates the values of a head have."""
        return len(next(iter(self.values[0][0].values())))

    def sums(self, places: Sequence[int], symbols: Sequence[Any]) -> list[int]:
        """Over some places, counted from 0: for each head the weighted sum of each coordinate, and the normaliser."""
        numbers = []
        for weights, values in zip(self.weights, self.values, strict=True):
            own = [
                (weights[place][symbol], values[place][symbol]) for place, symbol in zip(places, symbols, strict=True)
            ]
            numbers += [sum(w * v[j] for w, v in own) for j in range(self.width)]
            numbers.append(sum(w for w, _ in own))
        return numbers

    def finish(self, sums: Sequence[int]) -> int:
        """The answer from the sums over all places; a mean over no weight at all is 0."""
        step = self.width + 1
        parts = [sums[head * step : (head + 1) * step] for head in range(self.heads)]
        return self.read(tuple(Fraction(total, part[-1] or 1) for part in parts for total in part[:-1]))


def known_query(layer: KnownQueryLayer, reduction: TaskReduction) -> Protocol:
    """One message of H (m + 1) p bits: Alice's part of every sum and normaliser; Bob adds his own and answers.

    The words are those that a reduction writes, the last symbol being the same in all. The function is what the layer
    itself answers on the whole word (Sanford, Hsu and Telgarsky 2024).

    Raises :class:`~ccsim.errors.InputError` if Alice's sums do not fit in the layer's precision, as the cost assumes.
    """
    owners = reduction.partition.owners
    places = [[place for place, owner in enumerate(owners) if owner == party] for party in "AB"]
    alice = np.array([layer.sums(places[0], tuple(reduction.alice(x))) for x in reduction.source.alice])
    bob = np.array([layer.sums(places[1], tuple(reduction.bob(y))) for y in reduction.source.bob])
    if int(alice.max()) >= 1 << layer.precision:
        raise InputError("layer", int(alice.max()), f"sums of {layer.precision} bits")
    last = {reduction.word(x, y)[-1] for x in reduction.source.alice for y in reduction.source.bob}
    if len(last) > 1:
        raise InputError("reduction", reduction.name, "one that writes the same last symbol always")

    def evaluate(x: Array, y: Array) -> Array:
        own, other = np.broadcast_arrays(reduction.source.alice.places(x), reduction.source.bob.places(y))
        pairs = zip(own.ravel(), other.ravel(), strict=True)
        return np.array([_whole(layer, reduction, int(a), int(b)) for a, b in pairs]).reshape(own.shape)

    def sums(rows: Any, known: Known) -> Array:
        return np.asarray(alice[reduction.source.alice.places(rows)])

    def answer(rows: Any, known: Known) -> Array:
        totals = known["sums"].reshape(len(rows), -1) + bob[reduction.source.bob.places(rows)]
        return np.array([layer.finish(total) for total in totals.tolist()], dtype=np.int64)

    count, name = alice.shape[1], f"layer of {layer.heads} heads of width {layer.width}"
    said = Field("alice", "sums", "sums and normalisers of all heads", (1 << layer.precision,) * count, sums)
    inputs = reduction.source.inputs
    return Protocol(
        f"one message for a {name}",
        TwoPartyFunction(name, inputs, (0, 1), evaluate),
        Schedule((said,), {"bob": answer}).parties(),
        model=one_way(),
        answer="bob",
        cost=Cost("H*(m + 1)*p", {"H": layer.heads, "m": layer.width, "p": layer.precision}),
        source="Sanford, Hsu and Telgarsky 2024, lower bound",
    )


def _whole(layer: KnownQueryLayer, reduction: TaskReduction, x: int, y: int) -> int:
    """The layer's answer on the whole word of two inputs."""
    word = reduction.word(reduction.source.alice.value(x), reduction.source.bob.value(y))
    return layer.finish(layer.sums(range(len(word)), tuple(word)))
