"""Recurrent models in exact finite precision: any transition, and the usual kinds in any number of layers."""

from ccsim.models.recurrent.base import RecurrentModel, first_difference
from ccsim.models.recurrent.cells import (
    GRU,
    LSTM,
    DiagonalLayer,
    DiagonalStateSpace,
    Elman,
    ElmanLayer,
    GRULayer,
    LinearAttention,
    LinearAttentionLayer,
    LSTMLayer,
    SelectiveLayer,
    SelectiveStateSpace,
)
from ccsim.models.recurrent.layer import Draft, RecurrentLayer
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
