from .composed import (
    composition_errors,
    keeps_printed_bound,
    printed_error,
    table_lookup,
)
from .least import LeastError, least_one_way_error

__all__ = [
    "LeastError",
    "composition_errors",
    "keeps_printed_bound",
    "least_one_way_error",
    "printed_error",
    "table_lookup",
]
