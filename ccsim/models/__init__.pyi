from . import files
from .affine import Affine
from .attention import AttentionUnit, MultiHeadAttention
from .automata import Automaton, dyck_automaton, from_regular_expression, from_task
from .feedforward import FeedForward
from .forward import ForwardModel
from .language import HardAttentionLanguageModel
from .model import SequenceModel
from .own_step import StepModel
from .recurrent import (
    GRU,
    LSTM,
    DiagonalLayer,
    DiagonalStateSpace,
    Draft,
    Elman,
    ElmanLayer,
    GRULayer,
    LinearAttention,
    LinearAttentionLayer,
    LSTMLayer,
    RecurrentLayer,
    RecurrentModel,
    RecurrentStack,
    SelectiveLayer,
    SelectiveStateSpace,
    TransitionTable,
    first_difference,
)
from .row_model import RowLayer, RowModel
from .tensor_attention import TensorAttention
from .tokenwise import Dense, Gated, Tokenwise
from .transformer import Block, LayerNorm, Norms, OneLayerTransformer, RMSNorm, Transformer
from .weighting import HardMaximum, Softmax

__all__ = [
    "GRU",
    "LSTM",
    "Affine",
    "AttentionUnit",
    "Automaton",
    "Block",
    "Dense",
    "DiagonalLayer",
    "DiagonalStateSpace",
    "Draft",
    "Elman",
    "ElmanLayer",
    "FeedForward",
    "ForwardModel",
    "GRULayer",
    "Gated",
    "HardAttentionLanguageModel",
    "HardMaximum",
    "LSTMLayer",
    "LayerNorm",
    "LinearAttention",
    "LinearAttentionLayer",
    "MultiHeadAttention",
    "Norms",
    "OneLayerTransformer",
    "RMSNorm",
    "RecurrentLayer",
    "RecurrentModel",
    "RecurrentStack",
    "RowLayer",
    "RowModel",
    "SelectiveLayer",
    "SelectiveStateSpace",
    "SequenceModel",
    "Softmax",
    "StepModel",
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
