"""What papers claim, one module per paper, each paper's claims in its own order."""

from protocols.papers import (  # noqa: F401  (a module that is imported declares its claims)
    bhattamishra2024,
    chen2024,
    communication,
    kozachinskiy2024,
    nowak2024,
    peng2024,
    sanford2023,
    sanford2024,
    strobl2024,
    svete2024,
)
from protocols.papers.sources import SOURCES, placed

__all__ = ["CLAIMS"]

CLAIMS = placed([claim for source in SOURCES for claim in source.claims])
"""Every registered claim."""
