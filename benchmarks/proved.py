"""The checker that is proved in Coq beside the kernel in Python, each as a program that reads the same file.

Run it with ``python benchmarks/proved.py [--json]``, once ``make -C proofs`` has built the program. A line says what
each takes for its verdict, in seconds of a processor (the least of three runs), and how many times longer the proved
one. With ``--kinds`` a line for each kind of witness: both read the same small file many times in one process, so that
their start counts for nothing, and what they take for it once is told in milliseconds.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ccsim.bounds.bracket import Bracket, Side
from ccsim.bounds.measures import brackets_of
from ccsim.bounds.rectangle_bounds import rectangle_bound
from ccsim.certificates import verify
from ccsim.certificates.certificate import find_program
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import disjointness, equality, index, inner_product

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.certificates.every_length import certificates as certificates_of_every_length
from tests.certificates.examples import certificates
from tests.certificates.test_proved import of_relations, small_certificates

TIMES = 100

CASES = {
    "equality, n = 8": lambda: brackets_of(equality(8), "deterministic")[0],
    "disjointness, n = 10": lambda: brackets_of(disjointness(10), "deterministic")[0],
    "inner product, n = 8": lambda: brackets_of(inner_product(8), "deterministic")[0],
    "one message for INDEX, n = 10": lambda: brackets_of(index(10), "one-way")[0],
    "fooling sets of equality, n = 5": lambda: brackets_of(equality(5), "fooling")[0],
    "fooling sets of inner product, n = 4": lambda: brackets_of(inner_product(4), "fooling")[0],
    "rank of inner product, n = 6": lambda: brackets_of(inner_product(6), "rank")[0],
    "leaves of a table of 11 x 11": lambda: all_rectangles_of(11),
    "rectangle bound of inner product, n = 7": lambda: rectangle_bound_of(inner_product(7).matrix),
}


def all_rectangles_of(size: int) -> Bracket:
    """The leaves of a square table of zeros and ones by chance, by going through its rectangles."""
    matrix = CommunicationMatrix.from_array(np.random.default_rng(5).integers(0, 2, (size, size)))
    parameters, lines = {"answer": "both"}, f"{(1 << size) - 1:x}"
    witness = {"kind": "all-rectangles", "rows": lines, "columns": lines}
    value = verify.check(matrix.codes.tolist(), "leaves", "lower", parameters, witness)
    return Bracket("leaves", Side(value, "", witness), parameters=parameters, unit="leaves", matrix=matrix)


def rectangle_bound_of(matrix: CommunicationMatrix) -> Bracket:
    """What weights of cells and of lines prove of a matrix."""
    return replace(rectangle_bound(matrix), matrix=matrix)


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


def kinds_of(data: object) -> Iterator[str]:
    """The kinds of witness in a certificate, outer ones first."""
    if isinstance(data, dict):
        if isinstance(data.get("kind"), str):
            yield data["kind"]
        for part in data.values():
            yield from kinds_of(part)
    elif isinstance(data, list):
        for part in data:
            yield from kinds_of(part)


def by_kind() -> dict[str, Any]:
    """The longest small certificate of each kind of witness, by the kind."""
    found: dict[str, Any] = {}
    every = [*certificates(), *small_certificates(), *certificates_of_every_length()]
    named = [("", data) for data in every] + [("relation: ", data) for data in of_relations()]
    for about, data in named:
        for proof in data["proofs"]:
            alone = {**data, "proofs": [proof]}
            name = about + " of ".join(dict.fromkeys(kinds_of(proof)))
            if len(json.dumps(alone)) > len(json.dumps(found.get(name, {}))):
                found[name] = alone
    return found


def program_seconds(path: Path, count: int) -> float | None:
    """What the program takes for a file so many times; None if it does not accept it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = [str(find_program()), "--", *[str(path)] * count]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    taken = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return taken if done.stdout.startswith("accepted") else None


def measured_kinds(folder: Path) -> Iterator[dict[str, object]]:
    """A row for each kind that both accept."""
    path = folder / "certificate.json"
    for name, data in sorted(by_kind().items()):
        path.write_text(json.dumps(data), encoding="utf-8")
        once, often = program_seconds(path, 1), program_seconds(path, TIMES)
        if once is None or often is None:
            continue
        start = time.process_time()
        for _ in range(TIMES):
            verify.report(verify.load(path.read_bytes()))
        kernel, proved = (time.process_time() - start) / TIMES, max(0.0, often - once) / (TIMES - 1)
        row = {"kernel": round(1000 * kernel, 3), "proved": round(1000 * proved, 3), "ratio": round(proved / kernel, 2)}
        yield {"case": name, **row}


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object per line")
    parser.add_argument("--kinds", action="store_true", help="one row for each kind of witness, in milliseconds")
    arguments = parser.parse_args()
    rows, unit = (measured_kinds, "ms") if arguments.kinds else (measured, "s")
    line = "{case:44} kernel {kernel:8.3f} {unit}   proved {proved:8.3f} {unit}   ratio {ratio}"
    with tempfile.TemporaryDirectory() as folder:
        for row in rows(Path(folder)):
            shown = line.format(**row, unit=unit)
            print(json.dumps(row) if arguments.json else shown, flush=True)


if __name__ == "__main__":
    main()
