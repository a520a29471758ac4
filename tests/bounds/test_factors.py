"""Nonnegative, sign and approximate rank: known values, brute force at tiny size, and what is not accepted."""

from __future__ import annotations

import copy
from fractions import Fraction
from itertools import combinations, permutations, product, takewhile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.bounds import (
    BY_NAME,
    approximate_rank,
    brackets_of,
    deterministic,
    gamma2_bits,
    nonnegative_rank,
    quantum_bits,
    sign_rank,
    summary,
)
from ccsim.bounds.bracket import Open
from ccsim.bounds.factor_ranks import nearly_dependent, total_parts
from ccsim.bounds.nonnegative_factors import by_folding, by_search, polished
from ccsim.bounds.scheduler import Clock
from ccsim.bounds.solvers import matrix_game
from ccsim.certificates.verify import Refused, check
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import disjointness, equality, greater_than, index, inner_product
from tests.certificates.truth import TRUTHS

HEXAGON = [[(0, 1, 2, 2, 1, 0)[(column - row) % 6] for column in range(6)] for row in range(6)]
SQUARE = [[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 1]]

# Yannakakis 1991 and Cohen and Rothblum 1993 (square, rank two); the regular hexagon: Gouveia, Parrilo and Thomas 2013.
NONNEGATIVE = [
    ("a square", SQUARE, 4),
    ("a hexagon", HEXAGON, 5),
    ("a hexagon, turned", [HEXAGON[-1], *HEXAGON[:-1]], 5),
    ("sums", [[i + j for i in range(5)] for j in range(5)], 2),
    ("products", [[i * j for i in range(5)] for j in range(5)], 1),
    ("zeros", [[0, 0], [0, 0]], 0),
    ("one row", [[3, 0, 5]], 1),
    ("squared distances on a line", [[(i - j) ** 2 for i in range(4)] for j in range(4)], 4),
]


def bracket(low, high, found):
    assert (found.lower, found.upper) == (low, high)
    assert found.certificate.verify()


@pytest.mark.parametrize(("rows", "value"), [case[1:] for case in NONNEGATIVE], ids=[case[0] for case in NONNEGATIVE])
def test_known_nonnegative_ranks(rows, value):
    bracket(value, value, nonnegative_rank(rows))


def distances(count):
    return np.array([[(i - j) ** 2 for j in range(count)] for i in range(count)])


def cell24():
    """The slack matrix of the 24-cell: vertices are the roots of D4, facets those of the dual."""
    vectors = np.array(list(product((-1, 0, 1), repeat=4)))
    vertices = vectors[(vectors**2).sum(axis=1) == 2]
    facets = np.concatenate([2 * vectors[(vectors**2).sum(axis=1) == 1], vectors[(vectors**2).sum(axis=1) == 4]])
    return 2 - facets @ vertices.T


def permutahedron(size):
    points = np.array(list(permutations(range(size))))
    subsets = [subset for count in range(1, size) for subset in combinations(range(size), count)]
    return np.array([points[:, subset].sum(axis=1) - sum(range(len(subset))) for subset in subsets])


def factors_of(table, pair):
    """How many factors there are, if they are."""
    left, right = (np.array(side, dtype=object) for side in pair)
    assert np.array_equal(left @ right.T, table)
    assert min(left.min(), right.min()) >= 0
    return left.shape[1]


# Distances: Hrubes 2012 (half of the points, and two more). 24-cell: Oelze, Vandaele and Weltge 2014.
FOLDED = [(distances(n), size) for n, size in ((6, 5), (7, 6), (8, 6), (9, 7), (10, 7), (16, 8), (32, 10))]
FOLDED += [(np.array(HEXAGON), 5), (cell24(), 12), (permutahedron(4), 9), (np.add.outer(range(5), range(4)), 2)]


@pytest.mark.parametrize(("table", "size"), FOLDED)
def test_folds(table, size):
    order = np.random.default_rng(1).permutation
    scattered = table[order(len(table))][:, order(table.shape[1])]
    for one in (table, scattered, scattered.T, np.concatenate([scattered, 0 * scattered[:1], 3 * scattered])):
        sizes = [factors_of(one, pair) for pair in takewhile(bool, by_folding(one, Clock()))]
        assert min([*sizes, min(table.shape)]) == size


