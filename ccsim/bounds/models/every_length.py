"""What tasks need at every length, with certificates: the formulas of :mod:`ccsim.bounds.models.task_needs`, proved."""

from __future__ import annotations

from functools import cache
from typing import Any

from ccsim.families.family import FamilyCertificate
from ccsim.families.parties import letter_parties, one_way_bound
from ccsim.families.sources import dealt, named_family
from ccsim.models.automata.automaton import dyck_automaton


@cache
def task_certificate(name: str, one_way: bool = False) -> FamilyCertificate | None:
    """The certificate, for every length, of what a family of tasks needs; None if it has none.

    It bounds the deterministic complexity, or that of one message from the first half to the second, from both sides
    for n letters of each party, N = 2 n. The halves of a word are read side by side; that they differ is as hard as
    that they are equal.

    >>> task_certificate("dyck").statements()
    {'lower': '>= ceil(log2(4^n + 1)) bits for all n >= 1', 'upper': '<= 2*n + 1 bits for all n >= 1'}
    >>> task_certificate("equality-of-halves", one_way=True).statements()
    {'lower': '>= n bits for all n >= 1', 'upper': '<= n bits for all n >= 1'}
    >>> task_certificate("index-lookup")
    """
    if name == "dyck":
        return None if one_way else _dyck()
    same = name.replace("inequality", "equality")
    if same not in ("equality-of-halves", "disjointness-of-halves", "intersection-of-halves"):
        return None
    family = named_family(same)
    if one_way:
        return one_way_bound(family)
    weights = {"kind": "tensor-power", "weights": [1, 0]}
    return FamilyCertificate.of(family, lower=weights, upper=letter_parties(family).witness())


def _dyck() -> FamilyCertificate:
    """The words of Dyck-(2,2) are a permutation; a word that begins by closing fails, as one that ends by opening."""
    family = dealt(dyck_automaton(2, 2), "AB")
    table: Any = family.table.tolist()
    steps = [[[x, y, lines[x][y]] for x in range(4) for y in range(4)] for lines in table]
    witness = {
        "kind": "triangular-complement",
        "code": 1,
        "words": {"steps": steps, "accepting": [0], "first": 0},
        "silent": {"alice": [family.alice.index(")")], "bob": [family.bob.index("(")]},
    }
    return FamilyCertificate.of(family, lower=witness, upper=letter_parties(family).witness())
