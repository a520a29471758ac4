"""Boxes of states that prove a recurrent model right for every length: what they say is so, and spoilt ones fall."""

from dataclasses import replace

import numpy as np
import pytest

import ccsim as cc
from ccsim.arithmetic import Precision, Zonotopes
from ccsim.auditing import Audit, Budget
from ccsim.auditing import invariant_search as search
from ccsim.auditing.cover import is_followed
from ccsim.auditing.invariant_search import find_invariant
from ccsim.auditing.invariants import Invariant, followed, is_proved_by
from ccsim.auditing.sides import tabulate, task_rules
from ccsim.auditing.words import machine_of
from ccsim.models import GRU, LSTM, MLSTM, RWKV, Elman
from ccsim.models.comparison import Comparison
from ccsim.models.recurrent import GRULayer
from ccsim.problems import parity_of_word
from ccsim.problems.sequence.machine import table_machine
from ccsim.problems.sequence.task import SequenceTask
from ccsim.problems.words import Words
from protocols.trained.provable import provable_model, provable_task


def random_task(generator, length=7, states=2):
    """Words of two letters, by a random automaton."""
    table, outputs = generator.integers(0, states, (states, 2)), generator.permutation([0, 1] * states)[:states]
    machine = table_machine(table, 0, outputs)

    def evaluate(words):
        state = np.zeros(np.shape(words)[:-1], dtype=np.int64)
        for place in range(np.shape(words)[-1]):
            state = table[state, words[..., place]]
        return outputs[state]

    return SequenceTask("random", Words.over("01", length), (0, 1), evaluate, machine=machine)


def boxes_of(model, task):
    """What the search finds."""
    machine = machine_of(task)
    table = tabulate(task_rules(machine), len(task.alphabet), task.length, Budget())
    return find_invariant(Comparison.of(model, task), table, Budget(seconds=float("inf")))


@pytest.fixture(scope="module")
def proved():
    """The trained LSTM of width 16 that counts ones modulo 3, with its boxes."""
    task = provable_task("modulo-lstm", 50)
    model = provable_model("modulo-lstm").model
    return model, task, boxes_of(model, task)


@pytest.mark.slow
def test_boxes_prove_a_trained_model_where_states_are_too_many(proved, tmp_path):
    model, task, boxes = proved
    found = cc.audit(model, task, states=30)
    assert (found.verdict, found.every_length, found.words, found.searched["boxes"]) == ("right", True, 2**50, 7)
    assert found.verify()
    found.save(tmp_path / "audit.json")
    loaded = Audit.load(tmp_path / "audit.json", task)
    assert loaded.verify(model, task)
    assert not loaded.verify(model, parity_task(task))
    assert np.array_equal(loaded.invariant.low, boxes.low)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["parity-gru", "modulo-gru"])
def test_a_trained_gru_of_width_64_is_proved_for_every_length(name):
    found = cc.audit(provable_model(name).model, provable_task(name, 50), seconds=float("inf"))
    assert (found.verdict, found.every_length, found.words) == ("right", True, 2**50)
    turned = replace(provable_task(name, 50), answers=provable_task(name, 50).answers[::-1])
    assert cc.audit(provable_model(name).model, turned, seconds=float("inf")).verdict == "wrong"


def parity_task(task):
    """Parity, with the answers of another task."""
    return replace(parity_of_word(task.length), answers=task.answers)


def test_words_end_in_the_boxes(proved):
    model, task, boxes = proved
    words = np.random.default_rng(0).integers(0, 2, (50, 80))
    states, wanted = np.repeat(model.start()[None], 50, axis=0), np.zeros(50, dtype=np.int64)
    for place in range(80):
        assert boxes.hold(states, states, wanted).all()
        states = model.step(states, words[:, place], place + 1)
        wanted = (wanted + words[:, place]) % 3  # states are numbered in the order in which words reach them
    assert np.array_equal(task.evaluate(words[:, :50]), model.codes(words[:, :50]))


def test_spoilt_boxes_are_refused(proved):
    model, task, boxes = proved
    assert is_proved_by(boxes, model, task)
    for box in range(1, len(boxes.wanted)):  # the first one is the start
        low = boxes.low.copy()
        low[box] = boxes.high[box]
        assert not is_proved_by(replace(boxes, low=low), model, task)
    assert not is_proved_by(replace(boxes, wanted=np.roll(boxes.wanted, 1)), model, task)
    assert not is_proved_by(replace(boxes, ahead=0), model, task)
    assert not is_proved_by(replace(boxes, low=boxes.high, high=boxes.low), model, task)
    flipped = replace(model, scores=replace(model.scores, weights=model.scores.weights[:, ::-1]))
    assert not is_proved_by(boxes, flipped, task)


