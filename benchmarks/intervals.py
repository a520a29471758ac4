"""Intervals for the accuracy of recurrent models on all words, beside what one would do instead, in the same process.

Run it with ``python benchmarks/intervals.py [--json]``. For each model and task it prints what sets of states prove and
in how many seconds of CPU; how far a tree of prefixes gets with as many seconds (every state stepped once, as exact
integers); and what as many drawn words as the same time allows say, with an interval of 99 % by Hoeffding's inequality,
which is no proof. With ``--long``, instead, what is proved in so many seconds of a trained LSTM on words of 50 symbols.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np

from ccsim.auditing.product_reachability import Budget, Subject
from ccsim.auditing.state_sets import bound_by_covers, count_by_cover
from ccsim.models import GRU, LSTM, Elman
from ccsim.models.files import load_model
from ccsim.models.model import uniform_words
from ccsim.problems import SequenceTask, dyck, majority_of_word, parity_of_word
from protocols import trained
from protocols.trained import trained_model

BLOCK = 1 << 12
LONG_MODELS = Path(trained.__file__).parent / "long"
LONG: dict[str, SequenceTask] = {"majority-50-lstm": majority_of_word(50)}


def cases() -> list[tuple[Any, SequenceTask, int]]:
    """A model, a task, and how many sets of states may be held at one position."""
    return [
        (LSTM.random("01", width=3, precision=16, seed=3), majority_of_word(60), 64),
        (Elman.random("01", width=4, precision=16, seed=3), parity_of_word(60), 64),
        (LSTM.random("01", width=8, precision=16, seed=3), parity_of_word(40), 256),
        (GRU.random("01", width=3, precision=16, seed=3), majority_of_word(60), 256),
        (trained_model("dyck-lstm").model, dyck(8), 512),
        (trained_model("dyck-lstm").model, dyck(10), 512),
    ]


def prefixes(pair: Subject, seconds: float) -> int:
    """Up to which length all words are gone through in so many seconds, prefix by prefix."""
    model: Any = pair.model
    states, symbols, start = model.start()[None], pair.read(np.arange(len(pair.task.alphabet))), time.process_time()
    for length in range(1, pair.task.length + 1):
        rows = []
        for first in range(0, len(states), BLOCK):
            held = np.repeat(states[first : first + BLOCK], len(symbols), axis=0)
            rows.append(model.step(held, np.tile(symbols, len(held) // len(symbols)), length))
            if time.process_time() - start > seconds:
                return length - 1
        states = np.unique(np.concatenate(rows), axis=0)
    return pair.task.length


def sampled(pair: Subject, seconds: float) -> tuple[int, float, float]:
    """How many words are drawn in so many seconds, and an interval for the accuracy that holds with 99 %."""
    generator, start, drawn, right = np.random.default_rng(0), time.process_time(), 0, 0
    while time.process_time() - start < seconds:
        words = uniform_words(pair.symbols, BLOCK, generator)
        drawn, right = drawn + BLOCK, right + int((~pair.wrong(words)).sum())
    margin = math.sqrt(math.log(2 / 0.01) / (2 * drawn))
    return drawn, max(0.0, right / drawn - margin), min(1.0, right / drawn + margin)


def compare(model: Any, task: SequenceTask, most: int) -> dict[str, Any]:
    """One row."""
    pair = Subject.of(model, task)
    count_by_cover(pair, 2, Budget())  # tables of functions are made once
    start = time.process_time()
    found = count_by_cover(pair, most, Budget(seconds=1e6)).accuracy
    seconds = time.process_time() - start
    drawn, low, high = sampled(pair, seconds)
    return {
        "case": f"{model.name} on {task.name}",
        "sets": most,
        "seconds": round(seconds, 1),
        "proved": f"{float(found.at_least):.6f} to {float(found.at_most):.6f}",
        "undecided": found.words - found.right - found.wrong,
        "words": found.words,
        "prefixes reach": f"{prefixes(pair, seconds)} of {task.length} symbols",
        "sampled": f"{low:.4f} to {high:.4f} by {drawn} words",
    }


def long_words(seconds: float) -> list[dict[str, Any]]:
    """A row for each model in ``protocols/trained/long``."""
    rows = []
    for name, task in LONG.items():
        model = load_model(LONG_MODELS / f"{name}.safetensors").model
        pair = Subject.of(model, task)
        start = time.process_time()
        found = bound_by_covers(pair, Budget(seconds=seconds, clock=time.process_time))
        spent = round(time.process_time() - start, 1)
        rows.append({"model": name, "CPU seconds": spent, "proved": None if found is None else str(found.accuracy)})
    return rows


def main() -> None:
    """Print every case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--long", type=float, metavar="SECONDS", help="so long for each of the models for long words")
    arguments = parser.parse_args()
    rows = [compare(*case) for case in cases()] if arguments.long is None else long_words(arguments.long)
    if arguments.json:
        print(json.dumps(rows, indent=2))
        return
    for row in rows:
        print(", ".join(f"{name}: {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
