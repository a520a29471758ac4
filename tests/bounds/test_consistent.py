"""Brackets of different measures of one function never contradict each other, and tighten each other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import CommunicationMatrix, InputError
from ccsim.bounds import MEASURES, PRINTED, Bracket, brackets_of, summary
from ccsim.bounds.bracket import AT_LEAST, Side, consistent
from ccsim.bounds.fooling_sets import diagonals, first_clash
from ccsim.bounds.measures import main_bracket, question_about
from ccsim.bounds.scheduler import run_measures
from ccsim.bounds.summaries import textbook_rows
from ccsim.certificates import verify
from ccsim.problems import find_problem
from tests.speed import patient

TRIVIAL = ("deterministic", "leaves", "one-way", "rank", "fooling", "cover", "partition", "randomised")
LARGE = [("disjointness", 9), ("equality", 9), ("greater-than", 9), ("inner-product", 9), ("intersection", 9)]


def trivial_brackets(name, n, measures=TRIVIAL):
    question = question_about(find_problem(name).function(n))
    return [one for measure in measures for one in MEASURES[measure].at_once(question).values()]


def contradictions(brackets):
    """Pairs of brackets that break a known inequality, or could be tightened by it."""
    keys = {(one.measure, str(one.parameters)): one for one in reversed(brackets)}  # one of several methods: the first
    brackets = list(keys.values())
    pairs = [(rule, a, b) for rule in AT_LEAST for a in brackets for b in brackets if rule.holds_of(a, b)]
    crossed = [(str(a), str(b)) for rule, a, b in pairs if a.upper is not None and rule.least(b) > a.upper]
    behind = [(str(a), str(b)) for rule, a, b in pairs if rule.least(b) > a.lower]
    above = [
        (str(a), str(b)) for rule, a, b in pairs if rule.count is plain and b.upper is None and a.upper is not None
    ]
    return crossed, behind, above


plain = AT_LEAST[0].count
PLAIN = {"answer": "both", "rounds": None, "first": None}
WAY = {"direction": "alice-to-bob", "error": "1/3"}
PUBLIC = {"answer": "both", "coins": "public", "error": "1/3"}


def test_trivial_brackets_are_consistent():
    for name, n in [*LARGE, ("gap-hamming", 5), ("median", 3), ("index", 9)]:
        measures = TRIVIAL if name != "gap-hamming" else [name for name in TRIVIAL if name != "rank"]
        assert contradictions(trivial_brackets(name, n, measures)) == ([], [], [])


@pytest.mark.parametrize(
    ("name", "n"), [("equality", 1), pytest.param("clique-independent-set", 4, marks=pytest.mark.slow)]
)
def test_no_bracket_of_a_summary_contradicts_another(name, n):
    found = summary(find_problem(name).function(n), seconds=patient(20))
    assert contradictions([one for own in found.details.values() for one in own]) == ([], [], [])


def test_named_functions_take_a_bit_more_than_their_inputs_without_a_search():
    for name, n, lower in [("disjointness", 9, 10), ("equality", 9, 10), ("greater-than", 9, 10)]:
        found = {one.name: one for one in trivial_brackets(name, n)}
        assert found["deterministic"].lower == found["deterministic"].upper == lower
        for measure in ("rank (label 1, over the rationals)", "partition (label 1)", "cover (label 1)"):
            assert found[measure].exact
        assert found["one-way (from Alice to Bob)"].lower == n
        assert found["leaves"].lower >= found["partition (every label)"].lower >= (1 << n + 1) - 3


def test_a_message_for_index_needs_only_the_name():
    found = MEASURES["one-way"].at_once(question_about(find_problem("index").function(13)))
    bracket = found["alice-to-bob", "coins"]
    assert bracket.lower == 2
    assert bracket.lower_witness["of"] == {"kind": "all-patterns"}


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 2**32))
@settings(max_examples=12, deadline=None)
def test_diagonals_are_fooling_sets_and_triangles_have_full_rank(height, width, seed):
    codes = np.random.default_rng(seed).integers(-1, 2, (height, width))
    matrix = CommunicationMatrix(codes.astype(np.int8), (0, 1))
    for code, found in enumerate(diagonals(matrix)):
        assert bool(found.cells) == (codes == code).any()
        assert all(codes[cell] == code for cell in found.cells)
        assert first_clash(matrix, found.cells) is None
        if found.triangular and (codes >= 0).all():
            part = (codes == code)[np.ix_(*found.rows_and_columns)]
            assert np.linalg.matrix_rank(part) == len(found.cells)


def test_an_answer_of_a_measure_is_carried_to_those_that_it_bounds():
    matrix = CommunicationMatrix.from_array([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    cover = brackets_of(matrix, "cover")[1]
    sides = Side(1, "trivial"), Side(3, "lines")
    late = Bracket("partition", *sides, cover.parameters, "rectangles", matrix=matrix)
    partition, _ = consistent([late, cover])
    assert partition.exact
    assert partition.method == f"{cover.below.by} | lines"


def test_brackets_of_small_tables_keep_to_all_inequalities_and_are_proved():
    for answer in ["both", "alice", "bob"]:
        for seed in range(2):
            draw = np.random.default_rng(seed)
            labels = 2 + seed % 2
            codes = draw.integers(-1 if seed % 3 else 0, labels, draw.integers(2, 5, 2))
            question = question_about(CommunicationMatrix(codes, range(labels)), answer)
            names = [
                "deterministic",
                "leaves",
                "one-way",
                "fooling",
                "cover",
                "partition",
                *["randomised"][: labels == 2],
            ]
            found = run_measures(question, [MEASURES[name] for name in names if name != "rank"])
            brackets = [one for own in found.values() if not isinstance(own, InputError) for one in own]
            assert contradictions(brackets) == ([], [], [])
            assert all(one.upper is None or one.lower <= one.upper for one in brackets)
            assert all(one.certificate.verify() for one in brackets if one.lower_witness and one.upper_witness)


GAP = [[-1 if gap in (2, 3) else int(gap > 2) for gap in line]
       for line in ([(x ^ y).bit_count() for y in range(32)] for x in range(32))]  # fmt: skip


def test_messages_of_a_partial_function_and_a_reply_are_a_protocol():
    matrix = CommunicationMatrix(np.array(GAP), (0, 1))
    message = brackets_of(matrix, "one-way")[0]
    late = {"deterministic": PLAIN, "randomised": PUBLIC}
    certain, coins = (open_one(measure, 6, matrix, **parameters) for measure, parameters in late.items())
    certain, coins, _ = consistent([certain, coins, message])
    assert (message.upper, certain.upper, coins.upper) == (3, 4, 4)
    assert certain.certificate.verify()
    for answer, upper in (("bob", 3), ("alice", 6)):
        assert (
            consistent([open_one("deterministic", 6, matrix, **{**PLAIN, "answer": answer}), message])[0].upper == upper
        )


@pytest.mark.parametrize(("measure", "other"), [("deterministic", "one-way"), ("randomised", "one-way-randomised")])
def test_one_message_costs_at_least_what_both_must_know_less_a_reply(measure, other):
    matrix = find_problem("equality").function(2).matrix
    known = brackets_of(matrix, measure)[0]
    parameters = {name: WAY[name] for name in (("direction", "error") if measure == "randomised" else ("direction",))}
    found = consistent([open_one(other, 9, matrix, **parameters), known])[0]
    assert found.lower == known.lower - 1 > 0
    assert verify.check(matrix.codes.tolist(), other, "lower", parameters, found.lower_witness) == found.lower


def test_of_several_answers_the_one_that_costs_most_speaks():
    table = [[2 if x == y else int(x > 4) for y in range(5)] for x in range(6)]
    brackets = brackets_of(table, "cover")
    assert main_bracket("cover", brackets).upper == max(one.upper for one in brackets)


def test_a_protocol_bounds_the_leaves_of_all():
    matrix = CommunicationMatrix.from_array([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    certain, leaves = (brackets_of(matrix, measure)[0] for measure in ("deterministic", "leaves"))
    late = open_one("leaves", 30, matrix, **leaves.parameters)
    _, found = consistent([certain, late])
    assert leaves.upper <= found.upper <= 2**certain.upper
    assert verify.check(matrix.codes.tolist(), "leaves", "upper", leaves.parameters, found.upper_witness) == found.upper


def open_one(measure, upper, matrix, **parameters):
    """A bracket of which next to nothing is known."""
    unit = verify.claims.MEASURES[measure][0][0]
    return Bracket(measure, Side(0, "trivial"), Side(upper, "lines"), parameters, unit, matrix=matrix)


def test_the_partition_of_all_answers_bounds_leaves_and_bits():
    matrix = find_problem("clique-independent-set").function(4).matrix
    partition = brackets_of(matrix, "partition")[-1]
    late, certain = open_one("leaves", 30, matrix, answer="both"), open_one("deterministic", 9, matrix, **PLAIN)
    for brackets in ([certain, late, partition], [certain, partition]):
        found = {one.measure: one for one in consistent(brackets)}
        assert found["deterministic"].lower == (int(partition.lower) - 1).bit_length()
        assert all(one.certificate.verify() for one in found.values())
    assert consistent([late, partition])[0].lower == partition.lower
    alone = open_one("leaves", 30, matrix, answer="alice")
    assert consistent([alone, partition])[0] == alone


def test_covers_bound_nonnegative_ranks_of_the_same_label():
    matrix = CommunicationMatrix.from_array([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    cover = brackets_of(matrix, "cover")[0]
    late, other = (open_one("nonnegative-rank", 9, matrix, values=values, label=label)
                   for values, label in (([1, 0], "0"), ([0, 1], "1")))  # fmt: skip
    found = consistent([late, other, cover])
    assert (found[0].lower, found[1].lower) == (3, 0)
    assert found[0].certificate.verify()


def test_coins_that_all_see_bound_qubits():
    matrix, coins = find_problem("equality").function(2).matrix, {"error": "1/3"}
    quantum, mixed = open_one("quantum", 9, matrix, **coins), brackets_of(matrix, "randomised")[0]
    quantum, _ = consistent([quantum, mixed])
    assert quantum.upper == mixed.upper < 9
    assert quantum.certificate.verify()


ALICE = {**PLAIN, "answer": "alice"}
PARTS = {"kind": "parts", "parts": []}


def test_only_what_is_of_the_same_answer_direction_and_error_is_carried():
    for measure, parameters, other, same, different in [
        ("randomised", PUBLIC, "quantum", {"error": "1/3"}, [{"error": "1/4"}]),
        ("partition", {"code": None}, "leaves", {"answer": "both"}, [{"answer": "alice"}]),
        ("partition", {"code": None}, "deterministic", PLAIN, [ALICE, {**ALICE, "rounds": 2}]),
    ]:
        known = Bracket(measure, Side(5, "trivial", PARTS), Side(6, "lines", PARTS), parameters)
        for wanted in (same, *different):
            late = Bracket(other, Side(0, "trivial"), Side(9, "lines"), wanted)
            found = consistent([late, known])[0]
            assert ((found.lower, found.upper) != (0, 9)) == (wanted == same)


def test_only_partitions_of_all_answers_are_carried_and_by_what_adds_up():
    for kind in ["fooling-set", "parts", "lrat", "pivots"]:
        for code in [None, 1]:
            for measure, parameters in [("leaves", {"answer": "both"}), ("deterministic", PLAIN)]:
                known = Bracket("partition", Side(5, "trivial", {"kind": kind}), Side(6, "lines"), {"code": code})
                late = Bracket(measure, Side(0, "trivial"), Side(9, "lines"), parameters)
                found = consistent([late, known])[0]
                assert (found.lower > 0) == (code is None and kind in ("fooling-set", "parts"))


def test_measures_are_asked_for_as_they_are_printed():
    for name in [*PRINTED, "cover (label 1)"]:
        found = brackets_of([[1, 2], [2, 2]], name)
        rows = textbook_rows({PRINTED.get(name, "cover"): found})
        assert name.partition(" (")[0] in {bracket.measure for bracket in [*found, *rows]}


def test_rows_that_are_open_come_last():
    exact, between = (Bracket("partition", Side(low, "trivial"), Side(4, "trivial")) for low in (4, 3))
    rows = textbook_rows({"partition": (between,), "leaves": (exact,)})
    assert [row.exact for row in rows] == [True, False]
