"""What the claims of papers have in common, and what measuring them rests on."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

import protocols.constructions
from ccsim import InputError
from ccsim.bounds import splitting_vc_dimension
from ccsim.claims import Role, registered_claims
from ccsim.matrices import DONT_CARE
from ccsim.problems import (
    associative_recall,
    disjointness_of_halves,
    equality_of_halves,
    index_lookup,
    k_hop_composition,
    match3,
)
from protocols.papers import CLAIMS
from protocols.papers.checks import built, drawn_recall, drawn_words
from protocols.papers.chen2024 import integer_root
from protocols.papers.kozachinskiy2024 import boolean_composition
from protocols.papers.sanford2024 import index_to_marked_induction


def test_claims_have_names_of_their_own_and_come_in_their_papers_order():
    names = [claim.name for claim in CLAIMS]
    assert Counter(names).most_common(1)[0][1] == 1
    papers = [claim.paper.name for claim in CLAIMS]
    older = ["communication", "bhattamishra2024", "sanford2023", "peng2024", "svete2024", "nowak2024", "strobl2024"]
    assert list(dict.fromkeys(papers)) == [*older, "sanford2024", "chen2024", "kozachinskiy2024", "ccsim"]
    assert papers == sorted(papers, key=list(dict.fromkeys(papers)).index)
    ours = [name.removeprefix("bhattamishra2024-") for name in names if name.startswith("bhatta")]
    assert ours.index("fact-1") < ours.index("fact-2") < ours.index("theorem-1")
    assert ours.index("theorem-3") < ours.index("theorem-4") < ours.index("lemma-1") < ours.index("theorem-5")
    assert ours[-1] == "corollary-13-1"


@pytest.mark.slow
def test_plots_of_the_papers_are_drawn():
    for claim in CLAIMS:
        for plot in claim.plots() if claim.plots else ():
            assert all(line.points for line in plot.lines)
            assert not plot.logarithmic or all(x > 0 and y > 0 for line in plot.lines for x, y in line.points)


# What measuring rests on


def test_words_that_are_drawn_belong_to_the_task_and_lie_on_either_side():
    task = equality_of_halves(64)
    assert set(np.asarray(task.evaluate(drawn_words(task)))) == {0, 1}
    task = index_lookup(64)
    assert task.evaluate(drawn_words(task)).max() == 1
    task = associative_recall(64)
    assert set(np.asarray(task.evaluate(drawn_recall(task)))) == {0, 1}
    assert DONT_CARE in task.evaluate(drawn_words(task))


def test_a_wrong_model_is_found_among_all_words_and_among_those_drawn():
    for length in (4, 64):
        task = equality_of_halves(length)
        wrong = protocols.constructions.equality_transformer(length, unequal=True)
        assert built(wrong, task, 1).violations
    task = associative_recall(20)
    assert built(protocols.constructions.associative_recall_transformer(20), task, 1).violations == (
        "no word that was drawn is promised",
    )


def test_the_induction_head_with_a_known_query():
    reduction = index_to_marked_induction(4)
    assert reduction.check() is None
    assert {reduction.word(bits, place)[-1] for bits in ("0110", "1111") for place in (1, 4)} == {"x"}


@pytest.mark.parametrize(("number", "exponent"), [*product((1, 2, 15, 16, 17, 80, 81, 10**30), (1, 2, 4, 16))])
def test_integer_roots(number, exponent):
    root = integer_root(number, exponent)
    assert root**exponent <= number < (root + 1) ** exponent


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


def test_growth_is_looked_at_far_enough_or_it_is_said_why_not():
    for claim in CLAIMS:
        if claim.formula is not None and claim.constant is not None:
            assert claim.constant.why, claim.name
