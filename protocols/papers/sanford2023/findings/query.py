"""An attention unit as a protocol for disjointness: each message bit for bit, and a second Bob who reads it."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ccsim.claims import Finding, sizes_up_to
from ccsim.errors import InputError
from protocols import constructions, reductions
from protocols.papers import oracles_averaging as plain
from protocols.papers.growing import Looked, grown
from protocols.papers.sanford2023.findings.reductions import averaging, inputs, printed_word, text

__all__ = ["message", "width"]

CERTIFIED = (1, 2, 3, 4)  # sets of so many elements, for which the bits that it takes are certified
WEAK = (1, 2)  # alphas for which the unit's own answers, right or not, are compared
RUN = ((1, 6), (2, 18), (3, 27))  # sets of so many elements, and keys of so many numbers, for which a unit is run

Signs = tuple[int, ...]


class Asked(NamedTuple):
    """What came of one protocol: its bits, the unit's outputs at row 2q + 1 for all pairs of sets, what was wrong."""

    bits: int
    outputs: dict[tuple[Signs, Signs], int]
    steps: plain.Steps
    wrong: tuple[str, ...]


def message(length: int, keys: int, precision: int) -> Finding:
    """The bits that Alice sends for keys of more and more numbers; every pair of sets is run at each."""

    def look(size: int) -> Looked:
        run = asked(length, size, precision)
        return Looked(run.bits, len(run.outputs), 4**length, run.wrong)

    found = grown(sizes_up_to(keys, low=5), look)
    weak = [fault for alpha in WEAK for fault in asked(length, 9 * length, None, alpha).wrong]
    return found.but(violations=(*weak, *found.violations))


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
        if run.bits != (keys + 2) * run.steps.bits:
            wrong.append(f"{run.bits} bits for keys of {keys} numbers of {run.steps.bits} bits")
    sizes = sizes_up_to(length, low=4 * precision)
    series = tuple((size, least_width(size, precision)) for size in sizes)
    checked = sum(4**size for size in CERTIFIED) + sum(len(run.outputs) for _, run in runs)
    return Finding(series=series, checked=checked, of=checked, violations=tuple(wrong[:3]), calculated=True)


def least_width(bits: int, precision: int) -> int:
    """The least k with (k + 2) p of at least so many bits."""
    return max(0, -(-bits // precision) - 2)


def asked(q: int, keys: int, precision: int | None, alpha: int | None = None) -> Asked:
    """The unit for sets of q among 2q + 1 rows, with keys of so many numbers, asked about all pairs of sets.

    All pairs are explored and their outputs computed a second time; of the runs with equal sets every bit is read.
    With an ``alpha`` that is too small for right answers, Bob has to give those of the unit.
    """
    average = constructions.sparse_averaging_unit(2 * q + 1, q, dimension=keys, precision=precision)
    if alpha is not None:
        average = replace(average, sharpness=alpha)
    elif max(average.worst_errors(combinations(range(1, 2 * q + 2), q))) > average.error:
        raise InputError("precision", precision, f"bits in which keys of {keys} numbers come within 1/(2q)")
    protocol = reductions.attention_query(average.unit, q, row=average.row, answer="bob")
    explored, steps = protocol.explore(), plain.Steps.of(average.precision)
    wrong, outputs = [str(violation) for violation in explored.violations], {}
    for b in inputs(q):
        held = average.unit.keys(raw_rows(average, b, b)).tolist()
        for a in inputs(q):
            rows = raw_rows(average, a, b)
            query, held[-1] = average.unit.queries(rows[-1:])[0].tolist(), average.unit.keys(rows[-1:])[0].tolist()
            _, [outputs[a, b]] = plain.attended(query, held, rows[:, -1:].tolist(), steps)
            if outputs[a, b] != int(average.unit.output_row(rows, 2 * q + 1)[0]):
                wrong.append(f"the unit gives another output for {a}, {b}")
            said = int(q * outputs[a, b] > (1 - q) * steps.scale)
            if alpha is None and said != plain.meet(a, b):
                wrong.append(f"the unit does not tell whether {a} and {b} meet")
            if said != int(protocol.function.codes[int(text(a), 2), int(text(b), 2)]):
                wrong.append(f"the protocol is for another answer to {a}, {b}")
        run = protocol.run(text(b), text(b))
        sent, right = str(run.transcript.string), int(q * outputs[b, b] > (1 - q) * steps.scale)
        if {len(sent), run.bits} != {explored.worst_bits}:
            wrong.append(f"{len(sent)} bits were sent for {b}, not {explored.worst_bits}")
        if {run.answer, _second_bob(sent, held[:-1], b, steps)} != {right}:
            wrong.append(f"Bob is wrong on {b}, {b}")
    return Asked(explored.worst_bits, outputs, steps, tuple(wrong[:3]))


def raw_rows(average: constructions.SparseAveraging, a: Signs, b: Signs) -> Any:
    """The rows of the word for two sets, as the unit reads them."""
    word = printed_word(a, b, 2 * len(a) + 1)
    return np.array([average.row(j, *symbol) for j, symbol in enumerate(word, start=1)])


def _second_bob(said: str, keys: list[list[int]], b: Signs, steps: plain.Steps) -> int:
    """What Bob makes of the bits alone and of his own 2q rows: query, logit and value of the last row, numbers of p."""
    numbers = [int(said[start : start + steps.bits], 2) + steps.low for start in range(0, len(said), steps.bits)]
    query, logit, value = numbers[:-2], numbers[-2], numbers[-1]
    signs = [sign * steps.scale for bit in b for sign in (2 * bit - 1, -1)]
    products = [sum(x * y for x, y in zip(query, key, strict=True)) // steps.scale for key in keys]
    given = plain.weights([*(plain.clipped(each, steps) for each in products), logit], steps.scale)
    output = sum(weight * each for weight, each in zip(given, [*signs, value], strict=True)) // steps.scale
    return int(len(b) * output > (1 - len(b)) * steps.scale)
