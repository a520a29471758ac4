"""Covers and partitions by a SAT solver, its proofs of none, and those that a symmetry takes to themselves."""

from __future__ import annotations

import pickle
import random
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.bounds import cover_number, covers, maximum_fooling_set, partition_number
from ccsim.bounds import sat_covers as module
from ccsim.bounds.bit_matrix import members
from ccsim.bounds.covers import CoverBounds, _from_crown
from ccsim.bounds.sat_covers import CoverSearch, covers_by_symmetries, cycles_of, given_clauses, invariant_cover, powers
from ccsim.bounds.scheduler import Clock
from ccsim.bounds.solvers import Lemma, ProvingSolver, signed
from ccsim.certificates.certificate import claim_parameters
from ccsim.certificates.verify import Refused, TooLarge, check
from ccsim.certificates.verify.claims import Matrix, MatrixClaim
from ccsim.certificates.verify.rectangles import BASE_64, CoverClauses, steps_of
from ccsim.matrices import CommunicationMatrix
from tests.bounds.brute_force import crown, cycle, fewest
from tests.certificates.proofs import written
from tests.slow import slow

MATRICES = st.integers(1, 5).flatmap(
    lambda columns: st.lists(st.lists(st.integers(-1, 1), min_size=columns, max_size=columns), min_size=1, max_size=5)
)
CROWN = crown(6)
STAIRS = [[1, 1, 0], [1, 1, 1], [0, 1, 1]]  # two rectangles that overlap, or three


def sent(table, apart=(), lower=0, upper=6, measure="cover"):
    found = []
    CoverSearch(table, 1, list(apart), lower, upper, measure)(found.append)
    return found


def proved(table, witness, measure="cover"):
    return check(table, measure, "upper" if witness["kind"] == "rectangles" else "lower", {"code": 1}, witness)


@pytest.mark.parametrize("measure", ["cover", "partition"])
@settings(max_examples=10, deadline=None)
@given(MATRICES)
def test_both_sides_meet_at_the_least_number_and_are_followed(measure, table):
    least = fewest(table, 1, measure == "partition")
    apart = maximum_fooling_set(CommunicationMatrix(np.array(table), (0, 1)), 1).cells
    for cells in ((), apart):
        found = sent(table, cells, 0, 6, measure)
        kinds = ("lrat", "rectangles")
        bounds = [[proved(table, one, measure) for one in found if one["kind"] == kind] for kind in kinds]
        assert (max([*bounds[0], len(cells)]), min([*bounds[1], 6])) == (least, least)


def test_cells_apart_come_first_in_whatever_rows_and_others_in_the_order_of_theirs():
    identity = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    proof, cover = sent(identity, apart=[(2, 2)], upper=4)
    assert [rows for rows, _ in cover["rectangles"]] == ["4", "1", "2"]
    assert proved(identity, proof) == 3


TINY = (
    [[0], [1]],
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    STAIRS,
    [[1, 1, 0], [1, 0, 1], [0, 1, 1]],
    [[-1, 1], [1, 0], [-1, 1]],
)


def test_the_order_of_rectangles_is_kept_by_some_cover_wherever_there_is_one():
    """At each number of rectangles, also where some stay empty, with cells apart in any order: none, one, or all."""
    for measure in ["cover", "partition"]:
        for table in [*TINY, [[0, 0]]]:
            least, claim = (
                fewest(table, 1, measure == "partition"),
                MatrixClaim(Matrix(table), measure, "lower", {"code": 1}),
            )
            apart = maximum_fooling_set(CommunicationMatrix(np.array(table), (0, 1)), 1).cells[::-1]
            for known in range(len(apart) + 1):
                for budget in range(known, least + 3):
                    clauses = given_clauses(CoverClauses(claim, budget, known), apart[:known])
                    assert ProvingSolver(clauses, False).solve() == (budget >= least)


def test_a_proof_about_partitions_says_nothing_of_covers():
    proofs = [one for one in sent(STAIRS, upper=3, measure="partition") if one["kind"] == "lrat"]
    assert proved(STAIRS, proofs[-1], "partition") == 3
    assert fewest(STAIRS, 1, False) == 2
    with pytest.raises((Refused, LookupError)):
        proved(STAIRS, proofs[-1])


