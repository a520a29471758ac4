"""Old names work for one release, each with a warning that says the new one."""

import pytest

import ccsim as cc
from ccsim.claims import registered_claims
from ccsim.problems import equality
from protocols.classical import fingerprint_equality

PROTOCOL, CLAIM = fingerprint_equality(2), registered_claims()["trivial-disjointness"]
TREE = cc.bounds.deterministic(equality(2)).protocol_tree
OLD = {
    "measure_error": (cc.measure, PROTOCOL),
    "Protocol.measure_error": (PROTOCOL.measure,),
    "brackets_of": (cc.bounds.measure, equality(2), "one-way"),
    r"Protocol.of_tree\(tree\)": (TREE.protocol,),
    "check_claim": (cc.claims.measure_claim, CLAIM, CLAIM.setting({})),
}


@pytest.mark.parametrize("new", OLD)
def test_an_old_name_does_the_same_and_says_the_new_one(new):
    function, *given = OLD[new]
    with pytest.warns(DeprecationWarning, match=f"{new}.*goes with the next release"):
        assert function(*given)
