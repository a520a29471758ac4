"""A model in float64: its arithmetic, the layouts of its tensors, its scores, and the exact model of p bits.

An array of float64 is an :class:`~ccsim.arithmetic.Enclosure` here, of a single point. Its results decide nothing.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt, sqrt
from typing import Any

import numpy as np

from ccsim import lazy
from ccsim.arithmetic import FUNCTIONS, Enclosure, Precision, float_product
from ccsim.errors import Array, InputError, require_integer, require_memory
from ccsim.models.affine import Affine, Dense, Tokenwise
from ccsim.models.attention import AttentionUnit, MultiHeadAttention
from ccsim.models.block import Block, LayerNorm, Norms
from ccsim.models.files.description import Description, Tensors
from ccsim.models.model import SequenceModel, score_of_each
from ccsim.models.recurrent import RecurrentStack, Sizes
from ccsim.models.recurrent_cells import GRU, LSTM, DiagonalStateSpace, Elman, LinearAttention, SelectiveStateSpace
from ccsim.models.transformer import OneLayerTransformer

scipy = lazy.load("scipy")


FLOAT_FUNCTIONS: Mapping[str, Callable[[Array], Array]] = {
    "identity": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "sign": np.sign,
    "threshold": lambda x: (x > 0).astype(np.float64),
    "exp": np.exp,
    "elu_plus_one": lambda x: np.exp(np.minimum(x, 0)) + np.maximum(x, 0),
    "sigmoid": lambda x: scipy.special.expit(x),  # noqa: PLW0108 - loads SciPy when it is used
    "tanh": np.tanh,
    "softplus": lambda x: np.logaddexp(0, x),
    "silu": lambda x: x * scipy.special.expit(x),
    "gelu": lambda x: x * scipy.special.ndtr(x),
    "gelu_tanh": lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
    "sin": np.sin,
    "cos": np.cos,
}
"""By the names of :data:`ccsim.arithmetic.FUNCTIONS`, where models use them."""


class Reals(Enclosure, np.ndarray):
    """An array of float64 on which the exact operations are the ordinary ones."""

    __array_priority__ = 1.0  # so that joined to integers it stays what it is

    def matmul(self, weights: Any) -> Array:
        return float_product(np.asarray(self), np.asarray(weights)).view(Reals)

    def plus_product(self, pairs: tuple[tuple[Any, Any], ...]) -> Array:
        return np.asanyarray(sum(one * two for one, two in pairs))

    def weighted_mean(self, scale: int, share: Any, one: Any, two: Any) -> Array:
        return np.asanyarray((scale - share) * one + share * two)

    def floor_divided(self, divisor: Any) -> Array:
        return np.asanyarray(self / divisor)

    def saturated(self, low: int, high: int) -> Array:
        return self

    def mapped(self, function: Callable[[Any], Any], name: str, argument: Any, result: Any) -> Array:
        return np.asarray(FLOAT_FUNCTIONS[name](np.asarray(self))).view(Reals)


class _Unrounded(Precision):
    def quantise(self, values: Any, argument: str = "values", *, saturate: bool = False) -> Array:
        return np.asarray(values, dtype=np.float64).view(Reals)

    def require(self, mantissas: Any, argument: str = "mantissas") -> Array:
        array = np.asarray(mantissas)
        return array if array.dtype.kind == "i" else self.quantise(array)


REAL = _Unrounded(1, 0, 0)


Named = Mapping[str, Any]  # arrays by name; and settings, which are never rounded


@dataclass(frozen=True, eq=False, kw_only=True)
class FloatModel:
    scores: Array
    bias: Array
    threshold: float = 0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class FloatRecurrent(FloatModel):
    """Each layer's arrays are named and laid out as the ``from_arrays`` of its kind takes them."""

    kind: str
    embedding: Array
    layers: tuple[Named, ...]
    activation: str | None
    residual: bool


Linear = tuple[Array, Array]  # weights (inputs, outputs) and a bias (outputs,)


@dataclass(frozen=True, eq=False, kw_only=True)
class FloatTransformer(FloatModel):
    """One layer: ``tokens`` (symbols, width), ``positions`` (N, width), and weights (heads, width, head width)."""

    tokens: Array
    positions: Array
    query: Linear
    key: Linear
    value: Linear
    output: Linear
    inner: tuple[tuple[Linear, str], ...]
    norms: Mapping[str, Linear]
    epsilon: float