def test_a_partition_is_proved_to_need_more_rectangles_than_the_rank():
    """Zeros at j = i and i + 1 modulo 6: the ones have rank 5, and are divided into no fewer than 6 rectangles."""
    table = cycle(6)
    proofs = [one for one in sent(table, lower=5, upper=6, measure="partition") if one["kind"] == "lrat"]
    assert [proved(table, one, "partition") for one in proofs] == [6]


def test_a_proof_of_what_is_not_so_is_refused():
    """No step of a proof that 3 are not enough for the crown of 6 lines can be left out; and 4 are enough."""
    witness = next(one for one in sent(CROWN, lower=3) if one["kind"] == "lrat")
    assert proved(CROWN, witness) == 4
    steps = steps_as_given(witness["proof"], 30)
    for place in range(len(steps)):
        before = [Lemma(clause, [hint - (hint > place) for hint in hints]) for clause, hints in steps]
        with pytest.raises(Refused):
            proved(CROWN, {**witness, "proof": written(before[:place] + before[place + 1 :], 30)})
    for budget in (4, 5):
        with pytest.raises(Refused):
            proved(CROWN, {**witness, "budget": budget})


def test_what_would_prove_too_much_is_refused():
    for table, budget, apart, proof, why in [
        ([[1, 0]], 1, [], "ABDA", "a clause of the proof"),  # from that before the first: a line is in some rectangle
        ([[1, 0], [0, 1]], 2, [], "ABCDA", "two literals left"),  # from the last one of the two
        ([[0, 1]], 1, [[0, 0]], "AA", "another answer"),
        ([[1, 0]], 1, [], "BABAACA", "expected an integer from 2"),  # of a literal of no variable, which counts as none
        ([[1, 0], [0, 1]], 1, [[0, 0], [1, 1]], "AA", "more cells apart"),
    ]:
        with pytest.raises(Refused, match=why):
            proved(table, {"kind": "lrat", "budget": budget, "apart": apart, "proof": proof})


def steps_as_given(proof, cells):
    found = steps_of(Matrix([[0]]), proof, cells)
    return [
        Lemma([signed(one) for one in clause], [h - cells if h >= cells else -1 - h for h in hints])
        for clause, hints in found
    ]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sets(st.integers(1, 5000)), st.lists(st.integers(1, 40)))))
def test_what_is_written_is_read(entries):
    steps = [
        Lemma([one if one % 3 else -one for one in sorted(clause)], [max(-one, place - one) for one in hints])
        for place, (clause, hints) in enumerate(entries)
    ]
    assert steps_as_given(written(steps, 40), 40) == steps


@pytest.mark.parametrize(("table", "measure", "least"), [(CROWN, "cover", 4), (STAIRS, "partition", 3)])
def test_no_spoiled_proof_shows_what_is_false(table, measure, least):
    """Whatever is done to proofs that fewer rectangles are not enough, they show no more than the least number."""
    proofs = [one for one in sent(table, upper=6, measure=measure) if one["kind"] == "lrat"]
    rng = random.Random(0)
    for _ in range(300):
        witness = rng.choice(proofs)
        text = list(witness["proof"])
        for _ in range(rng.randrange(1, 3)):
            text[rng.randrange(len(text))] = rng.choice(BASE_64)
        wrong = {**witness, "proof": "".join(text), "budget": rng.choice([witness["budget"], least])}
        try:
            assert proved(table, wrong, measure) <= least
        except (Refused, LookupError):
            continue


def followed(clauses, true):
    """What is false once a literal is true, by clauses of two literals, one after the other."""
    holds, known = {true}, None
    pairs = [pair for pair in given_clauses(clauses, []) if len(pair) == 2]
    two = [[2 * abs(one) + (one < 0) for one in pair] for pair in pairs]
    while holds != known:
        known = set(holds)
        holds |= {b for pair in two for a, b in (pair, pair[::-1]) if a ^ 1 in known}
    return {one ^ 1 for one in holds}


def test_literals_are_false_by_clauses_of_two_alone():
    """Nothing else, so that proofs are sound; and if one is false once another is true, so is that once it is."""
    for measure in ["cover", "partition"]:
        for size in [1, 3]:
            for table in [STAIRS, [[1, -1, 0], [0, 1, 1]], [[0, 1], [0, 0]]]:
                clauses = CoverClauses(MatrixClaim(Matrix(table), measure, "lower", {"code": 1}), size)
                false = {
                    one: set(clauses.matrix.places(clauses.falsified(one))) for one in range(2, 2 * clauses.most + 2)
                }
                for one, others in false.items():
                    assert one ^ 1 in others <= followed(clauses, one)
                    assert all(one in false[other] for other in others)


