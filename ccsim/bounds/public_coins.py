"""Public coins: the best success probability of k bits, and the randomised complexity by all methods in turn.

A public-coin protocol is a mixture of deterministic ones, so the best success on the worst promised cell is the value
of a game (Yao 1977; see :mod:`ccsim.bounds.yao`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np

from ccsim.bounds.bracket import UNKNOWN, Bracket, Open, Side, as_text, message_protocol, one_tree, require_error, timed
from ccsim.bounds.discrepancies import randomised_by_discrepancy, randomised_by_least_discrepancy
from ccsim.bounds.fooling_sets import diagonals
from ccsim.bounds.gamma2_norm import gamma2_bits
from ccsim.bounds.one_message import DIRECTIONS, USUAL, message_mixtures
from ccsim.bounds.rectangle_bounds import is_small, partition_bits, randomised_by_corruption
from ccsim.bounds.scheduler import LARGE, Clock, Measure, Question, run_measures
from ccsim.bounds.tree_search import DeterministicSearch
from ccsim.bounds.trivial import trivial_coins, trivial_message, trivial_protocol
from ccsim.bounds.yao import MOST_ROWS, YaoGame
from ccsim.certificates.verify import Refused, check
from ccsim.errors import InputError, require_integer
from ccsim.matrices import DONT_CARE, CommunicationMatrix
from ccsim.problems.function import Subject, matrix_of


@timed
def public_coin_success(matrix: Subject, bits: int, seconds: float = 60.0) -> Bracket:
    """The largest p such that some public-coin protocol of ``bits`` bits is right with probability p everywhere.

    Both parties know the answer at the end; bits are worst-case; "everywhere" is on every promised cell. The
    lower witness is a mixture of protocol trees, the upper one a distribution on cells under which no
    deterministic protocol does better.

    Args:
        matrix: Boolean, multi-valued or partial, with a promised cell; about 12 x 12 after equal rows and columns are
            merged, or an :class:`~ccsim.errors.InputError`.
        bits: worst-case bits, at least 0.
        seconds: after so long, the bracket may be left open.

    >>> equality = CommunicationMatrix.from_array([[int(x == y) for y in range(4)] for x in range(4)])
    >>> [str(public_coin_success(equality, bits).lower) for bits in range(4)]
    ['1/2', '1/2', '10/13', '1']
    """
    matrix = matrix_of(matrix)
    game = YaoGame(matrix, require_integer("bits", bits, low=0), Clock.within(seconds))
    game.play()
    below = Side(game.lower, "mixture of protocol trees", game.mixture_witness())
    above = Side(game.upper, "hard distribution", game.distribution_witness())
    parameters = {"answer": "both", "coins": "public", "bits": bits}
    return Bracket("public-coin success", below, above, parameters, "", open=Open.TIME)


@timed
def public_coin_complexity(matrix: Subject, error: Fraction | str, seconds: float = 60.0) -> Bracket:
    """R_error^pub: the fewest worst-case bits of a public-coin protocol that errs with at most this probability.

    Both parties know the answer. The lower witness is a distribution on which one bit less must err more, the upper one
    a mixture of protocol trees; a matrix that is too large to go through all protocols has the bounds of all other
    methods. The error is a rational (or text such as ``"1/3"``) of at least 0 and below 1; the rest
    as for :func:`public_coin_success`.

    >>> equality = CommunicationMatrix.from_array([[int(x == y) for y in range(4)] for x in range(4)])
    >>> str(public_coin_complexity(equality, "1/3"))
    'randomised = 2 bits (hard distribution | mixture of protocol trees)'
    """
    question = Question(matrix_of(matrix), seconds=seconds, error=require_error(error, 1))
    found = run_measures(question, [Measure("randomised", trivial_coins, randomised_search)])["randomised"]
    if isinstance(found, InputError):
        raise found
    return found[0]


def public_coin_stages(matrix: CommunicationMatrix, error: Fraction | str, clock: Clock) -> Iterator[Bracket]:
    """A bracket whenever the clock is over, which may then be moved, or a number of bits is decided."""
    allowed = require_error(error, 1)
    parameters = {"answer": "both", "coins": "public", "error": as_text(allowed)}
    rows, columns = matrix.merge().matrix.shape
    if max(rows, columns) > MOST_ROWS:
        raise InputError("matrix", (rows, columns), f"at most {MOST_ROWS} different rows and columns")
    below = Side(0, "hard distribution")
    for bits in range(rows + columns + len(matrix.labels)):
        game = YaoGame(matrix, bits, clock, 1 - allowed)
        decided = False
        while not decided:
            game.play()
            late = game.over
            enough, too_few = game.lower >= 1 - allowed, game.upper < 1 - allowed
            if too_few and below.value == bits:
                hard = game.distribution_witness()
                with suppress(Refused):
                    check(matrix.codes.tolist(), "randomised", "lower", parameters, hard)
                    below = Side(bits + 1, "hard distribution", hard)
            decided = enough or too_few or not late
            above = Side(bits, "mixture of protocol trees", game.mixture_witness()) if enough else UNKNOWN
            yield Bracket("randomised", below, above, parameters, open=None if decided else Open.TIME)
        if enough:
            return


SEARCH = 0.6  # of the time for a linear program; the rest is for the proofs
SLICE = 0.5  # seconds that each method has at first
ALL = "all protocols"
MORE = 4  # times as much for the method that alone moves both sides
MOST_EXACT = 16  # rows and columns beyond which not all protocols are gone through
LOWER_METHODS = ("trivial", "hard distribution", "discrepancy", "gamma_2 dual", "logarithm of the partition bound")
ORDER = {method: place for place, method in enumerate(LOWER_METHODS, -len(LOWER_METHODS))}


def randomised_search(question: Question, place: Hashable, clock: Clock) -> Iterator[Bracket | None]:
    """All methods in turn, for longer and longer: slices do not depend on the time limit."""
    matrix, own = question.matrix, Clock(clock.end)
    trees = DeterministicSearch(matrix, answer="both", clock=own).stages()
    best = joined(question.known[place], next(trees))
    yield best
    yield None
    methods = _methods(matrix, question.error)
    if not (question.large and trivial_protocol(matrix, "both", sets=diagonals(matrix)).exact):
        methods["deterministic protocols"] = _resumed(trees, own)
    for bracket in in_turn(methods, clock.end if clock.end is not None else time.monotonic() + USUAL):
        best = joined(best, bracket)
        yield best
        if best.exact:
            return


def _by_all(matrix: CommunicationMatrix, error: Fraction, clock: Clock) -> Iterator[Bracket]:
    """Not before it is late or enough bits are found, whose mixture is of few protocols."""
    stages = public_coin_stages(matrix, error, clock)
    return (found for found in stages if found.open or found.upper is not None)


def _by_messages(matrix: CommunicationMatrix, error: Fraction, direction: str, clock: Clock) -> Iterator[Bracket]:
    known = trivial_message(matrix, "one-way-randomised", direction).above
    for found in message_mixtures(matrix, error, direction, known, clock):
        above = message_protocol(replace(found, matrix=matrix), replying=True)
        yield Bracket("randomised", UNKNOWN, above, {"answer": "both", "coins": "public", "error": as_text(error)})


def _by_parts(matrix: CommunicationMatrix, error: Fraction, clock: Clock) -> Iterator[Bracket]:
    """Distributions on few rows and columns, of a walk on which each entry has another answer than the one before."""
    draw, codes, best = np.random.default_rng(0), matrix.codes, UNKNOWN
    starts = np.flatnonzero(codes != DONT_CARE)
    for size in range(12, 2 * MOST_EXACT, 2) if len(starts) else ():
        walk = [divmod(int(draw.choice(starts)), codes.shape[1])]
        for _ in range(size):
            (row, column), along = walk[-1], len(walk) % 2
            line = codes[row] if along else codes[:, column]
            others = np.flatnonzero((line != DONT_CARE) & (line != codes[row, column]))
            other = int(draw.choice(others)) if len(others) else (row, column)[along]
            walk.append((row, other) if along else (other, column))
        rows, columns = map(np.unique, np.transpose(walk))
        for found in public_coin_stages(matrix.restrict(rows, columns), error, clock):
            if found.lower > (best.value or 1):
                witness = found.lower_witness or {}
                cells = [[int(rows[row]), int(columns[column]), share] for row, column, share in witness["cells"]]
                best = found.below._replace(witness={**witness, "cells": cells})
            elif not found.open:
                continue
            yield replace(found, below=best, above=UNKNOWN)


Method = Callable[[float], Bracket | None]
"""A bracket after so many seconds more; None at its end."""


def _methods(matrix: CommunicationMatrix, error: Fraction) -> dict[str, Method]:
    """Every method that the matrix is small enough for, quick ones first; of a large matrix the corner is bounded."""
    label, large = matrix.labels[-1], max(matrix.shape) > LARGE
    corner = CommunicationMatrix(matrix.codes[:LARGE, :LARGE], matrix.labels) if large else matrix
    bounds: dict[str, Callable[[float], Bracket]] = {
        "discrepancy": lambda seconds: randomised_by_discrepancy(matrix, error, seconds=seconds),
        "gamma_2": lambda seconds: gamma2_bits(corner, error, seconds),
        "partition bound": lambda seconds: partition_bits(corner, error, seconds),
        "corruption": lambda seconds: randomised_by_corruption(matrix, label=label, error=error, seconds=seconds),
    }
    exact = {"parts": _with_clock(_by_parts, matrix, error)}
    if max(matrix.merge().matrix.shape) <= MOST_EXACT:
        exact[ALL] = _with_clock(_by_all, matrix, error)
    for way in DIRECTIONS:
        exact[way] = _with_clock(_by_messages, matrix, error, way)
    if large:  # those whose certificates may be about a part
        bounds = {name: bounds[name] for name in ("gamma_2", "partition bound")}
    elif not is_small(matrix):  # others are better there
        del bounds["corruption"]
        bounds["least discrepancy"] = lambda left: randomised_by_least_discrepancy(matrix, error, seconds=left)
    return exact | {name: _repeated(bound) for name, bound in bounds.items()}


def _with_clock(stages: Callable[..., Iterator[Bracket]], *given: Any) -> Method:
    clock = Clock()
    return _resumed(stages(*given, clock), clock)


def _resumed(stages: Iterator[Bracket], clock: Clock) -> Method:
    def go_on(seconds: float) -> Bracket | None:
        clock.end = time.monotonic() + seconds
        with suppress(InputError):  # the matrix is not of its kind
            return next(stages, None)
        return None

    return go_on


def _repeated(bound: Callable[[float], Bracket]) -> Method:
    """A method that is begun afresh, unless it was not stopped, or the matrix is not of its kind or size."""
    stopped = True

    def again(seconds: float) -> Bracket | None:
        nonlocal stopped
        start = time.monotonic()
        with suppress(InputError):
            bracket = bound(SEARCH * seconds) if stopped else None
            stopped = time.monotonic() - start >= SEARCH * seconds
            return bracket
        return None

    return again


def in_turn(methods: dict[str, Method], end: float) -> Iterator[Bracket]:
    for number in count():
        for name in list(methods):
            left = end - time.monotonic()
            if left <= 0:
                return
            span = min(left, SLICE * 2**number * (MORE if name == ALL and number else 1))
            bracket = methods[name](span)
            if bracket is None or (span == left and bracket.open):
                del methods[name]
            if bracket:
                yield bracket
        if not methods:
            return


def joined(best: Bracket, other: Bracket) -> Bracket:
    """The better sides of both. If both prove the same, the method is named that comes first in the list."""
    if other.measure == "deterministic":
        return best.at_most(*one_tree(other)._replace(by="deterministic protocol"))
    if other.lower == best.lower and ORDER.get(other.below.by, 0) < ORDER.get(best.below.by, 0):
        best = replace(best, below=other.below)
    return best.at_least(*other.below).at_most(*other.above)
