"""The kinds of sequence model in the figures of Bhattamishra and others 2024, as small modules of PyTorch.

All share one frame (:class:`Network`) and differ in what mixes positions: softmax attention, linear attention of
Katharopoulos and others 2020, retention of Sun and others 2023, the diagonal state space of Gupta, Gu and Berant 2022,
the selective one of Gu and Dao 2023, and an LSTM. A mixer maps a stream (batch, N, WIDTH) to one of the same shape.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional

WIDTH, HEADS, LAYERS, STATES, WINDOW = 32, 4, 2, 4, 4


class Softmax(nn.Module):
    """Causal attention with softmax: a transformer's."""

    def __init__(self) -> None:
        super().__init__()
        self.enter, self.leave = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, stream: Any) -> Any:
        """Each position takes from those up to itself."""
        mixed = functional.scaled_dot_product_attention(*_heads(self.enter(stream), 3), is_causal=True)
        return self.leave(_joined(mixed))


class LinearAttention(Softmax):
    """Causal attention whose weights are products of elu + 1 of the query and of the key, over their sum."""

    def forward(self, stream: Any) -> Any:
        """All positions at once, which gives what the recurrence gives."""
        query, key, value = _heads(self.enter(stream), 3)
        weights = ((functional.elu(query) + 1) @ (functional.elu(key) + 1).transpose(-1, -2)).tril()
        return self.leave(_joined(weights @ value / weights.sum(-1, keepdim=True)))


class Retention(nn.Module):
    """Products of queries and keys, less with distance by a decay for each head; normed, and gated by silu."""

    def __init__(self) -> None:
        super().__init__()
        self.enter, self.leave = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.norm = nn.GroupNorm(HEADS, WIDTH)
        self.register_buffer("decay", 1 - 2.0 ** (-5 - torch.arange(HEADS)))

    def forward(self, stream: Any) -> Any:
        """All positions at once, which gives what the recurrence gives."""
        query, key, value, gate = _heads(self.enter(stream), 4)
        places = torch.arange(stream.shape[1])
        faded = (self.decay[:, None, None] ** (places[:, None] - places).clamp(min=0)).tril()
        mixed = _joined((query @ key.transpose(-1, -2)) * (WIDTH / HEADS) ** -0.5 * faded @ value)
        return self.leave(self.norm(mixed.flatten(0, 1)).view_as(mixed) * functional.silu(_joined(gate)))


class Diagonal(nn.Module):
    """For each number of the stream, STATES complex numbers that decay and turn; read linearly, through gelu."""

    def __init__(self) -> None:
        super().__init__()
        self.step = nn.Parameter(torch.empty(WIDTH, 1).uniform_(-6.9, -2.3))  # of time: its logarithm
        self.decay = nn.Parameter(torch.full((WIDTH, STATES), 0.5).log())
        self.turn = nn.Parameter(torch.pi * torch.arange(STATES).repeat(WIDTH, 1))
        self.read, self.skip = nn.Parameter(torch.randn(WIDTH, STATES, 2)), nn.Parameter(torch.randn(WIDTH))
        self.leave = nn.Linear(WIDTH, WIDTH)

    def forward(self, stream: Any) -> Any:
        """As a convolution with the kernel of the recurrence."""
        length, poles = stream.shape[1], torch.complex(-self.decay.exp(), self.turn)
        turned = poles * self.step.exp()
        read = torch.view_as_complex(self.read) * (turned.exp() - 1) / poles
        kernel = 2 * torch.einsum("wsl,ws->wl", (turned[..., None] * torch.arange(length)).exp(), read).real
        sides = (torch.fft.rfft(array, 2 * length) for array in (stream.transpose(1, 2), kernel))
        mixed = torch.fft.irfft(next(sides) * next(sides), 2 * length)[..., :length].transpose(1, 2)
        return self.leave(functional.gelu(mixed + self.skip * stream))


