"""Scores that are infinite or NaN: the same is said of them on every way to a verdict."""

import numpy as np
import pytest

import ccsim as cc
from ccsim.auditing import Audit, every_position, learned_automaton, read_task
from ccsim.models import ForwardModel, StepModel

ALL_A = "re:a*"


def far(*read_out):
    """After a's alone the state is infinite, after b's alone the opposite, after both of them NaN."""

    def step(state, ids):
        with np.errstate(over="ignore", invalid="ignore"):
            state = state + np.where(ids == 0, np.inf, -np.inf)[:, None].astype(np.float16)
            return state, np.hstack([each * state if each else np.zeros_like(state) for each in read_out])

    return StepModel(step, np.zeros((1, 1), np.float16), "ab")


def steps(ids):
    """The same as a forward pass."""
    with np.errstate(invalid="ignore"):
        return np.where(ids == 0, np.inf, -np.inf).sum(axis=1)[:, None]


def test_one_infinite_score_of_two_answers_is_above_0():
    for model in (far(0, 1), far(-1, 1), ForwardModel(steps, "ab")):
        assert [model(word) for word in ("aaa", "bbb", "aba")] == [1, 0, None]
    flipped = far(0, -1)
    assert [flipped(word) for word in ("aaa", "bbb", "aba")] == [0, 1, None]


@pytest.mark.parametrize(
    ("length", "limits", "count"),
    [(4, {}, True), (16, {}, True), (24, {}, True), (8, {"states": 1}, False), (16, {"states": 1, "words": 1}, False)],
    ids=["few words", "product", "long", "tried", "tried among few"],
)
def test_no_answer_is_wrong_whichever_is_wanted(length, limits, count):
    model, task = far(0, 1), read_task(ALL_A, length, "ab")
    found = cc.audit(model, task, **limits)
    assert found.verdict == "wrong"
    if count:
        assert found.wrong_words == 2**length - 2
        assert (found.failure.answer, found.failure.right) == (None, 0)
        assert "it gives no answer, as a score is NaN, not 0" in str(found)
        assert found.verify()
        assert Audit.from_json(found.to_json(), task) == found


def test_words_of_a_forward_pass_and_every_position():
    for model in (ForwardModel(steps, "ab"), far(0, 1)):
        found = cc.audit(model, read_task(ALL_A, 4, "ab"))
        assert (found.verdict, found.wrong_words, found.failure.answer) == ("wrong", 14, None)
        assert model(found.failure.word) is None
        assert model.mistake(read_task(ALL_A, 4, "ab")) == "aaab"
    each = ForwardModel(
        lambda ids: np.stack([steps(ids[:, :end])[:, 0] for end in range(1, 5)], axis=1)[..., None], "ab"
    )
    for model in (each, far(0, 1)):
        found = cc.audit(*every_position(model, read_task(ALL_A, 4, "ab")))
        assert (found.verdict, found.wrong_words) == ("wrong", 14)


def test_a_learned_automaton_shows_that_there_is_no_answer():
    found = learned_automaton(far(0, 1), read_task(ALL_A, 6, "ab"))
    assert found.agrees == 1
    assert found.automaton.answers == (0, 1, "another answer")
    assert not found.is_the_task
