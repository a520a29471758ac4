"""A second look at every registered protocol: its table, its bits, its error, and whether an error would be found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Any

import numpy as np

from ccsim.certified import CertifiedProtocol, certify_protocol
from ccsim.engine import Cost, Protocol, draw
from ccsim.problems import MultipartyFunction
from protocols.classical import counting
from protocols.classical.definitions import plain_answer, plain_input

__all__ = ["finds_planted_error", "recheck"]

MOST_CELLS = 1 << 12  # of a table; of larger ones, every so many
MOST_PLANTED = 1 << 10  # cells of a table for which an error is planted; with coins a sixteenth of that
RUNS = 12


def recheck(
    name: str, problem: str, n: int, protocol: Protocol, found: CertifiedProtocol, seed: int = 0
) -> Iterator[str]:
    """Whatever is wrong with a protocol of size n, or with what was measured of it from this seed."""
    yield from _table_faults(problem, n, protocol.function)
    yield from _cost_faults(name, n, protocol, found)
    yield from _run_faults(problem, n, protocol, found, seed)
    if name in counting.ERRORS:
        yield from _error_faults(name, n, protocol, found, seed)
    if (
        prod(protocol.function.shape) <= (MOST_PLANTED if protocol.deterministic else MOST_PLANTED // 16)
        and found.exact
    ):
        yield from _unseen_faults(protocol)


def _table_faults(problem: str, n: int, function: MultipartyFunction) -> Iterator[str]:
    """Cells of the table that are not what the problem's definition says."""
    inputs = tuple(tuple(plain_input(part.value(i)) for i in range(part.size)) for part in function.inputs)
    places = _places(function.shape)
    told = [None if code < 0 else function.answers[code] for code in function.codes.ravel()[places].tolist()]
    for place, answer, right in zip(places, told, _answers(problem, n, inputs), strict=True):
        if answer != right:
            yield f"{function.name} is {answer} in cell {place}, but {right} by definition"
            return