def test_folds_of_any_matrix_are_exact():
    rng = np.random.default_rng(4)
    for _ in range(150):
        table = rng.integers(0, rng.integers(2, 5), rng.integers(1, 7, 2))
        table[0, 0] = 1
        for pair in by_folding(table, Clock()):
            assert pair is None or factors_of(table, pair) < min(table.shape)


@pytest.mark.parametrize(
    ("height", "width", "size", "full", "most"),
    [(6, 6, 3, 0.5, 4), (8, 8, 5, 0.5, 4), (8, 8, 5, 1, 9), (8, 6, 4, 0.8, 9), (12, 12, 4, 1, 9), (12, 12, 6, 0.5, 4)],
)
def test_products_of_random_factors_are_found(height, width, size, full, most):
    rng = np.random.default_rng(7)
    left, right = (
        rng.integers(1, most, (length, size)) * (rng.random((length, size)) < full) for length in (height, width)
    )
    table = left @ right.T
    found = [pair for number in range(40) if (pair := by_search(table, size, number, Clock()))]
    assert found
    assert {factors_of(table, pair) for pair in found} == {size}


def test_a_factor_that_is_not_used_is_no_factor():
    left, right = np.array([[1.0, 0], [0, 1], [1, 1]]), np.array([[1.0, 2], [2, 1]])
    assert polished(left @ right.T, left, right, Clock()) is not None
    for unused in (0, 1):
        wider = (np.column_stack([left, 0 * left[:, 0]]), np.column_stack([right, unused + 0 * right[:, 0]]))
        with np.errstate(all="raise"):
            assert polished(left @ right.T, *wider, Clock()) is None


def test_a_search_uses_its_time_and_keeps_it():
    (found,) = brackets_of(CommunicationMatrix.from_array(distances(7)), "nonnegative-rank", seconds=1)[-1:]
    assert (found.upper, found.open) == (6, Open.TIME)
    assert found.certificate.verify()


def test_known_sign_ranks():
    """Paturi and Simon 1986 for equality and comparison; INDEX shatters all its columns."""
    for function, value in [
        (equality(3), 3),
        (greater_than(3), 2),
        (index(3), 3),
        (inner_product(1), 2),
        (inner_product(2), 3),
    ]:
        bracket(value, value, sign_rank(function))


def test_forsters_bound_on_inner_products():
    found = sign_rank(inner_product(4), seconds=0.01)
    assert found.lower == 4
    assert found.lower_witness["kind"] == "forster"
    assert found.certificate.verify()


def test_known_approximate_ranks():
    for rows, value in [([[1, 1], [1, 1]], 1), ([[0, 1], [1, 0]], 1), ([[1, 1], [1, 0]], 2)]:
        for error in ("0", "1/3", "9/10"):
            bracket(value, value, approximate_rank(rows, error))


def test_what_is_free_may_have_any_sign():
    found = sign_rank([[1, 0, None], [None, 1, 0], [0, None, 1]], seconds=0.2)
    bracket(2, 2, found)  # a cycle of three -1
    assert sign_rank([[None, 1]]).upper == 1
    bracket(0, 0, sign_rank([[None, None]]))


def partial(rng, height, width, share):
    table = rng.integers(0, 2, (height, width))
    table[rng.random((height, width)) < share] = -1
    return table


def test_one_dimension_of_a_partial_matrix_is_exact():
    rng, dimensions = np.random.default_rng(5), set()
    for _ in range(200):
        table = partial(rng, *rng.integers(1, 7, 2), rng.choice([0.2, 0.5, 0.7]))
        truth = TRUTHS["sign-rank"](tuple(map(tuple, table.tolist())), label=1)
        low, high = truth if isinstance(truth, tuple) else (truth, truth)
        found = sign_rank(CommunicationMatrix(table, (0, 1)), seconds=0.1)
        assert low <= found.lower <= found.upper <= high
        assert (found.lower == found.upper == high) if high < 2 else found.lower >= 2
        assert check(table.tolist(), "sign-rank", "lower", {"label": 1}, {"kind": "plane"}) in (low, 3)
        dimensions.add(low)
    assert dimensions == {0, 1, 2}
    cycle = [[0, -1, -1, 0], [0, 1, -1, -1], [-1, -1, 1, 0], [-1, 1, 0, -1]]  # three rows meet at entries of -1 only
    for rows in permutations(cycle):
        assert check([*rows], "sign-rank", "lower", {"label": 1}, {"kind": "plane"}) == 2


