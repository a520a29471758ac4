"""Models from files whose words stand between fixed ids: BOS, separators, queries, padding in front."""

import json

import numpy as np
import pytest

import ccsim as cc
from ccsim.cli.app import run_app
from ccsim.models.files import Description, build_model
from ccsim.models.files.description import Tensors
from ccsim.problems import dyck, parity_of_word
from ccsim.problems.lookup import framed_task
from tests.models.model_file_samples import ENCODER, MAMBA, description, pytorch_tensors, waves
from tests.refusals import refused

ENCODED = {"positions": "position.weight", "heads": 2, "activation": "relu", "options": {"norm_first": False}}
KINDS = {
    "lstm": description(architecture="lstm", prefix="rnn.", embedding="embedding.weight"),
    "mamba": description(architecture="mamba", layers=["mixer."], embedding="embedding.weight"),
    "encoder": description(
        architecture="transformer", convention="pytorch", prefix="encoder.", embedding="embedding.weight", **ENCODED
    ),
}
TENSORS = {"lstm": pytorch_tensors("lstm"), "mamba": waves(MAMBA), "encoder": waves(ENCODER)}
AROUND = [([2], []), ([], [2]), ([2, 2], [0])]
NAMES = {0: "0", 1: "1", 2: "<2>"}


def loaded_between(case, before, after, length=3):
    plain = {**KINDS[case], "tokens": {"0": 0, "1": 1}, "before": before, "after": after}
    tensors = Tensors(TENSORS[case], case)
    return build_model(Description.from_json(plain), tensors, precision=12, length=length)


@pytest.mark.parametrize(
    ("case", "before", "after"),
    [
        *(("lstm", *around) for around in AROUND),
        ("encoder", *AROUND[2]),
        ("encoder", *AROUND[0]),
        ("mamba", *AROUND[2]),
    ],
)
def test_the_model_reads_what_is_around_each_word(case, before, after):
    loaded, task = loaded_between(case, before, after), parity_of_word(3)
    found = cc.audit(loaded.model, loaded.framed(task))
    whole = build_model(
        Description.from_json({**KINDS[case], "tokens": ["0", "1", "2"]}),
        Tensors(TENSORS[case], case),
        precision=12,
        length=3 + len(before) + len(after),
    )
    words = task.words.array(np.arange(8))
    fed = np.concatenate([np.tile(before, (8, 1)), words, np.tile(after, (8, 1))], axis=1).astype(np.int64)
    assert found.wrong_words == (whole.model.codes(fed) != task.evaluate(words)).sum()
    front, back = ([NAMES[number] for number in part] for part in (before, after))
    if found.failure is not None:
        assert found.failure.word[: len(front)] == tuple(front)
        assert found.failure.word[3 + len(front) :] == tuple(back)
        assert found.verify()


def test_the_task_within_is_the_same():
    task, framed = dyck(6), framed_task(dyck(6), "^^", "$(")
    words = framed.words.array(np.arange(framed.words.size))
    assert (framed.evaluate(words) == task.codes()).all()
    machine, states = framed.machine, np.repeat(framed.machine.start[None], len(words), axis=0)
    for place in range(framed.length):
        states = machine.step(states, words[:, place], place + 1)
    assert (machine.codes(states) == task.codes()).all()
    assert framed_task(task) is task


def test_what_tells_two_prefixes_apart_goes_on_to_the_end():
    for read in range(10):
        framed = framed_task(cc.problems.equality_of_halves(6), "ab", "cd")
        words, machine = framed.words.array(np.arange(64)), framed.machine
        states = np.repeat(machine.start[None], 64, axis=0)
        for place in range(read):
            states = machine.step(states, words[:, place], place + 1)
        end = machine.separate(states[0], states[63], read)
        assert (end is None) == (read < 3 or read > 7), read  # both have read the same, or all of the word
        if end is not None:
            both = [np.concatenate([words[word, :read], end]) for word in (0, 63)]
            assert len(both[0]) == framed.length, read
            assert framed.evaluate(both[0]) != framed.evaluate(both[1]), read


def test_ids_that_are_none_are_refused():
    cases = (
        ("before", 1, "a list of ids"),
        ("after", [-1], "from 0 to"),
        ("before", [7], "rows"),
        ("after", ["a"], "int"),
    )
    for entry, value, expected in cases:
        plain = {**KINDS["lstm"], "tokens": {"0": 0, "1": 1}, entry: value}
        with refused(expected):
            build_model(Description.from_json(plain), Tensors(TENSORS["lstm"], "x"), precision=12)


def test_from_the_command_line(tmp_path, capsys):
    np.savez(tmp_path / "model.npz", **TENSORS["lstm"])
    plain = {**KINDS["lstm"], "tokens": {"0": 0, "1": 1}, "before": [2], "after": [2], "precision": 16}
    (tmp_path / "model.json").write_text(json.dumps(plain))
    arguments = ["audit", str(tmp_path / "model.json"), "--task", "parity-of-word", "-n", "5"]
    assert run_app(arguments) == 1
    told = capsys.readouterr().out
    assert "of <2> parity_of_word(5) <2>" in told
    assert "of all 32 words" in told
    assert run_app([*arguments, "--every-position"]) == 1
    assert "at every position" in capsys.readouterr().out