class Selective(nn.Module):
    """The block of Mamba: its state space's steps, drives and reads depend on the input; one position after another."""

    def __init__(self) -> None:
        super().__init__()
        inner = 2 * WIDTH
        self.enter, self.leave = nn.Linear(WIDTH, 2 * inner, bias=False), nn.Linear(inner, WIDTH, bias=False)
        self.window = nn.Conv1d(inner, inner, WINDOW, groups=inner, padding=WINDOW - 1)
        self.chosen, self.step = nn.Linear(inner, 2 + 2 * STATES, bias=False), nn.Linear(2, inner)
        nn.init.uniform_(self.step.bias, -6.9, -2.3)  # steps of time from 0.001 to 0.1
        self.decay = nn.Parameter(torch.arange(1, STATES + 1).float().log().repeat(inner, 1))
        self.skip = nn.Parameter(torch.ones(inner))

    def forward(self, stream: Any) -> Any:
        """The gated output of the state space."""
        given, gate = self.enter(stream).chunk(2, dim=-1)
        given = functional.silu(self.window(given.transpose(1, 2))[..., : stream.shape[1]].transpose(1, 2))
        step, drive, read = self.chosen(given).split([2, STATES, STATES], dim=-1)
        step = functional.softplus(self.step(step))
        kept = (-step[..., None] * self.decay.exp()).exp().unbind(1)
        driven = ((step * given)[..., None] * drive[:, :, None, :]).unbind(1)
        state, states = torch.zeros_like(driven[0]), []
        for decay, new in zip(kept, driven, strict=True):
            state = torch.addcmul(new, decay, state)
            states.append(state)
        mixed = (torch.stack(states, dim=1) @ read[..., None])[..., 0]
        return self.leave((mixed + self.skip * given) * functional.silu(gate))


class Lstm(nn.Module):
    """An LSTM of WIDTH units."""

    def __init__(self) -> None:
        super().__init__()
        self.cells = nn.LSTM(WIDTH, WIDTH, batch_first=True)

    def forward(self, stream: Any) -> Any:
        """Its outputs at all positions."""
        return self.cells(stream)[0]


MIXERS: dict[str, type[nn.Module]] = {
    "transformer": Softmax,
    "linear attention": LinearAttention,
    "RetNet": Retention,
    "diagonal state space": Diagonal,
    "Mamba": Selective,
    "LSTM": Lstm,
}
PLACED = ("transformer", "linear attention", "RetNet")  # these add an embedding of the position, the others need none


class Network(nn.Module):
    """Embeddings, LAYERS times a mixer and a small network after it, both beside the stream, and scores at the end."""

    def __init__(self, kind: str, symbols: int, length: int, answers: int) -> None:
        super().__init__()
        self.symbols = nn.Embedding(symbols, WIDTH)
        self.places = nn.Embedding(length, WIDTH) if kind in PLACED else None
        self.mixers = nn.ModuleList(MIXERS[kind]() for _ in range(LAYERS))
        self.inner = nn.ModuleList(
            nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH)) for _ in range(LAYERS)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(2 * LAYERS + 1))
        self.head = nn.Linear(WIDTH, answers)

    def forward(self, words: Any, asked: int = 1) -> Any:
        """Scores (batch, asked, answers) of words (batch, N), at so many last positions."""
        stream = self.symbols(words)
        if self.places is not None:
            stream = stream + self.places.weight[: words.shape[1]]
        for layer, (mixer, inner) in enumerate(zip(self.mixers, self.inner, strict=True)):
            stream = stream + mixer(self.norms[2 * layer](stream))
            stream = stream + inner(self.norms[2 * layer + 1](stream))
        return self.head(self.norms[-1](stream[:, -asked:]))


def _heads(stream: Any, parts: int) -> list[Any]:
    """Cut (batch, N, parts * WIDTH) into parts of shape (batch, HEADS, N, WIDTH / HEADS)."""
    return [part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in stream.chunk(parts, dim=-1)]


def _joined(heads: Any) -> Any:
    return heads.transpose(1, 2).flatten(2)
