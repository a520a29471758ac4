"""Automata that models seem to have learnt, and their pictures."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

import ccsim as cc
from ccsim.auditing import learned_automaton, least_automaton
from ccsim.models import LSTM, Elman, OneLayerTransformer, SelectiveStateSpace, dyck_automaton
from ccsim.models.automata import Automaton
from ccsim.models.regular_expressions import from_regular_expression
from ccsim.plots import automaton_picture, learned_picture
from ccsim.problems import dyck, equality_of_halves, index_lookup, majority_of_word, parity_of_word, regular_language
from tests.audit.test_audit_covers import latched, some_one


def test_a_network_that_has_learnt_its_task_gives_the_automaton_of_the_task():
    found = learned_automaton(latched(), some_one(9), tolerance=0.25)
    assert found.is_the_task
    assert (found.automaton.states, found.agrees, found.states) == (2, 1, 2)
    assert found.effective_bits == 1


def test_an_automaton_gives_itself():
    """Whose states are numbers: with no tolerance each is told apart from the others."""
    model = dyck_automaton(2, 2)
    found = learned_automaton(model, dyck(10), tolerance=0)
    assert found.automaton == model.minimise()
    assert found.is_the_task
    assert learned_automaton(model, dyck(10), tolerance=10).automaton.states < model.minimise().states


def test_without_tolerance_it_answers_as_the_model_on_all_words():
    model = Elman.random("01", width=2, precision=6, seed=5)
    found = learned_automaton(model, parity_of_word(10), tolerance=0)
    words = parity_of_word(10).words.array(np.arange(1 << 10))
    assert (found.automaton.codes(words) == model.codes(words)).all()
    assert found.agrees == 1


def test_more_tolerance_tells_fewer_states_apart():
    model = LSTM.random("ab", width=3, precision=16, seed=2, answers=(0, 1))
    language = regular_language(8, {0: {"a": 1, "b": 0}, 1: {"a": 0, "b": 1}}, 0, [0])
    counts = [learned_automaton(model, language, tolerance=size).states for size in (0.1, 0.3, 1.0)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1]


def test_models_that_look_at_the_last_symbol_are_read_as_well():
    model = SelectiveStateSpace.random("01", width=2, precision=8, seed=1, residual=True)
    assert learned_automaton(model, parity_of_word(6), tolerance=0.5).states >= 1


def test_least_automata_of_tasks():
    assert least_automaton(parity_of_word(5)).states == 2
    assert least_automaton(dyck(5)) == dyck_automaton(2, 2).minimise()
    assert least_automaton(equality_of_halves(6)) is None  # depends on the position
    expression = from_regular_expression("(ab)*", "ab")
    rows = {state: dict(zip("ab", row, strict=True)) for state, row in enumerate(expression.table.tolist())}
    accepting = np.flatnonzero(expression.outputs).tolist()
    assert least_automaton(regular_language(6, rows, 0, accepting)) == expression.minimise()


def test_bad_input():
    model = LSTM.random("01", width=3, precision=16, seed=2)
    with pytest.raises(cc.InputError, match="at most 4 states"):
        learned_automaton(model, parity_of_word(5), tolerance=0, most=4)
    with pytest.raises(cc.InputError, match="tolerance"):
        learned_automaton(model, parity_of_word(5), tolerance=float("nan"))
    transformer = OneLayerTransformer.random("01", length=5, width=4, precision=8, seed=0)
    with pytest.raises(cc.InputError, match="recurrent model"):
        learned_automaton(transformer, parity_of_word(5))
    with pytest.raises(cc.InputError, match="answers"):
        learned_automaton(model, index_lookup(4))


def test_pictures_are_well_formed_and_name_both():
    both = learned_picture(learned_automaton(latched(), some_one(9)))
    root = ET.fromstring(both.svg)
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert {"learnt", "the task"} <= set(texts)
    one = learned_picture(learned_automaton(latched(), majority_of_word(9)))
    assert "the task" not in one.alt
    assert one.width < both.width


def test_states_show_answers_that_are_not_0_and_1():
    answers = ("none", "one of many", "two")
    automaton = Automaton.of("01", [[0, 1], [1, 2], [2, 0]], [0, 1, 2], 0, answers)
    picture = automaton_picture(automaton)
    assert picture.alt == "an automaton of 3 states, which answer none, one of many, two"
    assert all(f">{shown}<" in picture.svg for shown in ("none", "one…", "two"))
