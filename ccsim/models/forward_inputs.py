"""What a forward pass is fed: ids, or what its first layer reads in place of them, and what else it asks for."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError

LENGTHS = re.compile(r"(?:^|_)(?:len|lens|length|lengths|sizes)$|seqlens?$")
STATES = re.compile(r"hid|state|^h(?:_?\d|_?t|_?x|_?c|_?prev|_?init|_?n)?$|^hc|^carry|^memory|^past|^prev|^init")
HOOKS = "init_hidden", "initHidden", "init_state", "initial_state", "init_hidden_state", "get_initial_state"


@dataclass(frozen=True, eq=False)
class Feeding:
    """How ids (batch, L) go into a forward pass.

    Attributes:
        way: what it is fed, for people.
        others: what else.
        arranged: makes that of ids, (batch, L, ...).
        more: makes the other arguments, of the number of words and L.
        sequence_first: whether positions come before the words of a batch.
    """

    way: str
    others: str
    arranged: Callable[[Array], Array]
    more: Callable[[int, int], list[Any]]
    sequence_first: bool

    @property
    def told(self) -> str:
        """All of it, for people."""
        return f"{self.way}{', of shape (N, batch)' * self.sequence_first}{self.others}"

    def arguments(self, ids: Array) -> tuple[Array, list[Any]]:
        """The first argument as an array, and the others."""
        made = self.arranged(ids)
        return (np.swapaxes(made, 0, 1) if self.sequence_first else made), self.more(*ids.shape)


def feedings(forward: Any, module: Any, torch: Any, largest: int, sequence_first: bool) -> list[Feeding]:
    """What may be fed, in the order in which it is tried; ids alone to all but modules that have no embedding.

    ``largest`` is the largest id. Raises :class:`~ccsim.errors.InputError` for arguments that are not known.
    """
    width = getattr(forward, "vector_width", None)  # of a graph of ONNX
    ways: list[Way] = [("ids", lambda ids: ids)]
    others: list[tuple[str, More]] = [("", lambda count, length: [])]
    if module is not None:
        ways, others = [*ways, *_as_floats(module, torch, largest)], _others(forward, module, torch)
    elif width is not None:
        ways = _vectors(max(width, largest + 1), False)
    return [
        Feeding(told, said, way, more, sequence_first)
        for told, way in ways
        for said, more in others
        if not sequence_first or told in ("ids", *SWAPPED)
    ]


SWAPPED = "vectors with a single 1", "numbers from 0 on, one at each position"
Way = tuple[str, Callable[[Array], Array]]
More = Callable[[int, int], list[Any]]


def _as_floats(module: Any, torch: Any, largest: int) -> list[Way]:
    """What a first layer that is no embedding reads; none where there is an embedding."""
    nn = torch.nn
    parts = [each for each in module.modules() if next(each.parameters(recurse=False), None) is not None]
    if any(isinstance(each, nn.Embedding | nn.EmbeddingBag) for each in parts):
        return []
    first = next(iter(parts), None)
    reads = next(
        (getattr(first, name) for name in ("input_size", "in_features", "in_channels") if hasattr(first, name)), 0
    )
    ways: list[Way] = [(SWAPPED[1], lambda ids: ids[:, :, None].astype(float))]
    ways.append(("numbers from 0 on, a row for each word", lambda ids: ids.astype(float)))
    if isinstance(first, nn.Conv1d):
        ways.append(("numbers from 0 on, in one channel", lambda ids: ids[:, None, :].astype(float)))
    for width in {largest + 1, reads} if largest < reads <= 2 * largest + 2 else {largest + 1}:
        ways += _vectors(width, isinstance(first, nn.Conv1d))
    return ways


def _vectors(width: int, channels: bool) -> list[Way]:
    """Vectors of a width with a single 1 for each symbol."""
    eye = np.eye(width)
    joined: Way = (
        f"vectors of {width} numbers with a single 1, joined in a row",
        lambda ids: eye[ids].reshape(len(ids), -1),
    )
    ways: list[Way] = [(SWAPPED[0], lambda ids: eye[ids]), joined]
    if channels:
        ways.append(("vectors with a single 1, channels first", lambda ids: np.swapaxes(eye[ids], 1, 2)))
    return ways


def _others(forward: Any, module: Any, torch: Any) -> list[tuple[str, More]]:
    """What else ``forward`` must be given: numbers of symbols, first states; all that may be left out is."""
    called = module.forward if forward is module else forward
    try:
        known = list(inspect.signature(called).parameters.values())
    except (TypeError, ValueError):  # of a function that is not written in Python
        return [("", lambda count, length: [])]
    kinds = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    required = [each for each in known if each.kind in kinds and each.default is each.empty][1:]
    odd = [each.name for each in known if each.kind is each.KEYWORD_ONLY and each.default is each.empty]
    odd += [each.name for each in required if not LENGTHS.search(each.name) and not STATES.search(each.name)]
    if odd:
        expected = (
            "a forward pass of ids, and perhaps of their lengths and a first state; give a function that hands over the"
            " rest: def model(ids): ..."
        )
        raise InputError("forward", f"forward({', '.join(each.name for each in known)})", expected)
    if not required:
        return [("", lambda count, length: [])]
    told = f" with {' and '.join(each.name for each in required)}"
    found: list[tuple[str, More]] = []
    stateless = all(LENGTHS.search(each.name) for each in required)
    for way, state in [("", None)] if stateless else _states(module, torch):

        def more(count: int, length: int, state: Any = state) -> list[Any]:
            full = torch.full((count,), length, dtype=torch.int64)
            return [full if LENGTHS.search(each.name) else state(count) for each in required]

        found.append((f"{told}{way}", more))
    return found


def _states(module: Any, torch: Any) -> list[tuple[str, Any]]:
    """First states: the module's own, nothing at all, or zeros for its recurrent layer."""
    found: list[tuple[str, Any]] = []
    for name in HOOKS:
        own = getattr(module, name, None)
        if callable(own):
            wants = [each for each in inspect.signature(own).parameters.values() if each.default is each.empty]
            made = (lambda count, own=own: own(count)) if wants else (lambda count, own=own: own())
            found.append((f" from {name}()", made))
    found.append((" None", lambda count: None))
    for each in module.modules():
        if isinstance(each, torch.nn.RNNBase | torch.nn.RNNCellBase):
            found.append((" 0", lambda count, each=each: _zeros(torch, each, count)))
            break
    width = getattr(module, "hidden_size", None) or getattr(module, "hidden_dim", None)
    if isinstance(width, int):
        found.append((" 0", lambda count: torch.zeros(count, width)))
    return found


def _zeros(torch: Any, layer: Any, count: int) -> Any:
    """The first state of a recurrent layer or cell."""
    some = next(layer.parameters())
    if isinstance(layer, torch.nn.RNNCellBase):
        zeros = some.new_zeros(count, layer.hidden_size)
        return (zeros, zeros.clone()) if isinstance(layer, torch.nn.LSTMCell) else zeros
    rows = layer.num_layers * (2 if layer.bidirectional else 1)
    zeros = some.new_zeros(rows, count, layer.proj_size or layer.hidden_size)
    return (zeros, some.new_zeros(rows, count, layer.hidden_size)) if isinstance(layer, torch.nn.LSTM) else zeros
