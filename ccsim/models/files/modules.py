"""Modules of PyTorch whose parts tell what they are: read exactly, and compared with their own forward pass."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import lazy_loader as lazy
import numpy as np

from ccsim.arithmetic import Precision
from ccsim.errors import Array, InputError, require_symbols
from ccsim.models.files.description import Description, ReadOut, Tensors, read_tensors, tokens_of
from ccsim.models.files.load import SINGLE, LoadedModel, Recorded, build_model, require_scores
from ccsim.models.forward_models import ForwardModel, require_none
from ccsim.models.model import affordable, members_of
from ccsim.models.step_models import left_as_found

scipy = lazy.load("scipy")

RUN = "; any other can be run as it is, without a precision"

SAME = 1e-5

MET = 1 << 12

COMPARED = 64
"""On so many words it is found out how far rounding may move scores."""

SOME = 1 << 12
"""So many words are run through the module where they are too many to run all."""

BLOCK = 1 << 8
"""So many words are compared before time is looked at."""

DOUBLE = 2.0**-53
"""The relative error of one rounding to double precision."""

OTHERWISE = f"its forward pass does something else there than its parts say{RUN}"


def read_module(
    module: Any,
    alphabet: Iterable[Hashable],
    answers: Iterable[Hashable] = (0, 1),
    *,
    length: int,
    precision: int | Precision | None = None,
    threshold: float | None = None,
    sequence_first: bool = False,
    seed: int = 0,
    words: int = 1 << 16,
    seconds: float = 10.0,
    layout: Mapping[str, Any] | None = None,
) -> LoadedModel:
    """The exact model of a PyTorch module that is made of known parts, whatever its ``forward`` is called.

    Known are one ``nn.Embedding`` with one ``nn.RNN``, ``nn.LSTM``, ``nn.GRU``, a cell of one of these, or an
    ``nn.TransformerEncoderLayer``, of which there may be one ``nn.Embedding`` more for positions, and one ``nn.Linear``
    that reads the last position out. Without an embedding a recurrent layer is taken to see vectors with a single 1.
    The parts do not tell how ``forward`` joins them. So it is run, on all words if they are few, else on thousands, and
    nothing is returned unless its scores are those of the reading, but for what rounding explains
    (:func:`~ccsim.models.files.load.require_scores`). Where a copy of the module runs in double precision that is
    next to nothing.

    Args:
        module: the module; it is left as it was found.
        alphabet: the symbols.
        answers: the answers, in the order of the outputs.
        length: N.
        precision: of all numbers, in fixed point.
        threshold: above which a single score, as the module returns it, is the second of two answers; see
            :class:`~ccsim.models.ForwardModel` for what holds without it.
        sequence_first: whether the module takes ids of shape (N, batch).
        seed: of the words.
        words: all are run if they are at most so many.
        seconds: after so many no further words are run.
        layout: the arguments ``tokens``, ``before``, ``after`` and ``rows`` of
            :class:`~ccsim.models.forward_models.ForwardModel`, if ids are not the places of the symbols.

    Raises :class:`~ccsim.errors.InputError` for modules with other parts, which it names, and for a forward pass that
    does not agree; it shows the word.
    """
    symbols, named = require_symbols("alphabet", alphabet), require_symbols("answers", answers)
    torch: Any = sys.modules.get("torch")  # a module of PyTorch can only be here if PyTorch is
    if torch is None or not isinstance(module, torch.nn.Module):
        raise InputError("module", type(module).__name__, "a module of PyTorch")
    if members_of(named, symbols) is not None:
        raise InputError("answers", named[:6], f"no sets{RUN}")
    said = dict(layout or {})
    run = ForwardModel(module, symbols, named, threshold=threshold, sequence_first=sequence_first, **said)
    entries = _entries(torch, module)
    ids = said.pop("tokens", None) or dict(zip(symbols, range(len(symbols)), strict=True))
    if "rows" in said:
        entries["read_out"] = replace(entries["read_out"], rows=tuple(said.pop("rows")))
    around: dict[str, Any] = {part: tuple(numbers) for part, numbers in said.items()}
    buffers = tuple(name for name, _ in module.named_buffers())  # scores are compared, whatever they are for
    few, many, every = _words(len(symbols), length, words, seed)
    after, level = _end(module, run, entries["read_out"], few)
    described = Description(tokens=tokens_of(ids), answers=named, ignore=buffers, threshold=level, **around, **entries)
    with left_as_found(module):
        arrays = {name: np.asarray(each.detach().cpu().double().numpy()) for name, each in module.state_dict().items()}
    check = _Check(run, *_rounding(torch, run, few), after)
    loaded = build_model(
        described,
        Tensors(arrays, type(module).__name__),
        precision=precision,
        length=length,
        name=type(module).__name__,
        recorded=check.recorded(few),
    )
    loaded.model.keep_rule(run.rule)
    done = check.all(loaded, many, time.monotonic() + seconds)
    return replace(loaded, checked=done, every=every and done == len(many), module=run)


def module_with_weights(made: Any, path: str | Path) -> Any:
    """A PyTorch module with the weights in a file, all of which must fit.

    Args:
        made: the module; or a class or function that makes it, without arguments.
        path: a state dictionary (.pt, .pth, .ckpt, .bin, .safetensors, .npz); see
            :func:`~ccsim.models.files.read_tensors`.

    Raises :class:`~ccsim.errors.InputError` for weights that do not fit, which it names.
    """
    tensors, torch = read_tensors(path), import_module("torch") if "torch" in sys.modules else None
    try:
        module = made if torch is None or isinstance(made, torch.nn.Module) else made()
    except Exception as error:  # whatever people's own code raises
        raise InputError("module", repr(error)[:200], "a class or function that makes it, without arguments") from error
    if torch is None or not isinstance(module, torch.nn.Module):
        raise InputError("module", type(module).__name__, "a module of PyTorch, or what makes one")
    wanted = {name: tuple(each.shape) for name, each in module.state_dict().items()}
    odd = {
        "missing": sorted(set(wanted) - set(tensors)),
        "unexpected": sorted(set(tensors) - set(wanted)),
        "of another shape": sorted(n for n, shape in wanted.items() if n in tensors and tensors[n].shape != shape),
    }
    require_none(f"weights in {tensors.source}", odd, f"those of {type(module).__name__}")
    module.load_state_dict({name: torch.from_numpy(np.asarray(tensors[name]).copy()) for name in tensors})
    return module


@dataclass(frozen=True, eq=False)
class _Check:
    """A forward pass that is compared with the reading of its module.

    Attributes:
        run: the forward pass.
        double: whether a copy in double precision is run.
        rounding: the relative error of one of its roundings.
        after: what it does to the scores of the read-out, or None.
    """

    run: ForwardModel
    double: bool
    rounding: float
    after: Any

    def recorded(self, words: Array) -> Recorded:
        return Recorded(self.run.feed(words), self.run.scores(words, self.double), self.rounding, OTHERWISE, self.after)

    def all(self, loaded: LoadedModel, words: Array, end: float) -> int:
        """On how many of these words it was compared until that time; each may be the one that tells them apart."""
        done, size = 0, BLOCK
        while done < len(words) and (not done or time.monotonic() < end):
            block = self.recorded(words[done : done + size])
            require_scores(block, loaded.parts, loaded.description, loaded.tolerance)
            done += len(block.words)
        return done


def _rounding(torch: Any, run: ForwardModel, words: Array) -> tuple[bool, float]:
    """Whether a copy of the module runs in double precision, and how exact that is.

    Scores that are numbers in single precision, all of them, were rounded to it, whatever came before.
    """
    try:
        scores = run.scores(words, double=True)
    except Exception:  # whatever people's own code raises that was not made for it
        kinds = [each.dtype for each in run.pass_.module.parameters() if each.is_floating_point()]
        return False, max(torch.finfo(kind).eps / 2 for kind in kinds)
    return True, SINGLE if np.array_equal(scores, scores.astype(np.float32)) else DOUBLE


def _words(symbols: int, length: int, most: int, seed: int) -> tuple[Array, Array, bool]:
    """Some words of ranks, many more, and whether these are all that there are.

    Of many, those with at most one symbol among equal ones come first: so special cases are often made.
    """
    generator = np.random.default_rng(seed)
    some = generator.integers(symbols, size=(COMPARED, length))
    if symbols**length <= most:
        places = symbols ** np.arange(length - 1, -1, -1)
        return some, np.arange(symbols**length)[:, None] // places % symbols, True
    plain = generator.integers(symbols, size=(SOME // 4, 2))
    alike = np.repeat(plain[:, :1], length, axis=1)
    alike[np.arange(len(alike)), generator.integers(length, size=len(alike))] = plain[:, 1]
    drawn = generator.integers(symbols, size=(SOME - len(alike), length))
    return some, np.concatenate([alike, drawn]), False


def _end(module: Any, run: ForwardModel, read_out: ReadOut, words: Array) -> tuple[Any, float | None]:
    """What is done to the scores of the read-out at the end, if it is known, and the threshold of a score before it."""
    seen: list[Any] = []
    head = module.get_submodule(read_out.weight.removesuffix("weight").removesuffix("."))
    with left_as_found(module):
        head.register_forward_hook(lambda _, __, returned: seen.append(returned))
        scores = run.scores(words)
    run.codes(
        np.random.default_rng(0).integers(len(run.alphabet), size=(affordable(MET, words.shape[1]), words.shape[1]))
    )
    level = run.level if scores.shape[1] == 1 and len(run.answers) == 2 else None
    special = scipy.special
    linear = _last_of(seen[-1].detach().cpu().double().numpy(), scores.shape) if seen else None
    if linear is None or np.allclose(linear, scores, rtol=SAME, atol=0):
        return None, level
    if level is not None and 0 < level < 1 and np.allclose(special.expit(linear), scores, rtol=0, atol=SAME):
        return special.expit, math.log(level / (1 - level))
    for each in (special.softmax, special.log_softmax) if scores.shape[1] > 1 else ():
        if np.allclose(each(linear, axis=1), scores, rtol=SAME, atol=SAME):
            return partial(each, axis=1), level
    return None, level


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
        elif isinstance(part, torch.nn.LayerNorm) and name.endswith("norm"):
            continue  # nn.TransformerEncoder may have one after its layers; without one like it, tensors stay unread
        elif next(part.parameters(recurse=False), None) is not None:
            own = [f"{each} {tuple(one.shape)}" for each, one in part.named_parameters(recurse=False)]
            where = f"{name or 'itself'}: {type(part).__name__} with its own {', '.join(own)}"
            expected = f"known parts, and no others with weights, such as a learnt first state (here it is zero){RUN}"
            raise InputError("module", where, expected)


def _told(found: dict[str, list[tuple[str, Any]]]) -> str:
    parts = [f"{name}: {type(part).__name__}" for each in found.values() for name, part in each]
    return ", ".join(parts) or "none that is known"
