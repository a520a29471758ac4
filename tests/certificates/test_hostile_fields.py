"""Every field of every kind of certificate, with what does not belong there: refused, never believed, never a crash."""

import copy
import json

import pytest

from ccsim.certificates import verify as checker
from ccsim.certificates.proved import find_program
from tests.certificates.both_checkers import compared, kernel_verdict
from tests.certificates.every_length import certificates as certificates_of_every_length
from tests.certificates.examples import certificates
from tests.certificates.mutations import spots
from tests.certificates.test_proved import built

HOSTILE = ("none", 0.5, True, [[["deep"]]], {"kind": "none"}, -(10**30))
MOST_SPOTS = 16  # of one certificate, spread evenly


def kind_of(data):
    return "+".join(sorted(proof["witness"]["kind"] for proof in data["proofs"]))


def smallest_of_each_kind():
    found = {}
    for data in sorted([*certificates(), *certificates_of_every_length()], key=lambda data: len(json.dumps(data))):
        found.setdefault((data["measure"], kind_of(data)), data)
    return found


SMALLEST = smallest_of_each_kind()


def spoiled(data):
    """The certificate with one place taken by what has another type, or is far out of range; with the place."""
    places = [path for path in spots(data) if path]
    for path in places[:: 1 + len(places) // MOST_SPOTS]:
        for hostile in HOSTILE:
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


@pytest.mark.parametrize("name", SMALLEST, ids="-".join)
def test_no_field_takes_what_does_not_belong_there(name):
    for path, hostile, text in spoiled(SMALLEST[name]):
        assert kernel_verdict(text) != "accepted", (path, hostile)


@built
@pytest.mark.parametrize("name", SMALLEST, ids="-".join)
def test_the_kernel_accepts_no_spoiled_field_alone(name, tmp_path):
    texts = [text for _, _, text in spoiled(SMALLEST[name])][::7]
    assert compared(find_program(), texts, tmp_path)[1] == []


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a": ' * 5000,
        b"NaN",
        b'{"format": Infinity}',
        b'{"format": 1, "format": 2}',
        b"9" * 100_000,
        b'{"format": "ccsim-certificate", "version": 1e400}',
        b"null",
        b"\xef\xbb\xbf{}",
    ],
)
def test_what_is_no_certificate_is_refused_in_a_line(text, tmp_path):
    path = tmp_path / "hostile\nname.json"
    path.write_bytes(text)
    found = checker.report_file(path)
    assert not found["accepted"]
    assert len(found["message"]) < 300
