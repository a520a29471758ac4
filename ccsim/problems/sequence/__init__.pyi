from .averaging import q_sparse_averaging
from .dyck import bracket_symbols, dyck
from .halves import (
    disjointness_of_halves,
    equality_of_halves,
    inequality_of_halves,
    intersection_of_halves,
)
from .hops import NOTHING, k_hop_composition, k_hop_induction
from .lookup import associative_recall, index_lookup, multi_query_associative_recall
from .match import match2, match3, match3_bigram, match3_local
from .neighbour import nearest_neighbour
from .partition import Partition
from .regular import majority_of_word, parity_of_word, regular_language
from .task import SequenceTask, SplitTask

__all__ = [
    "NOTHING",
    "Partition",
    "SequenceTask",
    "SplitTask",
    "associative_recall",
    "bracket_symbols",
    "disjointness_of_halves",
    "dyck",
    "equality_of_halves",
    "index_lookup",
    "inequality_of_halves",
    "intersection_of_halves",
    "k_hop_composition",
    "k_hop_induction",
    "majority_of_word",
    "match2",
    "match3",
    "match3_bigram",
    "match3_local",
    "multi_query_associative_recall",
    "nearest_neighbour",
    "parity_of_word",
    "q_sparse_averaging",
    "regular_language",
]
