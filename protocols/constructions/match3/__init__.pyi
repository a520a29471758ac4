from .assisted import assisted_match3, assisted_match3_transformer
from .bigram import match3_bigram_transformer
from .local import match3_local_unit, reads_every_digit
from .pairs import fetches_exactly
from .tensor import match3_tensor, triple_margin

__all__ = [
    "assisted_match3",
    "assisted_match3_transformer",
    "fetches_exactly",
    "match3_bigram_transformer",
    "match3_local_unit",
    "match3_tensor",
    "reads_every_digit",
    "triple_margin",
]