def embedding_of(description: Description, tensors: Tensors, usual: str, width: int | None = None) -> Array:
    name = description.embedding
    if name == "one-hot":
        count = len(description.tokens)
        if width not in (None, count):
            raise InputError("tokens", count, f"{width} ids, as many as the first layer has inputs")
        require_memory(BYTES_OF_A_NUMBER * len(description.ids) * count, "the vectors of the symbols")
        return np.asarray(np.array(description.ids)[:, None] == np.arange(count), dtype=np.float64)
    return tensors.take(name or description.prefix + usual, None, width, rows=description.ids)


def scores_of(description: Description, tensors: Tensors, width: int) -> tuple[Array, Array]:
    """Weights (answers, width) and bias; a single row of two answers is the second above a threshold."""
    read_out, answers = description.read_out, len(description.answers)
    weight = tensors.take(read_out.weight, None, width, rows=read_out.rows)
    bias = np.zeros(len(weight))
    if read_out.bias is not None:
        bias = tensors.take(read_out.bias, len(tensors[read_out.weight]), rows=read_out.rows)
    if len(weight) != answers and (len(weight), answers) != (1, 2):
        raise InputError(f"tensor {read_out.weight!r}", len(weight), f"{answers} rows, one for each answer")
    return weight, bias


@dataclass(frozen=True)
class Layout:
    """How files keep the layers of a recurrent architecture.

    ``tensors`` has for each array its tensor behind the prefix, with {} for the layer, and its axes. ``optional`` is a
    pattern of arrays that are 0 if they are missing, ``refused`` one of tensors, and what was expected.
    """

    model: type[RecurrentStack]
    tensors: Mapping[str, tuple[str, str]]
    optional: str = "bias|skip"
    made: Callable[[dict[str, Array]], Named] = dict
    refused: tuple[str, str] | None = None
    activation: str | None = None


def recurrent_parts(description: Description, tensors: Tensors) -> FloatRecurrent:
    """The layers of a recurrent model, by its row of :data:`LAYOUTS`; no second direction, and no projection."""
    layout = LAYOUTS[description.architecture]
    layers: list[str] = list(description.layers)
    if description.convention == "pytorch":
        numbers, name = map(str, itertools.count()), f"{description.prefix}weight_ih_l"
        layers = list(itertools.takewhile(lambda number: number == "0" or name + number in tensors, numbers))
    read = [_layer_of(layout, description, tensors, layer) for layer in layers]
    for ((_, before), (_, sizes)), layer in zip(itertools.pairwise(read), layers[1:], strict=True):
        inputs, outputs = sizes["inputs"], before["outputs"]
        if inputs != outputs:
            raise InputError(f"layer {layer!r}", inputs, f"{outputs} inputs, as the layer before has outputs")
    embedding = embedding_of(description, tensors, "embedding.weight", read[0][1]["inputs"])
    scores, bias = scores_of(description, tensors, read[-1][1]["outputs"])
    return FloatRecurrent(
        kind=description.architecture,
        embedding=embedding,
        layers=tuple(layer for layer, _ in read),
        activation=description.activation or layout.activation,
        residual=description.residual,
        scores=scores,
        bias=bias,
    )


def _layer_of(layout: Layout, description: Description, tensors: Tensors, layer: str) -> tuple[Named, Sizes]:
    prefix = description.prefix + ("" if description.convention == "pytorch" else layer)
    if layout.refused is not None:
        pattern, expected = layout.refused
        for name in tensors:
            if name.startswith(prefix) and re.search(pattern, name.removeprefix(prefix)):
                raise InputError(f"tensor {name!r}", tensors[name].shape, expected)
    sizes, arrays = Sizes(), dict[str, Any]()
    for array, (tensor, axes) in layout.tensors.items():
        name, plain = description.prefix + tensor.format(layer), axes.removeprefix("parts ")
        if name not in tensors and re.search(layout.optional, array):
            arrays[array] = np.zeros(sizes.shape(plain))
            continue
        halves = plain != axes and f"{name}_real" in tensors
        read = tensors.take(f"{name}_real" if halves else name, *(None,) * len(plain.split()))
        sizes.fit(f"tensor {name!r}", read.shape, plain)
        arrays[array] = read + 1j * tensors.take(f"{name}_imag", *read.shape) if halves else read
    return layout.made(arrays), sizes


