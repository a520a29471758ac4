"""Measures ``protocols/trained/figures.json``: ``python training/figures.py``, with the extra ``train``.

The training figures of Bhattamishra and others 2024 (Figures 2 and 4, and nearest neighbours) at a scale of minutes:
each kind of :mod:`kinds` is trained from scratch for a task and a length, until it is right or its steps are over, and
tested on fresh words. Results are written as they come; what is in the file already is not done again. Seeds are
fixed and one thread is used; still, other versions of PyTorch may give other numbers.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from kinds import HEADS, LAYERS, MIXERS, STATES, WIDTH, Network
from torch import nn

from protocols.trained.counting import Draw
from protocols.trained.figures import FILE

STEPS, SYMBOLS_A_BATCH, FEWEST, RATE, WARM = 500, 2560, 16, 3e-3, 50
TESTED, LOOK_EVERY, GOOD, ASKED = 2000, 100, 0.99, 16
SYMBOLS, FEWER, FEATURES = 64, 16, 10  # the alphabets of lookups and of Eq-one; coordinates -1 or +1 of a point
LENGTHS = (20, 50, 100, 200, 400)

Words = tuple[np.ndarray, np.ndarray]


def index_lookup(count: int, length: int, draw: Draw, asked: int = 1) -> Words:
    """N symbols and a position, or several, one after the other; the answer to each is the symbol there."""
    words, places = draw.below(SYMBOLS, count, length), draw.below(length, count, asked)
    return np.hstack([words, SYMBOLS + places]), np.take_along_axis(words, places, axis=1)


def eq_random(count: int, length: int, draw: Draw) -> Words:
    """Bits, a separator, and in half of the words the same bits again, in the others as many random ones."""
    first, other = draw.below(2, 2, count, length // 2)
    second = np.where(draw.below(2, count, 1) == 1, first, other)
    return np.insert(np.hstack([first, second]), length // 2, 2, axis=1), (first == second).all(axis=1, keepdims=True)


def eq_one(count: int, length: int, draw: Draw) -> Words:
    """Symbols, a separator, and the same symbols; in half of the words one of them is changed."""
    first = draw.below(FEWER, count, length // 2)
    second, changed, rows = first.copy(), draw.below(2, count), np.arange(count)
    places = draw.below(length // 2, count)
    second[rows, places] = (first[rows, places] + changed * (1 + draw.below(FEWER - 1, count))) % FEWER
    return np.insert(np.hstack([first, second]), length // 2, FEWER, axis=1), changed[:, None] == 0


def nearest_neighbour(count: int, length: int, draw: Draw, asked: int = 1) -> Words:
    """N/2 points with labels, and a point to be labelled, or several, one after the other.

    One coordinate of it is not that of some point, and two or more are not those of any other; the label is that
    point's. Symbol v + 2^FEATURES L is the point whose coordinates are the bits of v, with the label L, or with 2 for
    none: a point and its label are one symbol here, of two numbers; in the paper they are two symbols.
    """
    pairs = length // 2
    points, labels = draw.below(1 << FEATURES, count, pairs), draw.below(2, count, pairs)
    places, flipped = np.zeros((2, count, asked), dtype=np.int64)
    again = np.ones((count, asked), dtype=bool)
    while again.any():  # what is as near to another point is drawn once more
        places[again], flipped[again] = draw.below(pairs, again.sum()), draw.below(FEATURES, again.sum())
        queries = np.take_along_axis(points, places, axis=1) ^ (1 << flipped)
        near = np.bitwise_count(points[:, None, :] ^ queries[:, :, None]) < 2
        again = near.sum(axis=2) > 1
    labelled, unlabelled = points + (labels << FEATURES), queries + (2 << FEATURES)
    return np.hstack([labelled, unlabelled]), np.take_along_axis(labels, places, axis=1)


def coordinates() -> Any:
    """What a network knows of the symbols of :func:`nearest_neighbour`: coordinates -1 or +1, and so a label, or 0."""
    symbols = np.arange(3 << FEATURES)
    bits = symbols[:, None] >> np.arange(FEATURES) & 1
    labels = np.array([-1, 1, 0])[symbols >> FEATURES]
    return torch.from_numpy(np.column_stack([2 * bits - 1, labels])).float()


TASKS: dict[str, tuple[Callable[..., Words], int, int]] = {  # words, symbols besides places, answers
    "index lookup": (index_lookup, SYMBOLS, SYMBOLS),
    "Eq-random": (eq_random, 3, 2),
    "Eq-one": (eq_one, FEWER + 1, 2),
    "nearest neighbour": (nearest_neighbour, 3 << FEATURES, 2),
}


def network_for(task: str, kind: str, length: int) -> Network:
    """A network with weights drawn at random."""
    _, symbols, answers = TASKS[task]
    places = length if task == "index lookup" else 0
    network = Network(kind, symbols + places, length + questions(task).get("asked", 1), answers)
    if task == "nearest neighbour":
        table = coordinates()
        network.symbols = nn.Sequential(nn.Embedding.from_pretrained(table), nn.Linear(table.shape[1], WIDTH))
    return network


def questions(task: str) -> dict[str, int]:
    """How many questions a word asks in training, where it can ask several; in tests it asks one."""
    return {"asked": ASKED} if task in ("index lookup", "nearest neighbour") else {}


def words_of_batch(task: str, length: int) -> int:
    """How many words make a batch: the fewer, the longer they are and the more they ask."""
    return max(FEWEST, SYMBOLS_A_BATCH // length // (4 if questions(task) else 1))


def right_words(network: Network, drawn: Words) -> int:
    """How many words are answered rightly."""
    words, answers = drawn
    with torch.no_grad():
        blocks = [network(block, 1).argmax(dim=2) for block in torch.from_numpy(words).split(100)]
    return int((torch.cat(blocks).numpy() == answers).sum())


def measured(task: str, kind: str, length: int, *, steps: int, seed: int) -> dict[str, Any]:
    """One entry of the file: a network trained from scratch, and tested on words of its own length."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    network, make = network_for(task, kind, length), TASKS[task][0]
    optimiser = torch.optim.Adam(network.parameters(), lr=RATE)
    rates = [torch.optim.lr_scheduler.LinearLR(optimiser, 0.02, 1, WARM)]
    rates += [torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps - WARM)]
    schedule = torch.optim.lr_scheduler.SequentialLR(optimiser, rates, [WARM])
    draw, taken = Draw(seed), 0
    while taken < steps:
        words, answers = make(words_of_batch(task, length), length, draw, **questions(task))
        scores = network(torch.from_numpy(words), answers.shape[1]).flatten(0, 1)
        loss = nn.functional.cross_entropy(scores, torch.from_numpy(answers.astype(np.int64)).flatten())
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        taken += 1
        if taken % LOOK_EVERY == 0 and right_words(network, make(200, length, draw)) >= GOOD * 200:
            break
    right = right_words(network, make(TESTED, length, Draw(seed + 1_000_000)))
    entry = {"task": task, "kind": kind, "length": length, "seed": seed}
    return entry | {"steps": taken, "right": right, "tested": TESTED}


