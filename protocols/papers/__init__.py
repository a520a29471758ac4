"""What papers claim, one module per paper, each paper's claims in its own order."""

from protocols.papers import bhattamishra2024, communication, peng2024, sanford2023, svete2024

__all__ = ["CLAIMS"]

CLAIMS = (
    *communication.CLAIMS,
    *bhattamishra2024.CLAIMS,
    *sanford2023.CLAIMS,
    *peng2024.CLAIMS,
    *svete2024.CLAIMS,
)
"""Every registered claim."""
