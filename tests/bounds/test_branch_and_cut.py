"""Covers by branch and cut: what brute force says, and forgeries are refused."""

from __future__ import annotations

import copy
import random

import numpy as np
import pytest

from ccsim.bounds import branch_and_cut as module
from ccsim.bounds.branch_and_cut import more_by_cases
from ccsim.bounds.rectangles import maximal_rectangles
from ccsim.certificates.verify import Refused, TooLarge, check
from ccsim.certificates.verify.claims import Matrix, MatrixClaim
from ccsim.certificates.verify.rectangles import MaximalRectangles
from ccsim.matrices import CommunicationMatrix
from tests.bounds.brute_force import crown, cycle, fewest
from tests.certificates.mutations import mutated_witness

CODE = {"code": 1}


def witness(table, budget):
    """What is shown in the end about so many rectangles, or None."""
    matrix = CommunicationMatrix(np.array(table, dtype=np.int8), (0, 1))
    rectangles, complete = maximal_rectangles(matrix, 1)
    assert complete
    return [None, *more_by_cases(matrix, 1, rectangles, budget)][-1]


def random_table(source, height, width, weights=(1, 3, 5)):
    return [source.choices([-1, 0, 1], weights, k=width) for _ in range(height)]


def test_small_covers_are_decided():
    """Each budget has a cover or a proof, for a partition, too."""
    source = random.Random(2)
    for _ in range(12):
        table = random_table(source, source.randint(2, 4), source.randint(2, 5))
        value = fewest(table, 1, False)
        for budget in (value - 1, value) if value else ():
            data = witness(table, budget)
            side, kind = ("lower", "branch-and-cut") if budget < value else ("upper", "rectangles")
            assert (check(table, "cover", side, CODE, data), data["kind"]) == (value, kind)
            if side == "lower":
                assert check(table, "partition", side, CODE, data) == value


def test_what_weights_alone_do_not_say():
    for table, value, cases in [(crown(4), 4, 3), (cycle(8), 6, 3), (cycle(7), 6, 9)]:
        data = witness(table, value - 1)
        assert check(table, "cover", "lower", CODE, data) == value
        assert len(data["cases"]) >= cases
        with pytest.raises(Refused):
            check(table, "cover", "lower", CODE, {**data, "budget": value})


def test_cuts_belong_to_their_case():
    """Of some cells only, as others follow; and a case that comes later knows nothing of them."""
    source = random.Random(9)
    table = [[int(source.random() < 0.5) for _ in range(12)] for _ in range(12)]
    data = witness(table, 10)
    assert check(table, "cover", "lower", CODE, data) == 11
    kinds = ["".join(map(str, (len(case), type(case[0]).__name__))) for case in data["cases"]]
    assert "1list" in kinds[kinds.index("1int") :]  # after a division


TABLE = crown(4)
ENDED = [9, [0, 5, 0, 0, 0, 0, 0, 0, 5, 5, 0, 0, 2, 2]]
PROOF = {"kind": "branch-and-cut", "budget": 3, "cases": [[[3, 4, 5]], [[0, 7, 10]], ENDED]}


def refused(reason=None, **change):
    with pytest.raises(Refused, match=reason):
        check(TABLE, "cover", "lower", CODE, {**PROOF, **change})


def test_other_witnesses_are_refused():
    one, other, (most, weights) = PROOF["cases"]
    assert check(TABLE, "cover", "lower", CODE, PROOF) == check(TABLE, "partition", "lower", CODE, PROOF) == 4
    refused("weights that are too small", budget=4)
    refused("a case without an end", cases=[one, other])
    refused("more cases than there are", cases=[one, other, ENDED, ENDED])
    refused("a list", cases=[one, ENDED])
    refused("a list", cases=[one, other, [most, weights[1:]]])
    refused("an integer", cases=[[[3, 4, 12]], other, ENDED])  # there are 12 inequalities yet
    refused("an integer", cases=[[[-1, 4, 5]], other, ENDED])
    refused("an integer", cases=[one, other, [most, [-1, *weights[1:]]]])
    refused("an integer", cases=[one, other, [-1, weights]])
    refused("too small|weighs more", cases=[[[3, 4]], other, ENDED])  # a sum of 2 is even
    refused("too small|weighs more", cases=[[[3, 4, 6]], other, ENDED])
    refused("too small|weighs more", cases=[one, one, ENDED])
    refused("weighs more", cases=[one, other, [most - 1, weights]])
    refused("too large", cases=[one, other, [most, [1 << 30, 1 << 30, *weights[2:]]]])
    refused("some items", cases=None)
    refused("a list of 1 items", cases=[[], *PROOF["cases"]])
    refused("a list of 1 items", cases=[[1, 2, 3], *PROOF["cases"]])


def test_coefficients_stay_in_their_lanes():
    """What is summed again and again, for more than 31 bits."""
    doubled = [[[11 + place, 11 + place]] for place in range(1, 40)]
    refused("coefficients that are too large", cases=[[[0, 1, 2]], *doubled, [0, [0] * 52]])
    refused("weights that are too large", cases=[[[0, 1, 2]], *doubled[:28], [0, [0] * 40 + [2]]])


