"""Known verdicts about communication problems, recurrent models, automata and later lower bounds; and plain oracles."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from ccsim.claims import check_claim, registered_claims
from ccsim.models.automata import Automaton
from ccsim.models.recurrent.stack import RecurrentStack
from ccsim.problems import associative_recall, equality, index, index_lookup
from protocols.constructions import shift_register
from protocols.papers.bhattamishra2024 import facts, recurrent
from protocols.papers.bhattamishra2024.recurrent import carried, recall_words
from protocols.papers.checks import every_word
from protocols.papers.kozachinskiy2024 import boolean_composition
from tests.slow import slow

B, LARGE = "bhattamishra2024", {"precision": 16, "heads": 8}
KNOWN = [
    ("communication-equality", {"length": 3}, "tight for every N", 4),
    ("communication-equality-private-coins", {"length": 256}, "holds on drawn cases (at 7 sizes to 256)", 19),
    ("communication-equality-public-coins", {"length": 4}, "holds (at 3 sizes to 4)", 3),
    ("communication-disjointness", {"length": 3}, "tight for every N", 4),
    ("communication-index-one-way", {"length": 3}, "tight for every N", 3),
    ("communication-index-two-way", {"length": 3}, "tight", 3),
    ("communication-greater-than", {"length": 3}, "tight", 4),
    ("communication-inner-product", {"length": 3}, "tight", 4),
    ("communication-set-intersection-size-from-above", {"length": 4}, "holds", 6),
    ("communication-set-intersection-size-from-below", {"length": 4}, "tight", 6),
    (f"{B}-fact-1", {"length": 3}, "tight", 3),
    (f"{B}-fact-2", {"length": 3}, "tight", 3),
    (f"{B}-fact-3", {"length": 5}, "tight for every N", 5),
    (f"{B}-fact-3-randomised", {"length": 4096}, "holds (at 7 sizes to 4096)", 335),
    ("ccsim-index-least-errors", {"length": 4}, "holds", 1.643167),
    ("ccsim-index-hamming-errors", {"checks": 3}, "tight", Fraction(1, 8)),
    ("ccsim-index-hamming-errors", {"checks": 4}, "tight", Fraction(1, 16)),
    (f"{B}-fact-3-both-speak", {"length": 5}, "tight", 3),
    (f"{B}-fact-4", {"length": 2}, "tight", 1),
    *(
        (f"{B}-theorem-2", {"kind": kind, "length": 3}, "tight on instances", bits)
        for kind, bits in {"elman": 20, "lstm": 40, "gru": 20, "linear-attention": 60}.items()
    ),
    (f"{B}-theorem-2", {"kind": "selective", "length": 3, "layers": 1, "precision": 6}, "tight on instances", 24),
    (f"{B}-theorem-3", {"length": 5}, "tight", 5),
    (f"{B}-proposition-9", {"length": 5}, "tight", 5),
    (f"{B}-section-4-1-dyck-by-a-recurrent-model", {"length": 100}, "tight", 3),
    (f"{B}-section-4-1-dyck-by-a-recurrent-model", {"length": 2}, "tight", 3),
    (f"{B}-section-4-1-states-of-dyck", {}, "tight", 7),
    (f"{B}-theorem-8", {"length": 6}, "tight", 3),
    (f"{B}-theorem-8-multi-query-associative-recall", {"length": 8}, "tight", 4),
    (f"{B}-lemma-4", {"states": 5, "seed": 7}, "holds on instances", 3),
    (f"{B}-lemma-4", {"states": 8, "seed": 3}, "tight on instances", 3),
    (f"{B}-lemma-4-automata-of-models", {"kind": "gru"}, "tight on instances", 3),
    (f"{B}-lemma-4-automata-of-models", {"kind": "copies", "seed": 5}, "tight on instances", 3),
    (f"{B}-theorem-11", {"length": 6}, "tight", 3),
    (f"{B}-theorem-11-states", {"length": 6}, "tight", 8),
    ("sanford2024-induction-head-message", {"length": 4}, "tight", 4),
    ("sanford2024-induction-head-width", {"length": 6, "precision": 2, "heads": 1}, "calculated", 2),
    ("sanford2024-induction-head-width", {"length": 128, **LARGE}, "vacuous here (bites from N = 257)", 1),
    ("sanford2024-induction-head-width", {"length": 65536, **LARGE}, "calculated", 511),
    ("chen2024-layered-composition", {"length": 1 << 20}, "vacuous here (bites from N = 43046721)", 2),
    ("chen2024-layered-composition", {"length": 4**16 - 1}, "calculated", 3),
    ("kozachinskiy2024-composition", {"length": 3}, "tight", 3),
    ("ccsim-index-lookup-register", {"length": 5}, "tight", 5),
    ("ccsim-recall-in-order", {"length": 5}, "tight", 5),
    ("ccsim-recall-in-any-order-from-below", {"length": 2}, "tight for every N", 2),
    ("ccsim-recall-in-any-order", {"length": 3}, "tight", 4),
    ("ccsim-multi-query-recall-in-order", {"length": 6}, "tight", 3),
    ("ccsim-multi-query-recall-in-any-order-from-below", {"length": 4}, "tight", 2),
    ("ccsim-multi-query-recall-in-any-order", {"length": 6}, "tight", 4),
    ("ccsim-splitting-dimension-of-disjointness", {"length": 6}, "tight", 3),
    ("ccsim-splitting-dimension-of-equality", {"length": 6}, "tight", 1),
]
LONG = [
    ("sanford2024-induction-head-width", {"length": 7, "precision": 2, "heads": 1}, "calculated", 3),
    ("communication-equality-public-coins", {"length": 64}, "holds on drawn cases (at 7 sizes to 64)", 3),
]


@pytest.mark.parametrize(
    ("name", "given", "told", "measured"), [*KNOWN, *(slow(*case) for case in LONG)], ids=lambda value: str(value)[:60]
)
def test_the_known_verdicts(name, given, told, measured):
    claim = registered_claims()[name]
    verdict = check_claim(claim, claim.setting({**claim.sizes[0], **given}))
    assert (verdict.told, verdict.measured) == (told, measured), verdict.reason


def test_a_model_is_run_on_its_bits_alone():
    task = index_lookup(3)
    assert carried(shift_register(3), task, every_word(task), 24).violations == ()
    first = replace(task, evaluate=lambda words: words[..., 0] * 0)
    found = carried(shift_register(3), first, every_word(task), 24)
    assert found.measured == 3
    assert found.violations[0].startswith("answers")
    recall = associative_recall(3)
    assert len(recall_words(recall)) == 6 * 8 * 3
    assert len(recall_words(recall, in_order=True)) == 8 * 3
    assert (recall.evaluate(recall_words(recall)) >= 0).all()


def test_a_model_whose_state_is_lost_is_wrong(monkeypatch):
    task = index_lookup(3)
    model = shift_register(3)
    packed = type(model).pack
    monkeypatch.setattr(type(model), "pack", lambda self, states: 0 * packed(self, states))
    assert carried(model, task, every_word(task), 24).violations


def test_all_minimal_automata_of_so_many_states_are_looked_at():
    tables = product(product((0, 1), repeat=2), (0, 1), (0, 1))
    minimal = 4 * sum(first != second and 1 in after for after, first, second in tables)  # the other row is any
    found = recurrent.agreeing(2, 0).facts
    assert (found["minimal automata"], found["smaller ones, all compared"]) == (minimal, 2)


def test_an_automaton_that_is_not_minimal_agrees_with_a_smaller_one(monkeypatch):
    minimise = Automaton.minimise
    monkeypatch.setattr(Automaton, "minimise", lambda self: minimise(self) if self.outputs.any() else self)
    assert "an automaton of fewer states agrees" in recurrent.agreeing(2, 0).violations[0]


def test_what_costs_one_party_more_than_the_other_is_no_fact_on_either():
    assert facts._one_knows(equality(2)).violations == ()
    assert "3 bits if Bob is to know, 2 if Alice is" in facts._one_knows(index(3)).violations[0]


def test_composition_looks_at_the_first_value_only():
    task = boolean_composition(3)
    assert [task((0, 1, 1, place, 0, 0)) for place in range(3)] == [0, 1, 1]


def test_words_are_cut_at_every_place():
    found = recurrent.prefix(4, "lstm", 2, 5, 2, 0)
    assert found.checked == found.of == 16 * 3


def test_claims_on_recurrent_models_name_every_kind_of_layers():
    kinds = {kind for kind in RecurrentStack.__subclasses__() if kind.__module__.startswith("ccsim.")}
    assert set(recurrent.KINDS.values()) == kinds


@pytest.mark.slow
def test_automata_of_models_are_not_minimal():
    for kind in (*recurrent.KINDS, "copies"):
        facts = recurrent.of_a_model(kind, 0).facts
        assert 3 <= facts["of the least one"] < facts["states of the automaton"], kind
    assert facts["states of the automaton"] == 15  # five states, three copies of each
