"""Every measure by name: brackets that never cross, values known from outside, and the table of all."""

import inspect
import re
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ccsim import CommunicationMatrix, InputError, bounds
from ccsim.bounds import (
    Bracket,
    Summary,
    brackets_of,
    deterministic,
    field_ranks,
    randomised,
    statements,
    summary,
)
from ccsim.bounds.bracket import Open, Side
from ccsim.bounds.summaries import private_coins
from ccsim.bounds.trivial import trivial_protocol
from ccsim.certificates import verify
from ccsim.displays import html
from ccsim.problems import (
    disjointness,
    equality,
    equality_of_three,
    gap_hamming,
    greater_than,
    index,
    inner_product,
)
from ccsim.references import references_in
from tests.certificates.truth import TRUTHS
from tests.speed import patient


def test_a_rank_that_floating_point_misses_is_right():
    """Ones on the diagonal and at odd distances below it: determinant 1, and an inverse that grows like phi^n."""
    size = 64
    distance = np.subtract.outer(np.arange(size), np.arange(size))
    table = ((distance == 0) | ((distance > 0) & (distance % 2 == 1))).astype(int)
    assert np.linalg.matrix_rank(table) < size
    brackets = brackets_of(CommunicationMatrix.from_array(table), "rank")
    ones = [bracket for bracket in brackets if bracket.parameters.get("label") == "1"]
    assert {bracket.parameters["field"] for bracket in ones} == {"GF(2)", "rational"}
    assert all(bracket.lower == bracket.upper == size for bracket in ones)


def test_a_rank_whose_minors_are_long_has_certificates():
    """Rows and their complements: rank 61, with minors of more digits than an integer of a certificate may have."""
    half = np.random.default_rng(3).integers(0, 2, (60, 120))
    matrix = CommunicationMatrix.from_array(np.vstack([half, 1 - half]))
    found = [bracket for bracket in brackets_of(matrix, "rank") if bracket.parameters.get("field") == "rational"]
    for bracket in found:
        assert (bracket.lower, bracket.upper) == (61, 61)
        assert bracket.certificate.verify().endswith("lower by pivots, upper by elimination")


@pytest.mark.parametrize("answer", ["both", "alice", "bob"])
def test_every_upper_bound_on_fooling_sets_has_a_certificate(answer):
    rng = np.random.default_rng(7)
    tables = [
        rng.integers(low, high, (size, size)) for low, high, size in ((0, 2, 9), (-1, 2, 9), (0, 3, 7), (-1, 3, 6))
    ]
    matrices = [CommunicationMatrix(codes, (0, 1, 2)[: codes.max() + 1]) for codes in tables]
    for matrix in (inner_product(3).matrix, *matrices):
        for bracket in brackets_of(matrix, "fooling", answer=answer):
            assert bracket.exact
            assert bracket.upper_witness is not None
            assert "upper by" in bracket.certificate.verify()


def test_an_upper_bound_that_takes_the_checker_too_long_says_so(monkeypatch):
    matrix = inner_product(3).matrix
    monkeypatch.setattr(field_ranks, "QUICK", 0)
    monkeypatch.setattr(verify.claims, "MOST_WORK", 1 << 12)
    for name, answer in (("fooling", "alice"), ("rank", "both")):
        *_, last = (one for one in brackets_of(matrix, name, answer=answer) if one.measure != "deterministic")
        assert last.exact
        assert (last.upper_witness is None) == last.method.endswith(", without certificate")
    assert brackets_of(matrix, "fooling", answer="alice")[-1].upper_witness is None


def test_a_summary_says_what_is_missing_and_why():
    found = summary(gap_hamming(3), seconds=patient(5))
    assert "rank" in found.missing
    assert {bracket.measure for bracket in found.brackets} >= {"deterministic", "one-way", "cover", "partition"}
    assert "deterministic" in str(found)
    assert "<table>" in html(found)


