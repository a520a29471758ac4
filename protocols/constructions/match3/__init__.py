"""Relatives of Match3 that attention computes, and Match3 itself by attention of third order."""

from protocols.constructions.match3.assisted import assisted_match3, assisted_match3_transformer
from protocols.constructions.match3.bigram import match3_bigram_transformer
from protocols.constructions.match3.local import match3_local_unit
from protocols.constructions.match3.tensor import match3_tensor

__all__ = [
    "assisted_match3",
    "assisted_match3_transformer",
    "match3_bigram_transformer",
    "match3_local_unit",
    "match3_tensor",
]
