"""Scores that are infinite or NaN: the same is said of them on every way to a verdict."""

from dataclasses import replace

import numpy as np
import pytest

import ccsim as cc
from ccsim import InputError
from ccsim.auditing import Audit, every_position, learned_automaton, read_task
from ccsim.cli.app import run_app
from ccsim.models import ForwardModel
from ccsim.models.files import Description, Tensors, build_model
from tests.models.test_float_models import float_model

ALL_A = "re:a*"


def far(*read_out):
    """After a's alone the state is infinite, after b's alone the opposite, after both of them NaN."""
    tensors = {
        "embedding.weight": np.float32([[3e4], [-3e4]]),
        "weight_ih_l0": np.float32([[3]]),
        "weight_hh_l0": np.float32([[1]]),
        "head.weight": np.float32(read_out)[:, None],
    }
    plain = {"architecture": "elman", "activation": "identity", "tokens": ["a", "b"]}
    plain["read_out"] = {"weight": "head.weight"}
    return build_model(Description.from_json(plain), Tensors(tensors, "far"), arithmetic="fp16")


def test_a_bias_beyond_the_range_is_refused_and_the_model_before_may_go_beyond_it():
    tensors = {"embedding.weight": [[3e38], [1]], "weight_ih_l0": [[3e38]], "weight_hh_l0": [[3e38]]}
    tensors |= {"head.weight": [[1]], "head.bias": [1e6]}
    plain = {"architecture": "elman", "activation": "identity", "tokens": ["a", "b"]}
    plain["read_out"] = {"weight": "head.weight", "bias": "head.bias"}
    given = Tensors({name: np.float32(array) for name, array in tensors.items()}, "far")
    loaded = build_model(Description.from_json(plain), given, arithmetic="fp32")
    assert loaded.float_answer("a" * 20) == loaded.model("a" * 20) == 1
    near = {name: np.ones_like(array) for name, array in given.items()} | {"head.bias": np.float32([1e6])}
    with pytest.raises(InputError, match=r"bias of read-out.*that fp16 has"):
        build_model(Description.from_json(plain), Tensors(near, "near"), arithmetic="fp16")


def steps(ids):
    """The same as a forward pass."""
    with np.errstate(invalid="ignore"):
        return np.where(ids == 0, np.inf, -np.inf).sum(axis=1)[:, None]


def test_one_infinite_score_of_two_answers_is_above_0_in_files():
    for model in (far(1).model, far(-1, 1).model, ForwardModel(steps, "ab")):
        assert [model(word) for word in ("aaa", "bbb", "aba")] == [1, 0, None]
    flipped = far(-1).model
    assert [flipped(word) for word in ("aaa", "bbb", "aba")] == [0, 1, None]
    for case in ("nanogpt", "encoder-after"):
        whole = float_model(case, "fp16").model
        word, parts = "a" * whole.length, whole.parts
        for sign in (1, -1):
            large = np.where(parts.scores[:1] < 0, -1, 1) * np.float32(sign * 6e4)
            single = replace(whole, answers=(0, 1), parts=replace(parts, scores=large, bias=0 * parts.bias[:1]))
            first, second = single.outputs(single.ranks(word)[None])[0]
            assert first == 0
            assert np.isinf(second)
            assert single(word) == int(second > 0)


@pytest.mark.parametrize(
    ("length", "limits", "count"),
    [(4, {}, True), (16, {}, True), (40, {}, True), (16, {"states": 1}, False), (16, {"states": 1, "words": 1}, False)],
    ids=["few words", "product", "long", "tried", "tried among few"],
)
def test_no_answer_is_wrong_whichever_is_wanted(length, limits, count):
    model, task = far(1).model, read_task(ALL_A, length, "ab")
    found = cc.audit(model, task, **limits)
    assert found.verdict == "wrong"
    if count:
        assert found.wrong_words == 2**length - 2
        assert (found.failure.answer, found.failure.right) == (None, 0)
        assert "it gives no answer, as a score is NaN, not 0" in str(found)
        assert found.verify()
        assert Audit.from_json(found.to_json(), task) == found


def test_words_of_a_forward_pass_and_every_position():
    for model in (ForwardModel(steps, "ab"), far(1).model):
        found = cc.audit(model, read_task(ALL_A, 4, "ab"))
        assert (found.verdict, found.wrong_words, found.failure.answer) == ("wrong", 14, None)
        assert model.mistake(read_task(ALL_A, 4, "ab")) == "".join(found.failure.word)
    each = ForwardModel(
        lambda ids: np.stack([steps(ids[:, :end])[:, 0] for end in range(1, 5)], axis=1)[..., None], "ab"
    )
    for model in (each, far(1).model):
        found = cc.audit(*every_position(model, read_task(ALL_A, 4, "ab")))
        assert (found.verdict, found.wrong_words) == ("wrong", 14)


def test_a_learned_automaton_shows_that_there_is_no_answer():
    found = learned_automaton(far(1).model, read_task(ALL_A, 6, "ab"))
    assert found.agrees == 1
    assert found.automaton.answers == (0, 1, "another answer")
    assert not found.is_the_task


def test_the_command_tells_whose_mistake_it_is(tmp_path, capsys):
    arrays = {"embedding.weight": [[3e4], [-3e4]], "weight_ih_l0": [[3]], "weight_hh_l0": [[1]], "head.weight": [[1]]}
    np.savez(tmp_path / "far.npz", **{name: np.float32(array) for name, array in arrays.items()})
    (tmp_path / "far.toml").write_text(
        'architecture = "elman"\nactivation = "identity"\nembedding = "embedding.weight"\ntokens = ["a", "b"]\n'
        'arithmetic = "fp16"\nread_out = {weight = "head.weight"}\n'
    )
    status = run_app(["audit", str(tmp_path / "far.toml"), "--task", ALL_A, "--alphabet", "ab", "-n", "4"])
    told = capsys.readouterr().out
    assert status == 1
    assert "gives no answer, as a score is NaN, not 0" in told
    assert "in float64 it answers 1 there, which is wrong too" in told
