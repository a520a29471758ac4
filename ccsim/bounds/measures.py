"""Every measure by name: what ``ccsim bounds --measure`` and :func:`ccsim.bounds.measure` can be asked for."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from ccsim.bounds.answers import answered
from ccsim.bounds.bracket import Bracket
from ccsim.bounds.clock import Clock
from ccsim.bounds.question import LATE, Answer, Question, Step, Steps
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems.function import TwoPartyFunction

__all__ = ["MEASURES", "Question", "deterministic", "main_bracket", "measure", "question_about"]

NAMED = ("equality", "disjointness", "intersection", "greater-than", "inner-product", "index")
THIRD = Fraction(1, 3)
QUICK = 2  # steps of a search that are quick
SEARCH = 0.6  # of the time for a linear program; the rest is for the proofs
USUAL = 20.0  # seconds for each bound on randomised protocols where nobody sets a limit
TINY = 8  # lines up to which all public-coin protocols are soon gone through
MOST_EXACT = 13  # lines beyond which they are not gone through at all
SHORT = 2.0  # seconds of a search that the checker can surely repeat
MOST_LINES = 256  # beyond, sums over all cells in exact integers take minutes


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

    ``seconds`` is a limit that is kept, by a process of its own; what is proved by then is returned, never nothing,
    and the method of a bracket that could have been better says ``out of time``. Names are those of
    :data:`MEASURES`. Raises :class:`~ccsim.errors.InputError` for a measure that a matrix does not have (such
    as the rank of a partial matrix).

    >>> from ccsim.problems import disjointness
    >>> [str(bracket) for bracket in measure(disjointness(3), "deterministic")]
    ['deterministic = 4 bits (leaf-rank | protocol tree)']
    """
    if name not in MEASURES:
        raise InputError("measure", name, f"one of {', '.join(MEASURES)}")
    found = answered(question_about(subject, answer, seconds), [name], MEASURES)[name]
    if isinstance(found, InputError):
        raise found
    return found


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
    questions: dict[str, Answer] = {"deterministic": lambda asked, tell: _deterministic(asked, rounds, first, tell)}
    found = answered(question, ["deterministic"], questions, said=progress)["deterministic"]
    if isinstance(found, InputError):
        raise found
    return found[0]


def _deterministic(
    question: Question,
    rounds: int | None = None,
    first: str | None = None,
    progress: Callable[[str], None] | None = None,
) -> Steps:
    from ccsim.bounds.tree_search import stages_of_deterministic

    parameters = {"answer": question.answer, "rounds": rounds, "first": first}
    yield {0: _unknown("deterministic", parameters)}
    stages = stages_of_deterministic(
        question.matrix, answer=question.answer, rounds=rounds, first=first, clock=question.clock, progress=progress
    )
    for number, found in enumerate(stages):
        if number == QUICK:
            yield None
        bracket = Bracket(
            "deterministic",
            found.lower,
            found.upper,
            f"{found.method} | protocol tree",
            {"kind": "refutation", "nodes": found.refutation["nodes"]} if found.refutation else None,
            {"kind": "protocol-tree", "tree": found.tree} if found.tree else None,
            parameters,
            seconds=found.seconds,
        )
        yield 0, bracket, bracket.exact or question.clock.over or found.upper is None


def _unknown(measure: str, parameters: dict[str, Any], unit: str = "bits") -> Bracket:
    """What is known before anything is done."""
    return Bracket(measure, 0, None, "trivial", None, None, parameters, unit)