def _mamba(arrays: dict[str, Array]) -> Named:
    rank, states = arrays["steps"].shape[1], arrays["decay"].shape[1]
    inner = arrays["inner"]
    return {
        "entrance": arrays["entrance"],
        "kernel": arrays["kernel"][:, 0],
        "kernel_bias": arrays["kernel_bias"],
        "steps": arrays["steps"] @ inner[:rank],
        "steps_bias": arrays["steps_bias"],
        "drive": inner[rank : rank + states],
        "read": inner[rank + states :],
        "decay": -np.exp(arrays["decay"]),
        "skip": arrays["skip"],
        "output": arrays["output"],
    }


def _as_cell(model: type[RecurrentStack], name: str) -> Mapping[str, tuple[str, str]]:
    return {array: (name.format(array), axes) for array, axes in model.layer_kind.cell.axes.items()}


def _gated(model: type[RecurrentStack]) -> Layout:
    one = "a network that reads in one direction and has no projection"
    return Layout(model, _as_cell(model, "{}_l{{}}"), refused=(r"(_reverse|weight_hr_l\d+)$", one))


LAYOUTS: Mapping[str, Layout] = {
    "elman": _gated(Elman),
    "lstm": _gated(LSTM),
    "gru": _gated(GRU),
    "diagonal": Layout(DiagonalStateSpace, _as_cell(DiagonalStateSpace, "{{}}{}"), activation="gelu"),
    "mamba": Layout(
        SelectiveStateSpace,
        {
            "decay": ("{}A_log", "channels states"),
            "entrance": ("{}in_proj.weight", "2channels inputs"),
            "steps": ("{}dt_proj.weight", "channels rank"),
            "inner": ("{}x_proj.weight", "rank+2states channels"),
            "kernel": ("{}conv1d.weight", "channels 1 window"),
            "output": ("{}out_proj.weight", "outputs channels"),
            "kernel_bias": ("{}conv1d.bias", "channels"),
            "steps_bias": ("{}dt_proj.bias", "channels"),
            "skip": ("{}D", "channels"),
        },
        "kernel_bias",
        _mamba,
        ("norm", "a block without a norm in it; a whole network of Mamba is run as a module (--module)"),
    ),
    "linear-attention": Layout(LinearAttention, _as_cell(LinearAttention, "{{}}{}"), activation="elu_plus_one"),
}
"""For each recurrent architecture what is where; ``mamba`` has the tensors of Gu and Dao 2023 without a norm."""


NAMES = {
    "tokens": ("wte.weight", "embedding.weight"),
    "joint": ("h.0.attn.c_attn.", "layers.0.self_attn.in_proj_"),
    "output": ("h.0.attn.c_proj.", "layers.0.self_attn.out_proj."),
    "first": ("h.0.mlp.c_fc.", "layers.0.linear1."),
    "second": ("h.0.mlp.c_proj.", "layers.0.linear2."),
    "attention norm": ("h.0.ln_1.", "layers.0.norm1."),
    "tokenwise norm": ("h.0.ln_2.", "layers.0.norm2."),
    "last norm": ("ln_f.", "norm."),
}
"""Names behind the prefix, up to ``weight`` and ``bias``, of GPT-2 and of ``nn.TransformerEncoder``.

``joint`` is the map to the queries, keys and values of all heads, ``first`` and ``second`` are those after attention.
"""

MASKS = re.compile(r"\.attn\.(bias|masked_bias)$")  # buffers for attention that looks back only


