"""Language models by hard attention, in exact integer and rational arithmetic."""

from ccsim.models.language.heads import HardAttentionLayer, PositionalHead
from ccsim.models.language.model import HardAttentionLanguageModel
from ccsim.models.language.scores import CappedProduct, RootCosine, Score

__all__ = [
    "CappedProduct",
    "HardAttentionLanguageModel",
    "HardAttentionLayer",
    "PositionalHead",
    "RootCosine",
    "Score",
]
