"""What the claims of papers have in common: names, sources, theorems in Coq, what they sharpen; and plain oracles."""

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from ccsim import InputError
from ccsim.bounds import model, splitting_vc_dimension
from ccsim.bounds.model_size import REQUIREMENTS, as_function
from ccsim.claims import Role, check, registered_claims
from ccsim.claims.verdict import PROVED
from ccsim.problems import disjointness_of_halves, equality_of_halves, index_lookup, k_hop_composition, match3
from protocols.papers import CLAIMS
from protocols.papers.kozachinskiy2024 import boolean_composition


def test_claims_have_names_of_their_own():
    assert len({claim.name for claim in CLAIMS}) == len(CLAIMS)


@pytest.mark.slow
def test_plots_of_the_papers_are_drawn():
    for claim in CLAIMS:
        for plot in claim.plots() if claim.plots else ():
            assert all(line.points for line in plot.lines)
            assert not plot.logarithmic or all(x > 0 and y > 0 for line in plot.lines for x, y in line.points)


def by_listing(task):
    """The splitting VC dimension by looking at every set of every partition."""
    length, table = len(task.positions), {}
    for index in range(task.words.size):
        row = tuple(task.words.array(np.array([index]))[0])
        table[row] = int(task.evaluate(np.array([row]))[0])
    best = 0
    for held in product((False, True), repeat=length):
        if all(held) or not any(held):
            continue
        lines = {}
        for row, value in table.items():
            mine = tuple(symbol for symbol, own in zip(row, held, strict=True) if own)
            lines.setdefault(mine, []).append(value)
        columns = np.array(list(lines.values())).T
        for size in range(1, 4):
            for chosen in np.ndindex(*(len(columns),) * size):
                patterns = {tuple(pattern) for pattern in columns[list(chosen)].T.tolist()}
                if len(patterns) == 1 << size:
                    best = max(best, size)
    return best


@pytest.mark.parametrize(
    "task", [disjointness_of_halves(4), equality_of_halves(4), k_hop_composition(2, 1), boolean_composition(2)]
)
def test_the_splitting_dimension_by_listing(task):
    found = splitting_vc_dimension(task)
    assert found.exact
    assert found.value == by_listing(task)
    assert found.partitions == 2 ** len(task.positions) - 2


def test_what_has_no_splitting_dimension_is_refused():
    for task in (index_lookup(3), disjointness_of_halves(14)):
        with pytest.raises(InputError, match="task"):
            splitting_vc_dimension(task)
    assert splitting_vc_dimension(match3(3, 5)).value == 2


def test_what_is_ours_names_what_it_sharpens_and_nothing_else_does():
    known = registered_claims()
    for claim in CLAIMS:
        ours = claim.paper.name == "ccsim"
        assert (claim.role is Role.RESULT) == ours == bool(claim.sharpens), claim.name
        assert not ours or known[claim.sharpens].role is not Role.RESULT, claim.name


def test_something_is_compared_in_every_claim():
    """A claim has a formula, or an account of ours, or brings its own value, or is about a refusal or left open."""
    free = {
        claim.name
        for claim in CLAIMS
        if claim.formula is None and claim.ours is None and claim.direction.value not in ("refusal", "open")
    }
    for name in free:
        claim = registered_claims()[name]
        assert claim.measure(**claim.settings()[0]).claimed is not None, name


TABLE = (Path(__file__).parents[2] / "docs" / "sources.md").read_text(encoding="utf-8")
SOURCES = ("bhattamishra2024", "sanford2023", "peng2024", "svete2024", "nowak2024", "strobl2024")


def test_the_table_of_sources_names_every_claim_on_them_and_no_other():
    known = registered_claims()
    rows = [line for line in TABLE.splitlines() if line.startswith("| ")]
    named = {name for row in rows for name in re.findall(r"`([a-z0-9-]+)`", row.split("|")[2])}
    full = {name if name in known else f"bhattamishra2024-{name}" for name in named}
    assert full <= set(known)
    assert {name for name, claim in known.items() if claim.paper.name in SOURCES} <= full


THEOREMS = Path(__file__).parents[2] / "proofs" / "EveryLength.v"


def test_the_theorems_that_claims_and_needs_name_are_there():
    named = {claim.proved for claim in registered_claims().values()}
    named |= {name for need in REQUIREMENTS.values() for name in (need.one_way_theorem, need.two_way_theorem)}
    stated = set(re.findall(r"^Theorem (\w+)", THEOREMS.read_text(encoding="utf-8"), re.MULTILINE))
    assert len(named) > 8
    assert named - {""} <= stated


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
    assert (verdict.description, verdict.reason) == (
        "tight for every N",
        f"{PROVED}: equality_costs in proofs/EveryLength.v",
    )
    assert PROVED not in check(registered_claims()["communication-index-two-way"], length=2).reason
