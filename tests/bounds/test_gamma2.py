"""gamma_2 of known matrices, its elementary bounds, and certificates that are not fooled."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ccsim.bounds import gamma2, gamma2_bits, public_coin_complexity
from ccsim.certificates.verify import Refused, check
from ccsim.certificates.verify.claims import Matrix
from ccsim.certificates.verify.ranks import nearly_factorised
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import equality, inner_product
from tests.bounds.brute_force import checked, matrix_of

NARROW = Fraction(1, 10**8)


def test_inner_product_has_the_norm_of_a_hadamard_matrix():
    for n in (1, 2, 4):
        bracket = checked(gamma2(inner_product(n).matrix), inner_product(n).matrix)
        assert bracket.lower**2 <= 2**n <= bracket.upper**2
        assert bracket.upper - bracket.lower < NARROW
        assert bracket.exact == (n % 2 == 0)


def test_equality_has_norm_3_minus_4_over_its_size():
    for n in (1, 3):
        bracket = checked(gamma2(equality(n).matrix), equality(n).matrix)
        assert bracket.exact
        assert bracket.lower == 3 - Fraction(4, 2**n)


def test_a_rectangle_has_norm_1():
    assert gamma2(CommunicationMatrix.from_array([[1, 1, 0], [1, 1, 0]])).upper == 1


@settings(max_examples=10, deadline=None)
@given(arrays(np.int64, (4, 5), elements=st.integers(0, 1)))
def test_norm_lies_between_the_trace_norm_and_the_rank(codes):
    matrix, signs = matrix_of(codes), 2.0 * codes - 1
    bracket = checked(gamma2(matrix), matrix)
    assert bracket.upper - bracket.lower < NARROW
    assert np.linalg.norm(signs, "nuc") / np.sqrt(signs.size) <= float(bracket.upper) + 1e-9
    assert float(bracket.lower) <= np.sqrt(np.linalg.matrix_rank(signs)) + 1e-9


@settings(max_examples=6, deadline=None)
@given(arrays(np.int64, (4, 4), elements=st.integers(-1, 1)))
def test_approximation_makes_it_smaller(codes):
    matrix = matrix_of(codes)
    exact, close, loose = (checked(gamma2(matrix, alpha), matrix) for alpha in ("1", "3/2", "4"))
    assert loose.lower <= close.upper
    assert close.lower <= exact.upper
    assert max(bracket.upper - bracket.lower for bracket in (exact, close, loose)) < Fraction(1, 10**6)


@settings(max_examples=6, deadline=None)
@given(arrays(np.int64, (3, 3), elements=st.integers(-1, 2)), st.sampled_from(["0", "1/10", "1/3"]))
def test_bits_never_exceed_the_complexity(codes, error):
    if (codes < 0).all():
        return
    matrix = matrix_of(codes)
    bits = gamma2_bits(matrix, error)
    assert check(codes.tolist(), "randomised", "lower", bits.parameters, bits.lower_witness) == bits.lower
    assert bits.lower <= public_coin_complexity(matrix, error).lower


def test_bits_of_inner_product_grow():
    assert [gamma2_bits(inner_product(n).matrix, "1/10").lower for n in (2, 3)] == [2, 3]


def test_what_is_nearly_factorised_is_positive():
    """Of integer matrices with a least eigenvalue on either side of 0, those below are refused."""
    draw, seen = np.random.default_rng(3), {True: 0, False: 0}
    for _ in range(400):
        size = int(draw.integers(1, 7))
        half = draw.integers(-5, 6, (size, size))
        table = half @ half.T + np.diag(draw.integers(-9, 6, size))
        least = np.linalg.eigvalsh(table)[0]
        try:
            nearly_factorised(Matrix([[0]]), [row[: place + 1] for place, row in enumerate(table.tolist())])
        except Refused:
            assert least < 1e-6
            seen[False] += 1
        else:
            assert least > -1e-9
            seen[True] += 1
    assert min(seen.values()) > 50


@pytest.mark.slow
def test_beyond_elimination_both_sides_are_close_and_spoilt_ones_are_refused():
    matrix = CommunicationMatrix.from_array(np.random.default_rng(0).integers(0, 2, (41, 42)))
    bracket = checked(gamma2(matrix, "3"), matrix)
    assert 1 < bracket.upper / bracket.lower < Fraction(101, 100)
    for side, witness in (("lower", bracket.lower_witness), ("upper", bracket.upper_witness)):
        spoilt = [list(row) for row in witness["gram"]]
        spoilt[50][50] = "1/100"
        with pytest.raises(Refused):
            check(matrix.codes.tolist(), "gamma_2", side, bracket.parameters, {**witness, "gram": spoilt})


@pytest.mark.slow
def test_bits_of_a_large_table():
    matrix = inner_product(8).matrix
    found = gamma2_bits(matrix, "1/3", 40.0)
    assert found.lower == 5
    assert check(matrix.codes.tolist(), "randomised", "lower", found.parameters, found.lower_witness) == 5
