"""Audits of the trained models: what a sample of words does not show, all of them do."""

from importlib.resources import files

import pytest

import ccsim as cc
from ccsim.cli.app import run_app
from protocols import trained
from protocols.trained import trained_model, trained_task
from tests.oracles.every_word import brute_force
from tests.printed import printed_json
from tests.slow import slow

FOLDER = files(trained)
WRONG = {
    "equality-mamba": 15,
    "lookup-mamba": 128,
    "equality-lstm": 0,
    "equality-transformer": 80,
    "lookup-lstm": 50,
    "lookup-transformer": 0,
    "dyck-lstm": 2,
    "lookup-diagonal": 5,
    "lookup-linear": 744,
    "equality-diagonal": 0,
    "equality-linear": 15,
}


QUICK = ["equality-transformer", "equality-diagonal", "dyck-lstm"]


@pytest.mark.parametrize("names", [QUICK, slow([name for name in WRONG if name not in QUICK])])
def test_exactly_so_many_words_are_wrong(names):
    for name in names:
        loaded, task = trained_model(name), trained_task(name)
        assert (loaded.unused, loaded.saturated) == ((), 0), name
        model = loaded.model
        found = cc.audit(model, task)
        assert found.wrong_words == WRONG[name] == len(brute_force(model, task)[1]), name
        assert not found.need.excluded, name  # the bound is not to blame at this length
        assert not WRONG[name] or found.verify(), name


def call(capsys, *arguments):
    code = run_app(list(arguments))
    return code, capsys.readouterr()


def test_the_command_finds_the_word_and_says_so(capsys, tmp_path):
    file, saved = str(FOLDER / "equality-transformer.safetensors"), tmp_path / "audit.json"
    arguments = ("audit", file, "--task", "equality-of-halves", "--length", "8", "--save", str(saved), "--json")
    code, printed = call(capsys, *arguments)
    data = printed_json("audit", printed.out)
    assert code == 1
    assert (data["verdict"], data["wrong_words"], data["words"]) == ("wrong", 80, 256)
    assert data["failure"]["collision"]["kind"] == "transcript"
    assert data["file"]["precision"] == {"bits": 16, "scale": 2048}
    assert data["quantised"]["compared"] == 256
    assert data["saved"] == str(saved)
    again = cc.auditing.Audit.load(saved, trained_task("equality-transformer"))
    assert again.verify(trained_model("equality-transformer").model, trained_task("equality-transformer"))


def test_the_command_proves_a_model_right(capsys):
    file = str(FOLDER / "equality-lstm.safetensors")
    code, printed = call(capsys, "audit", file, "--task", "equality-of-halves", "--length", "8")
    assert code == 0
    assert printed.out.startswith("right: equality-lstm, as read, is right on all 256 words of 8 symbols")
    assert "differ on 0 of all 256 words" in printed.out


def test_state_collisions_and_precision_from_the_command_line(capsys):
    file = str(FOLDER / "dyck-lstm.safetensors")
    code, printed = call(capsys, "audit", file, "--task", "dyck", "-n", "6", "--precision", "8", "--json")
    data = printed_json("audit", printed.out)
    assert (code, data["size"]["state_bits"]) == (1, 128)


def test_bad_input_of_the_command_is_one_line_and_code_2(capsys):
    for arguments, message in [
        (("missing.safetensors", "--task", "dyck", "-n", "8"), "exists"),
        (("dyck-lstm.safetensors", "--task", "disjointness", "-n", "8"), "a task on words"),
        (("dyck-lstm.safetensors", "--task", "dycc", "-n", "8"), "dyck"),
        (("dyck-lstm.safetensors", "--task", "index-lookup", "-n", "8"), "symbol"),
        (("dyck-transformer.safetensors", "--task", "dyck", "-n", "12"), "12 positions"),
        (("dyck-lstm.safetensors", "--task", "dyck", "-n", "8", "--precision", "99"), "precision"),
        (("dyck-lstm.safetensors", "--task", "dyck", "-n", "99999999"), "length = 99999999"),
        (("dyck-lstm.safetensors", "--task", "dyck", "-n", "8", "--seed", "-1"), "seed = -1"),
        (
            ("dyck-lstm.safetensors", "--task", "dyck", "-n", "8", "--save", "no/such/folder.json"),
            "a folder that exists",
        ),
    ]:
        name, *rest = arguments
        code, printed = call(capsys, "audit", str(FOLDER / name), *rest)
        assert (code, printed.out) == (2, ""), arguments
        assert message in printed.err, arguments
        assert printed.err.count("\n") == 1, arguments
