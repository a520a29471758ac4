"""Printed lines of papers that cannot be right, and their repair: the rows of ``docs/errata.md``, by number."""

from fractions import Fraction
from itertools import combinations, product
from math import cos, exp, floor, log, pi

import flint
import numpy as np

import ccsim as cc


def is_two_cnf(f, n):
    """Whether the clauses of two literals that a function implies have no further models."""
    words = list(product((0, 1), repeat=n))
    clauses = product(range(n), range(n), (0, 1), (0, 1))
    kept = [(i, j, a, b) for i, j, a, b in clauses if all(w[i] == a or w[j] == b for w in words if f(w))]
    return all(f(w) or any(w[i] != a and w[j] != b for i, j, a, b in kept) for w in words)


def test_1_disjointness_is_the_two_cnf_and_intersection_is_none():
    def meet(word):
        return any(a and b for a, b in zip(word[:3], word[3:], strict=True))

    assert not is_two_cnf(meet, 6)
    assert is_two_cnf(lambda word: not meet(word), 6)


def test_6_an_automaton_that_is_not_minimal_needs_fewer_bits():
    counting = cc.models.Automaton.of("01", [[state, (state + 1) % 4] for state in range(4)], [0, 1, 0, 1])
    assert (counting.states, counting.minimise().state_bits) == (4, 1)


def test_7_and_9_the_printed_eta_is_too_small_and_enough_where_exponentials_are_rounded_down():
    size, power = 64, 2
    needed, printed = (size - 1) * (2 * size**power - 1), size * (2 * size) ** power  # exp(eta / 2), exp(eta)
    assert needed <= printed < needed**2
    gap = floor(Fraction(3, 4) * Fraction(log(size) + power * log(2 * size)) * size**power)
    softmax = cc.models.Softmax(cc.arithmetic.Precision.polynomial(size, power))
    assert softmax.row(np.array([0, *[-gap] * (size - 1)])).tolist() == [size**power, *[0] * (size - 1)]


def test_10_a_margin_of_one_over_n_takes_2n_signs():
    def addresses(signs, size):
        families = combinations(product((1, -1), repeat=signs), 2 * size)
        pairs = (combinations(family, 2) for family in families)
        return any(all(100 * size * abs(np.dot(x, y)) <= signs for x, y in family) for family in pairs)

    assert [addresses(signs, 2) for signs in (2, 3, 4)] == [False, False, True]


def test_13_bob_does_not_need_what_he_does_not_have():
    def right(size, values):
        pairs = product(product((0, 1), repeat=size), repeat=2)
        averages = ((a, b, Fraction(sum(values(a, b)[2 * i + bit] for i, bit in enumerate(a)), size)) for a, b in pairs)
        return sum((average != -1) == any(map(min, a, b)) for a, b, average in averages)

    assert right(3, lambda a, b: [value for bit in a for value in (2 * bit - 1, -1)]) == 27  # as printed, of 64
    assert right(3, lambda a, b: [value for bit in b for value in (-1, 2 * bit - 1)]) == 64


def test_15_the_repaired_matrices_have_rank_three():
    circle = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    printed = [[c, s, 1, c, -s, 0] for c, s in circle] + [[0, 0, 0, 0, 0, 1]]
    repaired = [[c, s, 1, c, -s, -1] for c, s in circle] + [[0] * 6]
    assert (flint.fmpz_mat(printed).rank(), flint.fmpz_mat(repaired).rank()) == (4, 3)


def test_16_sums_are_counted_modulo_m():
    size, modulus = 3, 5
    terms = [exp(modulus**2 * log(6 * size) * (cos(2 * pi * (1 + other) / modulus) - 1)) for other in (1, 2, 4)]
    assert np.round(np.divide(terms, sum(terms) + 1), 6).tolist() == [0, 0, 0.5]
