"""Textbook protocols, each with its cost as a formula that exploration confirms; ``PROTOCOLS`` has them by name."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ccsim import lazy
from ccsim.engine import Protocol
from ccsim.errors import require_integer
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
        assert isinstance(function, TwoPartyFunction)
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


def _entry(
    build: Callable[[int], Protocol], problem: str, sizes: tuple[int, ...], summary: str, name: str = ""
) -> ProtocolEntry:
    return ProtocolEntry(name or build.__name__.replace("_", "-"), problem, summary, build, sizes)


PROTOCOLS: tuple[ProtocolEntry, ...] = (
    *(_trivial(problem, sizes) for problem, sizes in TRIVIAL.items()),
    *(_trivial(each, TRIVIAL[each], "bob") for each in ("index", "clique-independent-set", "function-composition")),
    _entry(two_way_index, "index", (2, 5, 8), "Bob sends the position, Alice the bit: L(n) + 1 bits"),
    _entry(
        inner_product_equality, "equality", (2, 3, 4), "2 inner products with public random strings: 3 bits, error 1/4"
    ),
    _entry(
        fingerprint_equality,
        "equality",
        (2, 4, 8),
        "residue modulo a private random prime: O(log n) bits, error at most 1/3",
    ),
    _entry(
        simultaneous_equality,
        "equality",
        (2, 3, 4),
        "a row and a column of an encoded square: O(sqrt(n log n)) bits, error at most 1/3",
    ),
    _entry(
        lambda n: newman(inner_product_equality(n, 3), Fraction(5, 24)),
        "equality",
        (2, 3, 4),
        "inner products with one of a few fixed outcomes, announced: error at most 1/3",
        "newman-equality",
    ),
    _entry(
        lambda n: fingerprint_greater_than(n, Fraction(1, 2)),
        "greater-than",
        (2, 3),
        "binary search by inner products of prefixes: O(log n log log n) bits, error at most 1/2",
        "fingerprint-greater-than",
    ),
    _entry(
        lambda n: hastad_wigderson(n, max(1, n // 3)),
        "sparse-disjointness",
        (3, 4),
        "public random sets around what is left of n // 3 elements (or one): O(k) bits, error at most 1/3",
        "hastad-wigderson",
    ),
    _entry(forehead_equality, "equality-of-three", (2, 3), "each string on its owner's forehead: 2 bits"),
    _entry(
        blackboard_equality,
        "equality-of-three",
        (2, 3, 4),
        "Alice writes her string, Bob and Carol compare: n + 2 bits",
    ),
    _entry(
        point_to_point_equality,
        "equality-of-three",
        (2, 3, 4),
        "a string and the answer passed from hand to hand: 2n + 3 bits",
    ),
    _entry(median_search, "median", (2, 5, 8), "binary search by counting: O(log^2 n) bits"),
    _entry(
        lambda n: yannakakis(networkx.cycle_graph(require_integer("n", n, low=3))),
        "clique-independent-set",
        (3, 4, 6, 9),
        "each vertex named halves the graph, a cycle: O(log^2 n) bits",
        "yannakakis",
    ),
    _entry(intersection_size, "set-intersection-size", (2, 4, 8), "Alice sends her set, Bob the size: n + L(n+1) bits"),
    _entry(
        lambda n: pointer_chasing_in_turn(n, n),
        "pointer-chasing",
        (2, 3, 4),
        "a vertex a message, n rounds: n L(n) bits",
        "pointer-chasing-in-turn",
    ),
    _entry(
        lambda n: pointer_chasing_one_round_fewer(n, n),
        "pointer-chasing",
        (3, 4),
        "all pointers in one message saves a round: (2n - 2) L(n) bits",
        "pointer-chasing-one-round-fewer",
    ),
)
"""Every registered protocol; sizes are small enough to explore every input in about a second."""
