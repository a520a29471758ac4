"""A layer like the time mixing of RWKV, of Peng et al. 2023."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ccsim.arithmetic import Precision, floor_divide, sum_of_products
from ccsim.arrays import Array
from ccsim.models.affine import Affine
from ccsim.models.recurrent.draft import Draft
from ccsim.models.recurrent.layer import apply, memory_of
from ccsim.models.recurrent.parts import LayerOfParts
from ccsim.models.recurrent.stack import RecurrentStack

__all__ = ["RWKV", "RWKVLayer"]


@dataclass(frozen=True, eq=False)
class RWKVLayer(LayerOfParts):
    """Time mixing as in RWKV-4: a weighted mean of the values so far, whose weights exp(k) fade by a factor per step.

    - Each of r, k, v is a map of a mixture m x + (1 - m) x_before of this input and the last one;
    - w = (a + exp(b + k) v) / (c + exp(b + k)), or 0 if that is 0 / 0; a' = f a + exp(k) v and c' = f c + exp(k);
    - what is put out is the output map of sigmoid(r) w.

    Each mixture, map, exp, quotient, sum a' and c', sigmoid and the product with w is rounded down once and
    saturates; the sums over and under the fraction bar of w are not carried, so they do not saturate, and the upper
    one is rounded down once. (The second half of a block of RWKV, the channel mixing, is left out. Implementations
    also carry a running maximum, against overflow of floats; numbers here saturate, so that there is none.)

    Carries the last input x_before, then a, then c.

    Attributes:
        mixtures: m for r, k, v: mantissas, shape (3, inputs).
        receptance, keys, values: the maps to r, k, v, all of one size.
        bonus: b: mantissas, shape (width,).
        fade: f: mantissas from 0 to 1, shape (width,).
        output: the map to what is put out.
        memory: the precision of a and c, with the steps of all other numbers.
    """

    mixtures: Array
    receptance: Affine
    keys: Affine
    values: Affine
    bonus: Array
    fade: Array
    output: Affine
    memory: Precision

    maps: ClassVar = {
        "receptance": ("inputs", "width"),
        "keys": ("inputs", "width"),
        "values": ("inputs", "width"),
        "output": ("width", "outputs"),
    }
    arrays: ClassVar = {"mixtures": (3, "inputs"), "bonus": ("width",), "fade": ("width",)}
    fractions: ClassVar = ("fade",)

    @classmethod
    def random(cls, draft: Draft, memory: int | Precision | None = None) -> RWKVLayer:
        """Random weights, mixtures from 0 to 1 and factors from 1/2 to 1."""
        high = min(draft.precision.scale, draft.precision.high)
        return cls(
            mixtures=draft.mantissas("mixtures", (3, draft.inputs), 0, high),
            bonus=draft.matrix("bonus", (draft.width,), 3),
            fade=draft.mantissas("fade", (draft.width,), high // 2, high),
            memory=memory_of(draft.precision, memory),
            **cls.random_maps(draft, inputs=draft.inputs, width=draft.width, outputs=draft.width),
        )

    @property
    def width(self) -> int:
        """How many numbers each of r, k, v has."""
        return self.receptance.outputs

    @property
    def state_precisions(self) -> tuple[Precision, ...]:
        """The last input, then a, then c."""
        return (self.precision,) * self.inputs + (self.memory,) * (2 * self.width)

    def step(self, states: Array, inputs: Array) -> tuple[Array, Array]:
        """The new (x, a, c), and the output map of sigmoid(r) w."""
        precision, scale = self.precision, self.precision.scale
        before, a, c = np.split(states, [self.inputs, self.inputs + self.width], axis=1)
        r, k, v = (
            part(precision.round_down(sum_of_products((share, inputs), (scale - share, before))))
            for part, share in zip((self.receptance, self.keys, self.values), self.mixtures, strict=True)
        )
        now = apply("exp", precision, precision.saturate(k + self.bonus))
        above = floor_divide(sum_of_products((a, scale), (now, v)), scale)
        mean = precision.saturate(floor_divide(sum_of_products((above, scale)), np.maximum(c + now, 1)))
        weight = apply("exp", precision, k)
        a = self.memory.round_down(sum_of_products((self.fade, a), (weight, v)))
        c = self.memory.round_down(sum_of_products((self.fade, c), (weight, scale)))
        gated = precision.round_down(sum_of_products((apply("sigmoid", precision, r), mean)))
        return np.concatenate([inputs, a, c], axis=1), self.output(gated)


class RWKV(RecurrentStack):
    """Time mixing as in RWKV-4 (Peng et al. 2023), of one or more layers, see :class:`RWKVLayer`.

    >>> RWKV.random("ab", width=2, precision=8, seed=0).state_bits  # x, a and c
    48
    """

    layer_kind: ClassVar[Any] = RWKVLayer
