"""Sanford, Hsu and Telgarsky 2023, Representational strengths and limitations of transformers (arXiv 2306.02896)."""

from protocols.papers.sanford2023 import bounds, constructions
from protocols.papers.sanford2023.paper import PAPER

__all__ = ["CLAIMS", "PAPER"]

ORDER = (
    "sparse-averaging-construction",
    "sparse-averaging-precision",
    "sparse-averaging-dual-vectors",
    "sparse-averaging-from-below",
    "sparse-averaging-message",
    "sparse-averaging-width",
    "sparse-averaging-recurrent",
    "sparse-averaging-feedforward",
    "sparse-averaging-feedforward-kernel",
    "match2",
    "match2-precision",
    "match3",
    "match3-width",
    "match3-bigram",
    "match3-local",
    "match3-third-order",
    "match3-assisted",
    "conjecture",
)
"""What the paper proves, in its order."""

CLAIMS = tuple(
    sorted(
        (*bounds.CLAIMS, *constructions.CLAIMS),
        key=lambda claim: ORDER.index(claim.name.removeprefix(f"{PAPER.name}-")),
    )
)
