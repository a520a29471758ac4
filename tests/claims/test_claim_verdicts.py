"""How verdicts follow from findings, and that measuring code made wrong on purpose comes out broken."""

from dataclasses import replace
from fractions import Fraction

import pytest

from ccsim import Bits, Protocol, Receive, Send
from ccsim.bounds import deterministic
from ccsim.bounds.bracket import Side
from ccsim.claims import Constant, Direction, Finding, Parameter, Role, Word, check
from ccsim.claims.claim import number, short_text
from ccsim.claims.summary import summarise
from ccsim.claims.verdict import CheckedBounds, Coverage, Judgement, Verdict
from ccsim.errors import InputError
from ccsim.problems import equality
from tests.claims.made import made

LOWER, UPPER, EXACT = Direction.LOWER, Direction.UPPER, Direction.EXACT


def ran(measured, **changes):
    """A value for which every one of 8 cases was gone through."""
    return Finding(measured=measured, **{"checked": 8, "of": 8, **changes})


def claim(measure=None, **changes):
    return made(**{"measure": measure or (lambda length: ran(5)), "improvement": "a better idea", **changes})


CONSTRUCTION, STEP, RESULT = Direction.CONSTRUCTION, {"role": Role.STEP}, {"role": Role.RESULT}
REPAIRED = {**STEP, "repair": "line 3; read it so"}
JUDGED = [  # by its side; without backing a contradiction is our fault
    (UPPER, 5, {}, None, Word.TIGHT),
    (UPPER, 4, {}, None, Word.HOLDS),
    (UPPER, 6, {}, None, Word.BROKEN),
    (LOWER, 5, {}, None, Word.TIGHT),
    (LOWER, 6, {}, None, Word.HOLDS),
    (LOWER, 4, {}, None, Word.BROKEN),
    (EXACT, 5, {}, None, Word.TIGHT),
    (EXACT, 4, {}, None, Word.BROKEN),
    (EXACT, 6, {}, None, Word.BROKEN),
    (CONSTRUCTION, 4, {}, None, Word.HOLDS),
    (CONSTRUCTION, 6, {}, None, Word.BROKEN),
    (Direction.OPEN, 9, {}, None, Word.OPEN),
    # our own account backs what costs more, and refutes nothing
    (UPPER, 4, {"ours": "n"}, None, Word.IMPROVED),
    (UPPER, 6, {"ours": "n + 2"}, None, Word.NOT_REACHED),
    (UPPER, 6, {"ours": "n + 3"}, None, Word.BROKEN),
    (UPPER, 4, {"ours": "n - 1"}, None, Word.BROKEN),
    (LOWER, 4, {"ours": "n"}, None, Word.BROKEN),
    (EXACT, 4, {"ours": "n"}, None, Word.BROKEN),
    (UPPER, 6, {"ours": "n + 2", **RESULT}, None, Word.BROKEN),
    (EXACT, 4, {"ours": "n", **RESULT}, None, Word.BROKEN),
    (LOWER, 4, {"ours": "n", **RESULT}, None, Word.BROKEN),
    # a line is a slip only with its repair and with what is right
    (EXACT, 6, {"ours": "n + 2", **REPAIRED}, None, Word.SLIP),
    (EXACT, 5, {"ours": "n + 1", **REPAIRED}, None, Word.TIGHT),
    (EXACT, 6, {"ours": "n + 3", **REPAIRED}, None, Word.BROKEN),
    (EXACT, 6, {"ours": "n + 2", **STEP}, None, Word.BROKEN),
    (EXACT, 6, REPAIRED, None, Word.BROKEN),
    (UPPER, 6, {"ours": "n + 2", **REPAIRED}, None, Word.SLIP),
    (LOWER, 4, {"ours": "n", **REPAIRED}, None, Word.SLIP),
    # our own account may be a bound
    (UPPER, 3, {"ours": "n", "ours_exact": False}, None, Word.IMPROVED),
    (UPPER, 4, {"ours": "n", "ours_exact": False}, None, Word.IMPROVED),
    (UPPER, 5, {"ours": "n", "ours_exact": False}, None, Word.BROKEN),
    (UPPER, 6, {"ours": "n + 3", "ours_exact": False}, None, Word.NOT_REACHED),
    (UPPER, 4, {"ours": "n + 3", "ours_exact": False}, None, Word.HOLDS),
    # a better lower bound needs a certificate that proves it, and a certificate can refute a statement
    (LOWER, 6, {"ours": "n + 2"}, CheckedBounds(6, None, ""), Word.IMPROVED),
    (LOWER, 6, {"ours": "n + 2"}, CheckedBounds(5, None, ""), Word.BROKEN),
    (LOWER, 6, {"ours": "n + 2"}, None, Word.HOLDS),
    (LOWER, 4, {}, CheckedBounds(4, 4, ""), Word.REFUTED),
    (LOWER, 4, {}, CheckedBounds(4, 5, ""), Word.BROKEN),
    (EXACT, 6, {}, CheckedBounds(6, 6, ""), Word.REFUTED),
    (UPPER, 6, {}, CheckedBounds(6, 6, ""), Word.REFUTED),
]


