"""Every bound: equal rows change nothing, without time there is a bracket, and what makes no sense is refused."""

import random
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from ccsim import CommunicationMatrix, InputError
from ccsim.bounds import (
    approximate_rank,
    blackboard,
    brackets_of,
    cover_number,
    deterministic,
    discrepancy,
    gamma2,
    gamma2_bits,
    least_discrepancy,
    least_leaves,
    nondeterministic,
    nonnegative_rank,
    one_way,
    one_way_messages,
    one_way_public_coins,
    one_way_randomised,
    one_way_success,
    partition_bound,
    partition_number,
    public_coin_complexity,
    public_coin_success,
    randomised_by_corruption,
    randomised_by_least_discrepancy,
    rectangle_bound,
    sign_rank,
    smooth_rectangle_bound,
    vc_dimension,
)
from ccsim.bounds.measures import MEASURES, question_about
from ccsim.bounds.multiparty import MOST_TABLE
from ccsim.problems import disjointness, equality, gap_hamming, greater_than, index
from tests.bounds.brute_force import accepted_mutations, checked, proved

SMOOTH = partial(smooth_rectangle_bound, label=1)
TWICE = CommunicationMatrix(np.repeat(np.repeat(equality(2).matrix.codes, 3, axis=0), 2, axis=1), (0, 1))
OF_EQUALITY = [  # of two bits
    (partial(partition_bound, error="0"), 7),
    (partial(SMOOTH, error="0"), 4),
    (partial(public_coin_success, bits=2), Fraction(10, 13)),
    (gamma2, 2),
]
WITHOUT_TIME = [
    (partial(partition_bound, error="0"), equality(3), Fraction(23, 2)),
    (partial(public_coin_success, bits=2), disjointness(3), Fraction(47, 64)),
    (gamma2, greater_than(3), Fraction(2287016068, 10**9)),
]


@pytest.mark.parametrize("measure", MEASURES)
def test_what_is_known_at_once_is_proved(measure):
    for seed in range(12):
        draw = np.random.default_rng(seed)
        labels = 2 + (seed % 4 > 1)
        matrix = CommunicationMatrix(draw.integers(-(seed % 2), labels, draw.integers(2, 6, 2)), tuple(range(labels)))
        question = question_about(matrix, ("both", "alice", "bob")[seed % 3], error=("1/3", "1/2", "2/3")[seed % 3])
        try:
            known = MEASURES[measure].at_once(question)
        except InputError:  # of partial matrices, or of three labels
            continue
        for found in known.values():
            assert found.lower_witness is None or proved(found, matrix, "lower", found.lower_witness) >= found.lower
            assert found.upper_witness is None or proved(found, matrix, "upper", found.upper_witness) <= found.upper


@pytest.mark.parametrize(("bound", "value"), OF_EQUALITY)
def test_equal_rows_and_columns_change_nothing(bound, value):
    assert checked(bound(TWICE), TWICE).upper == value


@pytest.mark.parametrize(("bound", "function", "value"), WITHOUT_TIME)
def test_time_runs_out_with_a_bracket(bound, function, value):
    bracket = checked(bound(function.matrix, seconds=0), function.matrix)
    assert bracket.lower <= value <= bracket.upper


PARTIAL = CommunicationMatrix.from_array([[1, 0, None], [0, 1, 1], [1, 1, 0]])
TABLES = [PARTIAL, equality(2).matrix, disjointness(2).matrix, index(3).matrix]
MUTATED = {
    "covers": [partial(solve, label=label) for solve in (cover_number, partition_number) for label in (0, None)],
    "bits of covers": [nondeterministic],
    "messages": [one_way, partial(one_way_messages, direction="bob-to-alice"), vc_dimension],
    "discrepancy": [discrepancy, least_discrepancy],
    "rectangle bounds": [rectangle_bound, partial(rectangle_bound, smooth=True), partial(partition_bound, error="1/3")],
    "coins": [partial(public_coin_success, bits=bits) for bits in (1, 2)],
    "norms": [gamma2, partial(gamma2, alpha="2")],
}


@pytest.mark.parametrize("name", MUTATED)
def test_mutations_never_prove_what_is_false(name):
    rng = random.Random(7)
    brackets = [(checked(bound(table), table), table) for bound in MUTATED[name] for table in TABLES]
    assert sum(accepted_mutations(bracket, table, rng, 25) for bracket, table in brackets if bracket.exact)


