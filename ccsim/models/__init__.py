"""Sequence models in exact finite precision: what they answer and how many bits they carry is the same everywhere."""

from ccsim.models.affine import Affine
from ccsim.models.attention import AttentionUnit, MultiHeadAttention
from ccsim.models.automata import Automaton, dyck_automaton, from_regular_expression, from_task
from ccsim.models.feedforward import FeedForward
from ccsim.models.language import HardAttentionLanguageModel
from ccsim.models.model import SequenceModel
from ccsim.models.recurrent import (
    GRU,
    LSTM,
    RWKV,
    DiagonalLayer,
    DiagonalStateSpace,
    Elman,
    ElmanLayer,
    GRULayer,
    LinearAttention,
    LinearAttentionLayer,
    LSTMLayer,
    RecurrentLayer,
    RecurrentModel,
    RecurrentStack,
    RetentionLayer,
    RetNet,
    RWKVLayer,
    SelectiveLayer,
    SelectiveStateSpace,
    TransitionTable,
    first_difference,
)
from ccsim.models.row_model import RowLayer, RowModel
from ccsim.models.tensor_attention import TensorAttention
from ccsim.models.tokenwise import Dense, Tokenwise
from ccsim.models.transformer import Block, LayerNorm, Norms, OneLayerTransformer, Transformer
from ccsim.models.weighting import HardMaximum, Softmax

__all__ = [
    "GRU",
    "LSTM",
    "RWKV",
    "Affine",
    "AttentionUnit",
    "Automaton",
    "Block",
    "Dense",
    "DiagonalLayer",
    "DiagonalStateSpace",
    "Elman",
    "ElmanLayer",
    "FeedForward",
    "GRULayer",
    "HardAttentionLanguageModel",
    "HardMaximum",
    "LSTMLayer",
    "LayerNorm",
    "LinearAttention",
    "LinearAttentionLayer",
    "MultiHeadAttention",
    "Norms",
    "OneLayerTransformer",
    "RWKVLayer",
    "RecurrentLayer",
    "RecurrentModel",
    "RecurrentStack",
    "RetNet",
    "RetentionLayer",
    "RowLayer",
    "RowModel",
    "SelectiveLayer",
    "SelectiveStateSpace",
    "SequenceModel",
    "Softmax",
    "TensorAttention",
    "Tokenwise",
    "Transformer",
    "TransitionTable",
    "dyck_automaton",
    "first_difference",
    "from_regular_expression",
    "from_task",
]
