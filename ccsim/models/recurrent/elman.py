"""The simple recurrent network of Elman 1990."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ccsim.arithmetic import Precision, as_precision
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.affine import Affine
from ccsim.models.recurrent.layer import Draft, HiddenStateLayer, apply, join_affine, require_same
from ccsim.models.recurrent.stack import RecurrentStack


@dataclass(frozen=True, eq=False)
class ElmanLayer(HiddenStateLayer):
    """h' = f(W x + U h + b): carries h, which is also what it puts out.

    Rounded down once before f and once by it.

    Attributes:
        affine: from (x, h) to the argument of f.
        activation: f, one of :data:`ccsim.arithmetic.FUNCTIONS`.
    """

    affine: Affine
    activation: str = "tanh"

    maps: ClassVar = {"affine": ("x and h", "outputs")}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.affine.inputs <= self.affine.outputs:
            raise InputError("affine", self.affine.weights.shape, "a map from (x, h) to as many numbers as h has")
        apply(self.activation, self.precision, np.zeros(1, dtype=np.int64))

    @classmethod
    def from_arrays(
        cls,
        precision: int | Precision,
        weight_ih: Any,
        weight_hh: Any,
        bias_ih: Any = None,
        bias_hh: Any = None,
        activation: str = "tanh",
    ) -> ElmanLayer:
        """From real numbers as in PyTorch's RNN: weights (width, inputs) and (width, width), biases (width,)."""
        parts = {"weight_ih": weight_ih, "weight_hh": weight_hh}
        layer = cls(join_affine(as_precision(precision), parts, {"bias_ih": bias_ih, "bias_hh": bias_hh}), activation)
        require_same("weight_hh", np.shape(weight_hh)[1], layer.outputs, "columns, as many as rows")
        return layer

    @classmethod
    def random(cls, draft: Draft, activation: str = "tanh") -> ElmanLayer:
        """Random weights."""
        return cls(draft.affine("", draft.inputs + draft.width, draft.width), activation)

    @property
    def inputs(self) -> int:
        """How many numbers x has."""
        return self.affine.inputs - self.affine.outputs

    def step(self, states: Array, inputs: Array) -> tuple[Array, Array]:
        """The new h, twice."""
        hidden = apply(self.activation, self.precision, self.affine(np.concatenate([inputs, states], axis=1)))
        return hidden, hidden


class Elman(RecurrentStack):
    """A simple recurrent network (Elman 1990) of one or more layers, see :class:`ElmanLayer`.

    >>> model = Elman.random("ab", width=2, precision=8, seed=0)
    >>> model.state_bits, model("abba") in model.answers
    (16, True)
    """

    layer_kind: ClassVar[Any] = ElmanLayer
