"""Nearly orthogonal vectors without chance: all products, by pairs and by differences."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ccsim import InputError
from protocols.constructions import CodeAddresses, conditional_dimension, conditional_vectors, shortest_code
from protocols.constructions.addresses import FIELDS, balanced_bound, products_of_field

QUARTER = Fraction(1, 4)


def pairs(rows):
    """The largest and the least product of two different rows."""
    products = rows @ rows.T
    off = products[~np.eye(len(rows), dtype=bool)]
    return int(off.max()), int(off.min())


@pytest.mark.parametrize("count", [2, 3, 16, 100])
@pytest.mark.parametrize("bound", [QUARTER, Fraction(1, 2)])
def test_conditional_expectations_end_below_the_bound(count, bound):
    rows = conditional_vectors(count, bound)
    assert rows.shape == (count, conditional_dimension(count, bound))
    assert set(np.unique(rows)) <= {-1, 1}
    assert pairs(rows)[0] <= rows.shape[1] * bound


def test_one_sign_less_is_not_promised():
    for length in range(1, 12):
        sums = [sum(signs) for signs in product((-1, 1), repeat=length)]
        heavy = sum(4 * each > length for each in sums)
        for count in (2, 5, 9):
            assert (conditional_dimension(count, QUARTER) <= length) >= (heavy * (count - 1) < 2**length)


@pytest.mark.parametrize("count", [2, 5, 16, 100, 256])
@pytest.mark.parametrize("spelling", ["balanced", "biorthogonal"])
def test_words_of_codes_are_nearly_orthogonal(count, spelling):
    code = shortest_code(count, QUARTER, spelling)
    rows = code.rows(np.arange(1, count + 1))
    most, least = pairs(rows)
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


@pytest.mark.parametrize("bits", [4, 16, 64, 200, 256])
def test_signs_in_proportion_to_the_bits_of_a_number(bits):
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


@pytest.mark.parametrize("symbol", range(2, 10))
def test_fields(symbol):
    size, table = 1 << symbol, products_of_field(symbol)
    assert (table == table.T).all()
    assert all(sorted(row) == list(range(size)) for row in table[1:].tolist())
    assert all(table[a, b] == field_product(a, b, symbol) for a, b in product(range(0, size, 7), repeat=2))
    assert FIELDS[symbol] >> symbol == 1


def test_the_bound_on_balanced_words():
    for symbol, spelt in product((2, 3), range(1, 9)):
        sums = [sum(signs) for signs in product((-1, 1), repeat=spelt)]
        most = balanced_bound(symbol, spelt)
        assert sum(each > most for each in sums) * (2**symbol - 1) < 2**spelt


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: shortest_code(16, Fraction(2)),
        lambda: shortest_code(16, QUARTER, "loud"),
        lambda: shortest_code(16, Fraction(1, 10**6)),
        lambda: CodeAddresses(16, 2, 5, (1,)),
        lambda: shortest_code(16, QUARTER).rows([17]),
        lambda: conditional_vectors(4, Fraction(0)),
    ],
)
def test_what_is_no_code_is_refused(wrong):
    with pytest.raises(InputError):
        wrong()
