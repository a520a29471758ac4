"""Diagonal state spaces: S4D of Gu, Gupta, Goel and Ré 2022, and DSS of Gupta, Gu and Berant 2022."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import Precision, sum_of_products
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.affine import Affine
from ccsim.models.recurrent.layer import Draft, LayerOfParts, apply, memory_of
from ccsim.models.recurrent.stack import RecurrentStack


@dataclass(frozen=True, eq=False)
class DiagonalLayer(LayerOfParts):
    """s' = a s + b u for each of some numbers s of each input u, and y = real part of the sum of c s', plus d u.

    What is put out is the mixing map of f(y). Carries s: one unit each if it is real, else one for the real part and
    one for the imaginary part. The parameters are those of the discrete recurrence (a, b are often written with a
    bar). Each part of a s + b u is rounded down once, as an exact sum; y once, f once, the mixing map once.

    Attributes:
        transition, drive, read: a, b, c: mantissas, shape (parts, inputs, states) with one part if all is real, or the
            real and the imaginary part.
        skip: d: mantissas, shape (inputs,).
        mixing: from f(y) to what is put out.
        memory: the precision of s, with the steps of all other numbers.
        activation: f, one of :data:`ccsim.arithmetic.FUNCTIONS`.
    """

    transition: Array
    drive: Array
    read: Array
    skip: Array
    mixing: Affine
    memory: Precision
    activation: str = "gelu"

    maps: ClassVar = {"mixing": ("inputs", "outputs")}
    arrays: ClassVar = {
        "transition": ("parts", "inputs", "states"),
        "drive": ("parts", "inputs", "states"),
        "read": ("parts", "inputs", "states"),
        "skip": ("inputs",),
    }

    def __post_init__(self) -> None:
        shape = np.shape(self.transition)
        if len(shape) != 3 or shape[0] not in (1, 2):
            raise InputError("transition", shape, "an array of shape (1 or 2 parts, inputs, states)")
        super().__post_init__()
        apply(self.activation, self.precision, np.zeros(1, dtype=np.int64))

    @classmethod
    def from_arrays(
        cls,
        precision: int | Precision,
        transition: Any,
        drive: Any,
        read: Any,
        skip: Any,
        mixing: Any,
        mixing_bias: Any = None,
        memory: int | Precision | None = None,
        activation: str = "gelu",
    ) -> DiagonalLayer:
        """From arrays: ``transition``, ``drive`` and ``read`` of shape (inputs, states), real or complex.

        If one of these is complex, all are taken to be. ``skip`` has shape (inputs,), ``mixing`` (outputs, inputs).
        """
        given = {"transition": transition, "drive": drive, "read": read}
        is_complex = any(np.iscomplexobj(values) for values in given.values())
        parts = {name: _parts(np.asarray(values), is_complex) for name, values in given.items()}
        rest = {"skip": skip, "mixing": mixing, "mixing_bias": mixing_bias}
        return super().from_arrays(precision, **parts, **rest, memory=memory, activation=activation)

    @classmethod
    def random(
        cls,
        draft: Draft,
        states: int = 1,
        real: bool = False,
        memory: int | Precision | None = None,
        activation: str = "gelu",
    ) -> DiagonalLayer:
        """Random weights, with ``states`` numbers for each input; each part of a is at most 0.7 in magnitude."""
        shape = (1 if real else 2, draft.inputs, require_integer("states", states, low=1))
        end = draft.precision.scale if real else 7 * draft.precision.scale // 10
        return cls(
            draft.mantissas("transition", shape, -end, end),
            draft.matrix("drive", shape, 3),
            draft.matrix("read", shape, shape[0] * states),
            draft.matrix("skip", (draft.inputs,), 3),
            draft.affine("mixing", draft.inputs, draft.width),
            memory_of(draft.precision, memory),
            activation,
        )

    @property
    def state_precisions(self) -> tuple[Precision, ...]:
        """The real parts of all s, input by input, then the imaginary parts if there are any."""
        return (self.memory,) * int(self.transition.size)

    def step(self, states: Array, inputs: Array) -> tuple[Array, Array]:
        """The new s, and the mixing map of f(y)."""
        parts = states.reshape(len(states), *self.transition.shape)
        u = inputs[:, :, None]
        a, b, c = self.transition, self.drive, self.read
        if len(a) == 1:
            after = self.memory.round_down(sum_of_products((a[0], parts[:, 0]), (b[0], u)))[:, None]
        else:
            real, imaginary = parts[:, 0], parts[:, 1]
            re = self.memory.round_down(sum_of_products((a[0], real), (-a[1], imaginary), (b[0], u)))
            im = self.memory.round_down(sum_of_products((a[1], real), (a[0], imaginary), (b[1], u)))
            after = np.stack([re, im], axis=1)
        # The real part of c s' is c_re s'_re - c_im s'_im, added up over the states of each input.
        signs = (1, -1)[: len(a)]
        places = range(a.shape[2])
        terms = [(sign * c[p, :, n], after[:, p, :, n]) for p, sign in enumerate(signs) for n in places]
        y = self.precision.round_down(sum_of_products(*terms, (self.skip, inputs)))
        return after.reshape(len(states), -1), self.mixing(apply(self.activation, self.precision, y))


def _parts(array: Array, is_complex: bool) -> Array:
    """The real part, and the imaginary part if there is one, as an array of shape (parts, inputs, states)."""
    return np.stack([array.real, array.imag] if is_complex else [array])


class DiagonalStateSpace(RecurrentStack):
    """A diagonal state space, S4D or DSS, of one or more layers, see :class:`DiagonalLayer`.

    >>> DiagonalStateSpace.random("ab", width=2, states=3, precision=8, seed=0).state_bits  # 2 * 3 complex numbers
    96
    """

    layer_kind: ClassVar[Any] = DiagonalLayer
