"""Modules of PyTorch whose parts tell what they are: read exactly, and compared with their own forward pass."""

from __future__ import annotations

import math
import sys
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from ccsim.arguments import require_symbols
from ccsim.arithmetic import Precision
from ccsim.errors import InputError
from ccsim.models.comparison import affordable
from ccsim.models.decision import members_of
from ccsim.models.files.arithmetics import FloatArithmetic
from ccsim.models.files.checking import Recorded
from ccsim.models.files.description import Description
from ccsim.models.files.entries import ReadOut
from ccsim.models.files.load import LoadedModel, build_model
from ccsim.models.files.tensors import Tensors
from ccsim.models.forward import ForwardModel
from ccsim.models.module_state import left_as_found

__all__ = ["read_module"]

RUN = "; any other can be run as it is, without a precision or an arithmetic, or be read as a graph: torch.onnx.export"

SAME = 1e-5

MET = 1 << 12

COMPARED = 64
"""So many words are run through the module and compared with what was read."""


def read_module(
    module: Any,
    alphabet: Iterable[Hashable],
    answers: Iterable[Hashable] = (0, 1),
    *,
    length: int,
    precision: int | Precision | None = None,
    arithmetic: str | FloatArithmetic | None = None,
    threshold: float | None = None,
    sequence_first: bool = False,
    seed: int = 0,
) -> LoadedModel:
    """The exact model of a PyTorch module that is made of known parts, whatever its ``forward`` is called.

    Known are one ``nn.Embedding`` with one ``nn.RNN``, ``nn.LSTM``, ``nn.GRU``, a cell of one of these, or an
    ``nn.TransformerEncoderLayer``, of which there may be one ``nn.Embedding`` more for positions, and one ``nn.Linear``
    that reads the last position out. Without an embedding a recurrent layer is taken to see vectors with a single 1.
    The parts do not tell how ``forward`` joins them, so words are drawn, and nothing is returned unless the scores
    agree with those of the forward pass on all of them. It may take their sigmoid, softmax or log-softmax at the end.

    Args:
        module: the module; it is run in eval mode and left as it was found.
        alphabet: the symbols, in the order of their ids.
        answers: the answers, in the order of the outputs.
        length: N.
        precision: of all numbers in fixed point, or ``arithmetic``, one of
            :data:`~ccsim.models.files.ARITHMETICS`.
        arithmetic: see ``precision``.
        threshold: above which a single score, as the module returns it, is the second of two answers; see
            :class:`~ccsim.models.ForwardModel` for what holds without it.
        sequence_first: whether the module takes ids of shape (N, batch).
        seed: of the words.

    Raises :class:`~ccsim.errors.InputError` for modules with other parts, which it names, and for a forward pass that
    does not agree.
    """
    symbols, named = require_symbols("alphabet", alphabet), require_symbols("answers", answers)
    torch: Any = sys.modules.get("torch")  # a module of PyTorch can only be here if PyTorch is
    if torch is None or not isinstance(module, torch.nn.Module):
        raise InputError("module", type(module).__name__, "a module of PyTorch")
    if members_of(named, symbols) is not None:
        raise InputError("answers", named[:6], f"no sets{RUN}")
    entries = _entries(torch, module)
    model = ForwardModel(module, symbols, named, threshold=threshold, sequence_first=sequence_first)
    recorded, level = _recorded(torch, module, model, entries["read_out"], length, seed)
    described = Description(tokens=symbols, answers=named, length=length, threshold=level, **entries)
    arrays = {name: np.asarray(tensor.detach().cpu().double().numpy()) for name, tensor in module.state_dict().items()}
    loaded = build_model(
        described,
        Tensors(arrays, type(module).__name__),
        precision=precision,
        arithmetic=arithmetic,
        length=length,
        name=type(module).__name__,
        recorded=recorded,
    )
    loaded.model.keep_rule(model.rule)
    return loaded


def _recorded(
    torch: Any, module: Any, model: ForwardModel, read_out: ReadOut, length: int, seed: int
) -> tuple[Recorded, float | None]:
    """What the forward pass says on drawn words, before a sigmoid or softmax at its end; and the threshold for that."""
    words = np.random.default_rng(seed).integers(len(model.alphabet), size=(COMPARED, length))
    seen: list[Any] = []
    head = module.get_submodule(read_out.weight.removesuffix("weight").removesuffix("."))
    with left_as_found(module):
        head.register_forward_hook(lambda _, __, returned: seen.append(returned))
        scores = model.scores(words)
    many = np.random.default_rng(seed).integers(len(model.alphabet), size=(affordable(MET, length), length))
    model.codes(many)  # the rule is that of all scores that are met
    level = model.level if scores.shape[1] == 1 and len(model.answers) == 2 else None
    linear = _last_of(seen[-1].detach().cpu().double().numpy(), scores.shape) if seen else None
    if linear is None or np.allclose(linear, scores, rtol=SAME, atol=SAME):
        return Recorded(words, scores), level
    shifted = linear - linear.max(axis=1, keepdims=True)
    softmax = np.exp(shifted) / np.exp(shifted).sum(axis=1, keepdims=True)
    with np.errstate(over="ignore"):
        sigmoid = 1 / (1 + np.exp(-linear))
    logarithm = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    if level is not None and 0 < level < 1 and np.allclose(sigmoid, scores, rtol=0, atol=SAME):
        return Recorded(words, linear), math.log(level / (1 - level))
    alike = any(np.allclose(each, scores, rtol=SAME, atol=SAME) for each in (softmax, logarithm))
    return Recorded(words, linear if alike and scores.shape[1] > 1 else scores), level