def settings(steps: int) -> dict[str, Any]:
    """What all entries have in common."""
    sizes = {"width": WIDTH, "heads": HEADS, "layers": LAYERS, "states": STATES, "symbols": SYMBOLS, "fewer": FEWER}
    sizes |= {"coordinates": FEATURES, "steps": steps, "symbols_a_batch": SYMBOLS_A_BATCH, "fewest_words": FEWEST}
    sizes |= {"asked": ASKED, "rate": RATE, "warm": WARM, "good": GOOD}
    return sizes | {"torch": torch.__version__}


def write(path: Path, results: dict[str, Any]) -> None:
    """Write the results, an entry on each line, so that the file is always whole."""
    lines = ",\n".join(json.dumps(entry) for entry in results["entries"])
    beside = path.with_suffix(".part")
    text = f'{{"settings": {json.dumps(results["settings"])},\n"entries": [\n{lines}\n]}}\n'
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def main(arguments: list[str] | None = None) -> None:
    """Measure what is not in the file yet, the shortest words first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--lengths", nargs="+", type=int, default=LENGTHS, help="even numbers")
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=list(TASKS))
    parser.add_argument("--kinds", nargs="+", choices=MIXERS, default=list(MIXERS))
    parser.add_argument("--file", type=Path, default=FILE)
    options = parser.parse_args(arguments)
    common = settings(options.steps)
    results: dict[str, Any] = {"settings": common, "entries": []}
    if options.file.exists():
        results = json.loads(options.file.read_text(encoding="utf-8"))
        if results["settings"] != common:
            parser.error(f"{options.file} was made with {results['settings']}, not {common}")
    done = {(one["task"], one["kind"], one["length"], one["seed"]) for one in results["entries"]}
    for length, task, kind in itertools.product(options.lengths, options.tasks, options.kinds):
        if (task, kind, length, options.seed) not in done:
            results["entries"].append(measured(task, kind, length, steps=options.steps, seed=options.seed))
            write(options.file, results)


if __name__ == "__main__":
    main()
