"""The real-gated linear recurrent unit, of Griffin (De, Smith, Fernando et al. 2024)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ccsim.arithmetic import Precision, sum_of_products
from ccsim.arrays import Array
from ccsim.models.affine import Affine
from ccsim.models.recurrent.draft import Draft
from ccsim.models.recurrent.layer import apply, memory_of
from ccsim.models.recurrent.parts import LayerOfParts
from ccsim.models.recurrent.roots import root
from ccsim.models.recurrent.stack import RecurrentStack

__all__ = ["RGLRU", "RGLRULayer"]


@dataclass(frozen=True, eq=False)
class RGLRULayer(LayerOfParts):
    """h' = a h + sqrt(1 - a^2) (i u), with a = exp(c r) and gates r, i between 0 and 1; puts out a map of h'.

    u is a map of the input; r and i are sigmoids of maps of u. Maps, gates, the product c r, its exp, the root, the
    product i u and the sum h' are each rounded down once; h' saturates. (In the source c is -8 softplus(L) for trained
    numbers L; a short convolution and a gated branch stand around the unit, which are left out.)

    Carries h.

    Attributes:
        entrance: from x to u.
        recurrence, admission: from u to what r and i are the sigmoids of.
        rate: c: mantissas of at most 0, shape (width,).
        output: from h' to what is put out.
        memory: the precision of h, with the steps of all other numbers.
    """

    entrance: Affine
    recurrence: Affine
    admission: Affine
    rate: Array
    output: Affine
    memory: Precision

    maps: ClassVar = {
        "entrance": ("inputs", "width"),
        "recurrence": ("width", "width"),
        "admission": ("width", "width"),
        "output": ("width", "outputs"),
    }
    arrays: ClassVar = {"rate": ("width",)}
    falling: ClassVar = ("rate",)

    @classmethod
    def random(cls, draft: Draft, memory: int | Precision | None = None) -> RGLRULayer:
        """Random weights, rates from -1 to 0."""
        rate = draft.mantissas("rate", (draft.width,), -draft.precision.scale, 0)
        maps = cls.random_maps(draft, inputs=draft.inputs, width=draft.width, outputs=draft.width)
        return cls(rate=rate, memory=memory_of(draft.precision, memory), **maps)

    @property
    def state_precisions(self) -> tuple[Precision, ...]:
        """One unit for each number of h."""
        return (self.memory,) * self.sizes["width"]

    def step(self, states: Array, inputs: Array) -> tuple[Array, Array]:
        """The new h, and the output map of it."""
        precision, scale = self.precision, self.precision.scale
        u = self.entrance(inputs)
        r, i = (apply("sigmoid", precision, part(u)) for part in (self.recurrence, self.admission))
        a = np.minimum(apply("exp", precision, precision.round_down(sum_of_products((self.rate, r)))), scale)
        kept = precision.saturate(root(scale * scale - a * a))
        admitted = precision.round_down(sum_of_products((i, u)))
        after = self.memory.round_down(sum_of_products((a, states), (kept, admitted)))
        return after, self.output(precision.saturate(after))


class RGLRU(RecurrentStack):
    """Real-gated linear recurrent units (De et al. 2024), of one or more layers, see :class:`RGLRULayer`.

    >>> RGLRU.random("ab", width=2, precision=8, seed=0).state_bits
    16
    """

    layer_kind: ClassVar[Any] = RGLRULayer
