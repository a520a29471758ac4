"""The time that bounds are given is kept, whatever a step takes; results by then are returned."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import count, islice, product

import numpy as np
import pytest

from ccsim.bounds import (
    BY_NAME,
    MEASURES,
    blackboard,
    brackets_of,
    covers,
    discrepancy,
    factor_ranks,
    maximum_fooling_set,
    nonnegative_rank,
    one_message,
    partition_number,
    public_coin_complexity,
    public_coin_success,
    scheduler,
    sign_rank,
    summary,
    vc_dimension,
)
from ccsim.bounds.bracket import Bracket, Open, Side
from ccsim.bounds.covers import bracket_of
from ccsim.bounds.factor_ranks import by_changes
from ccsim.bounds.field_ranks import rank_witness
from ccsim.bounds.leaves import leaf_findings
from ccsim.bounds.measures import question_about
from ccsim.bounds.multiparty import _least_bits
from ccsim.bounds.one_message import LargeGame
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


def test_quick_bounds_of_every_answer_come_before_the_first_search():
    said = []
    steps = (
        lambda bounds: said.append(("quick", bounds.code)),
        None,
        lambda bounds: said.append(("long", bounds.code)),
    )
    found = bracket_of(random_matrix(6), None, "cover", steps, 1000.0)
    assert said == [("quick", 0), ("quick", 1), ("long", 0), ("long", 1)]
    assert found.upper == 12


@pytest.mark.parametrize("function", [equality(10), disjointness(9)], ids=["few cells", "many cells"])
def test_a_fooling_set_is_grown_to_its_end_without_time(function):
    assert maximum_fooling_set(function, 1, seconds=0.0).lower == min(function.shape)


def test_a_shattered_set_is_known_without_time():
    assert vc_dimension(disjointness(4), seconds=0.0).lower == 4


def test_pivots_that_take_longer_than_is_left_are_not_sought(monkeypatch):
    primes = []
    monkeypatch.setattr(covers, "rank_witness", lambda table, prime: primes.append(prime) or rank_witness(table, prime))
    assert partition_number(random_matrix(12), 0, seconds=1000.0).lower > 1
    few, primes[:] = set(primes), []
    monkeypatch.setattr(covers, "SECONDS", 10.0)
    partition_number(random_matrix(12), 0, seconds=patient(1))
    assert few > set(primes) == {2}


def test_ranks_come_before_protocols_and_small_fields_first():
    matrix = random_matrix(20)
    side, value, _, witness = next(leaf_findings(matrix, "both", Clock()))
    assert (side, witness["primes"]) == ("lower", [2, 2])
    assert check(matrix.codes.tolist(), "leaves", "lower", {"answer": "both"}, witness) == value


def test_partial_matrices_of_any_size_have_fooling_sets_at_once():
    codes = np.where(np.random.default_rng(1).random((80, 80)) < 0.2, -1, random_matrix(80).codes)
    question = question_about(CommunicationMatrix(codes, (0, 1)), "both", 900.0)
    for name, least in (("leaves", 20), ("deterministic", 5)):
        steps = MEASURES[name].steps(question)
        assert any(step and not isinstance(step, dict) and step[1].lower >= least for step in islice(steps, 9)), name


def test_success_of_a_message_is_known_without_a_game(monkeypatch):
    monkeypatch.setattr("ccsim.bounds.measures.one_way_success", lambda *_, **__: time.sleep(600))
    matrix = random_matrix(16)
    for bracket in brackets_of(matrix, "one-way-success", seconds=0.3):
        bits = bracket.parameters["bits"]
        assert bracket.lower == (1 if bits == 4 else Fraction(1, 2))
        assert check(matrix.codes.tolist(), bracket.measure, "lower", bracket.parameters, bracket.lower_witness)


def test_no_program_is_stated_that_takes_longer_than_is_left(monkeypatch):
    game = LargeGame(random_matrix(20), 1, Clock(), Fraction(2, 3))
    game.play(1)
    monkeypatch.setattr(one_message, "matrix_game", None)
    monkeypatch.setattr(one_message, "SECONDS", 1e9)
    game.clock.end = time.monotonic() + 1000.0
    assert game._mix()[1] == 0


def test_qubits_of_a_large_matrix_are_bounded_by_corners_the_small_one_first(monkeypatch):
    shapes = []
    monkeypatch.setattr(
        "ccsim.bounds.measures.quantum_bits",
        lambda corner, *_: shapes.append(corner.shape) or Bracket("quantum", Side(1, "dual"), unit="qubits"),
    )
    list(MEASURES["quantum"].steps(question_about(random_matrix(300))))
    list(MEASURES["quantum"].steps(question_about(random_matrix(20))))
    assert shapes == [(64, 64), (256, 256), (20, 20)]


def test_factors_of_many_changes_are_not_written_without_time():
    rough, smooth = (2 * np.array(one.codes) - 1 for one in (random_matrix(100), greater_than(7).matrix))
    assert by_changes(rough, 100, Clock(0.0)) is None
    assert by_changes(rough, 100, Clock()) is not None
    assert by_changes(rough, 3, Clock()) is None
    assert len(by_changes(smooth, 100, Clock(0.0))[0][0]) == 2


def test_no_plane_is_sought_that_takes_longer_than_is_left(monkeypatch):
    matrix = equality(4).matrix
    assert sign_rank(matrix, seconds=patient(20)).lower == 3
    monkeypatch.setattr(factor_ranks, "PLANES", 1e-9)
    assert sign_rank(matrix, seconds=patient(20)).lower == 2


def test_parts_of_large_matrices_bound_sign_and_nonnegative_rank(monkeypatch):
    monkeypatch.setattr(factor_ranks, "MOST_FORSTER", 32)
    monkeypatch.setattr(factor_ranks, "MOST_RANK", 7)
    monkeypatch.setattr(factor_ranks, "MOST_ROWS", 8)
    for bound, matrix, by, least in (
        (sign_rank, inner_product(6).matrix, "Forster", 6),
        (nonnegative_rank, random_matrix(48), "rank", 7),
    ):
        found = bound(matrix)
        assert (found.below.by, found.lower) == (by, least)
        assert replace(found, matrix=matrix).certificate.verify()


@slow
def test_discrepancy_of_more_rows_than_floats_have_powers():
    assert discrepancy(np.zeros((2050, 2050), dtype=int), seconds=0.0).lower == 1
