"""Svete and Cotterell 2024, Transformers can represent n-gram language models, and results of this project on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from ccsim.claims import Constant, Direction, Finding, Role, param
from ccsim.models import HardAttentionLanguageModel
from protocols.constructions import ngrams
from protocols.papers.checks import Tally, grown, interval, sizes_between, strings_up_to, whole_part, within
from protocols.papers.sources import OURS, built_here
from protocols.papers.sources import SVETE_2024 as PAPER

LENGTH = param("N", 5, "length of the longest strings; all are checked")
ORDER = param("n", 3, "n of the n-grams", low=2)
POSITIONS = param("N", 512, "positions", low=6)
FIRST_LOST = {"float16": 8, "float32": 123}
ALL_UP_TO = 12  # positions: sparse and soft attention are computed from their definitions for every query and head
HEADS = 3  # offsets 0, 1, 2 and 3, as for 4-grams and shorter

HYPOTHESES = ("hard attention", "exact arithmetic", "n - 1 beginning marks", "the model of a text, over three symbols")
TEXT, ANY = "the model of one text", ("n-grams", "construction")

theorem = partial(
    PAPER.claim,
    direction=Direction.CONSTRUCTION,
    instances=TEXT,
    hypotheses=HYPOTHESES,
    sizes=({"order": 2}, {"order": 3}, {"order": 4, "length": 4}, {"order": 2, "length": 6}),
    tags=ANY,
)
fewer = partial(
    built_here,
    formula="Max(1, n - 2)",
    instances=TEXT,
    hypotheses=HYPOTHESES,
    sizes=({"order": 3}, {"order": 4, "length": 4}, {"order": 5, "length": 4}),
    tags=ANY,
)
by_real_scores = partial(
    OURS.claim,
    "docs/proofs/sparse_attention.md",
    direction=Direction.UPPER,
    sharpens="svete2024-theorem-3-1",
    unit="times",
    tags=("n-grams",),
)


@theorem("Theorem 3.1", formula="n - 1", unit="heads")
def by_heads(length: int = LENGTH, order: int = ORDER) -> Finding:
    """A transformer of one layer with n - 1 heads has the probabilities of any n-gram model."""
    return _same_probabilities(ngrams.ngram_by_heads, length, order)


@fewer("protocols/constructions/ngrams.py", name="ngrams-by-heads", sharpens="svete2024-theorem-3-1", unit="heads")
def fewer_heads(length: int = LENGTH, order: int = ORDER) -> Finding:
    """For n-grams n - 2 heads in one layer are enough, if a position keeps its own symbol beside what they fetch."""
    return _same_probabilities(partial(ngrams.ngram_by_heads, heads=max(1, order - 2)), length, order)


@theorem("Theorem 3.2", formula="n - 1", unit="layers")
def by_layers(length: int = LENGTH, order: int = ORDER) -> Finding:
    """So has one with a single head in each of n - 1 layers."""
    return _same_probabilities(ngrams.ngram_by_layers, length, order, layers=True)


@fewer(
    "protocols/constructions/ngrams.py",
    name="ngrams-by-layers",
    sharpens="svete2024-theorem-3-2",
    unit="layers",
)
def fewer_layers(length: int = LENGTH, order: int = ORDER) -> Finding:
    """For n-grams n - 2 layers of one head are enough: a position knows its own symbol anyway."""
    build = partial(ngrams.ngram_by_layers, layers=max(1, order - 2))
    return _same_probabilities(build, length, order, layers=True)


@theorem("Theorem 3.3", formula="1", unit="heads")
def by_values(length: int = LENGTH, order: int = ORDER) -> Finding:
    """So has one with a single head in a single layer."""
    return _same_probabilities(ngrams.ngram_by_values, length, order)


def _same_probabilities(
    build: Callable[[ngrams.NGramModel], HardAttentionLanguageModel], length: int, order: int, layers: bool = False
) -> Finding:
    language = ngrams.NGramModel.from_strings(map(ngrams.vowels_and_consonants, ngrams.alice()), order)
    model = build(language)
    strings = strings_up_to(length, "cv ")
    given, right = _probabilities(model, strings), [language.probability(string) for string in strings]
    wrong = [
        f"probability {one} of {string!r}, not {other}"
        for string, one, other in zip(strings, given, right, strict=True)
        if one != other
    ]
    depth, heads = len(model.layers), model.heads
    measured, single = (depth, heads) if layers else (heads, depth)
    wrong += [] if single == 1 else [f"{depth} layers of up to {heads} heads"]
    return Finding(
        measured=measured,
        checked=len(given),
        of=sum(3**each for each in range(length + 1)),
        violations=wrong,
        facts={"width": model.width},
    )


def _probabilities(model: HardAttentionLanguageModel, strings: list[str]) -> list[Fraction]:
    batches = [
        [model.ranks(string) for string in strings if len(string) == each] for each in range(len(strings[-1]) + 1)
    ]
    return [probability for batch in batches for probability in model.probabilities(np.stack(batch))]


@PAPER.claim(
    "Theorem 3.1, proof, as printed in the slides of Mallick and Paul 2025: choice of score function",
    name="scores",
    direction=Direction.EXACT,
    role=Role.STEP,
    formula="(n - 1)*N - (n - 1)*(n - 2)/2",
    unit="pairs (t, h)",
    hypotheses=(
        "all t up to N and h up to n - 2 for which t - h is a position",
        "query 'last': its second number is sqrt(1 - 1/t); 'first': sqrt(1 - 1/(t + h)), as where it first occurs",
    ),
    sizes=({"order": 4}, {"order": 4, "query": "first"}),
    tags=("n-grams",),
)
def position_scores(
    length: int = param("N", 40, "positions"),
    order: int = ORDER,
    query: str = param("query", "last", "which of two printed queries", choices=("last", "first")),
) -> Finding:
    """The score of position t for position j in head h is largest at j = t - h, and only there."""
    pairs = [(h, t) for h in range(order - 1) for t in range(h + 1, length + 1)]
    right = sum(_strictly_largest(t, h, Fraction(1, t + h if query == "first" else t)) == t - h for h, t in pairs)
    return Finding(measured=right, checked=len(pairs), of=sum(length - h for h in range(order - 1)))


def _strictly_largest(position: int, back: int, share: Fraction) -> int | None:
    """The place j <= t for which (sqrt(1/t), sqrt(1 - share)) (sqrt(1/(j+h)), sqrt(1 - 1/(j+h))) is most, or None."""

    def best() -> int | None:
        first, last = interval(Fraction(1, position)).sqrt(), interval(1 - share).sqrt()
        shares = [Fraction(1, place + back) for place in range(1, position + 1)]
        scores = [first * interval(share).sqrt() + last * interval(1 - share).sqrt() for share in shares]
        most = max(range(position), key=lambda place: scores[place].mid())
        alone = all(scores[most] > score for place, score in enumerate(scores) if place != most)
        return most + 1 if alone else None

    largest: int | None = within(best)
    return largest


@OURS.claim(
    "protocols/constructions/ngrams.py",
    name="ngrams-in-floating-point",
    direction=Direction.EXACT,
    sharpens="svete2024-theorem-3-1",
    unit="th position",
    hypotheses=("scores as in Theorem 3.1, each operation rounded to nearest", "so that theorem needs exact numbers"),
    sizes=({}, {"kind": "float32"}),
    tags=("n-grams",),
)
def first_lost(kind: str = param("kind", "float16", "floating-point type", choices=tuple(FIRST_LOST))) -> Finding:
    """In floating point the score of a position is no longer larger than every other one, from this position on."""
    measured, claimed = ngrams.first_lost_maximum(kind) or 0, FIRST_LOST[kind]
    checked, of = measured * (measured - 1) // 2, claimed * (claimed - 1) // 2
    return Finding(measured=measured, claimed=claimed, formula=str(claimed), checked=checked, of=of)


@by_real_scores(
    name="ngrams-by-sparse-attention",
    formula="c*N**3",
    constant=Constant("12", "1/(1 - cos d) for neighbouring angles, d >= 1/(2 (t + 1) sqrt(t))"),
    hypotheses=(
        "scores as in Theorem 3.1, real numbers, by intervals of 512 bits",
        "sparse attention projects scores onto probabilities (Martins and Astudillo 2016)",
    ),
)
def sparse_strength(length: int = POSITIONS) -> Finding:
    """With queries times O(N^3) sparse attention gives a weight of one to the position that hard attention finds, so
    that n-gram models have the same probabilities by it."""

    def others(t: int, head: int, strength: int) -> list[int]:
        scores = [strength * _score(t, place + head) for place in range(1, t + 1)]
        return [place + 1 for place in sparsemax_support(scores) if place != t - head - 1]

    return _strengths(length, _least_strength, others)


@by_real_scores(
    name="ngrams-by-soft-attention",
    formula="c*N**3*log(N, 2)",
    constant=Constant("11", "12 ln s of the sparse strength, with s below 2N: 12 ln 2 (log N + 1) or less"),
    hypotheses=(
        "scores as in Theorem 3.1, real numbers, by intervals of 512 bits",
        "exponentials are rounded down to steps of 1/s, s the least power of two from N on; all else as by hard "
        "attention, whose probabilities are compared string by string",
    ),
)
def soft_strength(length: int = POSITIONS) -> Finding:
    """With queries times O(N^3 log N) soft attention gives a weight of one to the position that hard attention finds,
    with exponentials of O(log N) bits that are rounded down, so that n-gram models have the same probabilities."""

    steps = _steps(min(length, ALL_UP_TO))

    def others(t: int, head: int, strength: int) -> list[int]:
        rest = [place for place in range(1, t + 1) if place != t - head]
        return [place for place in rest if whole_part((strength * (_score(t, place + head) - 1)).exp() * steps) > 0]

    return _strengths(length, lambda size: _least_strength(size, _steps(size)), others)


def _strengths(length: int, least: Callable[[int], int], others: Callable[[int, int, int], list[int]]) -> Finding:
    """The least strengths at all sizes; up to 12 positions no query may have ``others`` that get weight."""
    small = min(length, ALL_UP_TO)
    strength = least(small)
    wrong = [
        f"position {t} attends to {places} with {strength}"
        for t, head in product(range(1, small + 1), range(HEADS + 1))
        if t > head and (places := within(partial(others, t, head, strength)))
    ]
    finding = grown(sizes_between(length, 6), lambda size: Tally(least(size), size, size, ()))
    return finding.also(wrong)


def _least_strength(length: int, steps: int = 0) -> int:
    """The least whole number above 1 / (1 - score), or ln s / (1 - score) for s steps, for all neighbours."""
    pairs = [(t, place) for t in range(1, length + 1) for place in (t - 1, t + 1) if place >= 1]

    def most() -> int:
        lead = interval(steps).log() if steps else 1
        return max(whole_part(lead / (1 - _score(*pair))) for pair in pairs)

    return int(within(most)) + 1


def _steps(length: int) -> int:
    return 1 << (length - 1).bit_length()


def _score(t: int, place: int) -> Any:
    """sqrt(1/t) sqrt(1/u) + sqrt(1 - 1/t) sqrt(1 - 1/u), for the key of u: 1 at u = t and less elsewhere."""
    own, other = interval(Fraction(1, t)), interval(Fraction(1, place))
    return (own * other).sqrt() + ((1 - own) * (1 - other)).sqrt()


def sparsemax_support(scores: Sequence[Any]) -> list[int]:
    """The first k places in order, for the largest k with 1 + k z_k > z_1 + ... + z_k (Martins and Astudillo 2016)."""
    order = sorted(range(len(scores)), key=lambda place: float(scores[place]), reverse=True)
    total, kept = 0, 0
    for count, place in enumerate(order, start=1):
        total = total + scores[place]
        if 1 + count * scores[place] > total:
            kept = count
    return sorted(order[:kept])
