"""Feed-forward networks with too narrow a first layer: for every one of a family, two inputs that it confuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import isqrt

from ccsim import models
from ccsim.claims import Finding
from ccsim.errors import InputError
from protocols import reductions
from protocols.papers import oracles_averaging as plain

__all__ = ["every_direction", "every_narrow_layer"]

Layer = Sequence[Sequence[int]]


def every_narrow_layer(length: int, q: int, least: int, largest: int, values: int = 1) -> Finding:
    """The least width not seen to be too small: all first layers of the most units below N d'/2 are gone through.

    Weights are the integers from ``least`` to ``largest``. Neither the order of the units nor, where weights of both
    signs are gone through, the sign of a unit changes what is confused.
    """
    if least > largest or 2 * q >= length:
        raise InputError("least, largest, q", (least, largest, q), f"a range of weights, and q below {length}/2")
    narrow = (length * values - 1) // 2
    units = list(product(range(least, largest + 1), repeat=length * values))
    if least == -largest:
        units = [unit for unit in units if leading(unit) >= 0]
    layers = combinations_with_replacement(units, narrow)
    return _failing(layers, length, q, values, measured=narrow + 1)


def every_direction(length: int, q: int, largest: int, values: int = 1) -> Finding:
    """For each direction, a network of N d' - 1 units that sees all but it: they all fail, so N d' units are the least.

    Directions have whole entries from -1 to largest.
    """
    if 2 * q > length:
        raise InputError("q", q, f"at most half of {length}")
    size = length * values
    directions = (each for each in product(range(-1, largest + 1), repeat=size) if any(each))
    return _failing((blind_to(direction) for direction in directions), length, q, values, measured=size)


def leading(entries: Sequence[int]) -> int:
    """The first entry that is not 0, if there is one."""
    return next((entry for entry in entries if entry), 0)


def blind_to(direction: Sequence[int]) -> list[list[int]]:
    """N - 1 units whose only kernel vectors are the multiples of one."""
    place = next(place for place, entry in enumerate(direction) if entry)
    others = [other for other in range(len(direction)) if other != place]
    rows = [[0] * len(direction) for _ in others]
    for row, other in zip(rows, others, strict=True):
        row[other], row[place] = direction[place], -direction[other]
    return rows


def _failing(layers: Iterable[Layer], length: int, q: int, values: int, measured: int) -> Finding:
    wrong, count, collision = [], 0, None
    for layer in layers:
        network = models.FeedForward.of([list(unit) for unit in layer])
        collision = reductions.feedforward_kernel(network, length=length, q=q, dimension=values)
        count += 1
        if fault := confusion_fault(layer, q, collision):
            wrong.append(f"{fault}, for the first layer {layer}")
    if collision is None:
        wrong.append("no first layer was tried")
    else:
        wrong += [f"a pair with {said} is accepted" for said, false in false_pairs(collision) if false.verify()]
        wrong += border_faults(collision, q)
    facts = {"first layers that were tried": count, "proof for all real ones": "docs/proofs/feedforward_kernel.md"}
    return Finding(measured=measured, calculated=True, checked=count, violations=tuple(wrong[:3]), facts=facts)


def confusion_fault(layer: Layer, q: int, collision: reductions.KernelCollision) -> str:
    """Why two inputs do not show that a network fails, or nothing: all from the layer and the inputs, in fractions."""
    first, second = collision.inputs
    images = [
        [sum((a * b for a, b in zip(unit, x, strict=True)), Fraction(0)) for unit in layer] for x in (first, second)
    ]
    if images[0] != images[1]:
        return "the layer tells the inputs apart"
    values = len(collision.vectors[0][0])
    if not all(squared(z) <= 1 for x in (first, second) for z in parts(x, values)):
        return "an input is not in the ball"
    if len(set(collision.subset)) != q or not all(1 <= place <= len(first) // values for place in collision.subset):
        return f"not {q} rows are averaged"
    averages = [averaged(collision.subset, x, values) for x in (first, second)]
    gap = squared([a - b for a, b in zip(*averages, strict=True)])
    if gap * q * q <= 1:
        return f"the averages differ by the root of {gap} only"
    if collision.squared_error != gap / 4 or not collision.is_too_much:
        return f"the squared error is said to be another than {gap / 4}"
    return "" if collision.verify() else "a true pair is not accepted"


def squared(vector: Sequence[Fraction]) -> Fraction:
    """The squared length of a vector."""
    return sum((entry * entry for entry in vector), Fraction(0))


def parts(x: Sequence[Fraction], values: int) -> tuple[tuple[Fraction, ...], ...]:
    """The vectors of so many numbers of which an input is made."""
    return tuple(tuple(x[start : start + values]) for start in range(0, len(x), values))


def averaged(subset: Sequence[int], x: Sequence[Fraction], values: int) -> tuple[Fraction, ...]:
    """The average of some of its vectors, number by number."""
    return tuple(plain.average(subset, x[axis::values]) for axis in range(values))


def times(collision: reductions.KernelCollision, factor: Fraction) -> reductions.KernelCollision:
    """The same pair with all its numbers times a factor."""
    values = len(collision.vectors[0][0])
    inputs = tuple(tuple(factor * entry for entry in x) for x in collision.inputs)
    return replace(
        collision,
        inputs=(inputs[0], inputs[1]),
        vectors=(parts(inputs[0], values), parts(inputs[1], values)),
        image=tuple(factor * entry for entry in collision.image),
        averages=(averaged(collision.subset, inputs[0], values), averaged(collision.subset, inputs[1], values)),
    )


def border_faults(collision: reductions.KernelCollision, q: int) -> list[str]:
    """Whether an error of 1/(2q), or just below where that is irrational, is not too much, and one just above it is."""
    gap = squared([a - b for a, b in zip(*collision.averages, strict=True)])
    border = Fraction(isqrt(gap.denominator), 1) / isqrt(gap.numerator) / q
    if border * border * gap * q * q != 1:
        border = Fraction(isqrt((gap.denominator << 60) // (gap.numerator * q * q)), 1 << 30)
    said = [times(collision, border * factor).is_too_much for factor in (Fraction(1), Fraction(101, 100))]
    return [] if said == [False, True] else [f"whether an error is too much, at 1/(2q) and just above: {said}"]


def false_pairs(collision: reductions.KernelCollision) -> Iterator[tuple[str, reductions.KernelCollision]]:
    """Pairs that show nothing, and must be seen not to."""
    first, second = collision.inputs
    values = len(collision.vectors[0][0])
    longest = max(squared(z) for x in (first, second) for z in parts(x, values))
    same = {"inputs": (first, first), "vectors": collision.vectors[:1] * 2, "averages": collision.averages[:1] * 2}
    yield "another image", replace(collision, image=tuple(entry + 1 for entry in collision.image))
    yield "no difference", replace(collision, **same)  # type: ignore[arg-type]
    yield "other averages", replace(collision, averages=collision.averages[::-1])
    yield (
        "inputs out of the ball",
        times(collision, Fraction(11, 10) / longest),
    )  # up to 1, so no longer than its square root
    pairs = zip(parts(first, values), parts(second, values), strict=True)
    row, (one, other) = next((row, pair) for row, pair in enumerate(pairs, start=1) if pair[0] != pair[1])
    twice = {"subset": (row, row), "averages": (one, other)}
    yield "a row averaged twice", replace(collision, **twice)  # type: ignore[arg-type]
