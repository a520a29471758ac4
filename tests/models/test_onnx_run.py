"""Graphs of ONNX are run by onnxruntime, and everything that holds of a forward pass holds of them."""

import itertools
import sys

import numpy as np
import pytest

import ccsim as cc
from ccsim import InputError
from ccsim.auditing import every_position, read_task
from ccsim.cli.app import run_app
from ccsim.models import ForwardModel
from ccsim.models.files import load_model, open_forward
from tests.models.model_file_samples import wave
from tests.refusals import refused

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402

LENGTH = 3
WORDS = np.array(list(itertools.product(range(3), repeat=LENGTH)))


def node(kind, inputs, outputs, **attributes):
    return helper.make_node(kind, inputs.split(), outputs.split(), **attributes)


def build(made, tensors, sizes=("batch", "N"), kind=TensorProto.INT64, outputs=("scores",), inputs=("ids",)):
    graph = helper.make_graph(
        made,
        "mine",
        [helper.make_tensor_value_info(each, kind, sizes) for each in inputs],
        [helper.make_tensor_value_info(each, TensorProto.FLOAT, None) for each in outputs],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in tensors.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def saved(folder, model):
    (folder / "mine.onnx").write_bytes(model.SerializeToString())
    return folder / "mine.onnx"


def recurrent(sizes=("batch", "N"), outputs=("scores",)):
    """An embedding, an LSTM, the last position, a linear map; the last state is there as well."""
    tensors = {
        "rows": wave("rows", 3, 2),
        "W": wave("W", 1, 12, 2),
        "R": wave("R", 1, 12, 3),
        "head": wave("head", 3, 2),
    }
    made = [
        node("Gather", "rows ids", "x"),
        node("Transpose", "x", "t", perm=[1, 0, 2]),
        node("LSTM", "t W R", "y h c", hidden_size=3),
        node("Squeeze", "h zero", "last"),
        node("MatMul", "last head", "scores"),
    ]
    return build(made, tensors | {"zero": np.array([0])}, sizes, outputs=outputs)


def perceptron(sizes, flat):
    """Of vectors with a single 1."""
    tensors = {"w": wave("w", 9, 5), "v": wave("v", 5, 2), "shape": np.array([-1, 9])}
    made = [node("Reshape", "ids shape", "x"), node("MatMul", "x w", "y"), node("Tanh", "y", "z")]
    return build([*made[flat:], node("MatMul", "z v", "scores")], tensors, sizes, TensorProto.FLOAT)


def flat_perceptron(sizes):
    made = perceptron(sizes, True)
    made.graph.node[0].input[0] = "ids"
    return made


GRAPHS = {
    "open": recurrent(),
    "fixed": recurrent((1, LENGTH)),
    "fixed batch": recurrent((3, "N")),
    "several outputs": recurrent(outputs=("h", "scores")),
    "vectors": perceptron(("batch", LENGTH, 3), False),
    "vectors, fixed batch": perceptron((2, LENGTH, 3), False),
    "vectors in a row, fixed": flat_perceptron((1, 9)),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_a_verdict_is_what_the_evaluator_of_onnx_says_word_by_word(tmp_path, name):
    model = GRAPHS[name]
    given = model.graph.input[0].type.tensor_type
    sizes = [size.dim_value for size in given.shape.dim]
    batch, evaluator, theirs = sizes[0] or 1, ReferenceEvaluator(model), []
    for word in WORDS:
        fed = word if given.elem_type == TensorProto.INT64 else np.eye(3, dtype=np.float32)[word]
        fed = fed.reshape(-1) if len(sizes) == 2 else fed
        theirs.append(evaluator.run(["scores"], {"ids": np.repeat(fed[None], batch, axis=0)})[0][0])
    ours = ForwardModel(open_forward(saved(tmp_path, model)), "abc")
    assert np.allclose(ours.scores(WORDS), theirs, atol=1e-6)
    task = read_task("re:.*a.b.*", LENGTH, "abc")
    found = cc.audit(ours, task)
    wrong = sum(
        int(np.argmax(scores)) != task("".join("abc"[rank] for rank in word))
        for word, scores in zip(WORDS, theirs, strict=True)
    )
    assert (found.verdict, found.wrong_words, found.accuracy.words) == ("wrong", wrong, 27)
    assert ("with a single 1" in ours.rule) == name.startswith("vectors")


def mixing(sizes):
    """Scores of a word that depend on the other words of a batch."""
    tensors = {"rows": wave("rows", 3, 2), "axis": np.array([0]), "one": np.array([1])}
    made = [node("Gather", "rows ids", "x"), node("ReduceSum", "x one", "y", keepdims=0)]
    return build([*made, node("ReduceMean", "y axis", "m"), node("Add", "y m", "scores")], tensors, sizes)


def test_words_must_not_be_mixed_and_are_alone_in_a_fixed_batch(tmp_path):
    with pytest.raises(InputError, match="the words of a batch are mixed"):
        ForwardModel(open_forward(saved(tmp_path, mixing(("batch", LENGTH)))), "abc").codes(WORDS)
    alone = ForwardModel(open_forward(saved(tmp_path, mixing((3, LENGTH)))), "abc")
    assert np.allclose(alone.scores(WORDS), 2 * wave("rows", 3, 2)[WORDS].sum(axis=1), atol=1e-6)


def test_ids_of_positions_and_words(tmp_path):
    tensors = {"rows": wave("rows", 3, 2), "zero": np.array([0])}
    made = [node("Gather", "rows ids", "x"), node("ReduceSum", "x zero", "scores", keepdims=0)]
    path = saved(tmp_path, build(made, tensors))
    turned = ForwardModel(open_forward(path, sequence_first=True), "abc", sequence_first=True)
    assert np.allclose(turned.scores(WORDS), wave("rows", 3, 2)[WORDS].sum(axis=1), atol=1e-6)
    with pytest.raises(InputError, match="a batch of any size"):
        open_forward(saved(tmp_path, build(made, tensors, (LENGTH, 2))), sequence_first=True)


def test_every_position_and_no_answer(tmp_path):
    axis = np.array([2])
    made = [node("Gather", "rows ids", "x"), node("Div", "x x", "y"), node("ReduceSum", "y axis", "s", keepdims=0)]
    made += [node("CumSum", "s one", "scores")]
    tensors = {"rows": np.float32([[1], [2], [0]]), "axis": axis, "one": np.array(1)}
    model = ForwardModel(open_forward(saved(tmp_path, build(made, tensors))), "abc", position=-1)
    found = cc.audit(model, read_task("re:.*c.*", LENGTH, "abc"))
    assert (found.verdict, found.wrong_words) == ("wrong", 27)  # above 0 without c, and NaN with it
    assert model("acab") is None
    assert cc.audit(*every_position(model, read_task("re:.*c.*", LENGTH, "abc"))).wrong_words == 27


def test_the_command_runs_a_graph(tmp_path, capsys):
    path = str(saved(tmp_path, recurrent()))
    asked = ["audit", path, "--task", "re:.*a.b.*", "--alphabet", "abc", "-n", "4"]
    assert run_app([*asked, "--tokens", "2,1,0", "--before", "1"]) == 1
    told = capsys.readouterr().out
    assert "how: all 81 words, in batches of up to 256; 48 of them also alone" in told
    assert "the largest of 2 scores" in told
    for more in (["--precision", "16"],):
        assert run_app([*asked, *more]) == 2
        told = capsys.readouterr().err
        assert "this is run as it is" in told
        assert told.count("\n") == 1
    (tmp_path / "mine.toml").write_text('tokens = ["a", "b", "c"]\nprecision = 16\ncheck = "logits.npz"\n')
    assert run_app(asked) == 2
    assert "needs no description; give --tokens" in capsys.readouterr().err
    assert run_app([*asked[:1], str(tmp_path / "mine.toml"), *asked[2:]]) == 2
    assert "an entry tensors" in capsys.readouterr().err


def test_what_cannot_be_run_is_named(tmp_path, monkeypatch):
    two = build([node("Add", "one two", "scores")], {}, kind=TensorProto.FLOAT, inputs=("one", "two"))
    truth = build([node("Cast", "ids", "scores", to=TensorProto.FLOAT)], {}, kind=TensorProto.BOOL)
    for model, message in ((two, "one, which takes the words"), (truth, "ids .batch, N.")):
        with refused(message):
            open_forward(saved(tmp_path, model))
    with pytest.raises(InputError, match="Expected: 3"):
        ForwardModel(open_forward(saved(tmp_path, recurrent((1, LENGTH)))), "abc")("abcab")
    with pytest.raises(InputError, match=r"ForwardModel\(open_forward\('mine.onnx'\)"):
        load_model(tmp_path / "mine.onnx")
    for other in ("mine.pt", "no.onnx"):
        with pytest.raises(InputError, match=r"a graph of ONNX|that exists"):
            open_forward(tmp_path / other)
    (tmp_path / "bad.onnx").write_bytes((tmp_path / "mine.onnx").read_bytes()[:90])
    with pytest.raises(InputError, match="a graph that onnxruntime runs"):
        open_forward(tmp_path / "bad.onnx")
    monkeypatch.setattr("onnxruntime.__version__", "1.23.2")
    with pytest.raises(InputError, match=r"1\.24 or later"):
        open_forward(tmp_path / "mine.onnx")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(InputError, match=r"pip install 'ccsim\[onnx\]'"):
        open_forward(tmp_path / "mine.onnx")


@pytest.mark.parametrize("place", ["rows.bin", "../rows.bin", "link.bin", "absolute"])
def test_tensors_lie_in_the_folder_of_the_graph_or_are_refused(tmp_path, place):
    folder, rows = tmp_path / "own", wave("rows", 3, 2)
    folder.mkdir()
    for path in (folder / "rows.bin", tmp_path / "rows.bin"):
        path.write_bytes(rows.tobytes())
    (folder / "link.bin").symlink_to(tmp_path / "rows.bin")
    model = build([node("Gather", "rows ids", "x"), node("ReduceSum", "x one", "scores", keepdims=0)], {"one": [1]})
    outside = TensorProto(name="rows", data_type=TensorProto.FLOAT, dims=(3, 2), data_location=TensorProto.EXTERNAL)
    outside.external_data.add(key="location", value=str(tmp_path / "rows.bin") if place == "absolute" else place)
    model.graph.initializer.append(outside)
    path = saved(folder, model)
    if place != "rows.bin":
        with pytest.raises(InputError, match="a graph that onnxruntime runs"):
            open_forward(path)
        return
    assert np.allclose(ForwardModel(open_forward(path), "abc").scores(WORDS), rows[WORDS].sum(axis=1), atol=1e-6)