def test_texts_that_are_no_proof_are_refused():
    for proof in [None, 0, [], ["ABA"], "", "A", "ABA ", "ab", "AB", "-------------A", "\u00e9"]:
        assert proved([[1]], {"kind": "lrat", "budget": 0, "apart": [], "proof": "ABA"}) == 1
        with pytest.raises((Refused, KeyError)):
            proved([[1]], {"kind": "lrat", "budget": 0, "apart": [], "proof": proof})


def test_a_proof_that_is_too_long_is_left_out(monkeypatch):
    monkeypatch.setattr("ccsim.bounds.solvers.MOST_PROOF", 10)
    found = sent(CROWN)
    assert {one["kind"] for one in found} == {"rectangles"}
    assert min(proved(CROWN, one) for one in found) == 4


def test_a_proof_that_takes_too_much_work_is_refused(monkeypatch):
    witness = next(one for one in sent(CROWN, lower=3) if one["kind"] == "lrat")
    monkeypatch.setattr("ccsim.certificates.verify.claims.MOST_WORK", 10_000)
    with pytest.raises(TooLarge):
        proved(CROWN, witness)


def test_a_proof_that_the_checker_has_no_time_for_is_left_out(monkeypatch):
    bounds = CoverBounds(CommunicationMatrix.from_array(CROWN), 1, "cover", Clock())
    proofs = [one for one in sent(CROWN, lower=3) if one["kind"] == "lrat"]
    monkeypatch.setattr("ccsim.certificates.verify.claims.MOST_WORK", 10_000)
    covers._offer_all(bounds, proofs)
    assert bounds.lower == 0
    monkeypatch.undo()
    covers._offer_all(bounds, proofs)
    assert bounds.lower == 4


@pytest.mark.parametrize(("seconds", "lower"), [(0.0, 0), (60.0, 4), (None, 4)])
def test_a_check_that_takes_long_is_ended_with_the_time(monkeypatch, seconds, lower):
    def late(*given):
        time.sleep(0 if lower else 10)
        return check(*given)

    monkeypatch.setattr("ccsim.bounds.covers.LONG", 1)
    monkeypatch.setattr("ccsim.bounds.covers.check", late)
    bounds = CoverBounds(CommunicationMatrix.from_array(CROWN), 1, "cover", Clock.within(seconds))
    bounds.offer(next(one for one in sent(CROWN, lower=3) if one["kind"] == "lrat"))
    assert bounds.lower == lower


def test_a_trace_that_is_too_long_is_forgotten_and_the_search_goes_on(monkeypatch):
    monkeypatch.setattr(module, "MOST_TRACE", 10)
    monkeypatch.setattr(module, "BELOW", 1)
    found = sent(CROWN, lower=3)
    assert {one["kind"] for one in found} == {"rectangles"}
    assert min(proved(CROWN, one) for one in found) == 4


def test_what_is_small_is_settled_without_another_process(monkeypatch):
    monkeypatch.setattr(covers, "Background", None)
    assert partition_number(cycle(6), 1).exact
    assert cover_number(np.random.default_rng(1).integers(0, 2, (9, 9)), 1).exact


def test_a_search_goes_on_elsewhere_with_what_it_knows():
    search = CoverSearch(CROWN, 1, [(0, 1)], 1, 6)
    search.know(3, 5)
    elsewhere = pickle.loads(pickle.dumps(search))
    assert (elsewhere.lower, elsewhere.upper, elsewhere.fooling, elsewhere.at) == (3, 5, [(0, 1)], {})


def test_a_crown_is_covered_at_once_though_bounds_are_high():
    """What is listed are as many sets as it has lines, not all that there are of so many rectangles."""
    bounds = CoverBounds(CommunicationMatrix.from_array(CROWN), 1, "cover", Clock(), lower=40)
    _from_crown(bounds)
    assert bounds.upper <= 40


def test_a_proof_is_gone_once_it_is_forgotten():
    with ProvingSolver([[1, 2], [1, -2], [-1, 2], [-1, -2]], True) as solver:
        assert solver.solve_within(100) is False
        before = solver.written
        assert len(solver.proof()) == before > 0
        solver.forget()
        assert solver.forgotten
        assert set(solver.proof()) == {0}
        assert solver.written == before


def test_a_proof_is_written_in_digits():
    assert written([Lemma([3, -1], [-1]), Lemma([], [0])], 1) == "DDABAACA"
    assert written([Lemma([], [-1])], 1) == "ABA"


