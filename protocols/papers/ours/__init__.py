"""What this project proves and builds itself: more than a source says, or cheaper than it needs."""

from protocols.papers.ours import (
    every_length,
    transformers,
)
from protocols.papers.ours.paper import PAPER, result

__all__ = ["CLAIMS", "PAPER", "result"]

CLAIMS = (
    *transformers.CLAIMS,
    *every_length.CLAIMS,
)
