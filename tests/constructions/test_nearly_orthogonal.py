"""Nearly orthogonal vectors: the generator, the pairwise condition, the least dimension, the printed bounds."""

from fractions import Fraction
from itertools import combinations, product
from math import comb, exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.constructions import (
    BinaryAddresses,
    CodeAddresses,
    SignVectors,
    conditional_vectors,
    hoeffding_dimension,
    lemma_dimension,
    shortest_code,
    smallest_sign_vectors,
    union_dimension,
)
from protocols.constructions.addresses import FIELDS, balanced_bound, conditional_dimension, heavy, products_of_field
from tests.refusals import refuse

WORD = 2**64


def reference_sign(seed, number, place):
    """The documented hash, written out once more."""
    z = (seed * 0x9E3779B97F4A7C15 + number * 0xBF58476D1CE4E5B9 + (place // 64) * 0x94D049BB133111EB) % WORD
    for _ in range(2):
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % WORD
        z = z ^ (z >> 31)
    return 1 if (z >> (place % 64)) % 2 else -1


@settings(max_examples=25, deadline=None)
@given(st.integers(0, WORD - 1), st.integers(1, 1 << 32), st.integers(0, 200))
def test_signs_are_those_of_the_documented_hash(seed, number, place):
    vectors = SignVectors(count=1 << 32, dimension=201, seed=seed)
    row = vectors.rows(number)
    assert row.shape == (201,)
    assert row[place] == reference_sign(seed, number, place)


@pytest.mark.parametrize(("count", "dimension", "seed"), [(2, 3, 0), (17, 20, 1), (130, 9, 3)])
def test_products_are_compared_on_all_pairs(count, dimension, seed):
    vectors = SignVectors(count, dimension, seed)
    rows = vectors.rows(np.arange(1, count + 1)).tolist()
    products = [sum(a * b for a, b in zip(x, y, strict=True)) for x, y in combinations(rows, 2)]
    assert (vectors.largest_product, vectors.least_product) == (max(products), min(products))
    for steps in range(1, dimension):
        bound = Fraction(steps, dimension)
        assert vectors.within(bound) == (max(products) <= steps)
        assert vectors.within(bound, two_sided=True) == (max(map(abs, products)) <= steps)


@pytest.mark.parametrize("two_sided", [False, True])
@pytest.mark.parametrize(("count", "bound"), [(2, Fraction(1, 2)), (40, Fraction(1, 4)), (9, Fraction(2, 7))])
def test_the_dimension_found_is_the_least_of_its_seed(count, bound, two_sided):
    for seed in range(3):
        found = smallest_sign_vectors(count, bound, seed=seed, two_sided=two_sided)
        assert found.within(bound, two_sided)
        for dimension in range(1, found.dimension):
            assert not SignVectors(count, dimension, seed).within(bound, two_sided), (seed, dimension)


def test_the_lemma_asks_for_more_than_hoeffding_and_both_for_more_than_is_needed():
    quarter = Fraction(1, 4)
    for count, found in ((64, 162), (256, 296)):
        assert smallest_sign_vectors(count, quarter).dimension == found < lemma_dimension(count, quarter)
        assert union_dimension(count, quarter) <= hoeffding_dimension(count, quarter) < lemma_dimension(count, quarter)
    assert lemma_dimension(256, Fraction(1, 4)) == int(128 * log(512)) + 1


def test_the_printed_tail_holds_and_hoeffdings_is_sharper():
    for bound, dimension in product((Fraction(1, 2), Fraction(1, 4), Fraction(1, 10)), range(1, 80)):
        tail = heavy(dimension, int(dimension * bound)) / 2**dimension  # of products above the bound
        hoeffding, printed = exp(-dimension * bound**2 / 2), exp(-dimension * bound**2 / 4)
        assert tail <= hoeffding * (1 + 1e-12)
        assert hoeffding < printed


def test_the_union_bound_is_the_least_dimension_with_an_expectation_below_one():
    for count, bound in ((10, Fraction(1, 2)), (40, Fraction(1, 3))):
        dimension = union_dimension(count, bound)
        expected = [Fraction(comb(count, 2) * heavy(k, int(k * bound)), 2**k) for k in range(1, dimension + 1)]
        assert expected[-1] < 1
        assert all(value >= 1 for value in expected[:-1])
        assert dimension <= hoeffding_dimension(count, bound)
        brute = sum(bin(word).count("1") * 2 - 10 > 10 * bound for word in range(1 << 10))
        assert heavy(10, int(10 * bound)) == brute


def test_binary_addresses_are_all_different_and_their_products_bounded():
    for count in (1, 2, 3, 8, 13):
        addresses = BinaryAddresses(count)
        rows = addresses.rows(np.arange(1, count + 1))
        assert len(set(map(tuple, rows.tolist()))) == count
        products = (rows @ rows.T)[~np.eye(count, dtype=bool)]
        assert (products <= addresses.largest_product).all()
        assert (products >= addresses.least_product).all()


def test_bad_arguments_are_named():
    refuse(
        (lambda: SignVectors(0, 3), "count"),
        (lambda: SignVectors(3, 0), "dimension"),
        (lambda: SignVectors(3, 3, -1), "seed"),
        (lambda: SignVectors(3, 3).rows([4]), "numbers"),
        (lambda: BinaryAddresses(3).rows([0]), "numbers"),
        (lambda: smallest_sign_vectors(3, 1), "bound"),
        (lambda: smallest_sign_vectors(3, seed=-1), "seed"),
        (lambda: lemma_dimension(3, 0), "bound"),
        (lambda: lemma_dimension(3, "half"), "bound"),
        (lambda: shortest_code(16, Fraction(2)), "bound"),
        (lambda: shortest_code(16, Fraction(1, 10**6)), "bound"),
        (lambda: CodeAddresses(16, 2, 5, (1,)), "points"),
        (lambda: shortest_code(16, QUARTER).rows([17]), "numbers"),
        (lambda: conditional_vectors(4, Fraction(0)), "bound"),
    )


QUARTER = Fraction(1, 4)


def pairs(rows):
    """The largest and the least product of two different rows."""
    products = rows @ rows.T
    off = products[~np.eye(len(rows), dtype=bool)]
    return int(off.max()), int(off.min())


def test_conditional_expectations_end_below_the_bound():
    for count, bound in product((2, 3, 16, 60), (QUARTER, Fraction(1, 2))):
        rows = conditional_vectors(count, bound)
        assert rows.shape == (count, conditional_dimension(count, bound))
        assert set(np.unique(rows)) <= {-1, 1}
        assert pairs(rows)[0] <= rows.shape[1] * bound


def test_one_sign_less_is_not_promised():
    for length in range(1, 9):
        sums = [sum(signs) for signs in product((-1, 1), repeat=length)]
        heavy = sum(4 * each > length for each in sums)
        for count in (2, 5, 9):
            assert (conditional_dimension(count, QUARTER) <= length) >= (heavy * (count - 1) < 2**length)


def test_words_of_codes_are_nearly_orthogonal():
    for count in (2, 5, 16, 60):
        code = shortest_code(count, QUARTER)
        most, least = pairs(code.rows(np.arange(1, count + 1)))
        assert most <= code.largest_product <= code.proved_product <= QUARTER * code.dimension
        assert least >= code.least_product
        if count & (count - 1) == 0:
            assert (most, least) == (code.largest_product, code.least_product)


def test_the_code_as_it_is_described():
    code = shortest_code(300, QUARTER)
    for number in (1, 2, 77, 300):
        row = iter(code.rows([number])[0].tolist())
        for point in range(code.points):
            value = 0
            for digit in reversed(range(code.digits)):
                coefficient = (number - 1 >> code.symbol * digit) % (1 << code.symbol)
                value = field_product(value, point, code.symbol) ^ coefficient
            assert [next(row) for _ in code.masks] == [1 - 2 * ((value & mask).bit_count() & 1) for mask in code.masks]


def test_signs_in_proportion_to_the_bits_of_a_number():
    for bits in (4, 64, 256):
        code = shortest_code(1 << bits, QUARTER)
        assert code.dimension <= 550 * bits
        assert code.proved_product <= QUARTER * code.dimension


def field_product(a, b, symbol):
    """The product of two elements, by shifts."""
    found = 0
    while b:
        found ^= a if b & 1 else 0
        a, b = a << 1, b >> 1
        a ^= FIELDS[symbol] if a >> symbol & 1 else 0
    return found


def test_fields():
    for symbol in range(2, 10):
        size, table = 1 << symbol, products_of_field(symbol)
        assert (table == table.T).all()
        assert (np.sort(table[1:]) == np.arange(size)).all()
        assert all(table[a, b] == field_product(a, b, symbol) for a, b in product(range(0, size, 23), repeat=2))
        assert FIELDS[symbol] >> symbol == 1


def test_the_bound_on_balanced_words():
    for symbol, spelt in product((2, 3), range(1, 9)):
        sums = [sum(signs) for signs in product((-1, 1), repeat=spelt)]
        most = balanced_bound(symbol, spelt)
        assert sum(each > most for each in sums) * (2**symbol - 1) < 2**spelt
