"""Linear attention, of Katharopoulos, Vyas, Pappas and Fleuret 2020: a recurrent model by another name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from ccsim.arithmetic import Precision, exact_matmul, floor_divide, sum_of_products
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.affine import Affine
from ccsim.models.recurrent.layer import Draft, KeysAndValuesLayer, apply
from ccsim.models.recurrent.stack import RecurrentStack


@dataclass(frozen=True, eq=False)
class LinearAttentionLayer(KeysAndValuesLayer):
    """S' = S + f(k) v^T and z' = z + f(k); puts out the output map of S'^T f(q) / (z'^T f(q)), or 0 if that is 0 / 0.

    Carries the matrix S, row by row, and the vector z. The queries, keys and values of x are rounded down once, f
    once, each term f(k) v^T once, the quotient of exact sums once. Sums of S and z saturate.

    Attributes:
        queries, keys: from x to q and k, of the same size.
        values: from x to v.
        output: from the quotient to what is put out.
        memory: the precision of S and z, with the steps of all other numbers.
        feature: f, one of :data:`ccsim.arithmetic.FUNCTIONS` that is never negative.
    """

    queries: Affine
    keys: Affine
    values: Affine
    output: Affine
    memory: Precision
    feature: str = "elu_plus_one"

    divides: ClassVar = True
    maps: ClassVar = {
        "queries": ("inputs", "keys"),
        "keys": ("inputs", "keys"),
        "values": ("inputs", "values"),
        "output": ("values", "outputs"),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        ends = np.array([self.precision.low, -1, 0, self.precision.high], dtype=np.int64)
        if int(apply(self.feature, self.precision, np.maximum(ends, self.precision.low)).min()) < 0:
            raise InputError("feature", self.feature, "a function that is never negative")

    @classmethod
    def random(
        cls,
        draft: Draft,
        key_width: int | None = None,
        memory: int | Precision | None = None,
        feature: str = "elu_plus_one",
    ) -> Self:
        """Random weights; queries and keys have ``key_width`` numbers, values and outputs ``width``."""
        return replace(super().random(draft, key_width, memory), feature=feature)

    def step(self, states: Array, inputs: Array) -> tuple[Array, Array]:
        """The new (S, z), and the output map of the quotient."""
        scale = self.precision.scale
        key = apply(self.feature, self.precision, self.keys(inputs))
        query = apply(self.feature, self.precision, self.queries(inputs))
        sums, total = self.matrix_of(states)
        added = sum_of_products((sums, scale), (key[:, :, None], self.values(inputs)[:, None, :]))
        sums = self.memory.round_down(added)
        total = self.memory.saturate(total + key)
        above = exact_matmul(query[:, None, :], sums)[:, 0, :]
        below = exact_matmul(query[:, None, :], total[:, :, None])[:, 0, :]
        quotient = floor_divide(
            sum_of_products((above, scale)), np.where(below, below, 1)
        )  # below = 0 only if above = 0
        after = np.concatenate([sums.reshape(len(states), -1), total], axis=1)
        return after, self.output(self.precision.saturate(quotient))


class LinearAttention(RecurrentStack):
    """Linear attention (Katharopoulos et al. 2020) of one or more layers, see :class:`LinearAttentionLayer`.

    >>> LinearAttention.random("ab", width=2, precision=8, seed=0).state_bits  # S is 2 x 2, z has 2 numbers
    48
    """

    layer_kind: ClassVar[Any] = LinearAttentionLayer
