"""The table of all measures, and the brackets of a matrix: :func:`brackets_of` and :func:`deterministic`."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import islice

from ccsim.bounds.bracket import UNKNOWN, Bracket, Finding, Open, Side, Tree, as_text, best_of, improved, together
from ccsim.bounds.covers import COVER_STEPS, PARTITION_STEPS, Steps, sum_of
from ccsim.bounds.covers import brackets_of as brackets_of_rectangles
from ccsim.bounds.discrepancies import discrepancy, least_discrepancy
from ccsim.bounds.factor_ranks import (
    nonnegative_at_once,
    nonnegative_findings,
    sign_findings,
    sign_trivial,
)
from ccsim.bounds.field_ranks import FIELDS, leaf_rank_bracket, log_rank_bracket, matrix_rank, rank_stages, rank_witness
from ccsim.bounds.fooling_sets import diagonals
from ccsim.bounds.gamma2_norm import quantum_bits
from ccsim.bounds.largest_fooling_sets import proved_fooling_set
from ccsim.bounds.leaves import found_trees, game_of, leaf_findings, relation_findings
from ccsim.bounds.one_message import (
    DIRECTIONS,
    USUAL,
    index_randomised,
    one_way,
    one_way_public_coins,
    one_way_randomised,
    one_way_success,
    shattered_bound,
)
from ccsim.bounds.public_coins import SEARCH, randomised_search
from ccsim.bounds.rectangle_bounds import fractional_findings, fractional_trivial, is_small
from ccsim.bounds.rectangles import code_of
from ccsim.bounds.scheduler import LARGE, Clock, Known, Measure, Question, run_measures
from ccsim.bounds.tree_search import DeterministicSearch
from ccsim.bounds.trivial import (
    trivial_bits,
    trivial_coins,
    trivial_discrepancies,
    trivial_fooling,
    trivial_leaves,
    trivial_message,
    trivial_qubits,
    trivial_ranks,
    trivial_rectangles,
    trivial_success,
)
from ccsim.errors import InputError, require_fraction
from ccsim.matrices import CommunicationMatrix, Relation
from ccsim.problems.catalogue import PROBLEMS, find_problem
from ccsim.problems.function import Subject, TwoPartyFunction, matrix_of

MOST_NAMED = 64
CORNER = 1024  # rows and columns of a part of a large matrix, whose rank is a lower bound
FEW = 128  # rows and columns up to which weights of both make a quick distribution
SOON = 64  # rows and columns of which qubits are soon bounded
QUICK = 2  # stages of the search for a protocol tree that are quick


Search = Iterator[Bracket | None]


def _unknown(question: Question) -> Bracket:
    return replace(question.known[0], below=UNKNOWN, above=UNKNOWN)


def _bits(question: Question, _: int, clock: Clock) -> Search:
    if question.relation is not None:
        yield from improved(_unknown(question), relation_findings(question.relation, question.answer, "bits", clock))
        return
    if question.large and question.matrix.is_total:  # the plain protocol tree takes longer
        yield replace(question.known[0], below=leaf_rank_bracket(question.matrix, question.answer, (2,)).below)

    def trees(matrix: CommunicationMatrix, turn: Clock) -> Iterator[Tree | None]:  # begun when it is their turn
        yield from found_trees(game_of(matrix, question.answer), turn)

    search = DeterministicSearch(
        question.matrix,
        answer=question.answer,
        rounds=question.rounds,
        first=question.first,
        clock=clock,
        progress=question.progress,
        trees=trees,
    )
    stages = search.stages()
    yield from islice(stages, QUICK)
    yield None
    yield from stages


def _leaves(question: Question, _: int, clock: Clock) -> Search:
    if question.relation is not None:
        findings = relation_findings(question.relation, question.answer, "leaves", clock)
    else:
        findings = leaf_findings(question.matrix, question.answer, clock)
    return improved(_unknown(question), findings)


def _messages_at_once(question: Question) -> Known:
    matrix, error = question.matrix, question.error
    known: Known = {way: trivial_message(matrix, "one-way", way, diagonals(matrix)) for way in DIRECTIONS}
    for way in DIRECTIONS if len(matrix.labels) <= 2 else ():
        coins = trivial_message(matrix, "one-way-randomised", way, error=as_text(error))
        if question.large and error <= Fraction(1, 2) and error.denominator <= 1000:
            name, n = question.function or ("", 0)
            if name == "index" and way == DIRECTIONS[0]:  # whose sender has all words
                coins = best_of(replace(index_randomised(n, error), above=UNKNOWN), coins)
            elif shattered := shattered_bound(matrix, way, error):
                coins = best_of(shattered, coins)
        known[way, "coins"] = coins
    return known


def _messages(question: Question, place: str | tuple[str, str], clock: Clock) -> Search:
    matrix = question.matrix
    if isinstance(place, str):
        if not matrix.is_total:
            yield one_way(matrix, place, seconds=0.0)
            yield None
        yield one_way(matrix, place, seconds=clock.share(1))
        return
    yield None
    direction, _ = place
    certain = question.known[direction]
    yield replace(question.known[place], above=certain.above._replace(by="deterministic"))
    if question.known[place].below.by != "entropy":  # that has as many places as there are
        yield one_way_randomised(matrix, direction, question.error, seconds=clock.share(2), messages=certain)
    if not question.known[place].exact:
        with suppress(InputError):  # too large for a game over all messages
            yield one_way_public_coins(matrix, question.error, direction, seconds=clock.share(1) or USUAL)


def _ranks(question: Question, place: str | tuple[int, str], _: Clock) -> Search:
    matrix = question.matrix
    if isinstance(place, str):
        if place == "numbers":
            yield None
            yield matrix_rank(matrix)
        else:
            for primes in ((2,), ()):
                bound = log_rank_bracket if place == "log-rank" else leaf_rank_bracket
                yield bound(matrix, question.answer, primes)
                yield None
        return
    code, field = place
    stages = rank_stages(matrix, code, field)
    first = next(stages)
    yield first
    yield None
    if field == "rational" and max(matrix.shape) > CORNER and not first.exact:
        pivots = rank_witness((matrix.codes[:CORNER, :CORNER] == code).astype(int))
        yield replace(first, below=Side(len(pivots["rows"]), "pivots in a corner", pivots))
        yield None
    for bracket in stages:
        yield bracket
        yield None


def _fooling(question: Question, code: int | None, clock: Clock) -> Search:
    if code is None and question.answer == "both":  # a union of those of all answers
        return
    quick = None
    for quick in proved_fooling_set(question.matrix, code, question.answer, 0.0):
        yield quick
    yield None
    if not (quick and quick.exact and quick.upper_witness):
        yield from proved_fooling_set(question.matrix, code, question.answer, clock.share(1))


def _union(question: Question) -> Bracket:
    parts, whole = [question.known[code] for code in question.labels], question.known[None]
    if question.answer == "both":
        cells = sorted(cell for part in parts for cell in (part.lower_witness or {"cells": []})["cells"])
        by = together(part.below for part in parts).by
        whole = replace(whole, below=Side(len(cells), by, {"kind": "fooling-set", "cells": cells}))
    reason = next((part.open for part in parts if part.open and not part.exact), None)
    return replace(whole, above=together(part.above for part in parts), open=reason or whole.open)


def _rectangles(measure: str, steps: Steps, question: Question, code: int | None, clock: Clock) -> Search:
    return iter(()) if code is None else brackets_of_rectangles(question.matrix, code, measure, steps, clock)


def _discrepancies(question: Question, name: str, clock: Clock) -> Search:
    if name == "discrepancy":
        yield discrepancy(question.matrix, seconds=0.0)
    elif not is_small(question.matrix) and max(question.matrix.shape) <= FEW:
        yield least_discrepancy(question.matrix, seconds=0.0)
    yield None
    if name == "discrepancy":
        yield discrepancy(question.matrix, seconds=clock.share(1))
        return
    share = clock.share(1)
    limit = None if share is None else SEARCH * share
    least = least_discrepancy(question.matrix, seconds=limit)
    yield replace(least, open=None if limit is None or least.seconds < limit else Open.TIME)


def _success(question: Question, place: tuple[str, int], clock: Clock) -> Search:
    yield None
    direction, bits = place
    with suppress(InputError):  # too many rows or columns, or none that are promised
        yield one_way_success(question.matrix, bits, direction, seconds=clock.share(1) or USUAL)


def _signs_at_once(question: Question, **more: str) -> Known:
    codes = question.labels if len(question.labels) > 2 else question.labels[-1:]
    return {code: sign_trivial(question.matrix, {"label": code, **more}) for code in codes}


def _factors(
    findings: Callable[..., Iterable[Finding | None]], question: Question, place: int | None, clock: Clock
) -> Search:
    known = question.known[place]
    yield from improved(known, findings(question.matrix, known.parameters, clock))


def _qubits(question: Question, _: int, clock: Clock) -> Search:
    yield None
    plain = next(DeterministicSearch(question.matrix, answer="both", clock=clock).stages())
    yield replace(question.known[0], above=plain.above)
    for size, parts in ((SOON, 4), (LARGE, 1))[max(question.matrix.shape) <= SOON :]:  # a part needs no more qubits
        corner = CommunicationMatrix(question.matrix.codes[:size, :size], question.matrix.labels)
        yield quantum_bits(corner, question.error, clock.left(20.0) / parts)


MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure("deterministic", trivial_bits, _bits),
        Measure("leaves", trivial_leaves, _leaves),
        Measure("one-way", _messages_at_once, _messages, printed=("one-way-randomised",)),
        Measure("rank", trivial_ranks, _ranks, printed=("matrix-rank",)),
        Measure("fooling", trivial_fooling, _fooling, _union, ("fooling-set",)),
        Measure(
            "cover",
            partial(trivial_rectangles, "cover"),
            partial(_rectangles, "cover", COVER_STEPS),
            printed=("nondeterministic",),
        ),
        Measure(
            "partition",
            partial(trivial_rectangles, "partition"),
            partial(_rectangles, "partition", PARTITION_STEPS),
            lambda question: sum_of("partition", [question.known[code] for code in question.labels]),
        ),
        Measure("discrepancy", trivial_discrepancies, _discrepancies, printed=("least-discrepancy",)),
        Measure("randomised", trivial_coins, randomised_search),
        Measure("one-way-success", trivial_success, _success, printed=("one-way success",), by_name=True),
        Measure("nonnegative-rank", nonnegative_at_once, partial(_factors, nonnegative_findings), by_name=True),
        Measure("sign-rank", _signs_at_once, partial(_factors, sign_findings), by_name=True),
        Measure(
            "approximate-rank",
            lambda question: _signs_at_once(question, error=as_text(question.error)),
            partial(_factors, sign_findings),
            by_name=True,
        ),
        Measure("quantum", trivial_qubits, _qubits, by_name=True),
        Measure(
            "fractional-cover",
            lambda question: {code: fractional_trivial(question.matrix, code) for code in question.labels},
            partial(_factors, fractional_findings),
            printed=("rectangle-bound",),
            by_name=True,
        ),
    )
}
"""Every measure by its name."""

PRINTED = {printed: measure.name for measure in MEASURES.values() for printed in measure.printed}
"""The measure of each name that tables print in its place."""

BY_NAME = tuple(measure.name for measure in MEASURES.values() if measure.by_name)
"""Measures that are bounded only where they are asked for."""


def question_about(
    subject: Subject | Relation,
    answer: str = "both",
    seconds: float | None = None,
    error: Fraction | str = Fraction(1, 3),
    bits: int | None = None,
) -> Question:
    named = _named(subject) if isinstance(subject, TwoPartyFunction) else None
    about = subject if isinstance(subject, Relation) else matrix_of(subject)
    return Question(about, answer, seconds, named, require_fraction("error", error), bits)


def asked_for(name: str) -> str:
    """The key in :data:`MEASURES` of a measure, which may be named as tables print it."""
    plain = str(name).partition(" (")[0]
    measure = PRINTED.get(plain, plain)
    if measure not in MEASURES:
        raise InputError("measure", name, f"one of {', '.join([*MEASURES, *PRINTED])}")
    return measure


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

    ``seconds`` is kept, by a process of its own; the brackets so far are returned, never nothing, and the method of one
    that could have been better is marked ``out of time``. ``stopped`` is called if the keyboard stops the search, and
    the brackets so far are returned; without it, the interrupt goes on. Measures are those of :data:`MEASURES`.
    ``error``, such as ``"1/4"``, is for those that allow one: with public coins, or qubits, and of an approximation;
    ``bits`` are those of a message whose success is asked for. ``progress`` is called now and then with a bracket in
    words. Raises :class:`~ccsim.errors.InputError` for a measure that a matrix does not have (such as the rank of a
    partial matrix).

    >>> from ccsim.problems import disjointness
    >>> [str(bracket) for bracket in brackets_of(disjointness(3), "deterministic")]
    ['deterministic = 4 bits (leaf-rank | protocol tree)']
    """
    measure = asked_for(measure)
    question = question_about(subject, answer, seconds, error, bits)
    question.progress = progress
    return _all_of(question, MEASURES[measure], stopped)


