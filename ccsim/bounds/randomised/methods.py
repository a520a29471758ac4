"""Protocols with public coins: all methods that a matrix is small enough for, in turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import count

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.clock import Clock
from ccsim.bounds.question import LARGE, Question
from ccsim.bounds.randomised.discrepancy import randomised_by_discrepancy
from ccsim.bounds.randomised.gamma2 import gamma2_bits
from ccsim.bounds.randomised.least_discrepancy import randomised_by_least_discrepancy
from ccsim.bounds.randomised.public_coins import public_coin_stages
from ccsim.bounds.randomised.rectangle_bounds import is_small, partition_bits, randomised_by_corruption
from ccsim.bounds.tree_search import stages_of_deterministic
from ccsim.bounds.trivial import naming_a_line
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix

SEARCH = 0.6  # of the time for a linear program; the rest is for the proofs
USUAL = 60.0  # seconds where nobody sets a limit
SLICE = 0.5  # seconds that each method has at first
ALL = "all protocols"
MORE = 4  # times as much for the method that alone moves both sides
MOST_EXACT = 16  # lines beyond which they are not gone through at all
LOWER_METHODS = ("trivial", "hard distribution", "discrepancy", "gamma_2 dual", "logarithm of the partition bound")


def randomised_search(question: Question, place: Hashable, clock: Clock) -> Iterator[Bracket | None]:
    """The best sides of all methods.

    Each has a slice of time in turn, then each twice as much. Slices do not depend on the time that there is, so that
    more of it never leads to less, and what is soon to be had exactly is had at once.
    """
    matrix, own = question.matrix, Clock(clock.end)
    trees = stages_of_deterministic(matrix, answer="both", clock=own)
    best = joined(question.known[place], next(trees))
    yield best
    yield None
    settled = question.large and naming_a_line(matrix, "both", None, None, question.sets).exact
    methods = _methods(matrix, question.error)
    if not settled:
        methods["deterministic protocols"] = _resumed(trees, own)
    for found in in_turn(methods, clock.end if clock.end is not None else time.monotonic() + USUAL):
        best = joined(best, found)
        yield best
        if best.exact:
            return


Method = Callable[[float], Bracket | None]
"""A bracket after so many seconds more; None at its end."""


def _methods(matrix: CommunicationMatrix, error: Fraction) -> dict[str, Method]:
    """Every method that the matrix is small enough for; what is soon to be had comes first.

    Of a large one the corner is looked at: what that needs, the whole needs, and lines have the same numbers there.
    """
    label, large = matrix.labels[-1], max(matrix.shape) > LARGE
    corner = CommunicationMatrix(matrix.codes[:LARGE, :LARGE], matrix.labels) if large else matrix
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
    return found | {name: _repeated(bound) for name, bound in bounds.items()}


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


def in_turn(methods: dict[str, Method], end: float) -> Iterator[Bracket]:
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


def joined(best: Bracket, found: Bracket) -> Bracket:
    """The better lower and the better upper side of two brackets; a deterministic protocol throws no coins.

    If both prove the same, not the method is named that happened to be faster.
    """
    if found.measure == "deterministic":
        trees = [{"weight": "1/1", "tree": (found.upper_witness or {}).get("tree")}]
        return best.at_most(found.upper, "deterministic protocol", {"kind": "protocol-mixture", "trees": trees})
    if found.lower == best.lower and _order(found.below.by) < _order(best.below.by):
        best = replace(best, below=found.below)
    return best.at_least(*found.below).at_most(*found.above)


def _order(method: str) -> int:
    return LOWER_METHODS.index(method) if method in LOWER_METHODS else len(LOWER_METHODS)