def _places(shape: Sequence[int]) -> list[int]:
    """Some cells of a table, the last one among them."""
    cells = prod(shape)
    step = -(-cells // MOST_CELLS) | 1  # odd, so that it wanders through the rows
    return sorted({*range(0, cells, step), cells - 1})


@cache
def _answers(problem: str, n: int, inputs: tuple[tuple[Any, ...], ...]) -> list[Any]:
    shape = [len(part) for part in inputs]
    cells = [[part[i] for part, i in zip(inputs, _unravelled(place, shape), strict=True)] for place in _places(shape)]
    return [plain_answer(problem, n, cell) for cell in cells]


def _cost_faults(name: str, n: int, protocol: Protocol, found: CertifiedProtocol) -> Iterator[str]:
    """Whether the cost is what the books say, and a branching protocol's worst case what playing it again gives."""
    if name.startswith("trivial-"):
        sender = protocol.function.shape[1 if name.endswith("-from-bob") else 0]
        books = counting.bits_for(sender) + counting.bits_for(len(protocol.function.answers))
    else:
        books = counting.BITS[name](n)
    if found.claimed != books:
        yield f"a cost of {found.claimed} bits ({found.formula}), but {books} by the books"
    worst = counting.worst_yannakakis(n) if name == "yannakakis" else books
    if found.measured != worst:
        yield f"{found.measured} bits at worst, but {worst} counted again"


def _run_faults(problem: str, n: int, protocol: Protocol, found: CertifiedProtocol, seed: int) -> Iterator[str]:
    """Some runs, one by one, message by message: none may say more than the most, nor all of them less."""
    most = 0
    for inputs in _some_inputs(protocol.function):
        right = plain_answer(problem, n, [plain_input(value) for value in inputs])
        run = protocol.run(*inputs, seed=seed)
        said = sum(len(message.bits) for message in run.transcript)
        most = max(most, said)
        if protocol.deterministic and run.answer != right:
            yield f"the run on {inputs} answers {run.answer}, not {right}"
    reached = protocol.cost is not None and protocol.cost.exact
    if found.measured is not None and (most > found.measured or (reached and most < found.measured)):
        yield f"{most} bits in the longest of {RUNS} runs, {found.measured} at worst"


def _some_inputs(function: MultipartyFunction) -> list[tuple[Any, ...]]:
    """A few promised inputs, the last one among them."""
    promised = np.flatnonzero(function.codes.ravel() >= 0)[::-1]
    chosen = promised[:: max(1, len(promised) // RUNS) | 1].tolist()
    return [
        tuple(part.value(i) for part, i in zip(function.inputs, _unravelled(place, function.shape), strict=True))
        for place in chosen
    ]


def _unravelled(place: int, shape: Sequence[int]) -> list[int]:
    indices = []
    for size in reversed(shape):
        place, i = divmod(place, size)
        indices.append(i)
    return indices[::-1]


def _error_faults(name: str, n: int, protocol: Protocol, found: CertifiedProtocol, seed: int) -> Iterator[str]:
    """Whether the error is what counting over all coins gives, or over the drawn ones, and what the summary allows."""
    exact = counting.ERRORS[name](n)
    if not exact <= found.claimed_error <= counting.ERRORS_ALLOWED[name]:
        yield f"error {found.claimed_error} claimed, {exact} counted, {counting.ERRORS_ALLOWED[name]} allowed"
    if name == "hastad-wigderson":
        counted, bits = _drawn_hastad_wigderson(n, protocol, found.outcomes, seed)
        if (found.error, found.measured) != (counted, bits) or found.claimed_error != exact:
            yield f"error {found.error} and {found.measured} bits, but {counted} and {bits} when played again"
    elif found.error != exact:
        yield f"error {found.error} at worst, but {exact} counted again"


def _drawn_hastad_wigderson(n: int, protocol: Protocol, outcomes: int, seed: int) -> tuple[Fraction, int]:
    assert protocol.public is not None
    drawn = [draw(protocol.public.size, seed, "public", number) for number in range(outcomes)]
    wrong, bits = [], 0
    for x, y in product(range(n), repeat=2):
        played = [counting.hastad_wigderson_runs(n, 1 << x, 1 << y, public) for public in drawn]
        wrong.append(sum(answer != (x != y) for answer, _ in played))
        bits = max(bits, *(said for _, said in played))
    return Fraction(max(wrong), outcomes), bits


def finds_planted_error(protocol: Protocol) -> bool:
    """Whether exploring finds the one cell, the last promised one, in which the table is made wrong on purpose."""
    wrong = _planted(protocol)
    return bool(wrong.explore().violations if wrong.deterministic else not wrong.measure_error(samples=1).within_claim)


def _planted(protocol: Protocol) -> Protocol:
    """The protocol for a function of which one cell, the last promised one, is another."""
    function = copy(protocol.function)
    table = function.codes.copy()
    last = max(place for place, code in enumerate(table.ravel().tolist()) if code >= 0)
    table.reshape(-1)[last] = (table.reshape(-1)[last] + 1) % len(function.answers)
    function.__dict__["codes"] = table
    return replace(protocol, function=function)


def _unseen_faults(protocol: Protocol) -> Iterator[str]:
    """Whether certifying finds a wrong answer, and a cost that is a bit too low or too high, all planted."""
    if certify_protocol(_planted(protocol), samples=1, seed=0).verdict != "broken":
        yield "a wrong answer that was planted on the last input was not found"
    assert protocol.cost is not None
    for other in ("- 1", "+ 1") if protocol.cost.exact else ():
        cost = Cost(f"({protocol.cost}) {other}", protocol.cost.parameters)
        if certify_protocol(replace(protocol, cost=cost), seed=0).verdict != "broken":
            yield f"a cost that is {other} was not found"
