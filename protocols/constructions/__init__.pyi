from .automaton_network import automaton_network
from .chasing import chasing_chain, chasing_layer, think
from .derandomised import CodeAddresses, conditional_dimension, conditional_vectors, shortest_code
from .dual_vectors import DualVectors
from .dyck import dyck_transformer, next_brackets, next_brackets_transformer
from .equality import equality_of_parts, equality_transformer
from .formulas import NormalForm, SparseFeature, SparseThreshold
from .growth import GROWING, growth_table
from .index_lookup import index_lookup_transformer, printed_index_strength
from .match2 import match2_unit, matching_margin
from .match2_layer import blank_match2, match2_transformer
from .match3 import (
    assisted_match3,
    assisted_match3_transformer,
    fetches_exactly,
    match3_bigram_transformer,
    match3_local_unit,
    match3_tensor,
    reads_every_digit,
    triple_margin,
)
from .multi_query import MultiQueryTransformer
from .ngrams import (
    NGramModel,
    first_lost_maximum,
    ngram_by_heads,
    ngram_by_layers,
    ngram_by_values,
)
from .precision_search import PrecisionSearch, smallest_precision, two_complement_formats
from .recall import (
    associative_recall_transformer,
    multi_query_recall_transformer,
    nearest_neighbour_transformer,
)
from .recall_margins import Margins, RecallWeights, copy_weights, require_weights
from .recall_table import (
    MultiQueryRecurrent,
    RecallTable,
    multi_query_recall_table,
    recall_table,
)
from .recurrent import ShiftRegister, shift_register
from .size import ConstructionSize, size_of
from .soft_lookup import soft_index_lookup_transformer
from .soft_recall import soft_recall_transformer
from .sparse_averaging import SparseAveraging, averaging_size, sparse_averaging_model, sparse_averaging_unit
from .start import StartedTransformer
from .thresholds import threshold_transformer
from .uniform_attention import (
    disjointness_by_uniform_attention,
    dyck_by_uniform_attention,
    equality_by_uniform_attention,
)
from .vector_bounds import dimension_table, hoeffding_dimension, lemma_dimension, union_dimension
from .vectors import BinaryAddresses, SignVectors, smallest_sign_vectors

__all__ = [
    "GROWING",
    "BinaryAddresses",
    "CodeAddresses",
    "ConstructionSize",
    "DualVectors",
    "Margins",
    "MultiQueryRecurrent",
    "MultiQueryTransformer",
    "NGramModel",
    "NormalForm",
    "PrecisionSearch",
    "RecallTable",
    "RecallWeights",
    "ShiftRegister",
    "SignVectors",
    "SparseAveraging",
    "SparseFeature",
    "SparseThreshold",
    "StartedTransformer",
    "assisted_match3",
    "assisted_match3_transformer",
    "associative_recall_transformer",
    "automaton_network",
    "averaging_size",
    "blank_match2",
    "chasing_chain",
    "chasing_layer",
    "conditional_dimension",
    "conditional_vectors",
    "copy_weights",
    "dimension_table",
    "disjointness_by_uniform_attention",
    "dyck_by_uniform_attention",
    "dyck_transformer",
    "equality_by_uniform_attention",
    "equality_of_parts",
    "equality_transformer",
    "fetches_exactly",
    "first_lost_maximum",
    "growth_table",
    "hoeffding_dimension",
    "index_lookup_transformer",
    "lemma_dimension",
    "match2_transformer",
    "match2_unit",
    "match3_bigram_transformer",
    "match3_local_unit",
    "match3_tensor",
    "matching_margin",
    "multi_query_recall_table",
    "multi_query_recall_transformer",
    "nearest_neighbour_transformer",
    "next_brackets",
    "next_brackets_transformer",
    "ngram_by_heads",
    "ngram_by_layers",
    "ngram_by_values",
    "printed_index_strength",
    "reads_every_digit",
    "recall_table",
    "require_weights",
    "shift_register",
    "shortest_code",
    "size_of",
    "smallest_precision",
    "smallest_sign_vectors",
    "soft_index_lookup_transformer",
    "soft_recall_transformer",
    "sparse_averaging_model",
    "sparse_averaging_unit",
    "think",
    "threshold_transformer",
    "triple_margin",
    "two_complement_formats",
    "union_dimension",
]
