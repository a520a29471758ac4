"""What an architecture is made of, as float64 arrays in one layout, and how it is found in files of each convention."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.description import Description
from ccsim.models.files.opening import Tensors

Named = Mapping[str, Any]
"""Arrays by name; and settings, which are plain numbers and texts and are never rounded."""


@dataclass(frozen=True, eq=False)
class RecurrentParts:
    """A recurrent model.

    Attributes:
        kind: the architecture.
        embedding: shape (symbols, inputs).
        layers: for each layer its arrays, named and laid out as the ``from_arrays`` of its kind takes them.
        scores: shape (answers, outputs), and ``bias`` of shape (answers,); of two answers perhaps the second's alone.
        bias: see ``scores``.
        activation: of the layers, where they have a choice.
        residual: whether inputs are added to outputs.
        threshold: above which a single score is the second answer.
    """

    kind: str
    embedding: Array
    layers: tuple[Named, ...]
    scores: Array
    bias: Array
    activation: str | None = None
    residual: bool = False
    threshold: float = 0.0


@dataclass(frozen=True, eq=False)
class NormParts:
    """A norm.

    Attributes:
        gain: shape (width,), and ``bias`` too.
        bias: see ``gain``.
    """

    gain: Array
    bias: Array


@dataclass(frozen=True, eq=False)
class LayerParts:
    """A layer of a transformer.

    Attributes:
        query, key, value: shape (heads, width, head width).
        query_bias, key_bias, value_bias: shape (heads, head width).
        output: shape (heads * head width, width), and its bias (width,).
        output_bias: see ``output``.
        inner: the layers after attention: weights (inputs, outputs), bias, activation.
        norms: the norms that there are, by their places in :class:`~ccsim.models.transformer.Norms`.
    """

    query: Array
    key: Array
    value: Array
    query_bias: Array
    key_bias: Array
    value_bias: Array
    output: Array
    output_bias: Array
    inner: tuple[tuple[Array, Array, str], ...]
    norms: Mapping[str, NormParts]

    @property
    def scale(self) -> float:
        """The factor of products of queries and keys."""
        return 1 / sqrt(self.query.shape[2])


@dataclass(frozen=True, eq=False)
class AttentionParts:
    """A transformer of one layer, read out at the last position.

    Attributes:
        tokens: shape (symbols, width).
        positions: shape (N, width).
        layer: between them and the read-out.
        epsilon: of the norms.
        scores: shape (width, answers), and ``bias`` of shape (answers,); of two answers perhaps the second's alone.
        bias: see ``scores``.
        threshold: above which a single score is the second answer.
    """

    tokens: Array
    positions: Array
    layer: LayerParts
    epsilon: float
    scores: Array
    bias: Array
    threshold: float = 0.0


def embedding_of(description: Description, tensors: Tensors, usual: str, width: int | None = None) -> Array:
    """The rows of the embedding that belong to symbols, shape (symbols, width)."""
    name = description.embedding
    if name == "one-hot":
        count = len(description.tokens)
        if width not in (None, count):
            raise InputError("tokens", count, f"{width} ids, as many as the first layer has inputs")
        return np.eye(count)[description.ids]
    name = name or description.prefix + usual
    count = tensors[name].shape[0] if name in tensors and tensors[name].shape else 0
    if 0 < count <= max(description.ids):
        raise InputError("tokens", max(description.ids), f"ids below {count}, the rows of the embedding")
    return tensors.take(name, None, width, rows=description.ids)


def scores_of(description: Description, tensors: Tensors, width: int) -> tuple[Array, Array]:
    """The read-out: weights (answers, width) and bias (answers,).

    Of two answers there may be a single row w: the first answer wins unless w x + b is above a threshold.
    """
    read_out, answers = description.read_out, len(description.answers)
    rows = read_out.rows
    count = tensors[read_out.weight].shape[0] if read_out.weight in tensors and tensors[read_out.weight].shape else 0
    if rows is not None and max(rows, default=-1) >= count > 0:
        raise InputError("read_out.rows", max(rows), f"rows below {count}")
    weight = tensors.take(read_out.weight, None, width, rows=rows)
    bias = np.zeros(len(weight)) if read_out.bias is None else tensors.take(read_out.bias, count, rows=rows)
    if len(weight) != answers and (len(weight), answers) != (1, 2):
        raise InputError(f"tensor {read_out.weight!r}", len(weight), f"{answers} rows, one for each answer")
    return weight, bias


WITH_NORMS = "only blocks of Mamba without norms are read; a whole network is run as a module (--module)"
"""What to say of a norm where only the blocks are read."""


@dataclass(frozen=True)
class Row:
    """Where a convention keeps one array of a layer.

    Attributes:
        array: what the array is called here.
        tensor: the name of the tensor behind the prefix, with {} for the layer: its number or its own prefix.
        shape: its axes, such as ``r+2n``; a name alone gets its size where it comes first.
        how: "zeros" if it may be missing, "complex" if its real and imaginary parts may be two tensors.
    """

    array: str
    tensor: str
    shape: str
    how: str = ""


@dataclass(frozen=True)
class Layout:
    """How a convention keeps the layers of an architecture.

    Attributes:
        rows: what is read, in this order; ``i`` is the inputs, ``o`` the outputs.
        made: the arrays of the layer from what was read.
        refused: a pattern of names that are no part of such a layer, and what was expected.
        activation: the usual one, if a description may choose.
    """

    rows: tuple[Row, ...]
    made: Callable[[dict[str, Array]], Named] = dict
    refused: tuple[str, str] | None = None
    activation: str | None = None


def recurrent_parts(description: Description, tensors: Tensors) -> RecurrentParts:
    """The layers of a recurrent model, as the row of :data:`LAYOUTS` for its convention says.

    Raises :class:`~ccsim.errors.InputError` for shapes that do not fit, and for what is no part of these models, such
    as a second direction or a projection.
    """
    layout = LAYOUTS[description.architecture, description.convention]
    layers: list[str] = list(description.layers)
    if description.convention == "pytorch":
        numbers, name = map(str, itertools.count()), f"{description.prefix}weight_ih_l"
        layers = list(itertools.takewhile(lambda number: number == "0" or name + number in tensors, numbers))
    read = [_layer_of(layout, description, tensors, layer) for layer in layers]
    for ((_, before), (_, sizes)), layer in zip(itertools.pairwise(read), layers[1:], strict=True):
        if sizes["i"] != before["o"]:
            raise InputError(f"layer {layer!r}", sizes["i"], f"{before['o']} inputs, as the layer before has outputs")
    embedding = embedding_of(description, tensors, "embedding.weight", read[0][1]["i"])
    scores, bias = scores_of(description, tensors, read[-1][1]["o"])
    activation = description.activation or layout.activation
    arrays = tuple(layer for layer, _ in read)
    return RecurrentParts(description.architecture, embedding, arrays, scores, bias, activation, description.residual)


def _layer_of(layout: Layout, description: Description, tensors: Tensors, layer: str) -> tuple[Named, dict[str, int]]:
    """The arrays of one layer, and the sizes of their axes."""
    prefix = description.prefix + ("" if description.convention == "pytorch" else layer)
    if layout.refused is not None:
        pattern, expected = layout.refused
        for name in tensors:
            if name.startswith(prefix) and re.search(pattern, name.removeprefix(prefix)):
                raise InputError(f"tensor {name!r}", tensors[name].shape, expected)
    sizes: dict[str, int] = {}
    found: dict[str, Any] = {}
    for row in layout.rows:
        name = description.prefix + row.tensor.format(layer)
        axes = row.shape.split()
        shape = [_size(axis, sizes) for axis in axes]
        if row.how == "zeros" and name not in tensors:
            found[row.array] = np.zeros([size or 0 for size in shape])
            continue
        if row.how == "complex" and f"{name}_real" in tensors:
            real = tensors.take(f"{name}_real", *shape)
            array = real + 1j * tensors.take(f"{name}_imag", *real.shape)
        else:
            array = tensors.take(name, *shape)
        sizes |= {axis: size for axis, size in zip(axes, array.shape, strict=True) if axis.isalpha()}
        wanted = tuple(_size(axis, sizes) for axis in axes)
        if array.shape != wanted:
            raise InputError(f"tensor {name!r}", array.shape, f"an array of shape ({', '.join(axes)}), here {wanted}")
        found[row.array] = array
    return layout.made(found), {"o": sizes.get("h", 0), **sizes}


def _size(axis: str, sizes: Mapping[str, int]) -> int | None:
    """The size of an axis such as ``r+2n`` or ``4h``, or None while the size of a name in it is not known."""
    total = 0
    for factor, name in re.findall(r"(\d*)([a-z]?)", axis):
        if name and name not in sizes:
            return None
        total += int(factor or bool(name)) * sizes.get(name, 1)
    return total


def _in_order(found: dict[str, Array]) -> Named:
    """The weights of inputs first, though the size of a gate is known from those of the state."""
    return {"weight_ih": found.pop("weight_ih"), **found}


def _s4d(found: dict[str, Array]) -> Named:
    """K_l = 2 Re(sum of C (exp(dt A) - 1) / A exp(dt A l)): drive 1, and the rest in what is read."""
    poles = -np.exp(found.pop("log_A_real")) + 1j * found.pop("A_imag")
    c = found.pop("C")
    transition = np.exp(poles * np.exp(found.pop("log_dt"))[:, None])
    read = 2 * (c[..., 0] + 1j * c[..., 1]) * (transition - 1) / poles
    return {"transition": transition, "drive": np.ones(poles.shape, dtype=complex), "read": read, **found}


def _mamba(found: dict[str, Array]) -> Named:
    """What the inner projection gives is split, and its part for the steps joined with their projection."""
    rank, states = found["steps"].shape[1], found["decay"].shape[1]
    inner = found["inner"]
    return {
        "entrance": found["entrance"],
        "kernel": found["kernel"][:, 0],
        "kernel_bias": found["kernel_bias"],
        "steps": found["steps"] @ inner[:rank],
        "steps_bias": found["steps_bias"],
        "drive": inner[rank : rank + states],
        "read": inner[rank + states :],
        "decay": -np.exp(found["decay"]),
        "skip": found["skip"],
        "output": found["output"],
    }


def _gated(gates: str) -> Layout:
    """PyTorch's names, whose gates are rows one below the other."""
    rows = (
        Row("weight_hh", "weight_hh_l{}", f"{gates}h h"),
        Row("weight_ih", "weight_ih_l{}", f"{gates}h i"),
        Row("bias_ih", "bias_ih_l{}", f"{gates}h", "zeros"),
        Row("bias_hh", "bias_hh_l{}", f"{gates}h", "zeros"),
    )
    one = "a network that reads in one direction and has no projection"
    return Layout(rows, _in_order, (r"(_reverse|weight_hr_l\d+)$", one))


