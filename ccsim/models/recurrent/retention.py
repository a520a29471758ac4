"""Retentive networks, of Sun et al. 2023, in their recurrent form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy.typing as npt

from ccsim.arguments import require_integer
from ccsim.arithmetic import Precision, as_precision, exact_matmul, sum_of_products
from ccsim.errors import InputError
from ccsim.models.affine import Affine, mantissa_array
from ccsim.models.random_weights import random_mantissas
from ccsim.models.recurrent.layer import (
    RecurrentLayer,
    apply,
    join_affine,
    memory_of,
    quantised,
    random_affine,
    require_same,
)
from ccsim.models.recurrent.stack import RecurrentStack

__all__ = ["RetNet", "RetentionLayer"]

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class RetentionLayer(RecurrentLayer):
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

    def __post_init__(self) -> None:
        for name in ("keys", "values", "gate"):
            require_same(name, getattr(self, name).inputs, self.queries.inputs, "inputs, as of queries")
        for name in ("keys", "values", "gate", "output"):
            if getattr(self, name).precision != self.precision:
                raise InputError(name, str(getattr(self, name).precision), f"the precision {self.precision} of queries")
        require_same("keys", self.keys.outputs, self.queries.outputs, "outputs, as of queries")
        require_same("gate", self.gate.outputs, self.values.outputs, "outputs, as of values")
        require_same("output", self.output.inputs, self.values.outputs, "inputs, as values have outputs")
        decay = mantissa_array(self.precision, "decay", self.decay, (self.keys.outputs,))
        if decay.min() < 0 or decay.max() > self.precision.scale:
            raise InputError("decay", self.precision.floats(decay).tolist(), "numbers from 0 to 1")
        object.__setattr__(self, "decay", decay)
        memory_of(self.precision, self.memory)

    @classmethod
    def from_arrays(
        cls,
        precision: int | Precision,
        queries: Any,
        keys: Any,
        values: Any,
        gate: Any,
        output: Any,
        decay: Any,
        memory: int | Precision | None = None,
    ) -> RetentionLayer:
        """From real matrices of shape (outputs, inputs), as PyTorch keeps them, and a decay for each number of k."""
        numbers = as_precision(precision)
        given = {"queries": queries, "keys": keys, "values": values, "gate": gate, "output": output}
        maps = {name: join_affine(numbers, {name: matrix}, {}) for name, matrix in given.items()}
        return cls(**maps, decay=quantised(numbers, "decay", decay, (None,)), memory=memory_of(numbers, memory))

    @classmethod
    def random(
        cls,
        inputs: int,
        width: int,
        precision: Precision,
        seed: int | str,
        name: str,
        key_width: int | None = None,
        memory: int | Precision | None = None,
    ) -> RetentionLayer:
        """Random weights, and decays from 1/2 to 1."""
        keys = width if key_width is None else require_integer("key_width", key_width, low=1)
        sizes = dict.fromkeys(("queries", "keys"), (inputs, keys)) | dict.fromkeys(("values", "gate"), (inputs, width))
        sizes["output"] = (width, width)
        maps = {part: random_affine(precision, *size, seed, f"{name}/{part}") for part, size in sizes.items()}
        high = min(precision.scale, precision.high)
        decay = random_mantissas((keys,), high // 2, high, seed, f"{name}/decay")
        return cls(**maps, decay=decay, memory=memory_of(precision, memory))

    @property
    def precision(self) -> Precision:
        """Of all numbers but S."""
        return self.queries.precision

    @property
    def inputs(self) -> int:
        """How many numbers x has."""
        return self.queries.inputs

    @property
    def outputs(self) -> int:
        """How many numbers are put out."""
        return self.output.outputs

    @property
    def state_precisions(self) -> tuple[Precision, ...]:
        """The entries of S, row by row."""
        return (self.memory,) * (self.keys.outputs * self.values.outputs)

    def step(self, states: Array, inputs: Array) -> tuple[Array, Array]:
        """The new S, and the output map of the gated retention."""
        sums = states.reshape(len(states), self.keys.outputs, self.values.outputs)
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
