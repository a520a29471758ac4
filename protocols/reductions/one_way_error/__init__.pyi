from .composed import table_lookup
from .game import WorstError, least_worst_error
from .index_errors import error_of_balls
from .least import LeastError, least_one_way_error
from .syndrome import syndrome_index

__all__ = [
    "LeastError",
    "WorstError",
    "error_of_balls",
    "least_one_way_error",
    "least_worst_error",
    "syndrome_index",
    "table_lookup",
]
