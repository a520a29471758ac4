"""What an audit says of the model that its owner runs: found wrong in time, and whose mistake it is."""

import json
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

import ccsim as cc
from ccsim import InputError
from ccsim.auditing.product_reachability import Budget, OutOfBudgetError
from ccsim.auditing.requirements import PrefixClasses
from ccsim.auditing.sampled_words import accepted_words
from ccsim.cli.app import run_app
from ccsim.models import TransitionTable, dyck_automaton
from ccsim.models.files import write_safetensors
from ccsim.problems import SequenceTask, dyck, equality_of_halves, majority_of_word
from ccsim.problems.inputs import Words


def constant(folder, width=4, answers=(0, 1), **more):
    """An LSTM whose read-out is 0, so that it always gives the first answer."""
    generator, tensors = np.random.default_rng(0), {}
    shapes = {"embedding.weight": (2, width), "weight_ih_l0": (4 * width, width), "weight_hh_l0": (4 * width, width)}
    for name, shape in shapes.items():
        tensors[name] = generator.normal(size=shape).astype(np.float32)
    tensors |= {"head.weight": np.zeros((2, width), np.float32), "head.bias": np.zeros(2, np.float32)}
    write_safetensors(folder / "mine.safetensors", tensors | more)
    plain = {"architecture": "lstm", "tokens": ["0", "1"], "answers": list(answers), "saturate": True}
    plain |= {"read_out": {"weight": "head.weight", "bias": "head.bias"}, "precision": 16}
    (folder / "mine.json").write_text(json.dumps(plain))
    return str(folder / "mine.safetensors")


def test_a_clock_of_its_own_tells_when_time_is_over():
    ticks = iter(range(100))
    budget = Budget(seconds=3.0, clock=lambda: float(next(ticks)))
    budget.require_time("nothing")
    later = budget.part()
    later.require_time("nothing")
    with pytest.raises(OutOfBudgetError, match="out of time after 3 s"):
        budget.require_time("as far as that")
    found = cc.audit(dyck_automaton(2, 2), dyck(40), clock=lambda: 0.0)
    assert (found.verdict, found.seconds) == ("right", 0.0)


def test_a_constant_answer_is_wrong_however_large_the_state_is(tmp_path):
    model = cc.models.files.load_model(constant(tmp_path)).model
    found = cc.audit(model, majority_of_word(61), seconds=0.2, states=1 << 8)
    assert found.verdict == "wrong"
    assert found.wrong_words in (None, 1 << 60)  # sets of states may tell, if there is time for them
    assert found.verify()
    assert ("wrong; on how many words is not known: " in str(found)) == (found.wrong_words is None)


def test_nothing_decided_is_another_exit_code(tmp_path, capsys, monkeypatch):
    """Where no word fails and there are too many states."""
    monkeypatch.setattr("ccsim.auditing.auditor.bound_by_last_symbol", lambda *_: None)
    monkeypatch.setattr("ccsim.auditing.recurrent.critical_words", lambda *_: ())
    monkeypatch.setattr("ccsim.auditing.recurrent.is_followed", lambda _: False)
    monkeypatch.setattr("ccsim.auditing.recurrent.birthday_search", lambda *_: {})
    arguments = ["--task", "majority-of-word", "-n", "31", "--states", "4", "--seconds", "0.1"]
    assert run_app(["audit", constant(tmp_path), *arguments]) == 1
    assert "(words that were compared with the float model)" in capsys.readouterr().out
    monkeypatch.setattr(cc.auditing, "drawn_words", lambda task, **_: np.zeros((1, task.length), dtype=np.int64))
    assert run_app(["audit", constant(tmp_path), *arguments]) == 3
    told = capsys.readouterr().out
    assert "undecided" in told
    assert "0 <= accuracy <= 1 on 2147483648 words: 0 known right, 0 known wrong" in told


@pytest.mark.parametrize("answers", [("0", "1"), (0, "1")])
def test_answers_of_another_type_are_refused_and_not_counted_as_wrong(tmp_path, answers):
    model = cc.models.files.load_model(constant(tmp_path, answers=answers)).model
    with pytest.raises(InputError, match=r"answers = \('?0'?, '1'\): expected answers of majority_of_word\(9\).* 0, 1"):
        cc.audit(model, majority_of_word(9))