def _one_way(question: Question) -> Steps:
    from ccsim.bounds.one_way import DIRECTIONS, one_way
    from ccsim.bounds.vc import one_way_randomised

    matrix, error = question.matrix, {"error": "1/3"}
    unknown: dict[Hashable, Bracket] = {way: _unknown("one-way", {"direction": way}) for way in DIRECTIONS}
    for way in DIRECTIONS if matrix.is_boolean else ():
        unknown[way, "coins"] = _unknown("one-way-randomised", {"direction": way} | error)
    yield unknown
    if not matrix.is_total:
        yield None
    messages = {}
    for place, direction in enumerate(DIRECTIONS):
        messages[direction] = one_way(matrix, direction, time_limit=question.clock.share(4 - place))
        yield direction, _timely(question, messages[direction]), True
        if matrix.is_boolean:
            unknown[direction, "coins"] = replace(
                unknown[direction, "coins"],
                upper=messages[direction].upper,
                method="trivial | deterministic",
                upper_witness=messages[direction].upper_witness,
            )
            yield (direction, "coins"), unknown[direction, "coins"], False
    if matrix.is_total:
        yield None
    for place, direction in enumerate(DIRECTIONS if matrix.is_boolean else ()):
        share = question.clock.share(2 - place)
        bracket = one_way_randomised(matrix, direction, time_limit=share, messages=messages[direction])
        yield (direction, "coins"), _timely(question, bracket), True


def _timely(question: Question, bracket: Bracket) -> Bracket:
    """The bracket, with a word about the time if that was the reason why it is open."""
    if not question.clock.over or bracket.exact or bracket.method.endswith(LATE):
        return bracket
    return replace(bracket, method=bracket.method + LATE)


def _fooling(question: Question) -> Steps:
    """Per answer, then mixed; if both know, cells of different answers exclude each other: a mixed set is a union."""
    from ccsim.bounds.fooling import FoolingBracket, maximum_fooling_set

    matrix, answer, clock = question.matrix, question.answer, question.clock
    present = [code for code in question.labels if (matrix.codes == code).any()]
    known: dict[int | None, tuple[FoolingBracket, dict[str, Any] | None]] = {}
    codes: tuple[int | None, ...] = (*question.labels, *(() if answer == "both" else (None,)))
    every = (*question.labels, None)
    yield {code: _unknown("fooling-set", {"code": code, "answer": answer}, "cells") for code in every}

    def union() -> tuple[FoolingBracket, dict[str, Any] | None]:
        parts = [known[code][0] for code in question.labels]
        cells = tuple(sorted(cell for part in parts for cell in part.cells))
        reasons = " and ".join(dict.fromkeys(part.upper_by for part in parts))
        witness = {"kind": "parts", "parts": [known[code][1] for code in present]}
        proved = all(known[code][1] for code in present)
        whole = FoolingBracket(cells, sum(part.upper for part in parts), reasons, None, answer)
        return whole, witness if proved else None

    start = time.perf_counter()
    for quick in (True, False):
        for place, code in enumerate(codes):
            if not quick and known[code][0].exact and known[code][1]:
                continue
            began = time.perf_counter()
            found = maximum_fooling_set(
                matrix, code, answer=answer, time_limit=0.0 if quick else clock.share(len(codes) - place)
            )
            if not quick and found.lower < known[code][0].lower:
                found = known[code][0]
            seconds = time.perf_counter() - began
            if code is None and found.upper >= (whole := union())[0].upper:
                known[code] = replace(found, upper=whole[0].upper, upper_by=whole[0].upper_by), whole[1]
            else:
                if found.upper_by == "search":  # the checker's own search may take long
                    yield code, _fooling_bracket(found, None, seconds), False
                known[code] = found, _fooling_upper(matrix, found, seconds)
            bracket = _fooling_bracket(*known[code], seconds)
            yield code, bracket if quick else _timely(question, bracket), bracket.exact or not quick
        if answer == "both":
            bracket = _fooling_bracket(*union(), time.perf_counter() - start)
            yield None, bracket if quick else _timely(question, bracket), bracket.exact or not quick
        if quick:
            yield None


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


def _cover(question: Question) -> Steps:
    from ccsim.bounds.cover import COVER_STEPS

    yield from _rectangles(question, "cover", COVER_STEPS, QUICK)


def _partition(question: Question) -> Steps:
    from ccsim.bounds.partition import PARTITION_STEPS

    yield from _rectangles(question, "partition", PARTITION_STEPS, QUICK - 1)


