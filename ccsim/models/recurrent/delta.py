"""The gated delta rule, of Gated DeltaNet (Yang, Kautz and Hatamizadeh 2024)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ccsim.arithmetic import Precision, exact_matmul, sum_of_products
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.affine import Affine
from ccsim.models.recurrent.draft import Draft
from ccsim.models.recurrent.layer import apply
from ccsim.models.recurrent.parts import KeysAndValuesLayer
from ccsim.models.recurrent.roots import normalised
from ccsim.models.recurrent.stack import RecurrentStack

__all__ = ["GatedDeltaLayer", "GatedDeltaNet"]


@dataclass(frozen=True, eq=False)
class GatedDeltaLayer(KeysAndValuesLayer):
    """S' = a S + b k (v - a S^T k)^T; puts out a map of S'^T q: what is kept under k fades, and is drawn towards v.

    q and k are maps of x, divided by their lengths, v is a map of x, b the sigmoid of one, and a = exp(c softplus(t))
    for a map t of x. Without fading (c = 0) it is the delta rule (Schlag, Irie and Schmidhuber 2021). Maps, functions,
    lengths and what is divided by them, c softplus(t), S^T k, a S^T k, b times the difference, and each entry of S' and
    of S'^T q are rounded down once; entries of S saturate. (One head; the short convolutions, the norm and the gate
    around the layer of the source are left out.)

    Carries the matrix S, row by row, a row for each number of k.

    Attributes:
        queries, keys: from x to q and k before they have length 1, of the same size.
        values: from x to v.
        strength: from x to what b is the sigmoid of, a single number.
        fading: from x to t, a single number.
        rate: c: a mantissa of at most 0, shape (1,).
        output: from S'^T q to what is put out.
        memory: the precision of S, with the steps of all other numbers.
    """

    queries: Affine
    keys: Affine
    values: Affine
    strength: Affine
    fading: Affine
    rate: Array
    output: Affine
    memory: Precision

    maps: ClassVar = {
        "queries": ("inputs", "keys"),
        "keys": ("inputs", "keys"),
        "values": ("inputs", "values"),
        "strength": ("inputs", "one"),
        "fading": ("inputs", "one"),
        "output": ("values", "outputs"),
    }
    arrays: ClassVar = {"rate": (1,)}
    falling: ClassVar = ("rate",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.strength.outputs != 1:
            raise InputError("strength", self.strength.outputs, "a map to a single number")

    @classmethod
    def random_arrays(cls, draft: Draft, keys: int) -> dict[str, Array]:
        """A rate from -1 to 0."""
        return {"rate": draft.mantissas("rate", (1,), -draft.precision.scale, 0)}

    def step(self, states: Array, inputs: Array) -> tuple[Array, Array]:
        """The new S, and the output map of S^T q."""
        precision, scale = self.precision, self.precision.scale
        sums, _ = self.matrix_of(states)
        query, key = (precision.saturate(normalised(part(inputs), scale)) for part in (self.queries, self.keys))
        strength = apply("sigmoid", precision, self.strength(inputs))
        times = apply("softplus", precision, self.fading(inputs))
        fade = np.minimum(apply("exp", precision, precision.round_down(sum_of_products((self.rate, times)))), scale)
        read = self.memory.round_down(exact_matmul(key[:, None, :], sums)[:, 0, :])
        faded = self.memory.round_down(sum_of_products((fade, read)))
        drawn = self.memory.round_down(sum_of_products((strength, self.values(inputs) - faded)))
        added = sum_of_products((fade[:, :, None], sums), (key[:, :, None], drawn[:, None, :]))
        after = self.memory.round_down(added)
        told = precision.round_down(exact_matmul(query[:, None, :], after)[:, 0, :])
        return after.reshape(len(states), -1), self.output(told)


class GatedDeltaNet(RecurrentStack):
    """The gated delta rule (Yang et al. 2024) of one or more layers, see :class:`GatedDeltaLayer`.

    >>> GatedDeltaNet.random("ab", width=3, key_width=2, precision=8, seed=0).state_bits  # S is 2 x 3
    48
    """

    layer_kind: ClassVar[Any] = GatedDeltaLayer
