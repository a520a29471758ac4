"""Trains the models of the leaderboard: ``python training/leaderboard.py [NAME ...]``, with the extra ``train``.

Each is trained on words of 10, 20 and 50 symbols, and on shorter ones before; a recurrent model is asked after every
symbol, and its state is shaken a little, so that it learns to forget small differences. Seeds are fixed and one thread
is used; still, other versions of PyTorch may give other weights. All of them take about half an hour of one processor.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from small_models import Mixer, Transformer
from torch import nn

from ccsim.models.files import write_safetensors
from ccsim.problems import SequenceTask
from protocols import trained

WIDTH, LENGTHS, BATCH, RATE = 8, (10, 20, 50), 128, 5e-3
LARGEST = 7.5  # weights stay below 8
NOISE = {"majority": 0.002}  # others forget more easily
CELLS = {"elman": nn.RNNCell, "gru": nn.GRUCell, "lstm": nn.LSTMCell}
WIDTHS = {"elman": 8, "gru": 8, "lstm": 4}


class Recurrent(nn.Module):
    """An embedding, a cell that is shaken at every step, and a read-out after every symbol."""

    def __init__(self, kind: str, symbols: int, answers: int, noise: float) -> None:
        super().__init__()
        self.width, self.noise = WIDTHS[kind], noise
        self.embedding = nn.Embedding(symbols, self.width)
        self.cell = CELLS[kind](self.width, self.width)
        self.head = nn.Linear(self.width, answers)

    def forward(self, words: Any) -> Any:
        """Scores (batch, N, answers) of words (batch, N)."""
        inputs, hidden = self.embedding(words), torch.zeros(len(words), self.width)
        memory, outputs = torch.zeros_like(hidden), []
        for position in range(words.shape[1]):
            if isinstance(self.cell, nn.LSTMCell):
                hidden, memory = self.cell(inputs[:, position], (hidden, memory))
                memory = memory + self.noise * torch.randn_like(memory)
            else:
                hidden = self.cell(inputs[:, position], hidden)
            hidden = hidden + self.noise * torch.randn_like(hidden)
            outputs.append(hidden)
        return self.head(torch.stack(outputs, dim=1))

    def tensors(self) -> dict[str, Any]:
        """All numbers, in the names of PyTorch's whole layers."""
        named = self.state_dict().items()
        return {f"rnn.{name[5:]}_l0" if name.startswith("cell.") else name: tensor for name, tensor in named}


class Mamba(nn.Module):
    """An embedding, a mixer beside it, and a read-out of their sum after every symbol."""

    def __init__(self, symbols: int, answers: int) -> None:
        super().__init__()
        self.embedding, self.mixer, self.head = nn.Embedding(symbols, WIDTH), Mixer(), nn.Linear(WIDTH, answers)
        self.tensors = self.state_dict

    def forward(self, words: Any) -> Any:
        """Scores (batch, N, answers) of words (batch, N)."""
        stream = self.embedding(words)
        return self.head(stream + self.mixer(stream))


class OneLayer(Transformer):
    """The transformer of the other small models, asked at the last position only."""

    def __init__(self, symbols: int, answers: int) -> None:
        super().__init__(symbols, max(LENGTHS), answers)
        self.tensors = self.state_dict

    def forward(self, words: Any) -> Any:
        """Scores (batch, 1, answers) of words (batch, N)."""
        return super().forward(words)[:, None]


def network(kind: str, task: SequenceTask, noise: float) -> Any:
    """A network of a kind for the symbols and answers of a task."""
    sizes = len(task.alphabet), len(task.answers)
    made = {"mamba": Mamba, "transformer": OneLayer}
    return made[kind](*sizes) if kind in made else Recurrent(kind, *sizes, noise)


