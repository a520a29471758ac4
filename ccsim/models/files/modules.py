"""Modules of PyTorch of known parts, read exactly and compared with their forward pass; models that libraries run."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from os.path import isdir
from pathlib import Path
from typing import Any

import numpy as np

from ccsim import lazy
from ccsim.arithmetic import Precision
from ccsim.errors import Array, InputError, require_symbols
from ccsim.models.files.description import Description, ReadOut, Tensors, file_size, is_run, read_tensors, tokens_of
from ccsim.models.files.load import SINGLE, LoadedModel, Recorded, build_model, require_scores
from ccsim.models.forward_models import ForwardModel
from ccsim.models.model import affordable, members_of
from ccsim.models.step_models import state_restored

scipy = lazy.load("scipy")

RUN = "; any other can be run as it is, without a precision"

SAME = 1e-5
MET = 1 << 12
COMPARED = 64  # words on which the effect of rounding on the scores is measured
SOME = 1 << 12  # words that are run through the module where they are too many to run all
BLOCK = 1 << 8  # words that are compared before time is looked at
DOUBLE = 2.0**-53  # the relative error of one rounding to double precision

OTHERWISE = f"its forward pass does something else there than its parts specify{RUN}"


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
    The parts do not tell how ``forward`` joins them. So it is run, and nothing is returned unless its scores are those
    of the reading, but for what rounding explains (:func:`~ccsim.models.files.load.require_scores`).

    Args:
        module: the module; it is left as it was found.
        alphabet: the symbols.
        answers: the answers, in the order of the outputs.
        length: N.
        precision: of all numbers, in fixed point.
        threshold, sequence_first: as of :class:`~ccsim.models.ForwardModel`.
        seed: of the words.
        words: all are run if they are at most so many, else thousands.
        seconds: after so many no further words are run.
        layout: the arguments ``tokens``, ``before``, ``after`` and ``rows`` of that class, if ids are not the places of
            the symbols.

    Raises :class:`~ccsim.errors.InputError` for modules with other parts, and for a forward pass that does not agree.
    """
    symbols, named = require_symbols("alphabet", alphabet), require_symbols("answers", answers)
    torch: Any = sys.modules.get("torch")  # a module of PyTorch can only be here if PyTorch is
    if torch is None or not isinstance(module, torch.nn.Module):
        raise InputError("module", type(module).__name__, "a module of PyTorch")
    if members_of(named, symbols) is not None:
        raise InputError("answers", named[:6], f"no sets{RUN}")
    around = dict(layout or {})
    run = ForwardModel(module, symbols, named, threshold=threshold, sequence_first=sequence_first, **around)
    entries, cell = _entries(torch, module)
    ids = around.pop("tokens", None) or dict(zip(symbols, range(len(symbols)), strict=True))
    if "rows" in around:
        entries["read_out"] = replace(entries["read_out"], rows=tuple(around.pop("rows")))
    entries |= {part: tuple(numbers) for part, numbers in around.items()}
    buffers = tuple(name for name, _ in module.named_buffers())  # scores are compared, whatever they are for
    few, many, every = _words(len(symbols), length, words, seed)
    after, level = _end(module, run, entries["read_out"], few)
    description = Description(tokens=tokens_of(ids), answers=named, ignore=buffers, threshold=level, **entries)
    with state_restored(module):
        arrays = {name: np.asarray(each.detach().cpu().double().numpy()) for name, each in module.state_dict().items()}
    for name in cell:  # the tensors of a cell, as a layer has them
        arrays[f"{name}_l0"] = arrays.pop(name)
    double, rounding = _rounding(torch, run, few)

    def recorded(some: Array) -> Recorded:
        return Recorded(run.feed(some), run.scores(some, double), rounding, OTHERWISE, after)

    name = type(module).__name__
    tensors = Tensors(arrays, name)
    loaded = build_model(description, tensors, precision=precision, length=length, name=name, recorded=recorded(few))
    loaded.model.keep_rule(run.rule)
    done, end = 0, time.monotonic() + seconds
    while done < len(many) and (not done or time.monotonic() < end):
        block = many[done : done + BLOCK]
        require_scores(recorded(block), loaded.parts, description, loaded.tolerance)
        done += len(block)
    return replace(loaded, checked=done, every=every and done == len(many), module=run)


