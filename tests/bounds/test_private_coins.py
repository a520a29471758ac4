"""Private coins: known values, brute force over trees of few chances, and what is not accepted."""

from __future__ import annotations

import copy
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from ccsim.bounds import brackets_of, deterministic, private_coin_complexity, public_coin_complexity
from ccsim.bounds.clock import Clock
from ccsim.bounds.private_coins.search import Moving, private_tree
from ccsim.bounds.private_coins.sets import equality_tree, message_sets
from ccsim.bounds.private_coins.shapes import Shape
from ccsim.certificates.verify import Refused, check
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import equality, greater_than
from tests.certificates.truth import TRUTHS

THIRD = {"error": "1/3"}
LADDER = [[int(column <= row) for column in range(3)] for row in range(3)]

# Equality of six: pairs of four messages. Two bits, or three: by hand.
KNOWN = [
    ("constant", [[1, 1], [1, 1]], "1/3", 0, 0),
    ("one party", [[0, 0], [1, 1]], "1/3", 1, 1),
    ("parity", [[0, 1], [1, 0]], "1/3", 2, 2),
    ("greater than, of three", LADDER, "1/3", 2, 2),
    ("greater than, of three, with less error", LADDER, "3/10", 3, 3),
    ("equality of three", np.eye(3, dtype=int).tolist(), "1/3", 3, 3),
    ("equality of six", np.eye(6, dtype=int).tolist(), "1/3", 3, 3),
    ("three answers", [[0, 1, 2], [2, 0, 1]], "1/3", 2, 3),
    ("free cells", [[1, 0, -1], [-1, 1, 0], [0, -1, 1]], "1/3", 2, 3),
    ("only free cells", [[-1, -1], [-1, -1]], "1/3", 0, 0),
]


@pytest.mark.parametrize(
    ("rows", "error", "low", "high"), [case[1:] for case in KNOWN], ids=[case[0] for case in KNOWN]
)
def test_known_values(rows, error, low, high):
    found = private_coin_complexity(CommunicationMatrix(np.array(rows), (0, 1, 2)), error, time_limit=None)
    assert (found.lower, found.upper) == (low, high) or low <= found.lower <= found.upper <= high < 4
    assert found.certificate.verify()


def accepted(rows, side, witness, error="1/3"):
    return check(rows, "private-coins", side, {"error": error}, witness)


def test_private_coins_need_more_than_public_ones():
    """Equality, with public coins two bits for all n, needs one more with each square of the number of inputs."""
    assert public_coin_complexity(equality(2), "1/3").upper == 2
    for n, bits in ((2, 3), (6, 3), (7, 4), (10, 4)):
        lines = list(range(1 << n))
        own = {"kind": "turns", "rows": lines, "columns": lines, "near": None}
        assert accepted(equality(n).matrix.codes.tolist(), "lower", own) == (2 if n == 2 else bits)


@pytest.mark.parametrize(("count", "error", "bits"), [(28, "1/3", 4), (140, "1/3", 5), (49, "1/4", 6), (5, "0/1", 4)])
def test_equality_by_sets_of_messages(count, error, bits):
    table = np.eye(count, dtype=np.int64)[::-1]
    for codes in (table, 1 - table):
        witness = equality_tree(codes, Fraction(error)).witness((np.arange(count),) * 2)
        assert accepted(codes.tolist(), "upper", witness, error) == bits


@pytest.mark.parametrize("common", [Fraction(0), Fraction(1, 9), Fraction(1, 3), Fraction(1, 2), Fraction(3, 4)])
def test_sets_of_messages_have_little_in_common(common):
    for lines in (2, 7, 30, 100):
        bits, sets = message_sets(lines, common)
        assert len(set(sets)) == lines
        assert all(0 <= min(own) <= max(own) < 1 << bits and len(set(own)) == len(sets[0]) for own in sets)
        assert all(len(set(a) & set(b)) <= common * len(a) for a in sets for b in sets if a != b)


def test_two_bits_are_decided_as_a_linear_program_does():
    """Tables of 2 x 3 and of 3 x 4: the truth is by orders of lines and programs."""
    rng = np.random.default_rng(5)
    tables = [np.array(bits).reshape(2, 3) for bits in product((0, 1), repeat=6)]
    tables = tables[::3] + [rng.integers(0, 2, (3, 4)) for _ in range(12)]
    for table in tables:
        for error in ("0/1", "1/5", "1/3", "2/5"):
            truth = TRUTHS["private-coins"](tuple(map(tuple, table.tolist())), error)
            proved = accepted(table.tolist(), "lower", {"kind": "two-bits"}, error)
            assert proved == (truth if isinstance(truth, int) else 3)