_MIXING = Row("mixing", "{}mixing", "o i"), Row("mixing_bias", "{}mixing_bias", "o", "zeros")

LAYOUTS: Mapping[tuple[str, str], Layout] = {
    ("elman", "pytorch"): _gated(""),
    ("lstm", "pytorch"): _gated("4"),
    ("gru", "pytorch"): _gated("3"),
    ("diagonal", "arrays"): Layout(
        (
            Row("transition", "{}transition", "i n", "complex"),
            Row("drive", "{}drive", "i n", "complex"),
            Row("read", "{}read", "i n", "complex"),
            Row("skip", "{}skip", "i", "zeros"),
            *_MIXING,
        ),
        activation="gelu",
    ),
    ("diagonal", "s4d"): Layout(
        (
            Row("log_A_real", "{}log_A_real", "i n"),
            Row("A_imag", "{}A_imag", "i n"),
            Row("C", "{}C", "i n 2"),
            Row("log_dt", "{}log_dt", "i"),
            Row("skip", "{}D", "i", "zeros"),
            *_MIXING,
        ),
        _s4d,
        activation="gelu",
    ),
    ("mamba", "mamba"): Layout(
        (
            Row("decay", "{}A_log", "c n"),
            Row("entrance", "{}in_proj.weight", "2c i"),
            Row("steps", "{}dt_proj.weight", "c r"),
            Row("inner", "{}x_proj.weight", "r+2n c"),
            Row("kernel", "{}conv1d.weight", "c 1 w"),
            Row("output", "{}out_proj.weight", "o c"),
            Row("kernel_bias", "{}conv1d.bias", "c", "zeros"),
            Row("steps_bias", "{}dt_proj.bias", "c"),
            Row("skip", "{}D", "c"),
        ),
        _mamba,
        ("norm", f"a block without a norm in it; {WITH_NORMS}"),
    ),
    ("linear-attention", "arrays"): Layout(
        (
            Row("queries", "{}queries", "k i"),
            Row("keys", "{}keys", "k i"),
            Row("values", "{}values", "v i"),
            Row("output", "{}output", "o v"),
            Row("queries_bias", "{}queries_bias", "k", "zeros"),
            Row("keys_bias", "{}keys_bias", "k", "zeros"),
            Row("values_bias", "{}values_bias", "v", "zeros"),
            Row("output_bias", "{}output_bias", "o", "zeros"),
        ),
        activation="elu_plus_one",
    ),
}
"""For each recurrent architecture and convention what is where. Layers of PyTorch are numbered; others have prefixes.

In ``arrays`` a diagonal state space is the discrete recurrence itself, as
:class:`~ccsim.models.recurrent.DiagonalLayer` takes it; ``s4d`` has the kernel of Gu, Gupta, Goel and Ré 2022, made
discrete by a zero-order hold. ``mamba`` has the tensors of Gu and Dao 2023, without the norm in front of a block.
"""


