"""Audits of answers at every position, beside word by word; and how words are laid out from the command line."""

import itertools
import json

import numpy as np
import pytest

import ccsim as cc
from ccsim import InputError
from ccsim.auditing import every_position, modular_counting
from ccsim.cli.app import run_app
from ccsim.models import GRU, ForwardModel
from ccsim.problems import equality_of_halves, parity_of_word

MINE = """
import numpy as np
def parity(ids):  # 5 is BOS, 10 and 11 are the symbols, 7 asks
    assert (ids[:, 0] == 5).all() and (ids[:, -1] == 0).all() and ids.shape[1] == 8
    return np.stack([0.5 * np.ones_like(ids), np.zeros_like(ids), (ids == 11).cumsum(1) % 2], axis=2)
early = lambda ids: ((ids.cumsum(1) % 2) * (ids.cumsum(1) < 3) * 2 - 1)[:, :, None]
"""


def first_wrong(model, length):
    """By the definition: every beginning of every word, one by one."""
    found = {}
    for word in itertools.product("01", repeat=length):
        wrong = [end for end in range(1, length + 1) if model(word[:end]) != word[:end].count("1") % 2]
        found[word] = wrong[0] if wrong else "right at every position"
    return found


def test_the_first_wrong_position_is_told():
    for seed in range(2):
        model = GRU.random("01", width=2, precision=8, seed=seed)
        checked, asked = every_position(model, parity_of_word(4))
        expected = first_wrong(model, 4)
        assert {word: checked(word) for word in expected} == expected, seed
        found = cc.audit(checked, asked)
        assert found.wrong_words == sum(answer != "right at every position" for answer in expected.values()), seed
        assert found.verify(), seed


def test_a_model_that_is_right_everywhere_and_tasks_of_one_length():
    right = ForwardModel(lambda ids: (ids.cumsum(axis=1) % 2 * 2 - 1)[:, :, None], "01")
    assert cc.audit(*every_position(right, modular_counting(6, 2))).reason.startswith("run, not proved: all 64 words")
    with pytest.raises(InputError, match="words of every length"):
        every_position(right, equality_of_halves(6))
    last = ForwardModel(lambda ids: 2 * ids[:, -1:] - 1, "01")
    with pytest.raises(InputError, match="scores at all of 6 positions"):
        cc.audit(*every_position(last, parity_of_word(6)))


def run(capsys, *arguments):
    code = run_app(["audit", *map(str, arguments)])
    return code, capsys.readouterr()


def test_layouts_from_the_command_line(tmp_path, capsys):
    mine = tmp_path / "mine.py"
    mine.write_text(MINE)
    layout = ["--tokens", "10,11", "--before", "5", "--after", "7", "--pad", "0,8", "--position", "-2", "--rows", "0,2"]
    code, said = run(capsys, f"{mine}:parity", "--task", "mod:2", "-n", 5, *layout, "--json")
    assert (code, json.loads(said.out)["verdict"]) == (0, "right")
    code, said = run(capsys, f"{mine}:early", "--task", "mod:2", "-n", 4, "--every-position")
    assert code == 1
    assert "on 0111 it is wrong after 4 of its symbols" in said.out
    for option, text, told in (
        ("--tokens", "10", "one for each"),
        ("--pad", "0", "an id and a length"),
        ("--position", "1,2", "one position"),
        ("--rows", "a", "whole numbers"),
    ):
        code, said = run(capsys, f"{mine}:parity", "--task", "mod:2", "-n", 5, option, text)
        assert code == 2
        assert told in said.err
    code, said = run(capsys, "protocols/trained/dyck-lstm.safetensors", "--task", "dyck", "-n", 4, "--before", "1")
    assert code == 2


def test_what_is_learnt_and_a_collision_are_drawn(tmp_path, capsys):
    model = "protocols/trained/leaderboard_models/modulo-lstm.safetensors"
    picture = tmp_path / "learnt.svg"
    code, said = run(capsys, model, "--task", "mod:3", "-n", 6, "--draw", picture, "--tolerance", "1", "--json")
    assert (code, json.loads(said.out)["drawn"]) == (0, str(picture))
    assert "learnt: an automaton of 3 states" in picture.read_text()
    code, said = run(capsys, model, "--task", "mod:3", "-n", 6, "--draw", tmp_path / "learnt.jpg")
    assert code == 2
    code, said = run(
        capsys, "protocols/trained/dyck-transformer.safetensors", "--task", "dyck", "-n", 4, "--draw", picture
    )
    assert "not drawn: what it has learnt, as only recurrent models have states" in said.out


def test_collisions_of_each_kind_are_drawn():
    found = cc.audit(GRU.random("01", width=1, precision=3, seed=0), equality_of_halves(8))
    picture = cc.plots.collision_picture(found.failure.collision)
    assert picture.alt == str(found.failure.collision)
    assert all(cc.auditing.result.show(prefix) in picture.svg for prefix in found.failure.collision.prefixes)
    words = (("0", "1"), ("1", "1"))
    said = cc.plots.collision_picture(cc.auditing.TranscriptCollision("AB", words, ("0", "1"), (1, 1, 0), (2,)))
    assert "1 is wanted of both" in said.svg
    assert np.all([picture.width > 100, said.height > 50])


def described(folder, **entries):
    """A GRU of random weights over BOS (id 3), a, b and a separator (id 0)."""
    generator = np.random.default_rng(34)
    shapes = {"embedding.weight": (4, 3), "weight_ih_l0": (12, 3), "weight_hh_l0": (12, 4), "head.weight": (2, 4)}
    np.savez(folder / "net.npz", **{name: generator.normal(size=shape) for name, shape in shapes.items()})
    plain = {"architecture": "gru", "tokens": {"0": 1, "1": 2}, "precision": 12, "before": [3], "after": [0]}
    read_out = {"embedding": "embedding.weight", "read_out": {"weight": "head.weight"}}
    (folder / "net.json").write_text(json.dumps(plain | read_out | entries))
    return folder / "net.json"


def test_every_position_behind_bos_of_a_model_in_a_file(tmp_path, capsys):
    path = described(tmp_path)
    loaded = cc.models.files.load_model(path)
    checked, _ = every_position(loaded.model, parity_of_word(4), before=loaded.description.frame[0])
    alone = loaded.model
    expected = first_wrong(lambda word: alone(("<3>", *word)), 4)
    assert {word: checked(word) for word in expected} == expected
    assert len(set(expected.values())) > 1
    bare, _ = every_position(loaded.model, parity_of_word(4))
    assert {word: bare(word) for word in expected} != expected
    code, said = run(capsys, path, "--task", "mod:2", "-n", 4, "--every-position", "--json")
    failing = sum(answer != "right at every position" for answer in expected.values())
    assert (code, json.loads(said.out)["accuracy"]["wrong"]) == (1, failing)


def test_a_transformer_in_a_file_is_asked_as_its_module(capsys):
    code, said = run(
        capsys, "protocols/trained/dyck-transformer.safetensors", "--task", "dyck", "-n", 4, "--every-position"
    )
    assert (code, "the module itself, which is run at every position" in said.err) == (2, True)