def test_a_value_is_judged_by_its_side_and_by_what_backs_it():
    for case in JUDGED:
        direction, measured, changes, proof, expected = case
        own = claim(direction=direction, **changes)
        assert Judgement(own, {"length": 4}, ran(measured), proof).word is expected, case


def test_a_slip_says_how_the_line_is_repaired():
    own = claim(role=Role.STEP, ours="n + 2", repair="Section 2, line 3; read 2 as 3.")
    assert Judgement(own, {"length": 4}, ran(6)).reason.endswith("Section 2, line 3; read 2 as 3.")


def test_an_improvement_says_by_what_or_is_none():
    better = Judgement(claim(ours="n"), {"length": 4}, ran(4))
    assert (better.word, better.reason) == (Word.IMPROVED, "improved by a better idea")
    assert Judgement(claim(ours="n", improvement=""), {"length": 4}, ran(4)).word is Word.HOLDS


def test_what_nothing_executed_stands_behind_is_calculated_and_not_exact():
    for finding in (Finding(measured=4), ran(4, calculated=True), Finding(measured=5)):
        found = Judgement(claim(ours="n + 1", ours_exact=False), {"length": 4}, finding)
        assert (found.word, found.exact) == (Word.CALCULATED, False)
    assert Judgement(claim(), {"length": 4}, Finding(measured=6)).word is Word.BROKEN
    fault = ran(4, calculated=True, violations=("a part is wrong",))
    assert Judgement(claim(), {"length": 4}, fault).word is Word.BROKEN


def test_a_lower_bound_needs_a_certificate_or_every_case():
    own = claim(direction=LOWER)
    for finding, proof, expected in [
        (ran(5), None, Word.TIGHT),
        (ran(5, checked=7), None, Word.OPEN),
        (ran(5, of=None), None, Word.OPEN),
        (ran(5, exact=False), None, Word.OPEN),
        (ran(5, checked=7), CheckedBounds(5, None, ""), Word.TIGHT),
    ]:
        assert Judgement(own, {"length": 4}, finding, proof).word is expected


def test_outside_the_hypotheses_a_statement_says_nothing():
    own = claim(direction=LOWER)
    found = Judgement(own, {"length": 4}, ran(4, achieved=4, outside="no layer is so small"))
    assert (found.word, found.reason) == (Word.VACUOUS, "no layer is so small")


def test_an_exact_lower_bound_has_a_certificate():
    own = claim(direction=LOWER)
    finding = ran(5)
    assert not Judgement(own, {"length": 4}, finding).exact
    assert Judgement(own, {"length": 4}, finding, CheckedBounds(5, None, "")).exact
    assert not Judgement(claim(direction=EXACT), {"length": 4}, finding, CheckedBounds(5, None, "")).exact


def test_a_sample_is_not_exact_whatever_it_calls_itself():
    sampled = Finding(measured=5, checked=3, of=4)
    assert not Judgement(claim(), {"length": 4}, sampled).exact
    assert Judgement(claim(), {"length": 4}, sampled.also(checked=4)).exact


def test_what_was_run_and_attains_less_makes_a_lower_bound_fail():
    own = claim(direction=LOWER)
    assert Judgement(own, {"length": 4}, ran(4, achieved=4)).word is Word.REFUTED
    assert Judgement(own, {"length": 4}, ran(4, achieved=5)).word is Word.BROKEN
    assert Judgement(own, {"length": 4}, ran(4, achieved=4, checked=7)).word is Word.BROKEN


