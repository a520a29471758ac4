"""The LSTM with a matrix memory, of xLSTM (Beck, Pöppel, Spanring et al. 2024)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ccsim.arithmetic import Precision, exact_matmul, floor_divide, sum_of_products
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.affine import Affine
from ccsim.models.recurrent.layer import apply
from ccsim.models.recurrent.parts import KeysAndValuesLayer
from ccsim.models.recurrent.stack import RecurrentStack

__all__ = ["MLSTM", "MLSTMLayer"]


@dataclass(frozen=True, eq=False)
class MLSTMLayer(KeysAndValuesLayer):
    """C' = f C + i k v^T and n' = f n + i k; puts out the output map of o times C'^T q / max(|n'^T q|, 1).

    q, k, v are maps of x; i = exp and f, o = sigmoid of maps of x, i and f single numbers. Maps, gates, i k, each entry
    of C' and n', the quotient of exact sums and its product with o are rounded down once; C and n saturate. (The
    source divides k by the root of its size, which may stand in the map, and carries a running maximum of the
    gates against overflow of floats; numbers here saturate. Norms and projections around the layer are left out.)

    Carries the matrix C, row by row, a row for each number of k, then n.

    Attributes:
        queries, keys: from x to q and k, of the same size.
        values: from x to v.
        input_gate, forget_gate: from x to what i is the exp of, f the sigmoid: single numbers.
        output_gate: from x to what o is the sigmoid of, of the size of v.
        output: from the gated quotient to what is put out.
        memory: the precision of C and n, with the steps of all other numbers.
    """

    queries: Affine
    keys: Affine
    values: Affine
    input_gate: Affine
    forget_gate: Affine
    output_gate: Affine
    output: Affine
    memory: Precision

    divides: ClassVar = True
    maps: ClassVar = {
        "queries": ("inputs", "keys"),
        "keys": ("inputs", "keys"),
        "values": ("inputs", "values"),
        "input_gate": ("inputs", "one"),
        "forget_gate": ("inputs", "one"),
        "output_gate": ("inputs", "values"),
        "output": ("values", "outputs"),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.input_gate.outputs != 1:
            raise InputError("input_gate", self.input_gate.outputs, "a map to a single number")

    def step(self, states: Array, inputs: Array) -> tuple[Array, Array]:
        """The new (C, n), and the output map of the gated quotient."""
        precision, scale = self.precision, self.precision.scale
        matrix, total = self.matrix_of(states)
        admit = apply("exp", precision, self.input_gate(inputs))
        keep, tell = (apply("sigmoid", precision, part(inputs)) for part in (self.forget_gate, self.output_gate))
        query, value = self.queries(inputs), self.values(inputs)
        key = self.memory.round_down(sum_of_products((admit, self.keys(inputs))))
        added = sum_of_products((keep[:, :, None], matrix), (key[:, :, None], value[:, None, :]))
        matrix = self.memory.round_down(added)
        total = self.memory.round_down(sum_of_products((keep, total), (key, scale)))
        above = exact_matmul(query[:, None, :], matrix)[:, 0, :]
        below = np.maximum(np.abs(exact_matmul(query[:, None, :], total[:, :, None])[:, 0, :]), scale * scale)
        read = precision.saturate(floor_divide(sum_of_products((above, scale)), below))
        told = precision.round_down(sum_of_products((tell, read)))
        return np.concatenate([matrix.reshape(len(states), -1), total], axis=1), self.output(told)


class MLSTM(RecurrentStack):
    """LSTMs with a matrix memory (Beck et al. 2024), of one or more layers, see :class:`MLSTMLayer`.

    >>> MLSTM.random("ab", width=2, precision=8, seed=0).state_bits  # C is 2 x 2, n has 2 numbers
    48
    """

    layer_kind: ClassVar[Any] = MLSTMLayer