def _last_of(found: Any, shape: tuple[int, ...]) -> Any:
    """The read-out (words, outputs) at the last position, from all that it gave; None for other shapes."""
    if found.ndim == 3:
        found = found[:, -1] if found.shape[0] == shape[0] else found[-1]
    return found if found.shape == shape else None


def _entries(torch: Any, module: Any) -> dict[str, Any]:
    """What a description says of the parts."""
    nn = torch.nn
    layers = (*_recurrent(nn), nn.TransformerEncoderLayer)
    found: dict[str, list[tuple[str, Any]]] = {"layer": [], "embedding": [], "linear": []}
    for name, part in _outermost(torch, module, layers):
        kind = "embedding" if isinstance(part, nn.Embedding) else "linear" if isinstance(part, nn.Linear) else "layer"
        found[kind].append((name, part))
    if len(found["layer"]) != 1 or len(found["linear"]) != 1:
        raise InputError("module", _told(found), f"one RNN, LSTM, GRU or encoder layer, and one Linear{RUN}")
    (name, layer), (head, linear) = found["layer"][0], found["linear"][0]
    read_out = ReadOut(f"{head}.weight", None if linear.bias is None else f"{head}.bias")
    if isinstance(layer, nn.TransformerEncoderLayer):
        return {"read_out": read_out, **_encoder(found, name, layer)}
    odd = [name for name in ("proj_size", "bidirectional") if getattr(layer, name, None)]  # a cell has neither
    if len(found["embedding"]) > 1 or odd:
        raise InputError("module", _told(found), f"one Embedding, and a layer of one direction without projection{RUN}")
    embedding = f"{found['embedding'][0][0]}.weight" if found["embedding"] else "one-hot"
    kind = _recurrent(nn)[type(layer)]
    more: dict[str, Any] = {"activation": layer.nonlinearity} if kind == "elman" else {}
    if isinstance(layer, nn.RNNCellBase):
        more["names"] = {f"{each}_l0": f"{name}.{each}" for each in dict(layer.named_parameters())}
    return {"architecture": kind, "prefix": f"{name}.", "embedding": embedding, "read_out": read_out, **more}


def _recurrent(nn: Any) -> dict[Any, str]:
    """The recurrent layers, and cells of them, by what their architecture is called here."""
    whole = {nn.RNN: "elman", nn.LSTM: "lstm", nn.GRU: "gru"}
    return whole | {nn.RNNCell: "elman", nn.LSTMCell: "lstm", nn.GRUCell: "gru"}


def _encoder(found: dict[str, list[tuple[str, Any]]], name: str, layer: Any) -> dict[str, Any]:
    """A transformer's: the embedding of the symbols is the one that comes first."""
    if not 1 <= len(found["embedding"]) <= 2:
        raise InputError("module", _told(found), f"an Embedding of the symbols, and perhaps one of the positions{RUN}")
    embeddings = [f"{each}.weight" for each, _ in found["embedding"]]
    prefix = name.removesuffix("layers.0")
    activation = getattr(layer.activation, "__name__", type(layer.activation).__name__.lower())
    return {
        "architecture": "transformer",
        "convention": "pytorch",
        "prefix": prefix if prefix != name else f"{name}.",
        "embedding": embeddings[0],
        "positions": embeddings[1] if len(embeddings) == 2 else "none",
        "heads": layer.self_attn.num_heads,
        "activation": activation,
        "epsilon": layer.norm1.eps,
        "options": {"norm_first": layer.norm_first},
    }


def _outermost(torch: Any, module: Any, layers: tuple[Any, ...]) -> Iterable[tuple[str, Any]]:
    """Parts that are known, without what is inside them, and others if they have numbers of their own."""
    inside: list[str] = []
    known = (*layers, torch.nn.Embedding, torch.nn.Linear)
    for name, part in module.named_modules():
        if any(name.startswith(f"{each}.") for each in inside):
            continue
        if type(part) in known:
            inside.append(name)
            yield name, part
        elif next(part.parameters(recurse=False), None) is not None and not _last_norm(torch, name, part):
            raise InputError(
                "module", f"{name or 'itself'}: {type(part).__name__}", f"known parts, and no others with weights{RUN}"
            )


def _last_norm(torch: Any, name: str, part: Any) -> bool:
    """The norm that ``nn.TransformerEncoder`` may have after its layers; without one like it, tensors stay unread."""
    return isinstance(part, torch.nn.LayerNorm) and name.endswith("norm")


def _told(found: dict[str, list[tuple[str, Any]]]) -> str:
    parts = [f"{name}: {type(part).__name__}" for each in found.values() for name, part in each]
    return ", ".join(parts) or "none that is known"
