"""What measures have told so far: brackets, each with the best of its sides, and why those that are open are so."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.question import LATE, REACH, Question, Steps
from ccsim.errors import InputError


def so_far(bracket: Bracket) -> str:
    """What is known, for a line of progress.

    >>> so_far(Bracket("cover", 2, 4, "", parameters={"code": 1, "label": "1"}, unit="rectangles"))
    'cover (label 1): from 2 to 4 rectangles'
    """
    return f"{bracket.name}{' ' if bracket.exact else ': '}{bracket.amount('from {} to {}')}"


def best_of(old: Bracket, new: Bracket) -> Bracket:
    """The new bracket, with a side of the old one where that is better, as it may be after a new start.

    Why the new one is open is said of both sides together only if they are still apart.

    >>> late = Bracket("randomised", 1, 3, "discrepancy | naming a line, out of time")
    >>> best_of(Bracket("randomised", 3, None, "gamma_2"), late).method
    'gamma_2 | naming a line'
    """
    below = old.lower > new.lower
    above = old.upper is not None and (new.upper is None or old.upper < new.upper)
    if old.parameters != new.parameters or not (below or above):
        return new
    first, second = ((old if better else new) for better in (below, above))
    reason = "" if first.lower == second.upper else "".join(new.method.partition(", out of ")[1:])
    below_by, above_by = (one.method.partition(", out of ")[0] for one in (first, second))
    method = f"{below_by.partition(' | ')[0]} | {above_by.rpartition(' | ')[2]}{reason}"
    sides: dict[str, Any] = {"lower": first.lower, "lower_witness": first.lower_witness}
    sides |= {"upper": second.upper, "upper_witness": second.upper_witness}
    return replace(new, method=method, **sides)


class Found:
    """What a measure has told so far.

    Attributes:
        error: why it cannot be answered.
        ended: whether it came to its end, so that nothing is missing.
    """

    def __init__(self) -> None:
        self.error: InputError | None = None
        self.ended = False
        self._known: dict[Hashable, tuple[Bracket, bool]] = {}

    def take(self, place: Hashable, bracket: Bracket | None, final: bool) -> None:
        """A bracket in its place, or that there is none; and whether it is the last one."""
        if bracket is None:
            self._known.pop(place, None)
        else:
            before = self._known.get(place)
            self._known[place] = best_of(before[0], bracket) if before else bracket, final

    def take_all(self, steps: Steps, said: Callable[[str], None] | None = None) -> None:
        """All steps, or as many as there are."""
        try:
            for step in steps:
                if isinstance(step, dict):
                    self._known = {place: (bracket, False) for place, bracket in step.items()}
                elif step is not None:
                    self.take(*step)
                    if said and step[1] is not None:
                        said(so_far(step[1]))
        except InputError as error:
            self.error = error

    @property
    def late(self) -> bool:
        """Whether more time may bring more."""
        return self.error is None and any(
            not bracket.exact and (bracket.method.endswith(LATE) or not (final or self.ended))
            for bracket, final in self._known.values()
        )

    def brackets(self, question: Question, unfinished: str = LATE) -> tuple[Bracket, ...]:
        """Those that are open say why: they were not finished, or their methods can do no more."""
        return tuple(
            replace(
                bracket,
                method=_with_reason(bracket, REACH if final or self.ended else unfinished),
                matrix=None if question.relation else question.matrix,
                relation=question.relation,
                function=question.function,
            )
            for bracket, final in self._known.values()
        )


def _with_reason(bracket: Bracket, reason: str) -> str:
    """The method, and why the bracket is open, unless it is not or says so already."""
    if bracket.exact:
        return bracket.method.removesuffix(LATE)
    both = " of both" if reason == REACH and " | " in bracket.method else ""
    return bracket.method + ("" if "out of " in bracket.method else reason + both)
