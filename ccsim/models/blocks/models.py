"""Recurrent models of one kind of block, with random weights."""

from __future__ import annotations

from typing import Any, ClassVar

from ccsim.arguments import require_integer
from ccsim.arithmetic import Precision
from ccsim.errors import InputError
from ccsim.models.blocks.formula import FORMULAS
from ccsim.models.blocks.layer import BlockLayer
from ccsim.models.recurrent.draft import Draft
from ccsim.models.recurrent.layer import memory_of
from ccsim.models.recurrent.stack import RecurrentStack

__all__ = ["RWKV5", "RWKV6", "RWKV7", "SLSTM", "Mamba2"]

FRACTIONS = ("share", "shares", "kept", "key_share", "key_strength")
EPSILON = 1e-5


class DrawnLayer(BlockLayer):
    """A block with random weights: shares and factors from 0 to 1, decays from -1 to 0, others by their fan-in."""

    kind: ClassVar[str]

    @classmethod
    def drawn(cls, draft: Draft, memory: int | Precision | None, **sizes: int) -> Any:
        """With arrays of these sizes, the same on every machine."""
        formula, one = FORMULAS[cls.kind], draft.precision.scale
        sizes |= {"inputs": draft.inputs, "outputs": draft.width}
        parts: dict[str, Any] = {"kind": cls.kind, "epsilon": EPSILON, "activation": "silu"}
        for part, dimensions in formula.arrays.items():
            shape = tuple(size if isinstance(size, int) else sizes[size] for size in dimensions)
            if part in formula.falling:
                parts[part] = draft.mantissas(part, shape, -one, 0)
            elif part in FRACTIONS:
                parts[part] = draft.mantissas(part, shape, 0, one)
            else:
                parts[part] = draft.matrix(part, shape, shape[-1] if len(shape) > 1 else 3)
        return cls(draft.precision, parts, memory_of(draft.precision, memory))


def _whole(argument: str, value: int, of: str, number: int) -> int:
    """How many times a number that is positive goes into another, which it must divide."""
    if number % require_integer(argument, value, low=1):
        raise InputError(argument, value, f"a divisor of {of} {number}")
    return number // value


class Mamba2Layer(DrawnLayer):
    """The block of Mamba-2, see :func:`ccsim.models.blocks.mamba.mamba2`."""

    kind: ClassVar[str] = "mamba2"

    @classmethod
    def random(
        cls,
        draft: Draft,
        heads: int = 1,
        states: int = 1,
        window: int = 2,
        groups: int = 1,
        memory: int | Precision | None = None,
    ) -> Any:
        """``heads`` heads of ``width`` numbers in all, each number with ``states``; a group of heads has one key."""
        width = draft.width
        _whole("heads", heads, "the width", width)
        _whole("groups", groups, "the heads", heads)
        convolved = width + 2 * groups * require_integer("states", states, low=1)
        sizes = {"entrance": width + convolved + heads, "convolved": convolved, "inner": width, "heads": heads}
        sizes |= {"groups": groups, "numbers of a group": width // groups}
        window = require_integer("window", window, low=1)
        return cls.drawn(draft, memory, window=window, **sizes)


class EagleLayer(DrawnLayer):
    """Time mixing of RWKV-5 to 7."""

    @classmethod
    def random(
        cls,
        draft: Draft,
        heads: int = 1,
        rank: int = 1,
        memory: int | Precision | None = None,
    ) -> Any:
        """``heads`` heads of ``width`` numbers in all; matrices of low rank, where there are any, have ``rank``."""
        size, rank = _whole("heads", heads, "the width", draft.width), require_integer("rank", rank, low=1)
        sizes = {"numbers": draft.width, "heads": heads, "numbers of a head": size}
        ranks = {"rank": rank, "five ranks": 5 * rank}
        ranks |= {f"rank of {what}": rank for what in ("fading", "strength", "gate")}
        return cls.drawn(draft, memory, **sizes, **ranks)


class RWKV5Layer(EagleLayer):
    """See :func:`ccsim.models.blocks.rwkv.rwkv5`."""

    kind: ClassVar[str] = "rwkv5"


class RWKV6Layer(EagleLayer):
    """See :func:`ccsim.models.blocks.rwkv.rwkv6`."""

    kind: ClassVar[str] = "rwkv6"


class RWKV7Layer(EagleLayer):
    """See :func:`ccsim.models.blocks.rwkv.rwkv7`; every layer is as a first one."""

    kind: ClassVar[str] = "rwkv7"


class SLSTMLayer(DrawnLayer):
    """See :func:`ccsim.models.blocks.xlstm.slstm`."""

    kind: ClassVar[str] = "slstm"

    @classmethod
    def random(
        cls,
        draft: Draft,
        heads: int = 1,
        window: int = 1,
        memory: int | Precision | None = None,
    ) -> Any:
        """``width`` units, with norms in ``heads`` parts, and a convolution over ``window`` positions."""
        sizes = {"heads": heads, "numbers of a head": _whole("heads", heads, "the width", draft.width)}
        sizes |= {"two gates": 2 * draft.width, "four gates": 4 * draft.width}
        window = require_integer("window", window, low=1)
        return cls.drawn(draft, memory, window=window, **sizes)


class Mamba2(RecurrentStack):
    """Mamba-2 (Dao and Gu 2024) of one or more layers, see :func:`ccsim.models.blocks.mamba.mamba2`.

    >>> model = Mamba2.random("ab", width=4, heads=2, states=3, window=4, precision=8, seed=0)
    >>> model.state_bits  # three inputs of 4 + 2 * 3 channels, and 3 numbers for each of the 4
    336
    """

    layer_kind: ClassVar[Any] = Mamba2Layer


class RWKV5(RecurrentStack):
    """Time mixing of RWKV-5 (Peng et al. 2024) of one or more layers, see :func:`ccsim.models.blocks.rwkv.rwkv5`.

    >>> RWKV5.random("ab", width=4, heads=2, precision=8, seed=0).state_bits  # the last input, and two matrices 2 x 2
    96
    """

    layer_kind: ClassVar[Any] = RWKV5Layer


class RWKV6(RecurrentStack):
    """Time mixing of RWKV-6 (Peng et al. 2024) of one or more layers, see :func:`ccsim.models.blocks.rwkv.rwkv6`.

    >>> RWKV6.random("ab", width=4, heads=2, rank=2, precision=8, seed=0).state_bits
    96
    """

    layer_kind: ClassVar[Any] = RWKV6Layer


class RWKV7(RecurrentStack):
    """Time mixing of RWKV-7 (Peng et al. 2025) of one or more layers, see :func:`ccsim.models.blocks.rwkv.rwkv7`.

    >>> RWKV7.random("ab", width=4, heads=1, precision=8, seed=0).state_bits  # the last input, and a matrix 4 x 4
    160
    """

    layer_kind: ClassVar[Any] = RWKV7Layer


class SLSTM(RecurrentStack):
    """LSTMs with exponential gates (Beck et al. 2024), see :func:`ccsim.models.blocks.xlstm.slstm`.

    >>> SLSTM.random("ab", width=2, precision=8, seed=0).state_bits  # h, c, n and a running maximum, of two units
    64
    """

    layer_kind: ClassVar[Any] = SLSTMLayer
