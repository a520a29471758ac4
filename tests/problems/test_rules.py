"""Rules for arrays are held against inputs one by one, and plain rules are asked one by one."""

from dataclasses import replace

import numpy as np
import pytest

from ccsim import InputError, TwoPartyFunction
from ccsim.problems import BitStrings, Integers, disjointness
from ccsim.problems.function import MultipartyFunction
from tests.cases import cases

BITS = BitStrings(3)
EQUAL = np.eye(8, dtype=int).tolist()
WEIGHTS = [[(x & y).bit_count() % 2 for y in range(8)] for x in range(8)]


def function(rule, answers=(0, 1)):
    return TwoPartyFunction("mine", (BITS, BITS), answers, rule)


@cases(
    ("rule", "table"),
    [
        (lambda x, y: x == y, EQUAL),
        (lambda x, y: (x == y) * 1.0, EQUAL),
        (lambda x, y: int(x == y), EQUAL),
        (lambda x, y: 1 if x == y else 0, EQUAL),
        (lambda x, y: np.all(x == y, axis=-1), EQUAL),
        (lambda x, y: (x & y).bit_count() % 2, WEIGHTS),
        (lambda x, y: sum(a & b for a, b in zip(x, y, strict=True)) % 2, WEIGHTS),
        (lambda x, y: None if x == y else 1, [[-1 if x == y else 1 for y in range(8)] for x in range(8)]),
        (lambda x, y: 0, [[0] * 8] * 8),
    ],
)
def test_rules_for_arrays_and_plain_ones_give_the_same_table(rule, table):
    mine = function(rule)
    assert mine.codes.tolist() == table
    assert mine.transpose.codes.T.tolist() == table
    assert mine("101", "101") == (None if table[5][5] < 0 else table[5][5])


@cases(
    "rule",
    [
        lambda x, y: (x.sum() + y.sum()) % 2,
        lambda x, y: (x & y).sum(axis=-1) % 2,
        lambda x, y: int((x & y).any()),
        lambda x, y: (x == y) * 0.5,
        lambda x, y: len(x) % 2,
        lambda x, y: 1 // 0,
        lambda x, y: "yes" if x == y else "no",
    ],
)
def test_rules_that_are_neither_are_refused(rule):
    with pytest.raises(InputError, match="mine"):
        _ = function(rule).codes


FOUR = (Integers(4), Integers(4))


@cases(
    ("rule", "answers"),
    [
        (lambda x, y: (-1) ** (x * y), (-1, 1)),
        (lambda x, y: (-1) ** (x * y), (1, -1)),
        (lambda x, y: np.where(x < y, 1, -1), (-1, 1)),
        (lambda x, y: np.sign(x - y), (-1, 0, 1)),
        (lambda x, y: x == y, (1, 0)),
        (lambda x, y: x > y, (True, False)),
        (lambda x, y: (x + y) % 3, (2, 0, 1)),
        (lambda x, y: 1 + 0 * (x + y), (1, 2)),
        (lambda x, y: (x == y) * 2.0, (2.0, 0.0, 1.0)),
    ],
)
def test_values_that_may_be_codes_or_answers_are_refused_until_it_is_said(rule, answers):
    silent = TwoPartyFunction("mine", FOUR, answers, rule)
    for ask in (lambda: silent(1, 1), lambda: silent.matrix, lambda: silent.transpose.codes):
        with pytest.raises(InputError, match=r'returns="answers" .* returns="codes"'):
            ask()
    said = TwoPartyFunction("mine", FOUR, answers, rule, returns="answers")
    coded = TwoPartyFunction("mine", FOUR, answers, rule, returns="codes")
    for x in range(4):
        for y in range(4):
            given = np.asarray(rule(np.array([x]), np.array([y])))[0].item()
            assert said(x, y) == said.matrix[x, y] == said.transpose(y, x) == given
            assert coded(x, y) == (None if given == -1 else answers[int(given)])
    assert said.restrict([0, 1], [2, 3]).codes.tolist() == said.codes[:2, 2:].tolist()
    assert replace(said, name="renamed").matrix == said.matrix
    with pytest.raises(InputError, match="returns"):
        TwoPartyFunction("mine", FOUR, answers, rule, returns="labels")


def test_values_that_are_only_answers_or_only_codes_need_no_word():
    first = TwoPartyFunction("mine", FOUR, (1, 2), lambda x, y: (x + y) % 2 + 1)
    second = TwoPartyFunction("mine", FOUR, (1, 2), lambda x, y: (x + y) % 2)
    assert first.matrix == second.matrix
    assert first(0, 1) == second(0, 1) == 2
    free = TwoPartyFunction("mine", FOUR, (1, 2), lambda x, y: np.where(x == y, -1, (x > y) + 1))
    texts = TwoPartyFunction("mine", FOUR, ("a", "b"), lambda x, y: np.where(x == y, None, np.where(x > y, "b", "a")))
    assert free.codes.tolist() == texts.codes.tolist()
    assert free.codes[0].tolist() == [-1, 0, 0, 0]
    ones = TwoPartyFunction("mine", FOUR, (0, 1), lambda x, y: np.where(x == y, None, 1))
    assert ones.codes[0].tolist() == [-1, 1, 1, 1]
    halves = TwoPartyFunction("mine", FOUR, (0.5, 1.5), lambda x, y: (x > y) + 0.5)
    assert halves(2, 1) == 1.5
    plain = TwoPartyFunction("mine", FOUR, (-1, 1), lambda x, y: 1 if x < y else -1)
    assert (plain(0, 1), plain(1, 0)) == (1, -1)
    mixed = TwoPartyFunction("mine", FOUR, (1, 2), lambda x, y: np.minimum(x + y, 2))
    for wrong in (mixed, TwoPartyFunction("mine", FOUR, ("a", 1), lambda x, y: np.where(x > y, "b", None))):
        with pytest.raises(InputError, match="mine"):
            wrong(0, 0), wrong(1, 0)
    large = (Integers(50), Integers(50))
    late = TwoPartyFunction("mine", large, (0, 1, 9), lambda x, y: np.where((x == 7) & (y == 8), 9, 0))
    with pytest.raises(InputError, match='returns="answers"'):
        _ = late.codes


def test_plain_rules_give_answers_and_may_be_of_three_parties():
    words = function(lambda x, y: "less" if x < y else "not less", ("less", "not less"))
    assert words("000", "001") == "less"
    assert words.matrix[1, 0] == "not less"
    two = BitStrings(2)
    three = MultipartyFunction("three", (two, two, Integers(3)), (0, 1), lambda x, y, z: int(x == y and z > 0), "abc")
    assert three.codes.sum() == 8
    assert three.codes[1, 1].tolist() == [0, 1, 1]
    wrong = MultipartyFunction(
        "three", (two, two, two), (0, 1), lambda x, y, z: (x.sum() + y.sum() + z.sum()) % 2, "abc"
    )
    with pytest.raises(InputError, match="three"):
        _ = wrong.codes


def test_sets_are_given_to_plain_rules_as_sets():
    sets = disjointness(3)
    from_sets = TwoPartyFunction("mine", sets.inputs, (0, 1), lambda x, y: int(x == y))
    assert from_sets.codes.trace() == 8
