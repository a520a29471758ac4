"""All answers in time: measures are asked in a process that is ended when they are late, and what they told stands.

First each measure says what it can without a search, then each has an equal share of the time that is left. One that
exceeds its share by much is stopped, and the others go on in another process. What some did not need is given to those
that had too little, as long as that is more than they had.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from ccsim.bounds.asking import SPARE_SECONDS, Asking, Task
from ccsim.bounds.bracket import Bracket
from ccsim.bounds.consistent import consistent
from ccsim.bounds.findings import Found
from ccsim.bounds.question import LATE, STOPPED, Answer, Question
from ccsim.bounds.solvers import made_ready
from ccsim.errors import InputError

MORE = 1.2  # times what it had is the least that a measure is asked again for

Answers = dict[str, tuple[Bracket, ...] | InputError]


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
        said: is told now and then what is being tried, and what is known.
        stopped: is called if the keyboard stops the search; what was found by then is returned. Without it, the
            interrupt goes on.
    """
    found, unfinished = {name: Found() for name in names}, LATE
    spent = dict.fromkeys(names, 0.0)
    try:
        if question.clock.end is None:
            for name in names:
                if asking:
                    asking(name)
                start = time.monotonic()
                found[name].take_all(questions[name](question, said), said)
                found[name].ended = True
                spent[name] = time.monotonic() - start
        else:
            all_asked = Asking(question, questions, found, asking, said)
            spent = all_asked.spent
            _in_time(all_asked)
    except KeyboardInterrupt:
        if stopped is None:
            raise
        unfinished = STOPPED
        stopped()
    return _consistent(
        {name: one.error or _taking(one.brackets(question, unfinished), spent[name]) for name, one in found.items()}
    )


def _taking(brackets: tuple[Bracket, ...], seconds: float) -> tuple[Bracket, ...]:
    """The brackets of a measure, whose seconds add up to those that it took."""
    counted = sum(one.seconds for one in brackets)
    if counted > seconds:
        return tuple(replace(one, seconds=one.seconds * seconds / counted) for one in brackets)
    return tuple(replace(one, seconds=one.seconds + (seconds - counted) / len(brackets)) for one in brackets)


def _consistent(answers: Answers) -> Answers:
    """Each bracket with what those of other measures prove of it."""
    several = {name: own for name, own in answers.items() if not isinstance(own, InputError)}
    rest = iter(consistent(bracket for own in several.values() for bracket in own))
    return answers | {name: tuple(islice(rest, len(own))) for name, own in several.items()}


def _in_time(asking: Asking) -> None:
    """First without a search, then with; then again those that had too little, with what the others have left."""
    question, found = asking.question, asking.found
    end = question.clock.end
    assert end is not None
    for name, one in found.items():
        start = time.monotonic()
        one.take_all(islice(asking.questions[name](question, None), 1))
        asking.spent[name] += time.monotonic() - start
    names = [name for name, one in found.items() if one.error is None]
    tasks: list[Task] = [(name, True) for name in names]
    if len(names) > 1:  # else nobody waits for it
        made_ready()
        tasks = [(name, False) for name in names] + tasks
    while tasks:
        asking.ask(tasks)
        late = [name for name in names if found[name].late]
        share = (end - time.monotonic() - SPARE_SECONDS) / max(1, len(late))
        tasks = [(name, True) for name in late if MORE * asking.had[name] < share]
