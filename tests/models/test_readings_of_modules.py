"""A reading of weights is accepted only if the module itself does the same, however small its scores are."""

import numpy as np
import pytest

import ccsim as cc
from ccsim import InputError
from ccsim.auditing import function_task, modular_counting
from ccsim.models.files import load_model, read_module

torch = pytest.importorskip("torch")
nn = torch.nn


class Cells(nn.Module):
    """An LSTM whose last outputs are read out, and what is done to the scores then."""

    def __init__(
        self, *, pick=lambda outputs: outputs[:, -1], after=lambda words, scores: scores, scale=1.0, bias=True
    ):
        super().__init__()
        torch.manual_seed(0)
        self.rows, self.cells, self.head = nn.Embedding(2, 3), nn.LSTM(3, 4, batch_first=True), nn.Linear(4, 2)
        self.pick, self.after = pick, after
        with torch.no_grad():
            for each in self.head.parameters():
                each *= scale

    def forward(self, words):
        return self.after(words, self.head(self.pick(self.cells(self.rows(words))[0])))


def special(words, scores):
    """Another answer where the word has exactly five 1s."""
    return torch.where((words.sum(dim=1) == 5)[:, None], scores.flip(-1), scores)


class OwnState(Cells):
    """A first state in single precision, whatever the module is in."""

    def forward(self, words):
        first = torch.zeros(1, len(words), 4, dtype=torch.float32)
        return self.after(words, self.head(self.pick(self.cells(self.rows(words), (first, first))[0])))


@pytest.mark.parametrize(("kind", "scale"), [(Cells, 1.0), (Cells, 1e-30), (OwnState, 1e-4)])
def test_what_rounding_explains_depends_on_how_far_scores_are_apart(kind, scale):
    loaded = read_module(kind(scale=scale), "01", length=5, precision=12)
    assert loaded.every
    assert 0 < loaded.tolerance.max() < 1e-4 * scale
    others = [
        {"after": lambda words, scores: 1.0001 * scores},
        {"after": lambda words, scores: -scores},
        {"after": special},
        {"after": lambda words, scores: scores / 2},
        {"pick": lambda outputs: outputs[:, 0]},
        {"pick": lambda outputs: outputs.mean(dim=1)},
    ]
    for other in others[:: 1 if scale == 1 else 2]:
        with pytest.raises(InputError, match="does something else there"):
            read_module(kind(scale=scale, **other), "01", length=5, precision=12)


def test_a_hook_that_changes_little_is_told_apart_in_double_precision():
    module = Cells()
    module.cells.register_forward_hook(lambda each, given, found: (found[0] * (1 + 1e-9), found[1]))
    with pytest.raises(InputError, match="does something else there"):
        read_module(module, "01", length=5, precision=12)


class Layer(nn.Module):
    """A layer of a transformer."""

    def __init__(self, **options):
        super().__init__()
        torch.manual_seed(0)
        self.rows, self.places, self.head = nn.Embedding(2, 4), nn.Embedding(5, 4), nn.Linear(4, 2)
        self.layer = nn.TransformerEncoderLayer(4, 2, 6, batch_first=True, **options)

    def forward(self, words):
        return self.head(self.layer(self.rows(words) + self.places(torch.arange(words.shape[1])))[:, -1])


def test_parts_of_a_layer_that_do_not_stand_in_its_weights_are_told_apart():
    assert read_module(Layer(activation="gelu", layer_norm_eps=1e-6), "01", length=5, precision=16).every
    for change in ("eps", "residual"):
        module = Layer()
        if change == "eps":
            module.layer.norm2.eps = 2e-5
        else:
            module.layer.register_forward_hook(lambda each, given, found: found + 1e-6 * given[0])
        with pytest.raises(InputError, match="does something else there"):
            read_module(module, "01", length=5, precision=16)


def test_all_words_are_run_where_they_are_few_and_likely_special_cases_where_they_are_many():
    task = modular_counting(8, 2)
    with pytest.raises(InputError, match="does something else there"):
        cc.audit(Cells(after=special), task, precision=12)

    def rare(words, scores):
        return torch.where((words[:, :16].sum(dim=1) == 0)[:, None], scores.flip(-1), scores)

    with pytest.raises(InputError, match="does something else there"):
        read_module(Cells(after=rare), "01", length=17, precision=12, words=1 << 10)
    loaded = read_module(Cells(), "01", length=17, precision=12, words=1 << 10, seconds=0.1)
    assert not loaded.every
    assert "other words" in loaded.agreement


