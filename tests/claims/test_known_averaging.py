"""Sparse averages and matches: the verdicts that are known."""

from fractions import Fraction

import pytest

from ccsim.certificates import Certificate
from ccsim.claims import Direction, check_claim, registered_claims

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
