"""How fast recurrent models are explored, beside one step-by-step pass over all words in the same process.

Run it with ``python benchmarks/recurrent.py [--json]``. For each model with a state of 16 bits and each split it
prints the seconds of exploring the one-way protocol on all words of length 20 over two symbols (all checks included,
equal states merged), the seconds of one batched pass of the same model over all those words in which nothing is
merged, their ratio, how many different states Alice can send, and the peak memory of the process so far.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from typing import Any

import numpy as np

from ccsim.models import LSTM, DiagonalStateSpace, Elman, RecurrentModel, TransitionTable
from protocols.reductions.recurrent import recurrent_prefix

LENGTH = 20
STATE_BITS = 16


def models() -> list[RecurrentModel]:
    """Models whose state has 16 bits."""
    return [
        Elman.random("ab", width=2, precision=8, seed=26),
        LSTM.random("ab", width=1, precision=8, seed=16),
        DiagonalStateSpace.random("ab", width=1, precision=8, seed=9),
        TransitionTable.random("ab", states=1 << STATE_BITS, seed=1),
    ]


def one_pass(model: RecurrentModel) -> tuple[float, Any]:
    """Seconds and answers of one batched pass over all words, every word stepped by itself."""
    words = model.task(LENGTH).words
    rows = words.array(np.arange(words.size))
    start = time.perf_counter()
    states = np.broadcast_to(model.start(), (len(rows), model.units))
    for position in range(1, LENGTH):
        states = model.step(states, rows[:, position - 1], position)
    answers = model.last(states, rows[:, -1], LENGTH)
    return time.perf_counter() - start, answers


def compare(model: RecurrentModel, split: int, rival: float, answers: Any) -> dict[str, Any]:
    """Explore the protocol, and check its function against the pass without merging."""
    assert model.state_bits == STATE_BITS
    start = time.perf_counter()
    protocol = recurrent_prefix(model, split, LENGTH)
    found = protocol.explore().raise_if_wrong()
    seconds = time.perf_counter() - start
    assert found.worst_bits == STATE_BITS
    assert found.pairs == 1 << LENGTH
    assert np.array_equal(protocol.function.codes.reshape(-1), answers)
    return {
        "case": f"{model.name}, split {split}",
        "words": found.pairs,
        "seconds": round(seconds, 3),
        "one pass": round(rival, 3),
        "ratio": round(seconds / rival, 2),
        "states sent": found.leaves,
        "peak MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def main() -> None:
    """Print every case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    rows = []
    for model in models():
        rival, answers = one_pass(model)
        rows += [compare(model, split, rival, answers) for split in (5, 10, 15)]
    if arguments.json:
        print(json.dumps(rows, indent=2))
        return
    for row in rows:
        print(", ".join(f"{name}: {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