def attention_parts(description: Description, tensors: Tensors, length: int | None) -> FloatTransformer:
    """The transformer with one layer, for words of ``length`` symbols: GPT-2 of Hugging Face, nanoGPT, or PyTorch's.

    Of PyTorch's the tensors do not determine the embeddings, the place of the norms, nor the activation: the
    description names them. A second layer is refused, as there is no such bound for two (Bhattamishra, Hahn, Blunsom
    and Kanade 2024, lemma 5).
    """
    length = require_integer("length", description.length if length is None else length, low=1)
    for name in tensors:
        if re.search(r"(^|\.)(h|layers)\.[1-9]\d*\.", name):
            raise InputError(f"tensor {name!r}", tensors[name].shape, "a transformer of one layer")
    tensors.known |= {name for name in tensors if MASKS.search(name)}
    if not description.prefix and "wte.weight" not in tensors and "transformer.wte.weight" in tensors:
        description = replace(description, prefix="transformer.")
    torch, names = description.convention == "pytorch", _names(description, tensors)
    turned = description.convention != "huggingface"  # matrices are kept as (outputs, inputs)

    def linear(part: str, inputs: int, outputs: int | None) -> Linear:
        weight = tensors.take(f"{names[part]}weight", *((outputs, inputs) if turned else (inputs, outputs)))
        weight = weight.T if turned else weight
        return weight, tensors.bias(f"{names[part]}bias", weight.shape[1])

    tokens = embedding_of(description, tensors, NAMES["tokens"][torch])
    width, usual = tokens.shape[1], {"huggingface": "gelu_tanh", "nanogpt": "gelu"}
    activation = description.activation or usual.get(description.convention)
    if activation is None:
        raise InputError("activation", None, "relu, as is usual, or gelu; the tensors do not determine it")
    heads, places = require_integer("heads", description.heads, low=1), _places(description)
    if width % heads:
        raise InputError("heads", heads, f"a divisor of the width {width}")
    joint, output = linear("joint", width, 3 * width), linear("output", width, width)
    inner: tuple[tuple[Linear, str], ...] = ()
    if torch or f"{names['first']}weight" in tensors:
        first = linear("first", width, None)
        inner = (first, activation), (linear("second", len(first[1]), width), "identity")
    norms = {}
    for place, part in (*zip(places, ("attention norm", "tokenwise norm"), strict=True), ("last", "last norm")):
        there = f"{names[part]}weight" in tensors or (torch and place != "last")
        if there and (inner or place != "before_tokenwise"):
            norms[place] = tensors.take(f"{names[part]}weight", width), tensors.bias(f"{names[part]}bias", width)
    scores, bias = scores_of(description, tensors, width)
    query, key, value = (
        (np.moveaxis(weights.reshape(width, heads, -1), 1, 0), biases.reshape(heads, -1))
        for weights, biases in zip(*(np.split(part, 3, axis=-1) for part in joint), strict=True)
    )
    return FloatTransformer(
        tokens=tokens,
        positions=_positions(description, tensors, length, width),
        query=query,
        key=key,
        value=value,
        output=output,
        inner=inner,
        norms=norms,
        epsilon=description.epsilon,
        scores=scores,
        bias=bias,
    )


def _names(description: Description, tensors: Tensors) -> dict[str, str]:
    torch, prefix = description.convention == "pytorch", description.prefix
    names = {part: prefix + both[torch] for part, both in NAMES.items()}
    if torch and not any(name.startswith(f"{prefix}layers.0.") for name in tensors):  # of a layer alone
        names = {part: name.replace(f"{prefix}layers.0.", prefix) for part, name in names.items()}
    return names


def _places(description: Description) -> tuple[str, str]:
    first = description.options.get("norm_first", "missing") if description.convention == "pytorch" else True
    if not isinstance(first, bool):
        raise InputError("options.norm_first", first, "true or false, as the layer was made")
    return ("before_attention", "before_tokenwise") if first else ("after_attention", "after_tokenwise")


def _positions(description: Description, tensors: Tensors, length: int, width: int) -> Array:
    name = description.positions if description.convention == "pytorch" else f"{description.prefix}wpe.weight"
    if name is None:
        raise InputError("positions", None, "the tensor that is added at each position, or none")
    if name == "none":
        require_memory(BYTES_OF_A_NUMBER * length * width, f"the vectors of {length} positions")
        return np.zeros((length, width))
    axes = tensors[name].shape[:-1] if name in tensors else ()
    table = tensors.take(name, *(None,) * (2 if len(axes) == 2 else 1), width)
    if len(axes) == 2 and 1 not in axes:
        raise InputError(f"tensor {name!r}", table.shape, "a row for each position")
    table = table.reshape(-1, width)
    if len(table) < length:
        raise InputError(f"tensor {name!r}", len(table), f"a row for each of {length} positions")
    return table[:length]


