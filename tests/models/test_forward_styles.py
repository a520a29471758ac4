"""Forward passes as people write them, with weights set by hand: what a verdict says is what a loop over words says."""

import itertools
import random
from collections import namedtuple

import numpy as np
import pytest

import ccsim as cc
from ccsim import InputError
from ccsim.auditing import audit, every_position, function_task, modular_counting
from ccsim.models import ForwardModel
from ccsim.models.files import read_module
from ccsim.models.model import affordable, largest_score, members_of, score_of_each
from tests.refusals import refused

torch = pytest.importorskip("torch")
nn = torch.nn
PARITY = modular_counting(5, 2)
WORDS = ["".join(word) for word in itertools.product("01", repeat=5)]


class Net(nn.Module):
    """An embedding, a recurrent layer, a linear map; ``end`` makes of their outputs what is returned."""

    def __init__(self, end=lambda scores: scores[:, -1], outputs=2, kind=nn.GRU, **options):
        super().__init__()
        torch.manual_seed(3)
        self.rows, self.dropout = nn.Embedding(3, 4), nn.Dropout(0.5)
        self.cells = kind(4, 6, **({"batch_first": True} | options))
        self.head, self.end = nn.Linear(6, outputs), end
        self.head.weight.data *= 5

    def forward(self, words):
        return self.end(self.head(self.dropout(self.cells(self.rows(words))[0])))


def wrong(decide, task=PARITY, words=WORDS):
    """By the definition: on how many words an author's own rule, applied to each alone, is wrong."""
    with torch.no_grad():
        return sum(decide(torch.tensor([[task.alphabet.index(s) for s in word]])) != task(word) for word in words)


def wrong_as_read(module, **options):
    """On how many words the reading of a module in 24 bits is wrong."""
    loaded, words = read_module(module, "01", length=5, precision=24, **options), PARITY.words.array(np.arange(32))
    return int((loaded.model.codes(words) != PARITY.evaluate(words)).sum())


def largest(scores):
    return int(scores.argmax())


class Sequential(Net):
    """It takes (N, batch), as PyTorch's recurrent layers do."""

    def __init__(self):
        super().__init__(lambda scores: scores[-1], batch_first=False)


class First(Net):
    """It asks for a first state, and says which."""

    def forward(self, words, hidden):
        found, hidden = self.cells(self.rows(words), hidden)
        return self.head(found), hidden

    def init_hidden(self, batch):
        return torch.ones(1, batch, 6)


