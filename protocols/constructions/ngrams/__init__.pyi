from .by_heads import ngram_by_heads
from .by_layers import ngram_by_layers
from .by_values import ngram_by_values
from .lost_maximum import first_lost_maximum
from .model import NGramModel
from .text import alice, vowels_and_consonants

__all__ = [
    "NGramModel",
    "alice",
    "first_lost_maximum",
    "ngram_by_heads",
    "ngram_by_layers",
    "ngram_by_values",
    "vowels_and_consonants",
]