Inner = tuple[tuple[Array, Array, str], ...]
"""Layers after attention: weights (inputs, outputs), bias, activation."""


def linear_map(tensors: Tensors, name: str, inputs: int, outputs: int | None, turned: bool) -> tuple[Array, Array]:
    """The matrix (inputs, outputs) and the bias of a linear map, kept the other way round if ``turned``."""
    shape = (outputs, inputs) if turned else (inputs, outputs)
    weight = tensors.take(f"{name}.weight", *shape)
    weight = weight.T if turned else weight
    return weight, tensors.bias(f"{name}.bias", weight.shape[1])


def heads_of(description: Description, width: int) -> int:
    """How many heads the description says, a divisor of the width."""
    if description.heads is None:
        raise InputError("heads", None, "how many heads share the width; the tensors do not tell")
    heads = require_integer("heads", description.heads, low=1)
    if width % heads:
        raise InputError("heads", heads, f"a divisor of the width {width}")
    return heads


def _apart(joint: Array, bias: Array, heads: int) -> tuple[Array, Array, Array, Array, Array, Array]:
    """Queries, keys and values (heads, width, head width) from one matrix (width, 3 * width), and then their biases."""
    query, key, value = (np.moveaxis(part.reshape(len(part), heads, -1), 1, 0) for part in np.split(joint, 3, axis=1))
    query_bias, key_bias, value_bias = (part.reshape(heads, -1) for part in np.split(bias, 3))
    return query, key, value, query_bias, key_bias, value_bias


