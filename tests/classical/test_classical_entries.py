"""The registered protocols."""

import re
from fractions import Fraction

import pytest

from ccsim.certified import certify_protocol
from ccsim.problems import find_problem
from protocols.classical import PROTOCOLS

BY_NAME = {entry.name: entry for entry in PROTOCOLS}

# At the smallest size of some entries: the claimed bits, the bits at worst, the error on the worst input over all coins
KNOWN = {
    "two-way-index": (2, 2, 0),
    "inner-product-equality": (3, 3, Fraction(1, 4)),
    "fingerprint-equality": (6, 6, Fraction(1, 3)),
    "simultaneous-equality": (6, 6, 0),
    "newman-equality": (4, 4, 0),
    "fingerprint-greater-than": (4, 4, Fraction(1, 2)),
    "forehead-equality": (2, 2, 0),
    "blackboard-equality": (4, 4, 0),
    "point-to-point-equality": (7, 7, 0),
    "median-search": (4, 4, 0),
    "yannakakis": (10, 5, 0),
    "intersection-size": (4, 4, 0),
    "pointer-chasing-in-turn": (2, 2, 0),
    "pointer-chasing-one-round-fewer": (8, 8, 0),
}


def test_names_are_different_and_in_lower_case():
    assert len(BY_NAME) == len(PROTOCOLS)
    assert all(entry.sizes for entry in PROTOCOLS)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in BY_NAME)


def certified_at(entry, n):
    protocol, problem = entry.build(n), find_problem(entry.problem).function(n)
    certified = certify_protocol(protocol, samples=40)
    assert certified.verdict in ("tight", "holds"), (entry.name, n, certified.reason)
    assert certified.function == problem.name
    assert protocol.function.shape == problem.shape
    if n == entry.sizes[0]:
        assert (protocol.function.codes == problem.codes).all()
    return certified


def test_an_entry_certifies_at_its_least_size_with_known_bits_and_error():
    found = {entry.name: certified_at(entry, entry.sizes[0]) for entry in PROTOCOLS}
    assert all(found[name].exact for name in KNOWN)
    assert {name: (each.claimed, each.measured, each.error) for name, each in found.items() if name in KNOWN} == KNOWN


@pytest.mark.slow
@pytest.mark.parametrize("entry", PROTOCOLS, ids=lambda entry: entry.name)
def test_an_entry_certifies_at_its_other_sizes(entry):
    for n in entry.sizes[1:]:
        certified_at(entry, n)


def test_parties_run_in_separate_processes():
    run = BY_NAME["fingerprint-equality"].build(4).run("0110", "0111", seed=1, isolated=True)
    assert run.correct
    assert sum(run.carried.values()) == run.bits
