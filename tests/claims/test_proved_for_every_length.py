"""A claim that Coq has proved for every length says so, and names a theorem that is there."""

import re
from pathlib import Path

from ccsim.bounds import model
from ccsim.bounds.model_size import REQUIREMENTS, as_function
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


def test_the_theorems_that_needs_name_are_there():
    named = {need.one_way_theorem for need in REQUIREMENTS.values()}
    named |= {need.two_way_theorem for need in REQUIREMENTS.values()}
    assert named - {""} <= set(re.findall(r"^Theorem (\w+)", THEOREMS.read_text(encoding="utf-8"), re.MULTILINE))


def test_every_need_that_excludes_something_is_proved_for_every_length():
    for name in REQUIREMENTS:
        for kind in ("recurrent", "transformer"):
            found = model(kind, width=2, precision=8, task=name)
            if found.excluded_from is not None:
                assert found.certificate is not None or found.theorem, (kind, name)
            if found.certificate is not None:
                needed = as_function(found.needs)
                assert all(found.certificate.lower(n) == needed(2 * n) for n in (1, 2, 7, 64, 1000))


def test_a_verdict_says_what_is_proved_for_every_length():
    verdict = check(registered_claims()["communication-equality"], length=2)
    assert (verdict.told, verdict.reason) == ("tight for every N", f"{PROVED}: equality_costs in proofs/EveryLength.v")
    assert PROVED not in check(registered_claims()["communication-index-two-way"], length=2).reason
