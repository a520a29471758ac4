"""Trains models of ``protocols.trained.provable`` on, with every rounding: ``python training/provable_rounded.py``.

Boxes of states are followed from the first state, one for each state of the task and last symbol at each position, and
the worst scores in them must give the right answer at every position. The cells (``rounded_cells.py``) round and
saturate as the exact models do, so that what holds of the boxes here holds of the model in 16 bits. Where a model may
have to learn a part of the task in its first block, it is told that part: for brackets, whether two equal symbols in a
row were last opening or closing ones. Seeds are fixed and one thread is used; other versions of PyTorch may give other
weights. Each takes about two minutes of one processor.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rounded_cells import Lstm, Mamba, affine
from torch import nn
from torch.nn.functional import cross_entropy, relu

from ccsim.models.files import write_safetensors
from ccsim.models.files.safetensors import read_safetensors
from protocols.trained import provable

LARGEST = 7.5  # weights stay below 8
ROOM = 14.0  # states should stay below, as beyond 16 they saturate
SHARP = 0.3  # the weight of the worst box of a position


@dataclass(frozen=True)
class Recipe:
    """A part of the training of a model.

    Attributes:
        steps: of the optimiser.
        length: of the words.
        rate: of learning.
        grows: whether words are short at first.
        drawn_back: whether states are to stay away from where they saturate.
        told: whether the first block is told a part of the task.
    """

    steps: int
    length: int
    rate: float
    grows: bool = True
    drawn_back: bool = False
    told: bool = False


RECIPES = {
    "majority-lstm": [Recipe(300, 50, 2e-3, grows=False, drawn_back=True)],
    "majority-mamba": [Recipe(400, 20, 4e-3), Recipe(160, 50, 1e-3, grows=False)],
}
BEGUN = ("majority-lstm",)  # with the weights that are in the file


def network(name: str) -> Any:
    """An untrained network of a name."""
    kind, width, task = provable.MODELS[name]
    sizes = len(task(4).alphabet), len(task(4).answers)
    if kind == "lstm":
        return Lstm(width, *sizes)
    made = Mamba(width, *sizes, layers=2 if RECIPES[name][0].told else 1)
    with torch.no_grad():
        for block in made.mixers:
            block.dt_proj.bias.uniform_(-4.6, -1.5)  # steps of time from 0.01 to 0.2
            if "majority" in name:
                block.A_log -= 6.0  # what was counted stays
    return made


def plan(name: str, recipe: Recipe) -> list[Any]:
    """For each position: from which box each goes on, by which symbol, into which, what is asked and told; how many."""
    task = provable.MODELS[name][2]
    machine, size = task(recipe.length).machine, len(task(recipe.length).alphabet)
    rows, last, told = np.asarray(machine.start)[None], np.full(1, -1), np.zeros(1, dtype=np.int64)
    steps = []
    for position in range(1, recipe.length + 1):
        origin, read = np.repeat(np.arange(len(rows)), size), np.tile(np.arange(size), len(rows))
        after = machine.step(rows[origin], read, position)
        twice = np.where(last[origin] == read, 1 - read, told[origin]) if recipe.told else 0 * read
        asked = task(position).machine.codes(after)
        keys, into = np.unique(np.column_stack([after, read, twice]), axis=0, return_inverse=True)
        steps.append((*(torch.from_numpy(part.reshape(-1)) for part in (origin, read, into, asked, twice)), len(keys)))
        rows, last, told = keys[:, :-2], keys[:, -2], keys[:, -1]
    return steps


def worst_loss(scores: Any, wanted: Any) -> tuple[Any, float]:
    """The loss of the worst scores, and by how much the right one is the largest at least."""
    right = nn.functional.one_hot(wanted, scores[0].shape[1]).bool()
    worst = torch.where(right, *scores)
    losses = cross_entropy(worst, wanted, reduction="none")
    ahead = worst[right] - worst.masked_fill(right, -np.inf).amax(1)
    return losses.mean() + SHARP * losses.max(), ahead.min().item()


def follow(made: Any, steps: list[Any], recipe: Recipe, told_by: Any = None) -> tuple[Any, float]:
    """The loss over all positions, and by how much every right score is the largest at least."""
    box, losses, ahead = (torch.zeros(1, made.units),) * 2, [], np.inf
    for origin, read, into, asked, told, count in steps:
        after, scores = made(tuple(end[origin] for end in box), read)
        if told_by is not None:
            losses.append(worst_loss(affine(told_by.weight, told_by.bias, made.streams[0]), told)[0])
        loss, least = worst_loss(scores, asked)
        losses.append(loss)
        if recipe.drawn_back:
            losses.append(relu(torch.maximum(-after[0], after[1]) - ROOM).sum(1).mean())
        ahead = min(ahead, least)
        index, far = into[:, None].expand_as(after[0]), torch.full((count, made.units), 1e3)
        box = far.scatter_reduce(0, index, after[0], "amin"), (-far).scatter_reduce(0, index, after[1], "amax")
    return sum(losses) / len(losses), ahead


def train(name: str, seed: int) -> Any:
    """The network of a name."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)  # exact for what has 16 bits
    made = network(name)
    if name in BEGUN:
        known = read_safetensors(provable.FOLDER / f"{name}.safetensors")[0]
        made.load_state_dict({each: torch.from_numpy(np.asarray(known[each], np.float64)) for each in known})
    for recipe in RECIPES[name]:
        train_by(recipe, name, made)
    return made


