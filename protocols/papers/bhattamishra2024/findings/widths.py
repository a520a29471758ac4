"""What one layer must have: what a task needs, certified at small lengths, and what its protocol says, run and counted.

A layer that computes a task is a protocol for it, so the protocol cannot say fewer bits than the task needs. Neither
is executed at the lengths at which that excludes something: there both are formulas, and the widths are calculated.
What the formulas rest on is executed each time: the need at small lengths, with certificates about matrices that are
written out apart; the protocol, on layers at lengths where it says less than naming its input, word by word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any

from ccsim import bounds, problems
from ccsim.arithmetic import Precision
from ccsim.claims import Finding, sizes_up_to
from ccsim.claims.values import evaluate
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from protocols.papers.bhattamishra2024.findings import softmax
from protocols.papers.bhattamishra2024.findings.layers import spread_layer
from protocols.papers.checks import least_number
from protocols.papers.plain.brackets import bracket_table
from protocols.papers.plain.certified import certificate_faults
from protocols.papers.plain.triples import match3_table

__all__ = ["Size", "dyck_width", "halves_product", "match3_width", "run_faults"]

DYCK_SIZES, HALVES_SIZES, SETS_SIZES = (2, 4, 6), (2, 4, 6), (2, 3)
Table = Sequence[Sequence[int]]


@dataclass(frozen=True)
class Size:
    """A layer that is asked about: everything but its width."""

    length: int
    symbols: int
    precision: int
    scale: int
    heads: int

    def bits(self, width: int) -> int:
        """The most that its protocol says, by a count of our own."""
        held = (-(-self.length // 2), self.length // 2)
        return softmax.most_compact(held, self.symbols, self.scale, self.precision, self.heads, width)

    def least_width(self, needed: int) -> int:
        """The least width with which it says as many bits as are needed."""
        return least_number(lambda width: self.bits(width) >= needed)


def run_faults(length: int, symbols: int, numbers: Any, heads: int) -> tuple[list[str], dict[str, Any]]:
    """Run the protocol of a layer of width 1 whose protocol says less than naming half of its input."""
    model = spread_layer(length, 1, heads, numbers, symbols)
    done = softmax.executed([model], ("compact", "cheapest"), [problems.Partition.odd_even(length)])
    said, faults = done.bits["compact"], list(done.faults)
    size = Size(length, symbols, numbers.bits, numbers.scale, heads)
    formula = bounds.softmax_bits(
        head_width=1, heads=heads, precision=numbers.bits, length=length, symbols=symbols, scale=numbers.scale
    )
    naming = (symbols ** (length // 2) - 1).bit_length() + 1
    if formula != size.bits(1):
        faults.append(f"softmax_bits is {formula} where {size.bits(1)} bits can be said")
    if not formula // 2 < said <= formula or said >= naming or done.bits["cheapest"] > said:
        faults.append(f"{said} bits were said, of at most {formula}; naming takes {naming}")
    return faults, {"run at": f"N = {length}, {numbers}: {said} bits of {formula}, {done.words} words"}


def _need_faults(tables: Mapping[int, Table], needed: Callable[[int], int]) -> list[str]:
    """Whether D of some tables is what a formula says, by certificates about these tables."""
    faults: list[str] = []
    for length, table in tables.items():
        bracket = bounds.deterministic(CommunicationMatrix.from_array([list(row) for row in table]))
        faults += certificate_faults(bracket, table)
        bracket.certificate.verify()
        if bracket.lower != needed(length) or not bracket.exact or bracket.parameters.get("answer") != "both":
            faults.append(f"{bracket} at N = {length}, where {needed(length)} bits are said to be needed")
    return faults


def _needed(task: str) -> Callable[[int], int]:
    """The library's formula of what a task needs."""
    least = partial(bounds.model, "transformer", width=1, precision=8, task=task)
    return lambda length: int(least(length=length).needed_bits or 0)