def test_a_total_part_of_a_partial_matrix_bounds_its_sign_rank():
    """Three rows with all patterns up to their opposites, or columns; and most of an inner product."""
    four = [[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1]]
    lost = [[*row, None, None] for row in four] + [[None, None, 0, None, 1, 0], [1, None, None, None, 0, 0]]
    for rows in (lost, list(zip(*lost, strict=True))):
        bracket(3, 3, sign_rank(rows))
    sparse = partial(np.random.default_rng(4), 16, 16, 0.6)  # whose largest total parts are in a plane
    assert sign_rank(CommunicationMatrix(sparse, (0, 1)), seconds=0.1).lower == 3
    table = inner_product(4).matrix.codes.copy()
    table[5, 7] = table[11, 3] = -1
    found = sign_rank(CommunicationMatrix(table, (0, 1)), seconds=0.1)
    assert found.lower == 4
    assert found.certificate.verify()


def test_three_rows_and_columns_have_an_exact_approximate_rank():
    rng, values = np.random.default_rng(6), set()
    for _ in range(40):
        table, error = rng.integers(0, 2, (3, 3)), str(rng.choice(["1/4", "33/100", "1/3", "1/2"]))
        truth = TRUTHS["approximate-rank"](tuple(map(tuple, table.tolist())), label=1, error=error)
        low, high = truth if isinstance(truth, tuple) else (truth, truth)
        found = approximate_rank(table.tolist(), error)
        assert found.lower == found.upper
        assert low <= found.lower <= high
        assert found.certificate.verify()
        values.add((found.lower, found.lower_witness["kind"]))
    assert values == {(1, "signs"), (2, "signs"), (3, "regular-minor")}
    singular = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    bracket(3, 3, approximate_rank(singular, "33/100"))
    bracket(2, 2, approximate_rank(singular, "1/3"))


def test_rows_that_depend_on_each_other_within_the_error():
    """At the least error for which they do, and not below."""
    rng = np.random.default_rng(8)
    for _ in range(5):
        signs = 2 * rng.integers(0, 2, (5, 12)) - 1
        turned = [np.array((1, *ways))[:, None] * signs for ways in product((1, -1), repeat=4)]
        least = min(matrix_game(np.concatenate([own.T, -own.T]))[0] for own in turned)
        error = Fraction(least).limit_denominator(100)
        left, right = nearly_dependent(signs, error, Clock())
        assert len(left[0]) == 4
        assert abs(np.array(left) @ np.array(right).T - signs).max() == error
        assert nearly_dependent(signs, error - Fraction(1, 10**10), Clock()) is None


def test_minors_regular_within_the_error():
    """Hadamard's matrix of eight rows has an inverse with sums up to sqrt(8) at signs."""
    bracket(8, 8, approximate_rank(inner_product(3), "1/3"))
    assert approximate_rank(inner_product(3), "2/5").upper < 8
    table = partial(np.random.default_rng(7), 12, 12, 0.05)
    found = approximate_rank(CommunicationMatrix(table, (0, 1)), "1/3", seconds=1)
    assert found.lower_witness["kind"] == "regular-minor"
    assert found.certificate.verify()


def test_a_shattered_set_is_of_the_label_and_another_answer():
    table, places = [[0, 0], [0, 1], [1, 0], [1, 1]], {"kind": "shattered", "places": [0, 1]}
    witness = {"kind": "vc", "direction": "alice-to-bob", "of": places}
    assert [check(table, "sign-rank", "lower", {"label": label}, witness) for label in (0, 1)] == [2, 2]
    for more, label in (([], 2), ([[2, 2]], 1)):
        with pytest.raises(Refused, match="answers"):
            check(table + more, "sign-rank", "lower", {"label": label}, witness)


