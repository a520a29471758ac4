"""A module of PyTorch: what its recurrent layers hand on, and how it is left as it was found after it was run."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np


def as_module(forward: Any) -> Any:
    """The PyTorch module that is run: ``forward`` itself, or the module whose method it is; None for all else."""
    torch: Any = sys.modules.get("torch")  # a module of PyTorch can only be here if PyTorch is
    for each in () if torch is None else (forward, getattr(forward, "__self__", None)):
        if isinstance(each, torch.nn.Module):
            return each
    return None


@dataclass(frozen=True)
class RecurrentState:
    """What the recurrent layers of a module hand from one symbol to the next.

    Attributes:
        layers: their names, for people.
        bits: the bits of all numbers of state, each counted in full.
    """

    layers: str
    bits: int


def recurrent_state(module: Any | None) -> RecurrentState | None:
    """The state of the recurrent layers and cells in a module; None if there is none, or one that reads both ways."""
    torch: Any = sys.modules.get("torch")
    if module is None or torch is None:
        return None
    nn = torch.nn
    found = {name: each for name, each in module.named_modules() if isinstance(each, nn.RNNBase | nn.RNNCellBase)}
    if not found or any(getattr(each, "bidirectional", False) for each in found.values()):
        return None
    bits = 0
    for layer in found.values():
        hidden = getattr(layer, "proj_size", 0) or layer.hidden_size
        cell = layer.hidden_size if isinstance(layer, nn.LSTM | nn.LSTMCell) else 0
        bits += getattr(layer, "num_layers", 1) * (hidden + cell) * 8 * next(layer.parameters()).element_size()
    return RecurrentState(" and ".join(name or type(each).__name__ for name, each in found.items()), bits)


@contextmanager
def left_as_found(module: Any | None) -> Iterator[None]:
    """Within it a module, or None, is in eval mode and has no gradients; after it all is as it was, also on errors.

    What is restored are the numbers of parameters and buffers, every attribute of every submodule (the training flag,
    hooks, a state kept on ``self``), what its lists and tables hold, and the state of the generators of PyTorch, NumPy
    and Python.
    """
    torch: Any = sys.modules.get("torch")
    with ExitStack() as stack:
        stack.callback(random.setstate, random.getstate())
        stack.callback(np.random.set_state, np.random.get_state())  # noqa: NPY002 - of people's own code
        if torch is not None:
            stack.enter_context(torch.random.fork_rng(devices=_devices(torch, module)))
            stack.enter_context(torch.no_grad())
        if module is not None:
            for each in module.modules():
                stack.callback(_restorer(torch, each))
            module.eval()
        yield


def _devices(torch: Any, module: Any | None) -> list[Any]:
    """The graphics cards on which a module is; they have generators of their own."""
    found = set() if module is None else {each.device for each in module.parameters()}
    return [each for each in found if each.type == torch.device("cuda").type]


def _restorer(torch: Any, module: Any) -> Callable[[], None]:
    """What puts one submodule, without those inside it, back to what it is now."""
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
