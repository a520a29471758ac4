"""Audits beside what one would do instead, in one process: ``python benchmarks/audits.py [--json] [--seconds S]``.

The rivals, which need PyTorch, are in :mod:`audits_rivals`; drawn words get as long as the audit took, the others
``--seconds``. An audit speaks of the model in 16-bit fixed point, exactly, and so of any machine;
the rivals speak of it in single precision as PyTorch runs it here.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from typing import Any

import torch
from audits_rivals import drawn_words, every_word, extracted, prefix_tree, relaxed, rival_module

import ccsim as cc
from ccsim.models.files import LoadedModel
from ccsim.problems import SequenceTask, dyck
from protocols.trained import TASKS, leaderboard_model, trained_model


def cases() -> list[tuple[LoadedModel, SequenceTask, int]]:
    """Models, tasks, and how many states an audit may hold at one position."""
    found = [(trained_model("dyck-lstm"), dyck(8), 1 << 20), (trained_model("dyck-transformer"), dyck(8), 1 << 20)]
    for task, kind, length, states in (
        ("majority", "lstm", 20, 1 << 20),
        ("parity", "lstm", 50, 1 << 10),
        ("modulo", "gru", 50, 1 << 10),
        ("dyck", "elman", 50, 1 << 10),
    ):
        found.append((leaderboard_model(task, kind, length), TASKS[task](length), states))
    return found


def compare(loaded: LoadedModel, task: SequenceTask, states: int, seconds: float) -> dict[str, Any]:
    """One case: what the audit says, and what each rival does."""
    start = time.process_time()
    found = cc.audit(loaded.model, task, states=states)
    spent, module = time.process_time() - start, rival_module(loaded.parts)
    return {
        "case": f"{loaded.model.name} on {task.name}",
        "words": task.words.size,
        "ccsim": f"{found.verdict}, {found.reason}; {found.accuracy}",
        "seconds": round(spent, 2),
        "PyTorch, all words": every_word(module, task, seconds),
        "PyTorch, prefixes": prefix_tree(module, task, seconds),
        "PyTorch, drawn words": drawn_words(module, task, spent),
        "L* (AALpy)": extracted(module, task, seconds),
        "auto_LiRPA": relaxed(module, task, seconds),
    }


def main() -> None:
    """Print every case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--seconds", type=float, default=10.0, help="of CPU, for each rival")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    warnings.simplefilter("ignore")
    rows = []
    for case in cases():
        rows.append(compare(*case, arguments.seconds))
        if not arguments.json:
            print("\n    ".join(f"{name}: {value}" for name, value in rows[-1].items()), flush=True)
    if arguments.json:
        print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
