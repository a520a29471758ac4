"""Certificates as objects and files, about functions too large to write out, and with fields that do not belong."""

from __future__ import annotations

import copy
import json
import stat
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest

from ccsim.bounds import brackets_of, deterministic, index_randomised, one_way_randomised
from ccsim.bounds.bracket import Bracket, Side
from ccsim.bounds.one_message import keeps_entropy_bound
from ccsim.certificates import Certificate, Refused
from ccsim.certificates import verify as checker
from ccsim.certificates.certificate import find_program
from ccsim.certificates.verify import Refused as Refusal
from ccsim.certificates.verify import TooLarge, verify
from ccsim.certificates.verify.claims import bits_for, bits_for_power
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import disjointness, equality, index
from tests.certificates.both_checkers import compared, kernel_verdict
from tests.certificates.every_length import certificates as certificates_of_every_length
from tests.certificates.examples import certificates
from tests.certificates.mutations import spots
from tests.certificates.test_proved import built
from tests.certificates.test_verify import RIGHT


def test_labels_of_any_kind_are_written_so_that_the_checker_reads_them():
    for labels in ((10**60, -(10**40), 10**40 - 1), (0.5, "0.5"), (True, 2), (np.int8(-3), "é"), ((1, 2), 3)):
        certificate = deterministic(CommunicationMatrix.from_array([labels, labels[::-1]], labels=True)).certificate
        data = json.loads(certificate.text())
        assert len(set(map(repr, data["matrix"]["labels"]))) == len(labels)
        assert certificate.verify().startswith("deterministic = ")


def test_saved_and_loaded(tmp_path):
    certificate = deterministic(disjointness(4)).certificate
    path = tmp_path / "disjointness.json"
    certificate.save(path)
    assert [file.name for file in tmp_path.iterdir()] == ["disjointness.json"]
    assert stat.S_IMODE(path.stat().st_mode) & 0o600 == 0o600
    loaded = Certificate.load(path)
    assert loaded.to_json() == certificate.to_json()
    assert loaded.matrix == disjointness(4).matrix
    matrix = "disjointness, n = 4 (16 x 16, sha256 7b897c268ac2)"
    assert (
        loaded.verify()
        == f"deterministic = 5 bits (both know) of {matrix}: lower by refutation, upper by protocol-tree"
    )
    assert checker.check_file(path) == (True, loaded.verify())
    assert str(loaded) == "certificate: deterministic >= 5, <= 5 bits"


def test_a_save_that_fails_leaves_nothing(tmp_path):
    certificate = Certificate.from_json(RIGHT)
    object.__setattr__(certificate, "parameters", {"answer": object()})
    (tmp_path / "old.json").write_text("old")
    with pytest.raises(TypeError):
        certificate.save(tmp_path / "old.json")
    assert [file.read_text() for file in tmp_path.iterdir()] == ["old"]


@pytest.mark.parametrize("data", [None, [], {}, {**RIGHT, "proofs": None}, {**RIGHT, "matrix": {"rows": []}}])
def test_what_is_no_certificate_is_not_loaded(data, tmp_path):
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(data))
    with pytest.raises(Refused):
        Certificate.load(path)


def test_a_large_named_matrix_stays_small():
    certificate = deterministic(equality(5)).certificate
    assert certificate.to_json()["matrix"] == {"function": "equality", "n": 5}
    assert certificate.verify().startswith("deterministic = 6 bits")


def test_labels_of_all_kinds():
    for labels in (("a", "b"), (0, 1, 2, 3), tuple(range(50)), ((0, 1), (1, 0)), (False, True)):
        codes = np.arange(60).reshape(6, 10) % (len(labels) + 1) - 1
        certificate = brackets_of(CommunicationMatrix(codes, labels), "one-way")[0].certificate
        loaded = Certificate.from_json(json.loads(certificate.text()))
        assert loaded.matrix.codes.tolist() == codes.tolist()
        assert certificate.verify()


def test_brackets_that_have_no_certificate():
    matrix = equality(1).matrix
    with pytest.raises(InputError):
        Certificate.from_bracket(Bracket("deterministic", Side(0)), matrix)
    with pytest.raises(InputError):
        Certificate.from_bracket(Bracket("beauty", Side(1, "eye", {"kind": "look"})), matrix)
    with pytest.raises(InputError):
        Certificate.from_bracket(Bracket("cover", Side(1, "", {"kind": "fooling-set"})), matrix)


