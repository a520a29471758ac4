"""Trains the models in ``protocols/trained/provable``: ``python training/provable.py [NAME ...]``, extra ``train``.

They are trained so that an audit can prove them, and their states are told, not found: for each transition of the
task's automaton there is a box of states of the network, in which some units are high and the others low. Bounds by
interval arithmetic of what a step makes of a box must lie in the box of the next transition, and the worst scores in a
box must give the right answer (Gowal and others 2018 train classifiers on such bounds). Drawn words are learnt beside
that, the state being shaken. Seeds are fixed and one thread is used; still, other versions of PyTorch may give other
weights. Each takes about half a minute, the one for majority a few minutes: it follows boxes from the start, one for
each number of ones at each position, and goes on in ``provable_rounded.py``.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy, relu

from ccsim.auditing.budget import Budget
from ccsim.auditing.sides import tabulate, task_rules
from ccsim.models.files import write_safetensors
from ccsim.problems import SequenceTask
from protocols.trained import provable

EMBEDDED, LARGEST = 8, 7.5
SLACK = 0.01  # what rounding to 16 bits may need of each box
NOISE = 0.1  # by which states are shaken
HIGH, HIGH_HALF, LOW_HALF = 0.78, 0.14, 0.04  # of units that are high; low ones are around 0
LENGTH, BATCH = 20, 64
OUT = 3.0  # the weight of what sticks out of boxes
PACES = {"lstm": (1600, 5e-3, 4, 0.01), "gru": (3000, 1.5e-2, 2, 0.003), "majority-gru": (700, 5e-3, 2, 0.003)}
"""By kind or name: steps, the rate of learning, how steeply it falls at the end, and to what share."""


class Cell(nn.Module):
    """An embedding, a cell written for intervals, and a read-out; its numbers have the names of PyTorch's layers."""

    gates, parts = 1, 1

    def __init__(self, width: int, symbols: int, answers: int) -> None:
        super().__init__()
        self.width = width
        self.embedding = nn.Embedding(symbols, EMBEDDED)
        self.inward = nn.Linear(EMBEDDED, self.gates * width)
        self.across = nn.Linear(width, self.gates * width)
        self.head = nn.Linear(width, answers)

    def outputs(self, box: Any) -> Any:
        """The part of a box (low, high) that is read out."""
        return tuple(end[..., : self.width] for end in box)

    def tensors(self) -> dict[str, np.ndarray]:
        """All numbers by name."""
        found = {"embedding.weight": self.embedding.weight, "head.weight": self.head.weight}
        found |= {"head.bias": self.head.bias}
        for short, part in {"ih": self.inward, "hh": self.across}.items():
            found |= {f"rnn.weight_{short}_l0": part.weight, f"rnn.bias_{short}_l0": part.bias}
        return {name: np.asarray(tensor.detach().numpy(), np.float32) for name, tensor in found.items()}


class Gru(Cell):
    """A gated recurrent unit."""

    gates, parts = 3, 1

    def forward(self, box: Any, symbols: Any) -> Any:
        """The box (low, high) after a symbol."""
        given = self.inward(self.embedding(symbols)).chunk(3, -1)
        low, high = (end.chunk(3, -1) for end in affine(self.across, box))
        r, z = (tuple(torch.sigmoid(given[i] + end[i]) for end in (low, high)) for i in (0, 1))
        inner = product(r, (low[2], high[2]))
        n = tuple(torch.tanh(given[2] + end) for end in inner)
        ends = []
        for new, old, which in ((n[0], box[0], torch.minimum), (n[1], box[1], torch.maximum)):
            ends.append(which(*((1 - each) * new + each * old for each in z)))
        return tuple(ends)


class Lstm(Cell):
    """Long short-term memory: a state of h and c."""

    gates, parts = 4, 2

    def forward(self, box: Any, symbols: Any) -> Any:
        """The box (low, high) after a symbol."""
        cell = tuple(end[..., self.width :] for end in box)
        given = self.inward(self.embedding(symbols))
        low, high = (end.chunk(4, -1) for end in affine(self.across, self.outputs(box), given))
        gates = [(low[place], high[place]) for place in range(4)]
        i, f, o = (tuple(torch.sigmoid(end) for end in gates[place]) for place in (0, 1, 3))
        g = tuple(torch.tanh(end) for end in gates[2])
        cell = tuple(one + two for one, two in zip(product(f, cell), product(i, g), strict=True))
        hidden = product(o, tuple(torch.tanh(end) for end in cell))
        return tuple(torch.cat(ends, -1) for ends in zip(hidden, cell, strict=True))


