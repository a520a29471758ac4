"""The time that bounds are given is kept, whatever a step takes; results by then are returned."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from itertools import count, product

import numpy as np
import pytest

from ccsim.bounds import (
    BY_NAME,
    MEASURES,
    blackboard,
    brackets_of,
    maximum_fooling_set,
    public_coin_complexity,
    public_coin_success,
    scheduler,
    summary,
)
from ccsim.bounds.bracket import Bracket, Open, Side
from ccsim.bounds.measures import question_about
from ccsim.bounds.multiparty import _least_bits
from ccsim.bounds.scheduler import Clock, Measure, OutOfTimeError, run_measures
from ccsim.bounds.solvers import made_ready
from ccsim.bounds.yao import YaoGame
from ccsim.certificates.certificate import claim_parameters
from ccsim.certificates.verify import check
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import disjointness, equality, greater_than, inner_product
from tests.slow import slow
from tests.speed import patient

SLACK = 10.0  # seconds that a busy machine may lose; what is tested would take far longer


def random_matrix(size, seed=5):
    return CommunicationMatrix.from_array(np.random.default_rng(seed).integers(0, 2, (size, size)))


def forever(report):
    report("begun")
    for _ in count():
        pass


@pytest.mark.parametrize("forks", [pytest.param(False, marks=pytest.mark.slow), *({scheduler.FORKS} - {False})])
def test_work_that_never_ends_is_ended(monkeypatch, forks):
    """Forked on Linux, in a fresh interpreter elsewhere."""
    monkeypatch.setattr(scheduler, "FORKS", forks)
    seconds = patient(0.2 if forks else 6.0)
    start = time.monotonic()
    assert list(Clock.within(seconds).run(forever)) == ["begun"]
    assert time.monotonic() - start < seconds + patient(SLACK)


@pytest.mark.parametrize("forks", sorted({False, scheduler.FORKS}))
def test_an_error_of_the_work_is_raised_here(monkeypatch, forks):
    monkeypatch.setattr(scheduler, "FORKS", forks)

    def fail(report):
        report(1)
        raise InputError("what", 2, "three")

    with pytest.raises(InputError, match="three"):
        list(Clock.within(patient(20)).run(fail))


def test_work_that_dies_leaves_its_results():
    def die(report):
        report(1)
        os.kill(os.getpid(), signal.SIGKILL)

    assert list(Clock.within(patient(20)).run(die)) == [1]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_no_process_outlives_the_one_that_began_it():
    code = (
        "import os, sys, time\n"
        "from ccsim.bounds.scheduler import Clock\n"
        "def work(report):\n"
        "    report(os.getpid())\n"
        "    time.sleep(600)\n"
        "for number in Clock.within(600).run(work):\n"
        "    print(number, flush=True)\n"
        "    os._exit(0)\n"
    )
    number = int(
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=patient(60)).stdout
    )
    for _ in range(100):
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    raise AssertionError("still there")


def double(name, search, upper=None):
    """A measure of one place, with a trivial bracket."""
    return Measure(name, lambda _: {0: Bracket(name, Side(0, "trivial"), Side(upper, "trivial"))}, search)


def between(name, lower, upper, by):
    return Bracket(name, Side(lower, by), Side(upper, by))


def asked_in(seconds, *measures, **options):
    return run_measures(question_about(equality(2), "both", seconds), measures, **options)


def test_a_measure_that_hangs_costs_the_others_nothing():
    def hang(question, place, clock):
        yield between("slow", 2, 7, "first")
        yield None
        yield between("slow", 3, 7, "second")
        time.sleep(600)

    def quick(question, place, clock):
        yield None
        yield between("quick", 4, 5, "found")

    def refuse(question, place, clock):
        yield None
        raise InputError("matrix", 1, "another")

    made_ready()  # libraries that are opened at their first use are not what is waited for here
    seconds, start, asked = patient(4), time.monotonic(), []
    measures = double("slow", hang), double("refuse", refuse), double("quick", quick)
    found = asked_in(seconds, *measures, begun=asked.append)
    assert time.monotonic() - start < seconds + patient(SLACK)
    assert asked[:3] == ["slow", "refuse", "quick"]
    assert [(one.lower, one.upper, one.method) for one in found["slow"]] == [(3, 7, "second, out of time")]
    assert [(one.lower, one.upper, one.method) for one in found["quick"]] == [(4, 5, "found, out of reach")]
    assert isinstance(found["refuse"], InputError)


def test_quick_steps_that_hang_leave_time_to_those_of_each_other_measure():
    names, said = "abcdefghi", []
    measures = {name: double(name, lambda *_: iter(()), 5) for name in names}
    question = question_about(equality(2), "both", 900.0)
    scheduler.Worker(question, tuple((name, False) for name in names), measures)(said.append)
    late = [sent[1] for kind, *sent in said if kind == "begin"]
    assert len(late) == len(names)
    assert late[0] <= time.monotonic() + 200
    assert late[-1] >= question.clock.end - 460


@pytest.mark.parametrize("size", [12, 64])
def test_quick_steps_bound_both_sides_of_discrepancies(size):
    question = question_about(random_matrix(size), "both", 900.0)
    for step in MEASURES["discrepancy"].steps(question):
        if step is None:
            break
    found = question.known["discrepancy"]
    assert 0 < found.lower <= found.upper < 1
    assert size < 20 or question.known["least-discrepancy"].lower > 0


def test_what_was_known_before_a_new_start_is_not_forgotten():
    """A measure that is late without a search is asked again, and says less at first."""

    def forgetful(question, place, clock):
        yield between("odd", 1, 9, "first")
        yield between("odd", 5, 9, "second")
        time.sleep(600)

    found = asked_in(2.0, double("odd", forgetful), double("other", lambda *_: iter(())))
    assert [(one.lower, one.upper) for one in found["odd"]] == [(5, 9)]


def test_what_others_do_not_need_goes_to_those_that_had_too_little():
    def needy(question, place, clock):
        yield None
        late = clock.left(1000.0) < 600
        yield replace(between("needy", 2, 5, "first"), open=Open.TIME) if late else between("needy", 4, 4, "second")

    found = asked_in(1000.0, double("needy", needy, 5), double("content", lambda *_: iter(()), 5))
    assert [(one.lower, one.upper, one.method) for one in found["needy"]] == [(4, 4, "second")]
    assert found["content"][0].method == "trivial, out of reach"


def test_each_measure_is_in_time_and_never_without_a_bracket():
    matrix = random_matrix(24)
    for name in MEASURES:
        start = time.monotonic()
        found = brackets_of(matrix, name, seconds=0.05)
        assert time.monotonic() - start < patient(SLACK), name
        assert found, name
        assert all(bracket.upper is None or bracket.lower <= bracket.upper for bracket in found), name


@pytest.mark.parametrize(
    "subject",
    [random_matrix(12), slow(inner_product(8)), slow(disjointness(9))],
    ids=["12 x 12", "256 x 256", "512 x 512"],
)
def test_a_summary_is_in_time_and_complete(subject):
    start = time.monotonic()
    found = summary(subject, seconds=0.5)
    assert time.monotonic() - start < patient(1 + SLACK)
    names = {bracket.measure for bracket in found.brackets}
    assert names >= {"deterministic", "one-way", "rank", "fooling-set", "cover", "partition"}
    late = [bracket for bracket in found.brackets if "out of time" in bracket.method]
    assert not any(bracket.exact for bracket in late)


@pytest.mark.parametrize(
    ("bound", "size", "labels"),
    [
        (blackboard, 12, 2),
        (partial(public_coin_complexity, error="1/3"), 12, 3),
        (partial(public_coin_success, bits=3), 12, 3),
        (maximum_fooling_set, 64, 2),
    ],
    ids=["boxes", "bits", "success", "fooling"],
)
def test_a_bound_of_its_own_is_in_time(bound, size, labels):
    """By the processor: the longest step that does not look at the clock is a part of what is given."""
    matrix = CommunicationMatrix.from_array(np.random.default_rng(5).integers(0, labels, (size, size)))
    made_ready()
    seconds, start = patient(1.0), time.process_time()
    found = bound(matrix, seconds=seconds)
    assert time.process_time() - start < patient(0.5, time.process_time) + 1.5 * seconds
    assert found.lower <= found.upper


def test_no_step_is_begun_that_takes_longer_than_is_left():
    game = YaoGame(equality(2).matrix, 2, Clock.within(1000.0))
    assert not game.over
    game.longest = 2000.0
    assert game.over
    with pytest.raises(OutOfTimeError):
        _least_bits(equality(2).matrix.codes, Clock(0.0))


@pytest.mark.parametrize("name", [slow("fooling"), "cover", slow("partition")])
def test_brackets_that_ran_out_of_time_are_proved(name):
    matrix = random_matrix(30)
    for bracket in brackets_of(matrix, name, seconds=0.2):
        parameters = {key: bracket.parameters[key] for key in ("code", "answer") if key in bracket.parameters}
        for side, value, witness in (
            ("lower", bracket.lower, bracket.lower_witness),
            ("upper", bracket.upper, bracket.upper_witness),
        ):
            if witness is not None:
                assert check(matrix.codes.tolist(), bracket.measure, side, parameters, witness) == value


def test_all_rows_of_a_cover_of_a_large_matrix_are_not_needed():
    zeros = brackets_of(disjointness(9), "cover", seconds=patient(20))[0]
    assert (zeros.lower, zeros.upper) == (9, 9)


def test_a_fresh_interpreter_finds_the_same(monkeypatch):
    monkeypatch.setattr(scheduler, "FORKS", False)
    assert {bracket.lower for bracket in brackets_of(disjointness(2), "cover", seconds=patient(20))} == {2, 4}


def test_trivial_brackets_come_before_anything_is_built(monkeypatch):
    """Both sides of each, at once, also where merging equal rows takes too long."""
    function, start = disjointness(10), time.monotonic()
    monkeypatch.setattr(CommunicationMatrix, "merge", None)
    for name, answer in product([name for name in MEASURES if name != "discrepancy"], ("both", "alice", "bob")):
        brackets = MEASURES[name].at_once(question_about(function, answer))
        assert all(one.upper is not None and one.lower <= one.upper for one in brackets.values()), (name, answer)
    assert time.monotonic() - start < patient(10)


@pytest.mark.parametrize("answer", ["both", "alice", "bob"])
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in (*BY_NAME, "randomised") else [])
        for name in MEASURES
        if name != "discrepancy"
    ],
)
def test_trivial_brackets_hold_and_are_proved(name, answer):
    rng = np.random.default_rng(3)
    matrices = [function(2).matrix for function in (disjointness, greater_than)]
    for shape, low, labels in (((5, 4), 0, 3), ((5, 5), -1, 2), ((1, 3), 0, 1), ((2, 2), -1, 0)):
        codes = rng.integers(low, max(labels, 0), shape) if labels else np.full(shape, -1)
        matrices.append(CommunicationMatrix(codes, tuple(range(max(labels, 1)))))
    for matrix in matrices:
        if name in ("rank", "nonnegative-rank") and not matrix.is_total:
            continue
        trivial = MEASURES[name].at_once(question_about(matrix, answer))
        exact = {one.name: one for one in brackets_of(matrix, name, answer=answer)}
        for bracket in trivial.values():
            found = exact.get(bracket.name)
            if found is not None:
                assert bracket.lower <= found.lower
                assert bracket.upper is None or found.upper is None or found.upper <= bracket.upper
            for side in ("lower", "upper"):
                witness, value = getattr(bracket, f"{side}_witness"), getattr(bracket, side)
                if witness is not None:
                    proved = check(matrix.codes.tolist(), bracket.measure, side, claim_parameters(bracket), witness)
                    assert proved >= value if side == "lower" else proved <= value
