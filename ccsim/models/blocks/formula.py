"""What a block is: the arrays it is made of, what it carries, and its step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ccsim.arrays import Array
from ccsim.models.blocks import delta, feed_forward, griffin, mamba, rwkv, xlstm
from ccsim.models.blocks.pieces import Carried, Parts, Shapes, State, normed, scaled
from ccsim.models.operations import Operations

__all__ = ["FORMULAS", "Formula", "block"]


@dataclass(frozen=True)
class Formula:
    """A kind of block.

    Attributes:
        arrays: for each array its shape, by names of sizes: equal names are equal sizes, "inputs" and "outputs" are
            those of the block.
        carries: what a block of these parts carries.
        step: from the parts, what is carried, the inputs, and what other layers of this step put beside them, to the
            next three; all with an axis for the words in front.
        falling: arrays of numbers of at most 0.
    """

    arrays: Shapes
    carries: Callable[[Parts], tuple[Carried, ...]]
    step: Callable[[Operations, Parts, State, Array, Array], tuple[State, Array, Array]]
    falling: tuple[str, ...] = ()

    def outputs(self, parts: Parts) -> int:
        """How many numbers go out: as many as come in, where nothing says otherwise."""
        said = any("outputs" in shape for shape in self.arrays.values())
        return self.size(parts, "outputs" if said else "inputs")

    def size(self, parts: Parts, name: str) -> int:
        """A size by its name."""
        found = next((array, shape.index(name)) for array, shape in self.arrays.items() if name in shape)
        return int(parts[found[0]].shape[found[1]])


FORMULAS: Mapping[str, Formula] = {
    "mamba": Formula(mamba.MAMBA, mamba.mamba_carries, mamba.mamba, ("decay",)),
    "mamba2": Formula(mamba.MAMBA2, mamba.mamba2_carries, mamba.mamba2, ("decay",)),
    "gated-delta": Formula(delta.GATED_DELTA, delta.gated_delta_carries, delta.gated_delta, ("decay",)),
    "griffin": Formula(griffin.GRIFFIN, griffin.griffin_carries, griffin.griffin, ("rate",)),
    "rwkv5": Formula(rwkv.RWKV5, rwkv.rwkv_carries, rwkv.rwkv5),
    "rwkv6": Formula(rwkv.RWKV6, rwkv.rwkv_carries, rwkv.rwkv6),
    "rwkv7": Formula(rwkv.RWKV7, rwkv.rwkv_carries, rwkv.rwkv7),
    "rwkv-channels": Formula(rwkv.CHANNELS, rwkv.channels_carry, rwkv.channels),
    "slstm": Formula(xlstm.SLSTM, xlstm.slstm_carries, xlstm.slstm),
    "mlstm": Formula(xlstm.MLSTM, xlstm.mlstm_carries, xlstm.mlstm),
    "gated": Formula(feed_forward.GATED, feed_forward.carries_nothing, feed_forward.gated),
    "norm": Formula(feed_forward.LAST_NORM, feed_forward.carries_nothing, feed_forward.last_norm),
}
"""By their names: what recurs, and what stands between."""


def block(a: Operations, parts: Parts, state: State, x: Array) -> tuple[State, Array]:
    """The state and outputs of a block after one more input: its norm, its formula, and the inputs added.

    ``parts`` are those of the formula named by ``kind``, and perhaps ``norm`` (with ``norm_bias`` and
    ``norm_epsilon``), which comes before it, and ``residual``. Inputs are (batch, inputs), then what is beside them.
    """
    formula = FORMULAS[parts["kind"]]
    width = formula.size(parts, "inputs")
    x, beside = x[:, :width], x[:, width:]
    inner = x
    if "norm" in parts:
        inner = normed(a, x, parts["norm_epsilon"], parts["norm_centred"])
        inner = scaled(a, inner, parts["norm"], parts["norm_bias"])
    state, y, beside = formula.step(a, parts, state, inner, beside)
    y = a.add(x, y) if parts.get("residual", False) else y
    return state, np.concatenate([y, beside[:, : parts.get("beside_after", 0)]], axis=1)
