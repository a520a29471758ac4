"""All answers in time: measures are asked in a process that is ended when they are late, and what they told stands.

First each measure says what it can without a search, then each has an equal share of the time that is left. One that
exceeds its share by much is stopped, and the others go on in another process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.clock import Clock
from ccsim.bounds.limited import told
from ccsim.bounds.question import LATE, STOPPED, Answer, Question, Steps
from ccsim.errors import InputError

__all__ = ["answered"]

PATIENCE = 0.25  # of its share that a measure may take longer than it has
SPARE = 0.1  # of all the time is kept for what cannot be stopped
MOST_SPARE = 0.25  # seconds

Answers = dict[str, tuple[Bracket, ...] | InputError]
Task = tuple[str, bool]
"""A measure, and whether it may search."""


def answered(
    question: Question,
    names: Sequence[str],
    questions: Mapping[str, Answer],
    *,
    asking: Callable[[str], None] | None = None,
    said: Callable[[str], None] | None = None,
    stopped: Callable[[], None] | None = None,
) -> Answers:
    """The brackets of each measure, or why it has none.

    Args:
        question: with its time; without, everything is done to the end in this process.
        names: keys of ``questions``.
        questions: how each is answered.
        asking: is told the name of each measure as its search begins.
        said: is told now and then what is being tried.
        stopped: is called if the keyboard stops the search; what was found by then is returned. Without it, the
            interrupt goes on.
    """
    found, unfinished = {name: _Found() for name in names}, LATE
    try:
        if question.clock.end is None:
            for name in names:
                if asking:
                    asking(name)
                found[name].take_all(questions[name](question, said))
        else:
            _in_time(question, found, questions, asking, said)
    except KeyboardInterrupt:
        if stopped is None:
            raise
        unfinished = STOPPED
        stopped()
    return {name: one.error or one.brackets(question, unfinished) for name, one in found.items()}


def _joined(old: Bracket, new: Bracket) -> Bracket:
    """The new bracket, with a side of the old one where that is better, as it may be after a new start."""
    below = old.lower > new.lower
    above = old.upper is not None and (new.upper is None or old.upper < new.upper)
    if old.parameters != new.parameters or not (below or above):
        return new
    first, second = ((old if better else new) for better in (below, above))
    method = f"{first.method.partition(' | ')[0]} | {second.method.rpartition(' | ')[2]}"
    sides: dict[str, Any] = {"lower": first.lower, "lower_witness": first.lower_witness}
    sides |= {"upper": second.upper, "upper_witness": second.upper_witness}
    return replace(new, method=method, **sides)


class _Found:
    """What a measure has told so far."""

    def __init__(self) -> None:
        self.error: InputError | None = None
        self._known: dict[Hashable, tuple[Bracket, bool]] = {}

    def take(self, place: Hashable, bracket: Bracket | None, final: bool) -> None:
        if bracket is None:
            self._known.pop(place, None)
        else:
            before = self._known.get(place)
            self._known[place] = _joined(before[0], bracket) if before else bracket, final

    def take_all(self, steps: Steps) -> None:
        """All steps, or as many as there are."""
        try:
            for step in steps:
                if isinstance(step, dict):
                    self._known = {place: (bracket, False) for place, bracket in step.items()}
                elif step is not None:
                    self.take(*step)
        except InputError as error:
            self.error = error

    def brackets(self, question: Question, unfinished: str = LATE) -> tuple[Bracket, ...]:
        """Those that are not final were not finished, and their method says why."""
        return tuple(
            replace(
                bracket,
                method=bracket.method + ("" if final or bracket.exact or bracket.method.endswith(LATE) else unfinished),
                matrix=None if question.relation else question.matrix,
                relation=question.relation,
                function=question.function,
            )
            for bracket, final in self._known.values()
        )


def _in_time(
    question: Question,
    found: dict[str, _Found],
    questions: Mapping[str, Answer],
    asking: Callable[[str], None] | None,
    said: Callable[[str], None] | None,
) -> None:
    end = question.clock.end
    assert end is not None
    for name, one in found.items():
        one.take_all(islice(questions[name](question, None), 1))
    names = [name for name, one in found.items() if one.error is None]
    tasks: list[Task] = [(name, False) for name in names if len(names) > 1] + [(name, True) for name in names]
    while tasks and time.monotonic() < end:
        at, limit, finished = 0, Clock(end), False
        work = _Work(question, tuple(tasks), dict(questions), said is not None)
        for kind, *news in told(work, limit):
            if kind == "begin":
                at, limit.end = news
                name, searching = tasks[at]
                if searching and asking:
                    asking(name)
            elif kind == "said" and said:
                said(*news)
            elif kind == "refused":
                found[tasks[at][0]].error = news[0]
            elif kind == "found":
                found[tasks[at][0]].take(*news)
            finished |= kind == "finished"
        tasks = [] if finished else [task for task in tasks[at + 1 :] if found[task[0]].error is None]


class _Work:
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
        last = self.end - min(SPARE * (self.end - time.monotonic()), MOST_SPARE)
        for place, (name, searching) in enumerate(self.tasks):
            if name in refused:
                continue
            now = time.monotonic()
            share = max(0.0, last - now) / (len(self.tasks) - place)
            late = self.end if place == len(self.tasks) - 1 else min(self.end, now + (1 + PATIENCE) * share)
            tell(("begin", place, late if searching else max(late, now + (self.end - now) / 2)))
            if name not in began:
                asked = replace(self.question)
                asked.clock = Clock(last)
                began[name] = asked, self.questions[name](asked, said)
            asked, steps = began[name]
            asked.clock.end = now + (share if searching else max(share, (last - now) / 2))  # quick steps are not many
            try:
                for step in steps:
                    if isinstance(step, tuple):
                        tell(("found", *step))
                    elif step is None and not searching:
                        break
            except InputError as error:
                refused.add(name)
                tell(("refused", error))
        tell(("finished",))
