"""What is known while a graph of ONNX is followed: what each name stands for, and which tensors were used."""

from __future__ import annotations

from dataclasses import dataclass, field

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.onnx_files import Graph, Operation

__all__ = ["BATCH", "DIRECTION", "POSITION", "WIDTH", "State", "Value"]

BATCH, POSITION, DIRECTION, WIDTH = "batch", "position", "direction", "width"


@dataclass(frozen=True, eq=False)
class Value:
    """What a name stands for.

    Attributes:
        kind: ``ids``, ``stream``, ``scores``; ``constant``, ``zero``, or ``size``.
        axes: of the first three what each axis is.
        array: of a constant.
        source: of a constant its name.
        width: of a stream.
        layer: of a stream, how many layers it went through.
    """

    kind: str
    axes: tuple[str, ...] = ()
    array: Array | None = None
    source: str = ""
    width: int = 0
    layer: int = 0


@dataclass
class State:
    """How far a graph was followed.

    Attributes:
        graph: what is followed.
        values: what each name stands for.
        tensors: the parts of the network, as :mod:`~ccsim.models.files.recurrent_parts` names them.
        used: the names of initializers that something was made of.
        cells: architecture and activation of each layer.
    """

    graph: Graph
    values: dict[str, Value] = field(default_factory=dict)
    tensors: dict[str, Array] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    cells: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.values = {name: Value("constant", array=array, source=name) for name, array in self.graph.arrays.items()}
        self.values[self.graph.input] = Value("ids", (BATCH, POSITION))

    def value(self, operation: Operation, place: int) -> Value:
        """What goes in at a place."""
        name = operation.input(place)
        if name not in self.values:
            raise InputError(f"input {place} of {operation.kind}", name, "something that was computed before")
        return self.values[name]

    def set(self, operation: Operation, value: Value, place: int = 0) -> None:
        """Say what an output stands for."""
        name = operation.outputs[place] if place < len(operation.outputs) else ""
        if name in self.values:
            raise InputError(f"output of {operation.kind}", name, "a name that is new")
        if name:
            self.values[name] = value

    def whole(self, operation: Operation, place: int) -> list[int]:
        """A constant of whole numbers, as a list."""
        found = self.constant(operation, place)
        if found.dtype.kind != "i" or found.ndim > 1:
            raise InputError(f"input {place} of {operation.kind}", (str(found.dtype), found.shape), "whole numbers")
        return [int(each) for each in found.reshape(-1)]

    def unchanged(self, operation: Operation) -> Value:
        """What changes nothing: Identity, and Dropout in a network that is not trained."""
        for place in range(1, len(operation.inputs)):
            if place > 1 and operation.input(place):
                raise InputError("operation", operation.kind, "no mode of training")
            if operation.input(place):
                self.constant(operation, place)
        return self.value(operation, 0)

    def stream(self, operation: Operation, place: int = 0) -> Value:
        """Ids, vectors or scores that go in."""
        found = self.value(operation, place)
        if found.kind not in ("stream", "scores", "ids"):
            raise InputError(f"input {place} of {operation.kind}", operation.input(place), "what the network computes")
        return found

    def constant(self, operation: Operation, place: int) -> Array:
        """A constant that goes in; it counts as used."""
        found = self.value(operation, place)
        if found.array is None:
            raise InputError(f"input {place} of {operation.kind}", operation.input(place), "a constant")
        self.used.add(found.source)
        return found.array

    def tensor(self, operation: Operation, place: int, name: str, axes: int) -> Array:
        """A constant that is a part of the network, under its name there."""
        array = self.constant(operation, place)
        if array.dtype.kind != "f" or array.ndim != axes or name in self.tensors:
            expected = f"floating-point numbers with {axes} axes, the only {name}"
            raise InputError(f"input {place} of {operation.kind}", (str(array.dtype), array.shape), expected)
        self.tensors[name] = array
        return array