def test_a_bound_is_vacuous_until_it_is_above_what_is_trivial():
    own = claim(direction=LOWER, formula="(n - 1)/8", trivial="1", parameters=(Parameter("length", "n", 4, step=3),))
    found = Judgement(own, {"length": 4}, ran(9))
    assert (found.word, found.bites_from) == (Word.VACUOUS, 10)
    assert Judgement(own, {"length": 10}, ran(9)).word is Word.HOLDS
    for formula, least in (("1/n", None), ("n + 1", 1)):
        assert Judgement(replace(own, formula=formula), {"length": 4}, ran(9)).bites_from == least
    assert Judgement(own, {"length": 4}, Finding(measured=9, bites_from=99)).bites_from == 99


def test_an_open_bracket_leaves_open_what_it_contains():
    bracket = replace(deterministic(equality(2)), above=Side(5))
    for direction, formula, expected in [
        (EXACT, "3", Word.OPEN),
        (EXACT, "4", Word.OPEN),
        (EXACT, "6", Word.BROKEN),
        (LOWER, "2", Word.HOLDS),
        (LOWER, "3", Word.HOLDS),
        (LOWER, "4", Word.OPEN),
        (LOWER, "6", Word.BROKEN),
        (UPPER, "4", Word.OPEN),
        (UPPER, "2", Word.REFUTED),  # at least 3, by certificate
        (UPPER, "7", Word.HOLDS),
    ]:
        own = claim(direction=direction, formula=formula)
        found = Judgement(own, {"length": 4}, Finding.of_bracket(bracket), CheckedBounds(3, None, ""))
        assert (found.word, found.exact) == (expected, False), (direction, formula)


def grown(values, formula="c*log(n, 2)", sizes=(4, 8, 16, 32, 64, 128, 256), constant="6", **changes):
    """The verdict on a series of values at these sizes."""
    series = tuple(zip(sizes, values, strict=True))
    own = claim(
        lambda length: Finding(series=series, checked=3, of=3),
        **{
            "formula": formula,
            "constant": Constant(constant, "for the sake of the test"),
            "sizes": ({"length": sizes[-1]},),
            "direction": Direction.CONSTRUCTION,
            **changes,
        },
    )
    return check(own, length=sizes[-1])


def test_growth_is_judged_at_every_size_with_the_declared_constant():
    verdict = grown([12, 18, 24, 30, 36, 42, 48])
    assert (verdict.description, verdict.claimed, verdict.measured) == ("holds (at 7 sizes to 256)", 48, 48)
    assert [list(point) for point in verdict.series][:2] == [[4, 12], [8, 18]]
    assert verdict.facts["of the claimed curve"].startswith("1.00 at 4")
    assert "19 at length=8, above 18" in grown([12, 19, 24, 30, 36, 42, 48]).reason


def test_a_claim_about_growth_declares_its_constant():
    assert "c" in check(claim(lambda length: Finding(measured=5, checked=1, of=1), formula="c*n")).reason
    with pytest.raises(InputError, match="constant"):
        claim(constant=Constant("2", "why", along="width"))


def test_exact_values_decide_and_floats_are_only_shown():
    third = check(claim(lambda length: ran(Fraction(1, 3)), formula="1/3", unit=""))
    assert (third.word, third.measured_text, third.measured) == (Word.TIGHT, "1/3", pytest.approx(1 / 3))
    above = check(claim(lambda length: ran(2), formula="log(2**200 - 1, 2)/100"))
    assert (above.claimed, above.word) == (2.0, Word.BROKEN)


def test_slack_is_positive_on_the_right_side():
    assert check(claim(lambda length: ran(3))).slack == 2
    assert check(claim(lambda length: ran(7), direction=LOWER)).slack == 2
    assert check(claim(lambda length: ran(7), direction=EXACT)).slack == -2


def refusing():
    raise InputError("layers", 2, "one layer (Corollary 13.1)")


def test_a_refusal_must_come_and_cite_its_reason():
    def judged(attempt, citing):
        measure = lambda: Finding.of_refusal(attempt, citing)  # noqa: E731
        return check(claim(measure, direction=Direction.REFUSAL, formula=None, parameters=())).word

    assert judged(refusing, "Corollary 13.1") is Word.HOLDS
    assert judged(refusing, "Theorem 4") is judged(lambda: None, "Corollary 13.1") is Word.BROKEN


# Measuring code made wrong on purpose


def alice(x):
    yield Send(x)
    return (yield Receive())[0]


def bob(y):
    equal = (yield Receive()) == y
    yield Send(Bits([equal]))
    return int(equal)


