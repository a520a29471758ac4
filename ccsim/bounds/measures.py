"""Every measure by name: what ``ccsim bounds --measure`` and :func:`ccsim.bounds.brackets_of` can be asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from ccsim.arguments import require_fraction
from ccsim.bounds.answers import answered
from ccsim.bounds.bracket import Bracket
from ccsim.bounds.factor_ranks import approximate_rank_steps, nonnegative_rank_steps, sign_rank_steps
from ccsim.bounds.question import Answer, Question
from ccsim.bounds.steps import (
    cover_steps,
    deterministic_steps,
    discrepancy_steps,
    fooling_steps,
    leaf_steps,
    one_way_steps,
    partition_steps,
    quantum_steps,
    randomised_steps,
    rank_steps,
    success_steps,
)
from ccsim.errors import InputError
from ccsim.problems.catalogue import PROBLEMS, find_problem
from ccsim.problems.function import Subject, TwoPartyFunction, matrix_of
from ccsim.relations import Relation

MOST_NAMED = 64


def question_about(
    subject: Subject | Relation,
    answer: str = "both",
    seconds: float | None = None,
    error: Fraction | str = Fraction(1, 3),
    bits: int | None = None,
) -> Question:
    """A question about a two-party function, its matrix, rows of its cells, or a relation."""
    named = _named(subject) if isinstance(subject, TwoPartyFunction) else None
    about = subject if isinstance(subject, Relation) else matrix_of(subject)
    return Question(about, answer, seconds, named, require_fraction("error", error), bits)


def asked_for(name: str) -> str:
    """The key in :data:`MEASURES` of a measure, which may be named as tables print it.

    >>> asked_for("fooling-set"), asked_for("cover (label 0)"), asked_for("rank")
    ('fooling', 'cover', 'rank')
    """
    plain = name.partition(" (")[0]
    found = PRINTED.get(plain, plain)
    if found not in MEASURES:
        raise InputError("measure", name, f"one of {', '.join([*MEASURES, *PRINTED])}")
    return found


def brackets_of(
    subject: Subject | Relation,
    measure: str,
    *,
    answer: str = "both",
    seconds: float | None = None,
    error: Fraction | str = Fraction(1, 3),
    bits: int | None = None,
    progress: Callable[[str], None] | None = None,
    stopped: Callable[[], None] | None = None,
) -> tuple[Bracket, ...]:
    """All brackets of one measure: one per direction, label or method, as the measure has them.

    ``seconds`` is a limit that is kept, by a process of its own; what is proved by then is returned, never nothing,
    and the method of a bracket that could have been better says ``out of time``. ``stopped`` is called if the keyboard
    stops the search, and what is proved by then is returned; without it, the interrupt goes on. Measures are those of
    :data:`MEASURES`. ``error``, such as ``"1/4"``, is for those that allow one: with public coins, or qubits, and of
    an approximation; ``bits`` are those of a message whose success is asked for. ``progress`` is told
    now and then what is known. Raises :class:`~ccsim.errors.InputError` for a measure that a matrix does not have (such
    as the rank of a partial matrix).

    >>> from ccsim.problems import disjointness
    >>> [str(bracket) for bracket in brackets_of(disjointness(3), "deterministic")]
    ['deterministic = 4 bits (leaf-rank | protocol tree)']
    """
    measure = asked_for(measure)
    question = question_about(subject, answer, seconds, error, bits)
    found = answered(question, [measure], MEASURES, said=progress, stopped=stopped)[measure]
    if isinstance(found, InputError):
        raise found
    return found


def deterministic(
    subject: Subject | Relation,
    *,
    answer: str = "both",
    rounds: int | None = None,
    first: str | None = None,
    seconds: float | None = None,
    progress: Callable[[str], None] | None = None,
) -> Bracket:
    """D(f): the least worst-case bits of a deterministic protocol, exactly, or a bracket when time runs out.

    Args:
        subject: a two-party function, its matrix, rows of cells (multi-valued or partial, too), or a relation.
        answer: who must know the answer: ``both``, ``alice`` or ``bob``.
        rounds: at most so many rounds.
        first: with ``rounds``, who opens.
        seconds: a limit on the search.
        progress: is told now and then what is being tried.

    The lower witness is a refutation of one bit less (a proof graph), the upper one a protocol tree;
    ``bracket.protocol_tree`` draws and runs, ``bracket.certificate`` holds both.

    >>> from ccsim.problems import equality
    >>> found = deterministic(equality(2))
    >>> found.lower, found.upper, found.protocol.explore().worst_bits
    (3, 3, 3)
    """
    question = question_about(subject, answer, seconds)
    questions: dict[str, Answer] = {
        "deterministic": lambda asked, tell: deterministic_steps(asked, rounds, first, tell)
    }
    found = answered(question, ["deterministic"], questions, said=progress)["deterministic"]
    if isinstance(found, InputError):
        raise found
    return found[0]


MEASURES: dict[str, Answer] = {
    "deterministic": lambda question, tell: deterministic_steps(question, progress=tell),
    "leaves": lambda question, _: leaf_steps(question),
    "one-way": lambda question, _: one_way_steps(question),
    "rank": lambda question, _: rank_steps(question),
    "fooling": lambda question, _: fooling_steps(question),
    "cover": lambda question, _: cover_steps(question),
    "partition": lambda question, _: partition_steps(question),
    "discrepancy": lambda question, _: discrepancy_steps(question),
    "randomised": lambda question, _: randomised_steps(question),
    "one-way-success": lambda question, _: success_steps(question),
    "nonnegative-rank": lambda question, _: nonnegative_rank_steps(question),
    "sign-rank": lambda question, _: sign_rank_steps(question),
    "approximate-rank": lambda question, _: approximate_rank_steps(question),
    "quantum": lambda question, _: quantum_steps(question),
}
"""Every measure: its name, and what answers a question about it."""

PRINTED = {
    "fooling-set": "fooling",
    "one-way-randomised": "one-way",
    "least-discrepancy": "discrepancy",
    "one-way success": "one-way-success",
}
"""What tables print in place of the name of the measure that it belongs to."""

BY_NAME = (
    "one-way-success",
    "nonnegative-rank",
    "sign-rank",
    "approximate-rank",
    "quantum",
)
"""Measures that are answered only where they are asked for: their searches are long, and they bound no bits of ours."""


def main_bracket(name: str, brackets: Sequence[Bracket]) -> Bracket:
    """The one that speaks for its measure.

    From Alice to Bob; the rational rank and the cover of label 1 of Boolean functions, else of the label that costs
    most (sign and approximate rank likewise); the nonnegative rank of the matrix itself, if its labels are numbers;
    fooling sets and partitions of all labels together; discrepancy under the uniform distribution; the best randomised
    lower bound.

    >>> from ccsim.problems import equality
    >>> main_bracket("cover", brackets_of(equality(2), "cover")).name
    'cover (label 1)'
    """
    if name == "randomised":
        return max(brackets, key=lambda bracket: bracket.lower)
    if name == "rank":
        brackets = [bracket for bracket in brackets if bracket.parameters.get("field") == "rational"]
    labelled = name in ("rank", "cover", "sign-rank", "approximate-rank", "nonnegative-rank")
    if labelled and len(brackets) > 2 and "label" in brackets[-1].parameters:  # of more than two answers
        return max(reversed(brackets), key=lambda one: (one.lower, one.lower if one.upper is None else one.upper))
    if name == "rank":
        return brackets[-1]
    last = ("fooling", "fooling-set", "cover", "partition", "nonnegative-rank", "sign-rank", "approximate-rank")
    return brackets[-1 if name in last else 0]


def _named(function: TwoPartyFunction) -> tuple[str, int] | None:
    """The name under which the catalogue, and so ``ccsim verify``, knows this function's matrix, once that is sure."""
    found = re.fullmatch(r"(\w+)\((\d+)\)", function.name)
    if not found:
        return None
    name, n = found[1].replace("_", "-"), int(found[2])
    if not any(problem.name == name for problem in PROBLEMS) or not 0 < n <= MOST_NAMED:
        return None
    original = find_problem(name).function(n)
    if not isinstance(original, TwoPartyFunction) or original.matrix != function.matrix:
        return None
    return name, n
