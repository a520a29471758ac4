"""A layer before its weights are drawn: sizes, precision, and the seed."""

from __future__ import annotations

from dataclasses import dataclass

from ccsim.arithmetic import IntArray, Precision
from ccsim.models.affine import Affine
from ccsim.models.random_weights import random_mantissas, random_matrix


@dataclass(frozen=True)
class Draft:
    """What the random weights of every kind of layer are drawn from, the same on every machine.

    Attributes:
        inputs: how many numbers come in.
        width: how many numbers the layer has, in the sense of its kind.
        precision: of the weights.
        seed: an integer or a text.
        name: of the layer among those drawn from the same seed.

    >>> Draft(2, 3, Precision.of(8), 0, "layer").mantissas("rate", (3,), -9, 0).tolist()
    [-1, -3, 0]
    """

    inputs: int
    width: int
    precision: Precision
    seed: int | str
    name: str

    def mantissas(self, part: str, shape: tuple[int, ...], low: int, high: int) -> IntArray:
        """Integers from ``low`` to ``high``, as far as the precision has them."""
        low, high = max(low, self.precision.low), min(high, self.precision.high)
        return random_mantissas(shape, low, high, self.seed, self._about(part))

    def matrix(self, part: str, shape: tuple[int, ...], fan_in: int) -> IntArray:
        """Numbers of variance about 1 / ``fan_in``."""
        return random_matrix(self.precision, shape, fan_in, self.seed, self._about(part))

    def affine(self, part: str, inputs: int, outputs: int) -> Affine:
        """Weights and biases of variance about 1 / ``inputs``; an empty part is all of the layer."""
        about = self._about(part)
        weights = random_matrix(self.precision, (inputs, outputs), inputs, self.seed, f"{about}/weights")
        bias = random_matrix(self.precision, (outputs,), inputs, self.seed, f"{about}/bias")
        return Affine(self.precision, weights, bias)

    def _about(self, part: str) -> str:
        return f"{self.name}/{part}" if part else self.name
