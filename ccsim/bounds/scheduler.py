"""Brackets of several measures within one time limit: deadlines, searches in their own processes, and shares of time.

What a search reported by the deadline counts; its process does not outlive the one that began it. Each measure first
returns its trivial brackets, then gets an equal share of the time that is left. A search that exceeds its share by much
is stopped, and time that some did not need is given to those that had too little.
"""

from __future__ import annotations

import os
import pickle
import signal
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from ccsim import lazy
from ccsim.bounds.bracket import Bracket, Open, best_of, consistent
from ccsim.bounds.solvers import made_ready
from ccsim.certificates.verify import Refused
from ccsim.engine.processes import FOREVER, FORKS, Process
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix, Relation
from ccsim.silence import mute

resource = lazy.load("resource")  # not on all systems

Work = Callable[[Callable[[Any], None]], None]
"""A search; it gets a function to which it hands each result as plain data."""

LATE = 1.0  # seconds after which the system ends a search that nobody has ended
LEAST = 0.01  # seconds that a step is given in any case


class OutOfTimeError(Exception):
    """A search was stopped by its deadline; the arguments are what it knows."""


@dataclass
class Clock:
    """A ``time.monotonic()`` at which to stop, which may be moved; None: never. An interrupt has ``stopped`` it."""

    end: float | None = None
    stopped: bool = False

    @classmethod
    def within(cls, seconds: float | None) -> Clock:
        return cls(None if seconds is None else time.monotonic() + seconds)

    @property
    def over(self) -> bool:
        return self.end is not None and time.monotonic() >= self.end

    def step(self, *_: int) -> None:
        """Raise :class:`OutOfTimeError` if it is over."""
        if self.over:
            raise OutOfTimeError

    def left(self, most: float = FOREVER) -> float:
        """Seconds that a step may take: at most these."""
        return most if self.end is None else max(LEAST, min(most, self.end - time.monotonic()))

    def share(self, parts: int) -> float | None:
        """An equal part of the seconds that are left."""
        return None if self.end is None else max(LEAST, self.end - time.monotonic()) / parts

    def run(self, work: Work) -> Iterator[Any]:
        """The results of work in a process of its own, until it is done or late; its error is raised here."""
        with Background(work, self.left()) as process:
            while results := process.results(self.left()):
                yield from results


class Background:
    """A search in a process of its own, until the context ends; ``done`` once all is reported."""

    def __init__(self, work: Work, seconds: float) -> None:
        self.done, self._begun = False, time.monotonic()
        self._process = Process(partial(_search, work, self._begun + seconds), FORKS)
        self._error: BaseException | None = None

    def __enter__(self) -> Background:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.end()

    @property
    def worked(self) -> float:
        """Processor seconds that it has used, where the system reports them, else seconds since it began."""
        if not FORKS:
            return time.monotonic() - self._begun
        used = Path(f"/proc/{self._process.number}/stat").read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")

    def results(self, wait: float = 0.0) -> list[Any]:
        """The results since the last call, or the next within ``wait`` seconds; then an error of the work is raised."""
        results: list[Any] = []
        while not self.done and self._process.connection.poll(0.0 if results else wait):
            try:
                word = self._process.connection.recv()
            except (EOFError, OSError):  # it died, as of a lack of memory: its results are kept
                word = None
            if isinstance(word, tuple):
                results += word
            else:
                self.done, self._error = True, word
        if self._error is not None and not results:
            raise self._error
        return results


