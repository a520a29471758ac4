"""Textbook protocols, each with its cost as a formula that exploration confirms.

``deterministic``, ``fingerprints`` (equality and greater than with coins) and ``public_coins`` (Newman's theorem, and
disjointness of small sets) build them; ``PROTOCOLS`` registers them by name, each at every size.
"""

from __future__ import annotations

from fractions import Fraction

import lazy_loader as lazy

from ccsim.engine import Protocol
from ccsim.errors import InputError, require_integer
from ccsim.problems import TwoPartyFunction, find_problem
from ccsim.registry import ProtocolEntry
from protocols.classical.deterministic import (
    blackboard_equality,
    forehead_equality,
    intersection_size,
    median_search,
    point_to_point_equality,
    pointer_chasing_in_turn,
    pointer_chasing_one_round_fewer,
    trivial,
    two_way_index,
    yannakakis,
)
from protocols.classical.fingerprints import (
    ReedSolomonSquare,
    fingerprint_equality,
    fingerprint_greater_than,
    inner_product_equality,
    simultaneous_equality,
)
from protocols.classical.public_coins import hastad_wigderson, newman

__all__ = [
    "PROTOCOLS",
    "ReedSolomonSquare",
    "blackboard_equality",
    "fingerprint_equality",
    "fingerprint_greater_than",
    "forehead_equality",
    "hastad_wigderson",
    "inner_product_equality",
    "intersection_size",
    "median_search",
    "newman",
    "point_to_point_equality",
    "pointer_chasing_in_turn",
    "pointer_chasing_one_round_fewer",
    "simultaneous_equality",
    "trivial",
    "two_way_index",
    "yannakakis",
]


networkx = lazy.load("networkx")


def _trivial(problem: str, sizes: tuple[int, ...], sender: str = "alice") -> ProtocolEntry:
    def build(n: int) -> Protocol:
        function = find_problem(problem).function(n)
        if not isinstance(function, TwoPartyFunction):
            raise InputError("problem", problem, "a two-party function")
        return trivial(function, sender)

    suffix = "" if sender == "alice" else f"-from-{sender}"
    summary = f"{sender.capitalize()} sends the whole input, the other party the answer"
    return ProtocolEntry(f"trivial-{problem}{suffix}", problem, summary, build, sizes)


def _yannakakis_on_cycle(n: int) -> Protocol:
    return yannakakis(networkx.cycle_graph(require_integer("n", n, low=3)))


ON_WORDS = {
    "dyck": (4, 6, 8),
    "equality-of-halves": (4, 6, 8),
    "inequality-of-halves": (4, 6, 8),
    "disjointness-of-halves": (4, 6, 8),
    "intersection-of-halves": (4, 6, 8),
    "index-lookup": (2, 3, 4),
    "associative-recall": (2, 3),
    "multi-query-associative-recall": (2, 3),
    "nearest-neighbour": (2, 3),
    "q-sparse-averaging": (3, 4),
    "match2": (3, 4),
    "match3": (3, 4),
    "match3-bigram": (3, 4),
    "match3-local": (3, 4),
    "k-hop-composition": (2, 3),
    "k-hop-induction": (4, 5),
    "regular-language": (4, 6, 8),
    "parity-of-word": (4, 6, 8),
    "majority-of-word": (4, 6, 8),
}
"""Tasks on words, whose odd positions go to Alice and even ones to Bob, with sizes that are quickly explored."""

