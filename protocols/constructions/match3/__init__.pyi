from .assisted import assisted_match3, assisted_match3_transformer
from .bigram import match3_bigram_transformer
from .local import match3_local_unit
from .tensor import match3_tensor

__all__ = [
    "assisted_match3",
    "assisted_match3_transformer",
    "match3_bigram_transformer",
    "match3_local_unit",
    "match3_tensor",
]
