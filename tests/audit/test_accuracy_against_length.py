"""Accuracy against length, as it was measured: well-formed, repeatable, and never better than the bounds allow."""

from fractions import Fraction

import numpy as np
import pytest

import ccsim as cc
from ccsim.errors import InputError
from ccsim.models import GRU
from ccsim.problems import dyck, equality_of_halves, index_lookup
from protocols.trained import trained_model
from protocols.trained.accuracy import (
    SIZES,
    TASKS,
    Accuracy,
    accuracy_results,
    accuracy_settings,
    most_accurate,
    size_bound,
    task_of_length,
)
from protocols.trained.accuracy_plot import accuracy_figure
from protocols.trained.counting import Draw, draw_words, held_out_words, wrong_by_answer

RESULTS = accuracy_results()
LENGTHS = {"index-lookup": {4, 8, 12, 16, 24, 32, 48}, "dyck": {6, 8, 12, 16, 20, 24}}
COUNTED = [one for one in RESULTS if one.exact is not None]


def entry(task, architecture, length):
    return next(one for one in RESULTS if (one.task, one.architecture, one.length) == (task, architecture, length))


def test_every_model_was_measured_once_at_every_length():
    keys = [(one.task, one.architecture, one.length, one.seed) for one in RESULTS]
    assert len(set(keys)) == len(keys)
    assert {key[:3] for key in keys} == {(task, name, n) for task in TASKS for name in SIZES for n in LENGTHS[task]}
    assert all(0 <= one.right <= one.tested for one in RESULTS)
    assert all((one.exact is not None) == (one.architecture == "gru") == bool(one.weights) for one in RESULTS)
    assert accuracy_settings()["small_width"] == SIZES["gru"]["width"]


@pytest.mark.parametrize("task", TASKS)
def test_tested_on_the_words_that_were_held_out(task):
    for one in RESULTS:
        if one.task == task and one.length <= 12:
            words = held_out_words(task_of_length(task, one.length))
            assert len(words) == one.tested
            assert len(np.unique(words, axis=0)) == one.tested


@pytest.mark.parametrize(("task", "length"), [("index-lookup", 8), ("index-lookup", 24), ("dyck", 12)])
def test_a_kept_model_gives_the_stored_numbers(task, length):
    kept = entry(task, "gru", length)
    loaded, own = kept.load(), task_of_length(task, length)
    words = held_out_words(own)
    assert (loaded.float_codes(words) == own.evaluate(words)).sum() == kept.right
    assert wrong_by_answer(loaded.model, own) == (kept.exact_wrong, kept.exact_words)


@pytest.mark.parametrize(("task", "length"), [("index-lookup", 8), ("dyck", 8)])
def test_an_audit_counts_as_many_wrong_words(task, length):
    kept, own = entry(task, "gru", length), task_of_length(task, length)
    assert cc.audit(kept.load().model, own).wrong_words == sum(kept.exact_wrong)


@pytest.mark.parametrize("task", [dyck(6), index_lookup(5)], ids=lambda task: task.name)
@pytest.mark.parametrize("seed", range(4))
def test_counts_agree_with_all_words_one_by_one(task, seed):
    model = GRU.random(task.alphabet, width=2, precision=6, seed=seed, answers=task.answers)
    words = task.words.array(np.arange(task.words.size)).astype(np.int64)
    wanted, codes = np.asarray(task.evaluate(words)), model.codes(words)
    wrong = tuple(int((codes[wanted == answer] != answer).sum()) for answer in (0, 1))
    assert wrong_by_answer(model, task) == (wrong, tuple(np.bincount(wanted).tolist()))


def test_no_quantised_model_beyond_its_bound_is_right_on_all_words():
    least = size_bound("index-lookup", "gru").excluded_from
    beyond = [one for one in COUNTED if one.task == "index-lookup" and one.length >= least]
    assert {one.length for one in beyond} == {24, 32, 48}
    for one in COUNTED:
        if one.task == "index-lookup":
            bits = one.load().model.state_bits
            assert bits == 16
            assert one.exact <= most_accurate(bits, one.length)
    assert all(sum(one.exact_wrong) > 0 for one in beyond)
    assert all(most_accurate(16, one.length) < 1 for one in beyond)


def test_the_most_that_a_state_allows_against_all_machines_of_one_bit():
    words = np.array([[word >> place & 1 for place in range(3)] for word in range(8)])
    distances = (words[:, None, :] != words[None, :, :]).sum(axis=2)  # of a prefix from the answers of a state
    fewest = min(np.minimum(distances[a], distances[b]).sum() for a in range(8) for b in range(8))
    assert most_accurate(1, 3) == 1 - Fraction(int(fewest), 24)
    assert [most_accurate(16, length) == 1 for length in (16, 17)] == [True, False]


def test_sizes_are_those_of_the_models():
    for name in ("lstm", "mamba"):
        size = SIZES[name]
        assert trained_model(f"lookup-{name}").model.state_bits == size["width"] * size["precision"]
    model, size = trained_model("dyck-transformer").model, SIZES["transformer"]
    assert (model.width, model.heads, model.head_width) == (size["width"], size["heads"], size["head_width"])
    assert model.precision.bits == size["precision"]
    assert size_bound("dyck", "transformer").excluded_from == 616
    assert all(size_bound("dyck", name).excluded_from is None for name in ("gru", "lstm", "mamba"))


def test_drawn_words_are_what_they_are_said_to_be():
    task = dyck(8)
    words = draw_words(task, 4000, Draw(1))
    answers = np.asarray(task.evaluate(words))
    assert answers[:2000].all()
    assert not answers[2000:3000].any()
    assert len(np.unique(words[:2000], axis=0)) == 128  # every balanced word of that length and depth


def test_bad_input_is_named():
    with pytest.raises(InputError, match="task"):
        draw_words(equality_of_halves(4), 8, Draw(0))
    with pytest.raises(InputError, match="architecture"):
        size_bound("dyck", "perceptron")
    with pytest.raises(InputError, match="task"):
        task_of_length("parity", 4)
    with pytest.raises(InputError, match="architecture"):
        Accuracy("dyck", "lstm", 8, 0, 1, 2).load()
    with pytest.raises(InputError, match="model, task"):
        wrong_by_answer(GRU.random("ab", width=1, precision=4, seed=0), dyck(6))


def test_the_figure_draws_each_bound_where_it_begins():
    figure = accuracy_figure()
    lookup = figure.axes[0]
    verticals = {line.get_xdata()[0] for line in lookup.lines if len(set(line.get_xdata())) == 1}
    assert verticals == {17, 257, 1841}
    assert "transformer" in " ".join(text.get_text() for text in lookup.texts)
