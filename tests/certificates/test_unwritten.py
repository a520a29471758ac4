"""Certificates about named functions that are too large to write out: only their definition proves anything."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from ccsim import InputError
from ccsim.bounds import index_randomised, one_way_randomised
from ccsim.bounds.one_message import keeps_entropy_bound
from ccsim.certificates import Certificate
from ccsim.certificates.verify import Refused as Refusal
from ccsim.certificates.verify import TooLarge, verify
from ccsim.certificates.verify.matrices import bits_for, bits_for_power
from ccsim.problems import index

LONG = index_randomised(1000).certificate.to_json()


@pytest.mark.parametrize(("n", "error"), [*product(range(1, 9), ("1/3", "1/10", "1/2", "0/1"))])
def test_the_definition_proves_what_the_table_does(n, error):
    found = index_randomised(n, error)
    assert found.lower == one_way_randomised(index(n).matrix, error=error).lower
    written = Certificate.from_bracket(found, index(n).matrix, ("index", n))
    assert written.verify() == found.certificate.verify()


@pytest.mark.parametrize("n", [100, 1000, 4096, 1 << 16])
def test_a_certificate_of_a_line_for_long_words(n):
    certificate = index_randomised(n).certificate
    assert len(certificate.text()) < 400
    share = 1 - 0.9182958340544896
    assert certificate.proofs[0].value == -(-n * share // 1)
    again = Certificate.from_json(json.loads(certificate.text()))
    assert again.matrix is None
    assert again.verify() == certificate.verify()


@pytest.mark.parametrize(
    "change",
    [
        {"proofs": [{**LONG["proofs"][0], "value": 83}]},
        {"matrix": {"function": "greater-than", "n": 1000}},
        {"matrix": {"function": "index", "n": 900}},
        {"matrix": {"function": "index", "n": (1 << 20) + 1}},
        {"parameters": {**LONG["parameters"], "direction": "bob-to-alice"}},
        {"parameters": {**LONG["parameters"], "error": "2/3"}},
        {"parameters": {**LONG["parameters"], "error": "17/50"}},
        {"matrix": {"labels": [0, 1], "rows": ["00", "01", "10", "11"]}},
    ],
    ids=str,
)
def test_more_than_is_proved_is_refused(change):
    verify(LONG)
    with pytest.raises(Refusal):
        verify({**LONG, **change})


@pytest.mark.parametrize(
    ("measure", "unit", "side", "parameters", "witness"),
    [
        ("cover", "rectangles", "upper", {"code": 1}, {"kind": "rectangles", "rectangles": []}),
        ("rank", "rank", "upper", {"code": 1, "field": "rational"}, {"kind": "lines"}),
        ("one-way-messages", "messages", "upper", {"direction": "alice-to-bob"},
         {"kind": "message-classes", "classes": []}),
        ("deterministic", "bits", "upper", {"answer": "both", "rounds": None, "first": None},
         {"kind": "protocol-tree", "tree": {"answer": 0}}),
    ],
)  # fmt: skip
def test_no_other_witness_says_anything_of_a_table_that_is_not_written(measure, unit, side, parameters, witness):
    proof = {"side": side, "value": 0, "witness": witness}
    with pytest.raises(TooLarge):
        verify({**LONG, "measure": measure, "unit": unit, "parameters": parameters, "proofs": [proof]})


def test_what_has_no_certificate_is_refused():
    for n, error in ((0, "1/3"), ((1 << 20) + 1, "1/3"), (4, "2/3"), (4, Fraction(1, 1001))):
        with pytest.raises(InputError):
            index_randomised(n, error)


@pytest.mark.parametrize("base", [Fraction(1), Fraction(32, 27), Fraction(3, 2), Fraction(2), Fraction(1, 3)])
def test_bits_of_powers(base):
    for exponent in (0, 1, 2, 5, 64, 100):
        assert bits_for_power(base, exponent) == bits_for(base**exponent)


def test_the_entropy_bound_is_decided_in_integers():
    for n, bits, parts in product((1, 3, 7), range(8), range(1, 8)):
        error = Fraction(parts, 16)
        least = index_randomised(n, error).lower
        assert keeps_entropy_bound(error, n, bits) == (bits >= least)


def test_of_a_table_that_the_checker_does_not_read_what_the_name_proves_is_kept(monkeypatch):
    monkeypatch.setattr("ccsim.certificates.certificate.MOST_CELLS", 255)
    named, inside = ("index", 8), {"kind": "message-classes", "classes": [*range(256)]}
    above = {"kind": "bits-of", "measure": "one-way-messages", "given": {}, "of": inside}
    found = replace(index_randomised(8), upper_witness=above)
    certificate = Certificate.from_bracket(found, index(8).matrix, named)
    assert (certificate.matrix, [proof.side for proof in certificate.proofs]) == (None, ["lower"])
    assert " >= 1 bit " in certificate.verify()
    for wrong in (("parity", 8), None):
        with pytest.raises(InputError, match="at most 255 cells"):
            Certificate.from_bracket(found, index(8).matrix, wrong)
