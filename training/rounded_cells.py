"""Cells of recurrent networks on boxes of states, rounded as models of 16 bits round, to be trained.

A box is a pair (low, high). Every number is rounded down where :mod:`ccsim.models.recurrent` rounds, and rounding keeps
order: so these are the bounds that interval arithmetic on the exact model gives, and whoever trains on them knows what
roundings may do. Gradients go past the roundings.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn

SCALE, MOST = 2.0**11, 2.0**4  # steps of 1 / 2048, and what is beyond -16 and 16 saturates
LEAST_OF_SILU = -1.2784645  # where it turns


def rounded(values: Any) -> Any:
    """Rounded down, the gradient going through, and saturated."""
    return (values + (torch.floor(values * SCALE) / SCALE - values).detach()).clamp(-MOST, MOST - 1 / SCALE)


def drawn_back(values: Any) -> Any:
    """The same, but the gradient goes through where it saturates: a counter that stands still there can be moved."""
    return values + (rounded(values) - values).detach()


def each(function: Any, box: Any) -> Any:
    """A rising function of a box, rounded."""
    return tuple(rounded(function(end)) for end in box)


def plus(one: Any, two: Any) -> Any:
    """The sum of two boxes."""
    return tuple(a + b for a, b in zip(one, two, strict=True))


def product(one: Any, two: Any) -> Any:
    """The product of two boxes."""
    corners = torch.stack([a * b for a in one for b in two])
    return corners.amin(0), corners.amax(0)


def silu(box: Any) -> Any:
    """x sigmoid(x) of a box, rounded."""
    ends = torch.stack([nn.functional.silu(end) for end in box])
    turns = (box[0] < LEAST_OF_SILU) & (box[1] > LEAST_OF_SILU)
    least = torch.where(turns, nn.functional.silu(torch.full_like(box[0], LEAST_OF_SILU)), ends.amin(0))
    return rounded(least), rounded(ends.amax(0))


def affine(weight: Any, bias: Any, box: Any) -> Any:
    """An affine map of a box, rounded once; weights are rounded before."""
    weight, bias = rounded(weight), 0 if bias is None else rounded(bias)
    middle, half = (box[0] + box[1]) / 2, (box[1] - box[0]) / 2
    centre, far = middle @ weight.T + bias, half @ weight.abs().T
    return tuple(rounded(end) for end in (centre - far, centre + far))


class Lstm(nn.Module):
    """An embedding, an LSTM with the names of PyTorch's, and a read-out; its state is h and c."""

    def __init__(self, width: int, symbols: int, answers: int, embedded: int = 8) -> None:
        super().__init__()
        self.width = width
        self.embedding = nn.Embedding(symbols, embedded)
        self.rnn = nn.LSTM(embedded, width)
        self.head = nn.Linear(width, answers)

    @property
    def units(self) -> int:
        """How many numbers a state has."""
        return 2 * self.width

    def forward(self, box: Any, symbols: Any) -> Any:
        """The box of states after a symbol, and the box of scores there."""
        hidden, cell = (tuple(end[:, part] for end in box) for part in (slice(self.width), slice(self.width, None)))
        x = rounded(self.embedding(symbols))
        rnn = self.rnn
        weight = torch.cat([rnn.weight_ih_l0, rnn.weight_hh_l0], 1)
        bias = rounded(rnn.bias_ih_l0) + rounded(rnn.bias_hh_l0)
        arguments = affine(weight, bias, tuple(torch.cat([x, end], 1) for end in hidden))
        i, f, g, o = zip(*(end.chunk(4, 1) for end in arguments), strict=True)
        i, f, o = (each(torch.sigmoid, gate) for gate in (i, f, o))
        g = each(torch.tanh, g)
        cell = tuple(drawn_back(end) for end in plus(product(f, cell), product(i, g)))
        hidden = tuple(rounded(end) for end in product(o, each(torch.tanh, cell)))
        scores = affine(self.head.weight, self.head.bias, hidden)
        return tuple(torch.cat(ends, 1) for ends in zip(hidden, cell, strict=True)), scores

    def tensors(self) -> dict[str, np.ndarray]:
        """All numbers by name."""
        return {name: np.asarray(tensor.detach().numpy(), np.float32) for name, tensor in self.state_dict().items()}


