"""What one layer must have, by formula: the least width whose protocol says as many bits as a task needs.

A layer that computes a task is a protocol for it, so the protocol cannot say fewer bits than the task needs. Neither
is executed at the lengths at which that excludes something: there both are formulas, and the widths are calculated.
"""

from __future__ import annotations

from collections.abc import Sequence

from ccsim import bounds
from ccsim.arithmetic import Precision
from ccsim.claims import Finding, sizes_up_to
from ccsim.errors import InputError

__all__ = ["dyck_width", "halves_product"]


def dyck_width(length: int, precision: int, heads: int) -> Finding:
    """The least mH of a layer for Dyck-(2,2) that is not excluded: its protocol says N + 1 bits or more."""
    found = bounds.model("transformer", width=1, precision=precision, heads=heads, task="dyck", length=length)
    least = found.smallest_width or 1
    return Finding(
        measured=least * heads,
        calculated=True,
        outside="a width for which our protocol may exceed the total of Theorem 4" if least == 1 else "",
        facts={"bits that the task needs": found.needed_bits, "smallest width of a head": least},
        every_length=bounds.task_certificate("dyck"),
    )


def halves_product(length: int, exponent: int, heads: int) -> Finding:
    """The least mpH of a layer for the inequality of halves that is not excluded, in the numbers of appendix B.2."""
    task = "inequality-of-halves"
    formats = {n: Precision.polynomial(n, exponent) for n in sizes_up_to(length, low=2, step=2)}
    widths = {
        n: bounds.model("transformer", width=1, precision=numbers, heads=heads, task=task, length=n).smallest_width or 1
        for n, numbers in formats.items()
    }
    _require_growth(length, list(widths.values()))
    series = tuple((n, width * formats[n].bits * heads) for n, width in widths.items())
    return Finding(series=series, calculated=True, every_length=bounds.task_certificate(task))


def _require_growth(length: int, widths: Sequence[int]) -> None:
    """Nothing can be said of the growth of widths that are 1, the least there is, at most of the sizes."""
    if widths[-1] == widths[len(widths) // 2]:
        raise InputError("length", length, "a length at which more than a width of 1 is needed, and at an eighth of it")