def test_a_summary_has_the_best_bracket_of_each_measure_and_all_behind_it():
    texts = []
    found = summary(disjointness(2), seconds=patient(60), progress=texts.append)
    names = [bracket.measure for bracket in found.brackets]
    assert names == list(found.details)
    assert len(set(names)) == len(names)
    for bracket in found.brackets:
        same = [one for one in found.details[bracket.measure] if one.parameters == bracket.parameters]
        assert bracket.lower == max(one.lower for one in same)
        assert bracket.upper == min(one.upper for one in same)
    assert [row["lower"] for row in found.rows()[0]["detail"]] == [3, 2, 3]
    values = {bracket.name: (bracket.lower, bracket.upper) for bracket in found.brackets}
    assert values["deterministic"] == (3, 3)
    assert values["cover (label 1)"] == values["rank (label 1, over the rationals)"] == (4, 4)
    assert values["least-discrepancy"] == (Fraction(2, 9), Fraction(2, 9))
    assert {"1 of 9, deterministic", "6 of 9, cover"} <= set(texts)


def test_the_sides_of_different_methods_are_joined():
    one = Bracket("deterministic", Side(3, "first", {"kind": "a"}))
    sides = Side(2, "second", {"kind": "b"}), Side(4, "third", {"kind": "c"})
    other = Bracket("deterministic", *sides, open=Open.TIME)
    elsewhere = Bracket("deterministic", Side(9, "of another"), Side(9), {"answer": "bob"})
    (best,) = Summary.of("", [other, one, elsewhere], {}).brackets
    assert (best.lower, best.upper, best.method) == (3, 4, "first | third, out of time")
    assert (best.lower_witness, best.upper_witness) == ({"kind": "a"}, {"kind": "c"})


@pytest.mark.parametrize("seconds", [0.1, pytest.param(5, marks=pytest.mark.slow)])
def test_what_is_open_says_why(seconds):
    for subject in (gap_hamming(3), disjointness(4), index(4)):
        for own in summary(subject, seconds=seconds).details.values():
            for bracket in own:
                assert bracket.exact == ("out of " not in bracket.method), str(bracket)


def test_who_must_know_the_answer_changes_the_cost():
    assert deterministic(index(4), answer="bob").upper <= deterministic(index(4)).upper
    assert deterministic(equality(3), answer="bob").upper == 3


def test_rank_and_randomised_are_asked_for_as_deterministic_is():
    for field, value in (("rational", 3), ("GF(2)", 2)):
        found = bounds.rank([["a", "b", "b"], ["b", "a", "b"], ["b", "b", "a"]], "b", field=field)
        assert (found.lower, found.upper, found.parameters["label"]) == (value, value, "b")
        assert found.certificate.verify()
    found = bounds.randomised(equality(1), "1/4")
    assert (found.measure, found.exact, bool(found.certificate.verify())) == ("randomised", True, True)
    assert bounds.rank(equality(2)).upper == 4
    with pytest.raises(InputError, match="label = 7"):
        bounds.rank(equality(1), 7)
    with pytest.raises(InputError, match=r"field = 'GF\(5\)'"):
        bounds.rank(equality(1), field="GF(5)")


def test_bad_questions_are_refused():
    with pytest.raises(InputError, match="two-party"):
        deterministic(equality_of_three(2))


def test_a_bracket_in_json_has_plain_figures():
    data = brackets_of(disjointness(2), "discrepancy")[0].to_json()
    assert {"measure", "lower", "upper", "exact", "method", "seconds"} <= set(data)
    assert Fraction(data["lower"]) <= Fraction(data["upper"])


def test_two_labels_are_bounded_like_0_and_1_whatever_their_names():
    for labels in [(-1, 1), ("no", "yes")]:
        for name in ["discrepancy", "one-way"]:
            codes = equality(2).matrix.codes
            named = brackets_of(CommunicationMatrix(codes, labels), name)
            assert [str(bracket) for bracket in named] == [
                str(bracket) for bracket in brackets_of(equality(2).matrix, name)
            ]
            assert all(bracket.certificate.verify() for bracket in named)


