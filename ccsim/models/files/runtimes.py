"""Models that another library runs: a graph of ONNX by onnxruntime."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.reading import require_file

__all__ = ["OnnxGraph", "is_run", "open_forward"]

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


def is_run(path: str | Path) -> bool:
    """Whether a file holds a model that is run as it is, not tensors that are read."""
    return Path(path).suffix.lower() == ".onnx"


def open_forward(path: str | Path, *, sequence_first: bool = False) -> Any:
    """The forward pass in a file, for :class:`~ccsim.models.ForwardModel`: a graph of ONNX, run by onnxruntime.

    Nothing but the operations of the graph is executed, and its tensors may lie in its own folder only.

    Args:
        path: the graph (.onnx); no description beside it is read.
        sequence_first: whether it takes ids of shape (N, batch).

    Raises :class:`~ccsim.errors.InputError` for files that onnxruntime refuses, and where it is not installed.
    """
    path = Path(path)
    if not is_run(path):
        raise InputError("file", path.name, "a graph of ONNX (.onnx)")
    beside = path.with_suffix(".toml")
    if beside.is_file():
        expected = "none: what is run needs no description; say --tokens, --before, --rows (arguments of ForwardModel)"
        raise InputError("description", beside.name, expected)
    return OnnxGraph(path, sequence_first)


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