@pytest.mark.slow
def test_a_random_matrix_is_proved_where_neither_fooling_sets_nor_weights_are_enough():
    """20 x 20 with four tenths of ones: fooling sets of 17, a fractional cover of 18.4, and 20 rectangles."""
    table = (np.random.default_rng(40).random((20, 20)) < 0.4).astype(int).tolist()
    apart = maximum_fooling_set(CommunicationMatrix.from_array(table), 1, seconds=1.0).cells
    proofs = [one for one in sent(table, apart, 17, 20) if one["kind"] == "lrat"]
    assert proved(table, proofs[-1]) == 20
    assert cover_number(CommunicationMatrix.from_array(table[:8]), 1).exact


def test_room_is_spent_on_masks_that_are_kept():
    """One for each literal, and those that rectangles share."""
    table = [[int(row != column) for column in range(9)] for row in range(9)]
    clauses = CoverClauses(MatrixClaim(Matrix(table), "cover", "lower", {"code": 1}), 12)
    before = clauses.matrix.left[1]
    masks = [clauses.kept[literal] for literal in range(2, 2 * clauses.most + 2)] + list(clauses.alike.values())
    assert before - clauses.matrix.left[1] == clauses.room * len(masks)
    assert max(map(int.__sizeof__, masks)) <= clauses.room


def shift(n, step):
    return (tuple((line + step) % n for line in range(n)),) * 2


@pytest.mark.parametrize(("n", "value"), [(13, 7), slow(20, 7)])
def test_cycles_are_exact_and_proved(n, value):
    found = cover_number(cycle(n), 1)
    assert (found.lower, found.upper) == (value, value)
    for side, witness in (("lower", found.lower_witness), ("upper", found.upper_witness)):
        assert check(cycle(n), "cover", side, claim_parameters(found), witness) == value


@pytest.mark.parametrize("measure", ["cover", "partition"])
def test_what_is_found_is_symmetric(measure):
    """Eight lines, turned by two: the rectangles of the four are one cycle, and those of the two another."""
    table, (rows, columns) = cycle(8), shift(8, 2)
    found = invariant_cover(table, 1, (rows, columns), (4, 4), measure, 1000, Clock())
    data = {"kind": "rectangles", "rectangles": [one.as_data() for one in found]}
    assert check(table, measure, "upper", {"code": 1}, data) == len(found) <= 8
    if measure == "partition":  # in covers each has all columns that it may have, and what is not needed is left out
        moved = {
            (frozenset(rows[r] for r in members(one.rows)), frozenset(columns[c] for c in members(one.columns)))
            for one in found
        }
        assert moved == {(frozenset(members(one.rows)), frozenset(members(one.columns))) for one in found}


def test_none_is_found_where_there_is_none():
    """Two rectangles that a turn exchanges have half of the cells each; one that it keeps has all lines or none."""
    table = cycle(8)
    assert invariant_cover(table, 1, shift(8, 1), (2, 2), "cover", 1000, Clock()) == []
    assert invariant_cover(table, 1, shift(8, 4), (2, 2), "cover", 10_000, Clock()) == []  # 6 are needed


def test_symmetries_that_are_found_keep_every_cell():
    for seed in range(3):
        half = np.random.default_rng(seed).integers(-1, 2, (3, 4))
        table = np.block([[half, 1 - half**2], [1 - half**2, half]])
        found = powers(table.tolist(), Clock())
        assert found
        for order, (rows, columns) in found:
            assert (table[np.ix_(rows, columns)] == table).all()
            assert order > 1


def test_the_search_ends_with_its_time():
    assert invariant_cover(cycle(30), 1, shift(30, 15), (2, 2, 2, 2), "cover", 10**9, Clock.within(0.0)) is None


def test_no_matrix_without_symmetries_is_tried():
    table = np.triu(np.ones((5, 5), dtype=int)).tolist()
    assert list(covers_by_symmetries(table, 1, lambda: range(3, 5), "cover", Clock())) == []


def test_cycles_divide_the_order():
    assert cycles_of(7, 2) == [(2, 2, 2, 1), (2, 2, 1, 1, 1), (2, 1, 1, 1, 1, 1)]
    assert cycles_of(0, 2) == cycles_of(1, 5) == []
    assert all(sum(one) == 9 and all(8 % length == 0 for length in one) for one in cycles_of(9, 8))