def module_with_weights(made: Any, path: str | Path) -> Any:
    """A PyTorch module, or what a class or function makes, with the weights in a file, all of which must fit."""
    tensors, torch = read_tensors(path), import_module("torch") if "torch" in sys.modules else None
    try:
        module = made if torch is None or isinstance(made, torch.nn.Module) else made()
    except Exception as error:  # whatever people's own code raises
        raise InputError("module", repr(error)[:200], "a class or function that makes it, without arguments") from error
    if torch is None or not isinstance(module, torch.nn.Module):
        raise InputError("module", type(module).__name__, "a module of PyTorch, or what makes one")
    try:
        module.load_state_dict({name: torch.from_numpy(np.asarray(tensors[name]).copy()) for name in tensors})
    except (RuntimeError, TypeError) as error:  # names what is missing, not expected, or of another shape
        expected = f"those of {type(module).__name__} ({' '.join(str(error).split())[:400]})"
        raise InputError(f"weights in {tensors.source}", sorted(tensors), expected) from error
    return module


def _rounding(torch: Any, run: ForwardModel, words: Array) -> tuple[bool, float]:
    """Whether a copy runs in double precision, and how exact that is: single if all scores are single."""
    try:
        scores = run.scores(words, double=True)
    except Exception:  # whatever people's own code raises that was not made for it
        kinds = [each.dtype for each in run.pass_.module.parameters() if each.is_floating_point()]
        return False, max(torch.finfo(kind).eps / 2 for kind in kinds)
    return True, SINGLE if np.array_equal(scores, scores.astype(np.float32)) else DOUBLE


def _words(symbols: int, length: int, most: int, seed: int) -> tuple[Array, Array, bool]:
    """Some words of ranks, many more (those with at most one other symbol first), and whether these are all."""
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


def _end(
    module: Any, run: ForwardModel, read_out: ReadOut, words: Array
) -> tuple[Callable[[Array], Any], float | None]:
    """What is done to the scores of the read-out at the end, if known, and the threshold of a score before it."""
    seen: list[Any] = []
    head = module.get_submodule(read_out.weight.removesuffix("weight").removesuffix("."))
    with state_restored(module):
        head.register_forward_hook(lambda _, __, returned: seen.append(returned))
        scores = run.scores(words)
    length, special = words.shape[1], scipy.special
    run.codes(np.random.default_rng(0).integers(len(run.alphabet), size=(affordable(MET, length), length)))
    level = run.level if scores.shape[1] == 1 and len(run.answers) == 2 else None
    linear = seen[-1].detach().cpu().double().numpy() if seen else scores
    if linear.ndim == 3:  # at every position, in either order
        linear = linear[:, -1] if len(linear) == len(scores) else linear[-1]
    if linear.shape != scores.shape or np.allclose(linear, scores, rtol=SAME, atol=0):
        return np.asarray, level
    if level is not None and 0 < level < 1 and np.allclose(special.expit(linear), scores, rtol=0, atol=SAME):
        return special.expit, math.log(level / (1 - level))
    for each in (special.softmax, special.log_softmax) if scores.shape[1] > 1 else ():
        if np.allclose(each(linear, axis=1), scores, rtol=SAME, atol=SAME):
            return partial(each, axis=1), level
    return np.asarray, level