def _attention_scores(parts: FloatTransformer, words: Array) -> Array:
    stream = parts.tokens[words] + parts.positions
    rows = _normed(parts, "before_attention", stream)
    query = np.einsum("bm,hmd->bhd", rows[:, -1], parts.query[0]) + parts.query[1]
    key, value = (np.einsum("bnm,hmd->bhnd", rows, matrix) + bias[:, None] for matrix, bias in (parts.key, parts.value))
    logits = np.einsum("bhd,bhnd->bhn", query, key) * (1 / sqrt(query.shape[2]))
    weights = np.exp(logits - logits.max(axis=2, keepdims=True))
    weights /= weights.sum(axis=2, keepdims=True)
    heads = np.einsum("bhn,bhnd->bhd", weights, value).reshape(len(rows), -1)
    last = _normed(parts, "after_attention", stream[:, -1] + (heads @ parts.output[0] + parts.output[1]))
    if parts.inner:
        hidden = _normed(parts, "before_tokenwise", last)
        for (weight, bias), activation in parts.inner:
            hidden = FLOAT_FUNCTIONS[activation](hidden @ weight + bias)
        last = last + hidden
    return np.asarray(_normed(parts, "last", _normed(parts, "after_tokenwise", last)) @ parts.scores.T + parts.bias)


def _normed(parts: FloatTransformer, place: str, rows: Array) -> Array:
    if place not in parts.norms:
        return rows
    gain, bias = parts.norms[place]
    centred = rows - rows.mean(axis=-1, keepdims=True)
    scaled = centred / np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + parts.epsilon)
    return np.asarray(scaled * gain + bias)


def float_scores(parts: FloatModel, words: Array) -> Array:
    """The read-out (batch, answers), or one score of two answers, of words of ranks (batch, N), in float64."""
    with np.errstate(all="ignore"):  # what is beyond the range is infinite or NaN, and no warning
        if isinstance(parts, FloatTransformer):
            return _attention_scores(parts, words)
        assert isinstance(parts, FloatRecurrent)
        model = _stack(parts, REAL, range(len(parts.embedding)), range(len(parts.bias)))
        states = REAL.quantise(np.repeat(model.start()[None], len(words), axis=0))
        outputs = np.zeros((len(words), 0))
        for symbols in words.T:
            states, outputs = model._pass(states, symbols)
        return np.asarray(model.scores(outputs))


SQUARE_BITS = 32
BYTES_OF_A_NUMBER = 64  # here, rounded, and what is made of both in between


class Quantiser:
    """Rounds arrays down to a precision, and counts the numbers that it moved to an end of the range."""

    def __init__(self, precision: Precision, saturate: bool) -> None:
        self.precision, self.saturate, self.saturated = precision, saturate, 0

    def mantissas(self, name: str, values: Array) -> Array:
        if self.saturate:
            self.saturated += int(self.out_of_range(values).sum())
        return self.precision.quantise(values, name, saturate=self.saturate)

    def out_of_range(self, values: Array) -> Array:
        low = Fraction(self.precision.low, self.precision.scale)
        high = Fraction(self.precision.high + 1, self.precision.scale)
        return np.asarray((values < float(low)) | (values >= float(high)))

    def numbers(self, name: str, values: Array) -> Array:
        """Real numbers that the precision holds exactly, so that quantising them again changes nothing."""
        if np.iscomplexobj(values):
            real, imaginary = self.numbers(name, values.real), self.numbers(name, values.imag)
            return np.asarray(real + 1j * imaginary)
        mantissas = self.mantissas(name, values)
        scale = self.precision.scale
        if scale & (scale - 1) == 0 and self.precision.bits <= 53:
            return self.precision.floats(mantissas)
        return self.precision.fractions(mantissas)

    def linear(self, name: str, weights: Array, bias: Array) -> Affine:
        return Affine(self.precision, self.mantissas(name, weights), self.mantissas(f"bias of {name}", bias))


def quantised_model(parts: FloatModel, description: Description, quantiser: Quantiser, name: str) -> SequenceModel:
    if isinstance(parts, FloatTransformer):
        return _transformer(parts, description, quantiser, name)
    assert isinstance(parts, FloatRecurrent)
    if parts.activation is not None and parts.activation not in FUNCTIONS:
        raise InputError("activation", parts.activation, f"one of {', '.join(FUNCTIONS)}")
    answers = len(description.answers)
    layers = [
        {part: quantiser.numbers(f"{part} of layer {place}", array) for part, array in layer.items()}
        for place, layer in enumerate(parts.layers)
    ]
    if parts.kind in ("elman", "lstm"):
        layers = [_moved_together(*pair, quantiser) for pair in zip(parts.layers, layers, strict=True)]
    rounded = replace(
        parts,
        embedding=quantiser.numbers("embedding", parts.embedding),
        layers=tuple(layers),
        scores=quantiser.numbers("read-out", score_of_each(parts.scores.T, answers).T),
        bias=quantiser.numbers("bias of read-out", score_of_each(parts.bias, answers, parts.threshold)),
    )
    symbols = description.alphabet
    return _stack(rounded, quantiser.precision, symbols, description.answers, description.memory, name)


