"""What papers claim, one module per paper, each paper's claims in its own order."""

from protocols.papers import (  # noqa: F401  (a module that is imported declares its claims)
    bhattamishra2024,
    chen2024,
    communication,
    kozachinskiy2024,
    nowak2024,
    ours,
    peng2024,
    sanford2023,
    sanford2024,
    sources,
    strobl2024,
    svete2024,
)
from protocols.papers.story import placed

__all__ = ["CLAIMS"]

CLAIMS = placed(
    (
        *sources.COMMUNICATION.claims,
        *bhattamishra2024.CLAIMS,
        *sources.SANFORD_2023.claims,
        *sources.PENG_2024.claims,
        *sources.SVETE_2024.claims,
        *sources.NOWAK_2024.claims,
        *sources.STROBL_2024.claims,
        *sources.SANFORD_2024.claims,
        *sources.CHEN_2024.claims,
        *sources.KOZACHINSKIY_2024.claims,
        *ours.CLAIMS,
        *sources.OURS.claims,
    )
)
"""Every registered claim."""