def train_by(recipe: Recipe, name: str, made: Any) -> None:
    """Train a network, and leave it as it was when the least right score was ahead the most, at the whole length."""
    told_by = nn.Linear(provable.MODELS[name][1], 2) if recipe.told else None
    steps, weights = plan(name, recipe), [*made.parameters(), *(told_by.parameters() if told_by else ())]
    optimiser = torch.optim.Adam(weights, lr=recipe.rate, betas=(0.9, 0.95))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: min(1, 4 * (1 - step / recipe.steps)) + 0.01)
    best, kept = -np.inf, made.state_dict()
    for step in range(recipe.steps):
        grown = max(4, int(2 * recipe.length * step / recipe.steps)) if recipe.grows else recipe.length
        length = min(recipe.length, grown)
        loss, ahead = follow(made, steps[:length], recipe, told_by)
        if length == recipe.length and ahead > best:
            best, kept = ahead, {each: tensor.clone() for each, tensor in made.state_dict().items()}
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        optimiser.step()
        schedule.step()
        with torch.no_grad():
            for weight in weights:
                weight.clamp_(-LARGEST, LARGEST)
        if step % 50 == 0:
            print(name, step, length, round(loss.item(), 4), round(ahead, 4), flush=True)  # noqa: T201
    made.load_state_dict(kept)


def description(name: str) -> dict[str, Any]:
    """What the file says of itself."""
    kind, _, task = provable.MODELS[name]
    named = {"prefix": "rnn.", "convention": "pytorch"} if kind == "lstm" else {"residual": True}
    return named | {
        "architecture": kind,
        "embedding": "embedding.weight",
        "tokens": list(task(4).alphabet),
        "answers": list(task(4).answers),
        "read_out": {"weight": "head.weight", "bias": "head.bias"},
        "precision": {"integer_bits": 4, "fraction_bits": 11},
        "saturate": True,
    }


def main(arguments: list[str] | None = None) -> None:
    """Train the named models, or all of them, and write them into the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"which models: {', '.join(RECIPES)}; all if none is named")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=provable.FOLDER)
    options = parser.parse_args(arguments)
    for name in options.names or RECIPES:
        begun = time.process_time()
        made, described = train(name, options.seed), description(name)
        if isinstance(made, Mamba):
            described["layers"] = [f"mixers.{place}." for place in range(len(made.mixers))]
        note = {"ccsim": json.dumps(described, ensure_ascii=False, sort_keys=True)}
        write_safetensors(options.folder / f"{name}.safetensors", made.tensors(), note)
        print(name, round(time.process_time() - begun), "seconds", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
