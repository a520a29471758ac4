"""What is measured about the facts from communication complexity: certificates about tables written out apart."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from ccsim import bounds, problems
from ccsim.claims import Finding
from ccsim.matrices import CommunicationMatrix
from protocols.papers import checks
from protocols.papers.plain.certified import MESSAGE, certificate_faults, certified, cost_for, named_faults
from protocols.papers.plain.tables import TABLES, Table, boolean_tables, largest_fooling_set, least_bits, orders

__all__ = [
    "equality",
    "fooling",
    "function",
    "index",
    "index_for_both",
    "intersection",
    "randomised_index",
]

ERROR = Fraction(1, 3)
KNOWING = ("bob", "alice", "both")
TABLE_OF = 5  # bits for which the rows of INDEX are written out beside the certificate by its name


def function(name: str, n: int) -> problems.TwoPartyFunction:
    """A problem of the catalogue, of two parties."""
    found: problems.TwoPartyFunction = problems.find_problem(name).function(n)  # type: ignore[assignment]
    return found


def _one_knows(name: str, n: int) -> Finding:
    """The least bits if Bob knows the answer at the end; if Alice does, they must be as many."""
    bob, alice = (bounds.deterministic(function(name, n), answer=answer) for answer in ("bob", "alice"))
    same = (bob.lower, bob.upper) == (alice.lower, alice.upper)
    wrong: tuple[str, ...] = () if same else (f"{bob.lower} bits if Bob is to know, {alice.lower} if Alice is",)
    wrong += certificate_faults(alice, TABLES[name](n), cost_for("alice"))
    return certified(bob, TABLES[name](n), cost_for("bob"), violations=wrong)


def intersection(length: int) -> Finding:
    """Whether two sets meet, for one who is to know."""
    return _one_knows("intersection", length)


def equality(length: int) -> Finding:
    """Whether two strings are equal, for one who is to know."""
    return _one_knows("equality", length)


def index(length: int) -> Finding:
    """One message from Alice, after which Bob knows."""
    return certified(checks.one_way_bits(function("index", length)), TABLES["index"](length), MESSAGE)


def index_for_both(length: int) -> Finding:
    """Messages both ways, after which Alice knows."""
    bracket = bounds.deterministic(function("index", length), answer="alice")
    return certified(bracket, TABLES["index"](length), cost_for("alice"))


def randomised_index(length: int) -> Finding:
    """Proved bits of one message with public coins and error 1/3: a certificate of a line at each size."""
    about = {"measure": "one-way-randomised", "direction": "alice-to-bob", "error": "1/3"}
    found = {n: bounds.index_randomised(n, ERROR) for n in checks.sizes_between(length, 1)}
    wrong = [f"{fault}, at {n}" for n, each in found.items() for fault in named_faults(each, ("index", n), about)]
    written = bounds.one_way_randomised(function("index", TABLE_OF).matrix, error=ERROR)
    wrong += certificate_faults(replace(written, matrix=function("index", TABLE_OF).matrix), TABLES["index"](TABLE_OF))
    if written.lower != bounds.index_randomised(TABLE_OF, ERROR).lower:
        wrong.append(f"{written.lower} bits by the table of {TABLE_OF} bits, others by its name")
    return Finding(
        series=tuple((n, bracket.lower) for n, bracket in found.items()),
        certificate=found[max(found)].certificate,
        checked=len(found),
        of=len(found),
        violations=tuple(wrong),
        facts={"method": found[max(found)].method, "table written out as well": f"N = {TABLE_OF}"},
    )


def fooling(length: int) -> Finding:
    """The largest fooling set beside the least cost, for every Boolean table of so many rows and columns or fewer.

    Both by brute force, for one table out of each class of those that differ in the order of their lines; the bounds
    of ccsim have to be the same.
    """
    sizes = range(2, length + 1)
    tables = [table for shape in product(sizes, sizes) for table in boolean_tables(*shape)]
    every = sum(1 << rows * columns for rows, columns in product(sizes, sizes))
    wrong = [] if sum(map(orders, tables)) == every else ["some tables are left out"]
    ratios = []
    for table, knowing in product(tables, KNOWING):
        cells, bits = largest_fooling_set(table), least_bits(table, knowing)
        ratios.append(Fraction(1 << bits, cells))
        if _by_ccsim(table, knowing) != (cells, bits):
            wrong.append(
                f"{table}, {knowing} to know: {cells} cells and {bits} bits, by ccsim {_by_ccsim(table, knowing)}"
            )
    facts = {"tables": len(tables), "tables whose cost is the logarithm": sum(ratio == 1 for ratio in ratios)}
    return Finding(measured=min(ratios), checked=len(ratios), of=len(ratios), violations=tuple(wrong), facts=facts)


def _by_ccsim(table: Table, knowing: str) -> tuple[Any, Any]:
    """The largest fooling set of one answer, and the bits, as ccsim has them."""
    matrix = CommunicationMatrix.from_array([list(row) for row in table])
    found = bounds.deterministic(matrix, answer=knowing)
    sets = [bounds.maximum_fooling_set(matrix, code) for code in range(len(matrix.labels))]
    cells = max(each.lower for each in sets) if all(each.exact for each in sets) else None
    return cells, found.lower if found.exact else None
