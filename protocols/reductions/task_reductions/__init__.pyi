from .chasing import function_composition_to_two_hops, pointer_chasing_to_hops
from .comparing import (
    disjointness_to_halves,
    equality_to_dyck,
    equality_to_equality_of_halves,
    equality_to_inequality_of_halves,
    intersection_to_halves,
    intersection_to_match3,
    intersection_to_sparse_averaging,
)
from .reduction import (
    Counterexample,
    FunctionReduction,
    Reduction,
    TaskReduction,
    negation,
)
from .registry import REDUCTIONS, Reducible, reduce
from .retrieval import (
    index_to_associative_recall,
    index_to_index_lookup,
    index_to_induction,
    index_to_nearest_neighbour,
    index_to_sparse_averaging,
    intersection_to_multi_query_recall,
)

__all__ = [
    "REDUCTIONS",
    "Counterexample",
    "FunctionReduction",
    "Reducible",
    "Reduction",
    "TaskReduction",
    "disjointness_to_halves",
    "equality_to_dyck",
    "equality_to_equality_of_halves",
    "equality_to_inequality_of_halves",
    "function_composition_to_two_hops",
    "index_to_associative_recall",
    "index_to_index_lookup",
    "index_to_induction",
    "index_to_nearest_neighbour",
    "index_to_sparse_averaging",
    "intersection_to_halves",
    "intersection_to_match3",
    "intersection_to_multi_query_recall",
    "intersection_to_sparse_averaging",
    "negation",
    "pointer_chasing_to_hops",
    "reduce",
]
