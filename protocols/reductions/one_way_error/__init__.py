"""The least error of one message of so many bits, exactly, and the printed bound for composing two functions.

Peng, Narayanan and Papadimitriou 2024, theorem 1.
"""

from protocols.reductions.one_way_error.composed import (
    composition_errors,
    keeps_printed_bound,
    printed_error,
    table_lookup,
)
from protocols.reductions.one_way_error.least import LeastError, least_one_way_error

__all__ = [
    "LeastError",
    "composition_errors",
    "keeps_printed_bound",
    "least_one_way_error",
    "printed_error",
    "table_lookup",
]
