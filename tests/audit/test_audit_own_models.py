"""Audits of a forward pass as it is run, and tasks that people bring."""

import json
import sys

import numpy as np
import pytest

import ccsim as cc
from ccsim import InputError
from ccsim.auditing import function_task, modular_counting, read_task
from ccsim.cli.app import run_app
from ccsim.models import ForwardModel, from_regular_expression
from ccsim.problems import dyck, majority_of_word, parity_of_word

OWN = """
import numpy as np

def parity(ids):
    ones = ids.sum(axis=1) % 2
    return np.stack([1 - ones, ones], axis=1)

def constant(ids):
    return np.zeros((len(ids), 2))

def broken(ids):
    raise RuntimeError("shapes")

def twice(word):
    return int(word[: len(word) // 2] == word[len(word) // 2 :])

twice.alphabet = "ab"
number = 3
"""


def parity(ids):
    ones = ids.sum(axis=1) % 2
    return np.stack([1 - ones, ones], axis=1)


def test_a_forward_pass_is_run_on_all_words_and_nothing_is_called_proved():
    task = modular_counting(8, 2)
    found = cc.audit(parity, task)
    assert (found.verdict, found.words, found.wrong_words, found.architecture) == ("right", 256, 0, "any")
    assert "how: run, not proved: all 256 words" in str(found)
    assert "the model's own forward pass" in found.arithmetic
    wrong = cc.audit(lambda ids: np.ones((len(ids), 2)), task)
    assert (wrong.verdict, wrong.wrong_words) == ("wrong", 128)
    assert wrong.verify()


def test_a_task_that_is_none_on_words_is_told_with_what_may_be_meant():
    for given, hint in [
        ("parity", "did you mean parity-of-word"),
        ("dyk", "did you mean dyck"),
        ("set-intersection-size", "such as dyck"),
    ]:
        with pytest.raises(InputError, match=hint) as caught:
            read_task(given, 4)
        assert str(caught.value).startswith(f"task = '{given}'"), given


def test_of_many_words_some_are_drawn_and_the_rest_is_undecided():
    task = modular_counting(40, 2)
    found = cc.audit(parity, task)
    assert (found.verdict, found.words) == ("undecided", None)
    assert found.searched["words_tried"] > 1000
    assert (found.accuracy.words, found.accuracy.wrong) == (1 << 40, 0)
    assert 1000 < found.accuracy.right <= found.searched["words_tried"]
    failing = cc.audit(lambda ids: parity(ids[:, 1:]), task)
    assert failing.verdict == "wrong"
    assert failing.verify()


def test_forward_passes_that_are_none_are_refused():
    for wrong in (lambda ids: np.zeros((len(ids), 3)), lambda ids: np.zeros(3), lambda ids: ids[0, 99]):
        with pytest.raises(InputError, match="forward"):
            ForwardModel(wrong, "ab")("ab")
    with pytest.raises(InputError, match="tokens"):
        ForwardModel(parity, "ab", tokens={"a": 0})
    with pytest.raises(InputError, match="the words of a batch are mixed"):
        cc.audit(
            lambda ids: np.stack([ids[:, 0] * 0 + (len(ids) == 1), ids[:, 0] * 0 + 0.5], axis=1), majority_of_word(5)
        )


def test_one_score_that_is_infinite_is_above_0_and_nan_is_no_answer():
    one = ForwardModel(lambda ids: np.array([-np.inf, np.nan, 0.0, np.inf])[ids[:, -1], None], "abcd")
    assert [one(f"a{last}") for last in "abcd"] == [0, None, 0, 1]


def test_tasks_from_texts(tmp_path):
    words = ["0110", "0000", "1111", "1011"]
    assert [read_task("mod:2", 4)(word) for word in words] == [parity_of_word(4)(word) for word in words]
    assert [read_task("mod:3", 4)(word) for word in words] == [2, 0, 1, 0]
    assert read_task("mod:2", 3, "ab")("aba") == 1
    assert list(read_task("dyck:1,3", 6).accepted()) == list(dyck(6, 1, 3).accepted())
    assert read_task("dyck", 6).name == dyck(6).name
    assert read_task("majority-of-word", 5).name == majority_of_word(5).name
    task, automaton = read_task("re:(ab|b)*", 9), from_regular_expression("(ab|b)*", "ab")
    rows = task.words.array(np.arange(2**9))
    assert np.array_equal(task.evaluate(rows), automaton.codes(rows))
    assert cc.audit(automaton, task).every_length
    plain = {"alphabet": ["a", "b"], "table": [[1, 0], [0, 1]], "outputs": [1, 0], "first": 0}
    (tmp_path / "even.json").write_text(json.dumps(plain))
    assert read_task(str(tmp_path / "even.json"), 5)("ababa") == 0
    for wrong in ("dyck:2", "mod:x", "regular:a", "no-such-task", "mod:0", "own.py:task", str(tmp_path / "none.json")):
        with pytest.raises(InputError):
            read_task(wrong, 4)


