"""State spaces from files: diagonal ones, as discrete recurrences or as S4D's kernel, and Mamba's blocks."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.description import Description
from ccsim.models.files.parts import RecurrentParts, embedding_of, scores_of
from ccsim.models.files.tensors import Tensors

WITH_NORMS = "only blocks of Mamba without norms are read; a whole network is run as a module (--module)"
"""What to say of a norm where only the blocks are read."""


def state_space_parts(description: Description, tensors: Tensors) -> RecurrentParts:
    """The layers of a diagonal state space or of Mamba, each behind its prefix.

    ``arrays`` has the discrete recurrence itself, as :class:`~ccsim.models.recurrent.DiagonalLayer` takes it:
    ``transition``, ``drive``, ``read`` of shape (inputs, states), each real or with ``_real`` and ``_imag`` parts,
    ``skip``, ``mixing``, ``mixing_bias``. ``s4d`` has the kernel of Gu, Gupta, Goel and Ré 2022 (``log_dt``,
    ``log_A_real``, ``A_imag``, ``C`` with two parts on its last axis, ``D``) and ``mixing``; it is made discrete by a
    zero-order hold. ``mamba`` has the tensors of Gu and Dao 2023 (``in_proj``, ``conv1d``, ``x_proj``, ``dt_proj``,
    ``A_log``, ``D``, ``out_proj``), without the norm in front of a block.
    """
    readers = {"arrays": _arrays, "s4d": _s4d, "mamba": _mamba}
    read = readers[description.convention]
    found = [(prefix, *read(description, tensors, description.prefix + prefix)) for prefix in description.layers]
    for (_, _, _, width), (prefix, _, inputs, _) in itertools.pairwise(found):
        if inputs != width:
            raise InputError(f"layer {prefix!r}", inputs, f"{width} inputs, as the layer before has outputs")
    embedding = embedding_of(description, tensors, "embedding.weight", found[0][2])
    scores, bias = scores_of(description, tensors, found[-1][3])
    kind = description.architecture
    activation = (description.activation or "gelu") if kind == "diagonal" else None
    layers = tuple(layer for _, layer, _, _ in found)
    return RecurrentParts(kind, embedding, layers, scores, bias, activation, description.residual)


def _arrays(description: Description, tensors: Tensors, prefix: str) -> tuple[Mapping[str, Array], int, int]:
    parts = {}
    inputs = states = None
    for name in ("transition", "drive", "read"):
        if f"{prefix}{name}_real" in tensors:
            real = tensors.take(f"{prefix}{name}_real", inputs, states)
            part = real + 1j * tensors.take(f"{prefix}{name}_imag", *real.shape)
        else:
            part = tensors.take(f"{prefix}{name}", inputs, states)
        inputs, states = part.shape
        parts[name] = part
    return _mixed(description, tensors, prefix, parts, "skip")


def _s4d(description: Description, tensors: Tensors, prefix: str) -> tuple[Mapping[str, Array], int, int]:
    """K_l = 2 Re(sum of C (exp(dt A) - 1) / A exp(dt A l)): drive 1, and the rest in what is read."""
    logarithm = tensors.take(f"{prefix}log_A_real", None, None)
    shape = logarithm.shape
    poles = -np.exp(logarithm) + 1j * tensors.take(f"{prefix}A_imag", *shape)
    c = tensors.take(f"{prefix}C", *shape, 2)
    transition = np.exp(poles * np.exp(tensors.take(f"{prefix}log_dt", shape[0]))[:, None])
    read = 2 * (c[..., 0] + 1j * c[..., 1]) * (transition - 1) / poles
    parts = {"transition": transition, "drive": np.ones(shape, dtype=complex), "read": read}
    return _mixed(description, tensors, prefix, parts, "D")


def _mixed(
    description: Description, tensors: Tensors, prefix: str, parts: dict[str, Array], skip: str
) -> tuple[Mapping[str, Array], int, int]:
    inputs = len(parts["transition"])
    mixing = tensors.take(f"{prefix}mixing", None, inputs)
    rest = {
        "skip": tensors.bias(f"{prefix}{skip}", inputs),
        "mixing": mixing,
        "mixing_bias": tensors.bias(f"{prefix}mixing_bias", len(mixing)),
    }
    return {**parts, **rest}, inputs, len(mixing)


def _mamba(description: Description, tensors: Tensors, prefix: str) -> tuple[Mapping[str, Array], int, int]:
    for name in tensors:
        if name.startswith(prefix) and "norm" in name.removeprefix(prefix):
            raise InputError(f"tensor {name!r}", tensors[name].shape, f"a block without a norm in it; {WITH_NORMS}")
    logarithm = tensors.take(f"{prefix}A_log", None, None)
    channels, states = logarithm.shape
    entrance = tensors.take(f"{prefix}in_proj.weight", 2 * channels, None)
    step_matrix = tensors.take(f"{prefix}dt_proj.weight", channels, None)
    rank = step_matrix.shape[1]
    inner = tensors.take(f"{prefix}x_proj.weight", rank + 2 * states, channels)
    kernel = tensors.take(f"{prefix}conv1d.weight", channels, 1, None)[:, 0]
    output = tensors.take(f"{prefix}out_proj.weight", None, channels)
    layer = {
        "entrance": entrance,
        "kernel": kernel,
        "kernel_bias": tensors.bias(f"{prefix}conv1d.bias", channels),
        "steps": step_matrix @ inner[:rank],
        "steps_bias": tensors.take(f"{prefix}dt_proj.bias", channels),
        "drive": inner[rank : rank + states],
        "read": inner[rank + states :],
        "decay": -np.exp(logarithm),
        "skip": tensors.take(f"{prefix}D", channels),
        "output": output,
    }
    return layer, entrance.shape[1], len(output)
