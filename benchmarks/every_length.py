"""How fast a bound for every length is found and checked, beside an exact search at small lengths.

Run it with ``python benchmarks/every_length.py [--json]``. The rival of a certificate, which says something for all n,
is the exact deterministic complexity at n = 1, 2, 3 by brute force: it says nothing of n = 4. That of the number of
different lines, which is exact for all n, counts the different rows of the matrices.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ccsim.bounds import deterministic
from ccsim.families import (
    FamilyCertificate,
    RegularFamily,
    lower_bound,
    messages,
    named_family,
    named_language,
    partitioned,
    with_blank,
)

CASES = {
    "equality": lambda: named_family("equality"),
    "greater-than": lambda: named_family("greater-than"),
    "Dyck-(2,2) split AB": lambda: partitioned(named_language("dyck-2-2").automaton(), "AB"),
    "(ab)* with blanks split AB": lambda: partitioned(with_blank(named_language("dyck-1-1").automaton()), "AB"),
    "tomita-3 with blanks split AB": lambda: partitioned(with_blank(named_language("tomita-3").automaton()), "AB"),
}
MOST_CELLS = 1 << 10


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds, and what came out."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def exact_bits(family: RegularFamily, n: int) -> int:
    """The deterministic complexity of one function."""
    return int(deterministic(family.at(n), seconds=20).lower)


def different_rows(family: RegularFamily, n: int) -> int:
    """How many messages Alice has in one function."""
    return len(np.unique(family.at(n).matrix.codes, axis=0))


Search = Callable[[RegularFamily], FamilyCertificate]
MEASURES: dict[str, tuple[Search, Callable[[RegularFamily, int], int]]] = {
    "deterministic": (lambda family: lower_bound(family, rounds=4), exact_bits),
    "messages of Alice": (messages, different_rows),
}


def measured(name: str, measure: str) -> dict[str, Any]:
    """One line of the table."""
    family, (search, exact) = CASES[name](), MEASURES[measure]
    finding, certificate = timed(lambda: search(family))
    checking, _ = timed(certificate.verify)
    sizes = [n for n in (1, 2, 3) if (len(family.alice) * len(family.bob)) ** n <= MOST_CELLS]
    rival, found = timed(lambda: [exact(family, n) for n in sizes])
    return {
        "case": name,
        "measure": measure,
        "found in seconds": round(finding, 3),
        "checked in seconds": round(checking, 4),
        "for every n": certificate.statements()["lower"],
        "exact at n = 1, 2, 3": found,
        "rival seconds": round(rival, 4),
        "ratio to checking": round(rival / checking, 2),
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    rows = [measured(name, measure) for name in CASES for measure in MEASURES]
    if parser.parse_args().json:
        print(json.dumps(rows, indent=2))
        return
    for row in rows:
        print("; ".join(f"{name} {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
