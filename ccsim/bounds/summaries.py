"""All bounds on one function, as a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ccsim.bounds.answers import answered
from ccsim.bounds.bracket import Bracket
from ccsim.bounds.measures import MEASURES, question_about
from ccsim.errors import InputError
from ccsim.problems.function import TwoPartyFunction
from ccsim.problems.subject import Subject
from ccsim.relations import Relation

__all__ = ["Summary", "summary"]

COLUMNS = ("measure", "lower", "upper", "exact", "unit", "method", "seconds")


@dataclass(frozen=True, eq=False)
class Summary:
    """Brackets of all measures that finished in time, and why others are missing."""

    name: str
    brackets: tuple[Bracket, ...] = field(repr=False)
    missing: dict[str, str] = field(default_factory=dict)

    def rows(self) -> list[dict[str, Any]]:
        """One row per bracket, as plain data."""
        return [bracket.to_json() for bracket in self.brackets]

    def __str__(self) -> str:
        lines = [COLUMNS, *self.cells()]
        widths = [max(len(line[place]) for line in lines) for place in range(len(COLUMNS))]
        text = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
        ]
        return "\n".join([self.name, *text, *(f"{name}: {why}" for name, why in self.missing.items())])

    @property
    def columns(self) -> tuple[str, ...]:
        """The heads of the table."""
        return COLUMNS

    def cells(self) -> list[tuple[str, ...]]:
        """The table, a row for each bracket."""
        return [_cells(bracket) for bracket in self.brackets]


def summary(
    subject: Subject | Relation,
    *,
    answer: str = "both",
    seconds: float = 30.0,
    progress: Callable[[str], None] | None = None,
    stopped: Callable[[], None] | None = None,
) -> Summary:
    """Every measure, within so many seconds in all: a table of lower, upper, exact, method, seconds.

    First each measure says what it can without a search; then the time that is left is divided equally among the
    measures that are left. ``progress`` is told the name of each measure as its search begins. ``stopped`` is called
    if the keyboard stops it, and what is proved by then is returned; without it, the interrupt goes on.

    >>> from ccsim.problems import equality
    >>> found = summary(equality(2))
    >>> next(bracket for bracket in found.brackets if bracket.measure == "deterministic").exact
    True
    """
    if not seconds > 0:
        raise InputError("seconds", seconds, "more than 0 seconds")
    question = question_about(subject, answer, seconds)
    found = answered(question, list(MEASURES), MEASURES, asking=progress, stopped=stopped)
    missing = {name: f"needs {one.expected}" for name, one in found.items() if isinstance(one, InputError)}
    brackets = [bracket for one in found.values() if not isinstance(one, InputError) for bracket in one]
    title = subject.name if isinstance(subject, TwoPartyFunction) else repr(question.subject)
    return Summary(title, tuple(brackets), missing)


def _cells(bracket: Bracket) -> tuple[str, ...]:
    data = bracket.to_json()
    upper = "?" if data["upper"] is None else str(data["upper"])
    exact = "yes" if bracket.exact else "no"
    return (
        bracket.name,
        str(data["lower"]),
        upper,
        exact,
        bracket.unit or "-",
        bracket.method,
        f"{bracket.seconds:.2f}",
    )