def _entries(torch: Any, module: Any) -> tuple[dict[str, Any], list[str]]:
    nn = torch.nn
    kinds = {nn.RNN: "elman", nn.LSTM: "lstm", nn.GRU: "gru"}
    kinds |= {nn.RNNCell: "elman", nn.LSTMCell: "lstm", nn.GRUCell: "gru", nn.TransformerEncoderLayer: "transformer"}
    layers: list[tuple[str, Any]] = []
    embeddings: list[tuple[str, Any]] = []
    linears: list[tuple[str, Any]] = []
    for name, part in _outermost(torch, module, tuple(kinds)):
        (layers if type(part) in kinds else embeddings if isinstance(part, nn.Embedding) else linears).append(
            (name, part)
        )
    parts = (f"{name}: {type(part).__name__}" for name, part in layers + embeddings + linears)
    shown, rows = ", ".join(parts) or "none that is known", [f"{name}.weight" for name, _ in embeddings]
    if len(layers) != 1 or len(linears) != 1:
        raise InputError("module", shown, f"one RNN, LSTM, GRU or encoder layer, and one Linear{RUN}")
    (name, layer), (head, linear) = layers[0], linears[0]
    read_out = ReadOut(f"{head}.weight", None if linear.bias is None else f"{head}.bias")
    entries = {"architecture": kinds[type(layer)], "prefix": f"{name}.", "read_out": read_out}
    if isinstance(layer, nn.TransformerEncoderLayer):
        if not 1 <= len(rows) <= 2:
            raise InputError("module", shown, f"an Embedding of the symbols, and perhaps one of the positions{RUN}")
        prefix = name.removesuffix("layers.0")
        return entries | {
            "convention": "pytorch",
            "prefix": prefix if prefix != name else f"{name}.",
            "embedding": rows[0],  # the one that comes first
            "positions": rows[1] if len(rows) == 2 else "none",
            "heads": layer.self_attn.num_heads,
            "activation": getattr(layer.activation, "__name__", type(layer.activation).__name__.lower()),
            "epsilon": layer.norm1.eps,
            "options": {"norm_first": layer.norm_first},
        }, []
    odd = [name for name in ("proj_size", "bidirectional") if getattr(layer, name, None)]  # a cell has neither
    if len(rows) > 1 or odd:
        raise InputError("module", shown, f"one Embedding, and a layer of one direction without projection{RUN}")
    entries["embedding"] = rows[0] if rows else "one-hot"
    if entries["architecture"] == "elman":
        entries["activation"] = layer.nonlinearity
    names = dict(layer.named_parameters()) if isinstance(layer, nn.RNNCellBase) else ()
    return entries, [f"{name}.{each}" for each in names]


def _outermost(torch: Any, module: Any, layers: tuple[Any, ...]) -> Iterable[tuple[str, Any]]:
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


LOWEST = 1, 24
"""The first version of onnxruntime that reads no data from outside the folder of a graph."""

TYPES: Mapping[str, Any] = {
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(float16)": np.float16,
}
CLOSE = 2.0**-10  # copies of one word in a batch differ by rounding alone, if they differ

HEADS = {
    "ForCausalLM": "AutoModelForCausalLM",
    "LMHeadModel": "AutoModelForCausalLM",
    "ForMaskedLM": "AutoModelForMaskedLM",
    "ForSequenceClassification": "AutoModelForSequenceClassification",
    "ForTokenClassification": "AutoModelForTokenClassification",
}
"""How the names of architectures of Hugging Face end, and what loads them."""


def open_forward(path: str | Path, *, sequence_first: bool = False) -> Any:
    """The forward pass of a model on disk, for :class:`~ccsim.models.ForwardModel`.

    A graph of ONNX (.onnx) is run by onnxruntime, on ids of shape (N, batch) if ``sequence_first``; its tensors may lie
    in its own folder only. A folder with ``config.json`` and ``model.safetensors``, as Hugging Face saves a model,
    becomes the PyTorch module that transformers makes of these files alone; code in the folder is never run. Raises
    :class:`~ccsim.errors.InputError` for what these libraries refuse, and where they are not installed.
    """
    path = Path(path)
    if not is_run(path):
        raise InputError("file", path.name, "a graph of ONNX (.onnx), or a folder of Hugging Face")
    description = path / "ccsim.toml" if isdir(path) else path.with_suffix(".toml")
    if description.is_file():
        expected = "none: what is run needs no description; give --tokens, --before, --rows (arguments of ForwardModel)"
        raise InputError("description", description.name, expected)
    return _of_folder(path) if isdir(path) else OnnxGraph(path, sequence_first)


