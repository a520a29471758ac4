"""Textbook protocols, each with its cost as a formula that exploration confirms; ``PROTOCOLS`` has them by name."""

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


TRIVIAL = {
    **dict.fromkeys(("equality", "disjointness", "intersection", "set-intersection-size", "greater-than"), (2, 4, 8)),
    **dict.fromkeys(("median", "inner-product", "index", "hamming-distance", "gap-hamming"), (2, 4, 8)),
    **dict.fromkeys(("parity", "majority"), (2, 4, 8)),
    **dict.fromkeys(("sparse-disjointness", "clique-independent-set"), (3, 6, 9)),
    **dict.fromkeys(("pointer-chasing", "function-composition"), (2, 3, 4)),
    # tasks on words, whose odd positions go to Alice and even ones to Bob
    **dict.fromkeys(("dyck", "regular-language", "parity-of-word", "majority-of-word"), (4, 6, 8)),
    **dict.fromkeys(("equality-of-halves", "inequality-of-halves"), (4, 6, 8)),
    **dict.fromkeys(("disjointness-of-halves", "intersection-of-halves"), (4, 6, 8)),
    **dict.fromkeys(("q-sparse-averaging", "match2", "match3", "match3-bigram", "match3-local"), (3, 4)),
    **dict.fromkeys(("associative-recall", "multi-query-associative-recall", "nearest-neighbour"), (2, 3)),
    "k-hop-composition": (2, 3),
    "k-hop-induction": (4, 5),
    "index-lookup": (2, 3, 4),
}
"""Problems for which the trivial protocol is registered, with sizes that are quickly explored."""

PROTOCOLS: tuple[ProtocolEntry, ...] = (
    *(_trivial(problem, sizes) for problem, sizes in TRIVIAL.items()),
    *(_trivial(each, TRIVIAL[each], "bob") for each in ("index", "clique-independent-set", "function-composition")),
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
    ProtocolEntry("median-search", "median", "binary search by counting: O(log^2 n) bits", median_search, (2, 5, 8)),
    ProtocolEntry(
        "yannakakis",
        "clique-independent-set",
        "each vertex named halves the graph, a cycle: O(log^2 n) bits",
        lambda n: yannakakis(networkx.cycle_graph(require_integer("n", n, low=3))),
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
