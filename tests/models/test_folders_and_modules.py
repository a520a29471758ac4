"""Folders of Hugging Face are run by transformers, and weights in the module that their owner names."""

import json
import sys

import numpy as np
import pytest

import ccsim as cc
from ccsim import InputError
from ccsim.auditing import modular_counting, read_task
from ccsim.cli.app import run_app
from ccsim.models import ForwardModel
from ccsim.models.files import load_model, open_forward, write_safetensors

torch = pytest.importorskip("torch")

NET = """
import torch

class Net(torch.nn.Module):
    def __init__(self, kind=torch.nn.LSTM):
        super().__init__()
        self.rows, self.cells, self.head = torch.nn.Embedding(2, 3), kind(3, 4, batch_first=True), torch.nn.Linear(4, 2)

    def forward(self, ids):
        return self.head(self.cells(self.rows(ids))[0][:, -1])

ready = Net()
def wide(width):
    return Net()
def broken():
    raise RuntimeError("no weights")
def other():
    return "a text"
"""
PARITY = modular_counting(5, 2)
ASKED = ["--task", "mod:2", "-n", "5"]


@pytest.fixture
def net(tmp_path):
    """A file with a class, and a module of it with weights that were never in a file."""
    (tmp_path / "net.py").write_text(NET)
    torch.manual_seed(1)
    made = cc.auditing.tasks.object_in_file(f"{tmp_path / 'net.py'}:Net")()
    for each in made.parameters():
        each.data *= 4
    return made


@pytest.mark.parametrize("ending", ["ckpt", "safetensors", "npz"])
def test_weights_are_audited_in_the_module_that_is_named(tmp_path, net, capsys, ending):
    path, state = tmp_path / f"weights.{ending}", net.state_dict()
    arrays = {name: each.numpy() for name, each in state.items()}
    if ending == "npz":
        np.savez(path, **arrays)
    elif ending == "safetensors":
        write_safetensors(path, arrays)
    else:
        torch.save({"state_dict": state, "epoch": 3} if ending == "ckpt" else state, path)
    wrong = cc.audit(net, PARITY).wrong_words
    for name in ("Net", "ready"):
        assert run_app(["audit", str(path), "--module", f"{tmp_path / 'net.py'}:{name}", *ASKED, "--json"]) == 1
        told = json.loads(capsys.readouterr().out)
        assert (told["wrong_words"], told["file"]) == (wrong, None)
    assert run_app(["audit", str(path), "--module", f"{tmp_path / 'net.py'}:Net", *ASKED, "--precision", "16"]) == 1
    assert "as read" in capsys.readouterr().out


def test_weights_that_do_not_fit_are_named_in_one_line(tmp_path, net, capsys):
    state = net.state_dict()
    odd = {f"module.{name}" if name.startswith("head") else name: each for name, each in state.items()}
    odd["rows.weight"] = torch.zeros(3, 3)
    told = refused(tmp_path, capsys, odd, "Net")
    assert all(f'"{each}"' in told for each in ("head.bias", "head.weight", "module.head.bias", "module.head.weight"))
    assert "size mismatch for rows.weight" in told
    for name, message in (
        ("wide", "without arguments"),
        ("broken", "no weights"),
        ("other", "a module of PyTorch"),
        ("Nett", "a name in net.py"),
    ):
        assert message in refused(tmp_path, capsys, state, name)
    assert "a file that ends in" in refused(tmp_path, capsys, state, "Net", f"{tmp_path / 'net.py'}:Net")
    torch.save(net.head, tmp_path / "whole.pt")
    assert "save the weights alone" in refused(tmp_path, capsys, state, "Net", str(tmp_path / "whole.pt"))


