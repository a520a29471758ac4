"""One message with private coins: known values, orders and points against brute force, and what is not accepted."""

from __future__ import annotations

import copy
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from ccsim.bounds import brackets_of, one_way, one_way_private_coins, one_way_public_coins
from ccsim.certificates.verify import Refused, check
from ccsim.certificates.verify.private_messages import room_for
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import equality, index
from tests.certificates.truth import TRUTHS

WAYS = ("alice-to-bob", "bob-to-alice")
LADDER = [[int(column <= row) for column in range(3)] for row in range(3)]

# With one bit at error 1/3 three lines, at 0, 1/2 and 1; pairs of four messages tell six lines of equality apart.
KNOWN = [
    ("constant", [[1, 1], [1, 1]], "1/3", (0, 0)),
    ("only free cells", [[-1, -1], [-1, -1]], "1/3", (0, 0)),
    ("one party", [[0, 0], [1, 1]], "1/3", (1, 0)),
    ("greater than, of three", LADDER, "1/3", (1, 1)),
    ("greater than, of three, with less error", LADDER, "33/100", (2, 2)),
    ("equality of three", np.eye(3, dtype=int), "1/3", (2, 2)),
    ("equality of six", np.eye(6, dtype=int), "1/3", (2, 2)),
    ("equality of six, with less error", np.eye(6, dtype=int), "1/20", (3, 3)),
    ("equality of 28 without error", np.eye(28, dtype=int), "0", (5, 5)),
    ("three answers in a column", [[0, 1], [1, 1], [2, 1]], "49/100", (2, 1)),
    ("free cells", [[1, 0, -1], [-1, 1, 0], [0, -1, 1]], "1/3", (1, 1)),
]


def bracket_of(rows, error, direction=WAYS[0], seconds=None):
    matrix = CommunicationMatrix(np.array(rows), (0, 1, 2))
    found = one_way_private_coins(matrix, error, direction, time_limit=seconds)
    for side, witness in (("lower", found.lower_witness), ("upper", found.upper_witness)):
        if witness is not None:
            value = check(np.array(rows).tolist(), "one-way-private", side, found.parameters, witness)
            assert value == getattr(found, side)
    return found


def accepted(rows, side, witness, error="1/3", direction=WAYS[0]):
    return check(np.array(rows).tolist(), "one-way-private", side, {"direction": direction, "error": error}, witness)


@pytest.mark.parametrize(("rows", "error", "bits"), [case[1:] for case in KNOWN], ids=[case[0] for case in KNOWN])
def test_known_values(rows, error, bits):
    found = [bracket_of(rows, error, way) for way in WAYS]
    assert [(one.lower, one.upper) for one in found] == [(value, value) for value in bits]


def test_equality_costs_more_without_a_common_coin():
    """With public coins one bit is enough for eight inputs, and two for any number (parities of two random words)."""
    assert one_way_public_coins(equality(3), "1/3").upper == 1
    points = {"kind": "message-points", "lines": list(range(1 << 10)), "near": None}
    assert accepted(equality(10).matrix.codes, "lower", points) == 3
    found = bracket_of(np.eye(28, dtype=int)[::-1], "1/3", WAYS[1], 0.01)
    assert (found.lower, found.upper) == (2, 3)


def test_one_bit_is_decided_as_linear_programs_do():
    """Tables of three answers and free cells: the truth is by all orders of lines."""
    rng, seen = np.random.default_rng(7), set()
    for shape in [(2, 3)] * 4 + [(3, 2)] * 6 + [(4, 3)] * 2:
        for labels in (2, 3):
            table = rng.integers(-1, labels, shape)
            for error in ("0/1", "1/5", "2/5"):
                truth = TRUTHS["one-way-private"](tuple(map(tuple, table.tolist())), WAYS[0], error)
                proved = accepted(table, "lower", {"kind": "one-order"}, error)
                assert proved == (truth if isinstance(truth, int) else truth[0]) or truth == (0, 0)
                seen.add(proved)
                if proved == 1:
                    assert bracket_of(table, error).upper == 1
    assert seen == {0, 1, 2}


