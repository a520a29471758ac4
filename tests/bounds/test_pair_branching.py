"""Covers by cases, whether a rectangle has both of two cells: what brute force says, and forgeries are refused."""

from __future__ import annotations

import copy
import random

import numpy as np
import pytest

from ccsim.bounds.rectangles import pair_branching as module
from ccsim.bounds.rectangles.closed import maximal_rectangles
from ccsim.bounds.rectangles.pair_branching import more_by_pairs
from ccsim.certificates.verify import Refused, TooLarge, check
from ccsim.matrices import CommunicationMatrix
from tests.bounds.rectangle_oracles import fewest, mutated

CODE = {"code": 1}


def witness(table, budget):
    """What is told in the end about so many rectangles, or None."""
    matrix = CommunicationMatrix(np.array(table, dtype=np.int8), (0, 1))
    rectangles, complete = maximal_rectangles(matrix, 1)
    assert complete
    return [None, *more_by_pairs(matrix, 1, rectangles, budget)][-1]


def random_table(source, height, width, weights=(1, 3, 5)):
    return [source.choices([-1, 0, 1], weights, k=width) for _ in range(height)]


def crown(n):
    return [[int(row != column) for column in range(n)] for row in range(n)]


def cycle(n):
    """Zeros at j = i and j = i + 1 modulo n."""
    return [[int((column - row) % n > 1) for column in range(n)] for row in range(n)]


def test_small_covers_are_decided():
    """Each budget has a cover or a proof, for a partition, too."""
    source = random.Random(2)
    for _ in range(12):
        table = random_table(source, source.randint(2, 4), source.randint(2, 5))
        value = fewest(table, 1, False)
        for budget in (value - 1, value) if value else ():
            data = witness(table, budget)
            side, kind = ("lower", "pair-branching") if budget < value else ("upper", "rectangles")
            assert (check(table, "cover", side, CODE, data), data["kind"]) == (value, kind)
            if side == "lower":
                assert check(table, "partition", side, CODE, data) == value


@pytest.mark.parametrize(("table", "value", "cases"), [(crown(4), 4, 3), (cycle(8), 6, 3), (cycle(7), 6, 9)])
def test_what_weights_alone_do_not_say(table, value, cases):
    data = witness(table, value - 1)
    assert check(table, "cover", "lower", CODE, data) == value
    assert len(data["cases"]) >= cases
    with pytest.raises(Refused):
        check(table, "cover", "lower", CODE, {**data, "budget": value})


TABLE, PROOF = crown(4), witness(crown(4), 3)


def refused(reason=None, **change):
    with pytest.raises(Refused, match=reason):
        check(TABLE, "cover", "lower", CODE, {**PROOF, **change})


def test_other_witnesses_are_refused():
    cases = PROOF["cases"]
    (one, other), last = cases[0], cases[-1]
    refused("weights that are too small", budget=PROOF["budget"] + 1)
    refused("a case without an end", cases=cases[:-1])
    refused("more cases than there are", cases=[*cases, last])
    refused("two different elements", cases=[[other, one], *cases[1:]])
    refused("two different elements", cases=[[one, one], *cases[1:]])
    refused("an integer", cases=[[-1, other], *cases[1:]])
    refused("an integer", cases=[[one, 1000], *cases[1:]])
    refused("a list", cases=[*cases[:-1], [last[0], last[1][1:]]])
    refused("an integer", cases=[*cases[:-1], [last[0], [-1, *last[1][1:]]]])
    refused("weighs more|too small", cases=[*cases[:-1], [last[0] - 1, last[1]]])
    refused("too large", cases=[*cases[:-1], [last[0], [1 << 31, *last[1][1:]]]])
    refused("some items", cases=None)


IN_THE_COVER, NOT_ALLOWED = [5, 0, 0, 0, 0, 0, 5, 0, 5, 5, 0, 5, 10], [3, 0, 6, 0, 6, 3, 6, 0, 0, 0, 3, 3]
BY_A_RECTANGLE = {**PROOF, "cases": [[12], [10, IN_THE_COVER], [9, NOT_ALLOWED]]}  # that of the columns 2 and 3


def test_a_rectangle_is_in_the_cover_or_not_allowed():
    for measure in ("cover", "partition"):
        assert check(TABLE, measure, "lower", CODE, BY_A_RECTANGLE) == 4
    one, yes, no = BY_A_RECTANGLE["cases"]
    refused("a list", cases=[one, no, yes])
    refused("a case without an end", cases=[one, yes])
    refused("weighs more", cases=[[11], yes, no])
    refused("an integer", cases=[[16], yes, no])
    refused("an integer", cases=[[-1], yes, no])
    refused("a list of 2 items", cases=[[], yes, no])
    refused("weighs more", cases=[one, [0, [0] * 12 + [1]], no])  # that rectangle has all of it inside
    refused("weighs more", cases=[one, yes, [0, [1] * 12]])  # only that rectangle is not allowed
    refused("too small", cases=[one, [10, [*IN_THE_COVER[:-1], 0]], no])


def test_cases_are_not_those_of_another_pair():
    """Together and apart are not exchanged, and no case is left out."""
    assert len(PROOF["cases"]) == 3
    first, together, apart = PROOF["cases"]
    refused(cases=[first, apart, together])
    refused(cases=[together])
    refused(cases=[apart])


@pytest.mark.parametrize(
    ("table", "budget", "cases"),
    [
        ([[1]], 1, [[1, [1]]]),  # as much as one rectangle may weigh
        ([[1, -1], [-1, 1]], 1, [[1, [1, 1]]]),  # cells that are free may be inside
        ([[1, 1, 0], [0, 0, 1]], 2, [[0, 1], [0, [1, 0]], [0, [1, 0, 0]]]),  # rectangles without a pair are allowed
    ],
)
def test_what_is_false_is_refused(table, budget, cases):
    assert fewest(table, 1, False) == budget
    with pytest.raises(Refused, match=r"too small|weighs more"):
        check(table, "cover", "lower", CODE, {"kind": "pair-branching", "budget": budget, "cases": cases})


def test_no_mutation_proves_too_much():
    source = random.Random(0)
    value = fewest(TABLE, 1, False)
    for place in range(600):
        wrong = mutated(copy.deepcopy((PROOF, BY_A_RECTANGLE)[place % 2]), source)
        try:
            assert check(TABLE, "cover", "lower", CODE, wrong) <= value
        except Refused:
            continue


def test_it_gives_up_where_there_is_too_much(monkeypatch):
    monkeypatch.setattr(module, "MOST_ENTRIES", 1)
    assert witness(TABLE, PROOF["budget"]) is None
    monkeypatch.undo()
    monkeypatch.setattr(module, "MOST_CASES", 1)
    assert witness(TABLE, PROOF["budget"]) is None


def test_too_many_rectangles_are_refused(monkeypatch):
    with pytest.raises(Refused, match="too many maximal rectangles"):
        check(crown(20), "cover", "lower", CODE, {"kind": "pair-branching", "budget": 0, "cases": [[0, []]]})
    monkeypatch.setattr("ccsim.certificates.verify.matrices.MOST_WORK", 1000)
    with pytest.raises(TooLarge):
        check(TABLE, "cover", "lower", CODE, PROOF)
