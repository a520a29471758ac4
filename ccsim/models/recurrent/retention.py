"""Retentive networks, of Sun et al. 2023, in their recurrent form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ccsim.arithmetic import Precision, exact_matmul, sum_of_products
from ccsim.arrays import Array
from ccsim.models.affine import Affine
from ccsim.models.recurrent.draft import Draft
from ccsim.models.recurrent.layer import apply
from ccsim.models.recurrent.parts import KeysAndValuesLayer
from ccsim.models.recurrent.stack import RecurrentStack

__all__ = ["RetNet", "RetentionLayer"]


@dataclass(frozen=True, eq=False)
class RetentionLayer(KeysAndValuesLayer):
    """S' = g S + k v^T with a decay g for each row; puts out the output map of silu(gate) times S'^T q.

    Carries the matrix S, row by row. The maps of x are rounded down once, g S + k v^T once, S'^T q once, silu and the
    product with it once each. (The rotation of queries and keys by their position and the group norm of the paper are
    left out: neither changes what is carried.)

    Attributes:
        queries, keys: from x to q and k, of the same size.
        values, gate: from x to v and to the argument of silu, of the same size.
        output: from the gated numbers to what is put out.
        decay: mantissas from 0 to 1, one for each number of k.
        memory: the precision of S, with the steps of all other numbers.
    """

    queries: Affine
    keys: Affine
    values: Affine
    gate: Affine
    output: Affine
    decay: Array
    memory: Precision

    maps: ClassVar = {
        "queries": ("inputs", "keys"),
        "keys": ("inputs", "keys"),
        "values": ("inputs", "values"),
        "gate": ("inputs", "values"),
        "output": ("values", "outputs"),
    }
    arrays: ClassVar = {"decay": ("keys",)}
    fractions: ClassVar = ("decay",)

    @classmethod
    def random_arrays(cls, draft: Draft, keys: int) -> dict[str, Array]:
        """Decays from 1/2 to 1."""
        high = min(draft.precision.scale, draft.precision.high)
        return {"decay": draft.mantissas("decay", (keys,), high // 2, high)}

    def step(self, states: Array, inputs: Array) -> tuple[Array, Array]:
        """The new S, and the output map of the gated retention."""
        sums, _ = self.matrix_of(states)
        keys, values = self.keys(inputs)[:, :, None], self.values(inputs)[:, None, :]
        sums = self.memory.round_down(sum_of_products((sums, self.decay[:, None]), (keys, values)))
        read = self.precision.round_down(exact_matmul(self.queries(inputs)[:, None, :], sums)[:, 0, :])
        gate = apply("silu", self.precision, self.gate(inputs))
        gated = self.precision.round_down(sum_of_products((gate, read)))
        return sums.reshape(len(states), -1), self.output(gated)


class RetNet(RecurrentStack):
    """A retentive network (Sun et al. 2023) of one or more layers, see :class:`RetentionLayer`.

    >>> RetNet.random("ab", width=2, precision=8, seed=0).state_bits
    32
    """

    layer_kind: ClassVar[Any] = RetentionLayer
