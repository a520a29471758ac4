"""Leaves of protocols, stage by stage."""

from __future__ import annotations

from ccsim.bounds.leaves.brackets import stages_of_leaves
from ccsim.bounds.question import Question, Steps
from ccsim.bounds.steps.common import timely
from ccsim.bounds.steps.trivial import trivial_leaves

__all__ = ["leaf_steps"]

QUICK = 1  # stages that are quick


def leaf_steps(question: Question) -> Steps:
    """The least number of leaves."""
    yield {0: trivial_leaves(question.matrix, question.answer)}
    bracket = None
    for number, bracket in enumerate(stages_of_leaves(question.matrix, question.answer, question.clock)):
        if number == QUICK:
            yield None
        yield 0, bracket, bracket.exact
    if bracket is not None:
        yield 0, timely(question, bracket), True
