from . import files
from .affine import Affine
from .attention import AttentionUnit, MultiHeadAttention
from .automata import Automaton, dyck_automaton, from_regular_expression, from_task
from .feedforward import FeedForward
from .language import HardAttentionLanguageModel
from .model import SequenceModel
from .recurrent import (
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
from .row_model import RowLayer, RowModel
from .tensor_attention import TensorAttention
from .tokenwise import Dense, Tokenwise
from .transformer import Block, LayerNorm, Norms, OneLayerTransformer, Transformer
from .weighting import HardMaximum, Softmax

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
    "files",
    "first_difference",
    "from_regular_expression",
    "from_task",
]
