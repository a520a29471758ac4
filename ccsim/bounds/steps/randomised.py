"""Discrepancy, protocols with public coins, and qubits."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import count, takewhile

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.clock import Clock
from ccsim.bounds.question import LATE, Question, Step, Steps
from ccsim.bounds.randomised.corruption import randomised_by_corruption
from ccsim.bounds.randomised.discrepancy import discrepancy, distribution_weights, randomised_by_discrepancy
from ccsim.bounds.randomised.gamma2 import gamma2_bits, quantum_bits
from ccsim.bounds.randomised.least_discrepancy import least_discrepancy, randomised_by_least_discrepancy
from ccsim.bounds.randomised.public_coins import public_coin_stages
from ccsim.bounds.randomised.rectangle_programs import is_small
from ccsim.bounds.randomised.smooth import partition_bits
from ccsim.bounds.rationals import as_text
from ccsim.bounds.steps.common import nothing_known, stopped, timed, timely
from ccsim.bounds.steps.deterministic import deterministic_steps
from ccsim.bounds.steps.trivial import NAMED, naming_a_line, naming_with_coins
from ccsim.bounds.tree_search import stages_of_deterministic
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix

SEARCH = 0.6  # of the time for a linear program; the rest is for the proofs
USUAL = 60.0  # seconds where nobody sets a limit
SLICE = 0.5  # seconds that each method has at first
ALL = "all protocols"
MORE = 4  # times as much for the method that alone moves both sides
MOST_EXACT = 16  # lines beyond which they are not gone through at all
MOST_LINES = 256  # beyond, sums over all cells in exact integers take minutes


def discrepancy_steps(question: Question) -> Steps:
    """Under the uniform distribution, and the least over distributions."""
    matrix = question.matrix
    if max(matrix.shape) > MOST_LINES:
        raise InputError("matrix", matrix, f"at most {MOST_LINES} rows and columns")
    unknown: dict[Hashable, Bracket] = {
        "uniform": nothing_known("discrepancy", {}, ""),
        "least": nothing_known("least-discrepancy", {}, ""),
    }
    yield {place: replace(bracket, upper=Fraction(1)) for place, bracket in unknown.items()}
    yield None
    distribution_weights(matrix, None)  # whether there are any
    yield "uniform", discrepancy(matrix, time_limit=0.0), False
    share = question.clock.share(2)
    yield "uniform", timely(question, discrepancy(matrix, time_limit=share)), True
    share = question.clock.share(1)
    bracket = least_discrepancy(matrix, time_limit=None if share is None else SEARCH * share)
    yield "least", bracket if bracket.exact or share is None else stopped(bracket, SEARCH * share), True


def randomised_steps(question: Question) -> Steps:
    """R with public coins: the best sides of all methods that the matrix is small enough for.

    Each has a slice of time in turn, then each twice as much. Slices do not depend on the time that there is, so that
    more of it never leads to less, and what is soon to be had exactly is had at once.
    """
    return timed(_in_slices(question))


def _in_slices(question: Question) -> Steps:
    matrix = question.matrix
    best = naming_with_coins(matrix, question.error)
    yield {"best": best}
    plain = replace(question, answer="both")
    plain.clock = Clock(question.clock.end)
    search = deterministic_steps(plain)
    certain = _last_bracket(takewhile(lambda step: step is not None, search), nothing_known("deterministic", {}))
    best = _no_more_than(best, certain)
    yield "best", best, best.exact
    yield None
    methods = _methods(matrix, plain, search)
    end = question.clock.end if question.clock.end is not None else time.monotonic() + USUAL
    names = ", ".join(methods)
    for found in _in_turn(methods, end):
        best = _no_more_than(best, found) if found.measure == "deterministic" else _with(best, found)
        yield "best", best, best.exact
        if best.exact:
            return
    late = LATE if time.monotonic() >= end else f", out of reach of {names}"
    yield "best", replace(best, method=best.method + late), True


LOWER_METHODS = ("trivial", "hard distribution", "discrepancy", "gamma_2 dual", "logarithm of the partition bound")

Method = Callable[[float], Bracket | None]
"""A bracket after so many seconds more; None at its end."""


def _methods(matrix: CommunicationMatrix, plain: Question, search: Steps) -> dict[str, Method]:
    """Every method that the matrix is small enough for; what is soon to be had comes first.

    Of a large one the corner is looked at: what that needs, the whole needs, and lines have the same numbers there.
    """
    label, error, large = matrix.labels[-1], plain.error, max(matrix.shape) > MOST_LINES
    corner = CommunicationMatrix(matrix.codes[:MOST_LINES, :MOST_LINES], matrix.labels) if large else matrix
    bounds: dict[str, Callable[[float], Bracket]] = {
        "discrepancy": lambda seconds: randomised_by_discrepancy(matrix, error, time_limit=seconds),
        "gamma_2": lambda seconds: gamma2_bits(corner, error, seconds),
        "partition bound": lambda seconds: partition_bits(corner, error, seconds),
        "corruption": lambda seconds: randomised_by_corruption(matrix, label=label, error=error, time_limit=seconds),
    }
    found: dict[str, Method] = {}
    if max(matrix.merge().matrix.shape) <= MOST_EXACT:
        clock = Clock()
        found[ALL] = _resumed(public_coin_stages(matrix, error, clock), clock)
    if large:  # those whose certificates may be about a part
        bounds = {name: bounds[name] for name in ("gamma_2", "partition bound")}
    elif not is_small(matrix):  # others say more there
        del bounds["corruption"]
        bounds["least discrepancy"] = lambda left: randomised_by_least_discrepancy(matrix, error, time_limit=left)
    found |= {name: _repeated(bound) for name, bound in bounds.items()}
    trees = (step[1] for step in search if isinstance(step, tuple) and step[1] is not None)
    return found | {"deterministic protocols": _resumed(trees, plain.clock)}


def _resumed(stages: Iterator[Bracket], clock: Clock) -> Method:
    """A method that goes on where it was when its clock is moved."""

    def go_on(seconds: float) -> Bracket | None:
        clock.end = time.monotonic() + seconds
        try:
            return next(stages, None)
        except InputError:  # the matrix is not of its kind
            return None

    return go_on


def _repeated(bound: Callable[[float], Bracket]) -> Method:
    """A method that is begun afresh, unless it was not stopped, or the matrix is not of its kind or size."""
    ended = [False]

    def again(seconds: float) -> Bracket | None:
        if ended[0]:
            return None
        start = time.monotonic()
        try:
            found = bound(SEARCH * seconds)
        except InputError:
            return None
        ended[0] = time.monotonic() - start < SEARCH * seconds
        return found

    return again


def _in_turn(methods: dict[str, Method], end: float) -> Iterator[Bracket]:
    """What each method tells in a slice of time, then in one twice as long, and so on."""
    for number in count():
        for name in list(methods):
            left = end - time.monotonic()
            if left <= 0:
                return
            found = methods[name](min(left, SLICE * 2**number * (MORE if name == ALL else 1)))
            if found is None:
                del methods[name]
            else:
                yield found
        if not methods:
            return


def _with(best: Bracket, found: Bracket) -> Bracket:
    """The better lower and the better upper side of two brackets."""
    below, above = best.method.split(" | ")
    by = found.method.partition(" | ")[0]
    if found.lower > best.lower or (found.lower == best.lower and _order(by) < _order(below)):
        below = by
        best = replace(best, lower=found.lower, lower_witness=found.lower_witness)
    if found.upper is not None and (best.upper is None or found.upper < best.upper):
        above = found.method.rpartition(" | ")[2]
        best = replace(best, upper=found.upper, upper_witness=found.upper_witness)
    return replace(best, method=f"{below} | {above}")


def _order(method: str) -> int:
    """Which of two methods is named if both prove the same: not the one that happened to be faster."""
    return LOWER_METHODS.index(method) if method in LOWER_METHODS else len(LOWER_METHODS)


def _last_bracket(steps: Iterable[Step], known: Bracket) -> Bracket:
    """The last bracket that steps tell, or what was known."""
    for step in steps:
        if isinstance(step, tuple) and step[1] is not None:
            known = step[1]
    return known


def _no_more_than(randomised: Bracket, certain: Bracket) -> Bracket:
    """A deterministic protocol is a randomised one that needs no coins: a mixture of one tree."""
    if certain.upper_witness is None or certain.upper is None:
        return randomised
    if randomised.upper is not None and randomised.upper <= certain.upper - (randomised.upper_witness is None):
        return randomised
    tree = {"weight": "1/1", "tree": certain.upper_witness["tree"]}
    witness = {"kind": "protocol-mixture", "trees": [tree]}
    method = f"{randomised.method.split(' | ')[0]} | deterministic protocol"
    return replace(randomised, upper=certain.upper, upper_witness=witness, method=method)


def quantum_steps(question: Question) -> Steps:
    """Qubits with entanglement: at most a protocol without, at least what the norm says."""
    matrix = question.matrix
    upper, parameters = naming_a_line(matrix, "both", None, None).upper, {"error": as_text(question.error)}
    best = Bracket("quantum", 0, upper, f"trivial | {NAMED}", None, None, parameters, "qubits")
    yield {0: best}
    yield None
    plain = next(stages_of_deterministic(matrix, answer="both", clock=question.clock))
    best = replace(best, upper=plain.upper, upper_witness={"kind": "protocol-tree", "tree": plain.tree})
    best = replace(best, method="trivial | protocol tree")
    yield 0, best, False
    found = quantum_bits(matrix, question.error, question.clock.left(20.0))
    best = replace(best, lower=found.lower, lower_witness=found.lower_witness, seconds=found.seconds)
    yield 0, replace(best, method="gamma_2 dual | protocol tree"), True
