"""Covers and partitions by rectangles, and ranks."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.clock import Clock
from ccsim.bounds.question import LATE, Question, Steps
from ccsim.bounds.rank import FIELDS, leaf_rank_bracket, log_rank_bracket, rank_stages
from ccsim.bounds.rectangles.cover import COVER_STEPS, brackets_of, sum_of
from ccsim.bounds.rectangles.partition import PARTITION_STEPS
from ccsim.bounds.steps.common import plain_enough
from ccsim.bounds.steps.trivial import naming_a_line, trivial_rank, trivial_rectangles
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix

CORNER = 1024  # lines whose rank is soon known; what a part has, the whole has
CORNERED = "pivots in a corner | lines"
QUICK = 2  # steps of a cover that are quick


def cover_steps(question: Question) -> Steps:
    """The cover number of each answer."""
    yield from _rectangles(question, "cover", COVER_STEPS, QUICK)


def partition_steps(question: Question) -> Steps:
    """The partition number of each answer, and of all together."""
    yield from _rectangles(question, "partition", PARTITION_STEPS, QUICK - 1)


def _rectangles(question: Question, measure: str, steps: Any, quick: int) -> Steps:
    """Per answer, so many steps at once and the others later; for partitions the sum of all answers as well."""
    matrix, labels = question.matrix, question.labels
    trivial = trivial_rectangles(matrix, measure, question.sets)
    yield dict(trivial)
    known = {code: trivial[code] for code in labels if plain_enough(question, trivial[code])}
    open_ones = [code for code in labels if code not in known]
    clocks = [Clock() for _ in labels]
    streams = [brackets_of(matrix, code, measure, steps, clocks[code]) for code in labels]

    def tell(code: int, last: bool) -> Iterator[tuple[Hashable, Bracket, bool]]:
        yield code, known[code], last
        if measure == "partition" and len(known) == len(labels):
            yield None, sum_of(measure, [known[code] for code in labels]), last

    for code in open_ones * (1 + quick):  # one step of each answer after the other
        clocks[code].end = question.clock.end
        for bracket in islice(streams[code], 1):
            known[code] = bracket
            yield from tell(code, bracket.exact)
    yield None
    for place, code in enumerate(open_ones):
        clocks[code].end = Clock.within(question.clock.share(len(open_ones) - place)).end
        for bracket in streams[code]:
            known[code] = bracket
            yield from tell(code, bracket.exact)
        if clocks[code].over and not known[code].exact and not known[code].method.endswith(LATE):
            known[code] = replace(known[code], method=known[code].method + LATE)
        yield from tell(code, True)


def rank_steps(question: Question) -> Steps:
    """The rank of each answer over each field, and what ranks say of D."""
    matrix = question.matrix
    if not matrix.is_total:
        raise InputError("matrix", matrix, "a total matrix: don't-care cells have no rank")
    asked = [(code, name) for code in question.labels for name in FIELDS]
    known: dict[tuple[int, str], Bracket] = {}
    for code, name in asked:
        known[code, name] = trivial_rank(matrix, code, name, question.sets)
    certain = naming_a_line(matrix, question.answer, None, None, question.sets)
    settled = plain_enough(question, certain)
    if not settled:  # then ranks are to say what they say alone
        certain = naming_a_line(matrix, question.answer, None, None)
    yield {**known, "log-rank": certain, "leaf-rank": certain}
    asked = [key for key in asked if not plain_enough(question, known[key])]
    stages = {key: rank_stages(matrix, *key) for key in sorted(asked, key=lambda key: key[1] == "rational")}
    easy = [key for key in stages if key[1] != "rational"]
    if max(matrix.shape) > CORNER:
        corner = CommunicationMatrix(matrix.codes[:CORNER, :CORNER], matrix.labels)
        for key in stages:
            if key not in easy:
                part = next(rank_stages(corner, *key))
                found = replace(known[key], lower=part.lower, lower_witness=part.lower_witness, method=CORNERED)
                yield key, found, False
    for key in easy:
        bracket = next(stages[key])
        yield key, bracket, bracket.exact
    if not settled:
        yield "log-rank", log_rank_bracket(matrix, question.answer), True
        yield "leaf-rank", leaf_rank_bracket(matrix, question.answer), True
    yield None
    for key, stage in stages.items():
        if key not in easy:
            bracket = next(stage)
            yield key, bracket, bracket.exact
    for key, stage in stages.items():
        for bracket in stage:
            yield key, bracket, True