def careless(y):
    yield Receive()
    yield Send("0")
    return 0


def talkative(y):
    equal = (yield Receive()) == y
    yield Send(Bits([equal, equal]))
    return int(equal)


def explored(party):
    return lambda length: Finding.of_exploration(
        Protocol("wrong", equality(length), {"alice": alice, "bob": party}).explore()
    )


def test_the_right_code_is_tight():
    ran = check(claim(explored(bob)))
    assert (ran.word, ran.checked, ran.of) == (Word.TIGHT, 256, 256)
    proved = check(claim(lambda length: Finding.of_bracket(deterministic(equality(length))), direction=EXACT), length=3)
    assert proved.exact
    assert proved.checked == proved.of == 64


def bracket_between(lower, upper):
    def measure(length):
        found = deterministic(equality(length))
        below, above = found.below._replace(value=lower), found.above._replace(value=upper)
        return Finding.of_bracket(replace(found, below=below, above=above))

    return measure


def of_another_matrix(by):
    def measure(length):
        certificate = deterministic(equality(length + by)).certificate
        return Finding.of_bracket(deterministic(equality(length))).also(certificate=certificate)

    return measure


def tampered(length):
    bracket = deterministic(equality(length))
    return Finding.of_bracket(replace(bracket, below=Side(bracket.lower, "", {"kind": "refutation"})))


WRONG = [
    (UPPER, explored(careless), "expected 1"),
    (UPPER, explored(talkative), "6 measured"),
    (EXACT, bracket_between(6, 6), "certificate refused"),
    (EXACT, bracket_between(4, 4), "certificate refused"),
    (LOWER, bracket_between(6, 5), "certificate refused"),
    (EXACT, of_another_matrix(-1), "proves only 4"),
    (EXACT, of_another_matrix(1), "proves only 6 from above"),
    (EXACT, tampered, "certificate refused"),
    (UPPER, lambda length: 1 / 0, "ZeroDivisionError"),
    (UPPER, lambda length: 5, "not a Finding"),
    (UPPER, lambda width: Finding(measured=5), "TypeError"),
    (UPPER, lambda length: Finding(), "nothing was measured"),
    (UPPER, lambda length: Finding(measured=5, checked=9, of=8), "9 cases checked of 8"),
    (UPPER, lambda length: equality(-1), "InputError"),
]


def test_wrong_measuring_code_comes_out_broken_with_the_reason():
    for direction, measure, said in WRONG:
        verdict = check(claim(measure, direction=direction))
        assert verdict.word is Word.BROKEN, said
        assert said in verdict.reason


def test_what_a_sample_costs_more_than_is_printed_is_not_backed_by_our_own_account():
    sample = Finding(measured=6, exact=False, checked=8, of=9)
    assert check(claim(lambda length: sample, ours="n + 2")).word is Word.BROKEN
    assert check(claim(lambda length: sample.also(exact=True, of=8), ours="n + 2")).word is Word.NOT_REACHED


def test_an_error_is_told_with_its_line():
    reason = check(claim(lambda length: [][length])).reason
    assert reason.startswith("IndexError: list index out of range (")
    assert "test_claim_verdicts.py:" in reason


def test_a_size_that_was_asked_for_and_is_too_large_is_not_measured():
    verdict = check(claim(lambda length: Finding.of_bracket(deterministic(equality(length)))), length=40)
    assert verdict.word is Word.NOT_MEASURED
    assert "would need" in verdict.reason


def test_a_certificate_too_large_for_the_checker_is_not_measured_unless_at_a_default_size(monkeypatch):
    monkeypatch.setattr("ccsim.certificates.verify.certificates.MOST_CELLS", 200)
    proved = claim(lambda length: Finding.of_bracket(deterministic(equality(length))))
    assert [check(proved, length=length).word for length in (3, 5)] == [Word.TIGHT, Word.NOT_MEASURED]
    assert check(proved, length=4).word is Word.BROKEN
    assert "200 cells" in check(proved, length=5).reason


def test_a_number_too_long_to_be_written_is_left_out():
    assert [number(count) for count in (10**4000, 10**5000, -(10**5000), None)] == [10**4000, None, None, None]
    assert short_text(10**5000) == "≈2^16609"


def test_a_setting_between_two_steps_is_an_input_error():
    with pytest.raises(InputError, match="steps of 2"):
        claim(sizes=({"length": 5},), parameters=(Parameter("length", "n", 4, low=2, step=2),))


