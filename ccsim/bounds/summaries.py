"""All bounds on one function, as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from typing import Any

from ccsim.bounds.bracket import Bracket, best_of
from ccsim.bounds.measures import MEASURES, asked_for, main_bracket, question_about
from ccsim.bounds.scheduler import run_measures
from ccsim.errors import InputError
from ccsim.matrices import Relation
from ccsim.plain_data import aligned
from ccsim.problems.function import Subject, TwoPartyFunction

COLUMNS = ("measure", "lower", "upper", "exact", "unit", "method", "seconds")


@dataclass(frozen=True, eq=False)
class Summary:
    """The best bracket of each measure, and why others are missing.

    Attributes:
        brackets: one for each measure, with the best of both sides by any method (see
            :func:`ccsim.bounds.main_bracket` for the label and the direction that stand for a measure).
        missing: by measure, why there is none.
        details: by measure, all its brackets: each label, direction, field and method.
    """

    name: str
    brackets: tuple[Bracket, ...] = field(repr=False)
    missing: dict[str, str] = field(default_factory=dict)
    details: dict[str, tuple[Bracket, ...]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, name: str, brackets: Iterable[Bracket], missing: dict[str, str]) -> Summary:
        """A summary of brackets, of which several may be of one measure."""
        details: dict[str, tuple[Bracket, ...]] = {}
        for bracket in brackets:
            details[bracket.measure] = (*details.get(bracket.measure, ()), bracket)
        return cls(name, tuple(_best(measure, own) for measure, own in details.items()), missing, details)

    def rows(self) -> list[dict[str, Any]]:
        """One row per measure, as plain data, with the rows of all its brackets as ``detail``."""
        return [
            {**bracket.to_json(), "detail": [one.to_json() for one in self.details[bracket.measure]]}
            for bracket in self.brackets
        ]

    def __str__(self) -> str:
        table = [row.rstrip() for row in aligned([COLUMNS, *self.cells()])]
        notes = filter(None, [conventions(self.brackets)])
        return "\n".join([self.name, *table, *notes, *(f"{name}: {why}" for name, why in self.missing.items())])

    @property
    def columns(self) -> tuple[str, ...]:
        """The headings of the table."""
        return COLUMNS

    def cells(self) -> list[tuple[str, ...]]:
        """The table, a row for each bracket."""
        return [
            (
                bracket.name,
                str(data["lower"]),
                "?" if data["upper"] is None else str(data["upper"]),
                "yes" if bracket.exact else "no",
                bracket.unit or "-",
                bracket.method,
                f"{bracket.seconds:.2f}",
            )
            for bracket, data in ((one, one.to_json()) for one in self.brackets)
        ]


def summary(
    subject: Subject | Relation,
    *,
    measures: Sequence[str] = ("all",),
    answer: str = "both",
    error: Fraction | str = Fraction(1, 3),
    bits: int | None = None,
    seconds: float | None = 30.0,
    progress: Callable[[str], None] | None = None,
    stopped: Callable[[], None] | None = None,
) -> Summary:
    """Every usual measure, or those that are named, within so many seconds in all (None: without a limit).

    First each measure returns its trivial brackets; then the time that is left is divided equally among the measures
    that are left, and time that they do not need goes to those that had too little. ``measures`` are names in any
    order; ``"all"`` stands for all that are not in ``BY_NAME``. ``error`` is allowed where there are coins, ``bits``
    are those of a message whose success is asked for. ``progress`` is called with the measure that is searched and
    its bracket. ``stopped`` is called if the keyboard stops the search, and the brackets so far are returned; without
    it, the interrupt goes on.

    >>> from ccsim.problems import equality
    >>> next(one for one in summary(equality(2)).brackets if one.measure == "deterministic").exact
    True
    >>> [one.measure for one in summary(equality(2), measures=["cover", "fooling"]).brackets]
    ['fooling-set', 'cover']
    """
    question, place = question_about(subject, answer, seconds, error, bits), [0]
    usual, named = "all" in measures, {asked_for(name) for name in measures if name != "all"}
    chosen = [measure for measure in MEASURES.values() if measure.name in named or (usual and not measure.by_name)]
    names = [measure.name for measure in chosen]

    def report(text: str) -> None:
        if progress:
            progress(f"{place[0]} of {len(names)}, {text}")

    def begun(name: str) -> None:
        place[0] = names.index(name) + 1
        report(name)

    question.progress = report
    results = run_measures(question, chosen, begun=begun, stopped=stopped)
    missing = {name: f"needs {one.expected}" for name, one in results.items() if isinstance(one, InputError)}
    brackets = [bracket for one in results.values() if not isinstance(one, InputError) for bracket in one]
    title = subject.name if isinstance(subject, TwoPartyFunction) else repr(question.subject)
    return Summary.of(title, brackets, missing)


CONVERSATIONS = ("deterministic", "leaves", "randomised", "quantum")
KNOWN = {"both": "both parties know", "alice": "Alice knows", "bob": "Bob knows"}


def conventions(brackets: Iterable[Bracket]) -> str:
    every, notes = tuple(brackets), list[str]()
    talks = [one for one in every if one.measure in CONVERSATIONS]
    if talks:
        notes.append(f"{KNOWN[talks[0].parameters.get('answer', 'both')]} the answer at the end")
    if any(one.measure == "blackboard" for one in every):
        notes.append("all parties know the answer at the end")
    if any(one.measure.startswith("one-way") for one in every):
        notes.append("of one message its receiver does" if talks else "the receiver of the message knows the answer")
    if any(one.matrix is not None and not one.matrix.is_total for one in every):
        notes.append("any answer is right for an undefined entry")
    return "; ".join(notes)


def _best(measure: str, brackets: tuple[Bracket, ...]) -> Bracket:
    best = reduce(lambda best, bracket: best_of(bracket, best), brackets, main_bracket(measure, brackets))
    return replace(best, seconds=sum(bracket.seconds for bracket in brackets))
