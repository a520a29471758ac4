"""Results are those of before the redesign, and checkers and certificates of then and now agree."""

import gzip
import json
import sys
from fractions import Fraction
from importlib import import_module
from itertools import product
from operator import ne
from pathlib import Path

import numpy as np
import pytest

from ccsim.bounds import brackets_of
from ccsim.certificates import verify as checker
from ccsim.claims import registered_claims
from ccsim.claims.claim import short_text
from ccsim.families import messages, named_family
from ccsim.problems.catalogue import find_problem
from tests.golden.record import ROOMS, GoneError, listed
from tests.slow import slow

FOLDER = Path(__file__).parent
QUICK = {"claims": 20, "brackets": 20, "sizes": 64, "languages": 1, "audits": 2, "cells": 8}
"""How many of a room's results the quick tests look at; the cheap ones stand first."""
SHARES = 8  # into which the slow ones are divided; every other result of each is looked at
CERTIFIED = (
    ("equality", 2), ("disjointness", 2), ("greater-than", 2), ("index", 2), ("median", 2), ("majority", 2),
    ("sparse-disjointness", 2), ("dyck", 4),
)  # fmt: skip
PLAIN = ("deterministic", "leaves", "one-way", "rank", "fooling", "cover", "partition")
LONG = ("randomised", "quantum", "sign-rank", "nonnegative-rank", "one-way-success")
"""But the approximate rank, whose lower bounds have a kind that the old checker does not know."""
NEAR = 1e-6  # for scores in float64, which another library may round otherwise


def recorded(room):
    return json.loads((FOLDER / f"{room}.json").read_text(encoding="utf-8"))


def looser(old, new):
    """Whether a bracket lost something or contradicts what was proved; it may be tighter, or gone."""
    for name in old.keys() & new.keys():
        low, high, least, most = (None if side == "None" else Fraction(side) for side in (*old[name], *new[name]))
        if least < low or (high is not None and (most is None or most > high or least > high)):
            return True
        if most is not None and most < max(low, least):
            return True
    return not old.keys() & new.keys()


def far(old, new):
    """Whether scores differ by more than rounding does, or integers at all."""
    scores = all(isinstance(number, float) for number in old)
    return not np.allclose(old, new, rtol=NEAR, atol=NEAR) if scores else old != new


def other_language(old, new):
    """Whether anything differs but tighter bits on a partition, and ranks known at other lengths."""
    pairs = [(old["partitions"][name], new["partitions"][name]) for name in old["partitions"]]
    within = all(a <= c <= d <= b for rows in pairs for (a, b), (c, d) in zip(*rows, strict=True))
    before, now = dict(old["ranks"]), dict(new["ranks"])
    known = before.keys() & now.keys()
    as_before = bool(known or not before) and all(before[n] == now[n] for n in known)
    may_differ = {"partitions": None, "ranks": None}
    return not within or not as_before or {**old, **may_differ} != {**new, **may_differ}


DIFFERS = {"brackets": looser, "cells": far, "languages": other_language}


def compare(room, keys):
    """How many results were compared, all as they were."""
    old, compared = recorded(room), 0
    for key in keys:
        try:
            new = json.loads(json.dumps(ROOMS[room][1](key)))
        except GoneError:
            continue
        differs = DIFFERS.get(room, ne)(old[key], new)
        assert not differs, f"{room}: {key} was {old[key]} and is {new}"
        compared += 1
    return compared


@pytest.mark.parametrize("room", ROOMS)
def test_cheap_results_are_as_they_were(room):
    keys = list(recorded(room))[: QUICK[room]]
    assert compare(room, keys) >= len(keys) // 4


def test_what_is_claimed_is_as_it_was():
    """At every default setting, by the formulas alone: nothing is measured."""
    old, compared = recorded("claims"), 0
    for name, claim in registered_claims().items():
        for setting in claim.settings() if claim.formula is not None else ():
            if (key := listed(name, setting)) in old:
                assert short_text(claim.claimed(setting)) == old[key][1], key
                compared += 1
    assert compared > len(old) // 2


def compare_verdicts(rows):
    """How many verdicts of a run of all claims were compared, all as they were."""
    old, compared = recorded("claims"), 0
    for row in rows:
        key = listed(row["claim"], row["parameters"])
        if key in old:
            new = [row["verdict"], row["claimed_text"], row["measured_text"], row["reason"]]
            assert old[key] == new, f"claims: {key} was {old[key]} and is {new}"
            compared += 1
    return compared


@pytest.mark.slow
@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("room", [room for room in ROOMS if room != "claims"])  # all claims are run in test_docs.py
def test_all_results_are_as_they_were(room, share):
    keys = list(recorded(room))[QUICK[room] :][share :: 2 * SHARES]
    assert compare(room, keys) >= len(keys) // 4


def test_a_bracket_may_be_tighter_and_nothing_else():
    for old, new, worse in [
        (["1", "3"], ["2", "3"], False),
        (["1", "None"], ["1", "7/2"], False),
        (["1", "3"], ["1", "4"], True),
        (["1", "3"], ["0", "3"], True),
        (["1", "3"], ["4", "4"], True),
        (["2", "3"], ["2", "1"], True),
        (["2", "3"], ["2", "None"], True),
    ]:
        assert looser({"cover": old}, {"cover": new}) is worse, (old, new)


# Checkers and certificates


@pytest.fixture(scope="module")
def frozen():
    """The checker as it was."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER / "checker.zip")
        yield import_module("frozen_checker")
    for name in [name for name in sys.modules if name.startswith("frozen_checker")]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("problems", "measures"), [(CERTIFIED, PLAIN), slow(CERTIFIED[:3], LONG)], ids=["plain", "long"]
)
def test_the_old_checker_accepts_new_certificates(frozen, problems, measures):
    for (name, n), measure in product(problems, measures):
        bits = 1 if measure == "one-way-success" else None
        for bracket in brackets_of(find_problem(name).function(n), measure, bits=bits):
            if bracket.lower_witness is not None or bracket.upper_witness is not None:
                assert frozen.verify_text(json.dumps(bracket.certificate.to_json())), (name, bracket)


@pytest.mark.parametrize("name", ["equality", "greater-than"])
def test_the_old_checker_accepts_new_certificates_for_every_length(frozen, name):
    assert frozen.report(frozen.load(json.dumps(messages(named_family(name)).to_json())))


def test_the_new_checker_accepts_old_certificates():
    """The smallest one of each kind and measure that there was; those of a kind that is gone are refused in so many
    words."""
    accepted = 0
    for data in json.loads(gzip.decompress((FOLDER / "certificates.json.gz").read_bytes())):
        try:
            assert checker.report(checker.load(json.dumps(data)))
        except checker.Refused as refused:
            if "no longer checked" not in str(refused):
                raise
        else:
            accepted += 1
    assert accepted > 50


def test_both_checkers_refuse_what_is_wrong(frozen):
    wrong = {"format": "ccsim-certificate", "version": 1}
    for each in (frozen, checker):
        with pytest.raises(each.Refused):
            each.report(each.load(json.dumps(wrong)))
