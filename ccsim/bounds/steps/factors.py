"""Nonnegative, sign and approximate rank, and qubits: asked for by name, as their searches are long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from numbers import Real

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.clock import Clock
from ccsim.bounds.factors.approximate import approximate_stages
from ccsim.bounds.factors.nonnegative import nonnegative_stages, numbers_of
from ccsim.bounds.factors.signs import sign_stages
from ccsim.bounds.question import LATE, Question, Steps
from ccsim.bounds.randomised.gamma2 import quantum_bits
from ccsim.bounds.rationals import as_text
from ccsim.bounds.steps.trivial import naming_a_line
from ccsim.bounds.tree_search import stages_of_deterministic
from ccsim.cells import SCALED
from ccsim.certificates.verify.data import CODES
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix

Stages = Callable[[Clock], Iterator[Bracket]]


def nonnegative_rank_steps(question: Question) -> Steps:
    """The nonnegative rank of each answer's 0/1 matrix, and of the matrix itself if its answers are other numbers."""
    matrix, streams = question.matrix, dict[int | None, Stages]()
    if not matrix.is_total:
        raise InputError("matrix", matrix, "a total matrix: don't-care cells have no rank")
    numbers = numbers_of(matrix)
    if numbers is None and all(isinstance(label, Real) for label in matrix.labels):  # not ranks of labels in its place
        raise InputError("labels", matrix.labels[:6], f"nonnegative integers below {CODES}, or no numbers ({SCALED})")
    for code in question.labels:
        streams[code] = _of_label(matrix, code)
    if numbers is not None and not matrix.is_boolean:
        streams[None] = lambda clock: nonnegative_stages(matrix, numbers, clock)
    yield from _each(question, streams)


def _of_label(matrix: CommunicationMatrix, code: int) -> Stages:
    values, label = [int(place == code) for place in range(len(matrix.labels))], repr(matrix.labels[code])

    def stages(clock: Clock) -> Iterator[Bracket]:
        for bracket in nonnegative_stages(matrix, values, clock):
            yield replace(bracket, parameters=bracket.parameters | {"label": label})

    return stages


def sign_rank_steps(question: Question) -> Steps:
    """The sign rank of the last label, or of each if there are more than two."""
    matrix = question.matrix
    yield from _each(question, {code: _signs(matrix, code) for code in _codes(question)})


def _signs(matrix: CommunicationMatrix, code: int) -> Stages:
    return lambda clock: sign_stages(matrix, code, clock)


def approximate_rank_steps(question: Question) -> Steps:
    """Likewise the approximate rank."""
    yield from _each(question, {code: _near(question, code) for code in _codes(question)})


def _near(question: Question, code: int) -> Stages:
    return lambda clock: approximate_stages(question.matrix, question.error, code, clock)


def _codes(question: Question) -> list[int]:
    codes = list(question.labels)
    return codes if len(codes) > 2 else codes[-1:]


def _each(question: Question, streams: dict[int | None, Stages]) -> Steps:
    """One after the other, each with its share of the time."""
    clocks = {code: Clock() for code in streams}
    running = {code: stages(clocks[code]) for code, stages in streams.items()}
    yield {code: next(stages) for code, stages in running.items()}
    yield None
    for place, (code, stages) in enumerate(running.items()):
        clocks[code].end = Clock.within(question.clock.share(len(running) - place)).end
        bracket = None
        for bracket in stages:
            yield code, bracket, bracket.exact
        if bracket is not None and not bracket.exact:
            late = LATE if clocks[code].over else ""
            yield code, replace(bracket, method=bracket.method + late), True


def quantum_steps(question: Question) -> Steps:
    """Qubits with entanglement."""
    matrix = question.matrix
    certain = naming_a_line(matrix, "both", None, None)
    trivial = Bracket(
        "quantum", 0, certain.upper, certain.method, None, None, {"error": as_text(question.error)}, "qubits"
    )
    yield {0: trivial}
    yield None
    plain = next(stages_of_deterministic(matrix, answer="both", clock=question.clock))
    below = trivial.method.partition(" | ")[0]
    best = replace(trivial, upper=plain.upper, upper_witness={"kind": "protocol-tree", "tree": plain.tree})
    best = replace(best, method=f"{below} | protocol tree")
    yield 0, best, False
    try:
        found = quantum_bits(matrix, question.error, question.clock.left(20.0))
    except InputError:
        if not best.lower:  # the norm is the only method, and nothing was known by name
            raise
        found = best
    if found.lower >= best.lower and found is not best:
        best = replace(best, lower=found.lower, lower_witness=found.lower_witness, seconds=found.seconds)
        best = replace(best, method="gamma_2 dual | protocol tree")
    yield 0, best, True
