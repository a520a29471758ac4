"""Feed-forward networks with too narrow a first layer: for every one of a family, two inputs that it confuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product

from ccsim import models
from ccsim.claims import Finding
from ccsim.errors import InputError
from protocols import reductions
from protocols.papers import oracles_averaging as plain

__all__ = ["every_direction", "every_narrow_layer"]

Layer = Sequence[Sequence[int]]


def every_narrow_layer(length: int, q: int, least: int, largest: int) -> Finding:
    """The least width that is not seen to be too small: all first layers of the most units below N/2 are gone through.

    Weights are the integers from ``least`` to ``largest``. Neither the order of the units nor, where weights of both
    signs are gone through, the sign of a unit changes what is confused.
    """
    if least > largest or 2 * q >= length:
        raise InputError("least, largest, q", (least, largest, q), f"a range of weights, and q below {length}/2")
    narrow = (length - 1) // 2
    units = list(product(range(least, largest + 1), repeat=length))
    if least == -largest:
        units = [unit for unit in units if leading(unit) >= 0]
    return _failing(combinations_with_replacement(units, narrow), length, q, measured=narrow + 1)


def every_direction(length: int, q: int, largest: int) -> Finding:
    """For each direction, a network of N - 1 units that sees all but it: they all fail, so N units are the least.

    Directions have whole entries from -1 to largest.
    """
    if 2 * q > length:
        raise InputError("q", q, f"at most half of {length}")
    directions = (each for each in product(range(-1, largest + 1), repeat=length) if any(each))
    return _failing((blind_to(direction) for direction in directions), length, q, measured=length)


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


def _failing(layers: Iterable[Layer], length: int, q: int, measured: int) -> Finding:
    wrong, count, collision = [], 0, None
    for layer in layers:
        network = models.FeedForward.of([list(unit) for unit in layer])
        collision = reductions.feedforward_kernel(network, length=length, q=q)
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
    if not all(-1 <= entry <= 1 for x in (first, second) for entry in x):
        return "an input is not in the ball"
    if len(set(collision.subset)) != q or not all(1 <= place <= len(first) for place in collision.subset):
        return f"not {q} rows are averaged"
    gap = abs(plain.average(collision.subset, first) - plain.average(collision.subset, second))
    if gap <= Fraction(1, q):
        return f"the averages differ by {gap} only"
    if collision.squared_error != (gap / 2) ** 2 or not collision.is_too_much:
        return f"the error is said to be another than {gap / 2}"
    return "" if collision.verify() else "a true pair is not accepted"


def times(collision: reductions.KernelCollision, factor: Fraction) -> reductions.KernelCollision:
    """The same pair with all its numbers times a factor."""
    inputs = tuple(tuple(factor * entry for entry in x) for x in collision.inputs)
    vectors = tuple(tuple((entry,) for entry in x) for x in inputs)
    averages = tuple((plain.average(collision.subset, x),) for x in inputs)
    return replace(
        collision,
        inputs=(inputs[0], inputs[1]),
        vectors=(vectors[0], vectors[1]),
        image=tuple(factor * entry for entry in collision.image),
        averages=(averages[0], averages[1]),
    )


def border_faults(collision: reductions.KernelCollision, q: int) -> list[str]:
    """Whether an error of 1/(2q) is not called too much, and one just above it is."""
    border = Fraction(1, q) / abs(collision.averages[0][0] - collision.averages[1][0])
    said = [times(collision, border * factor).is_too_much for factor in (Fraction(1), Fraction(101, 100))]
    return [] if said == [False, True] else [f"whether an error is too much, at 1/(2q) and just above: {said}"]


def false_pairs(collision: reductions.KernelCollision) -> Iterator[tuple[str, reductions.KernelCollision]]:
    """Pairs that show nothing, and must be seen not to."""
    first, second = collision.inputs
    longest = max(abs(entry) for x in (first, second) for entry in x)
    same = {"inputs": (first, first), "vectors": collision.vectors[:1] * 2, "averages": collision.averages[:1] * 2}
    yield "another image", replace(collision, image=tuple(entry + 1 for entry in collision.image))
    yield "no difference", replace(collision, **same)  # type: ignore[arg-type]
    yield "other averages", replace(collision, averages=collision.averages[::-1])
    yield "inputs out of the ball", times(collision, Fraction(11, 10) / longest)
    row = next(row for row, (a, b) in enumerate(zip(first, second, strict=True), start=1) if a != b)
    twice = {"subset": (row, row), "averages": ((first[row - 1],), (second[row - 1],))}
    yield "a row averaged twice", replace(collision, **twice)  # type: ignore[arg-type]
