"""Steps of people's own: what a verdict says is what a loop over words says, in tiles of one size."""

import itertools
import json
from types import SimpleNamespace

import numpy as np
import pytest

import ccsim as cc
from ccsim import InputError
from ccsim.auditing import Audit, modular_counting, read_task
from ccsim.cli.app import run_app
from ccsim.models import StepModel
from ccsim.problems import majority_of_word, parity_of_word
from tests.refusals import refused


class Cell:
    """A step of numbers: ``after`` makes of state and ids (rows, 1) the next state, ``told`` the second score."""

    def __init__(self, after, told, kind=np.float16):
        self.after, self.told, self.kind = after, told, kind

    def start(self):
        return np.zeros((1, 1), self.kind)

    def step(self, state, ids):
        state = self.after(state, ids[:, None]).astype(self.kind)
        return state, np.hstack([np.full(state.shape, 0.5), self.told(state)])


PARITY = Cell(lambda state, ids: (state + ids) % 2, lambda state: state)
COUNTER = Cell(lambda state, ids: np.clip(state + 2 * ids - 1, -4, 4), lambda state: state)


def test_all_states_of_a_step_decide_all_words():
    found = cc.audit(PARITY, parity_of_word(200))
    assert (found.verdict, found.every_length, found.words) == ("right", True, 2**200)
    assert found.reason.startswith("run, not proved: 2 states of the model with 2 of the task")
    assert "the model's own step in float16, as this machine runs it, in tiles of 64" in found.arithmetic
    assert found.size["state_bits"] == 16
    task = majority_of_word(9)
    found = cc.audit(COUNTER, task)
    words = ["".join(word) for word in itertools.product("01", repeat=9)]
    ends = [[value := 0, *(value := max(-4, min(4, value + 2 * int(s) - 1)) for s in word)][-1] for word in words]
    assert found.wrong_words == sum((end > 0) != task(word) for end, word in zip(ends, words, strict=True)) > 0
    assert "run alone answered alike" in found.reason
    assert found.verify()
    assert Audit.from_json(found.to_json(), task) == found


def test_states_are_told_apart_by_their_bits():
    """0 and -0 are two states, as no step has to treat them alike; so are a number and its neighbour."""
    signs = Cell(lambda state, ids: np.where(ids == 1, -0.0, 0.0), lambda state: np.copysign(1, state) < 0, np.float32)
    found = cc.audit(signs, read_task("re:.*1", 5, "01"))
    assert (found.verdict, found.searched["model_states"]) == ("right", 2)
    for kind, bits in ((np.float64, 64), (np.int8, 8), (np.bool_, 8), (np.complex64, 64)):
        cell = Cell(lambda state, ids: np.where(ids == 1, 1 - 1 * state, state), abs, kind)
        model = StepModel(cell.step, cell.start(), "01", tile=5)
        assert model.state_bits == bits
        assert cc.audit(model, parity_of_word(6)).verdict == "right"


def test_words_that_are_answered_otherwise_alone_are_shown():
    alone = Cell(PARITY.after, lambda state: state if len(state) > 1 else 1 - state)
    assert "17 of 17 words" not in cc.audit(PARITY, modular_counting(8, 2)).reason
    found = cc.audit(alone, modular_counting(8, 2))
    assert found.verdict == "right"
    assert "16 of 16 words run alone answered otherwise, such as " in found.reason


def test_a_score_that_is_nan_is_no_answer():
    none = Cell(lambda state, ids: np.where(ids == 1, np.nan, state), lambda state: 1 + state)
    found = cc.audit(none, read_task("re:0*", 4, "01"))
    assert (found.verdict, found.wrong_words, found.failure.answer) == ("wrong", 15, None)
    assert StepModel(none.step, none.start(), "01")("01") is None


def wrong_steps():
    generator = np.random.default_rng(0)
    plain = PARITY.step
    yield lambda state, ids: plain(np.cumsum(state + ids[:, None], axis=0).astype(np.float16), ids), "mixes them"
    yield lambda state, ids: plain(generator.random(state.shape).astype(np.float16), ids), "mixes them, is random"
    yield lambda state, ids: plain(state.astype(np.float32), ids)[1], "a state"
    yield lambda state, ids: (state.astype(np.float32), plain(state, ids)[1]), "a state as at the start"
    yield lambda state, ids: (state, plain(state, ids)[1][:, :1]), r"scores of shape \(64, 2\)"
    yield lambda state, ids: 1 / 0, "ZeroDivisionError"


