"""Textbook protocols."""
from protocols.classical.trivial import trivial
__all__=["trivial"]
