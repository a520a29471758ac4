"""Protocols with private coins: asked for by name, as the searches for trees and messages are long."""

from __future__ import annotations

from dataclasses import replace

from ccsim.bounds.clock import Clock
from ccsim.bounds.one_message.messages import DIRECTIONS
from ccsim.bounds.private_coins.brackets import private_stages
from ccsim.bounds.private_coins.one_message import private_message_stages
from ccsim.bounds.question import LATE, Question, Steps

__all__ = ["private_coin_steps", "private_message_steps"]


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


def private_message_steps(question: Question) -> Steps:
    """One message either way, at the error that is asked for."""
    clock = Clock(question.clock.end)
    every = {way: private_message_stages(question.matrix, question.error, way, clock) for way in DIRECTIONS}
    yield {way: next(stages) for way, stages in every.items()}
    yield None
    for place, (way, stages) in enumerate(every.items()):
        share = question.clock.share(len(every) - place)
        clock.end = Clock.within(share).end
        for best in stages:
            yield way, best, best.exact
        if not best.exact:
            yield way, replace(best, method=best.method + LATE) if clock.over else best, True
