"""Textbook protocols, each with its cost as a formula that exploration confirms."""

from protocols.classical.deterministic import (
    intersection_size,
    median_search,
    pointer_chasing_in_turn,
    pointer_chasing_one_round_fewer,
    trivial,
    two_way_index,
    yannakakis,
)
from protocols.classical.entries import PROTOCOLS
from protocols.classical.fingerprints import (
    ReedSolomonSquare,
    fingerprint_equality,
    fingerprint_greater_than,
    inner_product_equality,
    simultaneous_equality,
)
from protocols.classical.hastad_wigderson import hastad_wigderson
from protocols.classical.newman import newman
from protocols.classical.three_parties import (
    blackboard_equality,
    forehead_equality,
    point_to_point_equality,
)

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