def first_rows(tensors: Tensors, name: str, length: int, width: int) -> Array:
    """The embeddings (length, width) of the first positions; the table may have an axis of size 1 for the batch."""
    shape = tensors[name].shape if name in tensors else ()
    table = (
        tensors.take(name, *(None,) * len(shape[:-1]), width) if len(shape) == 3 else tensors.take(name, None, width)
    )
    if table.ndim == 3:
        if 1 not in table.shape[:2]:
            raise InputError(f"tensor {name!r}", table.shape, "a row for each position")
        table = table.reshape(-1, width)
    if len(table) < length:
        raise InputError(f"tensor {name!r}", len(table), f"a row for each of {length} positions")
    return table[:length]


def norm_of(tensors: Tensors, name: str, width: int, gain: str, bias: str) -> NormParts | None:
    """A norm of ``width`` numbers, or None if there is none."""
    if f"{name}.{gain}" not in tensors:
        return None
    return NormParts(tensors.take(f"{name}.{gain}", width), tensors.bias(f"{name}.{bias}", width))


def _norms_at(places: Mapping[str, str], tensors: Tensors, width: int, gain: str, bias: str) -> dict[str, NormParts]:
    """The norms that there are, by place."""
    found = {place: norm_of(tensors, name, width, gain, bias) for place, name in places.items()}
    return {place: norm for place, norm in found.items() if norm is not None}


