"""Against PyTorch itself, where it is installed: what is read is what it computes, from the files that it writes."""

import json

import numpy as np
import pytest

import ccsim as cc
from ccsim import InputError
from ccsim.auditing import modular_counting
from ccsim.models.files import load_model, read_module, record_check
from tests.refusals import refused
from tests.slow import slow

torch = pytest.importorskip("torch")
WORDS = np.array([[0, 1, 2, 1], [2, 2, 0, 1], [1, 0, 0, 2], [0, 0, 0, 0]])
READ_OUT = {
    "read_out": {"weight": "head.weight", "bias": "head.bias"},
    "precision": {"integer_bits": 8, "fraction_bits": 20},
}
ENCODER = {
    "architecture": "transformer",
    "convention": "pytorch",
    "prefix": "encoder.",
    "embedding": "embedding.weight",
    "positions": "position.weight",
    "heads": 3,
    "length": 4,
}


class Encoder(torch.nn.Module):
    """An ordinary one, read out at the last position."""

    def __init__(self, norm_first, activation, last):
        super().__init__()
        self.embedding, self.position = torch.nn.Embedding(3, 12), torch.nn.Embedding(9, 12)
        layer = torch.nn.TransformerEncoderLayer(
            12, 3, 20, activation=activation, batch_first=True, norm_first=norm_first
        )
        norm = torch.nn.LayerNorm(12) if last else None
        self.encoder = torch.nn.TransformerEncoder(layer, 1, norm=norm, enable_nested_tensor=False)
        self.head = torch.nn.Linear(12, 2)

    def forward(self, words, at=-1):
        stream = self.embedding(words) + self.position(torch.arange(words.shape[1]))
        return self.head(self.encoder(stream)[:, at])


def saved(folder, model, **described):
    """Weights, a description, and what the model says on some words, as its owner would write them."""
    generator = torch.Generator().manual_seed(0)
    for tensor in model.parameters():
        tensor.data = torch.randn(tensor.shape, generator=generator) / 2
    torch.save(model.eval().state_dict(), folder / "mine.pt")
    record_check(folder / "logits.npz", WORDS, model(torch.tensor(WORDS)).detach().numpy())
    plain = {"tokens": ["a", "b", "c"], "check": "logits.npz", **READ_OUT, **described}
    (folder / "mine.json").write_text(json.dumps(plain))
    return folder / "mine.pt"


@pytest.mark.parametrize(
    ("norm_first", "last", "activation"),
    [(False, False, "gelu"), (False, True, "relu"), (True, False, "relu"), (True, True, "gelu")],
)
def test_an_encoder_layer_is_read_in_either_order_of_norms(tmp_path, norm_first, last, activation):
    model = Encoder(norm_first, activation, last)
    path = saved(tmp_path, model, **ENCODER, activation=activation, options={"norm_first": norm_first})
    loaded = load_model(path)
    scores = model(torch.tensor(WORDS)).detach().numpy()
    assert loaded.checked == len(WORDS)
    assert np.allclose(loaded.model.precision.floats(loaded.model.outputs(WORDS)), scores, atol=2e-3)
    for spoilt in ({"options": {"norm_first": not norm_first}}, {"activation": "tanh"}):
        wrong = json.loads((tmp_path / "mine.json").read_text()) | spoilt
        (tmp_path / "mine.json").write_text(json.dumps(wrong))
        with pytest.raises(InputError, match="the description does not fit"):
            load_model(path)
        (tmp_path / "mine.json").write_text(json.dumps(wrong | {"activation": activation}))


class Recurrent(torch.nn.Module):
    """Known parts, joined as is usual, or otherwise."""

    def __init__(self, kind, place=-1, **options):
        super().__init__()
        self.embedding, self.rnn = torch.nn.Embedding(3, 5), kind(5, 6, batch_first=True, **options)
        self.head, self.place = torch.nn.Linear(6, 2), place

    def forward(self, words):
        return self.head(self.rnn(self.embedding(words))[0][:, self.place])


