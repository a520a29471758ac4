"""Protocols with private coins: asked for by name, as the searches for trees and messages are long."""

from __future__ import annotations

from dataclasses import replace

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.clock import Clock
from ccsim.bounds.findings import best_of
from ccsim.bounds.one_message.messages import DIRECTIONS
from ccsim.bounds.private_coins.brackets import private_stages, trivial_private
from ccsim.bounds.private_coins.one_message import private_message_stages
from ccsim.bounds.question import LATE, Question, Steps
from ccsim.bounds.steps.by_name import known_by_name
from ccsim.bounds.steps.trivial import naming_with_coins

__all__ = ["private_coin_steps", "private_message_steps"]


def private_coin_steps(question: Question) -> Steps:
    """At the error that is asked for: first what public coins need, as far as that takes no search."""
    matrix, error = question.matrix, question.error
    known = _as_public(trivial_private(matrix, error), naming_with_coins(matrix, error))
    yield {0: known}
    for named in known_by_name(question, "private-coins"):
        known = best_of(named, known)
        yield 0, known, False
    yield None
    for best in private_stages(matrix, error, question.clock, known):
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


def _as_public(private: Bracket, public: Bracket) -> Bracket:
    """What public coins need, private ones need."""
    if public.lower_witness is None or public.lower <= private.lower:
        return private
    witness = {"kind": "public-coins", "of": public.lower_witness}
    return replace(private, lower=public.lower, lower_witness=witness)
