"""Textbook protocols, each with its cost as a formula that exploration confirms."""

from protocols.classical.entries import PROTOCOLS
from protocols.classical.fingerprint_equality import fingerprint_equality
from protocols.classical.fingerprint_greater_than import fingerprint_greater_than
from protocols.classical.hastad_wigderson import hastad_wigderson
from protocols.classical.index import two_way_index
from protocols.classical.inner_product_equality import inner_product_equality
from protocols.classical.intersection_size import intersection_size
from protocols.classical.median_search import median_search
from protocols.classical.newman import newman
from protocols.classical.pointer_chasing import pointer_chasing_in_turn, pointer_chasing_one_round_fewer
from protocols.classical.simultaneous_equality import ReedSolomonSquare, simultaneous_equality
from protocols.classical.three_parties import (
    blackboard_equality,
    forehead_equality,
    point_to_point_equality,
)
from protocols.classical.trivial import trivial
from protocols.classical.yannakakis import yannakakis

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