def test_the_weights_of_a_checkpoint_are_read(tmp_path):
    model = Recurrent(torch.nn.GRU, num_layers=2)
    path = saved(tmp_path, model, architecture="gru", prefix="rnn.", embedding="embedding.weight")
    plain = load_model(path).model
    torch.save({"model_state_dict": model.state_dict(), "epoch": 3, "loss": 0.5}, path)
    again = load_model(path)
    assert again.checked == len(WORDS)
    assert np.array_equal(again.model.codes(WORDS), plain.codes(WORDS))


@pytest.mark.parametrize("kind", [torch.nn.RNN, slow(torch.nn.LSTM), slow(torch.nn.GRU)])
def test_a_module_of_known_parts_is_read_and_compared_with_its_forward_pass(kind):
    torch.manual_seed(0)
    module = Recurrent(kind)
    loaded = read_module(module, "abc", length=6, precision=14)
    scores = module(torch.tensor(WORDS)).detach().numpy()
    assert (loaded.checked, loaded.every) == (729, True)
    assert (loaded.model.codes(WORDS) == scores.argmax(axis=1)).all()
    task = modular_counting(6, 2, "abc")
    exact, run = cc.audit(module, task, precision=24), cc.audit(module, task)
    assert (exact.wrong_words, "24 bits" in exact.arithmetic) == (run.wrong_words, True)
    with pytest.raises(InputError, match="its forward pass does something else"):
        read_module(Recurrent(kind, place=0), "abc", length=6, precision=14)


class ByCells(torch.nn.Module):
    """A cell, run symbol by symbol, on an embedding or on vectors with a single 1."""

    def __init__(self, kind, embedded):
        super().__init__()
        self.rows = torch.nn.Embedding(3, 3) if embedded else None
        self.cell, self.head = kind(3, 5), torch.nn.Linear(5, 2)

    def forward(self, words):
        rows = torch.nn.functional.one_hot(words, 3).float() if self.rows is None else self.rows(words)
        state = torch.zeros(len(words), 5)
        state = (state, state) if isinstance(self.cell, torch.nn.LSTMCell) else state
        for place in range(words.shape[1]):
            state = self.cell(rows[:, place], state)
        return self.head(state[0] if isinstance(state, tuple) else state)


@pytest.mark.parametrize(
    ("kind", "embedded"), [(torch.nn.RNNCell, True), (torch.nn.LSTMCell, False), (torch.nn.GRUCell, True)]
)
def test_cells_and_vectors_with_a_single_one_are_read(kind, embedded):
    torch.manual_seed(0)
    module = ByCells(kind, embedded)
    loaded = read_module(module, "abc", length=6, precision=14)
    assert (loaded.checked, loaded.every) == (729, True)
    assert (loaded.model.codes(WORDS) == module(torch.tensor(WORDS)).detach().numpy().argmax(axis=1)).all()


def test_modules_of_other_parts_are_refused_and_an_encoder_is_read():
    loaded = read_module(Encoder(True, "gelu", True), "abc", length=4, precision=24)
    assert (loaded.checked, loaded.description.options) == (81, {"norm_first": True})
    for module, told in (
        (Recurrent(torch.nn.LSTM, bidirectional=True), "one direction"),
        (torch.nn.Sequential(torch.nn.Embedding(3, 4), torch.nn.Linear(4, 2)), "one RNN, LSTM, GRU or encoder layer"),
        (torch.nn.Sequential(Recurrent(torch.nn.GRU), torch.nn.BatchNorm1d(2)), "BatchNorm1d"),
    ):
        with refused(told):
            read_module(module, "abc", length=4, precision=20)
    with pytest.raises(InputError, match="a module of PyTorch"):
        read_module(lambda ids: ids, "abc", length=4, precision=20)
