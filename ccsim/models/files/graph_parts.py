"""A graph of ONNX without a recurrent node, for words of one length: each operation as it stands, in any arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ccsim.arithmetic import Precision
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.memory import require_memory
from ccsim.models.files.arithmetics import Double, FloatArithmetic
from ccsim.models.files.description import Description
from ccsim.models.files.graph_rules import RULES
from ccsim.models.files.graph_values import MOST_ENTRIES, MOST_PRODUCTS, Given, Run
from ccsim.models.files.onnx_files import Graph, Operation
from ccsim.models.files.tensors import Tensors
from ccsim.models.model import score_of_each
from ccsim.models.operations import FixedPoint, Operations

__all__ = ["GraphParts", "GraphTensors", "fresh_run", "graph_entries", "graph_parts", "in_place_of_masks"]

BYTES_EACH = 24  # for each number of the graph: in float64, and in another arithmetic beside it
MASKED = -3e38  # no weight, but what masks add to logits

SAID = ("tokens", "answers", "precision", "arithmetic", "saturate", "check", "ignore", "tensors", "length")
"""What may be said beside such a graph; and ``before`` and ``after``."""


class GraphTensors(Tensors):
    """The floating-point initializers of a graph, with the graph."""

    def __init__(self, graph: Graph) -> None:
        numbers = {name: array for name, array in graph.arrays.items() if array.dtype.kind == "f"}
        super().__init__(numbers, graph.source, graph.notes)
        self.graph = graph

    def renamed(self, names: Mapping[str, str]) -> Tensors:
        """The same: its operations name what they use."""
        if names:
            raise InputError("names", dict(names), "none for a graph, which names what it uses")
        return self


def graph_entries(plain: Mapping[str, object]) -> dict[str, object]:
    """The entries of a description beside a graph; what the graph tells itself is an error."""
    odd = sorted(set(plain) - {*SAID, "before", "after"})
    if odd:
        raise InputError("description", odd, f"some of {', '.join(SAID)}, before, after: the graph tells the rest")
    return {**plain, "architecture": "graph", "convention": "onnx", "read_out": {"weight": "the output"}}


@dataclass(frozen=True, eq=False)
class GraphParts:
    """A graph for words of one length.

    Attributes:
        graph: its operations.
        ids: the id of each symbol.
        length: N, with all that stands around a word.
        answers: how many there are.
        block: how many batches of words are computed at once.
    """

    graph: Graph
    ids: Array
    length: int
    answers: int
    block: int = 1

    def scores(self, words: Array, run: Callable[[], Run], constants: Mapping[str, Given]) -> Array:
        """The scores (words, answers) of words of ranks (words, N), in the arithmetic of a fresh run.

        A word stands in a batch by itself, and so often as the graph's batch has words: no other word has a say.
        Raises :class:`~ccsim.errors.InputError` if its place there has.
        """
        batch, found = self.graph.sizes[0] if self.graph.sizes else None, []
        size = self.block
        for first in range(0, len(words), size):
            block = np.repeat(words[first : first + size, None], batch or 1, axis=1)
            found.append(_alone(self._followed(run(), block, constants), batch or 1))
        return np.concatenate(found) if found else np.zeros((0, self.answers))

    def _followed(self, run: Run, words: Array, constants: Mapping[str, Given]) -> Array:
        values = {**constants, self.graph.input: self._fed(run, words)}
        for operation in self.graph.operations:
            _follow(run, operation, values)
        if self.graph.output not in values or not values[self.graph.output].real:
            raise InputError("output", self.graph.output, "scores")
        found = values[self.graph.output].array
        found = found[:, :, -1] if found.ndim == 4 else found[:, :, None] if found.ndim == 2 else found
        if found.ndim != 3 or found.shape[1] != words.shape[1]:
            raise InputError("output", found.shape[1:], "scores (batch, answers), or (batch, N, answers)")
        found = np.broadcast_to(found, (len(words), *found.shape[1:])).reshape(-1, found.shape[2])
        found = score_of_each(found, self.answers)
        if found.shape[1] != self.answers:
            raise InputError("output", found.shape[1], f"{self.answers} scores, one for each answer")
        return found

    def _fed(self, run: Run, words: Array) -> Given:
        """The ids of words (words, batch, N), or vectors with a single 1 for each, flat or not."""
        ids, sizes = self.ids[words], self.graph.sizes
        if self.graph.whole:
            return Given(ids, False)
        flat = len(sizes) == 2
        count = sizes[-1] if sizes and sizes[-1] else 0
        count = count // self.length if flat else count
        if len(sizes) not in (2, 3) or count <= int(self.ids.max()) or (flat and count * self.length != sizes[1]):
            expected = f"ids (batch, {self.length}), or vectors with a single 1 for ids up to {self.ids.max()}"
            raise InputError("input", sizes, expected)
        single = (ids[..., None] == np.arange(count)).astype(np.float64)
        return Given(run.numbers(single.reshape(*words.shape[:2], -1) if flat else single), True)

    def constants(self, run: Run) -> dict[str, Given]:
        """The initializers in an arithmetic."""
        found = {}
        for name, array in self.graph.arrays.items():
            real = array.dtype.kind == "f"
            found[name] = Given((self._weights(run, name, array) if real else array.astype(np.int64))[None], real)
        return found

    def _weights(self, run: Run, name: str, array: Array) -> Array:
        """Numbers; those of matrices of linear maps as the arithmetic keeps these."""
        turned = self._matrices.get(name)
        if turned is None or array.ndim != 2 or not isinstance(run.arithmetic, FloatArithmetic):
            return run.numbers(array)
        matrix = array.astype(np.float64)
        return run.arithmetic.weights_of(matrix) if turned else run.arithmetic.weights_of(matrix.T).T

    @property
    def _matrices(self) -> dict[str, bool]:
        """Which names are matrices of linear maps, and whether their rows are outputs."""
        kinds = ("MatMul", "Gemm")
        return {
            each.input(1): each.kind == "Gemm" and bool(each.attributes.get("transB", 0))
            for each in self.graph.operations
            if each.kind in kinds
        }


def _alone(scores: Array, batch: int) -> Array:
    """The scores of each word, from those of batches of its copies."""
    copies = scores.reshape(-1, batch, scores.shape[1])
    first = copies[:, :1]
    if ((copies != first) & ((copies == copies) | (first == first))).any():  # NaN is like NaN
        raise InputError("graph", "scores that depend on the place in a batch", "scores that depend on the word alone")
    return np.asarray(copies[:, 0])


def _follow(run: Run, operation: Operation, values: dict[str, Given]) -> None:
    """One operation, whose outputs become values."""
    if operation.kind not in RULES:
        expected = f"one of {', '.join(sorted(RULES))}; any module of PyTorch can be run as it is, as file.py:name"
        raise InputError("operation", operation.kind, expected)
    given: list[Given | None] = []
    for place, name in enumerate(operation.inputs):
        if name and name not in values:
            raise InputError(f"input {place} of {operation.kind}", name, "something that was computed before")
        given.append(values[name] if name else None)
    try:
        made = RULES[operation.kind](run, operation, given)
    except InputError:
        raise
    except (ValueError, IndexError, TypeError, OverflowError, AttributeError) as error:  # shapes that do not fit
        shapes = [None if each is None else each.array.shape[1:] for each in given]
        raise InputError(f"operation {operation.kind}", shapes, "inputs that fit") from error
    for name, value in zip(operation.outputs, made if isinstance(made, list) else [made], strict=False):
        if name in values:
            raise InputError(f"output of {operation.kind}", name, "a name that is new")
        if name:
            values[name] = value


def graph_parts(description: Description, tensors: Tensors, length: int | None) -> GraphParts:
    """The parts of a graph, which is run once on a word to see that all of it is known and of a size that can be run.

    Raises :class:`~ccsim.errors.InputError` that names any operation, attribute, shape or size that is not.
    """
    if not isinstance(tensors, GraphTensors):
        raise InputError("architecture", description.architecture, "another one for tensors that are no graph of ONNX")
    graph = tensors.graph
    told = graph.sizes[1] if len(graph.sizes) == (2 if graph.whole else 3) else None  # ids, or a vector for each
    length = length or description.length or told
    if length is None or told not in (None, length):
        raise InputError("length", length, f"{told or 'a number of'} symbols, with those around each word")
    numbers = sum(array.size for array in graph.arrays.values())
    if numbers > MOST_PRODUCTS:
        raise InputError("graph", numbers, f"at most {MOST_PRODUCTS} numbers, as each word goes through all of them")
    require_memory(BYTES_EACH * numbers, f"the {numbers} numbers of the graph")
    used = {name for operation in graph.operations for name in operation.inputs}
    for name, array in graph.arrays.items():
        if name in used and array.dtype.kind == "f":
            tensors.take(name, *array.shape, masked=True)
    parts = GraphParts(graph, np.array(description.ids, dtype=np.int64), length, len(description.answers))
    run = Run(Double(), lambda values: np.asarray(values, dtype=np.float64))
    parts.scores(np.zeros((1, length), dtype=np.int64), lambda: run, parts.constants(run))
    return replace(parts, block=max(1, MOST_ENTRIES // max(1, MOST_ENTRIES - run.entries)))


def in_place_of_masks(precision: Precision, values: Array) -> Array:
    """The lowest number of a precision where a mask has -infinity, or the lowest number of single precision."""
    lowest = precision.low / precision.scale
    return np.where(np.asarray(values, dtype=np.float64) <= MASKED, lowest, values).astype(np.float64)


def fresh_run(arithmetic: Operations, saturate: bool = False) -> Callable[[], Run]:
    """What starts runs in an arithmetic: float64, fixed or floating point."""

    def numbers(values: Array) -> Array:
        if isinstance(arithmetic, FixedPoint):
            precision: Precision = arithmetic.precision
            unmasked = in_place_of_masks(precision, values)
            return precision.quantise(unmasked, "a number of the graph", saturate=saturate)
        if isinstance(arithmetic, FloatArithmetic):
            return arithmetic.rounded(np.asarray(values, dtype=np.float64))
        return np.asarray(values, dtype=np.float64)

    return lambda: Run(arithmetic, numbers)