class Packed(Net):
    """It asks for lengths."""

    def forward(self, words, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(self.rows(words), lengths, batch_first=True)
        return self.head(self.cells(packed)[1][-1])


Output = namedtuple("Output", "loss logits")
STYLES = {
    "last position": (Net(), lambda m, x: largest(m(x)), {}),
    "all positions": (Net(lambda scores: scores), lambda m, x: largest(m(x)[0, -1]), {}),
    "outputs before positions": (Net(lambda s: s.transpose(1, 2)), lambda m, x: largest(m(x)[0, :, -1]), {}),
    "scores and no loss": (Net(lambda s: (s[:, [-1]], None)), lambda m, x: largest(m(x)[0]), {}),
    "a loss and logits": (Net(lambda s: Output(None, s)), lambda m, x: largest(m(x).logits[0, -1]), {}),
    "a table": (Net(lambda s: {"hidden": s, "logits": -s}), lambda m, x: largest(m(x)["logits"][0, -1]), {}),
    "sigmoid": (Net(lambda s: s[:, -1].sigmoid(), 1), lambda m, x: int(m(x) > 0.5), {}),
    "sigmoid, squeezed": (Net(lambda s: s[:, -1].sigmoid().squeeze(), 1), lambda m, x: int(m(x) > 0.5), {}),
    "log-softmax": (Net(lambda s: s[:, -1].log_softmax(1)), lambda m, x: largest(m(x)), {}),
    "squared error": (Net(lambda s: s[:, -1], 1), lambda m, x: int(m(x) > 0.5), {"threshold": 0.5}),
    "logits": (Net(lambda s: s[:, -1, 0], 1), lambda m, x: int(m(x) > 0), {"threshold": 0}),
    "labels": (Net(lambda s: s[:, -1].argmax(1)), lambda m, x: int(m(x)), {}),
    "half precision": (Net(kind=nn.RNN).bfloat16(), lambda m, x: largest(m(x)), {}),
    "sequence first": (Sequential(), lambda m, x: largest(m(x.T)), {"sequence_first": True}),
    "first state": (First(), lambda m, x: largest(m(x, torch.ones(1, 1, 6))[0][0, -1]), {}),
    "lengths": (Packed(), lambda m, x: largest(m(x, torch.tensor([5]))), {}),
}


@pytest.mark.parametrize("name", STYLES)
def test_errors_are_those_of_a_loop_over_words(name):
    module, decide, options = STYLES[name]
    expected = wrong(lambda word: decide(module.eval(), word))
    found = cc.audit(module.train(), PARITY, **options)
    assert 0 < found.wrong_words == expected < 32
    assert found.rule
    assert found.verify()
    assert module.training
    assert module.dropout.training


class Plain(nn.Module):
    """Layers without an embedding, behind which the last score or the largest one is taken."""

    def __init__(self, layer, pool):
        super().__init__()
        torch.manual_seed(1)
        self.layer, self.pool, self.head = layer, pool, nn.Linear(4, 2)

    def forward(self, numbers):
        return self.head(self.pool(self.layer(numbers)))


def vectors(word):
    return nn.functional.one_hot(word, 2).float()


FLOATS = {
    "vectors": (nn.LSTM(2, 4, batch_first=True), lambda found: found[0][:, -1], vectors),
    "numbers": (nn.RNN(1, 4, batch_first=True), lambda found: found[0][:, -1], lambda word: word[..., None].float()),
    "rows": (nn.Linear(5, 4), torch.relu, lambda word: word.float()),
    "channels": (nn.Conv1d(2, 4, 3), lambda found: found.amax(2), lambda word: vectors(word).transpose(1, 2)),
    "flat": (nn.Sequential(nn.Flatten(), nn.Linear(10, 4)), torch.relu, vectors),
}


@pytest.mark.parametrize("name", FLOATS)
def test_a_first_layer_that_is_no_embedding_is_fed_numbers_and_that_is_said(name):
    layer, pool, fed = FLOATS[name]
    module = Plain(layer, pool)
    found = cc.audit(module, PARITY)
    assert found.wrong_words == wrong(lambda word: largest(module(fed(word))))
    assert "it is fed" in found.rule


def test_where_two_layouts_fit_another_length_decides_or_nothing_is_said():
    four = function_task(lambda word: word.count("1") % 4, "01", 4)
    words = ["".join(word) for word in itertools.product("01", repeat=4)]
    for end, last in (
        (lambda scores: scores, lambda found: found[0, -1]),
        (lambda scores: scores.transpose(1, 2), lambda found: found[0, :, -1]),
        (lambda scores: scores[:, -1], lambda found: found[0]),
    ):
        module = Net(end, 4).eval()
        assert cc.audit(module, four).wrong_words == wrong(lambda x, m=module, f=last: largest(f(m(x))), four, words)  # type: ignore[misc]
    square = nn.Sequential(nn.Conv1d(2, 2, 2), nn.Flatten())  # of two symbols, either axis can be that of channels
    with pytest.raises(InputError, match="one way to run"):
        cc.audit(square, function_task(lambda word: int(word == "11"), "01", 2))


class Mixed(Net):
    """A network of which one line is changed."""

    def __init__(self, change):
        super().__init__()
        self.change, self.kept = change, None

    def forward(self, words):
        return self.change(self, self.head(self.cells(self.rows(words))[0][:, -1]))


class Masked(Net):
    def forward(self, words, src_mask):
        return super().forward(words)


def kept(net, scores):
    before, net.kept = net.kept, scores
    return scores if before is None or before.shape != scores.shape else scores + before


@pytest.mark.parametrize(
    ("module", "told"),
    [
        (Net(batch_first=False), "'cells' has batch_first=False"),
        (Sequential(), "sequence-first"),
        (Mixed(lambda net, scores: scores - scores.mean(0)), "words of a batch are mixed"),
        (Mixed(lambda net, scores: scores / scores.abs().max()), "words of a batch are mixed"),
        (Mixed(lambda net, scores: scores + 1e-4 * scores.mean(0)), "words of a batch are mixed"),
        (Mixed(lambda net, scores: nn.functional.dropout(scores, 0.3)), "dropout"),
        (Mixed(kept), "keeps a state"),
        (nn.Sequential(Net(), nn.BatchNorm1d(2, track_running_stats=False)), "track_running_stats"),
        (Net(lambda scores: scores.sum()), "a tensor of shape"),
        (Net(lambda scores: {"loss": None, "text": "none"}), "a dict of"),
        (Net(lambda scores: scores[:, -1], 7), "--rows"),
        (Masked(), "src_mask"),
    ],
)
def test_what_is_no_function_of_a_word_is_refused_with_advice(module, told):
    with refused(told):
        cc.audit(module, PARITY)


def test_a_single_score_on_which_two_thresholds_differ_has_no_answer_without_one():
    linear = Net(lambda scores: scores[:, -1], 1).eval()
    for options in ({}, {"precision": 24}):
        with pytest.raises(InputError, match="threshold"):
            cc.audit(linear, PARITY, **options)
    expected = wrong(lambda word: int(linear(word) > 0.5))
    assert cc.audit(linear, PARITY, threshold=0.5).wrong_words == expected
    assert wrong_as_read(linear, threshold=0.5) == expected
    assert wrong(lambda word: int(linear(word) > 0)) != expected
    signs = cc.audit(Net(lambda scores: scores[:, -1].sign(), 1), PARITY)
    assert "above 0" in signs.rule
    with pytest.raises(InputError, match="the largest counts"):
        cc.audit(Net(), PARITY, threshold=0.5)


@pytest.mark.parametrize(
    ("end", "outputs", "decide"),
    [
        (torch.sigmoid, 1, lambda scores: int(scores > 0.5)),
        (lambda scores: scores.softmax(-1), 2, largest),
        (lambda scores: scores.log_softmax(-1), 2, largest),
    ],
)
def test_a_module_that_squashes_its_scores_is_read_as_it_is_run(end, outputs, decide):
    module = Net(lambda scores: end(scores[:, -1]), outputs)
    expected = wrong(lambda word: decide(module.eval()(word)))
    assert cc.audit(module.train(), PARITY).wrong_words == expected
    assert wrong_as_read(module) == expected
    assert not module.head._forward_hooks
    assert module.training


def test_several_sigmoids_are_sets():
    module = Net(lambda scores: scores[:, -1].sigmoid()).eval()
    for answers in (frozenset, lambda word: tuple(int(symbol in word) for symbol in "01")):
        task = function_task(answers, "01", 3)
        words = ["".join(word) for word in itertools.product("01", repeat=3)]

        def decide(word, answers=answers):
            chosen = [symbol for symbol, score in zip("01", module(word)[0], strict=True) if score > 0.5]
            return answers("".join(chosen))

        found = cc.audit(module, task)
        assert found.wrong_words == wrong(decide, task, words)
        assert "in the set" in found.rule


def test_all_positions_of_a_sigmoid():
    module = Net(torch.sigmoid, 1)
    found = cc.audit(*every_position(ForwardModel(module, "01"), PARITY))
    right = 0
    for word in WORDS:
        scores = module.eval()(torch.tensor([[int(symbol) for symbol in word]]))[0, :, 0] > 0.5
        right += all(int(each) == word[:end].count("1") % 2 for end, each in enumerate(scores, start=1))
    assert found.wrong_words == 32 - right


def test_a_module_is_left_as_it_was_found():
    class Busy(Net):
        def __init__(self):
            super().__init__()
            self.register_buffer("calls", torch.zeros(1))
            self.seen, self.last = [], None

        def forward(self, words):
            self.calls += 1
            self.seen.append(len(words))
            self.last = words
            random.random(), np.random.random(), torch.rand(1)  # noqa: NPY002
            self.head.weight.requires_grad_(False)
            self.register_forward_hook(lambda *_: None)
            if self.broken:
                raise RuntimeError("broken")
            return super().forward(words)

    for broken in (False, True):
        module = Busy()
        module.broken = broken
        module.train()
        module.cells.eval()
        states = [torch.get_rng_state(), np.random.get_state()[1].tolist(), random.getstate()]  # noqa: NPY002
        try:
            cc.audit(module, PARITY)
        except InputError:
            assert broken
        assert [each.training for each in (module, module.cells, module.dropout)] == [True, False, True]
        assert (module.calls.item(), module.seen, module.last, len(module._forward_hooks)) == (0, [], None, 0)
        assert module.head.weight.requires_grad
        assert torch.equal(torch.get_rng_state(), states[0])
        assert [np.random.get_state()[1].tolist(), random.getstate()] == states[1:]  # noqa: NPY002
        assert torch.is_grad_enabled()


class Layers(nn.Module):
    """A recurrent layer before the decision, of whatever kind."""

    def __init__(self, layer, width):
        super().__init__()
        self.layer, self.out = layer, nn.Linear(width, 2)

    def forward(self, ids):
        return self.out(self.layer(torch.nn.functional.one_hot(ids, 2).float())[0][:, -1])


@pytest.mark.parametrize(
    ("layer", "width", "bits"),
    [
        (nn.LSTM(2, 3, batch_first=True), 3, 2 * 3 * 32),
        (nn.GRU(2, 3, num_layers=2, batch_first=True), 3, 2 * 3 * 32),
        (nn.RNN(2, 5, batch_first=True), 5, 5 * 32),
        (nn.GRU(2, 3, bidirectional=True, batch_first=True), 6, None),
    ],
)
def test_a_module_that_is_run_is_held_against_the_state_of_its_layers(layer, width, bits):
    need = audit(Layers(layer, width), PARITY).need
    assert need.bits == (None if bits is None else 1)
    assert need.has == (bits or 0)
    assert ("if nothing but the state of layer passes" in need.condition) == (bits is not None)


def test_a_module_without_such_layers_says_what_to_call():
    need = audit(nn.Sequential(nn.Embedding(2, 2), nn.Flatten(), nn.Linear(10, 2)), PARITY).need
    assert need.bits is None
    assert "--precision" in need.reason


class Two(Net):
    """Scores and something beside them."""

    def __init__(self, name):
        super().__init__()
        self.name = name

    def forward(self, words):
        scores = super().forward(words)
        others = {"squashed": -scores.tanh(), "confidence": scores.softmax(1).max(1).values}
        if self.name in others:
            return others[self.name], scores
        return {"aux": -scores, self.name: scores}


@pytest.mark.parametrize("name", ["squashed", "confidence", "output"])
def test_of_two_things_that_fit_none_is_taken(name):
    with pytest.raises(InputError, match=r"one way to run words|entry 1 of 2|'aux'"):
        audit(Two(name), PARITY)


def test_logarithms_of_probabilities_need_a_threshold():
    model = Net(lambda scores: nn.functional.logsigmoid(scores[:, -1, :1]))
    with pytest.raises(InputError, match="threshold"):
        audit(model, PARITY)
    assert audit(model, PARITY, threshold=-0.6931).verdict == "wrong"


def test_ids_of_symbols_are_told_or_asked_for():
    told = audit(Net(), PARITY).rule
    assert "the ids 0 to 1 of 3 (--tokens gives others)" in told
    model = Net()
    model.rows = nn.Embedding(3, 4, padding_idx=0)
    with pytest.raises(InputError, match="tokens"):
        ForwardModel(model, "01")
    ForwardModel(model, "01", tokens={"0": 1, "1": 2})
    for given in ({"tokens": {"0": 1, "1": 1}}, {"rows": [0, 0]}):
        with pytest.raises(InputError, match=next(iter(given))):
            ForwardModel(Net(), "01", **given)
    with pytest.raises(InputError, match="position"):
        ForwardModel(Net(end=lambda scores: scores), "01", position=5).codes(np.zeros((2, 5), dtype=int))


def test_scores_become_answers():
    assert largest_score(np.array([[1.0, 2.0], [0.0, np.inf], [0.0, np.nan]])).tolist() == [1, 1, -1]
    assert score_of_each(np.array([[-1.0], [np.inf]]), 2).tolist() == [[0.0, -1.0], [0.0, np.inf]]
    assert members_of((frozenset("("), frozenset("()")), "()").tolist() == [[True, False], [True, True]]
    assert [affordable(1 << 14, length) for length in (100, 1 << 10, 10**9)] == [16384, 2048, 64]
