"""What is measured about n-gram models by sparse and soft attention: how strong queries must be for weights of one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from ccsim.claims import Finding
from protocols.papers import checks
from protocols.papers.checks import Looked, grown
from protocols.papers.intervals import interval, whole_part, within

__all__ = ["soft_strength", "sparse_strength", "sparsemax_support"]

ALL_UP_TO = 12  # positions: sparse attention is computed from its definition for every query and head
HEADS = 3  # offsets 0, 1, 2 and 3, as for 4-grams and shorter


def sparse_strength(length: int) -> Finding:
    """The least whole strength with which each of so many positions finds the one it looks for by sparse attention."""
    small, wrong = min(length, ALL_UP_TO), list[str]()
    strength = _least_strength(small)
    for t, head in product(range(1, small + 1), range(HEADS + 1)):
        if t - head >= 1 and (places := _support(t, head, strength)) != [t - head]:
            wrong.append(f"position {t} attends to {places} with {strength}")
    if all(_support(t, 1, Fraction(strength, 2)) == [t - 1] for t in range(2, small + 1)):
        wrong.append(f"half of {strength} is enough as well")
    found = grown(checks.sizes_between(length, 6), lambda size: Looked(_least_strength(size), size, size, ()))
    return found.but(violations=tuple(wrong))


def soft_strength(length: int) -> Finding:
    """The least whole strength with which rounding leaves each position the one it looks for, by soft attention.

    Exponentials are rounded down to steps of 1/s, s the least power of two that is not below the positions. For a few
    positions this is done for every query and head; half of the strength must not be enough.
    """
    small, wrong = min(length, ALL_UP_TO), list[str]()
    strength, steps, most = _least_soft_strength(small), _steps(small), list[int]()
    for t, head in product(range(1, small + 1), range(HEADS + 1)):
        if t - head >= 1:
            wrong += [
                f"position {t} gives {others} others weight" for others in [_others(t, head, strength, steps)] if others
            ]
            most.append(_others(t, head, Fraction(strength, 2), steps))
    wrong += [] if any(most) else [f"half of {strength} is enough as well"]
    found = grown(checks.sizes_between(length, 6), lambda size: Looked(_least_soft_strength(size), size, size, ()))
    return found.but(violations=tuple(wrong))


def _steps(length: int) -> int:
    return 1 << (max(length, 2) - 1).bit_length()


def _least_soft_strength(length: int) -> int:
    """The least whole number above ln s / (1 - score) for every position and the places most like it."""
    own = [(t, place) for t in range(1, length + 1) for place in (t - 1, t + 1) if place >= 1]
    return (
        int(within(lambda: max(whole_part(interval(_steps(length)).log() / (1 - _score(*pair))) for pair in own))) + 1
    )


def _others(t: int, head: int, strength: Fraction | int, steps: int) -> int:
    """How many positions up to t get a step or more beside the one that the query of t looks for."""

    def weight(place: int) -> int:
        return int(within(lambda: whole_part((interval(strength) * (_score(t, place + head) - 1)).exp() * steps)))

    return sum(weight(place) > 0 for place in range(1, t + 1) if place != t - head)


def _score(t: int, place: int) -> Any:
    """sqrt(1/t) sqrt(1/u) + sqrt(1 - 1/t) sqrt(1 - 1/u), for the key of u: 1 at u = t and less elsewhere."""
    own, other = interval(Fraction(1, t)), interval(Fraction(1, place))
    return (own * other).sqrt() + ((1 - own) * (1 - other)).sqrt()


def _least_strength(length: int) -> int:
    """The least whole number above 1 / (1 - score) for every position and its neighbours, the places most like it."""
    pairs = [(t, place) for t in range(1, length + 1) for place in (t - 1, t + 1) if place >= 1]
    if length <= ALL_UP_TO:
        pairs = [(t, u) for t, u in product(range(1, length + 1), range(1, length + HEADS + 1)) if t != u]
    return int(within(lambda: max(whole_part(1 / (1 - _score(*pair))) for pair in pairs))) + 1


def _support(t: int, head: int, strength: Fraction | int) -> list[int]:
    """Which positions j up to t get weight for the query of t, by sparse attention to the keys of j + h."""

    def found() -> list[int]:
        scores = [interval(strength) * _score(t, j + head) for j in range(1, t + 1)]
        return [1 + place for place in sparsemax_support(scores)]

    return list(within(found))


def sparsemax_support(scores: Sequence[Any]) -> list[int]:
    """The places that get weight (Martins and Astudillo 2016): the first k, for the largest k with 1 + k z_k > sum.

    z_1 >= z_2 >= ... are the scores in order, and the sum is that of the first k.

    >>> sparsemax_support([0, 3, 1]), sparsemax_support([Fraction(1, 2), 0, 1])
    ([1], [0, 2])
    """
    order = sorted(range(len(scores)), key=lambda place: float(scores[place]), reverse=True)
    total, kept = 0, 0
    for count, place in enumerate(order, start=1):
        total = total + scores[place]
        if 1 + count * scores[place] > total:
            kept = count
    return sorted(order[:kept])