@pytest.mark.slow
def test_no_tree_of_quarters_beats_a_proof():
    """All trees of two bits with chances in quarters, for tables of 3 x 2, and what is proved of them."""
    chances = [Fraction(k, 4) for k in range(5)]
    for cells in product((0, 1), repeat=6):
        table = [list(cells[:2]), list(cells[2:4]), list(cells[4:])]
        for error in (Fraction(1, 4), Fraction(2, 5)):
            found = any(
                all(
                    any(
                        all(
                            (p * q1 + (1 - p) * q0 if cell else 1 - p * q1 - (1 - p) * q0) >= 1 - error
                            for p, cell in zip(own, column, strict=True)
                        )
                        for q0, q1 in product(chances, repeat=2)
                    )
                    for column in zip(*table, strict=True)
                )
                for own in product(chances, repeat=3)
            )
            proved = accepted(table, "lower", {"kind": "two-bits"}, f"{error.numerator}/{error.denominator}")
            assert not (found and proved > 2)


def test_brackets_are_between_public_and_deterministic_ones():
    rng = np.random.default_rng(8)
    for shape in ((2, 4), (3, 3), (4, 5)):
        rows = rng.integers(0, 2, shape)
        found = private_coin_complexity(rows, "1/4", time_limit=None)
        assert found.certificate.verify()
        assert public_coin_complexity(rows, "1/4").lower <= found.upper <= deterministic(rows).upper


def test_the_gradient_is_that_of_differences():
    rng = np.random.default_rng(1)
    shape = Shape((0, 1, 0), (0, 1, 1, 0))
    moving = Moving(shape, np.array([[0, 1], [1, -1], [0, 0]]), 0.8)
    start = rng.normal(size=2 * 3 + 1 * 2)
    value, gradient = moving.missing(start)
    steps = [(moving.missing(start + 1e-6 * unit)[0] - value) / 1e-6 for unit in np.eye(len(start))]
    assert np.allclose(steps, gradient, atol=1e-4)


def tree_of(rows, bits, error=Fraction(1, 3)):
    codes = np.array(rows)
    tree = private_tree(codes, bits, 1 - error, Clock())
    return tree.witness(tuple(np.arange(size) for size in codes.shape))


def test_spoiled_trees_are_refused():
    good = tree_of(LADDER, 2)
    assert accepted(LADDER, "upper", good) == 2
    wrongs = [copy.deepcopy(good) for _ in range(6)]
    wrongs[0]["tree"]["chances"] = ["1/3", "1/3", "1/3"]
    wrongs[1]["tree"]["chances"][0] = "-1/2"
    wrongs[2]["tree"]["chances"][0] = "3/2"
    wrongs[3]["tree"]["zero"]["chances"].append("1/2")
    wrongs[4]["tree"]["one"]["speaker"] = "carol"
    wrongs[5]["tree"]["zero"] = {"answer": 0}
    for wrong in wrongs:
        with pytest.raises(Refused):
            accepted(LADDER, "upper", wrong)
    with pytest.raises(Refused):
        accepted(LADDER, "upper", good, "33/100")


def test_spoiled_proofs_are_refused():
    table = np.eye(8, dtype=int).tolist()
    lines = list(range(8))
    for rows in ([*lines[:7], 0], [*lines[:7], 8], None):
        with pytest.raises(Refused):
            accepted(table, "lower", {"kind": "turns", "rows": rows, "columns": lines, "near": None})
    with pytest.raises(Refused):
        accepted([[0, 0], [0, 0]], "lower", {"kind": "turns", "rows": [0, 1], "columns": [0], "near": None})
    with pytest.raises(Refused):
        accepted(table, "lower", {"kind": "two-bits"}, "1/2")
    with pytest.raises(Refused):
        accepted([[0, -1], [1, 0]], "lower", {"kind": "two-bits"})
    with pytest.raises(Refused):
        accepted([[0, 2], [1, 0]], "lower", {"kind": "two-bits"})


def test_more_error_never_costs_more():
    values = [accepted(greater_than(3).matrix.codes.tolist(), "lower", {"kind": "two-bits"}, error)
              for error in ("0/1", "1/4", "2/5", "12/25", "99/200")]  # fmt: skip
    assert values == sorted(values, reverse=True)
    assert values[0] == 3
    assert values[-1] == 2
    lines = list(range(64))
    turns = [accepted(np.eye(64, dtype=int).tolist(), "lower",
                      {"kind": "turns", "rows": lines, "columns": lines, "near": None}, error)
             for error in ("0/1", "1/4", "1/3", "49/100")]  # fmt: skip
    assert all(one >= other for one, other in pairwise(turns))


def test_the_measure_by_name():
    (found,) = brackets_of(equality(2), "private-coins", error="1/10")
    assert (found.lower, found.parameters) == (3, {"error": "1/10"})
    assert found.certificate.verify()
    for error in ("1/2", "-1/3", "x", 0.3):
        with pytest.raises(InputError):
            brackets_of(equality(2), "private-coins", error=error)
