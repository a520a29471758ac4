"""Measures ``protocols/trained/accuracy.json``; run ``python training/accuracy_against_length.py``, extra ``train``.

For each task, architecture and length a model of one fixed size is trained from scratch, for few steps, and tested on
words that it was not trained on. Results are written as they come; what is in the file already is not done again.
Seeds are fixed and one thread is used; still, other versions of PyTorch may give other numbers.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from small_models import LARGEST, NETWORKS, WIDTH, Lstm
from torch import nn

from ccsim.models.recurrent import RecurrentModel
from ccsim.problems import SequenceTask
from protocols.trained.accuracy import FILE, SIZES, Accuracy, task_of_length
from protocols.trained.counting import HELD_OUT_SEED, MOST_HELD_OUT, Draw, draw_words, held_out_words, wrong_by_answer

LENGTHS = {"index-lookup": (4, 8, 12, 16, 24, 32, 48), "dyck": (6, 8, 12, 16, 20, 24)}
STEPS, BATCH, RATE = 800, 128, 1e-2
SMALL, SMALL_LARGEST = SIZES["gru"]["width"], 3.9  # numbers of 8 bits end below 4
DECIMALS = 4


class SmallGru(nn.Module):
    """An embedding, a gated recurrent unit, and a read-out of its last output, all as narrow as can be."""

    def __init__(self, symbols: int, length: int, answers: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(symbols, SMALL)
        self.rnn = nn.GRU(SMALL, SMALL, batch_first=True)
        self.head = nn.Linear(SMALL, answers)

    forward = Lstm.forward


ARCHITECTURES = {name: NETWORKS.get(name, SmallGru) for name in ("gru", "lstm", "transformer", "mamba")}  # slowest last


def trained_network(task: SequenceTask, architecture: str, held_out: np.ndarray, *, steps: int, seed: int) -> Any:
    """A network trained on words of a task, none of which is held out."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    network: Any = ARCHITECTURES[architecture](len(task.alphabet), task.length, len(task.answers))
    largest = SMALL_LARGEST if architecture == "gru" else LARGEST
    optimiser = torch.optim.Adam(network.parameters(), lr=RATE)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    kept_back, draw = {word.tobytes() for word in held_out}, Draw(seed)
    for _ in range(steps):
        drawn = draw_words(task, BATCH, draw)
        words = drawn[[word.tobytes() not in kept_back for word in drawn]]
        answers = np.asarray(task.evaluate(words)).astype(np.int64)
        loss = nn.functional.cross_entropy(network(torch.from_numpy(words)), torch.from_numpy(answers))
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        with torch.no_grad():
            for weight in network.parameters():
                weight.clamp_(-largest, largest)
    return network


def measured(name: str, architecture: str, length: int, *, steps: int, seed: int) -> dict[str, Any]:
    """One entry of the file."""
    task = task_of_length(name, length)
    held_out = held_out_words(task)
    wanted = np.asarray(task.evaluate(held_out))
    network = trained_network(task, architecture, held_out, steps=steps, seed=seed)
    entry: dict[str, Any] = {"task": name, "architecture": architecture, "length": length, "seed": seed}
    if architecture != "gru":
        with torch.no_grad():
            codes = network(torch.from_numpy(held_out)).argmax(dim=1).numpy()
        return entry | {"right": int((codes == wanted).sum()), "tested": len(held_out)}
    weights = {name: np.round(tensor.numpy().astype(float), DECIMALS) for name, tensor in network.state_dict().items()}
    entry["weights"] = {name: array.tolist() for name, array in weights.items()}
    loaded = Accuracy(**entry, right=0, tested=1).load()
    assert isinstance(loaded.model, RecurrentModel)
    wrong, words = wrong_by_answer(loaded.model, task)
    entry |= {"right": int((loaded.float_codes(held_out) == wanted).sum()), "tested": len(held_out)}
    return entry | {"exact_wrong": list(wrong), "exact_words": list(words)}


def settings(steps: int) -> dict[str, Any]:
    """What all entries have in common."""
    return {
        "steps": steps,
        "batch": BATCH,
        "rate": RATE,
        "width": WIDTH,
        "small_width": SMALL,
        "held_out_seed": HELD_OUT_SEED,
        "most_held_out_of_each_answer": MOST_HELD_OUT,
        "torch": torch.__version__,
    }


def write(path: Path, results: dict[str, Any]) -> None:
    """Write the results, an entry on each line, so that the file is always whole."""
    lines = ",\n".join(json.dumps(entry) for entry in results["entries"])
    beside = path.with_suffix(".part")
    beside.write_text(
        f'{{"settings": {json.dumps(results["settings"])},\n"entries": [\n{lines}\n]}}\n', encoding="utf-8"
    )
    beside.replace(path)


def main(arguments: list[str] | None = None) -> None:
    """Measure what is not in the file yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--file", type=Path, default=FILE)
    options = parser.parse_args(arguments)
    common = settings(options.steps)
    results: dict[str, Any] = {"settings": common, "entries": []}
    if options.file.exists():
        results = json.loads(options.file.read_text(encoding="utf-8"))
        if results["settings"] != common:
            parser.error(f"{options.file} was made with {results['settings']}, not {common}")
    keys = ("task", "architecture", "length", "seed")
    done = {tuple(entry[key] for key in keys) for entry in results["entries"]}
    for architecture in ARCHITECTURES:
        for task, lengths in LENGTHS.items():
            for length in lengths:
                if (task, architecture, length, options.seed) not in done:
                    entry = measured(task, architecture, length, steps=options.steps, seed=options.seed)
                    results["entries"].append(entry)
                    write(options.file, results)


if __name__ == "__main__":
    main()