def _stack(
    parts: FloatRecurrent,
    precision: Precision,
    alphabet: Iterable[Hashable],
    answers: Iterable[Hashable],
    memory: int | None = None,
    name: str = "float64",
) -> RecurrentStack:
    model = LAYOUTS[parts.kind].model
    given = {"memory": memory, "activation": parts.activation, "feature": parts.activation}
    chosen = {option: given[option] for option in model.layer_kind.options()}
    built: RecurrentStack = model.from_arrays(
        alphabet,
        precision=precision,
        embedding=parts.embedding,
        layers=[model.layer_kind.from_arrays(precision, **layer, **chosen) for layer in parts.layers],
        scores=parts.scores,
        scores_bias=parts.bias,
        answers=answers,
        residual=parts.residual,
        name=name,
    )
    return built


def _moved_together(given: Mapping[str, Any], layer: dict[str, Any], quantiser: Quantiser) -> dict[str, Any]:
    """Moves ``bias_hh`` where the sum of both biases is out of range; counts it unless it was moved already."""
    first, second = layer.get("bias_ih"), layer.get("bias_hh")
    if not quantiser.saturate or first is None or second is None:
        return layer
    precision, total = quantiser.precision, first + second
    low, high = Fraction(precision.low, precision.scale), Fraction(precision.high, precision.scale)
    bounds: tuple[Any, Any] = (float(low), float(high)) if total.dtype.kind == "f" else (low, high)
    moved = np.minimum(np.maximum(total, bounds[0]), bounds[1])
    quantiser.saturated += int(((moved != total) & ~quantiser.out_of_range(given["bias_hh"])).sum())
    return {**layer, "bias_hh": moved - first}


def logit_scale(key_width: int) -> Fraction:
    """1 / sqrt(key width), exact if that is rational, else rounded down to steps of 2^-32."""
    root = isqrt(key_width)
    if root * root == key_width:
        return Fraction(1, root)
    return Fraction(isqrt((1 << 2 * SQUARE_BITS) // key_width), 1 << SQUARE_BITS)


def _transformer(parts: FloatTransformer, description: Description, quantiser: Quantiser, name: str) -> SequenceModel:
    precision, answers = quantiser.precision, len(description.answers)
    maps = [
        [quantiser.linear(f"{what} of head {head}", *pair) for head, pair in enumerate(zip(*pairs, strict=True))]
        for what, pairs in (("queries", parts.query), ("keys", parts.key), ("values", parts.value))
    ]
    factor = logit_scale(maps[0][0].outputs)
    units = [AttentionUnit(precision, q, k, v, logit_scale=factor) for q, k, v in zip(*maps, strict=True)]
    output = quantiser.linear("output of the heads", *parts.output)
    norms = {
        place: LayerNorm(
            precision,
            quantiser.mantissas(f"gain of the norm {place}", gain),
            quantiser.mantissas(f"bias of the norm {place}", bias),
            Fraction(parts.epsilon),
        )
        for place, (gain, bias) in parts.norms.items()
    }
    inner = tuple(
        Dense(quantiser.linear(f"inner layer {place}", *pair), activation)
        for place, (pair, activation) in enumerate(parts.inner)
    )
    tokenwise = Tokenwise(precision, output.outputs, inner) if inner else None
    return OneLayerTransformer(
        name=name,
        alphabet=description.alphabet,
        answers=description.answers,
        token_embedding=quantiser.mantissas("token embedding", parts.tokens),
        position_embedding=quantiser.mantissas("position embedding", parts.positions),
        blocks=(Block(MultiHeadAttention(tuple(units), output), tokenwise, Norms(**norms)),),
        read_out=quantiser.linear(
            "read-out", score_of_each(parts.scores.T, answers), score_of_each(parts.bias, answers, parts.threshold)
        ),
    )
