"""The checks bite: a protocol that is changed a little is reported."""

from dataclasses import replace

import networkx
import numpy as np
import pytest

from ccsim import AnswerEach, Receive, SendEach, array_party
from ccsim.certified import certify_protocol
from ccsim.engine import Cost
from ccsim.problems import disjointness
from protocols.classical import (
    blackboard_equality,
    fingerprint_equality,
    forehead_equality,
    inner_product_equality,
    median_search,
    point_to_point_equality,
    trivial,
    two_way_index,
    yannakakis,
)

DETERMINISTIC = (
    trivial(disjointness(3)),
    median_search(4),
    yannakakis(networkx.cycle_graph(5)),
    blackboard_equality(2),
    point_to_point_equality(2),
    forehead_equality(2),
)


def changed(protocol, role, change):
    """The protocol with every step of one party changed."""
    party = protocol.parties[role]
    return replace(
        protocol, parties={**protocol.parties, role: array_party(lambda *a, **c: change(party.function(*a, **c)))}
    )


def flip_answers(step):
    return AnswerEach(1 - np.asarray(step.codes)) if isinstance(step, AnswerEach) else step


def flip_last_bit(step):
    if not isinstance(step, SendEach):
        return step
    values = np.array(step.values).astype(np.int64)
    if values.ndim == 2:
        values[:, -1] ^= 1
    else:
        values ^= 1
    return replace(step, values=values)


def flip_reply(step):
    return flip_last_bit(step) if isinstance(step, SendEach) and step.width == 1 else step


@pytest.mark.parametrize("role", ["alice", "bob"])
def test_a_flipped_answer_is_reported(role):
    for protocol in DETERMINISTIC:
        [violation, *_] = changed(protocol, role, flip_answers).explore().violations
        assert violation.kind in ("agreement", "answer"), protocol.name
        assert violation.inputs


def test_a_flipped_bit_is_reported():
    for protocol in DETERMINISTIC:
        steps = ("bob", flip_reply) if protocol.name.startswith("yannakakis") else ("alice", flip_last_bit)
        assert not changed(protocol, *steps).explore().correct, protocol.name


def test_a_longer_message_is_reported():
    def one_bit_more(step):
        return replace(step, width=step.width + 1) if isinstance(step, SendEach) else step

    found = changed(median_search(4), "bob", one_bit_more).explore()
    assert {violation.kind for violation in found.violations} == {"width"}


def test_silence_is_reported():
    silent = changed(median_search(4), "bob", lambda step: Receive() if isinstance(step, SendEach) else step)
    assert silent.explore().violations[0].kind == "deadlock"


def test_a_flipped_reply_breaks_the_claimed_error():
    for protocol in (inner_product_equality(2), fingerprint_equality(3)):
        measured = changed(protocol, "bob", flip_last_bit).measure_error()
        assert measured.worst_error == 1
        assert not measured.within_claim


def test_a_cheaper_claim_is_broken():
    cheaper = replace(two_way_index(8), cost=Cost("L(n)", {"n": 8}))
    assert certify_protocol(cheaper).verdict == "broken"
    assert certify_protocol(two_way_index(8)).verdict == "tight"


def test_a_smaller_error_is_broken():
    protocol = inner_product_equality(3, 1)
    assert certify_protocol(replace(protocol, error=protocol.error / 2)).verdict == "broken"
