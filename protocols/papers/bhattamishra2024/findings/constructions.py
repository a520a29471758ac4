"""The constructed models over many sizes: are they right, and how large are they (Theorems 1, 6, 7 and 13)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from ccsim import problems
from ccsim.claims import Finding
from protocols import constructions
from protocols.papers.bhattamishra2024.findings import features
from protocols.papers.checks import compared, drawn_words, every_word, is_refused, sizes_between
from protocols.papers.growing import Looked, grown
from protocols.papers.plain import halves
from protocols.papers.plain.constructed import forward_outputs
from protocols.papers.plain.halves import halves_agree
from protocols.papers.plain.words import lookup

__all__ = ["Case", "equality", "growth", "index_lookup", "looked_at", "thresholds"]

Quantity = str
ALL = {"width": 1 << 14, "precision": 1 << 8}  # up to so many words of a length are all gone through
MOST_DRAWN = {"width": 12, "precision": 4}  # else so many are drawn


@dataclass(frozen=True)
class Case:
    """A model beside what it must compute.

    Attributes:
        model, task, plain: the model, its task, and the task from the symbols of a word.
        draw: what draws words.
        run: what runs it, if not ``codes``.
        others: further models and tasks (shorter words, the opposite question), that must be right as well.
        refused: what must be refused, as an inequality behind the model fails in it by as little as can be.
        answers: for words without a task that could be gone through: what is wrong on so many of them, and how many.
        of: how many words there are, if not those of the task.
        traced: on about how many words all outputs are worked out a second time, where all words are few.
    """

    model: Any
    task: problems.SequenceTask
    plain: Callable[[Any], Any]
    draw: Callable[..., Any] = drawn_words
    run: Callable[[Any], Any] | None = None
    others: tuple[tuple[Any, problems.SequenceTask], ...] = ()
    refused: tuple[Callable[[], Any], ...] = ()
    answers: Callable[[int], tuple[list[str], int]] | None = None
    of: int | None = None
    traced: int = 1 << 10


def growth(length: int, low: int, step: int, quantity: Quantity, case: Callable[[int], Case]) -> Finding:
    """The width or precision of the models of a construction over many lengths, each of them looked at."""
    facts: dict[str, Any] = {}  # of the last one

    def look(size: int) -> Looked:
        found = looked_at(case(size), quantity)
        facts.update(found.facts)
        return Looked(found.measured or 0, found.checked, found.of or 0, found.violations)

    return grown(sizes_between(length, low, step), look, facts=facts)


def looked_at(made: Case, quantity: Quantity) -> Finding:
    """One model: its answers, its size, what must be refused, and on few words every number it puts out."""
    inner, (wrong, checked) = _inner(made.model), _answers(made, quantity)
    shape = {
        "width": inner.token_embedding.shape[1],
        "precision": (inner.precision.high - inner.precision.low).bit_length(),
        "heads": max(len(block.attention.units) for block in inner.all_blocks),
        "layers": len(inner.all_blocks),
    }
    wrong += [f"case {place} is not refused" for place, attempt in enumerate(made.refused) if not is_refused(attempt)]
    of = made.of or made.task.words.size
    return Finding(measured=shape[quantity], checked=checked, of=of, violations=tuple(wrong), facts=shape)


def _answers(made: Case, quantity: Quantity) -> tuple[list[str], int]:
    if made.answers is not None:
        return made.answers(MOST_DRAWN[quantity])
    draw = partial(made.draw, count=MOST_DRAWN[quantity])
    wrong, checked = compared(made.model, made.task, draw, plain=made.plain, run=made.run, most=ALL[quantity])
    found = [*wrong, *_traced(made, quantity)]
    for model, task in made.others if quantity == "width" else ():
        found += [f"{task.name}: {each}" for each in compared(model, task, draw, most=ALL[quantity])[0]]
    return found, checked


def _inner(model: Any) -> Any:
    """The transformer within a model that puts [BOS] before the word, or answers several queries."""
    return getattr(model, "transformer", model)


def _traced(made: Case, quantity: Quantity) -> list[str]:
    """Where the outputs differ from those of a second forward pass, number by number, on some words."""
    if made.task.words.size > ALL[quantity]:
        return []
    inner, words = _inner(made.model), every_word(made.task)
    lookup = made.model.ranks_of(made.task.alphabet)
    words = (words if lookup is None else lookup[words])[:: max(1, len(words) // made.traced)]
    if len(inner.alphabet) > len(made.model.alphabet):  # [BOS] comes first
        words = np.concatenate([np.full((len(words), 1), len(inner.alphabet) - 1), words], axis=1)
    places = np.arange(words.shape[1] - getattr(made.model, "queries", 1), words.shape[1])
    given = inner.outputs_at(words, places) if hasattr(inner, "outputs_at") else inner.outputs(words)[:, None]
    wanted = forward_outputs(inner, words)[:, places]
    different = (given != wanted).any(axis=(1, 2))
    return (
        [f"outputs {given[different][0].tolist()}, by hand {wanted[different][0].tolist()}"] if different.any() else []
    )


def index_lookup(length: int, quantity: Quantity) -> Finding:
    """The transformer of Theorem 1 on index lookup, of this length and of shorter ones."""

    def case(size: int) -> Case:
        model = constructions.index_lookup_transformer(size)
        rows, fewer = model.position_embedding, range(1, size) if size <= 9 else ()
        cut = (replace(model, position_embedding=rows[[*range(each), size]]) for each in fewer)
        shorter = tuple(zip(cut, map(problems.index_lookup, fewer), strict=True))
        run = model.codes if size <= 64 else model.codes_plain  # its tables grow with the cube of the length
        weak = partial(constructions.index_lookup_transformer, size, strength=Fraction(1, model.precision.scale))
        return Case(model, problems.index_lookup(size), lookup, run=run, others=shorter, refused=(weak,))

    return growth(length, 4, 1, quantity, case)


def equality(length: int, quantity: Quantity, symbols: int = 2) -> Finding:
    """The two layers of Theorem 6 on equality of halves, of bits or over more symbols."""
    alphabet = tuple(map(str, range(symbols)))

    def case(size: int) -> Case:
        way = "A" * (size // 2) + "B" * (size // 2)
        build = partial(constructions.equality_transformer, size, alphabet=alphabet)
        opposite = build(unequal=True), constructions.equality_of_parts(way, unequal=True, alphabet=alphabet)
        task = constructions.equality_of_parts(way, alphabet=alphabet)
        task = problems.equality_of_halves(size) if symbols == 2 else task
        return Case(build(), task, halves_agree, others=(opposite,))

    return growth(length, 4, 2, quantity, case)


def thresholds(length: int, function: str, quantity: Quantity) -> Finding:
    """The two layers of Theorem 13 on a threshold of sparse features."""

    def case(size: int) -> Case:
        threshold, plain = _threshold(size, function)
        return Case(constructions.threshold_transformer(threshold), threshold.task(), plain)

    return growth(length, 4, 2, quantity, case)


def _threshold(length: int, function: str) -> tuple[Any, Callable[[Any], int]]:
    """A threshold of features, and the same from the symbols of a word."""
    if function == "majority":
        return constructions.SparseThreshold.majority(length), halves.mostly_ones
    if function == "intersection":
        return constructions.SparseThreshold.halves(length, lambda a, b: a and b, "any"), halves.halves_meet
    if function == "equality":
        return constructions.SparseThreshold.halves(length, lambda a, b: a == b, "all"), halves.halves_agree
    if function == "formula":
        clauses = " & ".join(f"(x{place} | !x{place + 1})" for place in range(1, length))
        return constructions.NormalForm.parse(clauses).threshold(), halves.chain_of_clauses
    return features.DRAWN[function](length)
