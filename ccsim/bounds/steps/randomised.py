"""Discrepancy, and protocols with public coins."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import takewhile
from typing import Any

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.clock import Clock
from ccsim.bounds.question import Question, Step, Steps
from ccsim.bounds.randomised.corruption import randomised_by_corruption
from ccsim.bounds.randomised.discrepancy import discrepancy, distribution_weights, randomised_by_discrepancy
from ccsim.bounds.randomised.gamma2 import gamma2_bits
from ccsim.bounds.randomised.least_discrepancy import least_discrepancy
from ccsim.bounds.randomised.public_coins import public_coin_complexity
from ccsim.bounds.randomised.rectangle_programs import require_small
from ccsim.bounds.randomised.smooth import partition_bits
from ccsim.bounds.steps.common import nothing_known, stopped, timely
from ccsim.bounds.steps.deterministic import deterministic_steps
from ccsim.bounds.steps.trivial import naming_with_coins
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix

__all__ = ["discrepancy_steps", "randomised_steps"]

THIRD = Fraction(1, 3)
SEARCH = 0.6  # of the time for a linear program; the rest is for the proofs
USUAL = 20.0  # seconds for each bound on randomised protocols where nobody sets a limit
TINY = 8  # lines up to which all public-coin protocols are soon gone through
MOST_EXACT = 13  # lines beyond which they are not gone through at all
MOST_LINES = 256  # beyond, sums over all cells in exact integers take minutes


def discrepancy_steps(question: Question) -> Steps:
    """Under the uniform distribution, and the least over distributions where the matrix is small enough."""
    matrix = question.matrix
    if max(matrix.shape) > MOST_LINES:
        raise InputError("matrix", matrix, f"at most {MOST_LINES} rows and columns")
    least = not _refused(lambda: require_small(matrix))
    unknown: dict[Hashable, Bracket] = {"uniform": nothing_known("discrepancy", {}, "")}
    if least:
        unknown["least"] = nothing_known("least-discrepancy", {}, "")
    yield {place: replace(bracket, upper=Fraction(1)) for place, bracket in unknown.items()}
    yield None
    distribution_weights(matrix, None)  # whether there are any
    yield "uniform", discrepancy(matrix, time_limit=0.0), False
    share = question.clock.share(2)
    yield "uniform", timely(question, discrepancy(matrix, time_limit=share)), True
    if least:
        share = question.clock.share(1)
        bracket = least_discrepancy(matrix, time_limit=None if share is None else SEARCH * share)
        yield "least", bracket if bracket.exact or share is None else stopped(bracket, SEARCH * share), True


def _refused(bound: Callable[[], Any]) -> bool:
    try:
        bound()
    except InputError:
        return True
    return False


def randomised_steps(question: Question) -> Steps:
    """R_{1/3} with public coins: exact where the matrix is tiny, else every lower bound that it is small enough for."""
    matrix = question.matrix
    nothing = naming_with_coins(matrix, THIRD)
    yield {"upper": nothing}
    merged = max(matrix.merge().matrix.shape)
    plain = replace(question, answer="both")
    plain.clock = Clock(question.clock.end)
    search = deterministic_steps(plain)
    certain = _last_bracket(takewhile(lambda step: step is not None, search), nothing_known("deterministic", {}))
    yield "upper", _no_more_than(nothing, certain), False
    yield None
    bounds = _bounds(matrix)
    order = _order(["exact"] if max(matrix.shape) > MOST_LINES else list(bounds), merged)
    for place, name in enumerate(order):
        share = question.clock.share(len(order) - place) or USUAL
        if name == "deterministic":
            plain.clock.end = Clock.within(share).end
            certain = _last_bracket(search, certain)
            yield "upper", _no_more_than(nothing, certain), False
            continue
        for found in _where_small(partial(bounds[name], SEARCH * share)):
            bracket = _no_more_than(found, certain)
            yield name, bracket if bracket.exact else stopped(bracket, SEARCH * share), True
            for other in ("upper", *order[:place]) if bracket.exact else ("upper",):
                yield other, None, True
            if bracket.exact:
                return


def _bounds(matrix: CommunicationMatrix) -> dict[str, Callable[[float], Bracket]]:
    """Every bound on randomised protocols, given so many seconds."""
    label = matrix.labels[-1]
    return {
        "exact": lambda seconds: public_coin_complexity(matrix, THIRD, seconds),
        "discrepancy": lambda seconds: randomised_by_discrepancy(matrix, THIRD, time_limit=seconds),
        "gamma_2": lambda seconds: gamma2_bits(matrix, THIRD, seconds),
        "partition": lambda seconds: partition_bits(matrix, THIRD, seconds),
        "corruption": lambda seconds: randomised_by_corruption(matrix, label=label, error=THIRD, time_limit=seconds),
    }


def _order(names: list[str], lines: int) -> list[str]:
    """What is surely soon to be had comes first; all public-coin protocols of a tiny matrix are."""
    exact, *others = names
    return [*others, "deterministic", exact] if lines > TINY else [exact, "deterministic", *others]


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
    if randomised.upper is not None and randomised.upper <= certain.upper:
        return randomised
    tree = {"weight": "1/1", "tree": certain.upper_witness["tree"]}
    witness = {"kind": "protocol-mixture", "trees": [tree]}
    method = f"{randomised.method.split(' | ')[0]} | deterministic protocol"
    return replace(randomised, upper=certain.upper, upper_witness=witness, method=method)


def _where_small(bound: Callable[[], Bracket]) -> list[Bracket]:
    """The bracket, or nothing where the matrix is not of the kind or size that the bound is for."""
    try:
        return [bound()]
    except InputError:
        return []
