"""Exact deterministic complexity, stage by stage, and messages one way."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.findings import best_of
from ccsim.bounds.one_message import DIRECTIONS, one_way, one_way_public_coins, one_way_randomised
from ccsim.bounds.question import LATE, Question, Steps
from ccsim.bounds.rationals import as_text
from ccsim.bounds.steps.by_name import EVERYTHING, known_of_a_message
from ccsim.bounds.steps.common import MOST_LINES, plain_enough, timely
from ccsim.bounds.steps.leaves import relation_steps
from ccsim.bounds.steps.trivial import naming_a_line, trivial_message
from ccsim.bounds.tree_search import stages_of_deterministic
from ccsim.errors import InputError

QUICK = 2  # stages that are quick
USUAL = 60.0  # seconds for all messages, where nobody sets a limit


def deterministic_steps(
    question: Question,
    rounds: int | None = None,
    first: str | None = None,
    progress: Callable[[str], None] | None = None,
) -> Steps:
    """D, as the search raises its lower and lowers its upper side."""
    if question.relation is not None:
        if rounds is not None:
            raise InputError("rounds", rounds, "None, as the question is about a relation")
        yield from relation_steps(question, question.relation, "bits")
        return
    parameters = {"answer": question.answer, "rounds": rounds, "first": first}
    known = naming_a_line(question.matrix, question.answer, rounds, first, question.sets)
    yield {0: known}
    stages = stages_of_deterministic(
        question.matrix, answer=question.answer, rounds=rounds, first=first, clock=question.clock, progress=progress
    )
    for number, found in enumerate(stages):
        if number == QUICK:
            yield None
        searched, because, reason = found.method.partition(", ")
        bracket = Bracket(
            "deterministic",
            found.lower,
            found.upper,
            f"{searched} | protocol tree{LATE if reason == 'stopped' else because + reason}",
            {"kind": "refutation", "nodes": found.refutation["nodes"]} if found.refutation else None,
            {"kind": "protocol-tree", "tree": found.tree} if found.tree else None,
            parameters,
            seconds=found.seconds,
        )
        settled = plain_enough(question, replace(bracket, lower=max(known.lower, bracket.lower)))
        yield 0, bracket, settled or bracket.exact or question.clock.over or found.upper is None
        if settled:
            return


def one_way_steps(question: Question) -> Steps:
    """One message either way, and what its randomised cost is between."""
    matrix = question.matrix
    unknown: dict[Hashable, Bracket] = {}
    for way in DIRECTIONS:
        unknown[way] = trivial_message(matrix, "one-way", way, question.sets)
    large = max(matrix.shape) > MOST_LINES  # of small ones all sets of places are gone through
    for way in DIRECTIONS if len(matrix.labels) <= 2 else ():
        bracket = trivial_message(matrix, "one-way-randomised", way, error=as_text(question.error))
        named = known_of_a_message(question, way) if large else None
        unknown[way, "coins"] = bracket if named is None else best_of(named, bracket)
    yield unknown
    if not matrix.is_total:
        yield None
    messages = {}
    for place, direction in enumerate(DIRECTIONS):
        if plain_enough(question, unknown[direction]):
            messages[direction] = unknown[direction]
        else:
            messages[direction] = one_way(matrix, direction, time_limit=question.clock.share(4 - place))
        yield direction, timely(question, messages[direction]), True
        if len(matrix.labels) <= 2:
            unknown[direction, "coins"] = replace(
                unknown[direction, "coins"],
                upper=messages[direction].upper,
                method=f"{unknown[direction, 'coins'].method.partition(' | ')[0]} | deterministic",
                upper_witness=messages[direction].upper_witness,
            )
            yield (direction, "coins"), unknown[direction, "coins"], False
    if matrix.is_total:
        yield None
    for place, direction in enumerate(DIRECTIONS if len(matrix.labels) <= 2 else ()):
        share = question.clock.share(2 - place)
        bracket, message = unknown[direction, "coins"], messages[direction]
        if not bracket.method.startswith(EVERYTHING):
            bracket = one_way_randomised(matrix, direction, question.error, time_limit=share, messages=message)
        yield (direction, "coins"), bracket, bracket.exact
        if not bracket.exact:
            bracket = _by_all_messages(question, direction, bracket, question.clock.share(2 - place))
            yield (direction, "coins"), timely(question, bracket), True


def _by_all_messages(question: Question, direction: str, known: Bracket, share: float | None) -> Bracket:
    """What a game over all protocols of one message adds, if the matrix is small enough for it."""
    seconds = USUAL if share is None else share
    try:
        found = one_way_public_coins(question.matrix, question.error, direction, seconds=seconds)
    except InputError:
        return known
    better = best_of(known, found)
    late = LATE if found.seconds >= seconds and not better.exact else ""
    return replace(better, method=better.method.removesuffix(LATE) + late, seconds=known.seconds + found.seconds)
