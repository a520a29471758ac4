"""Models that other libraries run: a graph of ONNX, a folder of Hugging Face."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from os.path import isdir
from pathlib import Path
from typing import Any

import numpy as np

from ccsim.errors import Array, InputError

LOWEST = 1, 24
"""The first version of onnxruntime that reads no data from outside the folder of a graph."""

TYPES: Mapping[str, Any] = {
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(float16)": np.float16,
}
SAME = 2.0**-10  # copies of one word in a batch differ by rounding alone, if they differ

HEADS = {
    "ForCausalLM": "AutoModelForCausalLM",
    "LMHeadModel": "AutoModelForCausalLM",
    "ForMaskedLM": "AutoModelForMaskedLM",
    "ForSequenceClassification": "AutoModelForSequenceClassification",
    "ForTokenClassification": "AutoModelForTokenClassification",
}
"""How the names of architectures of Hugging Face end, and what loads them."""


def is_run(path: str | Path) -> bool:
    """Whether it is a model that another library runs as it is, not tensors that are read."""
    return Path(path).suffix.lower() == ".onnx" or isdir(path)


def open_forward(path: str | Path, *, sequence_first: bool = False) -> Any:
    """The forward pass of a model on disk, for :class:`~ccsim.models.ForwardModel`.

    A graph of ONNX is run by onnxruntime, in nothing but the operations of the graph, whose tensors may lie in its own
    folder only. A folder with ``config.json`` and ``model.safetensors``, as Hugging Face saves a model, becomes the
    PyTorch module that transformers makes of it, from these files alone; code in the folder is never run.

    Args:
        path: the graph (.onnx) or the folder; no description of it is read.
        sequence_first: whether a graph takes ids of shape (N, batch).

    Raises :class:`~ccsim.errors.InputError` for what these libraries refuse, and where they are not installed.
    """
    path = Path(path)
    if not is_run(path):
        raise InputError("file", path.name, "a graph of ONNX (.onnx), or a folder of Hugging Face")
    beside = path / "ccsim.toml" if isdir(path) else path.with_suffix(".toml")
    if beside.is_file():
        expected = "none: what is run needs no description; say --tokens, --before, --rows (arguments of ForwardModel)"
        raise InputError("description", beside.name, expected)
    return _of_folder(path) if isdir(path) else OnnxGraph(path, sequence_first)


def require_none(argument: str, odd: Mapping[str, list[str]], expected: str) -> None:
    """All names, by what is wrong with them, in one error."""
    told = [
        f"{what}: {', '.join(names[:6])}{f' and {len(names) - 6} more' * (len(names) > 6)}"
        for what, names in odd.items()
        if names
    ]
    if told:
        raise InputError(argument, "; ".join(told), expected)


def _of_folder(folder: Path) -> Any:
    """The module that transformers makes of a folder, from its own classes and safetensors alone."""
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
    odd = {
        "missing": sorted(loaded["missing_keys"]),
        "of another shape": sorted(str(each[0]) for each in loaded["mismatched_keys"]),
    }
    require_none(f"weights in {folder.name}", odd, f"those of {type(module).__name__}")
    return module


def require_file(path: Path) -> tuple[int, bytes]:
    """How large a file is, and how it begins."""
    try:
        if not path.is_file():
            raise InputError("file", str(path), "a file that exists")
        with path.open("rb") as file:
            return path.stat().st_size, file.read(8)
    except OSError as error:
        raise InputError("file", str(path)[-200:], f"a file that can be read ({error.strerror})") from error


class OnnxGraph:
    """A graph of ONNX as a function from ids (batch, N), or vectors in place of them, to its outputs.

    Where its batch has a fixed size, each word is run in a batch of copies of itself, so that no other word matters.

    Attributes:
        vector_width: None where it takes ids; else the size of the vectors, with a single 1 for each id, that it takes,
            and 0 if that is not fixed.
    """

    def __init__(self, path: Path, sequence_first: bool = False) -> None:
        require_file(path)
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
        """What the graph gives; a table by the names of its outputs, if there are several."""
        fed = np.ascontiguousarray(words, dtype=self._type)
        if self._batch is None:
            found = self._run(fed)
        else:
            alone = [self._of_copies(self._run(np.repeat(word[None], self._batch, axis=0))) for word in fed]
            found = {name: np.stack([each[name] for each in alone]) for name in alone[0]}
        return found if len(self._outputs) > 1 else found[self._outputs[0]]

    def _run(self, fed: Array) -> dict[str, Array]:
        try:
            returned = self._session.run(None, {self._input: fed})
        except Exception as error:  # its own kinds of errors, which begin with numbers of them
            raise ValueError(str(error).rpartition(" : ")[2]) from error
        return {name: np.asarray(array) for name, array in zip(self._outputs, returned, strict=True)}

    def _of_copies(self, outputs: Mapping[str, Array]) -> dict[str, Array]:
        """Of each output what belongs to one word, of which all of a batch are copies."""
        numbers = {name: array for name, array in outputs.items() if array.dtype.kind in "biuf" and array.ndim}
        fit = {name: array for name, array in numbers.items() if len(array) == self._batch}
        found = {n: each[0] for n, each in fit.items() if np.allclose(each, each[:1], rtol=SAME, equal_nan=True)}
        if not found:
            raise ValueError(f"no output is the same for {self._batch} copies of a word, along the first axis")
        return found


def _session(path: Path) -> Any:
    try:
        runtime: Any = import_module("onnxruntime")
    except ImportError as error:
        raise InputError("file", path.name, "onnxruntime to be installed: pip install 'ccsim[onnx]'") from error
    if tuple(int(part) for part in runtime.__version__.split(".")[:2]) < LOWEST:
        expected = f"{'.'.join(map(str, LOWEST))} or later, which reads no data from outside the folder of a graph"
        raise InputError("onnxruntime", runtime.__version__, expected)
    options = runtime.SessionOptions()
    options.log_severity_level = 4  # what is wrong is told by the error
    try:
        return runtime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its own kinds of errors, and those of the machine
        reason = " ".join(str(error).split())[:300]
        raise InputError("file", path.name, f"a graph that onnxruntime runs ({reason})") from error