def _all_of(question: Question, measure: Measure, stopped: Callable[[], None] | None = None) -> tuple[Bracket, ...]:
    result = run_measures(question, [measure], stopped=stopped)[measure.name]
    if isinstance(result, InputError):
        raise result
    return result


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
        progress: called now and then with what is being tried.

    The lower witness is a refutation of one bit less (a proof graph), the upper one a protocol tree;
    ``bracket.protocol_tree`` draws and runs, ``bracket.certificate`` holds both.

    >>> from ccsim.problems import equality
    >>> found = deterministic(equality(2))
    >>> found.lower, found.upper, found.protocol.explore().worst_bits
    (3, 3, 3)
    """
    question = question_about(subject, answer, seconds)
    question.rounds, question.first, question.progress = rounds, first, progress
    return _all_of(question, MEASURES["deterministic"])[0]


def rank(
    subject: Subject,
    label: Hashable | None = None,
    *,
    field: str = "rational",
    seconds: float | None = None,
    progress: Callable[[str], None] | None = None,
) -> Bracket:
    """The rank over a field of the indicator matrix of a label, which is 1 where the answer is the label, else 0; or
    the rank of a matrix of whole numbers itself.

    Args:
        subject: as for :func:`deterministic`, and total.
        label: an answer; None: 1 where the answers are 0 and 1; over the rationals, the matrix itself where they are
            other whole numbers (:func:`matrix_rank`); else the answer of the largest rational rank.
        field: ``"rational"`` or ``"GF(2)"``.
        seconds, progress: as for :func:`deterministic`.

    The lower witness is pivots; the upper one is the number of different rows or columns, or an elimination. From about
    750 rows of half that rank on, an elimination over the rationals has no certificate.

    >>> from ccsim.problems import inner_product
    >>> rank(inner_product(3)).upper, rank(inner_product(3), field="GF(2)").upper
    (7, 3)
    >>> rank([[1, 2], [2, 4]]).upper, rank([[1, 2], [2, 4]], 2).upper
    (1, 2)
    """
    if field not in FIELDS:
        raise InputError("field", field, f"one of {', '.join(FIELDS)}")
    found = brackets_of(subject, "rank", seconds=seconds, progress=progress)
    if label is None and field == "rational" and tuple(matrix_of(subject).labels) != (0, 1):
        return main_bracket("rank", found)
    found = tuple(one for one in found if one.measure == "rank")
    code = main_bracket("rank", found).parameters["code"] if label is None else code_of(matrix_of(subject), label)
    return next(one for one in found if (one.parameters.get("code"), one.parameters.get("field")) == (code, field))


def randomised(
    subject: Subject,
    error: Fraction | str = Fraction(1, 3),
    *,
    seconds: float | None = None,
    progress: Callable[[str], None] | None = None,
) -> Bracket:
    """R_error^pub(f): the least worst-case bits of a public-coin protocol with this error, by all methods in turn.

    Args:
        subject: as for :func:`deterministic`.
        error: the largest probability of a wrong answer on any input, a rational, or text such as ``"1/4"``.
        seconds, progress: as for :func:`deterministic`.

    The upper witness is a protocol tree or a mixture of them, the lower one of the method that is named: a hard
    distribution (:func:`public_coin_complexity`), discrepancy, corruption, gamma_2 or a partition bound.

    >>> str(randomised([[1, 0, 0], [0, 1, 0], [0, 0, 1]], "1/4"))
    'randomised = 2 bits (hard distribution | mixture of protocol trees)'
    """
    found = brackets_of(subject, "randomised", error=error, seconds=seconds, progress=progress)
    return main_bracket("randomised", found)


def main_bracket(name: str, brackets: Sequence[Bracket]) -> Bracket:
    """The one that represents its measure.

    From Alice to Bob; the rational rank and the cover of label 1 of Boolean functions, else of the label that costs
    most (fractional covers, sign and approximate rank likewise); the rank and the nonnegative rank of the matrix
    itself, if its labels are numbers; fooling sets and partitions of all labels together; discrepancy under the uniform
    distribution; the best randomised lower bound.

    >>> from ccsim.problems import equality
    >>> main_bracket("cover", brackets_of(equality(2), "cover")).name
    'cover (label 1)'
    """
    name = PRINTED.get(name, name)
    if name == "randomised":
        return max(brackets, key=lambda bracket: bracket.lower)
    if name == "rank":
        numbers = next((bracket for bracket in brackets if bracket.measure == "matrix-rank"), None)
        if numbers is not None:
            return numbers
        brackets = [bracket for bracket in brackets if bracket.parameters.get("field") == "rational"]
    labelled = "rank", "cover", "fractional-cover", "sign-rank", "approximate-rank", "nonnegative-rank"
    if name in labelled and len(brackets) > 2 and "label" in brackets[-1].parameters:  # of more than two answers
        return max(reversed(brackets), key=lambda one: (one.lower, one.lower if one.upper is None else one.upper))
    return brackets[-1 if name in (*labelled, "fooling", "fooling-set", "partition") else 0]


def _named(function: TwoPartyFunction) -> tuple[str, int] | None:
    """The name under which the catalogue, and so ``ccsim verify``, has this function's matrix."""
    match = re.fullmatch(r"(\w+)\((\d+)\)", function.name)
    name, n = (match[1].replace("_", "-"), int(match[2])) if match else ("", 0)
    if not any(problem.name == name for problem in PROBLEMS) or not 0 < n <= MOST_NAMED:
        return None
    original = find_problem(name).function(n)
    same = isinstance(original, TwoPartyFunction) and original.matrix == function.matrix
    return (name, n) if same else None
