"""Verdicts on composed functions, chains of thought, n-grams and classical protocols that are known."""

from fractions import Fraction
from math import log2

import numpy as np
import pytest

from ccsim import Protocol
from ccsim.claims import Role, check, check_claim, registered_claims
from ccsim.models import HardAttentionLanguageModel
from protocols.classical import PROTOCOLS
from protocols.papers import peng2024
from protocols.papers.peng2024 import errors_by_balls
from protocols.reductions.one_way_error import error_of_balls, least_one_way_error, table_lookup

SIZES = ("length", "heads", "width", "precision", "speaker")


def layer(*values):
    return dict(zip(SIZES, values, strict=False))


KNOWN = [
    ("peng2024-theorem-1", layer(2, 1, 1, 1, "g"), "vacuous here (bites from N = 3)", 0),
    ("peng2024-theorem-1", layer(2, 1, 1, 1, "f"), "vacuous here (bites from N = 3)", 0),
    ("peng2024-theorem-1", layer(3, 1, 1, 1, "g"), "holds", Fraction(1, 3)),
    ("peng2024-theorem-1", layer(3, 1, 2, 1, "g"), "holds", Fraction(19, 81)),
    ("peng2024-theorem-1", layer(3, 1, 1, 2, "g"), "holds", Fraction(11, 81)),
    pytest.param("peng2024-theorem-1", layer(3, 1, 1, 1, "f"), "holds", Fraction(52, 243), marks=pytest.mark.slow),
    pytest.param("peng2024-theorem-1", layer(3, 1, 2, 1, "f"), "holds", Fraction(104, 729), marks=pytest.mark.slow),
    pytest.param("peng2024-theorem-1", layer(3, 1, 1, 2, "f"), "holds", Fraction(56, 729), marks=pytest.mark.slow),
    ("peng2024-theorem-1", layer(3, 1, 4, 1, "g"), "vacuous here (bites from N = 4)", 0),
    ("peng2024-theorem-1", layer(4, 1, 1, 2, "g"), "holds", Fraction(9, 32)),
    ("peng2024-theorem-1", layer(4, 1, 1, 3, "g"), "holds", Fraction(3, 16)),
    ("peng2024-theorem-1-three-functions", layer(3, 2, 1, 1), "holds", Fraction(11, 81)),
    ("peng2024-theorem-1-tight", {"length": 2}, "tight", 2),
    ("peng2024-theorem-1-tight", {"length": 3, "speaker": "f"}, "tight", 5),
    ("peng2024-theorem-1-tight", {"length": 4}, "tight", 8),
    ("peng2024-theorem-1-message", {}, "tight on instances", 18),
    ("peng2024-theorem-1-message", {"heads": 2, "width": 1}, "tight on instances", 24),
    ("peng2024-theorem-2", {}, "calculated", 82),
    ("peng2024-theorem-2", {"precision": 15}, "vacuous here", 85),
    ("ccsim-composition-error", {"length": 4}, "holds on instances", Fraction(9, 32)),
    ("ccsim-composition-error", {"length": 6}, "holds on instances", None),
    ("ccsim-composition-message-exact", {}, "tight on instances", 55),
    ("ccsim-ngrams-by-sparse-attention", {"length": 512}, "holds (at 7 sizes to 512)", 1074788095),
    ("ccsim-ngrams-by-soft-attention", {"length": 512}, "holds (at 7 sizes to 512)", 6704877039),
    ("ccsim-chain-that-composes", {"length": 8}, "holds on drawn cases (at 2 sizes to 8)", 46),
    ("ccsim-composition-message-exact", {"heads": 2, "width": 1}, "tight on instances", 85),
    ("ccsim-chain-of-thought", {}, "tight on instances", 38),
    ("ccsim-chain-of-thought", {"steps": 3}, "tight on instances", 57),
    ("ccsim-chain-of-thought-exact", {}, "tight on instances", 110),
    ("ccsim-chain-of-thought-steps", {}, "calculated", 82),
    ("svete2024-theorem-3-1", {"length": 3}, "tight on instances", 2),
    ("svete2024-theorem-3-2", {"length": 3}, "tight on instances", 2),
    ("svete2024-theorem-3-3", {"length": 3}, "tight on instances", 1),
    ("svete2024-scores", {"length": 12, "order": 5}, "tight", 42),
    ("svete2024-scores", {"length": 12, "order": 5, "query": "first"}, "tight", 42),
    ("ccsim-ngrams-by-layers", {"length": 3}, "tight on instances", 1),
    ("ccsim-ngrams-by-layers", {"length": 3, "order": 5}, "tight on instances", 3),
    ("ccsim-ngrams-by-heads", {"length": 3, "order": 5}, "tight on instances", 3),
    ("ccsim-ngrams-in-floating-point", {"kind": "float16"}, "tight", 8),
    ("ccsim-ngrams-in-floating-point", {"kind": "float32"}, "tight", 123),
    ("trivial-equality", {"length": 5}, "tight", 6),
    ("two-way-index", {"length": 9}, "tight", 5),
    ("inner-product-equality", {"length": 2}, "tight", 3),
    ("fingerprint-equality", {"length": 5}, "tight", 10),
    ("yannakakis", {"length": 6}, "holds", 10),
    ("median-search", {"length": 5}, "tight", 15),
]


