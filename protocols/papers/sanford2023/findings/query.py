"""An attention unit as a protocol for disjointness: all pairs of sets, and the width that it takes."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from ccsim import problems
from ccsim.claims import Finding, sizes_up_to
from ccsim.errors import InputError
from protocols import constructions, reductions
from protocols.papers.checks import Looked, grown
from protocols.papers.sanford2023.findings.reductions import averaging

__all__ = ["message", "width"]

CERTIFIED = (1, 2, 3, 4)  # sets of so many elements, for which the bits that it takes are certified
RUN = ((1, 6), (2, 18), (3, 27))  # sets of so many elements, and keys of so many numbers, for which a unit is run


class Asked(NamedTuple):
    """What came of one protocol: its bits, those of a number, how many pairs of sets were run, what was wrong."""

    bits: int
    precision: int
    pairs: int
    wrong: tuple[str, ...]


def message(length: int, keys: int, precision: int) -> Finding:
    """The bits that Alice sends for keys of more and more numbers; every pair of sets is run at each."""

    def look(size: int) -> Looked:
        run = asked(length, size, precision)
        return Looked(run.bits, run.pairs, 4**length, run.wrong)

    return grown(sizes_up_to(keys, low=5), look)


def width(length: int, precision: int) -> Finding:
    """The least width whose message of (k + 2) p bits is as long as sets of q take: a formula, its parts executed.

    What it takes is certified for small sets, and the message is counted for small units. Beyond, the bits for q
    elements are q by the theorem on disjointness.
    """
    if length < 8 * precision:
        raise InputError("length", length, f"at least {8 * precision}: for smaller sets nothing is said")
    wrong: list[str] = []
    for size in CERTIFIED:
        need = averaging(size, 0)
        wrong += need.violations
        if need.bracket is None or (need.bracket.lower, need.bracket.upper) != (size, size):
            wrong.append(f"sets of {size} take {need.bracket}")
    runs = [(keys, asked(size, keys, None)) for size, keys in RUN]
    for keys, run in runs:
        wrong += run.wrong
        if run.bits != (keys + 2) * run.precision:
            wrong.append(f"{run.bits} bits for keys of {keys} numbers of {run.precision} bits")
    sizes = sizes_up_to(length, low=4 * precision)
    series = tuple((size, least_width(size, precision)) for size in sizes)
    checked = sum(run.pairs for _, run in runs)
    return Finding(series=series, checked=checked, violations=tuple(wrong[:3]), calculated=True)


def least_width(bits: int, precision: int) -> int:
    """The least k with (k + 2) p of at least so many bits."""
    return max(0, -(-bits // precision) - 2)


def asked(q: int, keys: int, precision: int | None) -> Asked:
    """The unit for sets of q among 2q + 1 rows, with keys of so many numbers, asked about all pairs of sets.

    The protocol's answers must be the unit's, and these whether the sets meet.
    """
    average = constructions.sparse_averaging_unit(2 * q + 1, q, dimension=keys, precision=precision)
    if max(average.worst_errors(combinations(range(1, 2 * q + 2), q))) > average.error:
        raise InputError("precision", precision, f"bits in which keys of {keys} numbers come within 1/(2q)")
    protocol = reductions.attention_query(average.unit, q, row=average.row, answer="bob")
    explored = protocol.explore()
    wrong = [str(violation) for violation in explored.violations]
    if not np.array_equal(protocol.function.codes, problems.intersection(q).codes):
        wrong.append("the unit does not tell whether two sets meet")
    return Asked(explored.worst_bits, average.precision.bits, explored.pairs, tuple(wrong[:3]))
