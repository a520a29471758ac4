"""Certificates as values: made, saved whole or not at all, loaded."""

from __future__ import annotations

import json
import stat
from fractions import Fraction

import numpy as np
import pytest

from ccsim.bounds import deterministic
from ccsim.bounds.bracket import Bracket
from ccsim.certificates import Certificate, Refused
from ccsim.certificates import verify as checker
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import disjointness, equality
from tests.certificates.test_verify import RIGHT


@pytest.mark.parametrize(
    "wrong",
    [
        {**RIGHT, "version": 2},
        {**RIGHT, "comment": ""},
        {**RIGHT, "measure": "beauty"},
        {**RIGHT, "unit": "cells"},
        {**RIGHT, "parameters": {"answer": "both"}},
        {**RIGHT, "proofs": [{"side": "upper", "value": 2, "witness": {"kind": "refutation", "nodes": []}}]},
        {**RIGHT, "proofs": [{"side": "lower", "value": 2, "witness": {"kind": "refutation", "nodes": 2}}]},
    ],
)
def test_what_has_other_fields_or_values_is_refused(wrong):
    with pytest.raises(Refused):
        checker.verify(wrong)


@pytest.mark.parametrize(
    "labels", [(10**60, -(10**40), 10**40 - 1), (0.5, "0.5"), (True, 2), (np.int8(-3), "é"), ((1, 2), 3)]
)
def test_labels_of_any_kind_are_written_so_that_the_checker_reads_them(labels):
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
    certificate = deterministic(equality(8)).certificate
    assert certificate.to_json()["matrix"] == {"function": "equality", "n": 8}
    assert certificate.verify().startswith("deterministic = 9 bits")


def test_labels_of_all_kinds():
    for labels in (("a", "b"), (0, 1, 2, 3), tuple(range(50)), ((0, 1), (1, 0)), (False, True)):
        codes = np.arange(60).reshape(6, 10) % (len(labels) + 1) - 1
        certificate = deterministic(CommunicationMatrix(codes, labels), seconds=1).certificate
        loaded = Certificate.from_json(json.loads(certificate.text()))
        assert loaded.matrix.codes.tolist() == codes.tolist()
        assert certificate.verify()


def test_brackets_that_have_no_certificate():
    matrix = equality(1).matrix
    with pytest.raises(InputError):
        Certificate.from_bracket(Bracket("deterministic", 0, None, "trivial"), matrix)
    with pytest.raises(InputError):
        Certificate.from_bracket(Bracket("beauty", 1, None, "eye", {"kind": "look"}), matrix)
    with pytest.raises(InputError):
        Certificate.from_bracket(Bracket("cover", 1, None, "", {"kind": "fooling-set"}), matrix)


def test_rational_values():
    certificate = Certificate.from_bracket(
        Bracket("discrepancy", Fraction(1, 2), None, "", {"kind": "biased-rectangle", "rectangle": ["1", "1"]},
                parameters={"weights": [[1, 1]]}, unit=""),
        CommunicationMatrix.from_array([[0, 1]]),
    )  # fmt: skip
    assert certificate.to_json()["proofs"][0]["value"] == "1/2"
    matrix = "a matrix (1 x 2, sha256 351bbe76acb8)"
    line = f"discrepancy >= 1/2 (weights sha256 5cc6a8a697bb) of {matrix}: lower by biased-rectangle"
    assert certificate.verify() == line