def test_spoilt_minors_are_refused():
    table, halves = [[1, 1], [1, 0]], [["1/2", "1/2"], ["1/2", "-1/2"]]
    witness = {"kind": "regular-minor", "rows": [0, 1], "columns": [0, 1], "inverse": halves}
    for error, change, message in (
        ("99/100", {}, None),
        ("99/100", {"inverse": [halves[0], halves[0]]}, "inverse"),
        ("99/100", {"inverse": [["1/4", "1/4"], ["1/4", "-1/4"]]}, "inverse"),
        ("99/100", {"inverse": [["1/1", "0/1"], ["0/1", "-1/1"]]}, "inverse"),
        ("99/100", {"rows": [0]}, "square"),
        ("99/100", {"rows": [0, 0]}, "different"),
    ):
        if message is None:
            assert check(table, "approximate-rank", "lower", {"label": 1, "error": error}, witness) == 2
            continue
        with pytest.raises(Refused, match=message):
            check(table, "approximate-rank", "lower", {"label": 1, "error": error}, witness | change)
    sums = [["0/1", "1/2", "1/2"], ["1/2", "0/1", "1/2"], ["1/2", "1/2", "0/1"]]
    whole = {"kind": "regular-minor", "rows": [0, 1, 2], "columns": [0, 1, 2]}
    for turned in range(3):  # a row of the crown, and so a column of its inverse
        crown = [[int((row != column) != (row == turned)) for column in range(3)] for row in range(3)]
        inverse = [[f"-{entry}" if place == turned else entry for place, entry in enumerate(row)] for row in sums]
        near = {"label": 1, "error": "33/100"}
        assert check(crown, "approximate-rank", "lower", near, {**whole, "inverse": inverse}) == 3
        with pytest.raises(Refused, match="singular"):
            check(crown, "approximate-rank", "lower", near | {"error": "1/3"}, {**whole, "inverse": inverse})
    signs = 2 * np.array(crown) - 1
    for row, column in permutations(range(3), 2):
        wrong = np.linalg.inv(signs)
        wrong[:, column] += wrong[:, row]  # its product with the signs is the identity but for one entry
        texts = [[f"{round(2 * entry)}/2" for entry in listed] for listed in wrong.tolist()]
        with pytest.raises(Refused, match="inverse"):
            check(crown, "approximate-rank", "lower", {"label": 1, "error": "0/1"}, {**whole, "inverse": texts})
    with pytest.raises(Refused, match="undefined"):
        check([[1, 1], [1, -1]], "approximate-rank", "lower", {"label": 1, "error": "1/3"}, witness)


def test_qubits_cost_half_of_what_coins_do():
    for function in (inner_product(3), equality(2)):
        coins, qubits = gamma2_bits(function, "1/8"), quantum_bits(function, "1/8")
        assert 2 * qubits.lower >= coins.lower >= qubits.lower
        parameters = {"error": qubits.parameters["error"]}
        table = function.matrix.codes.tolist()
        assert check(table, "quantum", "lower", parameters, qubits.lower_witness) == qubits.lower


tables = st.integers(1, 4).flatmap(
    lambda columns: st.lists(st.lists(st.integers(0, 1), min_size=columns, max_size=columns), min_size=1, max_size=4)
)


@settings(max_examples=6, deadline=None)
@given(tables)
def test_brackets_hold_and_are_proved(table):
    rows = tuple(map(tuple, table))
    matrix = CommunicationMatrix(np.array(table), (0, 1))
    for found, name, more in (
        (nonnegative_rank(matrix, seconds=1), "nonnegative-rank", {"values": (0, 1)}),
        (sign_rank(matrix, seconds=0.2), "sign-rank", {"label": 1}),
        (approximate_rank(matrix, "1/4", seconds=0.2), "approximate-rank", {"label": 1, "error": "1/4"}),
    ):
        truth = TRUTHS[name](rows, **more)
        low, high = truth if isinstance(truth, tuple) else (truth, truth)
        assert found.lower <= high
        assert found.upper >= low
        if found.lower_witness or found.upper_witness:
            assert found.certificate.verify()
    assert deterministic(matrix).upper >= max(0, nonnegative_rank(matrix).lower - 1).bit_length()


def spoilt(found, change):
    witness = copy.deepcopy(found.upper_witness)
    change(witness)
    parameters = {name: found.parameters[name] for name in ("values", "label", "error") if name in found.parameters}
    with pytest.raises(Refused):
        check(found.matrix.codes.tolist(), found.measure, "upper", parameters, witness)