MASKS = re.compile(r"\.attn\.(mask|IGNORE|bias|masked_bias)$")  # buffers that say that attention looks back only


def attention_parts(description: Description, tensors: Tensors, length: int | None) -> AttentionParts:
    """The parts of a GPT-2 style transformer with one layer, for words of ``length`` symbols.

    ``huggingface`` keeps matrices as (inputs, outputs), ``nanogpt`` as (outputs, inputs), both with queries, keys and
    values of all heads in one matrix; ``transformer-lens`` has a matrix for each head; ``pytorch`` are the names of
    PyTorch's encoder layer (see :func:`~ccsim.models.files.layouts.encoder_parts`). Norms and the part after
    attention may be missing; of TransformerLens, ``options.normalization_type`` then says whether norms are "none" or
    "LNPre", which have no weights because these were folded.

    Raises :class:`~ccsim.errors.InputError` for shapes that do not fit, and for a second layer: there is no such bound
    for two (Bhattamishra, Hahn, Blunsom and Kanade 2024, lemma 5).
    """
    length = description.length if length is None else length
    if length is None:
        raise InputError("length", length, "how many symbols a word has")
    length = require_integer("length", length, low=1)
    _refuse_more(tensors)
    tensors.known |= {name for name in tensors if MASKS.search(name)}
    if not description.prefix and "wte.weight" not in tensors and "transformer.wte.weight" in tensors:
        description = replace(description, prefix="transformer.")
    if description.convention == "pytorch":
        return encoder_parts(description, tensors, length)
    if description.convention == "transformer-lens":
        return _lens(description, tensors, length)
    return _gpt(description, tensors, length)


def _refuse_more(tensors: Tensors) -> None:
    for name in tensors:
        if re.search(r"(^|\.)(h|blocks|layers)\.[1-9]\d*\.", name):
            raise InputError(f"tensor {name!r}", tensors[name].shape, "a transformer of one layer")


def _gpt(description: Description, tensors: Tensors, length: int) -> AttentionParts:
    """Hugging Face's GPT-2 and nanoGPT; in the latter a linear map keeps its matrix the other way round."""
    prefix = description.prefix
    turned = description.convention == "nanogpt"
    block = f"{prefix}h.0."

    tokens = embedding_of(description, tensors, "wte.weight")
    width = tokens.shape[1]
    heads = heads_of(description, width)
    joint, joint_bias = linear_map(tensors, f"{block}attn.c_attn", width, 3 * width, turned)
    output, output_bias = linear_map(tensors, f"{block}attn.c_proj", width, width, turned)
    inner: Inner = ()
    if f"{block}mlp.c_fc.weight" in tensors:
        first = linear_map(tensors, f"{block}mlp.c_fc", width, None, turned)
        second = linear_map(tensors, f"{block}mlp.c_proj", first[0].shape[1], width, turned)
        usual = "gelu" if turned else "gelu_tanh"
        inner = ((*first, description.activation or usual), (*second, "identity"))
    places = {
        "before_attention": f"{block}ln_1",
        "before_tokenwise": f"{block}ln_2",
        "after_tokenwise": f"{prefix}ln_f",
    }
    norms = _norms_at(places, tensors, width, "weight", "bias")
    scores, bias = scores_of(description, tensors, width)
    layer = LayerParts(*_apart(joint, joint_bias, heads), output, output_bias, inner, _placed(norms, inner))
    positions = first_rows(tensors, f"{prefix}wpe.weight", length, width)
    return AttentionParts(tokens, positions, layer, description.epsilon, scores.T, bias)


