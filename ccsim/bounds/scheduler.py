"""All measures within a time limit, in a process that is stopped when one is late; what was reported by then is kept.

Each measure first returns its trivial brackets, then gets an equal share of the time that is left. One that exceeds its
share by much is stopped, and the others go on in another process. Time that some did not need is given to those that
had too little, as long as that is more than they had.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from ccsim.bounds.bracket import Bracket, Open, best_of
from ccsim.bounds.clock import Clock
from ccsim.bounds.consistent import consistent
from ccsim.bounds.question import Known, Measure, Question, Step
from ccsim.bounds.solvers import made_ready
from ccsim.errors import InputError

MORE = 1.2  # times what it had is the least that a measure is asked again for
PATIENCE = 0.25  # of its share that a measure may take longer than it has
SPARE = 0.1  # of all the time is kept for what cannot be stopped
SPARE_SECONDS = 0.25  # at most

Answers = dict[str, tuple[Bracket, ...] | InputError]
Said = Callable[[str], None]


def answered(
    question: Question,
    measures: Sequence[Measure],
    *,
    asking: Said | None = None,
    stopped: Callable[[], None] | None = None,
) -> Answers:
    """The brackets of each measure, or why it has none.

    Args:
        question: with its time; without, everything is done to the end in this process. Its ``progress`` is told what
            is being tried, and what is known.
        measures: which are asked, in order.
        asking: is told the name of each measure as its search begins.
        stopped: is called if the keyboard stops the search; what was found by then is returned. Without it, the
            interrupt goes on.
    """
    found, unfinished = {measure.name: _Found(question.progress) for measure in measures}, Open.TIME
    try:
        if question.clock.end is None:
            for measure in measures:
                if asking:
                    asking(measure.name)
                found[measure.name].take_all(measure.steps(question))
        else:
            _in_time(question, {measure.name: measure for measure in measures}, found, asking)
    except KeyboardInterrupt:
        if stopped is None:
            raise
        unfinished = Open.STOPPED
        stopped()
    several = {name: own.brackets(question, unfinished) for name, own in found.items() if own.error is None}
    rest = iter(consistent(bracket for own in several.values() for bracket in own))
    return {name: own.error or tuple(islice(rest, len(several[name]))) for name, own in found.items()}


@dataclass
class _Found:
    """What a measure has told so far, and why it cannot be answered.

    Attributes:
        had: seconds that its last search was given.
        since: when its last word came, or its turn began.
        spent: by place, seconds that it took.
    """

    said: Said | None
    error: InputError | None = None
    known: Known = field(default_factory=dict)
    had: float = 0.0
    since: float = field(default_factory=time.monotonic)
    spent: dict[Hashable, float] = field(default_factory=dict)

    def take(self, place: Hashable, bracket: Bracket, aloud: bool = True) -> None:
        now = time.monotonic()
        self.spent[place] = self.spent.get(place, 0.0) + now - self.since
        self.since = now
        before = self.known.get(place)
        self.known[place] = best_of(before, bracket) if before else bracket
        if self.said and aloud:
            self.said(f"{bracket.name}{' ' if bracket.exact else ': '}{bracket.amount('from {} to {}')}")

    def take_all(self, steps: Iterator[Step]) -> None:
        self.since = time.monotonic()
        try:
            for step in steps:
                if isinstance(step, dict):
                    self.known = step
                elif step is not None:
                    self.take(*step)
        except InputError as error:
            self.error = error
        self.rest()

    def rest(self) -> None:
        """Its turn is over: the time since its last word is that of all."""
        now = time.monotonic()
        for place in self.known:
            self.spent[place] = self.spent.get(place, 0.0) + (now - self.since) / len(self.known)
        self.since = now

    @property
    def late(self) -> bool:
        return self.error is None and any(not b.exact and b.open in (None, Open.TIME) for b in self.known.values())

    def brackets(self, question: Question, unfinished: Open) -> tuple[Bracket, ...]:
        """Those that are open say why: they were not finished, or their methods can do no more."""
        relation = question.relation
        about: dict[str, Any] = {"matrix": None if relation else question.matrix, "relation": relation}
        return tuple(
            replace(
                bracket,
                open=None if bracket.exact else bracket.open or unfinished,
                seconds=self.spent.get(place, 0.0),
                function=question.function,
                **about,
            )
            for place, bracket in self.known.items()
        )


Task = tuple[str, bool]
"""A measure, and whether it may search."""


def _in_time(
    question: Question, measures: Mapping[str, Measure], found: Mapping[str, _Found], asking: Said | None
) -> None:
    """First without a search, then with; then again those that had too little, with what the others have left."""
    end = question.clock.end
    assert end is not None
    for name, own in found.items():
        own.take_all(islice(measures[name].steps(question), 1))
    names = [name for name, own in found.items() if own.error is None]
    tasks: list[Task] = [(name, True) for name in names]
    if len(names) > 1:  # else nobody waits for it
        made_ready()
        tasks = [(name, False) for name in names] + tasks
    while tasks:
        _ask(question, measures, found, tasks, asking)
        late = [name for name in names if found[name].late]
        share = (end - time.monotonic() - SPARE_SECONDS) / max(1, len(late))
        tasks = [(name, True) for name in late if MORE * found[name].had < share]


def _ask(
    question: Question,
    measures: Mapping[str, Measure],
    found: Mapping[str, _Found],
    tasks: list[Task],
    asking: Said | None,
) -> None:
    end, asked = question.clock.end, copy(question)
    assert end is not None
    asked.progress = question.progress and _silent  # what is told there is told here
    while tasks and time.monotonic() < end:
        at, limit, finished = 0, Clock(end), False
        own = found[tasks[0][0]]
        own.since = time.monotonic()
        for kind, *news in limit.run(Work(asked, tuple(tasks), dict(measures))):
            if kind == "begin":
                own.rest()
                at, limit.end, share = news
                own, searching = found[tasks[at][0]], tasks[at][1]
                own.since = time.monotonic()
                if searching:
                    own.had = share
                    if asking:
                        asking(tasks[at][0])
            elif kind == "found":
                place, bracket = news
                own.take(place, bracket, searching)
            elif kind == "refused":
                (own.error,) = news
            elif kind == "said" and question.progress:
                question.progress(*news)
            finished = kind == "finished"
        own.rest()
        tasks = [] if finished else [task for task in tasks[at + 1 :] if found[task[0]].error is None]


def _silent(_: str) -> None:
    """Say nothing."""


@dataclass
class Work:
    question: Question
    tasks: tuple[Task, ...]
    measures: dict[str, Measure]

    def __call__(self, tell: Callable[[Any], None]) -> None:
        began: dict[str, tuple[Question, Iterator[Step]]] = {}
        refused: set[str] = set()
        end = self.question.clock.end
        assert end is not None
        last = end - min(SPARE * (end - time.monotonic()), SPARE_SECONDS)
        for place, (name, searching) in enumerate(self.tasks):
            if name in refused:
                continue
            now = time.monotonic()
            share = max(0.0, last - now) / (len(self.tasks) - place)
            late = end if place == len(self.tasks) - 1 else min(end, now + (1 + PATIENCE) * share)
            tell(("begin", place, late if searching else max(late, now + (end - now) / 2), share))
            if name not in began:
                asked = copy(self.question)  # with what is known of it
                asked.clock = Clock(last)
                if asked.progress:
                    asked.progress = lambda text: tell(("said", text))
                began[name] = asked, self.measures[name].steps(asked)
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
