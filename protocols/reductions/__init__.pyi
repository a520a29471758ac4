from .attention_query import KnownQueryLayer, attention_query, known_query, sparse_averaging_row
from .composition import chain_of_thought, composition, composition_costs
from .exchange import softmax_costs
from .feedforward_kernel import KernelCollision, feedforward_kernel
from .match3 import match3_reduction, match3_to_disjointness
from .max_logit import max_logit_softmax
from .one_way_error import (
    LeastError,
    least_one_way_error,
    table_lookup,
)
from .recurrent import Confusion, StateBound, automaton_bits, confusion, recurrent_prefix, state_bound
from .sums_in_order import LayerInOrder, chain_in_order, one_message
from .task_reductions import (
    REDUCTIONS,
    Counterexample,
    FunctionReduction,
    Reducible,
    Reduction,
    TaskReduction,
    negation,
    reduce,
)

__all__ = [
    "REDUCTIONS",
    "Confusion",
    "Counterexample",
    "FunctionReduction",
    "KernelCollision",
    "KnownQueryLayer",
    "LayerInOrder",
    "LeastError",
    "Reducible",
    "Reduction",
    "StateBound",
    "TaskReduction",
    "attention_query",
    "automaton_bits",
    "chain_in_order",
    "chain_of_thought",
    "composition",
    "composition_costs",
    "confusion",
    "feedforward_kernel",
    "known_query",
    "least_one_way_error",
    "match3_reduction",
    "match3_to_disjointness",
    "max_logit_softmax",
    "negation",
    "one_message",
    "recurrent_prefix",
    "reduce",
    "softmax_costs",
    "sparse_averaging_row",
    "state_bound",
    "table_lookup",
]
