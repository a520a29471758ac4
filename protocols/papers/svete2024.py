"""Svete and Cotterell 2024, Transformers can represent n-gram language models: three constructions, exactly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ccsim.claims import Claim, Direction, Finding, Paper, Parameter

__all__ = ["CLAIMS", "PAPER"]

PAPER = Paper("svete2024", "Svete and Cotterell 2024")
FLOATS = {"float16": 8, "float32": 123}


def _equivalent(build: str, size: Callable[[Any], int]) -> Callable[..., Finding]:
    """The probability of every string up to a length, compared as fractions."""

    def measure(length: int, order: int) -> Finding:
        from itertools import product

        import numpy as np

        from protocols.constructions import ngrams

        text = [ngrams.vowels_and_consonants(paragraph) for paragraph in ngrams.alice()]
        language = ngrams.NGramModel.from_strings(text, order)
        model = getattr(ngrams, build)(language)
        wrong, checked = [], 0
        for each in range(length + 1):
            ranks = list(product(range(len(language.symbols)), repeat=each))
            words = np.array(ranks, dtype=np.int64).reshape(len(ranks), each)
            for word, found in zip(ranks, model.probabilities(words), strict=True):
                string = tuple(language.symbols[rank] for rank in word)
                checked += 1
                if found != language.probability(string):
                    wrong.append(f"probability {found} of {string}, not {language.probability(string)}")
        return Finding(measured=size(model), checked=checked, of=checked, violations=tuple(wrong[:3]))

    return measure


def _lost(kind: str) -> Finding:
    from protocols.constructions.ngrams import first_lost_maximum

    return Finding(measured=first_lost_maximum(kind), claimed=FLOATS[kind], formula="first position")


def _claim(theorem: str, statement: str, build: str, formula: str, unit: str, size: Callable[[Any], int]) -> Claim:
    return Claim(
        name=f"svete2024-theorem-{theorem.replace('.', '-')}",
        paper=PAPER,
        source=f"{PAPER.citation}, Theorem {theorem}",
        statement=statement,
        direction=Direction.CONSTRUCTION,
        formula=formula,
        unit=unit,
        hypotheses=("hard attention", "exact arithmetic", "n - 1 beginning marks"),
        parameters=(
            Parameter("length", "N", 5, "length of the longest strings"),
            Parameter("order", "n", 3, "n of the n-grams", low=2),
        ),
        sizes=({"order": 2}, {"order": 3}, {"order": 4, "length": 4}),
        measure=_equivalent(build, size),
        tags=("n-grams", "construction"),
    )


CLAIMS: tuple[Claim, ...] = (
    _claim(
        "3.1",
        "A transformer of one layer with n - 1 heads has the probabilities of any n-gram model.",
        "ngram_by_heads",
        "n - 1",
        "heads",
        lambda model: int(model.heads),
    ),
    _claim(
        "3.2",
        "So has one with a single head in each of n - 1 layers.",
        "ngram_by_layers",
        "n - 1",
        "layers",
        lambda model: len(model.layers) * int(model.heads),
    ),
    _claim(
        "3.3",
        "So has one with a single head in a single layer.",
        "ngram_by_values",
        "1",
        "heads",
        lambda model: len(model.layers) * int(model.heads),
    ),
    Claim(
        name="svete2024-floating-point",
        paper=PAPER,
        source=f"{PAPER.citation}, Theorem 3.1, executed",
        statement="In floating point the position with the largest score is no longer the only one from here on.",
        direction=Direction.UPPER,
        unit="th position",
        parameters=(Parameter("kind", "kind", "float16", "floating-point type", choices=tuple(FLOATS)),),
        sizes=tuple({"kind": kind} for kind in FLOATS),
        measure=_lost,
        tags=("n-grams",),
    ),
)
