"""Constructed models and nearly orthogonal vectors: the verdicts that are known, and what measuring them rests on."""

from fractions import Fraction
from math import exp

import numpy as np
import pytest

from ccsim.claims import check_claim, registered_claims
from ccsim.matrices import DONT_CARE
from ccsim.models import Transformer
from ccsim.problems import (
    associative_recall,
    disjointness_of_halves,
    equality_of_halves,
    index_lookup,
    multi_query_associative_recall,
)
from protocols.constructions import (
    associative_recall_transformer,
    equality_transformer,
)
from protocols.papers.bhattamishra2024.constructions import Case, growth, looked_at, sphere
from protocols.papers.checks import built, drawn_recall, drawn_words, every_word

B = "bhattamishra2024"
DRAWN, INSTANCES = "holds on drawn cases (at 2 sizes to 12)", "holds on instances (at 2 sizes to 12)"
MODIFIED = "holds on drawn cases, modified (at 2 sizes to 12)"
KNOWN = [
    (f"{B}-lemma-2", {"length": 6}, "holds (at 2 sizes to 6)", None),
    (f"{B}-lemma-2-dimension", {"length": 16}, "tight", 444),
    (f"{B}-lemma-2-tail", {"signs": 4, "inverse": 2}, "holds", Fraction(5, 8)),
    (f"{B}-lemma-3", {"length": 64}, "holds on instances (at 2 sizes to 64)", 162),
    (f"{B}-lemma-3", {"vectors": "codes"}, "holds on instances (at 7 sizes to 256)", 92),
    (f"{B}-lemma-3", {"vectors": "sphere"}, "holds on instances (at 7 sizes to 256)", 239),
    (f"{B}-lemma-3", {"vectors": "every"}, "holds on instances (at 7 sizes to 256)", 162),
    (f"{B}-corollary-8-1", {}, "holds (at 7 sizes to 256)", 296),
    (f"{B}-corollary-8-1-in-logarithmic-space", {"bits": 64}, "holds (at 5 sizes to 64)", 16848),
    ("ccsim-conditional-signs", {"length": 64}, "holds", 69),
    (f"{B}-theorem-1", {"length": 8}, "holds (at 2 sizes to 8)", 15),
    (f"{B}-theorem-1-precision", {"length": 16}, "holds on drawn cases (at 2 sizes to 16)", 9),
    (f"{B}-theorem-1-soft", {"length": 8}, "holds (at 2 sizes to 8)", 129),
    (f"{B}-theorem-1-soft-precision", {"length": 16}, "holds on drawn cases (at 2 sizes to 16)", 14),
    (f"{B}-section-4-1-dyck-by-two-layers", {"length": 12}, DRAWN, 11),
    (f"{B}-section-4-1-dyck-by-two-layers-precision", {"length": 12}, DRAWN, 12),
    (
        f"{B}-section-4-1-next-brackets-by-two-layers",
        {"length": 12, "depth": 3},
        DRAWN,
        11,
    ),
    (f"{B}-theorem-6", {"length": 512}, "holds on drawn cases (at 7 sizes to 512)", 141),
    (f"{B}-theorem-6-any-alphabet", {"length": 8, "symbols": 3}, "holds on instances (at 2 sizes to 8)", 22),
    (f"{B}-theorem-6-precision", {"length": 16}, "holds on drawn cases (at 2 sizes to 16)", 8),
    (f"{B}-theorem-7", {"length": 12, "task": "nearest-neighbour"}, INSTANCES, 32),
    (f"{B}-theorem-7", {"length": 12, "task": "associative-recall"}, INSTANCES, 81),
    (
        f"{B}-theorem-7",
        {"length": 12, "task": "multi-query-associative-recall"},
        INSTANCES,
        81,
    ),
    (f"{B}-theorem-7-precision", {"length": 12}, DRAWN, 9),
    (f"{B}-theorem-7-margins", {"length": 12, "power": 2}, "holds on instances, modified (at 2 sizes to 12)", 32),
    (
        f"{B}-theorem-7-margins-precision",
        {"length": 12, "power": 2},
        MODIFIED,
        21,
    ),
    (f"{B}-theorem-7-soft", {"length": 12}, DRAWN, 81),
    (f"{B}-theorem-7-soft-precision", {"length": 12}, DRAWN, 20),
    (f"{B}-theorem-7-binary-codes", {"length": 12}, DRAWN, 77),
    (f"{B}-theorem-7-binary-codes-precision", {"length": 12}, DRAWN, 11),
    (f"{B}-theorem-13", {"length": 8, "function": "equality"}, "holds on instances (at 2 sizes to 8)", 30),
    (f"{B}-theorem-13", {"length": 8, "function": "drawn"}, "holds on instances (at 2 sizes to 8)", 42),
    (f"{B}-theorem-13", {"length": 8, "function": "weighted"}, "holds on instances (at 2 sizes to 8)", 42),
    (f"{B}-theorem-13", {"length": 8, "function": "dnf"}, "holds on instances (at 2 sizes to 8)", 42),
    (f"{B}-theorem-13-precision", {"length": 16}, "holds on drawn cases (at 2 sizes to 16)", 9),
    ("ccsim-dyck-linear-width", {"length": 6}, "tight", 12),
    ("ccsim-dyck-by-two-layers-at-depth-3", {"length": 12}, DRAWN, 13),
    ("ccsim-dyck-by-three-layers", {"length": 12, "depth": 3}, DRAWN, 14),
    ("ccsim-equality-linear-width", {"length": 6}, "tight", 12),
    ("ccsim-nearly-orthogonal-signs", {"length": 64}, "tight", 244),
    ("ccsim-recall-addresses", {"length": 16}, "tight on instances", 228),
    ("ccsim-nearest-at-any-margin", {"square": 100}, "tight on instances", 0),
]


