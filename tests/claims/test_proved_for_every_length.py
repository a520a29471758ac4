"""A claim that Coq has proved for every length says so, and names a theorem that is there."""

import re
from pathlib import Path

from ccsim.claims import check
from ccsim.claims.registry import registered_claims
from ccsim.claims.verdict import PROVED

THEOREMS = Path(__file__).parents[2] / "proofs" / "EveryLength.v"


def test_the_theorems_that_claims_name_are_there():
    named = {claim.proved for claim in registered_claims().values() if claim.proved}
    stated = set(re.findall(r"^Theorem (\w+)", THEOREMS.read_text(encoding="utf-8"), re.MULTILINE))
    assert named == {
        "equality_costs",
        "disjointness_costs",
        "index_costs_one_message",
        "recall_needs_messages",
        "dyck_odd_even_costs",
        "dyck_of_two_kinds_costs",
        "dyck_fooling_set",
        "one_layer_exchange_suffices",
    }
    assert named <= stated


def test_a_verdict_says_what_is_proved_for_every_length():
    verdict = check(registered_claims()["communication-equality"], length=2)
    assert (verdict.told, verdict.reason) == ("tight", f"{PROVED}: equality_costs in proofs/EveryLength.v")
    assert PROVED not in check(registered_claims()["communication-index-two-way"], length=2).reason
