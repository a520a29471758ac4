"""The kinds of recurrent cells, each step written once for every arithmetic.

A new kind is a step, a layer with its :class:`~ccsim.models.recurrent.RecurrentCell`, and a model of such layers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from ccsim.arithmetic import Precision, exact_matmul, exponential, floor_divide, sum_of_products, weighted_mean
from ccsim.errors import Array, InputError
from ccsim.models.affine import Affine
from ccsim.models.recurrent import Draft, RecurrentCell, RecurrentLayer, RecurrentStack, Sizes, State, apply


def _elman(layer: Any, state: State, x: Array) -> tuple[State, Array]:
    h = apply(layer.activation, layer.precision, layer.affine(np.concatenate([x, *state], axis=1)))
    return (h,), h


@dataclass(frozen=True, eq=False)
class ElmanLayer(RecurrentLayer):
    """h' = f(W x + U h + b): carries h, which is also what it puts out.

    Rounded down once before f and once by it. Weights are given as in PyTorch's RNN: ``weight_ih`` (width, inputs),
    ``weight_hh`` (width, width), and biases (width,).

    Attributes:
        affine: from (x, h) to the argument of f.
        activation: f, one of :data:`ccsim.arithmetic.FUNCTIONS`.
    """

    affine: Affine
    activation: str = "tanh"

    cell: ClassVar = RecurrentCell(
        _elman,
        {"affine": "outputs inputs+outputs"},
        numbers=("outputs",),
        given={"affine": ("weight_ih", "weight_hh")},
        drawn={"affine": ""},
    )


class Elman(RecurrentStack):
    """A simple recurrent network (Elman 1990) of one or more layers, see :class:`ElmanLayer`.

    >>> model = Elman.random("ab", width=2, precision=8, seed=0)
    >>> model.state_bits, model("abba") in model.answers
    (16, True)
    """

    layer_kind: ClassVar[Any] = ElmanLayer


def _lstm(layer: Any, state: State, x: Array) -> tuple[State, Array]:
    h, c = state
    arguments = np.split(layer.gates(np.concatenate([x, h], axis=1)), 4, axis=1)
    names = ("sigmoid", "sigmoid", "tanh", "sigmoid")
    i, f, g, o = (apply(name, layer.precision, one) for name, one in zip(names, arguments, strict=True))
    c = layer.memory.round_down(sum_of_products((f, c), (i, g)))
    h = layer.precision.round_down(sum_of_products((o, apply("tanh", layer.memory, c, layer.precision))))
    return (h, c), h


@dataclass(frozen=True, eq=False)
class LSTMLayer(RecurrentLayer):
    """Gates i, f, o by sigmoid and g by tanh of W x + U h + b; c' = f c + i g and h' = o tanh(c').

    Carries h and then c; puts out h'. The argument of each gate is rounded down once, each gate once, f c + i g once
    (to the precision of c), tanh(c') once, and h' once. Weights are given as in PyTorch's LSTM: ``weight_ih``
    (4 width, inputs), ``weight_hh`` (4 width, width), and biases (4 width,), gates in the order i, f, g, o.

    Attributes:
        gates: from (x, h) to the arguments of i, f, g, o, in PyTorch's order.
        memory: the precision of c, with the same steps as that of h; or so many bits, or None if it is the same.
    """

    gates: Affine
    memory: int | Precision | None = None

    cell: ClassVar = RecurrentCell(
        _lstm,
        {"gates": "4outputs inputs+outputs"},
        numbers=("outputs",),
        memory=("outputs",),
        given={"gates": ("weight_ih", "weight_hh")},
        drawn={"gates": ""},
    )


class LSTM(RecurrentStack):
    """Long short-term memory (Hochreiter and Schmidhuber 1997) of one or more layers, see :class:`LSTMLayer`.

    >>> LSTM.random("ab", width=2, layers=3, precision=8, seed=0).state_bits  # h and c of two units in three layers
    96
    """

    layer_kind: ClassVar[Any] = LSTMLayer


def _gru(layer: Any, state: State, x: Array) -> tuple[State, Array]:
    precision, (h,) = layer.precision, state
    (a_r, a_z, a_n), (d_r, d_z, d_n) = (
        np.split(part, 3, axis=1) for part in (layer.input_gates(x), layer.hidden_gates(h))
    )
    r, z = (apply("sigmoid", precision, precision.saturate(part)) for part in (a_r + d_r, a_z + d_z))
    n = apply("tanh", precision, precision.round_down(sum_of_products((a_n, precision.scale), (r, d_n))))
    h = precision.round_down(weighted_mean(precision.scale, z, n, h))
    return (h,), h


@dataclass(frozen=True, eq=False)
class GRULayer(RecurrentLayer):
    """Carries and puts out h' = (1 - z) n + z h, by PyTorch's formulas.

    With (r, z, n) parts a = W x + b and d = U h + e, each rounded down once: r = sigmoid(a_r + d_r),
    z = sigmoid(a_z + d_z), n = tanh((a_n + r d_n) rounded down once), and h' is rounded down once. Weights are given as
    in PyTorch's GRU: ``weight_ih`` (3 width, inputs), ``weight_hh`` (3 width, width), and biases (3 width,).

    Attributes:
        input_gates, hidden_gates: from x to a and from h to d, in PyTorch's order r, z, n.
    """

    input_gates: Affine
    hidden_gates: Affine

    cell: ClassVar = RecurrentCell(
        _gru,
        {"input_gates": "3outputs inputs", "hidden_gates": "3outputs outputs"},
        numbers=("outputs",),
        given={"input_gates": ("weight_ih",), "hidden_gates": ("weight_hh",)},
        drawn={"input_gates": "input", "hidden_gates": "hidden"},
    )


class GRU(RecurrentStack):
    """Gated recurrent units (Cho et al. 2014) of one or more layers, see :class:`GRULayer`.

    >>> GRU.random("ab", width=2, precision=8, seed=0).state_bits
    16
    """

    layer_kind: ClassVar[Any] = GRULayer


def _diagonal(layer: Any, state: State, x: Array) -> tuple[State, Array]:
    a, b, c, (s,), u = layer.transition, layer.drive, layer.read, state, x[:, :, None]
    real, imaginary = s[:, 0], s[:, -1]
    sums: list[tuple[Any, ...]] = [((a[0], real), (b[0], u))]
    if len(a) == 2:
        sums = [((a[0], real), (-a[1], imaginary), (b[0], u)), ((a[1], real), (a[0], imaginary), (b[1], u))]
    after = np.stack([layer.memory.round_down(sum_of_products(*pairs)) for pairs in sums], axis=1)
    # The real part of c s' is c_re s'_re - c_im s'_im, added up over the states of each input.
    terms = [
        (sign * c[part, :, n], after[:, part, :, n])
        for part, sign in enumerate((1, -1)[: len(a)])
        for n in range(c.shape[2])
    ]
    y = layer.precision.round_down(sum_of_products(*terms, (layer.skip, x)))
    return (after,), layer.mixing(apply(layer.activation, layer.precision, y))


@dataclass(frozen=True, eq=False)
class DiagonalLayer(RecurrentLayer):
    """s' = a s + b u for each of some numbers s of each input u, and y = real part of the sum of c s', plus d u.

    What is put out is the mixing map of f(y). Carries s, real and imaginary parts if a, b or c is complex. The
    parameters are those of the discrete recurrence. Each part of a s + b u is rounded down once, as an exact sum; y
    once, f once, the mixing map once. Real numbers a, b and c are given in the shape (inputs, states).

    Attributes:
        transition, drive, read: a, b, c: mantissas, shape (parts, inputs, states) with one part if all is real, or the
            real and the imaginary part.
        skip: d: mantissas, shape (inputs,).
        mixing: from f(y) to what is put out.
        memory: the precision of s, with the steps of all other numbers; or so many bits, or None if it is the same.
        activation: f, one of :data:`ccsim.arithmetic.FUNCTIONS`.
    """

    transition: Array
    drive: Array
    read: Array
    skip: Array
    mixing: Affine
    memory: int | Precision | None = None
    activation: str = "gelu"

    cell: ClassVar = RecurrentCell(
        _diagonal,
        {"mixing": "outputs inputs"},
        {**dict.fromkeys(("transition", "drive", "read"), "parts inputs states"), "skip": "inputs"},
        memory=("parts inputs states",),
        sizes={"states": 1, "parts": 2},
    )

    def __post_init__(self) -> None:
        shape = np.shape(self.transition)
        if len(shape) != 3 or shape[0] not in (1, 2):
            raise InputError("transition", shape, "an array of shape (1 or 2 parts, inputs, states)")
        super().__post_init__()

    @classmethod
    def separated(cls, arrays: Mapping[str, Any]) -> Mapping[str, Any]:
        """The same with an axis of real and imaginary parts, if one array of the recurrence is complex."""
        given = {name: np.asarray(arrays[name]) for name in ("transition", "drive", "read")}
        parts = 1 + any(map(np.iscomplexobj, given.values()))
        return {**arrays, **{name: np.stack([one.real, one.imag][:parts]) for name, one in given.items()}}

    @classmethod
    def random(cls, draft: Draft, real: bool = False, **options: Any) -> Self:
        """Random weights, with ``states`` numbers for each input; each part of a is at most 0.7 in magnitude."""
        return super().random(draft, parts=1 if real else 2, **options)

    @classmethod
    def drawn(cls, draft: Draft, name: str, shape: tuple[int, ...], sizes: Sizes) -> Array:
        """The transition in its range; what is read has so many numbers that are added up."""
        if name == "transition":
            end = draft.precision.scale if sizes["parts"] == 1 else 7 * draft.precision.scale // 10
            return draft.mantissas(name, shape, -end, end)
        return draft.matrix(name, shape, sizes["parts"] * sizes["states"] if name == "read" else 3)


class DiagonalStateSpace(RecurrentStack):
    """A diagonal state space, S4D (Gu, Gupta, Goel and Ré 2022) or DSS (Gupta, Gu and Berant 2022).

    >>> DiagonalStateSpace.random("ab", width=2, states=3, precision=8, seed=0).state_bits  # 2 * 3 complex numbers
    96
    """

    layer_kind: ClassVar[Any] = DiagonalLayer


def _selective(layer: Any, state: State, x: Array) -> tuple[State, Array]:
    precision, (carried, s) = layer.precision, state
    inner, gate = np.split(layer.entrance(x), 2, axis=1)
    held = np.concatenate([carried, inner[:, None]], axis=1)
    window = [(held[:, place], layer.kernel[:, place]) for place in range(held.shape[1])]
    total = sum_of_products(*window, (layer.kernel_bias, precision.scale))
    u = apply("silu", precision, precision.round_down(total))
    delta = apply("softplus", precision, layer.steps(u))
    decay = floor_divide(sum_of_products((delta[:, :, None], layer.decay)), precision.scale)
    driven = precision.round_down(sum_of_products((delta, u)))[:, :, None]
    pairs = (exponential(precision)(decay), s), (layer.drive(u)[:, None, :], driven)
    s, read = layer.memory.round_down(sum_of_products(*pairs)), layer.read(u)
    terms = [(read[:, n, None], s[:, :, n]) for n in range(s.shape[2])]
    y = precision.round_down(sum_of_products(*terms, (layer.skip, u)))
    gated = precision.round_down(sum_of_products((y, apply("silu", precision, gate))))
    return (held[:, 1:], s), layer.output(gated)


@dataclass(frozen=True, eq=False)
class SelectiveLayer(RecurrentLayer):
    """Mamba's block: a short convolution, then a diagonal state space whose step, drive and read depend on the input.

    In this order, each rounded down once unless two roundings are named:

    - x and g are maps of the input, u = silu(convolution of x over this and the last few positions, plus a bias);
    - delta = softplus(a map of u), B and C are maps of u;
    - s' = exp(delta A) s + B (delta u) for each of the numbers s of each channel (delta A, its exp, delta u, and the
      exact sum are rounded);
    - y = the exact sum of C s' and D u; what is put out is the output map of y silu(g) (silu and the product).

    Carries the last inputs x of the convolution, one fewer than its window is long, the oldest first; then s, channel
    by channel.

    Attributes:
        entrance: from the input to (x, g), side by side.
        kernel: mantissas, shape (channels, positions), the last one for this position, as PyTorch keeps it.
        kernel_bias, skip: mantissas, shape (channels,); the latter is D.
        steps: from u to the argument of softplus, the product of the two matrices that make delta.
        drive, read: from u to B and C.
        decay: A itself, not its logarithm: mantissas of at most 0, shape (channels, states).
        output: from the gated y to what is put out.
        memory: the precision of s, with the steps of all other numbers; or so many bits, or None if it is the same.
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
    memory: int | Precision | None = None

    cell: ClassVar = RecurrentCell(
        _selective,
        {
            "entrance": "2channels inputs",
            "steps": "channels channels",
            "drive": "states channels",
            "read": "states channels",
            "output": "outputs channels",
        },
        {"kernel": "channels window", "kernel_bias": "channels", "decay": "channels states", "skip": "channels"},
        numbers=("window-1 channels",),
        memory=("channels states",),
        sizes={"states": 1, "window": 2, "channels": None},
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.decay.max() > 0:
            raise InputError("decay", float(self.precision.floats(self.decay).max()), "numbers of at most 0")

    @classmethod
    def drawn(cls, draft: Draft, name: str, shape: tuple[int, ...], sizes: Sizes) -> Array:
        """A from -2 to 0; the convolution adds up so many numbers."""
        if name == "decay":
            return draft.mantissas(name, shape, -2 * draft.precision.scale, 0)
        return draft.matrix(name, shape, 3 if name == "skip" else sizes["window"])


class SelectiveStateSpace(RecurrentStack):
    """A selective state space, Mamba's block (Gu and Dao 2023), of one or more layers, see :class:`SelectiveLayer`.

    >>> model = SelectiveStateSpace.random("ab", width=2, states=3, window=4, precision=8, seed=0)
    >>> model.state_bits  # three inputs of two channels, and three numbers in each channel
    96
    """

    layer_kind: ClassVar[Any] = SelectiveLayer


def _linear_attention(layer: Any, state: State, x: Array) -> tuple[State, Array]:
    scale, (sums, total) = layer.precision.scale, state
    key, query = (apply(layer.feature, layer.precision, part(x)) for part in (layer.keys, layer.queries))
    added = sum_of_products((sums, scale), (key[:, :, None], layer.values(x)[:, None, :]))
    sums, total = layer.memory.round_down(added), layer.memory.saturate(total + key)
    above, below = (exact_matmul(query[:, None, :], each)[:, 0, :] for each in (sums, total[:, :, None]))
    quotient = floor_divide(sum_of_products((above, scale)), np.where(below > 0, below, 1))  # 0 only if above is 0
    return (sums, total), layer.output(layer.precision.saturate(quotient))


@dataclass(frozen=True, eq=False)
class LinearAttentionLayer(RecurrentLayer):
    """S' = S + f(k) v^T and z' = z + f(k); puts out the output map of S'^T f(q) / (z'^T f(q)), or 0 if that is 0 / 0.

    Carries the matrix S, row by row, and the vector z. The queries, keys and values of x are rounded down once, f
    once, each term f(k) v^T once, the quotient of exact sums once. Sums of S and z saturate.

    Attributes:
        queries, keys, values: from x to q and k, of the same size, and to v.
        output: from the quotient to what is put out.
        memory: the precision of S and z, with the steps of all other numbers; or bits, or None if it is the same.
        feature: f, one of :data:`ccsim.arithmetic.FUNCTIONS` that is never negative.
    """

    queries: Affine
    keys: Affine
    values: Affine
    output: Affine
    memory: int | Precision | None = None
    feature: str = "elu_plus_one"

    cell: ClassVar = RecurrentCell(
        _linear_attention,
        {
            "queries": "key_width inputs",
            "keys": "key_width inputs",
            "values": "values inputs",
            "output": "outputs values",
        },
        memory=("key_width values", "key_width"),
        sizes={"key_width": None},
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        extremes = np.array([self.precision.low, -1, 0, self.precision.high], dtype=np.int64)
        if apply(self.feature, self.precision, np.maximum(extremes, self.precision.low)).min() < 0:
            raise InputError("feature", self.feature, "a function that is never negative")


class LinearAttention(RecurrentStack):
    """Linear attention (Katharopoulos, Vyas, Pappas and Fleuret 2020), a recurrent model by another name.

    >>> LinearAttention.random("ab", width=2, precision=8, seed=0).state_bits  # S is 2 x 2, z has 2 numbers
    48
    """

    layer_kind: ClassVar[Any] = LinearAttentionLayer
