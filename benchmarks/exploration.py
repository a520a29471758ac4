"""How fast protocols are explored, as ratios against running them pair by pair in the same process.

Run it with ``python benchmarks/exploration.py [--json]``. It prints, for each case, the seconds and the pairs
per second of the exploration (all checks included), the pairs per second of single runs on a sample of
pairs, their ratio, and the peak memory of the process so far.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from typing import Any

from ccsim.bits import Bits
from ccsim.engine import AnswerEach, Protocol, Receive, Send, SendEach, array_party, draw
from ccsim.problems import disjointness
from protocols.classical import trivial

SAMPLE = 2000


def bit_by_bit(n: int) -> Protocol:
    """Disjointness in n rounds of Alice's bit and Bob's reply, stopping where the sets meet; array parties."""

    def over(heard: Any) -> AnswerEach | None:
        if len(heard) % 2 == 0 and heard and heard[-1].bits[0]:
            return AnswerEach(0)
        return AnswerEach(1) if len(heard) == 2 * n else None

    def bit(inputs: Any, heard: Any) -> Any:
        return (inputs >> (n - 1 - len(heard) // 2)) & 1

    @array_party
    def alice(inputs: Any, heard: Any) -> Any:
        return over(heard) or (Receive() if len(heard) % 2 else SendEach(bit(inputs, heard), 1, "x_i"))

    @array_party
    def bob(inputs: Any, heard: Any) -> Any:
        if len(heard) % 2 == 0:
            return over(heard) or Receive()
        return SendEach(bit(inputs, heard) & heard[-1].bits[0], 1, "both")

    return Protocol(f"bit by bit, n={n}", disjointness(n), {"alice": alice, "bob": bob})


def bit_by_bit_generators(n: int) -> Protocol:
    """The same protocol with generator parties."""

    def alice(x: Bits) -> Any:
        for bit in x:
            yield Send(Bits([bit]), "x_i")
            if (yield Receive())[0]:
                return 0
        return 1

    def bob(y: Bits) -> Any:
        for bit in y:
            both = (yield Receive())[0] & bit
            yield Send(Bits([both]), "both")
            if both:
                return 0
        return 1

    return Protocol(f"bit by bit, n={n}, generators", disjointness(n), {"alice": alice, "bob": bob})


def compare(protocol: Protocol) -> dict[str, Any]:
    """Explore, then run single pairs, and compare pairs per second."""
    start = time.perf_counter()
    found = protocol.explore().raise_if_wrong()
    seconds = time.perf_counter() - start
    sizes = protocol.function.shape
    pairs = [tuple(draw(size, 0, party, number) for party, size in enumerate(sizes)) for number in range(SAMPLE)]
    inputs = [tuple(part.value(i) for part, i in zip(protocol.function.inputs, pair, strict=True)) for pair in pairs]
    start = time.perf_counter()
    for values in inputs:
        protocol.run(*values)
    pair_seconds = (time.perf_counter() - start) / SAMPLE
    return {
        "case": protocol.name,
        "pairs": found.pairs,
        "seconds": round(seconds, 3),
        "pairs per second": round(found.pairs / seconds),
        "single runs per second": round(1 / pair_seconds),
        "ratio": round(found.pairs / seconds * pair_seconds),
        "peak MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def import_seconds(repeats: int = 7) -> dict[str, Any]:
    """Median time of a fresh interpreter that imports ccsim, beside one that imports nothing and one with numpy."""
    figures = {}
    for code in ("pass", "import numpy", "import ccsim"):
        times = []
        for _ in range(repeats):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            times.append(time.perf_counter() - start)
        figures[code] = statistics.median(times)
    return {
        "case": "import ccsim, less the bare interpreter",
        "seconds": round(figures["import ccsim"] - figures["pass"], 3),
    } | {
        "numpy alone": round(figures["import numpy"] - figures["pass"], 3),
        "ratio": round((figures["import ccsim"] - figures["pass"]) / (figures["import numpy"] - figures["pass"]), 2),
    }


def main() -> None:
    """Print every case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    rows = [import_seconds()]
    rows += [compare(make) for make in (trivial(disjointness(12)), bit_by_bit(12), bit_by_bit_generators(8))]
    if arguments.json:
        print(json.dumps(rows, indent=2))
        return
    for row in rows:
        print(", ".join(f"{name}: {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