@pytest.mark.parametrize(("name", "setting", "told", "measured"), KNOWN)
def test_a_verdict_is_known(name, setting, told, measured):
    claim = registered_claims()[name]
    verdict = check_claim(claim, claim.setting(setting))
    assert (verdict.told, verdict.reason if verdict.word == "broken" else "") == (told, "")
    if measured is not None:
        assert verdict.measured == pytest.approx(float(measured))


@pytest.mark.parametrize("entry", PROTOCOLS, ids=lambda entry: entry.name)
def test_a_classical_protocol_is_a_claim_about_its_cost(entry):
    claim = registered_claims()[entry.name]
    assert (claim.role, claim.paper.name) == (Role.STATEMENT, "classical")
    protocol = entry.build(entry.sizes[0])
    assert check(claim, length=entry.sizes[0]).measured == protocol.cost.bits or entry.name == "yannakakis"


@pytest.mark.parametrize(
    ("length", "bits", "least"), [(3, 4, Fraction(11, 81)), (4, 4, Fraction(9, 32)), (4, 5, Fraction(7, 32))]
)
def test_counting_proves_as_much_as_all_strategies(length, bits, least):
    assert error_of_balls(length, 1 << bits, length) == least
    found = least_one_way_error(table_lookup(length), bits)
    assert found.lower == found.upper == least


@pytest.mark.parametrize(("length", "claimed"), [(4, Fraction(1, 4)), (8, Fraction(1, 8))])
def test_the_error_that_is_claimed_of_counting(length, claimed):
    assert errors_by_balls(length).claimed == claimed


def test_where_the_error_that_is_claimed_is_irrational_it_is_rounded_up():
    found = errors_by_balls(6)
    product = 6 * log2(6)
    assert 0 <= found.claimed - Fraction((product - found.facts["b"]) / (2 * product)) < Fraction(1, 1 << 39)


@pytest.mark.parametrize("measure", [peng2024.message_in_order, peng2024.exact_message, peng2024.chain_in_order])
def test_five_different_layers_that_look_at_both_tables_are_explored(measure, monkeypatch):
    explored, explore = [], Protocol.explore
    monkeypatch.setattr(Protocol, "explore", lambda self: explored.append(self.function.codes) or explore(self))
    check(next(claim for claim in registered_claims().values() if claim.measure is measure))
    assert len({codes.tobytes() for codes in explored}) == len(explored) == 5
    assert all((codes != codes[:1]).any() and (codes != codes[:, :1]).any() for codes in explored)


RUN = [
    ("svete2024-theorem-3-1", {"length": 3}, 40),
    ("svete2024-theorem-3-2", {"length": 3}, 40),
    ("svete2024-theorem-3-3", {"length": 2}, 13),
    ("ccsim-ngrams-by-heads", {"length": 2}, 13),
    ("ccsim-ngrams-by-layers", {"length": 2}, 13),
]


@pytest.mark.parametrize(("name", "setting", "cases"), RUN)
def test_every_string_over_three_symbols_is_gone_through(name, setting, cases):
    verdict = check(registered_claims()[name], **setting)
    assert verdict.checked == verdict.of == cases


def test_a_probability_of_one_string_that_is_another_one_is_found(monkeypatch):
    probabilities = HardAttentionLanguageModel.probabilities
    claim = registered_claims()["svete2024-theorem-3-1"]

    def wrong_last(self, rows):
        found = list(probabilities(self, rows))
        return [*found[:-1], found[-1] + (np.asarray(rows).shape[1] > 2)]

    monkeypatch.setattr(HardAttentionLanguageModel, "probabilities", wrong_last)
    assert check(claim, length=3).word == "broken"


def test_where_no_message_of_a_layer_is_short_enough_the_theorem_says_nothing():
    verdict = check(registered_claims()["peng2024-theorem-1"], length=2)
    assert verdict.word == "vacuous"
    assert verdict.claimed == 0