def test_a_formula_that_gives_no_number_is_broken():
    for formula in ("n +", "nonsense(n)", "sqrt(-n)", "x + n"):
        assert check(claim(formula=formula)).word is Word.BROKEN


def test_every_verdict_survives_as_plain_data():
    verdict = check(claim(explored(bob), sizes=({"length": 2},)), length=2)
    assert Verdict.from_json(verdict.to_json(), verdict.attachments) == verdict
    assert set(verdict.attachments) == {"transcript", "picture"}
    assert "cut into 8 rectangles" in verdict.attachments["picture"]["alt"]


def test_nothing_measured_is_our_fault_at_the_default_sizes_only():
    empty = claim(lambda length: Finding())
    assert check(empty).word is Word.BROKEN
    other = check(empty, length=9)
    assert (other.word, other.reason, other.covered) == (Word.NOT_MEASURED, "nothing was measured at this size", "")


def test_a_verdict_says_that_what_was_built_is_modified_or_ours():
    built = claim(lambda length: Finding(measured=3, checked=1, of=1), formula="3", built="modified: another key")
    assert (check(built).description, check(built).reason) == ("tight, modified", "modified: another key")
    wrong = replace(built, measure=lambda length: Finding(measured=3, checked=1, of=1, violations=("no",)))
    assert check(wrong).description == "broken"
    grown = replace(built, built="ours: none is printed", formula="3")
    assert check(grown).description == "tight, ours"
    with pytest.raises(InputError, match="modified"):
        replace(built, built="another key")


COVERED = [
    ({"checked": 8, "of": 8}, {}, Coverage.ALL, "tight", "all 8 cases"),
    ({"checked": 24, "of": 2**400}, {}, Coverage.DRAWN, "tight on drawn cases", "24 of ≈2^400 cases, drawn"),
    ({"checked": 24, "of": 10**6000}, {}, Coverage.DRAWN, "tight on drawn cases", "24 of ≈2^19931 cases, drawn"),
    ({"checked": 7}, {}, Coverage.INSTANCES, "tight on instances", "7 cases"),
    (
        {"checked": 8, "of": 8},
        {"instances": "two machines"},
        Coverage.INSTANCES,
        "tight on instances",
        "two machines; all 8 cases",
    ),
    ({"checked": 1, "of": 1}, {"proved": "a_theorem"}, Coverage.EVERY_LENGTH, "tight for every N", None),
    ({"checked": 8, "of": 8, "calculated": True}, {}, Coverage.CALCULATED, "calculated", "calculated"),
    ({}, {}, Coverage.CALCULATED, "calculated", "calculated"),
    ({"checked": 8, "of": 8, "violations": ("no",)}, {"proved": "a_theorem"}, Coverage.ALL, "broken", "all 8 cases"),
]


def test_a_verdict_says_what_it_rests_on():
    for counts, changes, coverage, told, covered in COVERED:
        finding = Finding(measured=3, **counts)
        verdict = check(claim(lambda length, finding=finding: finding, formula="3", direction=UPPER, **changes))
        assert (verdict.coverage, verdict.description) == (coverage, told)
        assert covered is None or verdict.covered == covered
        assert Verdict.from_json(verdict.to_json()).coverage is coverage


def test_a_certificate_counts_as_proved_at_this_size():
    own = claim(lambda length: Finding.of_bracket(deterministic(equality(3))), formula="4", direction=EXACT)
    assert (check(own).coverage, check(own).description) == (Coverage.CERTIFICATE, "tight")


def test_what_rests_on_different_things_stands_in_lines_of_its_own():
    own = claim(lambda length: Finding(measured=3, checked=length, of=2 + length // 5), formula="3", direction=UPPER)
    lines = summarise([check(own, length=length) for length in (2, 1, 3)], False, lambda row: "")
    assert [(line.scoped, line.covered) for line in lines] == [
        ("tight", "all 2 cases"),
        ("tight on drawn cases", "1 of 2 cases, drawn"),
        ("broken", "3 of 2 cases, drawn"),
    ]
    drawn = claim(lambda length: Finding(measured=3, checked=1, of=2**length), formula="3", direction=UPPER)
    [line] = summarise([check(drawn, length=length) for length in (3, 5)], False, lambda row: "")
    assert line.covered == "1 of 8, 32 cases, drawn"