def examples(name: str, length: int, generator: np.random.Generator) -> tuple[Any, Any]:
    """Words, half of them near ones with another answer, and what the task answers after every symbol (or -1)."""
    task = trained.TASKS[name](length)
    words = generator.integers(len(task.alphabet), size=(BATCH, length))
    if name == "dyck":
        words[: BATCH // 2] = _walks(length, generator)
    if name == "equality":
        words[: BATCH // 2, length // 2 :] = words[: BATCH // 2, : length // 2]
        few = np.arange(BATCH // 4)
        words[few, generator.integers(length, size=len(few))] ^= 1
        asked = np.full((BATCH, length), -1)
        asked[:, -1] = task.evaluate(words)
        return words, asked
    if name == "majority":  # of what was read so far
        return words, (np.cumsum(2 * words - 1, axis=1) > 0).astype(int)
    machine = task.machine
    state, asked = np.repeat(np.asarray(machine.start)[None], BATCH, axis=0), []
    for position in range(length):
        state = machine.step(state, words[:, position], position + 1)
        asked.append(machine.codes(state))
    return words, np.stack(asked, axis=1)


def _walks(length: int, generator: np.random.Generator) -> Any:
    """Brackets that stay within their depth, half of them back at 0 at the end."""
    depth, words = np.zeros(BATCH // 2, dtype=int), np.zeros((BATCH // 2, length), dtype=int)
    for position in range(length):
        left = length - position
        closes = (depth == 2) | ((depth > 0) & ((generator.random(BATCH // 2) < 0.5) | (depth >= left)))
        words[:, position] = closes
        depth += 1 - 2 * closes
    return words


def train(kind: str, name: str, steps: int, seed: int) -> tuple[Any, dict[int, float]]:
    """The network, and on which part of fresh words of each length its last answer is right."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    generator = np.random.default_rng(seed)
    made = network(kind, trained.TASKS[name](10), NOISE.get(name, 0.03))
    optimiser = torch.optim.AdamW(made.parameters(), lr=RATE, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    for step in range(steps):
        longest = max(4, int(50 * min(1, 2 * step / steps)))
        length = 2 * int(generator.integers(1, longest // 2 + 1))
        words, asked = examples(name, length, generator)
        scores, asked = made(torch.from_numpy(words)), torch.from_numpy(asked.astype(np.int64))
        asked = asked[:, -scores.shape[1] :]
        loss = nn.functional.cross_entropy(scores.flatten(0, 1), asked.flatten(), ignore_index=-1)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(made.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        with torch.no_grad():
            for weight in made.parameters():
                weight.clamp_(-LARGEST, LARGEST)
    return made, {length: _accuracy(made, name, length) for length in LENGTHS}


def _accuracy(made: Any, name: str, length: int) -> float:
    generator, right = np.random.default_rng(1), []
    for _ in range(8):
        words, asked = examples(name, length, generator)
        with torch.no_grad():
            right.append((made(torch.from_numpy(words))[:, -1].argmax(-1).numpy() == asked[:, -1]).mean())
    return float(np.mean(right))


def description(kind: str, name: str) -> dict[str, Any]:
    """What the file says of itself."""
    task = trained.TASKS[name](10)
    described: dict[str, Any] = {
        "architecture": kind,
        "tokens": list(task.alphabet),
        "answers": list(task.answers),
        "read_out": {"weight": "head.weight", "bias": "head.bias"},
        "precision": {"integer_bits": 4, "fraction_bits": 11},
        "saturate": True,
    }
    if kind == "transformer":
        return described | {"convention": "nanogpt", "heads": 2, "activation": "relu", "prefix": "transformer."}
    described["embedding"] = "embedding.weight"
    if kind == "mamba":
        described["precision"] = {"integer_bits": 8, "fraction_bits": 11}
        return described | {"layers": ["mixer."], "residual": True}
    return described | {"prefix": "rnn."} | ({"activation": "tanh"} if kind == "elman" else {})


def main(arguments: list[str] | None = None) -> None:
    """Train the named models, or all of them; of several seeds the first that is right on all drawn words, or best."""
    names = [f"{task}-{kind}" for task in trained.TASKS for kind in trained.KINDS]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"which models: {', '.join(names)}; all if none is named")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=trained.FOLDER)
    options = parser.parse_args(arguments)
    for chosen in options.names or names:
        name, kind = chosen.split("-")
        best, begun = -1.0, time.process_time()
        for seed in range(options.seeds):
            made, right = train(kind, name, options.steps, seed)
            if sum(right.values()) > best:
                best, told = sum(right.values()), right
                arrays = {
                    each: np.asarray(tensor.detach().numpy(), np.float32) for each, tensor in made.tensors().items()
                }
            if best == len(LENGTHS):
                break
        note = {"ccsim": json.dumps(description(kind, name), ensure_ascii=False, sort_keys=True)}
        write_safetensors(options.folder / f"{chosen}.safetensors", arrays, note)
        print(chosen, seed, told, round(time.process_time() - begun), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