def test_31_bits_are_too_many():
    """The first number that is refused, where nothing would prove too much; the last one is not."""
    most, ones = (1 << 31) - 1, [[[place] * 2] for place in range(30)]  # of tops 1, 3, 7, ..., 2^30 - 1, then 2^31 - 1
    for cases, reason in (
        ([[most, [1]]], None),
        ([[most + 1, [1]]], "an integer"),
        ([[most, [most]]], None),
        ([[1, [most + 1]]], "weights that are too large"),
        ([*ones, [most, [0, 1, *[0] * 29]]], None),
        ([*ones, [[30, 0]], [1, [1, *[0] * 31]]], "coefficients that are too large"),
    ):
        data = {"kind": "branch-and-cut", "budget": 0, "cases": cases}
        if reason is None:
            assert check([[1]], "cover", "lower", CODE, data) == 1
        else:
            with pytest.raises(Refused, match=reason):
                check([[1]], "cover", "lower", CODE, data)
    refused("an integer", budget=-1)


def test_sums_may_be_summed_again():
    """An inequality of a sum counts as all that it is made of."""
    for cases in ([[[12]], [[13]]], [[[12, 13]]], [[[12, 12]], [[14, 13]]]):
        shown = [*PROOF["cases"][:2], *cases, [9, [*ENDED[1], *[0] * len(cases)]]]
        assert check(TABLE, "cover", "lower", CODE, {**PROOF, "cases": shown}) == 4
    both = [*PROOF["cases"][:2], [[12, 13]], [9, [*ENDED[1][:12], 0, 0, 2]]]
    assert check(TABLE, "cover", "lower", CODE, {**PROOF, "cases": both}) == 4


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
    refused("weighs more", cases=[one, [0, [0] * 12 + [1]], no])  # that rectangle has all of it inside
    refused("weighs more", cases=[one, yes, [0, [1] * 12]])  # only that rectangle is not allowed
    refused("too small", cases=[one, [10, [*IN_THE_COVER[:-1], 0]], no])


def test_a_cut_in_one_case_is_none_in_another():
    one, yes, no = BY_A_RECTANGLE["cases"]
    cut = [[[0, 12, 5]], [10, [*IN_THE_COVER, 0]]]
    assert check(TABLE, "cover", "lower", CODE, {**PROOF, "cases": [one, *cut, no]}) == 4
    refused("a list", cases=[one, *cut, [9, [*NOT_ALLOWED, 0]]])
    refused("a list", cases=[one, cut[0], yes, no])


def test_what_is_false_is_refused():
    for table, budget, cases in [
        ([[1]], 1, [[1, [1]]]),  # as much as one rectangle may weigh
        ([[1, -1], [-1, 1]], 1, [[1, [1, 1]]]),  # cells that are free may be inside
        ([[1, 0], [0, 1]], 2, [[[0, 1]], [0, [0, 0, 1]]]),  # what is even is not rounded
        ([[1, 0], [0, 1]], 2, [[[0]], [1, [0, 1, 1]]]),  # coefficients are rounded, too
        ([[1, 0], [0, 1]], 2, [[[0, 0, 0]], [3, [0, 3, 1]]]),
        ([[1, 0], [0, 1]], 2, [[1], [0, [0, 1, 0]], [0, [1, 0]]]),  # where one is in the cover, others may be, too
    ]:
        assert fewest(table, 1, False) == budget
        with pytest.raises(Refused, match=r"too small|weighs more"):
            check(table, "cover", "lower", CODE, {"kind": "branch-and-cut", "budget": budget, "cases": cases})


def test_no_mutation_proves_too_much():
    source = random.Random(0)
    value = fewest(TABLE, 1, False)
    for place in range(200):
        wrong = mutated_witness(copy.deepcopy((PROOF, BY_A_RECTANGLE)[place % 2]), source)
        try:
            assert check(TABLE, "cover", "lower", CODE, wrong) <= value
        except Refused:
            continue


def test_it_gives_up_where_there_is_too_much(monkeypatch):
    monkeypatch.setattr(module, "MOST_ENTRIES", 1)
    assert witness(TABLE, PROOF["budget"]) is None
    monkeypatch.undo()
    monkeypatch.setattr(module, "MOST_CASES", 1)
    assert witness(cycle(7), 5) is None


def test_too_many_rectangles_are_refused(monkeypatch):
    with pytest.raises(Refused, match="too many maximal rectangles"):
        check(crown(20), "cover", "lower", CODE, {"kind": "branch-and-cut", "budget": 0, "cases": [[0, []]]})
    monkeypatch.setattr("ccsim.certificates.verify.claims.MOST_WORK", 1000)
    with pytest.raises(TooLarge):
        check(TABLE, "cover", "lower", CODE, PROOF)


def test_room_is_asked_for_only_while_a_case_lasts():
    """However many cases there are: nothing is kept of those that are at their end."""
    source = random.Random(9)
    table = [[int(source.random() < 0.5) for _ in range(12)] for _ in range(12)]
    data = witness(table, 10)
    assert sum(len(case) == 2 for case in data["cases"]) > 2
    fresh, used = (MatrixClaim(Matrix(table), "cover", "lower", CODE) for _ in range(2))
    cells = len(MaximalRectangles(fresh).cells)
    used.proved(data)
    assert used.matrix.left[1] == fresh.matrix.left[1] + 8 * cells
