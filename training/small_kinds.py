"""Small networks of one layer that carry sums: linear attention, and a diagonal state space.

As :mod:`ccsim.models.recurrent` has them, without norms and without positions; ``tensors`` are their numbers under the
names of its layers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn

WIDTH, KEYS, STATES = 8, 4, 4


class Sums(nn.Module):
    """An embedding, one layer of linear attention, and a read-out of what it puts out at the last position."""

    architecture, maps = "linear-attention", {"queries": KEYS, "keys": KEYS, "values": WIDTH}

    def __init__(self, symbols: int, length: int, answers: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(symbols, WIDTH)
        self.enter = nn.ModuleDict({f"to {name}": nn.Linear(WIDTH, size) for name, size in self.maps.items()})
        self.output, self.head = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, answers)

    def forward(self, words: Any) -> Any:
        """Scores (batch, answers) of words (batch, N)."""
        return self.head(self.output(self.mixed(self.embedding(words))))

    def mixed(self, stream: Any) -> Any:
        """The mean of the values, weighted by what the last query makes of the keys."""
        query, key = (nn.functional.elu(self.enter[name](stream)) + 1 for name in ("to queries", "to keys"))
        weights = key @ query[:, -1, :, None]
        return (weights * self.enter["to values"](stream)).sum(1) / weights.sum(1)

    def tensors(self) -> dict[str, np.ndarray]:
        """All numbers by their names in a file."""
        found = {"embedding.weight": self.embedding.weight}
        for name, part in {**dict(self.enter.items()), "output": self.output}.items():
            own = name.removeprefix("to ")
            found |= {own: part.weight, f"{own}_bias": part.bias}
        return _arrays(found | {"head.weight": self.head.weight, "head.bias": self.head.bias})


class Turning(nn.Module):
    """An embedding, a diagonal state space of STATES complex numbers for each of WIDTH, and a read-out."""

    architecture = "diagonal"

    def __init__(self, symbols: int, length: int, answers: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(symbols, WIDTH)
        self.decay = nn.Parameter(torch.full((WIDTH, STATES), -2.0))
        self.turn = nn.Parameter(torch.pi * torch.arange(STATES).repeat(WIDTH, 1) / STATES)
        self.read, self.skip = nn.Parameter(torch.randn(WIDTH, STATES, 2) / 2), nn.Parameter(torch.randn(WIDTH))
        self.mixing, self.head = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, answers)

    def poles(self) -> Any:
        """By what each number is multiplied at each position."""
        return torch.complex(-self.decay.exp(), self.turn).exp()

    def forward(self, words: Any) -> Any:
        """Scores (batch, answers) of words (batch, N)."""
        stream, read = self.embedding(words), torch.view_as_complex(self.read)
        age = torch.arange(words.shape[1] - 1, -1, -1)
        kernel = (self.poles()[..., None] ** age * read[..., None]).real.sum(1)
        y = torch.einsum("bnw,wn->bw", stream, kernel) + self.skip * stream[:, -1]
        return self.head(self.mixing(nn.functional.gelu(y)))

    def tensors(self) -> dict[str, np.ndarray]:
        """All numbers by their names in a file; the drive is 1."""
        complex_ones = {"transition": self.poles(), "read": torch.view_as_complex(self.read)}
        complex_ones["drive"] = torch.ones_like(complex_ones["read"])
        found = {"embedding.weight": self.embedding.weight, "skip": self.skip}
        for name, array in complex_ones.items():
            found |= {f"{name}_real": array.real, f"{name}_imag": array.imag}
        for name, part in {"mixing": self.mixing, "head": self.head}.items():
            found |= {f"{name}.weight": part.weight, f"{name}.bias": part.bias}
        renamed = {"mixing.weight": "mixing", "mixing.bias": "mixing_bias"}
        return _arrays({renamed.get(name, name): array for name, array in found.items()})


def _arrays(found: dict[str, Any]) -> dict[str, np.ndarray]:
    return {name: np.ascontiguousarray(array.detach().numpy(), dtype=np.float32) for name, array in found.items()}