def test_tasks_of_functions():
    task = function_task(lambda word: None if word[0] == "b" else word.count("b"), "ab", 3)
    assert (task.answers, task("abb"), task("bab")) == ((0, 1, 2), 2, None)
    pairs = function_task(lambda word: sum(word) > 20, [1, 20], 2, answers=(False, True))
    assert pairs((20, 1)) is True
    with pytest.raises(InputError, match="answers"):
        function_task(len, "ab", 40)
    with pytest.raises(InputError, match="one of the answers"):
        function_task(len, "ab", 4, answers=(0, 1))("aaaa")
    for answers in (None, (0, 1)):
        with pytest.raises(InputError, match="a tuple in place of a list"):
            function_task(lambda word: [word.count("a")], "ab", 2, answers=answers)("aa")
    for ends in (lambda word: {}[word], lambda word: sys.exit(3)):
        with pytest.raises(InputError, match="word = 'aa': expected an answer"):
            function_task(ends, "ab", 2)


@pytest.mark.parametrize(
    ("given", "ordered"),
    [
        ([{"b"}, {"a"}, {"a", "b"}, set(), {"a", "c"}], [set(), {"a"}, {"b"}, {"a", "b"}, {"a", "c"}]),
        ([{10}, {9}, {2}], [{2}, {9}, {10}]),
        ([("x", {"b"}), ("x", {"a"}), ("x",)], [("x",), ("x", {"a"}), ("x", {"b"})]),
        ([3j, 1j, 2j, "b", "a", 2, 1.5], [1j, 2j, 3j, 1.5, 2, "a", "b"]),
    ],
)
def test_answers_of_any_kind_come_in_one_order(given, ordered):
    def frozen(value):
        if isinstance(value, set):
            return frozenset(value)
        return tuple(map(frozen, value)) if isinstance(value, tuple) else value

    wanted = list(map(frozen, ordered))
    for start in range(len(given)):
        turned = [frozen(given[(start + place) % len(given)]) for place in range(len(given))]
        assert list(function_task(lambda word, t=turned: t[word[0]], range(len(given)), 1).answers) == wanted
    labels = cc.CommunicationMatrix.from_array([list(map(frozen, given))], labels=True).labels
    assert cc.CommunicationMatrix.from_array([list(map(frozen, given[::-1]))], labels=True).labels == labels
    right = cc.Relation.from_sets([[{frozen(value)} for value in given]]).labels
    assert list(right) == wanted


def test_own_files_on_the_command_line(tmp_path, capsys):
    path = tmp_path / "mine.py"
    path.write_text(OWN)
    assert run_app(["audit", f"{path}:parity", "--task", "mod:2", "-n", "6"]) == 0
    assert "run, not proved: all 64 words" in capsys.readouterr().out
    assert run_app(["audit", f"{path}:constant", "--task", f"{path}:twice", "-n", "4", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert (said["verdict"], said["wrong_words"], said["file"]) == ("wrong", 4, None)
    for wrong in ("nothing", "broken", "number"):
        assert run_app(["audit", f"{path}:{wrong}", "--task", "mod:2", "-n", "6"]) == 2
    assert run_app(["audit", f"{path}:parity", "--task", f"{path}:number", "-n", "6"]) == 2
    path.write_text("import sys; sys.exit(0)")
    assert run_app(["audit", f"{path}:parity", "--task", "mod:2", "-n", "6"]) == 2
    path.write_text("raise ValueError('at the start')")
    assert run_app(["audit", f"{path}:parity", "--task", "mod:2", "-n", "6"]) == 2
    assert "at the start" in capsys.readouterr().err
