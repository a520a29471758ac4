"""The constructed models over many sizes: are they right, and how large are they (Theorems 1, 6, 7 and 13)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ccsim import problems
from ccsim.claims import Finding
from protocols import constructions
from protocols.papers.bhattamishra2024.findings import features
from protocols.papers.checks import Looked, compared, drawn_words, grown, sizes_between

__all__ = ["Case", "equality", "growth", "index_lookup", "looked_at", "thresholds"]

Quantity = str
ALL = {"width": 1 << 14, "precision": 1 << 8}  # up to so many words of a length are all gone through
MOST_DRAWN = {"width": 12, "precision": 4}  # else so many are drawn


@dataclass(frozen=True)
class Case:
    """A model beside what it must compute.

    Attributes:
        model, task: the model and its task.
        draw: what draws words.
        run: what runs it, if not ``codes``.
        others: further models and tasks (shorter words, the opposite question), that must be right as well.
        answers: for words without a task that could be gone through: what is wrong on so many of them, and how many.
        of: how many words there are, if not those of the task.
    """

    model: Any
    task: problems.SequenceTask
    draw: Callable[..., Any] = drawn_words
    run: Callable[[Any], Any] | None = None
    others: tuple[tuple[Any, problems.SequenceTask], ...] = ()
    answers: Callable[[int], tuple[list[str], int]] | None = None
    of: int | None = None


def growth(length: int, low: int, step: int, quantity: Quantity, case: Callable[[int], Case]) -> Finding:
    """The width or precision of the models of a construction over many lengths, each of them looked at."""
    facts: dict[str, Any] = {}  # of the last one

    def look(size: int) -> Looked:
        found = looked_at(case(size), quantity)
        facts.update(found.facts)
        return Looked(found.measured or 0, found.checked, found.of or 0, found.violations)

    return grown(sizes_between(length, low, step), look, facts=facts)


def looked_at(made: Case, quantity: Quantity) -> Finding:
    """One model: its answers, and its size."""
    inner, (wrong, checked) = _inner(made.model), _answers(made, quantity)
    shape = {
        "width": inner.token_embedding.shape[1],
        "precision": (inner.precision.high - inner.precision.low).bit_length(),
        "heads": max(len(block.attention.units) for block in inner.all_blocks),
        "layers": len(inner.all_blocks),
    }
    of = made.of or made.task.words.size
    return Finding(measured=shape[quantity], checked=checked, of=of, violations=tuple(wrong), facts=shape)


def _answers(made: Case, quantity: Quantity) -> tuple[list[str], int]:
    if made.answers is not None:
        return made.answers(MOST_DRAWN[quantity])
    draw = partial(made.draw, count=MOST_DRAWN[quantity])
    wrong, checked = compared(made.model, made.task, draw, run=made.run, most=ALL[quantity])
    found = [*wrong]
    for model, task in made.others if quantity == "width" else ():
        found += [f"{task.name}: {each}" for each in compared(model, task, draw, most=ALL[quantity])[0]]
    return found, checked


def _inner(model: Any) -> Any:
    """The transformer within a model that puts [BOS] before the word, or answers several queries."""
    return getattr(model, "transformer", model)


def index_lookup(length: int, quantity: Quantity) -> Finding:
    """The transformer of Theorem 1 on index lookup, of this length and of shorter ones."""

    def case(size: int) -> Case:
        model = constructions.index_lookup_transformer(size)
        rows, fewer = model.position_embedding, range(1, size) if size <= 9 else ()
        cut = (replace(model, position_embedding=rows[[*range(each), size]]) for each in fewer)
        shorter = tuple(zip(cut, map(problems.index_lookup, fewer), strict=True))
        run = model.codes if size <= 64 else model.codes_plain  # its tables grow with the cube of the length
        return Case(model, problems.index_lookup(size), run=run, others=shorter)

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
        return Case(build(), task, others=(opposite,))

    return growth(length, 4, 2, quantity, case)


def thresholds(length: int, function: str, quantity: Quantity) -> Finding:
    """The two layers of Theorem 13 on a threshold of sparse features."""

    def case(size: int) -> Case:
        threshold = _threshold(size, function)
        return Case(constructions.threshold_transformer(threshold), threshold.task())

    return growth(length, 4, 2, quantity, case)


def _threshold(length: int, function: str) -> constructions.SparseThreshold:
    """A threshold of features, by its name."""
    if function == "majority":
        return constructions.SparseThreshold.majority(length)
    if function == "intersection":
        return constructions.SparseThreshold.halves(length, lambda a, b: a and b, "any")
    if function == "equality":
        return constructions.SparseThreshold.halves(length, lambda a, b: a == b, "all")
    if function == "formula":
        clauses = " & ".join(f"(x{place} | !x{place + 1})" for place in range(1, length))
        return constructions.NormalForm.parse(clauses).threshold()
    return features.DRAWN[function](length)
