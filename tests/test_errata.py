"""Printed lines of papers that cannot be right, and their repair: the rows of ``docs/errata.md``, by number."""

from fractions import Fraction
from functools import partial
from itertools import combinations, product
from math import cos, exp, floor, log, pi

import flint
import numpy as np

import ccsim as cc
import protocols.constructions


def is_two_cnf(f, n):
    """Whether the clauses of two literals that a function implies have no further models."""
    words = list(product((0, 1), repeat=n))
    clauses = product(range(n), range(n), (0, 1), (0, 1))
    kept = [(i, j, a, b) for i, j, a, b in clauses if all(w[i] == a or w[j] == b for w in words if f(w))]
    return all(f(w) or any(w[i] != a and w[j] != b for i, j, a, b in kept) for w in words)


def test_1_a_recurrent_model_for_index_lookup_is_narrower_than_n():
    for bits in (2, 4, 8):
        size = 1 << bits  # and numbers of log N bits
        assert protocols.constructions.shift_register(size).state_bits == size
        assert -(-size // bits) < size


def test_3_lemma_4_gives_three_bits_for_dyck_at_every_length():
    assert cc.models.dyck_automaton(2, 2).minimise().state_bits == 3


def test_4_disjointness_is_the_two_cnf_and_intersection_is_none():
    def meet(word):
        return any(a and b for a, b in zip(word[:3], word[3:], strict=True))

    assert not is_two_cnf(meet, 6)
    assert is_two_cnf(lambda word: not meet(word), 6)


def test_7_the_four_steps_exceed_the_total_above_three_halves_of_log_n_for_one_head_and_three_for_many():
    for width, heads, bits in product((1, 2, 8, 64, 512), (1, 2, 3, 8), range(1, 12)):  # bits = log N
        last = 3 * heads * bits // (heads + 1)
        steps, printed = (
            [width * p + heads * (4 * p + 2 * bits + 4 * width * p) for p in (last - 1, last + 1)],
            [3 * width * (p + bits) * heads for p in (last - 1, last + 1)],
        )
        assert steps[1] > printed[1]
        assert width < 512 or steps[0] <= printed[0]


def test_9_inequality_is_an_or_of_n_terms_of_two_literals_and_of_no_fewer():
    half, words = 3, np.array(list(product((0, 1), repeat=6)))
    unequal = (words[:, :half] != words[:, half:]).any(axis=1)
    pairs = product(combinations(range(6), 2), product((0, 1), repeat=2))
    terms = [(words[:, i] == a) & (words[:, j] == b) for (i, j), (a, b) in pairs]
    implying = [term for term in terms if not (term & ~unequal).any()]
    assert len(implying) == 6
    assert (np.any(implying, axis=0) == unequal).all()
    for place in range(6):
        assert (np.any(implying[:place] + implying[place + 1 :], axis=0) != unequal).any()


def test_10_an_automaton_that_is_not_minimal_needs_fewer_bits():
    counting = cc.models.Automaton.of("01", [[state, (state + 1) % 4] for state in range(4)], [0, 1, 0, 1])
    assert (counting.states, counting.minimise().state_bits) == (4, 1)


def test_11_one_unit_of_two_bits_holds_four_states():
    counting = cc.models.Automaton.of("01", [[state, (state + 1) % 4] for state in range(4)], [0, 0, 0, 1])
    assert (counting.minimise().states, counting.state_bits) == (4, 2)  # m = 1 < log n = 2 = mp


def test_13_to_16_the_first_layer_for_inequality():
    half, size, marks = 3, 6, np.eye(6)  # addresses of k = 6 numbers, with products 1 and 0
    addresses = np.concatenate([marks[:half], marks[:half]])
    for word in product((-1, 1), repeat=size):
        rows = np.column_stack([word, np.zeros(size), marks, addresses, np.ones(size)])
        assert rows.shape[1] == 3 + 2 * size
        queries, keys = rows[:, -size - 1 :], np.column_stack([marks, np.full(size, -0.5)])
        assert queries[:, :-1].shape[1] < keys.shape[1]  # an address alone is one entry short
        chosen = (queries @ keys.T).argmax(axis=1)
        values = np.zeros_like(rows)
        values[:, 1] = word
        output = rows + values[chosen]
        assert (output[half:, 2 + size : -1] == marks[:half]).all()  # the address of i - N/2, and not of i
        differ = output[:, 0] != output[:, 1]
        assert not differ[:half].any()
        assert (sum(differ[half:]) >= 1) == (word[:half] != word[half:])


def test_17_and_19_the_printed_eta_is_too_small_and_enough_where_exponentials_are_rounded_down():
    size, power = 64, 2
    needed, printed = (size - 1) * (2 * size**power - 1), size * (2 * size) ** power  # exp(eta / 2), exp(eta)
    assert needed <= printed < needed**2
    gap = floor(Fraction(3, 4) * Fraction(log(size) + power * log(2 * size)) * size**power)
    softmax = cc.models.Softmax(cc.arithmetic.Precision.polynomial(size, power))
    assert softmax.row(np.array([0, *[-gap] * (size - 1)])).tolist() == [size**power, *[0] * (size - 1)]


def test_21_a_margin_of_one_over_n_takes_2n_signs():
    def addresses(signs, size):
        families = combinations(product((1, -1), repeat=signs), 2 * size)
        pairs = (combinations(family, 2) for family in families)
        return any(all(100 * size * abs(np.dot(x, y)) <= signs for x, y in family) for family in pairs)

    assert [addresses(signs, 2) for signs in (2, 3, 4)] == [False, False, True]


def averages(values, a, b):
    """The average of the rows 2 i + a_i - 1 of 2 q, for values that are written by a function of both sets."""
    return Fraction(sum(values(a, b)[2 * i + bit] for i, bit in enumerate(a)), len(a))


def right(values, wanted):
    """On how many pairs of sets of three elements an average other than -1 answers what is wanted."""
    pairs = list(product(product((0, 1), repeat=3), repeat=2))
    return sum((averages(values, a, b) != -1) == any(map(wanted, a, b)) for a, b in pairs)


def written(bits, sign=-1):
    return [value for bit in bits for value in (2 * bit + sign, -1)]


def test_24_bob_does_not_need_what_he_does_not_have_whatever_the_signs():
    for sign in (-1, 0, 1):  # in the place of the one that is lost
        values = partial(lambda sign, a, b: written(a, sign), sign)
        assert len({averages(values, (1, 0, 1), b) for b in product((0, 1), repeat=3)}) == 1
    assert right(lambda a, b: written(a), min) == 27  # as printed, of 64
    assert right(lambda a, b: written(b), lambda own, other: other > own) == 64  # with the complement of a
    assert right(lambda a, b: [value for bit in b for value in (-1, 2 * bit - 1)], min) == 64


def test_26_each_party_has_one_number_of_each_pair():
    size = 3
    pairs = [(i, i + size) for i in range(2, size + 2)]

    def divided(last):
        """Whether Alice, who has all up to the last, and Bob share each pair."""
        return [first <= last < second for first, second in pairs]

    assert divided(size) == [True, True, False]  # as printed: the last pair is Bob's
    assert all(divided(size + 1))


def test_27_an_isometry_excludes_what_the_printed_orthogonality_asks_for():
    family = np.eye(4)  # the best there is; vectors with one entry of 1
    products = family.T @ family
    assert (np.diag(products) >= 1 - 0.25).all()
    assert (abs(np.diag(products)) > 0.25).all()  # v' = v
    assert abs(products - np.diag(np.diag(products))).max() <= 0.25  # disjoint supports


def test_29_the_repaired_matrices_have_rank_three():
    circle = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    printed = [[c, s, 1, c, -s, 0] for c, s in circle] + [[0, 0, 0, 0, 0, 1]]
    repaired = [[c, s, 1, c, -s, -1] for c, s in circle] + [[0] * 6]
    assert (flint.fmpz_mat(printed).rank(), flint.fmpz_mat(repaired).rank()) == (4, 3)


def test_30_sums_are_counted_modulo_m():
    size, modulus = 3, 5
    terms = [exp(modulus**2 * log(6 * size) * (cos(2 * pi * (1 + other) / modulus) - 1)) for other in (1, 2, 4)]
    assert np.round(np.divide(terms, sum(terms) + 1), 6).tolist() == [0, 0, 0.5]
