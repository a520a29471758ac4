"""Sparse averages and matches: the verdicts that are known."""

from dataclasses import replace
from fractions import Fraction

import pytest

from ccsim.certificates import Certificate
from ccsim.claims import Direction, check, check_claim, registered_claims
from ccsim.problems import match3
from protocols.constructions import SparseAveraging, assisted_match3
from protocols.papers.sanford2023 import matches
from protocols.reductions.feedforward_kernel import KernelCollision

A, S = "sanford2023-sparse-averaging", "sanford2023"
KNOWN = [
    (f"{A}-construction", {}, "holds on drawn cases (at 7 sizes to 256)", 97),
    (f"{A}-construction", {"length": 100, "q": 5, "values": 2}, "holds on drawn cases (at 6 sizes to 100)", 212),
    (f"{A}-construction-over-q", {"q": 8, "length": 16}, "holds on drawn cases (at 4 sizes to 8)", 195),
    (f"{A}-precision", {}, "holds on drawn cases (at 7 sizes to 256)", 19),
    (f"{A}-precision", {"length": 32, "inverse": 100}, "holds on drawn cases (at 4 sizes to 32)", 23),
    (f"{A}-dual-vectors", {"length": 8}, "holds", Fraction(9, 2)),
    (f"{A}-weights", {"length": 5}, "tight", 50),
    (f"{A}-width", {}, "calculated", 254),
    (f"{A}-from-below", {"length": 3, "extra": 2}, "tight", 3),
    (f"{A}-message", {"keys": 20}, "holds on instances (at 3 sizes to 20)", 352),
    (f"{A}-recurrent", {"length": 6}, "improved", 5),
    (f"{A}-feedforward", {}, "calculated", 2),
    (f"{A}-feedforward", {"length": 5, "q": 2, "least": 0, "largest": 1}, "calculated", 3),
    (f"{S}-match2", {"length": 3, "modulus": 5}, "tight, modified", 3),
    (f"{S}-match2-precision", {"modulus": 64}, "holds, modified (at 5 sizes to 64)", 18),
    (f"{S}-match3", {"length": 7, "modulus": 8, "encoding": "tight"}, "tight", 3),
    (f"{S}-match3", {"length": 7, "modulus": 9, "encoding": "tight"}, "tight", 3),
    (f"{S}-match3", {"length": 7, "modulus": 20, "encoding": "wide"}, "tight", 3),
    (f"{S}-match3-bigram", {"length": 3, "modulus": 5}, "tight, ours", 3),
    (f"{S}-match3-local", {"length": 16, "window": 2}, "holds on drawn cases, ours (at 3 sizes to 16)", 135),
    (f"{S}-match3-local-over-window", {"window": 2, "length": 9}, "holds on drawn cases, ours (at 2 sizes to 2)", 135),
    (f"{S}-match3-third-order", {"length": 8}, "holds on drawn cases, ours (at 4 sizes to 8)", 5),
    (f"{S}-match3-assisted", {"length": 8}, "holds on drawn cases, ours (at 4 sizes to 8)", 3),
    (f"{S}-conjecture", {}, "open", None),
    ("ccsim-sparse-averaging-recurrent-state", {"length": 3}, "tight", 2),
    ("ccsim-sparse-averaging-recurrent-state", {"length": 3, "values": 2}, "tight", 4),
    ("ccsim-sparse-averaging-feedforward-width", {"values": 2, "largest": 0}, "calculated", 8),
    pytest.param(
        f"{A}-feedforward",
        {"length": 3, "values": 2, "least": 0, "largest": 1},
        "calculated",
        3,
        marks=pytest.mark.slow,
    ),
    ("ccsim-sparse-averaging-feedforward-width", {}, "calculated", 4),
    ("ccsim-match2-precision", {"modulus": 64}, "tight", 21),
]


@pytest.mark.parametrize(("name", "given", "told", "measured"), KNOWN, ids=lambda value: str(value)[:60])
def test_the_known_verdicts(name, given, told, measured):
    claim = registered_claims()[name]
    verdict = check_claim(claim, claim.setting({**claim.sizes[0], **given}))
    assert verdict.told == told, verdict.reason
    assert measured is None or verdict.measured == float(measured)
    if verdict.exact and verdict.direction in (Direction.LOWER, Direction.EXACT) and verdict.certificate:
        assert Certificate.from_json(verdict.attachments["certificate"]).verify() == verdict.certificate


RUN = [
    (f"{A}-construction", {"length": 16}, 154),
    (f"{A}-weights", {"length": 5}, 50),
    (f"{S}-match3-local", {"length": 16, "window": 2}, 144),
    (f"{S}-match3-third-order", {"length": 4}, 655),
]


@pytest.mark.parametrize(("name", "given", "cases"), RUN, ids=lambda value: str(value)[:60])
def test_so_many_cases_are_gone_through(name, given, cases):
    assert check(registered_claims()[name], **given).checked == cases


def test_an_average_that_is_a_little_too_far_off_is_found(monkeypatch):
    errors = SparseAveraging.worst_errors
    claim = registered_claims()[f"{A}-construction"]
    assert check(claim, length=16).word == "holds"
    monkeypatch.setattr(SparseAveraging, "worst_errors", lambda self, sets: [*errors(self, sets)[:-1], self.error])
    assert "may be off" in check(claim, length=16).reason


def test_a_first_layer_that_confuses_no_two_inputs_too_much_is_found(monkeypatch):
    monkeypatch.setattr(KernelCollision, "is_too_much", False)
    assert "no two inputs show" in check(registered_claims()[f"{A}-feedforward"]).reason


def test_honest_hints_do_not_mislead_and_others_would():
    plain, task = match3(4, 5), assisted_match3(4, 5)
    assert matches._misled(task, plain, 5) == []
    assert matches._misled(replace(task, evaluate=lambda words: 0 * words[..., 0]), plain, 5)


OUTSIDE = [
    (f"{A}-width", {"length": 16}),
    (f"{A}-precision", {"q": 1, "inverse": 3}),
    (f"{A}-message", {"keys": 20, "precision": 10, "length": 3}),
    (f"{A}-feedforward", {"length": 4, "q": 2}),
    (f"{S}-match2-precision", {"modulus": 8, "length": 16}),
    (f"{S}-match3-local", {"length": 8, "modulus": 50}),
    (f"{S}-match3", {"length": 7, "modulus": 20, "encoding": "tight"}),
    ("ccsim-sparse-averaging-feedforward-width", {"length": 3}),
]


@pytest.mark.parametrize(("name", "given"), OUTSIDE, ids=lambda value: str(value)[:60])
def test_what_a_claim_is_not_about_is_not_measured(name, given):
    claim = registered_claims()[name]
    verdict = check_claim(claim, claim.setting({**claim.sizes[0], **given}))
    assert verdict.told == "not measured"
    assert "expected" in verdict.reason