def test_a_module_that_is_wrong_where_its_reading_in_few_bits_is_right_is_wrong():
    module = Cells(scale=0)
    module.head.bias.data = torch.tensor([0, 1e-3])  # in 7 bits both are 0: the first answer
    zero = function_task(lambda word: 0, "01", 5, (0, 1))
    assert cc.audit(load_like(module), zero).verdict == "right"
    found = cc.audit(module, zero, precision=7)
    codes = module(torch.tensor(zero.words.array(np.arange(32)).astype(np.int64))).argmax(dim=1)
    assert (found.verdict, found.wrong_words) == ("wrong", int(codes.sum()))
    assert found.verify()
    assert "as read" in found.reason


def load_like(module):
    """The reading alone."""
    return read_module(module, "01", length=5, precision=7).model


def test_ids_of_tokens_and_ids_around_words_are_read_too():
    module = Cells()
    module.rows = nn.Embedding(5, 3)
    layout = {"tokens": {"0": 3, "1": 1}, "before": [4], "after": [0, 2]}
    loaded = read_module(module, "01", length=4, precision=14, layout=layout)
    task = loaded.framed(modular_counting(4, 2))
    words = task.words.array(np.arange(16)).astype(np.int64)
    inner = modular_counting(4, 2).words.array(np.arange(16)).astype(np.int64)
    fed = np.concatenate([np.full((16, 1), 4), np.array([3, 1])[inner], np.tile([0, 2], (16, 1))], axis=1)
    codes = module(torch.tensor(fed)).argmax(dim=1).numpy()
    ranks = np.array([loaded.model.alphabet.index(symbol) for symbol in task.words.alphabet])
    assert np.array_equal(loaded.model.codes(ranks[words]), codes)
    assert np.array_equal(loaded.float_codes(ranks[words]), codes)


class LearntStart(nn.Module):
    """A first state that was learnt."""

    def __init__(self):
        super().__init__()
        self.rows, self.rnn, self.head = nn.Embedding(2, 3), nn.GRU(3, 4, batch_first=True), nn.Linear(4, 2)
        self.h0 = nn.Parameter(torch.ones(1, 1, 4))

    def forward(self, words):
        return self.head(self.rnn(self.rows(words), self.h0.expand(1, len(words), 4).contiguous())[0][:, -1])


@pytest.mark.parametrize("ending", ["pt", "bin"])
def test_a_learnt_first_state_is_named_and_cannot_be_ignored(tmp_path, ending):
    module = LearntStart()
    with pytest.raises(InputError, match="h0"):
        read_module(module, "01", length=4, precision=12)
    description = (
        'architecture = "gru"\nprefix = "rnn."\nembedding = "rows.weight"\ntokens = ["0", "1"]\nprecision = 16\n'
    )
    more = 'ignore = ["h0"]\n[read_out]\nweight = "head.weight"\nbias = "head.bias"\n'
    (tmp_path / "mine.toml").write_text(description + more)
    rest = {"hyper_parameters": {"lr": 0.1}, "epoch": 3}
    torch.save({"state_dict": module.state_dict(), **rest}, tmp_path / f"mine.{ending}")
    with pytest.raises(InputError, match="first state"):
        load_model(tmp_path / f"mine.{ending}")
    del module._parameters["h0"]
    torch.save({"state_dict": module.state_dict(), **rest}, tmp_path / f"mine.{ending}")
    assert load_model(tmp_path / "mine.toml").parameters > 0


def test_an_audit_by_forward_passes_knows_the_shortest_wrong_word():
    def forward(ids):  # wrong after two 1s in a row
        twice = (ids[:, 1:] * ids[:, :-1]).any(axis=1) if ids.shape[1] > 1 else np.zeros(len(ids), dtype=bool)
        return np.stack([np.zeros(len(ids)), np.where(ids.sum(axis=1) % 2 ^ twice, 1.0, -1.0)], axis=1)

    found = cc.audit(forward, modular_counting(6, 2))
    assert (found.verdict, found.shortest) == ("wrong", ("1", "1"))
    assert str(found).splitlines()[0].startswith("wrong: ")