def _lens(description: Description, tensors: Tensors, length: int) -> AttentionParts:
    """TransformerLens: a matrix for each head, and an unembedding of shape (width, ids)."""
    prefix, block = description.prefix, f"{description.prefix}blocks.0."
    tokens = embedding_of(description, tensors, "embed.W_E")
    width = tokens.shape[1]
    query = tensors.take(f"{block}attn.W_Q", None, width, None)
    heads, _, key_width = query.shape
    key = tensors.take(f"{block}attn.W_K", heads, width, key_width)
    value = tensors.take(f"{block}attn.W_V", heads, width, None)
    head_width = value.shape[2]
    output = tensors.take(f"{block}attn.W_O", heads, head_width, width)

    inner = _lens_inner(description, tensors, block, width)
    places = {
        "before_attention": f"{block}ln1",
        "before_tokenwise": f"{block}ln2",
        "after_tokenwise": f"{prefix}ln_final",
    }
    norms = _lens_norms(description, tensors, places, width)
    scores, score_bias = _unembedding(description, tensors, width)
    layer = LayerParts(
        query,
        key,
        value,
        tensors.bias(f"{block}attn.b_Q", heads, key_width),
        tensors.bias(f"{block}attn.b_K", heads, key_width),
        tensors.bias(f"{block}attn.b_V", heads, head_width),
        output.reshape(heads * head_width, width),
        tensors.bias(f"{block}attn.b_O", width),
        inner,
        _placed(norms, inner),
    )
    positions = first_rows(tensors, f"{prefix}pos_embed.W_pos", length, width)
    return AttentionParts(tokens, positions, layer, description.epsilon, scores.T, score_bias)


def _lens_inner(description: Description, tensors: Tensors, block: str, width: int) -> Inner:
    """The part after attention, if there is one."""
    if f"{block}mlp.W_in" not in tensors:
        return ()
    first = tensors.take(f"{block}mlp.W_in", width, None)
    second = tensors.take(f"{block}mlp.W_out", first.shape[1], width)
    return (
        (first, tensors.bias(f"{block}mlp.b_in", first.shape[1]), description.activation or "gelu_tanh"),
        (second, tensors.bias(f"{block}mlp.b_out", width), "identity"),
    )


def _lens_norms(description: Description, tensors: Tensors, places: dict[str, str], width: int) -> dict[str, NormParts]:
    """Norms with their weights; or, where these were folded into what follows, norms that have none.

    The tensors do not tell the latter from a model without norms, so ``options.normalization_type`` has to.
    """
    norms = _norms_at(places, tensors, width, "w", "b")
    kind = description.options.get("normalization_type", "LN" if norms else None)
    if kind == "LNPre" and not norms:
        return {place: NormParts(np.ones(width), np.zeros(width)) for place in places}
    if (kind == "LN" and norms) or (kind == "none" and not norms):
        return norms
    tells = "LN, as there are weights of norms" if norms else "LNPre, if they were folded, or none: no norm has weights"
    raise InputError("options.normalization_type", kind or "missing", tells)


def _unembedding(description: Description, tensors: Tensors, width: int) -> tuple[Array, Array]:
    """The read-out; TransformerLens keeps its unembedding W_U the other way round."""
    name = description.read_out.weight
    if name.endswith("W_U") and name in tensors and tensors[name].ndim == 2:
        turned = Tensors({**tensors, name: np.ascontiguousarray(np.asarray(tensors[name]).T)}, tensors.source)
        found = scores_of(description, turned, width)
        tensors.taken(turned)
        return found
    return scores_of(description, tensors, width)


def _placed(norms: dict[str, NormParts], inner: Any) -> dict[str, NormParts]:
    """Without a part after attention there is no norm in front of it."""
    return norms if inner else {place: norm for place, norm in norms.items() if place != "before_tokenwise"}


BASE = 10_000
"""Of the wave lengths of sinusoidal positions."""


