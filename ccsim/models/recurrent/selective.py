"""Selective state spaces: the block of Mamba, of Gu and Dao 2023."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import Precision, exponential, floor_divide, sum_of_products
from ccsim.arrays import Array
from ccsim.models.affine import Affine
from ccsim.models.recurrent.layer import Draft, LayerOfParts, apply, memory_of, require_same
from ccsim.models.recurrent.stack import RecurrentStack


@dataclass(frozen=True, eq=False)
class SelectiveLayer(LayerOfParts):
    """Mamba's block: a short convolution, then a diagonal state space whose step, drive and read depend on the input.

    In this order, each rounded down once unless two roundings are named:

    - x and g are maps of the input, u = silu(convolution of x over this and the last few positions, plus a bias);
    - delta = softplus(a map of u), B and C are maps of u;
    - s' = exp(delta A) s + B (delta u) for each of the numbers s of each channel (delta A, its exp, delta u, and the
      exact sum are rounded);
    - y = the exact sum of C s' and D u; what is put out is the output map of y silu(g) (silu and the product).

    Carries the window of the last inputs x of the convolution, one position less than it is long, the oldest first;
    then s, channel by channel.

    Attributes:
        entrance: from the input to (x, g), side by side.
        kernel: mantissas, shape (channels, positions), the last one for this position, as PyTorch keeps it.
        kernel_bias: mantissas, shape (channels,).
        steps: from u to the argument of softplus, the product of the two matrices that make delta.
        drive, read: from u to B and C.
        decay: A itself, not its logarithm: mantissas of at most 0, shape (channels, states).
        skip: D, mantissas, shape (channels,).
        output: from the gated y to what is put out.
        memory: the precision of s, with the steps of all other numbers.
    """

    entrance: Affine
    kernel: Array
    kernel_bias: Array
    steps: Affine
    drive: Affine
    read: Affine
    decay: Array
    skip: Array
    output: Affine
    memory: Precision

    maps: ClassVar = {
        "entrance": ("inputs", "both"),
        "steps": ("channels", "channels"),
        "drive": ("channels", "states"),
        "read": ("channels", "states"),
        "output": ("channels", "outputs"),
    }
    arrays: ClassVar = {
        "kernel": ("channels", "window"),
        "kernel_bias": ("channels",),
        "decay": ("channels", "states"),
        "skip": ("channels",),
    }
    falling: ClassVar = ("decay",)

    def __post_init__(self) -> None:
        super().__post_init__()
        require_same("entrance", self.entrance.outputs, 2 * self.channels, "outputs, two for each row of the kernel")

    @classmethod
    def random(
        cls,
        draft: Draft,
        states: int = 1,
        window: int = 2,
        channels: int | None = None,
        memory: int | Precision | None = None,
    ) -> SelectiveLayer:
        """Random weights, with A from -2 to 0.

        There are ``states`` numbers in each of ``channels`` (at first ``width``) channels, and the convolution is over
        ``window`` positions.
        """
        states, window = require_integer("states", states, low=1), require_integer("window", window, low=1)
        inner = draft.width if channels is None else require_integer("channels", channels, low=1)
        sizes = {"inputs": draft.inputs, "both": 2 * inner, "channels": inner, "states": states, "outputs": draft.width}
        return cls(
            kernel=draft.matrix("kernel", (inner, window), window),
            kernel_bias=draft.matrix("kernel_bias", (inner,), window),
            decay=draft.mantissas("decay", (inner, states), -2 * draft.precision.scale, 0),
            skip=draft.matrix("skip", (inner,), 3),
            memory=memory_of(draft.precision, memory),
            **cls.random_maps(draft, **sizes),
        )

    @property
    def channels(self) -> int:
        """How many channels there are inside."""
        return len(self.kernel)

    @property
    def carried_inputs(self) -> int:
        """How many units the window of the convolution takes."""
        return int(self.kernel.shape[0] * (self.kernel.shape[1] - 1))

    @property
    def state_precisions(self) -> tuple[Precision, ...]:
        """The window of the convolution, then s."""
        return (self.precision,) * self.carried_inputs + (self.memory,) * int(self.decay.size)

    def step(self, states: Array, inputs: Array) -> tuple[Array, Array]:
        """The new (window, s), and the output map of the gated y."""
        count, scale = len(states), self.precision.scale
        carried, s = np.split(states, [self.carried_inputs], axis=1)
        s = s.reshape(count, *self.decay.shape)
        x, gate = np.split(self.entrance(inputs), 2, axis=1)
        window = np.concatenate([carried.reshape(count, -1, self.channels), x[:, None, :]], axis=1)
        u = self._convolved(window)
        delta = apply("softplus", self.precision, self.steps(u))
        kept = exponential(self.precision)(floor_divide(sum_of_products((delta[:, :, None], self.decay)), scale))
        driven = self.precision.round_down(sum_of_products((delta, u)))[:, :, None]
        s = self.memory.round_down(sum_of_products((kept, s), (self.drive(u)[:, None, :], driven)))
        read = self.read(u)
        terms = [(read[:, n, None], s[:, :, n]) for n in range(s.shape[2])]
        y = self.precision.round_down(sum_of_products(*terms, (self.skip, u)))
        gated = self.precision.round_down(sum_of_products((y, apply("silu", self.precision, gate))))
        after = np.concatenate([window[:, 1:].reshape(count, -1), s.reshape(count, -1)], axis=1)
        return after, self.output(gated)

    def _convolved(self, window: Array) -> Array:
        """silu of the convolution of the inputs (batch, positions, channels) at the last position."""
        pairs = [(window[:, place], self.kernel[:, place]) for place in range(window.shape[1])]
        total = sum_of_products(*pairs, (self.kernel_bias, self.precision.scale))
        return apply("silu", self.precision, self.precision.round_down(total))


class SelectiveStateSpace(RecurrentStack):
    """A selective state space, Mamba's block (Gu and Dao 2023), of one or more layers, see :class:`SelectiveLayer`.

    >>> model = SelectiveStateSpace.random("ab", width=2, states=3, window=4, precision=8, seed=0)
    >>> model.state_bits  # three inputs of two channels, and three numbers in each channel
    96
    """

    layer_kind: ClassVar[Any] = SelectiveLayer
