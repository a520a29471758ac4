"""What papers claim, one module per paper, each paper's claims in its own order."""

from protocols.papers import (
    bhattamishra2024,
    chen2024,
    communication,
    kozachinskiy2024,
    nowak2024,
    ours,
    peng2024,
    sanford2023,
    sanford2024,
    strobl2024,
    svete2024,
)
from protocols.papers.story import placed

__all__ = ["CLAIMS"]

CLAIMS = placed(
    (
        *communication.CLAIMS,
        *bhattamishra2024.CLAIMS,
        *sanford2023.CLAIMS,
        *peng2024.CLAIMS,
        *svete2024.CLAIMS,
        *nowak2024.CLAIMS,
        *strobl2024.CLAIMS,
        *sanford2024.CLAIMS,
        *chen2024.CLAIMS,
        *kozachinskiy2024.CLAIMS,
        *ours.CLAIMS,
    )
)
"""Every registered claim."""