CELLS = {"gru": Gru, "lstm": Lstm}
NAMES = [name for name, (kind, _, _) in provable.MODELS.items() if kind in CELLS]  # the others know only roundings


def affine(part: nn.Linear, box: Any, more: Any = 0) -> Any:
    """Bounds of an affine map on a box."""
    middle, half = (box[0] + box[1]) / 2, (box[1] - box[0]) / 2
    centre, far = part(middle) + more, half @ part.weight.abs().T
    return centre - far, centre + far


def product(one: Any, two: Any) -> Any:
    """Bounds of the product of two intervals."""
    corners = torch.stack([a * b for a in one for b in two])
    return corners.amin(0), corners.amax(0)


def worst(network: Cell, box: Any, wanted: Any) -> Any:
    """The loss of the worst scores in boxes, for the answers that are wanted."""
    low, high = affine(network.head, network.outputs(box))
    right = nn.functional.one_hot(wanted, low.shape[-1]).bool()
    return cross_entropy(torch.where(right, low, high), wanted)


def boxes_loss(network: Cell, table: Any, answers: Any, centre: Any, half: Any, part: float) -> Any:
    """How far so large a part of each box sticks out of the next after a step, and the loss of the worst scores."""
    start = torch.zeros(1, centre.shape[1])  # the last of the boxes is the first state alone
    low, high = torch.cat([centre - half, start]), torch.cat([centre + half, start])
    states, symbols = table.shape
    rows, read = torch.arange(states).repeat_interleave(symbols), torch.arange(symbols).repeat(states)
    after = table.flatten()
    from_middle = part * (high - low)[rows] / 2
    middle = (low + high)[rows] / 2
    box = network((middle - from_middle, middle + from_middle), read)
    out = relu(low[after] - box[0] + SLACK) + relu(box[1] - high[after] + SLACK)
    return OUT * out.sum(1).mean() + worst(network, (low[after], high[after]), answers.flatten())


def words_loss(network: Cell, table: Any, answers: Any, generator: torch.Generator) -> Any:
    """Of drawn words after every symbol, the state being shaken; half of the symbols lead to states that are rarer."""
    state = torch.full((BATCH,), len(table) - 1)
    moved, loss = torch.zeros(BATCH, network.parts * network.width), torch.zeros(())
    for _ in range(LENGTH):
        read, other = (torch.randint(0, table.shape[1], (BATCH,), generator=generator) for _ in range(2))
        count = torch.bincount(state, minlength=len(table))
        read = torch.where(count[table[state, read]] > count[table[state, other]], other, read)
        wanted, state = answers[state, read], table[state, read]
        moved = network((moved, moved), read)[0]
        moved = moved + NOISE * torch.randn(moved.shape, generator=generator)
        loss = loss + cross_entropy(network.head(moved[:, : network.width]), wanted) / LENGTH
    return loss


def counts_loss(network: Cell, length: int) -> Any:
    """Of majority: the worst scores of boxes that are followed, one for each number of ones at each position."""
    box, loss = (torch.zeros(1, network.parts * network.width),) * 2, torch.zeros(())
    for position in range(1, length + 1):
        count = torch.zeros(len(box[0]), dtype=torch.long)
        zero, one = network(box, count), network(box, count + 1)
        far = torch.full((1, box[0].shape[1]), 1e3)
        low = torch.minimum(torch.cat([zero[0], far]), torch.cat([far, one[0]]))
        high = torch.maximum(torch.cat([zero[1], -far]), torch.cat([-far, one[1]]))
        box = low, high
        loss = loss + worst(network, box, (2 * torch.arange(position + 1) > position).long()) / length
    return loss


