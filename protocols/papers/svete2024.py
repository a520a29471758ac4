"""Svete and Cotterell 2024, Transformers can represent n-gram language models: three constructions, exactly."""

from __future__ import annotations

from collections.abc import Callable

from ccsim.claims import Claim, Direction, Finding, Paper, Parameter, Role
from protocols.papers.ngram_models import by_heads, by_layers, by_values, position_scores
from protocols.papers.stated import stated

__all__ = ["CLAIMS", "HYPOTHESES", "NGRAMS", "PAPER"]

PAPER = Paper("svete2024", "Svete and Cotterell 2024")

HYPOTHESES = ("hard attention", "exact arithmetic", "n - 1 beginning marks", "the model of a text, over three symbols")
NGRAMS = (
    Parameter("length", "N", 5, "length of the longest strings; all are gone through"),
    Parameter("order", "n", 3, "n of the n-grams", low=2),
)


def _theorem(theorem: str, statement: str, formula: str, unit: str, measure: Callable[..., Finding]) -> Claim:
    return stated(
        PAPER,
        f"theorem-{theorem.replace('.', '-')}",
        statement,
        place=f"Theorem {theorem}",
        direction=Direction.CONSTRUCTION,
        formula=formula,
        unit=unit,
        instances="the model of one text",
        hypotheses=HYPOTHESES,
        parameters=NGRAMS,
        sizes=({"order": 2}, {"order": 3}, {"order": 4, "length": 4}, {"order": 2, "length": 6}),
        measure=measure,
        tags=("n-grams", "construction"),
    )


CLAIMS: tuple[Claim, ...] = (
    _theorem(
        "3.1",
        "A transformer of one layer with n - 1 heads has the probabilities of any n-gram model.",
        "n - 1",
        "heads",
        by_heads,
    ),
    _theorem("3.2", "So has one with a single head in each of n - 1 layers.", "n - 1", "layers", by_layers),
    _theorem("3.3", "So has one with a single head in a single layer.", "1", "heads", by_values),
    stated(
        PAPER,
        "scores",
        "The score of position t for position j in head h is largest at j = t - h, and only there.",
        place="Theorem 3.1, proof, as printed in the slides of Mallick and Paul 2025: choice of score function",
        direction=Direction.EXACT,
        role=Role.STEP,
        formula="(n - 1)*N - (n - 1)*(n - 2)/2",
        unit="pairs (t, h)",
        hypotheses=(
            "all t up to N and h up to n - 2 for which t - h is a position",
            "query 'last': its second number is sqrt(1 - 1/t); 'first': sqrt(1 - 1/(t + h)), as where it first stands",
        ),
        parameters=(
            Parameter("length", "N", 40, "positions"),
            NGRAMS[1],
            Parameter("query", "query", "last", "which of two printed queries", choices=("last", "first")),
        ),
        sizes=({"order": 4}, {"order": 4, "query": "first"}),
        measure=position_scores,
        tags=("n-grams",),
    ),
)
