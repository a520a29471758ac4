"""The checker that is proved in Coq beside the kernel in Python, each as a program that reads the same file.

Run it with ``python benchmarks/proved.py [--json]``, once ``make -C proofs`` has built the program. A line says what
each takes for its verdict, in seconds of a processor (the least of three runs), and how many times longer the proved
one.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ccsim.bounds.measures import brackets_of
from ccsim.certificates import verify
from ccsim.certificates.proved import find_program
from ccsim.problems import disjointness, equality, index, inner_product

CASES = {
    "equality, n = 8": lambda: brackets_of(equality(8), "deterministic")[0],
    "disjointness, n = 10": lambda: brackets_of(disjointness(10), "deterministic")[0],
    "inner product, n = 8": lambda: brackets_of(inner_product(8), "deterministic")[0],
    "one message for INDEX, n = 10": lambda: brackets_of(index(10), "one-way")[0],
    "fooling sets of equality, n = 5": lambda: brackets_of(equality(5), "fooling")[0],
    "fooling sets of inner product, n = 4": lambda: brackets_of(inner_product(4), "fooling")[0],
    "rank of inner product, n = 6": lambda: brackets_of(inner_product(6), "rank")[0],
}


def modulo_three(text: str) -> str:
    """The same certificate with ranks modulo 3 in its refutation."""
    data = json.loads(text)
    for node in data["proofs"][0]["witness"]["nodes"]:
        if node[4] == "rank":
            node[5] = [3] * len(node[5])
    return json.dumps(data)


def seconds(command: list[str]) -> float:
    """The least of three runs."""
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        times.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
        assert done.stdout.startswith("accepted"), done.stdout + done.stderr
    return min(times)


def measured(folder: Path) -> Iterator[dict[str, object]]:
    """A row for each case."""
    program = str(find_program())
    texts = {name: make().certificate.text() for name, make in CASES.items()}
    texts["inner product, n = 8, modulo 3"] = modulo_three(texts["inner product, n = 8"])
    for name, text in texts.items():
        path = folder / "certificate.json"
        path.write_text(text, encoding="utf-8")
        kernel, proved = (
            seconds([sys.executable, str(Path(verify.__file__).parent), str(path)]),
            seconds([program, str(path)]),
        )
        yield {"case": name, "kernel": round(kernel, 3), "proved": round(proved, 3), "ratio": round(proved / kernel, 2)}


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object per line")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for row in measured(Path(folder)):
            shown = "{case:34} kernel {kernel:7.3f} s   proved {proved:7.3f} s   ratio {ratio}".format(**row)
            print(json.dumps(row) if arguments.json else shown, flush=True)


if __name__ == "__main__":
    main()