def refused(folder, capsys, state, name, file=None):
    torch.save(state, folder / "weights.pt")
    given = str(folder / "weights.pt") if file is None else file
    assert run_app(["audit", given, "--module", f"{folder / 'net.py'}:{name}", *ASKED]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    return told


SIZES = {"hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "vocab_size": 6}


@pytest.fixture
def transformers(monkeypatch):
    library = pytest.importorskip("transformers")
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.setenv(name, "1")
    return library


def folder_of(path, made):
    torch.manual_seed(0)
    for each in made.parameters():
        each.data.normal_()
    made.eval().save_pretrained(path)
    return made


@pytest.mark.slow
def test_a_language_model_answers_by_the_ids_of_its_answers(tmp_path, transformers, capsys):
    made = folder_of(tmp_path / "mine", transformers.LlamaForCausalLM(transformers.LlamaConfig(**SIZES)))
    capsys.readouterr()
    task, tokens = read_task("re:(ab)*", 4), {"a": 4, "b": 2}
    wrong = 0
    for word in range(16):
        text = f"{word:04b}".replace("0", "a").replace("1", "b")
        with torch.no_grad():
            scores = made(torch.tensor([[1, *(tokens[symbol] for symbol in text)]])).logits[0, -1, [3, 5]]
        wrong += int(scores.argmax()) != task(text)
    asked = ["--task", "re:(ab)*", "-n", "4", "--tokens", "4,2", "--before", "1", "--rows", "3,5"]
    assert run_app(["audit", str(tmp_path / "mine"), *asked, "--json"]) == 1
    told = capsys.readouterr()
    assert json.loads(told.out)["wrong_words"] == wrong
    assert "Loading weights" not in told.err
    for more in (["--precision", "16"],):
        assert run_app(["audit", str(tmp_path / "mine"), *asked, *more]) == 2
        assert "this is run as it is" in capsys.readouterr().err
    (tmp_path / "mine" / "ccsim.toml").write_text('check = "logits.npz"\n')
    assert run_app(["audit", str(tmp_path / "mine"), *asked]) == 2
    assert "ccsim.toml" in capsys.readouterr().err
    with pytest.raises(InputError, match="run as it is"):
        load_model(tmp_path / "mine")


@pytest.mark.slow
def test_a_classifier_answers_by_its_labels(tmp_path, transformers):
    sizes = SIZES | {"num_labels": 3, "pad_token_id": 5, "max_position_embeddings": 16}
    made = folder_of(tmp_path, transformers.BertForSequenceClassification(transformers.BertConfig(**sizes)))
    model = ForwardModel(open_forward(tmp_path), "abc", (0, 1, 2))
    words = np.random.default_rng(0).integers(3, size=(20, 5))
    with torch.no_grad():
        assert np.allclose(model.scores(words), made(torch.tensor(words)).logits.numpy(), atol=1e-5)


@pytest.mark.slow
def test_folders_that_lie(tmp_path, transformers, monkeypatch):
    sizes = {"vocab_size": 6, "n_positions": 16, "n_embd": 8, "n_layer": 1, "n_head": 2}
    made = folder_of(tmp_path, transformers.GPT2LMHeadModel(transformers.GPT2Config(**sizes)))
    plain = json.loads((tmp_path / "config.json").read_text())
    weights = {name: each.numpy() for name, each in made.state_dict().items() if name != "lm_head.weight"}
    assert open_forward(tmp_path)(torch.tensor([[1]])).logits.shape == (1, 1, 6)

    def refusal():
        with pytest.raises(InputError) as caught:
            open_forward(tmp_path)
        return str(caught.value)

    name = next(each for each in weights if "c_proj" in each)
    torch.save(made.state_dict(), tmp_path / "pytorch_model.bin")
    for changed, message in (
        ({each: array for each, array in weights.items() if each != name}, f"missing: {name}"),
        (weights | {name: np.zeros((3, 3), np.float32)}, f"of another shape: {name}"),
    ):
        write_safetensors(tmp_path / "model.safetensors", changed, {"format": "pt"})
        assert message in refusal()
    (tmp_path / "model.safetensors").unlink()
    assert "model.safetensors" in refusal()  # and not the pickle
    write_safetensors(tmp_path / "model.safetensors", weights, {"format": "pt"})
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    own = {"AutoConfig": "evil.Config", "AutoModelForCausalLM": "evil.Model"}
    for entries, message in (
        ({"model_type": "evil", "auto_map": own}, "custom code"),
        ({"architectures": ["GPT2Model"]}, "config.architectures"),
        ({"model_type": None}, "transformers loads"),
    ):
        (tmp_path / "config.json").write_text(json.dumps(plain | entries))
        assert message in refusal()
    assert not (tmp_path / "ran").exists()
    monkeypatch.setitem(sys.modules, "transformers", None)
    assert "pip install 'ccsim[transformers]'" in refusal()
    (tmp_path / "config.json").unlink()
    assert "config.json and model.safetensors" in refusal()
