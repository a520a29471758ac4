"""Recurrent models whose step is a user's function, and the state of modules that are run."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ccsim.arithmetic import Precision
from ccsim.errors import Array, InputError, require_integer, require_symbols
from ccsim.models.model import largest_score
from ccsim.models.recurrent import RecurrentModel


def as_module(forward: Any) -> Any:
    torch: Any = sys.modules.get("torch")  # a module of PyTorch can only be here if PyTorch is
    for each in () if torch is None else (forward, getattr(forward, "__self__", None)):
        if isinstance(each, torch.nn.Module):
            return each
    return None


def recurrent_state(module: Any | None) -> tuple[str, int] | None:
    """The names of recurrent layers, and the bits that they hand on; None if there are none, or one reads both ways."""
    torch: Any = sys.modules.get("torch")
    if module is None or torch is None:
        return None
    nn = torch.nn
    kinds = nn.RNNBase | nn.RNNCellBase
    layers = {name or type(each).__name__: each for name, each in module.named_modules() if isinstance(each, kinds)}
    if not layers or any(getattr(each, "bidirectional", False) for each in layers.values()):
        return None
    bits = 0
    for layer in layers.values():
        hidden = getattr(layer, "proj_size", 0) or layer.hidden_size
        cell = layer.hidden_size if isinstance(layer, nn.LSTM | nn.LSTMCell) else 0
        bits += getattr(layer, "num_layers", 1) * (hidden + cell) * 8 * next(layer.parameters()).element_size()
    return " and ".join(layers), bits


@contextmanager
def state_restored(module: Any | None) -> Iterator[None]:
    """Within it a module, or None, is in eval mode and has no gradients; after it all is as it was, also on errors.

    Restored are parameters, buffers, every attribute of every submodule, what its lists and tables hold, and random
    generators.
    """
    torch: Any = sys.modules.get("torch")
    with ExitStack() as stack:
        stack.callback(random.setstate, random.getstate())
        stack.callback(np.random.set_state, np.random.get_state())  # noqa: NPY002 - of people's own code
        if torch is not None:
            used = set() if module is None else {each.device for each in module.parameters()}
            cards = [each for each in used if each.type == torch.device("cuda").type]  # have generators of their own
            stack.enter_context(torch.random.fork_rng(devices=cards))
            stack.enter_context(torch.no_grad())
        if module is not None:
            for each in module.modules():
                stack.callback(_restorer(torch, each))
            module.eval()
        yield


def _restorer(torch: Any, module: Any) -> Callable[[], None]:
    training, held = module.training, vars(module)
    saved = {} if isinstance(module, torch.jit.ScriptModule) else dict(held)
    inside = {name: value.copy() for name, value in saved.items() if isinstance(value, dict | list | set)}
    kept = [*saved.values(), *saved.get("_parameters", {}).values(), *saved.get("_buffers", {}).values()]
    tensors = [(each, each.detach().clone(), each.requires_grad) for each in kept if isinstance(each, torch.Tensor)]

    def restore() -> None:
        if saved:
            held.clear()
            held.update(saved)
        for name, copied in inside.items():
            value = saved[name]
            value.clear()
            value.extend(copied) if isinstance(value, list) else value.update(copied)
        for tensor, numbers, flag in tensors:
            if tensor.is_leaf:
                tensor.requires_grad_(flag)
            if tensor.shape != numbers.shape or not torch.equal(tensor, numbers):
                tensor.data = numbers
        if module.training is not training:
            module.training = training

    return restore


TURNED = 8  # so many tiles are also run with their rows in another order
KINDS = np.typecodes["AllInteger"] + "?efdFD"  # numbers whose bits all count


def is_step(given: Any) -> bool:
    return all(callable(getattr(given, name, None)) for name in ("start", "step"))


def as_step(given: Any, alphabet: Iterable[Hashable], answers: Iterable[Hashable]) -> StepModel:
    try:
        made = given() if isinstance(given, type) else given
        start = made.start()
    except Exception as error:  # whatever people's own code raises
        shown = f"{type(error).__name__}: {error}"[:110]
        raise InputError("start", shown, "the state before the first symbol, without any arguments") from error
    return StepModel(made.step, start, alphabet, answers)


class StepModel(RecurrentModel):
    """A recurrent model that is asked by running its own step, such as one around an ``nn.LSTMCell`` in half precision.

    Two states are equal if all bits agree of what the step carries. The last bits of a sum may depend on how many rows
    are computed at once, but not on what the other rows hold. So the step is always run on a *tile* of so many rows,
    and results hold as this machine runs it, in tiles of that size. Some tiles are run in another order of their rows
    as well, which must not change a bit.

    Args:
        step: from states and ids of shape (batch,) to the next states and scores, shape (batch, answers).
        start: the state before the first symbol, arrays whose first axis is the batch of one.
        alphabet, answers: the symbol of each id, and the answer of each score.
        tile: how many rows are run at once.
        name: what it is called.

    >>> def step(state, ids):  # whether a b was read, in half precision
    ...     seen = np.maximum(state, ids[:, None].astype(np.float16))
    ...     return seen, np.hstack([1 - seen, seen])
    >>> model = StepModel(step, np.zeros((1, 1), np.float16), "ab")
    >>> model("aaba"), model.state_bits, model.manner
    (1, 16, 'as this machine runs it, in tiles of 64')
    """

    length = None
    is_exact: ClassVar[bool] = False
    is_stationary = True

    def __init__(
        self,
        step: Callable[[Any, Any], Any],
        start: Any,
        alphabet: Iterable[Hashable],
        answers: Iterable[Hashable] = (0, 1),
        *,
        tile: int = 64,
        name: str = "",
    ) -> None:
        """From a step.

        Args:
            step: takes a state and ids of shape (tile,), int64, and returns the next state and the scores
                (tile, answers) of words that end there; it is run without gradients, a module in eval mode.
            start: the state before the first symbol: an array or tensor of shape (1, ...), or a tuple of them.
            alphabet, answers: the symbols, whose places are the ids; and the answers in the order of the scores.
            tile, name: how many rows the step is given; what it is called, if not as the class or function.
        """
        owner = getattr(step, "__self__", step)
        self.name = name or getattr(owner, "__name__", type(owner).__name__)
        self.alphabet, self.answers = require_symbols("alphabet", alphabet), require_symbols("answers", answers)
        self.tile, self._turned = require_integer("tile", tile, low=1, high=1 << 16), 0
        self._step, self._given, self._start = step, start, _parts(start)
        if not callable(step):
            raise InputError("step", step, "a function of a state and ids")
        for part in self._start:
            shape = tuple(getattr(part, "shape", ()))
            if shape[:1] != (1,) or 0 in shape or not (_is_tensor(part) or np.dtype(part.dtype).char in KINDS):
                raise InputError("start", part, "arrays or tensors of numbers, of shape (1, ...)")

    @property
    def manner(self) -> str:
        return f"as this machine runs it, in tiles of {self.tile}"

    @property
    def arithmetic(self) -> str:
        formats = ", ".join(dict.fromkeys(str(part.dtype).removeprefix("torch.") for part in self._start))
        return f"the model's own step in {formats}, {self.manner}; states are compared bit by bit"

    @cached_property
    def _lanes(self) -> list[tuple[np.dtype[Any], int]]:
        """For each part of the state, integers of at most 32 bits that hold a row of it, and how many."""
        rows = [(_bytes(part).size, int(np.prod(part.shape))) for part in self._start]
        return [(np.dtype(f"i{min(4, size // count)}"), size // min(4, size // count)) for size, count in rows]

    @cached_property
    def state_precisions(self) -> tuple[Precision, ...]:
        halves = [1 << 8 * kind.itemsize - 1 for kind, count in self._lanes for _ in range(count)]
        return tuple(Precision(1, -half, half - 1) for half in halves)

    def start(self) -> Array:
        return np.asarray(self._packed(self._given)[0])

    def step(self, states: Array, symbols: Array, position: int) -> Array:
        return self._run(states, symbols)[0]

    def last(self, states: Array, symbols: Array, position: int) -> Array:
        return largest_score(self._run(states, symbols)[1])

    def read_out(self, states: Array) -> Array:
        raise InputError("model", self.name, "a word of one symbol or more, as its step gives scores with a symbol")

    def codes_alone(self, words: Array) -> Array:
        """The answer codes (batch,) of words (batch, N) of ranks, each read by itself, in batches of one row."""
        alone = StepModel(self._step, self._given, self.alphabet, self.answers, tile=1)
        return np.concatenate([alone.codes(word[None]) for word in words])

    def _run(self, states: Array, symbols: Array) -> tuple[Array, Array]:
        rows, ids, size = np.asarray(states), np.asarray(symbols, dtype=np.int64), self.tile
        parts = [(np.zeros((0, self.units), dtype=np.int64), np.zeros((0, len(self.answers))))]
        with state_restored(as_module(self._step)):
            for first in range(0, len(rows), size):
                count = min(size, len(rows) - first)
                places = first + np.arange(size) % count  # what is left of a tile has copies
                after, scores = self._tile(rows[places], ids[places])
                if self._turned < TURNED:
                    self._turned += 1
                    if not np.array_equal(self._tile(rows[places[::-1]], ids[places[::-1]])[0][::-1], after):
                        expected = "the same bits in any order of the rows: it mixes them, is random, or keeps a state"
                        raise InputError("step", f"{size} rows in another order", expected)
                parts.append((after[:count], scores[:count]))
        return np.concatenate([after for after, _ in parts]), np.concatenate([scores for _, scores in parts])

    def _tile(self, rows: Array, ids: Array) -> tuple[Array, Array]:
        torch: Any = sys.modules.get("torch")
        parts: list[Any] = []
        pieces = np.split(rows, np.cumsum([count for _, count in self._lanes])[:-1], axis=1)
        for part, (kind, _), piece in zip(self._start, self._lanes, pieces, strict=True):
            held = np.ascontiguousarray(piece.astype(kind))
            tensor = torch.from_numpy(held.view(np.uint8)).to(part.device) if _is_tensor(part) else held
            parts.append(tensor.view(part.dtype).reshape((len(rows), *part.shape[1:])))
        state = tuple(parts) if isinstance(self._given, tuple | list) else parts[0]
        fed = torch.from_numpy(ids).to(self._start[0].device) if _is_tensor(self._start[0]) else ids
        try:
            after, raw = self._step(state, fed)
            scores = np.asarray(raw.detach().cpu().double().numpy() if _is_tensor(raw) else raw, dtype=np.float64)
        except Exception as error:  # whatever people's own code raises
            shown = f"{type(error).__name__}: {error}"[:110]
            raise InputError("step", shown, f"the next state and scores, of a state and ids of {len(ids)}") from error
        if scores.shape != (len(ids), len(self.answers)):
            raise InputError("step", scores.shape, f"scores of shape {(len(ids), len(self.answers))}")
        return self._packed(after), scores

    def _packed(self, state: Any) -> Array:
        given, wanted = (
            [(getattr(part, "dtype", None), tuple(getattr(part, "shape", ()))[1:]) for part in parts]
            for parts in (_parts(state), self._start)
        )
        if given != wanted:
            raise InputError("step", given, f"a state as at the start, in types and shapes of a row {wanted}")
        lanes = [_bytes(part).view(kind) for part, (kind, _) in zip(_parts(state), self._lanes, strict=True)]
        return np.concatenate(lanes, axis=1).astype(np.int64)


def _parts(state: Any) -> tuple[Any, ...]:
    return tuple(state) if isinstance(state, tuple | list) else (state,)


def _is_tensor(part: Any) -> bool:
    torch: Any = sys.modules.get("torch")
    return torch is not None and isinstance(part, torch.Tensor)


def _bytes(part: Any) -> Array:
    if _is_tensor(part):
        flat = part.detach().cpu().reshape(len(part), -1).contiguous()
        return np.asarray(flat.view(sys.modules["torch"].uint8).numpy())
    return np.ascontiguousarray(np.asarray(part).reshape(len(part), -1)).view(np.uint8)