def _rectangles(question: Question, measure: str, steps: Any, quick: int) -> Steps:
    """Per answer, so many steps at once and the others later; for partitions the sum of all answers as well."""
    from ccsim.bounds.cover import brackets_of, sum_of

    matrix, labels = question.matrix, question.labels
    known: dict[int, Bracket] = {}
    named: dict[int | None, str] = {code: repr(matrix.labels[code]) for code in labels}
    if measure == "partition":
        named[None] = repr(None)
    yield {code: _unknown(measure, {"code": code, "label": name}, "rectangles") for code, name in named.items()}
    clocks = [Clock() for _ in labels]
    streams = [brackets_of(matrix, code, measure, steps, clocks[code]) for code in labels]

    def tell(code: int, last: bool) -> Iterator[tuple[Hashable, Bracket, bool]]:
        yield code, known[code], last
        if measure == "partition" and len(known) == len(labels):
            yield None, sum_of(measure, [known[code] for code in labels]), last

    for code in labels:
        clocks[code].end = question.clock.end
        for _, bracket in zip(range(1 + quick), streams[code], strict=False):
            known[code] = bracket
            yield from tell(code, bracket.exact)
    yield None
    for place, code in enumerate(labels):
        clocks[code].end = Clock.within(question.clock.share(len(labels) - place)).end
        for bracket in streams[code]:
            known[code] = bracket
            yield from tell(code, bracket.exact)
        if clocks[code].over and not known[code].exact:
            known[code] = replace(known[code], method=known[code].method + LATE)
        yield from tell(code, True)


def _rank(question: Question) -> Steps:
    from ccsim.bounds.rank_brackets import FIELDS, leaf_rank_bracket, log_rank_bracket, rank_stages

    matrix = question.matrix
    if not matrix.is_total:
        raise InputError("matrix", matrix, "a total matrix: don't-care cells have no rank")
    asked = [(code, name) for code in question.labels for name in FIELDS]
    unknown: dict[Hashable, Bracket] = {}
    for code, name in asked:
        unknown[code, name] = _unknown("rank", {"code": code, "label": str(matrix.labels[code]), "field": name}, "")
    bits = {"answer": question.answer, "rounds": None, "first": None}
    yield unknown | {what: _unknown("deterministic", bits) for what in ("log-rank", "leaf-rank")}
    yield "log-rank", log_rank_bracket(matrix, question.answer), True
    yield "leaf-rank", leaf_rank_bracket(matrix, question.answer), True
    stages = {key: rank_stages(matrix, *key) for key in sorted(asked, key=lambda key: key[1] == "rational")}
    searching = False
    for key, stage in stages.items():
        if key[1] == "rational" and not searching:
            searching = True
            yield None
        bracket = next(stage)
        yield key, bracket, bracket.exact
    for key, stage in stages.items():
        for bracket in stage:
            yield key, bracket, True


def _discrepancy(question: Question) -> Steps:
    """Under the uniform distribution, and the least over distributions where the matrix is small enough."""
    from ccsim.bounds.discrepancy import discrepancy, distribution_weights
    from ccsim.bounds.least_discrepancy import least_discrepancy
    from ccsim.bounds.rectangle_programs import require_small

    matrix = question.matrix
    if max(matrix.shape) > MOST_LINES:
        raise InputError("matrix", matrix, f"at most {MOST_LINES} rows and columns")
    least = not _refused(lambda: require_small(matrix))
    unknown: dict[Hashable, Bracket] = {"uniform": _unknown("discrepancy", {}, "")}
    if least:
        unknown["least"] = _unknown("least-discrepancy", {}, "")
    yield {place: replace(bracket, upper=Fraction(1)) for place, bracket in unknown.items()}
    yield None
    distribution_weights(matrix, None)  # whether there are any
    yield "uniform", discrepancy(matrix, time_limit=0.0), False
    share = question.clock.share(2)
    yield "uniform", _timely(question, discrepancy(matrix, time_limit=share)), True
    if least:
        share = question.clock.share(1)
        bracket = least_discrepancy(matrix, time_limit=None if share is None else SEARCH * share)
        yield "least", bracket if bracket.exact or share is None else _stopped(bracket, SEARCH * share), True


def _stopped(bracket: Bracket, seconds: float) -> Bracket:
    """The bracket of a search, with a word about the time if it took all that it was given."""
    return replace(bracket, method=bracket.method + LATE) if bracket.seconds >= seconds else bracket


def _refused(bound: Callable[[], Any]) -> bool:
    try:
        bound()
    except InputError:
        return True
    return False


