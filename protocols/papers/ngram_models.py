"""Transformers for n-gram models: every string up to a length, beside the model that they are made from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from ccsim import models
from ccsim.claims import Finding
from ccsim.errors import InputError
from protocols.constructions import ngrams
from protocols.papers.intervals import interval, within

__all__ = ["by_heads", "by_layers", "by_values", "fewer_heads", "fewer_layers", "first_lost", "position_scores"]

FIRST_LOST = {"float16": 8, "float32": 123}


def by_heads(length: int, order: int) -> Finding:
    """Theorem 3.1: heads of the one layer."""
    return _compared("ngram_by_heads", length, order, lambda model: _shape(model, 1, None))


def by_layers(length: int, order: int) -> Finding:
    """Theorem 3.2: layers of one head."""
    return _compared("ngram_by_layers", length, order, lambda model: _shape(model, None, 1))


def by_values(length: int, order: int) -> Finding:
    """Theorem 3.3: one head in one layer."""
    return _compared("ngram_by_values", length, order, lambda model: _shape(model, 1, None))


def fewer_layers(length: int, order: int) -> Finding:
    """One layer less, as many as there are symbols to fetch."""
    return _compared("ngram_by_layers", length, order, lambda model: _shape(model, None, 1), layers=max(1, order - 2))


def fewer_heads(length: int, order: int) -> Finding:
    """One head less, likewise."""
    return _compared("ngram_by_heads", length, order, lambda model: _shape(model, 1, None), heads=max(1, order - 2))


def _shape(
    model: models.HardAttentionLanguageModel, layers: int | None, heads: int | None
) -> tuple[int, tuple[str, ...]]:
    """The number that is not given, of layers or of heads in each, counted one by one; and whether the other is so."""
    counted = [len(layer.heads) for layer in model.layers]
    if layers is not None:
        return max(counted), () if len(counted) == layers else (f"{len(counted)} layers, not {layers}",)
    return len(counted), () if set(counted) == {heads} else (f"{counted} heads, not {heads} in each layer",)


def _compared(
    build: str,
    length: int,
    order: int,
    size: Callable[[models.HardAttentionLanguageModel], tuple[int, tuple[str, ...]]],
    **options: Any,
) -> Finding:
    """The probability of every string up to a length, as fractions, beside that of the n-gram model."""
    text = [ngrams.vowels_and_consonants(paragraph) for paragraph in ngrams.alice()]
    language = ngrams.NGramModel.from_strings(text, order)
    model = getattr(ngrams, build)(language, **options)
    strings = ["".join(string) for each in range(length + 1) for string in product("cv ", repeat=each)]
    found = _probabilities(model, strings)
    right = [language.probability(string) for string in strings]
    measured, wrong = size(model)
    wrong += tuple(f"probability {one} of {string!r}, not {other}"
                   for string, one, other in zip(strings, found, right, strict=True) if one != other)[:3]  # fmt: skip
    return Finding(
        measured=measured,
        checked=len(found),
        of=sum(3**each for each in range(length + 1)),
        violations=wrong,
        facts={"width": model.width, "heads that are needed": _needed(model, strings)},
    )


def _probabilities(model: models.HardAttentionLanguageModel, strings: Sequence[str]) -> list[Fraction]:
    """By the model, all strings of one length at once."""
    found: dict[str, Fraction] = {}
    for each in sorted(set(map(len, strings))):
        batch = [string for string in strings if len(string) == each]
        ranks = [[model.symbols.index(symbol) for symbol in string] for string in batch]
        words = np.array(ranks, dtype=np.int64).reshape(len(batch), each)
        found |= dict(zip(batch, model.probabilities(words), strict=True))
    return [found[string] for string in strings]


def _needed(model: models.HardAttentionLanguageModel, strings: Sequence[str]) -> str:
    """How many heads there are without which some probability is another one, of how many."""
    told, needed, every = _probabilities(model, strings), 0, 0
    for depth, layer in enumerate(model.layers):
        for place, head in enumerate(layer.heads):
            heads = list(layer.heads)
            heads[place] = replace(head, value=0 * head.value)
            layers = list(model.layers)
            layers[depth] = replace(layer, heads=tuple(heads))
            without = replace(model, layers=tuple(layers), total=None)
            needed += _probabilities_or_none(without, strings) != told
            every += 1
    return f"{needed} of {every}"


def _probabilities_or_none(model: models.HardAttentionLanguageModel, strings: Sequence[str]) -> list[Fraction] | None:
    """None where the model without a head has no probabilities at all."""
    try:
        return _probabilities(model, strings)
    except InputError:
        return None


def position_scores(length: int, order: int, query: str) -> Finding:
    """At how many positions t, for how many h, the largest score stands at t - h alone; and where the heads look."""
    right, wrong = 0, []
    model = ngrams.ngram_by_heads(ngrams.NGramModel.from_strings(["ab"], order))
    looked = model.attended(length)[0]
    pairs = [(h, t) for h in range(order - 1) for t in range(h + 1, length + 1)]
    for h, t in pairs:
        second = 1 - Fraction(1, t + h if query == "first" else t)
        right += _strictly_largest(t, h, second) == t - h
        if [place + 1 for place in looked[h][t - 1].nonzero()[0].tolist()] != [t - h]:
            wrong.append(f"head {h} at position {t} does not look at {t - h} alone")
    return Finding(measured=right, checked=len(pairs), of=len(pairs), violations=tuple(wrong[:3]))


def first_lost(kind: str) -> Finding:
    """The first position at which a maximum is lost, in numpy's floating point."""
    measured, claimed = ngrams.first_lost_maximum(kind) or 0, FIRST_LOST[kind]
    checked, of = measured * (measured - 1) // 2, claimed * (claimed - 1) // 2
    return Finding(measured=measured, claimed=claimed, formula=str(claimed), checked=checked, of=of)


def _strictly_largest(position: int, back: int, second: Fraction) -> int | None:
    """The place j <= t with the largest product of (sqrt(1/t), sqrt(second)) and (sqrt(1/(j+h)), sqrt(1 - 1/(j+h))).

    For t = ``position`` and h = ``back``. None if intervals do not tell which place it is.
    """

    def best() -> int | None:
        first, last = interval(Fraction(1, position)).sqrt(), interval(second).sqrt()
        shares = [Fraction(1, place + back) for place in range(1, position + 1)]
        scores = [first * interval(share).sqrt() + last * interval(1 - share).sqrt() for share in shares]
        most = max(range(position), key=lambda place: scores[place].mid())
        alone = all(scores[most] > score for place, score in enumerate(scores) if place != most)
        return most + 1 if alone else None

    found: int | None = within(best)
    return found
