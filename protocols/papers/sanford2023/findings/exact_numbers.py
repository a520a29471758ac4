"""The unit in exact numbers: its logits as products of distances, its weights and worst errors as intervals."""

from __future__ import annotations

from math import comb, prod
from typing import Any

import lazy_loader as lazy

from ccsim.claims import Finding, sizes_up_to
from protocols import constructions
from protocols.papers.growing import Looked, grown
from protocols.papers.sanford2023.findings.averages import sets_of

__all__ = ["width_without_rounding"]

flint = lazy.load("flint")

FEW = 6


def width_without_rounding(q: int, length: int, values: int = 1) -> Finding:
    """Numbers in a row, for larger and larger sets of as many rows; some sets are looked at in each size.

    An average of vectors is off, in the 2-norm, by no more than the weights are off in all.
    """
    return grown(sizes_up_to(q), lambda size: _looked_at(size, length, values))


def _looked_at(q: int, length: int, values: int) -> Looked:
    wrong: list[str] = []
    unit, widths = constructions.moment_curve_averaging(length, q, value_width=values), set()
    sets = sets_of(length, q)[:FEW]
    for number, chosen in enumerate(sets):
        others = tuple(range(1, q + 1))
        place = 1 + number % length
        rows = [unit.row(chosen if row == place else others, row, [1] * values) for row in range(1, length + 1)]
        widths |= {len(row) for row in rows}
        wrong += _faults(unit.weights(rows, place), chosen, length, q, unit.sharpness)
    if widths != {unit.width}:
        wrong.append(f"rows of {sorted(widths)} numbers, not of {unit.width}")
    return Looked(max(widths), len(sets), comb(length, q), wrong[:3])


def _faults(weights: list[Any], chosen: tuple[int, ...], length: int, q: int, sharpness: int) -> list[str]:
    """Whether the weights are those of the logits -alpha prod (j - i)^2, and no values make an error above 1/(2q)."""
    distances = [prod((row - other) ** 2 for other in chosen) for row in range(1, length + 1)]
    parts = [flint.arb(-sharpness * distance).exp() if distance else flint.arb(1) for distance in distances]
    total = sum(parts[1:], parts[0])
    if not all((weight - part / total).contains(0) for weight, part in zip(weights, parts, strict=True)):
        return [f"other weights for the rows {chosen}"]
    if not all(weight.rad() < flint.arb(1) / (1 << 40) for weight in weights):
        return ["the intervals are wide"]
    wanted = [flint.arb(1) / q if distance == 0 else flint.arb(0) for distance in distances]
    error = sum((abs(weight - share) for weight, share in zip(weights, wanted, strict=True)), flint.arb(0))
    return [] if error <= flint.arb(1) / (2 * q) else [f"an error of {error} for the rows {chosen}"]
