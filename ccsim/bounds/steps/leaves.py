"""Leaves of protocols, and what relations take, stage by stage."""

from __future__ import annotations

from collections.abc import Iterator

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.leaves import stages_of_leaves, stages_of_relation, trivial_relation
from ccsim.bounds.question import Question, Steps
from ccsim.bounds.steps.common import timely
from ccsim.bounds.steps.trivial import trivial_leaves
from ccsim.relations import Relation

QUICK = 1  # stages that are quick


def leaf_steps(question: Question) -> Steps:
    """The least number of leaves."""
    if question.relation is not None:
        yield from relation_steps(question, question.relation, "leaves")
        return
    yield {0: trivial_leaves(question.matrix, question.answer, question.sets)}
    yield from _steps(question, stages_of_leaves(question.matrix, question.answer, question.clock))


def relation_steps(question: Question, relation: Relation, counted: str) -> Steps:
    """The leaves, or the bits, of a relation."""
    yield {0: trivial_relation(relation, question.answer, counted)}
    yield from _steps(question, stages_of_relation(relation, question.answer, counted, question.clock))


def _steps(question: Question, stages: Iterator[Bracket]) -> Steps:
    bracket = None
    for number, bracket in enumerate(stages):
        if number == QUICK:
            yield None
        yield 0, bracket, bracket.exact
    if bracket is not None:
        yield 0, timely(question, bracket), True