def _of_folder(folder: Path) -> Any:
    folder = folder.resolve()
    if not (folder / "config.json").is_file():
        raise InputError(
            "folder", folder.name, "config.json and model.safetensors in it, as Hugging Face saves a model"
        )
    try:
        library: Any = import_module("transformers")
        import_module("torch")
    except ImportError as error:
        expected = "transformers and PyTorch to be installed: pip install 'ccsim[transformers]'"
        raise InputError("folder", folder.name, expected) from error
    logs, only = library.utils.logging, {"local_files_only": True, "trust_remote_code": False}
    level, bars = logs.get_verbosity(), logs.is_progress_bar_enabled()
    logs.set_verbosity_error()
    logs.disable_progress_bar()
    try:
        named = (library.AutoConfig.from_pretrained(str(folder), **only).architectures or ["none"])[0]
        loader = next((loader for end, loader in HEADS.items() if named.endswith(end)), None)
        if loader is None:
            expected = f"one that ends in {', '.join(HEADS)}; of any other give the module, as file.py:name"
            raise InputError("config.architectures", named, expected)
        only |= {"use_safetensors": True, "ignore_mismatched_sizes": True, "output_loading_info": True}
        module, loaded = getattr(library, loader).from_pretrained(str(folder), **only)
    except InputError:
        raise
    except Exception as error:  # the library's own kinds of errors, and those of the machine
        reason = " ".join(str(error).split())[:300]
        raise InputError("folder", folder.name, f"a model that transformers loads ({reason})") from error
    finally:
        logs.set_verbosity(level)
        if bars:
            logs.enable_progress_bar()
    missing, odd = sorted(loaded["missing_keys"]), sorted(str(each[0]) for each in loaded["mismatched_keys"])
    if missing or odd:
        names = f"missing: {', '.join(missing[:6]) or 'none'}; of another shape: {', '.join(odd[:6]) or 'none'}"
        raise InputError(f"weights in {folder.name}", names, f"those of {type(module).__name__}")
    return module


class OnnxGraph:
    """A graph of ONNX as a function of ids or vectors; a fixed batch holds copies of one word."""

    def __init__(self, path: Path, sequence_first: bool = False) -> None:
        file_size(path)
        self.__name__, self._session = path.stem, _session(path)
        inputs = self._session.get_inputs()
        if len(inputs) != 1:
            raise InputError("inputs of the graph", [each.name for each in inputs], "one, which takes the words")
        (given,) = inputs
        if given.type not in TYPES or len(given.shape) not in (2, 3):
            expected = f"ids (batch, N), or a vector for each, of {', '.join(TYPES)}"
            raise InputError("input of the graph", (given.type, given.shape), expected)
        sizes = [size if isinstance(size, int) else None for size in given.shape]
        if sequence_first and sizes[1] is not None:
            raise InputError("input of the graph", given.shape, "a batch of any size, where it takes (N, batch)")
        self._input, self._type, self._batch = given.name, TYPES[given.type], None if sequence_first else sizes[0]
        self._outputs = [each.name for each in self._session.get_outputs()]
        whole = np.issubdtype(self._type, np.integer)
        self.vector_width = None if whole else (sizes[2] or 0) if len(sizes) == 3 else 0

    def __call__(self, words: Array) -> Any:
        fed = np.ascontiguousarray(words, dtype=self._type)
        if self._batch is None:
            outputs = self._run(fed)
        else:
            alone = [self._of_copies(self._run(np.repeat(word[None], self._batch, axis=0))) for word in fed]
            outputs = {name: np.stack([each[name] for each in alone]) for name in alone[0]}
        return outputs if len(self._outputs) > 1 else outputs[self._outputs[0]]

    def _run(self, fed: Array) -> dict[str, Array]:
        try:
            returned = self._session.run(None, {self._input: fed})
        except Exception as error:  # its own kinds of errors, which begin with numbers of them
            raise ValueError(str(error).rpartition(" : ")[2]) from error
        return {name: np.asarray(array) for name, array in zip(self._outputs, returned, strict=True)}

    def _of_copies(self, outputs: Mapping[str, Array]) -> dict[str, Array]:
        own = {
            name: array[0]
            for name, array in outputs.items()
            if array.dtype.kind in "biuf" and array.ndim and len(array) == self._batch
            if np.allclose(array, array[:1], rtol=CLOSE, equal_nan=True)
        }
        if not own:
            raise ValueError(f"no output is the same for {self._batch} copies of a word, along the first axis")
        return own


def _session(path: Path) -> Any:
    try:
        runtime: Any = import_module("onnxruntime")
    except ImportError as error:
        raise InputError("file", path.name, "onnxruntime to be installed: pip install 'ccsim[onnx]'") from error
    if tuple(int(part) for part in runtime.__version__.split(".")[:2]) < LOWEST:
        expected = f"{'.'.join(map(str, LOWEST))} or later, which reads no data from outside the folder of a graph"
        raise InputError("onnxruntime", runtime.__version__, expected)
    options = runtime.SessionOptions()
    options.log_severity_level = 4  # the error has what is wrong
    try:
        return runtime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its own kinds of errors, and those of the machine
        reason = " ".join(str(error).split())[:300]
        raise InputError("file", path.name, f"a graph that onnxruntime runs ({reason})") from error