XOR, THREE, NOTHING = [[0, 1], [1, 0]], [["a", "b", "c"]], np.full((2, 2), -1)
REFUSED = {
    "no measure": lambda: brackets_of(XOR, "guess"),
    "nobody who knows": lambda: deterministic(XOR, answer="carol"),
    "rounds": lambda: deterministic(XOR, rounds=0),
    "who begins, without rounds": lambda: deterministic(XOR, first="alice"),
    "nobody who begins": lambda: deterministic(XOR, rounds=2, first="carol"),
    "no time": lambda: brackets_of(XOR, "cover", seconds=-1),
    "a rank of a partial matrix": lambda: brackets_of(gap_hamming(3), "rank"),
    "leaves of nobody": lambda: least_leaves(XOR, answer="carol"),
    "leaves of no row": lambda: least_leaves(CommunicationMatrix(np.zeros((0, 3), dtype=int), (0, 1))),
    "a partition bound of large tables": lambda: partition_bound(equality(5), "0"),
    "a partition bound of error 1": lambda: partition_bound(XOR, "1"),
    "a partition bound of no promise": lambda: partition_bound(CommunicationMatrix(NOTHING, (0, 1)), "0"),
    "smooth, of no label": lambda: SMOOTH(XOR, label=2),
    "rectangles of a large table": lambda: rectangle_bound(equality(5)),
    "rectangles of error 1/2": lambda: rectangle_bound(XOR, error="1/2"),
    "coins without a promise": lambda: public_coin_success(CommunicationMatrix(NOTHING, (0, 1)), 1),
    "coins with fewer bits than none": lambda: public_coin_success(XOR, -1),
    "coins on a large table": lambda: public_coin_success(np.eye(17, dtype=int), 1),
    "coins with too many bits": lambda: public_coin_success(np.eye(12, dtype=int), 9),
    "coins with error 1": lambda: public_coin_complexity(XOR, 1),
    "an alpha below 1": lambda: gamma2(XOR, "1/2"),
    "a norm of no label": lambda: gamma2(XOR, "1", 2),
    "a norm of a large table": lambda: gamma2(equality(9)),
    "a norm of error 1/2": lambda: gamma2_bits(XOR, "1/2"),
    "no direction": lambda: one_way(XOR, "sideways"),
    "a dimension of three labels": lambda: vc_dimension(THREE),
    "one message of error 2/3": lambda: one_way_randomised(XOR, error=Fraction(2, 3)),
    "a message of large tables": lambda: one_way_success(equality(4), 1),
    "a message of fewer bits than none": lambda: one_way_success(XOR, -1),
    "a message without direction": lambda: one_way_success(XOR, 1, "down"),
    "a message without a promise": lambda: one_way_success(CommunicationMatrix(NOTHING, (0, 1)), 1),
    "a message of error 1": lambda: one_way_public_coins(XOR, 1),
    "a distribution of another shape": lambda: discrepancy(XOR, [[1]]),
    "a discrepancy of three labels": lambda: discrepancy(THREE),
    "weight off the promise": lambda: discrepancy([[1, None]], [[0, 1]]),
    "a discrepancy without promise": lambda: discrepancy([[None, None]]),
    **{
        f"a weight of {weight}": lambda weight=weight: discrepancy([[1, 0]], [[1, weight]])
        for weight in (0.5, 1.5, float("nan"), "1", 1 << 81)  # no float loses its fraction
    },
    "a discrepancy of large tables": lambda: least_discrepancy(CommunicationMatrix(np.eye(257, dtype=int), (0, 1))),
    "a discrepancy of error 1/2": lambda: randomised_by_least_discrepancy(XOR, "1/2"),
    "a nonnegative rank of a partial matrix": lambda: nonnegative_rank([[1, None]]),
    "a nonnegative rank of words": lambda: nonnegative_rank([["a", "b"]]),
    "a nonnegative rank below 0": lambda: nonnegative_rank([[0, 1]], values=[1, -1]),
    "an approximate rank of error 1": lambda: approximate_rank([[0, 1]], 1),
    "a sign rank of no label": lambda: sign_rank([[0, 1]], label=2),
    "a sign rank of a label in words": lambda: sign_rank([[0, 1]], label="1"),
    "one party": lambda: blackboard([0, 1]),
    "parties with a large table": lambda: blackboard(
        CommunicationMatrix(np.zeros((2, MOST_TABLE), dtype=np.int8), (0,))
    ),
    "parties with a ragged table": lambda: blackboard([[[0, 1], [1]], [[0, 1], [1, 0]]]),
}


def test_what_makes_no_sense_is_refused():
    for name, asked in REFUSED.items():
        try:
            asked()
        except InputError:
            continue
        raise AssertionError(name)


def test_what_is_no_label_or_no_error_is_refused():
    for bound in (rectangle_bound, smooth_rectangle_bound, randomised_by_corruption):
        for label, error in (("1/4", 1), (1, "1/4/2"), ([], 0), (1, 2), (1, -1), (1, True), (1, 1.5)):
            with pytest.raises(InputError, match=r"label|error"):
                bound(XOR, label=label, error=error)