class Block(nn.Module):
    """The block of Gu and Dao 2023 with its names: its state is the window of its convolution, and s."""

    def __init__(self, width: int, channels: int, states: int, window: int, rank: int = 1) -> None:
        super().__init__()
        self.channels, self.states, self.window, self.rank = channels, states, window, rank
        self.in_proj = nn.Linear(width, 2 * channels, bias=False)
        self.conv1d = nn.Conv1d(channels, channels, window, groups=channels)
        self.x_proj = nn.Linear(channels, rank + 2 * states, bias=False)
        self.dt_proj = nn.Linear(rank, channels)
        self.A_log = nn.Parameter(torch.log(torch.arange(1, states + 1).float() / 4).repeat(channels, 1))
        self.D = nn.Parameter(torch.ones(channels))
        self.out_proj = nn.Linear(channels, width, bias=False)

    @property
    def units(self) -> int:
        """How many numbers a state has."""
        return self.channels * (self.window - 1 + self.states)

    def forward(self, box: Any, stream: Any) -> Any:
        """The box of states after a position of the stream, and what is added to the stream."""
        carried = self.channels * (self.window - 1)
        held, s = (tuple(end[:, part] for end in box) for part in (slice(carried), slice(carried, None)))
        s = tuple(end.unflatten(1, (self.channels, self.states)) for end in s)
        entered = affine(self.in_proj.weight, None, stream)
        x, gate = zip(*(end.chunk(2, 1) for end in entered), strict=True)
        held = tuple(torch.cat(ends, 1) for ends in zip(held, x, strict=True))
        u = self._convolved(held)
        inner = self.x_proj.weight
        steps = self.dt_proj.weight @ inner[: self.rank]
        delta = each(nn.functional.softplus, affine(steps, self.dt_proj.bias, u))
        drive, read = (affine(inner[start:][: self.states], None, u) for start in (self.rank, self.rank + self.states))
        decay = rounded(-torch.exp(self.A_log))
        kept = each(torch.exp, tuple(rounded(end[:, :, None] * decay) for end in reversed(delta)))
        driven = tuple(rounded(end)[:, :, None] for end in product(delta, u))
        fresh = product(tuple(end[:, None, :] for end in drive), driven)
        s = tuple(rounded(end) for end in plus(product(kept, s), fresh))
        terms = product(tuple(end[:, None, :] for end in read), s)
        skipped = product((rounded(self.D),) * 2, u)
        y = tuple(rounded(end) for end in plus((part.sum(2) for part in terms), skipped))
        gated = tuple(rounded(end) for end in product(y, silu(gate)))
        after = tuple(torch.cat([a[:, self.channels :], b.flatten(1)], 1) for a, b in zip(held, s, strict=True))
        return after, affine(self.out_proj.weight, None, gated)

    def _convolved(self, held: Any) -> Any:
        kernel, bias = rounded(self.conv1d.weight[:, 0].T), rounded(self.conv1d.bias)
        parts = (end.unflatten(1, (self.window, self.channels)) for end in held)
        ends = product(tuple(parts), (kernel, kernel))
        return silu(tuple(rounded(end.sum(1) + bias) for end in ends))


class Mamba(nn.Module):
    """An embedding, blocks beside it, and a read-out of their sum."""

    def __init__(self, width: int, symbols: int, answers: int, layers: int = 1, states: int = 2) -> None:
        super().__init__()
        self.embedding = nn.Embedding(symbols, width)
        self.mixers = nn.ModuleList(Block(width, 2 * width, states, 2) for _ in range(layers))
        self.head = nn.Linear(width, answers)

    @property
    def units(self) -> int:
        """How many numbers a state has."""
        return sum(mixer.units for mixer in self.mixers)

    def forward(self, box: Any, symbols: Any) -> Any:
        """The box of states after a symbol, and the box of scores there."""
        stream, after = (rounded(self.embedding(symbols)),) * 2, []
        self.streams = []
        parts = zip(*(end.split([mixer.units for mixer in self.mixers], 1) for end in box), strict=True)
        for mixer, part in zip(self.mixers, parts, strict=True):
            state, put_out = mixer(part, stream)
            after.append(state)
            stream = tuple(rounded(end) for end in plus(stream, put_out))
            self.streams.append(stream)
        scores = affine(self.head.weight, self.head.bias, stream)
        return tuple(torch.cat(ends, 1) for ends in zip(*after, strict=True)), scores

    def tensors(self) -> dict[str, np.ndarray]:
        """All numbers by name."""
        return {name: np.asarray(tensor.detach().numpy(), np.float32) for name, tensor in self.state_dict().items()}
