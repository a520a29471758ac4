"""Sanford, Hsu and Telgarsky 2023, Representational strengths and limitations of transformers (arXiv 2306.02896)."""

from protocols.papers.sanford2023 import averages, averages_needed, match2, match3
from protocols.papers.sanford2023.paper import PAPER

__all__ = ["CLAIMS", "PAPER"]

CLAIMS = (*averages.CLAIMS, *averages_needed.CLAIMS, *match2.CLAIMS, *match3.CLAIMS)
"""What the paper says, in its order."""
