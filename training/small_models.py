"""Trains the models in ``protocols/trained``: ``python training/small_models.py [NAME ...]``, with the extra ``train``.

Every model sees batches of half rare and half other words. Seeds are fixed and one thread is used; still, other
versions of PyTorch may give other weights. What the models can do is a matter of audits, not of this script.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from small_kinds import Sums, Turning
from torch import nn

from ccsim.models.files import write_safetensors
from ccsim.problems import SequenceTask
from protocols import trained

WIDTH, HEADS, STATES, WINDOW = 8, 2, 4, 2
LARGEST = 7.5  # weights stay below 8; states of a state space grow to several hundred
BATCH, RATE = 256, 5e-3


class Lstm(nn.Module):
    """An embedding, an LSTM, and a read-out of its last output."""

    def __init__(self, symbols: int, length: int, answers: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(symbols, WIDTH)
        self.rnn = nn.LSTM(WIDTH, WIDTH, batch_first=True)
        self.head = nn.Linear(WIDTH, answers)

    def forward(self, words: Any) -> Any:
        """Scores (batch, answers) of words (batch, N)."""
        return self.head(self.rnn(self.embedding(words))[0][:, -1])


class Mixer(nn.Module):
    """The block of Gu and Dao 2023, one position after the other."""

    def __init__(self) -> None:
        super().__init__()
        inner = 2 * WIDTH
        self.in_proj = nn.Linear(WIDTH, 2 * inner, bias=False)
        self.conv1d = nn.Conv1d(inner, inner, WINDOW, groups=inner, padding=WINDOW - 1)
        self.x_proj = nn.Linear(inner, 1 + 2 * STATES, bias=False)
        self.dt_proj = nn.Linear(1, inner)
        self.A_log = nn.Parameter(torch.log(torch.arange(1, STATES + 1).float() / 2).repeat(inner, 1))
        self.D = nn.Parameter(torch.ones(inner))
        self.out_proj = nn.Linear(inner, WIDTH, bias=False)

    def forward(self, stream: Any) -> Any:
        """The stream (batch, N, WIDTH) after the block."""
        x, gate = self.in_proj(stream).chunk(2, dim=-1)
        u = nn.functional.silu(self.conv1d(x.transpose(1, 2))[..., : stream.shape[1]].transpose(1, 2))
        step, drive, read = self.x_proj(u).split([1, STATES, STATES], dim=-1)
        delta = nn.functional.softplus(self.dt_proj(step))
        state = u.new_zeros(len(u), u.shape[2], STATES)
        outputs = []
        for t in range(stream.shape[1]):
            kept = torch.exp(-delta[:, t, :, None] * torch.exp(self.A_log))
            state = kept * state + drive[:, t, None, :] * (delta[:, t] * u[:, t])[:, :, None]
            outputs.append((state * read[:, t, None, :]).sum(-1) + self.D * u[:, t])
        return self.out_proj(torch.stack(outputs, dim=1) * nn.functional.silu(gate))


class Mamba(nn.Module):
    """An embedding, a mixer beside it, and a read-out of their sum at the last position."""

    def __init__(self, symbols: int, length: int, answers: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(symbols, WIDTH)
        self.mixer = Mixer()
        self.head = nn.Linear(WIDTH, answers)

    def forward(self, words: Any) -> Any:
        """Scores (batch, answers) of words (batch, N)."""
        stream = self.embedding(words)
        return self.head((stream + self.mixer(stream))[:, -1])


class Attention(nn.Module):
    """Attention of the last position to all, with the names of nanoGPT."""

    def __init__(self) -> None:
        super().__init__()
        self.c_attn = nn.Linear(2 * WIDTH, 6 * WIDTH)
        self.c_proj = nn.Linear(2 * WIDTH, 2 * WIDTH)

    def forward(self, stream: Any) -> Any:
        """What the last position (batch, 1, width) gets of the stream (batch, N, width)."""
        parts = self.c_attn(stream).chunk(3, dim=-1)
        query, key, value = (part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in parts)
        mixed = nn.functional.scaled_dot_product_attention(query[:, :, -1:], key, value)
        return self.c_proj(mixed.transpose(1, 2).flatten(2))


class Inner(nn.Module):
    """The part after attention."""

    def __init__(self) -> None:
        super().__init__()
        self.c_fc = nn.Linear(2 * WIDTH, 4 * WIDTH)
        self.c_proj = nn.Linear(4 * WIDTH, 2 * WIDTH)

    def forward(self, stream: Any) -> Any:
        """One hidden layer of relu."""
        return self.c_proj(torch.relu(self.c_fc(stream)))


class Layer(nn.Module):
    """One layer of GPT-2, as far as the last position needs it."""

    def __init__(self) -> None:
        super().__init__()
        self.ln_1, self.attn = nn.LayerNorm(2 * WIDTH), Attention()
        self.ln_2, self.mlp = nn.LayerNorm(2 * WIDTH), Inner()

    def forward(self, stream: Any) -> Any:
        """The last position (batch, 1, width) after the layer."""
        last = stream[:, -1:] + self.attn(self.ln_1(stream))
        return last + self.mlp(self.ln_2(last))


class Transformer(nn.Module):
    """Embeddings of symbols and positions, one layer, and a read-out of the last position."""

    def __init__(self, symbols: int, length: int, answers: int) -> None:
        super().__init__()
        parts = {
            "wte": nn.Embedding(symbols, 2 * WIDTH),
            "wpe": nn.Embedding(length, 2 * WIDTH),
            "h": nn.ModuleList([Layer()]),
            "ln_f": nn.LayerNorm(2 * WIDTH),
        }
        self.transformer = nn.ModuleDict(parts)
        self.head = nn.Linear(2 * WIDTH, answers)

    def forward(self, words: Any) -> Any:
        """Scores (batch, answers) of words (batch, N)."""
        parts = self.transformer
        stream = parts["wte"](words) + parts["wpe"](torch.arange(words.shape[1]))
        return self.head(parts["ln_f"](parts["h"][0](stream))[:, -1])


NETWORKS = {"lstm": Lstm, "mamba": Mamba, "transformer": Transformer}
SUMMING: dict[str, Any] = {"linear": Sums, "diagonal": Turning}


def train(task: SequenceTask, architecture: str, *, steps: int, seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The weights, float32 by name, and the description of a model that was trained on a task."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    network: Any = (NETWORKS | SUMMING)[architecture](len(task.alphabet), task.length, len(task.answers))
    optimiser = torch.optim.Adam(network.parameters(), lr=RATE)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    words, answers = task.words.array(np.arange(task.words.size)).astype(np.int64), np.asarray(task.codes())
    groups = [np.flatnonzero(answers == code) for code in range(len(task.answers))]
    generator = np.random.default_rng(seed)
    for _ in range(steps):
        chosen = np.concatenate([generator.choice(group, BATCH // len(groups)) for group in groups])
        scores = network(torch.from_numpy(words[chosen]))
        loss = torch.nn.functional.cross_entropy(scores, torch.from_numpy(answers[chosen].astype(np.int64)))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        with torch.no_grad():
            for weight in network.parameters():
                weight.clamp_(-LARGEST, LARGEST)
    if architecture in SUMMING:
        return network.tensors(), _description(task, architecture)
    weights = {name: tensor.detach().numpy() for name, tensor in network.state_dict().items()}
    return weights, _description(task, architecture)


def _description(task: SequenceTask, architecture: str) -> dict[str, Any]:
    described: dict[str, Any] = {
        "architecture": architecture,
        "tokens": list(task.alphabet),
        "answers": list(task.answers),
        "read_out": {"weight": "head.weight", "bias": "head.bias"},
        "precision": {"integer_bits": 4, "fraction_bits": 11},
    }
    if architecture in SUMMING:
        described["precision"] = {"integer_bits": 6, "fraction_bits": 9}
        return described | {"architecture": SUMMING[architecture].architecture, "embedding": "embedding.weight"}
    if architecture == "lstm":
        return described | {"prefix": "rnn.", "embedding": "embedding.weight"}
    if architecture == "mamba":
        described["precision"] = {"integer_bits": 10, "fraction_bits": 12}
        return described | {"layers": ["mixer."], "embedding": "embedding.weight", "residual": True}
    more = {"convention": "nanogpt", "heads": HEADS, "length": task.length, "activation": "relu"}
    return described | more | {"prefix": "transformer."}


def main(arguments: list[str] | None = None) -> None:
    """Train the named models, or all of them, and write them beside this file."""
    names = [f"{task}-{architecture}" for task in trained.TASKS for architecture in NETWORKS]
    names += [f"{task}-{architecture}" for task in ("lookup", "equality") for architecture in SUMMING]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"which models: {', '.join(names)}; all if none is named")
    parser.add_argument("--steps", type=int, help="4000, of those that carry sums 1500, unless given")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=Path(trained.__file__).parent)
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.names) - set(names))
    if unknown:
        parser.error(f"no model is called {unknown[0]}")
    for name in options.names or names:
        task, architecture = name.split("-")
        steps = options.steps or (1500 if architecture in SUMMING else 4000)
        weights, described = train(trained.TASKS[task](), architecture, steps=steps, seed=options.seed)
        note = {"ccsim": json.dumps(described, ensure_ascii=False, sort_keys=True)}
        write_safetensors(options.folder / f"{name}.safetensors", weights, note)


if __name__ == "__main__":
    main()
