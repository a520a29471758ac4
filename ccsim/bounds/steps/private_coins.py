"""Protocols with private coins: asked for by name, as the search for trees is long."""

from __future__ import annotations

from dataclasses import replace

from ccsim.bounds.private_coins.brackets import private_stages
from ccsim.bounds.question import LATE, Question, Steps

__all__ = ["private_coin_steps"]


def private_coin_steps(question: Question) -> Steps:
    """At the error that is asked for."""
    stages = private_stages(question.matrix, question.error, question.clock)
    best = next(stages)
    yield {0: best}
    yield None
    for best in stages:
        yield 0, best, best.exact
    if not best.exact:
        yield 0, replace(best, method=best.method + LATE) if question.clock.over else best, True