@pytest.mark.parametrize("messages", [2, 3])
def test_points_of_a_grid_are_not_more_than_there_is_room_for(messages):
    """Greedily, points of a grid that are far from each other in total variation."""
    grid = [point for point in product(range(13), repeat=messages) if sum(point) == 12]
    for error in (Fraction(0), Fraction(1, 12), Fraction(1, 4), Fraction(1, 3), Fraction(5, 12)):
        chosen = []
        for point in grid:
            far = all(
                sum(abs(a - b) for a, b in zip(point, other, strict=True)) >= 24 * (1 - 2 * error) for other in chosen
            )
            chosen += [point] if far else []
        assert room_for(len(chosen), messages, error)
    assert not room_for(5, 2, Fraction(1, 3))
    assert not room_for(6, 4, Fraction(1, 16))
    assert room_for(4, 4, Fraction(0))


def test_brackets_are_between_public_coins_and_none():
    rng = np.random.default_rng(3)
    for shape in ((4, 4), (5, 4), (3, 6)):
        rows, error = rng.integers(0, 2, shape), "1/4"
        found = bracket_of(rows, error, seconds=0.3)
        assert one_way_public_coins(rows, error).lower <= found.lower <= found.upper <= one_way(rows).upper
        assert found.exact or found.lower == 2


def test_no_messages_of_sixths_beat_a_proof():
    """All chances of one bit in sixths, for tables of three rows and three answers."""
    line = np.arange(7) / 6
    own = np.array(list(product(line, repeat=3)))
    chance = own[:, :, None, None] * line + (1 - own)[:, :, None, None] * line[:, None]
    for error in ("1/6", "1/3"):
        told = {column: _told(chance, column, 1 - float(Fraction(error))) for column in product(range(3), repeat=3)}
        for pair in product(told, repeat=2):
            proved = accepted(list(zip(*pair, strict=True)), "lower", {"kind": "one-order"}, error)
            assert proved < 2 or not (told[pair[0]] & told[pair[1]]).any()


def _told(chance, column, success):
    """For which chances of the rows a column of two answers has chances of its own that are right so often."""
    if len(set(column)) > 2:
        return np.zeros(len(chance), dtype=bool)
    right = [chance[:, row] if cell == column[0] else 1 - chance[:, row] for row, cell in enumerate(column)]
    return (np.min(right, axis=0) >= success - 1e-9).any(axis=(1, 2))


def test_spoilt_witnesses_are_refused():
    good = bracket_of(LADDER, "1/3").upper_witness
    assert accepted(LADDER, "upper", good) == 1
    with pytest.raises(Refused, match="too much error"):
        accepted(LADDER, "upper", good, "33/100")
    with pytest.raises(
        Refused, match="second message"
    ):  # what Bob says is no message of Alice, and the other way round
        accepted(LADDER, "upper", good, direction=WAYS[1])
    wrong = copy.deepcopy(good)
    wrong["tree"]["chances"][0] = "1/4"
    with pytest.raises(Refused, match="too much error"):
        accepted(LADDER, "upper", wrong)
    lines = list(range(8))
    for some, error in (([*lines[:7], 0], "1/3"), ([*lines[:7], 8], "1/3"), (None, "1/3"), (lines, "1/2")):
        with pytest.raises(Refused):
            accepted(np.eye(8, dtype=int), "lower", {"kind": "message-points", "lines": some, "near": None}, error)
    with pytest.raises(Refused, match="below 1/2"):
        accepted(LADDER, "lower", {"kind": "one-order"}, "1/2")


def test_the_measure_by_name():
    found = brackets_of(index(2), "one-way-private", error="1/10")
    assert [bracket.parameters["direction"] for bracket in found] == list(WAYS)
    assert all(bracket.exact and bracket.certificate.verify() for bracket in found)
    for error in ("1/2", "-1/3", "x", 0.3):
        with pytest.raises(InputError):
            brackets_of(index(2), "one-way-private", error=error)
    with pytest.raises(InputError):
        one_way_private_coins(index(2), "1/3", "down")


def test_lines_far_apart_share_little():
    """The first part of the proof: of k points, what two have in common bounds how many there are."""
    rng = np.random.default_rng(0)
    points = rng.dirichlet(np.full(4, 0.2), size=6)
    common = max(np.minimum(a, b).sum() for a, b in combinations(points, 2))
    assert room_for(6, 4, Fraction(common / 2).limit_denominator(1 << 20) + Fraction(1, 1 << 20))
