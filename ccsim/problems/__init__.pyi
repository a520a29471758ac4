from .catalogue import PROBLEMS, Problem, find_problem, registered_problems
from .composition import and_composition, direct_sum, or_composition, xor_composition
from .derived import Pairs, Restriction
from .equality import equality, equality_of_three
from .function import MultipartyFunction, TwoPartyFunction, TwoPartyRelation
from .graphs import VertexSets, clique_independent_set
from .hamming import gap_hamming, hamming_distance
from .index import index
from .inner_product import inner_product
from .inputs import BitStrings, InputSet, Integers
from .karchmer_wigderson import RELATIONS, karchmer_wigderson
from .listed import Listed, Subsets
from .order import greater_than, median
from .pointers import function_composition, pointer_chasing
from .sequence import (
    NOTHING,
    Partition,
    SequenceTask,
    SplitTask,
    associative_recall,
    bracket_symbols,
    disjointness_of_halves,
    dyck,
    equality_of_halves,
    index_lookup,
    inequality_of_halves,
    intersection_of_halves,
    k_hop_composition,
    k_hop_induction,
    majority_of_word,
    match2,
    match3,
    match3_bigram,
    match3_local,
    multi_query_associative_recall,
    nearest_neighbour,
    parity_of_word,
    q_sparse_averaging,
    regular_language,
)
from .sets import disjointness, intersection, set_intersection_size, sparse_disjointness
from .symmetric import majority, parity
from .words import Words

__all__ = [
    "NOTHING",
    "PROBLEMS",
    "RELATIONS",
    "BitStrings",
    "InputSet",
    "Integers",
    "Listed",
    "MultipartyFunction",
    "Pairs",
    "Partition",
    "Problem",
    "Restriction",
    "SequenceTask",
    "SplitTask",
    "Subsets",
    "TwoPartyFunction",
    "TwoPartyRelation",
    "VertexSets",
    "Words",
    "and_composition",
    "associative_recall",
    "bracket_symbols",
    "clique_independent_set",
    "direct_sum",
    "disjointness",
    "disjointness_of_halves",
    "dyck",
    "equality",
    "equality_of_halves",
    "equality_of_three",
    "find_problem",
    "function_composition",
    "gap_hamming",
    "greater_than",
    "hamming_distance",
    "index",
    "index_lookup",
    "inequality_of_halves",
    "inner_product",
    "intersection",
    "intersection_of_halves",
    "k_hop_composition",
    "k_hop_induction",
    "karchmer_wigderson",
    "majority",
    "majority_of_word",
    "match2",
    "match3",
    "match3_bigram",
    "match3_local",
    "median",
    "multi_query_associative_recall",
    "nearest_neighbour",
    "or_composition",
    "parity",
    "parity_of_word",
    "pointer_chasing",
    "q_sparse_averaging",
    "registered_problems",
    "regular_language",
    "set_intersection_size",
    "sparse_disjointness",
    "xor_composition",
]
