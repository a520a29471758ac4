"""Gated recurrent units, of Cho et al. 2014."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ccsim.arithmetic import Precision, as_precision, sum_of_products, weighted_mean
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.affine import Affine
from ccsim.models.recurrent.layer import Draft, HiddenStateLayer, apply, join_affine
from ccsim.models.recurrent.stack import RecurrentStack


@dataclass(frozen=True, eq=False)
class GRULayer(HiddenStateLayer):
    """Carries and puts out h' = (1 - z) n + z h, by PyTorch's formulas.

    With (r, z, n) parts a = W x + b and d = U h + e, each rounded down once: r = sigmoid(a_r + d_r),
    z = sigmoid(a_z + d_z), n = tanh((a_n + r d_n) rounded down once), and h' is rounded down once.

    Attributes:
        input_gates: from x to a, in PyTorch's order r, z, n.
        hidden_gates: from h to d, in the same order.
    """

    input_gates: Affine
    hidden_gates: Affine

    maps: ClassVar = {"input_gates": ("inputs", "gates"), "hidden_gates": ("outputs", "gates")}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.hidden_gates.outputs != 3 * self.outputs:
            expected = "a map from h to three times as many numbers"
            raise InputError("hidden_gates", self.hidden_gates.weights.shape, expected)

    @classmethod
    def from_arrays(
        cls,
        precision: int | Precision,
        weight_ih: Any,
        weight_hh: Any,
        bias_ih: Any = None,
        bias_hh: Any = None,
    ) -> GRULayer:
        """From real numbers as in PyTorch's GRU, gates in the order r, z, n.

        Weights have the shapes (3 width, inputs) and (3 width, width), biases (3 width,).
        """
        numbers = as_precision(precision)
        return cls(
            join_affine(numbers, {"weight_ih": weight_ih}, {"bias_ih": bias_ih}),
            join_affine(numbers, {"weight_hh": weight_hh}, {"bias_hh": bias_hh}),
        )

    @classmethod
    def random(cls, draft: Draft) -> GRULayer:
        """Random weights."""
        return cls(
            draft.affine("input", draft.inputs, 3 * draft.width),
            draft.affine("hidden", draft.width, 3 * draft.width),
        )

    def step(self, states: Array, inputs: Array) -> tuple[Array, Array]:
        """The new h, twice."""
        scale, saturate = self.precision.scale, self.precision.saturate
        a_r, a_z, a_n = np.split(self.input_gates(inputs), 3, axis=1)
        d_r, d_z, d_n = np.split(self.hidden_gates(states), 3, axis=1)
        r = apply("sigmoid", self.precision, saturate(a_r + d_r))
        z = apply("sigmoid", self.precision, saturate(a_z + d_z))
        n = apply("tanh", self.precision, self.precision.round_down(sum_of_products((a_n, scale), (r, d_n))))
        hidden = self.precision.round_down(weighted_mean(scale, z, n, states))
        return hidden, hidden


class GRU(RecurrentStack):
    """Gated recurrent units (Cho et al. 2014) of one or more layers, see :class:`GRULayer`.

    >>> GRU.random("ab", width=2, precision=8, seed=0).state_bits
    16
    """

    layer_kind: ClassVar[Any] = GRULayer