def dyck_width(length: int, precision: int, heads: int) -> Finding:
    """The least mH of a layer for Dyck-(2,2) that is not excluded: its protocol says N + 1 bits or more."""
    tables = {n: bracket_table(n, range(1, n + 1, 2)) for n in DYCK_SIZES}
    faults, facts = run_faults(80, 4, Precision.fixed_point(1, 8), 1)
    faults += _need_faults(tables, _needed("dyck"))
    size, bound = Size(length, 4, precision, 1 << precision - 2, heads), length + 1
    least = size.least_width(bound)
    found = bounds.model("transformer", width=1, precision=precision, heads=heads, task="dyck", length=length)
    if (found.needed_bits, found.smallest_width) != (bound, least):
        faults.append(
            f"ccsim.bounds.model has {found.smallest_width} and {found.needed_bits} bits, not {least}, {bound}"
        )
    faults += _bound_faults(found, size, precision, heads)
    small = "a width for which our protocol may exceed the total of Theorem 4" if least == 1 else ""
    return Finding(
        measured=least * heads,
        calculated=True,
        checked=sum(len(table) ** 2 for table in tables.values()),
        violations=tuple(faults),
        outside=small,
        facts={"bits that the task needs": bound, "smallest width of a head": least, **facts},
        every_length=bounds.task_certificate("dyck"),
    )


def _bound_faults(found: Any, size: Size, precision: int, heads: int) -> list[str]:
    """What is wrong with the formula that the library shows, and with the length from which width 8 is excluded."""
    shown = evaluate(found.costs, {"N": size.length, "H": heads, "p": precision, "v": 1, "s": 4})
    faults = [] if shown == size.bits(1) else [f"{found.costs} is {shown}, not {size.bits(1)}"]
    first = bounds.model("transformer", width=8, precision=precision, heads=heads, task="dyck").excluded_from or 0
    before, there = (replace(size, length=length) for length in (first - 2, first))
    if before.bits(8) < before.length + 1 or there.bits(8) >= there.length + 1:
        faults.append(f"a width of 8 is not first excluded at N = {first}")
    return faults


def halves_product(length: int, exponent: int, heads: int) -> Finding:
    """The least mpH of a layer for the inequality of halves that is not excluded, in the numbers of appendix B.2."""
    tables = {n: [[int(x != y) for y in _bits(n)] for x in _bits(n)] for n in HALVES_SIZES}
    faults, facts = run_faults(240, 2, Precision.polynomial(240, 1), 1)
    faults += _need_faults(tables, _needed("inequality-of-halves"))
    series, widths = [], []
    for n in sizes_up_to(length, low=2, step=2):
        numbers = Precision.polynomial(n, exponent)
        least = Size(n, 2, numbers.bits, numbers.scale, heads).least_width(n // 2 + 1)
        found = bounds.model(
            "transformer", width=1, precision=numbers, heads=heads, task="inequality-of-halves", length=n
        ).smallest_width
        if found != least:
            faults.append(f"ccsim.bounds.model has the least width {found} at N = {n}, not {least}")
        series.append((n, least * numbers.bits * heads))
        widths.append(least)
    _require_growth(length, widths)
    checked = sum(len(table) ** 2 for table in tables.values())
    return Finding(
        series=tuple(series),
        calculated=True,
        checked=checked,
        violations=tuple(faults),
        facts=facts,
        every_length=bounds.task_certificate("inequality-of-halves"),
    )


def _bits(length: int) -> list[tuple[int, ...]]:
    return list(product((0, 1), repeat=length // 2))


def _require_growth(length: int, widths: Sequence[int]) -> None:
    """Nothing can be said of the growth of widths that are 1, the least there is, at most of the sizes."""
    if widths[-1] == widths[len(widths) // 2]:
        raise InputError("length", length, "a length at which more than a width of 1 is needed, and at an eighth of it")


def match3_width(length: int, precision: int, heads: int) -> Finding:
    """The least width of a head of a layer for Match3 modulo N + 1 that is not excluded."""
    tables = {2 * n + 1: match3_table(n) for n in SETS_SIZES}
    faults, facts = run_faults(41, 42, Precision.fixed_point(1, 9), 1)
    faults += _need_faults(tables, lambda n: (n + 1) // 2)
    series: list[tuple[int, int]] = []
    for halvings in range(6, -1, -1):
        n = max(5, (length - 1 >> halvings) | 1)
        size = Size(n, n + 1, precision, 1 << precision - 2, heads)
        least, given = size.least_width((n + 1) // 2), {"heads": heads, "precision": precision, "length": n}
        if bounds.softmax_bits(head_width=least, symbols=n + 1, **given) != size.bits(least):
            faults.append(f"softmax_bits is not {size.bits(least)} at N = {n}")
        if not series or series[-1][0] < n:
            series.append((n, least))
    _require_growth(length, [least for _, least in series])
    outside = "" if length < 1 << precision else "p of log2(N + 1) or more"
    return Finding(
        series=tuple(series),
        calculated=True,
        checked=sum(len(table) ** 2 for table in tables.values()),
        violations=tuple(faults),
        outside=outside,
        facts={"bits that it needs": (length + 1) // 2, **facts},
    )