def test_what_is_no_step_is_refused_by_name():
    for case in range(6):
        step, told = list(wrong_steps())[case]
        with refused(told):
            StepModel(step, np.zeros((1, 1), np.float16), "01").codes(np.array([[0, 1, 1, 0, 1]] * 3))


def test_what_a_step_starts_from_is_checked():
    none = np.array([[None]])
    for start in (np.zeros((2, 1)), 0.0, [np.zeros((1, 1)), 3], np.zeros((1, 0)), none, np.zeros((1, 1), "g")):
        with pytest.raises(InputError, match="start"):
            StepModel(PARITY.step, start, "01")
    with pytest.raises(InputError, match="a function of a state and ids"):
        StepModel(3, PARITY.start(), "01")
    for start in (lambda rows: np.zeros((rows, 1)), lambda: 1 / 0):
        with pytest.raises(InputError, match="without any arguments"):
            cc.audit(SimpleNamespace(step=PARITY.step, start=start), parity_of_word(3))
    with pytest.raises(InputError, match="tile"):
        StepModel(PARITY.step, PARITY.start(), "01", tile=0)
    with pytest.raises(InputError, match="scores with a symbol"):
        StepModel(PARITY.step, PARITY.start(), "01").codes(np.zeros((1, 0), dtype=np.int64))


@pytest.mark.parametrize(
    ("kind", "name"),
    [("LSTMCell", "bfloat16"), ("LSTMCell", "float64"), ("GRUCell", "float32")],
)
def test_cells_of_pytorch_answer_as_in_a_loop_over_tiles(kind, name):
    torch = pytest.importorskip("torch")
    torch.manual_seed(2)
    dtype = getattr(torch, name)

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.rows, self.cell = torch.nn.Embedding(2, 3), getattr(torch.nn, kind)(3, 4)
            self.head, self.dropout = torch.nn.Linear(4, 2), torch.nn.Dropout(0.5)
            self.to(dtype)

        def start(self):
            zeros = torch.zeros(1, 4, dtype=dtype)
            return (zeros, zeros) if kind == "LSTMCell" else zeros

        def step(self, state, ids):
            assert not torch.is_grad_enabled()
            state = self.cell(self.dropout(self.rows(ids)), state)
            return state, self.head(state[0] if kind == "LSTMCell" else state)

    net, task = Net().train(), majority_of_word(5)
    words = np.array(list(itertools.product((0, 1), repeat=5)))
    filled = np.concatenate([words, words])  # a whole tile
    net.eval()
    with torch.no_grad():
        state = net.start()
        state = tuple(part.repeat(64, 1) for part in state) if isinstance(state, tuple) else state.repeat(64, 1)
        for symbols in torch.from_numpy(filled.T):
            state, scores = net.step(state, symbols)
    wanted = scores.double().numpy()[:32].argmax(axis=1)
    found = cc.audit(net.train(), task)
    assert found.wrong_words == int((wanted != task.evaluate(words)).sum()) > 0
    assert found.size["state_bits"] == 8 * dtype.itemsize * 4 * (1 + (kind == "LSTMCell"))
    assert net.training


OWN = """
import numpy as np

class Cell:
    def start(self):
        return np.zeros((1, 1), np.float16)

    def step(self, state, ids):
        state = (state + ids[:, None].astype(np.float16)) % 2
        return state, np.hstack([1 - state, state])
"""


def test_a_step_on_the_command_line(tmp_path, capsys):
    (tmp_path / "net.py").write_text(OWN)
    asked = ["audit", f"{tmp_path / 'net.py'}:Cell", "--task", "mod:2", "-n", "30"]
    assert run_app([*asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["model"], told["verdict"], told["searched"]["model_states"]) == ("Cell", "right", 2)
    for more, expected in (
        (["--precision", "16"], "a step is run as it is"),
        (["--tokens", "1,0"], "the places of the symbols"),
        (["--threshold", "0.5"], "knows its answers"),
    ):
        assert run_app([*asked, *more]) == 2
        told = capsys.readouterr().err
        assert expected in told
        assert told.count("\n") == 1