def _search(work: Work, end: float, _: Callable[[], Any], send: Callable[[Any], None]) -> None:
    """Each result is sent as a tuple, and at the end the error of the work or None."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, max(end - time.monotonic(), 0.0) + LATE)
    mute()
    error: BaseException | None = None
    try:
        work(lambda results: send((results,)))
    except BaseException as raised:
        try:
            error = pickle.loads(pickle.dumps(raised))
        except Exception:  # it cannot travel
            error = RuntimeError(f"{type(raised).__name__}: {raised}")
    send(error)


MOST_MEMORY = 3 << 29  # bytes of a process that runs steps


def run_steps(
    steps: Mapping[str, Callable[[], Any]],
    clock: Clock,
    found: dict[str, Any],
    progress: Callable[[str], None] = lambda name: None,
    shares: int = 2,
    last: bool = False,
) -> dict[str, str]:
    """Put the result of each step under its name in ``found``; returns the reasons of those that have none.

    Within a time limit the steps run in a process of its own, in their order. Each may take one of so many equal shares
    of the time that is left, and the last one all of it if nothing comes after; one that takes longer is stopped, and
    the next ones go on. An interrupt from the keyboard stops the clock.

    >>> found = {}
    >>> run_steps({"one": lambda: 1, "never": lambda: time.sleep(60)}, Clock.within(0.5), found), found
    ({'never': 'it takes too long'}, {'one': 1})
    """

    def reason_of(name: str) -> str | None:
        try:
            found[name] = steps[name]()
        except InputError as error:
            return f"it needs {error.expected}"
        except Refused as error:
            return f"the checker does not accept it: {error}"
        except MemoryError:
            return "it takes too much memory"
        return None

    def work(report: Callable[[Any], None]) -> None:
        if FORKS:
            resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
        for name in names:
            reason = reason_of(name)
            report((name, found.get(name), reason))

    names, left_out = list(steps), dict[str, str]()
    while names and clock.end is None:
        progress(names[0])
        if (name := names.pop(0)) and (reason := reason_of(name)):
            left_out[name] = reason
    try:
        while names and not clock.over:
            with Background(work, clock.left()) as process:
                progress(names[0])
                while names and (
                    results := process.results(clock.share(1 if last and len(names) == 1 else shares) or 0.0)
                ):
                    for name, value, reason in results:
                        names.remove(name)
                        if reason is None:
                            found[name] = value
                        else:
                            left_out[name] = reason
                    progress(names[0] if names else "")
                if names:
                    left_out[names.pop(0)] = "it takes too much memory" if process.done else "it takes too long"
    except KeyboardInterrupt:
        clock.end, clock.stopped = 0.0, True
    return left_out | dict.fromkeys(names, "stopped" if clock.stopped else "no time was left")


MOST_BITS = 64  # of a message
LARGE = 256  # rows or columns, beyond which no search runs where trivial bounds are exact; else it finds witnesses


@dataclass
class Question:
    """A matrix or a relation, who must know the answer, and how long the answer may take.

    ``error`` is a probability, or how far an entry may be off; ``rounds`` and ``first`` limit a deterministic protocol.
    ``known`` has, by place, the brackets of the measure that is being bounded.
    """

    subject: CommunicationMatrix | Relation
    answer: str = "both"
    seconds: float | None = None
    function: tuple[str, int] | None = None
    error: Fraction = Fraction(1, 3)
    bits: int | None = None
    rounds: int | None = None
    first: str | None = None
    progress: Callable[[str], None] | None = None
    clock: Clock = field(init=False)
    known: Known = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        if self.answer not in ("both", "alice", "bob"):
            raise InputError("answer", self.answer, "'both', 'alice' or 'bob'")
        if self.seconds is not None and not self.seconds > 0:
            raise InputError("seconds", self.seconds, "more than 0 seconds")
        if self.bits is not None and not 0 <= self.bits <= MOST_BITS:
            raise InputError("bits", self.bits, f"from 0 to {MOST_BITS}")
        if not 0 <= self.error < 1:
            raise InputError("error", str(self.error), "at least 0 and below 1")
        if 0 in self.subject.shape:
            raise InputError("matrix", self.subject, "at least one row and one column")
        self.clock = Clock.within(self.seconds)

    @property
    def matrix(self) -> CommunicationMatrix:
        if isinstance(self.subject, Relation):
            raise InputError("subject", self.subject, "a function: one answer for each pair of inputs")
        return self.subject

    @property
    def relation(self) -> Relation | None:
        return self.subject if isinstance(self.subject, Relation) else None

    @property
    def large(self) -> bool:
        return max(self.subject.shape) > LARGE

    @property
    def labels(self) -> range:
        return range(len(self.matrix.labels))


Known = dict[Hashable, Bracket]
"""Brackets by place: a label, a direction, a method."""

Step = Known | tuple[Hashable, Bracket] | None
"""First all trivial brackets; then a place and its bracket from now on; None, once, where searches begin."""


@dataclass(frozen=True)
class Measure:
    """How a measure is bounded: its brackets ``at_once``, and a ``search`` for better ones of one place.

    The first None of a search ends the quick steps; at a later None the other places have their turns before it goes
    on. ``whole`` is the bracket in place None, from those of all labels. A measure ``by_name`` is bounded only where it
    is asked for: its searches are long, and bound no bits of ours.
    """

    name: str
    at_once: Callable[[Question], Known]
    search: Callable[[Question, Any, Clock], Iterator[Bracket | None]]
    whole: Callable[[Question], Bracket] | None = None
    printed: tuple[str, ...] = ()
    by_name: bool = False

    def steps(self, question: Question) -> Iterator[Step]:
        known = question.known = self.at_once(question)
        yield dict(known)
        clocks = {place: Clock() for place in known}
        places = [place for place in known if not self._done(question, place)]
        running = {place: self.search(question, place, clocks[place]) for place in places}

        def take(place: Hashable, bracket: Bracket) -> Iterator[Step]:
            known[place] = best_of(known[place], bracket)
            yield place, known[place]
            if self.whole:
                known[None] = best_of(known[None], self.whole(question))
                yield None, known[None]

        quick = dict(running)
        while quick:
            for place, search in list(quick.items()):
                clocks[place].end = question.clock.end
                bracket = next(search, None)
                if bracket is None:
                    del quick[place]
                    continue
                yield from take(place, bracket)
                if self._done(question, place):
                    del quick[place], running[place]
        yield None
        while running:
            turns = list(running.items())
            for done, (place, search) in enumerate(turns):
                clocks[place].end = Clock.within(question.clock.share(len(turns) - done)).end
                for bracket in search:
                    if bracket is None:
                        break
                    yield from take(place, bracket)
                    if self._done(question, place):
                        del running[place]
                        break
                else:
                    del running[place]
                    reason = Open.TIME if clocks[place].over else Open.REACH
                    yield from take(place, replace(known[place], open=known[place].open or reason))

    def _done(self, question: Question, place: Hashable) -> bool:
        known = question.known[place]
        return question.large and known.exact and bool(known.upper_witness or known.unit == "rectangles")


MORE = 1.2  # times what it had is the least that a measure is asked again for
PATIENCE = 0.25  # of its share that a measure may take longer than it has
SPARE = 0.1  # of all the time is kept for work that cannot be stopped
SPARE_SECONDS = 0.25  # at most

Listener = Callable[[str], None]


def run_measures(
    question: Question,
    measures: Sequence[Measure],
    *,
    begun: Listener | None = None,
    stopped: Callable[[], None] | None = None,
) -> dict[str, tuple[Bracket, ...] | InputError]:
    """The brackets of each measure, or why it has none.

    Without a time limit everything is done to the end in this process. ``stopped`` is called if the keyboard stops the
    search, and the brackets so far are returned; without it, the interrupt goes on.
    """
    results, unfinished = {measure.name: _Result(question.progress) for measure in measures}, Open.TIME
    try:
        if question.clock.end is None:
            for measure in measures:
                if begun:
                    begun(measure.name)
                results[measure.name].take_all(measure.steps(question))
        else:
            _in_time(question, {measure.name: measure for measure in measures}, results, begun)
    except KeyboardInterrupt:
        if stopped is None:
            raise
        unfinished = Open.STOPPED
        stopped()
    several = {name: own.brackets(question, unfinished) for name, own in results.items() if own.error is None}
    rest = iter(consistent(bracket for own in several.values() for bracket in own))
    return {name: own.error or tuple(islice(rest, len(several[name]))) for name, own in results.items()}


@dataclass
class _Result:
    progress: Listener | None
    error: InputError | None = None
    known: Known = field(default_factory=dict)
    had: float = 0.0  # seconds that its last search was given
    since: float = field(default_factory=time.monotonic)  # its last bracket came, or its turn began
    spent: dict[Hashable, float] = field(default_factory=dict)  # seconds by place

    def take(self, place: Hashable, bracket: Bracket, quiet: bool = False) -> None:
        now = time.monotonic()
        self.spent[place] = self.spent.get(place, 0.0) + now - self.since
        self.since = now
        before = self.known.get(place)
        self.known[place] = best_of(before, bracket) if before else bracket
        if self.progress and not quiet:
            self.progress(f"{bracket.name}{' ' if bracket.exact else ': '}{bracket.amount('from {} to {}')}")

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
        """Its turn is over: all places share the time since the last bracket."""
        now = time.monotonic()
        for place in self.known:
            self.spent[place] = self.spent.get(place, 0.0) + (now - self.since) / len(self.known)
        self.since = now

    @property
    def late(self) -> bool:
        return self.error is None and any(not b.exact and b.open in (None, Open.TIME) for b in self.known.values())

    def brackets(self, question: Question, unfinished: Open) -> tuple[Bracket, ...]:
        relation = question.relation
        return tuple(
            replace(
                bracket,
                open=None if bracket.exact else bracket.open or unfinished,
                seconds=self.spent.get(place, 0.0),
                function=question.function,
                matrix=None if relation else question.matrix,
                relation=relation,
            )
            for place, bracket in self.known.items()
        )


Task = tuple[str, bool]
"""A measure, and whether it may search."""


def _in_time(
    question: Question, measures: Mapping[str, Measure], results: Mapping[str, _Result], begun: Listener | None
) -> None:
    """First without a search, then with; then again those that had too little, with the time that is left."""
    end = question.clock.end
    assert end is not None
    for name, own in results.items():
        own.take_all(islice(measures[name].steps(question), 1))
    names = [name for name, own in results.items() if own.error is None]
    tasks: list[Task] = [(name, True) for name in names]
    if len(names) > 1:  # else nobody waits for it
        made_ready()
        tasks = [(name, False) for name in names] + tasks
    while tasks:
        _ask(question, measures, results, tasks, begun)
        late = [name for name in names if results[name].late]
        share = (end - time.monotonic() - SPARE_SECONDS) / max(1, len(late))
        tasks = [(name, True) for name in late if MORE * results[name].had < share]


def _ask(
    question: Question,
    measures: Mapping[str, Measure],
    results: Mapping[str, _Result],
    tasks: list[Task],
    begun: Listener | None,
) -> None:
    end, asked = question.clock.end, copy(question)
    assert end is not None
    asked.progress = None  # the other process sends its words here
    while tasks and time.monotonic() < end:
        at, limit, finished = 0, Clock(end), False
        own = results[tasks[0][0]]
        own.since = time.monotonic()
        for kind, *sent in limit.run(Worker(asked, tuple(tasks), dict(measures))):
            if kind == "begin":
                own.rest()
                at, limit.end, share = sent
                own, searching = results[tasks[at][0]], tasks[at][1]
                own.since = time.monotonic()
                if searching:
                    own.had = share
                    if begun:
                        begun(tasks[at][0])
            elif kind == "bracket":
                place, bracket = sent
                own.take(place, bracket, not searching)
            elif kind == "refused":
                (own.error,) = sent
            elif kind == "progress" and question.progress:
                question.progress(*sent)
            finished = kind == "finished"
        own.rest()
        tasks = [] if finished else [task for task in tasks[at + 1 :] if results[task[0]].error is None]


@dataclass
class Worker:
    question: Question
    tasks: tuple[Task, ...]
    measures: dict[str, Measure]

    def __call__(self, report: Callable[[Any], None]) -> None:
        started: dict[str, tuple[Question, Iterator[Step]]] = {}
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
            quick = sum(not later for _, later in self.tasks[place:])  # those before that hang leave time to each
            report(("begin", place, late if searching else max(late, now + (end - now) / max(2, quick / 2)), share))
            if name not in started:
                asked = copy(self.question)  # with what is known of it
                asked.clock = Clock(last)
                asked.progress = lambda text: report(("progress", text))
                started[name] = asked, self.measures[name].steps(asked)
            asked, steps = started[name]
            asked.clock.end = now + (share if searching else max(share, (last - now) / 2))  # quick steps are not many
            try:
                for step in steps:
                    if isinstance(step, tuple):
                        report(("bracket", *step))
                    elif step is None and not searching:
                        break
            except InputError as error:
                refused.add(name)
                report(("refused", error))
        report(("finished",))
