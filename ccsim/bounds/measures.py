"""Every measure by name: what ``ccsim bounds --measure`` and :func:`ccsim.bounds.measure` can be asked for."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ccsim.bounds.bracket import Bracket
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems.function import TwoPartyFunction

__all__ = ["MEASURES", "Question", "deterministic", "main_bracket", "measure", "question_about"]

NAMED = ("equality", "disjointness", "intersection", "greater-than", "inner-product", "index")
THIRD = Fraction(1, 3)
LONG = 5.0  # seconds that one of several bounds must have to be begun at all
SHORT = 2.0  # seconds of a search that the checker can surely repeat
MOST_LINES = 256  # beyond, sums over all cells in exact integers take minutes


@dataclass(frozen=True)
class Question:
    """What is asked: a matrix, who must know the answer, and how long it may take."""

    matrix: CommunicationMatrix
    answer: str = "both"
    seconds: float | None = None
    function: tuple[str, int] | None = None

    def __post_init__(self) -> None:
        if self.answer not in ("both", "alice", "bob"):
            raise InputError("answer", self.answer, "'both', 'alice' or 'bob'")
        if self.seconds is not None and not self.seconds > 0:
            raise InputError("seconds", self.seconds, "more than 0 seconds")
        if 0 in self.matrix.shape:
            raise InputError("matrix", self.matrix, "at least one row and one column")

    def share(self, parts: int) -> float | None:
        """An equal part of the time."""
        return None if self.seconds is None else self.seconds / parts

    @property
    def labels(self) -> range:
        """The places of the labels that occur."""
        return range(len(self.matrix.labels))


def question_about(
    subject: TwoPartyFunction | CommunicationMatrix, answer: str = "both", seconds: float | None = None
) -> Question:
    """A question about a two-party function or a matrix."""
    if isinstance(subject, CommunicationMatrix):
        return Question(subject, answer, seconds)
    if not isinstance(subject, TwoPartyFunction):
        raise InputError("function", subject, "a two-party function or a communication matrix")
    return Question(subject.matrix, answer, seconds, _named(subject))


def measure(
    subject: TwoPartyFunction | CommunicationMatrix,
    name: str,
    *,
    answer: str = "both",
    seconds: float | None = None,
) -> tuple[Bracket, ...]:
    """All brackets of one measure: one per direction, label or method, as the measure has them.

    ``seconds`` limits the search; what is proved by then is returned, never nothing. Names are those of
    :data:`MEASURES`. Raises :class:`~ccsim.errors.InputError` for a measure that a matrix does not have (such
    as the rank of a partial matrix).

    >>> from ccsim.problems import disjointness
    >>> [str(bracket) for bracket in measure(disjointness(3), "deterministic")]
    ['deterministic = 4 bits (leaf-rank | protocol tree)']
    """
    if name not in MEASURES:
        raise InputError("measure", name, f"one of {', '.join(MEASURES)}")
    question = question_about(subject, answer, seconds)
    return tuple(
        replace(bracket, matrix=question.matrix, function=question.function) for bracket in MEASURES[name](question)
    )


def deterministic(
    subject: TwoPartyFunction | CommunicationMatrix,
    *,
    answer: str = "both",
    rounds: int | None = None,
    first: str | None = None,
    seconds: float | None = None,
    progress: Callable[[str], None] | None = None,
) -> Bracket:
    """D(f): the least worst-case bits of a deterministic protocol, exactly, or a bracket when time runs out.

    Args:
        subject: a two-party function or matrix: Boolean, multi-valued, total or partial.
        answer: who must know the answer: ``both``, ``alice`` or ``bob``.
        rounds: at most so many rounds.
        first: with ``rounds``, who opens.
        seconds: a limit on the search.
        progress: is told now and then what is being tried.

    The lower witness is a refutation of one bit less (a proof graph), the upper one a protocol tree;
    ``bracket.protocol_tree`` draws and runs, ``bracket.certificate`` holds both.

    >>> from ccsim.problems import equality
    >>> found = deterministic(equality(2))
    >>> found.lower, found.upper, found.protocol_tree.protocol().explore().worst_bits
    (3, 3, 3)
    """
    question = question_about(subject, answer, seconds)
    bracket = _deterministic(question, rounds, first, progress)
    return replace(bracket, matrix=question.matrix, function=question.function)


def _deterministic(
    question: Question,
    rounds: int | None = None,
    first: str | None = None,
    progress: Callable[[str], None] | None = None,
) -> Bracket:
    from ccsim.bounds.tree_search import solve_deterministic

    found = solve_deterministic(
        question.matrix,
        answer=question.answer,
        rounds=rounds,
        first=first,
        time_limit=question.seconds,
        progress=progress,
    )
    parameters = {"answer": question.answer, "rounds": rounds, "first": first}
    return Bracket(
        "deterministic",
        found.lower,
        found.upper,
        f"{found.method} | protocol tree",
        {"kind": "refutation", "nodes": found.refutation["nodes"]} if found.refutation else None,
        {"kind": "protocol-tree", "tree": found.tree} if found.tree else None,
        parameters,
        seconds=found.seconds,
    )


def _one_way(question: Question) -> Iterator[Bracket]:
    from ccsim.bounds.one_way import DIRECTIONS, one_way
    from ccsim.bounds.vc import one_way_randomised

    for direction in DIRECTIONS:
        yield one_way(question.matrix, direction, time_limit=question.share(4))
    if question.matrix.is_boolean:
        for direction in DIRECTIONS:
            yield one_way_randomised(question.matrix, direction, time_limit=question.share(4))


def _fooling(question: Question) -> Iterator[Bracket]:
    """Per answer, then mixed; if both know, cells of different answers exclude each other: a mixed set is a union."""
    from ccsim.bounds.fooling import FoolingBracket, maximum_fooling_set

    matrix, share = question.matrix, question.share(len(question.labels) + 1)
    parts: list[FoolingBracket] = []
    uppers: list[dict[str, Any] | None] = []
    for code in question.labels:
        start = time.perf_counter()
        found = maximum_fooling_set(matrix, code, answer=question.answer, time_limit=share)
        parts.append(found)
        seconds = time.perf_counter() - start
        uppers.append(_fooling_upper(matrix, found, seconds))
        yield _fooling_bracket(found, uppers[-1], seconds)
    start = time.perf_counter()
    present = [code for code in question.labels if (matrix.codes == code).any()]
    witness = {"kind": "parts", "parts": [uppers[code] for code in present]}
    together = witness if all(uppers[code] for code in present) else None
    most, reasons = sum(part.upper for part in parts), " and ".join(dict.fromkeys(part.upper_by for part in parts))
    if question.answer == "both":
        cells = tuple(sorted(cell for part in parts for cell in part.cells))
        mixed = FoolingBracket(cells, most, reasons, None, "both")
    else:
        mixed = maximum_fooling_set(matrix, None, answer=question.answer, time_limit=share)
        if mixed.upper < most:
            together = _fooling_upper(matrix, mixed, time.perf_counter() - start)
        else:
            mixed = replace(mixed, upper=most, upper_by=reasons)
    yield _fooling_bracket(mixed, together, time.perf_counter() - start)


def _fooling_upper(matrix: CommunicationMatrix, found: Any, seconds: float) -> dict[str, Any] | None:
    """The witness of an upper side: a count of lines, a rank, or that the checker's own search finds no larger set.

    Where our search took long, the checker's may take longer than it allows itself: then it is tried first, and if it
    fails, the upper side has no certificate.
    """
    from ccsim.bounds.clique import degenerate_order
    from ccsim.bounds.fooling import exclusion_graph
    from ccsim.certificates.verify import Refused, check

    if found.upper_by in ("rows", "columns", "cells") and found.code is not None:
        return {"kind": "lines"}
    squared = re.fullmatch(r"rank squared modulo (\d+)", found.upper_by)
    if squared:
        return {"kind": "rank-squared", "prime": int(squared[1])}
    cells, graph = exclusion_graph(matrix, found.code, found.answer)
    ordered = [list(cells[place]) for place in degenerate_order(graph)]
    witness = {"kind": "fooling-search", "at_most": found.upper, "cells": ordered}
    if seconds > SHORT:
        try:
            parameters = {"code": found.code, "answer": found.answer}
            check(matrix.codes.tolist(), "fooling-set", "upper", parameters, witness)
        except Refused:
            return None
    return witness


def _fooling_bracket(found: Any, upper_witness: dict[str, Any] | None, seconds: float) -> Bracket:
    cells = [list(cell) for cell in found.cells]
    return Bracket(
        "fooling-set",
        found.lower,
        found.upper,
        f"fooling set | {found.upper_by}{'' if upper_witness else ', without certificate'}",
        {"kind": "fooling-set", "cells": cells} if cells else None,
        upper_witness,
        {"code": found.code, "answer": found.answer},
        "cells",
        seconds,
    )


def _cover(question: Question) -> Iterator[Bracket]:
    from ccsim.bounds.cover import cover_number

    for label in question.matrix.labels:
        yield cover_number(question.matrix, label, time_limit=question.share(len(question.labels)))


def _partition(question: Question) -> Iterator[Bracket]:
    from ccsim.bounds.partition import partition_number

    for label in (*question.matrix.labels, None):
        yield partition_number(question.matrix, label, time_limit=question.share(len(question.labels) + 1))


def _rank(question: Question) -> Iterator[Bracket]:
    from ccsim.bounds.rank_brackets import leaf_rank_bracket, log_rank_bracket, rank_brackets

    yield from rank_brackets(question.matrix)
    yield log_rank_bracket(question.matrix, question.answer)
    yield leaf_rank_bracket(question.matrix, question.answer)


def _discrepancy(question: Question) -> Iterator[Bracket]:
    """Under the uniform distribution, and the least over distributions where the matrix is small enough."""
    from ccsim.bounds.discrepancy import discrepancy
    from ccsim.bounds.least_discrepancy import least_discrepancy

    if max(question.matrix.shape) > MOST_LINES:
        raise InputError("matrix", question.matrix, f"at most {MOST_LINES} rows and columns")
    yield discrepancy(question.matrix)
    yield from _where_small(lambda: least_discrepancy(question.matrix, time_limit=question.share(2)))


def _randomised(question: Question) -> Iterator[Bracket]:
    """R_{1/3} with public coins: exact where the matrix is tiny, else every lower bound that it is small enough for."""
    from ccsim.bounds.corruption import randomised_by_corruption
    from ccsim.bounds.discrepancy import randomised_by_discrepancy
    from ccsim.bounds.gamma2 import gamma2_bits
    from ccsim.bounds.randomised import public_coin_complexity
    from ccsim.bounds.smooth import partition_bits

    share, matrix, label = question.share(4) or 20.0, question.matrix, question.matrix.labels[-1]
    for exact in _where_small(lambda: public_coin_complexity(matrix, THIRD, share)):
        yield exact
        if exact.exact:
            return
    if max(matrix.shape) > MOST_LINES:
        raise InputError("matrix", matrix, f"at most {MOST_LINES} rows and columns")
    found = [
        *_where_small(lambda: gamma2_bits(matrix, THIRD, share)),
        *_where_small(lambda: partition_bits(matrix, THIRD, share)),
        *_where_small(lambda: randomised_by_discrepancy(matrix, THIRD)),
    ]
    if share >= LONG:  # linear programs that cannot be stopped half way
        found += _where_small(lambda: randomised_by_corruption(matrix, label, THIRD))
    certain = _deterministic(replace(question, answer="both", seconds=share))
    yield from (_no_more_than(bracket, certain) for bracket in found)


def _no_more_than(randomised: Bracket, certain: Bracket) -> Bracket:
    """A deterministic protocol is a randomised one that needs no coins: a mixture of one tree."""
    if certain.upper_witness is None:
        return randomised
    tree = {"weight": "1/1", "tree": certain.upper_witness["tree"]}
    witness = {"kind": "protocol-mixture", "trees": [tree]}
    method = f"{randomised.method} | deterministic protocol"
    return replace(randomised, upper=certain.upper, upper_witness=witness, method=method)


def _where_small(bound: Callable[[], Bracket]) -> list[Bracket]:
    """The bracket, or nothing where the matrix is not of the kind or size that the bound is for."""
    try:
        return [bound()]
    except InputError:
        return []


MEASURES: dict[str, Callable[[Question], Any]] = {
    "deterministic": lambda question: [_deterministic(question)],
    "one-way": _one_way,
    "rank": _rank,
    "fooling": _fooling,
    "cover": _cover,
    "partition": _partition,
    "discrepancy": _discrepancy,
    "randomised": _randomised,
}
"""Every measure: its name, and what answers a question about it."""


def main_bracket(name: str, brackets: Sequence[Bracket]) -> Bracket:
    """The one that speaks for its measure.

    From Alice to Bob; the rational rank, the cover of the last label (1 for Boolean functions); fooling sets and
    partitions of all labels together; discrepancy under the uniform distribution; the best randomised lower bound.

    >>> from ccsim.problems import equality
    >>> main_bracket("cover", measure(equality(2), "cover")).name
    'cover (code 1, label 1)'
    """
    if name == "randomised":
        return max(brackets, key=lambda bracket: bracket.lower)
    if name == "rank":
        return [bracket for bracket in brackets if bracket.parameters.get("field") == "rational"][-1]
    return brackets[-1 if name in ("fooling", "cover", "partition") else 0]


def _named(function: TwoPartyFunction) -> tuple[str, int] | None:
    """The name under which a checker knows this function's matrix, once that is sure."""
    found = re.fullmatch(r"(\w+)\((\d+)\)", function.name)
    if not found:
        return None
    name, n = found[1].replace("_", "-"), int(found[2])
    if name not in NAMED:
        return None
    from ccsim.problems.catalogue import find_problem

    original = find_problem(name).function(n)
    if not isinstance(original, TwoPartyFunction) or original.matrix != function.matrix:
        return None
    return name, n
