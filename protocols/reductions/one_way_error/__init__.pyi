from .composed import (
    composition_errors,
    keeps_printed_bound,
    printed_error,
    table_lookup,
)
from .game import WorstError, least_worst_error
from .index_errors import entropy_error, error_of_balls, index_errors
from .least import LeastError, least_one_way_error
from .syndrome import syndrome_index

__all__ = [
    "LeastError",
    "WorstError",
    "composition_errors",
    "entropy_error",
    "error_of_balls",
    "index_errors",
    "keeps_printed_bound",
    "least_one_way_error",
    "least_worst_error",
    "printed_error",
    "syndrome_index",
    "table_lookup",
]
