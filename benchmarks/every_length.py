"""How fast a bound for every length is found and checked, beside an exact search at small lengths.

Run it with ``python benchmarks/every_length.py [--json]``. The rival of a certificate, which says something for all n,
is the exact deterministic complexity at n = 1, 2, 3 by brute force: it says nothing of n = 4.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

from ccsim.bounds import deterministic
from ccsim.families import dealt, lower_bound, named_family, named_language, with_blank

CASES = {
    "equality": lambda: named_family("equality"),
    "greater-than": lambda: named_family("greater-than"),
    "Dyck-(2,2) dealt AB": lambda: dealt(named_language("dyck-2-2").automaton(), "AB"),
    "(ab)* with blanks dealt AB": lambda: dealt(with_blank(named_language("dyck-1-1").automaton()), "AB"),
    "tomita-3 with blanks dealt AB": lambda: dealt(with_blank(named_language("tomita-3").automaton()), "AB"),
}
MOST_CELLS = 1 << 10


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds, and what came out."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def measured(name: str) -> dict[str, Any]:
    """One line of the table."""
    family = CASES[name]()
    search, certificate = timed(lambda: lower_bound(family, rounds=4))
    checking, _ = timed(certificate.verify)
    sizes = [n for n in (1, 2, 3) if (len(family.alice) * len(family.bob)) ** n <= MOST_CELLS]
    rival, exact = timed(lambda: [deterministic(family.at(n), seconds=20).lower for n in sizes])
    return {
        "case": name,
        "found in seconds": round(search, 3),
        "checked in seconds": round(checking, 4),
        "for every n": certificate.statements()["lower"],
        "exact at n = 1, 2, 3": exact,
        "rival seconds": round(rival, 3),
        "ratio to checking": round(rival / checking, 1),
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    rows = [measured(name) for name in CASES]
    if parser.parse_args().json:
        print(json.dumps(rows, indent=2))
        return
    for row in rows:
        print("; ".join(f"{name} {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
