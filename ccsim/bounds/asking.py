"""Measures are asked one after the other in a process that is ended when one is late; then the rest in another."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from copy import copy
from typing import Any

from ccsim.bounds.clock import Clock
from ccsim.bounds.findings import Found, so_far
from ccsim.bounds.question import Answer, Question, Steps
from ccsim.errors import InputError

PATIENCE = 0.25  # of its share that a measure may take longer than it has
SPARE = 0.1  # of all the time is kept for what cannot be stopped
SPARE_SECONDS = 0.25  # at most

Task = tuple[str, bool]
"""A measure, and whether it may search."""


class Asking:
    """Where what measures tell is gathered.

    Args:
        question: with its time.
        questions: how each measure is answered.
        found: by measure, what is known, to which all that is told is added.
        asking: is told the name of each measure as its search begins.
        said: is told what is being tried, and what is known.

    Attributes:
        had: by measure, the seconds that its last search was given.
        spent: by measure, the seconds that it has taken.
    """

    def __init__(
        self,
        question: Question,
        questions: Mapping[str, Answer],
        found: dict[str, Found],
        asking: Callable[[str], None] | None,
        said: Callable[[str], None] | None,
    ) -> None:
        self.question, self.questions, self.found = question, questions, found
        self.asking, self.said = asking, said
        self.had = dict.fromkeys(found, 0.0)
        self.spent = dict.fromkeys(found, 0.0)

    def ask(self, tasks: list[Task]) -> None:
        """Do tasks in order; one that takes too long is ended."""
        end = self.question.clock.end
        assert end is not None
        while tasks and time.monotonic() < end:
            at, limit, finished = 0, Clock(end), False
            work = Work(self.question, tuple(tasks), dict(self.questions), self.said is not None)
            since = time.monotonic()
            for kind, *news in limit.run(work):
                if kind == "begin":
                    self.spent[tasks[at][0]] += time.monotonic() - since
                    since = time.monotonic()
                    at, limit.end = news
                self._hear(tasks[at], kind, news)
                finished |= kind == "finished"
            self.spent[tasks[at][0]] += time.monotonic() - since
            tasks = [] if finished else [task for task in tasks[at + 1 :] if self.found[task[0]].error is None]

    def _hear(self, task: Task, kind: str, news: list[Any]) -> None:
        name, searching = task
        if kind == "begin" and searching and self.asking:
            self.asking(name)
        elif kind == "given":
            (self.had[name],) = news
        elif kind == "ended":
            self.found[name].ended = True
        elif kind == "refused":
            (self.found[name].error,) = news
        elif kind == "found":
            self.found[name].take(*news)
            if self.said and searching and news[1] is not None:
                self.said(so_far(news[1]))
        elif kind == "said" and self.said:
            self.said(*news)


class Work:
    """Tasks in order, as work for a process of its own."""

    def __init__(self, question: Question, tasks: tuple[Task, ...], questions: dict[str, Answer], aloud: bool) -> None:
        self.question, self.tasks, self.questions, self.aloud = question, tasks, questions, aloud
        assert question.clock.end is not None
        self.end = question.clock.end

    def __call__(self, tell: Callable[[Any], None]) -> None:
        """Do them all; a measure goes on where it was, if it said already what takes no search."""
        began: dict[str, tuple[Question, Steps]] = {}
        refused: set[str] = set()
        said = (lambda text: tell(("said", text))) if self.aloud else None
        last = self.end - min(SPARE * (self.end - time.monotonic()), SPARE_SECONDS)
        for place, (name, searching) in enumerate(self.tasks):
            if name in refused:
                continue
            now = time.monotonic()
            share = max(0.0, last - now) / (len(self.tasks) - place)
            late = self.end if place == len(self.tasks) - 1 else min(self.end, now + (1 + PATIENCE) * share)
            tell(("begin", place, late if searching else max(late, now + (self.end - now) / 2)))
            if name not in began:
                asked = copy(self.question)  # with what is known of it
                asked.clock = Clock(last)
                began[name] = asked, self.questions[name](asked, said)
            asked, steps = began[name]
            asked.clock.end = now + (share if searching else max(share, (last - now) / 2))  # quick steps are not many
            if searching:
                tell(("given", share))
            try:
                for step in steps:
                    if isinstance(step, tuple):
                        tell(("found", *step))
                    elif step is None and not searching:
                        break
                else:
                    if not asked.clock.over:
                        tell(("ended",))
            except InputError as error:
                refused.add(name)
                tell(("refused", error))
        tell(("finished",))