THIRD = Fraction(1, 3)
TABLE = [[1, 0, 0], [0, 1, 0], [1, 1, 1]]
OF_A_MATRIX = [
    name
    for name in bounds.__all__
    if inspect.isfunction(inspect.unwrap(getattr(bounds, name)))
    and next(iter(inspect.signature(getattr(bounds, name)).parameters.values())).name in ("matrix", "subject")
]
FURTHER = {
    "brackets_of": ["rank"],
    "first_clash": [[(0, 0), (1, 1)]],
    "gamma2_bits": [THIRD],
    "maximal_rectangles": [1],
    "one_way_public_coins": [THIRD],
    "one_way_success": [1],
    "partition_bits": [THIRD],
    "partition_bound": [THIRD],
    "public_coin_complexity": [THIRD],
    "public_coin_success": [1],
    "quantum_bits": [THIRD],
    "smooth_rectangle_bits": [THIRD],
}


def test_bounds_take_lists_and_arrays_as_they_take_matrices():
    for name in sorted({*OF_A_MATRIX} - {"summary", "measure"}):
        further = FURTHER.get(name, [])
        bound = getattr(bounds, name)
        tables = CommunicationMatrix.from_array(TABLE), [TABLE, np.array(TABLE)][len(name) % 2]
        found = {re.sub(r"seconds=[^,)]*", "", str(bound(one, *further))) for one in tables}
        assert len(found) == 1


def test_what_is_no_table_is_refused():
    for table, expected in [
        (5, "rows of cells"),
        ("10", "rows of cells"),
        ([1, 2], "a row of cells"),
        ([[1], [1, 2]], "1 cells"),
    ]:
        with pytest.raises(InputError, match=expected):
            bounds.deterministic(table)


FAMILIES = {"EQ": equality, "DISJ": disjointness, "GT": greater_than, "IP": inner_product}

# Ones and zeros, computed twice elsewhere: by SMT and maximum clique, cover and partition by integer programs.
KNOWN = {
    "partition": {"EQ": "2/2 4/4 8/8", "DISJ": "2/1 4/3 8/7", "GT": "1/2 3/4 7/8", "IP": "1/2 3/4 7/8"},
    "cover": {"EQ": "2/2 4/4 8/5", "DISJ": "2/1 4/2 8/3", "GT": "1/2 3/4 7/8", "IP": "1/2 3/3 7/7"},
    "fooling": {
        "EQ": "2/2 4/3 8/3 16/3",
        "DISJ": "2/1 4/2 8/3 16/4",
        "GT": "1/2 3/4 7/8 15/16",
        "IP": "1/2 3/3 7/7",
    },
}


def test_rectangles_and_fooling_sets_of_each_colour():
    for what, name in product(KNOWN, FAMILIES):
        for n, both in enumerate(KNOWN[what][name].split(), start=1):
            ones, zeros = map(int, both.split("/"))
            found = brackets_of(FAMILIES[name](n), what)
            assert [bracket.lower for bracket in found[:2]] == [zeros, ones], (what, name, n)
            assert all(bracket.exact for bracket in found[:2]), (what, name, n)


def test_trivial_protocols_keep_to_the_rounds():
    for seed in range(20):
        codes = np.random.default_rng(seed).integers(-1, 2, (3, 2 + seed % 2))
        for answer, (rounds, first) in product(("both", "alice", "bob"), ((None, None), (1, None), (2, "bob"))):
            bits = TRUTHS["deterministic"](codes.tolist(), answer, rounds, first)
            found = trivial_protocol(CommunicationMatrix(codes), answer, rounds, first)
            assert found.lower <= bits
            assert found.upper is None or bits <= found.upper


def test_every_argument_has_its_source_in_the_bibliography():
    tables = (statements.ARGUMENTS, statements.OF_MEASURES, statements.REASONS, statements.FOR)
    sources = {source for table in tables for _, source in table.values() if source}
    assert [source for source in sources if not references_in(source)] == []


def test_private_coins_cost_the_name_of_a_protocol_more():
    matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    public = randomised(matrix, "1/4")
    private = private_coins(public)
    assert (private.lower, private.upper) == (public.lower, public.upper + 2)
    certain = deterministic(matrix)
    assert private_coins(public, [certain]).upper == min(private.upper, certain.upper)
