"""An audit as a certificate: it survives JSON, and a forged one does not verify."""

import contextlib
import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import ccsim as cc
from ccsim.auditing import Audit
from ccsim.auditing.sampled_words import critical_words
from ccsim.models import LSTM, OneLayerTransformer, TransitionTable, dyck_automaton
from ccsim.problems import dyck, equality_of_halves, index_lookup, q_sparse_averaging


@cache
def examples():
    """Models, tasks, and their audits; the first three fail."""
    halves, lookup = equality_of_halves(10), index_lookup(12)
    pairs = [
        (TransitionTable.random("01", states=4, seed=0), halves),
        (OneLayerTransformer.random("01", length=10, width=1, heads=1, precision=3, seed=3), halves),
        (LSTM.random(lookup.alphabet, width=1, precision=4, seed=1, answers=lookup.answers), lookup),
        (dyck_automaton(2, 2), dyck(30)),
    ]
    return [(model, task, cc.audit(model, task)) for model, task in pairs]


def test_an_audit_comes_back_from_json(tmp_path):
    for model, task, found in examples():
        found.save(tmp_path / "audit.json")
        loaded = Audit.load(tmp_path / "audit.json", task)
        assert loaded == found, task.name
        if found.failure is not None:
            assert loaded.verify(model, task), task.name
            with pytest.raises(cc.InputError, match="model, task"):
                loaded.verify()


def test_forged_failures_are_refused():
    for model, task, found in examples()[:3]:
        failure = found.failure
        assert failure.holds(model, task), task.name
        swapped = replace(failure, answer=failure.right, right=failure.answer)
        assert not swapped.holds(model, task), task.name
        words = task.words
        right = next(word for word in map(words.value, range(words.size)) if model(tuple(word)) == task(word))
        assert not replace(failure, word=tuple(right)).holds(model, task), task.name
        collision = failure.collision
        assert collision is not None, task.name
        if hasattr(collision, "state"):
            wrong = replace(collision, state=tuple(number + 1 for number in collision.state))
        else:
            wrong = replace(collision, transcript=tuple(number + 1 for number in collision.transcript))
        assert not replace(failure, collision=wrong).holds(model, task), task.name
        same = replace(collision, answers=collision.answers[:1] * len(collision.answers))
        assert not replace(failure, collision=same).holds(model, task), task.name


def test_data_of_another_task_is_refused(tmp_path):
    _, task, found = examples()[0]
    plain = json.loads(json.dumps(found.to_json()))
    with pytest.raises(cc.InputError, match="audit"):
        Audit.from_json({**plain, "version": 2}, task)
    with pytest.raises(cc.InputError, match="an audit of dyck"):
        Audit.from_json(plain, dyck(4))
    with pytest.raises(cc.InputError, match="object"):
        Audit.from_json([], task)


def test_a_task_without_a_machine_is_decided_word_by_word():
    task = q_sparse_averaging(3, 1)
    model = TransitionTable.random(task.alphabet, states=3, seed=0, answers=task.answers)
    found = cc.audit(model, task)
    assert found.words == task.words.size
    assert found.verdict == "wrong"
    assert found.verify()


@pytest.mark.slow
def test_counts_of_thousands_of_digits_are_written_and_read(tmp_path):
    found = cc.audit(dyck_automaton(2, 3), dyck(8000), seconds=1000)
    assert found.words == 4**8000
    found.save(tmp_path / "audit.json")
    assert Audit.load(tmp_path / "audit.json", dyck(8000)) == found
    (tmp_path / "audit.json").write_text("{")
    with pytest.raises(cc.InputError, match="an audit in JSON"):
        Audit.load(tmp_path / "audit.json", dyck(8000))


def test_of_long_words_fewer_are_tried():
    task = replace(dyck(1 << 14), machine=None)
    blocks = list(critical_words(task, 1 << 14, np.random.default_rng(0)))
    assert sum(block.size for block in blocks) <= 1 << 23


def places(data, path=()):
    """The path of every entry of plain data."""
    yield path
    for key, item in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from places(item, (*path, key))


def test_whatever_is_forged_in_a_failure_is_refused():
    for forged in [None, -1, "x", [], {}, [[]], 10**30]:
        for model, task, found in examples()[:3]:
            plain = json.loads(json.dumps(found.to_json()))
            for path in list(places(plain["failure"])):
                if not path or path[-1] == "found_by" or (path == ("collision",) and forged is None):
                    continue
                data = json.loads(json.dumps(plain))
                entry = data["failure"]
                for key in path[:-1]:
                    entry = entry[key]
                entry[path[-1]] = forged
                with contextlib.suppress(cc.InputError):
                    assert not Audit.from_json(data, task).verify(model, task), path


def test_a_verdict_that_contradicts_the_rest_is_refused():
    _, task, found = examples()[0]
    plain = json.loads(json.dumps(found.to_json()))
    for change in ({"verdict": "right"}, {"wrong_words": 0}, {"wrong_words": 4**10}, {"failure": None}):
        with pytest.raises(cc.InputError, match="an audit of equality"):
            Audit.from_json({**plain, **change}, task)
