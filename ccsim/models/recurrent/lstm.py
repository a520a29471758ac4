"""Long short-term memory, of Hochreiter and Schmidhuber 1997."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ccsim.arithmetic import Precision, as_precision, sum_of_products
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.affine import Affine
from ccsim.models.recurrent.layer import Draft, HiddenStateLayer, apply, join_affine, memory_of, require_same
from ccsim.models.recurrent.stack import RecurrentStack


@dataclass(frozen=True, eq=False)
class LSTMLayer(HiddenStateLayer):
    """Gates i, f, o by sigmoid and g by tanh of W x + U h + b; c' = f c + i g and h' = o tanh(c').

    Carries h and then c, and both count; puts out h'. The argument of each gate is rounded down once, each gate once,
    f c + i g once (to the precision of c), tanh(c') once, and h' once.

    Attributes:
        gates: from (x, h) to the arguments of i, f, g, o, in PyTorch's order.
        memory: the precision of c, with the same steps as that of h.
    """

    gates: Affine
    memory: Precision

    maps: ClassVar = {"gates": ("x and h", "gates")}

    def __post_init__(self) -> None:
        super().__post_init__()
        width, rest = divmod(self.gates.outputs, 4)
        if rest or self.gates.inputs <= width:
            raise InputError("gates", self.gates.weights.shape, "a map from (x, h) to four times as many numbers as h")

    @classmethod
    def from_arrays(
        cls,
        precision: int | Precision,
        weight_ih: Any,
        weight_hh: Any,
        bias_ih: Any = None,
        bias_hh: Any = None,
        memory: int | Precision | None = None,
    ) -> LSTMLayer:
        """From real numbers as in PyTorch's LSTM, gates in the order i, f, g, o.

        Weights have the shapes (4 width, inputs) and (4 width, width), biases (4 width,).
        """
        numbers = as_precision(precision)
        parts = {"weight_ih": weight_ih, "weight_hh": weight_hh}
        gates = join_affine(numbers, parts, {"bias_ih": bias_ih, "bias_hh": bias_hh})
        require_same("weight_hh", gates.outputs, 4 * np.shape(weight_hh)[1], "rows, four for each column")
        return cls(gates, memory_of(numbers, memory))

    @classmethod
    def random(cls, draft: Draft, memory: int | Precision | None = None) -> LSTMLayer:
        """Random weights."""
        gates = draft.affine("", draft.inputs + draft.width, 4 * draft.width)
        return cls(gates, memory_of(draft.precision, memory))

    @property
    def inputs(self) -> int:
        """How many numbers x has."""
        return self.gates.inputs - self.outputs

    @property
    def outputs(self) -> int:
        """How many numbers h has."""
        return self.gates.outputs // 4

    @property
    def state_precisions(self) -> tuple[Precision, ...]:
        """One unit for each number of h, then one for each of c."""
        return (self.precision,) * self.outputs + (self.memory,) * self.outputs

    def step(self, states: Array, inputs: Array) -> tuple[Array, Array]:
        """The new (h, c), and h."""
        hidden, cell = np.split(states, 2, axis=1)
        arguments = np.split(self.gates(np.concatenate([inputs, hidden], axis=1)), 4, axis=1)
        names = ("sigmoid", "sigmoid", "tanh", "sigmoid")
        i, f, g, o = (apply(name, self.precision, one) for name, one in zip(names, arguments, strict=True))
        cell = self.memory.round_down(sum_of_products((f, cell), (i, g)))
        hidden = self.precision.round_down(sum_of_products((o, apply("tanh", self.memory, cell, self.precision))))
        return np.concatenate([hidden, cell], axis=1), hidden


class LSTM(RecurrentStack):
    """Long short-term memory (Hochreiter and Schmidhuber 1997) of one or more layers, see :class:`LSTMLayer`.

    >>> LSTM.random("ab", width=2, layers=3, precision=8, seed=0).state_bits  # h and c of two units in three layers
    96
    """

    layer_kind: ClassVar[Any] = LSTMLayer
