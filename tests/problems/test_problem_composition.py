"""Several functions at once, and what TwoPartyFunction does with one."""

from itertools import product

import numpy as np
import pytest

from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.problems import (
    Integers,
    TwoPartyFunction,
    and_composition,
    direct_sum,
    disjointness,
    equality,
    function_composition,
    gap_hamming,
    greater_than,
    index,
    median,
    or_composition,
    pointer_chasing,
    set_intersection_size,
    xor_composition,
)
from tests.cases import cases

COMBINED = [
    (xor_composition, lambda answers: sum(answers) % 2),
    (and_composition, lambda answers: int(all(answers))),
    (or_composition, lambda answers: int(any(answers))),
    (direct_sum, tuple),
]

PARTS = [
    (equality(2), greater_than(1)),
    (disjointness(1), index(2), equality(1)),
    (gap_hamming(2), equality(1)),
    (equality(1), gap_hamming(2)),
    (greater_than(2),),
]


@cases(("combine", "rule"), COMBINED)
@cases("parts", PARTS)
def test_every_answer_is_made_of_the_answers_of_the_parts(combine, rule, parts):
    whole = combine(*parts)
    for (i, x), (j, y) in product(enumerate(whole.alice), enumerate(whole.bob)):
        answers = [part(a, b) for part, a, b in zip(parts, x, y, strict=True)]
        expected = None if None in answers else rule(answers)
        code = whole.codes[i, j]
        assert (None if code == DONT_CARE else whole.answers[code]) == expected == whole(x, y)


def test_direct_sum_of_functions_with_other_answers_and_inputs():
    whole = direct_sum(set_intersection_size(2), pointer_chasing(2, 2), median(2), function_composition(2))
    assert whole.shape == (4 * 4 * 3 * 4, 4 * 4 * 3 * 8)
    assert len(whole.answers) == 3 * 2 * 2 * 2
    x = ("11", (1, 0), frozenset({1}), (1, 0))
    y = ("01", (0, 1), frozenset({0, 1}), ((0, 1), 1))
    assert whole(x, y) == (1, 1, 1, 0)
    row, column = whole.alice.index(x), whole.bob.index(y)
    assert whole.answers[whole.codes[row, column]] == (1, 1, 1, 0)


def test_direct_sum_of_sets_beyond_a_machine_word():
    whole = direct_sum(equality(50), equality(50))
    assert whole(("0" * 50, "1" * 50), ("0" * 50, "0" * 50)) == (1, 0)
    assert xor_composition(equality(50), equality(50))(("0" * 50, "1" * 50), ("0" * 50, "0" * 50)) == 1


def test_operators_act_on_every_cell_and_keep_the_promise():
    a, b = gap_hamming(2), equality(2)
    table_a, table_b = a.codes, b.codes
    free = table_a == DONT_CARE
    assert np.array_equal((a & b).codes, np.where(free, DONT_CARE, table_a & table_b))
    assert np.array_equal((a | b).codes, np.where(free, DONT_CARE, table_a | table_b))
    assert np.array_equal((b ^ a).codes, np.where(free, DONT_CARE, table_a ^ table_b))
    assert np.array_equal((~a).codes, np.where(free, DONT_CARE, 1 - table_a))


def test_transpose_restriction_and_matrix_agree_with_the_table():
    function = index(3)
    assert np.array_equal(function.transpose.codes, function.codes.T)
    assert function.transpose(2, "010") == 1
    part = function.restrict(["101", "010"], [3, 1])
    assert part.codes.tolist() == [[1, 1], [0, 0]]
    assert part("010", 3) == 0
    again = TwoPartyFunction.from_matrix(function.matrix)
    assert again.matrix == function.matrix
    assert (again.alice, again.bob) == (Integers(8), Integers(3))


ONE = (Integers(1), Integers(1))
BAD = [
    (direct_sum, "one or more two-party functions"),
    (lambda: and_composition(equality(1), 3), "functions = 3: expected two-party functions"),
    (lambda: xor_composition(equality(1), set_intersection_size(2)), "size.*expected answers 0 and 1"),
    (lambda: direct_sum(*[equality(1)] * 21), r"at most 2\^20 answers in all, not 2097152"),
    (lambda: direct_sum(equality(1), equality(1))(("0",), ("0", "1")), "a tuple of a string of exactly 1 bit"),
    (lambda: ~set_intersection_size(2), "a Boolean function"),
    (lambda: equality(2) & equality(3), "the same inputs"),
    (lambda: equality(2).code(2), "answer = 2: expected one of"),
    (lambda: equality(2).restrict(["00", "00"], ["01"]), "all different"),
    (lambda: TwoPartyFunction("none", ONE, (), lambda x, y: x), "answers = .*all different"),
    (lambda: TwoPartyFunction("same", ONE, (0,), lambda x, y: x, parties=("alice", "alice")), "2 different names"),
]


@cases(("attempt", "message"), BAD)
def test_what_makes_no_sense_is_refused(attempt, message):
    with pytest.raises(InputError, match=message):
        attempt()
    with pytest.raises(TypeError):
        equality(2) & 1
