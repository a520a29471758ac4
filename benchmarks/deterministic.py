"""Deterministic complexity where it takes a search: all cases of docs/performance.md in one run, without rivals.

Run it with ``python benchmarks/deterministic.py [--json] [--seconds 60] [family ...]``. Seconds are those of a
processor, and so is the limit, so that it does not matter how busy the machine is. A family's line says how many of its
cases were settled, and the slowest, the longest certificate and the longest check of them; ``--json`` has every case.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from bounds import cycle_matrix, partial_matrix, protocol_tree_matrix

from ccsim.bounds.scheduler import Clock
from ccsim.bounds.tree_search import DeterministicSearch
from ccsim.certificates.verify import check
from ccsim.matrices import CommunicationMatrix


def balanced_tree_matrix(size: int, depth: int, seed: int) -> CommunicationMatrix:
    """The matrix of a random protocol tree that splits lines nearly in half."""
    source = random.Random(seed)
    table = np.zeros((size, size), dtype=np.int8)

    def fill(rows: list[int], columns: list[int], left: int) -> None:
        if left == 0 or len(rows) == len(columns) == 1:
            table[np.ix_(rows, columns)] = source.randrange(2)
            return
        alice = len(columns) < 2 or (len(rows) > 1 and source.random() < 0.5)
        own = list(rows if alice else columns)
        source.shuffle(own)
        middle = max(1, min(len(own) - 1, len(own) // 2 + source.choice((-1, 0, 0, 1))))
        for part in (own[:middle], own[middle:]):
            fill(part, columns, left - 1) if alice else fill(rows, part, left - 1)

    fill(list(range(size)), list(range(size)), depth)
    return CommunicationMatrix(table, (0, 1))


FAMILIES: dict[str, tuple[Callable[[int], CommunicationMatrix], range]] = {
    "balanced-36": (partial(balanced_tree_matrix, 36, 7), range(20)),
    "trees-36": (partial(protocol_tree_matrix, 36, 7), range(20)),
    "balanced-48": (partial(balanced_tree_matrix, 48, 6), range(30)),
    "trees-48": (partial(protocol_tree_matrix, 48, 6), range(30)),
    "cycle-6": (lambda _: cycle_matrix(6), range(1)),
    "cycle-8": (lambda _: cycle_matrix(8), range(1)),
    "cycle-9": (lambda _: cycle_matrix(9), range(1)),
    "cycle-10": (lambda _: cycle_matrix(10), range(1)),
    "partial-14": (partial(partial_matrix, 14), range(10)),
}


def measured(matrix: CommunicationMatrix, seconds: float) -> dict[str, Any]:
    """What the search finds in so many seconds, and what its refutation takes the checker."""
    start = time.process_time()
    *_, found = DeterministicSearch(matrix, clock=Clock.within(seconds)).stages()
    searched = time.process_time()
    text = ""
    if found.lower_witness:
        text = json.dumps(found.lower_witness)
        value = check(matrix.codes.tolist(), "deterministic", "lower", found.parameters, found.lower_witness)
        if value != found.lower:
            raise AssertionError(f"the certificate proves {value} bits, not {found.lower}")
    return {
        "D": found.lower if found.exact else [found.lower, found.upper],
        "seconds": round(searched - start, 2),
        "bytes": len(text),
        "check": round(time.process_time() - searched, 2),
    }


def main() -> None:
    """Print every family."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON, a line for each case")
    parser.add_argument("--seconds", type=float, default=60.0, help="of a processor, for each case")
    parser.add_argument("families", nargs="*", metavar="family", help=f"some of {', '.join(FAMILIES)}")
    arguments = parser.parse_args()
    time.monotonic = time.process_time  # the clock by which searches stop
    for name in arguments.families or FAMILIES:
        family, seeds = FAMILIES[name]
        cases = []
        for seed in seeds:
            cases.append({"family": name, "seed": seed, **measured(family(seed), arguments.seconds)})
            if arguments.json:
                print(json.dumps(cases[-1]), flush=True)
        if not arguments.json:
            print(summary(name, cases), flush=True)


def summary(name: str, cases: list[dict[str, Any]]) -> str:
    """A family in a line."""
    settled = [case for case in cases if isinstance(case["D"], int)]
    still = [case["seed"] for case in cases if case not in settled]
    values = sorted({case["D"] for case in settled})
    most = {key: max((case[key] for case in settled), default=0) for key in ("seconds", "bytes", "check")}
    return (
        f"{name}: {len(settled)} of {len(cases)} settled, D in {values}, at most {most['seconds']} s, "
        f"{most['bytes']} bytes, checked in {most['check']} s" + (f"; open: seeds {still}" if still else "")
    )


if __name__ == "__main__":
    main()
