"""What is measured about the facts from communication complexity: exact costs, with certificates."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product

from ccsim import bounds, problems
from ccsim.claims import Finding
from ccsim.matrices import CommunicationMatrix
from protocols.papers import checks

__all__ = [
    "boolean_tables",
    "equality",
    "fooling",
    "function",
    "index",
    "index_for_both",
    "intersection",
    "randomised_index",
]

Table = tuple[tuple[int, ...], ...]
ERROR = Fraction(1, 3)
KNOWING = ("bob", "alice", "both")


def function(name: str, n: int) -> problems.TwoPartyFunction:
    """A problem of the catalogue, of two parties."""
    found: problems.TwoPartyFunction = problems.find_problem(name).function(n)  # type: ignore[assignment]
    return found


def _one_knows(name: str, n: int) -> Finding:
    """The least bits if Bob knows the answer at the end; if Alice does, they must be as many."""
    bob, alice = (bounds.deterministic(function(name, n), answer=answer) for answer in ("bob", "alice"))
    same = (bob.lower, bob.upper) == (alice.lower, alice.upper)
    wrong = () if same else (f"{bob.lower} bits if Bob is to know, {alice.lower} if Alice is",)
    return Finding.of_bracket(bob, violations=wrong)


def intersection(length: int) -> Finding:
    """Whether two sets meet, for one who is to know."""
    return _one_knows("intersection", length)


def equality(length: int) -> Finding:
    """Whether two strings are equal, for one who is to know."""
    return _one_knows("equality", length)


def index(length: int) -> Finding:
    """One message from Alice, after which Bob knows."""
    return Finding.of_bracket(checks.one_way_bits(function("index", length)))


def index_for_both(length: int) -> Finding:
    """Messages both ways, after which Alice knows."""
    return Finding.of_bracket(bounds.deterministic(function("index", length), answer="alice"))


def randomised_index(length: int) -> Finding:
    """Proved bits of one message with public coins and error 1/3: a certificate of a line at each size."""
    sizes = checks.sizes_between(length, 1)
    found = {n: bounds.index_randomised(n, ERROR) for n in sizes}
    return Finding(
        series=tuple((n, bracket.lower) for n, bracket in found.items()),
        certificate=found[max(found)].certificate,
        checked=len(found),
        of=len(sizes),
        facts={"method": found[max(found)].method},
    )


def fooling(length: int) -> Finding:
    """The largest fooling set beside the least cost, for every Boolean table of so many rows and columns or fewer.

    One table is looked at out of each class of those that differ in the order of their lines.
    """
    sizes = range(2, length + 1)
    tables = [table for shape in product(sizes, sizes) for table in boolean_tables(*shape)]
    ratios, exact = [], True
    for table, knowing in product(tables, KNOWING):
        matrix = CommunicationMatrix.from_array([list(row) for row in table])
        cost = bounds.deterministic(matrix, answer=knowing)
        sets = [bounds.maximum_fooling_set(matrix, code) for code in range(len(matrix.labels))]
        exact = exact and cost.exact and all(each.exact for each in sets)
        ratios.append(Fraction(1 << int(cost.lower), max(int(each.lower) for each in sets)))
    facts = {"tables": len(tables), "tables whose cost is the logarithm": sum(ratio == 1 for ratio in ratios)}
    of = len(tables) * len(KNOWING)
    return Finding(measured=min(ratios), exact=exact, checked=len(ratios), of=of, facts=facts)


def boolean_tables(rows: int, columns: int) -> Iterator[Table]:
    """One table of 0 and 1 out of each class of those that become one another when rows and columns are reordered.

    >>> len(list(boolean_tables(3, 3)))
    36
    """
    seen: set[Table] = set()
    for table in combinations_with_replacement(list(product((0, 1), repeat=columns)), rows):
        least = min(tuple(sorted(zip(*order, strict=True))) for order in permutations(list(zip(*table, strict=True))))
        if least not in seen:
            seen.add(least)
            yield table
