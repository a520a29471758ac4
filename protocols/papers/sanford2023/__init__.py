"""Sanford, Hsu and Telgarsky 2023, Representational strengths and limitations of transformers (arXiv 2306.02896)."""

from protocols.papers.sanford2023 import bounds, constructions, match3_width, steps
from protocols.papers.sanford2023.paper import PAPER

__all__ = ["CLAIMS", "PAPER"]

ORDER = (
    "sparse-averaging-construction",
    "sparse-averaging-construction-over-q",
    "sparse-averaging-precision",
    "sparse-averaging-infinite-precision",
    "sparse-averaging-isometry",
    "sparse-averaging-dual-lemma",
    "sparse-averaging-dual-vectors",
    "sparse-averaging-weights",
    "sparse-averaging-width",
    "sparse-averaging-from-below",
    "sparse-averaging-encoding",
    "sparse-averaging-message",
    "sparse-averaging-test",
    "sparse-averaging-recurrent",
    "sparse-averaging-feedforward",
    "match2",
    "match2-precision",
    "match2-matrices",
    "match2-weights",
    "match3",
    "match3-width",
    "match3-bigram",
    "match3-local",
    "match3-local-over-window",
    "match3-third-order",
    "match3-assisted",
    "conjecture",
)
"""What the paper says, in its order."""

CLAIMS = tuple(
    sorted(
        (*bounds.CLAIMS, *match3_width.CLAIMS, *steps.CLAIMS, *constructions.CLAIMS),
        key=lambda claim: ORDER.index(claim.name.removeprefix(f"{PAPER.name}-")),
    )
)
