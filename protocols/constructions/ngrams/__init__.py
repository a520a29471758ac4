"""Transformers for n-gram language models (Svete and Cotterell 2024), exact, and where floating point fails them."""

from protocols.constructions.ngrams.by_heads import ngram_by_heads
from protocols.constructions.ngrams.by_layers import ngram_by_layers
from protocols.constructions.ngrams.by_values import ngram_by_values
from protocols.constructions.ngrams.lost_maximum import first_lost_maximum, first_lost_value
from protocols.constructions.ngrams.model import NGramModel
from protocols.constructions.ngrams.text import alice, vowels_and_consonants

__all__ = [
    "NGramModel",
    "alice",
    "first_lost_maximum",
    "first_lost_value",
    "ngram_by_heads",
    "ngram_by_layers",
    "ngram_by_values",
    "vowels_and_consonants",
]