def train(name: str, steps: int | None, seed: int) -> Cell:
    """The network of a name."""
    kind, width, task = provable.MODELS[name]
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    network: Cell = CELLS[kind](width, len(task(50).alphabet), len(task(50).answers))
    usual, rate, falls, least = PACES.get(name, PACES[kind])
    steps = steps or usual
    losses = _counting(network) if "majority" in name else _automaton(network, task(50), seed)
    optimiser = torch.optim.Adam(network.parameters(), lr=rate, betas=(0.9, 0.95))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: min(1, falls * (1 - step / steps)) + least)
    for step in range(steps):
        loss = losses(step / steps)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        with torch.no_grad():
            for weight in network.parameters():
                weight.clamp_(-LARGEST, LARGEST)
        if step % 200 == 0 or step + 1 == steps:
            print(name, step, round(loss.item(), 4), flush=True)  # noqa: T201
    return network


def _automaton(network: Cell, task: SequenceTask, seed: int) -> Any:
    """The loss of a task that is an automaton, with a box for each of its transitions and one for the start.

    A few units are high in the box of a transition, all others low: which transition it was is a threshold of the box
    before and the symbol, while the state that it leads to need not be (parity is none).
    """
    found = tabulate(task_rules(task.machine), len(task.alphabet), 50, Budget())
    steps = found.table.size
    after = np.arange(steps).reshape(found.table.shape)
    rows = np.concatenate([found.table.flatten(), [0]])
    table, answers = (torch.from_numpy(array[rows].astype(np.int64)) for array in (after, found.answers))
    with torch.no_grad():  # what is kept beside what is new: little
        network.inward.bias[network.width : 2 * network.width] -= 3.0
        if network.parts == 1:  # n is first what r lets through of a constant
            network.inward.weight[2 * network.width :] *= 0.1
            network.inward.bias[2 * network.width :] *= 0.1
            network.across.weight[2 * network.width :] *= 0.1
            network.across.bias[2 * network.width :] = 1.2
    high = torch.arange(network.width) % steps == torch.arange(steps)[:, None]
    centre, half = torch.where(high, HIGH, 0.0), torch.where(high, HIGH_HALF, LOW_HALF)
    if network.parts == 2:  # h tells all, and every c is near 1
        centre = torch.cat([centre, torch.ones_like(centre)], 1)
        half = torch.cat([half, torch.full_like(half, HIGH_HALF)], 1)
    generator = torch.Generator().manual_seed(seed)

    def losses(part: float) -> Any:
        loss = boxes_loss(network, table, answers, centre, half, min(1.0, max(0.0, 2 * part - 0.3)))
        return loss + words_loss(network, table, answers, generator) if int(1000 * part) % 4 == 0 else loss

    return losses


def _counting(network: Cell) -> Any:
    with torch.no_grad():
        network.across.weight *= 0.05
        network.inward.bias[network.width : 2 * network.width] += 6.0  # of the gate that keeps

    def losses(part: float) -> Any:
        return counts_loss(network, max(4, min(50, int(75 * part))))

    return losses


def description(name: str) -> dict[str, Any]:
    """What the file says of itself."""
    kind, _, task = provable.MODELS[name]
    return {
        "architecture": kind,
        "convention": "pytorch",
        "prefix": "rnn.",
        "embedding": "embedding.weight",
        "tokens": list(task(50).alphabet),
        "answers": list(task(50).answers),
        "read_out": {"weight": "head.weight", "bias": "head.bias"},
        "precision": {"integer_bits": 4, "fraction_bits": 11},
        "saturate": True,
    }


def main(arguments: list[str] | None = None) -> None:
    """Train the named models, or all of them, and write them into the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"which models: {', '.join(NAMES)}; all if none is named")
    parser.add_argument("--steps", type=int, help="how many, if not as many as is usual for the kind")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    for name in options.names or NAMES:
        begun = time.process_time()
        network = train(name, options.steps, options.seed)
        note = {"ccsim": json.dumps(description(name), ensure_ascii=False, sort_keys=True)}
        provable.FOLDER.mkdir(exist_ok=True)
        write_safetensors(provable.FOLDER / f"{name}.safetensors", network.tensors(), note)
        print(name, round(time.process_time() - begun), "seconds", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