def _randomised(question: Question) -> Steps:
    """R_{1/3} with public coins: exact where the matrix is tiny, else every lower bound that it is small enough for."""
    from ccsim.bounds.corruption import randomised_by_corruption
    from ccsim.bounds.discrepancy import randomised_by_discrepancy
    from ccsim.bounds.gamma2 import gamma2_bits
    from ccsim.bounds.randomised import public_coin_complexity
    from ccsim.bounds.smooth import partition_bits

    matrix, label = question.matrix, question.matrix.labels[-1]
    shape = matrix.merge().matrix.shape
    if max(matrix.shape) > MOST_LINES and max(shape) > MOST_EXACT:
        raise InputError("matrix", matrix, f"at most {MOST_LINES} rows and columns")
    nothing = _unknown("randomised", {"answer": "both", "coins": "public", "error": "1/3"})
    yield {"upper": nothing}
    plain = replace(question, answer="both")
    plain.clock = Clock(question.clock.end)
    search = _deterministic(plain)
    certain = _unknown("deterministic", {})
    for step in search:
        if step is None:
            break
        certain = _bracket_in(step) or certain
    yield "upper", _no_more_than(nothing, certain), False
    yield None
    bounds: dict[str, Callable[[float], Bracket]] = {
        "exact": lambda seconds: public_coin_complexity(matrix, THIRD, seconds),
        "discrepancy": lambda seconds: randomised_by_discrepancy(matrix, THIRD, time_limit=seconds),
        "gamma_2": lambda seconds: gamma2_bits(matrix, THIRD, seconds),
        "partition": lambda seconds: partition_bits(matrix, THIRD, seconds),
        "corruption": lambda seconds: randomised_by_corruption(matrix, label, THIRD, time_limit=seconds),
    }
    order = ["exact"] if max(matrix.shape) > MOST_LINES else list(bounds)
    if max(shape) > TINY:  # what is surely soon to be had comes first
        order = [*order[1:], "deterministic", order[0]]
    else:
        order.insert(1, "deterministic")
    for place, name in enumerate(order):
        share = question.clock.share(len(order) - place) or USUAL
        if name == "deterministic":
            plain.clock.end = Clock.within(share).end
            for step in search:
                certain = _bracket_in(step) or certain
            yield "upper", _no_more_than(nothing, certain), False
            continue
        for found in _where_small(partial(bounds[name], SEARCH * share)):
            bracket = _no_more_than(found, certain)
            yield name, bracket if bracket.exact else _stopped(bracket, SEARCH * share), True
            if bracket.exact:
                for other in ("upper", *order[:place]):
                    yield other, None, True
                return
            yield "upper", None, True


def _bracket_in(step: Step) -> Bracket | None:
    return step[1] if isinstance(step, tuple) else None


def _no_more_than(randomised: Bracket, certain: Bracket) -> Bracket:
    """A deterministic protocol is a randomised one that needs no coins: a mixture of one tree."""
    if certain.upper_witness is None or certain.upper is None:
        return randomised
    if randomised.upper is not None and randomised.upper <= certain.upper:
        return randomised
    tree = {"weight": "1/1", "tree": certain.upper_witness["tree"]}
    witness = {"kind": "protocol-mixture", "trees": [tree]}
    method = f"{randomised.method.split(' | ')[0]} | deterministic protocol"
    return replace(randomised, upper=certain.upper, upper_witness=witness, method=method)


def _where_small(bound: Callable[[], Bracket]) -> list[Bracket]:
    """The bracket, or nothing where the matrix is not of the kind or size that the bound is for."""
    try:
        return [bound()]
    except InputError:
        return []


MEASURES: dict[str, Answer] = {
    "deterministic": lambda question, tell: _deterministic(question, progress=tell),
    "one-way": lambda question, _: _one_way(question),
    "rank": lambda question, _: _rank(question),
    "fooling": lambda question, _: _fooling(question),
    "cover": lambda question, _: _cover(question),
    "partition": lambda question, _: _partition(question),
    "discrepancy": lambda question, _: _discrepancy(question),
    "randomised": lambda question, _: _randomised(question),
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
