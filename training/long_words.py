"""Trains the model in ``protocols/trained/long``: ``python training/long_words.py [NAME ...]``, extra ``train``.

It reads words of 50 symbols, too many to go through one by one: an audit gives an interval for its accuracy.
Seeds are fixed and one thread is used; still, other versions of PyTorch may give other weights. It takes a minute.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from small_models import BATCH, LARGEST, RATE
from torch import nn

from ccsim.models.files import write_safetensors
from ccsim.problems import SequenceTask, majority_of_word
from protocols import trained

EMBEDDED = 16


class Recurrent(nn.Module):
    """An embedding, an LSTM, and a read-out of its last output."""

    def __init__(self, width: int, symbols: int, answers: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(symbols, EMBEDDED)
        self.rnn = nn.LSTM(EMBEDDED, width, batch_first=True)
        self.head = nn.Linear(width, answers)

    def forward(self, words: Any) -> Any:
        """Scores (batch, answers) of words (batch, N)."""
        return self.head(self.rnn(self.embedding(words))[0][:, -1])


MODELS: dict[str, tuple[SequenceTask, int, int]] = {"majority-50-lstm": (majority_of_word(50), 16, 400)}
"""For each name the task, the width of the LSTM, and the steps of training."""


def train(task: SequenceTask, width: int, steps: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The weights, float32 by name, and the description of a model that was trained on uniform words."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    symbols, answers = len(task.alphabet), len(task.answers)
    network = Recurrent(width, symbols, answers)
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    generator = np.random.default_rng(0)
    for _ in range(steps):
        words = generator.integers(0, symbols, (BATCH, task.length))
        wanted = torch.from_numpy(np.asarray(task.evaluate(words)).astype(np.int64))
        loss = nn.functional.cross_entropy(network(torch.from_numpy(words)), wanted)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        with torch.no_grad():
            for weight in network.parameters():
                weight.clamp_(-LARGEST, LARGEST)
    weights = {name: tensor.detach().numpy() for name, tensor in network.state_dict().items()}
    return weights, _description(task)


def _description(task: SequenceTask) -> dict[str, Any]:
    return {
        "architecture": "lstm",
        "convention": "pytorch",
        "prefix": "rnn.",
        "embedding": "embedding.weight",
        "tokens": list(task.alphabet),
        "answers": list(task.answers),
        "read_out": {"weight": "head.weight", "bias": "head.bias"},
        "precision": {"integer_bits": 4, "fraction_bits": 11},
    }


def main(arguments: list[str] | None = None) -> None:
    """Train the named models, or all of them, and write them into the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"which models: {', '.join(MODELS)}; all if none is named")
    parser.add_argument("--folder", type=Path, default=Path(trained.__file__).parent / "long")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.names) - set(MODELS))
    if unknown:
        parser.error(f"no model is called {unknown[0]}")
    for name in options.names or MODELS:
        weights, described = train(*MODELS[name])
        note = {"ccsim": json.dumps(described, ensure_ascii=False, sort_keys=True)}
        write_safetensors(options.folder / f"{name}.safetensors", weights, note)


if __name__ == "__main__":
    main()
