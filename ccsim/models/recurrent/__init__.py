"""Recurrent models in exact finite precision: any transition, and the usual kinds in any number of layers."""

from ccsim.models.recurrent.base import RecurrentModel
from ccsim.models.recurrent.compare import first_difference
from ccsim.models.recurrent.delta import GatedDeltaLayer, GatedDeltaNet
from ccsim.models.recurrent.diagonal import DiagonalLayer, DiagonalStateSpace
from ccsim.models.recurrent.draft import Draft
from ccsim.models.recurrent.elman import Elman, ElmanLayer
from ccsim.models.recurrent.gru import GRU, GRULayer
from ccsim.models.recurrent.layer import RecurrentLayer
from ccsim.models.recurrent.linear_attention import LinearAttention, LinearAttentionLayer
from ccsim.models.recurrent.lstm import LSTM, LSTMLayer
from ccsim.models.recurrent.mlstm import MLSTM, MLSTMLayer
from ccsim.models.recurrent.retention import RetentionLayer, RetNet
from ccsim.models.recurrent.rg_lru import RGLRU, RGLRULayer
from ccsim.models.recurrent.rwkv import RWKV, RWKVLayer
from ccsim.models.recurrent.selective import SelectiveLayer, SelectiveStateSpace
from ccsim.models.recurrent.stack import RecurrentStack
from ccsim.models.recurrent.table import TransitionTable

__all__ = [
    "GRU",
    "LSTM",
    "MLSTM",
    "RGLRU",
    "RWKV",
    "DiagonalLayer",
    "DiagonalStateSpace",
    "Draft",
    "Elman",
    "ElmanLayer",
    "GRULayer",
    "GatedDeltaLayer",
    "GatedDeltaNet",
    "LSTMLayer",
    "LinearAttention",
    "LinearAttentionLayer",
    "MLSTMLayer",
    "RGLRULayer",
    "RWKVLayer",
    "RecurrentLayer",
    "RecurrentModel",
    "RecurrentStack",
    "RetNet",
    "RetentionLayer",
    "SelectiveLayer",
    "SelectiveStateSpace",
    "TransitionTable",
    "first_difference",
]