@pytest.mark.slow
def test_a_side_one_unit_shorter_than_what_comes_there_is_refused(proved):
    model, task, boxes = proved
    tight = shrunk(model, task, boxes)
    assert is_proved_by(tight, model, task)
    refused = 0
    for box in range(1, len(tight.wanted)):
        for unit in range(0, model.units, 5):
            if tight.low[box, unit] < tight.high[box, unit]:
                low = tight.low.copy()
                low[box, unit] += 1
                refused += not is_proved_by(replace(tight, low=low), model, task)
    assert refused > 10


def shrunk(model, task, boxes):
    """Boxes no larger than what one step makes of them."""
    beside = Comparison.of(model, task)
    table = tabulate(task_rules(machine_of(task)), len(task.alphabet), task.length, Budget())
    step = followed(Zonotopes.boxes(boxes.low, boxes.high), boxes.wanted, beside, table, Budget())
    low, high = boxes.high.copy(), boxes.low.copy()
    low[0], high[0] = boxes.low[0], boxes.high[0]
    for one in range(len(step.wanted)):
        for box in range(1, len(boxes.wanted)):
            held = (boxes.low[box] <= step.states.low[one]) & (step.states.high[one] <= boxes.high[box])
            if boxes.wanted[box] == step.wanted[one] and held.all():
                low[box] = np.minimum(low[box], step.states.low[one])
                high[box] = np.maximum(high[box], step.states.high[one])
    return replace(boxes, low=low, high=high)


@pytest.mark.slow
def test_small_random_models_that_are_proved_are_right_on_all_short_words(monkeypatch):
    monkeypatch.setattr(search, "WAYS", ((1, 1), (1, 3)))
    words = np.indices((2,) * 7).reshape(7, -1).T
    generator, proved, wrong = np.random.default_rng(0), 0, 0
    for seed in range(45):
        task, kind = random_task(generator), (Elman, LSTM, GRU)[seed % 3]
        model = kind.random(
            "01", width=int(generator.integers(1, 4)), precision=int(generator.integers(5, 12)), seed=seed
        )
        right = all((model.codes(words[:, :k]) == task.evaluate(words[:, :k])).all() for k in range(1, 8))
        found = boxes_of(model, task)
        assert right or found is None
        proved, wrong = proved + (found is not None), wrong + (not right)
    assert proved
    assert wrong


def test_boxes_of_models_whose_products_do_not_fit_in_64_bits_are_refused():
    """Of a model that is wrong: its sets of states overflow, and seem to stay in the box."""
    generator = np.random.default_rng(345)
    layer = GRULayer.from_arrays(39, *(generator.uniform(-20, 20, shape) for shape in ((6, 2), (6, 2), 6, 6)))
    parts = {name: generator.uniform(-20, 20, (2, 2)) for name in ("embedding", "scores")}
    model = GRU.from_arrays("01", precision=39, layers=[layer], **parts)
    machine = table_machine(np.zeros((1, 2), dtype=np.int64), 0, np.array([0]))
    words = Words.over("01", 4)
    task = SequenceTask("zero", words, (0, 1), lambda rows: np.zeros(np.shape(rows)[:-1], int), machine=machine)
    assert model.codes(words.array(np.arange(16))).any()
    ends = np.full((1, 2), 32)
    assert not is_proved_by(Invariant(-ends, ends, np.zeros(1, dtype=np.int64), 1), model, task)


@pytest.mark.parametrize("kind", [RWKV, MLSTM])
def test_boxes_of_models_whose_sets_are_not_followed_are_refused(kind):
    model = kind.random("01", width=2, precision=8, seed=0)
    low, high = (np.array([[getattr(one, end) for one in model.state_precisions]]) for end in ("low", "high"))
    assert not is_proved_by(Invariant(low, high, np.zeros(1, dtype=np.int64), 1), model, parity_of_word(4))


def test_scales_that_do_not_fit_are_not_followed():
    narrow = Precision(1 << 40, -100, 100)
    assert not is_followed(Elman.random("01", width=2, precision=narrow, seed=0))
    assert is_followed(Elman.random("01", width=2, precision=12, seed=0))
