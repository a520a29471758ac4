"""Bhattamishra, Hahn, Blunsom and Kanade 2024, Separations in the representational capabilities of transformers and
recurrent architectures (arXiv 2406.09347); results of this project follow the claims that they sharpen.

In this order: ``facts``, ``transformers`` of one layer as protocols, ``constructions``, ``recurrent`` models, and
``remarks`` beside the theorems.
"""

from protocols.papers.bhattamishra2024 import (  # noqa: F401  (a module that is imported declares its claims)
    constructions,
    facts,
    recurrent,
    remarks,
    transformers,
)
from protocols.papers.sources import BHATTAMISHRA_2024

ORDER = (
    "fact",
    "theorem-1",
    "theorem-2",
    "theorem-3",
    "proposition-9",
    "theorem-4",
    "lemma-1",
    "section-4-1-dyck-by-a-recurrent-model",
    "section-4-1-states-of-dyck",
    "section-4-1",
    "section-4-2",
    "theorem-5",
    "theorem-10",
    "lemma-2",
    "lemma-3",
    "corollary-8-1",
    "theorem-6",
    "theorem-7",
    "theorem-8",
    "lemma-4",
    "theorem-11",
    "theorem-12",
    "theorem-13",
    "lemma-5",
    "corollary-13-1",
    "appendix",
)
"""What the paper proves, in its order; claims about one theorem keep the order in which they are written."""


def _place(name: str) -> int:
    own = name.removeprefix(f"{BHATTAMISHRA_2024.paper.name}-")
    return next(place for place, begun in enumerate(ORDER) if f"{own}-".startswith(f"{begun}-"))


BHATTAMISHRA_2024.claims.sort(key=lambda claim: _place(claim.name))