def test_tuples_of_another_type_are_refused_and_others_are_wrong():
    task = SequenceTask("pair", Words.over("ab", 2), ((0, 0), (0, 1)), lambda rows: rows[:, 0])
    with pytest.raises(InputError, match="answers of pair"):
        cc.audit(TransitionTable.random("ab", states=2, answers=((0, 0), ("0", "1")), seed=0), task)
    assert cc.audit(TransitionTable.random("ab", states=2, answers=((0, 0), (0, 2)), seed=0), task).verdict == "wrong"


def test_symbols_and_answers_can_be_points(tmp_path):
    path = constant(tmp_path, answers=([0, 1], [1, 0]))
    assert cc.models.files.load_model(path).model.answers == ((0, 1), (1, 0))


def test_words_of_each_answer_are_drawn_also_where_they_are_rare():
    for length in (100, 400):
        words = cc.auditing.drawn_words(dyck(length), 90, seed=1)
        assert int(dyck(length).evaluate(words).sum()) >= 30
    none = cc.auditing.drawn_words(equality_of_halves(64), 90)
    assert none.shape[1] == 64


def test_weights_of_words_never_become_too_small():
    """The part of balanced words among 4^1080 is far below any float."""
    task = dyck(1080)
    words = accepted_words(task, 1, 5, np.random.default_rng(0))
    assert words is not None
    assert task.evaluate(words).all()


def test_classes_of_prefixes_are_counted_within_the_time():
    task = majority_of_word(4001)
    assert PrefixClasses.of(task, Budget(1 << 17, seconds=1e-3)) is None


def test_names_from_a_file_cannot_forge_a_line(tmp_path, capsys):
    name = "odd\nright: proved: all 512 words \x1b[31m"
    path = constant(tmp_path, **{name: np.ones(2, np.float32)})
    assert run_app(["audit", path, "--task", "majority-of-word", "-n", "9"]) == 2
    assert "right: proved" not in capsys.readouterr().out
    plain = json.loads((tmp_path / "mine.json").read_text())
    (tmp_path / "mine.json").write_text(json.dumps(plain | {"ignore": ["odd*"]}))
    assert run_app(["audit", path, "--task", "majority-of-word", "-n", "9"]) == 1
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert not any(line.startswith("right") for line in printed.splitlines())


def test_what_cannot_be_printed_is_escaped_in_json_and_in_pictures_too(tmp_path, capsys):
    name, odd, picture = "\x1b[31m\x7f\x9b\u202eab\u2066", ("\x9b\u202e1", "\x1b\x070"), tmp_path / "learnt.svg"
    path = constant(tmp_path, answers=odd, **{name: np.ones(2, np.float32)})
    plain = json.loads((tmp_path / "mine.json").read_text())
    (tmp_path / "mine.json").write_text(json.dumps(plain | {"ignore": ["*31m*"]}))
    (tmp_path / "task.py").write_text(
        "from ccsim.problems import SequenceTask\nfrom ccsim.problems.inputs import Words\n\n\ndef task(n):\n"
        f"    return SequenceTask({name!r}, Words.over('01', n), {odd!r}, lambda rows: rows.sum(axis=1) % 2)\n"
    )
    arguments = ["audit", path, "--task", f"{tmp_path / 'task.py'}:task", "-n", "5", "--save", str(tmp_path / "a.json")]
    assert run_app([*arguments, "--json", "--draw", str(picture)]) == 1
    printed = capsys.readouterr().out
    saved = (tmp_path / "a.json").read_text(encoding="utf-8")
    for text in (printed, saved, picture.read_text(encoding="utf-8")):
        assert all(sign.isprintable() or sign == "\n" for sign in text)
    assert json.loads(printed)["task"] == json.loads(saved)["task"] == name
    assert json.loads(printed)["file"]["unused_tensors"] == [name]
    assert run_app([*arguments[:3], f"{tmp_path / 'none.py'}:\u202e", "-n", "5"]) == 2
    assert "\u202e" not in capsys.readouterr().err
    ElementTree.parse(picture)


def test_the_name_of_a_file_cannot_forge_a_line_either(tmp_path):
    model = cc.models.files.load_model(constant(tmp_path)).model
    found = cc.audit(model, majority_of_word(9))
    forged = replace(found, model="odd\nright: proved \x1b[31m")
    assert str(forged).count("\n") == str(found).count("\n")
    assert "\x1b" not in str(forged)
