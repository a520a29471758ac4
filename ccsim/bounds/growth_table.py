"""How the measures of a family of functions grow: their brackets at several sizes, beside n, log n and sqrt n."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import partial
from textwrap import wrap
from typing import Any

from ccsim.bounds.bracket import Bracket, Open, Value, short_label
from ccsim.bounds.summaries import Summary, conventions, summary
from ccsim.errors import InputError, TableTooLargeError, require_integer
from ccsim.matrices import Relation
from ccsim.plain_data import aligned
from ccsim.problems.catalogue import Problem, find_problem, full_name
from ccsim.problems.function import MultipartyFunction, TwoPartyFunction
from ccsim.problems.own_functions import of_size
from ccsim.problems.textbook import RELATIONS

BESIDE: dict[str, Callable[[int], float]] = {"n": float, "log2 n": math.log2, "sqrt n": math.sqrt}
"""What the values are set beside."""
DIGITS = 3  # of a fraction that is too long to be written out
LONG = 7  # characters of such a fraction
WIDTH = 80
LEAST = 0.1  # seconds for the last size, if its rule took all that was left


@dataclass(frozen=True, eq=False)
class GrowthTable:
    """The brackets of some measures of a family at several sizes.

    Attributes:
        name: of the family, or of its last member.
        summaries: by size, all brackets there.
        missing: by size, why there are none.
    """

    name: str
    summaries: dict[int, Summary] = field(default_factory=dict)
    missing: dict[int, str] = field(default_factory=dict)

    def rows(self) -> list[dict[str, Any]]:
        """For each measure its name, its unit and its bracket at each size, as plain data."""
        return [
            {
                "measure": measure,
                "unit": next(iter(own.values())).unit,
                "values": [{"n": n, **bracket.to_json()} for n, bracket in own.items()],
            }
            for measure, own in self.by_measure().items()
        ]

    def by_measure(self) -> dict[str, dict[int, Bracket]]:
        """By measure and size, the bracket that represents the measure."""
        found: dict[str, dict[int, Bracket]] = {}
        for n, one in sorted(self.summaries.items()):
            for bracket in one.brackets:
                found.setdefault(bracket.measure, {})[n] = bracket
        return found

    def cells(self) -> list[list[str]]:
        """The sizes, then a row for each measure, and for n, log n and sqrt n."""
        found, sizes = self.by_measure(), sorted(self.summaries)
        rows = [["", f"n = {sizes[0]}", *map(str, sizes[1:])]]
        for own in found.values():
            rows.append([f"{_named(own)}{_label(own.values())}", *(shown(own[n]) if n in own else "-" for n in sizes)])
        return rows + [[name, *(f"{value(n):.3g}" for n in sizes)] for name, value in BESIDE.items()]

    def text(self, width: int = WIDTH) -> str:
        """The table in lines of at most so many characters; the sizes that do not fit are in tables below."""
        first, *columns = zip(*self.cells(), strict=True)
        parts = list[list[tuple[str, ...]]]()
        left = 0
        for column in columns:
            wide = 2 + max(map(len, column))
            if wide > left or not parts:
                parts.append([])
                left = width - max(map(len, first))
            parts[-1].append(column)
            left -= wide
        tables = [
            "\n".join(aligned(list(zip(first, *part, strict=True)), right=range(1, len(part) + 1))) for part in parts
        ]
        before, after = (["\n".join(wrap(note, width)) for note in notes] for notes in (self._answer(), self._notes()))
        return "\n".join([*before, "\n\n".join(tables), *after])

    def _answer(self) -> Iterator[str]:
        for own in self.by_measure().values():
            values = ", ".join(map(shown, own.values()))
            unit = next(iter(own.values())).unit
            yield f"{self.name}: {_named(own)} {values} {unit}".rstrip() + f" at n = {', '.join(map(str, own))}"
            return

    def _notes(self) -> Iterator[str]:
        every = [bracket for one in self.summaries.values() for bracket in one.brackets]
        if any(not bracket.exact for bracket in every):
            yield "a..b is at least a and at most b, both proved; a single value is exact"
        if convention := conventions(every):
            yield convention
        if any("direction" in bracket.parameters for bracket in every):
            yield "One message goes from Alice to Bob"
        reasons = {name: why for one in self.summaries.values() for name, why in one.missing.items()}
        yield from (f"{name}: {why}" for name, why in reasons.items())
        yield from (f"n = {n}: {why}" for n, why in self.missing.items())

    def __str__(self) -> str:
        return self.text()


def _named(own: dict[int, Bracket]) -> str:
    return next(iter(own.values())).name.partition(" (")[0]


def _label(brackets: Iterable[Bracket]) -> str:
    labels = {short_label(one.parameters["label"]) for one in brackets if one.parameters.get("code") is not None}
    return f" (label {labels.pop()})" if len(labels) == 1 else ""


def shown(bracket: Bracket) -> str:
    """A value, or both sides of a bracket; sides that are rounded are rounded outwards.

    >>> from ccsim.bounds.bracket import Side
    >>> shown(Bracket("leaves", Side(3), Side(5))), shown(Bracket("discrepancy", Side(Fraction(1000, 3001))))
    ('3..5', '>=0.333')
    """
    if bracket.upper is None:
        return f">={_rounded(bracket.lower, ROUND_FLOOR)}"
    if bracket.exact:
        text = _rounded(bracket.lower, ROUND_HALF_EVEN)
        return text if Fraction(text) == bracket.lower else f"≈{text}"
    return f"{_rounded(bracket.lower, ROUND_FLOOR)}..{_rounded(bracket.upper, ROUND_CEILING)}"


def _rounded(value: Value, how: str) -> str:
    if len(str(value)) <= LONG or isinstance(value, int):
        return str(value)
    return str(Context(prec=DIGITS, rounding=how).divide(Decimal(value.numerator), Decimal(value.denominator)))


def growth(
    family: Any,
    sizes: Iterable[int],
    *,
    measures: Sequence[str] = ("all",),
    seconds: float | None = 30.0,
    progress: Callable[[str], None] | None = None,
    finished: Callable[[GrowthTable], None] | None = None,
    stopped: Callable[[], None] | None = None,
    **given: Any,
) -> GrowthTable:
    """The brackets of a family at several sizes, small ones first.

    Args:
        family: a rule f(x, y) as for :func:`ccsim.function`, a function of n that gives a two-party function, a
            relation or a matrix, or the name of a problem.
        sizes: the n, such as ``range(2, 7)``.
        measures: as for :func:`summary`; other arguments (answer, error, bits) are likewise its own.
        seconds: for all sizes together (None: without a limit). Each size gets an equal share of what is left, and
            time that some do not need goes to others.
        progress: called with what is being done.
        finished: called with the table so far after each size.
        stopped: called if the keyboard stops the search; the table so far is returned.

    A size at which there is no function, or none that fits into memory, is listed as missing.

    >>> print(growth(lambda x, y: x == y, [1, 2, 3], measures=["deterministic"]))
    f: deterministic 2, 3, 4 bits at n = 1, 2, 3
                   n = 1     2     3
    deterministic      2     3     4
    n                  1     2     3
    log2 n             0     1  1.58
    sqrt n             1  1.41  1.73
    Both parties know the answer at the end
    """
    wanted = sorted({require_integer("sizes", n, low=1) for n in sizes})
    if not wanted:
        raise InputError("sizes", wanted, "one size or more, such as range(2, 7)")
    member, table = _member_of(family), GrowthTable(_name_of(family))
    end, halted, refused = None if seconds is None else time.monotonic() + seconds, list[bool](), list[ValueError]()

    def halt() -> None:
        halted.append(True)
        if stopped is not None:
            stopped()

    halting: dict[str, Any] = {} if stopped is None else {"stopped": halt}
    agenda, had, late = list(wanted), dict[int, float](), list[int]()
    while agenda and not halted:
        n = agenda.pop(0)
        left = math.inf if end is None else end - time.monotonic()
        share = max(LEAST, left) / (len(agenda) + 1)
        if left <= 0 and table.summaries:
            table.missing.update({} if n in table.summaries else {n: "out of time"})
        elif share > had.get(n, 0):
            try:
                found = summary(
                    _of_two_parties(member, n),
                    measures=measures,
                    seconds=None if end is None else share,
                    progress=None if progress is None else partial(_at_size, progress, n),
                    **halting,
                    **given,
                )
                table.summaries[n] = found
                if n not in had and any(one.open == Open.TIME and not one.exact for one in found.brackets):
                    late.append(n)
            except (InputError, TableTooLargeError) as error:
                table.missing[n] = str(error)
                refused.append(error)
            except KeyboardInterrupt:  # while the rule is asked
                if stopped is None:
                    raise
                halt()
            had[n] = share
            if finished is not None and table.summaries:
                finished(table)
        if not agenda:  # time that larger ones left over
            agenda, late = late, []
    if refused and not table.summaries:
        raise refused[0]
    return table


def _member_of(family: Any) -> Callable[..., Any]:
    """The rule of a family, or its function of n."""
    member = family
    if isinstance(family, str):
        relation = RELATIONS.get(full_name(family))
        member = find_problem(family) if relation is None else relation[1]
    member = member.build if isinstance(member, Problem) else member
    if isinstance(member, MultipartyFunction) or not callable(member):
        raise InputError("family", member, "a rule f(x, y), or a function of n, not one function alone")
    return member


def _of_two_parties(member: Callable[..., Any], n: int) -> TwoPartyFunction | Relation:
    function = of_size(member, n)
    if not isinstance(function, TwoPartyFunction | Relation):
        raise InputError("family", function.name, "functions of two parties")
    return function


def _at_size(progress: Callable[[str], None], n: int, text: str) -> None:
    progress(f"n = {n}: {text}")


def _name_of(family: Any) -> str:
    name = family if isinstance(family, str) else getattr(family, "name", getattr(family, "__name__", "f"))
    return str(name).replace("<lambda>", "f")
