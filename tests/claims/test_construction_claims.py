"""Constructions and newer papers: the verdicts that are known, and what a fault in our code makes of them."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import protocols.constructions
from ccsim import InputError
from ccsim.bounds import splitting_vc_dimension
from ccsim.certificates import Certificate
from ccsim.claims import Direction, Word, measure_claim, registered_claims
from ccsim.matrices import DONT_CARE
from ccsim.models import OneLayerTransformer, Transformer
from ccsim.problems import (
    associative_recall,
    disjointness_of_halves,
    equality_of_halves,
    index_lookup,
    k_hop_composition,
    match3,
)
from protocols.constructions import RecallTable, SignVectors
from protocols.constructions.recurrent import ShiftRegister
from protocols.papers.chen2024 import integer_root
from protocols.papers.kozachinskiy2024 import boolean_composition
from protocols.papers.measuring import built, drawn_recall, drawn_words
from protocols.papers.sanford2024 import index_to_marked_induction
from protocols.reductions.feedforward_kernel import KernelCollision

B, S = "bhattamishra2024", "sanford2023"
KNOWN = [
    (f"{B}-theorem-1", {"length": 5}, "holds (c = 3.88)", 9),
    (f"{B}-theorem-3-shift-register", {"length": 5}, "tight", 5),
    (f"{B}-proposition-9-keys-in-the-order-given", {"length": 5}, "tight", 5),
    (f"{B}-proposition-9-keys-in-any-order", {"length": 3}, "improved", 4),
    (f"{B}-proposition-9-table-for-any-order", {"length": 3}, "tight", 4),
    (f"{B}-theorem-4-cheapest", {"length": 256, "width": 8, "precision": 16, "how": "formula"}, "improved", 129),
    (f"{B}-theorem-4-cheapest", {"length": 4096, "width": 16, "precision": 16, "how": "formula"}, "improved", 558),
    (f"{B}-theorem-5-linear-width", {"length": 6}, "tight", 12),
    (f"{B}-lemma-2", {"length": 64}, "improved", 162),
    (f"{B}-lemma-2-tail", {"signs": 4, "inverse": 2}, "improved", Fraction(5, 8)),
    (f"{B}-lemma-3", {"length": 64}, "holds (c = 1.69)", 162),
    (f"{B}-corollary-8-1", {"length": 64}, "holds (c = 27)", 162),
    (f"{B}-theorem-6", {"length": 8, "quantity": "precision"}, "holds (c = 2)", 6),
    (f"{B}-theorem-6-weight-one", {"exponent": 1}, "improved", None),
    (f"{B}-theorem-6-weight-one", {"exponent": 2}, "printed constant fails", None),
    (f"{B}-theorem-6-printed-scaling", {"exponent": 1}, "printed constant fails", None),
    (f"{B}-theorem-7-printed-constants", {"constants": "embedding"}, "printed constant fails", 1),
    (f"{B}-theorem-7-printed-constants", {"constants": "keys"}, "printed constant fails", 2),
    (f"{B}-theorem-7-printed-constants", {"constants": "products"}, "tight", 3),
    (f"{B}-theorem-7-addresses", {"length": 16}, "improved", 126),
    (f"{B}-theorem-8-table-for-multi-query-recall", {"length": 6}, "tight", 3),
    (f"{B}-theorem-8-keys-in-any-order", {"length": 6}, "improved", 4),
    (f"{B}-theorem-12-linear-width", {"length": 6}, "tight", 12),
    (f"{B}-theorem-13", {"length": 6, "function": "equality"}, "holds (c = 11.6)", 30),
    (f"{S}-sparse-averaging-construction", {"length": 8}, "holds (c = 5.29)", 37),
    (f"{S}-sparse-averaging-dual-vectors", {"length": 8}, "holds", Fraction(9, 2)),
    (f"{S}-sparse-averaging-feedforward-kernel", {"length": 4}, "improved", 1),
    (f"{S}-match2", {"length": 3, "modulus": 5}, "tight", 3),
    (f"{S}-match2-precision", {"modulus": 7}, "holds (c = 5.34)", 15),
    (f"{S}-match3-bigram", {"length": 3, "modulus": 5}, "tight", 3),
    (f"{S}-match3-local", {"length": 4, "modulus": 3}, "holds (c = 21)", 42),
    (f"{S}-match3-third-order", {"length": 3, "modulus": 5}, "holds (c = 5)", 5),
    (f"{S}-match3-assisted", {"length": 2, "modulus": 5}, "holds (c = 3)", 3),
    (f"{S}-sparse-averaging-width", {"length": 1024, "precision": 16}, "holds (c = 0.969)", 62),
    (f"{S}-match3-width", {"length": 4097, "precision": 16}, "holds (c = 0.91)", 65),
    ("peng2024-theorem-2", {"length": 1 << 16}, "holds (c = 0.352)", 26),
    ("sanford2024-induction-head-message", {"length": 4}, "tight", 4),
    ("sanford2024-induction-head-width", {"length": 128}, "vacuous here (bites from N = 257)", 1),
    ("sanford2024-induction-head-recurrent", {"length": 4}, "tight", 4),
    ("chen2024-layered-composition", {}, "vacuous here (bites from N = 43046721)", 2),
    ("chen2024-layered-composition", {"length": 3**16}, "holds", 3),
    ("kozachinskiy2024-composition", {"length": 3}, "tight", 3),
    ("kozachinskiy2024-disjointness-of-halves", {"length": 6}, "tight", 3),
    ("kozachinskiy2024-equality-of-halves", {"length": 6}, "tight", 1),
]


@pytest.mark.parametrize(("name", "given", "told", "measured"), KNOWN, ids=lambda value: str(value)[:60])
def test_the_known_verdicts(name, given, told, measured):
    claim = registered_claims()[name]
    verdict = measure_claim(claim, claim.setting({**claim.sizes[0], **given}))
    assert verdict.told == told, verdict.reason
    assert measured is None or verdict.measured == measured
    if verdict.exact and verdict.direction in (Direction.LOWER, Direction.EXACT):
        assert Certificate.from_json(verdict.attachments["certificate"]).verify() == verdict.certificate


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


# Our own code, made wrong on purpose


def flipped(original):
    return lambda *given, **options: 1 - original(*given, **options)


def too_few_signs(_):
    return lambda length, *given, **options: SignVectors(length, 3)


def the_other_way(original):
    return lambda *given: replace(original(*given), printed_makes_others_zero=True)


def ten_times_as_many_signs(original):
    return lambda length, *given, **options: SignVectors(length, 10 * original(length, *given, **options).dimension)


FAULTS = [
    (f"{B}-lemma-3", protocols.constructions, "smallest_sign_vectors", ten_times_as_many_signs, "own account"),
    (f"{B}-corollary-8-1", protocols.constructions, "smallest_sign_vectors", ten_times_as_many_signs, "own account"),
    (f"{B}-theorem-3-shift-register", ShiftRegister, "state_bits", lambda _: 3, "own account"),
    (f"{B}-theorem-1", OneLayerTransformer, "codes", flipped, "wrong on"),
    (f"{B}-theorem-6", Transformer, "codes", flipped, "wrong on"),
    (f"{B}-lemma-2", protocols.constructions, "smallest_sign_vectors", too_few_signs, "product"),
    (f"{B}-proposition-9-table-for-any-order", RecallTable, "_put_in", lambda _: lambda self, held, _: held, "wrong"),
    (f"{S}-sparse-averaging-feedforward-kernel", KernelCollision, "verify", lambda _: lambda _: False, ""),
]


@pytest.mark.parametrize(("name", "owner", "attribute", "wrap", "said"), FAULTS)
def test_a_fault_of_ours_comes_out_broken(monkeypatch, name, owner, attribute, wrap, said):
    monkeypatch.setattr(owner, attribute, wrap(getattr(owner, attribute)))
    claim = registered_claims()[name]
    verdict = measure_claim(claim, claim.settings()[0])
    assert verdict.word is Word.BROKEN
    assert said in verdict.reason


def test_logarithms_and_integers_that_disagree_are_broken(monkeypatch):
    monkeypatch.setattr(
        protocols.constructions, "equality_scaling", the_other_way(protocols.constructions.equality_scaling)
    )
    claim = registered_claims()[f"{B}-theorem-6-weight-one"]
    assert claim.check(length=64, exponent=1).word is Word.IMPROVED
    assert claim.check(length=64, exponent=2).word is Word.BROKEN