@pytest.mark.parametrize(("name", "given", "told", "measured"), KNOWN, ids=lambda value: str(value)[:60])
def test_the_known_verdicts(name, given, told, measured):
    claim = registered_claims()[name]
    verdict = check_claim(claim, claim.setting({**claim.sizes[0], **given}))
    assert verdict.told == told, verdict.reason
    assert measured is None or verdict.measured == pytest.approx(float(measured))


@pytest.mark.parametrize(
    ("name", "given", "claimed"),
    [
        (f"{B}-lemma-2-tail", {"signs": 64, "inverse": 4}, 2 * exp(-1)),
        (f"{B}-lemma-2", {"length": 512, "inverse": 4}, 3 * 16 * 9),
        (f"{B}-lemma-3", {"length": 256, "inverse": 4}, 13 * 16 * 8),
        (f"{B}-corollary-8-1", {"length": 512}, 48 * 9),
        (f"{B}-theorem-1", {"length": 512}, 24 * 9),
        (f"{B}-theorem-6", {"length": 512}, 26 * 9),
        (f"{B}-theorem-13", {"length": 512}, 50 * 9),
    ],
)
def test_what_is_claimed(name, given, claimed):
    claim = registered_claims()[name]
    assert float(claim.claimed(claim.setting(given))) == pytest.approx(claimed)


# Words that are drawn


def test_words_that_are_drawn_belong_to_the_task_and_lie_on_either_side():
    for task in (equality_of_halves(64), disjointness_of_halves(64), index_lookup(64)):
        assert set(np.asarray(task.evaluate(drawn_words(task)))) == {0, 1}
    task = associative_recall(64)
    assert set(np.asarray(task.evaluate(drawn_recall(task)))) == {0, 1}
    assert DONT_CARE in task.evaluate(drawn_words(task))


@pytest.mark.parametrize("task", [equality_of_halves(256), disjointness_of_halves(64), index_lookup(200)])
def test_a_quarter_of_them_has_a_neighbour_with_another_answer(task):
    words = drawn_words(task, 32)
    answers = task.evaluate(words)
    assert ((words[16:24] != words[24:32]).sum(axis=1) == 1).all()
    assert (answers[16:24] != answers[24:32]).all()


def test_recall_is_asked_for_a_value_and_then_for_the_other():
    task = associative_recall(50)
    words = drawn_recall(task, 16)
    assert ((words[::2] != words[1::2]).sum(axis=1) == 1).all()
    assert (task.evaluate(words[::2]) != task.evaluate(words[1::2])).all()


def test_every_word_is_every_word():
    for task in (equality_of_halves(4), index_lookup(3), multi_query_associative_recall(2)):
        assert sorted(map(tuple, every_word(task))) == sorted(map(tuple, task.words.array(np.arange(task.words.size))))


# Planted models


def wrong_where(original, condition):
    """A model's answers, exchanged where a condition on the word holds."""
    return lambda self, words: np.where(condition(np.asarray(words)), 1 - original(self, words), original(self, words))


def one_difference(words):
    half = words.shape[-1] // 2
    return (words[..., :half] != words[..., half:]).sum(axis=-1) == 1


def one_place(words):
    return (words == np.array([1, 0, 1, 1, 0, 1, 0, 0])).all(axis=-1)


@pytest.mark.parametrize(
    ("length", "condition"), [(8, one_place), (64, one_difference), (256, one_difference), (512, one_difference)]
)
def test_a_model_that_is_wrong_far_off_only_is_found(monkeypatch, length, condition):
    model, task = equality_transformer(length), equality_of_halves(length)
    assert not built(model, task, 1, lambda given: drawn_words(given, 16)).violations
    monkeypatch.setattr(Transformer, "codes", wrong_where(Transformer.codes, condition))
    assert built(model, task, 1, lambda given: drawn_words(given, 16)).violations


def test_what_is_wrong_beside_the_answers_is_found_too():
    model, opposite, task = equality_transformer(6), equality_transformer(6, unequal=True), equality_of_halves(6)
    assert looked_at(Case(model, task, others=[(model, task)]), "width").violations == ()
    assert "wrong on" in looked_at(Case(model, task, others=[(opposite, task)]), "width").violations[0]
    assert looked_at(Case(model, task, faults=["no sign"]), "precision").violations == ("no sign",)
    assert growth(lambda _: Case(model, task, faults=["no sign"]), 4, "width").violations == ("no sign (at 4)",)


def test_the_opposite_model_is_found():
    model, task = equality_transformer(6, unequal=True), equality_of_halves(6)
    assert "wrong on" in built(model, task, 1).violations[0]


def test_words_off_the_promise_do_not_count():
    model, task = associative_recall_transformer(20), associative_recall(20)
    assert built(model, task, 1).violations == ("no word that was drawn is promised",)
    assert not built(model, task, 1, drawn_recall).violations


def test_spheres_have_so_many_points_of_one_norm():
    for count in (6, 24, 100):
        points = sphere(count)
        assert len(set(points)) == len(points) >= count
        assert len({sum(entry**2 for entry in point) for point in points}) == 1