def test_spoilt_factors_are_refused():
    def put(entry):
        return lambda witness: witness["rows"][0].__setitem__(0, entry)

    matrix = CommunicationMatrix(np.array(HEXAGON), (0, 1, 2))
    nonnegative, signs = nonnegative_rank(matrix), sign_rank(equality(2))
    near = approximate_rank(disjointness(2))
    for found in (nonnegative, signs, near):
        assert found.upper_witness["kind"] == "factors"
        first = Fraction(found.upper_witness["rows"][0][0])
        spoilt(found, put(f"{(first + 7).numerator}/{(first + 7).denominator}"))
        spoilt(found, put("1/0"))
        spoilt(found, lambda witness: witness["rows"].pop())
        spoilt(found, lambda witness: witness["columns"][0].append("0/1"))
    twice = {"kind": "factors", "rows": [["-1/1"], ["-1/1"]], "columns": [["-1/1"], ["-1/1"]]}
    with pytest.raises(Refused, match="below 0"):
        check([[1, 1], [1, 1]], "nonnegative-rank", "upper", {"values": [0, 1]}, twice)
    assert check([[1, 1], [1, 1]], "sign-rank", "upper", {"label": 1}, twice) == 1


def test_planes_are_seen_whatever_the_order():
    rng = np.random.default_rng(2)
    for _ in range(30):
        angles, others = rng.uniform(0, 2 * np.pi, (2, 7))
        signs = np.cos(angles[:, None] - others[None, :]) > 0
        assert check(signs.astype(int).tolist(), "sign-rank", "lower", {"label": 1}, {"kind": "plane"}) <= 2


@pytest.mark.slow
def test_planes_are_those_of_brute_force():
    rng = np.random.default_rng(3)
    for _ in range(300):
        table = rng.integers(0, 2, rng.integers(1, 6, 2))
        truth = TRUTHS["sign-rank"](tuple(map(tuple, table.tolist())), label=1)
        found = check(table.tolist(), "sign-rank", "lower", {"label": 1}, {"kind": "plane"})
        assert found == (truth[0] if isinstance(truth, tuple) else truth)


def test_they_are_asked_for_by_name_only():
    assert not {one.measure for one in summary(equality(1)).brackets} & {*BY_NAME}
    numbers = brackets_of(CommunicationMatrix(np.array(HEXAGON), (0, 1, 2)), "nonnegative-rank")
    assert [one.name for one in numbers] == [*(f"nonnegative-rank (label {k})" for k in range(3)), "nonnegative-rank"]
    assert (numbers[-1].lower, numbers[-1].upper) == (5, 5)
    (qubits,) = brackets_of(inner_product(2), "quantum")
    assert (qubits.lower, qubits.upper) == (0, 3)  # at an error of 1/3 the norm of so small a table says nothing


def test_entries_on_the_border_are_refused():
    def one(entry):
        return {"kind": "factors", "rows": [[entry], [entry]], "columns": [["1/1"], ["1/1"]]}

    ones, near = [[1, 1], [1, 1]], {"label": 1, "error": "1/3"}
    assert check(ones, "approximate-rank", "upper", near, one("2/3")) == 1
    assert check(ones, "approximate-rank", "upper", near, one("4/3")) == 1
    assert check(ones, "sign-rank", "upper", {"label": 1}, one("1/1000")) == 1
    for entry in ("199/300", "401/300", "-1/1"):
        with pytest.raises(Refused):
            check(ones, "approximate-rank", "upper", near, one(entry))
    with pytest.raises(Refused, match="sign"):
        check(ones, "sign-rank", "upper", {"label": 1}, one("0/1"))


def test_minors_prove_their_rank_and_no_more():
    both = {"kind": "minor", "prime": 3, "rows": [0, 1], "columns": [0, 1]}
    for table, rank in (([[1, 0], [0, 1]], 2), ([[1, 1], [1, 1]], 1), ([[0, 0], [0, 0]], 0)):
        assert check(table, "nonnegative-rank", "lower", {"values": [0, 1]}, both) == rank


def test_what_is_left_of_a_partial_matrix_is_total_and_not_little():
    rng = np.random.default_rng(9)
    for _ in range(50):
        table = partial(rng, *rng.integers(1, 12, 2), rng.choice([0.1, 0.5]))
        signs = np.where(table < 0, 0, 2 * table - 1)
        if signs.any():
            *_, (rows, columns) = total_parts(signs)
            assert signs[np.ix_(rows, columns)].all()
            assert len(rows) * len(columns) > 0
    holes = np.ones((9, 9), dtype=int)
    holes[2, :5] = holes[4:7, 8] = holes[0, 0] = 0  # one row and one column, and one of either
    *_, (rows, columns) = total_parts(holes)
    assert len(rows) * len(columns) == 7 * 8
