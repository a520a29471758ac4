"""Yao's game against all protocols, hand values, and checkers that are not fooled."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ccsim.bounds import Bracket, brackets_of, public_coin_complexity, public_coin_success, public_coins
from ccsim.bounds.bracket import Side
from ccsim.bounds.public_coins import public_coin_stages
from ccsim.bounds.scheduler import Clock
from ccsim.bounds.yao import best_protocols, right_cells
from ccsim.certificates.verify import Refused, check
from ccsim.certificates.verify.claims import Matrix
from ccsim.certificates.verify.randomised import most_answered
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import disjointness, equality, greater_than, inner_product, set_intersection_size
from tests.bounds.brute_force import answer_tables, checked, matrix_of, success
from tests.certificates.truth import TRUTHS
from tests.speed import patient

HAND = [  # function, bits, success
    (equality(1), 0, "1/2"),
    (equality(1), 1, "1/2"),
    (equality(1), 2, "1"),
    (disjointness(1), 1, "2/3"),
    (greater_than(1), 1, "2/3"),
    (equality(2), 1, "1/2"),
    (equality(2), 2, "10/13"),
    (inner_product(2), 2, "7/9"),
    (greater_than(2), 1, "4/7"),
    (set_intersection_size(2), 0, "1/3"),
]

tables = st.sampled_from([(2, 2), (2, 3), (3, 2), (3, 3)]).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(-1, 2))
)


def test_success_by_hand():
    for function, bits, value in HAND:
        bracket = checked(public_coin_success(function.matrix, bits), function.matrix)
        assert bracket.exact
        assert bracket.lower == Fraction(value)


@settings(max_examples=15, deadline=None)
@given(tables, st.integers(0, 2))
def test_success_is_that_of_all_protocols(codes, bits):
    if (codes < 0).all():
        return
    matrix = matrix_of(codes)
    bracket = checked(public_coin_success(matrix, bits), matrix)
    assert bracket.exact
    assert abs(float(bracket.lower) - success(codes, bits)) < 1e-7


@settings(max_examples=15, deadline=None)
@given(tables, st.integers(0, 2), st.randoms(use_true_random=False))
def test_the_best_protocol_is_the_best_of_all(codes, bits, draw):
    weights = np.array([[draw.randrange(20) if cell >= 0 else 0 for cell in row] for row in codes.tolist()])
    most, (tree, *others) = best_protocols(weights, codes, bits, 3)
    assert most >= max((int(weights[right_cells(other, codes)].sum()) for other in others), default=0)
    answers = answer_tables(*codes.shape, max(1, int(codes.max()) + 1), bits)
    assert most == max(int(weights.ravel()[row == codes.ravel()].sum()) for row in answers)
    assert most == int(weights[right_cells(tree, codes)].sum())


@settings(max_examples=6, deadline=None)
@given(arrays(np.int64, (4, 4), elements=st.integers(-1, 1)))
def test_success_grows_with_bits_and_is_1_at_d(codes):
    if (codes < 0).all():
        return
    needed = TRUTHS["deterministic"](codes.tolist(), "both", None, None)
    values = [public_coin_success(matrix_of(codes), bits) for bits in range(needed + 1)]
    assert all(value.exact for value in values)
    assert [value.lower for value in values] == sorted(value.lower for value in values)
    assert values[-1].lower == 1
    assert all(value.upper < 1 for value in values[:-1])


def test_complexity_agrees_with_success():
    for function in [equality(2), inner_product(2)]:
        for error in ("0", "1/4"):
            bracket = checked(public_coin_complexity(function.matrix, error), function.matrix)
            assert bracket.exact
            least = min(k for k in range(4) if public_coin_success(function.matrix, k).lower >= 1 - Fraction(error))
            assert bracket.lower == least


def test_zero_error_is_deterministic():
    for function in (equality(3), disjointness(3), greater_than(3), inner_product(3)):
        assert str(public_coin_complexity(function.matrix, 0)).startswith("randomised = 4 bits")


@pytest.mark.slow
def test_equality_of_eight_inputs():
    bracket = checked(public_coin_success(equality(3).matrix, 2), equality(3).matrix)
    assert bracket.lower == bracket.upper == Fraction(23, 32)


def test_a_claim_for_another_error_is_refused():
    bracket = public_coin_complexity(equality(2).matrix, "1/3")
    table = equality(2).matrix.codes.tolist()
    with pytest.raises(Refused):
        check(table, "randomised", "upper", {**bracket.parameters, "error": "1/5"}, bracket.upper_witness)
    with pytest.raises(Refused):
        check(table, "randomised", "lower", {**bracket.parameters, "error": "1/2"}, bracket.lower_witness)


def random_square(size, seed):
    return CommunicationMatrix.from_array(np.random.default_rng(seed).integers(0, 2, (size, size)))


@pytest.mark.parametrize(
    ("size", "seed"), [(8, 0), *(pytest.param(10, seed, marks=pytest.mark.slow) for seed in range(2))]
)
def test_random_matrices_of_ten_lines_are_exact(size, seed):
    found = public_coin_complexity(random_square(size, seed), "1/3", seconds=patient(600))
    assert (found.lower, found.upper) == (2, 2)
    checked(found, random_square(size, seed))


def test_three_bits_are_needed_where_two_err_too_much():
    """The distribution is learnt, not solved for."""
    matrix = random_square(12, 1)
    stages = public_coin_stages(matrix, "1/3", Clock())
    found = next(bracket for bracket in stages if bracket.lower == 3)
    assert check(matrix.codes.tolist(), "randomised", "lower", found.parameters, found.lower_witness) == 3


@settings(max_examples=20, deadline=None)
@given(tables, st.integers(0, 4), st.randoms(use_true_random=False))
def test_the_checker_finds_the_best_protocol_in_its_own_way(codes, bits, draw):
    weights = np.array([[draw.randrange(9) if cell >= 0 else 0 for cell in row] for row in codes.tolist()])
    answers = [np.where(codes == code, weights, 0).tolist() for code in range(3) if (weights * (codes == code)).any()]
    if answers:
        assert most_answered(Matrix(codes.tolist()), answers, bits) == best_protocols(weights, codes, bits)[0]


def test_more_time_never_leads_to_less(monkeypatch):
    """What is done in more time begins with what is done in less: slices do not depend on the whole."""

    def calls(seconds):
        now, made = [0.0], []
        clock = type("Clock", (), {"monotonic": staticmethod(lambda: now[0])})
        monkeypatch.setattr(public_coins, "time", clock)

        def method(name):
            def spend(given):
                now[0] += given
                made.append((name, given))
                return placeholder

            return spend

        placeholder = Bracket("randomised", Side(0, "trivial"))
        list(public_coins.in_turn({name: method(name) for name in "abc"}, seconds))
        return made

    for less, more in itertools.pairwise((0.5, 3, 7, 12, 20, 60)):
        shorter, longer = calls(less), calls(more)
        assert shorter[:-1] == longer[: len(shorter) - 1]
        assert len(shorter) <= len(longer)


@pytest.mark.parametrize("count", [2, 3, 5])
def test_a_guess_errs_as_often_as_there_are_other_answers(count):
    matrix, guess = CommunicationMatrix(np.arange(count)[None], tuple(range(count))), Fraction(count - 1, count)
    for error, bits in ((guess, 0), (guess - Fraction(1, 100), 1)):
        (found,) = brackets_of(matrix, "randomised", error=error)
        assert found.lower == found.upper == bits
        assert checked(found, matrix)


def test_a_matrix_of_free_cells_costs_nothing_and_raises_nothing():
    (found,) = brackets_of(CommunicationMatrix(np.full((3, 3), -1), (0,)), "randomised", seconds=patient(5))
    assert found.lower == 0