def test_rational_values():
    certificate = Certificate.from_bracket(
        Bracket("discrepancy", Side(Fraction(1, 2), "", {"kind": "biased-rectangle", "rectangle": ["1", "1"]}),
                parameters={"weights": [[1, 1]]}, unit=""),
        CommunicationMatrix.from_array([[0, 1]]),
    )  # fmt: skip
    assert certificate.to_json()["proofs"][0]["value"] == "1/2"
    matrix = "a matrix (1 x 2, sha256 351bbe76acb8)"
    line = f"discrepancy >= 1/2 (weights sha256 5cc6a8a697bb) of {matrix}: lower by biased-rectangle"
    assert certificate.verify() == line


LONG = index_randomised(1000).certificate.to_json()


def test_the_definition_proves_what_the_table_does():
    for n, error in product((1, 2, 4, 7), ("1/3", "1/10", "1/2", "0/1")):
        found = index_randomised(n, error)
        assert found.lower == one_way_randomised(index(n).matrix, error=error).lower
        written = Certificate.from_bracket(found, index(n).matrix, ("index", n))
        assert written.verify() == found.certificate.verify()


@pytest.mark.parametrize("n", [100, 1 << 16])
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
    for n, bits, parts in product((1, 3, 7), range(8), range(9)):
        error = Fraction(parts, 16)
        least = index_randomised(n, error).lower
        assert keeps_entropy_bound(error, n, bits) == (bits >= least)


def test_of_a_table_that_the_checker_does_not_read_what_the_name_proves_is_kept(monkeypatch):
    monkeypatch.setattr("ccsim.certificates.certificate.MOST_CELLS", 255)
    named, inside = ("index", 8), {"kind": "message-classes", "classes": [*range(256)]}
    above = {"kind": "bits-of", "measure": "one-way-messages", "given": {}, "of": inside}
    found = replace(index_randomised(8), above=Side(8, "all bits", above))
    certificate = Certificate.from_bracket(found, index(8).matrix, named)
    assert (certificate.matrix, [proof.side for proof in certificate.proofs]) == (None, ["lower"])
    assert " >= 1 bit " in certificate.verify()
    for wrong in (("parity", 8), None):
        with pytest.raises(InputError, match="at most 255 cells"):
            Certificate.from_bracket(found, index(8).matrix, wrong)


HOSTILE = ("none", 0.5, True, [[["deep"]]], {"kind": "none"}, -(10**30))
MOST_SPOTS = 3  # of one certificate, spread evenly


@cache
def smallest_of_each_kind():
    found = {}
    for data in sorted([*certificates(), *certificates_of_every_length()], key=lambda data: len(json.dumps(data))):
        found.setdefault((data["measure"], *(proof["witness"]["kind"] for proof in data["proofs"])), data)
    return found


def spoiled(data):
    """The certificate with one place taken by what has another type, or is far out of range; with the place.

    Neighbouring places take every second of :data:`HOSTILE` each.
    """
    places = [path for path in spots(data) if path]
    for number, path in enumerate(places[:: 1 + len(places) // MOST_SPOTS], start=len(places)):
        for hostile in HOSTILE[number % 2 :: 2]:
            wrong = copy.deepcopy(data)
            part = wrong
            for key in path[:-1]:
                part = part[key]
            if harmless(path, part[path[-1]], hostile):
                continue
            part[path[-1]] = hostile
            yield path, hostile, json.dumps(wrong)


def harmless(path, was, hostile):
    """Another text as a text, another truth value, other labels, and a bound from below that says less."""
    if isinstance(was, bool) and isinstance(hostile, bool):
        return True
    return (
        (isinstance(was, str) and isinstance(hostile, str))
        or (path[-2:-1] in (("labels",), ("symbols",)) and type(hostile) in (int, str))
        or (path[-1] == "value" and type(hostile) is int)
    )


def test_no_field_takes_what_does_not_belong_there():
    for name, data in smallest_of_each_kind().items():
        for path, hostile, text in spoiled(data):
            assert kernel_verdict(text) != "accepted", (name, path, hostile)


@built
def test_the_kernel_accepts_no_spoiled_field_alone(tmp_path):
    texts = [text for data in smallest_of_each_kind().values() for _, _, text in spoiled(data)][::7]
    assert compared(find_program(), texts, tmp_path)[1] == []