PROTOCOLS: tuple[ProtocolEntry, ...] = (
    _trivial("equality", (2, 4, 8)),
    _trivial("disjointness", (2, 4, 8)),
    _trivial("intersection", (2, 4, 8)),
    _trivial("sparse-disjointness", (3, 6, 9)),
    _trivial("set-intersection-size", (2, 4, 8)),
    _trivial("greater-than", (2, 4, 8)),
    _trivial("median", (2, 4, 8)),
    _trivial("inner-product", (2, 4, 8)),
    _trivial("index", (2, 4, 8)),
    _trivial("index", (2, 4, 8), sender="bob"),
    _trivial("hamming-distance", (2, 4, 8)),
    _trivial("gap-hamming", (2, 4, 8)),
    _trivial("parity", (2, 4, 8)),
    _trivial("majority", (2, 4, 8)),
    _trivial("clique-independent-set", (3, 6, 9)),
    _trivial("clique-independent-set", (3, 6, 9), sender="bob"),
    _trivial("pointer-chasing", (2, 3, 4)),
    _trivial("function-composition", (2, 3, 4)),
    _trivial("function-composition", (2, 3, 4), sender="bob"),
    ProtocolEntry(
        "two-way-index", "index", "Bob sends the position, Alice the bit: L(n) + 1 bits", two_way_index, (2, 5, 8)
    ),
    ProtocolEntry(
        "inner-product-equality",
        "equality",
        "2 inner products with public random strings: 3 bits, error 1/4",
        inner_product_equality,
        (2, 3, 4),
    ),
    ProtocolEntry(
        "fingerprint-equality",
        "equality",
        "residue modulo a private random prime: O(log n) bits, error at most 1/3",
        fingerprint_equality,
        (2, 4, 8),
    ),
    ProtocolEntry(
        "simultaneous-equality",
        "equality",
        "a row and a column of an encoded square: O(sqrt(n log n)) bits, error at most 1/3",
        simultaneous_equality,
        (2, 3, 4),
    ),
    ProtocolEntry(
        "newman-equality",
        "equality",
        "inner products with one of a few fixed outcomes, announced: error at most 1/3",
        lambda n: newman(inner_product_equality(n, 3), Fraction(5, 24)),
        (2, 3, 4),
    ),
    ProtocolEntry(
        "fingerprint-greater-than",
        "greater-than",
        "binary search by inner products of prefixes: O(log n log log n) bits, error at most 1/2",
        lambda n: fingerprint_greater_than(n, Fraction(1, 2)),
        (2, 3),
    ),
    ProtocolEntry(
        "hastad-wigderson",
        "sparse-disjointness",
        "public random sets around what is left of n // 3 elements (or one): O(k) bits, error at most 1/3",
        lambda n: hastad_wigderson(n, max(1, n // 3)),
        (3, 4),
    ),
    ProtocolEntry(
        "forehead-equality",
        "equality-of-three",
        "each string on its owner's forehead: 2 bits",
        forehead_equality,
        (2, 3),
    ),
    ProtocolEntry(
        "blackboard-equality",
        "equality-of-three",
        "Alice writes her string, Bob and Carol compare: n + 2 bits",
        blackboard_equality,
        (2, 3, 4),
    ),
    ProtocolEntry(
        "point-to-point-equality",
        "equality-of-three",
        "a string and the answer passed from hand to hand: 2n + 3 bits",
        point_to_point_equality,
        (2, 3, 4),
    ),
    *(_trivial(task, sizes) for task, sizes in ON_WORDS.items()),
    ProtocolEntry("median-search", "median", "binary search by counting: O(log^2 n) bits", median_search, (2, 5, 8)),
    ProtocolEntry(
        "yannakakis",
        "clique-independent-set",
        "each vertex named halves the graph, a cycle: O(log^2 n) bits",
        _yannakakis_on_cycle,
        (3, 4, 6, 9),
    ),
    ProtocolEntry(
        "intersection-size",
        "set-intersection-size",
        "Alice sends her set, Bob the size: n + L(n+1) bits",
        intersection_size,
        (2, 4, 8),
    ),
    ProtocolEntry(
        "pointer-chasing-in-turn",
        "pointer-chasing",
        "a vertex a message, n rounds: n L(n) bits",
        lambda n: pointer_chasing_in_turn(n, n),
        (2, 3, 4),
    ),
    ProtocolEntry(
        "pointer-chasing-one-round-fewer",
        "pointer-chasing",
        "all pointers in one message saves a round: (2n - 2) L(n) bits",
        lambda n: pointer_chasing_one_round_fewer(n, n),
        (3, 4),
    ),
)
"""Every registered protocol; sizes are small enough to explore every input in about a second."""
