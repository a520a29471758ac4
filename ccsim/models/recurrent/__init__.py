"""Recurrent models in exact finite precision: any transition, and the usual kinds in any number of layers."""

from ccsim.models.recurrent.base import RecurrentModel, first_difference
from ccsim.models.recurrent.diagonal import DiagonalLayer, DiagonalStateSpace
from ccsim.models.recurrent.elman import Elman, ElmanLayer
from ccsim.models.recurrent.gru import GRU, GRULayer
from ccsim.models.recurrent.layer import Draft, RecurrentLayer
from ccsim.models.recurrent.linear_attention import LinearAttention, LinearAttentionLayer
from ccsim.models.recurrent.lstm import LSTM, LSTMLayer
from ccsim.models.recurrent.selective import SelectiveLayer, SelectiveStateSpace
from ccsim.models.recurrent.stack import RecurrentStack, TransitionTable

__all__ = [
    "GRU",
    "LSTM",
    "DiagonalLayer",
    "DiagonalStateSpace",
    "Draft",
    "Elman",
    "ElmanLayer",
    "GRULayer",
    "LSTMLayer",
    "LinearAttention",
    "LinearAttentionLayer",
    "RecurrentLayer",
    "RecurrentModel",
    "RecurrentStack",
    "SelectiveLayer",
    "SelectiveStateSpace",
    "TransitionTable",
    "first_difference",
]
