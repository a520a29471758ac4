"""The training figures: the table is whole and is what the script gives, and its pictures are drawn."""

import importlib
import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from ccsim import InputError
from ccsim.plots import plot_picture
from ccsim.plots.lines import INKS
from protocols.trained.averaging import averaging_matrix, averaging_plots, averaging_results
from protocols.trained.figures import FILE, KINDS, TASKS, figure_plot, figure_plots, figure_results, figure_settings

TRAINING = Path(__file__).parents[2] / "training"
ENTRIES = [one for task in TASKS for one in figure_results(task)]


def test_every_kind_was_measured_once_for_every_task_at_the_smallest_length():
    keys = [(one.task, one.kind, one.length, one.seed) for one in ENTRIES]
    assert len(set(keys)) == len(keys) == len(json.loads(FILE.read_text(encoding="utf-8"))["entries"])
    assert {(task, kind, 20, 0) for task in TASKS for kind in KINDS} <= set(keys)
    most = figure_settings()["steps"]
    assert all(0 <= one.right <= one.tested and 0 < one.steps <= most for one in ENTRIES)


@pytest.mark.parametrize("task", TASKS)
def test_a_picture_shows_every_number(task):
    plot = figure_plot(task)
    assert len(plot.lines) <= len(set(INKS))  # guessing has a colour of its own
    drawn = {(line.name, length, part) for line in plot.lines if line.measured for length, part in line.points}
    assert drawn == {(one.kind, one.length, one.accuracy) for one in figure_results(task)}
    picture = plot_picture(plot)
    root = ElementTree.fromstring(picture.svg)
    marks = [node for node in root.iter() if node.get("class", "").startswith("mark")]
    kinds = len(plot.lines) - 1
    assert len(marks) == len(drawn) + kinds  # and one for each in the legend
    assert len({node.get("d") for node in marks}) == kinds  # which differ in print too
    assert len([node for node in root.iter() if node.get("class", "").startswith("join")]) == kinds


def test_plots_come_in_the_order_of_the_tasks_and_bad_input_is_named():
    assert [plot.title.split(":")[0] for plot in figure_plots("Eq-one", "index lookup")] == ["Eq-one", "index lookup"]
    with pytest.raises(InputError, match="task"):
        figure_plot("parity")


@pytest.fixture
def script(monkeypatch):
    """The training script; what it makes of words is looked at without training."""
    pytest.importorskip("torch", reason="PyTorch is not installed (the extra train)")
    monkeypatch.syspath_prepend(str(TRAINING))
    monkeypatch.delitem(sys.modules, "figures", raising=False)
    return __import__("figures")


def test_the_words_are_what_they_are_said_to_be(script):
    draw = script.Draw(3)
    words, answers = script.index_lookup(50, 6, draw, asked=2)
    assert all(word[word[6 + k] - 64] == own[k] for word, own in zip(words, answers, strict=True) for k in (0, 1))
    for make, separator in ((script.eq_random, 2), (script.eq_one, 16)):
        words, answers = make(200, 6, draw)
        assert (words[:, 3] == separator).all()
        differ = (words[:, :3] != words[:, 4:]).sum(axis=1)
        assert ((differ == 0) == answers[:, 0]).all()
        assert 0 < answers.sum() < 200
        assert make is script.eq_random or differ.max() == 1
    words, answers = script.nearest_neighbour(50, 20, draw, asked=2)
    for word, own in zip(words.tolist(), answers.tolist(), strict=True):
        for query, label in zip(word[10:], own, strict=True):
            far = [((query ^ point) % 1024).bit_count() for point in word[:10]]
            assert sorted(far)[0] == 1 < sorted(far)[1]
            assert (word[far.index(1)] >> 10, query >> 10) == (label, 2)


def test_all_kinds_see_only_what_comes_before(script):
    torch = script.torch
    torch.manual_seed(0)
    words = torch.randint(0, 5, (3, 9))
    later = words.clone()
    later[:, 7:] = (later[:, 7:] + 1) % 5
    for kind in KINDS:
        network = script.Network(kind, 5, 9, 2)
        with torch.no_grad():
            same, other = network(words, 9), network(later, 9)
        assert torch.allclose(same[:, :7], other[:, :7], atol=1e-5), kind
        assert not torch.allclose(same[:, 7:], other[:, 7:], atol=1e-3), kind


@pytest.mark.slow
def test_the_smallest_case_gives_the_numbers_of_the_table(script):
    settings = figure_settings()
    if script.torch.__version__ != settings["torch"]:
        pytest.skip(f"the table was made with PyTorch {settings['torch']}; others may give other numbers")
    assert script.settings(settings["steps"]) == settings
    kept = next(one for one in ENTRIES if (one.task, one.kind, one.length) == ("index lookup", "transformer", 20))
    assert script.measured("index lookup", "transformer", 20, steps=settings["steps"], seed=0) == vars(kept)


def test_an_attention_unit_learns_to_look_at_the_rows_that_are_named(monkeypatch):
    results = averaging_results()
    assert [one.step for one in results][:4] == [0, 250, 500, 1000]
    assert results[0].mean == pytest.approx(3 / 20, abs=0.01)
    assert results[-1].least > 0.99
    assert results[-1].error < 1 / 6
    for step, most in ((1000, 40), (40_000, 10)):
        named, matrix = averaging_matrix(step)
        pairs = zip(named, matrix, strict=True)
        assert all(sum(row[place - 1] for place in chosen) > 1000 - 2 * most for chosen, row in pairs)
        assert all(990 < sum(row) < 1010 for row in matrix)
    with pytest.raises(InputError, match="one of 0, 1000, 40000"):
        averaging_matrix(2)
    [plot] = averaging_plots()
    ElementTree.fromstring(plot_picture(plot).svg)
    monkeypatch.syspath_prepend(str(TRAINING))
    script = importlib.import_module("averaging")
    again = script.trained(250)["entries"]
    assert [entry["step"] for entry in again] == [0, 250]
    assert again[1]["mean"] == pytest.approx(results[1].mean, abs=0.02)


def test_the_gradients_of_the_unit_are_those_by_differences(monkeypatch):
    monkeypatch.syspath_prepend(str(TRAINING))
    script, generator = importlib.import_module("averaging"), np.random.default_rng(0)
    named, values = script.words(generator, 2)
    unit = {"query": generator.normal(size=(20, 4)), "key": generator.normal(size=(20, 4)), "value": np.eye(2) + 0.1}

    def loss():
        off = script.attention(unit, named) @ values @ unit["value"] - named @ values / 3
        return (off**2).sum() / 2 / len(named)

    slopes = script.gradients(unit, named, values)
    for name, place in (("query", (3, 1)), ("key", (7, 2)), ("value", (0, 1))):
        unit[name][place] += 1e-5
        above = loss()
        unit[name][place] -= 2e-5
        below = loss()
        unit[name][place] += 1e-5
        assert slopes[name][place] == pytest.approx((above - below) / 2e-5, rel=1e-4)