def encoder_parts(description: Description, tensors: Tensors, length: int) -> AttentionParts:
    """The parts of a model around one ``nn.TransformerEncoderLayer``, or an ``nn.TransformerEncoder`` of one layer.

    Behind the prefix are ``self_attn.in_proj_weight`` and so on, or ``layers.0.self_attn.in_proj_weight`` and perhaps a
    last norm ``norm.weight``. PyTorch keeps no embeddings there, so the description names that of the symbols
    (``embedding``) and that of the positions (``positions``). The tensors do not tell either whether norms come before
    each part or after it, as is usual (``options.norm_first``), nor the ``activation``; both have to be said.

    Raises :class:`~ccsim.errors.InputError` for shapes that do not fit, and for what is not said.
    """
    prefix = description.prefix
    whole = any(name.startswith(f"{prefix}layers.0.") for name in tensors)
    block = f"{prefix}layers.0." if whole else prefix
    tokens = embedding_of(description, tensors, "embedding.weight")
    width = tokens.shape[1]
    heads, first = heads_of(description, width), _norm_first(description)
    joint = tensors.take(f"{block}self_attn.in_proj_weight", 3 * width, width).T
    joint_bias = tensors.bias(f"{block}self_attn.in_proj_bias", 3 * width)
    output, output_bias = linear_map(tensors, f"{block}self_attn.out_proj", width, width, turned=True)
    inner = linear_map(tensors, f"{block}linear1", width, None, turned=True)
    outer = linear_map(tensors, f"{block}linear2", inner[0].shape[1], width, turned=True)
    scores, bias = scores_of(description, tensors, width)
    layer = LayerParts(
        *_apart(joint, joint_bias, heads),
        output,
        output_bias,
        ((*inner, _activation(description)), (*outer, "identity")),
        _norms(tensors, prefix, block, width, first),
    )
    positions = np.roll(_positions(description, tensors, length, width), len(description.padding), axis=0)
    return AttentionParts(_scale(description, width) * tokens, positions, layer, description.epsilon, scores.T, bias)


def _norms(tensors: Tensors, prefix: str, block: str, width: int, first: bool) -> dict[str, NormParts]:
    """Both norms of the layer, which it always has, and the one after it if there is one."""
    places = ("before_attention", "before_tokenwise") if first else ("after_attention", "after_tokenwise")
    norms = {}
    for place, name in zip(places, ("norm1", "norm2"), strict=True):
        gain = tensors.take(f"{block}{name}.weight", width)
        norms[place] = NormParts(gain, tensors.bias(f"{block}{name}.bias", width))
    last = norm_of(tensors, f"{prefix}norm", width, "weight", "bias")
    return norms if last is None else norms | {"last": last}


def _norm_first(description: Description) -> bool:
    given = description.options.get("norm_first", "missing")
    if not isinstance(given, bool):
        raise InputError("options.norm_first", given, "true or false, as the layer was made; the tensors do not tell")
    return given


def _activation(description: Description) -> str:
    if description.activation is None:
        raise InputError("activation", None, "relu, as is usual, or gelu; the tensors do not tell")
    return description.activation


def _scale(description: Description, width: int) -> float:
    """What the embedding is multiplied by before positions are added."""
    given = description.options.get("embedding_scale", 1)
    if given == "sqrt-width":
        return sqrt(width)
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        raise InputError("options.embedding_scale", given, "a number, or sqrt-width")
    return float(given)


def _positions(description: Description, tensors: Tensors, length: int, width: int) -> Array:
    name = description.positions
    if name is None:
        raise InputError("positions", None, "the tensor that is added at each position, sinusoidal, or none")
    if name == "none":
        return np.zeros((length, width))
    if name == "sinusoidal":
        return sinusoidal_positions(length, width)
    return first_rows(tensors, name, length, width)


def sinusoidal_positions(length: int, width: int) -> Array:
    """Sines in the even columns and cosines in the odd ones (Vaswani et al. 2017, section 3.5), shape (length, width).

    >>> sinusoidal_positions(2, 2).round(3).tolist()
    [[0.0, 1.0], [0.841, 0.54]]
    """
    waves = np.exp(np.arange(0, width, 2) * (-math.log(BASE) / width))
    angles = np.arange(length)[:, None] * waves
    table = np.zeros((length, width))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)[:, : width // 2]
    return table
