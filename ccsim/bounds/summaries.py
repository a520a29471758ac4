"""All bounds on one function, as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from typing import Any

from ccsim.bounds.bracket import Bracket, best_of, in_bits, one_tree
from ccsim.bounds.measures import MEASURES, asked_for, main_bracket, question_about
from ccsim.bounds.scheduler import run_measures
from ccsim.bounds.statements import booktabs
from ccsim.certificates.verify.certificates import with_unit
from ccsim.certificates.verify.claims import bits_for
from ccsim.errors import InputError
from ccsim.matrices import Relation
from ccsim.plain_data import aligned, table_text
from ccsim.problems.function import Subject, TwoPartyFunction

COLUMNS = ("measure", "lower", "upper", "exact", "unit", "method", "seconds")


@dataclass(frozen=True, eq=False)
class Summary:
    """The best bracket of each measure, and why others are missing.

    Attributes:
        brackets: one for each measure, with the best of both sides by any method (see
            :func:`ccsim.bounds.main_bracket` for the label and the direction that represent a measure).
        missing: by measure, why there is none.
        details: by measure, all its brackets: each label, direction, field and method.
        name: of what is bounded.
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


def bracket_table(brackets: Iterable[Bracket], form: str = "latex") -> str:
    r"""Brackets as a table: in ``latex``, with values, methods and sources; or in ``markdown`` or ``csv``.

    The LaTeX needs ``\usepackage{booktabs,amsmath}``.

    >>> from ccsim.bounds import deterministic
    >>> print(*bracket_table([deterministic([[1, 0], [0, 1]])]).split("\n")[4:6], sep="\n")
    deterministic & $D(f) = 2$ bits & rank of the leaves & protocol tree & \cite{yao1979,kushilevitz1997} \\
    \bottomrule
    """
    every = Summary("", tuple(brackets))
    return booktabs(every.brackets) if form == "latex" else table_text(form, COLUMNS, every.cells())


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
    order; ``"all"`` represents all that are not in ``BY_NAME``. ``error`` is allowed where there are coins, ``bits``
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


NAMES = {
    "deterministic": "deterministic communication complexity",
    "leaves": "least number of leaves of a protocol tree",
    "one-way": "deterministic one-way complexity",
    "one-way-randomised": "one-way complexity with public coins",
    "fooling-set": "size of the largest fooling set",
    "cover": "cover number",
    "biclique-cover": "biclique cover number",
    "biclique-partition": "biclique partition number",
    "fractional-cover": "fractional cover number",
    "matrix-rank": "rank over the rationals",
    "partition": "partition number",
    "least-discrepancy": "discrepancy under the hardest distribution",
    "discrepancy": "discrepancy under the uniform distribution",
    "randomised": "randomised complexity with public coins",
    "one-way success": "best success probability of one message",
    "quantum": "quantum complexity with shared entanglement",
    "blackboard": "deterministic complexity at a blackboard",
}
"""Measures as a sentence names them; others are called there as in tables."""


def answer_in_words(name: str, bracket: Bracket) -> str:
    """What is known of one measure, in a sentence.

    >>> from ccsim.problems import equality
    >>> from ccsim.bounds.measures import deterministic
    >>> answer_in_words("equality(2)", deterministic(equality(2)))
    'The deterministic communication complexity of equality(2) is exactly 3 bits.'
    """
    measure, _, given = bracket.name.partition(" (")
    about = f" ({given}" if given else ""
    if bracket.exact:
        value = f"exactly {with_unit(bracket.lower, bracket.unit)}"
    elif bracket.upper is None:
        value = f"at least {with_unit(bracket.lower, bracket.unit)}; no upper bound is known"
    else:
        most = with_unit(str(bracket.upper), bracket.unit)
        value = f"at least {bracket.lower} and at most {most}; the exact value is open"
    return f"The {NAMES.get(measure, measure)}{about} of {name} is {value}."


def textbook_rows(details: dict[str, tuple[Bracket, ...]]) -> list[Bracket]:
    """A row for each measure of a textbook: both directions, both answers; then what follows of nondeterministic
    protocols and of private coins. What is open comes last.
    """
    rows: list[Bracket] = []
    for measure, own in details.items():
        each = measure.startswith("one-way") or (measure == "cover" and len(own) < 3)
        found = own if each else [_best(measure, own)]
        rows += found
        if measure == "cover":
            rows += [in_bits(one, "nondeterministic") for one in found]
        certain = details.get("deterministic", ())
        rows += [private_coins(one, certain) for one in found if measure == "randomised"]
    return sorted(rows, key=lambda one: not one.exact)


PRIVATE = "randomised, private coins"


def private_coins(public: Bracket, certain: Iterable[Bracket] = ()) -> Bracket:
    """The bracket with private coins of that with public ones, which are no weaker, and of those without coins.

    Alice draws one of k protocols by a coin of her own and names it, which takes ceil(log2(k)) bits.
    """
    above = public.above
    if above.value is not None and above.witness is not None:  # else a protocol without coins
        above = above._replace(value=above.value + bits_for(len(above.witness["trees"])))
    private = replace(public, measure=PRIVATE, above=above)
    for one in certain:
        if one.parameters.get("answer") == "both" and one.upper_witness:
            private = private.at_most(*one_tree(one))
    return private


CONVERSATIONS = ("deterministic", "leaves", "randomised", "quantum")
KNOWN = {"both": "Both parties know", "alice": "Alice knows", "bob": "Bob knows"}


def conventions(brackets: Iterable[Bracket]) -> str:
    every, notes = tuple(brackets), list[str]()
    talks = [one for one in every if one.measure in CONVERSATIONS]
    if talks:
        notes.append(f"{KNOWN[talks[0].parameters.get('answer', 'both')]} the answer at the end")
    if any(one.measure == "blackboard" for one in every):
        notes.append("All parties know the answer at the end")
    if any(one.measure.startswith("one-way") for one in every):
        notes.append("after one message its receiver does" if talks else "The receiver of the message knows the answer")
    errors = (one.parameters.get("error") for one in every if "smooth" not in one.parameters)
    if error := next(filter(None, errors), None):
        notes.append(f"the error is at most {error}")
    if any(one.matrix is not None and not one.matrix.is_total for one in every):
        notes.append("any answer is right at an undefined entry")
    return "; ".join(notes)


def _best(measure: str, brackets: tuple[Bracket, ...]) -> Bracket:
    best = reduce(lambda best, bracket: best_of(bracket, best), brackets, main_bracket(measure, brackets))
    return replace(best, seconds=sum(bracket.seconds for bracket in brackets))
